//! Finding the contacts between vertices and geoms that do not move.

use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, Pose, Shape, collide};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Contact, Data, Model};
use kinetree_sim::{ccd_settings, contact_gains, geom_pose, geom_shape};

use crate::body::DeformableBody;
use crate::error::SoftError;
use crate::point_contact::PointContact;

/// What a vertex brings to a contact besides friction: the defaults of geoms.
const SOLREF: [f64; 2] = [0.02, 1.0];
const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

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
