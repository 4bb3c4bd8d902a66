//! The fluid around bodies: which boxes and ellipsoids it acts on.

use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, GeomType, Integrator};

/// Numbers of a box or an ellipsoid: its frame, its size, and the coefficients of the fluid.
const SIZE: usize = 22;

/// Whether there is a fluid; it is off with all passive forces.
pub(crate) fn has_fluid(model: &Model) -> bool {
    let passive = !(model.disabled(DisableBit::Spring) && model.disabled(DisableBit::Damper));
    passive && (model.opt.density != 0.0 || model.opt.viscosity != 0.0)
}

/// Whether the integrator takes the derivatives of its forces.
pub(crate) fn has_fluid_derivatives(model: &Model) -> bool {
    let implicit = model.opt.integrator == Integrator::Implicitfast as i32;
    implicit && has_fluid(model) && (model.opt.density > 0.0 || model.opt.viscosity > 0.0)
}

/// Writes what the kernels read; nothing where there is no fluid.
pub(crate) fn write_fluid(model: &Model, table: &mut Table) {
    if !has_fluid(model) {
        return;
    }
    let (mut starts, mut kinds, mut numbers) = (vec![0], Vec::new(), Vec::new());
    for body in 0..model.nbody {
        for element in elements(model, body) {
            kinds.push(i32::from(element.is_some()));
            let first = numbers.len();
            match element {
                Some(geom) => put_ellipsoid(model, geom, &mut numbers),
                None => put_box(model, body, &mut numbers),
            }
            numbers.resize(first + SIZE, 0.0);
        }
        starts.push(kinds.len() as i32);
    }
    table.size("FLUID_SIZE", SIZE);
    // the reference takes what is negative as none
    table.quantity("DENSITY", model.opt.density.max(0.0));
    table.quantity("VISCOSITY", model.opt.viscosity.max(0.0));
    table.floats("WIND", model.opt.wind);
    table.ints("FLUID_START", starts);
    table.ints("FLUID_KIND", kinds);
    table.floats("FLUID_NUMBERS", numbers);
}

/// Whether the fluid acts on the same boxes and ellipsoids in two variants of a model.
pub(crate) fn same_shapes(model: &Model, other: &Model) -> bool {
    !has_fluid(model) || (0..model.nbody).all(|body| elements(model, body) == elements(other, body))
}

/// What of a body the fluid acts on: geoms that are taken as ellipsoids, or the box of the whole body.
fn elements(model: &Model, body: usize) -> Vec<Option<usize>> {
    if model.body_mass[body] < 1e-15 {
        return Vec::new();
    }
    let first = model.body_geomadr[body].max(0) as usize;
    let geoms = first..first + model.body_geomnum[body] as usize;
    if !geoms.clone().any(|g| model.geom_fluid[g][0] > 0.0) {
        return vec![None];
    }
    geoms.filter(|&g| model.geom_fluid[g][0] != 0.0).map(Some).collect()
}

/// The box with the inertia of a body.
fn put_box(model: &Model, body: usize, numbers: &mut Vec<f64>) {
    let [a, b, c] = model.body_inertia[body];
    let mass = model.body_mass[body];
    let sides = [b + c - a, a + c - b, a + b - c].map(|d| (d.max(1e-15) / mass * 6.0).sqrt());
    numbers.extend(model.body_ipos[body].iter().chain(&model.body_iquat[body]).chain(&sides));
}

fn put_ellipsoid(model: &Model, geom: usize, numbers: &mut Vec<f64>) {
    let [x, y, z] = model.geom_size[geom];
    let axes = match GeomType::try_from(model.geom_type[geom]) {
        Ok(GeomType::Sphere) => [x, x, x],
        Ok(GeomType::Capsule) => [x, x, x + y],
        Ok(GeomType::Cylinder) => [x, x, y],
        _ => [x, y, z],
    };
    let frame = model.geom_pos[geom].iter().chain(&model.geom_quat[geom]);
    numbers.extend(frame.chain(&axes).chain(&model.geom_fluid[geom]));
}
