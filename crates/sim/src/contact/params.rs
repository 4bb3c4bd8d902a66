//! Parameters of a contact, from an explicit pair or mixed from two geoms.
//!
//! The geom of higher priority decides alone. At equal priority, condim and friction are the larger of the
//! two, `solimp` is mixed by `solmix`, and so is `solref` unless one of them is given as stiffness and
//! damping, in which case the smaller values win.

use kinetree_math::MINVAL;
use kinetree_model::consts::MINMU;
use kinetree_model::enums::EnableBit;
use kinetree_model::{Contact, Model};

/// Everything about a contact that does not depend on poses.
pub(crate) struct ContactParams {
    dim: i32,
    includemargin: f64,
    friction: [f64; 5],
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

impl ContactParams {
    /// The parameters of the contacts of two geoms, overridden by the model's options if they say so.
    #[inline(always)]
    pub(crate) fn new(model: &Model, geoms: [usize; 2], pair: Option<usize>, margin: f64) -> Self {
        let mut params = match pair {
            Some(pair) => Self {
                dim: model.pair_dim[pair],
                includemargin: margin - model.pair_gap[pair],
                friction: model.pair_friction[pair].map(|f| f.max(MINMU)),
                solref: model.pair_solref[pair],
                solreffriction: model.pair_solreffriction[pair],
                solimp: model.pair_solimp[pair],
            },
            None => mixed(model, geoms, margin),
        };
        if model.enabled(EnableBit::Override) {
            params.solref = model.opt.o_solref;
            params.solreffriction = model.opt.o_solref;
            params.solimp = model.opt.o_solimp;
            params.friction = model.opt.o_friction.map(|f| f.max(MINMU));
        }
        params
    }

    /// Writes them to a contact.
    #[inline(always)]
    pub(crate) fn write(&self, contact: &mut Contact) {
        contact.dim = self.dim;
        contact.includemargin = self.includemargin;
        contact.friction = self.friction;
        contact.solref = self.solref;
        contact.solreffriction = self.solreffriction;
        contact.solimp = self.solimp;
    }
}

/// The parameters of two geoms together.
#[inline(always)]
fn mixed(model: &Model, [g1, g2]: [usize; 2], margin: f64) -> ContactParams {
    let priority = (model.geom_priority[g1], model.geom_priority[g2]);
    let (dim, solref, solimp, [slide, spin, roll]) = if priority.0 == priority.1 {
        blended(model, g1, g2)
    } else {
        let g = if priority.0 > priority.1 { g1 } else { g2 };
        (model.geom_condim[g], model.geom_solref[g], model.geom_solimp[g], model.geom_friction[g])
    };
    let [slide, spin, roll] = [slide.max(MINMU), spin.max(MINMU), roll.max(MINMU)];
    ContactParams {
        dim,
        includemargin: margin - (model.geom_gap[g1] + model.geom_gap[g2]),
        friction: [slide, slide, spin, roll, roll],
        solref,
        solreffriction: [0.0; 2],
        solimp,
    }
}

/// Condim, solref, solimp and friction of two geoms with the same priority.
#[inline(always)]
fn blended(model: &Model, g1: usize, g2: usize) -> (i32, [f64; 2], [f64; 5], [f64; 3]) {
    let (mix1, mix2) = (model.geom_solmix[g1], model.geom_solmix[g2]);
    let mix = match (mix1 >= MINVAL, mix2 >= MINVAL) {
        (true, true) => mix1 / (mix1 + mix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    };
    let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
    let ([a1, b1], [a2, b2]) = (model.geom_solref[g1], model.geom_solref[g2]);
    let both_standard = a1 > 0.0 && a2 > 0.0;
    let solref = if both_standard { [blend(a1, a2), blend(b1, b2)] } else { [a1.min(a2), b1.min(b2)] };
    let (imp1, imp2) = (&model.geom_solimp[g1], &model.geom_solimp[g2]);
    let solimp = std::array::from_fn(|i| blend(imp1[i], imp2[i]));
    let (fri1, fri2) = (&model.geom_friction[g1], &model.geom_friction[g2]);
    let friction = std::array::from_fn(|i| fri1[i].max(fri2[i]));
    (model.geom_condim[g1].max(model.geom_condim[g2]), solref, solimp, friction)
}

/// Distance below which two geoms are tested: the sum of their margins unless overridden.
pub(crate) fn assigned_margin(model: &Model, margin: f64) -> f64 {
    if model.enabled(EnableBit::Override) { model.opt.o_margin } else { margin }
}
