//! The abstract scene: what to draw, where, in which colour, seen from where.

mod types;

pub use types::{
    MAX_LIGHT, MjvCamera, MjvGLCamera, MjvGeom, MjvLight, MjvOption, MjvPerturb, MjvScene, N_GROUP,
    N_RND_FLAG, N_VIS_FLAG,
};
