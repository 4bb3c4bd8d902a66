//! User code inside the step: a control callback balances a pole, a passive callback adds wind.
//!
//! Callbacks belong to the model, not to the process: another model in the same program is not touched by
//! them.
//!
//! `cargo run --release --example callbacks`

use kinetree::prelude::*;

const CART_POLE: &str = r#"
<mujoco model="cart_pole">
  <option timestep="0.005"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1"/>
      <body name="pole" pos="0 0 0.05">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.1" contype="0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="slide"/>
  </actuator>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = load_model_str(CART_POLE)?;
    // state feedback: positions and velocities of cart and pole
    model.set_control(|_model, data| {
        let (q, v) = (&data.qpos, &data.qvel);
        data.ctrl[0] = 1.0 * q[0] + 2.4 * v[0] + 30.0 * q[1] + 5.0 * v[1];
    });
    // a gust pushes the cart during the second second
    model.set_passive(|_model, data| {
        if (1.0..2.0).contains(&data.time) {
            data.qfrc_passive[0] += 0.3;
        }
    });

    let mut data = Data::new(&model);
    data.qpos[1] = 0.1;
    let mut largest: f64 = 0.0;
    while data.time < 10.0 {
        data.step(&model)?;
        largest = largest.max(data.qpos[1].abs());
    }
    println!(
        "largest tilt {largest:.3} rad, at the end {:+.4} rad, cart at {:+.3} m",
        data.qpos[1], data.qpos[0]
    );
    assert!(data.qpos[1].abs() < 0.01 && largest < 0.3, "the pole should stay up");
    Ok(())
}
