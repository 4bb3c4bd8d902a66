//! What can go wrong between a scene and its picture.

use crate::canvas::CanvasError;
use crate::scene::SceneError;

/// Why nothing was drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The machine has no graphics driver that can be used.
    #[error(
        "no graphics adapter: {reason}. Install a driver for the graphics card, or a software renderer: on Debian and Ubuntu \
         `apt-get install mesa-vulkan-drivers libvulkan1` (or `libegl1 libgl1-mesa-dri` for OpenGL). \
         WGPU_BACKEND=vulkan or =gl chooses one of them"
    )]
    NoAdapter {
        /// What the search for an adapter said.
        reason: String,
    },
    /// The driver would not open a device.
    #[error("cannot open the graphics device {adapter}: {reason}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// A picture that does not fit.
    #[error("a picture of {width} × {height} pixels is not possible: {reason}")]
    Size {
        /// Columns that were asked for.
        width: u32,
        /// Rows that were asked for.
        height: u32,
        /// Which limit it exceeds.
        reason: String,
    },
    /// Something of the model does not fit onto the device.
    #[error("{what} does not fit onto the graphics device: {reason}")]
    Asset {
        /// The mesh or texture.
        what: String,
        /// Which limit it exceeds.
        reason: String,
    },
    /// A scene that cannot be seen, such as one whose camera was never set.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A buffer that is too large, or a part that is not in it.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// A context without a model was asked to draw a scene.
    #[error("a context without a model cannot draw a scene: make it with a model")]
    NoModel,
    /// An auxiliary buffer that is not there.
    #[error("invalid auxiliary buffer {index}: there are 10, each of which has to be added before")]
    NoBuffer {
        /// Its number.
        index: usize,
    },
    /// What this device cannot do.
    #[error("unsupported: {what} on the graphics device {adapter}")]
    Unsupported {
        /// The effect.
        what: &'static str,
        /// Name of the adapter.
        adapter: String,
    },
    /// The device went away, or reported an error while it drew.
    #[error("the graphics device failed: {reason}. Make a new renderer to go on")]
    Device {
        /// What the driver said.
        reason: String,
    },
}

impl From<kinetree_device::OpenError> for RenderError {
    fn from(error: kinetree_device::OpenError) -> Self {
        match error {
            kinetree_device::OpenError::NoAdapter { reason } => Self::NoAdapter { reason },
            kinetree_device::OpenError::NoDevice { adapter, reason } => Self::NoDevice { adapter, reason },
        }
    }
}
