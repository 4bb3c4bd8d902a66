//! The choice between a free camera, one that follows a body, and the cameras of the model.

use crate::view::{View, label};
use kinetree_model::Model;
use kinetree_model::enums::ObjType;
use kinetree_render::scene::CameraType;

/// What the camera is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CameraChoice {
    Free,
    /// Follows a body.
    Tracking(usize),
    /// A camera of the model.
    Fixed(usize),
}

impl CameraChoice {
    /// The camera of a view.
    pub(crate) fn of(view: &View) -> Self {
        let camera = &view.camera;
        match camera.type_ {
            t if t == CameraType::Tracking as i32 => Self::Tracking(camera.trackbodyid.max(0) as usize),
            t if t == CameraType::Fixed as i32 => Self::Fixed(camera.fixedcamid.max(0) as usize),
            _ => Self::Free,
        }
    }

    /// Makes it the camera of a view.
    pub(crate) fn apply(self, view: &mut View) {
        let camera = &mut view.camera;
        match self {
            Self::Free => camera.type_ = CameraType::Free as i32,
            Self::Tracking(body) => {
                camera.type_ = CameraType::Tracking as i32;
                camera.trackbodyid = body as i32;
            }
            Self::Fixed(id) => {
                camera.type_ = CameraType::Fixed as i32;
                camera.fixedcamid = id as i32;
            }
        }
    }

    /// What it is called.
    pub(crate) fn name(self, model: &Model) -> String {
        match self {
            Self::Free => "free".into(),
            Self::Tracking(body) => format!("follow {}", label(model, ObjType::Body, "body", body)),
            Self::Fixed(id) => label(model, ObjType::Camera, "camera", id),
        }
    }

    /// All choices: free, the body that is selected or followed already or else the first that moves, the
    /// model's cameras.
    pub(crate) fn all(model: &Model, view: &View) -> Vec<Self> {
        let followed = match Self::of(view) {
            Self::Tracking(body) => Some(body),
            _ => view.selected(model).or_else(|| first_moving(model)),
        };
        let following = followed.map(Self::Tracking);
        std::iter::once(Self::Free).chain(following).chain((0..model.ncam).map(Self::Fixed)).collect()
    }

    /// The choice after the present one, or before it.
    pub(crate) fn cycle(model: &Model, view: &View, by: isize) -> Self {
        let all = Self::all(model, view);
        let present = all.iter().position(|&choice| choice == Self::of(view)).unwrap_or(0);
        all[(present as isize + by).rem_euclid(all.len() as isize) as usize]
    }
}

/// The first body with a joint.
fn first_moving(model: &Model) -> Option<usize> {
    model.body_jntnum.iter().position(|&count| count > 0)
}
