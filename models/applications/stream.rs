//! The application `stream`: a dataflow. Sources emit records 1, 2, … in order; operators apply each
//! record that they receive to their state and forward it; sinks collect. How an output is shipped says
//! which records go on it, as in Flink: Carbone et al. 2015, section 3.
//!
//! A source may have inputs, and closes a cycle so: what comes to it, it applies and does not forward.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use crate::application::{ActionWords, Application, Record, Sends, Traits};
use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId, Topology};

/// The most records that may reach a process in a run without failures: more of them could not be
/// counted after some failures.
pub const MAX_ARRIVALS: u16 = 1000;

/// Which records of its process a channel carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shipping {
    /// All. It is the only output of its process.
    Forward,
    /// Those whose key is its own: the channels of a process with the same number, from 1, share its
    /// records, so that each receiver which is parallel in itself gets every record once.
    Hash(u8),
    /// All.
    Broadcast,
}

impl Shipping {
    /// The way of that name in instance files.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "forward" => Some(Self::Forward),
            "hash" => Some(Self::Hash(1)),
            "broadcast" => Some(Self::Broadcast),
            _ => {
                let number = name.strip_prefix("hash ")?.parse().ok()?;
                (number > 0).then_some(Self::Hash(number))
            }
        }
    }

    /// The name used in instance files.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Forward => "forward".to_owned(),
            Self::Hash(1) => "hash".to_owned(),
            Self::Hash(number) => format!("hash {number}"),
            Self::Broadcast => "broadcast".to_owned(),
        }
    }

    /// How `channel` is shipped if nobody says.
    #[must_use]
    pub fn default_of(topology: &Topology, channel: ChannelId) -> Self {
        match topology.outputs(topology.channel(channel).source) {
            [_] => Self::Forward,
            _ => Self::Broadcast,
        }
    }
}

/// Why there is no such stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A channel is shipped forward, and its source has other outputs.
    ForwardBesideOthers(ChannelId),
    /// On a cycle through this process records would circle for ever: it passes through no source.
    Circles(ProcessId),
    /// More than [`MAX_ARRIVALS`] records would reach this process.
    TooManyArrivals(ProcessId),
}

/// The local state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operator {
    /// How many records the process has emitted as a source.
    pub offset: u16,
    /// How often it has applied each record.
    pub applied: BTreeMap<Record, u16>,
}

impl Renamed for Operator {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { applied: self.applied.renamed(renaming), ..*self }
    }
}

/// A source emits its next record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Emit {
    /// The record's number.
    pub number: u16,
}

impl Renamed for Emit {}

/// A dataflow on a topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    topology: Topology,
    /// How many records each source emits.
    records: u16,
    /// Per channel, which records go on it.
    shipping: Vec<Shipping>,
    sources: BTreeSet<ProcessId>,
    /// Per process, how often each record is applied to it in a run without failures.
    expected: Vec<BTreeMap<Record, u16>>,
}

impl Stream {
    /// A stream in which each of the sources emits so many records, and the channels are shipped as
    /// `shipping` says, the others as by default.
    ///
    /// # Errors
    /// If a process ships forward and in some other way, if a cycle passes through no source, or if too
    /// many records would reach a process.
    pub fn new(
        topology: &Topology,
        records: u16,
        shipping: &BTreeMap<ChannelId, Shipping>,
        sources: BTreeSet<ProcessId>,
    ) -> Result<Self, Unfit> {
        let shipped = |channel: ChannelId| {
            let said = shipping.get(&channel).copied();
            said.unwrap_or_else(|| Shipping::default_of(topology, channel))
        };
        let mut stream = Self {
            topology: topology.clone(),
            records,
            shipping: topology.channels().map(shipped).collect(),
            sources,
            expected: Vec::new(),
        };
        let alone = |&c: &ChannelId| topology.outputs(topology.channel(c).source).len() == 1;
        let forward = |c: &ChannelId| stream.shipping(*c) == Shipping::Forward;
        if let Some(channel) = topology.channels().find(|c| forward(c) && !alone(c)) {
            return Err(Unfit::ForwardBesideOthers(channel));
        }
        stream.expected = stream.count_routes()?;
        Ok(stream)
    }

    /// How many records each source emits.
    #[must_use]
    pub fn records(&self) -> u16 {
        self.records
    }

    /// The processes that emit.
    #[must_use]
    pub fn sources(&self) -> &BTreeSet<ProcessId> {
        &self.sources
    }

    /// Which records go on a channel.
    #[must_use]
    pub fn shipping(&self, channel: ChannelId) -> Shipping {
        self.shipping[channel.index()]
    }

    /// Where `process` sends the records of this number, in the order of its outputs.
    fn routes(&self, process: ProcessId, number: u16) -> impl Iterator<Item = ChannelId> + '_ {
        let outputs = self.topology.outputs(process);
        let goes = move |&channel: &ChannelId| {
            let way = self.shipping(channel);
            if !matches!(way, Shipping::Hash(_)) {
                return true;
            }
            let sharing = outputs.iter().filter(|&&c| self.shipping(c) == way);
            let key = usize::from(number) % sharing.clone().count();
            sharing.clone().nth(key) == Some(&channel)
        };
        outputs.iter().copied().filter(goes)
    }

    fn send(&self, process: ProcessId, record: Record, sends: &mut Sends<Record>) {
        sends.extend(self.routes(process, record.number).map(|channel| (channel, record)));
    }

    /// How many records a channel carries in a run in which nothing fails.
    #[must_use]
    pub fn carried(&self, channel: ChannelId) -> usize {
        let source = self.topology.channel(channel).source;
        let passed = self.passed_on(source, &self.expected[source.index()]);
        let there = passed
            .iter()
            .filter(|(record, _)| self.routes(source, record.number).contains(&channel));
        there.map(|&(_, copies)| usize::from(copies)).sum()
    }

    /// What a process sends on to which these records come, each so often.
    fn passed_on(
        &self,
        process: ProcessId,
        arrivals: &BTreeMap<Record, u16>,
    ) -> Vec<(Record, u16)> {
        if self.sources.contains(&process) {
            let emitted = |number| (Record { source: process, number }, 1);
            return (1..=self.records).map(emitted).collect();
        }
        arrivals.iter().map(|(&record, &copies)| (record, copies)).collect()
    }

    /// Per process, on how many routes each record comes to it.
    fn count_routes(&self) -> Result<Vec<BTreeMap<Record, u16>>, Unfit> {
        let mut arrivals = vec![BTreeMap::<Record, u16>::new(); self.topology.process_count()];
        for process in self.upstream_first()? {
            let passed = self.passed_on(process, &arrivals[process.index()]);
            for (record, copies) in passed {
                for channel in self.routes(process, record.number) {
                    let target = self.topology.channel(channel).target;
                    let there = arrivals[target.index()].entry(record).or_default();
                    *there += copies;
                    // A process passes on no more than may come to it, so that the sum is not too large.
                    if arrivals[target.index()].values().map(|&n| u32::from(n)).sum::<u32>()
                        > u32::from(MAX_ARRIVALS)
                    {
                        return Err(Unfit::TooManyArrivals(target));
                    }
                }
            }
        }
        Ok(arrivals)
    }

    /// The sources, then every other process after those from which records come to it.
    fn upstream_first(&self) -> Result<Vec<ProcessId>, Unfit> {
        let mut ordered = self.sources.iter().copied().collect_vec();
        loop {
            let placed = |c: &ChannelId| ordered.contains(&self.topology.channel(*c).source);
            let ready =
                |p: &ProcessId| !ordered.contains(p) && self.topology.inputs(*p).iter().all(placed);
            match self.topology.processes().find(ready) {
                Some(process) => ordered.push(process),
                None => break,
            }
        }
        // Each of the others has an input from another: going back along these leads to a cycle.
        let left = |p: &ProcessId| !ordered.contains(p);
        let Some(mut process) = self.topology.processes().find(left) else { return Ok(ordered) };
        for _ in self.topology.processes() {
            let inputs = self.topology.inputs(process).iter();
            let mut before = inputs.map(|&input| self.topology.channel(input).source);
            process = before.find(left).unwrap_or(process);
        }
        Err(Unfit::Circles(process))
    }

    fn words(&self, record: Record) -> String {
        format!("record {} of {}", record.number, self.topology.name(record.source))
    }
}

impl Application for Stream {
    type State = Operator;
    type Message = Record;
    type Action = Emit;

    fn traits(&self) -> Traits {
        Traits { counts_effects: true, ..Traits::default() }
    }

    fn start(&self, _: ProcessId) -> Operator {
        Operator::default()
    }

    fn enabled(&self, process: ProcessId, state: &Operator) -> Vec<Emit> {
        let emits = self.sources.contains(&process) && state.offset < self.records;
        emits.then_some(Emit { number: state.offset + 1 }).into_iter().collect()
    }

    /// All copies of a record leave in one step.
    fn act(
        &self,
        process: ProcessId,
        state: &mut Operator,
        &Emit { number }: &Emit,
        sends: &mut Sends<Record>,
    ) {
        state.offset = number;
        self.send(process, Record { source: process, number }, sends);
    }

    fn receive(
        &self,
        process: ProcessId,
        state: &mut Operator,
        _: ChannelId,
        &record: &Record,
        sends: &mut Sends<Record>,
    ) {
        *state.applied.entry(record).or_default() += 1;
        if !self.sources.contains(&process) {
            self.send(process, record, sends);
        }
    }

    /// A record passes through no process twice on one route.
    fn always_ends(&self) -> bool {
        true
    }

    /// A source sends what it has yet to emit; any other process whatever it may yet receive.
    fn may_send(&self, process: ProcessId, state: &Operator, channel: ChannelId) -> bool {
        let first = if self.sources.contains(&process) { state.offset + 1 } else { 1 };
        (first..=self.records).any(|number| self.routes(process, number).contains(&channel))
    }

    /// Interchanged processes must both be sources or both not, and send every record on interchanged
    /// channels: the keys of a hash tell its channels apart.
    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        let routes = |process, number| self.routes(process, number).collect::<BTreeSet<_>>();
        self.sources.renamed(renaming) == self.sources
            && self.topology.processes().all(|process| {
                let image = renaming.process(process);
                (1..=self.records).all(|number| {
                    routes(process, number).renamed(renaming) == routes(image, number)
                })
            })
    }

    fn effects(&self, _: ProcessId, state: &Operator) -> BTreeMap<Record, u16> {
        state.applied.clone()
    }

    fn expected_effects(&self, process: ProcessId) -> BTreeMap<Record, u16> {
        self.expected[process.index()].clone()
    }

    /// Those that forward nothing.
    fn is_sink(&self, process: ProcessId) -> bool {
        let has_inputs = !self.topology.inputs(process).is_empty();
        self.topology.outputs(process).is_empty() || (self.sources.contains(&process) && has_inputs)
    }

    fn record_of(&self, &record: &Record) -> Option<Record> {
        Some(record)
    }

    fn describe_state(&self, process: ProcessId, state: &Operator) -> String {
        let emits = self.sources.contains(&process);
        let offset = emits.then(|| format!("offset {}", state.offset));
        let applied = state.applied.iter().map(|(&record, &times)| match times {
            1 => format!("applied {}", self.words(record)),
            _ => format!("applied {} {times} times", self.words(record)),
        });
        offset.into_iter().chain(applied).join(", ")
    }

    fn describe_message(&self, &record: &Record) -> String {
        self.words(record)
    }

    /// The first copy is told as sent, the others as what else happens in the step.
    fn describe_action(&self, process: ProcessId, &Emit { number }: &Emit) -> ActionWords {
        let message = self.words(Record { source: process, number });
        match self.routes(process, number).next() {
            Some(channel) => ActionWords::Send { channel, message },
            None => ActionWords::Internal(format!("emits {message} to nobody")),
        }
    }
}
