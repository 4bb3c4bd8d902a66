//! How a contact's point, normal and distance move when the two bodies do.
//!
//! Near the contact each surface is one of a few features. With outward normal `ν` and witness point `p` that
//! slides by `u` in the tangent plane, a feature ties sliding and rotation together, `A u + B δν = 0`, both
//! in the frame of its body: on a face the normal is fixed (`δν = 0`), at a vertex the point (`u = 0`), along
//! an edge one of each, and on a curved surface `u = R δν` with its radii of curvature. The witness points
//! stay on the common normal, `p₂ − p₁ = d n`. These six linear equations give the rotation of the normal and
//! both slides. Where they are singular, surfaces touch along more than a point and the narrow phase has
//! picked points of a patch: the face of one geom then gives the normal, and points follow the features of
//! the other; or the narrow phase itself is asked (`narrow.rs`).

use super::features::Features;
use super::frame::{frame_reference, frame_rotation, of_same_pair, point_of};
use super::motion::{ContactMotion, DofMotion, NarrowMotion, Refusal, SideMotion};
use super::narrow::{NarrowDerivative, NarrowProbe};
use super::patch::{Patch, PatchSlide, patch_reference, patch_slide};
use super::tilted::Tilted;
use crate::contact::geom_pose;
use crate::derivative::analytic::motion::{Point, at_point};
use kinetree_math::Vec3;
use kinetree_math::spatial::angular;
use kinetree_model::enums::GeomType;
use kinetree_model::{Contact, Data, Model};

/// What decides the motion of a contact.
#[expect(clippy::large_enum_variant, reason = "one at a time, on the stack; a box would allocate")]
pub(crate) enum Law<'a> {
    /// As the features of both sides do.
    Smooth(Features),
    /// The normal rotates with the reference side; the point follows the other.
    Patch(Patch),
    /// As the features of a tilted pair do.
    Tilted(Tilted),
    /// As the narrow phase does it.
    Narrow(NarrowDerivative<'a>),
}

/// The motion of one contact as a function of the motions of its sides.
pub(crate) struct Witness<'a> {
    /// Witness points on both sides, with their bodies.
    pub(crate) points: [Point; 2],
    pub(crate) normal: Vec3,
    pub(crate) tangents: [Vec3; 2],
    pub(crate) distance: f64,
    pub(crate) law: Law<'a>,
    /// Direction that the first tangent is made from, and the side it is fixed to.
    pub(crate) reference: Vec3,
    pub(crate) reference_side: Option<usize>,
}

impl<'a> Witness<'a> {
    /// Finds the features of a contact between geoms.
    pub(crate) fn new(
        model: &'a Model,
        data: &Data,
        id: usize,
        probe: &mut NarrowProbe,
    ) -> Result<Self, Refusal> {
        let contact = &data.contact[id];
        let geoms = contact.geom.map(|g| g as usize);
        let frame = &contact.frame;
        let normal = Vec3::new(frame[0], frame[1], frame[2]);
        let tangents = [Vec3::new(frame[3], frame[4], frame[5]), Vec3::new(frame[6], frame[7], frame[8])];
        let pos = Vec3::from(contact.pos);
        let at = [pos - normal * (0.5 * contact.dist), pos + normal * (0.5 * contact.dist)];
        let body = geoms.map(|g| model.geom_bodyid[g] as usize);
        let points = [0, 1].map(|k| Point::new(model, data, body[k], &at[k]));
        let spread = is_spread(model, data, id);
        let law = match spread {
            false => find_law(model, data, geoms, &at, &normal, &tangents, contact),
            true if of_same_pair(data, id).start == id => Tilted::of_first(model, data, id).map(Law::Smooth),
            true => Tilted::new(model, data, id, probe).map(Law::Tilted),
        };
        let law = match law {
            Some(law) => law,
            None => {
                let in_world = spread || has_common_core(model, contact);
                Law::Narrow(NarrowDerivative::new(model, data, id, in_world)?)
            }
        };
        let (reference, reference_side) = frame_reference(model, data, geoms, &normal);
        Ok(Self { points, normal, tangents, distance: contact.dist, law, reference, reference_side })
    }

    /// The motion of the contact with a dof.
    pub(crate) fn motion(&self, dof: &DofMotion<'_>, probe: &mut NarrowProbe) -> ContactMotion {
        let sides = &[0, 1].map(|k| match dof.moves[k] {
            true => SideMotion {
                velocity: at_point(dof.axis, &self.points[k].offset),
                rotation: angular(dof.axis),
            },
            false => SideMotion::STILL,
        });
        let mut smooth = true;
        let at = [&self.points[0].pos, &self.points[1].pos];
        let NarrowMotion { normal, point, distance } = match &self.law {
            Law::Smooth(features) => features.motion(sides),
            Law::Patch(patch) => self.patch(patch, sides),
            Law::Tilted(tilted) => tilted.motion(at, sides),
            Law::Narrow(derivative) => {
                let motion;
                (motion, smooth) = derivative.motion(at, sides, dof, probe);
                motion
            }
        };
        let y = &self.reference;
        let y_rate = self.reference_side.map_or(Vec3::zeros(), |side| sides[side].rotation.cross(y));
        let rotation = frame_rotation(&self.normal, &self.tangents, y, &y_rate, &normal);
        ContactMotion { point, rotation, distance, smooth }
    }

    fn patch(&self, patch: &Patch, sides: &[SideMotion; 2]) -> NarrowMotion {
        let n = &self.normal;
        let (r, o) = (patch.reference, 1 - patch.reference);
        let dn = sides[r].rotation.cross(n);
        // velocities of both bodies at the witness point of the other side
        let between = self.points[o].pos - self.points[r].pos;
        let here = sides[o].velocity;
        let there = sides[r].velocity + sides[r].rotation.cross(&between);
        let sign = if r == 0 { 1.0 } else { -1.0 };
        let moved = match &patch.slide {
            PatchSlide::Attached => here,
            PatchSlide::Crossing { edge, plane } => {
                here + edge * (plane.dot(&(there - here)) / plane.dot(edge))
            }
            PatchSlide::Corner { face } => {
                let at_corner = sides[r].velocity + dn * (sign * self.distance);
                let rate = face.dot(&(here - at_corner)) / face.dot(n);
                at_corner + n * rate
            }
            PatchSlide::Rim { axis, rim, tilt, offset } => {
                // what rotates about the axis as the steepest direction does
                let rotation = &sides[o].rotation;
                let relative = dn - rotation.cross(n);
                let down = axis * axis.dot(&relative) - relative;
                let spin = axis.dot(&rim.cross(&down)) / tilt;
                here + axis.cross(offset) * spin
            }
        };
        // the reference plane moves too: the distance changes along the normal
        let distance = sign * n.dot(&(moved - there));
        let point = moved - (n * distance + dn * self.distance) * (0.5 * sign);
        NarrowMotion { normal: dn, point, distance }
    }
}

/// Features of both sides, and the law that follows; `None` where that is for the narrow phase to say.
fn find_law(
    model: &Model,
    data: &Data,
    geoms: [usize; 2],
    at: &[Vec3; 2],
    normal: &Vec3,
    tangents: &[Vec3; 2],
    contact: &Contact,
) -> Option<Law<'static>> {
    if let Some(reference) = patch_reference(model, data, geoms, normal) {
        let slide = patch_slide(model, data, geoms, reference, at, normal)?;
        return Some(Law::Patch(Patch { reference, slide }));
    }
    let poses = geoms.map(|geom| geom_pose(data, geom));
    Features::new(model, geoms, &poses, &point_of(contact), tangents).map(Law::Smooth)
}

/// Whether a contact is one of several that a search has spread over flat features: they share a distance,
/// whatever feature they lie on.
fn is_spread(model: &Model, data: &Data, id: usize) -> bool {
    let searched = !matches!(
        data.contact[id].geom.map(|geom| GeomType::try_from(model.geom_type[geom as usize])),
        [Ok(GeomType::Plane), _]
            | [Ok(GeomType::Capsule | GeomType::Box), Ok(GeomType::Capsule | GeomType::Box)]
    );
    searched && of_same_pair(data, id).len() > 1
}

/// Whether the cores of two round geoms meet, centres of spheres or axes of capsules: the normal is then a
/// direction of the world.
fn has_common_core(model: &Model, contact: &Contact) -> bool {
    let geoms = contact.geom.map(|geom| geom as usize);
    let round = |geom: usize| {
        matches!(GeomType::try_from(model.geom_type[geom]), Ok(GeomType::Sphere | GeomType::Capsule))
    };
    let radii = model.geom_size[geoms[0]][0] + model.geom_size[geoms[1]][0];
    geoms.into_iter().all(round)
        && (contact.dist + radii).abs() <= kinetree_math::MINVAL.max(f64::EPSILON * radii)
}
