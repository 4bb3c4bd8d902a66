//! Options of the physics: step, medium, solver, contact parameters for all, flags. What is shown is in
//! tables; values are found by the names that the engine has for them.

use super::{PanelContext, choice, row};
use crate::command::Command;
use egui::{DragValue, Response, Ui};
use kinetree_model::enums::{Cone, DisableBit, EnableBit, Integrator, Jacobian, Solver};
use kinetree_model::{FieldSliceMut, Opt};

/// An option that is a number, or several.
struct Number {
    /// Its name in the engine.
    field: &'static str,
    /// What it is called; with several numbers, the first words of each.
    name: &'static str,
    /// How fast the mouse changes it.
    speed: f64,
    least: f64,
    most: f64,
}

const fn number(field: &'static str, name: &'static str, speed: f64, least: f64, most: f64) -> Number {
    Number { field, name, speed, least, most }
}

const BIG: f64 = 1e10;

/// All numbers, by what they are about.
const NUMBERS: &[(&str, &[Number])] = &[
    (
        "Time and medium",
        &[
            number("timestep", "time step (s)", 1e-5, 1e-6, 1.0),
            number("gravity", "gravity", 0.05, -BIG, BIG),
            number("wind", "wind", 0.05, -BIG, BIG),
            number("magnetic", "magnetic field", 0.01, -BIG, BIG),
            number("density", "density", 1.0, 0.0, BIG),
            number("viscosity", "viscosity", 1e-3, 0.0, BIG),
        ],
    ),
    (
        "Solver",
        &[
            number("impratio", "friction to normal impedance", 0.05, 1e-6, BIG),
            number("tolerance", "tolerance", 1e-9, 0.0, 1.0),
            number("iterations", "iterations", 0.2, 1.0, 10_000.0),
            number("ls_tolerance", "line search tolerance", 1e-4, 0.0, 1.0),
            number("ls_iterations", "line search iterations", 0.2, 1.0, 10_000.0),
            number("noslip_tolerance", "no-slip tolerance", 1e-8, 0.0, 1.0),
            number("noslip_iterations", "no-slip iterations", 0.2, 0.0, 10_000.0),
            number("sleep_tolerance", "sleep tolerance", 1e-5, 0.0, BIG),
        ],
    ),
    (
        "Collision",
        &[
            number("ccd_tolerance", "convex tolerance", 1e-8, 0.0, 1.0),
            number("ccd_iterations", "convex iterations", 0.2, 1.0, 10_000.0),
            number("sdf_initpoints", "signed-distance points", 0.2, 1.0, 10_000.0),
            number("sdf_iterations", "signed-distance iterations", 0.2, 1.0, 10_000.0),
        ],
    ),
    (
        "Contact parameters that override all others",
        &[
            number("o_margin", "margin", 1e-4, 0.0, BIG),
            number("o_solref", "solref", 1e-3, -BIG, BIG),
            number("o_solimp", "solimp", 1e-3, 0.0, BIG),
            number("o_friction", "friction", 1e-3, 0.0, BIG),
        ],
    ),
];

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

/// Groups of actuators that can be switched off.
const ACTUATOR_GROUPS: [&str; 6] = [
    "actuator group 0",
    "actuator group 1",
    "actuator group 2",
    "actuator group 3",
    "actuator group 4",
    "actuator group 5",
];

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let before = &cx.snapshot.model.opt;
    let mut options = before.clone();
    choice(ui, "integrator", &mut options.integrator, Integrator::ALL);
    choice(ui, "cone", &mut options.cone, Cone::ALL);
    choice(ui, "Jacobian", &mut options.jacobian, Jacobian::ALL);
    choice(ui, "solver", &mut options.solver, Solver::ALL);
    for (title, list) in NUMBERS {
        ui.weak(*title);
        list.iter().for_each(|number| rows(ui, &mut options, number));
    }
    flags(ui, &mut options);
    if options != *before {
        cx.commands.push(Command::Options(Box::new(options)));
    }
}

/// A row for each number of an option.
fn rows(ui: &mut Ui, options: &mut Opt, number: &Number) {
    let fields = options.fields_mut();
    let Some(field) = fields.into_iter().find(|field| field.name == number.field) else { return };
    match field.data {
        FieldSliceMut::F64(values) => {
            let count = values.len();
            for (i, value) in values.iter_mut().enumerate() {
                row(ui, &part(number.name, i, count), |ui| drag(ui, DragValue::new(value), number));
            }
        }
        FieldSliceMut::I32(values) => {
            for value in values {
                row(ui, number.name, |ui| drag(ui, DragValue::new(value), number));
            }
        }
        _ => {}
    }
}

/// What one of several numbers is called: by its axis where there are three.
fn part(name: &str, index: usize, count: usize) -> String {
    match (count, ["x", "y", "z"].get(index)) {
        (1, _) => name.to_owned(),
        (3, Some(axis)) => format!("{name} {axis}"),
        _ => format!("{name} {}", index + 1),
    }
}

/// A number that keeps all its digits, and its value until somebody changes it.
fn drag(ui: &mut Ui, value: DragValue<'_>, number: &Number) -> Response {
    let text = |value: f64| match value.abs() {
        size if size != 0.0 && !(1e-3..1e7).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    };
    let value = value.speed(number.speed).range(number.least..=number.most);
    ui.add(value.clamp_existing_to_range(false).custom_formatter(move |value, _| text(value)))
}

fn flags(ui: &mut Ui, options: &mut Opt) {
    ui.add_space(4.0);
    ui.weak("Computed");
    for (bit, name) in DISABLE {
        flag(ui, &mut options.disableflags, *bit as i32, true, name);
    }
    for (group, name) in ACTUATOR_GROUPS.iter().enumerate() {
        flag(ui, &mut options.disableactuator, 1 << group, true, name);
    }
    ui.weak("Optional");
    for (bit, name) in ENABLE {
        flag(ui, &mut options.enableflags, *bit as i32, false, name);
    }
}

/// A box for a bit of a set of flags; `inverted` when the bit means off.
fn flag(ui: &mut Ui, flags: &mut i32, bit: i32, inverted: bool, name: &str) {
    let mut on = (*flags & bit != 0) != inverted;
    if ui.checkbox(&mut on, name).changed() {
        *flags = if on == inverted { *flags & !bit } else { *flags | bit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_shown() {
        // those with lists and boxes of their own
        let others =
            ["integrator", "cone", "jacobian", "solver", "disableflags", "enableflags", "disableactuator"];
        let numbers: Vec<&str> = NUMBERS.iter().flat_map(|(_, list)| *list).map(|n| n.field).collect();
        let mut options = Opt::default();
        let fields: Vec<&str> = options.fields_mut().iter().map(|field| field.name).collect();
        for field in &fields {
            let shown = numbers.iter().chain(&others).filter(|name| name == &field).count();
            assert_eq!(shown, 1, "{field}");
        }
        assert_eq!(numbers.len() + others.len(), fields.len());
        assert!(DisableBit::ALL.iter().all(|bit| DISABLE.iter().any(|(shown, _)| shown == bit)));
        assert!(EnableBit::ALL.iter().all(|bit| ENABLE.iter().any(|(shown, _)| shown == bit)));
    }

    #[test]
    fn parts_of_an_option_have_names() {
        assert_eq!(part("density", 0, 1), "density");
        assert_eq!(part("wind", 2, 3), "wind z");
        assert_eq!(part("solref", 1, 2), "solref 2");
    }
}
