//! Contacts that are searched for, on the device against the processor: one pair a model, since software
//! renderers compile these kernels slowly.

mod common;

use common::{compare, simulator, text};
use kinetree_gpu::{Gpu, GpuError};

/// A shape that lies on another one, which is fixed; pushes differ from world to world.
fn pair(first: &str, second: &str, height: f64) -> String {
    format!(
        "<mujoco><option timestep='0.002'/>
         <asset><mesh name='wedge' vertex='-0.1 -0.1 -0.05  0.12 -0.1 -0.05  0.1 0.1 -0.05  -0.1 0.12 -0.05  -0.05 0 0.1  0.06 0 0.1'/></asset>
         <worldbody><geom {first}/><body pos='0.01 0.02 {height}' euler='7 4 20'><freejoint/><geom {second} density='500'/></body></worldbody></mujoco>"
    )
}

/// Compares worlds of a pair, of which two thirds must touch.
fn touch(first: &str, second: &str, height: f64, worlds: usize) {
    let touching = compare(&text(&pair(first, second, height)), worlds, 5);
    assert!(3 * touching >= 2 * worlds, "{touching} of {worlds} worlds touch");
}

/// Whether there is no GPU, or one in software that compiles these kernels for minutes: a test says so then.
fn is_skipped() -> bool {
    let reason = match Gpu::new(None) {
        Err(error) => error.to_string(),
        Ok(gpu) if gpu.adapter().contains("llvmpipe") && std::env::var_os("GALLIVM_PERF").is_none() => {
            "Mesa's llvmpipe compiles these kernels for minutes; GALLIVM_PERF=nopt makes it seconds"
                .to_owned()
        }
        Ok(_) => return false,
    };
    eprintln!("skipped: {reason}");
    true
}

const MESH: &str = "type='mesh' mesh='wedge'";
const BOX: &str = "type='box' size='0.3 0.25 0.1'";
const CYLINDER: &str = "type='cylinder' size='0.2 0.1'";
const ELLIPSOID: &str = "type='ellipsoid' size='0.3 0.2 0.1'";
const CAPSULE: &str = "type='capsule' size='0.06 0.1'";

#[test]
fn meshes_on_boxes_and_on_meshes_are_those_of_the_processor() {
    if is_skipped() {
        return;
    }
    touch(BOX, MESH, 0.16, 20);
    touch(MESH, MESH, 0.16, 20);
}

#[test]
fn normals_of_polygons_are_the_same_in_all_worlds() {
    if is_skipped() {
        return;
    }
    let model = text(&pair(BOX, MESH, 0.16));
    let Some(mut sim) = simulator(&model, 2) else { return };
    let mut normals = model.mesh_polynormal.as_flattened().repeat(2);
    sim.vary("mesh_polynormal", &normals).unwrap();
    let last = normals.len() - 1;
    normals[last] += 0.1;
    let error = sim.vary("mesh_polynormal", &normals).unwrap_err();
    assert_eq!(error, GpuError::VariedShape { field: "mesh_polynormal".into(), world: 1 });
}

#[test]
fn capsules_on_cylinders_are_those_of_the_processor() {
    if is_skipped() {
        return;
    }
    touch(CYLINDER, CAPSULE, 0.26, 20);
}

#[test]
fn round_shapes_on_ellipsoids_are_those_of_the_processor() {
    if is_skipped() {
        return;
    }
    touch(ELLIPSOID, CAPSULE, 0.26, 40);
    touch(ELLIPSOID, "size='0.07'", 0.165, 40);
}

#[test]
fn ellipsoids_on_boxes_and_ellipsoids_are_those_of_the_processor() {
    if is_skipped() {
        return;
    }
    touch(ELLIPSOID, "type='ellipsoid' size='0.1 0.08 0.06'", 0.16, 20);
    touch(BOX, "type='ellipsoid' size='0.1 0.08 0.06'", 0.16, 20);
}
