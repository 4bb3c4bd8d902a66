//! Interpolated flexes in the implicit integrators.
//!
//! The stiffness of cells enters the matrix of the integrator as `(h² + h d) Jᵀ K J` with the damping `d` of
//! the flex, over the dofs of the nodes alone: they are solved for once more, as a band matrix, with the
//! accelerations of all other dofs as they are.

use crate::flex::cells::{CellGrid, MAX_NODES, deformation_gradient, inverse_rotation};
use crate::flex::{FlexScratch, gather_nodes, node_range};
use crate::kinematics::chain::{body_chain, chain_dofs};
use crate::kinematics::jacobian::{offset_from_com, point_column};
use kinetree_math::band::Band;
use kinetree_math::rot::quat_to_mat;
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::Integrator;
use kinetree_model::{Data, Model};

/// Dofs of the nodes of a cell.
const MAX_DOFS: usize = 3 * MAX_NODES;

/// Working memory, and the matrix over the dofs of nodes.
#[derive(Default)]
pub(crate) struct FlexImplicit {
    /// Dofs of all nodes, in the order in which they are met.
    dofs: Vec<usize>,
    /// Index of each dof among these, or -1.
    index: Vec<i32>,
    chain: Vec<i32>,
    /// The band matrix, then its factor.
    matrix: Vec<f64>,
    /// Entries of the integrator's matrix that couple a dof of a node to another dof: index, dof, value.
    coupling: Vec<(usize, usize, f64)>,
    /// Force on the dofs of nodes, then their acceleration.
    force: Vec<f64>,
    /// Stiffness times velocity, over all dofs.
    stiff_velocity: Vec<f64>,
    cell: CellMatrix,
}

/// Stiffness of a cell over dofs: `scale Jᵀ K J` in the world.
#[derive(Default)]
struct CellMatrix {
    /// Stiffness over the coordinates of nodes.
    stiffness: Vec<f64>,
    /// Columns of the Jacobians of nodes: node, dof, velocity of the node.
    columns: Vec<(usize, usize, Vec3)>,
}

/// Whether any flex is interpolated.
pub(super) fn has_interpolated_flex(model: &Model) -> bool {
    model.flex_interp.iter().any(|&order| order != 0)
}

/// Whether the cells of a flex are elastic.
fn is_elastic(model: &Model, flex: usize) -> bool {
    let first = model.flex_stiffness.get(model.flex_stiffnessadr[flex] as usize);
    model.flex_interp[flex] != 0
        && model.flex_rigid[flex] == 0
        && model.flex_edgeequality[flex] != 3
        && first.is_some_and(|&k| k != 0.0)
}

impl FlexImplicit {
    /// Makes and factors the matrix over the dofs of nodes, from that of the integrator before it is
    /// factored.
    pub(super) fn factor(&mut self, model: &Model, data: &Data, scratch: &mut FlexScratch) {
        self.collect_dofs(model);
        let count = self.dofs.len();
        if count == 0 {
            return;
        }
        let band = self.band(model);
        self.matrix.clear();
        self.matrix.resize(count * band.nband, 0.0);
        self.gather(model, data, band);
        let h = model.opt.timestep;
        for flex in (0..model.nflex).filter(|&flex| is_elastic(model, flex)) {
            let scale = h * h + h * model.flex_damping[flex];
            let (index, matrix) = (&self.index, &mut self.matrix);
            for_each_cell(model, data, flex, scale, scratch, &mut self.cell, |cell| {
                cell.for_each_entry(|row, column, value| {
                    let (i, j) = (index[row], index[column]);
                    if j >= 0 && i >= j && ((i - j) as usize) < band.nband {
                        matrix[band.diag(i as usize) - (i - j) as usize] -= value;
                    }
                });
            });
        }
        band.chol_factor(&mut self.matrix, 0.0, 0.0);
    }

    fn band(&self, model: &Model) -> Band {
        let width = model.flex_bandwidth.iter().copied().max().unwrap_or(0).max(0) as usize;
        Band::new(self.dofs.len(), (width + 1).min(self.dofs.len()), 0)
    }

    /// Lists the dofs of nodes: their own, or those above the body that they are pinned to.
    fn collect_dofs(&mut self, model: &Model) {
        self.dofs.clear();
        self.index.clear();
        self.index.resize(model.nv, -1);
        for flex in (0..model.nflex).filter(|&flex| model.flex_interp[flex] != 0) {
            for node in node_range(model, flex) {
                let body = model.flex_nodebodyid[node].max(0) as usize;
                if model.body_dofnum[body] == 0 {
                    body_chain(model, body, &mut self.chain);
                } else {
                    self.chain.clear();
                    let first = model.body_dofadr[body];
                    self.chain.extend(first..first + model.body_dofnum[body]);
                }
                for &dof in &self.chain {
                    if self.index[dof as usize] < 0 {
                        self.index[dof as usize] = self.dofs.len() as i32;
                        self.dofs.push(dof as usize);
                    }
                }
            }
        }
    }

    /// Takes the entries of the integrator's matrix that belong to dofs of nodes.
    fn gather(&mut self, model: &Model, data: &Data, band: Band) {
        let (rownnz, rowadr, colind, values) = if model.opt.integrator == Integrator::Implicit {
            (&model.D_rownnz[..], &model.D_rowadr[..], &model.D_colind[..], &data.qLU[..])
        } else {
            (&model.M_rownnz[..], &model.M_rowadr[..], &model.M_colind[..], &data.qH[..])
        };
        self.coupling.clear();
        for (i, &dof) in self.dofs.iter().enumerate() {
            let start = rowadr[dof] as usize;
            for k in start..start + rownnz[dof] as usize {
                let column = colind[k] as usize;
                match usize::try_from(self.index[column]) {
                    Ok(j) if i.abs_diff(j) < band.nband => {
                        self.matrix[band.diag(i.max(j)) - i.abs_diff(j)] = values[k];
                    }
                    Ok(_) => {}
                    Err(_) => self.coupling.push((i, column, values[k])),
                }
            }
        }
    }

    /// Replaces the accelerations of the dofs of nodes. `force` is the sum of smooth and constraint forces.
    pub(super) fn solve(
        &mut self,
        model: &Model,
        data: &Data,
        scratch: &mut FlexScratch,
        force: &[f64],
        qacc: &mut [f64],
    ) {
        if self.dofs.is_empty() {
            return;
        }
        let h = model.opt.timestep;
        self.stiff_velocity.clear();
        self.stiff_velocity.resize(model.nv, 0.0);
        for flex in (0..model.nflex).filter(|&flex| is_elastic(model, flex)) {
            // the change of elastic forces within a step: the velocity moves nodes for one step
            let product = &mut self.stiff_velocity;
            for_each_cell(model, data, flex, h, scratch, &mut self.cell, |cell| {
                cell.for_each_entry(|row, column, value| product[row] += value * data.qvel[column]);
            });
        }
        self.force.clear();
        self.force.extend(self.dofs.iter().map(|&dof| force[dof] + self.stiff_velocity[dof]));
        for &(i, dof, value) in &self.coupling {
            self.force[i] -= value * qacc[dof];
        }
        self.band(model).chol_solve(&mut self.force, &self.matrix);
        for (&dof, &acceleration) in self.dofs.iter().zip(&self.force) {
            qacc[dof] = acceleration;
        }
    }
}

/// Calls `visit` with row, column and value of every contribution of elastic cells to `scale Jᵀ K J`; the
/// scale follows from the damping of a flex.
pub(crate) fn for_each_stiffness(
    model: &Model,
    data: &Data,
    scale: impl Fn(f64) -> f64,
    mut visit: impl FnMut(usize, usize, f64),
) {
    let (mut scratch, mut cell) = (FlexScratch::default(), CellMatrix::default());
    for flex in (0..model.nflex).filter(|&flex| is_elastic(model, flex)) {
        let scale = scale(model.flex_damping[flex]);
        for_each_cell(model, data, flex, scale, &mut scratch, &mut cell, |cell| {
            cell.for_each_entry(&mut visit);
        });
    }
}

/// Calls `visit` with the stiffness of each cell of a flex that is not empty, times `scale`.
fn for_each_cell(
    model: &Model,
    data: &Data,
    flex: usize,
    scale: f64,
    scratch: &mut FlexScratch,
    cell: &mut CellMatrix,
    mut visit: impl FnMut(&CellMatrix),
) {
    gather_nodes(model, data, flex, &mut scratch.node);
    let grid = CellGrid::new(model, flex);
    let dofs = 3 * grid.nodes_per_cell();
    let stored = &model.flex_stiffness[model.flex_stiffnessadr[flex] as usize..];
    let centre = grid.gradients(&[0.5; 3]);
    let first = model.flex_nodeadr[flex] as usize;
    for (coordinates, stiffness) in grid.all().zip(stored.chunks_exact(dofs * dofs)) {
        if stiffness[0] == 0.0 {
            continue;
        }
        let mut nodes = [[0.0; 3]; MAX_NODES];
        cell.columns.clear();
        grid.for_each_node(coordinates, |k, node| {
            nodes[k] = scratch.node[node];
            let body = model.flex_nodebodyid[first + node].max(0) as usize;
            let offset = offset_from_com(model, data, &Vec3::from(nodes[k]), body);
            let columns = chain_dofs(model, body).map(|dof| (k, dof, point_column(&data.cdof[dof], &offset)));
            cell.columns.extend(columns);
        });
        let rotation = quat_to_mat(&inverse_rotation(&deformation_gradient(&nodes[..dofs / 3], &centre)));
        cell.rotate(stiffness, &rotation, scale, dofs);
        visit(cell);
    }
}

impl CellMatrix {
    /// Sets the stiffness to `scale Rᵀ K R`, block by block.
    fn rotate(&mut self, stiffness: &[f64], rotation: &Mat3, scale: f64, dofs: usize) {
        debug_assert!(dofs <= MAX_DOFS);
        self.stiffness.clear();
        self.stiffness.resize(dofs * dofs, 0.0);
        for a in (0..dofs).step_by(3) {
            for b in (0..dofs).step_by(3) {
                let block = Mat3::from_fn(|r, c| stiffness[(a + r) * dofs + b + c]);
                let rotated = rotation.transpose() * block * rotation * scale;
                for r in 0..3 {
                    for c in 0..3 {
                        self.stiffness[(a + r) * dofs + b + c] = rotated[(r, c)];
                    }
                }
            }
        }
    }

    /// Calls `visit` with row, column and value of every contribution to `Jᵀ K J`.
    fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let dofs = self.stiffness.len().isqrt();
        for (a, row, velocity) in &self.columns {
            // the row of J K that belongs to the dof, node by node
            for (b, column, other) in &self.columns {
                let mut value = 0.0;
                for r in 0..3 {
                    let entries = &self.stiffness[(3 * a + r) * dofs + 3 * b..][..3];
                    value +=
                        velocity[r] * (entries[0] * other.x + entries[1] * other.y + entries[2] * other.z);
                }
                visit(*row, *column, value);
            }
        }
    }
}
