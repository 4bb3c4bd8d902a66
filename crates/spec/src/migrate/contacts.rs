//! Margin and gap: contacts are found up to the margin and act up to margin − gap at level 3.8; at level 4.0
//! they are found up to margin + gap and act up to the margin.

use kinetree_model::Reference;
use kinetree_model::enums::EnableBit;

use super::task::{Task, label, short};
use crate::spec::Geom;

/// The margin at the new level.
fn margin_at(to: Reference, margin: f64, gap: f64) -> f64 {
    if to.gap() { margin - gap } else { margin + gap }
}

/// What is said of an element whose margin has changed.
fn text(to: Reference, [old, new]: [f64; 2], gap: f64) -> String {
    let side = if to.gap() { "outside" } else { "inside" };
    let [old, new, gap] = [old, new, gap].map(short);
    format!("margin {old} is {new} now, which the gap of {gap} is {side} of")
}

pub(super) fn migrate(task: &mut Task<'_>) {
    let to = task.to;
    let mut found = Vec::new();
    complete_pairs(task);
    let mut change = |element: String, margin: &mut f64, gap: f64| {
        if gap != 0.0 {
            let old = *margin;
            *margin = margin_at(to, old, gap);
            found.push((element, text(to, [old, *margin], gap)));
        }
    };
    let spec = &mut task.spec;
    for (number, geom) in spec.geoms.values_mut().enumerate() {
        let element = label(geom, number);
        change(element, &mut geom.margin, geom.gap);
    }
    for (number, pair) in spec.pairs.values_mut().enumerate() {
        let element = label(pair, number);
        change(element, &mut pair.margin, pair.gap);
    }
    for (number, flex) in spec.flexes.values_mut().enumerate() {
        let element = label(flex, number);
        change(element, &mut flex.margin, flex.gap);
    }
    // prototypes follow, so that what is made of them later has the same meaning, too
    for class in &mut spec.defaults {
        class.geom.margin = margin_at(to, class.geom.margin, class.geom.gap);
        class.pair.margin = margin_at(to, class.pair.margin, class.pair.gap);
        class.flex.margin = margin_at(to, class.flex.margin, class.flex.gap);
    }
    let overrides = spec.option.enableflags & EnableBit::Override as i32 != 0;
    if overrides && !found.is_empty() {
        let text = "o_margin overrides margins whose gaps are inside at level 3.8 and outside at level 4.0";
        task.differs("option".into(), text);
    }
    for (element, text) in found {
        task.changed(element, text);
    }
}

/// Pairs that leave margin or gap to their geoms get them, since the larger margin and the larger gap need
/// not be of the same geom.
fn complete_pairs(task: &mut Task<'_>) {
    let spec = &mut task.spec;
    let geoms = &spec.geoms;
    let find = |name: &str| -> Option<&Geom> { geoms.values().find(|geom| geom.name == name) };
    for pair in spec.pairs.values_mut().filter(|pair| pair.margin.is_nan() || pair.gap.is_nan()) {
        let (Some(g1), Some(g2)) = (find(&pair.geomname1), find(&pair.geomname2)) else { continue };
        let gap = if pair.gap.is_nan() { g1.gap.max(g2.gap) } else { pair.gap };
        if g1.gap != 0.0 || g2.gap != 0.0 || gap != 0.0 {
            if pair.margin.is_nan() {
                pair.margin = g1.margin.max(g2.margin);
            }
            pair.gap = gap;
        }
    }
}
