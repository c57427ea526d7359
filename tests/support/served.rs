//! A running Explorer, ended with the test.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use super::command::snapcheck;

pub(crate) struct Explorer {
    child: Child,
    pub(crate) address: String,
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Explorer {
    /// Starts it on a free port and reads what it prints until it serves.
    pub(crate) fn start(arguments: &[&str]) -> (Self, String) {
        Self::start_with(arguments, &[])
    }

    /// The same with variables in its environment.
    pub(crate) fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> (Self, String) {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut command = snapcheck(&["explore"]);
        command.args(arguments).args(["--address", &address]).envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut printed = String::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            printed.push_str(&line);
            printed.push('\n');
            if line.starts_with("Explorer: ") {
                break;
            }
        }
        (Self { child, address }, printed)
    }

    /// The link behind the name of a claim.
    pub(crate) fn link(&self, printed: &str, claim: &str) -> String {
        let prefix = format!("{claim}: ");
        let links = printed.lines().filter_map(|line| line.strip_prefix(&prefix));
        let wanted = format!("http://{}/#/steps/", self.address);
        let mut links = links.filter(|link| link.starts_with(&wanted));
        links.next().unwrap_or_else(|| panic!("no link: {printed}")).to_owned()
    }
}
