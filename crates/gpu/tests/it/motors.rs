//! DC motors on the device against the processor, in both precisions.

use crate::common::{self, Random, compare, difference, set_states, simulator, takes_minutes, text, wander};
use kinetree_gpu::{GpuError, GpuSim, Precision};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

/// What each motor has besides its windings: one activation after the other alone, then all five.
const MOTORS: [&str; 11] = [
    "cogging='0.4 6 0.3' gear='3' saturation='0.5'",
    "inductance='0.03'",
    "inductance='0.02' saturation='0.4 0 20' cogging='0.1 4 0'",
    "lugre='200 0.5 1 1.3 0.1' cogging='0.05 3 0.2'",
    "thermal='3 0.05 0 0.004 25 40'",
    "input='position' controller='20 0 1 30' ctrlrange='-1 1'",
    "input='position' controller='20 30 1 0 0.05 4'",
    "input='velocity' controller='4 8 0 0 0.3'",
    "input='velocity' controller='4 8 0 50 0.3 6' inductance='0.01' thermal='2 0.1 0 0.01 25 20' lugre='200 0.5 1 1.3 0.1' cogging='0.1 5 1' saturation='0.6 0 80'",
    "input='position' controller='30 40 2 30 0.1 9' inductance='0 0.02' thermal='2 0.1 0 0.01 25 20' lugre='300 0.1 1.5 2 0.5'",
    "controller='0 2' thermal='2 0.1 0 0.01 25 20' lugre='300 0.1 1.5 2 0.5' group='3'",
];

/// Bristles that follow at once, which the evaluations of RK4 inside of a step do not.
const STIFF: &str = "lugre='300 0.2 0.02 0 0' group='2'";

/// A hinge for each motor, and other actuators beside them; one group of actuators is switched off.
fn workshop(options: &str, motors: &[&str]) -> Arc<Model> {
    let count = motors.len();
    let hinge = |k: usize| {
        format!(
            "<body pos='0 {k} 0'><joint name='j{k}' axis='0 1 0' damping='0.05' armature='0.01'/><geom type='capsule' size='0.02' fromto='0 0 0 0.2 0 0'/></body>"
        )
    };
    let motor = |(k, what): (usize, &&str)| {
        format!("<dcmotor name='m{k}' joint='j{k}' resistance='1.5' motorconst='0.3 0.3' gear='2' {what}/>")
            .replace("gear='2' cogging='0.4 6 0.3' gear='3'", "cogging='0.4 6 0.3' gear='3'")
    };
    let force = |k: usize| format!("<actuatorfrc actuator='m{k}'/><jointactuatorfrc joint='j{k}'/>");
    let list = |part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<String>();
    text(&format!(
        "<mujoco><option timestep='0.002' tolerance='1e-14' actuatorgroupdisable='3' {options}/><compiler autolimits='true'/>
         <default><geom contype='0' conaffinity='0'/></default>
         <worldbody>{}<body pos='0 -1 0'><joint name='x' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/></body></worldbody>
         <actuator>{}<general joint='x' dyntype='filter' dynprm='0.05' gainprm='2' biastype='affine' biasprm='0 -1 -0.2' forcerange='-0.5 0.5'/>
           <muscle joint='x' lengthrange='-2 2' force='3'/></actuator>
         <sensor>{}</sensor></mujoco>",
        list(&hinge),
        motors.iter().enumerate().map(motor).collect::<String>(),
        list(&force),
    ))
}

const INTEGRATORS: [&str; 3] = ["integrator='Euler'", "integrator='implicitfast'", "integrator='RK4'"];

/// Accelerations within 1e-3, activations within 1e-5, forces within 1e-3 after a step.
#[test]
fn motors_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    for options in INTEGRATORS {
        compare(&workshop(options, &MOTORS), 30, 9);
    }
}

/// One motor by itself, so that no other actuator needs what its kernels have.
#[test]
fn a_motor_alone_is_that_of_the_processor() {
    for options in INTEGRATORS {
        compare(&workshop(options, &MOTORS[3..4]), 8, 20);
    }
    compare(&workshop("integrator='Euler'", &[STIFF]), 8, 20);
    let stopped = "integrator='implicitfast'><flag actuation='disable'/></option><option";
    compare(&workshop(stopped, &MOTORS), 4, 20);
}

/// States and forces within 1e-9 after a step and after fifty.
#[test]
fn motors_in_double_precision_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    for options in INTEGRATORS {
        let model = workshop(options, &MOTORS);
        let mut random = Random(5);
        let mut worlds: Vec<Data> = (0..12).map(|k| wander(&model, &mut random, 5 + 9 * k)).collect();
        let Some(mut sim) = common::worlds::simulator(&model, worlds.len(), Precision::Double) else {
            return;
        };
        let state = |d: &Data| [&d.qpos[..], &d.qvel, &d.act, &d.qacc_warmstart].concat();
        sim.set_states(&worlds.iter().flat_map(state).collect::<Vec<_>>()).unwrap();
        sim.set_controls(&worlds.iter().flat_map(|d| d.ctrl.to_vec()).collect::<Vec<_>>()).unwrap();
        for steps in [1, 49] {
            sim.steps(steps).unwrap();
            let (states, sensordata) = (sim.states_as::<f64>().unwrap(), sim.sensordata_as::<f64>().unwrap());
            let mut worst = 0.0_f64;
            for (w, data) in worlds.iter_mut().enumerate() {
                (0..steps).for_each(|_| mj_step(&model, data).unwrap());
                let wanted = state(data);
                let pairs = states[w * wanted.len()..].iter().zip(&wanted);
                let forces = sensordata[w * model.nsensordata..].iter().zip(&data.sensordata[..]);
                for (a, b) in pairs.chain(forces) {
                    worst = worst.max((a - b).abs() / b.abs().max(1.0));
                }
            }
            println!("{options}, {steps} steps: {worst:.1e}");
            assert!(worst < 1e-9, "{options}: after {steps} steps states differ by {worst:e}");
        }
    }
}

/// Ranges of tendons limit forces that are not yet limited by ranges of actuators; friction of motors comes
/// after both.
#[test]
fn ranges_of_tendons_come_before_those_of_actuators() {
    for options in ["Euler", "implicitfast"] {
        let model = text(&format!(
            "<mujoco><option timestep='0.004' integrator='{options}'/><compiler autolimits='true'/>
             <worldbody><body><joint name='a' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/>
               <body pos='0.4 0 0'><joint name='b' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/></body></body></worldbody>
             <tendon><fixed name='t' actuatorfrclimited='true' actuatorfrcrange='-1.5 1.5'><joint joint='a' coef='1'/><joint joint='b' coef='-0.5'/></fixed></tendon>
             <actuator><motor name='x' tendon='t' gear='1' forcerange='-0.9 0.9'/><position name='y' tendon='t' kp='9' kv='2' forcerange='-1.2 1.2'/>
               <dcmotor name='z' joint='b' resistance='0.5' motorconst='1 1' saturation='0.8' lugre='200 0.5 0.3 0.4 0.1'/>MORE</actuator>
             <sensor><actuatorfrc actuator='x'/><actuatorfrc actuator='y'/><actuatorfrc actuator='z'/><tendonactuatorfrc tendon='t'/></sensor></mujoco>"
        ).replace("MORE", "<motor tendon='t' gear='3'/>"));
        let mut random = Random(11);
        let mut worlds: Vec<Data> = (0..16).map(|k| wander(&model, &mut random, 5 + 7 * k)).collect();
        let Some(mut sim) = simulator(&model, worlds.len()) else { return };
        worlds
            .iter_mut()
            .flat_map(|data| data.ctrl.iter_mut())
            .for_each(|u| *u = f64::from((4.0 * *u) as f32));
        set_states(&mut sim, &worlds);
        sim.step_all().unwrap();
        let (sensordata, velocities) = (sim.sensordata().unwrap(), sim.velocities().unwrap());
        let mut scaled = 0;
        for (w, data) in worlds.iter_mut().enumerate() {
            mj_step(&model, data).unwrap();
            let got = &sensordata[w * model.nsensordata..(w + 1) * model.nsensordata];
            assert!(
                difference(got, &data.sensordata, 0.1) < 1e-4,
                "world {w}: {got:?}, {:?}",
                data.sensordata
            );
            assert!(difference(&velocities[w * model.nv..(w + 1) * model.nv], &data.qvel, 1e-2) < 1e-3);
            // a range of the tendon that comes first leaves less than those of the actuators would
            scaled += usize::from(data.sensordata[3].abs() < 1.49 && data.sensordata[1].abs() == 1.2);
        }
        assert!(scaled > 2, "{scaled} worlds have both ranges at work");
    }
}

/// Parameters of motors vary from world to world; activations that kernels do not look for are refused.
#[test]
fn parameters_of_motors_vary() {
    if takes_minutes() {
        return;
    }
    let model = workshop("integrator='implicitfast'", &MOTORS);
    let mut random = Random(7);
    let mut worlds: Vec<Data> = (0..6).map(|k| wander(&model, &mut random, 20 + 9 * k)).collect();
    let Some(mut sim) = simulator(&model, worlds.len()) else { return };
    let mut vary = |values: &[[f64; 10]], columns: &[usize]| -> Vec<f64> {
        let mut all = Vec::new();
        for _ in 0..worlds.len() {
            for (u, row) in values.iter().enumerate() {
                let mut row = *row;
                // what is zero stays, so that every motor keeps its activations; other actuators stay, too
                columns
                    .iter()
                    .filter(|_| u < MOTORS.len())
                    .for_each(|&k| row[k] *= 1.0 + 0.3 * random.next());
                all.extend(row);
            }
        }
        all
    };
    let gain = vary(&model.actuator_gainprm, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let dynamics = vary(&model.actuator_dynprm, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let bias = vary(&model.actuator_biasprm, &[0, 1, 2, 3, 4, 5]);
    sim.vary("actuator_gainprm", &gain).unwrap();
    sim.vary("actuator_dynprm", &dynamics).unwrap();
    sim.vary("actuator_biasprm", &bias).unwrap();
    set_states(&mut sim, &worlds);
    sim.step_all().unwrap();
    let (velocities, activations) = (sim.velocities().unwrap(), sim.activations().unwrap());
    for (w, data) in worlds.iter_mut().enumerate() {
        let mut own = Model::clone(&model);
        let width = 10 * model.nu;
        own.actuator_gainprm.as_flattened_mut().copy_from_slice(&gain[w * width..][..width]);
        own.actuator_dynprm.as_flattened_mut().copy_from_slice(&dynamics[w * width..][..width]);
        own.actuator_biasprm.as_flattened_mut().copy_from_slice(&bias[w * width..][..width]);
        mj_step(&own, data).unwrap();
        assert!(difference(&velocities[w * model.nv..(w + 1) * model.nv], &data.qvel, 1e-2) < 1e-3);
        assert!(difference(&activations[w * model.na..(w + 1) * model.na], &data.act, 1e-2) < 1e-5);
    }
    // the first motor has no current, and no activation where it could be
    let mut current = dynamics.clone();
    current[0] = 0.1;
    let error = sim.vary("actuator_dynprm", &current).unwrap_err();
    assert_eq!(error, GpuError::VariedShape { field: "actuator_dynprm".into(), world: 0 });
}

/// An actuator that is a motor in one of its parts alone is refused with its name.
#[test]
fn parts_of_motors_are_refused() {
    let model = text(
        "<mujoco><worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody>
         <actuator><general name='half' joint='j' gaintype='dcmotor' gainprm='1 2' dynprm='0'/></actuator></mujoco>",
    );
    match GpuSim::new(model, 1) {
        Err(error @ GpuError::NoAdapter { .. }) => eprintln!("skipped: {error}"),
        made => assert!(made.unwrap_err().to_string().contains("the gain of actuator 'half'")),
    }
}
