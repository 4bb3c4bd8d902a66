//! The rows of a free body in the matrix of the fast implicit integrator, with the exact derivative of the
//! gyroscopic force: they couple with nothing else, and are solved by themselves.

use crate::derivative::velocity::mjd_smooth_vel;
use crate::stage_memory::StageMemory;
use kinetree_math::sparse::gather_masked;
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};

/// Acceleration of one free body.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeBlock {
    /// First dof.
    pub(super) dof: usize,
    /// Acceleration of its six dofs.
    pub(super) acceleration: [f64; 6],
}

/// Whether a joint frees a body below which no other joint is.
pub(crate) fn is_free_alone(model: &Model, joint: usize) -> bool {
    let tree = model.dof_treeid[model.jnt_dofadr[joint] as usize] as usize;
    model.jnt_type[joint] == JointType::Free && model.tree_dofnum[tree] == 6
}

/// Solves the rows of all free bodies below which no other joint is. `force` is the sum of smooth and
/// constraint forces. Derivatives of forces are those with Coriolis forces afterwards.
pub(super) fn free_blocks(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    force: &[f64],
    blocks: &mut Vec<FreeBlock>,
) {
    if !(0..model.njnt).any(|joint| is_free_alone(model, joint)) {
        return;
    }
    mjd_smooth_vel(model, data, &mut memory.derivative, true);
    gather_masked(&mut data.qLU, &data.M, &model.mapM2D);
    for (value, derivative) in data.qLU.iter_mut().zip(&data.qDeriv) {
        *value -= model.opt.timestep * derivative;
    }
    for joint in (0..model.njnt).filter(|&joint| is_free_alone(model, joint)) {
        let dof = model.jnt_dofadr[joint] as usize;
        let mut rows = [[0.0; 7]; 6];
        for (k, row) in rows.iter_mut().enumerate() {
            let start = model.D_rowadr[dof + k] as usize;
            for at in start..start + model.D_rownnz[dof + k] as usize {
                row[model.D_colind[at] as usize - dof] = data.qLU[at];
            }
            row[6] = force[dof + k];
        }
        blocks.push(FreeBlock { dof, acceleration: solve(rows) });
    }
}

/// Solves six equations, right-hand side in the last column, by elimination with partial pivoting.
fn solve(mut rows: [[f64; 7]; 6]) -> [f64; 6] {
    for k in 0..6 {
        let pivot = (k..6).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        for i in k + 1..6 {
            let factor = rows[i][k] / rows[k][k];
            for j in k..7 {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    let mut x = [0.0; 6];
    for k in (0..6).rev() {
        let known: f64 = (k + 1..6).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][6] - known) / rows[k][k];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn equations_are_solved_whatever_the_order_of_pivots() {
        let x = [1.0, -2.0, 3.0, 0.5, 0.25, -4.0];
        let rows = std::array::from_fn(|i| {
            let mut row: [f64; 7] =
                std::array::from_fn(|j| if (i + 1) % 6 == j { 3.0 } else { 0.1 * (i * j) as f64 });
            row[6] = (0..6).map(|j| row[j] * x[j]).sum();
            row
        });
        for (found, wanted) in solve(rows).iter().zip(x) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
    }
}
