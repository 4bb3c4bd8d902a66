//! The distance field of a mesh: trilinear interpolation in the leaves of an octree.

use kinetree_math::Vec3;
use kinetree_math::field::{SignedDistance, forward_differences};
use kinetree_math::lanes::Lane;
use wide::{CmpGe, CmpGt, CmpLe, f64x4};

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

/// Where a point is: its leaf, and the coordinates in it in units of its size.
#[derive(Clone, Copy)]
struct LeafPoint {
    cell: usize,
    coord: [f64; 3],
}

impl OctreeField<'_> {
    /// Moves points that are outside of the root into it; returns their distances from the root, at most zero
    /// inside.
    fn project(&self, points: &mut [f64x4; 3]) -> f64x4 {
        let Some(root) = self.aabb.first() else { return f64x4::splat(f64::NAN) };
        let offset: [f64x4; 3] = std::array::from_fn(|k| points[k] - root[k]);
        let beyond: [f64x4; 3] = std::array::from_fn(|k| offset[k].abs() - root[3 + k]);
        let within = beyond.map(|q| q.cmp_le(f64x4::ZERO));
        let inside = within[0] & within[1] & within[2];
        if inside.all() {
            return f64x4::ZERO;
        }
        let mut squares = f64x4::ZERO;
        for k in 0..3 {
            let out = beyond[k].cmp_ge(f64x4::ZERO) & !inside;
            squares += out & (beyond[k] * beyond[k]);
            let back = (beyond[k] + INSET).flip_signs(!offset[k].cmp_gt(f64x4::ZERO));
            points[k] -= out & back;
        }
        squares.sqrt()
    }

    /// Where a point is relative to the low corner of a cell, and the size of the cell.
    #[inline(always)]
    fn in_cell(&self, cell: usize, point: f64x4) -> [f64x4; 2] {
        let [x, y, z, half @ ..] = self.aabb[cell];
        let (centre, half) = (f64x4::new([x, y, z, 0.0]), f64x4::new([half[0], half[1], half[2], 0.0]));
        let low = centre - half;
        [point - low, (centre + half) - low]
    }

    /// The leaves that hold points. All walks go on together, since each waits for memory at every cell.
    #[inline(always)]
    fn leaves<const N: usize>(&self, points: [f64x4; N]) -> [LeafPoint; N] {
        let mut cells = [0; N];
        loop {
            let mut moved = false;
            for (cell, &point) in cells.iter_mut().zip(&points) {
                let [from_low, size] = self.in_cell(*cell, point);
                // as `from_low / size >= 0.5`: no quotient of two numbers is rounded up to a half
                let octant = (from_low + from_low).cmp_ge(size).move_mask() as usize & 7;
                let child = self.child[*cell][octant] as usize;
                // children come after their parent, so that the walk ends
                let goes_on = child > *cell && child < self.child.len();
                *cell = if goes_on { child } else { *cell };
                moved |= goes_on;
            }
            if !moved {
                return std::array::from_fn(|i| {
                    let [from_low, size] = self.in_cell(cells[i], points[i]);
                    let [x, y, z, _] = (from_low / size).to_array();
                    LeafPoint { cell: cells[i], coord: [x, y, z] }
                });
            }
        }
    }

    /// The leaf of a point that is not outside of the root.
    fn leaf(&self, point: &Vec3) -> LeafPoint {
        self.leaves([f64x4::new([point.x, point.y, point.z, 0.0])])[0]
    }

    /// Trilinear interpolation in a leaf.
    #[inline(always)]
    fn interpolate(&self, at: LeafPoint) -> f64 {
        let [x, y, z] = at.coord.map(|t| [1.0 - t, t]);
        // weights of the corners at the low and at the high end of z
        let face = f64x4::new(std::array::from_fn(|j| x[j & 1] * y[j >> 1]));
        let values = &self.coeff[at.cell];
        let [low, high] = [0, 1].map(|end| {
            let corners = f64x4::new(std::array::from_fn(|j| values[4 * end + j]));
            (face * z[end] * corners).to_array()
        });
        low.into_iter().chain(high).fold(0.0, |sum, term| sum + term)
    }

    /// Gradient of the interpolation in units of the size of the leaf, which the reference's descents use.
    fn scaled_gradient(&self, at: LeafPoint) -> Vec3 {
        let [x, y, z] = at.coord.map(|t| [1.0 - t, t]);
        let mut gradients = f64x4::ZERO;
        for (corner, &value) in self.coeff[at.cell].iter().enumerate() {
            let [i, j, k] = [0, 1, 2].map(|axis| corner >> axis & 1);
            let sign = |end: usize| if end == 1 { 1.0 } else { -1.0 };
            let first = f64x4::new([sign(i) * y[j], x[i] * sign(j), x[i] * y[j], 0.0]);
            let second = f64x4::new([z[k], z[k], sign(k), 0.0]);
            gradients += first * second * value;
        }
        let [x, y, z, _] = gradients.to_array();
        Vec3::new(x, y, z)
    }

    /// Whether a point is outside of the root, where gradients are forward differences.
    fn is_outside(&self, point: &Vec3) -> bool {
        let mut lanes = [point.x, point.y, point.z].map(f64x4::splat);
        let [outside, ..] = self.project(&mut lanes).to_array();
        outside > 0.0 || outside.is_nan()
    }

    /// Distances of the first `N` of four points.
    #[inline(always)]
    fn first_distances<const N: usize>(&self, mut points: [f64x4; 3]) -> [f64; N] {
        let outside = self.project(&mut points).to_array();
        if self.child.is_empty() {
            return [f64::NAN; N];
        }
        let [x, y, z] = points.map(f64x4::to_array);
        let leaves = self.leaves::<N>(std::array::from_fn(|i| f64x4::new([x[i], y[i], z[i], 0.0])));
        std::array::from_fn(|i| {
            let distance = self.interpolate(leaves[i]);
            if outside[i] > 0.0 { distance + outside[i] } else { distance }
        })
    }
}

impl SignedDistance for OctreeField<'_> {
    fn distance(&self, point: &Vec3) -> f64 {
        let [distance] = self.first_distances([point.x, point.y, point.z].map(f64x4::splat));
        distance
    }

    fn distances(&self, points: &[Lane; 3]) -> Option<Lane> {
        Some(self.first_distances(points.map(f64x4::new)))
    }

    fn gradients(&self, points: &[Lane; 3]) -> Option<[Lane; 3]> {
        let [x, y, z] = points;
        let mut lanes = points.map(f64x4::new);
        let outside = self.project(&mut lanes);
        let gradients: [Vec3; 4] = if outside.cmp_le(f64x4::ZERO).all() {
            let leaves = self.leaves::<4>(std::array::from_fn(|i| f64x4::new([x[i], y[i], z[i], 0.0])));
            leaves.map(|leaf| self.scaled_gradient(leaf))
        } else {
            std::array::from_fn(|i| self.gradient(&Vec3::new(x[i], y[i], z[i])))
        };
        Some(std::array::from_fn(|k| gradients.map(|gradient| gradient[k])))
    }

    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        if self.is_outside(point) {
            return forward_differences(self, point);
        }
        let leaf = self.leaf(point);
        (self.interpolate(leaf), self.scaled_gradient(leaf))
    }

    fn gradient(&self, point: &Vec3) -> Vec3 {
        if self.is_outside(point) {
            return forward_differences(self, point).1;
        }
        self.scaled_gradient(self.leaf(point))
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
            let (distance, gradients) = field.distance_and_gradient(&p);
            assert!((distance - linear(p.x, p.y, p.z)).abs() < 1e-14);
            // cells are 1 by 2 by 1
            assert!((gradients - Vec3::new(0.3, -0.4, 0.5)).norm() < 1e-14);
        }
        let points = [[0.1, 0.2, 0.3], [-0.9, 1.7, -0.2], [1.4, -1.9, 0.5], [0.5, 0.0, -0.5]];
        let lanes = |points: [[f64; 3]; 4]| std::array::from_fn(|k| std::array::from_fn(|i| points[i][k]));
        let each = points.map(|p| field.distance(&Vec3::from(p)));
        assert_eq!(field.distances(&lanes(points)), Some(each));
        for points in [points, points.map(|p| p.map(|x: f64| x.min(0.9)))] {
            let gradients = field.gradients(&lanes(points)).unwrap();
            for (i, p) in points.into_iter().enumerate() {
                assert_eq!(Vec3::from(gradients.map(|lane| lane[i])), field.gradient(&Vec3::from(p)));
            }
        }
        let outside = field.distance(&Vec3::new(1.5, 0.0, 0.0));
        assert!((outside - (linear(1.0, 0.0, 0.0) + 0.5)).abs() < 1e-5);
    }
}
