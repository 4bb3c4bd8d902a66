//! Motion of contacts that a search finds by tilting geoms.
//!
//! Where a pair may touch along more than a point, the narrow phase finds one contact, tilts the geoms
//! against each other about the tangents of its frame by a milliradian, and searches again: further points
//! are those of the tilted pair, at the distance of the first. So their features are those of the tilted
//! geoms, which move with their bodies, with the first contact and with its frame. With `y = c + R (x −
//! c)`, a frame that rotates by `Ω` (so that `Ṙ Rᵀ` is the rotation `Ω − R Ω`) and bodies that move by `v(x)`
//! and rotate by `ω`,
//!
//! `ẏ = ċ + (Ω − R Ω) × (y − c) + R (v − ċ)`, and the tilted geom rotates by `Ω − R Ω + R ω`.

use super::features::Features;
use super::frame::{axes, frame_reference, frame_rotation, of_same_pair, point_of};
use super::motion::{NarrowMotion, SideMotion};
use super::narrow::{NarrowProbe, exact_pair};
use super::search_cache::SearchedPair;
use crate::contact::geom_pose;
use kinetree_collide::{Kind, Pose, Shape};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Data, Model};
use nalgebra::{Rotation3, Unit};

/// Axes of the frame about which the narrow phase tilts the first of two geoms, the second against it, and
/// angles.
const TILTS: [(usize, f64); 4] = [(1, -1e-3), (1, 1e-3), (2, -1e-3), (2, 1e-3)];
/// How near a contact is to that of a tilted pair, relative to the smaller geom: half of the distance that
/// contacts of a pair keep from each other.
const NEAR: f64 = 0.5e-3;

/// A contact of a tilted pair.
pub(crate) struct Tilted {
    /// The contact whose frame the geoms are tilted in.
    pub(crate) first: Features,
    /// Direction that its first tangent is made from.
    pub(crate) reference: Vec3,
    /// Where it is.
    pub(crate) centre: Vec3,
    /// How the geoms are tilted about it.
    pub(crate) tilts: [Mat3; 2],
    /// The tilted pair.
    pub(crate) features: Features,
}

/// Whether further contacts of a pair are those of the tilted pair.
fn is_tilted(pair: &SearchedPair<'_>) -> bool {
    let kinds = pair.shapes.each_ref().map(Shape::kind);
    let flat = kinds.iter().all(|kind| matches!(kind, Kind::Box | Kind::Mesh));
    let convex = |kind: &Kind| matches!(kind, Kind::Capsule | Kind::Cylinder | Kind::Box | Kind::Mesh);
    kinds.iter().all(convex) && (!flat || pair.margin > 0.0)
}

/// Frame of a contact, from its normal.
fn frame_about(normal: &Vec3) -> [Vec3; 2] {
    let guess = if normal.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
    let first = (guess - normal * normal.dot(&guess)).normalize();
    [first, normal.cross(&first)]
}

/// The distance of two shapes along a unit normal from the first to the second: what their support points
/// leave between them. At the normal of a contact it is as accurate as the square of the normal's error.
fn distance_along(shapes: &[Shape<'_>; 2], poses: &[Pose; 2], normal: &Vec3) -> Option<f64> {
    let reach = |k: usize, direction: &Vec3| {
        let local = poses[k].mat.tr_mul(direction);
        let across = local.x.hypot(local.y);
        let own = match &shapes[k] {
            Shape::Capsule { radius, half_length } => radius + half_length * local.z.abs(),
            Shape::Cylinder { radius, half_length } => radius * across + half_length * local.z.abs(),
            Shape::Box { half } => half.dot(&local.abs()),
            Shape::Mesh(mesh) => {
                let vertices = mesh.vert.iter().map(|v| local.dot(&Vec3::from(v.map(f64::from))));
                vertices.fold(f64::NEG_INFINITY, f64::max)
            }
            _ => return None,
        };
        Some(own + direction.dot(&poses[k].pos))
    };
    Some(-reach(1, &-normal)? - reach(0, normal)?)
}

impl Tilted {
    /// Features of the tilted pair that a contact comes from; `None` where they, or those of the first
    /// contact of the pair, do not decide its motion.
    pub(crate) fn new(model: &Model, data: &Data, id: usize, probe: &mut NarrowProbe) -> Option<Self> {
        let of_pair = of_same_pair(data, id);
        let (contact, first) = (&data.contact[id], &data.contact[of_pair.start]);
        let geoms = contact.geom.map(|geom| geom as usize);
        let mut pair = exact_pair(model, geoms).ok()?;
        pair.settings.multiccd = false;
        let (axes, centre, pos) = (axes(first), Vec3::from(first.pos), Vec3::from(contact.pos));
        let of_first = Self::of_first(model, data, id)?;
        let poses = geoms.map(|geom| geom_pose(data, geom));
        let tilts_of = |(axis, angle): (usize, f64)| {
            let tilt: Mat3 = Rotation3::from_axis_angle(&Unit::new_normalize(axes[axis]), angle).into_inner();
            let tilts = [tilt, tilt.transpose()];
            let rotated = |k: usize| Pose {
                pos: centre + tilts[k] * (poses[k].pos - centre),
                mat: tilts[k] * poses[k].mat,
            };
            (tilts, [rotated(0), rotated(1)])
        };
        // where each tilt has given a contact, their order distinguishes them, and else their positions
        let (tilts, features) = if of_pair.len() == 1 + TILTS.len() {
            let (tilts, tilted) = tilts_of(TILTS[id - of_pair.start - 1]);
            let [_, tangents @ ..] = crate::derivative::analytic::contact::frame::axes(contact);
            let mut point = point_of(contact);
            point.dist = distance_along(&pair.shapes, &tilted, &point.normal)?;
            (tilts, Features::new(model, geoms, &tilted, &point, &tangents)?)
        } else {
            let mut reach = NEAR * pair.shapes.iter().map(Shape::bound_radius).fold(f64::MAX, f64::min);
            let mut found = None;
            for (tilts, tilted) in TILTS.map(tilts_of) {
                let [point] = probe.cache.search(&pair, &tilted) else { continue };
                let off = (point.pos - pos).norm();
                if off < reach {
                    (reach, found) = (off, Some((tilts, tilted, *point)));
                }
            }
            let (tilts, tilted, point) = found?;
            (tilts, Features::new(model, geoms, &tilted, &point, &frame_about(&point.normal))?)
        };
        let (reference, _) = frame_reference(model, data, geoms, &axes[0]);
        Some(Self { first: of_first, reference, centre, tilts, features })
    }

    /// Features of the first contact of a pair whose further ones are those of the tilted pair.
    pub(crate) fn of_first(model: &Model, data: &Data, id: usize) -> Option<Features> {
        let first = &data.contact[of_same_pair(data, id).start];
        let geoms = first.geom.map(|geom| geom as usize);
        if !is_tilted(&exact_pair(model, geoms).ok()?) {
            return None;
        }
        let [_, tangents @ ..] = axes(first);
        let poses = geoms.map(|geom| geom_pose(data, geom));
        Features::new(model, geoms, &poses, &point_of(first), &tangents)
    }

    /// The motion of the contact when its sides move, given at the points `at`.
    pub(crate) fn motion(&self, at: [&Vec3; 2], sides: &[SideMotion; 2]) -> NarrowMotion {
        let velocity = |k: usize, point: &Vec3| sides[k].velocity + sides[k].rotation.cross(&(point - at[k]));
        let Self { first, reference, centre, tilts, features } = self;
        let of_first = first.motion(
            &[0, 1].map(|k| SideMotion { velocity: velocity(k, &first.at[k]), rotation: sides[k].rotation }),
        );
        let rotation =
            frame_rotation(&first.normal, &first.tangents, reference, &Vec3::zeros(), &of_first.normal);
        let tilted = [0, 1].map(|k| {
            let (tilt, along) = (&tilts[k], features.at[k] - centre);
            let spin = rotation - tilt * rotation;
            let untilted = centre + tilt.tr_mul(&along);
            let carried = tilt * (velocity(k, &untilted) - of_first.point);
            SideMotion {
                velocity: of_first.point + spin.cross(&along) + carried,
                rotation: spin + tilt * sides[k].rotation,
            }
        });
        NarrowMotion { distance: of_first.distance, ..features.motion(&tilted) }
    }
}
