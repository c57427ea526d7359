//! The picture for a terminal: time runs downwards, a row for each step, at most 100 columns.

use super::{Arrow, Crossing, SpaceTime, listed};
use crate::system::Sent;

/// The widest a picture may be.
pub const MOST_COLUMNS: usize = 100;

/// Columns for the numbers of the steps.
const MARGIN: usize = 5;

/// Draws a picture.
#[must_use]
pub fn draw(picture: &SpaceTime) -> String {
    let grid = Grid::of(picture);
    let mut rows = vec![grid.heading()];
    rows.extend((1..=picture.steps).map(|step| grid.row(step)));
    rows.extend(picture.channels.iter().map(|channel| {
        let recording = channel.recording.as_deref().map(listed);
        let recording = recording.map_or("not recorded".to_owned(), |list| format!("[{list}]"));
        let cut = channel.cut.map_or(String::new(), |(n, m)| {
            let alarm = channel.alarm().map_or(String::new(), |alarm| format!("  {alarm}!"));
            format!("  n = {n}, m = {m}{alarm}")
        });
        format!("     {} {recording}{cut}", channel.channel)
    }));
    rows.iter().map(|row| clipped(row)).collect::<Vec<_>>().join("\n")
}

fn clipped(row: &str) -> String {
    let row = row.trim_end();
    if row.chars().count() <= MOST_COLUMNS {
        return row.to_owned();
    }
    row.chars().take(MOST_COLUMNS - 1).chain(['…']).collect()
}

struct Grid<'p> {
    picture: &'p SpaceTime,
    /// Columns of each line.
    width: usize,
}

impl<'p> Grid<'p> {
    fn of(picture: &'p SpaceTime) -> Self {
        let longest = picture.lines.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let room = (MOST_COLUMNS - MARGIN - 20) / picture.lines.len().max(1);
        Self { picture, width: room.min(18).min((longest + 4).max(14)).max(4) }
    }

    fn column(&self, line: usize) -> usize {
        MARGIN + line * self.width + 2
    }

    fn heading(&self) -> String {
        let mut row = Row::blank(MARGIN + self.picture.lines.len() * self.width);
        for (line, name) in self.picture.lines.iter().enumerate() {
            row.put(self.column(line), &name.chars().take(self.width - 1).collect::<String>());
        }
        row.text()
    }

    /// One step: the lines of the processes, thick once they have recorded, what arrives as an arrow
    /// from its sender, and what is sent or done beside the line.
    fn row(&self, step: usize) -> String {
        let picture = self.picture;
        let mut row = Row::blank(MARGIN + picture.lines.len() * self.width);
        row.put(0, &format!("{step:>3}."));
        for (line, recorded) in picture.recorded.iter().enumerate() {
            let after = recorded.is_some_and(|recorded| recorded < step);
            row.put(self.column(line), if after { "┃" } else { "│" });
        }
        let mut notes = Vec::new();
        if let Some((_, words)) = picture.failovers.iter().find(|(at, _)| *at == step) {
            let last = self.column(picture.lines.len() - 1);
            row.put(MARGIN, &"═".repeat(last + 3 - MARGIN));
            notes.push(words.clone());
        }
        let failed = notes.len();
        if let Some(arrow) = picture.arrows.iter().find(|arrow| arrow.received == Some(step)) {
            self.arrival(&mut row, arrow);
            if arrow.crossing == Crossing::Backward {
                notes.push("ORPHAN: sent after the record".to_owned());
            }
        }
        for arrow in &picture.arrows {
            let fault = match step {
                _ if arrow.lost == Some(step) => "LOST",
                _ if arrow.doubled == Some(step) => "DOUBLED",
                _ => continue,
            };
            if !picture.failovers.iter().any(|(at, _)| *at == step) {
                notes.push(format!("{fault}: {}", short(&arrow.what, 8)));
            }
        }
        let is_sent = |a: &&Arrow| a.from.step == step && a.doubled.is_none();
        let sent: Vec<_> = picture.arrows.iter().filter(is_sent).collect();
        if let Some(first) = sent.first() {
            row.put(self.column(first.from.line), "○");
            notes.push(format!(
                "sends {}",
                sent.iter().map(|a| self.sent(a)).collect::<Vec<_>>().join(", ")
            ));
        }
        for arrow in &picture.arrows {
            if arrow.out == Some(step) {
                row.put(self.column(arrow.from.line), "●");
                notes.push(format!("{} goes out", arrow.what));
            }
            if arrow.arrived == Some(step) {
                row.put(self.column(arrow.to_line), "●");
                notes.push(format!("{} is in", arrow.what));
            }
        }
        for event in picture.events.iter().filter(|event| event.at.step == step) {
            row.put(self.column(event.at.line), "●");
            notes.insert(failed, event.label.clone());
        }
        for (line, name) in picture.lines.iter().enumerate() {
            if picture.recorded[line] == Some(step) {
                row.put(self.column(line), "■");
                notes.insert(0, format!("{name} RECORDS"));
            }
        }
        let blocks = picture.blocked.iter().filter(|blocked| blocked.from == step);
        notes.extend(blocks.map(|blocked| format!("blocks {}", blocked.channel)));
        format!("{}  {}", row.text(), notes.join(", "))
    }

    fn arrival(&self, row: &mut Row, arrow: &Arrow) {
        let (from, to) = (self.column(arrow.from.line), self.column(arrow.to_line));
        let dash = if matches!(arrow.what, Sent::Message(_)) { "─" } else { "╌" };
        let label = short(&arrow.what, self.width - 4);
        if from == to {
            row.put(to, &format!("◄{dash} {label}"));
            return;
        }
        let (low, high) = (from.min(to), from.max(to));
        row.put(low + 1, &dash.repeat(high - low - 1));
        row.put(low + (high - low).div_ceil(2) - label.chars().count() / 2, &label);
        if from < to {
            row.put(to - 1, "►");
        } else {
            row.put(to + 1, "◄");
        }
    }

    fn sent(&self, arrow: &Arrow) -> String {
        let to = &self.picture.lines[arrow.to_line];
        let lost = match (arrow.received, arrow.lost) {
            (Some(_), _) => "",
            (None, Some(_)) => " (lost)",
            (None, None) => " (in flight)",
        };
        format!("{}→{to}{lost}", short(&arrow.what, 10))
    }
}

fn short(what: &Sent, width: usize) -> String {
    let text = match what {
        Sent::Message(number) => number.to_string(),
        Sent::Control(name) => name.clone(),
        Sent::Start => "start".to_owned(),
        Sent::Done => "done".to_owned(),
        Sent::Notice => "notice".to_owned(),
        Sent::Abort => "abort".to_owned(),
        Sent::End => "end".to_owned(),
        Sent::Finished => "finished".to_owned(),
    };
    text.chars().take(width.max(1)).collect()
}

/// A row of characters that can be written over.
struct Row(Vec<char>);

impl Row {
    fn blank(width: usize) -> Self {
        Self(vec![' '; width])
    }

    fn put(&mut self, column: usize, text: &str) {
        for (offset, character) in text.chars().enumerate() {
            if let Some(place) = self.0.get_mut(column + offset) {
                *place = character;
            }
        }
    }

    fn text(&self) -> String {
        self.0.iter().collect()
    }
}
