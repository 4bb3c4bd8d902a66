//! The sections that set numbers for the whole model: compiler, option, size, visual, statistic.

use kinetree_model::{Field, FieldSlice, Opt, Visual};

use super::tag::Tag;
use crate::compile::UserSizes;
use crate::mjcf::keywords as words;
use crate::mjcf::settings::{DISABLE, ENABLE, MAX_ACTUATOR_GROUP, is_visual_switch};
use crate::spec::{Compiler, LengthRangeOptions, Sizes, Spec};

pub(super) fn compiler(compiler: &Compiler) -> Tag {
    let default = Compiler::default();
    let mut tag = Tag::new("compiler");
    // all angles are written in radians, all orientations as quaternions
    tag.set("angle", "radian");
    tag.flag("autolimits", compiler.autolimits, default.autolimits);
    tag.number("boundmass", compiler.boundmass, default.boundmass);
    tag.number("boundinertia", compiler.boundinertia, default.boundinertia);
    tag.number("settotalmass", compiler.settotalmass, default.settotalmass);
    tag.flag("balanceinertia", compiler.balanceinertia, default.balanceinertia);
    tag.flag("strippath", compiler.strippath, default.strippath);
    tag.flag("fitaabb", compiler.fitaabb, default.fitaabb);
    tag.given("meshdir", &compiler.meshdir);
    tag.given("texturedir", &compiler.texturedir);
    tag.flag("discardvisual", compiler.discardvisual, default.discardvisual);
    tag.flag("usethread", compiler.usethread, default.usethread);
    tag.flag("fusestatic", compiler.fusestatic, default.fusestatic);
    tag.keyword(
        "inertiafromgeom",
        words::INERTIA_FROM_GEOM,
        &compiler.inertiafromgeom,
        &default.inertiafromgeom,
    );
    tag.numbers("inertiagrouprange", &compiler.inertiagrouprange, &default.inertiagrouprange);
    tag.flag("alignfree", compiler.alignfree, default.alignfree);
    tag.flag("saveinertial", compiler.saveinertial, default.saveinertial);
    tag.push_used(length_range(&compiler.lr_opt, &default.lr_opt));
    tag
}

fn length_range(options: &LengthRangeOptions, default: &LengthRangeOptions) -> Tag {
    let mut tag = Tag::new("lengthrange");
    tag.keyword("mode", words::LENGTH_RANGE_MODE, &options.mode, &default.mode);
    tag.flag("useexisting", options.useexisting, default.useexisting);
    tag.flag("uselimit", options.uselimit, default.uselimit);
    tag.number("accel", options.accel, default.accel);
    tag.number("maxforce", options.maxforce, default.maxforce);
    tag.number("timeconst", options.timeconst, default.timeconst);
    tag.number("timestep", options.timestep, default.timestep);
    tag.number("inttotal", options.inttotal, default.inttotal);
    tag.number("interval", options.interval, default.interval);
    tag.number("tolrange", options.tolrange, default.tolrange);
    tag
}

/// Options that differ from the defaults of the reference level.
pub(super) fn option(option: &Opt, default: &Opt) -> Tag {
    let mut tag = Tag::new("option");
    tag.number("timestep", option.timestep, default.timestep);
    tag.number("impratio", option.impratio, default.impratio);
    tag.number("tolerance", option.tolerance, default.tolerance);
    tag.number("ls_tolerance", option.ls_tolerance, default.ls_tolerance);
    tag.number("noslip_tolerance", option.noslip_tolerance, default.noslip_tolerance);
    tag.number("ccd_tolerance", option.ccd_tolerance, default.ccd_tolerance);
    tag.number("sleep_tolerance", option.sleep_tolerance, default.sleep_tolerance);
    tag.numbers("gravity", &option.gravity, &default.gravity);
    tag.numbers("wind", &option.wind, &default.wind);
    tag.numbers("magnetic", &option.magnetic, &default.magnetic);
    tag.number("density", option.density, default.density);
    tag.number("viscosity", option.viscosity, default.viscosity);
    tag.number("o_margin", option.o_margin, default.o_margin);
    tag.leading("o_solref", &option.o_solref, &default.o_solref);
    tag.leading("o_solimp", &option.o_solimp, &default.o_solimp);
    tag.leading("o_friction", &option.o_friction, &default.o_friction);
    tag.keyword("integrator", words::INTEGRATOR, &option.integrator, &default.integrator);
    tag.keyword("cone", words::CONE, &option.cone, &default.cone);
    tag.keyword("jacobian", words::JACOBIAN, &option.jacobian, &default.jacobian);
    tag.keyword("solver", words::SOLVER, &option.solver, &default.solver);
    tag.number("iterations", option.iterations, default.iterations);
    tag.number("ls_iterations", option.ls_iterations, default.ls_iterations);
    tag.number("noslip_iterations", option.noslip_iterations, default.noslip_iterations);
    tag.number("ccd_iterations", option.ccd_iterations, default.ccd_iterations);
    tag.number("sdf_iterations", option.sdf_iterations, default.sdf_iterations);
    tag.number("sdf_initpoints", option.sdf_initpoints, default.sdf_initpoints);
    let groups: Vec<i32> =
        (0..=MAX_ACTUATOR_GROUP).filter(|g| option.disableactuator & (1 << g) != 0).collect();
    tag.list("actuatorgroupdisable", &groups, &[]);
    tag.push_used(flags(option, default));
    tag
}

fn flags(option: &Opt, default: &Opt) -> Tag {
    let mut tag = Tag::new("flag");
    for &(name, bit) in DISABLE {
        let on = |flags: i32| flags & bit as i32 == 0;
        tag.keyword(name, words::ENABLE, &on(option.disableflags), &on(default.disableflags));
    }
    for &(name, bit) in ENABLE {
        let on = |flags: i32| flags & bit as i32 != 0;
        tag.keyword(name, words::ENABLE, &on(option.enableflags), &on(default.enableflags));
    }
    tag
}

pub(super) fn size(spec: &Spec, keys: usize) -> Tag {
    let (size, default, user) = (&spec.size, Sizes::default(), UserSizes::of(spec));
    let mut tag = Tag::new("size");
    if size.memory != default.memory {
        tag.set("memory", memory(size.memory));
    }
    tag.number("njmax", size.njmax, default.njmax);
    tag.number("nconmax", size.nconmax, default.nconmax);
    tag.number("nstack", size.nstack, default.nstack);
    tag.number("nuserdata", size.nuserdata, default.nuserdata);
    if usize::try_from(size.nkey).is_ok_and(|wanted| wanted > keys) {
        tag.number("nkey", size.nkey, default.nkey);
    }
    for (name, fixed, used) in [
        ("nuser_body", size.nuser_body, user.body),
        ("nuser_jnt", size.nuser_jnt, user.jnt),
        ("nuser_geom", size.nuser_geom, user.geom),
        ("nuser_site", size.nuser_site, user.site),
        ("nuser_cam", size.nuser_cam, user.cam),
        ("nuser_tendon", size.nuser_tendon, user.tendon),
        ("nuser_actuator", size.nuser_actuator, user.actuator),
        ("nuser_sensor", size.nuser_sensor, user.sensor),
    ] {
        if fixed >= 0 || used > 0 {
            tag.set(name, used.to_string());
        }
    }
    tag
}

/// A memory size with the largest suffix that keeps it an integer.
fn memory(bytes: i64) -> String {
    let mut scaled = bytes;
    for suffix in ["", "K", "M", "G", "T", "P"] {
        if scaled == 0 || scaled % 1024 != 0 {
            return format!("{scaled}{suffix}");
        }
        scaled /= 1024;
    }
    format!("{scaled}E")
}

pub(super) fn statistic(spec: &Spec) -> Tag {
    let mut tag = Tag::new("statistic");
    let stat = &spec.stat;
    for (name, value) in [
        ("meaninertia", stat.meaninertia),
        ("meanmass", stat.meanmass),
        ("meansize", stat.meansize),
        ("extent", stat.extent),
    ] {
        tag.number(name, value, f64::NAN);
    }
    if !stat.center[0].is_nan() {
        tag.list("center", &stat.center, &[]);
    }
    tag
}

/// Every group of settings has its element, every setting its attribute.
pub(super) fn visual(visual: &Visual, default: &Visual) -> Tag {
    let mut tag = Tag::new("visual");
    for ((group, fields), (_, defaults)) in visual.groups().into_iter().zip(default.groups()) {
        let mut child = Tag::new(group);
        for (field, default) in fields.iter().zip(&defaults) {
            visual_field(&mut child, field, default);
        }
        tag.push_used(child);
    }
    tag
}

fn visual_field(tag: &mut Tag, field: &Field<'_>, default: &Field<'_>) {
    match (field.data, default.data) {
        (FieldSlice::F32(values), FieldSlice::F32(defaults)) => tag.numbers(field.name, values, defaults),
        (FieldSlice::I32(values), FieldSlice::I32(defaults)) if is_visual_switch(field.name) => {
            tag.flag(field.name, values[0] != 0, defaults[0] != 0);
        }
        (FieldSlice::I32(values), FieldSlice::I32(defaults)) => tag.numbers(field.name, values, defaults),
        _ => {}
    }
}
