//! Derivatives where geoms touch along more than a point, and of contacts that begin softly.

use super::load;
use super::transition::{check, check_products, shaken};
use kinetree_model::{Data, Model};
use kinetree_sim::{DerivativeError, mj_integrate_pos, mj_step, mjd_transition, smooth_contacts};

/// A model whose solver and searches run to convergence.
fn exact(xml: &str) -> Model {
    let mut model = load(xml);
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model
}

/// A body that falls onto a support until it touches in at least so many points.
fn fallen(assets: &str, support: &str, body: &str, least: usize) -> (Model, Data) {
    let model = exact(&format!(
        r#"<mujoco><asset>{assets}</asset><worldbody>{support}<body name="fallen"><freejoint/>{body}</body></worldbody></mujoco>"#
    ));
    let mut data = shaken(&model, 5, 1);
    while data.ncon < least {
        mj_step(&model, &mut data).unwrap();
        assert!(data.time < 5.0, "{body} should touch in {least} points");
    }
    (model, data)
}

const CUBE: &str = r#"<mesh name="cube" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1" scale="0.1 0.12 0.08"/>"#;

#[test]
fn geoms_that_lie_on_each_other() {
    let table = r#"<geom type="box" size="0.5 0.5 0.1" pos="0 0 -0.1" euler="2 -3 0"/>"#;
    let slab = r#"<geom type="mesh" mesh="slab" pos="0 0 -0.2" euler="2 -3 0"/>"#;
    let slab_mesh = CUBE.replace("cube", "slab").replace("0.1 0.12 0.08", "0.5 0.5 0.2");
    let meshes = format!("{CUBE}{slab_mesh}");
    for (support, body, least) in [
        (table, r#"<geom type="mesh" mesh="cube" pos="0 0 0.09"/>"#, 3),
        (slab, r#"<geom type="mesh" mesh="cube" pos="0 0 0.09"/>"#, 3),
        (table, r#"<geom type="capsule" size="0.05 0.1" pos="0 0 0.06" euler="90 0 0"/>"#, 2),
    ] {
        let (model, mut data) = fallen(&meshes, support, body, least);
        check(&model, &mut data);
        check_products(&model, &mut data);
    }
}

#[test]
fn height_fields() {
    let rough = r#"<hfield name="rough" nrow="4" ncol="4" size="0.4 0.4 0.1 0.1"
        elevation="0 1 0 2 1 0 2 0 0 2 1 1 2 0 1 0"/>"#;
    let support = r#"<geom type="hfield" hfield="rough"/>"#;
    for body in [
        r#"<geom type="sphere" size="0.1" pos="0.05 0.02 0.2"/>"#,
        r#"<geom type="capsule" size="0.05 0.1" pos="0.05 0.02 0.2" euler="80 0 0"/>"#,
    ] {
        let (model, mut data) = fallen(rough, support, body, 1);
        check(&model, &mut data);
    }
}

#[test]
fn edges_of_boxes_with_several_points() {
    let support = r#"<geom type="box" size="0.2 0.2 0.1" pos="0 0 -0.1" euler="0 3 0"/>"#;
    let body = r#"<geom type="box" size="0.15 0.25 0.05" pos="0.1 0 0.06"/>"#;
    let (model, data) = fallen("", support, body, 2);
    let mut tilted = 0;
    let mut moving = data.clone();
    for _ in 0..40 {
        mj_step(&model, &mut moving).unwrap();
        if moving.ncon > 1 {
            tilted += 1;
            check(&model, &mut moving.clone());
        }
    }
    assert!(tilted > 0, "the box should touch in several points");
}

/// A search that tilts geoms to find more points does so about axes that follow the world: when the pair
/// rotates as one, its points do not.
#[test]
fn tilted_searches_of_a_pair_that_rotates() {
    let model = exact(
        r#"<mujoco><worldbody><body euler="20 30 40"><freejoint/><geom type="box" size="0.1 0.1 0.05"/>
        <body><joint type="slide" axis="0 0 1"/><geom size="0.01" pos="0.5 0 0"/>
        <body pos="0 0 0.13"><joint type="ball"/><geom type="cylinder" size="0.06 0.08" euler="2 1 0"/></body>
        </body></body></worldbody></mujoco>"#,
    );
    let mut data = Data::new(&model);
    for (k, v) in data.qvel.iter_mut().enumerate() {
        *v = 0.1 * (k as f64 - 4.0);
    }
    check(&model, &mut data);
    assert!(data.ncon > 1, "the search should find several points");
}

/// A geom that stands on a large disk, tilted by less than the search tilts it, and moves.
fn on_disk(geom: &str, height: f64) -> (Model, Data) {
    let model = exact(&format!(
        r#"<mujoco><worldbody><geom type="cylinder" size="0.3 0.1" pos="0 0 -0.1"/>
        <body pos="0 0 {height}" euler="0.003 0.005 20"><freejoint/><geom {geom}/></body></worldbody></mujoco>"#
    ));
    let mut data = Data::new(&model);
    for (k, v) in data.qvel.iter_mut().enumerate() {
        *v = 0.1 * (k as f64 - 2.0);
    }
    (model, data)
}

/// Features of the tilted geoms decide how their points move: nothing is asked of the narrow phase, which has
/// kinks nearby.
#[test]
fn corners_of_a_box_that_is_tilted() {
    let (model, mut data) = on_disk(r#"type="box" size="0.06 0.05 0.08""#, 0.0799);
    check(&model, &mut data);
    assert_eq!((data.ncon, data.derivative_kinks.number), (4, 0));
}

/// Each of the four tilts gives a point of the rim. Along the disk the cylinder moves as one with its
/// contacts, so that its velocities do not change; the points that the search finds on a rim are less
/// accurate.
#[test]
fn rim_of_a_cylinder_that_is_tilted() {
    let (model, mut data) = on_disk(r#"type="cylinder" size="0.06 0.08""#, 0.0799);
    let (nv, nx) = (model.nv, 2 * model.nv);
    let mut a = vec![0.0; nx * nx];
    mjd_transition(&model, &mut data, Some(&mut a), None, None, None).unwrap();
    assert_eq!((data.ncon, data.derivative_kinks.number), (5, 0));
    for row in nv..nx {
        assert!(a[row * nx].abs() < 1e-9 && a[row * nx + 1].abs() < 1e-9, "{row}");
    }
    assert!(a[(nv + 2) * nx + 2] < -1.0, "the disk should push the cylinder");
}

/// With the usual tolerance, the normal that a search finds on the face of a box leans by more than rounding.
/// It is fixed to the face nevertheless: along the box an ellipsoid moves as one with its contact, as far as
/// the normal does not lean.
#[test]
fn ellipsoid_on_a_box_with_the_usual_tolerance() {
    let mut model = exact(
        r#"<mujoco><worldbody><geom type="box" size="0.28 0.45 0.1" pos="0.55 0 0.1"/>
        <body pos="0.5 -0.14 0.24"><freejoint/><geom type="ellipsoid" size="0.024 0.024 0.034" condim="6"/></body>
        </worldbody></mujoco>"#,
    );
    model.opt.ccd_tolerance = 1e-6;
    let (nv, nx) = (model.nv, 2 * model.nv);
    let (mut a, mut leaning) = (vec![0.0; nx * nx], 0);
    let mut data = Data::new(&model);
    data.qvel[3] = 0.3;
    for _ in 0..200 {
        mj_step(&model, &mut data).unwrap();
        let [x, y, ..] = data.contact.first().map_or([0.0; 9], |contact| contact.frame);
        let lean = x.hypot(y);
        if data.ncon == 0 || lean < 1e-6 {
            continue;
        }
        let mut moved = data.clone();
        mjd_transition(&model, &mut moved, Some(&mut a), None, None, None).unwrap();
        let [x, y, ..] = moved.contact[0].frame;
        let lean = x.hypot(y);
        leaning += usize::from(lean > 1e-6);
        assert_eq!(moved.derivative_kinks.number, 0);
        for row in nv..nx {
            let [along_x, along_y, up] = [0, 1, 2].map(|input| a[row * nx + input].abs());
            assert!(along_x.max(along_y) <= 1e-9 + 2.0 * lean * up, "{along_x} {along_y} {up} {lean}");
        }
    }
    assert!(leaning > 0, "a normal should lean");
}

/// The normal is arbitrary there and jumps with any motion across it: the derivative is that of one side.
#[test]
fn spheres_about_one_centre_are_at_a_kink() {
    let (model, _) =
        fallen("", r#"<geom size="0.1"/>"#, r#"<geom size="0.1"/><geom size="0.05" pos="1 0 0"/>"#, 0);
    let mut data = Data::new(&model);
    let (nv, nx) = (model.nv, 2 * model.nv);
    let mut a = vec![0.0; nx * nx];
    mjd_transition(&model, &mut data, Some(&mut a), None, None, None).unwrap();
    assert_eq!((data.derivative_kinks.number, data.derivative_kinks.lastinfo), (1, 1));
    let normal = data.contact[0].frame[0];
    assert_eq!(normal.abs(), 1.0);
    let speeds = |by: f64| {
        let mut moved = Data::new(&model);
        moved.qpos[0] += by;
        mj_step(&model, &mut moved).unwrap();
        moved.qvel.to_vec()
    };
    let step = 1e-6 * normal;
    for (dof, (after, before)) in speeds(step).iter().zip(&speeds(0.0)).enumerate() {
        let (found, expected) = (a[(nv + dof) * nx], (after - before) / step);
        assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{dof}: {found} {expected}");
    }
}

/// Two spheres about one centre that rotate together: the normal is a direction of the world and does not
/// rotate.
#[test]
fn spheres_about_one_centre_that_rotate_together() {
    let model = exact(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/><geom size="0.2" pos="0 0 1" contype="0" conaffinity="0"/>
        <body><joint type="ball" pos="1 0 0"/><geom size="0.15"/></body>
        <body><joint axis="0 1 0" type="slide"/><geom size="0.15"/></body></body></worldbody></mujoco>"#,
    );
    let mut data = Data::new(&model);
    let (nv, nx) = (model.nv, 2 * model.nv);
    let mut a = vec![0.0; nx * nx];
    mjd_transition(&model, &mut data, Some(&mut a), None, None, None).unwrap();
    assert_eq!(data.ncon, 1);
    let speeds = |rotation: usize, by: f64| {
        let (mut moved, mut velocity) = (Data::new(&model), vec![0.0; nv]);
        velocity[rotation] = 1.0;
        mj_integrate_pos(&model, &mut moved.qpos, &velocity, by);
        mj_step(&model, &mut moved).unwrap();
        moved.qvel.to_vec()
    };
    for rotation in 3..6 {
        let (plus, minus) = (speeds(rotation, 1e-6), speeds(rotation, -1e-6));
        for dof in 0..nv {
            let (found, expected) = (a[(nv + dof) * nx + rotation], (plus[dof] - minus[dof]) / 2e-6);
            assert!(
                (found - expected).abs() < 1e-5 * expected.abs().max(1.0),
                "{rotation} {dof}: {found} {expected}"
            );
        }
    }
}

/// A ball joint at the common end of two capsules: the normal of their contact is arbitrary, and no torque
/// about the joint follows from it.
#[test]
fn capsules_with_a_common_end() {
    let model = exact(
        r#"<mujoco><worldbody><body pos="0 0 0.2" euler="45 45 45">
        <geom type="capsule" size="0.02" fromto="0 0 0 0.1 0 0"/>
        <body pos="0.1 0 0"><joint type="ball" damping="0.01"/><geom type="capsule" size="0.02" fromto="0 0 0 0.1 0 0"/>
        </body></body></worldbody></mujoco>"#,
    );
    let mut data = shaken(&model, 1, 20);
    check(&model, &mut data);
    assert_eq!(data.ncon, 1);
}

#[test]
fn trees_that_are_awake() {
    let model = exact(
        r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.3"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.1"/></body></worldbody></mujoco>"#,
    );
    check(&model, &mut shaken(&model, 1, 20));
    let mut resting = Data::new(&model);
    resting.qpos[2] = 0.1;
    while resting.tree_asleep[0] < 0 {
        mj_step(&model, &mut resting).unwrap();
        assert!(resting.time < 20.0, "the body should fall asleep");
    }
    let nx = 2 * model.nv;
    let refused = mjd_transition(&model, &mut resting, Some(&mut vec![0.0; nx * nx]), None, None, None);
    assert!(
        matches!(refused, Err(DerivativeError::Unsupported(what)) if what.contains("sleeps")),
        "{refused:?}"
    );
}

/// A ball at some height over a plane, which does not rotate.
fn over_plane(height: f64) -> (Model, Data) {
    let model = exact(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><geom size="0.1"/></body></worldbody></mujoco>"#,
    );
    let mut data = Data::new(&model);
    data.qpos[0] = 0.1 + height;
    data.qvel.copy_from_slice(&[-0.2, 0.1]);
    (model, data)
}

/// Derivative of the next velocity along the normal by the height.
fn pull(model: &Model, data: &mut Data) -> f64 {
    let nx = 2 * model.nv;
    let mut a = vec![0.0; nx * nx];
    mjd_transition(model, data, Some(&mut a), None, None, None).unwrap();
    a[model.nv * nx]
}

#[test]
fn smooth_contacts_are_felt_before_they_touch() {
    const RADIUS: f64 = 0.02;
    for height in [0.015, 0.005, -0.001, -0.015] {
        let (mut model, mut data) = over_plane(height);
        let hard = pull(&model, &mut data);
        assert_eq!(hard != 0.0, height < 0.0);
        smooth_contacts(&mut model, RADIUS).unwrap();
        assert!(pull(&model, &mut data) != 0.0);
        check(&model, &mut data);
    }
    // no jump where the surfaces meet, and almost none where the contact begins
    let derivative = |height: f64| {
        let (mut model, mut data) = over_plane(height);
        smooth_contacts(&mut model, RADIUS).unwrap();
        pull(&model, &mut data)
    };
    let scale = derivative(0.0).abs();
    assert!((derivative(1e-7) - derivative(-1e-7)).abs() < 1e-4 * scale);
    assert_eq!(derivative(RADIUS + 1e-9), 0.0);
    assert!(derivative(RADIUS - 1e-9).abs() < 0.02 * scale, "{} of {scale}", derivative(RADIUS - 1e-9));
    let (mut model, _) = over_plane(0.0);
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = smooth_contacts(&mut model, radius);
        assert!(matches!(refused, Err(DerivativeError::Radius(_))), "{radius}");
    }
}

/// Many trees: balls that fall onto each other, a tendon and actuators between trees that are not neighbours.
fn forest(integrator: &str) -> Model {
    let tree = |k: usize| {
        let (x, z) = (0.25 * (k / 2) as f64, 0.11 + 0.21 * (k % 2) as f64);
        format!(
            r#"<body pos="{x} 0 {z}"><freejoint/><geom size="0.1"/><site name="s{k}" pos="0.05 0 0"/>
               <body pos="0 0.15 0"><joint name="j{k}" axis="1 0 0" damping="0.01"/><geom type="capsule" size="0.03 0.05"/></body></body>"#
        )
    };
    let trees: String = (0..10).map(tree).collect();
    exact(&format!(
        r#"<mujoco><option integrator="{integrator}" jacobian="sparse"/><worldbody><geom type="plane" size="3 3 1"/>{trees}</worldbody>
        <tendon><spatial stiffness="5"><site site="s1"/><site site="s6"/></spatial></tendon>
        <actuator><general joint="j4" dyntype="filter" dynprm="0.1" gainprm="0.1"/><motor joint="j0" gear="0.1"/>
          <motor joint="j8" gear="0.1"/></actuator></mujoco>"#
    ))
}

#[test]
fn trees_that_are_tied_and_separate() {
    for integrator in ["Euler", "implicitfast"] {
        let model = forest(integrator);
        let mut data = shaken(&model, 3, 0);
        let mut ties = Vec::new();
        for _ in 0..4 {
            check(&model, &mut data);
            check_products(&model, &mut data);
            ties.push(data.ncon);
            (0..40).for_each(|_| mj_step(&model, &mut data).unwrap());
        }
        ties.dedup();
        assert!(ties.len() > 1, "contacts should come and go: {ties:?}");
    }
}
