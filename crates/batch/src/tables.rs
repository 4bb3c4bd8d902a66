//! The tables of a batch: what goes in and comes out, with a row for each world.

use crate::rows::Rows;
use kinetree_model::StepError;

/// All tables.
///
/// Invariant: they keep their memory as long as the batch lives (see [`Rows`]), all but the copies.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) states: Rows,
    pub(crate) controls: Rows,
    pub(crate) sensors: Rows,
    pub(crate) outputs: Rows,
    pub(crate) observations: Rows,
    pub(crate) metrics: Rows,
    /// Observations once more, for the caller to take away; without columns unless they are asked for.
    pub(crate) copies: Rows,
    pub(crate) rewards: Box<[f64]>,
    pub(crate) terminated: Box<[bool]>,
    pub(crate) truncated: Box<[bool]>,
    pub(crate) errors: Box<[Option<StepError>]>,
}

/// Numbers in the rows of each table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    pub(crate) states: usize,
    pub(crate) controls: usize,
    pub(crate) sensors: usize,
    pub(crate) outputs: usize,
    pub(crate) observations: usize,
    pub(crate) metrics: usize,
}

/// Where a world finds its inputs and leaves its results.
pub(crate) struct WorldRows<'a> {
    pub(crate) state: &'a mut [f64],
    pub(crate) control: &'a [f64],
    pub(crate) sensors: &'a mut [f64],
    pub(crate) outputs: &'a mut [f64],
    pub(crate) observation: &'a mut [f64],
    pub(crate) copy: &'a mut [f64],
    pub(crate) metrics: &'a mut [f64],
    pub(crate) reward: &'a mut f64,
    pub(crate) terminated: &'a mut bool,
    pub(crate) truncated: &'a mut bool,
    pub(crate) error: &'a mut Option<StepError>,
}

impl Tables {
    pub(crate) fn new(worlds: usize, columns: Columns) -> Self {
        Self {
            states: Rows::new(worlds, columns.states),
            controls: Rows::new(worlds, columns.controls),
            sensors: Rows::new(worlds, columns.sensors),
            outputs: Rows::new(worlds, columns.outputs),
            observations: Rows::new(worlds, columns.observations),
            metrics: Rows::new(worlds, columns.metrics),
            copies: Rows::new(worlds, 0),
            rewards: vec![0.0; worlds].into(),
            terminated: vec![false; worlds].into(),
            truncated: vec![false; worlds].into(),
            errors: vec![None; worlds].into(),
        }
    }

    /// The rows of so many worlds after the other.
    pub(crate) fn chunks_mut(&mut self, worlds: usize) -> impl ExactSizeIterator<Item = ChunkRows<'_>> {
        let Self { states, controls, sensors, outputs, observations, metrics, copies, .. } = self;
        let columns =
            [&*states, controls, sensors, outputs, observations, metrics, copies].map(Rows::columns);
        let inputs = states.chunks_mut(worlds).zip(controls.chunks_mut(worlds));
        let shown = sensors.chunks_mut(worlds).zip(outputs.chunks_mut(worlds));
        let observed = observations.chunks_mut(worlds).zip(copies.chunks_mut(worlds));
        let told = observed.zip(metrics.chunks_mut(worlds));
        let ends = self.terminated.chunks_mut(worlds).zip(self.truncated.chunks_mut(worlds));
        let results = self.rewards.chunks_mut(worlds).zip(ends).zip(self.errors.chunks_mut(worlds));
        inputs.zip(shown).zip(told).zip(results).map(move |(((inputs, shown), told), results)| {
            let ((states, controls), (sensors, outputs)) = (inputs, shown);
            let ((observations, copies), metrics) = told;
            let ((rewards, (terminated, truncated)), errors) = results;
            let rows = [states, controls, sensors, outputs, observations, metrics, copies];
            ChunkRows { rows, columns, results: (rewards, terminated, truncated, errors) }
        })
    }
}

/// Rows of the worlds of a chunk.
pub(crate) struct ChunkRows<'a> {
    /// States, controls, sensors, outputs, observations, metrics, copies.
    rows: [&'a mut [f64]; 7],
    columns: [usize; 7],
    /// Rewards, ends of episodes, failures.
    results: (&'a mut [f64], &'a mut [bool], &'a mut [bool], &'a mut [Option<StepError>]),
}

impl<'a> ChunkRows<'a> {
    /// Rows of each world.
    pub(crate) fn each(self) -> impl Iterator<Item = WorldRows<'a>> {
        let [states, controls, sensors, outputs, observations, metrics, copies] = self.rows;
        let (rewards, terminated, truncated, errors) = self.results;
        let columns = self.columns;
        let inputs = Rows::rows_of(states, columns[0]).zip(Rows::rows_of(controls, columns[1]));
        let shown = Rows::rows_of(sensors, columns[2]).zip(Rows::rows_of(outputs, columns[3]));
        let observed = Rows::rows_of(observations, columns[4]).zip(Rows::rows_of(copies, columns[6]));
        let told = observed.zip(Rows::rows_of(metrics, columns[5]));
        let results = rewards.iter_mut().zip(terminated).zip(truncated.iter_mut().zip(errors));
        inputs.zip(shown).zip(told).zip(results).map(|(((inputs, shown), told), results)| {
            let ((state, control), (sensors, outputs), ((observation, copy), metrics)) =
                (inputs, shown, told);
            let ((reward, terminated), (truncated, error)) = results;
            WorldRows {
                state,
                control,
                sensors,
                outputs,
                observation,
                copy,
                metrics,
                reward,
                terminated,
                truncated,
                error,
            }
        })
    }
}
