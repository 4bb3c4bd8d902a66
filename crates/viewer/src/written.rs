//! The present moment as MJCF, to be pasted into a model: a keyframe, a camera.

use kinetree_model::Data;
use kinetree_render::scene::MjvGLCamera;
use std::fmt::Write;

/// The state as a keyframe, with all digits.
pub(crate) fn keyframe(data: &Data) -> String {
    let fields: [(&str, &[f64]); 7] = [
        ("time", &[data.time]),
        ("qpos", &data.qpos),
        ("qvel", &data.qvel),
        ("act", &data.act),
        ("ctrl", &data.ctrl),
        ("mpos", data.mocap_pos.as_flattened()),
        ("mquat", data.mocap_quat.as_flattened()),
    ];
    let mut text = "<key".to_owned();
    fields.into_iter().filter(|(_, values)| !values.is_empty()).for_each(|(name, values)| {
        attribute(&mut text, name, values.iter().copied());
    });
    text + "/>"
}

/// A camera that sees what the eyes of a scene see.
pub(crate) fn camera(eyes: &[MjvGLCamera; 2]) -> String {
    let [left, right] = eyes;
    let mean = |of: fn(&MjvGLCamera) -> [f32; 3]| -> [f64; 3] {
        std::array::from_fn(|i| 0.5 * (f64::from(of(left)[i]) + f64::from(of(right)[i])))
    };
    let (pos, [fx, fy, fz], up) = (mean(|eye| eye.pos), mean(|eye| eye.forward), mean(|eye| eye.up));
    let [ux, uy, uz] = up;
    let sideways = [fy * uz - fz * uy, fz * ux - fx * uz, fx * uy - fy * ux];
    let height = f64::from(left.frustum_top - left.frustum_bottom);
    let mut text = "<camera".to_owned();
    attribute(&mut text, "pos", pos.into_iter().map(rounded));
    attribute(&mut text, "xyaxes", sideways.into_iter().chain(up).map(rounded));
    let fovy = if left.orthographic != 0 {
        text += " projection=\"orthographic\"";
        height
    } else {
        (0.5 * height / f64::from(left.frustum_near)).atan().to_degrees() * 2.0
    };
    attribute(&mut text, "fovy", [rounded(fovy)]);
    text + "/>"
}

fn attribute(text: &mut String, name: &str, values: impl IntoIterator<Item = f64>) {
    let words: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    // a string takes everything
    let _ = write!(text, " {name}=\"{}\"", words.join(" "));
}

/// A scene has single precision: more digits than these say nothing.
fn rounded(value: f64) -> f64 {
    let value = (1e5 * value).round() / 1e5;
    // no negative zero
    if value == 0.0 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree_render::scene::{CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_update_scene};
    use kinetree_sim::mj_forward;

    const BODY: &str = "<body><joint axis='0 1 0'/><geom size='.1'/></body><body mocap='true' pos='1 2 3'/>";

    fn world(more: &str) -> String {
        format!("<mujoco><worldbody>{BODY}{more}</worldbody><keyframe>KEY</keyframe></mujoco>")
    }

    fn model(text: &str) -> kinetree_model::Model {
        kinetree_spec::load_model_str(text).unwrap_or_else(|faults| panic!("{faults}"))
    }

    #[test]
    fn a_keyframe_that_was_copied_is_the_state() {
        let first = model(&world("").replace("KEY", ""));
        let mut data = Data::new(&first);
        (data.time, data.qpos[0], data.qvel[0], data.mocap_pos[0][1]) = (0.1, 1.0 / 3.0, -1e-9, 0.7);
        let text = keyframe(&data);
        assert!(!text.contains("ctrl") && !text.contains("act"), "{text}");
        let second = model(&world("").replace("KEY", &text));
        assert_eq!((second.nkey, second.key_time[0]), (1, 0.1));
        assert_eq!((&second.key_qpos[..], &second.key_qvel[..]), (&data.qpos[..], &data.qvel[..]));
        assert_eq!(second.key_mpos[0], [1.0, 0.7, 3.0]);
    }

    #[test]
    fn a_camera_that_was_copied_sees_the_same() {
        let eyes = |text: &str, fixed: Option<i32>| {
            let model = model(&text.replace("KEY", ""));
            let mut data = Data::new(&model);
            assert!(mj_forward(&model, &mut data).is_ok());
            let mut scene = MjvScene::new(&model, 100);
            let mut camera =
                MjvCamera { azimuth: 30.0, elevation: -40.0, distance: 4.0, ..MjvCamera::default() };
            if let Some(id) = fixed {
                (camera.type_, camera.fixedcamid) = (kinetree_render::scene::CameraType::Fixed as i32, id);
            }
            let done = mjv_update_scene(
                &model,
                &data,
                &MjvOption::default(),
                None,
                &mut camera,
                CAT_ALL,
                &mut scene,
            );
            assert!(done.is_ok());
            scene.camera
        };
        let seen = eyes(&world(""), None);
        let text = camera(&seen);
        assert_eq!(camera(&eyes(&world(&text), Some(0))), text);
    }
}
