//! Parameters of a contact, from an explicit pair or mixed from two geoms.
//!
//! The geom of higher priority decides alone. At equal priority, condim and friction are the larger of the two, `solimp` is mixed by
//! `solmix`, and so is `solref` unless one of them is given as stiffness and damping, in which case the smaller values win.

use kinetree_math::MINVAL;
use kinetree_model::consts::MINMU;
use kinetree_model::enums::EnableBit;
use kinetree_model::{Contact, Model};

/// Fills everything about a contact that does not depend on poses, overridden by the model's options if they say so.
#[inline]
pub(crate) fn set_params(
    model: &Model,
    geoms: [usize; 2],
    pair: Option<usize>,
    margin: f64,
    contact: &mut Contact,
) {
    let gap = match pair {
        Some(pair) => {
            contact.dim = model.pair_dim[pair];
            contact.solref = model.pair_solref[pair];
            contact.solreffriction = model.pair_solreffriction[pair];
            contact.solimp = model.pair_solimp[pair];
            contact.friction = model.pair_friction[pair].map(|f| f.max(MINMU));
            model.pair_gap[pair]
        }
        None => {
            mix_geoms(model, geoms, contact);
            model.geom_gap[geoms[0]] + model.geom_gap[geoms[1]]
        }
    };
    contact.includemargin = margin - gap;
    if model.enabled(EnableBit::Override) {
        contact.solref = model.opt.o_solref;
        contact.solreffriction = model.opt.o_solref;
        contact.solimp = model.opt.o_solimp;
        contact.friction = model.opt.o_friction.map(|f| f.max(MINMU));
    }
}

/// Condim, solref, solimp and friction from two geoms.
#[inline]
fn mix_geoms(model: &Model, [g1, g2]: [usize; 2], contact: &mut Contact) {
    let priority = (model.geom_priority[g1], model.geom_priority[g2]);
    let [slide, spin, roll] = if priority.0 == priority.1 {
        blend_geoms(model, g1, g2, contact)
    } else {
        let g = if priority.0 > priority.1 { g1 } else { g2 };
        contact.dim = model.geom_condim[g];
        contact.solref = model.geom_solref[g];
        contact.solimp = model.geom_solimp[g];
        model.geom_friction[g]
    }
    .map(|f| f.max(MINMU));
    contact.friction = [slide, slide, spin, roll, roll];
}

/// Condim, solref and solimp of two geoms with the same priority; returns their friction.
#[inline]
fn blend_geoms(model: &Model, g1: usize, g2: usize, contact: &mut Contact) -> [f64; 3] {
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
    contact.solref =
        std::array::from_fn(|i| if both_standard { blend(ref1[i], ref2[i]) } else { ref1[i].min(ref2[i]) });
    let (imp1, imp2) = (&model.geom_solimp[g1], &model.geom_solimp[g2]);
    contact.solimp = std::array::from_fn(|i| blend(imp1[i], imp2[i]));
    let (fri1, fri2) = (&model.geom_friction[g1], &model.geom_friction[g2]);
    contact.dim = model.geom_condim[g1].max(model.geom_condim[g2]);
    std::array::from_fn(|i| fri1[i].max(fri2[i]))
}

/// Distance below which two geoms are tested: the sum of their margins unless overridden.
pub(crate) fn assigned_margin(model: &Model, margin: f64) -> f64 {
    if model.enabled(EnableBit::Override) { model.opt.o_margin } else { margin }
}
