//! The hot paths of the collapse engine, guarded by criterion: `cargo bench --bench engine`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use snapcheck::check::{Options, Traces, check};
use snapcheck::engines::EngineKind;
use snapcheck::instance::bundled;
use snapcheck::models::claim::Claim;
use snapcheck::registry::Registry;

/// One instance in which expanding and looking up dominate, one of blocked channels, one of a
/// coordinator's flows, and a small one in which finding out about parts does.
const INSTANCES: [&str; 4] = [
    "chandy-lamport/complete-3-k1",
    "flink-aligned/diamond",
    "general/star-2-central",
    "chandy-lamport/complete-2-k2",
];

fn engines(criterion: &mut Criterion) {
    let registry = Registry::bundled();
    let instances = bundled::all(&registry.infos()).expect("the bundled instances are valid");
    // What is judged only on request is not their path.
    let claims: Vec<_> = Claim::ALL.into_iter().filter(|claim| !claim.on_request()).collect();
    let mut group = criterion.benchmark_group("explore");
    for name in INSTANCES {
        let instance = instances.iter().find(|instance| instance.name == name);
        let instance = instance.expect("the instance is bundled");
        group.throughput(Throughput::Elements(instance.expect.unique.unwrap_or_default()));
        for engine in [EngineKind::Collapse, EngineKind::CollapseFull] {
            let claims = claims.clone();
            let options = Options { engine, claims, traces: Traces::None, ..Options::default() };
            group.bench_function(format!("{name} {}", engine.name()), |bencher| {
                bencher.iter(|| black_box(check(&registry, instance, &options, &|_| ())));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, engines);
criterion_main!(benches);
