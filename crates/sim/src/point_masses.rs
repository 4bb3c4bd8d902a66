//! Point masses beside the model: vertices of deformable bodies that touch its geoms.
//!
//! A point mass has three dofs that the model does not know. What moves it besides contacts is known to its
//! owner alone, who implements [`PointMasses`]. A step asks the owner for contacts after those of the geoms
//! are found, and solves for the forces of all constraints together, in substeps as short as the owner needs
//! them (`solver/coupled/solve.rs`).

use crate::constraint::{PointWeights, force_of_rows};
use crate::contact::ContactParams;
use crate::contact::{Surface, geom_reach};
use kinetree_collide::ContactPoint;
use kinetree_math::rot::make_frame;
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Contact, Data, Model};

/// What a point brings to a contact besides friction. Points are light, and the few that touch an edge carry
/// what hangs from it: with the defaults of geoms they would sink in by as much as they carry more than
/// their own weight.
const SOLREF: [f64; 2] = [0.005, 1.0];
const SOLIMP: [f64; 5] = [0.99, 0.999, 0.001, 0.5, 2.0];
/// Points do not resist rotation: normal force and two directions of sliding.
const CONDIM: i32 = 3;

/// The body that carries an attached point, as the point feels it in a substep.
///
/// A force on the point changes the acceleration by `mobility · force`, as long as no other constraint
/// answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carrier {
    /// `J M⁻¹ Jᵀ` (1/kg) of the point, times the number of points that share the inertia of the tree: each
    /// may count on its share alone, since the others pull as well.
    pub mobility: Mat3,
    /// Velocity of the body at the point (m/s).
    pub velocity: Vec3,
    /// Acceleration of the body at the point in the substep before (m/s²), with the pull of the point.
    pub acceleration: Vec3,
}

/// The motion of a point mass in a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointMotion {
    /// Displacement since contacts were found (m).
    pub moved: Vec3,
    /// Velocity at the beginning of the substep (m/s).
    pub velocity: Vec3,
    /// Mean acceleration over the substep (m/s²): without contacts before the solve, with them after it.
    pub acceleration: Vec3,
    /// What carries the point, if it is fixed to a body; the engine sets it.
    pub carrier: Option<Carrier>,
}

/// The owner of point masses.
pub trait PointMasses {
    /// Lists all contacts of points that touch what can move, and points that are fixed to bodies. Poses are
    /// those of the data.
    fn find_contacts(&mut self, model: &Model, data: &Data, contacts: &mut PointContacts);

    /// Number of substeps of the step that follows, at least one.
    fn substeps(&self) -> usize;

    /// Whether to go on with the substeps, asked before each; without them the step is unfinished, and its
    /// owner returns to a state before it.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Begins a substep of length `h` (s): sets the motion of each point as it would be without contacts.
    fn predict(&mut self, h: f64, points: &mut [PointMotion]);

    /// Ends a substep of length `h` (s), in which the points accelerate as the motions say.
    fn advance(&mut self, h: f64, points: &[PointMotion]);
}

/// The number of no point.
const NO_POINT: usize = usize::MAX;

/// A point that moves with a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attachment {
    pub point: usize,
    pub body: usize,
    /// In world coordinates (m).
    pub position: Vec3,
    pub mass: f64,
    /// Force on the body, mean over the step (N); known when the step is solved.
    pub pull: Vec3,
}

/// What takes part in a contact: the place of the contact moves with the weighted sum of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    mover: Mover,
    weight: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mover {
    Point(usize),
    Body(usize),
}

impl Share {
    /// A point, with a weight; the weights of a contact sum up to one.
    #[must_use]
    pub fn point(number: usize, weight: f64) -> Self {
        Self { mover: Mover::Point(number), weight }
    }

    /// A body of the model, to which a point is fixed.
    #[must_use]
    pub fn body(number: usize, weight: f64) -> Self {
        Self { mover: Mover::Body(number), weight }
    }
}

/// The weight of a point in a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointShare {
    pub point: usize,
    pub weight: f64,
}

/// Point masses of a step and their contacts.
#[derive(Debug, Default)]
pub struct PointContacts {
    mass: Vec<f64>,
    contacts: Vec<Contact>,
    /// Where the points of each contact begin in `shares`.
    start: Vec<usize>,
    shares: Vec<PointShare>,
    /// Contacts that push on bodies to which points are fixed, in increasing order, with these bodies and
    /// their weights.
    carried: Vec<(usize, usize, f64)>,
    attachments: Vec<Attachment>,
    /// Number of contacts of the data before these.
    first: usize,
}

impl PointContacts {
    /// Adds a point and returns its number. One of infinite mass moves as its owner says.
    pub fn add_point(&mut self, mass: f64) -> usize {
        self.mass.push(mass);
        self.mass.len() - 1
    }

    /// Adds a point that is fixed to a body of the model at a position in world coordinates (m), and returns
    /// its number. Its owner is told the acceleration that takes it to the velocity of the body; the motion
    /// it would have by itself pulls on the body.
    pub fn add_attached_point(&mut self, mass: f64, body: usize, position: Vec3) -> usize {
        let point = self.add_point(f64::INFINITY);
        self.attachments.push(Attachment { point, body, position, mass, pull: Vec3::zeros() });
        point
    }

    /// Adds a contact, see [`point_contact`], whose place moves with one point or body or is the weighted
    /// mean of several, as on an edge or inside of a triangle.
    pub fn add_contact(&mut self, contact: Contact, shares: impl IntoIterator<Item = Share>) {
        self.start.push(self.shares.len());
        for Share { mover, weight } in shares {
            match mover {
                Mover::Point(point) => self.shares.push(PointShare { point, weight }),
                Mover::Body(body) => self.carried.push((self.contacts.len(), body, weight)),
            }
        }
        self.contacts.push(contact);
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.mass.clear();
        self.contacts.clear();
        self.start.clear();
        self.shares.clear();
        self.carried.clear();
        self.attachments.clear();
    }

    /// Whether no point touches or pulls on anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.attachments.is_empty()
    }

    /// Points that are fixed to bodies.
    pub(crate) fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// Takes in the forces on the bodies of attached points (N), three for each.
    pub(crate) fn set_pulls(&mut self, force: &[f64]) {
        for (attachment, force) in self.attachments.iter_mut().zip(force.chunks_exact(3)) {
            attachment.pull = Vec3::from_column_slice(force);
        }
    }

    /// Adds the forces of contacts on the bodies that carry their points to those of attached points.
    pub(crate) fn add_carried_forces(&mut self, model: &Model, data: &Data) {
        for &(contact, body, weight) in &self.carried {
            let contact = &data.contact[self.first + contact];
            let local = force_of_rows(model, contact, &data.efc_force);
            let axis = |k: usize| Vec3::from_column_slice(&contact.frame[3 * k..3 * k + 3]);
            let pull = (0..3).fold(Vec3::zeros(), |sum, k| sum + weight * local[k] * axis(k));
            let position = Vec3::from(contact.pos);
            self.attachments.push(Attachment { point: NO_POINT, body, position, mass: 0.0, pull });
        }
    }

    /// Masses of the points (kg).
    pub(crate) fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// Contacts of the data that belong to points, and their points.
    pub(crate) fn of_data(&self) -> impl Iterator<Item = (usize, &[PointShare])> + '_ {
        (0..self.contacts.len()).map(|k| (self.first + k, self.shares_of(k)))
    }

    fn shares_of(&self, contact: usize) -> &[PointShare] {
        let end = self.start.get(contact + 1).copied().unwrap_or(self.shares.len());
        &self.shares[self.start[contact]..end]
    }

    /// Appends the contacts to those of the data.
    pub(crate) fn append_to(&mut self, data: &mut Data, weights: &mut PointWeights) {
        self.first = data.contact.len();
        data.contact.extend_from_slice(&self.contacts);
        data.ncon = data.contact.len();
        let inverse = |share: &PointShare| share.weight * share.weight / self.mass[share.point];
        let of_contact = |contact| self.shares_of(contact).iter().map(inverse).sum();
        weights.set(self.first, (0..self.contacts.len()).map(of_contact), &self.carried);
    }
}

/// The contact of a geom and a point at which `ContactPoint::normal` points from the geom to the point.
/// Friction is the larger one of both, and `solref` and `solimp` are those of points, unless the geom has a
/// priority above zero, whose parameters hold then.
/// `None` if the normal has no direction. `vert` of the second side tells the point's owner who it is.
#[must_use]
pub fn point_contact(
    model: &Model,
    geom: usize,
    friction: f64,
    at: &ContactPoint,
    vert: i32,
) -> Option<Contact> {
    let friction = [friction, 0.0, 0.0];
    let point = Surface::point(&SOLREF, &SOLIMP, &friction, CONDIM);
    let own = Surface::geom(model, geom).yielding_to(&point);
    let params =
        ContactParams::of_surfaces(model, [own, point], geom_reach(model, geom, model.geom_margin[geom]));
    let frame = make_frame(&at.normal, Some(&at.tangent)).ok()?;
    let mut contact = Contact {
        dist: at.dist,
        pos: at.pos.into(),
        frame,
        geom1: geom as i32,
        geom: [geom as i32, -1],
        vert: [-1, vert],
        ..Contact::EMPTY
    };
    params.write(&mut contact);
    contact.dim = contact.dim.min(CONDIM);
    contact.efc_address = -1;
    Some(contact)
}
