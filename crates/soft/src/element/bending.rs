//! Curvature of a triangle from the angles to its neighbours.
//!
//! The second fundamental form of a triangle of area `A` is the mean of its folds, `Σ θ l / (2 A) m mᵀ` over
//! its edges of length `l` with the outward normals `m` in its plane. The energy is that of a Kirchhoff
//! plate. At a free border the fold is the one of least energy, which is the plate's natural boundary
//! condition. A single stiffness per edge would make the rigidity of a sheet depend on the directions of its
//! edges.

use kinetree_math::{Mat3, Vec3};
use nalgebra::Vector2;

use super::dihedral::{angle_difference, dihedral};

/// One edge that is shared with a neighbour.
#[derive(Debug, Clone)]
struct Fold {
    /// Ends of the edge, own and foreign opposite vertex, as positions in the list of the element.
    corners: [usize; 4],
    /// Angle at rest (rad).
    rest: f64,
    /// What the angle adds to each constraint.
    weight: [f64; 3],
}

/// Bending of one triangle. The constraints are scaled so that their compliance is one.
#[derive(Debug, Clone)]
pub(crate) struct TriangleBending {
    folds: Vec<Fold>,
}

impl TriangleBending {
    /// The bending element of a triangle, with its vertices; `None` without neighbours. `opposite[k]` is the
    /// vertex beyond the edge from corner `k` to corner `k + 1`. `rigidity` is that of the plate,
    /// `E t³ / (12 (1 − ν²))`.
    pub(crate) fn new(
        triangle: [u32; 3],
        opposite: [Option<u32>; 3],
        position: &[Vec3],
        rigidity: f64,
        poisson: f64,
    ) -> Option<(Self, Vec<u32>)> {
        let energy = fold_energy(&triangle.map(|v| position[v as usize]), rigidity, poisson);
        let present: Vec<usize> = (0..3).filter(|&k| opposite[k].is_some()).collect();
        let weights = condensed_factor(&energy, &present)?;
        let mut vertices = triangle.to_vec();
        let folds = present.iter().zip(weights).filter_map(|(&k, weight)| {
            let corners = [k, (k + 1) % 3, (k + 2) % 3, vertices.len()];
            vertices.push(opposite[k]?);
            let x = corners.map(|c| &position[vertices[c] as usize]);
            Some(Fold { corners, rest: dihedral(x).0, weight })
        });
        let folds = folds.collect();
        Some((Self { folds }, vertices))
    }

    pub(super) fn evaluate<'a>(&self, x: impl Fn(usize) -> &'a Vec3, gradient: &mut [Vec3]) -> [f64; 3] {
        gradient.fill(Vec3::zeros());
        let rows = self.folds.len();
        let count = gradient.len() / rows;
        let mut value = [0.0; 3];
        for fold in &self.folds {
            let (angle, slopes) = dihedral(fold.corners.map(&x));
            let change = angle_difference(angle, fold.rest);
            for row in 0..rows {
                value[row] += fold.weight[row] * change;
                for (corner, slope) in fold.corners.iter().zip(&slopes) {
                    gradient[row * count + corner] += fold.weight[row] * slope;
                }
            }
        }
        value
    }
}

/// The matrix `Q` of the energy `½ θᵀ Q θ` of the angles at the three edges of a triangle.
fn fold_energy(corner: &[Vec3; 3], rigidity: f64, poisson: f64) -> Mat3 {
    let normal = (corner[1] - corner[0]).cross(&(corner[2] - corner[0]));
    let (double_area, first) = (normal.norm(), (corner[1] - corner[0]).normalize());
    let second = normal.cross(&first) / double_area;
    // second fundamental form of a unit fold at each edge: sum, difference and twice the mixed entry
    let form = |k: usize| {
        let edge = corner[(k + 1) % 3] - corner[k];
        let outward = Vector2::new(edge.dot(&second), -edge.dot(&first));
        let scale = 1.0 / (double_area * outward.norm());
        let [a, b] = [outward.x, outward.y];
        [scale * (a * a + b * b), scale * (a * a - b * b), scale * 2.0 * a * b]
    };
    let forms = [form(0), form(1), form(2)];
    let half_rigidity = 0.5 * rigidity * 0.5 * double_area;
    let weight =
        [half_rigidity * (1.0 + poisson), half_rigidity * (1.0 - poisson), half_rigidity * (1.0 - poisson)];
    Mat3::from_fn(|i, j| (0..3).map(|r| weight[r] * forms[i][r] * forms[j][r]).sum())
}

/// Cholesky factor of the energy of the `present` folds, when the others take the angle of least energy: row
/// `i` belongs to the `i`-th present fold. `None` if there is none.
fn condensed_factor(energy: &Mat3, present: &[usize]) -> Option<Vec<[f64; 3]>> {
    let mut reduced = *energy;
    for absent in (0..3).filter(|k| !present.contains(k)) {
        // Schur complement
        let column = reduced.column(absent).into_owned();
        reduced -= column * column.transpose() / column[absent];
    }
    let mut factor = vec![[0.0; 3]; present.len()];
    for i in 0..present.len() {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let left = reduced[(present[i], present[j])] - known;
            factor[i][j] = if i == j { left.max(0.0).sqrt() } else { left / factor[j][j] };
        }
    }
    (!factor.is_empty() && factor.iter().flatten().all(|x| x.is_finite())).then_some(factor)
}
