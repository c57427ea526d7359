//! The Explorer and the HTML pages in a real browser: what a person sees, clicks and steps through.
//!
//! `cargo test --test browser -- --ignored`, with Debian's packages chromium and chromium-driver.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support {
    pub(crate) mod browser;
    pub(crate) mod command;
    pub(crate) mod served;
}

use std::path::Path;

use serde_json::json;
use support::browser::{Browser, keys};
use support::command::run;
use support::served::Explorer;

/// The page of an instance, in `folder`.
fn page_of(instance: &str, folder: &Path) -> String {
    let output = run(&["check", instance, "--html", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    format!("file://{}/{}.html", folder.display(), instance.replace('/', "-"))
}

/// A page stands alone: it asks for nothing, and nothing goes wrong in it.
fn assert_self_contained(browser: &Browser) {
    let loaded = browser.value("performance.getEntriesByType('resource').map(entry => entry.name)");
    assert_eq!(loaded, json!([]));
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// What the run called `name` brings out: the columns of its picture, its steps in words, its states.
fn shown(browser: &Browser, name: &str) -> [Vec<u64>; 3] {
    let of = |selector: &str, key: &str| {
        let all = format!("[...document.querySelectorAll('#{name} {selector}')]");
        let values = browser.value(&format!("{all}.map(element => Number(element.dataset.{key}))"));
        serde_json::from_value(values).unwrap()
    };
    [of(".band.now", "band"), of("li.now", "step"), of("[data-state]:not([hidden])", "state")]
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_explorer_shows_and_steps_through_the_counterexample() {
    let arguments = ["general-literal/manager-apart", "--claim", "consistent-cut"];
    let (explorer, printed) = Explorer::start(&arguments);
    let browser = Browser::start();
    browser.go_to(&explorer.link(&printed, "consistent-cut"));
    let picture = "document.querySelector('section svg')?.textContent ?? ''";
    browser.wait_for(&format!("({picture}).includes('1 orphan')"));
    let path = "[...document.querySelectorAll('.path-list a')]";
    let selected = format!("{path}.findIndex(a => a.classList.contains('is-selected-state'))");
    let state = "document.querySelector('section').textContent";
    // Before the first step stand a state before all and the initial one.
    assert_eq!(browser.value(&format!("{path}.length")), json!(8));
    assert_eq!(browser.value(&selected), json!(7));
    browser.wait_for(&format!("({state}).includes('RECORDS [received 1 from p→q]')"));

    browser.press('k');
    browser.wait_for(&format!("({selected}) === 6"));
    browser.wait_for(&format!("!({picture}).includes('1 orphan')"));
    assert_eq!(
        browser.value(&format!("{path}[6].textContent")),
        json!("q receives message 1 from p→q")
    );
    browser.press('j');
    browser.wait_for(&format!("({selected}) === 7 && ({picture}).includes('1 orphan')"));
    browser.click(".path-list li:nth-child(4) a");
    browser.wait_for(&format!("({selected}) === 3"));
    browser.wait_for(&format!("({picture}).includes('marker')"));
    // Stateright serves no icon.
    let errors = browser.console_errors();
    let errors = errors.iter().filter(|error| !error.contains("/favicon.ico"));
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn arrow_keys_step_through_a_counterexample() {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::start();
    browser.go_to(&page_of("general-literal/manager-apart", folder.path()));
    let cut = |step: u64| {
        let columns = if step == 0 { vec![] } else { vec![step] };
        [columns.clone(), columns, vec![step]]
    };
    let consistent_cut = || shown(&browser, "consistent-cut");
    assert_eq!(consistent_cut(), [vec![], vec![], vec![6]], "at first the whole run");
    for step in 1..=3 {
        browser.press(keys::RIGHT);
        assert_eq!(consistent_cut(), cut(step));
    }
    browser.press(keys::LEFT);
    assert_eq!(consistent_cut(), cut(2));
    browser.press(keys::END);
    assert_eq!(consistent_cut(), cut(6));
    browser.press(keys::RIGHT);
    assert_eq!(consistent_cut(), cut(6), "there is nothing after the last");
    browser.press(keys::HOME);
    assert_eq!(consistent_cut(), cut(0));
    assert_eq!(
        browser.value("document.querySelector('#consistent-cut output').textContent"),
        json!("Start")
    );

    // What is yet to come is faint: of the message nothing is to be seen before it is sent.
    let opacity =
        "getComputedStyle(document.querySelector('#consistent-cut svg [data-step=\"4\"]')).opacity";
    assert_eq!(browser.value(opacity), json!("0.1"));
    browser.press(keys::END);
    assert_eq!(browser.value(opacity), json!("1"));
    assert_self_contained(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn buttons_clicks_and_focus_choose_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::start();
    browser.go_to(&page_of("general-literal/manager-apart", folder.path()));
    browser.click("#empty-channel-state [data-go=next]");
    assert_eq!(shown(&browser, "empty-channel-state")[2], [1]);
    browser.click("#empty-channel-state li[data-step='4']");
    assert_eq!(shown(&browser, "empty-channel-state"), [[4], [4], [4]]);
    browser.press(keys::LEFT);
    assert_eq!(
        shown(&browser, "empty-channel-state")[2],
        [3],
        "keys go to the run last clicked on"
    );
    assert_eq!(shown(&browser, "consistent-cut")[2], [6]);

    browser.value("document.querySelector('#marker-arithmetic').focus()");
    browser.press(keys::HOME);
    assert_eq!(shown(&browser, "marker-arithmetic")[2], [0]);
    // By keyboard alone: the first button of the run is next, and one sees where one is.
    browser.press(keys::TAB);
    let focused = "document.activeElement";
    assert_eq!(browser.value(&format!("{focused}.dataset.go")), json!("first"));
    let outline = browser.value(&format!("getComputedStyle({focused}).outlineStyle"));
    assert_eq!(outline, json!("solid"));

    browser.click("details:last-of-type summary");
    browser.click("details:last-of-type [data-go=first]");
    assert_eq!(
        browser.value("document.querySelector('details:last-of-type output').textContent"),
        json!("Start")
    );
    assert_self_contained(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_index_leads_to_every_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(run(&["check", "clock", "--html", path]).status.code(), Some(0));
    let browser = Browser::start();
    let index = format!("file://{path}/index.html");
    browser.go_to(&index);
    assert_self_contained(&browser);
    assert_eq!(browser.value("document.querySelectorAll('tbody tr').length"), json!(6));
    for row in 1..=6 {
        browser.go_to(&index);
        let link = format!("tbody tr:nth-child({row}) a");
        let name = browser.value(&format!("document.querySelector('{link}').textContent"));
        browser.click(&link);
        browser.wait_for("document.querySelectorAll('.run').length > 0");
        assert_eq!(browser.value("document.querySelector('dd').textContent"), name);
        assert_self_contained(&browser);
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_comparison_has_its_pictures_and_steps_through_witnesses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("comparison.html");
    let topology = ["compare", "--topology", "s0 -> op, s1 -> op", "--messages", "2"];
    let output = run(&[&topology[..], &["--html", file.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0));
    let browser = Browser::start();
    browser.go_to(&format!("file://{}", file.display()));
    // Every algorithm has its label in the chart, inside the picture and upon no other.
    let overlaps = "(() => {
        const labels = [...document.querySelectorAll('#chart text.halo')];
        const boxes = labels.map(label => label.getBoundingClientRect());
        const picture = labels[0].closest('svg').getBoundingClientRect();
        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
        return [labels.length, boxes.filter((a, i) => boxes.some((b, j) => i < j && !apart(a, b))).length,
            boxes.filter(box => box.right > picture.right || box.left < picture.left).length];
    })()";
    assert_eq!(browser.value(overlaps), json!([13, 0, 0]));
    assert_eq!(browser.value("document.querySelectorAll('#hasse .node').length"), json!(6));

    let name = "flink-aligned-in-chandy-lamport";
    browser.value(&format!("document.getElementById('{name}').focus()"));
    browser.press(keys::RIGHT);
    assert_eq!(shown(&browser, name), [[1], [1], [1]]);
    browser.press(keys::END);
    let steps = browser.value(&format!("document.querySelectorAll('#{name} li').length"));
    assert_eq!(json!(shown(&browser, name)[2][0]), steps);
    assert_self_contained(&browser);
}

/// The two schemes of colours: text stands out from the paper in both.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_can_be_read_in_light_and_dark() {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::start();
    let page = page_of("clock/two-clocks", folder.path());
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        browser.go_to(&page);
        let luminance = "(name) => {
            const [r, g, b] = getComputedStyle(document.body)[name].match(/[0-9.]+/g).map(Number)
                .map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        }";
        let [ink, paper] = ["color", "backgroundColor"]
            .map(|name| browser.value(&format!("({luminance})('{name}')")).as_f64().unwrap());
        assert_eq!(ink < paper, scheme == "light");
        let contrast = (ink.max(paper) + 0.05) / (ink.min(paper) + 0.05);
        assert!(contrast >= 7.0, "{scheme}: {contrast}");
    }
}
