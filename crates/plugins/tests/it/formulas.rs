//! The plugins against closed-form results.

use kinetree_math::Vec3;
use kinetree_math::field::{GRADIENT_STEP, SignedDistance};
use kinetree_model::plugin::{Plugin, PluginConfig};
use kinetree_model::{Data, Model};
use kinetree_plugins::{Bolt, Bowl, Gear, Nut, Torus};
use kinetree_spec::load_model_str;
use std::sync::Arc;

/// A mass on a slider with a PD controller is a damped oscillator: its step response is known.
#[test]
fn pd_control_of_a_mass_is_a_damped_oscillator() {
    let (kp, kd, mass) = (40.0_f64, 3.0_f64, 0.8_f64);
    let model = load_model_str(&format!(
        "<mujoco><extension><plugin plugin='mujoco.pid'/></extension>
           <option timestep='0.001' gravity='0 0 0' integrator='RK4'/>
           <worldbody><body><joint name='j' type='slide' axis='1 0 0'/><geom size='0.1' mass='{mass}'/></body></worldbody>
           <actuator><plugin joint='j' plugin='mujoco.pid'>
             <config key='kp' value='{kp}'/><config key='kd' value='{kd}'/></plugin></actuator></mujoco>"
    ))
    .unwrap();
    let mut data = Data::new(&model);
    data.ctrl[0] = 0.5;
    data.steps(&model, 700).unwrap();
    let decay = kd / (2.0 * mass);
    let omega = (kp / mass - decay * decay).sqrt();
    let t = data.time;
    let exact = 0.5 * (1.0 - (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin()));
    assert!((data.qpos[0] - exact).abs() < 1e-9, "{} {exact}", data.qpos[0]);
}

/// With an integral part the error vanishes under a constant load, and the integral carries the load.
#[test]
fn the_integral_carries_a_constant_load() {
    let text = |imax: &str| {
        format!(
            "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><option timestep='0.002'/>
               <worldbody><body><joint name='j' type='slide' axis='0 0 1' damping='1'/><geom size='0.1' mass='1'/></body></worldbody>
               <actuator><plugin joint='j' plugin='mujoco.pid' actdim='1'>
                 <config key='kp' value='60'/><config key='kd' value='12'/><config key='ki' value='40'/>{imax}
               </plugin></actuator></mujoco>"
        )
    };
    let settle = |model: &Model| {
        let mut data = Data::new(model);
        data.ctrl[0] = 0.3;
        data.steps(model, 20_000).unwrap();
        data
    };
    let data = settle(&load_model_str(&text("")).unwrap());
    assert!((data.qpos[0] - 0.3).abs() < 1e-9 && (data.act[0] * 40.0 - 9.81).abs() < 1e-6);
    // a limit on the force of the integral leaves the rest to the error
    let data = settle(&load_model_str(&text("<config key='imax' value='4'/>")).unwrap());
    assert!((data.qpos[0] - (0.3 - 5.81 / 60.0)).abs() < 1e-9, "{}", data.qpos[0]);
}

/// Where the end of an elastica is: a rod of unit bending stiffness and of a length that is clamped along x
/// and whose end is pulled across with a force. Its slope `φ` obeys `φ'' = −P cos φ` with `φ(0) = φ'(L) = 0`;
/// the curvature at the clamp is found by bisection.
fn elastica_end(length: f64, force: f64) -> [f64; 2] {
    const STEPS: usize = 2000;
    let h = length / STEPS as f64;
    let shoot = |curvature: f64| {
        // slope, curvature, and the position along and across
        let derivatives = |s: [f64; 4]| [s[1], -force * s[0].cos(), s[0].cos(), s[0].sin()];
        let ahead = |s: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
        let mut state = [0.0, curvature, 0.0, 0.0];
        for _ in 0..STEPS {
            let k1 = derivatives(state);
            let k2 = derivatives(ahead(state, k1, h / 2.0));
            let k3 = derivatives(ahead(state, k2, h / 2.0));
            let k4 = derivatives(ahead(state, k3, h));
            state = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        state
    };
    let (mut low, mut high) = (0.0, force * length);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if shoot(middle)[1] > 0.0 { high = middle } else { low = middle }
    }
    let [_, _, along, across] = shoot(high);
    [along, across]
}

/// A cable that is held at one end and pulled aside at the other is an elastica. The rotation between two
/// links stands for the curvature from the middle of one to the middle of the other, so the rod reaches from
/// the middle of the first link to that of the last, where the force acts.
#[test]
fn a_cable_under_load_is_an_elastica() {
    let (links, radius, force) = (20, 0.01_f64, 3.0);
    let bend = 1.0 / (std::f64::consts::PI * radius.powi(4) / 4.0);
    let model = load_model_str(&format!(
        "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'/></extension>
           <option timestep='0.01' gravity='0 0 0'/>
           <worldbody><composite type='cable' prefix='c' curve='s' count='{} 1 1' size='1' initial='none'>
             <plugin plugin='mujoco.elasticity.cable'><config key='twist' value='{bend}'/><config key='bend' value='{bend}'/></plugin>
             <joint kind='main' damping='4'/><geom type='capsule' size='{radius}' contype='0' conaffinity='0'/>
           </composite></worldbody></mujoco>",
        links + 1
    ))
    .unwrap();
    let length = (links - 1) as f64 / links as f64;
    for load in [0.3 * force, force, 3.0 * force] {
        let mut data = Data::new(&model);
        data.xfrc_applied[links][2] = -load;
        data.steps(&model, 2000).unwrap();
        let fastest = data.qvel.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(fastest < 1e-4, "it still moves: {fastest}");
        let end: [f64; 3] = std::array::from_fn(|k| data.xipos[links][k] - data.xipos[1][k]);
        let [along, across] = elastica_end(length, load);
        let error = (end[0] - along).hypot(end[2] + across);
        assert!(error < 0.01 * across && end[1].abs() < 1e-9, "{load} N: {end:?}, elastica {along} {across}");
    }
}

fn field(plugin: &dyn Plugin, pairs: &[(&str, &str)]) -> Arc<dyn SignedDistance> {
    let config = PluginConfig::new(plugin.attributes(), pairs.iter().copied()).unwrap();
    plugin.field(&config).unwrap().distance
}

/// Points all over a cube, none on an axis.
fn points() -> impl Iterator<Item = Vec3> {
    (0..2000).map(|i| {
        let x = |k: f64| ((f64::from(i) + 0.37) * k).fract() * 3.0 - 1.5;
        Vec3::new(x(0.754_877_666), x(0.569_840_291), x(0.430_159_709))
    })
}

#[test]
fn the_torus_is_at_its_distance_from_a_circle() {
    let torus = field(&Torus, &[("radius1", "0.7"), ("radius2", "0.2")]);
    for p in points() {
        let on_circle = Vec3::new(p.x, p.y, 0.0).normalize() * 0.7;
        let (distance, gradient) = torus.distance_and_gradient(&p);
        assert!((distance - ((p - on_circle).norm() - 0.2)).abs() < 1e-9);
        assert!((gradient - (p - on_circle).normalize()).norm() < 1e-9);
        assert_eq!(distance, torus.distance(&p));
    }
}

#[test]
fn the_bowl_is_at_its_distance_from_a_cap() {
    let (height, radius, thickness) = (0.3_f64, 0.9_f64, 0.05_f64);
    let bowl = field(&Bowl, &[("height", "0.3"), ("radius", "0.9"), ("thickness", "0.05")]);
    let rim = (radius * radius - height * height).sqrt();
    for p in points() {
        let nearest_on_sphere = p.normalize() * radius;
        let nearest = if nearest_on_sphere.z <= height {
            nearest_on_sphere
        } else {
            let out = Vec3::new(p.x, p.y, 0.0).normalize() * rim;
            Vec3::new(out.x, out.y, height)
        };
        assert!((bowl.distance(&p) - ((p - nearest).norm() - thickness)).abs() < 1e-9, "{p:?}");
    }
}

/// Positive distances of a torus and a bowl are bounds: a ball of that radius meets no point of the solid,
/// and the solid is within its box.
#[test]
fn positive_distances_are_bounds() {
    let plugins: [&dyn Plugin; 2] = [&Torus, &Bowl];
    for plugin in plugins {
        let field = field(plugin, &[]);
        let aabb = field.solid_box().unwrap();
        for (p, towards) in points().zip(points().skip(17)) {
            let distance = field.distance(&p);
            if distance > 0.0 {
                let inner = p + towards.normalize() * (distance * (1.0 - 1e-9));
                assert!(field.distance(&inner) > 0.0, "{} at {p:?}", plugin.name());
            } else {
                assert!((0..3).all(|k| (p[k] - aabb[k]).abs() <= aabb[3 + k]), "{} at {p:?}", plugin.name());
            }
        }
    }
    assert!(
        [&Gear as &dyn Plugin, &Bolt, &Nut].iter().all(|plugin| field(*plugin, &[]).solid_box().is_none())
    );
}

/// Four points at once have the distances and gradients of each, to the last bit, and gradients of fields
/// that have no formula for them are forward differences.
#[test]
fn four_points_at_once_are_four_points() {
    let plugins: [&dyn Plugin; 5] = [&Torus, &Bowl, &Gear, &Bolt, &Nut];
    let points: Vec<Vec3> = points().chain([Vec3::new(0.3, 0.0, -0.1), Vec3::new(0.0, -0.4, 0.0)]).collect();
    for plugin in plugins {
        let field = field(plugin, &[]);
        for four in points.windows(4) {
            let lanes = std::array::from_fn(|k| std::array::from_fn(|i| four[i][k]));
            let (distances, gradients) = (field.distances(&lanes).unwrap(), field.gradients(&lanes).unwrap());
            for (i, point) in four.iter().enumerate() {
                let (distance, gradient) = field.distance_and_gradient(point);
                assert_eq!(distances[i], distance, "{} at {point:?}", plugin.name());
                assert_eq!(distance, field.distance(point));
                assert_eq!(
                    Vec3::from(gradients.map(|lane| lane[i])),
                    gradient,
                    "{} at {point:?}",
                    plugin.name()
                );
            }
        }
        if plugin.name() != Torus.name() {
            let point = points[7];
            let ahead = point + Vec3::y() * GRADIENT_STEP;
            let difference = (field.distance(&ahead) - field.distance(&point)) / GRADIENT_STEP;
            assert_eq!(field.gradient(&point).y, difference);
        }
    }
}

/// A nut that has been rotated on a bolt by two turns screws itself down under its weight for ten seconds. It
/// follows the thread, within its play, and does not fall through. How fast it goes depends on last bits:
/// the thread is touched at a few points, which come and go.
#[test]
fn a_nut_screws_down_a_bolt() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/plugins/screw.xml");
    let mut model = kinetree_spec::load_model(path).unwrap();
    model.body_pos[2][2] = 0.83;
    let mut data = Data::new(&model);
    let (mut pitches, mut revolutions) = (0.0, 0.0);
    while data.time < 10.0 {
        data.steps(&model, 50).unwrap();
        // the joints point downwards
        (pitches, revolutions) = (data.qpos[0] * 12.0, data.qpos[1] / std::f64::consts::TAU);
        assert!((pitches - revolutions).abs() < 0.1, "{pitches} pitches in {revolutions} revolutions");
    }
    assert!(revolutions > 1.5 && pitches < 4.0, "{pitches} pitches in {revolutions} revolutions");
}
