//! Velocities and accelerations of objects against finite differences of positions, and against circular
//! motion.

use super::{all_close, close, load, shake};
use kinetree_model::Data;
use kinetree_model::enums::ObjType;
use kinetree_sim::{
    mj_forward, mj_integrate_pos, mj_object_acceleration, mj_object_velocity, mj_rne_post_constraint, mj_step,
};

const ARM: &str = r#"<mujoco><worldbody><body pos="0 0 1"><joint type="ball"/>
    <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" contype="0"/>
    <body pos="0.4 0 0"><joint axis="0 1 0.3"/><geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0" contype="0"/>
      <site name="tip" pos="0.2 0.1 0" euler="10 20 30"/></body></body>
    <body pos="1 0 0"><freejoint/><geom size="0.1" contype="0"/><site pos="0.1 0 0"/></body></worldbody></mujoco>"#;

/// Global linear velocity of a site.
fn velocity(model: &kinetree_model::Model, data: &Data, site: i32) -> [f64; 3] {
    let v = mj_object_velocity(model, data, ObjType::Site as i32, site, false).unwrap();
    [v[3], v[4], v[5]]
}

#[test]
fn velocities_are_the_derivative_of_positions() {
    let model = load(ARM);
    let mut data = Data::new(&model);
    for seed in 1..4 {
        shake(&model, &mut data, seed);
        for site in 0..2 {
            let at = |h: f64| {
                let mut other = data.clone();
                let mut qpos = data.qpos.to_vec();
                mj_integrate_pos(&model, &mut qpos, &data.qvel, h);
                other.qpos.copy_from_slice(&qpos);
                mj_forward(&model, &mut other).unwrap();
                other.site_xpos[site]
            };
            let (ahead, behind) = (at(1e-6), at(-1e-6));
            let derivative: Vec<f64> = (0..3).map(|i| (ahead[i] - behind[i]) / 2e-6).collect();
            all_close(&velocity(&model, &data, site as i32), &derivative, 1e-7);
        }
    }
}

#[test]
fn accelerations_are_the_derivative_of_velocities_less_gravity() {
    let model = load(ARM);
    let mut data = Data::new(&model);
    for seed in 1..4 {
        shake(&model, &mut data, seed);
        mj_rne_post_constraint(&model, &mut data).unwrap();
        for site in 0..2 {
            let found = mj_object_acceleration(&model, &data, ObjType::Site as i32, site, false).unwrap();
            let at = |h: f64| {
                let mut other = data.clone();
                let mut qpos = data.qpos.to_vec();
                let half: Vec<f64> =
                    data.qvel.iter().zip(data.qacc.iter()).map(|(v, a)| v + 0.5 * h * a).collect();
                mj_integrate_pos(&model, &mut qpos, &half, h);
                other.qpos.copy_from_slice(&qpos);
                for (v, a) in other.qvel.iter_mut().zip(data.qacc.iter()) {
                    *v += h * a;
                }
                mj_forward(&model, &mut other).unwrap();
                velocity(&model, &other, site)
            };
            let (ahead, behind) = (at(1e-5), at(-1e-5));
            // what is at rest in the field of gravity accelerates upwards
            let derivative: Vec<f64> =
                (0..3).map(|i| (ahead[i] - behind[i]) / 2e-5 + if i == 2 { 9.81 } else { 0.0 }).collect();
            all_close(&found[3..], &derivative, 1e-5);
        }
    }
}

#[test]
fn circular_motion() {
    let (model, mut data) = super::start(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint axis="0 0 1"/><geom size="0.1"/>
           <site pos="0.5 0 0"/></body></worldbody></mujoco>"#,
    );
    data.qvel[0] = 3.0;
    super::forward(&model, &mut data);
    mj_rne_post_constraint(&model, &mut data).unwrap();
    let found = mj_object_acceleration(&model, &data, ObjType::Site as i32, 0, true).unwrap();
    close(found[3], -9.0 * 0.5, 1e-12);
    close(found[4], 0.0, 1e-12);
}

/// Runge-Kutta averages angular velocities that are given in different axes: with ball and free joints its
/// order is two, with hinges four.
#[test]
fn the_order_of_runge_kutta_is_four_and_two_with_quaternions() {
    let geom = r#"<geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 0" contype="0" conaffinity="0"/>"#;
    let arm = format!(
        r#"<body><joint axis="0 1 0"/>{geom}<body pos="0.4 0 0"><joint axis="0 1 0"/>{geom}</body></body>"#
    );
    let [ball, free] = ["ball", "free"].map(|kind| format!(r#"<body><joint type="{kind}"/>{geom}</body>"#));
    for (body, order) in [(arm, 4.0), (ball, 2.0), (free, 2.0)] {
        let xml = format!(r#"<mujoco><option integrator="RK4"/><worldbody>{body}</worldbody></mujoco>"#);
        let mut model = load(&xml);
        let mut end = |steps: u32| -> Vec<f64> {
            model.opt.timestep = 0.5 / f64::from(steps);
            let mut data = Data::new(&model);
            for (velocity, value) in data.qvel.iter_mut().rev().zip([3.0, 2.0, 1.0]) {
                *velocity = value;
            }
            (0..steps).for_each(|_| mj_step(&model, &mut data).unwrap());
            data.qpos.iter().chain(data.qvel.iter()).copied().collect()
        };
        let exact = end(1 << 13);
        let mut error = |steps: u32| {
            let found = end(steps);
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let found = (error(64) / error(128)).log2();
        assert!((found - order).abs() < 0.15, "{found} is not about {order}");
    }
}
