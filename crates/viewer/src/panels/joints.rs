//! Sliders of hinges and slides; other joints as numbers.

use super::{PanelContext, row, slider};
use crate::command::Command;
use crate::view::label;
use egui::Ui;
use kinetree_model::enums::JointType;
use kinetree_model::enums::ObjType;
use std::f64::consts::PI;

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let (model, data) = (&cx.snapshot.model, &cx.snapshot.data);
    if model.njnt == 0 {
        ui.weak("The model has no joints.");
    }
    for joint in 0..model.njnt {
        let index = model.jnt_qposadr[joint] as usize;
        let name = label(model, ObjType::Joint, "joint", joint);
        let range = (model.jnt_limited[joint] != 0).then(|| model.jnt_range[joint]);
        let kind = JointType::try_from(model.jnt_type[joint]);
        let (range, step) = match kind {
            Ok(JointType::Hinge) => (range.or(Some([-PI, PI])), 0.01),
            Ok(JointType::Slide) => (range.or(Some([-model.stat.extent, model.stat.extent])), 0.005),
            Ok(JointType::Free) => {
                let [x, y, z] = [0, 1, 2].map(|k| data.qpos[index + k]);
                row(ui, &name, |ui| ui.monospace(format!("{x:.3} {y:.3} {z:.3}")));
                continue;
            }
            _ => {
                let [w, x, y, z] = [0, 1, 2, 3].map(|k| data.qpos[index + k]);
                row(ui, &name, |ui| ui.monospace(format!("{w:.2} {x:.2} {y:.2} {z:.2}")));
                continue;
            }
        };
        let mut value = data.qpos[index];
        // while time goes on the joint moves itself
        let enabled = !cx.snapshot.status.playing && cx.active;
        let set =
            row(ui, &name, |ui| ui.add_enabled_ui(enabled, |ui| slider(ui, &mut value, range, step)).inner);
        if set.changed() {
            cx.commands.push(Command::Position { index, value });
        }
    }
}
