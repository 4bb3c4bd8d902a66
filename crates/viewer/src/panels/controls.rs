//! Sliders of the controls and check boxes of equality constraints.

use super::{PanelContext, row, slider};
use crate::command::Command;
use crate::noise::ControlNoise;
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
    if model.nu > 0 && cx.active {
        noise(ui, cx);
    }
}

/// How strong noise on the controls is, and how fast it changes.
fn noise(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let before = cx.snapshot.status.noise;
    let ControlNoise { mut deviation, mut time } = before;
    let number = |value, most| egui::DragValue::new(value).speed(0.005).range(0.0..=most).max_decimals(3);
    let about = "standard deviation, as a share of half the range";
    row(ui, "noise", |ui| ui.add(number(&mut deviation, 2.0)).on_hover_text(about));
    let about =
        "time in which noise forgets what it was; zero for noise that is independent from step to step";
    row(ui, "noise memory (s)", |ui| ui.add(number(&mut time, 10.0)).on_hover_text(about));
    let now = ControlNoise { deviation, time };
    if now != before {
        cx.commands.push(Command::Noise(now));
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
