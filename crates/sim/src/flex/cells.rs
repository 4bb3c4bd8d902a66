//! Interpolation over the cells of a flex: Lagrange basis functions of order one or two on the unit cube.

use kinetree_math::lanes::Lane;
use kinetree_math::lanes3::store3;
use kinetree_math::rot::{mat_to_rot, quat_conj};
use kinetree_math::{Mat3, Quat, Vec3, lagrange};
use kinetree_model::Model;
use wide::f64x4;

/// Most nodes of a cell.
pub(crate) const MAX_NODES: usize = 27;

/// Nodes of a cell, and vectors over its dofs.
#[derive(Default)]
pub(crate) struct CellScratch {
    pub displacement: Vec<f64>,
    pub velocity: Vec<f64>,
}

/// A grid of cells.
#[derive(Clone, Copy)]
pub(crate) struct CellGrid {
    /// Cells along each axis.
    pub cells: [usize; 3],
    /// Order of interpolation.
    pub order: usize,
}

impl CellGrid {
    /// The cells of an interpolated flex.
    pub(crate) fn new(model: &Model, flex: usize) -> Self {
        let cells = model.flex_cellnum[flex].map(|cells| cells.max(1) as usize);
        Self { cells, order: model.flex_interp[flex].unsigned_abs().clamp(1, 2) as usize }
    }

    /// Nodes of one cell.
    pub(crate) fn nodes_per_cell(&self) -> usize {
        (self.order + 1).pow(3)
    }

    /// All cells, the last axis fastest.
    pub(crate) fn all(self) -> impl Iterator<Item = [usize; 3]> {
        let [x, y, z] = self.cells;
        (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
    }

    /// Calls `visit` with the number in the cell and the number in the flex of each node of a cell.
    #[inline]
    pub(crate) fn for_each_node(&self, cell: [usize; 3], mut visit: impl FnMut(usize, usize)) {
        let order = self.order;
        let [_, ny, nz] = self.cells.map(|cells| cells * order + 1);
        let mut local = 0;
        for i in 0..=order {
            for j in 0..=order {
                let row = ((cell[0] * order + i) * ny + cell[1] * order + j) * nz + cell[2] * order;
                for k in 0..=order {
                    visit(local, row + k);
                    local += 1;
                }
            }
        }
    }

    /// Cell that holds a point of the unit cube, and the position of the point in it.
    pub(crate) fn locate(&self, point: &[f64; 3]) -> ([usize; 3], [f64; 3]) {
        let scaled: [f64; 3] = std::array::from_fn(|k| point[k] * self.cells[k] as f64);
        let cell: [usize; 3] = std::array::from_fn(|k| (scaled[k].floor() as usize).min(self.cells[k] - 1));
        (cell, std::array::from_fn(|k| (scaled[k] - cell[k] as f64).clamp(0.0, 1.0)))
    }

    /// Values of the basis functions of all nodes of a cell.
    pub(crate) fn weights(&self, at: &[f64; 3]) -> [f64; MAX_NODES] {
        let [x, y, z] = at.map(|s| lagrange::values(s, self.order));
        let mut weights = [0.0; MAX_NODES];
        let mut next = 0;
        for a in &x[..=self.order] {
            for b in &y[..=self.order] {
                for c in &z[..=self.order] {
                    weights[next] = c * b * a;
                    next += 1;
                }
            }
        }
        weights
    }

    /// Points at positions of the unit cube, from the positions of all nodes of the flex in lanes; `N` is one
    /// more than the order.
    pub(crate) fn interpolate<const N: usize>(
        &self,
        nodes: &[Lane],
        references: &[[f64; 3]],
        points: &mut [[f64; 3]],
    ) {
        let [_, ny, nz] = self.cells.map(|cells| cells * self.order + 1);
        for (reference, point) in references.iter().zip(points) {
            let (cell, at) = self.locate(reference);
            let [x, y, z] = at.map(|s| lagrange::values(s, N - 1));
            let mut sum = f64x4::ZERO;
            for i in 0..N {
                for j in 0..N {
                    let first =
                        ((cell[0] * (N - 1) + i) * ny + cell[1] * (N - 1) + j) * nz + cell[2] * (N - 1);
                    for (node, c) in nodes[first..first + N].iter().zip(&z) {
                        sum += f64x4::new(*node) * (c * y[j] * x[i]);
                    }
                }
            }
            *point = store3(sum);
        }
    }

    /// Gradients of the basis functions of all nodes of a cell with sides of length one.
    pub(crate) fn gradients(&self, at: &[f64; 3]) -> [Vec3; MAX_NODES] {
        let [x, y, z] = at.map(|s| lagrange::values(s, self.order));
        let [dx, dy, dz] = at.map(|s| lagrange::derivatives(s, self.order));
        let mut gradients = [Vec3::zeros(); MAX_NODES];
        let mut next = 0;
        for i in 0..=self.order {
            for j in 0..=self.order {
                for k in 0..=self.order {
                    gradients[next] =
                        Vec3::new(dx[i] * y[j] * z[k], x[i] * dy[j] * z[k], x[i] * y[j] * dz[k]);
                    next += 1;
                }
            }
        }
        gradients
    }
}

/// Gradient of the deformation that takes the unit cube to the nodes of a cell.
pub(crate) fn deformation_gradient(nodes: &[[f64; 3]], gradients: &[Vec3; MAX_NODES]) -> Mat3 {
    let mut gradient = Mat3::zeros();
    for (node, shape) in nodes.iter().zip(gradients) {
        for r in 0..3 {
            for c in 0..3 {
                gradient[(r, c)] += node[r] * shape[c];
            }
        }
    }
    gradient
}

/// Inverse of the rotation of a deformation.
pub(crate) fn inverse_rotation(gradient: &Mat3) -> Quat {
    let mut quat = [1.0, 0.0, 0.0, 0.0];
    mat_to_rot(&mut quat, gradient);
    quat_conj(&quat)
}
