//! After a first call, no smooth stage and no derivative allocates.

use crate::common::{mixed_tree, random_state};
use crate::counting_allocator::allocation_count;
use kinetree_model::Data;
use kinetree_model::enums::Integrator;
use kinetree_sim::{Lockstep, LockstepWorld};

#[test]
fn smooth_stages_do_not_allocate() {
    let mut model = mixed_tree().build();
    model.tendon_armature.fill(0.1);
    model.opt.density = 1.0;
    let mut data = random_state(&model, 1);
    let mut jacobian = vec![0.0; 3 * model.nv];
    let mut run = |data: &mut kinetree_model::Data| {
        kinetree_sim::mj_fwd_kinematics(&model, data).unwrap();
        kinetree_sim::mj_make_m(&model, data).unwrap();
        kinetree_sim::mj_factor_m(&model, data).unwrap();
        kinetree_sim::mj_transmission(&model, data).unwrap();
        kinetree_sim::mj_fwd_velocity_smooth(&model, data).unwrap();
        kinetree_sim::mj_fwd_actuation(&model, data).unwrap();
        kinetree_sim::mj_fwd_acceleration(&model, data).unwrap();
        kinetree_sim::mj_subtree_vel(&model, data).unwrap();
        kinetree_sim::mj_rne_post_constraint(&model, data).unwrap();
        kinetree_sim::mj_energy_pos(&model, data).unwrap();
        kinetree_sim::mj_energy_vel(&model, data).unwrap();
        kinetree_sim::mj_geom_distance(&model, data, 2, 5, 1.0).unwrap();
        kinetree_sim::mj_jac_into(&model, data, Some(&mut jacobian), None, &[0.1, 0.2, 0.3], 4).unwrap();
        kinetree_sim::mj_sensor_pos(&model, data).unwrap();
    };
    run(&mut data);
    let before = allocation_count();
    for _ in 0..3 {
        run(&mut data);
    }
    assert_eq!(allocation_count(), before);
}

#[test]
fn steps_in_lockstep_do_not_allocate() {
    let xml = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 0.09"><freejoint/><geom size="0.1"/>
        <body pos="0.1 0 0"><joint axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.05"/>
        </body></body></worldbody></mujoco>"#;
    for integrator in [Integrator::Rk4, Integrator::Euler] {
        let mut model = kinetree_spec::load_model_str(xml).unwrap();
        model.opt.integrator = integrator as i32;
        let mut worlds: [Data; 4] = std::array::from_fn(|_| Data::new(&model));
        let mut lockstep = Lockstep::default();
        let mut run = || {
            let mut lanes = worlds.each_mut().map(LockstepWorld::new);
            lockstep.step(&model, &mut lanes);
            lanes.into_iter().for_each(|lane| lane.finish().unwrap());
        };
        (0..100).for_each(|_| run());
        let before = allocation_count();
        (0..3).for_each(|_| run());
        assert_eq!(allocation_count(), before);
        assert!(worlds[3].ncon > 0 && worlds[3].time > 0.2);
    }
}

#[test]
fn derivatives_do_not_allocate() {
    for integrator in ["Euler", "implicitfast", "implicit"] {
        let xml = format!(
            r#"<mujoco><option integrator="{integrator}"/><worldbody><geom type="plane" size="1 1 1"/>
          <body pos="0 0 0.19"><freejoint/><geom size="0.1"/><site name="a" pos="0.1 0 0"/>
            <body pos="0.1 0 0"><joint name="j" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.05"/>
              <site name="b" pos="0.2 0 0"/></body></body>
          <body pos="1 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.3"/></body>
          <geom type="box" size="0.3 0.3 0.1" pos="0 2 0"/>
          <body pos="0 2 0.2" euler="0.3 0.2 0"><freejoint/><geom type="cylinder" size="0.1 0.1"/></body>
          <body pos="0 -2 0.09" euler="90 0 0"><freejoint/><geom type="cylinder" size="0.1 0.1"/></body>
          <geom type="box" size="0.3 0.3 0.1" pos="0 -2 -0.1"/></worldbody>
          <tendon><spatial stiffness="1"><site site="a"/><site site="b"/></spatial></tendon>
          <actuator><position joint="j"/></actuator><sensor><accelerometer site="b"/></sensor></mujoco>"#
        );
        let model = kinetree_spec::load_model_str(&xml).unwrap();
        let mut data = kinetree_model::Data::new(&model);
        for _ in 0..100 {
            kinetree_sim::mj_step(&model, &mut data).unwrap();
        }
        let nx = 2 * model.nv + model.na;
        let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * model.nu]);
        let (mut c, mut d) = (vec![0.0; 3 * nx], vec![0.0; 3 * model.nu]);
        let (weights, mut dx, mut du) = (vec![1.0; nx], vec![0.0; nx], vec![0.0; model.nu]);
        let mut run = |data: &mut kinetree_model::Data| {
            kinetree_sim::mjd_transition(
                &model,
                data,
                Some(&mut a),
                Some(&mut b),
                Some(&mut c),
                Some(&mut d),
            )
            .unwrap();
            kinetree_sim::step_vjp(&model, data, &weights, &mut dx, &mut du).unwrap();
        };
        run(&mut data);
        let before = allocation_count();
        for _ in 0..3 {
            run(&mut data);
        }
        assert_eq!(allocation_count(), before, "{integrator}");
    }
}
