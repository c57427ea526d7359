//! The picture as SVG: time runs to the right, colours are Okabe and Ito's, and every distinction is also
//! one of shape or dash, for readers who do not see the colours.

use itertools::Itertools;

use super::labels::{Labels, Place};
use super::route::{Route, Scale, is_buffered, route};
use super::sheet::{Setting, Sheet, width_of};
use super::{Arrow, ChannelNote, Crossing, SpaceTime, listed};
use crate::system::Sent;

const LEFT: usize = 110;
const RIGHT: usize = 40;
const TOP: usize = 56;
const STEP: usize = 58;
const LINE: usize = 78;
const FOOT_LINE: usize = 20;

/// Draws a picture; `caption` says what it shows.
#[must_use]
pub fn draw(picture: &SpaceTime, caption: &str, setting: Setting<'_>) -> String {
    let foot = picture.channels.len() + 3;
    let width = (x(picture.steps + 1) + RIGHT).max(if is_buffered(picture) { 640 } else { 560 });
    let height = foot_top(picture) + foot * FOOT_LINE + 12;
    let sheet = Sheet::new((width, height), caption, setting, &heads(setting));
    let mut canvas = Canvas { picture, sheet, labels: Labels::new(width) };
    canvas.steps();
    canvas.lines();
    canvas.obstacles();
    canvas.blocked();
    canvas.failovers();
    canvas.cut();
    for arrow in &picture.arrows {
        canvas.arrow(arrow);
    }
    canvas.events();
    for arrow in &picture.arrows {
        canvas.name(arrow);
    }
    canvas.foot();
    canvas.sheet.finish()
}

/// The heads of arrows.
fn heads(setting: Setting<'_>) -> String {
    let heads =
        [("message", "blue"), ("control", "faint"), ("forward", "orange"), ("backward", "alarm")];
    let head = |(class, colour): (&str, &str)| {
        let id = Sheet::id(setting, class);
        format!(
            "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" \
             markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\">\
             <path d=\"M0 0L10 5L0 10z\" style=\"fill:var(--{colour})\"/></marker>"
        )
    };
    heads.into_iter().map(head).join("")
}

struct Canvas<'p> {
    picture: &'p SpaceTime,
    sheet: Sheet<'p>,
    labels: Labels,
}

fn x(step: usize) -> usize {
    LEFT + step * STEP
}

fn y(line: usize) -> usize {
    TOP + LINE / 2 + line * LINE
}

fn foot_top(picture: &SpaceTime) -> usize {
    TOP + picture.lines.len() * LINE + 16
}

/// How wide a label is at most; small letters are smaller.
fn width(class: &str, text: &str) -> usize {
    let width = width_of(text);
    if class.starts_with("small") { width * 6 / 7 } else { width + 2 }
}

impl Canvas<'_> {
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        self.sheet.add(element);
    }

    fn label(&mut self, at: (usize, usize), class: &str, anchor: &str, text: &str) {
        self.sheet.label(at, class, anchor, text);
    }

    /// What belongs to a step, between this and [`Self::close`].
    fn open(&mut self, step: usize) {
        self.add(format_args!("<g data-step=\"{step}\">"));
    }

    fn close(&mut self) {
        self.add(format_args!("</g>"));
    }

    fn end(&self) -> usize {
        x(self.picture.steps + 1)
    }

    /// The columns of the steps, of which a page can bring out one.
    fn steps(&mut self) {
        let height = self.picture.lines.len() * LINE;
        for step in 1..=self.picture.steps {
            if let Setting::Page(_) = self.sheet.setting() {
                let left = x(step) - STEP / 2;
                self.add(format_args!(
                    "<rect class=\"band\" data-band=\"{step}\" x=\"{left}\" y=\"{TOP}\" \
                     width=\"{STEP}\" height=\"{height}\"/>"
                ));
            }
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
            self.open(blocked.from);
            let (from, y) = (x(blocked.from), y(blocked.line));
            let until = blocked.until.map_or(self.end(), x);
            let (width, top) = (until - from, y - 13);
            self.add(format_args!(
                "<rect class=\"blocked\" x=\"{from}\" y=\"{top}\" width=\"{width}\" height=\"26\"/>"
            ));
            let text = format!("{} blocked", blocked.channel);
            let places = [Place::from(from + 6, y + 25), Place::from(from + 6, y - 17)];
            self.place("small halo", &text, &places);
            self.close();
        }
    }

    /// A failover is one moment for all.
    fn failovers(&mut self) {
        for (step, words) in &self.picture.failovers {
            self.open(*step);
            let (x, bottom) = (x(*step), TOP + self.picture.lines.len() * LINE);
            self.add(format_args!(
                "<line class=\"failover\" x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{bottom}\"/>"
            ));
            let places = [Place::from(x + 6, TOP + 12), Place::until(x - 6, TOP + 12)];
            self.place("alarm halo", words, &places);
            self.close();
        }
    }

    /// Lines, records and failovers are not to be covered.
    fn obstacles(&mut self) {
        let picture = self.picture;
        for line in 0..picture.lines.len() {
            self.labels.take((LEFT, self.end()), (y(line) - 2, y(line) + 2));
        }
        for arrow in &picture.arrows {
            self.labels.stroke(&self.route(arrow).points);
        }
        for (line, step) in picture.recorded.iter().enumerate() {
            if let Some(step) = *step {
                self.labels.take((x(step) - 8, x(step) + 8), (y(line) - 8, y(line) + 8));
            }
        }
        for (step, _) in &picture.failovers {
            let bottom = TOP + picture.lines.len() * LINE;
            self.labels.take((x(*step) - 4, x(*step) + 4), (TOP, bottom));
        }
    }

    /// Writes a label at the best of its places.
    fn place(&mut self, class: &str, text: &str, places: &[Place]) {
        let place = self.labels.place(places, width(class, text));
        let place = place.or(places.first().copied());
        if let Some(place) = place {
            self.label(place.at, class, place.anchor(), text);
        }
    }

    /// The cut passes through the record points, line by line.
    fn cut(&mut self) {
        let records = self.picture.recorded.iter().enumerate();
        let records = records.filter_map(|(line, step)| Some((line, (*step)?))).collect_vec();
        let points = records.iter().map(|&(line, step)| (x(step), y(line))).collect_vec();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let complete = records.iter().map(|&(_, step)| step).max().unwrap_or_default();
        let above = (first.0, first.1 - 26);
        let below = (last.0, last.1 + 26);
        let corners = std::iter::once(&above).chain(&points).chain(std::iter::once(&below));
        let path = corners.map(|(x, y)| format!("{x},{y}")).collect_vec().join(" ");
        self.add(format_args!(
            "<polyline class=\"cut\" data-step=\"{complete}\" points=\"{path}\"/>"
        ));
        for (line, step) in records {
            let (left, top) = (x(step) - 7, y(line) - 7);
            self.add(format_args!(
                "<rect class=\"record\" data-step=\"{step}\" x=\"{left}\" y=\"{top}\" width=\"14\" height=\"14\"/>"
            ));
        }
    }

    /// The attribute that gives a line the head of its class.
    fn head(&self, class: &str) -> String {
        format!(" marker-end=\"url(#{})\"", Sheet::id(self.sheet.setting(), class))
    }

    /// What belongs to an arrow, between this and [`Self::close`].
    fn open_arrow(&mut self, arrow: &Arrow) {
        let received = arrow.received.map(|step| format!(" data-received=\"{step}\""));
        let received = received.unwrap_or_default();
        self.add(format_args!("<g data-step=\"{}\"{received}>", arrow.from.step));
    }

    fn route(&self, arrow: &Arrow) -> Route {
        route(self.picture, arrow, &Scale { x, y, end: self.end() })
    }

    fn arrow(&mut self, arrow: &Arrow) {
        let class = match (&arrow.what, arrow.crossing) {
            (Sent::Message(_), Crossing::None) => "message",
            (Sent::Message(_), Crossing::Forward) => "forward",
            (Sent::Message(_), Crossing::Backward) => "backward",
            _ => "control",
        };
        let points = self.route(arrow).points;
        let ((x1, y1), (x2, y2)) = (points[0], points[points.len() - 1]);
        let head = match arrow.received {
            Some(_) => self.head(class),
            None => String::new(),
        };
        self.open_arrow(arrow);
        if arrow.from.line == arrow.to_line {
            let top = y1 - 34;
            self.add(format_args!(
                "<path class=\"{class}\" fill=\"none\" d=\"M{x1} {y1}C{x1} {top} {x2} {top} {x2} {y2}\"{head}/>"
            ));
        } else {
            let points = points.iter().map(|(x, y)| format!("{x},{y}")).join(" ");
            self.add(format_args!(
                "<polyline class=\"{class}\" fill=\"none\" points=\"{points}\"{head}/>"
            ));
        }
        self.add(format_args!("<circle class=\"dot\" cx=\"{x1}\" cy=\"{y1}\" r=\"3\"/>"));
        if arrow.lost.is_some() {
            let (left, right, top, bottom) = (x2 - 4, x2 + 4, y2 - 4, y2 + 4);
            self.add(format_args!(
                "<path class=\"{class}\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\"/>"
            ));
        } else if arrow.received.is_none() {
            self.add(format_args!("<circle class=\"open\" cx=\"{x2}\" cy=\"{y2}\" r=\"4\"/>"));
        }
        self.close();
    }

    /// What an arrow is: a third of the way, where arrows that meet at one receive are apart, or where
    /// there is room.
    fn name(&mut self, arrow: &Arrow) {
        let Route { points, named } = self.route(arrow);
        let ((x1, y1), (x2, y2)) = (points[named], points[named + 1]);
        let loop_height = if arrow.from.line == arrow.to_line { 26 } else { 0 };
        let at = |sixths: usize| {
            let x = ((6 - sixths) * x1 + sixths * x2) / 6 + 6;
            Place::from(x, ((6 - sixths) * y1 + sixths * y2) / 6 + 4 - loop_height)
        };
        let (text, class) = match (&arrow.what, arrow.crossing) {
            (Sent::Message(number), Crossing::Backward) => {
                (format!("{number} orphan"), "alarm halo")
            }
            (Sent::Message(number), Crossing::Forward) => (format!("{number}"), "state halo"),
            (Sent::Message(number), Crossing::None) => (format!("{number}"), "halo"),
            (Sent::Control(name), _) => (name.clone(), "small halo"),
            (Sent::Start, _) => ("start".to_owned(), "small halo"),
            (Sent::Done, _) => ("done".to_owned(), "small halo"),
            (Sent::Notice, _) => ("notice".to_owned(), "small halo"),
            (Sent::Abort, _) => ("abort".to_owned(), "small halo"),
            (Sent::End, _) => ("end".to_owned(), "small halo"),
            (Sent::Finished, _) => ("finished".to_owned(), "small halo"),
        };
        let is_control = !matches!(arrow.what, Sent::Message(_));
        if is_control && self.labels.is_said(points[0], &text, at(2).at) {
            return;
        }
        self.labels.say(points[0], &text, at(2).at);
        self.open_arrow(arrow);
        self.place(class, &text, &[2, 3, 4, 1, 5].map(at));
        self.close();
    }

    fn events(&mut self) {
        for event in &self.picture.events {
            self.open(event.at.step);
            let (x, y) = (x(event.at.step), y(event.at.line));
            self.add(format_args!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"));
            let places = [
                Place::from(x + 9, y - 10),
                Place::until(x - 9, y - 10),
                Place::from(x + 9, y + 20),
                Place::until(x - 9, y + 20),
            ];
            self.place("small halo", &event.label, &places);
            self.close();
        }
    }

    fn foot(&mut self) {
        let top = foot_top(self.picture);
        // What is known in the end.
        self.open(self.picture.steps);
        for (index, channel) in self.picture.channels.iter().enumerate() {
            let (text, class) = channel_words(channel);
            self.label((12, top + index * FOOT_LINE), class, "start", &text);
        }
        self.close();
        let legend = [
            ("message", "message"),
            ("control", "marker, barrier, start, done"),
            ("forward", "message crossing the cut: channel state"),
            ("backward", "orphan: received before, sent after"),
        ];
        let top = top + self.picture.channels.len() * FOOT_LINE + 8;
        for (index, (class, words)) in legend.into_iter().enumerate() {
            let (left, y) = (12 + index % 2 * 270, top + index / 2 * FOOT_LINE);
            let (right, line, head) = (left + 30, y - 4, self.head(class));
            self.add(format_args!(
                "<line class=\"{class}\" x1=\"{left}\" y1=\"{line}\" x2=\"{right}\" y2=\"{line}\"{head}/>"
            ));
            self.label((left + 36, y), "small", "start", words);
        }
        let (record, text) = (top + FOOT_LINE * 2 - 10, top + FOOT_LINE * 2);
        self.add(format_args!(
            "<rect class=\"record\" x=\"20\" y=\"{record}\" width=\"12\" height=\"12\"/>"
        ));
        self.label((48, text), "small", "start", "record; the line through the records is the cut");
        if is_buffered(self.picture) {
            let (low, head) = (text - 4, self.head("message"));
            let high = low - 9;
            self.add(format_args!(
                "<polyline class=\"message\" fill=\"none\" points=\"314,{high} 332,{high} 344,{low}\"{head}/>"
            ));
            let words = "along the line of a process: waits in a queue there";
            self.label((350, text), "small", "start", words);
        }
    }
}

fn channel_words(channel: &ChannelNote) -> (String, &'static str) {
    let name = &channel.channel;
    let recording = match &channel.recording {
        None => format!("{name}: not recorded"),
        Some(recording) => format!("{name}: recorded [{}]", listed(recording)),
    };
    match channel.cut {
        Some((n, m)) if let Some(alarm) = channel.alarm() => {
            (format!("{recording}; sent n = {n}, received m = {m}: {alarm}"), "alarm")
        }
        Some((n, m)) => (format!("{recording}; sent n = {n}, received m = {m}"), ""),
        None => (recording, ""),
    }
}
