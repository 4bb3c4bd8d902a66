//! Finding the contacts between vertices and geoms.

use kinetree_collide::{CcdScratch, ContactPoint, Pose, Shape, collide};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Contact, Data, Model, StepError};
use kinetree_sim::{ccd_settings, contact_gains, geom_pose, geom_shape, point_contact};

use crate::body::DeformableBody;
use crate::distance_field::{GeomField, bound_radius};
use crate::point_contact::PointContact;

/// Working memory of collision detection.
#[derive(Default)]
pub(crate) struct DetectionScratch {
    ccd: CcdScratch,
    points: Vec<ContactPoint>,
    /// Contacts of all bodies, sorted by body and vertex.
    pub(crate) found: Vec<Found>,
}

/// A contact of a vertex.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) member: usize,
    pub(crate) vertex: usize,
    pub(crate) contact: Contact,
    /// Whether the geom belongs to a body that can move.
    pub(crate) moving: bool,
}

/// Finds the contacts of a body with the geoms of a model, as far as its vertices may come in one step, and
/// appends them to those of the bodies before it.
///
/// # Errors
/// When the distance field of a plugin fails.
pub(crate) fn detect(
    model: &Model,
    data: &Data,
    (member, body): (usize, &dyn DeformableBody),
    scratch: &mut DetectionScratch,
) -> Result<(), StepError> {
    let first = scratch.found.len();
    let bounds = Bounds::of(body, model.opt.timestep);
    for geom in (0..model.ngeom).filter(|&geom| collides(model, geom)) {
        let Some(solid) = Solid::of(model, geom) else { continue };
        let reach = solid.bound_radius(model, geom) + body.radius() + model.geom_margin[geom];
        if bounds.distance(&Vec3::from(data.geom_xpos[geom])) <= reach {
            geom_contacts(model, data, (geom, &solid), (member, body), scratch)?;
        }
    }
    scratch.found[first..].sort_unstable_by_key(|found| (found.vertex, found.contact.geom[0]));
    Ok(())
}

/// What a vertex can touch.
enum Solid<'a> {
    Shape(Shape<'a>),
    Field(GeomField<'a>),
}

impl<'a> Solid<'a> {
    fn of(model: &'a Model, geom: usize) -> Option<Self> {
        let field = || GeomField::of(model, geom).map(Self::Field);
        geom_shape(model, geom).map(Self::Shape).or_else(field)
    }

    /// Radius of a ball around the origin of the geom with all of it inside (m).
    fn bound_radius(&self, model: &Model, geom: usize) -> f64 {
        match self {
            Self::Shape(shape) => shape.bound_radius(),
            Self::Field(_) => bound_radius(model, geom),
        }
    }
}

/// Vertices have the bits that geoms have by default.
fn collides(model: &Model, geom: usize) -> bool {
    (model.geom_contype[geom] | model.geom_conaffinity[geom]) & 1 != 0
}

/// Box around the centres of all vertices, now and after a step.
struct Bounds([Vec3; 2]);

impl Bounds {
    fn of(body: &dyn DeformableBody, dt: f64) -> Self {
        let particles = body.particles();
        let mut bounds = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for (x, v) in particles.position.iter().zip(&particles.velocity) {
            let reach = Vec3::repeat(dt * v.norm());
            bounds = [bounds[0].inf(&(x - reach)), bounds[1].sup(&(x + reach))];
        }
        Self(bounds)
    }

    /// Distance of a point from the box (m).
    fn distance(&self, point: &Vec3) -> f64 {
        let [low, high] = &self.0;
        (low - point).sup(&(point - high)).sup(&Vec3::zeros()).norm()
    }
}

/// Contacts with one geom.
///
/// # Errors
/// When the distance field of a plugin fails.
fn geom_contacts(
    model: &Model,
    data: &Data,
    (geom, solid): (usize, &Solid<'_>),
    (member, body): (usize, &dyn DeformableBody),
    scratch: &mut DetectionScratch,
) -> Result<(), StepError> {
    let (settings, friction) = (ccd_settings(model), body.material().friction);
    let (pose, radius, particles) = (geom_pose(data, geom), body.radius(), body.particles());
    let bound = solid.bound_radius(model, geom) + radius + model.geom_margin[geom];
    let moving = model.body_weldid[model.geom_bodyid[geom] as usize] != 0;
    let DetectionScratch { ccd, points, found } = scratch;
    for (vertex, (x, v)) in particles.position.iter().zip(&particles.velocity).enumerate() {
        let reach = model.opt.timestep * v.norm();
        if (x - pose.pos).norm() > bound + reach {
            continue;
        }
        points.clear();
        let margin = model.geom_margin[geom] + reach;
        match solid {
            Solid::Shape(shape) => {
                let (at, ball) = (Pose { pos: *x, mat: Mat3::identity() }, Shape::Sphere { radius });
                collide(shape, &pose, &ball, &at, margin, &settings, ccd, points);
            }
            Solid::Field(field) => points.extend(field.contact(model, &pose, (x, radius), margin)?),
        }
        // a height field may touch a vertex in several of its prisms
        let Some(point) = points.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)) else { continue };
        if let Some(contact) = point_contact(model, geom, friction, point, vertex as i32) {
            found.push(Found { member, vertex, contact, moving });
        }
    }
    Ok(())
}

/// The contact of a vertex at `position` with a geom that does not move.
pub(crate) fn fixed_contact(
    model: &Model,
    position: &Vec3,
    vertex: usize,
    contact: &Contact,
) -> PointContact {
    let [stiffness, damping, impedance] = contact_gains(model, contact);
    let normal = Vec3::new(contact.frame[0], contact.frame[1], contact.frame[2]);
    PointContact {
        vertex: vertex as u32,
        normal,
        offset: normal.dot(position) - contact.dist + contact.includemargin,
        stiffness,
        damping,
        impedance,
        ratio: model.opt.impratio.max(kinetree_math::MINVAL),
        friction: if contact.dim == 1 { 0.0 } else { contact.friction[0] },
        pushed: Vec3::zeros(),
    }
}
