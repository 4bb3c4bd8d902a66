//! The distance field of a mesh: trilinear interpolation in the leaves of an octree.

use kinetree_math::Vec3;
use kinetree_math::field::{SignedDistance, forward_differences};
use kinetree_math::lanes::Lane;
use wide::f64x4;

/// How far inside the root a point outside of it is projected (m).
const INSET: f64 = 1e-6;

/// An octree in the layout of a compiled model. Slices have one entry per cell and start at the root;
/// children are numbered from the root too.
#[derive(Clone, Copy, Debug)]
pub struct OctreeField<'a> {
    /// Box of each cell: centre, half sizes (m).
    pub aabb: &'a [[f64; 6]],
    /// The eight children of each cell, −1 for none; a bit of the index for each axis, x first.
    pub child: &'a [[i32; 8]],
    /// Distances at the eight corners of each cell (m).
    pub coeff: &'a [[f64; 8]],
}

impl OctreeField<'_> {
    /// Moves a point that is outside of the root into it; returns its distance from the root, negative
    /// inside.
    fn project(&self, point: &mut Vec3) -> f64 {
        let Some(root) = self.aabb.first() else { return f64::NAN };
        let offset = *point - Vec3::new(root[0], root[1], root[2]);
        let beyond = offset.abs() - Vec3::new(root[3], root[4], root[5]);
        if beyond.iter().all(|&q| q <= 0.0) {
            return beyond.max();
        }
        let mut squares = 0.0;
        for k in 0..3 {
            if beyond[k] >= 0.0 {
                squares += beyond[k] * beyond[k];
                point[k] -= if offset[k] > 0.0 { beyond[k] + INSET } else { -(beyond[k] + INSET) };
            }
        }
        squares.sqrt()
    }

    /// The leaf that holds a point, and where in it the point is, in units of its size.
    fn leaf(&self, point: &Vec3) -> (usize, [f64; 3]) {
        let mut cell = 0;
        loop {
            let aabb = &self.aabb[cell];
            let (from_low, size): ([f64; 3], [f64; 3]) = (
                std::array::from_fn(|k| point[k] - (aabb[k] - aabb[3 + k])),
                std::array::from_fn(|k| (aabb[k] + aabb[3 + k]) - (aabb[k] - aabb[3 + k])),
            );
            // as `from_low / size >= 0.5`: no quotient of two numbers is rounded up to a half
            let octant = (0..3).fold(0, |octant, k| octant | usize::from(2.0 * from_low[k] >= size[k]) << k);
            // children come after their parent, so that the walk ends
            match usize::try_from(self.child[cell][octant]) {
                Ok(child) if child > cell && child < self.child.len() => cell = child,
                _ => return (cell, std::array::from_fn(|k| from_low[k] / size[k])),
            }
        }
    }

    fn interpolate(&self, point: &Vec3) -> f64 {
        let (cell, [x, y, z]) = self.leaf(point);
        let [x, y, z] = [x, y, z].map(|t| [1.0 - t, t]);
        // weights of the corners at the low and at the high end of z
        let face = f64x4::new(std::array::from_fn(|j| x[j & 1] * y[j >> 1]));
        let values = &self.coeff[cell];
        let [low, high] = [0, 1].map(|end| {
            let corners = f64x4::new(std::array::from_fn(|j| values[4 * end + j]));
            (face * z[end] * corners).to_array()
        });
        low.into_iter().chain(high).fold(0.0, |sum, term| sum + term)
    }

    /// Slopes of the interpolation in units of the size of the leaf, which the reference's descents use.
    fn scaled_slopes(&self, point: &Vec3) -> Vec3 {
        let (cell, coord) = self.leaf(point);
        let [x, y, z] = coord.map(|t| [1.0 - t, t]);
        let mut slopes = f64x4::ZERO;
        for (j, &value) in self.coeff[cell].iter().enumerate() {
            let (i, j, k) = (j & 1, j >> 1 & 1, j >> 2);
            let sign = |end: usize| if end == 1 { 1.0 } else { -1.0 };
            let first = f64x4::new([sign(i) * y[j], x[i] * sign(j), x[i] * y[j], 0.0]);
            let second = f64x4::new([z[k], z[k], sign(k), 0.0]);
            slopes += first * second * value;
        }
        let [x, y, z, _] = slopes.to_array();
        Vec3::new(x, y, z)
    }
}

impl SignedDistance for OctreeField<'_> {
    fn distance(&self, point: &Vec3) -> f64 {
        let mut inside = *point;
        let outside = self.project(&mut inside);
        if outside.is_nan() {
            return f64::NAN;
        }
        let distance = self.interpolate(&inside);
        if outside > 0.0 { distance + outside } else { distance }
    }

    fn distances(&self, points: &[Lane; 3]) -> Option<Lane> {
        Some(std::array::from_fn(|i| self.distance(&Vec3::new(points[0][i], points[1][i], points[2][i]))))
    }

    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        if self.project(&mut point.clone()) <= 0.0 {
            return (self.interpolate(point), self.scaled_slopes(point));
        }
        forward_differences(self, point)
    }

    fn gradient(&self, point: &Vec3) -> Vec3 {
        if self.project(&mut point.clone()) <= 0.0 {
            return self.scaled_slopes(point);
        }
        forward_differences(self, point).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear field is interpolated exactly inside, and continued by the distance to the root outside.
    #[test]
    fn interpolation_of_a_linear_field() {
        let linear = |x: f64, y: f64, z: f64| 0.3 * x - 0.2 * y + 0.5 * z - 0.1;
        let mut aabb = vec![[0.0, 0.0, 0.0, 1.0, 2.0, 1.0]];
        let mut child = vec![std::array::from_fn(|j| j as i32 + 1)];
        for j in 0..8 {
            let side = |bit: usize| if j & bit != 0 { 0.5 } else { -0.5 };
            aabb.push([side(1), 2.0 * side(2), side(4), 0.5, 1.0, 0.5]);
            child.push([-1; 8]);
        }
        let corner = |b: &[f64; 6]| {
            std::array::from_fn(|j| {
                let at = |k: usize| if j >> k & 1 != 0 { b[k] + b[3 + k] } else { b[k] - b[3 + k] };
                linear(at(0), at(1), at(2))
            })
        };
        let coeff: Vec<[f64; 8]> = aabb.iter().map(corner).collect();
        let field = OctreeField { aabb: &aabb, child: &child, coeff: &coeff };
        for p in [[0.1, 0.2, 0.3], [-0.9, 1.7, -0.2], [0.99, -1.9, 0.5]] {
            let p = Vec3::from(p);
            let (distance, slopes) = field.distance_and_gradient(&p);
            assert!((distance - linear(p.x, p.y, p.z)).abs() < 1e-14);
            // cells are 1 by 2 by 1
            assert!((slopes - Vec3::new(0.3, -0.4, 0.5)).norm() < 1e-14);
        }
        let outside = field.distance(&Vec3::new(1.5, 0.0, 0.0));
        assert!((outside - (linear(1.0, 0.0, 0.0) + 0.5)).abs() < 1e-5);
    }
}
