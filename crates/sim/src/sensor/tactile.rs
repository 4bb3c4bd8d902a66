//! The tactile sensor: a mesh whose vertices feel how deep they are in the geoms that touch the sensor's
//! body.
//!
//! A vertex at depth `d < 0` inside another geom feels the pressure `d / (0.05 − d)` along its normal and,
//! where the mesh has a tangent frame at each vertex, the magnitudes of the slip velocity along both
//! tangents. Values are grouped by channel: all pressures, then all slips along the first tangent, then
//! along the second.

use super::description::Sensor;
use crate::contact::field::geom_field;
use kinetree_math::rot::{mat3, quat_rotate};
use kinetree_math::spatial::{SpatialKind, transform_spatial};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::SensorError;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// Depth at which pressure saturates, in metres.
const MAX_DEPTH: f64 = 0.05;

/// Computes one sensor.
pub(super) fn compute(
    model: &Model,
    data: &Data,
    touching: &mut Vec<i32>,
    sensor: &Sensor,
    out: &mut [f64],
) -> Result<(), SensorError> {
    out.fill(0.0);
    let geom = sensor.reference.1 as usize;
    let weld = model.body_weldid[model.geom_bodyid[geom] as usize];
    touching_geoms(model, data, weld, touching);
    let mut result = Ok(());
    for &other in &*touching {
        result = result.and(feel(model, data, sensor, other as usize, out));
    }
    result
}

/// Geoms in contact with a body, each once, in the order of the contacts.
fn touching_geoms(model: &Model, data: &Data, weld: i32, list: &mut Vec<i32>) {
    list.clear();
    for contact in &data.contact[..data.ncon] {
        let [g1, g2] = contact.geom;
        if g1 < 0 || g2 < 0 {
            continue;
        }
        for (mine, other) in [(g1, g2), (g2, g1)] {
            let owner = model.geom_bodyid[mine as usize] as usize;
            if model.body_weldid[owner] == weld && !list.contains(&other) {
                list.push(other);
            }
        }
    }
}

/// Adds what all vertices feel of one geom.
fn feel(
    model: &Model,
    data: &Data,
    sensor: &Sensor,
    other: usize,
    out: &mut [f64],
) -> Result<(), SensorError> {
    let (mesh, geom) = (sensor.id(), sensor.reference.1 as usize);
    if model.geom_type[other] == GeomType::Mesh && model.mesh_octadr[model.geom_dataid[other] as usize] < 0 {
        // a mesh without distance field is not felt
        return Ok(());
    }
    let field = geom_field(model, data, other).ok_or_else(|| sensor.unsupported())?;
    let count = model.mesh_vertnum[mesh] as usize;
    let has_frame = model.mesh_normalnum[mesh] == 3 * model.mesh_vertnum[mesh];
    let (first_vertex, first_normal) =
        (model.mesh_vertadr[mesh] as usize, model.mesh_normaladr[mesh] as usize);
    let (pos, mat) = (Vec3::from(data.geom_xpos[geom]), mat3(&data.geom_xmat[geom]));
    let (other_pos, other_mat) = (Vec3::from(data.geom_xpos[other]), mat3(&data.geom_xmat[other]));
    let weld = model.body_weldid[model.geom_bodyid[geom] as usize] as usize;
    let other_velocity = point_velocity(model, data, model.geom_bodyid[other] as usize, &other_pos);

    for vertex in 0..count {
        let point = mat * to_f64(model.mesh_vert[first_vertex + vertex]) + pos;
        let local = other_mat.tr_mul(&(point - other_pos));
        let depth = field.as_field().distance(&local).min(0.0);
        if depth == 0.0 {
            continue;
        }
        let axis = |k: usize| {
            let at = first_normal + if has_frame { 3 * vertex + k } else { vertex };
            quat_rotate(&model.mesh_quat[mesh], &to_f64(model.mesh_normal[at]))
        };
        let normal = axis(0);
        let pressure = depth / (MAX_DEPTH - depth).max(MINVAL);
        out[vertex] += (normal * pressure).dot(&normal);
        if has_frame {
            let slip = point_velocity(model, data, weld, &point) - other_velocity;
            out[count + vertex] += slip.dot(&axis(1)).abs();
            out[2 * count + vertex] += slip.dot(&axis(2)).abs();
        }
    }
    Ok(())
}

fn to_f64(v: [f32; 3]) -> Vec3 {
    Vec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]))
}

/// Linear velocity of a point that moves with a body.
fn point_velocity(model: &Model, data: &Data, body: usize, point: &Vec3) -> Vec3 {
    let com = Vec3::from(data.subtree_com[model.body_rootid[body] as usize]);
    let velocity = transform_spatial(&data.cvel[body], SpatialKind::Motion, point, &com, None);
    Vec3::new(velocity[3], velocity[4], velocity[5])
}
