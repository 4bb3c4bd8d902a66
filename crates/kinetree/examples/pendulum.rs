//! A pendulum without friction: its energy stays, and small swings take `2π √(L/g)`.
//!
//! `cargo run --release --example pendulum`

use kinetree::prelude::*;

const PENDULUM: &str = r#"
<mujoco model="pendulum">
  <option timestep="0.001" integrator="RK4">
    <flag energy="enable"/>
  </option>
  <worldbody>
    <body name="bob">
      <joint name="swing" axis="0 1 0"/>
      <!-- a small ball one metre below the hinge; the rod has no mass -->
      <geom type="sphere" pos="0 0 -1" size="0.001" mass="1"/>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_model_str(PENDULUM)?;
    let mut data = Data::new(&model);
    data.qpos[0] = 0.05;
    data.forward(&model)?;
    let energy_before = data.energy[0] + data.energy[1];

    // half a period passes between two zero crossings
    let mut crossings = Vec::new();
    while crossings.len() < 11 {
        let before = data.qpos[0];
        data.step(&model)?;
        if before.signum() != data.qpos[0].signum() {
            let part = before / (before - data.qpos[0]);
            crossings.push(data.time - model.opt.timestep * (1.0 - part));
        }
    }
    let period = (crossings[10] - crossings[0]) / 5.0;
    let small_swing = std::f64::consts::TAU * (1.0 / 9.81_f64).sqrt();
    let drift = data.energy[0] + data.energy[1] - energy_before;

    println!("period        {period:.6} s");
    println!("2π √(L/g)     {small_swing:.6} s  (for vanishing swings)");
    println!("energy drift  {drift:.1e} J after {:.1} s", data.time);
    assert!((period / small_swing - 1.0).abs() < 1e-3);
    assert!(drift.abs() < 1e-9);
    Ok(())
}
