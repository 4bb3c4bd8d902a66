//! Time of the frame Jacobian of a serial arm, kinematics of the chain included: nanoseconds per call and the
//! sum of absolute entries, one line for each number of joints. `python -m bench.frame_jacobian` runs it
//! beside Pinocchio. With `--batch`: nanoseconds of a configuration in single calls and in batches of a
//! thousand on one thread.
//!
//! ```text
//! cargo run --release -p kinetree --example frame_jacobian
//! ```

use kinetree::ik::{Chain, JointFrameCache, Pose, ReferenceFrame};
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

/// Seconds of a function.
fn time(f: impl FnOnce()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64()
}

/// Nanoseconds of a configuration in single calls and in a batch of a thousand.
fn batch(chain: &Chain) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    const COUNT: usize = 1000;
    const ROUNDS: usize = 200;
    let n = chain.nq();
    let q: Vec<f64> = (0..COUNT * n).map(|i| (i as f64 * 0.7).sin() * 3.0).collect();
    let (mut poses, mut jacobians) = (vec![Pose::IDENTITY; COUNT], vec![[0.0; 6]; COUNT * n]);
    let mut cache = JointFrameCache::new(chain);
    let frame = ReferenceFrame::LocalWorldAligned;
    let mut seconds = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        seconds[0] = seconds[0].min(time(|| {
            for (i, q) in q.chunks_exact(n).enumerate() {
                let columns = &mut jacobians[i * n..(i + 1) * n];
                if let Ok(pose) = chain.jacobian(black_box(q), frame, &mut cache, columns) {
                    poses[i] = pose;
                }
            }
            black_box(&poses);
        }));
        let mut result = Ok(());
        seconds[1] = seconds[1].min(time(|| {
            result = chain.jacobian_batch(black_box(&q), frame, &mut poses, &mut jacobians);
            black_box(&poses);
        }));
        result?;
    }
    Ok(seconds.map(|s| 1e9 * s / COUNT as f64))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const CALLS: u32 = 1_000_000;
    let batches = std::env::args().any(|argument| argument == "--batch");
    for joints in [6, 7] {
        let model = kinetree::load_model_str(&arm(joints))?;
        let chain = Chain::new(&model, "world", "tip")?;
        if batches {
            let [single, batch] = batch(&chain)?;
            println!("{joints} {single:.1} {batch:.1}");
            continue;
        }
        let mut cache = JointFrameCache::new(&chain);
        let mut q: Vec<f64> = (0..joints).map(|i| 0.3 * (i + 1) as f64).collect();
        let mut jacobian = vec![[0.0; 6]; joints];
        let start = Instant::now();
        for k in 0..CALLS {
            q[0] = 0.3 + 1e-9 * f64::from(k);
            chain.jacobian(black_box(&q), ReferenceFrame::LocalWorldAligned, &mut cache, &mut jacobian)?;
            black_box(&jacobian);
        }
        let nanoseconds = 1e9 * start.elapsed().as_secs_f64() / f64::from(CALLS);
        let sum: f64 = jacobian.iter().flatten().map(|x| x.abs()).sum();
        println!("{joints} {nanoseconds:.2} {sum:.12}");
    }
    Ok(())
}
