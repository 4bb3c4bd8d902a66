//! A proof that two solids are separated, by branch and bound.
//!
//! Where positive distances of both fields are bounds (see [`SignedDistance::solid_box`]), a ball whose
//! centre is farther from one of the solids than its radius holds no common point. Starting with the
//! overlap of the two boxes, cells whose ball is not excluded in this way are divided in four. Descents
//! from anywhere then end outside of one of the solids, and need not be made.

use super::{Map, SignedDistance};
use kinetree_math::Vec3;
use kinetree_math::field::distances_of;
use kinetree_math::lanes::Lane;

/// Cells that were divided this often are not divided any more: the solids touch, or nearly so.
const DEEPEST: usize = 7;
/// Most cells that are divided.
const MOST_DIVISIONS: usize = 48;
/// Cells that wait: each division takes one and leaves at most four.
const MOST_CELLS: usize = 3 * DEEPEST + 1;
/// Part of the size of the shapes that rounding errors of distances and maps stay far below.
const ROUNDING: f64 = 1e-9;

/// A box that may hold common points.
#[derive(Clone, Copy, Default)]
struct Cell {
    centre: Vec3,
    half: Vec3,
    depth: usize,
}

impl Cell {
    /// Centres of four equal cells that this one is made of, given by their coordinates, and their half
    /// sizes. A cell that is long in one direction is cut there only, any other across its two longest
    /// edges.
    fn divide(&self) -> ([Lane; 3], Vec3) {
        let mut centres: [Lane; 3] = std::array::from_fn(|k| [self.centre[k]; 4]);
        let mut half = self.half;
        let longest = self.half.imax();
        let [other, third] = [(longest + 1) % 3, (longest + 2) % 3];
        let second = if self.half[other] < self.half[third] { third } else { other };
        let mut cut = |axis: usize, offsets: Lane, parts: f64| {
            centres[axis] = offsets.map(|offset| self.centre[axis] + offset * self.half[axis]);
            half[axis] /= parts;
        };
        if self.half[second] < 0.5 * self.half[longest] {
            cut(longest, [-0.75, -0.25, 0.25, 0.75], 4.0);
        } else {
            cut(longest, [-0.5, 0.5, -0.5, 0.5], 2.0);
            cut(second, [-0.5, -0.5, 0.5, 0.5], 2.0);
        }
        (centres, half)
    }
}

/// Whether two solids certainly have no point in common: no point has a distance from both that is not
/// positive. `to_b` maps the frame of `a` to that of `b`, `to_a` the other way. `false` says nothing.
pub(super) fn are_separated(a: &dyn SignedDistance, b: &dyn SignedDistance, to_b: &Map, to_a: &Map) -> bool {
    let (Some(box_a), Some(box_b)) = (a.solid_box(), b.solid_box()) else { return false };
    let size = |aabb: &[f64; 6]| aabb.iter().map(|x| x.abs()).sum::<f64>();
    let margin = ROUNDING * (size(&box_a) + size(&box_b) + to_b.pos.norm());
    let ([low_a, high_a], [low_b, high_b]) = (super::bounds(&box_a, None), super::bounds(&box_b, Some(to_a)));
    let (low, high) = (low_a.sup(&low_b).add_scalar(-margin), high_a.inf(&high_b).add_scalar(margin));
    if (0..3).any(|k| high[k] < low[k]) {
        return true;
    }
    let mut waiting = [Cell::default(); MOST_CELLS];
    waiting[0] = Cell { centre: (low + high) * 0.5, half: (high - low) * 0.5, depth: 0 };
    let mut count = 1_usize;
    for _ in 0..MOST_DIVISIONS {
        let Some(next) = count.checked_sub(1) else { return true };
        count = next;
        let (centres, half) = waiting[count].divide();
        let depth = waiting[count].depth + 1;
        let (from_a, from_b) = (distances_of(a, &centres), distances_of(b, &to_b.points(&centres)));
        let excluded = half.norm() + margin;
        // cells that come nearest to a common point are divided first: where there is one, it is found soon
        let mut cells: [(f64, usize); 4] = std::array::from_fn(|i| (from_a[i].max(from_b[i]), i));
        cells.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
        for (distance, i) in cells {
            if distance > excluded {
                continue;
            }
            // a common point, nearly one, or no number
            let outside = distance > 0.0;
            if depth == DEEPEST || !outside {
                return false;
            }
            let centre = Vec3::new(centres[0][i], centres[1][i], centres[2][i]);
            waiting[count] = Cell { centre, half, depth };
            count += 1;
        }
    }
    count == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::sdf::PrimitiveField;
    use kinetree_math::Mat3;

    fn separated(first: (Kind, [f64; 3]), second: (Kind, [f64; 3]), offset: [f64; 3]) -> bool {
        let field = |(kind, size)| PrimitiveField::new(kind, size).unwrap();
        let map = |sign: f64| Map { pos: Vec3::from(offset) * sign, mat: Mat3::identity() };
        are_separated(&field(first), &field(second), &map(-1.0), &map(1.0))
    }

    #[test]
    fn solids_are_separated_when_they_have_no_common_point() {
        let (ball, rod) = ((Kind::Sphere, [1.0, 0.0, 0.0]), (Kind::Cylinder, [0.2, 3.0, 0.0]));
        // boxes overlap, balls do not
        assert!(separated(ball, ball, [1.7, 1.7, 0.0]));
        assert!(separated(ball, rod, [1.2, 0.0, 3.5]));
        assert!(separated(ball, ball, [2.1, 0.0, 0.0]));
        for touching in [1.0, 1.9, 1.999_999_9, 2.0] {
            assert!(!separated(ball, ball, [touching, 0.0, 0.0]), "{touching}");
        }
        assert!(!separated(ball, rod, [0.0, 0.0, 3.9]));
        assert!(!separated(ball, ball, [f64::NAN, 0.0, 0.0]));
        // an ellipsoid's distance is no bound
        assert!(!separated(ball, (Kind::Ellipsoid, [1.0, 1.0, 1.0]), [1.7, 1.7, 0.0]));
    }

    #[test]
    fn four_cells_fill_the_one_that_is_divided() {
        for half in [[1.0, 1.2, 0.9], [0.3, 0.1, 2.0], [0.5, 0.7, 0.0]] {
            let cell = Cell { centre: Vec3::new(0.1, 0.2, 0.3), half: Vec3::from(half), depth: 0 };
            let (centres, part) = cell.divide();
            for k in 0..3 {
                let (low, high) =
                    centres[k].iter().fold((f64::MAX, f64::MIN), |(low, high), &c| (low.min(c), high.max(c)));
                assert!((low - part[k] - (cell.centre[k] - half[k])).abs() < 1e-12);
                assert!((high + part[k] - (cell.centre[k] + half[k])).abs() < 1e-12);
            }
            assert!((4.0 * part.product() - cell.half.product()).abs() < 1e-12);
        }
    }
}
