//! What algorithms cost, as an SVG chart: messages that they record in channels against messages that
//! they hold back.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::sheet::{Setting, Sheet, width_of};

/// An algorithm in the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// The most messages that it records in channels.
    pub in_channels: usize,
    /// The most messages that it holds back in blocked channels.
    pub held: usize,
    /// Whether its cuts can be inconsistent, so that what it costs buys nothing.
    pub inconsistent: bool,
}

const LEFT: usize = 64;
const TOP: usize = 48;
const WIDTH: usize = 460;
const HEIGHT: usize = 300;
/// Room for labels beside the last point, apart from their text.
const RIGHT: usize = 48;
const LINE: usize = 18;
const TICKS: usize = 8;

/// A rectangle: left, top, right, bottom.
type Area = (usize, usize, usize, usize);

fn overlap(a: Area, b: Area) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// Draws the chart; `caption` says what it shows.
#[must_use]
pub fn draw(points: &[Point], caption: &str, setting: Setting<'_>) -> String {
    let longest = points.iter().map(|point| width_of(&point.name)).max().unwrap_or_default();
    let size = (LEFT + WIDTH + RIGHT + longest, TOP + HEIGHT + 100);
    let mut sheet = Sheet::new(size, caption, setting, "");
    let most = |of: fn(&Point) -> usize| points.iter().map(of).max().unwrap_or_default().max(1);
    let (most_x, most_y) = (most(|point| point.in_channels), most(|point| point.held));
    let x = |value: usize| LEFT + 30 + value * (WIDTH - 60) / most_x;
    let y = |value: usize| TOP + HEIGHT - 30 - value * (HEIGHT - 60) / most_y;
    axes(&mut sheet, (most_x, most_y), x, y);
    let mut places: BTreeMap<(usize, usize), Vec<&Point>> = BTreeMap::new();
    for point in points {
        places.entry((x(point.in_channels), y(point.held))).or_default().push(point);
    }
    let mut taken = places.keys().map(|&(x, y)| (x - 9, y - 9, x + 9, y + 9)).collect_vec();
    for (&at, points) in &places {
        let label = place_label(at, points, &taken);
        taken.push(label);
        draw_label(&mut sheet, at, points, label);
    }
    for (&at, points) in &places {
        for inconsistent in [false, true] {
            if points.iter().any(|point| point.inconsistent == inconsistent) {
                mark(&mut sheet, at, if inconsistent { 7 } else { 6 }, inconsistent);
            }
        }
    }
    legend(&mut sheet);
    sheet.finish()
}

fn axes(
    sheet: &mut Sheet<'_>,
    (most_x, most_y): (usize, usize),
    x: impl Fn(usize) -> usize,
    y: impl Fn(usize) -> usize,
) {
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    for value in (0..=most_x).step_by(most_x.div_ceil(TICKS)) {
        let x = x(value);
        sheet.add(format_args!(
            "<line class=\"grid\" x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{bottom}\"/>"
        ));
        sheet.label((x, bottom + 18), "small", "middle", &value.to_string());
    }
    for value in (0..=most_y).step_by(most_y.div_ceil(TICKS)) {
        let y = y(value);
        sheet.add(format_args!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>"
        ));
        sheet.label((LEFT - 10, y + 4), "small", "end", &value.to_string());
    }
    sheet.add(format_args!(
        "<polyline class=\"edge\" points=\"{LEFT},{TOP} {LEFT},{bottom} {right},{bottom}\"/>"
    ));
    let middle = LEFT + WIDTH / 2;
    sheet.label((middle, bottom + 40), "", "middle", "most messages recorded in channels");
    let centre = TOP + HEIGHT / 2;
    sheet.add(format_args!(
        "<text transform=\"translate(22 {centre}) rotate(-90)\" text-anchor=\"middle\">most messages held back</text>"
    ));
}

/// The nearest free place beside the point, further up or down if need be.
fn place_label((x, y): (usize, usize), points: &[&Point], taken: &[Area]) -> Area {
    let width = points.iter().map(|point| width_of(&point.name)).max().unwrap_or_default() + 20;
    let height = points.len() * LINE;
    let lowest = TOP + HEIGHT - 4 - height.min(HEIGHT);
    let shifts = (0..=HEIGHT).step_by(LINE / 2);
    let mut candidates = shifts.flat_map(|shift| {
        let centred = y.saturating_sub(height / 2);
        let up = centred.saturating_sub(shift).clamp(TOP.min(lowest), lowest);
        let down = (centred + shift).clamp(TOP.min(lowest), lowest);
        let beside = [Some(x + 16), x.checked_sub(16 + width).filter(|&left| left > LEFT)];
        [up, down].into_iter().cartesian_product(beside).filter_map(move |(top, left)| {
            let left = left?;
            Some((left, top, left + width, top + height))
        })
    });
    let free = candidates.find(|&area| !taken.iter().any(|&other| overlap(area, other)));
    free.unwrap_or((x + 16, y, x + 16 + width, y + height))
}

fn draw_label(sheet: &mut Sheet<'_>, (x, y): (usize, usize), points: &[&Point], label: Area) {
    let (left, top, right, bottom) = label;
    if !(top..bottom).contains(&y) {
        let near = if left > x { left } else { right };
        let level = y.clamp(top + LINE / 2, bottom - LINE / 2);
        sheet.add(format_args!(
            "<line class=\"edge\" x1=\"{x}\" y1=\"{y}\" x2=\"{near}\" y2=\"{level}\"/>"
        ));
    }
    for (index, point) in points.iter().enumerate() {
        let middle = top + index * LINE + LINE / 2;
        mark(sheet, (left + 8, middle), 4, point.inconsistent);
        sheet.label((left + 18, middle + 5), "halo", "start", &point.name);
    }
}

fn mark(sheet: &mut Sheet<'_>, (x, y): (usize, usize), radius: usize, inconsistent: bool) {
    if inconsistent {
        let (left, right, top, bottom) = (x - radius, x + radius, y - radius, y + radius);
        sheet.add(format_args!(
            "<path class=\"unsound halo\" d=\"M{left} {y}L{x} {top}L{right} {y}L{x} {bottom}z\"/>"
        ));
    } else {
        sheet.add(format_args!("<circle class=\"sound\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
    }
}

fn legend(sheet: &mut Sheet<'_>) {
    let line = TOP + HEIGHT + 70;
    let entries = [(false, "consistent-cut holds"), (true, "consistent-cut is violated")];
    for (index, (inconsistent, words)) in entries.into_iter().enumerate() {
        let left = LEFT + index * 210;
        mark(sheet, (left, line), 5, inconsistent);
        sheet.label((left + 14, line + 4), "small", "start", words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, in_channels: usize, held: usize) -> Point {
        Point { name: name.to_owned(), in_channels, held, inconsistent: false }
    }

    #[test]
    fn coinciding_points_have_labels_that_do_not_overlap() {
        let points: Vec<_> = (0..12).map(|i| point(&format!("algorithm-{i}"), i % 2, 0)).collect();
        let mut taken = Vec::new();
        for x in [90, 500] {
            let label = place_label((x, 300), &points.iter().take(6).collect_vec(), &taken);
            assert!(!taken.iter().any(|&other| overlap(label, other)), "{label:?}");
            taken.push(label);
        }
        let picture = draw(&points, "", Setting::File);
        for point in &points {
            assert!(picture.contains(&format!(">{}</text>", point.name)));
        }
    }

    #[test]
    fn nothing_to_draw_is_no_panic() {
        assert!(draw(&[], "nothing", Setting::File).ends_with("</svg>\n"));
        assert!(draw(&[point("one", 1000, 1000)], "", Setting::Page("one")).contains(">1000<"));
    }
}
