//! Derivatives of a step with respect to fields at once, against single products and differences of steps.

use kinetree_batch::Random;
use kinetree_model::{Data, Model};
use kinetree_sim::{
    DerivativeError, FieldGradient, field_gradient_size, mj_differentiate_pos, mj_integrate_pos, mj_step,
    mjd_transition, mjd_transition_fields, step_field_vjp,
};

const FIELDS: [&str; 9] = [
    "body_mass",
    "body_inertia",
    "dof_armature",
    "dof_damping",
    "dof_frictionloss",
    "geom_friction",
    "jnt_stiffness",
    "actuator_gainprm",
    "actuator_biasprm",
];

/// A free body that touches the ground, with an arm on a ball joint that two actuators move.
const TREE: &str = r#"<worldbody><geom type="plane" size="2 2 0.1"/>
  <body pos="0 0 -0.05"><freejoint/><geom type="ellipsoid" size="0.1 0.12 0.08" pos="0.02 0 0.01" condim="4"/>
    <site name="thruster" pos="0.05 0.02 0.1" euler="10 20 30"/>
    <body pos="0.15 0 0.1"><joint type="ball" stiffness="2" damping="0.1" frictionloss="0.01"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 0.05" size="0.03"/>
      <body pos="0.2 0 0.05"><joint name="hinge" axis="0 1 0" armature="0.01" damping="0.2" frictionloss="0.02"/>
        <geom size="0.05" pos="0.1 0 0"/></body></body></body></worldbody>
  <actuator><motor site="thruster" gear="1 0.3 0.2 0.1 0.2 0"/><position joint="hinge" kp="3" kv="0.1"/>
    <general joint="hinge" dyntype="filter" dynprm="0.1" gainprm="2"/></actuator>"#;

fn load(xml: &str) -> Model {
    kinetree_spec::load_model_str(xml).unwrap()
}

fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::of_world(seed, 0);
    (0..n).map(|_| random.uniform(-1.0, 1.0)).collect()
}

/// A state away from the reference, some steps on.
fn shaken(model: &Model, seed: u64, steps: usize) -> Data {
    let mut data = Data::new(model);
    let random = noise(2 * model.nv, seed);
    mj_integrate_pos(model, &mut data.qpos, &random[..model.nv], 0.1);
    data.qvel.copy_from_slice(&random[model.nv..]);
    data.ctrl.fill(0.4);
    (0..steps).for_each(|_| mj_step(model, &mut data).unwrap());
    data
}

/// The change of state from one data to another, over `by`.
fn change(model: &Model, minus: &Data, plus: &Data, by: f64) -> Vec<f64> {
    let mut change = vec![0.0; model.nv];
    mj_differentiate_pos(model, &mut change, by, &minus.qpos, &plus.qpos);
    let ends = plus.qvel.iter().chain(&*plus.act).zip(minus.qvel.iter().chain(&*minus.act));
    change.extend(ends.map(|(a, b)| (a - b) / by));
    change
}

#[test]
fn rows_are_those_of_single_products() {
    for options in ["", r#"integrator="implicitfast""#] {
        let sensor = r#"<sensor><framelinacc objtype="site" objname="thruster"/></sensor>"#;
        let mut model = load(&format!("<mujoco><option {options}/>{TREE}{sensor}</mujoco>"));
        (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
        let data = shaken(&model, 3, 2);
        assert!(data.ncon > 0);
        let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
        let sizes = [nx * nx, nx * nu, ns * nx, ns * nu];
        let [mut a, mut b, mut c, mut d] = sizes.map(|size| vec![0.0; size]);
        let [mut a0, mut b0, mut c0, mut d0] = sizes.map(|size| vec![0.0; size]);
        let mut values: Vec<Vec<f64>> =
            FIELDS.iter().map(|field| vec![0.0; nx * field_gradient_size(&model, field).unwrap()]).collect();
        let mut fields: Vec<FieldGradient<'_>> =
            FIELDS.iter().zip(&mut values).map(|(field, values)| FieldGradient { field, values }).collect();
        let world = &mut data.clone();
        mjd_transition_fields(&model, world, &mut a, &mut b, Some(&mut c), Some(&mut d), &mut fields)
            .unwrap();
        let world = &mut data.clone();
        mjd_transition(&model, world, Some(&mut a0), Some(&mut b0), Some(&mut c0), Some(&mut d0)).unwrap();
        for (found, expected) in [(&a, &a0), (&b, &b0), (&c, &c0), (&d, &d0)] {
            let scale = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-10 * scale));
        }
        let weights = noise(nx, 4);
        for (field, values) in FIELDS.iter().zip(&values) {
            let size = values.len() / nx;
            let mut expected = vec![0.0; size];
            step_field_vjp(&model, &mut data.clone(), &weights, field, &mut expected).unwrap();
            for (at, expected) in expected.iter().enumerate() {
                let found: f64 = (0..nx).map(|row| weights[row] * values[row * size + at]).sum();
                assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{field} {at}");
            }
        }
        let (unknown, mut none) = (FieldGradient { field: "geom_size", values: &mut [] }, data.clone());
        let refused = mjd_transition_fields(&model, &mut none, &mut a, &mut b, None, None, &mut [unknown]);
        assert!(matches!(refused, Err(DerivativeError::Field { .. })));
    }
}

/// The centre of mass has no field with a gradient: its derivative follows from the inertial parameters.
#[test]
fn inertial_parameters_give_the_derivative_by_the_centre_of_mass() {
    let mut model = load(
        r#"<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0.2"/><joint axis="1 0 0" damping="0.1"/>
           <geom type="box" size="0.1 0.05 0.03" pos="0.1 0.02 0.03" euler="10 20 30"/>
           <body pos="0.2 0 0" euler="0 30 10"><joint type="ball"/><geom type="box" size="0.1 0.05 0.03" pos="0.1 0 0.04"/>
           </body></body></worldbody></mujoco>"#,
    );
    let data = shaken(&model, 5, 30);
    let nx = 2 * model.nv;
    let size = 10 * model.nbody;
    let (mut a, mut b, mut values) = (vec![0.0; nx * nx], vec![], vec![0.0; nx * size]);
    let field = FieldGradient { field: "body_inertial", values: &mut values };
    mjd_transition_fields(&model, &mut data.clone(), &mut a, &mut b, None, None, &mut [field]).unwrap();
    for body in 1..model.nbody {
        for axis in 0..3 {
            let (m, c) = (model.body_mass[body], model.body_ipos[body]);
            // m c, and m (c² I − c cᵀ) about the frame of the body
            let mut by = [0.0; 10];
            by[1 + axis] = m;
            for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                let one = |i: usize, j: usize| f64::from(u8::from(i == j));
                by[4 + k] = m * (2.0 * c[axis] * one(i, j) - one(axis, i) * c[j] - c[i] * one(axis, j));
            }
            let eps = 1e-6;
            let [plus, minus] = [eps, -eps].map(|moved| {
                let mut world = data.clone();
                model.body_ipos[body][axis] = c[axis] + moved;
                mj_step(&model, &mut world).unwrap();
                model.body_ipos[body] = c;
                world
            });
            for (row, expected) in change(&model, &minus, &plus, 2.0 * eps).into_iter().enumerate() {
                let row = &values[row * size + 10 * body..][..10];
                let found: f64 = row.iter().zip(&by).map(|(value, by)| value * by).sum();
                assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{found} {expected}");
            }
        }
    }
}
