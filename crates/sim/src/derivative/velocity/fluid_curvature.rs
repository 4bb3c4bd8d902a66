//! The ellipsoid fluid model on numbers that carry their derivatives with the local velocity `(ω, v)`: its
//! force, and the damping matrix that the implicit integrators take.
//!
//! That matrix is the derivative of the force but where a small or slow ellipsoid makes one of its guards
//! against division by zero bite, as in the reference: the force has guards of its own. Evaluating both as
//! they stand gives derivatives that are right in either case. Notation of `fluid_ellipsoid.rs`.

use super::fluid_ellipsoid::{Axes, angular_drag_coefficients, pair_products};
use crate::derivative::jet::Jet as JetOf;
use crate::forces::fluid::{FluidCoefficients, geom_semiaxes};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::Model;
use nalgebra::Matrix6;
use std::f64::consts::PI;

type Jet = JetOf<6>;
type Vec3Jet = [Jet; 3];
type Mat3Jet = [Vec3Jet; 3];

fn inputs(x: &Vec3, first: usize) -> Vec3Jet {
    std::array::from_fn(|k| Jet::input(x[k], first + k))
}

fn dot(a: &Vec3Jet, b: &Vec3Jet) -> Jet {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Vec3Jet, b: &Vec3Jet) -> Vec3Jet {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

fn scaled(a: &Vec3Jet, by: &Vec3) -> Vec3Jet {
    std::array::from_fn(|k| a[k] * by[k])
}

/// `[x]×`.
fn cross_matrix(x: &Vec3Jet) -> Mat3Jet {
    let zero = Jet::new(0.0);
    [[zero, -x[2], x[1]], [x[2], zero, -x[0]], [-x[1], x[0], zero]]
}

fn guarded(x: Jet) -> Jet {
    x.max(Jet::new(MINVAL))
}

/// Derivative of torque and force on a geom with its local velocity, angular part first.
pub(crate) fn ellipsoid_jacobian(model: &Model, geom: usize, ang: &Vec3, lin: &Vec3) -> Matrix6<f64> {
    let c = FluidCoefficients::read(&model.geom_fluid[geom]);
    let size = &geom_semiaxes(model, geom);
    let (torque, force) =
        ellipsoid_force(&c, size, model.opt.density, model.opt.viscosity, &inputs(ang, 0), &inputs(lin, 3));
    Matrix6::from_fn(
        |i, j| if i < 3 { torque[i].derivative[j] } else { force[i - 3].derivative[j] } * c.interaction,
    )
}

/// Torque and force: those of `forces/fluid.rs`.
fn ellipsoid_force(
    c: &FluidCoefficients,
    size: &Vec3,
    density: f64,
    viscosity: f64,
    ang: &Vec3Jet,
    lin: &Vec3Jet,
) -> (Vec3Jet, Vec3Jet) {
    let axes = Axes::of(size);
    let (p, h) = (scaled(lin, &(c.virtual_mass * density)), scaled(ang, &(c.virtual_inertia * density)));
    let volume = 4.0 / 3.0 * PI * size.x * size.y * size.z;
    let speed = dot(lin, lin).sqrt();
    let n = scaled(lin, &pair_products(size));
    let (numerator, denominator) = (dot(&n, lin), dot(&n, &n));
    let area = (denominator / guarded(numerator)).sqrt() * PI;
    let cosine = numerator / guarded(speed * denominator);
    let circulation = cross(&n, lin).map(|x| x * cosine * area * (c.kutta_lift * density));
    let moment = scaled(ang, &angular_drag_coefficients(c, size, &axes));
    let diameter = axes.mean_diameter;
    let resistance =
        area * (c.blunt_drag - c.slender_drag) + c.slender_drag * PI * axes.largest * axes.middle;
    let drag = speed * resistance * density + viscosity * 3.0 * PI * diameter;
    let twist = dot(&moment, &moment).sqrt() * density + viscosity * PI * diameter * diameter * diameter;

    let magnus = cross(ang, lin).map(|x| x * (c.magnus_lift * density * volume));
    let (spun, lifted) = (cross(&h, ang), cross(&circulation, lin));
    let (carried, pushed) = (cross(&p, lin), cross(&p, ang));
    (
        std::array::from_fn(|k| carried[k] + spun[k] - ang[k] * twist),
        std::array::from_fn(|k| pushed[k] + magnus[k] + lifted[k] - lin[k] * drag),
    )
}

/// How `B x` changes with the local velocity, column by column, for the damping matrix `B` of a geom and a
/// motion `x`. If it is to be symmetric, that of its symmetric part.
pub(crate) fn ellipsoid_curvature(
    model: &Model,
    geom: usize,
    (ang, lin): (&Vec3, &Vec3),
    x: &[f64; 6],
    symmetric: bool,
) -> Matrix6<f64> {
    let b = ellipsoid_damping(model, geom, &inputs(ang, 0), &inputs(lin, 3));
    Matrix6::from_fn(|i, k| {
        let entry = |j: usize| {
            let own = b[i][j].derivative[k];
            if symmetric { 0.5 * (own + b[j][i].derivative[k]) } else { own }
        };
        (0..6).map(|j| entry(j) * x[j]).sum()
    })
}

/// The damping matrix: that of `fluid_ellipsoid.rs`.
fn ellipsoid_damping(model: &Model, geom: usize, ang: &Vec3Jet, lin: &Vec3Jet) -> [[Jet; 6]; 6] {
    let c = FluidCoefficients::read(&model.geom_fluid[geom]);
    let size = &geom_semiaxes(model, geom);
    let (density, viscosity) = (model.opt.density, model.opt.viscosity);
    let axes = Axes::of(size);
    let mut b = [[Jet::new(0.0); 6]; 6];
    let mut add = |row: usize, column: usize, scale: f64, block: &dyn Fn(usize, usize) -> Jet| {
        for i in 0..3 {
            for j in 0..3 {
                let entry = &mut b[3 * row + i][3 * column + j];
                *entry = *entry + block(i, j) * scale;
            }
        }
    };
    let magnus = c.magnus_lift * density * 4.0 / 3.0 * PI * size.x * size.y * size.z;
    let (mass, inertia) = (c.virtual_mass * density, c.virtual_inertia * density);
    let (p, h) = (cross_matrix(&scaled(lin, &mass)), cross_matrix(&scaled(ang, &inertia)));
    let (ang_cross, lin_cross) = (cross_matrix(ang), cross_matrix(lin));
    add(1, 0, -magnus, &|i, j| lin_cross[i][j]);
    add(1, 1, magnus, &|i, j| ang_cross[i][j]);
    add(0, 0, 1.0, &|i, j| h[i][j] - ang_cross[i][j] * inertia[j]);
    add(0, 1, 1.0, &|i, j| p[i][j] - lin_cross[i][j] * mass[j]);
    add(1, 0, 1.0, &|i, j| p[i][j]);
    add(1, 1, -1.0, &|i, j| ang_cross[i][j] * mass[j]);
    let (lift, drag) = (kutta_lift(size, lin), drag(&c, size, &axes, density, viscosity, lin));
    add(1, 1, c.kutta_lift * density, &|i, j| lift[i][j]);
    add(1, 1, 1.0, &|i, j| drag[i][j]);
    let twist = angular_drag(&angular_drag_coefficients(&c, size, &axes), &axes, density, viscosity, ang);
    add(0, 0, 1.0, &|i, j| twist[i][j]);
    b
}

fn diagonal(i: usize, j: usize, value: Jet) -> Jet {
    if i == j { value } else { Jet::new(0.0) }
}

fn matrix(entry: impl Fn(usize, usize) -> Jet) -> Mat3Jet {
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// Derivative of Kutta lift, per unit of density and coefficient.
fn kutta_lift(size: &Vec3, v: &Vec3Jet) -> Mat3Jet {
    let k = pair_products(size);
    let n = scaled(v, &k);
    let (numerator, denominator, speed2) = (dot(&n, v), dot(&n, &n), dot(v, v));
    let factor = numerator * PI / guarded((denominator * numerator * speed2).sqrt());
    let factor_derivative: Vec3Jet = std::array::from_fn(|i| {
        n[i] / guarded(numerator) - n[i] * k[i] / guarded(denominator) - v[i] / guarded(speed2)
    });
    let direction: Vec3Jet = std::array::from_fn(|i| v[i] * numerator - n[i] * speed2);
    matrix(|i, j| {
        let derivative = diagonal(i, j, numerator - speed2 * k[i]) + (v[i] * n[j] - n[i] * v[j]) * 2.0;
        (direction[i] * factor_derivative[j] + derivative) * factor
    })
}

/// Derivative of translational drag.
fn drag(
    c: &FluidCoefficients,
    size: &Vec3,
    axes: &Axes,
    density: f64,
    viscosity: f64,
    v: &Vec3Jet,
) -> Mat3Jet {
    let k = pair_products(size);
    let n = scaled(v, &k);
    let (numerator, denominator, speed) = (dot(&n, v), dot(&n, &n), dot(v, v).sqrt());
    let area = (denominator / guarded(numerator)).sqrt() * PI;
    let cubed = numerator * numerator * numerator;
    let steep = Jet::new(PI) / guarded((cubed * denominator).sqrt());
    let resistance =
        (area * (c.blunt_drag - c.slender_drag) + c.slender_drag * PI * axes.largest * axes.middle) * density;
    let stokes = viscosity * 3.0 * PI * axes.mean_diameter;
    let derivative: Vec3Jet = std::array::from_fn(|i| {
        let area_derivative = (n[i] * k[i] * numerator - n[i] * denominator) * steep;
        v[i] / guarded(speed) * resistance
            + area_derivative * speed * (density * (c.blunt_drag - c.slender_drag))
    });
    matrix(|i, j| -diagonal(i, j, resistance * speed + stokes) - v[i] * derivative[j])
}

/// Derivative of rotational drag.
fn angular_drag(coefficients: &Vec3, axes: &Axes, density: f64, viscosity: f64, w: &Vec3Jet) -> Mat3Jet {
    let moment = scaled(w, coefficients);
    let norm = dot(&moment, &moment).sqrt();
    let d = axes.mean_diameter;
    let total = norm * density + viscosity * PI * d * d * d;
    matrix(|i, j| {
        let derivative = moment[j] * (coefficients[j] * density) / guarded(norm);
        -diagonal(i, j, total) - w[i] * derivative
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivative::velocity::fluid_ellipsoid::ellipsoid_derivative;
    use kinetree_model::Sizes;

    /// A model with one geom in water.
    fn model(size: [f64; 3]) -> Model {
        let mut model = Model::with_sizes(Sizes { ngeom: 1, ..Sizes::default() });
        model.geom_fluid[0] = [1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.1, 0.2, 0.3, 0.01, 0.02, 0.03];
        model.geom_size[0] = size;
        model.geom_type[0] = kinetree_model::enums::GeomType::Ellipsoid as i32;
        (model.opt.density, model.opt.viscosity) = (900.0, 0.2);
        model
    }

    #[test]
    fn both_are_the_derivative_where_no_guard_bites() {
        let size = [0.3, 0.1, 0.2];
        let model = model(size);
        let (w, v) = (Vec3::new(-0.3, 0.5, 0.9), Vec3::new(0.4, -0.7, 0.2));
        let expected = ellipsoid_derivative(&model, 0, &Vec3::from(size), &w, &v);
        let scale = expected.abs().max();
        assert!((ellipsoid_jacobian(&model, 0, &w, &v) - expected).abs().max() < 1e-12 * scale);
        let b = ellipsoid_damping(&model, 0, &inputs(&w, 0), &inputs(&v, 3));
        assert!((Matrix6::from_fn(|i, j| b[i][j].value) - expected).abs().max() < 1e-12 * scale);
    }

    #[test]
    fn derivatives_are_those_of_differences_for_thin_and_slow_ellipsoids() {
        for (size, speed) in [([0.3, 0.1, 0.2], 1.0), ([0.01, 0.02, 0.1], 0.02)] {
            let model = model(size);
            let (w, v) = (Vec3::new(-0.3, 0.5, 0.9) * speed, Vec3::new(0.4, -0.7, 0.2) * speed);
            let (x, eps) = ([0.3, -0.2, 0.5, 0.7, 0.1, -0.4], 1e-5 * speed);
            let found = ellipsoid_curvature(&model, 0, (&w, &v), &x, false);
            for k in 0..6 {
                let [plus, minus] = [eps, -eps].map(|by| {
                    let (mut w, mut v) = (w, v);
                    if k < 3 {
                        w[k] += by;
                    } else {
                        v[k - 3] += by;
                    }
                    ellipsoid_derivative(&model, 0, &Vec3::from(size), &w, &v) * nalgebra::Vector6::from(x)
                });
                let expected = (plus - minus) / (2.0 * eps);
                let error = (found.column(k) - expected).abs().max();
                assert!(error < 1e-6 * found.abs().max(), "{size:?}, {k}: {error}");
            }
        }
    }
}
