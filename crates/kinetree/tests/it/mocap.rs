//! A body that the user moves drags another through a weld, as in a reference run, until the weld is switched
//! off.

use crate::common::load;
use kinetree::prelude::*;

fn moved(model: &Model) -> Data {
    let mut data = Data::new(model);
    data.mocap_pos[0] = [0.2, -0.1, 1.1];
    data.mocap_quat[0] = [0.8, 0.0, 0.6, 0.0];
    data
}

fn assert_close(mine: &[f64], reference: &[f64]) {
    let error = mine.iter().zip(reference).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(error < 1e-9, "{mine:?} instead of {reference:?}");
}

#[test]
fn the_weld_drags_as_in_the_reference() {
    let model = load("mocap.xml");
    let mut data = moved(&model);
    data.steps(&model, 60).unwrap();
    let dragged = [
        0.13973201166405938,
        -0.06961009125693027,
        1.069626811016462,
        0.9693213089433074,
        0.011189700496139054,
        0.2233632615925283,
        0.10197962542580458,
        0.42088441723161435,
    ];
    assert_close(&data.qpos, &dragged);

    data.eq_active[0] = 0;
    data.steps(&model, 20).unwrap();
    let released = [
        0.1763251509333476,
        -0.08564478807832067,
        1.0799435995565119,
        0.9601001421721,
        0.014384193246795154,
        0.26361934042016233,
        0.09222610987237122,
        1.0659373747057892,
    ];
    assert_close(&data.qpos, &released);
}

#[test]
fn the_follower_arrives() {
    let model = load("mocap.xml");
    let mut data = moved(&model);
    // the pose that the weld keeps: the follower relative to the handle as both were at the start
    data.steps(&model, 2000).unwrap();
    let (target, end) = (data.mocap_pos[0], data.xpos[2]);
    let apart = target.iter().zip(&end).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 0.02, "the follower is at {end:?}, the handle at {target:?}");
    let speed = data.qvel[..6].iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(speed < 0.1, "speed {speed}");
}

#[test]
fn the_user_alone_moves_the_handle() {
    let model = load("mocap.xml");
    let mut data = moved(&model);
    data.steps(&model, 100).unwrap();
    assert_eq!(data.mocap_pos[0], [0.2, -0.1, 1.1]);
    assert_eq!(data.xpos[1], [0.2, -0.1, 1.1]);
    // the weld has six rows, none of which moves the handle
    assert_eq!(data.ne, 6);
}
