//! After a first call, no smooth stage allocates.

mod common;
#[path = "../../collide/tests/common/counting_allocator.rs"]
mod counting_allocator;

use common::{mixed_tree, random_state};
use counting_allocator::allocation_count;

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
