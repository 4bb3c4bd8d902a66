//! Rows that a model always has: equalities of joints and of tendons, and limits and friction losses of
//! tendons. Each is `l₁ − p(l₂)` with lengths that are linear in joint coordinates, or those of
//! spatial tendons.

use crate::features::nonlinear_transmission::{NonlinearTransmissions, is_spatial};
use crate::features::parameters::Table;
use crate::features::row_parameters::row_numbers;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, EqType};
use kinetree_sim::row_gains;

/// What a row does, as the solver numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pushes = 0,
    Holds = 1,
    Rubs = 2,
}

/// A row: where its lengths are measured from, how they depend on dofs, and its parameters.
#[derive(Clone, Debug)]
struct Row {
    kind: Kind,
    arms: [Vec<f64>; 2],
    /// Spatial tendons whose lengths are added, with their signs.
    paths: [Option<(usize, f64)>; 2],
    reference: [f64; 2],
    polynomial: [f64; 5],
    margin: f64,
    loss: f64,
    weight: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
    /// The equality that the row belongs to.
    equality: Option<usize>,
    /// The tendon that the row is the lower limit of.
    lower_limit_of: Option<usize>,
}

/// The rows of a model.
#[derive(Clone, Debug)]
pub(crate) struct LinearRows(Vec<Row>);

impl LinearRows {
    pub(crate) fn new(model: &Model) -> Self {
        let mut rows = Vec::new();
        let on = |bit| !model.disabled(DisableBit::Constraint) && !model.disabled(bit);
        if on(DisableBit::Equality) {
            rows.extend((0..model.neq).filter_map(|e| equality(model, e)));
        }
        for t in 0..model.ntendon {
            if on(DisableBit::Frictionloss) && model.tendon_frictionloss[t] > 0.0 {
                rows.push(tendon_friction(model, t));
            }
            if on(DisableBit::Limit) && model.tendon_limited[t] != 0 {
                rows.extend([-1.0, 1.0].map(|side| tendon_limit(model, t, side)));
            }
        }
        Self(rows)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The row of the lower limit of a tendon; that of the upper one follows.
    pub(crate) fn limit_of(&self, tendon: usize) -> Option<usize> {
        self.0.iter().position(|row| row.lower_limit_of == Some(tendon))
    }

    /// The equality that each row belongs to; -1 for limits and friction.
    pub(crate) fn equalities(&self) -> Vec<i32> {
        self.0.iter().map(|row| row.equality.map_or(-1, |e| e as i32)).collect()
    }

    /// Writes the rows.
    pub(crate) fn write(&self, model: &Model, transmissions: &NonlinearTransmissions, table: &mut Table) {
        // a tendon takes the first coordinate of a joint and its first dof, also of a ball
        let address = |i: usize| {
            let joint = model.dof_jntid[i] as usize;
            if model.jnt_dofadr[joint] as usize == i { model.jnt_qposadr[joint] } else { -1 }
        };
        let numbers = |row: &Row| {
            let gains = row_gains(model, &row.solref, &[0.0; 2], &row.solimp);
            let mut list = row.reference.to_vec();
            list.extend(row.polynomial);
            list.extend([row.margin, row.loss, row.weight]);
            // friction has no position to return to
            let stiffness = if row.kind == Kind::Rubs { 0.0 } else { 1.0 };
            list.extend(row_numbers(&gains).enumerate().map(|(k, x)| if k == 0 { stiffness * x } else { x }));
            list
        };
        let arms =
            |row: &Row| row.arms[0].iter().zip(&row.arms[1]).flat_map(|(a, b)| [*a, *b]).collect::<Vec<_>>();
        table.size("NLINEAR", self.len());
        table.size("FIXED_SIZE", 19);
        table.ints("DOF_QPOSADR", (0..model.nv).map(address));
        table.ints("FIXED_KIND", self.0.iter().map(|row| row.kind as i32));
        table.floats("FIXED_NUMBERS", self.0.iter().flat_map(numbers));
        table.floats("FIXED_ARMS", self.0.iter().flat_map(arms));
        if !transmissions.is_empty() {
            let map = |path: Option<(usize, f64)>| path.map_or(-1, |(tendon, _)| (model.nu + tendon) as i32);
            table.ints("FIXED_TRANSMISSIONS", self.0.iter().flat_map(|row| row.paths.map(map)));
            let sign = |path: Option<(usize, f64)>| path.map_or(0.0, |(_, sign)| sign);
            table.floats("FIXED_SIGNS", self.0.iter().flat_map(|row| row.paths.map(sign)));
        }
    }
}

/// How the length of a joint depends on dofs.
fn joint_arms(model: &Model, joint: usize) -> Vec<f64> {
    let mut arms = vec![0.0; model.nv];
    arms[model.jnt_dofadr[joint] as usize] = 1.0;
    arms
}

/// How the length of a fixed tendon depends on dofs; a spatial one has none of these.
fn tendon_arms(model: &Model, tendon: usize) -> Vec<f64> {
    let mut arms = vec![0.0; model.nv];
    if is_spatial(model, tendon) {
        return arms;
    }
    let first = model.tendon_adr[tendon] as usize;
    for w in first..first + model.tendon_num[tendon] as usize {
        arms[model.jnt_dofadr[model.wrap_objid[w] as usize] as usize] += model.wrap_prm[w];
    }
    arms
}

/// A spatial tendon as part of a row.
fn path(model: &Model, tendon: usize, sign: f64) -> Option<(usize, f64)> {
    is_spatial(model, tendon).then_some((tendon, sign))
}

/// An equality of joints or tendons that is active at the start; others are refused or none.
fn equality(model: &Model, e: usize) -> Option<Row> {
    if model.eq_active0[e] == 0 {
        return None;
    }
    let of = |id: usize| match model.eq_type[e] {
        kind if kind == EqType::Joint as i32 => {
            let at = model.jnt_qposadr[id] as usize;
            let weight = model.dof_invweight0[model.jnt_dofadr[id] as usize];
            Some((joint_arms(model, id), model.qpos0[at], weight))
        }
        kind if kind == EqType::Tendon as i32 => {
            Some((tendon_arms(model, id), model.tendon_length0[id], model.tendon_invweight0[id]))
        }
        _ => None,
    };
    let (first, reference, weight) = of(model.eq_obj1id[e] as usize)?;
    let second = usize::try_from(model.eq_obj2id[e]).ok().and_then(of);
    let is_tendon = model.eq_type[e] == EqType::Tendon as i32;
    let paths = [model.eq_obj1id[e], model.eq_obj2id[e]].map(|id| {
        let tendon = usize::try_from(id).ok().filter(|_| is_tendon)?;
        path(model, tendon, 1.0)
    });
    let nothing = (vec![0.0; model.nv], 0.0, 0.0);
    let [a, b, c, d, f, ..] = model.eq_data[e];
    // without a second object only the constant remains
    let polynomial = if second.is_some() { [a, b, c, d, f] } else { [a, 0.0, 0.0, 0.0, 0.0] };
    let (other, other_reference, other_weight) = second.unwrap_or(nothing);
    Some(Row {
        kind: Kind::Holds,
        arms: [first, other],
        paths,
        reference: [reference, other_reference],
        polynomial,
        margin: 0.0,
        loss: 0.0,
        weight: weight + other_weight,
        solref: model.eq_solref[e],
        solimp: model.eq_solimp[e],
        equality: Some(e),
        lower_limit_of: None,
    })
}

fn tendon_friction(model: &Model, t: usize) -> Row {
    Row {
        kind: Kind::Rubs,
        arms: [tendon_arms(model, t), vec![0.0; model.nv]],
        paths: [path(model, t, 1.0), None],
        reference: [0.0; 2],
        polynomial: [0.0; 5],
        margin: 0.0,
        loss: model.tendon_frictionloss[t],
        weight: model.tendon_invweight0[t],
        solref: model.tendon_solref_fri[t],
        solimp: model.tendon_solimp_fri[t],
        equality: None,
        lower_limit_of: None,
    }
}

/// The lower (−1) or upper (1) limit of a tendon: the distance to it.
fn tendon_limit(model: &Model, t: usize, side: f64) -> Row {
    let bound = model.tendon_range[t][usize::from(side > 0.0)];
    Row {
        kind: Kind::Pushes,
        arms: [tendon_arms(model, t).iter().map(|x| -side * x).collect(), vec![0.0; model.nv]],
        paths: [path(model, t, -side), None],
        reference: [-side * bound, 0.0],
        polynomial: [0.0; 5],
        margin: model.tendon_margin[t],
        loss: 0.0,
        weight: model.tendon_invweight0[t],
        solref: model.tendon_solref_lim[t],
        solimp: model.tendon_solimp_lim[t],
        equality: None,
        lower_limit_of: (side < 0.0).then_some(t),
    }
}
