//! Options of the physics: step, gravity, solver, flags.

use super::{PanelContext, choice, row};
use crate::command::Command;
use egui::{DragValue, Ui};
use kinetree_model::Opt;
use kinetree_model::enums::{Cone, DisableBit, EnableBit, Integrator, Solver};

/// Flags that are shown as "on" unless the bit is set.
const DISABLE: &[(DisableBit, &str)] = &[
    (DisableBit::Constraint, "constraints"),
    (DisableBit::Equality, "equality constraints"),
    (DisableBit::Frictionloss, "friction loss"),
    (DisableBit::Limit, "joint limits"),
    (DisableBit::Contact, "contacts"),
    (DisableBit::Spring, "springs"),
    (DisableBit::Damper, "dampers"),
    (DisableBit::Gravity, "gravity"),
    (DisableBit::Clampctrl, "clamped controls"),
    (DisableBit::Warmstart, "warm start"),
    (DisableBit::Filterparent, "no contacts with parents"),
    (DisableBit::Actuation, "actuation"),
    (DisableBit::Refsafe, "safe time constants"),
    (DisableBit::Sensor, "sensors"),
    (DisableBit::Midphase, "mid phase"),
    (DisableBit::Eulerdamp, "implicit damping"),
    (DisableBit::Autoreset, "automatic reset"),
    (DisableBit::Nativeccd, "native convex collision"),
    (DisableBit::Island, "islands"),
    (DisableBit::Multiccd, "multiple convex contacts"),
];

/// Flags that are off at first.
const ENABLE: &[(EnableBit, &str)] = &[
    (EnableBit::Override, "override contact parameters"),
    (EnableBit::Energy, "energy"),
    (EnableBit::Fwdinv, "compare forward and inverse"),
    (EnableBit::Invdiscrete, "discrete inverse"),
    (EnableBit::Sleep, "sleep"),
];

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let before = &cx.snapshot.model.opt;
    let mut options = before.clone();
    numbers(ui, &mut options);
    ui.add_space(4.0);
    ui.weak("Computed");
    for (bit, name) in DISABLE {
        flag(ui, &mut options.disableflags, *bit as i32, true, name);
    }
    ui.weak("Optional");
    for (bit, name) in ENABLE {
        flag(ui, &mut options.enableflags, *bit as i32, false, name);
    }
    if options != *before {
        cx.commands.push(Command::Options(Box::new(options)));
    }
}

fn numbers(ui: &mut Ui, options: &mut Opt) {
    row(ui, "time step (s)", |ui| {
        ui.add(DragValue::new(&mut options.timestep).speed(1e-5).range(1e-6..=1.0).max_decimals(6))
    });
    let names = ["gravity x", "gravity y", "gravity z"];
    for (name, value) in names.into_iter().zip(&mut options.gravity) {
        row(ui, name, |ui| ui.add(DragValue::new(value).speed(0.05).max_decimals(3)));
    }
    row(ui, "wind x", |ui| ui.add(DragValue::new(&mut options.wind[0]).speed(0.05)));
    row(ui, "density", |ui| ui.add(DragValue::new(&mut options.density).speed(1.0).range(0.0..=1e5)));
    choice(ui, "integrator", &mut options.integrator, Integrator::ALL);
    choice(ui, "cone", &mut options.cone, Cone::ALL);
    choice(ui, "solver", &mut options.solver, Solver::ALL);
    row(ui, "iterations", |ui| ui.add(DragValue::new(&mut options.iterations).range(1..=10_000)));
    row(ui, "no-slip iterations", |ui| {
        ui.add(DragValue::new(&mut options.noslip_iterations).range(0..=10_000))
    });
}

/// A box for a bit of a set of flags; `inverted` when the bit means off.
fn flag(ui: &mut Ui, flags: &mut i32, bit: i32, inverted: bool, name: &str) {
    let mut on = (*flags & bit != 0) != inverted;
    if ui.checkbox(&mut on, name).changed() {
        *flags = if on == inverted { *flags & !bit } else { *flags | bit };
    }
}
