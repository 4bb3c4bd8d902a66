//! The abstract scene: what to draw, where, in which colour, seen from where.
//!
//! [`mjv_update_scene`] fills an [`MjvScene`] from a model and its data; a renderer draws it. The other
//! functions move cameras and perturb bodies with the mouse. After the first few updates of a scene, none
//! allocates.
//!
//! ```
//! use kinetree_model::Data;
//! use kinetree_render::scene::{
//!     CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_default_free_camera, mjv_update_scene,
//! };
//!
//! let model = kinetree_spec::load_model_str("<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")?;
//! let mut data = Data::new(&model);
//! kinetree_sim::mj_forward(&model, &mut data)?;
//! let (mut scene, mut camera) = (MjvScene::new(&model, 100), MjvCamera::default());
//! mjv_default_free_camera(&model, &mut camera);
//! mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene)?;
//! assert_eq!(scene.geoms[0].pos, [0.0; 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod camera;
mod decor;
mod defaults;
mod deformable;
mod drawn_body;
mod enums;
mod error;
mod flex;
mod geom;
mod label;
mod light;
mod mouse;
mod painter;
mod perturb;
mod plugins;
mod select;
mod skin;
mod types;
mod update;

pub use camera::{
    CameraFrame, CameraFrustum, HeadPose, mjv_average_camera, mjv_camera_frame, mjv_camera_frustum,
    mjv_camera_in_model, mjv_camera_in_room, mjv_frustum_height, mjv_model2room, mjv_room2model,
    mjv_update_camera,
};
pub use defaults::{
    mjv_default_camera, mjv_default_figure, mjv_default_free_camera, mjv_default_option, mjv_default_perturb,
    mjv_make_scene,
};
pub use deformable::{Deformable, mjv_add_deformable};
pub use drawn_body::Deformables;
pub use enums::{CameraType, CatBit, ENUMS, FrameMode, LabelMode, Mouse, PertBit, RndFlag, Stereo, VisFlag};
pub use error::SceneError;
pub use flex::mjv_update_active_flex;
pub use geom::{mjv_connector, mjv_init_geom};
pub use label::{FixedText, LABEL_SIZE, Label};
pub use light::mjv_make_lights;
pub use mouse::{mjv_align_to_camera, mjv_move_camera, mjv_move_model, mjv_move_perturb};
pub use perturb::{mjv_apply_perturb_force, mjv_apply_perturb_pose, mjv_init_perturb};
pub use select::{Selection, mjv_select};
pub use skin::{mjv_update_active_skin, mjv_update_skin};
pub use types::{
    MAX_LIGHT, MAX_LINE, MAX_LINE_POINTS, MjvCamera, MjvFigure, MjvGLCamera, MjvGeom, MjvLight, MjvOption,
    MjvPerturb, MjvScene, N_GROUP, N_RND_FLAG, N_VIS_FLAG,
};
pub use update::{CAT_ALL, mjv_add_geoms, mjv_update_scene};
