//! What can be wrong with the arguments of scene functions.

use kinetree_model::Mismatch;
use kinetree_sim::ArgumentError;

/// Why a scene function did nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// The id of a fixed camera is no camera of the model.
    #[error("fixedcamid is {id}, but the model has {count} cameras")]
    FixedCamera {
        /// The id.
        id: i32,
        /// Number of cameras of the model.
        count: usize,
    },
    /// The id of a tracked body is no body of the model.
    #[error("trackbodyid is {id}, but the model has {count} bodies")]
    TrackedBody {
        /// The id.
        id: i32,
        /// Number of bodies of the model.
        count: usize,
    },
    /// The selected body is no body of the model.
    #[error("the selected body is {id}, but the model has {count} bodies")]
    SelectedBody {
        /// The id.
        id: i32,
        /// Number of bodies of the model.
        count: usize,
    },
    /// The selected flex is no flex of the model.
    #[error("the selected flex is {id}, but the model has {count} flexes")]
    SelectedFlex {
        /// The id.
        id: i32,
        /// Number of flexes of the model.
        count: usize,
    },
    /// A camera is of a kind that has no pose of its own.
    #[error("camera type {0} has no pose; use a free, tracking or fixed camera")]
    CameraType(i32),
    /// The scene has no camera yet.
    #[error("frustum_near of the scene's cameras is not positive; update the scene or its camera first")]
    NearPlane,
    /// The transformation of the scene cannot be undone.
    #[error("the scale of the scene is {0}, which is too small")]
    Scale(f32),
    /// Only one of two cameras is orthographic.
    #[error("a perspective and an orthographic camera have no average")]
    MixedProjections,
    /// A shape that cannot connect two points.
    #[error("geom type {0} cannot be a connector; use a capsule, cylinder, arrow or line")]
    Connector(i32),
    /// A mouse action that does not exist or moves nothing.
    #[error("mouse action {0} does not move anything; use a rotation, a translation or zoom")]
    Mouse(i32),
    /// The data does not fit the model.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// The scene was made for another model.
    #[error("the scene was made for a model with other flexes or skins; make a new scene")]
    OtherModel,
}

impl From<Mismatch> for SceneError {
    fn from(problem: Mismatch) -> Self {
        Self::Argument(problem.into())
    }
}
