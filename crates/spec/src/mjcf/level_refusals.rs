//! What a file says that its reference level does not allow, or whose meaning there the reader does not have,
//! which is refused by name.

use kinetree_model::{Difference, point};

use super::log::Log;
use crate::xml::Node;

/// Checks the sections of a file.
pub(crate) fn check(log: &mut Log, root: Node<'_>) {
    let level = log.reference;
    if level.shortcut_defaults() {
        check_shortcuts(log, root);
    }
    if level.replicated_keys() {
        check_replicates(log, root);
    }
}

fn refuse(log: &mut Log, node: Node<'_>, difference: &Difference) {
    log.error(node.pos(), difference.to_string());
}

/// All elements below one.
fn below<'d>(node: Node<'d>) -> Vec<Node<'d>> {
    let (mut found, mut waiting) = (Vec::new(), node.children());
    while let Some(next) = waiting.pop() {
        waiting.extend(next.children());
        found.push(next);
    }
    found
}

/// Attributes of `general` that shortcuts set.
const GENERAL: [&str; 8] =
    ["actdim", "dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "actearly"];

/// Actuators inherit gains from defaults of another shortcut at level 3.8 alone.
fn check_shortcuts(log: &mut Log, root: Node<'_>) {
    let sections = |name: &str| root.children_named(name).into_iter();
    let actuators: Vec<Node<'_>> = sections("actuator").flat_map(Node::children).collect();
    let uses_other =
        |own: &str| actuators.iter().any(|actuator| actuator.name() != own && actuator.name() != "general");
    let defaults: Vec<Node<'_>> = sections("default").flat_map(below).collect();
    for node in defaults {
        let sets_gains = match node.name() {
            "general" => GENERAL.iter().any(|name| node.attr(name).is_some()),
            name => SHORTCUTS.contains(&name),
        };
        if sets_gains && uses_other(node.name()) {
            refuse(log, node, &point::shortcut_defaults);
        }
    }
}

/// Actuators whose parameters are those of `general` by other names.
const SHORTCUTS: [&str; 9] =
    ["motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor"];

/// Joints may be replicated at level 3.8 alone.
fn check_replicates(log: &mut Log, root: Node<'_>) {
    let worlds = root.children_named("worldbody").into_iter();
    for replicate in worlds.flat_map(below).filter(|node| node.name() == "replicate") {
        refuse_joints(log, replicate);
    }
}

/// Reports the joints of a `replicate` and of the frames in it.
fn refuse_joints(log: &mut Log, node: Node<'_>) {
    for child in node.children() {
        match child.name() {
            "joint" | "freejoint" => {
                log.error(
                    child.pos(),
                    "a joint cannot be a direct child of replicate at reference level 4.0",
                );
            }
            "frame" => refuse_joints(log, child),
            _ => {}
        }
    }
}
