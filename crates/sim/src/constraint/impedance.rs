//! Impedance: how hard each row pushes back.
//!
//! A row's impedance `d` in (0, 1) grows with its violation along a sigmoid given by `solimp`. With the approximate inverse inertia
//! `A` seen by the row (`efc_diagApprox`), the regularizer is `R = A (1 − d)/d`, and stiffness `K` and damping `B` of the reference
//! acceleration follow from `solref`, given as time constant and damping ratio (positive) or as stiffness and damping (negative).

use kinetree_math::MINVAL;
use kinetree_math::dense::norm;
use kinetree_model::consts::{MAXIMP, MINIMP};
use kinetree_model::enums::{ConstraintType, DisableBit, EqType, ObjType};
use kinetree_model::{Contact, Data, Model};

/// Parameters of one block of rows, made safe.
struct SolverParams {
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

/// Sets `efc_diagApprox`, `efc_KBIP`, `efc_R`, `efc_D` and the regularized friction of contacts.
pub(crate) fn make_impedance(model: &Model, data: &mut Data) {
    let mut row = 0;
    while row < data.nefc {
        if data.efc_type[row] == ConstraintType::ContactPyramidal as i32 {
            row += pyramid_rows(model, data, row);
            continue;
        }
        let kind = data.efc_type[row];
        let (dim, pos) = block_extent(model, data, row);
        inverse_weight(model, data, row, dim);
        let params = solver_params(model, data, row);
        let (imp, slope) = impedance(&params.solimp, pos - data.efc_margin[row]);
        for j in 0..dim {
            data.efc_R[row + j] = MINVAL.max((1.0 - imp) * data.efc_diagApprox[row + j] / imp);
            let (k, b) = stiffness_and_damping(&params, kind, j);
            data.efc_KBIP[row + j] = [k, b, imp, slope];
        }
        if kind == ConstraintType::ContactElliptic as i32 {
            elliptic_regularizer(model, data, row, dim);
        }
        for i in row..row + dim {
            data.efc_D[i] = 1.0 / data.efc_R[i];
            data.efc_diagApprox[i] = data.efc_R[i] * imp / (1.0 - imp);
        }
        row += dim;
    }
}

/// All rows of a pyramidal contact, which share everything: the pyramid has the friction impedance of the elliptic cone. Returns their
/// number.
fn pyramid_rows(model: &Model, data: &mut Data, row: usize) -> usize {
    let kind = data.efc_type[row];
    let params = solver_params(model, data, row);
    let (imp, slope) = impedance(&params.solimp, data.efc_pos[row] - data.efc_margin[row]);
    let (k, b) = stiffness_and_damping(&params, kind, 0);
    let contact = &mut data.contact[data.efc_id[row] as usize];
    let rows = row..row + 2 * (contact.dim as usize - 1);
    let [tran, _] = contact_weight(model, contact);
    let friction = contact.friction[0];
    let normal = MINVAL.max((1.0 - imp) * (tran + friction * friction * tran) / imp);
    let tangential = normal / MINVAL.max(model.opt.impratio);
    contact.mu = friction * (tangential / normal).sqrt();
    let edge = 2.0 * contact.mu * contact.mu * normal;
    data.efc_KBIP[rows.clone()].fill([k, b, imp, slope]);
    data.efc_R[rows.clone()].fill(edge);
    data.efc_D[rows.clone()].fill(1.0 / edge);
    data.efc_diagApprox[rows.clone()].fill(edge * imp / (1.0 - imp));
    rows.len()
}

/// Inverse inertia that a contact's two bodies show to translation and rotation.
fn contact_weight(model: &Model, contact: &Contact) -> [f64; 2] {
    let [a, b] = contact.geom.map(|g| &model.body_invweight0[model.geom_bodyid[g as usize] as usize]);
    [a[0] + b[0], a[1] + b[1]]
}

/// Number of rows that share one impedance, and the violation it depends on.
fn block_extent(model: &Model, data: &Data, row: usize) -> (usize, f64) {
    let id = data.efc_id[row] as usize;
    match data.efc_type[row] {
        t if t == ConstraintType::ContactElliptic as i32 => {
            (data.contact[id].dim as usize, data.efc_pos[row])
        }
        t if t == ConstraintType::Equality as i32 => {
            let dim = match model.eq_type[id] {
                e if e == EqType::Weld as i32 => 6,
                e if e == EqType::Connect as i32 => 3,
                _ => return (1, data.efc_pos[row]),
            };
            (dim, norm(&data.efc_pos[row..row + dim]))
        }
        _ => (1, data.efc_pos[row]),
    }
}

/// Sets the approximate inverse inertia of a block of rows from the weights stored in the model.
fn inverse_weight(model: &Model, data: &mut Data, row: usize, dim: usize) {
    let id = data.efc_id[row] as usize;
    let kind = ConstraintType::try_from(data.efc_type[row]);
    let weight = &mut data.efc_diagApprox[row..row + dim];
    match kind {
        Ok(ConstraintType::Equality) => equality_weight(model, id, weight),
        Ok(ConstraintType::FrictionDof) => weight[0] = model.dof_invweight0[id],
        Ok(ConstraintType::LimitJoint) => weight[0] = model.dof_invweight0[model.jnt_dofadr[id] as usize],
        Ok(ConstraintType::FrictionTendon | ConstraintType::LimitTendon) => {
            weight[0] = model.tendon_invweight0[id];
        }
        Ok(_) => {
            let [tran, rot] = contact_weight(model, &data.contact[id]);
            for (j, w) in weight.iter_mut().enumerate() {
                *w = if j < 3 { tran } else { rot };
            }
        }
        Err(_) => {}
    }
}

fn equality_weight(model: &Model, eq: usize, weight: &mut [f64]) {
    let (obj1, obj2) = (model.eq_obj1id[eq] as usize, model.eq_obj2id[eq]);
    match EqType::try_from(model.eq_type[eq]) {
        Ok(EqType::Connect | EqType::Weld) => {
            let mut body = [obj1, obj2 as usize];
            if model.eq_objtype[eq] == ObjType::Site as i32 {
                body = body.map(|s| model.site_bodyid[s] as usize);
            }
            for (j, w) in weight.iter_mut().enumerate() {
                let part = usize::from(j > 2);
                *w = model.body_invweight0[body[0]][part] + model.body_invweight0[body[1]][part];
            }
        }
        Ok(kind) => {
            let of = |obj: usize| {
                if kind == EqType::Joint {
                    model.dof_invweight0[model.jnt_dofadr[obj] as usize]
                } else {
                    model.tendon_invweight0[obj]
                }
            };
            weight[0] = of(obj1);
            if let Ok(obj2) = usize::try_from(obj2) {
                weight[0] += of(obj2);
            }
        }
        Err(_) => {}
    }
}

/// The parameters of a row's object, with mixed formats replaced and values clamped.
fn solver_params(model: &Model, data: &Data, row: usize) -> SolverParams {
    let id = data.efc_id[row] as usize;
    let mut solreffriction = [0.0; 2];
    let (mut solref, mut solimp) = match ConstraintType::try_from(data.efc_type[row]) {
        Ok(ConstraintType::Equality) => (model.eq_solref[id], model.eq_solimp[id]),
        Ok(ConstraintType::LimitJoint) => (model.jnt_solref[id], model.jnt_solimp[id]),
        Ok(ConstraintType::FrictionDof) => (model.dof_solref[id], model.dof_solimp[id]),
        Ok(ConstraintType::LimitTendon) => (model.tendon_solref_lim[id], model.tendon_solimp_lim[id]),
        Ok(ConstraintType::FrictionTendon) => (model.tendon_solref_fri[id], model.tendon_solimp_fri[id]),
        _ => {
            let contact = &data.contact[id];
            solreffriction = contact.solreffriction;
            (contact.solref, contact.solimp)
        }
    };
    // one positive and one negative value mean nothing: fall back to the defaults
    if (solref[0] > 0.0) != (solref[1] > 0.0) {
        solref = [0.02, 1.0];
    }
    if (solreffriction[0] > 0.0) != (solreffriction[1] > 0.0) {
        solreffriction = [0.0; 2];
    }
    // a time constant below two steps cannot be integrated
    if !model.disabled(DisableBit::Refsafe) {
        for time_constant in [&mut solref[0], &mut solreffriction[0]] {
            if *time_constant > 0.0 {
                *time_constant = time_constant.max(2.0 * model.opt.timestep);
            }
        }
    }
    for i in [0, 1, 3] {
        solimp[i] = MAXIMP.min(MINIMP.max(solimp[i]));
    }
    solimp[2] = solimp[2].max(0.0);
    solimp[4] = solimp[4].max(1.0);
    SolverParams { solref, solreffriction, solimp }
}

/// Stiffness and damping of the `j`-th row of a block.
fn stiffness_and_damping(params: &SolverParams, kind: i32, j: usize) -> (f64, f64) {
    let tangential = kind == ConstraintType::ContactElliptic as i32 && j > 0;
    let separate = tangential && params.solreffriction != [0.0; 2];
    let solref = if separate { &params.solreffriction } else { &params.solref };
    let dmax = params.solimp[1];
    let no_position = tangential
        || kind == ConstraintType::FrictionDof as i32
        || kind == ConstraintType::FrictionTendon as i32;
    let k = if no_position {
        0.0
    } else if solref[0] > 0.0 {
        1.0 / MINVAL.max(dmax * dmax * solref[0] * solref[0] * solref[1] * solref[1])
    } else {
        -solref[0] / MINVAL.max(dmax * dmax)
    };
    let b = if solref[1] > 0.0 { 2.0 / MINVAL.max(dmax * solref[0]) } else { -solref[1] / MINVAL.max(dmax) };
    (k, b)
}

/// Spreads the normal regularizer of an elliptic contact over its rows, and sets the friction of the regularized cone.
fn elliptic_regularizer(model: &Model, data: &mut Data, row: usize, dim: usize) {
    let contact = &mut data.contact[data.efc_id[row] as usize];
    let r = &mut data.efc_R[row..row + dim];
    let friction = &contact.friction;
    let tangential = r[0] / MINVAL.max(model.opt.impratio);
    contact.mu = friction[0] * (tangential / r[0]).sqrt();
    // R μ² is the same in all friction directions
    r[1] = tangential;
    for j in 2..dim {
        let mu = friction[j - 1];
        r[j] = tangential * friction[0] * friction[0] / (mu * mu);
    }
}

/// Impedance and its slope at a signed violation.
fn impedance(solimp: &[f64; 5], violation: f64) -> (f64, f64) {
    let [d0, dmax, width, midpoint, exponent] = *solimp;
    if d0 == dmax || width <= MINVAL {
        return (0.5 * (d0 + dmax), 0.0);
    }
    let signed = violation / width;
    let x = signed.abs();
    if x >= 1.0 {
        return (dmax, 0.0);
    }
    if x <= 0.0 {
        return (d0, 0.0);
    }
    let (y, dy) = if exponent == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        let a = 1.0 / power(midpoint, exponent - 1.0);
        (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
    } else {
        let b = 1.0 / power(1.0 - midpoint, exponent - 1.0);
        (1.0 - b * power(1.0 - x, exponent), exponent * b * power(1.0 - x, exponent - 1.0))
    };
    let sign = if signed < 0.0 { -1.0 } else { 1.0 };
    (d0 + y * (dmax - d0), dy * sign * (dmax - d0) / width)
}

/// `a` to the power of `b`, quick for the common exponents.
fn power(a: f64, b: f64) -> f64 {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        libm::pow(a, b)
    }
}
