//! Lights: the headlight at the camera, then those of the model.

use super::camera::mjv_camera_in_model;
use super::error::SceneError;
use super::geom::single;
use super::types::{MAX_LIGHT, MjvLight, MjvScene};
use kinetree_model::enums::LightType;
use kinetree_model::{Data, Model};

/// Sets the lights of the scene to those that are active, at most [`MAX_LIGHT`].
///
/// # Errors
/// When there is a headlight, but the cameras of the scene were never set.
pub fn mjv_make_lights(model: &Model, data: &Data, scn: &mut MjvScene) -> Result<(), SceneError> {
    data.check(model)?;
    scn.lights.clear();
    let headlight = &model.vis.headlight;
    if headlight.active != 0 {
        let head = mjv_camera_in_model(scn)?;
        scn.lights.push(MjvLight {
            id: -1,
            pos: single(&head.headpos),
            dir: single(&head.forward),
            type_: LightType::Directional as i32,
            texid: -1,
            ambient: headlight.ambient,
            diffuse: headlight.diffuse,
            specular: headlight.specular,
            headlight: true,
            bulbradius: 0.02,
            range: 10.0,
            ..MjvLight::default()
        });
    }
    let room = MAX_LIGHT - scn.lights.len();
    let active = (0..model.nlight).filter(|&light| model.light_active[light] != 0).take(room);
    scn.lights.extend(active.map(|light| model_light(model, data, light)));
    Ok(())
}

fn model_light(model: &Model, data: &Data, light: usize) -> MjvLight {
    let mut result = MjvLight {
        id: light as i32,
        pos: single(&data.light_xpos[light]),
        dir: single(&data.light_xdir[light]),
        type_: model.light_type[light],
        texid: model.light_texid[light],
        ambient: model.light_ambient[light],
        diffuse: model.light_diffuse[light],
        specular: model.light_specular[light],
        castshadow: model.light_castshadow[light] != 0,
        bulbradius: model.light_bulbradius[light],
        intensity: model.light_intensity[light],
        range: model.light_range[light],
        ..MjvLight::default()
    };
    // only a spotlight has a cone and fades
    if result.type_ == LightType::Spot {
        result.attenuation = model.light_attenuation[light];
        result.exponent = model.light_exponent[light];
        result.cutoff = model.light_cutoff[light];
    }
    result
}
