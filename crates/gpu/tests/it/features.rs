//! Sensors, curved transmissions, muscles and fluids on the device against the processor.

use crate::common::{compare, simulator, takes_minutes, text};
use kinetree_gpu::{GpuError, GpuSim};
use std::sync::Arc;

/// Paths around spheres and cylinders, from outside and inside, pulleys, muscles, sites, a
/// slider-crank, gears on ball and free joints, weight that actuators carry, and every sensor that is
/// computed.
const LIMBS: &str = "<mujoco>
  <option timestep='0.003' integrator='INTEGRATOR'/>
  <compiler autolimits='true'/>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <geom name='pole' type='cylinder' size='0.06 0.2' pos='0.1 0 0.9' euler='90 0 0'/>
    <site name='anchor' pos='-0.1 0.03 1.05'/><site name='above' pos='0.1 0 1.1'/>
    <body name='upper' pos='0 0 0.8' gravcomp='0.7'>
      <joint name='shoulder' axis='0 1 0' damping='0.3' actuatorgravcomp='true' actuatorfrcrange='-2 2'/>
      <geom type='capsule' size='0.04' fromto='0 0 0 0.3 0 0'/>
      <geom name='knob' type='sphere' size='0.05' pos='0.3 0 0.02'/>
      <site name='inside' pos='0.3 0 0.03'/><site name='u1' pos='0.1 0.02 0.06'/><site name='u2' pos='0.2 -0.02 0.05'/>
      <body name='lower' pos='0.3 0 0'>
        <joint name='elbow' axis='0 1 0' range='-100 100'/><joint name='twist' axis='1 0 0' damping='0.05' stiffness='1'/>
        <geom type='capsule' size='0.035' fromto='0 0 0 0.3 0 0'/>
        <site name='l1' pos='0.12 0.03 0.05' euler='10 20 30'/><site name='l2' pos='0.2 0 -0.06'/>
        <body name='hand' pos='0.3 0 0'><joint name='wrist' type='ball' damping='0.1'/><geom type='box' size='0.05 0.03 0.02'/>
          <site name='palm' pos='0.04 0.01 0' euler='30 0 40'/><camera name='eye' pos='0 0.1 0' euler='0 30 0'/></body>
      </body>
    </body>
    <body name='float' pos='0 1 1'><freejoint name='loose'/><geom type='ellipsoid' size='0.1 0.06 0.04'/>
      <site name='nozzle' pos='0.1 0 0' euler='0 20 0'/>
      <body pos='0 0 0.1'><joint name='fin' axis='1 0 0' damping='0.01'/><geom type='box' size='0.02 0.05 0.03' pos='0 0.05 0'/></body></body>
    <body pos='0 -1 0.5'><joint name='wheel' axis='0 1 0'/><geom type='cylinder' size='0.1 0.02' euler='90 0 0'/><site name='pin' pos='0.05 0 0.03'/></body>
    <body pos='0.4 -1 0.5'><joint name='piston' type='slide' axis='1 0 0' damping='1'/><geom type='box' size='0.05 0.03 0.03'/><site name='rod' euler='0 90 0'/></body>
  </worldbody>
  <tendon>
    <spatial name='flexor' stiffness='20' damping='0.4' frictionloss='0.3' range='0.3 0.55' springlength='0.35 0.4'>
      <site site='anchor'/><geom geom='pole' sidesite='above'/><site site='u1'/><geom geom='knob'/><site site='l1'/>
    </spatial>
    <spatial name='tackle'><site site='u2'/><geom geom='knob' sidesite='inside'/><site site='l2'/>
      <pulley divisor='2'/><site site='u1'/><site site='l1'/><site site='palm'/></spatial>
    <fixed name='pair'><joint joint='shoulder' coef='0.5'/><joint joint='elbow' coef='1'/></fixed>
  </tendon>
  <equality><tendon tendon1='pair' tendon2='tackle' polycoef='0.1 0.3 0 0 0' solref='0.2 1'/></equality>
  <actuator>
    <muscle name='m1' tendon='flexor' lengthrange='0.3 0.6' force='30'/>
    <muscle name='m2' joint='elbow' lengthrange='-2 2' scale='20' tausmooth='0.3'/>
    <general tendon='tackle' gear='0.7' gainprm='3' biastype='affine' biasprm='0 -2 -0.3'/>
    <motor site='nozzle' gear='1 0.5 0 0 0.1 0.2'/>
    <position site='palm' refsite='u1' gear='0.3 0.2 0 0 0.1 0.4' kp='2' kv='0.2'/>
    <position name='crank' cranksite='pin' slidersite='rod' cranklength='0.4' gear='1.5' kp='10' kv='1'/>
    <motor joint='wrist' gear='0.1 0.2 0.05'/>
    <position jointinparent='wrist' gear='0.2 0 0.1' kp='1' kv='0.1'/>
    <motor jointinparent='loose' gear='1 0 0.3 0 0.1 0.05'/>
    <position joint='shoulder' kp='5' forcerange='-3 3'/>
  </actuator>
  <sensor>SENSORS</sensor>
</mujoco>";

const LIMB_SENSORS: &str = "
    <jointpos joint='elbow'/><jointvel joint='elbow'/><ballquat joint='wrist'/><ballangvel joint='wrist'/>
    <tendonpos tendon='flexor'/><tendonvel tendon='flexor'/><tendonpos tendon='tackle'/><tendonvel tendon='pair'/>
    <actuatorpos actuator='crank'/><actuatorvel actuator='m1'/><actuatorfrc actuator='m1'/><actuatorfrc actuator='m2' cutoff='0.5'/>
    <jointactuatorfrc joint='shoulder'/><gyro site='palm'/><velocimeter site='palm'/><accelerometer site='palm'/>
    <magnetometer site='nozzle'/><framepos objtype='site' objname='palm'/><framequat objtype='body' objname='hand'/>
    <framexaxis objtype='geom' objname='knob'/><framezaxis objtype='camera' objname='eye' reftype='site' refname='u1'/>
    <framepos objtype='xbody' objname='hand' reftype='site' refname='u2'/>
    <framequat objtype='site' objname='palm' reftype='xbody' refname='upper'/>
    <framelinvel objtype='site' objname='palm' reftype='site' refname='u1'/><frameangvel objtype='site' objname='palm' reftype='site' refname='u1'/>
    <framelinvel objtype='body' objname='lower'/><frameangvel objtype='xbody' objname='float'/>
    <framelinacc objtype='site' objname='nozzle'/><frameangacc objtype='body' objname='hand'/>
    <framelinacc objtype='site' objname='anchor'/>
    <subtreecom body='lower'/><subtreelinvel body='upper'/><subtreeangmom body='upper'/>";

fn limbs(integrator: &str) -> String {
    LIMBS.replace("INTEGRATOR", integrator).replace("SENSORS", LIMB_SENSORS)
}

#[test]
fn curved_transmissions_muscles_and_sensors_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    // with RK4 this model is unstable, in the reference too
    for integrator in ["Euler", "implicitfast"] {
        compare(&text(&limbs(integrator)), 30, 9);
    }
}

/// Boxes and ellipsoids in a fluid with wind, and feet with sensors of touch of all shapes.
const POND: &str = "<mujoco>
  <option timestep='0.004' density='900' viscosity='0.3' wind='0.5 -0.2 0.1'/>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <body pos='0 0 0.5' euler='20 30 0'><freejoint/><geom type='box' size='0.1 0.05 0.03' density='1200' contype='0' conaffinity='0'/>
      <body pos='0.1 0 0'><joint axis='0 0 1' damping='0.01'/><geom type='ellipsoid' size='0.08 0.04 0.01' fluidshape='ellipsoid' pos='0.08 0 0' contype='0' conaffinity='0'/>
        <geom type='capsule' size='0.02 0.05' fluidshape='ellipsoid' fluidcoef='0.4 0.3 1.2 0.9 0.8' contype='0' conaffinity='0'/></body></body>
    <body pos='0 1 0.14'><freejoint/><geom type='box' size='0.1 0.1 0.1' density='2000' condim='3'/>
      <site name='a' type='box' size='0.11 0.11 0.02' pos='0 0 -0.1'/><site name='b' type='sphere' size='0.05' pos='0.1 0.1 -0.1'/>
      <site name='c' type='cylinder' size='0.04 0.02' pos='0.1 -0.1 -0.1'/></body>
    <body pos='0 2 0.1'><freejoint/><geom type='sphere' size='0.1' density='3000' condim='1'/>
      <site name='d' type='ellipsoid' size='0.05 0.04 0.15'/><site name='e' type='capsule' size='0.04 0.05' pos='0 0 -0.05' euler='90 0 0'/></body>
  </worldbody>
  <sensor><touch site='a'/><touch site='b'/><touch site='c'/><touch site='d'/><touch site='e'/></sensor>
</mujoco>";

#[test]
fn fluids_and_touch_are_those_of_the_processor() {
    compare(&text(POND), 30, 9);
}

/// Free bodies that stand alone, with their centre of mass at the joint and away from it, that touch
/// the ground.
const LOOSE: &str = "<mujoco>
  <option timestep='0.004' integrator='implicitfast'/>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <body pos='0 0 0.3' euler='20 30 0'><freejoint/><geom type='box' size='0.1 0.05 0.03'/></body>
    <body pos='0 1 0.3' euler='50 10 0'><freejoint/><geom type='capsule' size='0.03' fromto='0 0 0 0.2 0.1 0'/></body>
    <body pos='0 2 0.3'><freejoint/><geom type='sphere' size='0.1'/>
      <body pos='0.1 0 0'><joint axis='0 1 0' damping='0.01'/><geom type='sphere' size='0.05' pos='0.1 0 0'/></body></body>
  </worldbody>
</mujoco>";

#[test]
fn free_bodies_that_stand_alone_rotate_by_the_midpoint_rule() {
    if takes_minutes() {
        return;
    }
    compare(&text(LOOSE), 30, 9);
}

#[test]
fn sensors_that_are_not_computed_are_named() {
    let model = text(
        "<mujoco><worldbody><body name='x'><joint name='j'/><geom size='0.1'/><site name='s'/></body><body name='y'><geom size='0.1'/></body></worldbody>
         <sensor><jointpos joint='j'/><distance name='f' body1='x' body2='y'/><user dim='1'/></sensor></mujoco>",
    );
    let mut sim = match GpuSim::new(Arc::clone(&model), 2) {
        Err(error @ GpuError::NoAdapter { .. }) => return eprintln!("skipped: {error}"),
        made => made.unwrap(),
    };
    sim.step_all().unwrap();
    let error = sim.sensordata().unwrap_err();
    assert_eq!(GpuSim::with_sensors(sim.gpu().clone(), model, 2).unwrap_err(), error);
    assert!(matches!(error, GpuError::Unsupported(_)));
    let message = error.to_string();
    for part in ["sensor 'f' (geomdist)", "sensor 2 (user)", "batch"] {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
    assert!(!message.contains("jointpos"));
}

#[test]
fn a_reset_clears_sensordata_and_no_worlds_have_none() {
    let xml = "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='0.1' pos='0.1 0 0'/></body></worldbody>
        <sensor><jointpos joint='j'/></sensor></mujoco>";
    let model = text(xml);
    let Some(mut sim) = simulator(&model, 2) else { return };
    assert_eq!(sim.sensordata().unwrap(), [0.0; 2]);
    sim.steps(30).unwrap();
    let before = sim.sensordata().unwrap();
    assert!(before[0] != 0.0 && before[0] == before[1]);
    sim.reset(&[true, false]).unwrap();
    assert_eq!(sim.sensordata().unwrap(), [0.0, before[1]]);
    let without = GpuSim::on(sim.gpu().clone(), Arc::clone(&model), 1).unwrap();
    assert_eq!(without.sensordata(), Err(GpuError::Sensors));
    let empty = GpuSim::with_sensors(sim.gpu().clone(), model, 0).unwrap();
    assert!(empty.sensordata().unwrap().is_empty());
}

#[test]
fn variations_keep_what_the_fluid_acts_on() {
    if takes_minutes() {
        return;
    }
    let model = text(POND);
    let Some(mut sim) = simulator(&model, 2) else { return };
    let coefficients = model.geom_fluid.as_flattened();
    let mut values = coefficients.repeat(2);
    // stronger drag is the same shape, no interaction is another
    let first = model.geom_fluid.iter().position(|fluid| fluid[0] > 0.0).unwrap() * 12;
    values[coefficients.len() + first + 1] *= 2.0;
    sim.vary("geom_fluid", &values).unwrap();
    values[coefficients.len() + first] = 0.0;
    let error = sim.vary("geom_fluid", &values).unwrap_err();
    assert_eq!(error, GpuError::FluidShapes { field: "geom_fluid".into(), world: 1 });
    sim.step_all().unwrap();
}
