//! Second derivatives of fluid forces: how the damping matrix `B = ∂f/∂w` of an element changes with its local
//! velocity `w = (ω, v)`.
//!
//! Notation of `fluid_ellipsoid.rs`; every function gives the change along a direction `dv` or `dw`. All of
//! `B` is even in the velocity but for what is linear in it, so that at rest, where norms have a kink, the
//! mean of both sides is zero.

use super::fluid::box_drag;
use super::fluid_ellipsoid::{Axes, angular_drag_coefficients, pair_products};
use crate::forces::fluid::{FluidCoefficients, geom_semiaxes};
use kinetree_math::misc::sign;
use kinetree_math::{MINVAL, Mat3, Vec3};
use kinetree_model::Model;
use nalgebra::{Matrix6, Vector6};
use std::f64::consts::PI;

/// Change of `B` of an element at velocity `(ang, lin)` along a direction.
pub(super) fn damping_change(
    model: &Model,
    body: usize,
    element: Option<usize>,
    (ang, lin): (&Vec3, &Vec3),
    along: &Vector6<f64>,
) -> Matrix6<f64> {
    let (dang, dlin) = (Vec3::new(along[0], along[1], along[2]), Vec3::new(along[3], along[4], along[5]));
    match element {
        Some(geom) => ellipsoid_change(model, geom, (ang, lin), (&dang, &dlin)),
        None => {
            let (by_spin, by_speed) = box_drag(model, body);
            let spins = by_spin.component_mul(&ang.map(sign)).component_mul(&dang);
            let speeds = by_speed.component_mul(&lin.map(sign)).component_mul(&dlin);
            Matrix6::from_diagonal(&Vector6::new(
                -spins.x, -spins.y, -spins.z, -speeds.x, -speeds.y, -speeds.z,
            ))
        }
    }
}

fn ellipsoid_change(
    model: &Model,
    geom: usize,
    (ang, lin): (&Vec3, &Vec3),
    (dang, dlin): (&Vec3, &Vec3),
) -> Matrix6<f64> {
    let c = FluidCoefficients::read(&model.geom_fluid[geom]);
    let size = &geom_semiaxes(model, geom);
    let density = model.opt.density;
    let axes = Axes::of(size);
    let mut b = Matrix6::zeros();
    let mut add = |row: usize, column: usize, block: Mat3| {
        let mut quadrant = b.fixed_view_mut::<3, 3>(3 * row, 3 * column);
        quadrant += block;
    };

    // Magnus force and added mass are quadratic in the velocity
    let magnus = c.magnus_lift * density * 4.0 / 3.0 * PI * size.x * size.y * size.z;
    add(1, 0, -dlin.cross_matrix() * magnus);
    add(1, 1, dang.cross_matrix() * magnus);
    let mass = Mat3::from_diagonal(&(c.virtual_mass * density));
    let inertia = Mat3::from_diagonal(&(c.virtual_inertia * density));
    let (p, h) = (mass * dlin, inertia * dang);
    add(0, 0, h.cross_matrix() - dang.cross_matrix() * inertia);
    add(0, 1, p.cross_matrix() - dlin.cross_matrix() * mass);
    add(1, 0, p.cross_matrix());
    add(1, 1, -dang.cross_matrix() * mass);

    add(1, 1, kutta_lift_change(size, lin, dlin) * (c.kutta_lift * density));
    add(1, 1, drag_change(&c, size, &axes, lin, dlin) * density);
    let coefficients = angular_drag_coefficients(&c, size, &axes);
    add(0, 0, angular_drag_change(&coefficients, ang, dang) * density);
    b
}

/// `N`, `D`, `n` and their changes.
struct Projection {
    k: Vec3,
    n: Vec3,
    dn: Vec3,
    numerator: f64,
    dnumerator: f64,
    denominator: f64,
    ddenominator: f64,
}

impl Projection {
    fn new(size: &Vec3, v: &Vec3, dv: &Vec3) -> Self {
        let k = pair_products(size);
        let (n, dn) = (k.component_mul(v), k.component_mul(dv));
        Self {
            k,
            n,
            dn,
            numerator: n.dot(v),
            dnumerator: 2.0 * n.dot(dv),
            denominator: n.dot(&n),
            ddenominator: 2.0 * n.dot(&dn),
        }
    }
}

/// Change of the derivative of Kutta lift, per unit of density and coefficient.
fn kutta_lift_change(size: &Vec3, v: &Vec3, dv: &Vec3) -> Mat3 {
    let speed2 = v.norm_squared();
    if speed2.sqrt() < MINVAL {
        return Mat3::zeros();
    }
    let Projection { k, n, dn, numerator, dnumerator, denominator, ddenominator } =
        Projection::new(size, v, dv);
    let dspeed2 = 2.0 * v.dot(dv);
    let factor = PI * (numerator / (denominator * speed2)).sqrt();
    // relative derivative of the factor, and its change
    let slope = n / numerator - k.component_mul(&n) / denominator - v / speed2;
    let dslope =
        dn / numerator - n * (dnumerator / (numerator * numerator)) - k.component_mul(&dn) / denominator
            + k.component_mul(&n) * (ddenominator / (denominator * denominator))
            - dv / speed2
            + v * (dspeed2 / (speed2 * speed2));
    let direction = v * numerator - n * speed2;
    let direction_slope = Mat3::from_diagonal_element(numerator) + v * n.transpose() * 2.0
        - Mat3::from_diagonal(&(k * speed2))
        - n * v.transpose() * 2.0;
    let direction_slope_change = Mat3::from_diagonal_element(dnumerator)
        + (dv * n.transpose() + v * dn.transpose()) * 2.0
        - Mat3::from_diagonal(&(k * dspeed2))
        - (dn * v.transpose() + n * dv.transpose()) * 2.0;
    let ddirection = direction_slope * dv;
    let whole = direction * slope.transpose() + direction_slope;
    let dwhole = ddirection * slope.transpose() + direction * dslope.transpose() + direction_slope_change;
    (dwhole + whole * slope.dot(dv)) * factor
}

/// Change of the derivative of translational drag, per unit of density. Stokes drag is linear.
fn drag_change(c: &FluidCoefficients, size: &Vec3, axes: &Axes, v: &Vec3, dv: &Vec3) -> Mat3 {
    let speed = v.norm();
    if speed < MINVAL {
        return Mat3::zeros();
    }
    let Projection { k, n, dn, numerator, dnumerator, denominator, ddenominator } =
        Projection::new(size, v, dv);
    let area = PI * (denominator / numerator).sqrt();
    let direction = k.component_mul(&n) * numerator - n * denominator;
    let ddirection = k.component_mul(&dn) * numerator + k.component_mul(&n) * dnumerator
        - dn * denominator
        - n * ddenominator;
    let factor = PI / (numerator * numerator * numerator * denominator).sqrt();
    let dfactor = -0.5 * factor * (3.0 * dnumerator / numerator + ddenominator / denominator);
    let (area_slope, darea_slope) = (direction * factor, ddirection * factor + direction * dfactor);

    let blunt = c.blunt_drag - c.slender_drag;
    let resistance = area * blunt + c.slender_drag * PI * axes.largest * axes.middle;
    let dresistance = blunt * area_slope.dot(dv);
    let unit = v / speed;
    let dspeed = unit.dot(dv);
    let dunit = (dv - unit * dspeed) / speed;
    let slope = unit * resistance + area_slope * (speed * blunt);
    let dslope =
        dunit * resistance + unit * dresistance + (darea_slope * speed + area_slope * dspeed) * blunt;
    -Mat3::from_diagonal_element(dresistance * speed + resistance * dspeed)
        - dv * slope.transpose()
        - v * dslope.transpose()
}

/// Change of the derivative of rotational drag, per unit of density.
fn angular_drag_change(coefficients: &Vec3, w: &Vec3, dw: &Vec3) -> Mat3 {
    let (moment, dmoment) = (w.component_mul(coefficients), dw.component_mul(coefficients));
    let norm = moment.norm();
    if norm < MINVAL {
        return Mat3::zeros();
    }
    let dnorm = moment.dot(&dmoment) / norm;
    let slope = moment.component_mul(coefficients) / norm;
    let dslope = dmoment.component_mul(coefficients) / norm - slope * (dnorm / norm);
    -Mat3::from_diagonal_element(dnorm) - dw * slope.transpose() - w * dslope.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_those_of_the_derivative() {
        let size = Vec3::new(0.3, 0.1, 0.2);
        let axes = Axes::of(&size);
        let mut row = [0.0; 12];
        row[..6].copy_from_slice(&[1.0, 0.5, 0.25, 1.5, 1.0, 1.0]);
        let c = FluidCoefficients::read(&row);
        let (v, dv) = (Vec3::new(0.4, -0.7, 0.2), Vec3::new(-0.3, 0.5, 0.9));
        let check = |b: &dyn Fn(&Vec3) -> Mat3, change: Mat3| {
            let eps = 1e-5;
            let expected = (b(&(v + dv * eps)) - b(&(v - dv * eps))) / (2.0 * eps);
            assert!((change - expected).abs().max() < 1e-8 * expected.abs().max().max(1.0));
        };
        use crate::derivative::fluid_ellipsoid::{angular_drag, drag, kutta_lift};
        check(&|v| kutta_lift(&size, v), kutta_lift_change(&size, &v, &dv));
        check(&|v| drag(&c, &size, &axes, 1.0, 0.2, v), drag_change(&c, &size, &axes, &v, &dv));
        let coefficients = angular_drag_coefficients(&c, &size, &axes);
        check(&|v| angular_drag(&c, &size, &axes, 1.0, 0.2, v), angular_drag_change(&coefficients, &v, &dv));
    }
}
