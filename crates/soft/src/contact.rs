//! Contacts between vertices and geoms that do not move.
//!
//! A contact is that of the engine, for a point mass: with its reference acceleration `aref`, its regularizer
//! `R` and the acceleration `a₀` that the vertex has without it, the force is the minimum of `½ f·(1/m + R) f
//! + f·(a₀ − aref)` over the friction cone. The matrix is diagonal, so the minimum has a formula.

use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, Pose, Shape, collide};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Contact, Data, Model};
use kinetree_sim::{ccd_settings, contact_gains, geom_pose, geom_shape};

use crate::body::DeformableBody;
use crate::error::SoftError;

/// What a vertex brings to a contact besides friction: the defaults of geoms.
const SOLREF: [f64; 2] = [0.02, 1.0];
const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// A contact of a vertex, with its geometry and gains for the length of a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointContact {
    pub(crate) vertex: u32,
    /// From the geom to the vertex.
    normal: Vec3,
    /// The vertex violates the contact by `normal · x − offset` where that is negative (m).
    offset: f64,
    stiffness: f64,
    damping: f64,
    impedance: f64,
    /// Ratio of the impedance of friction to that of the normal.
    ratio: f64,
    friction: f64,
}

impl PointContact {
    /// Displacement (m) by the contact force over a substep of length `h`, of a vertex that would move by
    /// `moved` without it.
    pub(crate) fn push(&self, position: &Vec3, velocity: &Vec3, moved: &Vec3, h: f64) -> Vec3 {
        let violation = self.normal.dot(position) - self.offset;
        if violation >= 0.0 {
            return Vec3::zeros();
        }
        let (smooth, spring) = ((moved / h - velocity) / h, self.stiffness * self.impedance * violation);
        let wanted = -self.damping * velocity - spring * self.normal - smooth;
        // inverse inertia with regularizer, of a unit mass
        let soft = (1.0 - self.impedance) / self.impedance;
        let (normal_weight, slide_weight) = (1.0 + soft, 1.0 + soft / self.ratio);
        let along = self.normal.dot(&wanted);
        let (normal, slide) = (along / normal_weight, (wanted - along * self.normal) / slide_weight);
        let force = self.in_cone(normal, &slide, normal_weight, slide_weight);
        // forces and inverse inertias are those of a unit mass: the mass cancels
        h * h * force
    }

    /// The nearest force in the friction cone, in the metric of the weights.
    fn in_cone(&self, normal: f64, slide: &Vec3, normal_weight: f64, slide_weight: f64) -> Vec3 {
        let size = slide.norm();
        if normal >= 0.0 && size <= self.friction * normal {
            return normal * self.normal + slide;
        }
        let mu = self.friction;
        let on_edge =
            (normal_weight * normal + slide_weight * mu * size) / (normal_weight + slide_weight * mu * mu);
        if on_edge <= 0.0 {
            return Vec3::zeros();
        }
        let direction = if size > 0.0 { slide / size } else { Vec3::zeros() };
        on_edge * (self.normal + mu * direction)
    }
}

/// Working memory of collision detection.
#[derive(Default)]
pub(crate) struct DetectionScratch {
    ccd: CcdScratch,
    points: Vec<ContactPoint>,
}

/// Lists the contacts of a body with the geoms of a model, as far as its vertices may come in one step.
///
/// # Errors
/// When a vertex touches a geom that can move.
pub(crate) fn detect(
    model: &Model,
    data: &Data,
    index: usize,
    body: &mut dyn DeformableBody,
    scratch: &mut DetectionScratch,
) -> Result<(), SoftError> {
    let mut contacts = std::mem::take(&mut body.particles_mut().contacts);
    contacts.clear();
    let settings = ccd_settings(model);
    for geom in (0..model.ngeom).filter(|&geom| collides(model, geom)) {
        let Some(shape) = geom_shape(model, geom) else { continue };
        let result = geom_contacts(model, data, geom, &shape, &*body, &settings, scratch, &mut contacts);
        result.map_err(|vertex| SoftError::MovingGeom { body: index, vertex, geom })?;
    }
    body.particles_mut().contacts = contacts;
    Ok(())
}

/// Vertices have the bits that geoms have by default.
fn collides(model: &Model, geom: usize) -> bool {
    (model.geom_contype[geom] | model.geom_conaffinity[geom]) & 1 != 0
}

/// Contacts with one geom; the vertex that touches it if it can move.
fn geom_contacts(
    model: &Model,
    data: &Data,
    geom: usize,
    shape: &Shape<'_>,
    body: &dyn DeformableBody,
    settings: &CcdSettings,
    scratch: &mut DetectionScratch,
    contacts: &mut Vec<PointContact>,
) -> Result<(), usize> {
    let (pose, radius, particles) = (geom_pose(data, geom), body.radius(), body.particles());
    let bound = shape.bound_radius() + radius + model.geom_margin[geom];
    let fixed = model.body_weldid[model.geom_bodyid[geom] as usize] == 0;
    for (vertex, (x, v)) in particles.position.iter().zip(&particles.velocity).enumerate() {
        let reach = model.opt.timestep * v.norm();
        if (x - pose.pos).norm() > bound + reach {
            continue;
        }
        let (at, ball) = (Pose { pos: *x, mat: Mat3::identity() }, Shape::Sphere { radius });
        scratch.points.clear();
        let margin = model.geom_margin[geom] + reach;
        collide(shape, &pose, &ball, &at, margin, settings, &mut scratch.ccd, &mut scratch.points);
        // a height field may touch a vertex in several of its prisms
        let Some(point) = scratch.points.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)) else { continue };
        if !fixed {
            return Err(vertex);
        }
        contacts.push(point_contact(model, geom, vertex, x, point, body.material().friction));
    }
    Ok(())
}

/// The contact of a vertex and a geom at a point. Parameters are combined as those of two geoms.
fn point_contact(
    model: &Model,
    geom: usize,
    vertex: usize,
    position: &Vec3,
    point: &ContactPoint,
    friction: f64,
) -> PointContact {
    let decides = model.geom_priority[geom] > 0;
    let share = if decides { 1.0 } else { model.geom_solmix[geom] / (1.0 + model.geom_solmix[geom]) };
    let (solref, solimp) = (model.geom_solref[geom], model.geom_solimp[geom]);
    let blend = |own: f64, other: f64| share * own + (1.0 - share) * other;
    let standard = decides || solref.iter().all(|&x| x > 0.0);
    let contact = Contact {
        dist: point.dist,
        includemargin: model.geom_margin[geom] - model.geom_gap[geom],
        solref: std::array::from_fn(|k| {
            if standard { blend(solref[k], SOLREF[k]) } else { solref[k].min(SOLREF[k]) }
        }),
        solimp: std::array::from_fn(|k| blend(solimp[k], SOLIMP[k])),
        ..Contact::EMPTY
    };
    let [stiffness, damping, impedance] = contact_gains(model, &contact);
    let slide = model.geom_friction[geom][0];
    PointContact {
        vertex: vertex as u32,
        normal: point.normal,
        offset: point.normal.dot(position) - point.dist + contact.includemargin,
        stiffness,
        damping,
        impedance,
        ratio: model.opt.impratio.max(kinetree_math::MINVAL),
        friction: match (decides, model.geom_condim[geom]) {
            (true, 1) => 0.0,
            (true, _) => slide,
            (false, _) => slide.max(friction),
        },
    }
}
