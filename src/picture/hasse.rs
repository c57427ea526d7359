//! A Hasse diagram as SVG: what includes stands above what it includes, a line for each inclusion that
//! does not follow from others.

use itertools::Itertools;

use super::sheet::{Setting, Sheet, width_of};

/// A set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its names, one below the other.
    pub names: Vec<String>,
    /// How large it is, in words.
    pub size: String,
}

/// A strict inclusion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The set that is included, by its place among the nodes.
    pub smaller: usize,
    /// The set that includes it.
    pub larger: usize,
    /// What to say of it.
    pub label: String,
}

/// Sets and the inclusions between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The sets, all of them different.
    pub nodes: Vec<Node>,
    /// The inclusions with nothing between.
    pub edges: Vec<Edge>,
}

impl Diagram {
    /// Per node, how many inclusions lie below it on the longest way down.
    #[must_use]
    pub fn levels(&self) -> Vec<usize> {
        let mut levels = vec![0; self.nodes.len()];
        for _ in &self.nodes {
            for edge in &self.edges {
                levels[edge.larger] = levels[edge.larger].max(levels[edge.smaller] + 1);
            }
        }
        levels
    }
}

/// A place in a level: a node's, or one that an edge passes on its way up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Node(usize),
    Passing,
}

/// Who stands where.
struct Layout {
    slots: Vec<Slot>,
    /// Per level from below, its slots from left to right.
    levels: Vec<Vec<usize>>,
    /// Per edge, the slots that it joins from below.
    chains: Vec<Vec<usize>>,
}

/// How often the levels are put in order, from below and from above.
const SWEEPS: usize = 8;

impl Layout {
    fn of(diagram: &Diagram) -> Self {
        let depths = diagram.levels();
        let mut levels = vec![Vec::new(); depths.iter().max().map_or(0, |top| top + 1)];
        let mut slots = Vec::new();
        for (node, &depth) in depths.iter().enumerate() {
            levels[depth].push(slots.len());
            slots.push(Slot::Node(node));
        }
        let mut chains = Vec::new();
        for edge in &diagram.edges {
            let mut chain = vec![edge.smaller];
            for level in &mut levels[depths[edge.smaller] + 1..depths[edge.larger]] {
                level.push(slots.len());
                chain.push(slots.len());
                slots.push(Slot::Passing);
            }
            chain.push(edge.larger);
            chains.push(chain);
        }
        let mut layout = Self { slots, levels, chains };
        layout.untangle();
        layout
    }

    /// Every slot between those that it is joined to, if that makes fewer lines cross or them straighter.
    fn untangle(&mut self) {
        let mut best = (self.tangle(), self.levels.clone());
        for sweep in 0..SWEEPS {
            let upwards = sweep % 2 == 0;
            let count = self.levels.len();
            for step in 1..count {
                let level = if upwards { step } else { count - 1 - step };
                self.sort(level, upwards);
            }
            let tangle = self.tangle();
            if tangle < best.0 {
                best = (tangle, self.levels.clone());
            }
        }
        self.levels = best.1;
    }

    fn links(&self) -> impl Iterator<Item = (usize, usize)> {
        self.chains.iter().flat_map(|chain| chain.iter().copied().tuple_windows())
    }

    fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.slots.len()];
        for level in &self.levels {
            for (position, &slot) in level.iter().enumerate() {
                positions[slot] = position;
            }
        }
        positions
    }

    /// Sorts a level by what its slots are joined to on one side, and where that is the same on both.
    fn sort(&mut self, level: usize, by_lower: bool) {
        let positions = self.positions();
        let mean = |slot: usize, sides: [bool; 2]| {
            let joined = self.links().filter_map(|(lower, upper)| match slot {
                _ if slot == upper && sides[0] => Some(positions[lower]),
                _ if slot == lower && sides[1] => Some(positions[upper]),
                _ => None,
            });
            let joined = joined.collect_vec();
            match joined.len() {
                0 => positions[slot] as f64,
                count => joined.iter().sum::<usize>() as f64 / count as f64,
            }
        };
        let keys = (0..self.slots.len())
            .map(|slot| [mean(slot, [by_lower, !by_lower]), mean(slot, [true, true])])
            .collect_vec();
        self.levels[level].sort_by(|&a, &b| {
            let [first, second] = [0, 1].map(|key| keys[a][key].total_cmp(&keys[b][key]));
            first.then(second)
        });
    }

    /// How many lines cross, and how far they lead to the side.
    fn tangle(&self) -> (usize, usize) {
        let mut from_middle = vec![0; self.slots.len()];
        for level in &self.levels {
            for (position, &slot) in level.iter().enumerate() {
                from_middle[slot] = 2 * position as isize + 1 - level.len() as isize;
            }
        }
        let sideways = |(a, b): (usize, usize)| from_middle[a].abs_diff(from_middle[b]);
        (self.crossings(), self.links().map(sideways).sum())
    }

    fn crossings(&self) -> usize {
        let positions = self.positions();
        let level_of = |slot| self.levels.iter().position(|level| level.contains(&slot));
        let cross = |(a, b): (usize, usize), (c, d): (usize, usize)| {
            level_of(a) == level_of(c)
                && (positions[a] < positions[c] && positions[b] > positions[d]
                    || positions[a] > positions[c] && positions[b] < positions[d])
        };
        let links = self.links().collect_vec();
        links.iter().array_combinations().filter(|&[&one, &other]| cross(one, other)).count()
    }
}

const MARGIN: usize = 24;
const TOP: usize = 48;
const LINE: usize = 18;
const BETWEEN_NODES: usize = 48;
const BETWEEN_LEVELS: usize = 72;
const PASSING: usize = 60;

fn node_size(node: &Node) -> (usize, usize) {
    let texts = node.names.iter().chain([&node.size]);
    let width = texts.map(|text| width_of(text)).max().unwrap_or_default() + 24;
    (width, (node.names.len() + 1) * LINE + 14)
}

/// Draws a diagram; `caption` says what it shows.
#[must_use]
pub fn draw(diagram: &Diagram, caption: &str, setting: Setting<'_>) -> String {
    let layout = Layout::of(diagram);
    let size = |slot: usize| match layout.slots[slot] {
        Slot::Node(node) => node_size(&diagram.nodes[node]),
        Slot::Passing => (PASSING, 0),
    };
    let width_of_level = |level: &Vec<usize>| {
        level.iter().map(|&slot| size(slot).0 + BETWEEN_NODES).sum::<usize>().max(BETWEEN_NODES)
            - BETWEEN_NODES
    };
    let widest = layout.levels.iter().map(width_of_level).max().unwrap_or_default();
    let mut centres = vec![(0, 0); layout.slots.len()];
    let mut top = TOP;
    for level in layout.levels.iter().rev() {
        let height = level.iter().map(|&slot| size(slot).1).max().unwrap_or_default();
        let mut left = MARGIN + (widest - width_of_level(level)) / 2;
        for &slot in level {
            let width = size(slot).0;
            centres[slot] = (left + width / 2, top + height / 2);
            left += width + BETWEEN_NODES;
        }
        top += height + BETWEEN_LEVELS;
    }
    let height = top.saturating_sub(BETWEEN_LEVELS) + MARGIN;
    let mut sheet = Sheet::new((widest + 2 * MARGIN, height), caption, setting, "");
    for (edge, chain) in diagram.edges.iter().zip(&layout.chains) {
        let points = chain.iter().map(|&slot| format!("{},{}", centres[slot].0, centres[slot].1));
        let points = points.collect_vec().join(" ");
        sheet.add(format_args!("<polyline class=\"edge\" points=\"{points}\"/>"));
        label(&mut sheet, edge, [chain[0], chain[1]].map(|slot| (centres[slot], size(slot).1)), {
            diagram.edges.iter().filter(|other| other.smaller == edge.smaller).count() > 1
        });
    }
    for (node, &(x, y)) in diagram.nodes.iter().zip(&centres) {
        draw_node(&mut sheet, node, (x, y));
    }
    sheet.finish()
}

/// Labels an edge between the boxes of two slots, given by centre and height: in the middle, nearer to
/// the upper one where edges fan out from the lower one.
fn label(
    sheet: &mut Sheet<'_>,
    edge: &Edge,
    [((x1, y1), low), ((x2, y2), high)]: [((usize, usize), usize); 2],
    fans_out: bool,
) {
    let (bottom, top) = (y1 - low / 2, y2 + high / 2);
    let y = if fans_out { (bottom + 2 * top) / 3 } else { usize::midpoint(bottom, top) };
    let x = (x1 * (y - y2) + x2 * (y1 - y)) / (y1 - y2);
    sheet.label((x, y + 4), "small halo", "middle", &edge.label);
}

fn draw_node(sheet: &mut Sheet<'_>, node: &Node, (x, y): (usize, usize)) {
    let (width, height) = node_size(node);
    let (left, top) = (x - width / 2, y - height / 2);
    sheet.add(format_args!(
        "<rect class=\"node\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"7\"/>"
    ));
    for (index, name) in node.names.iter().enumerate() {
        sheet.label((x, top + 20 + index * LINE), "", "middle", name);
    }
    sheet.label((x, top + 20 + node.names.len() * LINE), "small", "middle", &node.size);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(nodes: usize, edges: &[(usize, usize)]) -> Diagram {
        let node = |name: usize| Node { names: vec![name.to_string()], size: String::new() };
        let edge = |&(smaller, larger)| Edge { smaller, larger, label: String::new() };
        Diagram { nodes: (0..nodes).map(node).collect(), edges: edges.iter().map(edge).collect() }
    }

    #[test]
    fn a_level_is_the_longest_way_down() {
        assert_eq!(diagram(4, &[(2, 3), (0, 3), (1, 2)]).levels(), [0, 0, 1, 2]);
    }

    #[test]
    fn lines_do_not_cross_where_they_need_not() {
        let layout = Layout::of(&diagram(4, &[(0, 3), (1, 2)]));
        assert_eq!(layout.crossings(), 0);
        let long = Layout::of(&diagram(5, &[(0, 2), (2, 4), (1, 4), (0, 3), (3, 4)]));
        assert_eq!((long.crossings(), long.slots.len()), (0, 6));
    }

    #[test]
    fn every_node_and_every_edge_is_drawn() {
        let picture = draw(&diagram(4, &[(0, 1), (1, 2)]), "four & more", Setting::File);
        assert_eq!(picture.matches("class=\"node\"").count(), 4);
        assert_eq!(picture.matches("class=\"edge\"").count(), 2);
        assert!(picture.contains("four &amp; more"));
        assert!(draw(&Diagram::default(), "nothing", Setting::File).ends_with("</svg>\n"));
    }
}
