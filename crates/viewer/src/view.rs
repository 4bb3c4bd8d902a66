//! What is shown and from where: camera, options, effects and selection.

use kinetree_model::enums::ObjType;
use kinetree_model::{Data, Model, mj_id2name};
use kinetree_render::scene::{
    CameraType, MjvCamera, MjvOption, MjvPerturb, MjvScene, N_RND_FLAG, VisFlag, mjv_default_free_camera,
};

/// Least radius of a model that is seen, by its distance.
const SMALLEST: f64 = 0.01;

/// What is shown and from where.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The camera.
    pub camera: MjvCamera,
    /// What is shown.
    pub option: MjvOption,
    /// Effects, by `mjtRndFlag`.
    pub effects: [u8; N_RND_FLAG],
    /// What is selected, and how the mouse pulls at it.
    pub perturb: MjvPerturb,
}

impl Default for View {
    fn default() -> Self {
        let mut option = MjvOption::default();
        // a user who pulls at a body wants to see how
        option.flags[VisFlag::Pertforce as usize] = 1;
        Self {
            camera: MjvCamera::default(),
            option,
            effects: MjvScene::default().flags,
            perturb: MjvPerturb::default(),
        }
    }
}

impl View {
    /// The first view of a model: the camera that it names, or a free one.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let mut view = Self::default();
        view.reset_camera(model);
        view
    }

    /// The camera as at the beginning.
    pub(crate) fn reset_camera(&mut self, model: &Model) {
        mjv_default_free_camera(model, &mut self.camera);
        let first = model.vis.global.cameraid;
        if usize::try_from(first).is_ok_and(|id| id < model.ncam) {
            self.camera.type_ = CameraType::Fixed as i32;
            self.camera.fixedcamid = first;
        }
    }

    /// Moves a free camera that would not see the model to where it does.
    pub(crate) fn find(&mut self, model: &Model, data: &Data) {
        if self.camera.type_ == CameraType::Free as i32
            && bounds(model, data).is_some_and(|ball| !self.sees(model, ball))
        {
            self.show_all(model, data);
        }
    }

    /// Moves a free camera, or one that becomes free, to where it sees everything.
    pub(crate) fn show_all(&mut self, model: &Model, data: &Data) {
        let Some((center, radius)) = bounds(model, data) else { return };
        self.camera.type_ = CameraType::Free as i32;
        self.camera.lookat = center;
        self.camera.distance = 1.1 * radius / half_angle(model).sin();
    }

    /// Whether anything of a ball is in the picture, and not too small to be seen.
    fn sees(&self, model: &Model, (center, radius): ([f64; 3], f64)) -> bool {
        let camera = &self.camera;
        let (azimuth, elevation) = (camera.azimuth.to_radians(), camera.elevation.to_radians());
        let forward = [elevation.cos() * azimuth.cos(), elevation.cos() * azimuth.sin(), elevation.sin()];
        let away: [f64; 3] =
            std::array::from_fn(|i| center[i] - camera.lookat[i] + camera.distance * forward[i]);
        let distance = away.iter().map(|x| x * x).sum::<f64>().sqrt();
        let depth: f64 = (0..3).map(|i| away[i] * forward[i]).sum();
        let beside = (distance * distance - depth * depth).max(0.0).sqrt();
        let angle = half_angle(model);
        let inside = beside * angle.cos() - depth * angle.sin() < radius;
        distance < radius || (depth > 0.0 && inside && radius > SMALLEST * distance)
    }

    /// Makes the view fit another model of the same file: what is not there any more is let go.
    pub(crate) fn adapt(&mut self, model: &Model) {
        let exists = |id: i32, count: usize| usize::try_from(id).is_ok_and(|id| id < count);
        let gone = match self.camera.type_ {
            t if t == CameraType::Fixed as i32 => !exists(self.camera.fixedcamid, model.ncam),
            t if t == CameraType::Tracking as i32 => !exists(self.camera.trackbodyid, model.nbody),
            _ => false,
        };
        if gone {
            self.camera.type_ = CameraType::Free as i32;
        }
        self.perturb.active = 0;
        if !exists(self.perturb.select, model.nbody) {
            self.perturb = MjvPerturb::default();
        }
    }

    /// The selected body.
    pub(crate) fn selected(&self, model: &Model) -> Option<usize> {
        usize::try_from(self.perturb.select).ok().filter(|&body| body > 0 && body < model.nbody)
    }
}

/// Half of the angle that a free camera sees from top to bottom.
fn half_angle(model: &Model) -> f64 {
    (0.5 * f64::from(model.vis.global.fovy)).clamp(1.0, 80.0).to_radians()
}

/// Centre and radius of a ball around all shapes but planes, which are endless; none without shapes.
fn bounds(model: &Model, data: &Data) -> Option<([f64; 3], f64)> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let shapes = data.geom_xpos.iter().zip(model.geom_rbound.iter()).filter(|(_, radius)| **radius > 0.0);
    let vertices = data.flexvert_xpos.iter().map(|pos| (pos, &0.0));
    for (pos, radius) in shapes.chain(vertices) {
        for i in 0..3 {
            low[i] = low[i].min(pos[i] - radius);
            high[i] = high[i].max(pos[i] + radius);
        }
    }
    let radius = 0.5 * low.iter().zip(high).map(|(low, high)| (high - low).powi(2)).sum::<f64>().sqrt();
    let center = std::array::from_fn(|i| 0.5 * (low[i] + high[i]));
    (radius.is_finite() && radius > 0.0).then_some((center, radius))
}

/// Name of an element, or its kind and number.
pub(crate) fn label(model: &Model, kind: ObjType, word: &str, id: usize) -> String {
    match mj_id2name(model, kind, id) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("{word} {id}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree_sim::mj_forward;

    /// A model of two balls with these settings, and its data.
    fn balls(settings: &str) -> (Model, Data) {
        let text = format!(
            "<mujoco>{settings}<worldbody><geom type='plane' size='0 0 1'/><geom size='.1' pos='5 0 1'/>
             <geom size='.1' pos='5 2 1'/></worldbody></mujoco>"
        );
        let model = kinetree_spec::load_model_str(&text).unwrap_or_else(|faults| panic!("{faults}"));
        let mut data = Data::new(&model);
        assert!(mj_forward(&model, &mut data).is_ok());
        (model, data)
    }

    #[test]
    fn a_free_camera_is_moved_only_when_it_would_not_see_the_model() {
        for (settings, moved) in [
            ("", false),
            ("<statistic center='5 1 1' extent='30'/>", false),
            ("<statistic center='100 0 0' extent='1'/>", true),
            ("<statistic extent='1000'/>", true),
            ("<statistic center='5 1 1' extent='.5'/>", false),
        ] {
            let (model, data) = balls(settings);
            let first = View::of(&model);
            let mut view = first.clone();
            view.find(&model, &data);
            assert_eq!(view != first, moved, "{settings}");
            let ball = bounds(&model, &data);
            assert!(ball.is_some_and(|ball| view.sees(&model, ball)), "{settings}");
        }
    }

    #[test]
    fn everything_is_seen_after_a_key() {
        let (model, data) = balls("<statistic center='5 0 1' extent='.2'/>");
        let mut view = View::of(&model);
        view.show_all(&model, &data);
        assert_eq!(view.camera.lookat, [5.0, 1.0, 1.0]);
        assert!(view.camera.distance > 2.0 && view.camera.distance < 6.0, "{}", view.camera.distance);
        // nothing to look at
        let empty = kinetree_spec::load_model_str("<mujoco/>").unwrap_or_else(|faults| panic!("{faults}"));
        let before = view.clone();
        view.show_all(&empty, &Data::new(&empty));
        assert_eq!(view, before);
    }
}
