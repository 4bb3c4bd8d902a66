//! The distance field of a mesh: trilinear interpolation in the leaves of an octree.

use kinetree_math::Vec3;
use kinetree_math::field::{GRADIENT_STEP, SignedDistance};

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
            let coord = std::array::from_fn(|k| {
                let (low, high) = (aabb[k] - aabb[3 + k], aabb[k] + aabb[3 + k]);
                (point[k] - low) / (high - low)
            });
            let octant = (0..3).fold(0, |octant, k| octant | usize::from(coord[k] >= 0.5) << k);
            // children come after their parent, so that the walk ends
            match usize::try_from(self.child[cell][octant]) {
                Ok(child) if child > cell && child < self.child.len() => cell = child,
                _ => return (cell, coord),
            }
        }
    }

    fn interpolate(&self, point: &Vec3) -> f64 {
        let (cell, [x, y, z]) = self.leaf(point);
        let mut sum = 0.0;
        for (j, value) in self.coeff[cell].iter().enumerate() {
            let side = |bit: usize, t: f64| if j & bit != 0 { t } else { 1.0 - t };
            sum += side(1, x) * side(2, y) * side(4, z) * value;
        }
        sum
    }

    /// Slopes of the interpolation in units of the size of the leaf, which the reference's descents use.
    fn scaled_slopes(&self, point: &Vec3) -> Vec3 {
        let (cell, [x, y, z]) = self.leaf(point);
        let mut slopes = Vec3::zeros();
        for (j, value) in self.coeff[cell].iter().enumerate() {
            let side = |bit: usize, t: f64| if j & bit != 0 { t } else { 1.0 - t };
            let sign = |bit: usize| if j & bit != 0 { 1.0 } else { -1.0 };
            slopes.x += sign(1) * side(2, y) * side(4, z) * value;
            slopes.y += side(1, x) * sign(2) * side(4, z) * value;
            slopes.z += side(1, x) * side(2, y) * sign(4) * value;
        }
        slopes
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

    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        let here = self.distance(point);
        let mut inside = *point;
        if self.project(&mut inside) <= 0.0 {
            return (here, self.scaled_slopes(&inside));
        }
        let slope = |k: usize| {
            let mut ahead = *point;
            ahead[k] += GRADIENT_STEP;
            (self.distance(&ahead) - here) / GRADIENT_STEP
        };
        (here, Vec3::new(slope(0), slope(1), slope(2)))
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
