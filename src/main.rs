//! The `snapcheck` command.

use std::process::ExitCode;

use snapcheck::cli;
use snapcheck::registry::Registry;

/// Stateright's searches allocate and free all the time; see ARCHITECTURE.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main(&Registry::bundled())
}
