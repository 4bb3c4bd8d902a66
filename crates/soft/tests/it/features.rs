//! Edges and faces of deformable bodies on the edges and corners of geoms.

use kinetree_math::Mat3;
use kinetree_model::{Data, Model};
use kinetree_soft::{
    CapsuleChain, ChainPreset, Cloth, ClothPreset, DeformableBody, SoftWorld, TriangleMesh, Vec3,
    XpbdSettings,
};

fn model(text: &str) -> Model {
    kinetree_spec::load_model_str(&format!("<mujoco>{text}</mujoco>")).expect("a model")
}

fn moved(mut cloth: Cloth, by: Vec3) -> Cloth {
    cloth.particles_mut().position.iter_mut().for_each(|x| *x += by);
    cloth
}

fn run(model: &Model, world: &mut SoftWorld, data: &mut Data, time: f64) {
    let end = data.time + time;
    while data.time < end {
        world.step(model, data).expect("the step succeeds");
    }
}

/// How far a sheet lies beyond a point along a direction (m), least over its triangles that the line meets
/// near the point; `None` if it meets none.
fn height_of_sheet(sheet: &dyn DeformableBody, point: &Vec3, direction: &Vec3) -> Option<f64> {
    let position = &sheet.particles().position;
    let of_triangle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| position[v as usize]);
        let (u, v) = (b - a, c - a);
        let cross = direction.cross(&v);
        let determinant = u.dot(&cross);
        let from = point - a;
        let (s, across) = (from.dot(&cross) / determinant, from.cross(&u));
        let (t, along) = (direction.dot(&across) / determinant, v.dot(&across) / determinant);
        (s >= 0.0 && t >= 0.0 && s + t <= 1.0 && along.abs() < 0.1).then_some(along)
    };
    sheet.triangles().iter().filter_map(of_triangle).min_by(f64::total_cmp)
}

/// How deep the corners and upper edges of a box stand out of a sheet at most (m).
fn deepest_edge(sheet: &dyn DeformableBody, (center, frame): (&Vec3, &Mat3), half: &Vec3) -> f64 {
    let turned = |v: Vec3| center + frame * v;
    let mut deepest = f64::NEG_INFINITY;
    for side in [-1.0, 1.0] {
        for k in -40..=40 {
            let along = f64::from(k) / 40.0;
            for (x, y) in [(side, along), (along, side)] {
                let local = Vec3::new(x * half.x, y * half.y, half.z);
                let out = Vec3::new(
                    if x.abs() == 1.0 { x } else { 0.0 },
                    if y.abs() == 1.0 { y } else { 0.0 },
                    1.0,
                );
                let direction = (turned(out) - center).normalize();
                let height = height_of_sheet(sheet, &turned(local), &direction);
                deepest = deepest.max(-height.expect("the sheet covers the edge"));
            }
        }
    }
    deepest
}

/// A cloth of 15 × 15 vertices and half a metre.
fn cloth(height: f64) -> Cloth {
    let cloth = Cloth::grid([14, 14], [0.5, 0.5], ClothPreset::Cotton).expect("a cloth");
    moved(cloth, Vec3::new(0.011, 0.007, height))
}

fn damped() -> XpbdSettings {
    XpbdSettings { drag: 2.0, ..XpbdSettings::default() }
}

#[test]
fn a_cloth_covers_the_edges_and_corners_of_a_box() {
    // without friction at the box the cloth slides over its edges before it rests
    for friction in [0.1, 1.0] {
        let model = model(&format!(
            "<worldbody><geom type='plane' size='2 2 1'/>
             <geom type='box' size='.1 .08 .1' pos='0 0 .1' euler='0 0 20' friction='{friction}'/></worldbody>"
        ));
        let mut world = SoftWorld::default();
        world.add(cloth(0.23), damped());
        let mut data = Data::new(&model);
        run(&model, &mut world, &mut data, 1.0);
        let frame = Mat3::from_row_slice(&data.geom_xmat[1]);
        let (half, sheet) = (Vec3::new(0.1, 0.08, 0.1), world.body(0).expect("a sheet"));
        let deepest = deepest_edge(sheet, (&Vec3::new(0.0, 0.0, 0.1), &frame), &half);
        assert!(deepest < 1e-3, "an edge stands out by {deepest} m with friction {friction}");
        let lowest = sheet.particles().position.iter().fold(1.0, |z: f64, x| z.min(x.z));
        assert!(lowest < 0.1, "it hangs down to {lowest}");
    }
}

#[test]
fn a_cloth_covers_a_box_that_can_move() {
    let model = model(
        "<option timestep='.004'/><worldbody><geom type='plane' size='2 2 1'/>
         <body pos='0 0 .08'><freejoint/><geom type='box' size='.08 .08 .08' mass='.5'/></body></worldbody>",
    );
    let mut world = SoftWorld::default();
    let sheet = Cloth::grid([8, 8], [0.4, 0.4], ClothPreset::Membrane).expect("a sheet");
    world.add(moved(sheet, Vec3::new(0.011, 0.007, 0.17)), damped());
    let mut data = Data::new(&model);
    run(&model, &mut world, &mut data, 0.4);
    let frame = Mat3::from_row_slice(&data.xmat[1]);
    let sheet = world.body(0).expect("a sheet");
    let deepest = deepest_edge(sheet, (&Vec3::from(data.xpos[1]), &frame), &Vec3::repeat(0.08));
    assert!(deepest < 1e-3, "an edge stands out by {deepest} m");
    assert!((data.xpos[1][2] - 0.08).abs() < 2e-3, "the box stays on the floor");
}

/// One triangle of half a metre, flat around the origin.
fn triangle(height: f64) -> Cloth {
    let corner = |turn: f64| {
        let (sin, cos) = turn.to_radians().sin_cos();
        Vec3::new(0.3 * cos, 0.3 * sin, height)
    };
    let mesh = TriangleMesh::new(vec![corner(90.0), corner(210.0), corner(330.0)], vec![[0, 1, 2]]);
    Cloth::preset(mesh.expect("a mesh"), ClothPreset::Leather).expect("a triangle")
}

#[test]
fn a_triangle_rests_on_whatever_is_under_its_middle() {
    let assets = "<asset>
        <mesh name='tent' vertex='-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  0 0 1' scale='.1 .1 .1'/>
        <hfield name='hill' nrow='3' ncol='3' size='.1 .1 .1 .1' elevation='0 0 0 0 1 0 0 0 0'/></asset>";
    // all of these have their top at the origin
    let geoms = [
        "<geom type='sphere' size='.05' pos='0 0 -.05'/>",
        "<geom type='capsule' size='.005 .1' pos='0 0 -.105'/>",
        "<geom type='capsule' size='.005 .05' zaxis='1 0 0' pos='0 0 -.005'/>",
        "<geom type='cylinder' size='.01 .1' pos='0 0 -.1'/>",
        "<geom type='cylinder' size='.01 .1' zaxis='0 1 0' pos='0 0 -.01'/>",
        "<geom type='ellipsoid' size='.02 .03 .1' pos='0 0 -.1'/>",
        "<geom type='box' size='.03 .03 .1' pos='0 0 -.1'/>",
        "<geom type='box' size='.05 .05 .05' xyaxes='.8164966 0 .5773503 -.4082483 .7071068 .5773503' pos='0 0 -.0866025'/>",
        "<geom type='mesh' mesh='tent' pos='0 0 -.1'/>",
        "<geom type='hfield' hfield='hill' pos='0 0 -.1'/>",
    ];
    for geom in geoms {
        let model = model(&format!("{assets}<worldbody>{geom}</worldbody>"));
        let mut world = SoftWorld::default();
        world.add(triangle(0.02), XpbdSettings::default());
        let mut data = Data::new(&model);
        run(&model, &mut world, &mut data, 0.2);
        let position = &world.body(0).expect("a triangle").particles().position;
        let middle = (position[0] + position[1] + position[2]) / 3.0;
        // it may tip, but does not fall: freely it would be at -0.18
        assert!(middle.z > -0.01, "{geom}: its middle is at {}", middle.z);
    }
}

#[test]
fn a_thin_pole_does_not_pass_through_the_middle_of_a_triangle() {
    // a pole of a centimetre falls on end onto a sheet of large triangles, which is held at its rim
    for solver in ["Newton", "CG", "PGS"] {
        let model = model(&format!(
            "<option timestep='.002' solver='{solver}'/><worldbody><body pos='.06 .03 .21'><freejoint/>
             <geom type='capsule' size='.005 .1' mass='.02'/></body></worldbody>"
        ));
        let mut sheet = Cloth::grid([2, 2], [0.4; 2], ClothPreset::Rubber).expect("a sheet");
        for vertex in [0, 1, 2, 3, 5, 6, 7, 8] {
            sheet.particles_mut().pin(vertex).expect("a vertex");
        }
        let mut world = SoftWorld::default();
        world.add(sheet, damped());
        let mut data = Data::new(&model);
        for _ in 0..150 {
            world.step(&model, &mut data).expect("the step succeeds");
            let frame = Mat3::from_row_slice(&data.xmat[1]);
            let tip = Vec3::from(data.xpos[1]) - 0.1 * frame.column(2);
            let sheet = world.body(0).expect("a sheet");
            if let Some(height) = height_of_sheet(sheet, &tip, &Vec3::z()) {
                assert!(height < 0.0, "{solver}: after {} s the sheet is {height} above the tip", data.time);
            }
        }
        assert!(data.qvel[2] > -1.0, "{solver}: it does not fall freely");
    }
}

#[test]
fn a_ball_and_the_middle_of_a_triangle_exchange_momentum() {
    for cone in ["pyramidal", "elliptic"] {
        let model = model(&format!(
            "<option gravity='0 0 0' cone='{cone}'/><worldbody><body pos='.02 .05 .06'><freejoint/>
             <geom type='sphere' size='.05' mass='.3' friction='0'/></body></worldbody>"
        ));
        let mut data = Data::new(&model);
        data.qvel[2] = -1.0;
        let mut world = SoftWorld::default();
        let mut sheet = triangle(0.0);
        let material = kinetree_soft::Material { friction: 0.0, ..*sheet.material() };
        sheet = Cloth::new(sheet.mesh().clone(), material, 1.5e-3).expect("a triangle");
        world.add(sheet, XpbdSettings::default());
        let momentum = |data: &Data, world: &SoftWorld| {
            let particles = world.body(0).expect("a sheet").particles();
            let v = Vec3::new(data.qvel[0], data.qvel[1], data.qvel[2]);
            let x = Vec3::new(data.qpos[0], data.qpos[1], data.qpos[2]);
            (particles.momentum() + 0.3 * v, particles.angular_momentum() + 0.3 * x.cross(&v))
        };
        let before = momentum(&data, &world);
        run(&model, &mut world, &mut data, 0.1);
        let after = momentum(&data, &world);
        assert!(data.qvel[2] > -0.9, "the ball was slowed down to {}", data.qvel[2]);
        assert!((after.0 - before.0).norm() < 1e-9, "{cone}: linear {}", after.0 - before.0);
        // the ball's own spin is zero without friction
        assert!((after.1 - before.1).norm() < 1e-6, "{cone}: angular {}", after.1 - before.1);
    }
}

#[test]
fn a_rope_lies_over_the_edge_of_a_box() {
    let model = model("<worldbody><geom type='box' size='.05 .1 .05' pos='0 0 -.05'/></worldbody>");
    let ends = [-0.13, 0.13].map(|x| Vec3::new(x, 0.0, 0.02));
    // one segment on each side crosses an edge
    let rope = CapsuleChain::straight(ends[0], ends[1], 3, ChainPreset::SoftCable).expect("a rope");
    let mut world = SoftWorld::default();
    world.add(rope, damped());
    let mut data = Data::new(&model);
    run(&model, &mut world, &mut data, 0.5);
    let particles = world.body(0).expect("a rope").particles();
    for segment in particles.position.windows(2) {
        for side in [-0.05, 0.05] {
            let part = (side - segment[0].x) / (segment[1].x - segment[0].x);
            if (0.0..=1.0).contains(&part) {
                let z = segment[0].z + part * (segment[1].z - segment[0].z);
                assert!(z > 0.0, "it crosses the edge at {z}");
            }
        }
    }
}

#[test]
fn an_attached_vertex_touches_geoms_of_other_bodies() {
    // a plate without contacts of its own hangs on the vertices of a sheet that lies on a box
    let model = model(
        "<worldbody><geom type='box' size='.2 .2 .05' pos='0 0 -.05'/>
         <body name='carrier' pos='0 0 .03'><freejoint/><site name='center'/>
         <geom type='box' size='.1 .1 .01' mass='.5' contype='0' conaffinity='0'/></body></worldbody>
         <sensor><force site='center'/></sensor>",
    );
    let mut data = Data::new(&model);
    data.forward(&model).expect("the evaluation succeeds");
    let mut world = SoftWorld::default();
    let sheet = Cloth::grid([2, 2], [0.2; 2], ClothPreset::Leather).expect("a sheet");
    let sheet = world.add(moved(sheet, Vec3::new(0.0, 0.0, 0.02)), damped());
    for vertex in 0..9 {
        world.attach_to_body((sheet, vertex), &model, &data, 1).expect("an attachment");
    }
    run(&model, &mut world, &mut data, 1.0);
    let height = data.xpos[1][2];
    assert!((height - 0.01).abs() < 2e-3, "the plate rests on the attached sheet, at {height}");
    assert!(data.qvel.iter().all(|v| v.abs() < 1e-3), "at rest");
    // what holds it up is part of the forces on it: nothing is left for its joint
    let force = Vec3::from_column_slice(&data.sensordata).norm();
    assert!(force < 1e-2 * 0.5 * 9.81, "the joint carries {force} N");
}

#[cfg(feature = "parallel")]
#[test]
fn contacts_of_edges_and_faces_have_the_same_bits_on_any_number_of_threads() {
    let model = model(
        "<worldbody><geom type='plane' size='2 2 1'/><geom type='box' size='.1 .1 .1' pos='-.1 0 .1'/>
         <body pos='.1 0 .08'><freejoint/><geom type='box' size='.05 .08 .08' mass='.5'/></body></worldbody>",
    );
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut world = SoftWorld::default();
            world.add(cloth(0.21), damped());
            let mut data = Data::new(&model);
            run(&model, &mut world, &mut data, 0.2);
            world.state(&model, &data).expect("a state")
        })
    };
    let one = run(1);
    for threads in [2, 3] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_geom_that_grows_at_run_time_is_touched_where_it_is() {
    let text = "<option gravity='0 0 0'/><worldbody><geom type='box' size='.1 .1 .1'/></worldbody>";
    let mut model = model(text);
    let mesh = TriangleMesh::grid([6; 2], [0.2; 2]).expect("a grid");
    let sheet = Cloth::preset(mesh, ClothPreset::Cotton).expect("a cloth");
    let mut world = SoftWorld::default();
    let sheet = world.add(moved(sheet, Vec3::new(0.0, 0.0, 0.19)), XpbdSettings::default());
    let mut data = Data::new(&model);
    let lowest = |world: &SoftWorld| {
        let particles = world.body(sheet).expect("a sheet").particles();
        particles.position.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)
    };
    run(&model, &mut world, &mut data, 0.004);
    assert!((lowest(&world) - 0.19).abs() < 1e-9, "nothing touches it: {}", lowest(&world));
    model.geom_size[0] = [0.2; 3];
    model.geom_rbound[0] = 0.2 * 3f64.sqrt();
    run(&model, &mut world, &mut data, 0.1);
    assert!(lowest(&world) > 0.199, "it is pushed out of the box: {}", lowest(&world));
}
