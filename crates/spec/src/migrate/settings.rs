//! Defaults that the levels give different values: what was left to them is written out.

use kinetree_model::enums::GeomType;
use kinetree_model::{Opt, Reference, Visual};

use super::task::{Task, label};
use crate::compile::is_limited;
use crate::spec::Limited;

pub(super) fn migrate(task: &mut Task<'_>) {
    options(task);
    visual(task);
    extent(task);
    tendons(task);
}

fn options(task: &mut Task<'_>) {
    let (old, new) = (Opt::at(task.from).sleep_tolerance, Opt::at(task.to).sleep_tolerance);
    let value = task.spec.option.sleep_tolerance;
    if value == old && old != new {
        task.changed(
            "option".into(),
            format!("sleep_tolerance {value} is written out, the default is {new} now"),
        );
    }
}

fn visual(task: &mut Task<'_>) {
    let (old, new) = (Visual::at(task.from), Visual::at(task.to));
    let mut found = Vec::new();
    let visual = &task.spec.visual;
    for ((group, fields), ((_, old), (_, new))) in
        visual.groups().into_iter().zip(old.groups().into_iter().zip(new.groups()))
    {
        for (field, (old, new)) in fields.iter().zip(old.iter().zip(&new)) {
            if old.data != new.data && field.data == old.data {
                found.push((format!("visual {group}"), field.name));
            }
        }
    }
    for (group, name) in found {
        task.changed(group, format!("{name} is written out, the default is another one now"));
    }
    // a headlight that depends on the lights of the model is on for level 3.8
    let headlight = &mut task.spec.visual.headlight.active;
    if task.to == Reference::V3_8 && *headlight == AUTO {
        *headlight = 1;
        task.changed("visual headlight".into(), "active 'auto' is 'true' now");
    }
}

/// The headlight is on when the model has no light of its own.
const AUTO: i32 = 2;

/// Infinite planes count otherwise.
fn extent(task: &mut Task<'_>) {
    let is_infinite = |geom: usize| {
        task.model.geom_type[geom] == GeomType::Plane && task.model.geom_size[geom][..2] == [0.0; 2]
    };
    if !(0..task.model.ngeom).any(is_infinite) {
        return;
    }
    let old = &task.model.stat;
    let mut written = Vec::new();
    if task.spec.stat.extent.is_nan() {
        task.spec.stat.extent = old.extent;
        written.push(format!("extent {}", old.extent));
    }
    if task.spec.stat.center[0].is_nan() {
        task.spec.stat.center = old.center;
        let [x, y, z] = old.center;
        written.push(format!("center {x} {y} {z}"));
    }
    if !written.is_empty() {
        let text = format!("{} written out, infinite planes count otherwise now", written.join(", "));
        task.changed("statistic".into(), text);
    }
}

/// Whether the range of forces of a tendon limits them follows from the range at level 4.0 alone.
fn tendons(task: &mut Task<'_>) {
    let follows = task.to.tendon_force_limits();
    for class in &mut task.spec.defaults {
        class.tendon.actfrclimited = if follows { Limited::Auto } else { Limited::False };
    }
    let mut found = Vec::new();
    for (number, tendon) in task.spec.tendons.values_mut().enumerate() {
        let has_range = tendon.actfrcrange != [0.0; 2];
        let value = match tendon.actfrclimited {
            Limited::False if !has_range && follows => Limited::Auto,
            Limited::Auto if !follows && is_limited(Limited::Auto, &tendon.actfrcrange) => Limited::True,
            Limited::Auto if !follows => Limited::False,
            given => given,
        };
        if has_range && (follows && value == Limited::False || !follows && value != tendon.actfrclimited) {
            let word = if value == Limited::True { "true" } else { "false" };
            found.push((label(tendon, number), format!("actuatorfrclimited '{word}' is written out")));
        }
        tendon.actfrclimited = value;
    }
    for (element, text) in found {
        task.changed(element, text);
    }
}
