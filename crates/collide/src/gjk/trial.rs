//! One test for distance or depth: GJK, and EPA if that finds the origin inside.
//!
//! Each step of a test waits for the one before it through a long chain of roots and divisions, while most of the processor idles. Tests
//! that do not depend on each other are therefore advanced by turns.

use super::epa::{self, Expansion, Progress};
use super::polytope::Polytope;
use super::search::{Next, Query, Search};
use super::seed::seed;
use super::support::Pair;

/// State and outcome of a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    pub(crate) search: Search,
    pub(crate) polytope: Polytope,
    /// The face of the polytope that holds the contact, if EPA found one.
    pub(crate) face: Option<usize>,
    expansion: Expansion,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Search(Next),
    Expansion,
    Done,
}

impl Default for Stage {
    fn default() -> Self {
        Self::Done
    }
}

impl Trial {
    /// Test a pair.
    pub(crate) fn run(&mut self, pair: &mut Pair, query: &Query) {
        self.search.run(pair, query);
        self.end_search(pair, query);
        while self.stage != Stage::Done {
            self.expand(pair, query);
        }
    }

    /// Make ready for a pair.
    pub(crate) fn begin(&mut self, pair: &Pair, query: &Query) {
        self.stage = Stage::Search(self.search.begin(pair, query));
    }

    /// Do one step for the same pair as before; `false` once the test is over.
    pub(crate) fn advance(&mut self, pair: &mut Pair, query: &Query) -> bool {
        match self.stage {
            Stage::Search(next) => match self.search.advance(next, pair, query) {
                Next::Done => self.end_search(pair, query),
                next => self.stage = Stage::Search(next),
            },
            Stage::Expansion => self.expand(pair, query),
            Stage::Done => {}
        }
        self.stage != Stage::Done
    }

    /// Go on with EPA if the shapes overlap.
    fn end_search(&mut self, pair: &mut Pair, query: &Query) {
        let Self { search, polytope, .. } = self;
        self.stage = Stage::Done;
        self.face = None;
        if search.dist <= query.tolerance && search.size > 1 {
            search.dist = 0.0;
            if seed(polytope, search, pair, query.max_iterations.min(epa::MAX_ITERATIONS)) {
                self.expansion = Expansion::new();
                self.stage = Stage::Expansion;
            }
        }
    }

    fn expand(&mut self, pair: &mut Pair, query: &Query) {
        match self.expansion.advance(&mut self.polytope, pair, query) {
            Progress::Continues => return,
            Progress::Found(face) => {
                self.face = Some(face);
                epa::store_witness(&self.polytope, face, &mut self.search);
            }
            Progress::Failed => {
                self.search.has_witness = false;
                self.search.dist = 0.0;
            }
        }
        self.stage = Stage::Done;
    }
}
