//! Sensors of forces, limits, energy, time and distance on the device against the processor.

use crate::common::{compare, difference, simulator, text};
use kinetree_model::Data;
use kinetree_sim::mj_step;

/// Limbs that hang from the world, pushed by limits, contacts and equalities of bodies.
const FELT: &str = "<mujoco>
  <option timestep='0.003' OPTIONS/>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <body name='upper' pos='0 0 0.5'>
      <joint name='shoulder' axis='0 1 0' range='-20 20' limited='true' damping='0.1' stiffness='2'/>
      <geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/>
      <site name='s1' pos='0.05 0 0.01' euler='20 10 0'/>
      <body name='lower' pos='0.3 0 0'>
        <joint name='elbow' axis='0 1 0' range='-30 30' limited='true' margin='0.05'/>
        <geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><geom type='sphere' size='0.05' pos='0.3 0 0' condim='6' friction='0.8 0.02 0.01'/>
        <site name='s2' pos='0.02 0.01 0' euler='0 40 10'/>
      </body>
    </body>
    <body name='arm' pos='0 1 0.6'>
      <joint name='ball' type='ball' range='0 30' limited='true' stiffness='1' damping='0.02'/><geom type='capsule' size='0.03' fromto='0 0 0 0.25 0 0'/>
      <site name='s3' euler='0 0 30'/>
      <body name='slide' pos='0.25 0 0'><joint name='slide' type='slide' axis='1 0 0' range='-0.02 0.02' limited='true'/><geom type='box' size='0.03 0.04 0.02'/><site name='s4'/></body>
    </body>
    <body name='pole' pos='-0.5 0 0.4'><geom type='box' size='0.02 0.02 0.1'/><site name='s5'/>
      <body name='flag' pos='0 0 0.1'><joint name='flag' axis='1 0 0' stiffness='0.5' springref='20'/><geom type='box' size='0.02 0.05 0.05' pos='0 0.05 0'/></body></body>
    <body name='load' pos='0 -1 0.4'><freejoint name='free'/><geom type='box' size='0.05 0.04 0.03' condim='4'/><site name='s6'/></body>
    <body name='mate' pos='0.12 -1 0.4'><joint type='free' stiffness='3'/><geom type='box' size='0.05 0.04 0.03' condim='1'/><site name='s7'/></body>
    <site name='zone' type='capsule' size='0.1 0.1' pos='0.5 0 0.4'/><site name='box' type='box' size='0.3 1.5 0.35' pos='0 0 0'/>
    <camera name='eye' pos='1 -1 1' euler='60 20 10' resolution='64 48' fovy='50'/>
  </worldbody>
  <tendon>
    <fixed name='t' limited='true' range='-0.3 0.3' margin='0.02' stiffness='2' springlength='-0.1 0.1'><joint joint='shoulder' coef='0.5'/><joint joint='elbow' coef='-1'/></fixed>
  </tendon>
  <equality><weld body1='load' body2='mate' solref='0.03 1'/><connect body1='flag' body2='world' anchor='0 0.1 0' solref='0.1 1'/></equality>
  <actuator><motor name='m' tendon='t' gear='2'/><position tendon='t' kp='1'/><motor joint='shoulder' gear='2'/></actuator>
  <sensor>
    <e_potential/><e_kinetic/>
    <force site='s1'/><torque site='s1'/><force site='s2'/><torque site='s2'/><force site='s3'/><torque site='s4'/><force site='s5'/><torque site='s5'/>
    <force site='s6'/><torque site='s6'/><torque site='s7' cutoff='0.2'/>
    <jointlimitpos joint='shoulder'/><jointlimitvel joint='shoulder'/><jointlimitfrc joint='shoulder'/>
    <jointlimitpos joint='elbow'/><jointlimitvel joint='elbow'/><jointlimitfrc joint='elbow'/>
    <jointlimitpos joint='ball'/><jointlimitvel joint='ball'/><jointlimitfrc joint='ball'/><jointlimitfrc joint='slide'/>
    <tendonlimitpos tendon='t'/><tendonlimitvel tendon='t'/><tendonlimitfrc tendon='t'/><tendonactuatorfrc tendon='t'/>
    <insidesite site='zone' objtype='body' objname='lower'/><insidesite site='box' objtype='xbody' objname='lower'/>
    <camprojection site='s2' camera='eye'/>
  </sensor>
</mujoco>";

#[test]
fn forces_limits_and_energy_are_those_of_the_processor() {
    for options in ["", "cone='elliptic'"] {
        // moving worlds: at rest accelerations are differences of large forces
        compare(&text(&FELT.replace("OPTIONS", options)), 24, 4);
    }
}

/// Rays that pass over every shape there is.
const SEEN: &str = "<mujoco>
  <option timestep='0.003' gravity='0 0 0'/>
  <asset>
    <mesh name='m' vertex='-0.2 -0.2 -0.2  0.2 -0.2 -0.2  0 0.25 -0.2  0 0 0.3  0.1 0.1 0.2'/>
    <hfield name='h' nrow='5' ncol='7' size='0.5 0.4 0.3 0.1'
      elevation='0 1 2 1 0 3 2  1 2 4 2 1 1 0  2 3 5 3 2 0 1  1 0 2 4 3 2 1  0 1 1 2 0 1 2'/>
  </asset>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <geom type='plane' size='0 0 1' pos='0 0 -1'/><geom type='plane' size='1 1 1' pos='0 0 -0.8' euler='5 0 0'/>
    <geom type='sphere' size='0.2' pos='2 0 0'/><geom type='capsule' size='0.1 0.3' pos='1.4 1.4 0' euler='20 40 0'/>
    <geom type='ellipsoid' size='0.3 0.15 0.25' pos='0 2 0'/><geom type='cylinder' size='0.2 0.25' pos='-1.4 1.4 0' euler='30 0 0'/>
    <geom type='box' size='0.2 0.3 0.15' pos='-2 0 0' euler='10 20 30'/><geom type='mesh' mesh='m' pos='-1.4 -1.4 0'/>
    <geom type='hfield' hfield='h' pos='0 -2 -0.2' euler='40 0 0'/><geom type='box' size='9 9 9' rgba='1 1 1 0'/>
    <body name='turret'><joint axis='0 0 1'/><joint axis='0 1 0' range='-30 30' limited='true'/>
      <geom type='sphere' size='0.1' mass='1'/>
      <site name='x' euler='0 90 0'/><site name='y' euler='-90 0 0'/><site name='d' euler='0 135 0'/><site name='i' pos='2 0 0'/>
      <camera name='lidar' pos='0.1 0 0' euler='90 -90 0' fovy='60' resolution='12 6'/>
      <camera name='flat' euler='90 0 0' projection='orthographic' fovy='0.6' resolution='4 4'/></body>
  </worldbody>
  <sensor>
    <rangefinder site='x'/><rangefinder site='y' data='dist dir origin point normal depth'/><rangefinder site='d' cutoff='1.2'/><rangefinder site='i'/>
    <rangefinder camera='lidar' data='dist normal depth'/><rangefinder camera='flat' data='dist depth'/>
  </sensor>
</mujoco>";

#[test]
fn rays_meet_all_shapes_as_on_the_processor() {
    let model = text(SEEN);
    let worlds = 40;
    let Some(mut sim) = simulator(&model, worlds) else { return };
    let mut data: Vec<Data> = (0..worlds).map(|_| Data::new(&model)).collect();
    let mut states = Vec::new();
    for (w, data) in data.iter_mut().enumerate() {
        data.qpos[0] = f64::from((0.157 * w as f64) as f32);
        data.qpos[1] = f64::from((0.3 * (1.7 * w as f64).sin()) as f32);
        states.extend([data.qpos[0] as f32, data.qpos[1] as f32, 0.0, 0.0, 0.0, 0.0]);
    }
    sim.set_states(&states).unwrap();
    sim.step_all().unwrap();
    let sensordata = sim.sensordata().unwrap();
    let (mut other, mut met) = (0, 0);
    for (w, data) in data.iter_mut().enumerate() {
        mj_step(&model, data).unwrap();
        for (k, wanted) in data.sensordata.iter().enumerate() {
            let got = f64::from(sensordata[w * model.nsensordata + k]);
            // a ray along an edge may pass by it on either side
            other += usize::from((got - wanted).abs() > 1e-4 * wanted.abs().max(1.0));
            met += usize::from(*wanted != 0.0 && *wanted != -1.0);
        }
    }
    let all = worlds * model.nsensordata;
    assert!(met * 4 > all, "{met} of {all} sensor values tell of something");
    assert!(other * 500 < all, "{other} of {all} sensor values differ");
}

#[test]
fn clocks_count_from_the_last_reset() {
    let model = text(
        "<mujoco><option timestep='0.01'/><worldbody><body><joint name='j'/><geom size='0.1' pos='0.1 0 0'/></body></worldbody>
         <sensor><clock/></sensor></mujoco>",
    );
    let Some(mut sim) = simulator(&model, 3) else { return };
    sim.steps(20).unwrap();
    sim.reset(&[false, true, false]).unwrap();
    sim.steps(3).unwrap();
    assert!(difference(&sim.sensordata().unwrap(), &[0.22, 0.02, 0.22], 1.0) < 1e-6);
}
