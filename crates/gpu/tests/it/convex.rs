//! Contacts that are searched for, on the device against the processor: one pair a model, since software
//! renderers compile these kernels slowly.

use crate::common::{Random, compare, difference, set_states, simulator, takes_minutes, text, wander};
use kinetree_gpu::GpuError;
use kinetree_model::Data;
use kinetree_sim::mj_step;

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

const MESH: &str = "type='mesh' mesh='wedge'";
const BOX: &str = "type='box' size='0.3 0.25 0.1'";
const CYLINDER: &str = "type='cylinder' size='0.2 0.1'";
const ELLIPSOID: &str = "type='ellipsoid' size='0.3 0.2 0.1'";
const CAPSULE: &str = "type='capsule' size='0.06 0.1'";

#[test]
fn meshes_on_boxes_and_on_meshes_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    touch(BOX, MESH, 0.16, 20);
    touch(MESH, MESH, 0.16, 20);
}

#[test]
fn normals_of_polygons_are_the_same_in_all_worlds() {
    if takes_minutes() {
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
    if takes_minutes() {
        return;
    }
    touch(CYLINDER, CAPSULE, 0.26, 20);
}

#[test]
fn round_shapes_on_ellipsoids_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    touch(ELLIPSOID, CAPSULE, 0.26, 40);
    touch(ELLIPSOID, "size='0.07'", 0.165, 40);
}

#[test]
fn ellipsoids_on_boxes_and_ellipsoids_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    touch(ELLIPSOID, "type='ellipsoid' size='0.1 0.08 0.06'", 0.16, 20);
    touch(BOX, "type='ellipsoid' size='0.1 0.08 0.06'", 0.16, 20);
}

#[test]
fn pairs_are_all_searched_when_there_is_no_room_for_them() {
    if takes_minutes() {
        return;
    }
    let feet: String = (0..30)
        .map(|k| {
            let (x, y) = (0.1 * f64::from(k % 6), 0.1 * f64::from(k / 6));
            format!("<geom type='mesh' mesh='foot' pos='{x} {y} 0' contype='0' condim='1'/>")
        })
        .collect();
    let model = text(&format!(
        "<mujoco><asset><mesh name='foot' vertex='-1 -1 0  1 -1 0  0 1 0  0 0 3' scale='0.02 0.02 0.02'/></asset>
         <worldbody><geom type='box' size='1 1 0.1' pos='0 0 -0.1'/><body pos='0 0 -0.0005'><freejoint/>{feet}</body>
         </worldbody></mujoco>"
    ));
    let Some(mut sim) = simulator(&model, 3) else { return };
    let before = sim.capacity();
    // one world is high above: it makes its steps at once, while the others wait for room
    let (mut states, size) = (sim.states().unwrap(), sim.state_size());
    states[size + 2] = 1.0;
    sim.set_states(&states).unwrap();
    sim.steps(3).unwrap();
    let [mut data, mut high] = [Data::new(&model), Data::new(&model)];
    high.qpos[2] = 1.0;
    [&mut data, &mut high].into_iter().for_each(|data| (0..3).for_each(|_| mj_step(&model, data).unwrap()));
    assert!(data.ncon >= 30 && before.candidates < 30, "{} contacts, {before:?}", data.ncon);
    assert!(sim.capacity().candidates >= 30);
    assert_eq!(sim.contacts().unwrap(), [data.ncon, 0, data.ncon]);
    assert_eq!(sim.solver_totals().unwrap().steps, 9);
    for (got, data) in sim.positions().unwrap().chunks_exact(model.nq).zip([&data, &high, &data]) {
        assert!(difference(got, &data.qpos, 1.0) < 1e-5);
    }
}

#[test]
fn searches_depend_on_no_other_world() {
    if takes_minutes() {
        return;
    }
    let model = text(&pair(CYLINDER, CAPSULE, 0.26));
    let mut random = Random(5);
    let worlds: Vec<Data> = (0..40).map(|k| wander(&model, &mut random, 5 + 3 * k)).collect();
    let run = |worlds: &[Data]| {
        let mut sim = simulator(&model, worlds.len())?;
        set_states(&mut sim, worlds);
        sim.steps(5).unwrap();
        let all = sim.positions().unwrap();
        Some(all.chunks_exact(model.nq).map(<[f32]>::to_vec).collect::<Vec<_>>())
    };
    let Some(together) = run(&worlds) else { return };
    let mut reversed = run(&worlds.iter().rev().cloned().collect::<Vec<_>>()).unwrap();
    reversed.reverse();
    assert_eq!(together, reversed);
    assert_eq!(together[39], run(&worlds[39..]).unwrap()[0]);
}
