//! Tendons around spheres and cylinders: lengths of the shortest path, and derivatives.

use super::{all_close, close, derivative, load, shake, start};
use kinetree_model::Data;

/// Length around a circle of radius `r` between two points of a plane through its centre, on the shorter
/// side.
fn around(r: f64, a: [f64; 2], b: [f64; 2]) -> f64 {
    let norm = |p: [f64; 2]| p[0].hypot(p[1]);
    let between = ((a[0] * b[0] + a[1] * b[1]) / (norm(a) * norm(b))).acos();
    let touched = between - (r / norm(a)).acos() - (r / norm(b)).acos();
    (norm(a).powi(2) - r * r).sqrt() + (norm(b).powi(2) - r * r).sqrt() + r * touched
}

fn length(geom: &str, a: &str, b: &str, side: &str) -> f64 {
    let sidesite = if side.is_empty() { String::new() } else { "sidesite='side'".into() };
    let side = if side.is_empty() { String::new() } else { format!("<site name='side' pos='{side}'/>") };
    let (_, data) = start(&format!(
        r#"<mujoco><worldbody><geom name="g" {geom}/>{side}<site name="b" pos="{b}"/>
           <body><joint type="slide"/><geom size="0.01" contype="0"/><site name="a" pos="{a}"/></body></worldbody>
           <tendon><spatial><site site="a"/><geom geom="g" {sidesite}/><site site="b"/></spatial></tendon></mujoco>"#
    ));
    data.ten_length[0]
}

#[test]
fn around_a_sphere() {
    close(length("size='0.3'", "-1 0 0.1", "1 0 0.1", ""), around(0.3, [-1.0, 0.1], [1.0, 0.1]), 1e-9);
    // any plane through the centre is as good as another
    let tilted = length("size='0.3'", "-1 0.06 0.08", "1 0.06 0.08", "");
    close(tilted, around(0.3, [-1.0, 0.1], [1.0, 0.1]), 1e-9);
    // far off, the path is straight
    close(length("size='0.3'", "-1 0 0.5", "1 0 0.5", ""), 2.0, 1e-12);
}

#[test]
fn around_a_cylinder_it_climbs_evenly() {
    // unrolled, the path is straight: the height enters like the third side of a triangle
    let flat = around(0.3, [-1.0, 0.1], [1.0, 0.1]);
    let found = length("type='cylinder' size='0.3 2' euler='90 0 0'", "-1 -0.4 0.1", "1 0.4 0.1", "");
    close(found, flat.hypot(0.8), 1e-9);
}

#[test]
fn the_side_decides_about_the_way() {
    let over = length("type='cylinder' size='0.3 2' euler='90 0 0'", "-1 0 0.1", "1 0 0.1", "0 0 0.6");
    close(over, around(0.3, [-1.0, 0.1], [1.0, 0.1]), 1e-9);
    let below = length("type='cylinder' size='0.3 2' euler='90 0 0'", "-1 0 0.1", "1 0 0.1", "0 0 -0.6");
    // the long way round: both angles add up to a full turn
    let free = (1.01f64 - 0.09).sqrt();
    let angle =
        2.0 * std::f64::consts::PI - 2.0 * (1.0f64 / 0.1).atan() - 2.0 * (0.3 / 1.01f64.sqrt()).acos();
    close(below, 2.0 * free + 0.3 * angle, 1e-9);
}

#[test]
fn derivatives_of_wrapped_lengths() {
    let model = load(
        r#"<mujoco><worldbody><geom name="c" type="cylinder" size="0.1 1" euler="90 0 0" contype="0"/>
           <site name="b" pos="0.4 0.1 0.05"/><site name="in" pos="0 0 0.03"/><site name="m" pos="-0.2 0.02 0.06"/>
           <body pos="-0.4 0 0"><joint type="ball"/><joint type="slide" axis="0.2 0.1 1"/><geom name="s" size="0.08" pos="0.1 0 0.02" contype="0"/>
             <site name="a" pos="-0.2 0.01 0"/></body></worldbody>
           <tendon><spatial><site site="a"/><geom geom="s"/><site site="m"/><geom geom="c"/><site site="b"/></spatial>
             <spatial><site site="a"/><geom geom="c" sidesite="in"/><site site="b"/></spatial></tendon></mujoco>"#,
    );
    for seed in 1..6 {
        let mut at = Data::new(&model);
        shake(&model, &mut at, seed);
        for tendon in 0..2 {
            let mut row = vec![0.0; model.nv];
            let begin = model.ten_J_rowadr[tendon] as usize;
            for k in begin..begin + model.ten_J_rownnz[tendon] as usize {
                row[model.ten_J_colind[k] as usize] = at.ten_J[k];
            }
            let expected = derivative(&model, &at, |data| data.ten_length[tendon]);
            all_close(&row, &expected, 2e-5);
            let velocity: f64 = row.iter().zip(at.qvel.iter()).map(|(a, b)| a * b).sum();
            close(at.ten_velocity[tendon], velocity, 1e-12);
        }
    }
}

/// A tendon that must stay inside a cylinder goes straight to it and back when both ends lie in the same
/// direction from its axis: there the equation for the point of contact has no angle to solve for.
#[test]
fn inside_a_cylinder_with_both_ends_on_one_ray() {
    let cylinder = "type='cylinder' size='0.1 2' euler='90 0 0'";
    close(length(cylinder, "0.5 0 0", "0.8 0 0", "0 0 0.03"), 0.4 + 0.7, 1e-12);
    close(length(cylinder, "-0.3 0 0.4", "-0.48 0 0.64", "0 0 0.03"), 0.4 + 0.7, 1e-12);
}
