//! The hand of an arm moves along a line: joint velocities from the damped pseudo-inverse of the Jacobian,
//! `q̇ = Jᵀ (J Jᵀ + λ² I)⁻¹ v`.
//!
//! `cargo run --release --example arm_jacobian`

use kinetree::math::{Mat3, Vec3};
use kinetree::prelude::*;
use kinetree::sim::mj_integrate_pos;

const ARM: &str = include_str!("../models/arm.xml");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_model_str(ARM)?;
    let mut data = Data::new(&model);
    data.reset_to_keyframe(&model, 0)?;
    data.forward(&model)?;

    let grip = mj_name2id(&model, ObjType::Site, "grip").ok_or("the arm has no site called grip")?;
    let start = Vec3::from(data.site_xpos[grip]);
    let goal = start + Vec3::new(0.05, 0.15, 0.08);
    println!("grip starts at {:.4?}", data.site_xpos[grip]);

    for _ in 0..100 {
        let error = goal - Vec3::from(data.site_xpos[grip]);
        let (jacobian, _) = mj_jac_site(&model, &data, grip);
        let square: Mat3 = (&jacobian * jacobian.transpose()).fixed_view::<3, 3>(0, 0).into_owned();
        let damped = square + Mat3::identity() * 1e-6;
        let weights = damped.try_inverse().ok_or("the damped matrix cannot be singular")? * error;
        let velocity = jacobian.transpose() * weights;
        mj_integrate_pos(&model, &mut data.qpos, velocity.as_slice(), 0.2);
        data.forward(&model)?;
    }

    let miss = (goal - Vec3::from(data.site_xpos[grip])).norm();
    println!("goal           {:.4?}", <[f64; 3]>::from(goal));
    println!("grip ends at   {:.4?}, {miss:.1e} m from the goal", data.site_xpos[grip]);
    assert!(miss < 1e-6);
    Ok(())
}
