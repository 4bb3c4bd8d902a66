//! Sliders of the controls and check boxes of equality constraints.

use super::{PanelContext, row, slider};
use crate::command::Command;
use crate::view::label;
use egui::Ui;
use kinetree_model::enums::ObjType;

/// Range of sliders of controls without limits.
const UNLIMITED: [f64; 2] = [-1.0, 1.0];

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let (model, data) = (&cx.snapshot.model, &cx.snapshot.data);
    if model.nu == 0 {
        ui.weak("The model has no actuators.");
    }
    for actuator in 0..model.nu {
        let limited = model.actuator_ctrllimited[actuator] != 0;
        let range = if limited { model.actuator_ctrlrange[actuator] } else { UNLIMITED };
        let mut value = data.ctrl[actuator];
        let name = label(model, ObjType::Actuator, "actuator", actuator);
        let step = 0.01 * (range[1] - range[0]);
        if row(ui, &name, |ui| slider(ui, &mut value, Some(range), step)).changed() {
            cx.commands.push(Command::Control { actuator, value });
        }
    }
    if model.nu > 0 && ui.button("All to zero").clicked() {
        cx.commands.push(Command::ClearControls);
    }
}

/// Switches of equality constraints.
pub(crate) fn equalities(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    for id in 0..cx.snapshot.model.neq {
        let mut active = cx.snapshot.data.eq_active[id] != 0;
        if ui.checkbox(&mut active, label(&cx.snapshot.model, ObjType::Equality, "equality", id)).changed() {
            cx.commands.push(Command::Equality { id, active });
        }
    }
}
