//! Elastic forces of flexes: bending of surfaces, stretching of triangles and tetrahedra, linear elasticity
//! of cells that rotates with them, and springs along edges.

use super::cells::{CellGrid, MAX_NODES, deformation_gradient, inverse_rotation};
use super::positions::gather_nodes;
use super::ranges::{edge_range, element_vertices, node_range, vertex_range};
use super::scratch::FlexScratch;
use crate::kinematics::jacobian::point_velocity;
use crate::support::apply_ft;
use kinetree_math::Vec3;
use kinetree_math::dense::dot;
use kinetree_math::lanes3::{cross3, load3, store3};
use kinetree_math::rot::{quat_conj, quat_rotate};
use kinetree_model::{Data, Model};
use wide::f64x4;

/// Edges of a triangle and of a tetrahedron, as local vertex indices.
const EDGES: [&[[usize; 2]]; 2] =
    [&[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];
/// Numbers of elastic constants for each element.
const ELEMENT_STIFFNESS: usize = 21;

/// Which passive forces are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub springs: bool,
    pub dampers: bool,
}

/// Adds the elastic forces of all flexes to `qfrc_spring` and `qfrc_damper`.
pub(crate) fn add_forces(model: &Model, data: &mut Data, scratch: &mut FlexScratch, wanted: Wanted) {
    for flex in 0..model.nflex {
        if model.flex_dim[flex] == 1 || model.flex_rigid[flex] != 0 {
            continue;
        }
        if model.flex_dim[flex] == 2 {
            add_bending(model, data, flex, wanted);
        }
        // the first constant tells whether there is any elasticity
        let stiffness = model.flex_stiffness.get(model.flex_stiffnessadr[flex] as usize);
        if stiffness.is_none_or(|&k| k == 0.0) || model.flex_edgeequality[flex] == 3 {
            continue;
        }
        if model.flex_interp[flex] == 0 {
            add_stretching(model, data, flex, scratch);
        } else {
            add_cell_forces(model, data, flex, scratch, wanted);
        }
    }
    for flex in 0..model.nflex {
        add_edge_springs(model, data, flex, wanted);
    }
}

/// Thin plates: a quadratic form over the four vertices around each edge, with a correction for surfaces
/// that are curved at rest. Its vertices have bodies with three sliders.
fn add_bending(model: &Model, data: &mut Data, flex: usize, wanted: Wanted) {
    let first = model.flex_vertadr[flex] as usize;
    let damping = model.flex_damping[flex];
    for edge in edge_range(model, flex) {
        let ([v0, v1], [v2, v3]) = (model.flex_edge[edge], model.flex_edgeflap[edge]);
        if v3 < 0 {
            continue;
        }
        let vertices = [v0, v1, v2, v3].map(|v| first + v as usize);
        let dofs = vertices.map(|v| {
            let body = model.flex_vertbodyid[v].max(0) as usize;
            (model.body_dofadr[body].max(0) as usize, (model.body_dofnum[body].max(0) as usize).min(3))
        });
        let constants = &model.flex_bending[edge];
        if wanted.springs {
            let x = vertices.map(|v| load3(&data.flexvert_xpos[v]));
            let mut force = bending_product(constants, &x);
            let [e0, e1, e2] = [1, 2, 3].map(|i| x[i] - x[0]);
            let [f1, f2, f3] = [cross3(e1, e2), cross3(e2, e0), cross3(e0, e1)];
            for (force, curved) in force.iter_mut().zip([-(f1 + f2 + f3), f1, f2, f3]) {
                *force += curved * constants[16];
            }
            subtract_at_sliders(&mut data.qfrc_spring, &dofs, &force);
        }
        if wanted.dampers && damping != 0.0 {
            let velocity = dofs.map(|(adr, num)| {
                load3(&std::array::from_fn(|k| if k < num { data.qvel[adr + k] } else { 0.0 }))
            });
            let force = bending_product(constants, &velocity).map(|force| force * damping);
            subtract_at_sliders(&mut data.qfrc_damper, &dofs, &force);
        }
    }
}

/// Product of the symmetric matrix of an edge's four vertices with vectors at them.
#[inline(always)]
fn bending_product(constants: &[f64; 17], x: &[f64x4; 4]) -> [f64x4; 4] {
    std::array::from_fn(|i| {
        let row = &constants[4 * i..4 * i + 4];
        x[0] * row[0] + x[1] * row[1] + x[2] * row[2] + x[3] * row[3]
    })
}

/// Subtracts forces at vertices from the forces of their sliders, given by address and number.
#[inline(always)]
fn subtract_at_sliders(joints: &mut [f64], dofs: &[(usize, usize); 4], force: &[f64x4; 4]) {
    for (&(adr, num), force) in dofs.iter().zip(force) {
        joints[adr..adr + num].iter_mut().zip(store3(*force)).for_each(|(sum, f)| *sum -= f);
    }
}

/// St. Venant–Kirchhoff forces of elements with Rayleigh damping (Kharevych et al., "Geometric, variational
/// integrators for computer animation", section 5.2): the derivative of a quadratic form in the changes of
/// squared lengths of edges.
fn add_stretching(model: &Model, data: &mut Data, flex: usize, scratch: &mut FlexScratch) {
    let FlexScratch { force: [force, _], elongation, .. } = scratch;
    let range = vertex_range(model, flex);
    find_elongations(model, data, flex, elongation);
    force.clear();
    force.resize(range.len(), [0.0; 3]);
    match model.flex_dim[flex] {
        2 => add_element_forces::<3, 3>(model, data, flex, elongation, force),
        _ => add_element_forces::<4, 6>(model, data, flex, elongation, force),
    }
    let Data { qfrc_spring, flexvert_xpos, cdof, subtree_com, .. } = data;
    for (vertex, force) in range.zip(&*force) {
        let body = model.flex_vertbodyid[vertex].max(0) as usize;
        if model.body_simple[body] == 2 {
            let adr = model.body_dofadr[body] as usize;
            let dofs = &mut qfrc_spring[adr..adr + model.body_dofnum[body] as usize];
            dofs.iter_mut().zip(force).for_each(|(sum, f)| *sum += f);
        } else {
            let motions = (&cdof[..], &subtree_com[..]);
            apply_ft(model, motions, force, &[0.0; 3], &flexvert_xpos[vertex], body, qfrc_spring);
        }
    }
}

/// Changes of the squared lengths of the edges of a flex since rest, and with damping what they have changed
/// in a step at the present velocity.
fn find_elongations(model: &Model, data: &Data, flex: usize, elongation: &mut Vec<f64>) {
    let edges = edge_range(model, flex);
    let (length, velocity) = (&data.flexedge_length[edges.clone()], &data.flexedge_velocity[edges.clone()]);
    let timestep = model.opt.timestep;
    let damping = if timestep > 0.0 { model.flex_damping[flex] / timestep } else { 0.0 };
    elongation.clear();
    elongation.extend(length.iter().zip(velocity).zip(&model.flexedge_length0[edges]).map(
        |((length, velocity), rest)| {
            let square = length * length;
            let previous = length - velocity * timestep;
            square - rest * rest + (square - previous * previous) * damping
        },
    ));
}

/// Forces of the elements of a flex at its vertices: `V` vertices and `E` edges each.
fn add_element_forces<const V: usize, const E: usize>(
    model: &Model,
    data: &Data,
    flex: usize,
    elongation: &[f64],
    force: &mut [[f64; 3]],
) {
    let vertices = &data.flexvert_xpos[vertex_range(model, flex)];
    let constants = &model.flex_stiffness[model.flex_stiffnessadr[flex] as usize..];
    let elem_edges = &model.flex_elemedge[model.flex_elemedgeadr[flex] as usize..];
    let elements = element_vertices(model, flex).as_chunks::<V>().0;
    let constants = constants.as_chunks::<ELEMENT_STIFFNESS>().0;
    for ((element, edges), constants) in elements.iter().zip(elem_edges.as_chunks::<E>().0).zip(constants) {
        let mut strain = [0.0; E];
        for (strain, &edge) in strain.iter_mut().zip(edges) {
            *strain = elongation[edge as usize];
        }
        let tension = packed_product(constants, &strain);
        let (mut corner, mut pull) = ([f64x4::ZERO; V], [f64x4::ZERO; V]);
        for (corner, &v) in corner.iter_mut().zip(element) {
            *corner = load3(&vertices[v as usize]);
        }
        for (&[a, b], tension) in EDGES[V - 3].iter().zip(tension) {
            let along = (corner[a] - corner[b]) * tension;
            pull[a] -= along;
            pull[b] += along;
        }
        for (pull, &v) in pull.iter().zip(element) {
            let at = &mut force[v as usize];
            *at = store3(load3(at) + *pull);
        }
    }
}

/// Product of a symmetric matrix, stored by rows of its upper triangle, with a vector.
fn packed_product<const E: usize>(packed: &[f64; ELEMENT_STIFFNESS], vector: &[f64; E]) -> [f64; E] {
    let mut product = [0.0; E];
    let mut next = 0;
    for i in 0..E {
        product[i] += packed[next] * vector[i];
        next += 1;
        for j in i + 1..E {
            product[i] += packed[next] * vector[j];
            product[j] += packed[next] * vector[i];
            next += 1;
        }
    }
    product
}

/// Velocities of the nodes of an interpolated flex.
pub(crate) fn gather_velocities(
    model: &Model,
    data: &Data,
    flex: usize,
    nodes: &[[f64; 3]],
    velocities: &mut Vec<[f64; 3]>,
) {
    velocities.clear();
    velocities.extend(node_range(model, flex).zip(nodes).map(|(i, node)| -> [f64; 3] {
        point_velocity(model, data, &Vec3::from(*node), model.flex_nodebodyid[i].max(0) as usize).into()
    }));
}

/// Linear elasticity of the cells of an interpolated flex, each in the frame of its rotation.
fn add_cell_forces(model: &Model, data: &mut Data, flex: usize, scratch: &mut FlexScratch, wanted: Wanted) {
    let FlexScratch { node, node_velocity, force, cell: buffers, .. } = scratch;
    gather_nodes(model, data, flex, node);
    gather_velocities(model, data, flex, node, node_velocity);
    for force in force.iter_mut() {
        force.clear();
        force.resize(node.len(), [0.0; 3]);
    }
    let grid = CellGrid::new(model, flex);
    let rest = &model.flex_node0[node_range(model, flex)];
    let dofs = 3 * grid.nodes_per_cell();
    let matrices = model.flex_stiffness[model.flex_stiffnessadr[flex] as usize..].chunks_exact(dofs * dofs);
    let centre = grid.gradients(&[0.5; 3]);
    for (cell, matrix) in grid.all().zip(matrices) {
        // nothing is in an empty cell
        if matrix[0] == 0.0 {
            continue;
        }
        let mut local = [[0.0; 3]; MAX_NODES];
        grid.for_each_node(cell, |k, i| local[k] = node[i]);
        let inverse = inverse_rotation(&deformation_gradient(&local[..dofs / 3], &centre));
        buffers.displacement.clear();
        buffers.velocity.clear();
        grid.for_each_node(cell, |_, i| {
            let rotated = quat_rotate(&inverse, &Vec3::from(node[i])) - Vec3::from(rest[i]);
            buffers.displacement.extend_from_slice(rotated.as_slice());
            buffers
                .velocity
                .extend_from_slice(quat_rotate(&inverse, &Vec3::from(node_velocity[i])).as_slice());
        });
        let rotation = quat_conj(&inverse);
        let moved = [&buffers.displacement, &buffers.velocity];
        for ((force, vector), on) in force.iter_mut().zip(moved).zip([wanted.springs, wanted.dampers]) {
            if !on {
                continue;
            }
            grid.for_each_node(cell, |k, i| {
                let row = |axis: usize| dot(&matrix[(3 * k + axis) * dofs..][..dofs], vector);
                let rotated = quat_rotate(&rotation, &Vec3::new(row(0), row(1), row(2)));
                for axis in 0..3 {
                    force[i][axis] += rotated[axis];
                }
            });
        }
    }
    for force in &mut force[1] {
        *force = force.map(|f| f * model.flex_damping[flex]);
    }
    apply_node_forces(model, data, flex, node, force, wanted);
}

/// Maps forces at nodes to joints.
fn apply_node_forces(
    model: &Model,
    data: &mut Data,
    flex: usize,
    nodes: &[[f64; 3]],
    [springs, dampers]: &[Vec<[f64; 3]>; 2],
    wanted: Wanted,
) {
    let Data { qfrc_spring, qfrc_damper, cdof, subtree_com, .. } = data;
    for (k, i) in node_range(model, flex).enumerate() {
        let body = model.flex_nodebodyid[i].max(0) as usize;
        let own = model.body_dofnum[body] > 0 && model.flex_node[i] == [0.0; 3];
        let forces = [
            (&springs[k], &mut qfrc_spring[..], wanted.springs),
            (&dampers[k], &mut qfrc_damper[..], wanted.dampers),
        ];
        for (force, joints, on) in forces {
            if !on {
                continue;
            }
            if own {
                let adr = model.body_dofadr[body] as usize;
                let dofs = (model.body_dofnum[body] as usize).min(3);
                joints[adr..adr + dofs].iter_mut().zip(force).for_each(|(sum, f)| *sum += f);
            } else {
                let motions = (&cdof[..], &subtree_com[..]);
                apply_ft(model, motions, force, &[0.0; 3], &nodes[k], body, joints);
            }
        }
    }
}

/// Springs and dampers along edges.
fn add_edge_springs(model: &Model, data: &mut Data, flex: usize, wanted: Wanted) {
    let stiffness = if wanted.springs { model.flex_edgestiffness[flex] } else { 0.0 };
    let damping = if wanted.dampers { model.flex_edgedamping[flex] } else { 0.0 };
    if model.flex_rigid[flex] != 0 || (stiffness == 0.0 && damping == 0.0) {
        return;
    }
    for edge in edge_range(model, flex).filter(|&edge| model.flexedge_rigid[edge] == 0) {
        let spring = stiffness * (model.flexedge_length0[edge] - data.flexedge_length[edge]);
        let damper = -damping * data.flexedge_velocity[edge];
        let start = model.flexedge_J_rowadr[edge] as usize;
        let range = start..start + model.flexedge_J_rownnz[edge] as usize;
        for (&dof, j) in model.flexedge_J_colind[range.clone()].iter().zip(&data.flexedge_J[range]) {
            data.qfrc_spring[dof as usize] += j * spring;
            data.qfrc_damper[dof as usize] += j * damper;
        }
    }
}
