//! Time of the frame Jacobian of a serial arm, kinematics of the chain included: nanoseconds per call and the
//! sum of absolute entries, one line for each number of joints. `python -m bench.frame_jacobian` runs it
//! beside Pinocchio.
//!
//! ```text
//! cargo run --release -p kinetree --example frame_jacobian
//! ```

use kinetree::sim::frame::FrameChain;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

/// Hinges about z and y in turn, each 0.1 ahead of and 0.2 above the one before.
fn arm(joints: usize) -> String {
    let mut xml = String::from("<mujoco><worldbody>");
    for i in 0..joints {
        let axis = if i % 2 == 0 { "0 0 1" } else { "0 1 0" };
        let _ = write!(xml, r#"<body pos="0.1 0 0.2"><joint axis="{axis}"/><geom size="0.05"/>"#);
    }
    xml.push_str(r#"<site name="tip" pos="0 0 0.1"/>"#);
    xml.push_str(&"</body>".repeat(joints));
    xml.push_str("</worldbody></mujoco>");
    xml
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const CALLS: u32 = 1_000_000;
    for joints in [6, 7] {
        let model = kinetree::load_model_str(&arm(joints))?;
        let body = model.site_bodyid[0] as usize;
        let mut chain = FrameChain::new(&model, body, &model.site_pos[0], &model.site_quat[0]);
        let mut qpos: Vec<f64> = (0..joints).map(|i| 0.3 * (i + 1) as f64).collect();
        let (mut jacp, mut jacr) = (vec![0.0; 3 * joints], vec![0.0; 3 * joints]);
        let start = Instant::now();
        for k in 0..CALLS {
            qpos[0] = 0.3 + 1e-9 * f64::from(k);
            chain.jacobian(black_box(&qpos), joints, &mut jacp, &mut jacr);
            black_box(&jacp);
        }
        let nanoseconds = 1e9 * start.elapsed().as_secs_f64() / f64::from(CALLS);
        let sum: f64 = jacp.iter().chain(&jacr).map(|x| x.abs()).sum();
        println!("{joints} {nanoseconds:.2} {sum:.12}");
    }
    Ok(())
}
