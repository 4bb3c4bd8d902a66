//! What the tests of scenes have in common.
#![allow(dead_code, reason = "not every test needs everything")]

use kinetree_model::{Data, Model};
use kinetree_render::scene::{MjvOption, MjvPerturb};
use std::path::Path;

/// A model under `models/` after so many steps without controls.
pub(crate) fn world(path: &str, steps: usize) -> (Model, Data) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(path);
    let model = kinetree_spec::load_model(&file).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut data = Data::new(&model);
    for _ in 0..steps {
        kinetree_sim::mj_step(&model, &mut data).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
    (model, data)
}

/// All flags and groups on, the last body selected, pulled and rotated.
pub(crate) fn everything(model: &Model) -> (MjvOption, MjvPerturb) {
    let on = [1; 6];
    let opt = MjvOption {
        geomgroup: on,
        sitegroup: on,
        jointgroup: on,
        tendongroup: on,
        actuatorgroup: on,
        flexgroup: on,
        skingroup: on,
        flags: [1; 31],
        ..MjvOption::default()
    };
    let pert = MjvPerturb {
        select: model.nbody as i32 - 1,
        active: 3,
        localpos: [0.1, -0.05, 0.2],
        refselpos: [0.3, 0.2, 0.1],
        ..MjvPerturb::default()
    };
    (opt, pert)
}
