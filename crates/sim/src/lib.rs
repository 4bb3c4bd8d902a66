//! The simulation pipeline: from `qpos`, `qvel` and `ctrl` to accelerations, constraint forces, sensors and the next state.
#![forbid(unsafe_code)]
