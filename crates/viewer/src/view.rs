//! What is shown and from where: camera, options, effects and selection.

use kinetree_model::enums::ObjType;
use kinetree_model::{Model, mj_id2name};
use kinetree_render::scene::{
    CameraType, MjvCamera, MjvOption, MjvPerturb, MjvScene, N_RND_FLAG, VisFlag, mjv_default_free_camera,
};

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

/// Name of an element, or its kind and number.
pub(crate) fn label(model: &Model, kind: ObjType, word: &str, id: usize) -> String {
    match mj_id2name(model, kind, id) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("{word} {id}"),
    }
}
