//! Rebuilds snapcheck when a bundled instance changes: they are compiled into it.

fn main() {
    println!("cargo::rerun-if-changed=models/instances");
}
