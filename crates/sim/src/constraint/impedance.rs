//! Impedance of constraint rows: stiffness, damping, and the regularization `R` of each row.
//!
//! A row's impedance `d` in (0, 1) grows with its violation along a sigmoid given by `solimp`. With the
//! approximate inverse inertia `A` seen by the row (`efc_diagApprox`), the regularizer is `R = A (1 − d)/d`,
//! and stiffness `K` and damping `B` of the reference acceleration follow from `solref`, given as time
//! constant and damping ratio (positive) or as stiffness and damping (negative).

use super::fill::fill_short_slices;
use crate::flex::contact_bodies::{ContactBodies, touches_flex};
use kinetree_math::MINVAL;
use kinetree_math::dense::norm;
use kinetree_model::consts::{MAXIMP, MINIMP};
use kinetree_model::enums::{ConstraintType, DisableBit, EqType, InvalidEnum, ObjType};
use kinetree_model::{Contact, Data, Model};
use std::slice::Iter;
use wide::f64x4;

/// Parameters of one block of rows, made safe.
struct SolverParams {
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

/// Sets `efc_diagApprox`, `efc_KBIP`, `efc_R`, `efc_D` and the regularized friction of contacts.
pub(crate) fn make_impedance(
    model: &Model,
    data: &mut Data,
    cache: &mut GainCache,
    flex_weights: &FlexWeights,
    contact_bodies: &mut ContactBodies,
) {
    let mut source = WeightSource { flex_rows: flex_weights.rows.iter(), all: &flex_weights.all };
    cache.begin(model);
    let first_contact = data.ne + data.nf + data.nl;
    let mut row = 0;
    while row < first_contact {
        if data.efc_type[row] == ConstraintType::FrictionDof {
            friction_row(model, data, row, &mut cache.object, source.all);
            row += 1;
        } else {
            row += object_rows(model, data, row, &mut cache.object, &mut source);
        }
    }
    while row < data.nefc {
        row += contact_rows(model, data, row, &mut cache.contact, (source.all, contact_bodies));
    }
}

/// Inverse weights that rows do not have from the model alone.
#[derive(Default)]
pub(crate) struct FlexWeights {
    /// Of the equality rows of flexes, in their order.
    pub rows: Vec<f64>,
    /// Whether the reference counts other rows of a flex than there are.
    pub miscounted: bool,
    /// Of all rows, where it does (`counted_weights`); else empty.
    pub all: Vec<f64>,
}

impl FlexWeights {
    /// Forgets the rows of the last evaluation.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.all.clear();
        self.miscounted = false;
    }
}

/// Where rows find their inverse weights.
struct WeightSource<'a> {
    flex_rows: Iter<'a, f64>,
    all: &'a [f64],
}

/// The gains that were used last, and what they follow from besides an object's parameters.
#[derive(Default)]
pub(crate) struct GainCache {
    object: Option<Gains>,
    contact: Option<Gains>,
    timestep: f64,
    refsafe: bool,
}

impl GainCache {
    fn begin(&mut self, model: &Model) {
        let (timestep, refsafe) = (model.opt.timestep, !model.disabled(DisableBit::Refsafe));
        if (self.timestep, self.refsafe) != (timestep, refsafe) {
            *self = Self { timestep, refsafe, ..Self::default() };
        }
    }
}

/// The rows of an object other than a contact that share one impedance. Returns their number.
fn object_rows(
    model: &Model,
    data: &mut Data,
    row: usize,
    gains: &mut Option<Gains>,
    source: &mut WeightSource<'_>,
) -> usize {
    let kind = data.efc_type[row];
    let (dim, pos) = block_extent(model, data, row);
    let weights = &mut data.efc_diagApprox[row..row + dim];
    match source.all.get(row..row + dim) {
        Some(given) => weights.copy_from_slice(given),
        None => {
            let kind = ConstraintType::try_from(kind);
            inverse_weight(model, (kind, data.efc_id[row] as usize), weights, &mut source.flex_rows);
        }
    }
    let (solref, solimp) = object_params(model, data, row);
    let gains = Gains::of(gains, model, solref, &[0.0; 2], solimp);
    let (imp, derivative) = gains.sigmoid.impedance(pos - data.efc_margin[row]);
    // friction has no position to return to
    let k = if kind == ConstraintType::FrictionTendon { 0.0 } else { gains.stiffness };
    let b = gains.damping;
    for i in row..row + dim {
        set_row(data, i, data.efc_diagApprox[i], [k, b, imp, derivative]);
    }
    dim
}

/// The friction loss of a dof: the plainest kind of row, of which there are many.
#[inline(always)]
fn friction_row(model: &Model, data: &mut Data, row: usize, gains: &mut Option<Gains>, given: &[f64]) {
    let dof = data.efc_id[row] as usize;
    let gains = Gains::of(gains, model, &model.dof_solref[dof], &[0.0; 2], &model.dof_solimp[dof]);
    let (imp, derivative) = gains.sigmoid.impedance(data.efc_pos[row] - data.efc_margin[row]);
    let weight = given.get(row).copied().unwrap_or(model.dof_invweight0[dof]);
    set_row(data, row, weight, [0.0, gains.damping, imp, derivative]);
}

/// Sets a row with an inverse inertia, stiffness, damping, impedance and its derivative.
#[inline(always)]
fn set_row(data: &mut Data, row: usize, weight: f64, kbip: [f64; 4]) {
    let imp = kbip[2];
    let r = MINVAL.max((1.0 - imp) * weight / imp);
    data.efc_KBIP[row] = kbip;
    data.efc_R[row] = r;
    data.efc_D[row] = 1.0 / r;
    data.efc_diagApprox[row] = r * imp / (1.0 - imp);
}

/// What follows from the parameters of an object, whatever its state. Neighbouring objects mostly share it.
struct Gains {
    params: RawParams,
    sigmoid: Sigmoid,
    stiffness: f64,
    damping: f64,
    /// Damping of the friction rows of an elliptic contact, which have no stiffness.
    friction_damping: f64,
}

/// `solref`, `solreffriction` and `solimp`.
type RawParams = ([f64; 2], [f64; 2], [f64; 5]);

impl Gains {
    /// The gains for the given parameters: the last ones, if these are the same.
    #[inline(always)]
    fn of<'a>(
        last: &'a mut Option<Self>,
        model: &Model,
        solref: &[f64; 2],
        solreffriction: &[f64; 2],
        solimp: &[f64; 5],
    ) -> &'a Self {
        if last.as_ref().is_some_and(|gains| !gains.are_of(solref, solreffriction, solimp)) {
            *last = None;
        }
        last.get_or_insert_with(|| Self::new(model, (*solref, *solreffriction, *solimp)))
    }

    #[cold]
    fn new(model: &Model, params: RawParams) -> Self {
        let SolverParams { solref, solreffriction, solimp } = SolverParams::new(model, params);
        let friction = if solreffriction == [0.0; 2] { &solref } else { &solreffriction };
        Self {
            params,
            sigmoid: Sigmoid::new(solimp),
            stiffness: stiffness(&solref, solimp[1]),
            damping: damping(&solref, solimp[1]),
            friction_damping: damping(friction, solimp[1]),
        }
    }

    /// Whether the parameters are the same to the last bit, without a branch for each.
    #[inline(always)]
    fn are_of(&self, solref: &[f64; 2], solreffriction: &[f64; 2], solimp: &[f64; 5]) -> bool {
        let ([a, b], [c, d], [e, f, g, h, i]) = &self.params;
        let [s, t, u, v, w] = solimp;
        let differ = |x: &f64, y: &f64| x.to_bits() ^ y.to_bits();
        let refs = differ(a, &solref[0]) | differ(b, &solref[1]);
        let friction = differ(c, &solreffriction[0]) | differ(d, &solreffriction[1]);
        let imps = differ(e, s) | differ(f, t) | differ(g, u) | differ(h, v) | differ(i, w);
        (refs | friction) | imps == 0
    }
}

/// All rows of a contact. Returns their number.
fn contact_rows(
    model: &Model,
    data: &mut Data,
    row: usize,
    gains: &mut Option<Gains>,
    (given, bodies): (&[f64], &mut ContactBodies),
) -> usize {
    let kind = data.efc_type[row];
    let weight = match given.get(row) {
        Some(&weight) => weight,
        None => normal_row_weight(model, data, row, bodies),
    };
    let contact = &mut data.contact[data.efc_id[row] as usize];
    let gains = Gains::of(gains, model, &contact.solref, &contact.solreffriction, &contact.solimp);
    let (imp, derivative) = gains.sigmoid.impedance(data.efc_pos[row] - data.efc_margin[row]);
    let kbip = f64x4::new([gains.stiffness, gains.damping, imp, derivative]).to_array();
    let friction = contact.friction[0];
    if kind == ConstraintType::ContactPyramidal {
        // all edges share everything: the pyramid has the friction impedance of the elliptic cone
        let rows = row..row + 2 * (contact.dim as usize - 1);
        let normal = MINVAL.max((1.0 - imp) * weight / imp);
        contact.mu = regularized_friction(model, friction, normal);
        let edge = 2.0 * contact.mu * contact.mu * normal;
        let lists = (
            &mut data.efc_KBIP[rows.clone()],
            &mut data.efc_R[rows.clone()],
            &mut data.efc_D[rows.clone()],
            &mut data.efc_diagApprox[rows.clone()],
        );
        fill_short_slices(lists, (kbip, edge, 1.0 / edge, edge * imp / (1.0 - imp)));
        return rows.len();
    }
    let rows = row..row + contact.dim as usize;
    let r = &mut data.efc_R[rows.clone()];
    r[0] = MINVAL.max((1.0 - imp) * weight / imp);
    if r.len() > 1 {
        elliptic_regularizer(model, contact, r);
    }
    for i in rows.clone() {
        data.efc_KBIP[i] = [0.0, gains.friction_damping, imp, derivative];
        data.efc_D[i] = 1.0 / data.efc_R[i];
        data.efc_diagApprox[i] = data.efc_R[i] * imp / (1.0 - imp);
    }
    data.efc_KBIP[row] = kbip;
    rows.len()
}

/// Stiffness, damping and impedance of a contact, as its normal row would have them: the reference
/// acceleration is `−damping v − stiffness impedance (dist − includemargin)`, and the regularizer `(1 −
/// impedance) / impedance` times the inverse inertia.
#[must_use]
pub fn contact_gains(model: &Model, contact: &Contact) -> [f64; 3] {
    let gains = Gains::new(model, (contact.solref, contact.solreffriction, contact.solimp));
    let (impedance, _) = gains.sigmoid.impedance(contact.dist - contact.includemargin);
    [gains.stiffness, gains.damping, impedance]
}

/// What follows from `solref` and `solimp`, whatever the state of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowGains {
    /// Stiffness of the reference acceleration.
    pub stiffness: f64,
    /// Damping of the reference acceleration.
    pub damping: f64,
    /// Damping of the friction rows of an elliptic contact, which have no stiffness.
    pub friction_damping: f64,
    /// Impedance parameters, made safe.
    pub solimp: [f64; 5],
    /// What scales the power functions of the impedance below and above its midpoint.
    pub scale: [f64; 2],
}

/// The gains of rows with the given parameters.
#[must_use]
pub fn row_gains(model: &Model, solref: &[f64; 2], solreffriction: &[f64; 2], solimp: &[f64; 5]) -> RowGains {
    let Gains { sigmoid, stiffness, damping, friction_damping, .. } =
        Gains::new(model, (*solref, *solreffriction, *solimp));
    RowGains { stiffness, damping, friction_damping, solimp: sigmoid.solimp, scale: sigmoid.scale }
}

/// Friction of the regularized cone with the given normal regularizer.
#[inline(always)]
fn regularized_friction(model: &Model, friction: f64, normal: f64) -> f64 {
    // most models leave the ratio at one: nothing has to wait for two divisions and a root then
    if model.opt.impratio == 1.0 && normal < f64::INFINITY {
        friction
    } else {
        friction * friction_scale(model, normal)
    }
}

/// How much the ratio of impedances scales friction. Kept apart, so that it is calculated only where it is
/// needed.
#[inline(never)]
fn friction_scale(model: &Model, normal: f64) -> f64 {
    let tangential = normal / MINVAL.max(model.opt.impratio);
    (tangential / normal).sqrt()
}

/// Inverse inertia that a contact's two bodies show to translation.
fn contact_weight(model: &Model, data: &Data, index: usize, bodies: &mut ContactBodies) -> f64 {
    let contact = &data.contact[index];
    if touches_flex(contact) {
        bodies.find(model, data, index);
        return bodies.inverse_weight(model, 0) + bodies.points.of(index).unwrap_or(0.0);
    }
    let [a, b] = contact.geom.map(|g| model.body_invweight0[model.geom_bodyid[g as usize] as usize][0]);
    a + b
}

/// Inverse weight of the first row of a contact.
#[inline(always)]
fn normal_row_weight(model: &Model, data: &Data, row: usize, bodies: &mut ContactBodies) -> f64 {
    let contact = data.efc_id[row] as usize;
    let weight = contact_weight(model, data, contact, bodies);
    if data.efc_type[row] == ConstraintType::ContactPyramidal {
        let friction = data.contact[contact].friction[0];
        weight + friction * friction * weight
    } else {
        weight
    }
}

/// Number of rows that share one impedance, and the violation it depends on.
fn block_extent(model: &Model, data: &Data, row: usize) -> (usize, f64) {
    let id = data.efc_id[row] as usize;
    match data.efc_type[row] {
        t if t == ConstraintType::Equality => {
            let dim = match model.eq_type[id] {
                e if e == EqType::Weld => 6,
                e if e == EqType::Connect => 3,
                _ => return (1, data.efc_pos[row]),
            };
            (dim, norm(&data.efc_pos[row..row + dim]))
        }
        _ => (1, data.efc_pos[row]),
    }
}

/// Type of a row and number of its object.
type RowObject = (Result<ConstraintType, InvalidEnum>, usize);

/// Sets the approximate inverse inertia of a block of rows from the weights stored in the model.
pub(super) fn inverse_weight(
    model: &Model,
    (kind, id): RowObject,
    weight: &mut [f64],
    flex_weights: &mut Iter<'_, f64>,
) {
    match kind {
        Ok(ConstraintType::Equality) => equality_weight(model, id, weight, flex_weights),
        Ok(ConstraintType::LimitJoint) => weight[0] = model.dof_invweight0[model.jnt_dofadr[id] as usize],
        Ok(ConstraintType::FrictionTendon | ConstraintType::LimitTendon) => {
            weight[0] = model.tendon_invweight0[id];
        }
        _ => {}
    }
}

fn equality_weight(model: &Model, eq: usize, weight: &mut [f64], flex_weights: &mut Iter<'_, f64>) {
    let (obj1, obj2) = (model.eq_obj1id[eq] as usize, model.eq_obj2id[eq]);
    match EqType::try_from(model.eq_type[eq]) {
        Ok(EqType::Connect | EqType::Weld) => {
            let mut body = [obj1, obj2 as usize];
            if model.eq_objtype[eq] == ObjType::Site {
                body = body.map(|s| model.site_bodyid[s] as usize);
            }
            for (j, w) in weight.iter_mut().enumerate() {
                let part = usize::from(j > 2);
                *w = model.body_invweight0[body[0]][part] + model.body_invweight0[body[1]][part];
            }
        }
        Ok(EqType::Flex | EqType::Flexvert | EqType::Flexstrain) => {
            weight[0] = flex_weights.next().copied().unwrap_or(0.0);
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

/// The parameters of a row's object, which is neither a contact nor a dof.
fn object_params<'a>(model: &'a Model, data: &Data, row: usize) -> (&'a [f64; 2], &'a [f64; 5]) {
    let id = data.efc_id[row] as usize;
    match ConstraintType::try_from(data.efc_type[row]) {
        Ok(ConstraintType::LimitJoint) => (&model.jnt_solref[id], &model.jnt_solimp[id]),
        Ok(ConstraintType::LimitTendon) => (&model.tendon_solref_lim[id], &model.tendon_solimp_lim[id]),
        Ok(ConstraintType::FrictionTendon) => (&model.tendon_solref_fri[id], &model.tendon_solimp_fri[id]),
        _ => (&model.eq_solref[id], &model.eq_solimp[id]),
    }
}

impl SolverParams {
    /// Replaces mixed formats and clamps values.
    fn new(model: &Model, (mut solref, mut solreffriction, mut solimp): RawParams) -> Self {
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
        Self { solref, solreffriction, solimp }
    }
}

fn stiffness(solref: &[f64; 2], dmax: f64) -> f64 {
    if solref[0] > 0.0 {
        1.0 / MINVAL.max(dmax * dmax * solref[0] * solref[0] * solref[1] * solref[1])
    } else {
        -solref[0] / MINVAL.max(dmax * dmax)
    }
}

fn damping(solref: &[f64; 2], dmax: f64) -> f64 {
    if solref[1] > 0.0 { 2.0 / MINVAL.max(dmax * solref[0]) } else { -solref[1] / MINVAL.max(dmax) }
}

/// Spreads the normal regularizer of an elliptic contact over its rows, and sets the friction of the
/// regularized cone.
fn elliptic_regularizer(model: &Model, contact: &mut Contact, r: &mut [f64]) {
    let friction = &contact.friction;
    let tangential = r[0] / MINVAL.max(model.opt.impratio);
    contact.mu = regularized_friction(model, friction[0], r[0]);
    // R μ² is the same in all friction directions
    r[1] = tangential;
    for (r, mu) in r[2..].iter_mut().zip(&friction[1..]) {
        *r = tangential * friction[0] * friction[0] / (mu * mu);
    }
}

/// Impedance as a function of violation.
struct Sigmoid {
    solimp: [f64; 5],
    /// What scales the power functions below and above the midpoint.
    scale: [f64; 2],
}

impl Sigmoid {
    fn new(solimp: [f64; 5]) -> Self {
        let [_, _, _, midpoint, exponent] = solimp;
        Self { solimp, scale: [midpoint, 1.0 - midpoint].map(|x| 1.0 / power(x, exponent - 1.0)) }
    }

    /// Impedance and its derivative at a signed violation.
    #[inline(always)]
    fn impedance(&self, violation: f64) -> (f64, f64) {
        let [d0, dmax, width, midpoint, exponent] = self.solimp;
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
        let [a, b] = self.scale;
        let (y, dy) = if exponent == 1.0 {
            (x, 1.0)
        } else if x <= midpoint {
            (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
        } else {
            (1.0 - b * power(1.0 - x, exponent), exponent * b * power(1.0 - x, exponent - 1.0))
        };
        let sign = if signed < 0.0 { -1.0 } else { 1.0 };
        (d0 + y * (dmax - d0), dy * sign * (dmax - d0) / width)
    }
}

/// `a` to the power of `b`, quick for the common exponents.
#[inline]
fn power(a: f64, b: f64) -> f64 {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        libm::pow(a, b)
    }
}
