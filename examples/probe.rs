use std::sync::Arc;
use snapcheck::engines::*; use snapcheck::models::claim::Claim; use snapcheck::models::topology::*; use snapcheck::models::setup::*; use snapcheck::models::applications::script::Script; use snapcheck::models::algorithms::ChandyLamport; use snapcheck::system::SystemModel;
#[global_allocator]
static A: mimalloc::MiMalloc = mimalloc::MiMalloc;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let topology = Topology::parse(&a[1]).unwrap();
    let k: u16 = a[2].parse().unwrap();
    let script = Arc::new(Script::round_robin(&topology, k));
    let setup = Arc::new(Setup { initiators: topology.processes().take(1).collect(), coordinator: Coordinator::None, topology });
    let system = Arc::new(SystemModel::<ChandyLamport, _>::new(setup, script));
    let claims = Claim::ALL.into_iter().filter(|c| !matches!(c, Claim::CompletionIsReal | Claim::CompletionDeclared)).collect();
    let request = Request { claims, limits: Limits::default(), threads: a[4].parse().unwrap() };
    let e = match a[3].as_str() { "bfs" => Bfs::explore(&system, &request, &|_| ()), "full" => snapcheck::engines::explore(&system, &request, false, &|_|()), _ => Collapse::explore(&system, &request, &|_| ()) };
    println!("{} {} {} depth {} outcomes {} {:?} {:.2} M/s {:.2} B/state", e.complete, e.unique, e.generated, e.depth, e.outcomes.len(), e.elapsed, e.unique as f64 / 1e6 / e.elapsed.as_secs_f64(), e.peak_bytes.unwrap_or(0) as f64 / e.unique as f64);
    println!("{:?}", e.verdicts);
}
