//! Inverse weights of rows as version 3.8.0 assigns them where it counts other rows of a flex than there are.
//!
//! The reference walks over the rows with a counter that each object moves on by the number of its rows. It
//! counts all edges and vertices of a flex, also those that no dof moves and that have no row; and of a cell
//! whose strains are constrained 26 rows (linear) or 162 (quadratic), while there are as many as modes, 18
//! and 75. The rows that follow get the rest of the weights, and the counter goes on amid another object,
//! which then begins to count from there. What would lie behind the last row is left out.

use super::flex_equality::{cell_weight, constrained_cell};
use super::impedance::inverse_weight;
use crate::flex::cells::CellGrid;
use crate::flex::contact_bodies::ContactBodies;
use crate::flex::{edge_range, vertex_range};
use kinetree_model::enums::{ConstraintType, EqType};
use kinetree_model::{Data, Model};

/// Finds the inverse weights of all rows.
pub(super) fn find(model: &Model, data: &Data, bodies: &mut ContactBodies, weights: &mut Vec<f64>) {
    weights.clear();
    // translations and rotations of welds are distinguished by how many of their rows were met
    let mut weld_rows = 0;
    while weights.len() < data.nefc {
        let row = weights.len();
        let object = (ConstraintType::try_from(data.efc_type[row]), data.efc_id[row] as usize);
        match object {
            (Ok(ConstraintType::Equality), eq) => push_equality(model, eq, &mut weld_rows, weights),
            (Ok(kind), contact) if kind as i32 >= ConstraintType::ContactFrictionless as i32 => {
                push_contact(model, data, (kind, contact), bodies, weights);
            }
            (Ok(ConstraintType::FrictionDof), dof) => weights.push(model.dof_invweight0[dof]),
            _ => {
                let mut weight = [0.0];
                inverse_weight(model, object, &mut weight, &mut [].iter());
                weights.extend(weight);
            }
        }
    }
    weights.truncate(data.nefc);
}

/// Weights of a row of an equality, or of all rows of a flex.
fn push_equality(model: &Model, eq: usize, weld_rows: &mut usize, weights: &mut Vec<f64>) {
    let flex = model.eq_obj1id[eq] as usize;
    match EqType::try_from(model.eq_type[eq]) {
        Ok(EqType::Flex) => {
            let edges = edge_range(model, flex).filter(|&edge| model.flexedge_rigid[edge] == 0);
            weights.extend(edges.map(|edge| model.flexedge_invweight0[edge]));
        }
        Ok(EqType::Flexvert) => {
            for &body in &model.flex_vertbodyid[vertex_range(model, flex)] {
                weights.extend([model.body_invweight0[body.max(0) as usize][0]; 2]);
            }
        }
        Ok(EqType::Flexstrain) => {
            let grid = CellGrid::new(model, flex);
            let weight = constrained_cell(model, &grid, eq).map(|cell| cell_weight(model, flex, &grid, cell));
            let count = if grid.order == 1 { 26 } else { 162 };
            weights.extend(std::iter::repeat_n(weight.unwrap_or(0.0), count));
        }
        kind => {
            let mut block = [0.0; 6];
            inverse_weight(model, (Ok(ConstraintType::Equality), eq), &mut block, &mut [].iter());
            if kind == Ok(EqType::Weld) {
                weights.push(block[*weld_rows % 6]);
                *weld_rows += 1;
            } else {
                weights.push(block[0]);
            }
        }
    }
}

/// Weights of the rows of a contact.
fn push_contact(
    model: &Model,
    data: &Data,
    (kind, index): (ConstraintType, usize),
    bodies: &mut ContactBodies,
    weights: &mut Vec<f64>,
) {
    let contact = &data.contact[index];
    bodies.find(model, data, index);
    let [translation, rotation] = [0, 1].map(|part| bodies.inverse_weight(model, part));
    match kind {
        ConstraintType::ContactPyramidal => {
            for (j, friction) in contact.friction[..contact.dim as usize - 1].iter().enumerate() {
                let tangential = if j < 2 { translation } else { rotation };
                weights.extend([translation + friction * friction * tangential; 2]);
            }
        }
        ConstraintType::ContactElliptic => {
            weights.extend((0..contact.dim).map(|j| if j < 3 { translation } else { rotation }));
        }
        _ => weights.push(translation),
    }
}
