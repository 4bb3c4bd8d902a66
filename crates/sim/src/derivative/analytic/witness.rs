//! How a contact's point, normal and distance move when the two bodies do.
//!
//! Near the contact each surface is one of a few features. With outward normal `ν` and witness point `p` that
//! slides by `u` in the tangent plane, a feature ties sliding and turning together, `A u + B δν = 0`, both in
//! the frame of its body: on a face the normal is fixed (`δν = 0`), at a vertex the point (`u = 0`), along an
//! edge one of each, and on a curved surface `u = R δν` with its radii of curvature. The witness points stay
//! on the common normal, `p₂ − p₁ = d n`. These six linear equations give the turn of the normal and both
//! slides. Where they are singular, surfaces touch along more than a point and the narrow phase has picked
//! points of a patch: the face of one geom then gives the normal, and points follow the features of the
//! other; or the narrow phase itself is asked (`narrow_slope.rs`).

use super::Point;
use super::motion::at_point;
use super::narrow_slope::{NarrowMotion, NarrowProbe, NarrowSlope, of_same_pair};
use super::tilted::Tilted;
use crate::contact::{geom_hull, geom_pose};
use kinetree_collide::{ContactPoint, Pose};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_math::spatial::{Vec6, angular};
use kinetree_model::enums::GeomType;
use kinetree_model::{Contact, Data, Model};
use nalgebra::{Matrix2, Matrix6, SMatrix, Vector2, Vector6};

/// Motion of a rigid body that carries one side of a contact: velocity of the witness point, and rotation.
#[derive(Clone, Copy)]
pub(super) struct SideMotion {
    pub(super) velocity: Vec3,
    pub(super) turn: Vec3,
}

impl SideMotion {
    /// No motion.
    pub(super) const STILL: Self =
        Self { velocity: Vec3::new(0.0, 0.0, 0.0), turn: Vec3::new(0.0, 0.0, 0.0) };
}

/// Motion of a dof, and which sides of a contact it moves.
pub(super) struct DofMotion<'a> {
    /// Spatial motion of a unit velocity.
    pub(super) axis: &'a Vec6,
    pub(super) moves: [bool; 2],
}

/// Motion of the contact itself.
#[derive(Clone, Copy)]
pub(super) struct ContactMotion {
    /// Of the contact point.
    pub(super) point: Vec3,
    /// Rotation of the contact frame.
    pub(super) turn: Vec3,
    /// Rate of the distance.
    pub(super) distance: f64,
    /// Whether it is the same to both sides; at a kink of the narrow phase it is that of one.
    pub(super) smooth: bool,
}

/// `A u + B δν = 0` in the tangent plane.
#[derive(Clone, Copy, Debug)]
struct Feature {
    a: Matrix2<f64>,
    b: Matrix2<f64>,
}

impl Feature {
    /// The normal is fixed to the body.
    fn face() -> Self {
        Self { a: Matrix2::zeros(), b: Matrix2::identity() }
    }

    /// The point is fixed to the body.
    fn vertex() -> Self {
        Self { a: Matrix2::identity(), b: Matrix2::zeros() }
    }

    /// Curved with the same radius in all directions.
    fn ball(radius: f64) -> Self {
        Self { a: Matrix2::identity(), b: Matrix2::identity() * -radius }
    }

    /// Straight along `direction`; across it, curved with a radius, which is zero for an edge.
    fn line(direction: &Vector2<f64>, radius: f64) -> Self {
        let along = direction.normalize();
        let across = Vector2::new(-along.y, along.x);
        Self {
            a: Matrix2::new(0.0, 0.0, across.x, across.y),
            b: Matrix2::new(along.x, along.y, -radius * across.x, -radius * across.y),
        }
    }

    /// An edge that is a curve: a slide along its tangent needs the normal to turn, `u = R δν`.
    fn curve(direction: &Vector2<f64>, radius: f64) -> Self {
        let along = direction.normalize();
        let across = Vector2::new(-along.y, along.x);
        Self {
            a: Matrix2::new(along.x, along.y, across.x, across.y),
            b: Matrix2::new(-radius * along.x, -radius * along.y, 0.0, 0.0),
        }
    }
}

/// What decides the motion of a contact.
#[expect(clippy::large_enum_variant, reason = "one at a time, on the stack; a box would allocate")]
pub(super) enum Law<'a> {
    /// As the features of both sides do.
    Smooth(Features),
    /// The normal turns with the reference side; the point follows the other.
    Patch(Patch),
    /// As the features of a tilted pair do.
    Tilted(Tilted),
    /// As the narrow phase does it.
    Narrow(NarrowSlope<'a>),
}

type Box6 = Matrix6<f64>;

/// The features of a pair that decide how its contact moves.
pub(super) struct Features {
    /// Witness points.
    pub(super) at: [Vec3; 2],
    pub(super) normal: Vec3,
    pub(super) tangents: [Vec3; 2],
    /// The turn of the normal and both slides from velocities and turns, `(δn, u₁, u₂) = X (Δv, θ₁, θ₂)`.
    pub(super) matrix: Box6,
}

impl Features {
    /// The features of geoms in given poses at a contact; `None` where they do not decide its motion.
    pub(super) fn new(
        model: &Model,
        geoms: [usize; 2],
        poses: &[Pose; 2],
        contact: &ContactPoint,
        tangents: &[Vec3; 2],
    ) -> Option<Self> {
        let ContactPoint { pos, normal, dist, .. } = contact;
        let at = [pos - normal * (0.5 * dist), pos + normal * (0.5 * dist)];
        let outward = [*normal, -normal];
        let local = [0, 1].map(|k| local_feature(model, geoms[k], &poses[k], &at[k], &outward[k], tangents));
        let feature = |local: &Local| match local {
            Local::Face => Feature::face(),
            Local::Vertex => Feature::vertex(),
            Local::Edge(direction) => Feature::line(&in_plane(direction, tangents), 0.0),
            Local::Curved(feature) => *feature,
        };
        let [first, second] = [local[0]?, local[1]?];
        let matrix = solve_features(&feature(&first), &feature(&second), *dist)?;
        Some(Self { at, normal: *normal, tangents: *tangents, matrix })
    }

    /// The motion of the contact when its sides move, given at the witness points.
    pub(super) fn motion(&self, sides: &[SideMotion; 2]) -> NarrowMotion {
        let n = &self.normal;
        let plane = |v: &Vec3| [self.tangents[0].dot(v), self.tangents[1].dot(v)];
        let apart = sides[1].velocity - sides[0].velocity;
        let [a, b] = plane(&apart);
        let [c, d] = plane(&sides[0].turn.cross(n));
        let [e, f] = plane(&sides[1].turn.cross(n));
        let x = self.matrix * Vector6::new(a, b, c, d, e, f);
        let lift = |k: usize| self.tangents[0] * x[k] + self.tangents[1] * x[k + 1];
        let middle = (sides[0].velocity + sides[1].velocity + lift(2) + lift(4)) * 0.5;
        NarrowMotion { normal: lift(0), point: middle, distance: n.dot(&apart) }
    }
}

/// A point of a patch of contact.
pub(super) struct Patch {
    /// Side whose face gives the normal.
    pub(super) reference: usize,
    pub(super) slide: PatchSlide,
}

/// How a point of a patch follows the other side.
pub(super) enum PatchSlide {
    /// With its body.
    Attached,
    /// Along an edge of the other side, on a side plane of the reference.
    Crossing { edge: Vec3, plane: Vec3 },
    /// Under a corner of the reference, on a face of the other side.
    Corner { face: Vec3 },
    /// On the rim of a cylinder over a plane, which turns with its lowest point.
    Rim { axis: Vec3, rim: Vec3, tilt: f64, offset: Vec3 },
}

/// The motion of one contact as a function of the motions of its sides.
pub(super) struct Witness<'a> {
    /// Witness points on both sides, with their bodies.
    pub(super) points: [Point; 2],
    pub(super) normal: Vec3,
    pub(super) tangents: [Vec3; 2],
    pub(super) distance: f64,
    pub(super) law: Law<'a>,
    /// Direction that the first tangent is made from, and the side it is fixed to.
    pub(super) reference: Vec3,
    pub(super) reference_side: Option<usize>,
}

/// Why the motion of a contact is not known.
pub(super) type Refusal = &'static str;

impl<'a> Witness<'a> {
    /// Finds the features of a contact between geoms.
    pub(super) fn new(
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
                Law::Narrow(NarrowSlope::new(model, data, id, in_world)?)
            }
        };
        let (reference, reference_side) = frame_reference(model, data, geoms, &normal);
        Ok(Self { points, normal, tangents, distance: contact.dist, law, reference, reference_side })
    }

    /// The motion of the contact with a dof.
    pub(super) fn motion(&self, dof: &DofMotion<'_>, probe: &mut NarrowProbe) -> ContactMotion {
        let sides = &[0, 1].map(|k| match dof.moves[k] {
            true => {
                SideMotion { velocity: at_point(dof.axis, &self.points[k].offset), turn: angular(dof.axis) }
            }
            false => SideMotion::STILL,
        });
        let mut smooth = true;
        let at = [&self.points[0].pos, &self.points[1].pos];
        let NarrowMotion { normal, point, distance } = match &self.law {
            Law::Smooth(features) => features.motion(sides),
            Law::Patch(patch) => self.patch(patch, sides),
            Law::Tilted(tilted) => tilted.motion(at, sides),
            Law::Narrow(slope) => {
                let motion;
                (motion, smooth) = slope.motion(at, sides, dof, probe);
                motion
            }
        };
        let y = &self.reference;
        let y_rate = self.reference_side.map_or(Vec3::zeros(), |side| sides[side].turn.cross(y));
        let turn = frame_turn(&self.normal, &self.tangents, y, &y_rate, &normal);
        ContactMotion { point, turn, distance, smooth }
    }

    fn patch(&self, patch: &Patch, sides: &[SideMotion; 2]) -> NarrowMotion {
        let n = &self.normal;
        let (r, o) = (patch.reference, 1 - patch.reference);
        let dn = sides[r].turn.cross(n);
        // velocities of both bodies at the witness point of the other side
        let between = self.points[o].pos - self.points[r].pos;
        let here = sides[o].velocity;
        let there = sides[r].velocity + sides[r].turn.cross(&between);
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
                // what turns about the axis as the steepest direction does
                let turn = &sides[o].turn;
                let relative = dn - turn.cross(n);
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

/// The turn of a contact frame, given how its normal moves and the direction `y` that its first tangent is
/// made from: `y − n (n·y)`, normalized.
pub(super) fn frame_turn(n: &Vec3, tangents: &[Vec3; 2], y: &Vec3, y_rate: &Vec3, dn: &Vec3) -> Vec3 {
    let length = (y - n * n.dot(y)).norm().max(kinetree_math::MINVAL);
    let spin = (tangents[1].dot(y_rate) - tangents[1].dot(dn) * n.dot(y)) / length;
    n.cross(dn) + n * spin
}

/// The direction that the first tangent of a contact frame is made from, and the side it is fixed to.
pub(super) fn frame_reference(
    model: &Model,
    data: &Data,
    geoms: [usize; 2],
    normal: &Vec3,
) -> (Vec3, Option<usize>) {
    if model.geom_type[geoms[0]] == GeomType::Plane && model.geom_type[geoms[1]] == GeomType::Capsule {
        let mat = &data.geom_xmat[geoms[1]];
        return (Vec3::new(mat[2], mat[5], mat[8]), Some(1));
    }
    let y = if normal.y < 0.5 && normal.y > -0.5 { Vec3::y() } else { Vec3::z() };
    (y, None)
}

/// How close two numbers are that should be the same, relative to the size of a geom.
const TOLERANCE: f64 = 1e-6;

/// How much a normal may lean where the features that a point lies on do not let it.
const LEAN: f64 = 1e-4;

/// What kind of feature has a normal in its normal cone.
#[derive(Clone, Copy, Debug)]
enum Local {
    Face,
    /// Along a direction.
    Edge(Vec3),
    Vertex,
    /// A curved surface.
    Curved(Feature),
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

/// What a search says of a contact.
pub(super) fn point_of(contact: &Contact) -> ContactPoint {
    let [x, y, z, ..] = contact.frame;
    let (pos, normal) = (Vec3::from(contact.pos), Vec3::new(x, y, z));
    ContactPoint { dist: contact.dist, pos, normal, tangent: Vec3::zeros() }
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

/// The side whose face gives the normal of a patch, for the pairs whose points are those of a patch.
fn patch_reference(model: &Model, data: &Data, geoms: [usize; 2], normal: &Vec3) -> Option<usize> {
    let kind = geoms.map(|geom| GeomType::try_from(model.geom_type[geom]));
    match kind {
        [Ok(GeomType::Plane), Ok(GeomType::Cylinder | GeomType::Box | GeomType::Mesh)] => Some(0),
        [Ok(GeomType::Box), Ok(GeomType::Box)] => {
            // the normal is an axis of the reference to rounding
            let tilt = geoms.map(|geom| {
                let local = mat3(&data.geom_xmat[geom]).tr_mul(normal);
                1.0 - local.abs().max()
            });
            let side = usize::from(tilt[1] < tilt[0]);
            (tilt[side] < 1e-14).then_some(side)
        }
        _ => None,
    }
}

/// Components in the tangent plane.
fn in_plane(v: &Vec3, tangents: &[Vec3; 2]) -> Vector2<f64> {
    Vector2::new(tangents[0].dot(v), tangents[1].dot(v))
}

/// Solves the six equations for `(δn, u₁, u₂)`; `None` when they are singular.
fn solve_features(first: &Feature, second: &Feature, distance: f64) -> Option<Box6> {
    // A₁ u₁ + B₁ (δn − θ₁) = 0,  A₂ u₂ − B₂ (δn − θ₂) = 0,  Δv + u₂ − u₁ = d δn
    if let Some(solved) = solve_curved(first, second, distance) {
        return Some(solved);
    }
    let mut left = Box6::zeros();
    let mut right = Box6::zeros();
    let put = |m: &mut SMatrix<f64, 6, 6>, row: usize, column: usize, block: &Matrix2<f64>| {
        m.fixed_view_mut::<2, 2>(2 * row, 2 * column).copy_from(block);
    };
    let one = Matrix2::identity();
    put(&mut left, 0, 0, &first.b);
    put(&mut left, 0, 1, &first.a);
    put(&mut right, 0, 1, &first.b);
    put(&mut left, 1, 0, &-second.b);
    put(&mut left, 1, 2, &second.a);
    put(&mut right, 1, 2, &-second.b);
    put(&mut left, 2, 0, &(one * -distance));
    put(&mut left, 2, 1, &-one);
    put(&mut left, 2, 2, &one);
    put(&mut right, 2, 0, &-one);
    let inverse = left.try_inverse()?;
    let scale = left.abs().max() * inverse.abs().max();
    (scale < 1e9).then(|| inverse * right)
}

/// The same where slides follow from turns on both sides, with `C = A⁻¹ B`:
/// `(d − C₁ − C₂) δn = Δv − C₁ θ₁ − C₂ θ₂`, `u₁ = −C₁ (δn − θ₁)`, `u₂ = C₂ (δn − θ₂)`.
fn solve_curved(first: &Feature, second: &Feature, distance: f64) -> Option<Box6> {
    let [c1, c2] = [first.a.try_inverse()? * first.b, second.a.try_inverse()? * second.b];
    let left = Matrix2::identity() * distance - c1 - c2;
    let inverse = left.try_inverse()?;
    // centres of curvature that coincide leave nothing but rounding of these terms
    let terms = distance.abs().max(c1.abs().max()).max(c2.abs().max());
    if terms * inverse.abs().max() >= 1e9 {
        return None;
    }
    let normal = [inverse, -inverse * c1, -inverse * c2];
    let mut out = Box6::zeros();
    for (column, turned) in normal.iter().enumerate() {
        let slides = [-c1 * turned, c2 * turned];
        for (row, block) in [*turned, slides[0], slides[1]].iter().enumerate() {
            out.fixed_view_mut::<2, 2>(2 * row, 2 * column).copy_from(block);
        }
    }
    let mut add = |row: usize, column: usize, block: &Matrix2<f64>| {
        let mut view = out.fixed_view_mut::<2, 2>(2 * row, 2 * column);
        view += block;
    };
    add(1, 1, &c1);
    add(2, 2, &-c2);
    Some(out)
}

/// The feature of a geom whose outward normal is `normal` at a witness point.
fn local_feature(
    model: &Model,
    geom: usize,
    pose: &Pose,
    at: &Vec3,
    normal: &Vec3,
    tangents: &[Vec3; 2],
) -> Option<Local> {
    let Pose { pos: centre, mat } = pose;
    let size = &model.geom_size[geom];
    let axis = mat.column(2).into_owned();
    let relative = at - centre;
    let curved = |feature| Some(Local::Curved(feature));
    match GeomType::try_from(model.geom_type[geom]) {
        Ok(GeomType::Plane) => Some(Local::Face),
        Ok(GeomType::Sphere) => curved(Feature::ball(size[0])),
        Ok(GeomType::Capsule) => {
            let along = (relative - normal * size[0]).dot(&axis);
            if along.abs() < size[1] * (1.0 - TOLERANCE) {
                if normal.dot(&axis).abs() > TOLERANCE {
                    // a second contact along the capsule
                    return None;
                }
                curved(Feature::line(&in_plane(&axis, tangents), size[0]))
            } else {
                curved(Feature::ball(size[0]))
            }
        }
        Ok(GeomType::Ellipsoid) => {
            // x² / a² + … = 1: curvature is the Hessian over the length of the gradient
            let inverse = Vec3::from(*size).map(|a| 1.0 / (a * a));
            let local = mat.tr_mul(&relative);
            let gradient = inverse.component_mul(&local).norm();
            let t = tangents.map(|t| mat.tr_mul(&t));
            let entry = |i: usize, j: usize| t[i].dot(&inverse.component_mul(&t[j])) / gradient;
            let curvature = Matrix2::new(entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1));
            curved(Feature { a: -curvature, b: Matrix2::identity() })
        }
        Ok(GeomType::Cylinder) => Some(cylinder_feature(size, &axis, &relative, normal, tangents)),
        Ok(GeomType::Box) => {
            let local = mat.tr_mul(normal);
            let end = ends(&mat.tr_mul(&relative), size);
            // between the ends no normal leans that way, but for the tolerance of the search
            let flat = |k: usize| local[k].abs() < if end[k] { TOLERANCE } else { LEAN };
            let still = (0..3).filter(|&k| flat(k)).count();
            if (0..3).any(|k| !flat(k) && !end[k]) {
                return None;
            }
            Some(match still {
                2.. => Local::Face,
                1 => Local::Edge(mat.column((0..3).find(|&k| flat(k)).unwrap_or(0)).into_owned()),
                _ => Local::Vertex,
            })
        }
        Ok(GeomType::Mesh) => {
            let local = mesh_feature(model, geom, &mat.tr_mul(normal), &mat.tr_mul(&relative))?;
            Some(if let Local::Edge(direction) = local { Local::Edge(mat * direction) } else { local })
        }
        _ => None,
    }
}

fn cylinder_feature(
    size: &[f64; 3],
    axis: &Vec3,
    relative: &Vec3,
    normal: &Vec3,
    tangents: &[Vec3; 2],
) -> Local {
    let tilt = normal.dot(axis);
    let across = normal - axis * tilt;
    if across.norm() < TOLERANCE {
        return Local::Face;
    }
    if tilt.abs() < TOLERANCE && relative.dot(axis).abs() < size[1] * (1.0 - TOLERANCE) {
        return Local::Curved(Feature::line(&in_plane(axis, tangents), size[0]));
    }
    // the rim: a circle, whose tangent is across the normal and the axis
    let direction = in_plane(&axis.cross(normal), tangents);
    Local::Curved(Feature::curve(&direction, size[0] / across.norm()))
}

/// The vertices of a convex hull that are farthest along a direction: one, those of an edge or of a face, on
/// which a witness point must lie.
fn mesh_feature(model: &Model, geom: usize, direction: &Vec3, at: &Vec3) -> Option<Local> {
    let vertices = || {
        let hull = geom_hull(model, geom).map_or(&[][..], |hull| hull.vert);
        hull.iter().map(|v| Vec3::from(v.map(f64::from)))
    };
    let farthest = vertices().map(|v| v.dot(direction)).fold(f64::NEG_INFINITY, f64::max);
    let reach = vertices().map(|v| v.norm()).fold(0.0, f64::max);
    let mut near = vertices().filter(|v| v.dot(direction) > farthest - TOLERANCE * reach);
    let first = near.next()?;
    let off = at - first;
    if off.dot(direction).abs() > 1e-4 * reach {
        return None;
    }
    // collinear vertices make an edge
    let mut edge = None::<Vec3>;
    for vertex in near {
        let apart = vertex - first;
        if apart.norm() <= TOLERANCE * reach {
            continue;
        }
        match edge {
            None => edge = Some(apart),
            Some(known) if known.cross(&apart).norm() > 1e-3 * known.norm() * apart.norm() => {
                return Some(Local::Face);
            }
            Some(_) => {}
        }
    }
    let astray = edge.map_or(off, |edge| off - edge * (off.dot(&edge) / edge.norm_squared()));
    if astray.norm() > 1e-4 * reach {
        return None;
    }
    Some(edge.map_or(Local::Vertex, Local::Edge))
}

/// Where the point of a patch lies on a box: how many of its coordinates are at their ends.
fn ends(local: &Vec3, size: &[f64; 3]) -> [bool; 3] {
    [0, 1, 2].map(|k| (local[k].abs() - size[k]).abs() < TOLERANCE * size[k].max(1e-3))
}

/// How a point of a patch follows the side that is not the reference.
fn patch_slide(
    model: &Model,
    data: &Data,
    geoms: [usize; 2],
    reference: usize,
    at: &[Vec3; 2],
    normal: &Vec3,
) -> Option<PatchSlide> {
    let other = 1 - reference;
    let kind = |side: usize| GeomType::try_from(model.geom_type[geoms[side]]);
    let pose = |side: usize| (Vec3::from(data.geom_xpos[geoms[side]]), mat3(&data.geom_xmat[geoms[side]]));
    let (centre, mat) = pose(other);
    let size = &model.geom_size[geoms[other]];
    match (kind(reference), kind(other)) {
        (Ok(GeomType::Plane), Ok(GeomType::Cylinder)) => {
            Some(rim_slide(&centre, &mat.column(2).into_owned(), &at[other], normal))
        }
        (Ok(GeomType::Plane), _) => Some(PatchSlide::Attached),
        (Ok(GeomType::Box), Ok(GeomType::Box)) => {
            let (ref_centre, ref_mat) = pose(reference);
            let ref_size = &model.geom_size[geoms[reference]];
            let on_other = ends(&mat.tr_mul(&(at[other] - centre)), size);
            let on_reference = ends(&ref_mat.tr_mul(&(at[reference] - ref_centre)), ref_size);
            box_slide(&mat, on_other, &ref_mat, on_reference, normal)
        }
        _ => None,
    }
}

fn box_slide(
    mat: &kinetree_math::Mat3,
    on_other: [bool; 3],
    ref_mat: &kinetree_math::Mat3,
    on_reference: [bool; 3],
    normal: &Vec3,
) -> Option<PatchSlide> {
    let count = |ends: &[bool; 3]| ends.iter().filter(|&&end| end).count();
    match (count(&on_other), count(&on_reference)) {
        (3, _) => Some(PatchSlide::Attached),
        (2, 2) => {
            let edge = (0..3).find(|&k| !on_other[k]).unwrap_or(0);
            // the side plane of the reference: at its end, but not along the normal
            let side = (0..3).find(|&k| on_reference[k] && ref_mat.column(k).dot(normal).abs() < 0.5);
            let (edge, plane) = (mat.column(edge).into_owned(), ref_mat.column(side?).into_owned());
            Some(PatchSlide::Crossing { edge, plane })
        }
        (1, 3) => {
            let face = (0..3).find(|&k| on_other[k]).unwrap_or(0);
            Some(PatchSlide::Corner { face: mat.column(face).into_owned() })
        }
        _ => None,
    }
}

/// Points on the disks of a cylinder over a plane.
fn rim_slide(centre: &Vec3, axis: &Vec3, at: &Vec3, normal: &Vec3) -> PatchSlide {
    let tilt = axis.dot(normal);
    let down = axis * tilt - normal;
    let length = down.norm();
    if length < 1e-9 {
        return PatchSlide::Attached;
    }
    let offset = at - centre;
    let offset = offset - axis * axis.dot(&offset);
    PatchSlide::Rim { axis: *axis, rim: down / length, tilt: length, offset }
}
