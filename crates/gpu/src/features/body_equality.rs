//! Equalities of bodies: `connect` and `weld`, between bodies or sites.

use crate::features::parameters::Table;
use crate::features::row_parameters::row_numbers;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, EqType, ObjType};
use kinetree_sim::row_gains;

const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// The active equalities of bodies, by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct BodyEqualities(Vec<usize>);

impl BodyEqualities {
    pub(crate) fn new(model: &Model) -> Self {
        let off = model.disabled(DisableBit::Constraint) || model.disabled(DisableBit::Equality);
        let wanted = |e: &usize| {
            let kind = model.eq_type[*e];
            !off && model.eq_active0[*e] != 0
                && (kind == EqType::Connect as i32 || kind == EqType::Weld as i32)
        };
        Self((0..model.neq).filter(wanted).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their numbers among all equalities.
    pub(crate) fn numbers(&self) -> Vec<i32> {
        self.0.iter().map(|&e| e as i32).collect()
    }

    /// Number of rows.
    pub(crate) fn rows(&self, model: &Model) -> usize {
        self.0.iter().map(|&e| row_count(model, e)).sum()
    }

    /// Writes bodies, points, orientations and parameters.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        let mut rows = vec![0];
        for &e in &self.0 {
            rows.push(rows.last().copied().unwrap_or(0) + row_count(model, e) as i32);
        }
        table.flag("HAS_BODYEQ", !self.is_empty());
        table.size("NBODYEQ", self.0.len());
        table.size("EQUALITY_SIZE", 26);
        table.ints("EQUALITY_ROW", rows);
        table.ints("EQUALITY_BODIES", self.0.iter().flat_map(|&e| bodies(model, e).map(|b| b as i32)));
        table.floats("EQUALITY_NUMBERS", self.0.iter().flat_map(|&e| numbers(model, e)));
    }
}

/// Rows of an equality: a weld also has those of orientations.
fn row_count(model: &Model, e: usize) -> usize {
    if model.eq_type[e] == EqType::Weld as i32 { 6 } else { 3 }
}

fn objects(model: &Model, e: usize) -> [usize; 2] {
    [model.eq_obj1id[e] as usize, model.eq_obj2id[e] as usize]
}

fn by_sites(model: &Model, e: usize) -> bool {
    model.eq_objtype[e] == ObjType::Site as i32
}

fn bodies(model: &Model, e: usize) -> [usize; 2] {
    let objects = objects(model, e);
    if by_sites(model, e) { objects.map(|s| model.site_bodyid[s] as usize) } else { objects }
}

/// Points and orientations in the frames of the bodies, scale of torques, inverse inertias, gains.
fn numbers(model: &Model, e: usize) -> Vec<f64> {
    let prm = &model.eq_data[e];
    let [a, b] = objects(model, e);
    let (first, second) = ([prm[0], prm[1], prm[2]], [prm[3], prm[4], prm[5]]);
    let (points, rotations) = if by_sites(model, e) {
        ([model.site_pos[a], model.site_pos[b]], [model.site_quat[a], model.site_quat[b]])
    } else if model.eq_type[e] == EqType::Connect as i32 {
        ([first, second], [IDENTITY; 2])
    } else {
        // a weld stores the point in the second body first
        ([second, first], [[prm[6], prm[7], prm[8], prm[9]], IDENTITY])
    };
    let weights = bodies(model, e).map(|b| model.body_invweight0[b]);
    let weight = |part: usize| weights[0][part] + weights[1][part];
    let gains = row_gains(model, &model.eq_solref[e], &[0.0; 2], &model.eq_solimp[e]);
    let mut list = [points.as_flattened(), rotations.as_flattened()].concat();
    list.extend([prm[10], weight(0), weight(1)]);
    list.extend(row_numbers(&gains));
    list
}
