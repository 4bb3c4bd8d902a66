//! What the bias forces leave for the forces between bodies: the same as computed anew, and never used when
//! somebody may have changed the velocities in between.

use crate::common::{self, bits_of};
use kinetree::prelude::*;
use kinetree::sim::{mj_com_vel, mj_rne_post_constraint};

fn humanoid() -> Model {
    common::load("showcase/humanoid.xml")
}

fn bits(data: &Data) -> Vec<u64> {
    bits_of([&data.sensordata[..], data.cacc.as_flattened(), data.cfrc_int.as_flattened()])
}

#[test]
fn sensors_are_the_same_in_one_step_and_in_halves() {
    let model = humanoid();
    let (mut whole, mut halves) = (Data::new(&model), Data::new(&model));
    for _ in 0..80 {
        whole.step(&model).unwrap();
        mj_step1(&model, &mut halves).unwrap();
        mj_step2(&model, &mut halves).unwrap();
        assert!(whole.flg_rnepost);
        assert_eq!(bits(&whole), bits(&halves));
    }
}

/// After an evaluation with a sensor, velocities are changed.
fn changed_velocities(sensor: &str) -> [Vec<u64>; 2] {
    let xml = format!(
        r#"<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/><site name="s"/>
             <body pos="0.5 0 0"><joint axis="1 0 1"/><geom size="0.1" pos="0.2 0.1 0"/></body></body></worldbody>
           <sensor>{sensor}</sensor></mujoco>"#
    );
    let model = load_model_str(&xml).unwrap_or_else(|e| panic!("{e}"));
    let mut data = Data::new(&model);
    data.qvel.copy_from_slice(&[1.0, -2.0]);
    data.forward(&model).unwrap();
    // a clone keeps nothing
    let clone = data.clone();
    [data, clone].map(|mut data| {
        data.qvel.copy_from_slice(&[0.5, 3.0]);
        mj_com_vel(&model, &mut data).unwrap();
        mj_rne_post_constraint(&model, &mut data).unwrap();
        bits(&data)
    })
}

#[test]
fn nothing_is_kept_after_an_evaluation() {
    for sensor in [r#"<accelerometer site="s"/>"#, r#"<jointpos joint="a"/>"#] {
        let [cached, fresh] = changed_velocities(sensor);
        assert_eq!(cached, fresh, "{sensor}");
    }
}
