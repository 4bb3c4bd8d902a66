//! Derivative of the ellipsoid fluid model with respect to the local velocity `(ω, v)`.
//!
//! With `n = diag(a, b, c) v`, `N = n·v`, `D = |n|²` and `s = |v|`, where `a, b, c` are the squared products
//! of two semi-axes, the projected area is `A = π √(D/N)`, drag is `−ρ s (c_s A_max + (c_b − c_s) A) v`, and
//! Kutta lift is `ρ c_k π √(N/D)/s · (N v − s² n)`.

use crate::forces::fluid::FluidCoefficients;
use kinetree_math::{MINVAL, Mat3, Vec3};
use kinetree_model::Model;
use nalgebra::Matrix6;
use std::f64::consts::PI;

/// Derivative of torque and force, angular part first.
pub(crate) fn ellipsoid_derivative(
    model: &Model,
    geom: usize,
    size: &Vec3,
    ang: &Vec3,
    lin: &Vec3,
) -> Matrix6<f64> {
    let c = FluidCoefficients::read(&model.geom_fluid[geom]);
    let (density, viscosity) = (model.opt.density, model.opt.viscosity);
    let axes = Axes::of(size);
    let mut b = Matrix6::zeros();
    let mut add = |row: usize, column: usize, block: Mat3| {
        let mut quadrant = b.fixed_view_mut::<3, 3>(3 * row, 3 * column);
        quadrant += block;
    };

    // Magnus force: proportional to ω × v
    let magnus = c.magnus_lift * density * 4.0 / 3.0 * PI * size.x * size.y * size.z;
    add(1, 0, -lin.cross_matrix() * magnus);
    add(1, 1, ang.cross_matrix() * magnus);

    add(1, 1, kutta_lift(size, lin) * (c.kutta_lift * density));
    add(1, 1, drag(&c, size, &axes, density, viscosity, lin));
    add(0, 0, angular_drag(&c, size, &axes, density, viscosity, ang));

    // added mass: momenta h = ρ I ω and p = ρ m v; torque h × ω + p × v, force p × ω
    let mass = Mat3::from_diagonal(&(c.virtual_mass * density));
    let inertia = Mat3::from_diagonal(&(c.virtual_inertia * density));
    let (p, h) = (mass * lin, inertia * ang);
    add(0, 0, h.cross_matrix() - ang.cross_matrix() * inertia);
    add(0, 1, p.cross_matrix() - lin.cross_matrix() * mass);
    add(1, 0, p.cross_matrix());
    add(1, 1, -ang.cross_matrix() * mass);
    b
}

/// Sorted measures of an ellipsoid.
pub(crate) struct Axes {
    pub(crate) largest: f64,
    pub(crate) middle: f64,
    pub(crate) mean_diameter: f64,
}

impl Axes {
    pub(crate) fn of(size: &Vec3) -> Self {
        let (largest, smallest) = (size.max(), size.min());
        Self {
            largest,
            middle: size.x + size.y + size.z - largest - smallest,
            mean_diameter: 2.0 / 3.0 * (size.x + size.y + size.z),
        }
    }
}

/// Squared products of pairs of semi-axes.
pub(crate) fn pair_products(size: &Vec3) -> Vec3 {
    let square = |x: f64| x * x;
    Vec3::new(square(size.y * size.z), square(size.z * size.x), square(size.x * size.y))
}

/// Derivative of Kutta lift, per unit of density and coefficient.
fn kutta_lift(size: &Vec3, v: &Vec3) -> Mat3 {
    let k = pair_products(size);
    let n = k.component_mul(v);
    let (numerator, denominator, speed2) = (n.dot(v), n.dot(&n), v.dot(v));
    let factor = PI * numerator / (denominator * numerator * speed2).sqrt().max(MINVAL);
    // relative derivative of the factor
    let factor_derivative =
        n / numerator.max(MINVAL) - k.component_mul(&n) / denominator.max(MINVAL) - v / speed2.max(MINVAL);
    let direction = v * numerator - n * speed2;
    let direction_derivative = Mat3::from_diagonal_element(numerator) + v * n.transpose() * 2.0
        - Mat3::from_diagonal(&(k * speed2))
        - n * v.transpose() * 2.0;
    (direction * factor_derivative.transpose() + direction_derivative) * factor
}

/// Derivative of translational drag.
fn drag(c: &FluidCoefficients, size: &Vec3, axes: &Axes, density: f64, viscosity: f64, v: &Vec3) -> Mat3 {
    let k = pair_products(size);
    let n = k.component_mul(v);
    let (numerator, denominator, speed) = (n.dot(v), n.dot(&n), v.norm());
    let area = PI * (denominator / numerator.max(MINVAL)).sqrt();
    let cubed = numerator * numerator * numerator;
    let area_derivative =
        (k.component_mul(&n) * numerator - n * denominator) * (PI / (cubed * denominator).sqrt().max(MINVAL));
    let resistance =
        density * (area * c.blunt_drag + c.slender_drag * (PI * axes.largest * axes.middle - area));
    let stokes = viscosity * 3.0 * PI * axes.mean_diameter;
    let unit = v / speed.max(MINVAL);
    let derivative =
        unit * resistance + area_derivative * (density * speed * (c.blunt_drag - c.slender_drag));
    -Mat3::from_diagonal_element(stokes + resistance * speed) - v * derivative.transpose()
}

/// Derivative of rotational drag.
fn angular_drag(
    c: &FluidCoefficients,
    size: &Vec3,
    axes: &Axes,
    density: f64,
    viscosity: f64,
    w: &Vec3,
) -> Mat3 {
    let coefficient = angular_drag_coefficients(c, size, axes);
    let moment = w.component_mul(&coefficient);
    let norm = moment.norm();
    let derivative = moment.component_mul(&coefficient) * (density / norm.max(MINVAL));
    let stokes = viscosity * PI * axes.mean_diameter * axes.mean_diameter * axes.mean_diameter;
    -Mat3::from_diagonal_element(stokes + density * norm) - w * derivative.transpose()
}

/// Coefficients of rotational drag about each axis.
pub(crate) fn angular_drag_coefficients(c: &FluidCoefficients, size: &Vec3, axes: &Axes) -> Vec3 {
    let fourth = |x: f64| (x * x) * (x * x);
    let max_moment = 8.0 / 15.0 * PI * axes.middle * fourth(axes.largest);
    Vec3::from_fn(|i, _| {
        let own = 8.0 / 15.0 * PI * size[i] * fourth(size[(i + 1) % 3].max(size[(i + 2) % 3]));
        c.angular_drag * own + c.slender_drag * (max_moment - own)
    })
}
