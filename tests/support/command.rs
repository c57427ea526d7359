//! Running the binary.

use std::process::{Command, Output};

pub(crate) fn snapcheck(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_snapcheck"));
    command.args(arguments);
    command
}

#[allow(dead_code, reason = "not every test runs it where it is")]
pub(crate) fn run(arguments: &[&str]) -> Output {
    snapcheck(arguments).output().expect("the binary was built for the tests")
}

#[allow(dead_code, reason = "not every test reads standard output")]
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}
