//! Renaming processes: where some are interchangeable, a state and its image under a renaming behave
//! alike, and a search need visit only one of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::topology::{Channel, ChannelId, ProcessId, Topology};

/// A permutation of the processes that takes channels to channels: an automorphism of the topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    processes: Vec<ProcessId>,
    channels: Vec<ChannelId>,
}

impl Renaming {
    /// The renaming that takes process i to `images[i]`; none if it is no permutation of the
    /// processes or takes some channel to where there is none.
    #[must_use]
    pub fn of(topology: &Topology, images: Vec<ProcessId>) -> Option<Self> {
        let distinct: BTreeSet<_> = images.iter().copied().collect();
        if images.len() != topology.process_count() || distinct != topology.processes().collect() {
            return None;
        }
        let channels = topology.channels().map(|channel| {
            let Channel { source, target } = topology.channel(channel);
            topology.channel_between(images[source.index()], images[target.index()])
        });
        Some(Self { channels: channels.collect::<Option<_>>()?, processes: images })
    }

    /// The renamings of a topology under which each process and its image are `alike`, the identity
    /// first; at most `most`.
    #[must_use]
    pub fn all(
        topology: &Topology,
        alike: &dyn Fn(ProcessId, ProcessId) -> bool,
        most: usize,
    ) -> Vec<Self> {
        let mut found = Vec::new();
        extend(topology, alike, most, &mut Vec::new(), &mut found);
        found
    }

    /// The image of a process.
    #[must_use]
    pub fn process(&self, process: ProcessId) -> ProcessId {
        self.processes[process.index()]
    }

    /// The image of a channel.
    #[must_use]
    pub fn channel(&self, channel: ChannelId) -> ChannelId {
        self.channels[channel.index()]
    }

    /// Whether nothing is renamed.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.processes.iter().enumerate().all(|(index, image)| image.index() == index)
    }

    /// Whether it takes back-edges to back-edges, which depend on the order of the processes.
    #[must_use]
    pub fn keeps_back_edges(&self, topology: &Topology) -> bool {
        let is_back = |channel| topology.is_back_edge(channel);
        topology.channels().all(|channel| is_back(channel) == is_back(self.channel(channel)))
    }

    /// What stands at each process's place after renaming, given what stands at each before.
    pub fn permuted<T>(&self, at: impl IntoIterator<Item = T>) -> Vec<T> {
        permuted(at, |index| self.processes[index].index())
    }

    /// What stands at each channel's place after renaming, given what stands at each before.
    pub fn permuted_channels<T>(&self, at: impl IntoIterator<Item = T>) -> Vec<T> {
        permuted(at, |index| self.channels[index].index())
    }

    /// What stands at the places of the outputs of a process's image, given what stands at those of
    /// the process.
    pub fn permuted_outputs<T>(
        &self,
        topology: &Topology,
        process: ProcessId,
        at: impl IntoIterator<Item = T>,
    ) -> Vec<T> {
        let outputs = topology.outputs(process);
        permuted(at, |index| topology.output_position(self.channel(outputs[index])))
    }

    /// The same for inputs.
    pub fn permuted_inputs<T>(
        &self,
        topology: &Topology,
        process: ProcessId,
        at: impl IntoIterator<Item = T>,
    ) -> Vec<T> {
        let inputs = topology.inputs(process);
        permuted(at, |index| topology.input_position(self.channel(inputs[index])))
    }
}

/// Each thing at the place to which `to` takes its own.
fn permuted<T>(at: impl IntoIterator<Item = T>, to: impl Fn(usize) -> usize) -> Vec<T> {
    let moved: BTreeMap<_, _> =
        at.into_iter().enumerate().map(|(i, thing)| (to(i), thing)).collect();
    moved.into_values().collect()
}

/// Adds to `found` every renaming that begins with `images`.
fn extend(
    topology: &Topology,
    alike: &dyn Fn(ProcessId, ProcessId) -> bool,
    most: usize,
    images: &mut Vec<ProcessId>,
    found: &mut Vec<Renaming>,
) {
    let Some(next) = topology.processes().nth(images.len()) else {
        found.extend(Renaming::of(topology, images.clone()));
        return;
    };
    for image in topology.processes() {
        if found.len() == most {
            return;
        }
        if !images.contains(&image) && alike(next, image) {
            images.push(image);
            if keeps_channels_of_last(topology, images) {
                extend(topology, alike, most, images, found);
            }
            images.pop();
        }
    }
}

/// Whether the last process is joined to those before it as their images are.
fn keeps_channels_of_last(topology: &Topology, images: &[ProcessId]) -> bool {
    let joined = |source, target| topology.channel_between(source, target).is_some();
    let Some(&last_image) = images.last() else { return true };
    let last = ProcessId::new(images.len() - 1);
    topology.processes().zip(images).all(|(process, &image)| {
        joined(process, last) == joined(image, last_image)
            && joined(last, process) == joined(last_image, image)
    })
}

/// Data in which processes and channels may be named. As it stands, it names none.
///
/// What names some must say what becomes of it, or a search up to symmetry takes states for alike that
/// are not.
pub trait Renamed: Clone {
    /// The same with every process and channel renamed.
    #[must_use]
    fn renamed(&self, renaming: &Renaming) -> Self {
        let _ = renaming;
        self.clone()
    }
}

impl Renamed for () {}
impl Renamed for bool {}
impl Renamed for u8 {}
impl Renamed for u16 {}
impl Renamed for u32 {}
impl Renamed for u64 {}
impl Renamed for i64 {}
impl Renamed for String {}

impl Renamed for ProcessId {
    fn renamed(&self, renaming: &Renaming) -> Self {
        renaming.process(*self)
    }
}

impl Renamed for ChannelId {
    fn renamed(&self, renaming: &Renaming) -> Self {
        renaming.channel(*self)
    }
}

impl<T: Renamed> Renamed for Option<T> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        self.as_ref().map(|some| some.renamed(renaming))
    }
}

impl<T: Renamed> Renamed for Vec<T> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        self.iter().map(|each| each.renamed(renaming)).collect()
    }
}

impl<T: Renamed + Ord> Renamed for BTreeSet<T> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        self.iter().map(|each| each.renamed(renaming)).collect()
    }
}

impl<K: Renamed + Ord, V: Renamed> Renamed for BTreeMap<K, V> {
    fn renamed(&self, renaming: &Renaming) -> Self {
        self.iter().map(|(key, value)| (key.renamed(renaming), value.renamed(renaming))).collect()
    }
}

impl<A: Renamed, B: Renamed> Renamed for (A, B) {
    fn renamed(&self, renaming: &Renaming) -> Self {
        (self.0.renamed(renaming), self.1.renamed(renaming))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(topology: &str) -> usize {
        let topology = Topology::parse(topology).unwrap();
        Renaming::all(&topology, &|_, _| true, usize::MAX).len()
    }

    #[test]
    fn every_automorphism_is_found() {
        assert_eq!(count("line(4)"), 1);
        assert_eq!(count("ring(5)"), 5);
        assert_eq!(count("complete(4)"), 24);
        assert_eq!(count("star(3)"), 6);
        assert_eq!(count("fan-in(3)"), 6);
        assert_eq!(count("diamond"), 2);
        assert_eq!(count("complete(3), p0 -> p0"), 2);
    }

    #[test]
    fn no_more_are_looked_for_than_wanted() {
        let star = Topology::parse("star(20)").unwrap();
        let found = Renaming::all(&star, &|_, _| true, 100);
        assert_eq!(found.len(), 100);
        assert!(found[0].is_identity() && !found[1].is_identity());
    }

    #[test]
    fn what_is_no_automorphism_is_refused() {
        let line = Topology::parse("line(2)").unwrap();
        let [p0, p1] = [0, 1].map(ProcessId::new);
        assert!(Renaming::of(&line, vec![p0, p1]).is_some());
        assert_eq!(Renaming::of(&line, vec![p1, p0]), None);
        assert_eq!(Renaming::of(&line, vec![p0, p0]), None);
        assert_eq!(Renaming::of(&line, vec![p0]), None);
    }

    #[test]
    fn names_are_renamed_wherever_they_stand() {
        let star = Topology::parse("star(2)").unwrap();
        let [p0, p1, p2] = [0, 1, 2].map(ProcessId::new);
        let swap = Renaming::of(&star, vec![p0, p2, p1]).unwrap();
        let [to_p1, to_p2] = star.outputs(p0) else { unreachable!("a star has two leaves") };
        let named = (vec![Some(p1), None], BTreeMap::from([(*to_p1, 7_u8)]));
        let renamed = (vec![Some(p2), None], BTreeMap::from([(*to_p2, 7_u8)]));
        assert_eq!(named.renamed(&swap), renamed);
        assert_eq!(swap.permuted(["hub", "a", "b"]), ["hub", "b", "a"]);
        assert_eq!(swap.permuted_outputs(&star, p0, ["to a", "to b"]), ["to b", "to a"]);
    }
}
