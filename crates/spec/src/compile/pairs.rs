//! Contact pairs and excluded body pairs, sorted by signature.
//!
//! The signature of a pair is `(body1 << 16) + body2` with `body1 ≤ body2`; the collision stage walks both
//! lists in its order.

use kinetree_model::Model;
use kinetree_model::enums::ObjType;

use super::draft::Draft;
use super::elements::{ExcludeDraft, PairDraft};
use super::frames::TINY;
use crate::spec::{Geom, Pair};

fn signature(a: usize, b: usize) -> i32 {
    ((a.min(b) as i32) << 16) + a.max(b) as i32
}

/// Resolves and sorts both lists.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    for src in spec.pairs.values() {
        compile_pair(draft, src);
    }
    for src in spec.excludes.values() {
        let first = draft.find_required(src, ObjType::Body, &src.bodyname1);
        let second = draft.find_required(src, ObjType::Body, &src.bodyname2);
        if let (Some(a), Some(b)) = (first, second) {
            draft.excludes.push(ExcludeDraft { src, signature: signature(a, b) });
        }
    }
    draft.pairs.sort_by_key(|pair| pair.signature);
    draft.excludes.sort_by_key(|exclude| exclude.signature);
}

fn compile_pair<'s>(draft: &mut Draft<'s>, src: &'s Pair) {
    // NaN marks "undefined" for numbers, a negative condim does for the dimension
    if ![1, 3, 4, 6].contains(&src.condim) {
        draft.report.error(src, format!("condim must be 1, 3, 4 or 6, not {}", src.condim));
    }
    let first = draft.find_required(src, ObjType::Geom, &src.geomname1);
    let second = draft.find_required(src, ObjType::Geom, &src.geomname2);
    let (Some(mut a), Some(mut b)) = (first, second) else { return };
    if draft.geoms[a].body > draft.geoms[b].body {
        std::mem::swap(&mut a, &mut b);
    }
    draft.geoms[a].visual = false;
    draft.geoms[b].visual = false;
    let (g1, g2) = (draft.geoms[a].src, draft.geoms[b].src);
    let mut pair = PairDraft {
        src,
        geoms: [a, b],
        signature: signature(draft.geoms[a].body, draft.geoms[b].body),
        margin: if src.margin.is_nan() { g1.margin.max(g2.margin) } else { src.margin },
        gap: if src.gap.is_nan() { g1.gap.max(g2.gap) } else { src.gap },
        condim: src.condim,
        friction: src.friction,
        solref: src.solref,
        solimp: src.solimp,
    };
    fill_undefined(&mut pair, g1, g2);
    draft.pairs.push(pair);
}

/// Parameters that the pair does not give come from the geoms: from the one with higher priority, or mixed.
fn fill_undefined(pair: &mut PairDraft<'_>, g1: &Geom, g2: &Geom) {
    let higher = match g1.priority.cmp(&g2.priority) {
        std::cmp::Ordering::Greater => Some(g1),
        std::cmp::Ordering::Less => Some(g2),
        std::cmp::Ordering::Equal => None,
    };
    if pair.friction[0].is_nan() {
        let [slide, spin, roll] = match higher {
            Some(geom) => geom.friction,
            None => std::array::from_fn(|i| g1.friction[i].max(g2.friction[i])),
        };
        pair.friction = [slide, slide, spin, roll, roll];
    }
    let mix = mix_factor(g1.solmix, g2.solmix);
    if pair.solref[0].is_nan() {
        pair.solref = match higher {
            Some(geom) => geom.solref,
            None => std::array::from_fn(|i| g1.solref[i].min(g2.solref[i])),
        };
    }
    if pair.solimp[0].is_nan() {
        pair.solimp = match higher {
            Some(geom) => geom.solimp,
            None => std::array::from_fn(|i| mix * g1.solimp[i] + (1.0 - mix) * g2.solimp[i]),
        };
    }
}

/// Weight of the first geom.
fn mix_factor(first: f64, second: f64) -> f64 {
    match (first >= TINY, second >= TINY) {
        (true, true) => first / (first + second),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

/// Fills the arrays of pairs and excludes.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    for (i, pair) in draft.pairs.iter().enumerate() {
        let [a, b] = pair.geoms.map(|g| draft.geom_id(g).map_or(-1, |id| id as i32));
        model.pair_dim[i] = pair.condim;
        model.pair_geom1[i] = a;
        model.pair_geom2[i] = b;
        model.pair_signature[i] = pair.signature;
        model.pair_solref[i] = pair.solref;
        model.pair_solreffriction[i] = pair.src.solreffriction;
        model.pair_solimp[i] = pair.solimp;
        model.pair_margin[i] = pair.margin;
        model.pair_gap[i] = pair.gap;
        model.pair_friction[i] = pair.friction;
    }
    for (i, exclude) in draft.excludes.iter().enumerate() {
        model.exclude_signature[i] = exclude.signature;
    }
}
