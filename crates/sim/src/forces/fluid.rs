//! Forces of the surrounding fluid.
//!
//! Two models. The inertia-box model takes each body as the box with its inertia: Stokes drag on a sphere of
//! the box's mean diameter, and quadratic drag on its faces. The ellipsoid model takes each geom as an
//! ellipsoid: added mass, blunt and slender drag, angular drag, Magnus and Kutta lift, and Stokes drag
//! (Andersen, Pesavento and Wang 2005, "Unsteady aerodynamics of fluttering and tumbling plates"). A body
//! uses the second model as soon as one of its geoms asks for it.

use crate::sleep::awake_lists::Visit;
use crate::support::{ObjectFrame, apply_ft, frame_velocity};
use kinetree_math::rot::mat3;
use kinetree_math::spatial::{angular, linear};
use kinetree_math::{MINVAL, Mat3, Vec3};
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};
use std::f64::consts::PI;

/// Adds fluid forces to `qfrc_fluid`; whether there is a fluid at all.
pub(crate) fn add_fluid_forces(model: &Model, data: &mut Data) -> bool {
    if model.opt.viscosity == 0.0 && model.opt.density == 0.0 {
        return false;
    }
    let visit = Visit::bodies(model, data);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        for element in fluid_elements(model, body) {
            let wrench = element_wrench(model, data, body, element);
            apply(model, data, &wrench, body);
        }
    }
    true
}

/// What of a body the fluid acts on: the geoms that are taken as ellipsoids, or `None` for the box of the
/// whole body. Bodies without mass feel no fluid.
pub(crate) fn fluid_elements(model: &Model, body: usize) -> impl Iterator<Item = Option<usize>> + '_ {
    let first = model.body_geomadr[body] as usize;
    let geoms = first..first + model.body_geomnum[body] as usize;
    let massive = model.body_mass[body] >= MINVAL;
    let ellipsoids = massive && geoms.clone().any(|geom| model.geom_fluid[geom][0] > 0.0);
    let geoms = if ellipsoids { geoms } else { 0..0 };
    let whole = (massive && !ellipsoids).then_some(None);
    geoms.filter(|&geom| model.geom_fluid[geom][0] != 0.0).map(Some).chain(whole)
}

/// The frame of an element.
pub(crate) fn element_frame(data: &Data, body: usize, element: Option<usize>) -> ObjectFrame<'_> {
    match element {
        Some(geom) => ObjectFrame { body, pos: &data.geom_xpos[geom], mat: &data.geom_xmat[geom] },
        None => ObjectFrame { body, pos: &data.xipos[body], mat: &data.ximat[body] },
    }
}

/// Force of the fluid on an element.
pub(crate) fn element_wrench(model: &Model, data: &Data, body: usize, element: Option<usize>) -> Wrench {
    match element {
        Some(geom) => geom_ellipsoid_force(model, data, body, geom),
        None => body_box_force(model, data, body),
    }
}

/// Angular and linear velocity of a frame relative to the wind, in its own axes.
pub(crate) fn velocity_in_fluid(
    model: &Model,
    data: &Data,
    frame: &ObjectFrame<'_>,
    axes: &Mat3,
) -> (Vec3, Vec3) {
    let velocity = frame_velocity(model, data, frame, true);
    (angular(&velocity), linear(&velocity) - axes.tr_mul(&Vec3::from(model.opt.wind)))
}

/// A force and a torque at a point, in global axes.
pub(crate) struct Wrench {
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
    point: [f64; 3],
}

impl Wrench {
    /// From a torque and a force in the axes of a frame, at its origin.
    fn new(frame: &ObjectFrame<'_>, axes: &Mat3, (torque, force): (Vec3, Vec3)) -> Self {
        Self { force: (axes * force).into(), torque: (axes * torque).into(), point: *frame.pos }
    }
}

/// Adds what a wrench on a body does to the joints to `qfrc_fluid`.
fn apply(model: &Model, data: &mut Data, wrench: &Wrench, body: usize) {
    let Wrench { force, torque, point } = wrench;
    let Data { cdof, subtree_com, qfrc_fluid, .. } = data;
    apply_ft(model, (cdof, subtree_com), force, torque, point, body, qfrc_fluid);
}

/// Side lengths of the box whose inertia and mass are those of a body.
pub(crate) fn equivalent_box(inertia: &[f64; 3], mass: f64) -> [f64; 3] {
    let [a, b, c] = *inertia;
    [b + c - a, a + c - b, a + b - c].map(|d| (d.max(MINVAL) / mass * 6.0).sqrt())
}

/// Inertia-box model of one body.
fn body_box_force(model: &Model, data: &Data, body: usize) -> Wrench {
    let side = equivalent_box(&model.body_inertia[body], model.body_mass[body]);
    let frame = element_frame(data, body, None);
    let axes = mat3(frame.mat);
    let (ang, lin) = velocity_in_fluid(model, data, &frame, &axes);
    let (viscosity, density) = (model.opt.viscosity, model.opt.density);
    let (mut torque, mut force) = (Vec3::zeros(), Vec3::zeros());
    if viscosity > 0.0 {
        let diameter = (side[0] + side[1] + side[2]) / 3.0;
        torque = ang * (-PI * diameter * diameter * diameter * viscosity);
        force = lin * (-3.0 * PI * diameter * viscosity);
    }
    if density > 0.0 {
        for i in 0..3 {
            let (b, c) = (side[(i + 1) % 3], side[(i + 2) % 3]);
            force[i] -= 0.5 * density * b * c * lin[i].abs() * lin[i];
            let fourth = b * b * b * b + c * c * c * c;
            torque[i] -= density * side[i] * fourth * ang[i].abs() * ang[i] / 64.0;
        }
    }
    Wrench::new(&frame, &axes, (torque, force))
}

/// Semi-axes of the ellipsoid that stands for a geom.
pub(crate) fn geom_semiaxes(model: &Model, geom: usize) -> Vec3 {
    let size = model.geom_size[geom];
    match GeomType::try_from(model.geom_type[geom]) {
        Ok(GeomType::Sphere) => Vec3::new(size[0], size[0], size[0]),
        Ok(GeomType::Capsule) => Vec3::new(size[0], size[0], size[1] + size[0]),
        Ok(GeomType::Cylinder) => Vec3::new(size[0], size[0], size[1]),
        _ => Vec3::from(size),
    }
}

/// Parameters of the ellipsoid model of a geom, named.
pub(crate) struct FluidCoefficients {
    /// Scale of all forces.
    pub(crate) interaction: f64,
    /// Drag of the projected area.
    pub(crate) blunt_drag: f64,
    /// Drag of the rest of the largest area.
    pub(crate) slender_drag: f64,
    /// Drag of rotation.
    pub(crate) angular_drag: f64,
    /// Lift of a surface at an angle of attack.
    pub(crate) kutta_lift: f64,
    /// Lift of a spinning body.
    pub(crate) magnus_lift: f64,
    /// Added mass per density.
    pub(crate) virtual_mass: Vec3,
    /// Added inertia per density.
    pub(crate) virtual_inertia: Vec3,
}

impl FluidCoefficients {
    /// Reads the row of `geom_fluid`.
    pub(crate) fn read(c: &[f64; 12]) -> Self {
        Self {
            interaction: c[0],
            blunt_drag: c[1],
            slender_drag: c[2],
            angular_drag: c[3],
            kutta_lift: c[4],
            magnus_lift: c[5],
            virtual_mass: Vec3::new(c[6], c[7], c[8]),
            virtual_inertia: Vec3::new(c[9], c[10], c[11]),
        }
    }
}

/// Ellipsoid model of one geom.
fn geom_ellipsoid_force(model: &Model, data: &Data, body: usize, geom: usize) -> Wrench {
    let c = FluidCoefficients::read(&model.geom_fluid[geom]);
    let frame = element_frame(data, body, Some(geom));
    let axes = mat3(frame.mat);
    let (ang, lin) = velocity_in_fluid(model, data, &frame, &axes);
    let (torque1, force1) = added_mass_force(&c, model.opt.density, &ang, &lin);
    let size = geom_semiaxes(model, geom);
    let (torque2, force2) = viscous_force(&c, &size, model.opt.density, model.opt.viscosity, &ang, &lin);
    let wrench = ((torque1 + torque2) * c.interaction, (force1 + force2) * c.interaction);
    Wrench::new(&frame, &axes, wrench)
}

/// Force of the fluid that moves along with the body, without the part that depends on acceleration.
fn added_mass_force(c: &FluidCoefficients, density: f64, ang: &Vec3, lin: &Vec3) -> (Vec3, Vec3) {
    let lin_momentum = (c.virtual_mass * density).component_mul(lin);
    let ang_momentum = (c.virtual_inertia * density).component_mul(ang);
    (lin_momentum.cross(lin) + ang_momentum.cross(ang), lin_momentum.cross(ang))
}

#[inline]
fn pow2(x: f64) -> f64 {
    x * x
}

#[inline]
fn pow4(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// Lift and drag of an ellipsoid: torque and force in local axes.
fn viscous_force(
    c: &FluidCoefficients,
    size: &Vec3,
    density: f64,
    viscosity: f64,
    ang: &Vec3,
    lin: &Vec3,
) -> (Vec3, Vec3) {
    let (sx, sy, sz) = (size.x, size.y, size.z);
    let volume = 4.0 / 3.0 * PI * sx * sy * sz;
    let largest = sx.max(sy).max(sz);
    let smallest = sx.min(sy).min(sz);
    let middle = sx + sy + sz - largest - smallest;
    let max_area = PI * largest * middle;
    let speed = lin.norm();

    let magnus = ang.cross(lin) * (c.magnus_lift * density * volume);

    // area projected along the velocity, and cosine between velocity and surface normal
    let denominator = pow4(sy * sz) * pow2(lin.x) + pow4(sz * sx) * pow2(lin.y) + pow4(sx * sy) * pow2(lin.z);
    let numerator = pow2(sy * sz * lin.x) + pow2(sz * sx * lin.y) + pow2(sx * sy * lin.z);
    let area = PI * (denominator / numerator.max(MINVAL)).sqrt();
    let normal = Vec3::new(pow2(sy * sz) * lin.x, pow2(sz * sx) * lin.y, pow2(sx * sy) * lin.z);
    let cosine = numerator / (speed * denominator).max(MINVAL);
    let circulation = normal.cross(lin) * (c.kutta_lift * density * cosine * area);
    let kutta = circulation.cross(lin);

    // Stokes drag of the sphere with the mean diameter
    let diameter = 2.0 / 3.0 * (sx + sy + sz);
    let stokes_force = 3.0 * PI * diameter;
    let stokes_torque = PI * diameter * diameter * diameter;

    // quadratic angular drag
    let max_moment = 8.0 / 15.0 * PI * middle * pow4(largest);
    let moment = Vec3::from_fn(|i, _| {
        let own = 8.0 / 15.0 * PI * size[i] * pow4(size[(i + 1) % 3].max(size[(i + 2) % 3]));
        ang[i] * (c.angular_drag * own + c.slender_drag * (max_moment - own))
    });

    let drag_force = viscosity * stokes_force
        + density * speed * (area * c.blunt_drag + c.slender_drag * (max_area - area));
    let drag_torque = viscosity * stokes_torque + density * moment.norm();
    (ang * -drag_torque, magnus + kutta - lin * drag_force)
}
