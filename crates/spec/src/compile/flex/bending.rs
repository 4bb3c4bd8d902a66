//! Bending of surfaces: a quadratic form over the two triangles at each edge, with a cubic correction for
//! surfaces that are curved at rest.
//!
//! The form is the cotangent operator of Wardetzky et al., "Discrete quadratic curvature energies"; the
//! correction is that of Garg et al., "Cubic shells".

use crate::assets::linalg::{V3, cross, dot, sub};

/// Cotangent of the angle at `a` between the directions to `b` and `c`.
fn cotangent(a: &V3, b: &V3, c: &V3) -> f64 {
    let (to_b, to_c) = (sub(b, a), sub(c, a));
    let normal = cross(&to_b, &to_c);
    dot(&to_b, &to_c) / dot(&normal, &normal).sqrt()
}

fn area(a: &V3, b: &V3, c: &V3) -> f64 {
    let normal = cross(&sub(b, a), &sub(c, a));
    dot(&normal, &normal).sqrt() / 2.0
}

/// Constants of an edge: sixteen of the quadratic form and one of the correction; zero at a border.
pub(super) fn edge(vertices: &[V3], flap: &[i32; 4], shear: f64, thickness: f64) -> [f64; 17] {
    let mut constants = [0.0; 17];
    if flap[3] < 0 {
        return constants;
    }
    let [v0, v1, v2, v3] = flap.map(|v| vertices[v as usize]);
    let [a01, a02] = [cotangent(&v0, &v1, &v2), cotangent(&v0, &v3, &v1)];
    let [a03, a04] = [cotangent(&v1, &v2, &v0), cotangent(&v1, &v0, &v3)];
    let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
    let total = area(&v0, &v1, &v2) + area(&v1, &v0, &v3);
    let stiffness = 3.0 * shear * (thickness * thickness * thickness) / (24.0 * total);

    let e0 = sub(&v1, &v0);
    let (e1, e2) = (sub(&v2, &v0), sub(&v3, &v0));
    let (e3, e4) = (sub(&v2, &v1), sub(&v3, &v1));
    let t0: V3 = std::array::from_fn(|k| -(a03 * e1[k] + a01 * e3[k]));
    let t1: V3 = std::array::from_fn(|k| -(a04 * e2[k] + a02 * e4[k]));
    let square = dot(&e0, &e0);
    let cosine = -dot(&t0, &t1) / square;
    for i in 0..4 {
        for j in 0..4 {
            constants[4 * i + j] = c[i] * c[j] * cosine * stiffness;
        }
    }
    let height = dot(&cross(&e0, &e1), &e2);
    constants[16] = height * (a01 - a03) * (a04 - a02) * stiffness / (square * square.sqrt());
    constants
}
