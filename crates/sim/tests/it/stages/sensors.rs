//! Sensors against what the same quantities are elsewhere.

use super::{all_close, close, forward, load, shake, start};
use kinetree_model::{Data, Model};

const RIG: &str = r#"<mujoco><option gravity="0 0 -9.81"><flag energy="enable"/></option><worldbody>
    <site name="world" pos="0.3 0.2 0.1" euler="5 6 7"/>
    <body name="base" pos="0 0 1"><joint name="ball" type="ball"/><geom type="box" size="0.1 0.2 0.05" contype="0"/>
      <body name="arm" pos="0.3 0 0"><joint name="hinge" axis="0 1 0.2"/><geom name="bar" type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" contype="0"/>
        <site name="tip" pos="0.3 0 0.1" euler="10 20 30"/></body></body></worldbody>
    <sensor><gyro site="tip"/><velocimeter site="tip"/><accelerometer site="tip"/>
      <framepos objtype="site" objname="tip" reftype="site" refname="world"/>
      <framelinvel objtype="site" objname="tip" reftype="site" refname="world"/>
      <subtreecom body="base"/><subtreelinvel body="base"/><subtreeangmom body="base"/>
      <jointpos joint="hinge"/><jointvel joint="hinge"/><ballquat joint="ball"/><ballangvel joint="ball"/>
      <e_kinetic/><e_potential/><clock/><framexaxis objtype="site" objname="tip"/></sensor></mujoco>"#;

fn sensordata_of<'d>(model: &Model, data: &'d Data, sensor: usize) -> &'d [f64] {
    let start = model.sensor_adr[sensor] as usize;
    &data.sensordata[start..start + model.sensor_dim[sensor] as usize]
}

/// `Rᵀ v` for a row-major rotation.
fn into_frame(mat: &[f64; 9], v: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|j| mat[3 * j + i] * v[j]).sum())
}

#[test]
fn momenta_are_sums_over_bodies() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    for seed in 1..4 {
        shake(&model, &mut data, seed);
        let (mut mass, mut com, mut momentum) = (0.0, [0.0; 3], [0.0; 3]);
        let mut velocities = Vec::new();
        for body in 1..model.nbody {
            let v = kinetree_sim::mj_object_velocity(&model, &data, 1, body as i32, false).unwrap();
            velocities.push(v);
            mass += model.body_mass[body];
            for i in 0..3 {
                com[i] += model.body_mass[body] * data.xipos[body][i];
                momentum[i] += model.body_mass[body] * v[3 + i];
            }
        }
        let com = com.map(|x| x / mass);
        all_close(sensordata_of(&model, &data, 5), &com, 1e-12);
        all_close(sensordata_of(&model, &data, 6), &momentum.map(|p| p / mass), 1e-12);
        // L = Σ I ω + m (r − c) × (v − v_c)
        let mut spin = [0.0; 3];
        for (body, v) in (1..model.nbody).zip(&velocities) {
            let omega = [v[0], v[1], v[2]];
            let local = into_frame(&data.ximat[body], &omega);
            for i in 0..3 {
                for j in 0..3 {
                    spin[i] += data.ximat[body][3 * i + j] * model.body_inertia[body][j] * local[j];
                }
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let r = |n: usize| data.xipos[body][n] - com[n];
                let u = |n: usize| v[3 + n] - momentum[n] / mass;
                spin[i] += model.body_mass[body] * (r(j) * u(k) - r(k) * u(j));
            }
        }
        all_close(sensordata_of(&model, &data, 7), &spin, 1e-11);
    }
}

#[test]
fn values_of_joints_energies_and_the_clock_are_the_fields_themselves() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    data.time = 0.25;
    shake(&model, &mut data, 5);
    assert_eq!(sensordata_of(&model, &data, 8), &data.qpos[4..5]);
    assert_eq!(sensordata_of(&model, &data, 9), &data.qvel[3..4]);
    all_close(sensordata_of(&model, &data, 10), &data.qpos[0..4], 1e-15);
    assert_eq!(sensordata_of(&model, &data, 11), &data.qvel[0..3]);
    close(sensordata_of(&model, &data, 12)[0], data.energy[1], 1e-12);
    close(sensordata_of(&model, &data, 13)[0], data.energy[0], 1e-12);
    assert_eq!(sensordata_of(&model, &data, 14), &[0.25]);
    let mat = data.site_xmat[1];
    all_close(sensordata_of(&model, &data, 15), &[mat[0], mat[3], mat[6]], 1e-15);
}

#[test]
fn frames_are_seen_from_the_reference_frame() {
    let model = load(RIG);
    let mut data = Data::new(&model);
    shake(&model, &mut data, 2);
    let relative: [f64; 3] = std::array::from_fn(|i| data.site_xpos[1][i] - data.site_xpos[0][i]);
    all_close(sensordata_of(&model, &data, 3), &into_frame(&data.site_xmat[0], &relative), 1e-12);
    // the reference does not move: the velocity is that of the velocimeter in other axes
    let local = sensordata_of(&model, &data, 1).to_vec();
    let global: [f64; 3] =
        std::array::from_fn(|i| (0..3).map(|j| data.site_xmat[1][3 * i + j] * local[j]).sum());
    all_close(sensordata_of(&model, &data, 4), &into_frame(&data.site_xmat[0], &global), 1e-12);
}

#[test]
fn an_accelerometer_at_rest_feels_its_weight() {
    let (model, mut data) = super::start(
        r#"<mujoco><worldbody><body euler="30 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.1"/><site name="s"/></body></worldbody>
           <sensor><accelerometer site="s"/><gyro site="s"/></sensor></mujoco>"#,
    );
    forward(&model, &mut data);
    let g = 9.81;
    all_close(&data.sensordata[..3], &[0.0, g * 0.5, g * 30f64.to_radians().cos()], 1e-12);
    assert_eq!(&data.sensordata[3..], &[0.0; 3]);
}

/// Two bodies of four geoms each, at a distance or inside each other.
fn clusters(gap: f64) -> (Model, Data) {
    let shapes = [
        "type='capsule' size='.05 .1'",
        "type='box' size='.05 .06 .07'",
        "type='ellipsoid' size='.05 .06 .08'",
        "size='.06'",
    ];
    let body = |name: &str, x: f64| {
        let geoms: String = (0..4)
            .map(|i| {
                format!(
                    "<geom {} pos='{} {} {}' euler='{} 35 {}'/>",
                    shapes[i],
                    0.1 * i as f64,
                    0.13 * (i % 3) as f64,
                    0.2 * (i % 2) as f64,
                    20 * i,
                    7 * i
                )
            })
            .collect();
        format!("<body name='{name}' pos='{x} 0.02 0'><freejoint/>{geoms}</body>")
    };
    super::start(&format!(
        "<mujoco><worldbody>{}{}</worldbody><sensor><distance body1='a' body2='b' cutoff='5'/><normal body1='a' body2='b' cutoff='5'/>
         <fromto body1='a' body2='b' cutoff='5'/><distance body1='a' body2='b' cutoff='0.01'/></sensor></mujoco>",
        body("a", 0.0),
        body("b", gap)
    ))
}

#[test]
fn a_distance_between_bodies_is_that_of_their_nearest_geoms() {
    for gap in [0.1, 0.32, 0.5, 1.0, 3.0] {
        let (model, mut data) = clusters(gap);
        let mut nearest = (5.0, [0.0; 3], [0.0; 3]);
        for geom1 in 0..4 {
            for geom2 in 4..8 {
                let found = kinetree_sim::mj_geom_distance(&model, &mut data, geom1, geom2, 5.0).unwrap();
                if found.0 < nearest.0 {
                    nearest = found;
                }
            }
        }
        let (distance, from, to) = nearest;
        close(sensordata_of(&model, &data, 0)[0], distance, 1e-9);
        all_close(sensordata_of(&model, &data, 2), &[from, to].concat(), 1e-6);
        let normal: Vec<f64> = (0..3).map(|i| (to[i] - from[i]) / distance.abs()).collect();
        all_close(sensordata_of(&model, &data, 1), &normal, 1e-6);
        // the cutoff bounds both signs
        close(sensordata_of(&model, &data, 3)[0], distance.clamp(-0.01, 0.01), 1e-9);
    }
}

/// Of two pairs at the same distance the first counts, whichever has the smaller bounding spheres.
#[test]
fn of_equally_near_geoms_the_first_counts() {
    let (model, data) = super::start(
        "<mujoco><worldbody><body name='a'><freejoint/><geom size='0.1'/></body><body name='b'>
           <geom type='box' size='0.1 0.3 0.3' pos='0.5 0 0'/><geom size='0.1' pos='-0.5 0 0'/><geom type='plane' size='1 1 1' pos='0 0 -1'/>
         </body></worldbody>
         <sensor><distance body1='a' body2='b' cutoff='5'/><fromto body1='a' body2='b' cutoff='5'/></sensor></mujoco>",
    );
    close(sensordata_of(&model, &data, 0)[0], 0.3, 1e-12);
    all_close(sensordata_of(&model, &data, 1), &[0.1, 0.0, 0.0, 0.4, 0.0, 0.0], 1e-12);
}

/// A point in the plane of a camera has no image; its coordinates are finite and tell the side by their sign.
#[test]
fn a_point_beside_a_camera_projects_far_away() {
    let pixels = |z: f64| {
        let (_, data) = start(&format!(
            r#"<mujoco><worldbody><camera name="c" resolution="640 480" fovy="45"/><site name="s" pos="0.1 0.2 {z}"/>
               <body><joint/><geom size="1"/></body></worldbody><sensor><camprojection site="s" camera="c"/></sensor></mujoco>"#
        ));
        [data.sensordata[0], data.sensordata[1]]
    };
    // the reference's numbers
    all_close(&pixels(1e-16), &[-5.794112549695425e16, 1.1588225099390859e17], 1e-12);
    all_close(&pixels(-1e-16), &[5.794112549695432e16, -1.1588225099390853e17], 1e-12);
}

/// Rays of an orthographic camera are parallel, and spread evenly over the height of the image.
#[test]
fn parallel_rays_measure_a_slope() {
    let (_, data) = start(
        r#"<mujoco><worldbody><geom type="plane" size="0 0 1" euler="20 0 0"/>
           <body pos="0 0 2"><joint type="slide"/><geom size="0.1" mass="1" pos="0 0 9"/>
             <camera name="c" projection="orthographic" fovy="1.2" resolution="3 4"/></body></worldbody>
           <sensor><rangefinder camera="c"/></sensor></mujoco>"#,
    );
    let slope = 20.0f64.to_radians().tan();
    for (pixel, &distance) in data.sensordata.iter().enumerate() {
        let row = (pixel / 3) as f64;
        let y = 1.2 * (0.5 - (row + 0.5) / 4.0);
        close(distance, 2.0 - slope * y, 1e-12);
    }
}
