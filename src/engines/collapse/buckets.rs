//! A set of numbers of a fixed length in bits, exact and dense: about four bytes a number.
//!
//! The numbers are mixed already. Their upper bits choose a bucket of one cache line, so that only the
//! others, the remainder, need be stored. When the buckets double, each divides into
//! two neighbours: growth streams through memory once, and uses the old memory again as it goes. What
//! finds its bucket full goes to a stash.

use std::cell::RefCell;

use hashbrown::HashSet;

use super::bucket::{Bucket, Entry};
use super::cause::Cause;
use super::key::Key;
use super::prefetch::prefetch;

/// Buckets are held in chunks, so that the old ones can be used again one by one.
const CHUNK_LOG: u32 = 12;

type Chunk<E, const SLOTS: usize> = Vec<Bucket<E, SLOTS>>;

/// Chunks of full size that hold nothing: fresh memory costs more than looking a state up.
type Spare = Vec<Chunk<u32, 16>>;

/// A chunk to be filled.
fn chunk_from(spare: &mut Spare, log: u32) -> Chunk<u32, 16> {
    let chunk = if log < CHUNK_LOG { None } else { spare.pop() };
    chunk.unwrap_or_else(|| Vec::with_capacity(1 << log.min(CHUNK_LOG)))
}

fn put_back(spare: &mut Spare, mut chunk: Chunk<u32, 16>) {
    if chunk.len() == 1 << CHUNK_LOG {
        chunk.clear();
        spare.push(chunk);
    }
}

struct Buckets<E, const SLOTS: usize> {
    chunks: Vec<Chunk<E, SLOTS>>,
    /// How many bits choose the bucket.
    log: u32,
    /// How many bits are left.
    rest: u32,
}

impl<E: Entry, const SLOTS: usize> Buckets<E, SLOTS> {
    fn new(bits: u32, log: u32, mut room: impl FnMut() -> Chunk<E, SLOTS>) -> Self {
        let mut chunk = || {
            let mut chunk = room();
            chunk.resize(1 << log.min(CHUNK_LOG), Bucket::empty());
            chunk
        };
        let chunks = (0..1_usize << log.saturating_sub(CHUNK_LOG)).map(|_| chunk());
        Self { chunks: chunks.collect(), log, rest: bits - log }
    }

    #[inline]
    fn place(&self, mixed: u64) -> (usize, usize) {
        let bucket = (mixed >> self.rest) as usize;
        (bucket >> CHUNK_LOG, bucket & ((1 << CHUNK_LOG) - 1))
    }

    #[inline]
    fn prefetch(&self, mixed: u64) {
        let (chunk, bucket) = self.place(mixed);
        prefetch(&self.chunks[chunk][bucket]);
    }

    #[inline]
    fn insert(&mut self, mixed: u64) -> Option<bool> {
        let (chunk, bucket) = self.place(mixed);
        let remainder = mixed & ((1 << self.rest) - 1);
        self.chunks[chunk][bucket].insert(E::of(remainder))
    }

    /// The same numbers in buckets of another kind, chosen by `log` bits: as many as now or one more.
    /// These are in chunks that `room` gives; the old ones go to `done`, each before the next is read.
    fn regrown<F: Entry, const MORE: usize>(
        self,
        log: u32,
        room: impl Fn() -> Chunk<F, MORE>,
        done: impl Fn(Chunk<E, SLOTS>),
    ) -> Buckets<F, MORE> {
        let split = log - self.log;
        let rest = self.rest - split;
        let size = 1 << log.min(CHUNK_LOG);
        let mut chunks = Vec::new();
        let mut chunk = Vec::new();
        for old in self.chunks {
            for bucket in &old {
                if chunk.capacity() == 0 {
                    chunk = room();
                }
                let mut halves = [Bucket::empty(); 2];
                for remainder in bucket.remainders() {
                    let half = &mut halves[(remainder >> rest) as usize];
                    let added = half.insert(F::of(remainder & ((1 << rest) - 1)));
                    debug_assert_eq!(added, Some(true), "a part of a bucket has room in another");
                }
                chunk.extend_from_slice(&halves[..1 << split]);
                if chunk.len() == size {
                    chunks.push(std::mem::take(&mut chunk));
                }
            }
            done(old);
        }
        Buckets { chunks, log, rest }
    }

    fn clear(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| chunk.fill(Bucket::empty()));
    }

    fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let buckets = self.chunks.iter().flatten().zip(0_u64..);
        let rest = self.rest;
        buckets.flat_map(move |(bucket, index)| {
            let remainders = bucket.remainders();
            remainders.map(move |remainder| index << rest | remainder)
        })
    }
}

/// Entries of half the length fit where enough bits choose the bucket.
enum Table {
    Short(Buckets<u32, 16>),
    Long(Buckets<u64, 8>),
}

impl Table {
    fn shape(&self) -> Shape {
        match self {
            Self::Short(buckets) => Shape::Short(buckets.log),
            Self::Long(buckets) => Shape::Long(buckets.log),
        }
    }
}

/// Stands in for a table while it is replaced.
const HOLLOW: Table = Table::Short(Buckets { chunks: Vec::new(), log: 0, rest: 0 });

/// The kind of a table's entries, and how many bits choose the bucket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Short(u32),
    Long(u32),
}

impl Shape {
    /// The least shape with room for `expected` numbers.
    fn fitting(bits: u32, expected: usize) -> Self {
        let least = |shape: fn(u32) -> Self| {
            let roomy = |&log: &u32| shape(log).room() >= expected + BATCH;
            (FIRST_LOG..bits).find(roomy).unwrap_or(bits)
        };
        let short = least(Self::Short);
        if bits - short <= <u32 as Entry>::BITS {
            Self::Short(short)
        } else {
            Self::Long(least(Self::Long))
        }
    }

    fn log(self) -> u32 {
        match self {
            Self::Short(log) | Self::Long(log) => log,
        }
    }

    /// How many numbers it holds before it is grown: beyond, too many buckets are full.
    fn room(self) -> usize {
        let slots = match self {
            Self::Short(log) => 16 << log,
            Self::Long(log) => 8 << log,
        };
        slots / 64 * FULL
    }
}

/// See the [module](self).
pub(super) struct BucketSet {
    bits: u32,
    table: Table,
    spare: Spare,
    stash: HashSet<u64>,
    len: usize,
}

/// Numbers whose cache lines are loaded together.
const BATCH: usize = 64;

/// Batches that are fetched ahead.
const AHEAD: usize = 2;

/// A table is grown before more than FULL slots of 64 are filled.
const FULL: usize = 44;

/// A table is used again for a set for which it is so many times too large, since fresh memory is slow.
const MOST_SPARSE: usize = 4;

const FIRST_LOG: u32 = 6;

impl BucketSet {
    /// A set of numbers of so many bits, at most 64, with room for about `expected` of them.
    pub(super) fn new(bits: u32, expected: usize) -> Self {
        Self {
            bits,
            table: Self::table(bits, Shape::fitting(bits, expected), &mut Vec::new()),
            spare: Vec::new(),
            stash: HashSet::new(),
            len: 0,
        }
    }

    fn table(bits: u32, shape: Shape, spare: &mut Spare) -> Table {
        match shape {
            Shape::Short(log) => Table::Short(Buckets::new(bits, log, || chunk_from(spare, log))),
            Shape::Long(log) => Table::Long(Buckets::new(bits, log, Vec::new)),
        }
    }

    /// Adds states, each a number, with their causes; shows those that are new to `fresh`, in order.
    pub(super) fn insert<const WORDS: usize>(
        &mut self,
        keys: &[Key<WORDS>],
        causes: &[Cause],
        mut fresh: impl FnMut(&[Key<WORDS>], &[Cause]),
    ) {
        let mut new = ([Key::ZERO; BATCH], [Cause::OTHER; BATCH]);
        let batches = keys.chunks(BATCH).zip(causes.chunks(BATCH));
        let mut ahead = keys.chunks(BATCH);
        for _ in 0..AHEAD {
            self.prefetch(ahead.next().unwrap_or_default());
        }
        for batch in batches {
            // While a batch is looked up, the buckets of those after are fetched.
            self.prefetch(ahead.next().unwrap_or_default());
            self.reserve(batch.0.len());
            let count = match &mut self.table {
                Table::Short(buckets) => insert(buckets, &mut self.stash, batch, &mut new),
                Table::Long(buckets) => insert(buckets, &mut self.stash, batch, &mut new),
            };
            self.len += count;
            fresh(&new.0[..count], &new.1[..count]);
        }
    }

    #[inline]
    fn prefetch<const WORDS: usize>(&self, keys: &[Key<WORDS>]) {
        match &self.table {
            Table::Short(buckets) => keys.iter().for_each(|key| buckets.prefetch(key.0[0])),
            Table::Long(buckets) => keys.iter().for_each(|key| buckets.prefetch(key.0[0])),
        }
    }

    fn reserve(&mut self, more: usize) {
        while self.len + more > self.table.shape().room() && self.table.shape().log() < self.bits {
            self.grow();
        }
    }

    fn grow(&mut self) {
        // Both ends of growth use it.
        let spare = RefCell::new(std::mem::take(&mut self.spare));
        let room = |log| chunk_from(&mut spare.borrow_mut(), log);
        self.table = match std::mem::replace(&mut self.table, HOLLOW) {
            Table::Short(buckets) => {
                let log = buckets.log + 1;
                let done = |chunk| put_back(&mut spare.borrow_mut(), chunk);
                Table::Short(buckets.regrown(log, || room(log), done))
            }
            Table::Long(buckets) if buckets.rest <= <u32 as Entry>::BITS => {
                // A bucket holds twice as many short entries: there is more room already.
                let log = buckets.log;
                Table::Short(buckets.regrown(log, || room(log), drop))
            }
            Table::Long(buckets) => {
                let log = buckets.log + 1;
                let size = 1 << log.min(CHUNK_LOG);
                Table::Long(buckets.regrown(log, || Vec::with_capacity(size), drop))
            }
        };
        self.spare = spare.into_inner();
        for mixed in std::mem::take(&mut self.stash) {
            let added = match &mut self.table {
                Table::Short(buckets) => buckets.insert(mixed),
                Table::Long(buckets) => buckets.insert(mixed),
            };
            if added.is_none() {
                self.stash.insert(mixed);
            }
        }
    }

    /// Forgets every number, and makes room for about `expected`.
    pub(super) fn reset(&mut self, expected: usize) {
        let wanted = Shape::fitting(self.bits, expected);
        let roomy = wanted.room()..=MOST_SPARSE * wanted.room();
        match &mut self.table {
            table if !roomy.contains(&table.shape().room()) => {
                if let Table::Short(old) = std::mem::replace(table, HOLLOW) {
                    old.chunks.into_iter().for_each(|chunk| put_back(&mut self.spare, chunk));
                }
                self.table = Self::table(self.bits, wanted, &mut self.spare);
            }
            Table::Short(buckets) => buckets.clear(),
            Table::Long(buckets) => buckets.clear(),
        }
        self.stash.clear();
        self.len = 0;
    }

    /// Every number, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let (short, long) = match &self.table {
            Table::Short(buckets) => (Some(buckets.iter()), None),
            Table::Long(buckets) => (None, Some(buckets.iter())),
        };
        let mixed = short.into_iter().flatten().chain(long.into_iter().flatten());
        mixed.chain(self.stash.iter().copied())
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        let spare = self.spare.len() * (size_of::<Bucket<u32, 16>>() << CHUNK_LOG);
        (size_of::<Bucket<u32, 16>>() << self.table.shape().log())
            + spare
            + self.stash.capacity() * size_of::<u64>()
    }
}

/// Adds a batch, puts those that are new into `fresh`, and counts them.
#[inline]
fn insert<E: Entry, const SLOTS: usize, const WORDS: usize>(
    buckets: &mut Buckets<E, SLOTS>,
    stash: &mut HashSet<u64>,
    (keys, causes): (&[Key<WORDS>], &[Cause]),
    fresh: &mut ([Key<WORDS>; BATCH], [Cause; BATCH]),
) -> usize {
    let mut added = 0;
    for (&key, &cause) in keys.iter().zip(causes) {
        // Written in any case, since which are new cannot be predicted; fewer than a batch are.
        fresh.0[added % BATCH] = key;
        fresh.1[added % BATCH] = cause;
        let new = buckets.insert(key.0[0]).unwrap_or_else(|| stash.insert(key.0[0]));
        added += usize::from(new);
    }
    added
}
