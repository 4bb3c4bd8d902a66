//! A deformable body of a world, with its solver and the vertices that are attached to the model.

use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

use crate::body::DeformableBody;
use crate::error::SoftError;
use crate::place::Place;
use crate::solver::XpbdSolver;
use crate::surface::Surface;

/// A body with its solver.
pub(crate) struct Member {
    pub(crate) body: Box<dyn DeformableBody>,
    pub(crate) solver: XpbdSolver,
    /// Whether the substeps of this step are those of the engine.
    pub(crate) coupled: bool,
    /// State that a reset returns to.
    pub(crate) start: Vec<f64>,
    pub(crate) attachments: Vec<Attachment>,
    /// What touches other bodies.
    pub(crate) surface: Surface,
    /// Number of the first body of those that this one touches, directly or by others.
    pub(crate) group: usize,
    /// Whether a body that it touches moves, so that it may not sleep.
    pub(crate) held_awake: bool,
    /// Empty unless a program or a model file names the body.
    pub(crate) name: String,
    /// Colour in pictures.
    pub(crate) rgba: [f32; 4],
}

/// A vertex that is fixed to a body of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Attachment {
    pub(crate) vertex: usize,
    pub(crate) body: usize,
    /// In the frame of the body (m).
    pub(crate) local: Vec3,
}

impl Attachment {
    /// Where the vertex is now (m).
    pub(crate) fn anchor(&self, data: &Data) -> Vec3 {
        Vec3::from(data.xpos[self.body]) + Mat3::from_row_slice(&data.xmat[self.body]) * self.local
    }

    /// `Ok` when a place of the vertex is finite.
    pub(crate) fn check(&self, place: &Vec3) -> Result<(), SoftError> {
        if place.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(SoftError::NotFinite { what: "the position of attached vertex", index: self.vertex })
    }
}

impl Member {
    pub(crate) fn new(body: Box<dyn DeformableBody>, solver: XpbdSolver) -> Self {
        let mut start = Vec::new();
        body.read_state(&mut start);
        let surface = Surface::of(body.as_ref());
        let rgba = body.material().rgba();
        Self {
            body,
            solver,
            coupled: false,
            start,
            attachments: Vec::new(),
            surface,
            group: 0,
            held_awake: false,
            name: String::new(),
            rgba,
        }
    }

    /// Whether the body sleeps.
    pub(crate) fn is_asleep(&self) -> bool {
        self.solver.is_asleep() && !self.held_awake
    }

    /// Whether the body goes on sleeping, if nothing that it touches moves.
    pub(crate) fn stays_asleep(&mut self) -> bool {
        self.solver.stays_asleep(self.body.as_ref())
    }

    /// Sweeps over the constraints, in a substep of length `h` that has begun.
    pub(crate) fn correct(&mut self, h: f64) {
        self.body.correct(h, self.solver.settings.iterations);
    }

    /// The body of the model to which a vertex is attached.
    pub(crate) fn carrier(&self, vertex: usize) -> Option<usize> {
        self.attachments.iter().find(|attachment| attachment.vertex == vertex).map(|a| a.body)
    }

    /// Whether a place does not touch a geom because one of its vertices is attached to something that does
    /// not.
    pub(crate) fn spares(&self, model: &Model, geom: usize, place: &Place) -> bool {
        if self.attachments.is_empty() {
            return false;
        }
        let body = model.geom_bodyid[geom] as usize;
        place
            .shares()
            .filter_map(|(vertex, _)| self.carrier(vertex))
            .any(|own| !bodies_touch(model, own, body))
    }
}

/// Whether geoms of a body of the model touch what is attached to another one, as the geoms of both would
/// touch each other: not within one body, nor between parent and child.
fn bodies_touch(model: &Model, first: usize, second: usize) -> bool {
    let weld = [first, second].map(|body| model.body_weldid[body]);
    if weld[0] == weld[1] {
        return false;
    }
    if weld[0] != 0 && weld[1] != 0 && !model.disabled(DisableBit::Filterparent) {
        let parent = weld.map(|weld| model.body_weldid[model.body_parentid[weld as usize] as usize]);
        if weld[0] == parent[1] || weld[1] == parent[0] {
            return false;
        }
    }
    let signature = (first.min(second) << 16) + first.max(second);
    model.exclude_signature.binary_search(&(signature as i32)).is_err()
}
