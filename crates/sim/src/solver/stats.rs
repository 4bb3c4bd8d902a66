//! Solver statistics: one record per iteration and island, for the first islands and iterations.

use kinetree_model::SolverStat;
use kinetree_model::consts::{NISLAND, NSOLVER};

/// Where the records of one island go.
pub(crate) struct IterationLog<'a> {
    records: &'a mut Vec<SolverStat>,
    island: usize,
    first: i32,
}

impl<'a> IterationLog<'a> {
    /// The log of `island`, whose next iteration is number `first`.
    pub(super) fn new(records: &'a mut Vec<SolverStat>, island: usize, first: i32) -> Self {
        Self { records, island, first }
    }

    /// Keeps the record of an iteration.
    pub(super) fn record(&mut self, iteration: i32, stat: SolverStat) {
        let iteration = (iteration + self.first) as usize;
        if self.island >= NISLAND || iteration >= NSOLVER {
            return;
        }
        let end = (self.island + 1) * NSOLVER;
        if self.records.len() < end {
            self.records.resize(end, SolverStat::default());
        }
        self.records[self.island * NSOLVER + iteration] = stat;
    }

    /// Adds to the record of an iteration how many rows the factor took in or gave up after it.
    pub(super) fn set_updates(&mut self, iteration: i32, updates: i32) {
        let iteration = (iteration + self.first) as usize;
        if self.island < NISLAND && iteration < NSOLVER {
            self.records[self.island * NSOLVER + iteration].nupdate = updates;
        }
    }
}
