//! Linear elasticity of the cells of an interpolated flex: stiffness matrices by quadrature over each cell,
//! or their eigenvectors where strains are constrained instead.

use super::super::frames::{Pose, rotate};
use super::draft::{FlexDraft, cell_dofs};
use crate::assets::linalg::{V3, mat_mul_vec, normalize, sub};
use kinetree_math::lagrange;
use kinetree_model::checkpoint;

/// Material of cells whose strains are constrained: their eigenvectors describe the shape alone.
const CONSTRAINED_YOUNG: f64 = 10.0;
const CONSTRAINED_POISSON: f64 = 0.3;
/// Modes softer than this part of the stiffest one are rigid motions.
const SOFT: f64 = 1e-8;

type Mat3 = [[f64; 3]; 3];

/// Nodes of a cell, in the order of its dofs.
fn cell_nodes(flex: &FlexDraft<'_>, cell: [usize; 3]) -> Vec<usize> {
    let order = flex.src.order as usize;
    let [_, ny, nz] = flex.src.cellcount.map(|cells| cells as usize * order + 1);
    let mut nodes = Vec::with_capacity((order + 1).pow(3));
    for i in 0..=order {
        for j in 0..=order {
            for k in 0..=order {
                let at = [cell[0] * order + i, cell[1] * order + j, cell[2] * order + k];
                nodes.push((at[0] * ny + at[1]) * nz + at[2]);
            }
        }
    }
    nodes
}

/// All cells with their coordinates, the last axis fastest.
fn all_cells(flex: &FlexDraft<'_>) -> impl Iterator<Item = [usize; 3]> + use<> {
    let [x, y, z] = flex.src.cellcount.map(|cells| cells as usize);
    (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
}

fn is_empty(flex: &FlexDraft<'_>, cell: usize) -> bool {
    flex.src.empty_cells.get(cell).copied().unwrap_or(false)
}

/// Nodes in the reference pose, rotated so that the cells are aligned with the axes.
pub(super) fn reference_nodes(flex: &FlexDraft<'_>, poses: &[Pose]) -> Vec<V3> {
    let src = flex.src;
    let offset = |i: usize| src.node.get(3 * i..3 * i + 3).map_or([0.0; 3], |v| [v[0], v[1], v[2]]);
    let world: Vec<V3> = (0..flex.node_body.len())
        .map(|i| {
            let pose = &poses[flex.node_body[i]];
            if flex.centered {
                return pose.pos;
            }
            let moved = rotate(&pose.quat, &offset(i));
            std::array::from_fn(|k| pose.pos[k] + moved[k])
        })
        .collect();
    let first = all_cells(flex).enumerate().find(|(number, _)| !is_empty(flex, *number));
    let nodes = cell_nodes(flex, first.map_or([0; 3], |(_, cell)| cell));
    // corners of the first cell along each axis
    let order = src.order as usize;
    let side = order + 1;
    let mut rows = [0.0; 9];
    for (axis, step) in [order * side * side, order * side, order].into_iter().enumerate() {
        let mut along = sub(&world[nodes[step]], &world[nodes[0]]);
        normalize(&mut along);
        rows[3 * axis..3 * axis + 3].copy_from_slice(&along);
    }
    world.iter().map(|node| mat_mul_vec(&rows, node)).collect()
}

/// What the model stores for each cell: its stiffness matrix, or the number of its modes and the modes
/// scaled by the root of their stiffness.
pub(super) fn cells(flex: &FlexDraft<'_>) -> Vec<f64> {
    let src = flex.src;
    let dofs = cell_dofs(src.order);
    let mut stored = vec![0.0; flex.cell_numbers()];
    for (number, cell) in all_cells(flex).enumerate() {
        if is_empty(flex, number) {
            continue;
        }
        checkpoint();
        let corners: Vec<V3> = cell_nodes(flex, cell).into_iter().map(|node| flex.node0[node]).collect();
        let out = &mut stored[number * dofs * dofs..(number + 1) * dofs * dofs];
        if src.strain_constrained {
            let mut matrix = stiffness_matrix(&corners, CONSTRAINED_YOUNG, CONSTRAINED_POISSON, src.order);
            store_modes(&mut matrix, dofs, out);
        } else {
            out.copy_from_slice(&stiffness_matrix(&corners, src.young, src.poisson, src.order));
        }
    }
    stored
}

/// Points and weights on the unit interval. Those of three points are where the reference has them.
fn quadrature(order: i32) -> Vec<[f64; 2]> {
    let (middle, half) = (0.5, 0.5);
    if order == 1 {
        let offset = half / 3f64.sqrt();
        vec![[-offset + middle, half], [offset + middle, half]]
    } else {
        let offset = half / (3f64 / 5.0).sqrt();
        let [inner, outer] = [8.0 / 9.0 * half, 5.0 / 9.0 * half];
        vec![[middle, inner], [-offset + middle, outer], [offset + middle, outer]]
    }
}

/// Gradients of the basis functions of a cell with sides of length one.
fn gradients(at: [f64; 3], order: i32) -> Vec<V3> {
    let order = order as usize;
    let [x, y, z] = at.map(|s| lagrange::values(s, order));
    let [dx, dy, dz] = at.map(|s| lagrange::derivatives(s, order));
    let mut list = Vec::with_capacity((order + 1).pow(3));
    for i in 0..=order {
        for j in 0..=order {
            for k in 0..=order {
                list.push([dx[i] * y[j] * z[k], x[i] * dy[j] * z[k], x[i] * y[j] * dz[k]]);
            }
        }
    }
    list
}

/// Minus the stiffness matrix of a box between its first and its last node.
fn stiffness_matrix(nodes: &[V3], young: f64, poisson: f64, order: i32) -> Vec<f64> {
    let dofs = 3 * nodes.len();
    let mut matrix = vec![0.0; dofs * dofs];
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return matrix };
    let sides = sub(last, first);
    let volume = sides[0] * sides[1] * sides[2];
    let inverse = sides.map(|side| 1.0 / side);
    let lame = young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson);
    let shear = young / (2.0 * (1.0 + poisson));
    let points = quadrature(order);
    for [s, ws] in &points {
        for [t, wt] in &points {
            for [u, wu] in &points {
                let weight = ws * wt * wu * volume;
                let gradients: Vec<V3> = gradients([*s, *t, *u], order)
                    .iter()
                    .map(|g| std::array::from_fn(|k| inverse[k] * g[k]))
                    .collect();
                add_point(&mut matrix, &gradients, [lame, shear], weight);
            }
        }
    }
    matrix
}

/// Adds a point of the quadrature: strains of a displacement along each axis at each node, by pairs.
fn add_point(matrix: &mut [f64], gradients: &[V3], [lame, shear]: [f64; 2], weight: f64) {
    let dofs = 3 * gradients.len();
    let strains: Vec<[Mat3; 3]> = gradients.iter().map(|g| [0, 1, 2].map(|axis| strain(g, axis))).collect();
    for (i, gi) in gradients.iter().enumerate() {
        for (j, gj) in gradients.iter().enumerate() {
            for k in 0..3 {
                for l in 0..3 {
                    let entry = &mut matrix[dofs * (3 * i + k) + 3 * j + l];
                    *entry -= lame * gi[k] * gj[l] * weight;
                    *entry -= shear * trace_of_product(&strains[i][k], &strains[j][l]) * weight;
                }
            }
        }
    }
}

/// Symmetric part of a displacement gradient that has one row.
fn strain(gradient: &V3, axis: usize) -> Mat3 {
    let mut rows = [[0.0; 3]; 3];
    rows[axis] = *gradient;
    std::array::from_fn(|i| std::array::from_fn(|j| (rows[i][j] + rows[j][i]) / 2.0))
}

fn trace_of_product(a: &Mat3, b: &Mat3) -> f64 {
    let diagonal = |i: usize| a[i][0] * b[0][i] + a[i][1] * b[1][i] + a[i][2] * b[2][i];
    diagonal(0) + diagonal(1) + diagonal(2)
}

/// Stores the number of modes with stiffness, then the modes.
fn store_modes(matrix: &mut [f64], n: usize, out: &mut [f64]) {
    let vectors = jacobi_eigenvectors(matrix, n);
    let value = |i: usize| matrix[i * n + i];
    let largest = (0..n).fold(0.0f64, |max, i| max.max(value(i).abs()));
    let mut modes = 0;
    for i in 0..n {
        let stiffness = -value(i);
        // a quarter of the modes are rigid motions, so that all others fit
        if stiffness > largest * SOFT && (modes + 1) * n < out.len() {
            let scale = stiffness.sqrt();
            for j in 0..n {
                out[1 + modes * n + j] = scale * vectors[j * n + i];
            }
            modes += 1;
        }
    }
    out[0] = modes as f64;
}

/// Eigenvectors of a symmetric matrix in columns, by cyclic Jacobi rotations; the matrix becomes diagonal.
fn jacobi_eigenvectors(matrix: &mut [f64], n: usize) -> Vec<f64> {
    const MAX_SWEEPS: usize = 200;
    const TOLERANCE: f64 = 1e-12;
    let mut vectors = vec![0.0; n * n];
    for i in 0..n {
        vectors[i * n + i] = 1.0;
    }
    for _ in 0..MAX_SWEEPS {
        let mut outside = 0.0;
        for i in 0..n {
            for j in i + 1..n {
                outside += matrix[i * n + j] * matrix[i * n + j];
            }
        }
        if outside < TOLERANCE * TOLERANCE {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if matrix[p * n + q].abs() >= TOLERANCE * 1e-3 {
                    rotate_pair(matrix, &mut vectors, n, p, q);
                }
            }
        }
    }
    vectors
}

/// The rotation in the plane of two axes that makes their off-diagonal entry zero.
fn rotate_pair(matrix: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) {
    let entry = matrix[p * n + q];
    let tau = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * entry);
    let t = (if tau >= 0.0 { 1.0 } else { -1.0 }) / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    matrix[p * n + p] -= t * entry;
    matrix[q * n + q] += t * entry;
    matrix[p * n + q] = 0.0;
    matrix[q * n + p] = 0.0;
    for r in (0..n).filter(|&r| r != p && r != q) {
        let (at_p, at_q) = (matrix[r * n + p], matrix[r * n + q]);
        let (new_p, new_q) = (c * at_p - s * at_q, s * at_p + c * at_q);
        (matrix[r * n + p], matrix[p * n + r]) = (new_p, new_p);
        (matrix[r * n + q], matrix[q * n + r]) = (new_q, new_q);
    }
    for r in 0..n {
        let (at_p, at_q) = (vectors[r * n + p], vectors[r * n + q]);
        vectors[r * n + p] = c * at_p - s * at_q;
        vectors[r * n + q] = s * at_p + c * at_q;
    }
}
