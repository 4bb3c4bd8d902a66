//! Accuracy and working memory of the convex routines.

use super::gjk_epa::GjkEpa;
use super::hull_lanes::HullPeriod;
use super::manifold::Manifold;
use super::medial_distance::MedialSearch;
use super::search::Query;
use super::tilted_pair::TILTS;
use super::vec::V3;
use super::vertex_lanes::VertexLanes;

/// Accuracy of the iterative convex routines.
#[derive(Clone, Copy, Debug)]
pub struct CcdSettings {
    /// Convergence tolerance of distance and depth (m).
    pub tolerance: f64,
    /// Most iterations of each of GJK and EPA.
    pub max_iterations: usize,
    /// Whether to look for more than one contact point per pair.
    pub multiccd: bool,
}

impl Default for CcdSettings {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 35, multiccd: true }
    }
}

impl CcdSettings {
    /// A query for distances up to `cutoff`, or only for contact if that is zero.
    pub(crate) fn query(&self, cutoff: f64) -> Query {
        Query {
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            cutoff,
            accept_flat: true,
            warm_start: false,
            known_overlap: false,
        }
    }
}

/// Working memory of the convex routines. Reuse it: nothing is allocated once its buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct CcdScratch {
    pub(crate) work: Work,
    /// Vertices of the two shapes of a pair.
    pub(crate) vertex_lanes: [VertexLanes; 2],
    /// Corners of one row of a height field.
    pub(crate) strip: Vec<V3>,
    /// The period in which meshes stay as they are.
    pub(crate) hull_period: HullPeriod,
}

impl CcdScratch {
    /// Says that no mesh changes that this scratch is used for, until [`Self::release_meshes`], and that it
    /// stays on this thread. What is prepared for a mesh then serves all of its pairs.
    pub fn hold_meshes(&mut self) {
        self.hull_period = HullPeriod::begin();
    }

    /// Says that meshes may change again.
    pub fn release_meshes(&mut self) {
        self.hull_period = HullPeriod::default();
    }
}

/// Working memory of one pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) gjk_epa: GjkEpa,
    /// Searches of a tilted pair, one for each pose.
    pub(crate) tilted: [GjkEpa; TILTS],
    pub(crate) manifold: Manifold,
    pub(crate) medial: MedialSearch,
}
