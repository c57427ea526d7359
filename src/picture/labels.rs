//! Where labels stand in a picture: each at the first of its places at which it covers nothing else.

/// A rectangle in the picture, in pixels.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Area {
    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether a straight line passes through it.
    fn is_crossed(&self, ((x1, y1), (x2, y2)): Stroke) -> bool {
        let pieces = x1.abs_diff(x2).max(y1.abs_diff(y2)) / 4 + 1;
        (0..=pieces).any(|piece| {
            let x = ((pieces - piece) * x1 + piece * x2) / pieces;
            let y = ((pieces - piece) * y1 + piece * y2) / pieces;
            (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
        })
    }
}

/// A straight line, by its ends.
type Stroke = ((usize, usize), (usize, usize));

/// A place for a label: where its baseline begins, or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The point, in pixels.
    pub at: (usize, usize),
    /// Whether the text ends there.
    pub ends: bool,
}

impl Place {
    /// For a text that begins there.
    pub(super) fn from(x: usize, y: usize) -> Self {
        Self { at: (x, y), ends: false }
    }

    /// For a text that ends there.
    pub(super) fn until(x: usize, y: usize) -> Self {
        Self { at: (x, y), ends: true }
    }

    /// How SVG calls it.
    pub(super) fn anchor(self) -> &'static str {
        if self.ends { "end" } else { "start" }
    }

    /// What a text takes up there; none if it leaves the picture on the left.
    fn area(self, width: usize) -> Option<Area> {
        let (x, y) = self.at;
        let left = if self.ends { x.checked_sub(width)? } else { x };
        Some(Area { left, right: left + width, top: y.saturating_sub(9), bottom: y + 3 })
    }
}

/// How near, in pixels either way, a name need not be repeated.
const CLOSE: usize = 60;

/// A name that stands in the picture.
struct Said {
    /// Where begins what is named.
    origin: (usize, usize),
    text: String,
    /// Where the name stands.
    place: (usize, usize),
}

/// What a picture holds so far that a label should not cover.
pub(super) struct Labels {
    width: usize,
    taken: Vec<Area>,
    strokes: Vec<Stroke>,
    said: Vec<Said>,
}

impl Labels {
    /// Of a picture of this width.
    pub(super) fn new(width: usize) -> Self {
        Self { width, taken: Vec::new(), strokes: Vec::new(), said: Vec::new() }
    }

    /// From now on something is there.
    pub(super) fn take(&mut self, (left, right): (usize, usize), (top, bottom): (usize, usize)) {
        self.taken.push(Area { left, right, top, bottom });
    }

    /// From now on lines pass through these points.
    pub(super) fn stroke(&mut self, points: &[(usize, usize)]) {
        self.strokes.extend(points.windows(2).map(|ends| (ends[0], ends[1])));
    }

    /// The first place at which a text covers least. It is taken then.
    pub(super) fn place(&mut self, places: &[Place], width: usize) -> Option<Place> {
        let fits = |area: &Area| area.right <= self.width;
        let fitting = places
            .iter()
            .filter_map(|&place| place.area(width).filter(fits).map(|area| (place, area)));
        // A label can be read across an arrow, but not across another label.
        let covered = |area: &Area| {
            let taken = self.taken.iter().filter(|taken| taken.overlaps(area)).count();
            3 * taken + self.strokes.iter().filter(|&&stroke| area.is_crossed(stroke)).count()
        };
        let (place, area) = fitting.min_by_key(|(_, area)| covered(area))?;
        self.taken.push(area);
        Some(place)
    }

    /// Whether what begins at a point need not be named again at `place`, since the same name stands close by
    /// for something else that begins there.
    pub(super) fn is_said(
        &self,
        origin: (usize, usize),
        text: &str,
        place: (usize, usize),
    ) -> bool {
        self.said.iter().any(|said| {
            said.origin == origin
                && said.text == text
                && said.place.0.abs_diff(place.0) < CLOSE
                && said.place.1.abs_diff(place.1) < CLOSE
        })
    }

    /// The name of what begins at a point stands at `place`.
    pub(super) fn say(&mut self, origin: (usize, usize), text: &str, place: (usize, usize)) {
        self.said.push(Said { origin, text: text.to_owned(), place });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_goes_where_it_covers_nothing_and_stays_in_the_picture() {
        let mut labels = Labels::new(100);
        let [first, second] = [Place::from(10, 50), Place::until(90, 80)];
        assert_eq!(labels.place(&[first, second], 40), Some(first));
        assert_eq!(labels.place(&[first, second], 40), Some(second), "the first is taken");
        assert_eq!(labels.place(&[Place::from(70, 20), second], 40), Some(second), "it is cut off");
        assert_eq!(labels.place(&[Place::until(30, 20)], 40), None);
        labels.stroke(&[(0, 10), (100, 10)]);
        let [across, below] = [Place::from(10, 12), Place::from(10, 30)];
        assert_eq!(labels.place(&[across, below], 40), Some(below));
    }

    #[test]
    fn what_begins_at_one_point_is_named_once_close_by() {
        let mut labels = Labels::new(100);
        labels.say((0, 0), "abort", (20, 20));
        assert!(labels.is_said((0, 0), "abort", (40, 40)));
        assert!(!labels.is_said((0, 0), "abort", (80, 40)), "too far");
        assert!(!labels.is_said((0, 1), "abort", (40, 40)));
        assert!(!labels.is_said((0, 0), "start", (40, 40)));
    }
}
