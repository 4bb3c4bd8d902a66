//! Readable names of a model's elements and of the components of its state.

use kinetree::Model;
use kinetree::model::enums::{EnumInfo, JointType, ObjType, TrnType};
use kinetree::model::mj_id2name;

/// The element's name, or its kind and number when it has none.
pub(crate) fn element(model: &Model, kind: ObjType, id: usize) -> String {
    match mj_id2name(model, kind, id) {
        Some(name) => name.to_owned(),
        None => format!("{}{id}", format!("{kind:?}").to_lowercase()),
    }
}

/// The member of an enum in the words of MJCF: `mjGEOM_CAPSULE` is "capsule".
pub(crate) fn member(info: &EnumInfo, value: i32) -> String {
    match info.members.iter().find(|(_, member)| *member == value) {
        Some((name, _)) => name.split_once('_').map_or(*name, |(_, word)| word).to_lowercase(),
        None => value.to_string(),
    }
}

/// Names of the components of `qpos` and of `qvel`, joint by joint.
pub(crate) fn state(model: &Model) -> (Vec<String>, Vec<String>) {
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for joint in 0..model.njnt {
        let name = element(model, ObjType::Joint, joint);
        let (q, v): (&[&str], &[&str]) = match JointType::try_from(model.jnt_type[joint]) {
            Ok(JointType::Free) => {
                (&[".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"], &[".vx", ".vy", ".vz", ".wx", ".wy", ".wz"])
            }
            Ok(JointType::Ball) => (&[".qw", ".qx", ".qy", ".qz"], &[".wx", ".wy", ".wz"]),
            _ => (&[""], &[""]),
        };
        positions.extend(q.iter().map(|suffix| format!("{name}{suffix}")));
        velocities.extend(v.iter().map(|suffix| format!("{name}{suffix}")));
    }
    (positions, velocities)
}

/// What an actuator drives.
pub(crate) fn transmission(model: &Model, actuator: usize) -> String {
    let kind = match TrnType::try_from(model.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => ObjType::Joint,
        Ok(TrnType::Tendon) => ObjType::Tendon,
        Ok(TrnType::Site | TrnType::Slidercrank) => ObjType::Site,
        Ok(TrnType::Body) => ObjType::Body,
        _ => return "nothing".into(),
    };
    let target = usize::try_from(model.actuator_trnid[actuator][0]).ok();
    let name = target.map_or_else(|| "?".into(), |id| element(model, kind, id));
    format!("{} {name}", format!("{kind:?}").to_lowercase())
}
