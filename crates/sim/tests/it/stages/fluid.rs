//! Drag of a sphere and of a box against the textbook.

use super::{all_close, forward, start};
use std::f64::consts::PI;

fn qfrc(option: &str, geom: &str, velocity: [f64; 6]) -> Vec<f64> {
    let (model, mut data) = start(&format!(
        r#"<mujoco><option gravity="0 0 0" {option}/><worldbody><body><freejoint/><geom {geom}/></body></worldbody></mujoco>"#
    ));
    data.qvel.copy_from_slice(&velocity);
    forward(&model, &mut data);
    data.qfrc_fluid.to_vec()
}

const V: [f64; 6] = [0.3, -0.7, 1.1, 0.4, 0.9, -1.3];

#[test]
fn stokes_drag_of_a_sphere() {
    let (radius, viscosity) = (0.2, 0.6);
    let found = qfrc("viscosity='0.6'", "size='0.2' fluidshape='ellipsoid'", V);
    let (force, torque) = (6.0 * PI * viscosity * radius, 8.0 * PI * viscosity * radius.powi(3));
    let expected: Vec<f64> = (0..6).map(|i| if i < 3 { -force * V[i] } else { -torque * V[i] }).collect();
    all_close(&found, &expected, 1e-12);
}

#[test]
fn wind_counts_as_motion() {
    let still = qfrc("density='1.3' viscosity='0.1' wind='-0.3 0.7 -1.1'", "size='0.2'", [0.0; 6]);
    let moving = qfrc("density='1.3' viscosity='0.1'", "size='0.2'", [0.3, -0.7, 1.1, 0.0, 0.0, 0.0]);
    all_close(&still, &moving, 1e-12);
    assert!(moving[2] < -0.1);
}

#[test]
fn drag_and_spin_of_a_sphere_in_a_dense_fluid() {
    // drag of the cross section, angular drag, and Magnus force on the displaced volume; the rest vanishes by
    // symmetry
    let (radius, density) = (0.2_f64, 3.0);
    let (blunt, slender, angular, magnus) = (0.5, 0.25, 1.5, 0.8);
    let geom =
        format!("size='0.2' fluidshape='ellipsoid' fluidcoef='{blunt} {slender} {angular} 1 {magnus}'");
    let found = qfrc("density='3'", &geom, V);
    let speed = V[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
    let rate = V[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
    let volume = 4.0 / 3.0 * PI * radius.powi(3);
    let spin = [V[4] * V[2] - V[5] * V[1], V[5] * V[0] - V[3] * V[2], V[3] * V[1] - V[4] * V[0]];
    let area = PI * radius * radius;
    // the added mass of a sphere, half of what it displaces, rotates with the axes of the body
    let added = 0.5 * density * volume;
    let moment = 8.0 / 15.0 * PI * radius.powi(5);
    let mut expected = [0.0; 6];
    for i in 0..3 {
        expected[i] =
            magnus * density * volume * spin[i] - density * area * blunt * speed * V[i] - added * spin[i];
        expected[3 + i] = -density * angular * moment * rate * V[3 + i];
    }
    // the added mass of an ellipsoid is an integral, computed numerically
    all_close(&found, &expected, 1e-6);
    assert!((found[3] / expected[3] - 1.0).abs() < 1e-12);
}

#[test]
fn a_box_is_dragged_at_its_faces() {
    let side = [0.2, 0.4, 0.6];
    let found = qfrc("density='2' viscosity='0.05'", "type='box' size='0.1 0.2 0.3'", V);
    let mean: f64 = side.iter().sum::<f64>() / 3.0;
    let mut expected = [0.0; 6];
    for i in 0..3 {
        let (b, c) = (side[(i + 1) % 3], side[(i + 2) % 3]);
        expected[i] = -3.0 * PI * mean * 0.05 * V[i] - 0.5 * 2.0 * b * c * V[i].abs() * V[i];
        let w = V[3 + i];
        expected[3 + i] = -PI * mean.powi(3) * 0.05 * w
            - 2.0 * side[i] * (f64::powi(b, 4) + f64::powi(c, 4)) / 64.0 * w.abs() * w;
    }
    all_close(&found, &expected, 1e-9);
}

#[test]
fn a_plate_at_an_angle_is_lifted() {
    // with lift alone, the force is normal to the velocity and does no work
    let geom = "type='ellipsoid' size='0.3 0.2 0.01' fluidshape='ellipsoid' fluidcoef='0 0 0 1 0'";
    let velocity = [1.0, 0.0, 0.3, 0.0, 0.0, 0.0];
    let found = qfrc("density='2'", geom, velocity);
    let power: f64 = found.iter().zip(&velocity).map(|(f, v)| f * v).sum();
    assert!(power.abs() < 1e-12 * found[2].abs().max(1.0), "lift does work {power}");
    assert!(found[0].abs() > 1e-4 && found[2].abs() > 1e-3, "no lift: {found:?}");
}
