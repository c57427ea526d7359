//! The picture as SVG: time runs to the right, colours are Okabe and Ito's, and every distinction is also
//! one of shape or dash, for readers who do not see the colours.

use std::fmt::Write;

use itertools::Itertools;

use super::{Arrow, ChannelNote, Crossing, SpaceTime, listed};
use crate::system::Sent;

const LEFT: usize = 110;
const RIGHT: usize = 40;
const TOP: usize = 56;
const STEP: usize = 58;
const LINE: usize = 78;
const FOOT_LINE: usize = 20;

/// Light and dark by the viewer's preference. The classes carry the meaning.
const STYLE: &str = "\
svg{--ink:#1b1b1b;--paper:#ffffff;--faint:#8a8a8a;--blue:#0072b2;--orange:#b07800;--alarm:#c44601;--cut:#009e73}\
@media (prefers-color-scheme:dark){svg{--ink:#ececec;--paper:#16181d;--faint:#8d939c;--blue:#56b4e9;\
--orange:#e69f00;--alarm:#ff8552;--cut:#2fd1a5}}\
text{font:13px system-ui,sans-serif;fill:var(--ink)}.small{font-size:11px;fill:var(--faint)}\
.paper{fill:var(--paper)}.line{stroke:var(--faint);stroke-width:1.5}\
.message{stroke:var(--blue);stroke-width:2}.control{stroke:var(--faint);stroke-width:1.5;stroke-dasharray:5 3}\
.forward{stroke:var(--orange);stroke-width:3.5}.backward{stroke:var(--alarm);stroke-width:4;stroke-dasharray:10 3}\
.cut{stroke:var(--cut);stroke-width:3;fill:none;stroke-linejoin:round}.record{fill:var(--cut)}\
.dot{fill:var(--ink)}.open{fill:var(--paper);stroke:var(--faint);stroke-width:1.5}\
.blocked{fill:var(--faint);opacity:.28}\
.alarm{fill:var(--alarm);font-weight:700}.state{fill:var(--orange);font-weight:700}.halo{stroke:var(--paper);\
stroke-width:4;paint-order:stroke}";

/// Draws a picture; `caption` stands above it.
#[must_use]
pub fn draw(picture: &SpaceTime, caption: &str) -> String {
    let mut canvas = Canvas { picture, text: String::new() };
    canvas.begin(caption);
    canvas.lines();
    canvas.blocked();
    canvas.cut();
    for arrow in &picture.arrows {
        canvas.arrow(arrow);
    }
    canvas.events();
    canvas.foot();
    canvas.text.push_str("</svg>\n");
    canvas.text
}

struct Canvas<'p> {
    picture: &'p SpaceTime,
    text: String,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn x(step: usize) -> usize {
    LEFT + step * STEP
}

fn y(line: usize) -> usize {
    TOP + LINE / 2 + line * LINE
}

impl Canvas<'_> {
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{element}").expect("writing to a string cannot fail");
    }

    fn label(&mut self, (x, y): (usize, usize), class: &str, anchor: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn end(&self) -> usize {
        x(self.picture.steps + 1)
    }

    fn foot_top(&self) -> usize {
        TOP + self.picture.lines.len() * LINE + 16
    }

    fn begin(&mut self, caption: &str) {
        // Letters of the caption are about seven wide.
        let width = (self.end() + RIGHT).max(caption.chars().count() * 7 + 24).max(560);
        let foot = self.picture.channels.len() + 3;
        let height = self.foot_top() + foot * FOOT_LINE + 12;
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">"
        ));
        self.add(format_args!("<title>{}</title><style>{STYLE}</style>", escaped(caption)));
        let heads = [
            ("message", "blue"),
            ("control", "faint"),
            ("forward", "orange"),
            ("backward", "alarm"),
        ];
        let head = |(class, colour): (&str, &str)| {
            format!(
                "<marker id=\"{class}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" \
                 markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\">\
                 <path d=\"M0 0L10 5L0 10z\" style=\"fill:var(--{colour})\"/></marker>"
            )
        };
        let heads = heads.into_iter().map(head).join("");
        self.add(format_args!("<defs>{heads}</defs>"));
        self.add(format_args!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"));
        self.label((12, 22), "", "start", caption);
        for step in 1..=self.picture.steps {
            self.label((x(step), TOP - 8), "small", "middle", &step.to_string());
        }
    }

    fn lines(&mut self) {
        let end = self.end();
        for (line, name) in self.picture.lines.iter().enumerate() {
            let y = y(line);
            self.label((LEFT - 12, y + 5), "", "end", name);
            self.add(format_args!(
                "<line class=\"line\" x1=\"{LEFT}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\"/>"
            ));
        }
    }

    fn blocked(&mut self) {
        for blocked in &self.picture.blocked {
            let (from, y) = (x(blocked.from), y(blocked.line));
            let until = blocked.until.map_or(self.end(), x);
            let (width, top) = (until - from, y - 13);
            self.add(format_args!(
                "<rect class=\"blocked\" x=\"{from}\" y=\"{top}\" width=\"{width}\" height=\"26\"/>"
            ));
            let text = format!("{} blocked", blocked.channel);
            self.label((from + 6, y + 25), "small halo", "start", &text);
        }
    }

    /// The cut passes through the record points, line by line.
    fn cut(&mut self) {
        let points = self.picture.recorded.iter().enumerate();
        let points = points.filter_map(|(line, step)| Some((x((*step)?), y(line)))).collect_vec();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let above = (first.0, first.1 - 26);
        let below = (last.0, last.1 + 26);
        let corners = std::iter::once(&above).chain(&points).chain(std::iter::once(&below));
        let path = corners.map(|(x, y)| format!("{x},{y}")).collect_vec().join(" ");
        self.add(format_args!("<polyline class=\"cut\" points=\"{path}\"/>"));
        for (x, y) in points {
            let (left, top) = (x - 7, y - 7);
            self.add(format_args!(
                "<rect class=\"record\" x=\"{left}\" y=\"{top}\" width=\"14\" height=\"14\"/>"
            ));
        }
    }

    fn arrow(&mut self, arrow: &Arrow) {
        let class = match (&arrow.what, arrow.crossing) {
            (Sent::Message(_), Crossing::None) => "message",
            (Sent::Message(_), Crossing::Forward) => "forward",
            (Sent::Message(_), Crossing::Backward) => "backward",
            _ => "control",
        };
        let (x1, y1) = (x(arrow.from.step), y(arrow.from.line));
        let (x2, y2) = match arrow.received {
            Some(step) => (x(step), y(arrow.to_line)),
            // What is still in flight ends in the open, most of the way across.
            None => {
                let (from, to) = (y1 as isize, y(arrow.to_line) as isize);
                (self.end() - 8, (from + (to - from) * 2 / 3).unsigned_abs())
            }
        };
        let head = if arrow.received.is_some() {
            format!(" marker-end=\"url(#{class})\"")
        } else {
            String::new()
        };
        if arrow.from.line == arrow.to_line {
            let top = y1 - 34;
            self.add(format_args!(
                "<path class=\"{class}\" fill=\"none\" d=\"M{x1} {y1}C{x1} {top} {x2} {top} {x2} {y2}\"{head}/>"
            ));
        } else {
            self.add(format_args!(
                "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{head}/>"
            ));
        }
        self.add(format_args!("<circle class=\"dot\" cx=\"{x1}\" cy=\"{y1}\" r=\"3\"/>"));
        if arrow.received.is_none() {
            self.add(format_args!("<circle class=\"open\" cx=\"{x2}\" cy=\"{y2}\" r=\"4\"/>"));
        }
        let loop_height = if arrow.from.line == arrow.to_line { 26 } else { 0 };
        // A third of the way, where arrows that meet at one receive are apart.
        let at = ((2 * x1 + x2) / 3 + 6, (2 * y1 + y2) / 3 + 4 - loop_height);
        let (text, class) = match (&arrow.what, arrow.crossing) {
            (Sent::Message(number), Crossing::Backward) => {
                (format!("{number} orphan"), "alarm halo")
            }
            (Sent::Message(number), Crossing::Forward) => (format!("{number}"), "state halo"),
            (Sent::Message(number), Crossing::None) => (format!("{number}"), "halo"),
            (Sent::Control(name), _) => (name.clone(), "small halo"),
            (Sent::Start, _) => ("start".to_owned(), "small halo"),
            (Sent::Done, _) => ("done".to_owned(), "small halo"),
        };
        self.label(at, class, "start", &text);
    }

    fn events(&mut self) {
        for event in &self.picture.events {
            let (x, y) = (x(event.at.step), y(event.at.line));
            self.add(format_args!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"));
            self.label((x + 9, y - 10), "small halo", "start", &event.label);
        }
    }

    fn foot(&mut self) {
        let top = self.foot_top();
        for (index, channel) in self.picture.channels.iter().enumerate() {
            let (text, class) = channel_words(channel);
            self.label((12, top + index * FOOT_LINE), class, "start", &text);
        }
        let legend = [
            ("message", "message"),
            ("control", "marker, barrier, start, done"),
            ("forward", "message crossing the cut: channel state"),
            ("backward", "orphan: received before, sent after"),
        ];
        let top = top + self.picture.channels.len() * FOOT_LINE + 8;
        for (index, (class, words)) in legend.into_iter().enumerate() {
            let (left, y) = (12 + index % 2 * 270, top + index / 2 * FOOT_LINE);
            let (right, line) = (left + 30, y - 4);
            self.add(format_args!(
                "<line class=\"{class}\" x1=\"{left}\" y1=\"{line}\" x2=\"{right}\" y2=\"{line}\" \
                 marker-end=\"url(#{class})\"/>"
            ));
            self.label((left + 36, y), "small", "start", words);
        }
        let (record, text) = (top + FOOT_LINE * 2 - 10, top + FOOT_LINE * 2);
        self.add(format_args!(
            "<rect class=\"record\" x=\"20\" y=\"{record}\" width=\"12\" height=\"12\"/>"
        ));
        self.label((48, text), "small", "start", "record; the line through the records is the cut");
    }
}

fn channel_words(channel: &ChannelNote) -> (String, &'static str) {
    let name = &channel.channel;
    let recording = match &channel.recording {
        None => format!("{name}: not recorded"),
        Some(recording) => format!("{name}: recorded [{}]", listed(recording)),
    };
    match channel.cut {
        Some((n, m)) if m > n => {
            (format!("{recording}; sent n = {n}, received m = {m}: m > n"), "alarm")
        }
        Some((n, m)) => (format!("{recording}; sent n = {n}, received m = {m}"), ""),
        None => (recording, ""),
    }
}
