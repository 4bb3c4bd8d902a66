//! Contacts: collision detection over the geoms of a model.
//!
//! The broad phase lists geom pairs in a fixed order, the narrow phase of the `collide` crate finds their contact points, and each
//! point becomes a contact with parameters mixed from the two geoms or given by an explicit pair. Where bounding volumes may decide whether
//! there is a contact, they are compared as the reference does it (`doubt`).

mod broad;
mod doubt;
mod params;
mod table;

use crate::shape::{ccd_settings, geom_pose, geom_shape};
use broad::{BroadScratch, Candidate, find_candidates, spheres_meet};
use doubt::{Doubt, is_doubtful};
use kinetree_collide::bvh::obb_overlap;
use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, Pose, collide};
use kinetree_math::rot::make_frame;
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_model::{Contact, Data, Model};
use params::{assigned_margin, set_params};

/// Working memory of collision detection.
#[derive(Default)]
struct Workspace {
    broad: BroadScratch,
    narrow: NarrowScratch,
}

/// Working memory of the narrow phase.
#[derive(Default)]
struct NarrowScratch {
    ccd: CcdScratch,
    points: Vec<ContactPoint>,
    doubt: Doubt,
}

/// Boxes are tested with this much more than the margin, so that rounding loses nothing (m).
const SLACK: f64 = 1e-9;

/// What a new contact starts from.
static EMPTY: [Contact; 1] = [Contact::EMPTY];

/// Detects all contacts and fills the contact list.
pub fn mj_collision(model: &Model, data: &mut Data) {
    data.clear_constraints();
    if model.disabled(DisableBit::Constraint) || model.disabled(DisableBit::Contact) || model.nbody < 2 {
        return;
    }
    let mut workspace = data.scratch.take::<Workspace>();
    let Workspace { broad, narrow } = &mut *workspace;
    find_candidates(model, data, broad);
    narrow.doubt.clear();
    let settings = ccd_settings(model);
    let filter = model.callbacks.contact_filter();
    for candidate in &broad.candidates {
        if candidate.pair < 0
            && let Some(rejects) = filter
            && rejects(model, data, candidate.geom1 as usize, candidate.geom2 as usize)
        {
            continue;
        }
        collide_geoms(model, data, candidate, &settings, narrow);
    }
    data.ncon = data.contact.len();
    data.scratch.give(workspace);
}

/// Whether the boxes of two geoms are worth a test before the narrow phase: it pays for shapes that are solved by iteration, not for
/// those with a formula.
fn boxes_pay(type1: i32, type2: i32) -> bool {
    const SPHERE: i32 = GeomType::Sphere as i32;
    const CAPSULE: i32 = GeomType::Capsule as i32;
    const ELLIPSOID: i32 = GeomType::Ellipsoid as i32;
    const CYLINDER: i32 = GeomType::Cylinder as i32;
    const BOX: i32 = GeomType::Box as i32;
    match type1 {
        SPHERE => type2 == ELLIPSOID || type2 > BOX,
        CAPSULE => type2 == ELLIPSOID || type2 == CYLINDER || type2 > BOX,
        BOX => type2 > BOX,
        _ => type1 > CAPSULE,
    }
}

/// Whether a sphere reaches the box around a geom.
fn sphere_meets_box(sphere: &Pose, radius: f64, aabb: &[f64; 6], frame: &Pose) -> bool {
    let center = frame.mat.tr_mul(&(sphere.pos - frame.pos));
    let outside = |k: usize| ((center[k] - aabb[k]).abs() - aabb[3 + k]).max(0.0);
    let [x, y, z] = [outside(0), outside(1), outside(2)];
    // a centre that is not a number is left to the narrow phase
    let apart = x * x + y * y + z * z > radius * radius;
    !apart
}

/// Tests one geom pair and appends its contacts.
fn collide_geoms(
    model: &Model,
    data: &mut Data,
    candidate: &Candidate,
    settings: &CcdSettings,
    scratch: &mut NarrowScratch,
) {
    let (mut g1, mut g2) = (candidate.geom1 as usize, candidate.geom2 as usize);
    if model.geom_type[g1] > model.geom_type[g2] {
        std::mem::swap(&mut g1, &mut g2);
    }
    let pair = usize::try_from(candidate.pair).ok();
    let margin = match pair {
        Some(pair) => assigned_margin(model, model.pair_margin[pair]),
        None => assigned_margin(model, model.geom_margin[g1] + model.geom_margin[g2]),
    };
    if pair.is_some() && !spheres_meet(model, data, g1, g2, margin) {
        return;
    }
    let (pose1, pose2) = (geom_pose(data, g1), geom_pose(data, g2));
    if boxes_pay(model.geom_type[g1], model.geom_type[g2]) {
        let reach = margin + SLACK;
        let meet = if model.geom_type[g1] == GeomType::Sphere as i32 {
            sphere_meets_box(&pose1, model.geom_size[g1][0] + reach, &model.geom_aabb[g2], &pose2)
        } else {
            obb_overlap(&model.geom_aabb[g1], &pose1, &model.geom_aabb[g2], &pose2, reach)
        };
        if !meet {
            return;
        }
    }
    // shapes are large: they stay where they are made
    let shape1 = geom_shape(model, g1);
    let shape2 = geom_shape(model, g2);
    let (Some(shape1), Some(shape2)) = (&shape1, &shape2) else { return };
    scratch.points.clear();
    collide(shape1, &pose1, shape2, &pose2, margin, settings, &mut scratch.ccd, &mut scratch.points);
    if scratch.points.is_empty() {
        return;
    }
    if pair.is_none()
        && is_doubtful(model, [g1, g2], &scratch.points, margin)
        && !scratch.doubt.admits(model, data, [g1, g2])
    {
        return;
    }
    add_contacts(model, data, [g1, g2], pair, margin, &scratch.points);
}

/// Appends the contacts of one geom pair. They are written in place: the first from an empty contact, the others from the first,
/// whose frame they mostly share.
fn add_contacts(
    model: &Model,
    data: &mut Data,
    geoms: [usize; 2],
    pair: Option<usize>,
    margin: f64,
    points: &[ContactPoint],
) {
    let contacts = &mut data.contact;
    let mut first: Option<(usize, &ContactPoint)> = None;
    for point in points {
        let place = contacts.len();
        match first {
            Some((index, other)) => {
                contacts.extend_from_within(index..=index);
                if point.normal != other.normal || point.tangent != other.tangent {
                    let Ok(frame) = make_frame(&point.normal, Some(&point.tangent)) else {
                        contacts.pop();
                        continue;
                    };
                    contacts[place].frame = frame;
                }
            }
            None => {
                let Ok(frame) = make_frame(&point.normal, Some(&point.tangent)) else { continue };
                contacts.extend_from_slice(&EMPTY);
                let contact = &mut contacts[place];
                contact.frame = frame;
                contact.geom = geoms.map(|g| g as i32);
                [contact.geom1, contact.geom2] = contact.geom;
                set_params(model, geoms, pair, margin, contact);
                first = Some((place, point));
            }
        }
        let contact = &mut contacts[place];
        contact.dist = point.dist;
        contact.pos = [point.pos.x, point.pos.y, point.pos.z];
        contact.exclude = i32::from(point.dist >= contact.includemargin);
    }
}
