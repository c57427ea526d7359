//! Chandy–Lamport on complete(N) with K messages per channel in Promela: the same state space, state for
//! state and transition for transition.
//!
//! Each step is one `d_step`. A variable that is only written is dropped from Spin's states, so that the
//! recording is read: by the claim, asserted where a channel is closed.

use std::fmt::Write;

use itertools::Itertools;

/// The specification for `n` processes and `k` messages; process 0 begins.
pub(crate) fn chandy_lamport(n: usize, k: usize) -> String {
    let mut text = String::from("hidden byte message;\nbool may_begin = true;\n");
    for p in 0..n {
        line(
            &mut text,
            format_args!("byte position{p}; bool recorded{p}; byte recorded_position{p};"),
        );
        for q in others(n, p) {
            line(&mut text, format_args!("chan link{p}{q} = [{}] of {{ byte }};", k + 1));
            line(&mut text, format_args!("byte received{p}{q}; byte recorded_received{p}{q};"));
            line(&mut text, format_args!("byte stored{p}{q}; bool closed{p}{q};"));
        }
    }
    for p in 0..n {
        process(&mut text, n, k, p);
    }
    text
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}

fn others(n: usize, p: usize) -> impl Iterator<Item = usize> + Clone {
    (0..n).filter(move |q| *q != p)
}

fn process(text: &mut String, n: usize, k: usize, p: usize) {
    let degree = n - 1;
    line(text, format_args!("active proctype P{p}() {{\nend: do"));
    if p == 0 {
        line(text, format_args!("  :: d_step {{ may_begin -> {} }}", record(n, p)));
    }
    // The script: messages in round-robin order of the outputs.
    for (output, q) in others(n, p).enumerate() {
        let steps = k * degree;
        line(
            text,
            format_args!(
                "  :: d_step {{ position{p} < {steps} && position{p} % {degree} == {output} -> \
                 link{p}{q} ! (position{p} / {degree} + 1); position{p}++ }}"
            ),
        );
    }
    for q in others(n, p) {
        receive(text, n, p, q);
    }
    line(text, format_args!("od }}"));
}

/// Record and send markers, a marker being a message 0.
fn record(n: usize, p: usize) -> String {
    let received = others(n, p).map(|q| format!("recorded_received{q}{p} = received{q}{p};"));
    let markers = others(n, p).map(|q| format!("link{p}{q} ! 0;"));
    let begun = (p == 0).then(|| "may_begin = false".to_owned());
    let first = format!("recorded{p} = true; recorded_position{p} = position{p};");
    [first].into_iter().chain(received).chain(markers).chain(begun).join(" ")
}

/// What p does with the head of the channel from q.
fn receive(text: &mut String, n: usize, p: usize, q: usize) {
    let c = format!("{q}{p}");
    let degree = n - 1;
    let output = others(n, q).position(|target| target == p).expect("p is another process than q");
    // How many of the first steps of q's script send to p.
    let sent = format!("((recorded_position{q} + {}) / {degree})", degree - 1 - output);
    line(
        text,
        format_args!(
            "  :: d_step {{ link{c} ? [0] -> link{c} ? message; \
             if :: !recorded{p} -> {} :: else fi; closed{c} = true; \
             assert(recorded_received{c} <= {sent} && stored{c} == {sent} - recorded_received{c}) }}",
            record(n, p)
        ),
    );
    line(
        text,
        format_args!(
            "  :: d_step {{ nempty(link{c}) && !(link{c} ? [0]) -> link{c} ? message; \
             if :: recorded{p} && !closed{c} -> stored{c}++ :: else fi; received{c}++ }}"
        ),
    );
}
