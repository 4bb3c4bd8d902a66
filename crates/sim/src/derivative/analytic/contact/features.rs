//! Features of surfaces near a contact, and how they tie its motion to those of the bodies.

use super::motion::{NarrowMotion, SideMotion};
use crate::contact::geom_hull;
use kinetree_collide::{ContactPoint, Pose};
use kinetree_math::Vec3;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;
use nalgebra::{Matrix2, Matrix6, SMatrix, Vector2, Vector6};

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

    /// An edge that is a curve: a slide along its tangent needs the normal to rotate, `u = R δν`.
    fn curve(direction: &Vector2<f64>, radius: f64) -> Self {
        let along = direction.normalize();
        let across = Vector2::new(-along.y, along.x);
        Self {
            a: Matrix2::new(along.x, along.y, across.x, across.y),
            b: Matrix2::new(-radius * along.x, -radius * along.y, 0.0, 0.0),
        }
    }
}

type Box6 = Matrix6<f64>;

/// The features of a pair that decide how its contact moves.
pub(crate) struct Features {
    /// Witness points.
    pub(crate) at: [Vec3; 2],
    pub(crate) normal: Vec3,
    pub(crate) tangents: [Vec3; 2],
    /// The rotation of the normal and both slides from velocities and rotations, `(δn, u₁, u₂) = X (Δv, θ₁,
    /// θ₂)`.
    pub(crate) matrix: Box6,
}

impl Features {
    /// The features of geoms in given poses at a contact; `None` where they do not decide its motion.
    pub(crate) fn new(
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
    pub(crate) fn motion(&self, sides: &[SideMotion; 2]) -> NarrowMotion {
        let n = &self.normal;
        let plane = |v: &Vec3| [self.tangents[0].dot(v), self.tangents[1].dot(v)];
        let relative_velocity = sides[1].velocity - sides[0].velocity;
        let [a, b] = plane(&relative_velocity);
        let [c, d] = plane(&sides[0].rotation.cross(n));
        let [e, f] = plane(&sides[1].rotation.cross(n));
        let x = self.matrix * Vector6::new(a, b, c, d, e, f);
        let lift = |k: usize| self.tangents[0] * x[k] + self.tangents[1] * x[k + 1];
        let middle = (sides[0].velocity + sides[1].velocity + lift(2) + lift(4)) * 0.5;
        NarrowMotion { normal: lift(0), point: middle, distance: n.dot(&relative_velocity) }
    }
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

/// The same where slides follow from rotations on both sides, with `C = A⁻¹ B`:
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
    for (column, rotated) in normal.iter().enumerate() {
        let slides = [-c1 * rotated, c2 * rotated];
        for (row, block) in [*rotated, slides[0], slides[1]].iter().enumerate() {
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
        let edge_vector = vertex - first;
        if edge_vector.norm() <= TOLERANCE * reach {
            continue;
        }
        match edge {
            None => edge = Some(edge_vector),
            Some(known) if known.cross(&edge_vector).norm() > 1e-3 * known.norm() * edge_vector.norm() => {
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
pub(crate) fn ends(local: &Vec3, size: &[f64; 3]) -> [bool; 3] {
    [0, 1, 2].map(|k| (local[k].abs() - size[k]).abs() < TOLERANCE * size[k].max(1e-3))
}
