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
            None => mixed(Surface::geom(model, geoms[0]), Surface::geom(model, geoms[1]), margin),
        };
        params.override_by(model);
        params
    }

    /// The parameters of the contacts of two surfaces, overridden by the model's options if they say so.
    pub(crate) fn of_surfaces(model: &Model, surfaces: [Surface<'_>; 2], margin: f64) -> Self {
        let mut params = mixed(surfaces[0], surfaces[1], margin);
        params.override_by(model);
        params
    }

    /// The same for contacts without margin and gap.
    pub(crate) fn without_margin(self) -> Self {
        Self { includemargin: 0.0, ..self }
    }

    /// The same for contacts without friction.
    pub(crate) fn without_friction(self) -> Self {
        Self { dim: 1, ..self }
    }

    #[inline(always)]
    fn override_by(&mut self, model: &Model) {
        if model.enabled(EnableBit::Override) {
            self.solref = model.opt.o_solref;
            self.solreffriction = model.opt.o_solref;
            self.solimp = model.opt.o_solimp;
            self.friction = model.opt.o_friction.map(|f| f.max(MINMU));
        }
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

/// What a contact takes from one of the two objects that touch.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    priority: i32,
    condim: i32,
    gap: f64,
    solmix: f64,
    solref: &'a [f64; 2],
    solimp: &'a [f64; 5],
    friction: &'a [f64; 3],
}

impl<'a> Surface<'a> {
    /// That of a geom.
    #[inline(always)]
    pub(crate) fn geom(model: &'a Model, geom: usize) -> Self {
        Self {
            priority: model.geom_priority[geom],
            condim: model.geom_condim[geom],
            gap: model.geom_gap[geom],
            solmix: model.geom_solmix[geom],
            solref: &model.geom_solref[geom],
            solimp: &model.geom_solimp[geom],
            friction: &model.geom_friction[geom],
        }
    }

    /// That of a point mass.
    pub(crate) fn point(
        solref: &'a [f64; 2],
        solimp: &'a [f64; 5],
        friction: &'a [f64; 3],
        condim: i32,
    ) -> Self {
        Self { priority: 0, condim, gap: 0.0, solmix: 1.0, solref, solimp, friction }
    }

    /// The same surface with the reference and impedance of another one, if that has the same priority.
    pub(crate) fn yielding_to(self, other: &Self) -> Self {
        if self.priority == other.priority {
            Self { solref: other.solref, solimp: other.solimp, ..self }
        } else {
            self
        }
    }

    /// That of a flex.
    pub(crate) fn flex(model: &'a Model, flex: usize) -> Self {
        Self {
            priority: model.flex_priority[flex],
            condim: model.flex_condim[flex],
            gap: model.flex_gap[flex],
            solmix: model.flex_solmix[flex],
            solref: &model.flex_solref[flex],
            solimp: &model.flex_solimp[flex],
            friction: &model.flex_friction[flex],
        }
    }
}

/// The parameters of two surfaces together.
#[inline(always)]
fn mixed(first: Surface<'_>, second: Surface<'_>, margin: f64) -> ContactParams {
    let (dim, solref, solimp, [slide, spin, roll]) = if first.priority == second.priority {
        blended(first, second)
    } else {
        let s = if first.priority > second.priority { first } else { second };
        (s.condim, *s.solref, *s.solimp, *s.friction)
    };
    let [slide, spin, roll] = [slide.max(MINMU), spin.max(MINMU), roll.max(MINMU)];
    ContactParams {
        dim,
        includemargin: margin - (first.gap + second.gap),
        friction: [slide, slide, spin, roll, roll],
        solref,
        solreffriction: [0.0; 2],
        solimp,
    }
}

/// Condim, solref, solimp and friction of two surfaces with the same priority.
#[inline(always)]
fn blended(first: Surface<'_>, second: Surface<'_>) -> (i32, [f64; 2], [f64; 5], [f64; 3]) {
    let (mix1, mix2) = (first.solmix, second.solmix);
    let mix = match (mix1 >= MINVAL, mix2 >= MINVAL) {
        (true, true) => mix1 / (mix1 + mix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    };
    let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
    let ([a1, b1], [a2, b2]) = (*first.solref, *second.solref);
    let both_standard = a1 > 0.0 && a2 > 0.0;
    let solref = if both_standard { [blend(a1, a2), blend(b1, b2)] } else { [a1.min(a2), b1.min(b2)] };
    let solimp = std::array::from_fn(|i| blend(first.solimp[i], second.solimp[i]));
    let friction = std::array::from_fn(|i| first.friction[i].max(second.friction[i]));
    (first.condim.max(second.condim), solref, solimp, friction)
}

/// How far beyond their margin geoms have contacts that do not act yet: at level 4.0 their gap, at level 3.8
/// nothing, where the gap is a part of the margin.
#[inline(always)]
fn beyond_margin(model: &Model, gap: f64) -> f64 {
    if model.reference().gap() { gap } else { 0.0 }
}

/// What a geom adds to the distance up to which it has contacts.
#[inline(always)]
pub(crate) fn geom_reach(model: &Model, geom: usize, margin: f64) -> f64 {
    margin + beyond_margin(model, model.geom_gap[geom])
}

/// Distance up to which two geoms have contacts.
#[inline(always)]
pub(crate) fn geoms_reach(model: &Model, [g1, g2]: [usize; 2]) -> f64 {
    assigned_margin(model, model.geom_margin[g1] + model.geom_margin[g2])
        + beyond_margin(model, model.geom_gap[g1] + model.geom_gap[g2])
}

/// Distance up to which the geoms of an explicit pair have contacts.
#[inline(always)]
pub(crate) fn pair_reach(model: &Model, pair: usize) -> f64 {
    assigned_margin(model, model.pair_margin[pair]) + beyond_margin(model, model.pair_gap[pair])
}

/// Distance up to which some geoms of two bodies may have contacts.
#[inline(always)]
pub(crate) fn bodies_reach(model: &Model, [b1, b2]: [usize; 2]) -> f64 {
    let margin = model.body_margin[b1] + model.body_margin[b2];
    // the margin of a body has gaps in it at level 4.0, of which the one that overrides knows nothing
    assigned_margin(model, margin)
        + if model.enabled(EnableBit::Override) { beyond_margin(model, margin) } else { 0.0 }
}

/// A margin unless another one overrides all.
pub(crate) fn assigned_margin(model: &Model, margin: f64) -> f64 {
    if model.enabled(EnableBit::Override) { model.opt.o_margin } else { margin }
}
