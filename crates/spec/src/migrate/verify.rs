//! The result of a migration is compiled and compared with the model of the old level.

use kinetree_model::enums::GeomType;
use kinetree_model::{Field, FieldSlice, Model};

use super::task::Task;

/// Relative difference of arrays that are the same.
const SAME: f64 = 1e-9;

/// Arrays that something moves by.
const PREFIXES: [&str; 12] = [
    "qpos",
    "body_",
    "dof_",
    "jnt_",
    "geom_",
    "pair_",
    "exclude_",
    "eq_",
    "tendon_",
    "wrap_",
    "actuator_",
    "sensor_",
];

/// Arrays that say the same in other numbers, or that nothing moves by.
const OTHERWISE: [&str; 13] = [
    "body_weldid",
    "body_bvhadr",
    "body_bvhnum",
    "body_simple",
    "body_sameframe",
    "dof_length",
    "dof_simplenum",
    "geom_dataid",
    "geom_sameframe",
    "geom_aabb",
    "geom_rbound",
    "geom_margin",
    "pair_margin",
];

/// Arrays that depend on the frame of a mesh, which is another one.
const OF_MESHES: [&str; 3] = ["geom_pos", "geom_quat", "geom_size"];

pub(super) fn verify(task: &mut Task<'_>) {
    let new = match task.spec.compile_with(task.vfs) {
        Ok(new) => new,
        Err(errors) => {
            let message = errors.list.first().map_or_else(String::new, |error| error.message.clone());
            if message.starts_with("unsupported:") {
                task.warn("model".into(), format!("does not load here: {message}"));
            } else {
                task.differs("model".into(), format!("does not compile: {message}"));
            }
            return;
        }
    };
    let (old_fields, new_fields) = (task.model.fields(), new.fields());
    let mut found = Vec::new();
    for (old, new_field) in old_fields.iter().zip(&new_fields) {
        let counts =
            PREFIXES.iter().any(|prefix| old.name.starts_with(prefix)) && !OTHERWISE.contains(&old.name);
        if counts && let Some(text) = difference(task.model, old, new_field) {
            found.push((old.name, text));
        }
    }
    for (name, text) in found {
        task.differs(format!("compiled array {name}"), text);
    }
}

/// How an array differs.
fn difference(model: &Model, old: &Field<'_>, new: &Field<'_>) -> Option<String> {
    if old.data.len() != new.data.len() {
        return Some(format!("has {} values, not {}", new.data.len(), old.data.len()));
    }
    let width = old.shape[1].max(1) * old.shape[2].max(1);
    let of_mesh = |index: usize| {
        let is_mesh = |kind: i32| kind == GeomType::Mesh as i32 || kind == GeomType::Sdf as i32;
        OF_MESHES.contains(&old.name) && model.geom_type.get(index / width).is_some_and(|&kind| is_mesh(kind))
    };
    match (old.data, new.data) {
        (FieldSlice::F64(a), FieldSlice::F64(b)) => {
            let same = |(a, b): (&f64, &f64)| {
                (a - b).abs() <= SAME * a.abs().max(b.abs()).max(1.0) || a == b || a.is_nan() && b.is_nan()
            };
            let index = a.iter().zip(b).enumerate().position(|(i, pair)| !same(pair) && !of_mesh(i))?;
            Some(format!("{} is {} in row {}", a[index], b[index], index / width))
        }
        (a, b) => (a != b).then(|| "has other values".to_owned()),
    }
}
