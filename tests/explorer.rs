//! The Explorer as a user meets it: links, steps and states in words.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
}

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};

use expect_test::expect;
use support::command::{run, snapcheck};

#[test]
fn a_busy_port_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let output = run(&["explore", "clock/two-clocks", "--address", &address]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the Explorer cannot be served here"), "{error}");
    assert!(error.contains("choose another port"), "{error}");
}

/// A running Explorer, ended with the test.
struct Explorer {
    child: Child,
    address: String,
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Explorer {
    /// Starts it on a free port and reads what it prints until it serves.
    fn start(arguments: &[&str]) -> (Self, String) {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut command = snapcheck(&["explore"]);
        command.args(arguments).args(["--address", &address]);
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

    fn get(&self, path: &str) -> String {
        // The server announces itself before it listens.
        let mut stream = (0..100)
            .find_map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(50));
                TcpStream::connect(&self.address).ok()
            })
            .expect("the Explorer listens within five seconds");
        let request = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.0 200"), "{response}");
        response
    }
}

#[test]
fn the_explorer_shows_the_counterexample_behind_its_link() {
    let (explorer, printed) = Explorer::start(&["general-literal/manager-apart"]);
    let prefix = format!("consistent-cut: http://{}/#/steps/", explorer.address);
    let path = printed.lines().find_map(|line| line.strip_prefix(&prefix)).expect(&printed);
    assert_eq!(path.split('/').count(), 7, "the initial state and six steps: {path}");

    let (before, last) = path.rsplit_once('/').unwrap();
    let response = explorer.get(&format!("/.states/{before}"));
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    let steps: serde_json::Value = serde_json::from_str(body).unwrap();
    let step = &steps[last.parse::<usize>().unwrap()];
    assert_eq!(step["action"], "q receives the start instruction");
    let outcome = step["outcome"].as_str().unwrap();
    assert!(outcome.contains("RECORDS [received 1 from p→q]"), "{outcome}");
    let state = step["state"].as_str().unwrap();
    expect![[r#"
        p: sent 1, received 0 | recorded: sent 0, received 0
        q: sent 0, received 1 | recorded: sent 0, received 1
        p→q: in flight [] | recorded []
        coordinator: done from []"#]]
    .assert_eq(state);
    let properties = step["properties"].to_string();
    assert!(properties.contains("consistent-cut"), "{properties}");
}

#[test]
fn the_explorer_links_to_the_example_of_a_witness() {
    let arguments = ["flink-aligned/fan-in-2", "--claim", "channel-blocked"];
    let (explorer, printed) = Explorer::start(&arguments);
    let prefix = format!("channel-blocked: http://{}/#/steps/", explorer.address);
    assert!(printed.contains(&prefix), "{printed}");
}
