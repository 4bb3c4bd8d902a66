//! The worlds of a batch on the processor: chunks that threads take, and take from each other.

use crate::error::BatchError;
use crate::lockstep::{Group, Memory, advance_one};
use crate::tables::{Tables, WorldRows};
use crate::threads::{Helpers, Stop, Watch};
use crate::variation::Variation;
use crate::world::{Setup, Steps, World};
use kinetree_model::{Model, checkpoint, is_interrupted};
use kinetree_sim::{LOCKSTEP_WORLDS, Lockstep};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Chunks that each thread has on average, and most worlds of a chunk. When one thread takes the last chunk,
/// the others wait for half of it on average, one in sixty of their time, unless the last steps of chunks are
/// left for the end.
const CHUNKS: (usize, usize) = (32, 16);
/// The same when fields vary: each chunk has a copy of the model then.
const VARIED_CHUNKS: (usize, usize) = (8, 32);
/// Worlds for each thread from which on they step four at a time: with fewer, threads would wait for each
/// other.
const LOCKSTEP_SHARE: usize = 2 * LOCKSTEP_WORLDS;

/// Worlds, their models, and the threads that step them.
pub(crate) struct Pool {
    pub(crate) models: Vec<Arc<Model>>,
    /// Model of each world; empty when there is one for all.
    model_of: Vec<usize>,
    pub(crate) chunks: Vec<Chunk>,
    chunk_size: usize,
    /// Whether worlds step four at a time where that is possible.
    pub(crate) lockstep: bool,
    pub(crate) count: usize,
    pub(crate) variations: Vec<Variation>,
    pub(crate) helpers: Helpers,
    /// One for each thread.
    memories: Vec<Mutex<Memory>>,
}

/// Worlds that follow each other.
pub(crate) struct Chunk {
    pub(crate) worlds: Vec<World>,
    /// A model whose varied fields are set before each world's step; none when nothing varies.
    varied: Option<Box<Model>>,
}

impl Pool {
    /// So many worlds of these models, in chunks; `make` makes a world of a model by its number.
    pub(crate) fn new(
        models: Vec<Arc<Model>>,
        model_of: Vec<usize>,
        count: usize,
        make: impl Fn(&Model, usize) -> World,
    ) -> Self {
        let mut pool = Self {
            models,
            model_of,
            chunks: Vec::new(),
            chunk_size: 1,
            lockstep: true,
            count,
            variations: Vec::new(),
            helpers: Helpers::Shared,
            memories: Vec::new(),
        };
        let worlds = (0..count).inspect(|_| checkpoint()).map(|i| make(pool.model(i), i)).collect();
        pool.divide(worlds);
        pool
    }

    /// Model of a world, without its varied fields.
    pub(crate) fn model(&self, world: usize) -> &Arc<Model> {
        &self.models[self.model_of.get(world).copied().unwrap_or(0)]
    }

    /// Divides worlds into chunks for the threads that there are.
    fn divide(&mut self, worlds: Vec<World>) {
        let model = self.models.first().filter(|_| !self.variations.is_empty());
        let (for_thread, largest) = if model.is_some() { VARIED_CHUNKS } else { CHUNKS };
        let pieces = if self.threads() == 1 { 1 } else { self.threads() * for_thread };
        self.chunk_size = self.count.div_ceil(pieces).clamp(1, largest);
        if self.lockstep && self.models.len() == 1 && self.count >= self.threads() * LOCKSTEP_SHARE {
            self.chunk_size = self.chunk_size.next_multiple_of(LOCKSTEP_WORLDS);
        }
        self.memories.resize_with(self.threads(), Mutex::default);
        let mut worlds = worlds.into_iter();
        self.chunks.clear();
        for _ in 0..self.count.div_ceil(self.chunk_size) {
            let worlds: Vec<_> = worlds.by_ref().take(self.chunk_size).collect();
            let varied = model.map(|model| Box::new(Model::clone(model)));
            self.chunks.push(Chunk { worlds, varied });
        }
    }

    /// Divides the worlds anew, for other threads or other variations.
    pub(crate) fn divide_again(&mut self) {
        let worlds = self.chunks.drain(..).flat_map(|chunk| chunk.worlds).collect();
        self.divide(worlds);
    }

    /// Number of threads that step worlds.
    fn threads(&self) -> usize {
        self.helpers.count() + 1
    }

    /// Chunk of a world, and its index there.
    ///
    /// # Errors
    /// When there is no such world.
    pub(crate) fn locate(&self, world: usize) -> Result<(usize, usize), BatchError> {
        if world >= self.count {
            return Err(BatchError::World { index: world, count: self.count });
        }
        Ok((world / self.chunk_size, world % self.chunk_size))
    }

    /// All worlds, in order.
    pub(crate) fn worlds(&self) -> impl Iterator<Item = &World> {
        self.chunks.iter().flat_map(|chunk| &chunk.worlds)
    }

    /// All worlds, in order.
    pub(crate) fn worlds_mut(&mut self) -> impl Iterator<Item = &mut World> {
        self.chunks.iter_mut().flat_map(|chunk| &mut chunk.worlds)
    }

    /// Makes steps of all worlds; those whose entry in `fresh` is true begin an episode with the state in the
    /// table instead.
    pub(crate) fn advance(
        &mut self,
        (tables, setup): (&mut Tables, &Setup),
        count: usize,
        fresh: &[bool],
        watch: Option<&Watch<'_>>,
    ) {
        if !self.steps_in_lockstep() {
            let all = |_| true;
            return self.each_watched((tables, setup), watch, all, |i, world, rows, (model, setup), stop| {
                let steps = Steps { count, stop };
                advance_one(world, fresh.get(i) == Some(&true), steps, model, setup, rows);
            });
        }
        let Self { models, chunks, helpers, memories, chunk_size: size, .. } = self;
        let (size, model) = (*size, &*models[0]);
        let all = chunks.iter_mut().zip(tables.chunks_mut(size)).enumerate();
        helpers.share_in_two(
            all,
            watch,
            memories,
            |memory, (c, (chunk, rows)), leaves, stop| {
                let fresh = fresh.get(c * size..).unwrap_or_default();
                let group = Group { count, model, setup, fresh };
                group.advance(memory, &mut chunk.worlds, rows.each(), leaves, stop)
            },
            |memory, four, stop| four.resume(memory, stop),
        );
    }

    /// Whether worlds step four at a time: those of one model, without fields that vary.
    fn steps_in_lockstep(&self) -> bool {
        self.lockstep
            && self.chunk_size >= LOCKSTEP_WORLDS
            && self.models.len() == 1
            && self.variations.is_empty()
            && Lockstep::supports(&self.models[0])
    }

    /// Calls a function for each world, with its rows of the tables, on all threads.
    pub(crate) fn each(
        &mut self,
        shown: (&mut Tables, &Setup),
        work: impl Fn(usize, &mut World, &mut WorldRows<'_>, (&Model, &Setup)) + Sync,
    ) {
        self.each_where(shown, |_| true, work);
    }

    /// The same for the selected worlds. Where all are in one chunk, no thread is woken. Worlds whose turn
    /// has not come when the caller is interrupted stay as they are.
    pub(crate) fn each_where(
        &mut self,
        shown: (&mut Tables, &Setup),
        is_selected: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut World, &mut WorldRows<'_>, (&Model, &Setup)) + Sync,
    ) {
        let go_on = || !is_interrupted();
        let watch = Watch::new(Duration::from_millis(1), &go_on);
        self.each_watched(shown, Some(&watch), is_selected, |i, world, rows, common, stop| {
            if !stop.is_asked() {
                work(i, world, rows, common);
            }
        });
    }

    /// The same, with what tells when to stop.
    fn each_watched(
        &mut self,
        (tables, setup): (&mut Tables, &Setup),
        watch: Option<&Watch<'_>>,
        is_selected: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut World, &mut WorldRows<'_>, (&Model, &Setup), Stop<'_>) + Sync,
    ) {
        let lends = self.steps_in_lockstep();
        let Self { models, model_of, chunks, variations, helpers, memories, .. } = self;
        let size = self.chunk_size;
        let all = chunks.iter_mut().zip(tables.chunks_mut(size)).enumerate();
        let selected = all.filter(|(c, (chunk, _))| (c * size..).take(chunk.worlds.len()).any(&is_selected));
        helpers.share(selected, watch, memories, |memory, (c, (chunk, rows)), stop| {
            let worlds = (c * size..).zip(&mut chunk.worlds).zip(rows.each());
            for ((i, world), mut rows) in worlds.filter(|((i, _), _)| is_selected(*i)) {
                let model = match &mut chunk.varied {
                    Some(model) => {
                        variations.iter().for_each(|variation| variation.apply(i, model));
                        &**model
                    }
                    None => &*models[model_of.get(i).copied().unwrap_or(0)],
                };
                if lends {
                    memory.lend(world, |world| work(i, world, &mut rows, (model, setup), stop));
                } else {
                    work(i, world, &mut rows, (model, setup), stop);
                }
            }
        });
    }
}
