//! Differences that a description cannot make up for: elements and settings whose meaning is another one.

use kinetree_model::enums::{EnableBit, EqType, ObjType, SensorType, Solver, TrnType};
use kinetree_model::{Difference, Reference, point};

use super::note::NoteKind;
use super::task::{Task, label};
use crate::spec::common::IDENTITY;
use crate::spec::{Flex, Mesh, PluginRef, Sensor, Spec, WrapTarget};

fn say(difference: &Difference) -> String {
    format!("{}: {}", difference.subject, difference.what)
}

pub(super) fn find(task: &mut Task<'_>) {
    options(task);
    tendons(task);
    reference_sites(task);
    flexes(task);
    meshes(task);
    sensors(task);
    removed(task);
}

fn options(task: &mut Task<'_>) {
    let option = &task.spec.option;
    let mut found = Vec::new();
    if option.solver == Solver::Pgs as i32 {
        found.push(&point::pgs);
    }
    if option.solver == Solver::Cg as i32 {
        found.push(&point::conjugate_gradient);
    }
    if option.noslip_iterations > 0 {
        found.push(&point::noslip);
    }
    for difference in found {
        let text = format!("{}; solutions agree within the tolerance alone", say(difference));
        task.warn("option".into(), text);
    }
    if task.spec.option.enableflags & EnableBit::Sleep as i32 != 0 {
        task.warn("option".into(), say(&point::sleep));
    }
    if !task.model.dof_invweight0.iter().all(|weight| weight.is_finite()) {
        task.differs("model".into(), say(&point::pivots));
    }
}

fn tendons(task: &mut Task<'_>) {
    let mut found = Vec::new();
    for (number, tendon) in task.spec.tendons.values().enumerate() {
        let has_side = tendon
            .path
            .iter()
            .any(|step| matches!(&step.target, WrapTarget::Geom { sidesite, .. } if !sidesite.is_empty()));
        if has_side {
            found.push((NoteKind::Warning, label(tendon, number), say(&point::side_sites)));
        }
        let joints: Vec<&str> = tendon
            .path
            .iter()
            .filter_map(|step| match &step.target {
                WrapTarget::Joint { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let rejected = joints
            .iter()
            .enumerate()
            .any(|(i, joint)| joints[..i].contains(joint) || is_spatial(&task.spec, joint))
            || tendon
                .path
                .iter()
                .any(|step| matches!(step.target, WrapTarget::Pulley { divisor } if divisor <= 0.0));
        if rejected && task.to == Reference::V4_0 {
            let text =
                "fixed tendons over ball, free or repeated joints and pulleys without divisor are errors";
            found.push((NoteKind::Difference, label(tendon, number), text.to_owned()));
        }
    }
    for (kind, element, text) in found {
        task.note(kind, element, text);
    }
}

/// Whether a joint has more than one dof.
fn is_spatial(spec: &Spec, joint: &str) -> bool {
    use kinetree_model::enums::JointType::{Ball, Free};
    spec.joints.values().any(|found| found.name == joint && matches!(found.r#type, Ball | Free))
}

/// The rotation between two sites that are rotated in their bodies.
fn reference_sites(task: &mut Task<'_>) {
    let mut found = Vec::new();
    for (number, actuator) in task.spec.actuators.values().enumerate().take(task.model.nu) {
        let sites = task.model.actuator_trnid[number];
        let rotated =
            |site: i32| usize::try_from(site).is_ok_and(|site| task.model.site_quat[site] != IDENTITY);
        let between = actuator.trntype == TrnType::Site && sites[1] >= 0 && actuator.gear[3..] != [0.0; 3];
        if between && sites.into_iter().any(rotated) {
            found.push(label(actuator, number));
        }
    }
    for element in found {
        task.differs(element, say(&point::reference_sites));
    }
}

fn flexes(task: &mut Task<'_>) {
    let moves_otherwise = |flex: &Flex| {
        flex.young > 0.0
            || flex.edgedamping > 0.0
            || flex.contype != 0
            || flex.conaffinity != 0
            || flex.internal
    };
    let flexes = task.spec.flexes.values().enumerate().filter(|(_, flex)| moves_otherwise(flex));
    let found: Vec<String> = flexes.map(|(number, flex)| label(flex, number)).collect();
    for element in found {
        task.differs(element, say(&point::flexes));
    }
}

/// Meshes whose hull keeps other corners.
fn meshes(task: &mut Task<'_>) {
    let has_other_hull = |mesh: &Mesh| {
        let mirrored = mesh.scale.iter().product::<f64>() < 0.0;
        mesh.maxhullvert >= 0 || mirrored && mesh.file.to_ascii_lowercase().ends_with(".msh")
    };
    let meshes = task.spec.meshes.values().enumerate().filter(|(_, mesh)| has_other_hull(mesh));
    let found: Vec<String> = meshes.map(|(number, mesh)| label(mesh, number)).collect();
    for element in found {
        task.differs(element, say(&point::mesh_hulls));
    }
}

fn sensors(task: &mut Task<'_>) {
    use SensorType::{
        Accelerometer, Force, Framelinacc, Geomdist, Geomfromto, Geomnormal, Rangefinder, Tactile, Torque,
    };
    let spatial = task.spec.tendons.values().any(|tendon| {
        tendon
            .path
            .iter()
            .any(|step| matches!(step.target, WrapTarget::Site { .. } | WrapTarget::Geom { .. }))
    });
    let welds = task.spec.equalities.values().any(|equality| equality.r#type == EqType::Weld);
    let mut found = Vec::new();
    for (number, sensor) in task.spec.sensors.values().enumerate() {
        let difference = match sensor.r#type {
            Accelerometer | Framelinacc if is_static(task, sensor) => &point::static_acceleration,
            Force | Torque if spatial || welds => &point::force_torque,
            Geomdist | Geomnormal | Geomfromto => &point::geom_distance,
            Rangefinder if !task.spec.meshes.is_empty() || !task.spec.hfields.is_empty() => &point::rays,
            Tactile => &point::tactile,
            _ => continue,
        };
        found.push((label(sensor, number), say(difference)));
    }
    for (element, text) in found {
        task.warn(element, text);
    }
}

/// Whether a sensor is fixed to the world, or to a body that the user moves.
fn is_static(task: &Task<'_>, sensor: &Sensor) -> bool {
    let spec = &task.spec;
    let body = match sensor.objtype {
        ObjType::Site => spec
            .bodies
            .iter()
            .find(|(_, body)| body.sites.iter().any(|&id| spec.sites[id].name == sensor.objname)),
        ObjType::Geom => spec
            .bodies
            .iter()
            .find(|(_, body)| body.geoms.iter().any(|&id| spec.geoms[id].name == sensor.objname)),
        ObjType::Camera => spec
            .bodies
            .iter()
            .find(|(_, body)| body.cameras.iter().any(|&id| spec.cameras[id].name == sensor.objname)),
        _ => spec.bodies.iter().find(|(_, body)| body.name == sensor.objname),
    };
    let mut next = body.map(|(id, _)| id);
    while let Some(id) = next {
        if !spec.bodies[id].joints.is_empty() {
            return false;
        }
        next = spec.bodies[id].parent;
    }
    true
}

/// What level 4.0 has no words for.
fn removed(task: &mut Task<'_>) {
    if task.to != Reference::V4_0 {
        return;
    }
    let mut found = Vec::new();
    let spec = &task.spec;
    let uses_cable = |plugin: &PluginRef| plugin.active && plugin.plugin_name == CABLE;
    for (number, body) in spec.bodies.values().enumerate().filter(|(_, body)| uses_cable(&body.plugin)) {
        found.push((label(body, number), format!("the plugin {CABLE} was removed in MuJoCo 4.0")));
    }
    for (number, equality) in spec.equalities.values().enumerate() {
        if equality.r#type == EqType::Flexvert {
            found.push((label(equality, number), "flexvert was removed in MuJoCo 4.0".to_owned()));
        }
    }
    for (number, hfield) in task.model.hfield_nrow.iter().zip(&task.model.hfield_ncol[..]).enumerate() {
        if *hfield.0 < 2 || *hfield.1 < 2 {
            found.push((
                format!("hfield {number}"),
                "a height field of one row or column is an error".to_owned(),
            ));
        }
    }
    for (element, text) in found {
        task.differs(element, text);
    }
    let is_custom = |file: &str| {
        let file = file.to_ascii_lowercase();
        !file.is_empty() && !file.ends_with(".png") && !file.ends_with(".ktx")
    };
    let textures = task.spec.textures.values().enumerate();
    let custom = textures.filter(|(_, texture)| {
        let mut files = std::iter::once(&texture.file).chain(&texture.cubefiles);
        texture.content_type.is_empty() && files.any(|file| is_custom(file))
    });
    let found: Vec<String> = custom.map(|(number, texture)| label(texture, number)).collect();
    for element in found {
        task.warn(element, "only images in PNG and KTX are read since MuJoCo 3.12");
    }
}

const CABLE: &str = "mujoco.elasticity.cable";
