//! Skins: surfaces whose vertices follow several bodies (linear blend skinning).

use super::error::SceneError;
use super::geom::single;
use super::painter::in_group;
use super::types::{MjvOption, MjvScene};
use kinetree_math::rot::{quat_conj, quat_mul, quat_to_mat};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::{Data, Model};

/// Moves the vertices of all skins of groups that are shown at first, and makes their normals.
///
/// # Errors
/// When the scene was made for another model.
pub fn mjv_update_skin(model: &Model, data: &Data, scn: &mut MjvScene) -> Result<(), SceneError> {
    mjv_update_active_skin(model, data, scn, &MjvOption::default())
}

/// Moves the vertices of all skins that are shown, and makes their normals; those of other skins become zero.
///
/// # Errors
/// When the scene was made for another model.
pub fn mjv_update_active_skin(
    model: &Model,
    data: &Data,
    scn: &mut MjvScene,
    opt: &MjvOption,
) -> Result<(), SceneError> {
    data.check(model)?;
    if scn.skinvert.len() != model.nskinvert || scn.skinnormal.len() != model.nskinvert {
        return Err(SceneError::OtherModel);
    }
    for skin in 0..model.nskin {
        let first = model.skin_vertadr[skin] as usize;
        let range = first..first + model.skin_vertnum[skin] as usize;
        let vertices = &mut scn.skinvert[range.clone()];
        let normals = &mut scn.skinnormal[range];
        vertices.fill([0.0; 3]);
        normals.fill([0.0; 3]);
        if in_group(&opt.skingroup, model.skin_group[skin]) {
            move_vertices(model, data, skin, vertices);
            add_face_normals(model, skin, vertices, normals);
            normalize_and_inflate(model.skin_inflate[skin], vertices, normals);
        }
    }
    Ok(())
}

/// Mean of where each bone takes a vertex, by the weights of the bones.
fn move_vertices(model: &Model, data: &Data, skin: usize, vertices: &mut [[f32; 3]]) {
    let first_vertex = model.skin_vertadr[skin] as usize;
    let first_bone = model.skin_boneadr[skin] as usize;
    for bone in first_bone..first_bone + model.skin_bonenum[skin] as usize {
        let body = model.skin_bonebodyid[bone] as usize;
        let bind_pos = Vec3::from(model.skin_bonebindpos[bone].map(f64::from));
        let bind_quat = model.skin_bonebindquat[bone].map(f64::from);
        let rotation = quat_to_mat(&quat_mul(&data.xquat[body], &quat_conj(&bind_quat)));
        let translation = Vec3::from(data.xpos[body]) - rotation * bind_pos;
        let first = model.skin_bonevertadr[bone] as usize;
        for k in first..first + model.skin_bonevertnum[bone] as usize {
            let vertex = model.skin_bonevertid[k] as usize;
            let weight = model.skin_bonevertweight[k];
            let rest = Vec3::from(model.skin_vert[first_vertex + vertex].map(f64::from));
            let moved = single(&(rotation * rest + translation).into());
            for axis in 0..3 {
                vertices[vertex][axis] += weight * moved[axis];
            }
        }
    }
}

/// Adds the normal of each triangle, with its area as weight, to those of its corners.
fn add_face_normals(model: &Model, skin: usize, vertices: &[[f32; 3]], normals: &mut [[f32; 3]]) {
    let first = model.skin_faceadr[skin] as usize;
    for face in &model.skin_face[first..first + model.skin_facenum[skin] as usize] {
        let corners = face.map(|vertex| vertex as usize);
        let edge = |to: usize| {
            Vec3::from_fn(|axis, _| f64::from(vertices[corners[to]][axis] - vertices[corners[0]][axis]))
        };
        let normal = edge(1).cross(&edge(2));
        for corner in corners {
            for axis in 0..3 {
                normals[corner][axis] = (f64::from(normals[corner][axis]) + normal[axis]) as f32;
            }
        }
    }
}

fn normalize_and_inflate(inflate: f32, vertices: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
    for (vertex, normal) in vertices.iter_mut().zip(normals) {
        let [x, y, z] = *normal;
        let length = f64::from((x * x + y * y + z * z).sqrt());
        let scale = (1.0 / length.max(MINVAL)) as f32;
        for axis in 0..3 {
            normal[axis] *= scale;
            vertex[axis] += inflate * normal[axis];
        }
    }
}
