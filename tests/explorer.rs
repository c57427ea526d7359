//! The Explorer as a user meets it: links, steps and states in words.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod command;
    pub(crate) mod served;
}

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use expect_test::expect;
use support::command::run;
use support::served::Explorer;

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

fn get(explorer: &Explorer, path: &str) -> String {
    // The server announces itself before it listens.
    let mut stream = (0..100)
        .find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            TcpStream::connect(&explorer.address).ok()
        })
        .expect("the Explorer listens within five seconds");
    let request = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", explorer.address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.0 200"), "{response}");
    response
}

#[test]
fn the_explorer_shows_the_counterexample_behind_its_link() {
    let (explorer, printed) = Explorer::start(&["general-literal/manager-apart"]);
    let link = explorer.link(&printed, "consistent-cut");
    let (_, path) = link.split_once("/#/steps/").unwrap();
    assert_eq!(path.split('/').count(), 7, "the initial state and six steps: {path}");

    let (before, last) = path.rsplit_once('/').unwrap();
    let response = get(&explorer, &format!("/.states/{before}"));
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
    assert!(explorer.link(&printed, "channel-blocked").contains("/#/steps/"));
}

/// The desktop's opener is asked, for which a script stands here that notes what it is asked.
#[test]
#[cfg(target_os = "linux")]
fn open_opens_the_link() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let (opener, asked) = (folder.path().join("xdg-open"), folder.path().join("asked"));
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$1\" >> {}\n", asked.display())).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let arguments = ["general-literal/manager-apart", "--open"];
    let (explorer, printed) = Explorer::start_with(&arguments, &[("PATH", &path)]);
    let opened = (0..200).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::read_to_string(&asked).ok().filter(|text| text.ends_with('\n'))
    });
    let link = explorer.link(&printed, "consistent-cut");
    assert_eq!(opened.expect("the opener is asked within ten seconds").trim(), link);
}
