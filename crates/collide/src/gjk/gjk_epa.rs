//! Signed distance of a pair: GJK, and EPA where that finds the origin inside the Minkowski difference.
//!
//! Support points can be asked for one at a time, so that those of several pairs are computed together in
//! SIMD lanes.

use super::epa::{self, Expansion};
use super::initial_polytope::make_initial_polytope;
use super::polytope::Polytope;
use super::search::{Next, Query, Search};
use super::support::{Pair, Supports, Vertex};
use super::vec::{Point, V3};

/// State and outcome of both searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct GjkEpa {
    pub(crate) search: Search,
    pub(crate) polytope: Polytope,
    /// The face of the polytope that holds the contact, if EPA found one.
    pub(crate) face: Option<usize>,
    /// What became of EPA.
    pub(crate) outcome: EpaOutcome,
    expansion: Expansion,
    stage: Stage,
}

/// What became of EPA in a search for a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EpaOutcome {
    /// It was not needed: the shapes are separated.
    #[default]
    NotRun,
    /// It ran from a polytope around the origin.
    Ran,
    /// There was no polytope around the origin: the shapes touch. The simplex had so many vertices.
    NoPolytope(usize),
}

/// What the next support point is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    Search(Next),
    Expansion,
    #[default]
    Done,
}

impl GjkEpa {
    /// Search one pair to the end.
    pub(crate) fn run(&mut self, pair: &mut Pair, query: &Query) {
        self.search.run(pair, query);
        if self.overlaps(pair, query) {
            let discrete = pair.is_discrete();
            while let Some(dir) = self.expansion.next_direction(&self.polytope, query) {
                let vertex = pair.support(dir);
                if !self.expansion.add_support(&vertex, &mut self.polytope, discrete, query) {
                    break;
                }
            }
            self.end_expansion();
        }
    }

    /// Start on shapes of which one at least has infinitely many vertices. `dir` becomes the direction of the
    /// first support point; `false` if none is needed.
    #[inline]
    pub(crate) fn begin(
        &mut self,
        centers: [V3; 2],
        pair: &mut impl Supports,
        query: &Query,
        dir: &mut Point,
    ) -> bool {
        self.stage = Stage::Search(self.search.begin(centers, false, query));
        self.next_direction(pair, query, dir)
    }

    /// Add a support point. `dir` becomes the direction of the next one; `false` once both searches are over.
    pub(crate) fn advance(
        &mut self,
        vertex: &Vertex,
        pair: &mut impl Supports,
        query: &Query,
        dir: &mut Point,
    ) -> bool {
        match self.stage {
            Stage::Search(next) => self.stage = Stage::Search(self.search.add_support(vertex, next, query)),
            Stage::Expansion => {
                if !self.expansion.add_support(vertex, &mut self.polytope, false, query) {
                    self.end_expansion();
                }
            }
            Stage::Done => {}
        }
        self.next_direction(pair, query, dir)
    }

    fn next_direction(&mut self, pair: &mut impl Supports, query: &Query, dir: &mut Point) -> bool {
        if let Stage::Search(mut next) = self.stage {
            if let Some(towards) = self.search.next_direction(&mut next, query) {
                self.stage = Stage::Search(next);
                *dir = towards;
                return true;
            }
            self.stage = if self.overlaps(pair, query) { Stage::Expansion } else { Stage::Done };
        }
        if self.stage == Stage::Expansion {
            if let Some(outwards) = self.expansion.next_direction(&self.polytope, query) {
                *dir = outwards;
                return true;
            }
            self.end_expansion();
        }
        false
    }

    /// Make ready for EPA if GJK found an overlap.
    fn overlaps(&mut self, pair: &mut impl Supports, query: &Query) -> bool {
        let Self { search, polytope, .. } = self;
        self.face = None;
        self.outcome = EpaOutcome::NotRun;
        self.expansion = Expansion::new();
        if search.dist > query.tolerance || search.size <= 1 {
            return false;
        }
        search.dist = 0.0;
        let size = search.size;
        let made =
            make_initial_polytope(polytope, search, pair, query.max_iterations.min(epa::MAX_ITERATIONS));
        self.outcome = if made { EpaOutcome::Ran } else { EpaOutcome::NoPolytope(size) };
        made
    }

    /// Iterations that the last expansion took.
    pub(crate) fn expansions(&self) -> usize {
        self.expansion.iterations()
    }

    fn end_expansion(&mut self) {
        self.stage = Stage::Done;
        self.face = self.expansion.face();
        match self.face {
            Some(face) => epa::store_witness(&self.polytope, face, &mut self.search),
            None => {
                self.search.has_witness = false;
                self.search.dist = 0.0;
            }
        }
    }
}
