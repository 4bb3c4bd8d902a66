//! Parameters of a contact, from an explicit pair or mixed from two geoms.
//!
//! The geom of higher priority decides alone. At equal priority, condim and friction are the larger of the two, `solimp` is mixed by
//! `solmix`, and so is `solref` unless one of them is given as stiffness and damping, in which case the smaller values win.

use kinetree_math::MINVAL;
use kinetree_model::consts::MINMU;
use kinetree_model::enums::EnableBit;
use kinetree_model::{Contact, Model};

/// Everything about a contact that does not depend on poses.
pub(crate) struct ContactParams {
    pub condim: i32,
    pub gap: f64,
    pub solref: [f64; 2],
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
    pub friction: [f64; 5],
}

impl ContactParams {
    /// Parameters of an explicit pair.
    pub(crate) fn of_pair(model: &Model, pair: usize) -> Self {
        Self {
            condim: model.pair_dim[pair],
            gap: model.pair_gap[pair],
            solref: model.pair_solref[pair],
            solreffriction: model.pair_solreffriction[pair],
            solimp: model.pair_solimp[pair],
            friction: model.pair_friction[pair],
        }
    }

    /// Parameters mixed from two geoms.
    pub(crate) fn of_geoms(model: &Model, g1: usize, g2: usize) -> Self {
        let gap = model.geom_gap[g1] + model.geom_gap[g2];
        let priority = (model.geom_priority[g1], model.geom_priority[g2]);
        let (condim, solref, solimp, friction) = if priority.0 == priority.1 {
            mixed(model, g1, g2)
        } else {
            let g = if priority.0 > priority.1 { g1 } else { g2 };
            (model.geom_condim[g], model.geom_solref[g], model.geom_solimp[g], model.geom_friction[g])
        };
        let [slide, spin, roll] = friction;
        Self {
            condim,
            gap,
            solref,
            solreffriction: [0.0; 2],
            solimp,
            friction: [slide, slide, spin, roll, roll],
        }
    }

    /// Fills the parameters of a contact, overridden by the model's options if they say so.
    pub(crate) fn apply(&self, model: &Model, contact: &mut Contact, margin: f64) {
        contact.dim = self.condim;
        contact.includemargin = margin - self.gap;
        if model.enabled(EnableBit::Override) {
            contact.solref = model.opt.o_solref;
            contact.solreffriction = model.opt.o_solref;
            contact.solimp = model.opt.o_solimp;
            contact.friction = model.opt.o_friction.map(|f| f.max(MINMU));
        } else {
            contact.solref = self.solref;
            contact.solreffriction = self.solreffriction;
            contact.solimp = self.solimp;
            contact.friction = self.friction.map(|f| f.max(MINMU));
        }
        contact.exclude = i32::from(contact.dist >= contact.includemargin);
    }
}

/// Condim, solref, solimp and friction of two geoms with the same priority.
fn mixed(model: &Model, g1: usize, g2: usize) -> (i32, [f64; 2], [f64; 5], [f64; 3]) {
    let (mix1, mix2) = (model.geom_solmix[g1], model.geom_solmix[g2]);
    let mix = match (mix1 >= MINVAL, mix2 >= MINVAL) {
        (true, true) => mix1 / (mix1 + mix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    };
    let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
    let (ref1, ref2) = (&model.geom_solref[g1], &model.geom_solref[g2]);
    let both_standard = ref1[0] > 0.0 && ref2[0] > 0.0;
    let solref =
        std::array::from_fn(|i| if both_standard { blend(ref1[i], ref2[i]) } else { ref1[i].min(ref2[i]) });
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
