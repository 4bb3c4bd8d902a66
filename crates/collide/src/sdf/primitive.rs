//! Distance fields of primitive shapes.
//!
//! Those of planes, spheres, capsules and cylinders are exact, and that of a box outside of it. Inside a box
//! the distance is measured along a field that changes from radial in the middle to the normals at the faces,
//! and for an ellipsoid to first order.

use crate::Kind;
use kinetree_math::Vec3;
use kinetree_math::field::{LaneDistance, SignedDistance};
use kinetree_math::lanes::Lane;
use kinetree_math::rot::normalize3;
use wide::{CmpGe, f64x4};

/// Lengths are at least this when something is divided by them.
const SMALLEST: f64 = 1e-10;

/// A primitive shape as a field in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct PrimitiveField {
    kind: Kind,
    size: [f64; 3],
}

impl PrimitiveField {
    /// The field of a shape; `None` for meshes and height fields.
    #[must_use]
    pub fn new(kind: Kind, size: [f64; 3]) -> Option<Self> {
        (!matches!(kind, Kind::HeightField | Kind::Mesh)).then_some(Self { kind, size })
    }
}

impl LaneDistance for PrimitiveField {
    fn distance_lanes(&self, [x, y, z]: [f64x4; 3]) -> f64x4 {
        let norm = |x: f64x4, y: f64x4, z: f64x4| (x * x + y * y + z * z).sqrt();
        let [radius, half, _] = self.size;
        let zero = f64x4::ZERO;
        match self.kind {
            Kind::Plane => z,
            Kind::Sphere => norm(x, y, z) - radius,
            Kind::Capsule => {
                let along = z.fast_max(f64x4::splat(-half)).fast_min(f64x4::splat(half));
                norm(x, y, z - along) - radius
            }
            Kind::Cylinder => {
                let (side, end) = ((x * x + y * y).sqrt() - radius, z.abs() - half);
                let (out_side, out_end) = (side.fast_max(zero), end.fast_max(zero));
                side.fast_max(end).fast_min(zero) + (out_side * out_side + out_end * out_end).sqrt()
            }
            Kind::Ellipsoid => {
                let [a, b, c] = self.size;
                let once = [x / a, y / b, z / c];
                let (k0, k1) = (norm(once[0], once[1], once[2]), norm(once[0] / a, once[1] / b, once[2] / c));
                k0 * (k0 - 1.0) / k1
            }
            Kind::Box => box_distance(&self.size, [x, y, z]),
            Kind::HeightField | Kind::Mesh => f64x4::splat(f64::NAN),
        }
    }
}

impl SignedDistance for PrimitiveField {
    fn distance(&self, x: &Vec3) -> f64 {
        self.distance_lanes([x.x, x.y, x.z].map(f64x4::splat)).to_array()[0]
    }

    fn distances(&self, points: &[Lane; 3]) -> Option<Lane> {
        Some(self.distance_lanes(points.map(f64x4::new)).to_array())
    }

    fn solid_box(&self) -> Option<[f64; 6]> {
        let [a, b, c] = self.size;
        let half = match self.kind {
            Kind::Sphere => [a, a, a],
            Kind::Capsule => [a, a, a + b],
            Kind::Cylinder => [a, a, b],
            Kind::Box => [a, b, c],
            // a plane has no box, and the distance from an ellipsoid is approximate
            Kind::Plane | Kind::Ellipsoid | Kind::HeightField | Kind::Mesh => return None,
        };
        Some([0.0, 0.0, 0.0, half[0], half[1], half[2]])
    }

    fn distance_and_gradient(&self, x: &Vec3) -> (f64, Vec3) {
        (self.distance(x), self.gradient(x))
    }

    fn gradient(&self, x: &Vec3) -> Vec3 {
        let [radius, half, _] = self.size;
        match self.kind {
            Kind::Plane => Vec3::z(),
            Kind::Sphere => x * (1.0 / x.norm()),
            Kind::Capsule => {
                let offset = off_segment(x, half);
                offset / offset.norm()
            }
            Kind::Cylinder => cylinder_gradient(radius, half, x),
            Kind::Ellipsoid => Ellipsoid::new(&self.size, x).gradient(&self.size),
            Kind::Box => box_gradient(&self.size, x),
            Kind::HeightField | Kind::Mesh => Vec3::repeat(f64::NAN),
        }
    }
}

/// Offset of a point from the segment of half length `half` along z.
#[inline]
fn off_segment(x: &Vec3, half: f64) -> Vec3 {
    Vec3::new(x.x, x.y, x.z - x.z.max(-half).min(half))
}

fn cylinder_gradient(radius: f64, half: f64, x: &Vec3) -> Vec3 {
    let (across, along) = (x.xy().norm(), x.z.abs());
    let (side, end) = (across - radius, along - half);
    let (across, along) = (across.max(SMALLEST), along.max(SMALLEST));
    let unit = Vec3::new(x.x / across, x.y / across, x.z / along);
    if side.max(end) < 0.0 {
        return if side > end { Vec3::new(unit.x, unit.y, 0.0) } else { Vec3::new(0.0, 0.0, unit.z) };
    }
    let (side, end) = (side.max(0.0), end.max(0.0));
    let norm = (side * side + end * end).sqrt().max(SMALLEST);
    Vec3::new(unit.x * side / norm, unit.y * side / norm, unit.z * end / norm)
}

/// A point in units of the semi-axes: its norm there, and that of `x / size²`.
struct Ellipsoid {
    twice: Vec3,
    k0: f64,
    k1: f64,
}

impl Ellipsoid {
    fn new(size: &[f64; 3], x: &Vec3) -> Self {
        let size = Vec3::from(*size);
        let once = x.component_div(&size);
        let twice = once.component_div(&size);
        Self { twice, k0: once.norm(), k1: twice.norm() }
    }

    fn gradient(&self, size: &[f64; 3]) -> Vec3 {
        let Self { twice, k0, k1 } = self;
        let (inv0, inv1) = (1.0 / k0, 1.0 / k1);
        let (derivative0, derivative1) = ((2.0 * k0 - 1.0) * inv1, k0 * (k0 - 1.0) * inv1 * inv1);
        let mut gradient = Vec3::from_fn(|k, _| {
            twice[k] * inv0 * derivative0 - twice[k] * inv1 / (size[k] * size[k]) * derivative1
        });
        normalize3(&mut gradient);
        gradient
    }
}

/// The direction inside a box along which distance is measured, towards positive coordinates.
fn inner_direction(size: &Vec3, beyond: &Vec3) -> Vec3 {
    let mut field = -size.component_div(beyond);
    normalize3(&mut field);
    field
}

/// Distance of four points from a box; the direction inside is that of [`inner_direction`].
fn box_distance(size: &[f64; 3], x: [f64x4; 3]) -> f64x4 {
    let zero = f64x4::ZERO;
    let [a, b, c]: [f64x4; 3] = std::array::from_fn(|k| x[k].abs() - size[k]);
    let out = [a, b, c].map(|beyond| beyond.fast_max(zero));
    let norm = |v: [f64x4; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let farthest = a.fast_max(b).fast_max(c);
    let outside = norm(out) + farthest.fast_min(zero);
    let is_outside = a.cmp_ge(zero) | b.cmp_ge(zero) | c.cmp_ge(zero);
    if is_outside.all() {
        return outside;
    }
    let inward = [zero - a, zero - b, zero - c];
    let field: [f64x4; 3] = std::array::from_fn(|k| size[k] / inward[k]);
    let length = norm(field);
    let inverse = 1.0 / length;
    let field = field.map(|f| f * inverse);
    let steps: [f64x4; 3] = std::array::from_fn(|k| inward[k] / field[k]);
    let inside = zero - steps[0].fast_min(steps[1]).fast_min(steps[2]) * norm(field);
    is_outside.blend(outside, inside)
}

fn box_gradient(size: &[f64; 3], x: &Vec3) -> Vec3 {
    let size = Vec3::from(*size);
    let beyond = x.abs() - size;
    if beyond.max() < 0.0 {
        let field = inner_direction(&size, &beyond);
        return Vec3::from_fn(|k, _| if x[k] < 0.0 { -field[k] } else { field[k] });
    }
    let outside = beyond.sup(&Vec3::zeros());
    let norm = outside.norm();
    Vec3::from_fn(|k, _| if beyond[k] > 0.0 { outside[k] / norm * x[k] / x[k].abs() } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [(Kind, [f64; 3], [f64; 3]); 6] = [
        (Kind::Sphere, [0.3, 0.0, 0.0], [0.0, 0.3, 0.0]),
        (Kind::Capsule, [0.1, 0.4, 0.0], [0.0, 0.0, 0.5]),
        (Kind::Cylinder, [0.2, 0.3, 0.0], [0.2, 0.0, 0.1]),
        (Kind::Ellipsoid, [0.2, 0.3, 0.4], [0.0, 0.0, 0.4]),
        (Kind::Box, [0.2, 0.3, 0.4], [0.2, 0.1, -0.1]),
        (Kind::Plane, [0.0; 3], [3.0, 1.0, 0.0]),
    ];

    #[test]
    fn distances_vanish_on_the_surface_and_are_negative_inside() {
        for (kind, size, surface) in SHAPES {
            let field = PrimitiveField::new(kind, size).unwrap();
            let at = |scale: f64| {
                field.distance(&(Vec3::from(surface) * scale - Vec3::z() * (1.0 - scale) * 1e-3))
            };
            assert!(at(1.0).abs() < 1e-12, "{kind:?}");
            assert!(at(0.9) < 0.0, "{kind:?}");
        }
        assert!(PrimitiveField::new(Kind::Mesh, [0.0; 3]).is_none());
    }

    /// Outside, gradients are the derivatives of the distances, up to the length of that of an ellipsoid.
    #[test]
    fn gradients_are_those_of_differences_outside() {
        struct Differences(PrimitiveField);
        impl SignedDistance for Differences {
            fn distance(&self, point: &Vec3) -> f64 {
                self.0.distance(point)
            }
        }
        for (kind, size, _) in SHAPES {
            let field = PrimitiveField::new(kind, size).unwrap();
            for point in [[0.5, 0.7, 0.6], [-0.6, 0.5, -0.8], [0.45, -0.5, 0.55]] {
                let point = Vec3::from(point);
                let (_, exact) = field.distance_and_gradient(&point);
                let mut differences = Differences(field).gradient(&point);
                if kind == Kind::Ellipsoid {
                    normalize3(&mut differences);
                }
                assert!(
                    (exact - differences).norm() < 1e-6,
                    "{kind:?} at {point:?}: {exact:?} {differences:?}"
                );
            }
        }
    }

    #[test]
    fn four_points_at_once_are_four_points() {
        let points = [[0.5, 0.7, 0.6], [-0.1, 0.05, -0.02], [0.15, -0.29, 0.1], [0.0, 0.1, -0.6]];
        let lanes = std::array::from_fn(|k| std::array::from_fn(|i| points[i][k]));
        for (kind, size, _) in SHAPES {
            let field = PrimitiveField::new(kind, size).unwrap();
            let each = points.map(|point| field.distance(&Vec3::from(point)));
            assert_eq!(field.distances(&lanes), Some(each), "{kind:?}");
        }
    }

    /// A ball whose radius is the distance of its centre meets no point of the solid, which is in its box.
    #[test]
    fn positive_distances_are_bounds() {
        let at = |i: i32, k: f64| ((f64::from(i) + 0.37) * k).fract() - 0.5;
        let point = |i: i32| Vec3::new(at(i, 0.754_877_666), at(i, 0.569_840_291), at(i, 0.430_159_709));
        for (kind, size, _) in SHAPES {
            let field = PrimitiveField::new(kind, size).unwrap();
            let Some(aabb) = SignedDistance::solid_box(&field) else { continue };
            for i in 0..1000 {
                let (x, towards) = (point(i) * 2.0, point(i + 17).normalize());
                let distance = field.distance(&x);
                if distance > 0.0 {
                    assert!(field.distance(&(x + towards * (distance * (1.0 - 1e-9)))) > 0.0, "{kind:?}");
                } else {
                    assert!((0..3).all(|k| x[k].abs() <= aabb[3 + k]), "{kind:?}");
                }
            }
        }
    }
}
