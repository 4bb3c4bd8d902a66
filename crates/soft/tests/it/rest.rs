//! What lies on geoms comes to rest.

use kinetree_model::{Data, Model};
use kinetree_soft::{
    Cloth, ClothPreset, DeformableBody, Material, SoftWorld, TriangleMesh, Vec3, XpbdSettings,
};

/// Largest displacement of a vertex of the first body within a time (s).
fn motion(world: &mut SoftWorld, model: &Model, data: &mut Data, time: f64) -> f64 {
    let position = |world: &SoftWorld| world.body(0).expect("a body").particles().position.to_vec();
    let mut bounds: Vec<[Vec3; 2]> = position(world).into_iter().map(|x| [x, x]).collect();
    let end = data.time + time;
    while data.time < end {
        world.step(model, data).expect("the step succeeds");
        for (bounds, x) in bounds.iter_mut().zip(position(world)) {
            *bounds = [bounds[0].inf(&x), bounds[1].sup(&x)];
        }
    }
    bounds.iter().map(|[low, high]| (high - low).norm()).fold(0.0, f64::max)
}

/// Triangles that lie on a ball roll when they tilt: were their contacts to stay where they were at the
/// beginning of a step or substep, each motion would raise the sheet a little, and it would never rest.
#[test]
fn a_sheet_over_a_ball_comes_to_rest() {
    let floor = "<geom type='plane' size='3 3 .1'/>";
    for (size, floor) in [(0.6, floor), (0.45, "")] {
        let text = format!(
            "<mujoco><option timestep='.004'/><worldbody>{floor}<geom size='.15' pos='0 0 .15'/></worldbody></mujoco>"
        );
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let mut data = Data::new(&model);
        let fabric = Material { young: 1.5e5, poisson: 0.3, density: 300.0, friction: 0.8, damping: 1e-3 };
        let mesh = TriangleMesh::grid([8; 2], [size; 2]).expect("a mesh");
        let mut sheet = Cloth::new(mesh, fabric, 0.0015).expect("a sheet");
        sheet.particles_mut().position.iter_mut().for_each(|x| *x += Vec3::new(0.005, 0.003, 0.31));
        let mut world = SoftWorld::default();
        world.add(sheet, XpbdSettings { drag: 6.0, ..XpbdSettings::default() });
        motion(&mut world, &model, &mut data, 2.4);
        let moved = motion(&mut world, &model, &mut data, 0.2);
        assert!(moved < 5e-4, "a sheet of {size} m: {moved} m in a fifth of a second");
    }
}

/// Friction holds what it can hold, without creeping.
#[test]
fn a_sheet_on_an_inclined_plane_stays_where_it_is() {
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1' euler='0 20 0'/></worldbody></mujoco>";
    let model = kinetree_spec::load_model_str(text).expect("a model");
    let mut data = Data::new(&model);
    let mut sheet = Cloth::grid([4, 4], [0.2; 2], ClothPreset::Cotton).expect("a sheet");
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    for x in &mut sheet.particles_mut().position {
        *x = Vec3::new(cos * x.x + 2.5e-4 * sin, x.y, 2.5e-4 * cos - sin * x.x);
    }
    let mut world = SoftWorld::default();
    world.add(sheet, XpbdSettings::default());
    motion(&mut world, &model, &mut data, 0.5);
    let moved = motion(&mut world, &model, &mut data, 0.5);
    assert!(moved < 1e-6, "{moved} m in half a second");
}
