//! The pictures: those of the documents, byte for byte, and what any picture must be.
//!
//! `UPDATE_EXPECT=1 cargo test --test pictures` renews those of the documents.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use expect_test::{expect, expect_file};

use snapcheck::check::{Options, Traces, check};
use snapcheck::claims::newest;
use snapcheck::instance::bundled;
use snapcheck::models::claim::Claim;
use snapcheck::picture::{Crossing, Setting, SpaceTime, svg, unicode};
use snapcheck::registry::Registry;
use snapcheck::system::Sent;

fn picture(name: &str, claim: Claim) -> SpaceTime {
    let registry = Registry::bundled();
    let instances = bundled::all(&registry.infos()).unwrap();
    let instance = instances.iter().find(|instance| instance.name == name).unwrap();
    let options = Options { claims: vec![claim], traces: Traces::All, ..Options::default() };
    let report = check(&registry, instance, &options, &|_| ());
    let shown = report.claims[0].shown.as_ref().expect("there is a trace to draw");
    SpaceTime::of(&shown.trace, newest(&shown.trace.last), &instance.setup.topology)
}

#[test]
fn the_pictures_of_the_readme_are_current() {
    let literal = picture("general-literal/manager-apart", Claim::ConsistentCut);
    let caption = "general-literal: a marker and a message overtake the start instruction";
    expect_file!["../docs/general-literal.svg"].assert_eq(&svg::draw(
        &literal,
        caption,
        Setting::File,
    ));
    let channel_state = picture("chandy-lamport/fan-in-2", Claim::EmptyChannelState);
    let caption = "chandy-lamport: what crosses the cut is recorded as channel state";
    expect_file!["../docs/chandy-lamport.svg"].assert_eq(&svg::draw(
        &channel_state,
        caption,
        Setting::File,
    ));
    let aligned = picture("flink-aligned/fan-in-2", Claim::CompleteAfterMessage);
    let caption = "flink-aligned: a complete snapshot without channel state";
    expect_file!["../docs/flink-aligned.svg"].assert_eq(&svg::draw(
        &aligned,
        caption,
        Setting::File,
    ));
}

/// Each known bug, as `docs/flink.md` shows it: a shortest run that violates the claim by which it is caught.
#[test]
fn the_pictures_of_the_known_bugs_are_current() {
    let registry = Registry::bundled();
    let instances = bundled::all(&registry.infos()).unwrap();
    let caught = instances.iter().filter_map(|instance| Some((instance, instance.caught_by()?)));
    let mut drawn = 0;
    for (instance, claim) in caught {
        let name = instance.name.strip_prefix("flink-bugs/").unwrap();
        let picture = picture(&instance.name, claim);
        let caption = format!("{}: {}", instance.algorithm.name, instance.title);
        expect_file![format!("../docs/flink-bugs/{name}.svg")].assert_eq(&svg::draw(
            &picture,
            &caption,
            Setting::File,
        ));
        drawn += 1;
    }
    assert_eq!(drawn, registry.bugs().len());
}

#[test]
fn an_orphan_is_the_message_received_before_and_sent_after() {
    let literal = picture("general-literal/manager-apart", Claim::ConsistentCut);
    let orphans: Vec<_> =
        literal.arrows.iter().filter(|arrow| arrow.crossing == Crossing::Backward).collect();
    assert_eq!(orphans.len(), 1);
    assert_eq!(orphans[0].what, Sent::Message(1));
    let (source, target) = (orphans[0].from.line, orphans[0].to_line);
    assert!(orphans[0].from.step > literal.recorded[source].unwrap());
    assert!(orphans[0].received.unwrap() < literal.recorded[target].unwrap());
}

/// What waits in the output queue is overtaken there, and what waits in the input queue is in it from its
/// arrival.
#[test]
fn queues_are_seen() {
    let overtaken = picture("flink-bugs/output-queue-dropped", Claim::AtLeastOnceState);
    let [message, barrier] = [Sent::Message(1), Sent::Control("barrier".to_owned())]
        .map(|what| overtaken.arrows.iter().find(|arrow| arrow.what == what).unwrap());
    assert!(message.from.step < barrier.from.step);
    assert_eq!((message.out, message.arrived, message.received), (None, None, None));
    assert!(barrier.out < barrier.received && barrier.out.is_some());
    assert_eq!(barrier.arrived, None, "it jumps ahead");
    let waiting = picture("flink-bugs/input-queue-dropped", Claim::AtLeastOnceState);
    let message = waiting.arrows.iter().find(|arrow| arrow.what == Sent::Message(1)).unwrap();
    assert!(message.out.is_some() && message.out < message.arrived);
    assert_eq!((message.received, message.lost), (None, Some(waiting.steps)));
    let shown = terminal("flink-bugs/input-queue-dropped", Claim::AtLeastOnceState);
    expect![[r#"
        flink-bugs/input-queue-dropped
               coordinator    p0             p1
          1.   │              ○              │              sends 1→p1 (lost)
          2.   │              ●              │              message 1 goes out
          3.   │              │              ●              message 1 is in
          4.   ○              │              │              sends start→p0
          5.   │╌╌╌╌╌start╌╌╌►■              │              p0 RECORDS, sends barrier→p1, done→coordinator
          6.   │◄╌╌╌╌done╌╌╌╌╌┃              │
          7.   │              ●              │              barrier goes out
          8.   │              ┃╌╌╌╌barrier╌╌►■              p1 RECORDS, sends done→coordinator
          9.   ●◄╌╌╌╌╌╌╌╌╌╌╌done╌╌╌╌╌╌╌╌╌╌╌╌╌┃              declares completion
         10. ═══════════════════════════════════            FAILOVER to checkpoint 1
             p0→p1 []  n = 1, m = 0"#]]
    .assert_eq(&shown);
}

/// What crosses the cut forward is what exact algorithms record.
#[test]
fn arrows_that_cross_the_cut_are_the_channel_state() {
    let picture = picture("chandy-lamport/fan-in-2", Claim::EmptyChannelState);
    let forward = |line: &str| {
        let line = picture.lines.iter().position(|name| name == line).unwrap();
        let crossing = picture.arrows.iter().filter(|a| a.crossing == Crossing::Forward);
        crossing.filter(|arrow| arrow.from.line == line).count()
    };
    for channel in &picture.channels {
        let source = channel.channel.split('→').next().unwrap();
        assert_eq!(channel.recording.as_ref().map(Vec::len), Some(forward(source)));
    }
}

#[test]
fn every_picture_is_well_formed_and_narrow() {
    let registry = Registry::bundled();
    let options = Options { traces: Traces::All, ..Options::default() };
    for instance in bundled::all(&registry.infos()).unwrap() {
        if instance.expect.unique.is_some_and(|unique| unique > 10_000) {
            continue;
        }
        let report = check(&registry, &instance, &options, &|_| ());
        for shown in report.claims.iter().filter_map(|claim| claim.shown.as_ref()) {
            let picture =
                SpaceTime::of(&shown.trace, newest(&shown.trace.last), &instance.setup.topology);
            let text = svg::draw(&picture, "<caption> & \"more\"", Setting::File);
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
            assert!(text.contains("&lt;caption&gt; &amp; &quot;more&quot;"));
            assert!(!text.contains("<caption>"));
            for row in unicode::draw(&picture).lines() {
                assert!(row.chars().count() <= unicode::MOST_COLUMNS, "{row}");
            }
        }
    }
}

/// A first line without indentation keeps that of the others.
fn terminal(name: &str, claim: Claim) -> String {
    format!("{name}\n{}", unicode::draw(&picture(name, claim)))
}

#[test]
fn a_self_channel_and_a_blocked_interval_in_the_terminal() {
    let classic = terminal("chandy-lamport/classic-three", Claim::MessageInChannelState);
    expect![[r#"
        chandy-lamport/classic-three
               P1            P2            P3
          1.   ○             │             │             sends 1→P1
          2.   ■             │             │             P1 RECORDS, begins, sends marker→P1, marker→P2 (in…
          3.   ◄─ 1          │             │
          4.   ◄╌ marker     │             │
             P1→P1 [1]  n = 1, m = 0
             P1→P2 not recorded
             P1→P3 not recorded
             P2→P1 []
             P2→P3 not recorded
             P3→P1 []
             P3→P2 not recorded"#]].assert_eq(&classic);
    let aligned = terminal("flink-aligned/fan-in-2", Claim::NeverBlocks);
    expect![[r#"
        flink-aligned/fan-in-2
               p0            p1            p2
          1.   ■             │             │             p0 RECORDS, begins, sends barrier→p2
          2.   ┃╌╌╌╌╌╌╌╌╌╌barrier╌╌╌╌╌╌╌╌╌►│             blocks p0→p2
          3.   ○             │             │             sends 1→p2 (in flight)
             p0→p2 not recorded
             p1→p2 not recorded"#]]
    .assert_eq(&aligned);
}
