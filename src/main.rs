//! The `snapcheck` command.

/// Stateright's searches allocate and free all the time; see ARCHITECTURE.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {}
