//! A headless Chromium, driven over the W3C WebDriver protocol.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A browser of its own for each test, ended with it.
pub(crate) struct Browser {
    driver: Child,
    session: String,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = ureq::delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// How long a page may take to come to what a test waits for.
const PATIENCE: Duration = Duration::from_secs(20);

impl Browser {
    pub(crate) fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("chromedriver is installed (Debian package chromium-driver)");
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut ports = lines.filter_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        let port = ports.next().expect("chromedriver tells its port");
        // What it says later is not read, but must not find the pipe closed.
        std::thread::spawn(move || ports.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let sessions = format!("http://127.0.0.1:{port}/session");
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let begun = post(&sessions, &capabilities);
        let session = format!("{sessions}/{}", begun["sessionId"].as_str().unwrap());
        Self { driver, session, _profile: profile }
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        post(&format!("{}/{name}", self.session), body)
    }

    pub(crate) fn go_to(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    /// Has pages shown in the colours that somebody would have who prefers `scheme`.
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let command =
            json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } });
        self.command("goog/cdp/execute", &command);
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let script = json!({ "script": format!("return {expression}"), "args": [] });
        self.command("execute/sync", &script)
    }

    /// Waits until the expression is true.
    pub(crate) fn wait_for(&self, expression: &str) {
        let started = Instant::now();
        while self.value(expression) != Value::Bool(true) {
            assert!(started.elapsed() < PATIENCE, "in vain: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses a key and lets it go: a character, or one of [`keys`].
    pub(crate) fn press(&self, key: char) {
        let key = |kind: &str| json!({ "type": kind, "value": key });
        let keyboard =
            json!({ "type": "key", "id": "keyboard", "actions": [key("keyDown"), key("keyUp")] });
        self.command("actions", &json!({ "actions": [keyboard] }));
    }

    /// Clicks on the first element that matches.
    pub(crate) fn click(&self, selector: &str) {
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.command("element", &wanted);
        let element = found.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        self.command(&format!("element/{element}/click"), &json!({}));
    }

    /// Errors on the page's console so far; reading empties it.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().unwrap().iter();
        let errors = entries.filter(|entry| entry["level"] == "SEVERE");
        errors.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }
}

fn post(url: &str, body: &Value) -> Value {
    let config = ureq::Agent::config_builder().http_status_as_error(false).build();
    let agent = ureq::Agent::new_with_config(config);
    let request = agent.post(url).content_type("application/json");
    let mut response = request.send(body.to_string()).expect("chromedriver answers");
    let answer = response.body_mut().read_to_string().unwrap();
    assert!(response.status().is_success(), "{url}: {answer}");
    serde_json::from_str::<Value>(&answer).unwrap()["value"].take()
}

/// Keys without a character, as WebDriver names them.
pub(crate) mod keys {
    pub(crate) const END: char = '\u{E010}';
    pub(crate) const HOME: char = '\u{E011}';
    pub(crate) const LEFT: char = '\u{E012}';
    pub(crate) const RIGHT: char = '\u{E014}';
    pub(crate) const TAB: char = '\u{E004}';
}
