//! Geoms whose frame follows from a mesh: primitives that are fitted to one are written out, and sensors of
//! the frames of meshes are named.

use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};

use super::same::{SAME, far, rotated_by};
use super::task::{Task, label};
use crate::spec::{BodyId, GeomId, Orientation};

/// Angle (rad) that a sensor of the frame of a mesh shows.
const VISIBLE: f64 = 1e-9;

/// Compares the geoms of two models with the description of the new one; marks bodies whose inertia has to be
/// given when a geom no longer comes from a mesh.
pub(super) fn migrate(task: &mut Task<'_>, order: &[BodyId], [old, new]: [&Model; 2], wanted: &mut [bool]) {
    let geoms: Vec<(usize, GeomId)> = order
        .iter()
        .enumerate()
        .flat_map(|(body, &id)| task.spec.bodies[id].geoms.iter().map(move |&geom| (body, geom)))
        .collect();
    if old.ngeom != geoms.len() || new.ngeom != geoms.len() {
        return;
    }
    let mut rotated = Vec::new();
    for (number, &(body, id)) in geoms.iter().enumerate() {
        let geom = &mut task.spec.geoms[id];
        if geom.meshname.is_empty() {
            continue;
        }
        let (pos, quat, size) = (old.geom_pos[number], old.geom_quat[number], old.geom_size[number]);
        let angle = rotated_by(&quat, &new.geom_quat[number]);
        let moved = far(&pos, &new.geom_pos[number]);
        if matches!(geom.r#type, GeomType::Mesh | GeomType::Sdf) {
            if (moved || angle > VISIBLE) && !geom.name.is_empty() {
                rotated.push(geom.name.clone());
            }
            continue;
        }
        if !moved && angle <= SAME && !far(&size, &new.geom_size[number]) {
            continue;
        }
        geom.meshname.clear();
        (geom.alt, geom.frame, geom.fitscale) = (Orientation::Quat, None, 1.0);
        geom.fromto[0] = f64::NAN;
        (geom.pos, geom.quat, geom.size) = (pos, quat, size);
        let element = label(geom, number);
        wanted[body] |= body > 0;
        task.changed(
            element,
            "the shape that was fitted to a mesh is written out, another one would follow now",
        );
    }
    let mut found = Vec::new();
    for (number, sensor) in task.spec.sensors.values().enumerate() {
        let reads = [(sensor.objtype, &sensor.objname), (sensor.reftype, &sensor.refname)];
        if let Some((_, name)) =
            reads.into_iter().find(|(kind, name)| *kind == ObjType::Geom && rotated.contains(name))
        {
            found.push((
                label(sensor, number),
                format!("the frame of the mesh of geom '{name}' is another one now"),
            ));
        }
    }
    for (element, text) in found {
        task.warn(element, text);
    }
}
