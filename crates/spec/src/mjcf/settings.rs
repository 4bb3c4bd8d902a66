//! The sections that set numbers for the whole model: compiler, option, size, visual, statistic.

use kinetree_model::enums::{DisableBit, EnableBit};
use kinetree_model::{FieldMut, FieldSliceMut, Opt, Statistic, Visual};

use super::keywords as words;
use super::log::Log;
use crate::spec::{Compiler, Sizes};
use crate::xml::Node;

/// Largest group number in `actuatorgroupdisable`.
pub(crate) const MAX_ACTUATOR_GROUP: i32 = 30;

/// Largest number of keyframes and user numbers that a file may ask for.
const MAX_COUNT: i32 = 1 << 20;

/// Reads a compiler section.
pub(crate) fn read_compiler(log: &mut Log, node: Node<'_>, compiler: &mut Compiler) {
    log.flag(node, "autolimits", &mut compiler.autolimits);
    log.number(node, "boundmass", &mut compiler.boundmass);
    log.number(node, "boundinertia", &mut compiler.boundinertia);
    log.number(node, "settotalmass", &mut compiler.settotalmass);
    log.flag(node, "balanceinertia", &mut compiler.balanceinertia);
    log.flag(node, "strippath", &mut compiler.strippath);
    log.flag(node, "fitaabb", &mut compiler.fitaabb);
    if log.maybe_keyword(node, "coordinate", words::COORDINATE) == Some(true) {
        log.error_help(
            node.pos(),
            "global coordinates are not supported",
            "write all poses relative to the parent body",
        );
    }
    log.keyword(node, "angle", words::ANGLE, &mut compiler.degree);
    read_eulerseq(log, node, compiler);
    if let Some(folder) = log.text(node, "assetdir") {
        folder.clone_into(&mut compiler.meshdir);
        folder.clone_into(&mut compiler.texturedir);
    }
    log.set_text(node, "meshdir", &mut compiler.meshdir);
    log.set_text(node, "texturedir", &mut compiler.texturedir);
    log.flag(node, "discardvisual", &mut compiler.discardvisual);
    log.flag(node, "usethread", &mut compiler.usethread);
    log.flag(node, "fusestatic", &mut compiler.fusestatic);
    log.keyword(node, "inertiafromgeom", words::INERTIA_FROM_GEOM, &mut compiler.inertiafromgeom);
    log.exact(node, "inertiagrouprange", &mut compiler.inertiagrouprange);
    log.flag(node, "alignfree", &mut compiler.alignfree);
    log.flag(node, "saveinertial", &mut compiler.saveinertial);
    if let Some(child) = node.child("lengthrange") {
        let options = &mut compiler.lr_opt;
        log.keyword(child, "mode", words::LENGTH_RANGE_MODE, &mut options.mode);
        log.flag(child, "useexisting", &mut options.useexisting);
        log.flag(child, "uselimit", &mut options.uselimit);
        log.number(child, "accel", &mut options.accel);
        log.number(child, "maxforce", &mut options.maxforce);
        log.number(child, "timeconst", &mut options.timeconst);
        log.number(child, "timestep", &mut options.timestep);
        log.number(child, "inttotal", &mut options.inttotal);
        log.number(child, "interval", &mut options.interval);
        log.number(child, "tolrange", &mut options.tolrange);
    }
}

fn read_eulerseq(log: &mut Log, node: Node<'_>, compiler: &mut Compiler) {
    let Some(attr) = node.attr("eulerseq") else { return };
    match <[u8; 3]>::try_from(attr.value().as_bytes()) {
        Ok(seq) if seq.iter().all(|c| b"xyzXYZ".contains(c)) => compiler.eulerseq = seq,
        _ => log.error_help(
            attr.value_pos(),
            format!("'{}' is not an Euler sequence", attr.value()),
            "three of the letters x, y, z (moving frame) or X, Y, Z (fixed frame)",
        ),
    }
}

/// Names of the flags that switch a default feature off, with their bits.
pub(crate) const DISABLE: &[(&str, DisableBit)] = &[
    ("constraint", DisableBit::Constraint),
    ("equality", DisableBit::Equality),
    ("frictionloss", DisableBit::Frictionloss),
    ("limit", DisableBit::Limit),
    ("contact", DisableBit::Contact),
    ("spring", DisableBit::Spring),
    ("damper", DisableBit::Damper),
    ("gravity", DisableBit::Gravity),
    ("clampctrl", DisableBit::Clampctrl),
    ("warmstart", DisableBit::Warmstart),
    ("filterparent", DisableBit::Filterparent),
    ("actuation", DisableBit::Actuation),
    ("refsafe", DisableBit::Refsafe),
    ("sensor", DisableBit::Sensor),
    ("midphase", DisableBit::Midphase),
    ("eulerdamp", DisableBit::Eulerdamp),
    ("autoreset", DisableBit::Autoreset),
    ("nativeccd", DisableBit::Nativeccd),
    ("island", DisableBit::Island),
    ("multiccd", DisableBit::Multiccd),
];

/// Names of the flags that switch an optional feature on, with their bits.
pub(crate) const ENABLE: &[(&str, EnableBit)] = &[
    ("override", EnableBit::Override),
    ("energy", EnableBit::Energy),
    ("fwdinv", EnableBit::Fwdinv),
    ("invdiscrete", EnableBit::Invdiscrete),
    ("sleep", EnableBit::Sleep),
];

/// Reads an option section.
pub(crate) fn read_option(log: &mut Log, node: Node<'_>, option: &mut Opt) {
    log.number(node, "timestep", &mut option.timestep);
    log.number(node, "impratio", &mut option.impratio);
    log.number(node, "tolerance", &mut option.tolerance);
    log.number(node, "ls_tolerance", &mut option.ls_tolerance);
    log.number(node, "noslip_tolerance", &mut option.noslip_tolerance);
    log.number(node, "ccd_tolerance", &mut option.ccd_tolerance);
    log.number(node, "sleep_tolerance", &mut option.sleep_tolerance);
    log.exact(node, "gravity", &mut option.gravity);
    log.exact(node, "wind", &mut option.wind);
    log.exact(node, "magnetic", &mut option.magnetic);
    log.number(node, "density", &mut option.density);
    log.number(node, "viscosity", &mut option.viscosity);
    log.number(node, "o_margin", &mut option.o_margin);
    log.up_to(node, "o_solref", &mut option.o_solref);
    log.up_to(node, "o_solimp", &mut option.o_solimp);
    log.up_to(node, "o_friction", &mut option.o_friction);
    log.keyword(node, "integrator", words::INTEGRATOR, &mut option.integrator);
    log.keyword(node, "cone", words::CONE, &mut option.cone);
    log.keyword(node, "jacobian", words::JACOBIAN, &mut option.jacobian);
    log.keyword(node, "solver", words::SOLVER, &mut option.solver);
    log.number(node, "iterations", &mut option.iterations);
    log.number(node, "ls_iterations", &mut option.ls_iterations);
    log.number(node, "noslip_iterations", &mut option.noslip_iterations);
    log.number(node, "ccd_iterations", &mut option.ccd_iterations);
    log.number(node, "sdf_iterations", &mut option.sdf_iterations);
    log.number(node, "sdf_initpoints", &mut option.sdf_initpoints);
    for group in log.list::<i32>(node, "actuatorgroupdisable").unwrap_or_default() {
        if (0..=MAX_ACTUATOR_GROUP).contains(&group) {
            option.disableactuator |= 1 << group;
        } else {
            log.error(
                node.pos(),
                format!("actuator group {group} must be non-negative and cannot exceed {MAX_ACTUATOR_GROUP}"),
            );
        }
    }
    if let Some(flags) = node.child("flag") {
        for &(name, bit) in DISABLE {
            if let Some(on) = log.maybe_keyword(flags, name, words::ENABLE) {
                option.disableflags &= !(bit as i32);
                option.disableflags |= if on { 0 } else { bit as i32 };
                if !on && bit == DisableBit::Nativeccd {
                    log.warning(
                        flags.pos(),
                        "'nativeccd' has no effect: the legacy convex collision routine does not exist, the native one is used",
                    );
                }
            }
        }
        for &(name, bit) in ENABLE {
            if let Some(on) = log.maybe_keyword(flags, name, words::ENABLE) {
                option.enableflags &= !(bit as i32);
                option.enableflags |= if on { bit as i32 } else { 0 };
            }
        }
    }
}

/// Reads a size section.
pub(crate) fn read_size(log: &mut Log, node: Node<'_>, size: &mut Sizes) {
    if let Some(attr) = node.attr("memory") {
        match parse_memory(attr.value()) {
            Some(Some(bytes)) => size.memory = bytes,
            Some(None) => {}
            None => log.error_help(
                attr.value_pos(),
                format!("'{}' is not a memory size", attr.value()),
                "an integer with an optional suffix K, M, G, T, P or E",
            ),
        }
    }
    if log.number(node, "nconmax", &mut size.nconmax) && size.nconmax < -1 {
        log.error(node.pos(), "'nconmax' must be at least -1");
    }
    let mut nstack = -1;
    if log.number(node, "nstack", &mut nstack) {
        check_without_memory(log, node, size, "nstack", nstack);
        size.nstack = i64::from(nstack);
    }
    let mut njmax = -1;
    if log.number(node, "njmax", &mut njmax) {
        check_without_memory(log, node, size, "njmax", njmax);
        size.njmax = njmax;
    }
    // a negative number of keyframes means that none is asked for
    for (name, field, least) in [("nuserdata", &mut size.nuserdata, 0), ("nkey", &mut size.nkey, i32::MIN)] {
        if log.number(node, name, field) && !(least..=MAX_COUNT).contains(field) {
            log.error(node.pos(), format!("'{name}' must be between 0 and {MAX_COUNT}"));
        }
    }
    let counts: [(&str, &mut i32); 8] = [
        ("nuser_body", &mut size.nuser_body),
        ("nuser_jnt", &mut size.nuser_jnt),
        ("nuser_geom", &mut size.nuser_geom),
        ("nuser_site", &mut size.nuser_site),
        ("nuser_cam", &mut size.nuser_cam),
        ("nuser_tendon", &mut size.nuser_tendon),
        ("nuser_actuator", &mut size.nuser_actuator),
        ("nuser_sensor", &mut size.nuser_sensor),
    ];
    for (name, field) in counts {
        if log.number(node, name, field) && !(-1..=MAX_COUNT).contains(field) {
            log.error(node.pos(), format!("'{name}' must be between -1 and {MAX_COUNT}"));
        }
    }
}

fn check_without_memory(log: &mut Log, node: Node<'_>, size: &Sizes, name: &str, value: i32) {
    if size.memory != -1 && value != -1 {
        log.error(node.pos(), format!("'memory' and '{name}' cannot both be given"));
    }
}

/// Bytes of a memory size: digits and an optional suffix. The inner `None` stands for "-1": not given.
fn parse_memory(text: &str) -> Option<Option<i64>> {
    let text = text.trim_ascii();
    if text == "-1" {
        return Some(None);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let base: u64 = text[..digits].parse().ok()?;
    let shift = match &text[digits..] {
        "" => 0,
        suffix => {
            10 * (1 + "kmgtpe".find(&suffix.to_ascii_lowercase()).filter(|_| suffix.len() == 1)? as u32)
        }
    };
    let bytes = base.checked_mul(1 << shift)?;
    i64::try_from(bytes).ok().map(Some)
}

/// Reads a statistic section.
pub(crate) fn read_statistic(log: &mut Log, node: Node<'_>, stat: &mut Statistic) {
    log.number(node, "meaninertia", &mut stat.meaninertia);
    log.number(node, "meanmass", &mut stat.meanmass);
    log.number(node, "meansize", &mut stat.meansize);
    if log.number(node, "extent", &mut stat.extent) && stat.extent <= 0.0 {
        log.error(node.pos(), "extent must be strictly positive");
    }
    log.exact(node, "center", &mut stat.center);
}

/// Reads a visual section: every group of settings has its element, every setting its attribute.
pub(crate) fn read_visual(log: &mut Log, node: Node<'_>, visual: &mut Visual) {
    for child in node.children() {
        for (group, fields) in visual.groups_mut() {
            if group == child.name() {
                fields.into_iter().for_each(|field| read_visual_field(log, child, field));
            }
        }
        if child.attr("realtime").is_some() && visual.global.realtime <= 0.0 {
            log.error(child.pos(), "'realtime' must be positive");
        }
        if child.name() == "map" && visual.map.znear <= 0.0 {
            log.error(child.pos(), "znear must be strictly positive");
        }
    }
}

/// Whether an integer setting is written as true or false.
pub(crate) fn is_visual_switch(name: &str) -> bool {
    matches!(name, "orthographic" | "ellipsoidinertia" | "bvactive")
}

fn read_visual_field(log: &mut Log, node: Node<'_>, field: FieldMut<'_>) {
    match field.data {
        FieldSliceMut::F32(values) => {
            log.exact(node, field.name, values);
        }
        FieldSliceMut::I32(values) if is_visual_switch(field.name) => {
            if let Some(on) = log.maybe_keyword(node, field.name, words::BOOL) {
                values[0] = i32::from(on);
            }
        }
        FieldSliceMut::I32(values) => {
            log.exact(node, field.name, values);
        }
        _ => {}
    }
}
