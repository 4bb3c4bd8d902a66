//! Curvature of a triangle from the angles to its neighbours.
//!
//! The second fundamental form of a triangle of area `A` is the mean of its folds, `Σ θ l / (2 A) m mᵀ` over
//! its edges of length `l` with the outward normals `m` in its plane. The energy is that of a Kirchhoff
//! plate. At a free border the fold is the one of least energy, which is the plate's natural boundary
//! condition. A single stiffness per edge would make the rigidity of a sheet depend on the directions of its
//! edges.

use kinetree_math::{Mat3, Vec3};
use nalgebra::Vector2;
use wide::f64x4;

use super::dihedral::{Fold, angle_difference, dihedral};
use super::rows3::Coupling3;
use super::{Block, Class, Substep};
use crate::displacement::{LocalMotion, LocalPositions};
use crate::lane::{Indices, Lane3, WIDTH};

/// Bending of one triangle. Fold `k` is at the edge from corner `k` to corner `k + 1`. The constraints are
/// scaled so that their compliance is one.
#[derive(Debug, Clone)]
pub(crate) struct TriangleBending {
    /// The corners, and then the vertices beyond the edges that have a neighbour.
    vertices: Vec<u32>,
    opposite: [Option<u32>; 3],
    /// Angles at rest (rad).
    rest: [f64; 3],
    /// What each angle adds to each constraint: an upper triangle, with a row for each constraint.
    weight: [[f64; 3]; 3],
}

impl TriangleBending {
    /// The bending element of a triangle; `None` without neighbours. `opposite[k]` is the vertex beyond the
    /// edge from corner `k` to corner `k + 1`. `rigidity` is that of the plate, `E t³ / (12 (1 − ν²))`.
    pub(crate) fn new(
        triangle: [u32; 3],
        opposite: [Option<u32>; 3],
        position: &[Vec3],
        rigidity: f64,
        poisson: f64,
    ) -> Option<Self> {
        let at = |vertex: u32| position[vertex as usize];
        let energy = fold_energy(&triangle.map(at), rigidity, poisson);
        let present: Vec<usize> = (0..3).filter(|&k| opposite[k].is_some()).collect();
        let factor = condensed_factor(&energy, &present)?;
        let (mut rest, mut weight, mut vertices) = ([0.0; 3], [[0.0; 3]; 3], triangle.to_vec());
        for (&k, fold) in present.iter().zip(factor) {
            let beyond = opposite[k]?;
            let x = [triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3], beyond]
                .map(|v| Lane3::new([at(v); WIDTH]));
            rest[k] = dihedral([&x[0], &x[1], &x[2], &x[3]]).0.to_array()[0];
            (0..3).for_each(|row| weight[row][k] = fold[row]);
            vertices.push(beyond);
        }
        Some(Self { vertices, opposite, rest, weight })
    }

    /// All vertices that the element moves.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Gives the vertices other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        self.vertices.iter_mut().chain(self.opposite.iter_mut().flatten()).for_each(|v| *v = number(*v));
    }

    /// The vertex at one of six places: corners, and then what lies beyond each edge; `fixed` if nothing
    /// does.
    fn vertex(&self, place: usize, fixed: u32) -> u32 {
        if place < 3 { self.vertices[place] } else { self.opposite[place - 3].unwrap_or(fixed) }
    }
}

/// Bending of four triangles.
///
/// With the normal `n` of a triangle and the gradients `r` of its folds at the vertices beyond them, the
/// gradient of an angle at a vertex is a sum of multiples of `n` and `r`: rates and coupling are found from
/// these.
#[derive(Debug, Clone)]
pub(crate) struct BendingBlock {
    /// Corners, and vertices beyond the edges.
    vertices: [Indices; 6],
    rest: [f64x4; 3],
    /// Entries `00`, `01`, `02`, `11`, `12` and `22` of the weights.
    weight: [f64x4; 6],
    normal: Lane3,
    folds: [FoldGradient; 3],
    coupling: Coupling3,
    residual: [f64x4; 3],
}

/// The gradient of an angle, as [`Fold`] has it.
#[derive(Debug, Clone, Copy)]
struct FoldGradient {
    height: f64x4,
    beyond_gradient: Lane3,
    share: [f64x4; 2],
}

impl FoldGradient {
    /// Multiples of the normal at the corners `k`, `k + 1` and `k + 2`.
    #[inline(always)]
    fn along_normal(&self) -> [f64x4; 3] {
        let at_second = -self.share[0] * self.height;
        [-self.height - at_second, at_second, self.height]
    }
}

impl BendingBlock {
    /// Up to four triangles; the others belong to the vertex `fixed`, which does not move.
    pub(crate) fn new(triangles: &[&TriangleBending], fixed: u32) -> Self {
        let lane = |get: &dyn Fn(&TriangleBending) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| triangles.get(k).map_or(0.0, |t| get(t))))
        };
        let vertex = |place: usize| {
            std::array::from_fn(|k| triangles.get(k).map_or(fixed, |t| t.vertex(place, fixed)))
        };
        let (zero, upper) = (f64x4::ZERO, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]);
        let none = FoldGradient { height: zero, beyond_gradient: Lane3::ZERO, share: [zero; 2] };
        Self {
            vertices: std::array::from_fn(vertex),
            rest: std::array::from_fn(|fold| lane(&|t| t.rest[fold])),
            weight: upper.map(|(row, fold)| lane(&|t| t.weight[row][fold])),
            normal: Lane3::ZERO,
            folds: [none; 3],
            coupling: Coupling3::ZERO,
            residual: [zero; 3],
        }
    }

    /// The constraints, or their rates, from those of the angles.
    #[inline(always)]
    fn weighted(&self, [a, b, c]: [f64x4; 3]) -> [f64x4; 3] {
        let [w00, w01, w02, w11, w12, w22] = self.weight;
        [w00 * a + w01 * b + w02 * c, w11 * b + w12 * c, w22 * c]
    }

    /// Torques of the folds from the multipliers of the constraints.
    #[inline(always)]
    fn torques(&self, [a, b, c]: [f64x4; 3]) -> [f64x4; 3] {
        let [w00, w01, w02, w11, w12, w22] = self.weight;
        [w00 * a, w01 * a + w11 * b, w02 * a + w12 * b + w22 * c]
    }

    /// `Σ ∇θ τ` at the six vertices, for the torques of the folds.
    #[inline(always)]
    fn forces(&self, torque: [f64x4; 3]) -> [Lane3; 6] {
        let mut along = [f64x4::ZERO; 3];
        let mut force = [Lane3::ZERO; 6];
        for k in 0..3 {
            let (fold, next) = (&self.folds[k], (k + 1) % 3);
            let [first, second, third] = fold.along_normal();
            along[k] += first * torque[k];
            along[next] += second * torque[k];
            along[(k + 2) % 3] += third * torque[k];
            let beyond = torque[k] * fold.beyond_gradient;
            let second = fold.share[1] * beyond;
            force[3 + k] = beyond;
            force[next] -= second;
            force[k] -= beyond - second;
        }
        for k in 0..3 {
            force[k] += along[k] * self.normal;
        }
        force
    }

    /// Coupling `∇θ M⁻¹ ∇θᵀ` of the angles: diagonal, and entries `10`, `20` and `21`.
    #[inline(always)]
    fn angle_coupling(&self, inverse_mass: &[f64x4; 6], normal2: f64x4) -> ([f64x4; 3], [f64x4; 3]) {
        // gradients at the corners: multiples of the normal, and of the own gradient with opposite sign
        let mut along = [[f64x4::ZERO; 3]; 3];
        let mut aside = along;
        for k in 0..3 {
            let [first, second, third] = self.folds[k].along_normal();
            (along[k][k], along[k][(k + 1) % 3], along[k][(k + 2) % 3]) = (first, second, third);
            let share = self.folds[k].share[1];
            (aside[k][k], aside[k][(k + 1) % 3]) = (f64x4::ONE - share, share);
        }
        let lean = |k: usize| self.normal.dot(&self.folds[k].beyond_gradient);
        let lean = [lean(0), lean(1), lean(2)];
        let entry = |k: usize, l: usize| {
            let both = self.folds[k].beyond_gradient.dot(&self.folds[l].beyond_gradient);
            let mut sum = if k == l { inverse_mass[3 + k] * both } else { f64x4::ZERO };
            for corner in 0..3 {
                let (n, m) = (along[k][corner], along[l][corner]);
                let (r, s) = (aside[k][corner], aside[l][corner]);
                let product = n * m * normal2 - n * s * lean[l] - m * r * lean[k] + r * s * both;
                sum += inverse_mass[corner] * product;
            }
            sum
        };
        ([entry(0, 0), entry(1, 1), entry(2, 2)], [entry(1, 0), entry(2, 0), entry(2, 1)])
    }

    /// Coupling of the constraints, from that of the angles.
    #[inline(always)]
    fn coupling(&self, (diagonal, mixed): ([f64x4; 3], [f64x4; 3])) -> Coupling3 {
        let [[g00, g11, g22], [g10, g20, g21]] = [diagonal, mixed];
        // columns of the coupling of the angles with each constraint
        let [_, w01, w02, w11, w12, w22] = self.weight;
        let w00 = self.weight[0];
        let first = [
            w00 * g00 + w01 * g10 + w02 * g20,
            w00 * g10 + w01 * g11 + w02 * g21,
            w00 * g20 + w01 * g21 + w02 * g22,
        ];
        let second = [w11 * g11 + w12 * g21, w11 * g21 + w12 * g22];
        let diagonal = [
            w00 * first[0] + w01 * first[1] + w02 * first[2],
            w11 * second[0] + w12 * second[1],
            w22 * w22 * g22,
        ];
        Coupling3 { diagonal, mixed: [w11 * first[1] + w12 * first[2], w22 * first[2], w22 * second[1]] }
    }
}

impl Block for BendingBlock {
    #[inline(always)]
    fn begin(&mut self, position: &LocalPositions, step: &Substep, motion: &mut LocalMotion) {
        let (x, inverse_mass) = position.gather_all(&self.vertices);
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
        let normal2 = normal.norm_squared();
        let mut change = [f64x4::ZERO; 3];
        for k in 0..3 {
            let corners = [&x[k], &x[(k + 1) % 3], &x[(k + 2) % 3], &x[3 + k]];
            let Fold { angle, height, beyond_gradient, share } = Fold::new(corners, &normal, normal2);
            change[k] = angle_difference(angle, self.rest[k]);
            self.folds[k] = FoldGradient { height, beyond_gradient, share };
        }
        self.normal = normal;
        let [a, b, c] = self.weighted(change);
        let (start, implicit_share) = step.start_of(Class::Bending);
        let multiplier = [a * -start, b * -start, c * -start];
        self.residual = [a * implicit_share, b * implicit_share, c * implicit_share];
        self.coupling = self.coupling(self.angle_coupling(&inverse_mass, normal2));
        let forces = self.forces(self.torques(multiplier));
        for place in 0..6 {
            motion.add(&self.vertices[place], &(inverse_mass[place] * forces[place]));
        }
    }

    #[inline(always)]
    fn correct(&mut self, step: &Substep, motion: &mut LocalMotion) {
        let (moved, inverse_mass) = motion.gather_all(&self.vertices);
        let along = [self.normal.dot(&moved[0]), self.normal.dot(&moved[1]), self.normal.dot(&moved[2])];
        let rate = |k: usize| {
            let (fold, next) = (&self.folds[k], (k + 1) % 3);
            let own = along[(k + 2) % 3] - along[k] - fold.share[0] * (along[next] - along[k]);
            let beyond = moved[3 + k] - moved[k] - fold.share[1] * (moved[next] - moved[k]);
            fold.height * own + fold.beyond_gradient.dot(&beyond)
        };
        let rate = self.weighted([rate(0), rate(1), rate(2)]);
        let mut residual = self.residual;
        let change = self.coupling.correct(&mut residual, rate, [f64x4::ONE; 3], step);
        if !step.last {
            self.residual = residual;
        }
        let forces = self.forces(self.torques(change));
        for place in 0..6 {
            let moved = moved[place] + inverse_mass[place] * forces[place];
            motion.scatter(&self.vertices[place], &moved, inverse_mass[place]);
        }
    }

    fn energy(&self) -> f64 {
        let [a, b, c] = self.residual;
        ((a * a + b * b + c * c) * 0.5).to_array().iter().sum()
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
