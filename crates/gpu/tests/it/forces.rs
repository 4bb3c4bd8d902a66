//! Adhesion, armature of tendons and the derivatives of fluid forces on the device against the processor.

use crate::common::{compare, takes_minutes, text};

/// Boxes and balls that cling to the ground and to a wall, also across a gap, and one whose joint has a range
/// of forces.
const CLINGING: &str = "<mujoco>
  <option timestep='0.004' OPTIONS/>
  <default><geom density='500'/></default>
  <worldbody>
    <geom type='plane' size='5 5 1'/>
    <geom type='box' size='0.05 1 1' pos='-0.35 0 1'/>
    <body name='a' pos='0 0 0.11'><freejoint/><geom type='box' size='0.1 0.15 0.1' condim='3'/></body>
    <body name='b' pos='-0.2 0.5 0.5'><freejoint/><geom type='sphere' size='0.1' margin='0.08' gap='0.06' condim='1'/></body>
    <body name='c' pos='0.5 0 0.4'><joint axis='0 1 0' damping='0.2' actuatorfrcrange='-3 3'/><geom type='capsule' size='0.05' fromto='0 0 0 0.35 0 -0.1' condim='4'/>
      <body name='d' pos='0.35 0 -0.1'><joint name='knee' axis='0 1 0'/><geom type='capsule' size='0.05' fromto='0 0 0 0.3 0 -0.2' margin='0.05' gap='0.02'/></body></body>
  </worldbody>
  <actuator>
    <adhesion body='a' ctrlrange='0 1' gain='40'/><adhesion body='b' ctrlrange='0 1' gain='60'/><adhesion body='d' ctrlrange='0 1' gain='30'/>
    <general body='c' gainprm='10' dyntype='filter' dynprm='0.05' ctrlrange='0 1'/><motor joint='knee' gear='2'/>
  </actuator>
  <sensor><jointactuatorfrc joint='knee'/></sensor>
</mujoco>";

#[test]
fn adhesion_is_that_of_the_processor() {
    for options in ["", "cone='elliptic' integrator='implicitfast'"] {
        compare(&text(&CLINGING.replace("OPTIONS", options)), 30, 9);
    }
}

/// Adhesion that depends on its velocity, by gain and by bias, with a range, with and without an activation.
const DAMPED: &str = "
    <adhesion body='a' ctrlrange='0 1' gain='40'/><general body='b' gainprm='20 0 -3' gaintype='affine' biastype='affine' biasprm='2 0 -4'/>
    <general name='f' body='d' gainprm='9' biastype='affine' biasprm='1 0 -30' forcerange='-3 10' forcelimited='true'/>
    <general body='c' gaintype='affine' gainprm='10 0 5' dyntype='filter' dynprm='0.05' ctrlrange='0 1'/><motor joint='knee' gear='2'/>
  </actuator>
  <sensor><jointactuatorfrc joint='knee'/><actuatorfrc actuator='f'/></sensor>
</mujoco>";

#[test]
fn adhesion_that_depends_on_velocity_is_that_of_the_processor() {
    if takes_minutes() {
        return;
    }
    let (head, _) = CLINGING.split_once("<adhesion").unwrap();
    let model = head.to_owned() + DAMPED;
    for options in ["", "cone='elliptic' integrator='implicitfast'"] {
        assert!(compare(&text(&model.replace("OPTIONS", options)), 24, 9) > 8);
    }
}

/// Tendons with inertia: fixed, along straight paths with a pulley, and by their actuators.
const ARMED: &str = "<mujoco>
  <option timestep='0.003' integrator='INTEGRATOR'/>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <site name='anchor' pos='0.1 0.1 0.5'/>
    <body pos='0 0 0.3'><joint name='a' axis='0 1 0'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><site name='s1' pos='0.2 0.05 0.03'/>
      <body pos='0.3 0 0'><joint name='b' axis='0 1 0' damping='0.05'/><joint axis='0 0 1'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><site name='s2' pos='0.2 0 0.06'/></body></body>
    <body pos='0 1 0.3'><joint name='c' axis='0 1 0'/><geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/></body>
  </worldbody>
  <tendon>
    <fixed name='f' armature='0.3'><joint joint='a' coef='0.7'/><joint joint='b' coef='-1'/><joint joint='c' coef='0.5'/></fixed>
    SPATIAL
  </tendon>
  <actuator><motor tendon='f' gear='2' armature='0.05'/></actuator>
  <sensor><e_kinetic/></sensor>
</mujoco>";

#[test]
fn armature_of_tendons_is_that_of_the_processor() {
    if takes_minutes() {
        return;
    }
    let spatial = "<spatial armature='0.4' stiffness='5'><site site='anchor'/><site site='s1'/><site site='s2'/><pulley divisor='2'/><site site='anchor'/><site site='s2'/></spatial>";
    for (integrator, spatial) in [("RK4", ""), ("Euler", spatial), ("implicitfast", spatial)] {
        compare(&text(&ARMED.replace("INTEGRATOR", integrator).replace("SPATIAL", spatial)), 30, 9);
    }
}

/// Boxes and ellipsoids of one tree and of a body that stands alone.
const SWIMMERS: &str = "<mujoco>
  <option timestep='0.01' density='900' viscosity='0.6' wind='0.5 -0.2 0.1' integrator='implicitfast'/>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <body pos='0 0 0.5' euler='20 30 0'><freejoint/><geom type='box' size='0.1 0.05 0.03' density='1200'/>
      <body pos='0.1 0 0'><joint axis='0 0 1' damping='0.01'/><geom type='ellipsoid' size='0.08 0.04 0.01' fluidshape='ellipsoid' pos='0.08 0 0'/>
        <geom type='capsule' size='0.02 0.05' fluidshape='ellipsoid' fluidcoef='0.4 0.3 1.2 0.9 0.8'/>
        <body pos='0.1 0 0'><joint axis='0 1 0.2'/><joint type='slide' axis='1 0 0' stiffness='3'/><geom type='box' size='0.05 0.03 0.01' pos='0.05 0 0'/></body></body>
      <body pos='-0.1 0 0'><joint axis='0 0 1'/><geom type='cylinder' size='0.03 0.05' pos='-0.08 0 0' fluidshape='ellipsoid'/></body></body>
    <body pos='0 1 0.5'><freejoint/><geom type='box' size='0.1 0.1 0.02'/></body>
  </worldbody>
</mujoco>";

#[test]
fn implicit_fluid_forces_are_those_of_the_processor() {
    compare(&text(SWIMMERS), 30, 9);
}

/// Tendons and actuators whose damping joins branches: between these the integrator leaves derivatives out.
const BRIDGED: &str = "<mujoco>
  <option timestep='0.02' integrator='implicitfast'/>
  <default><geom contype='0' conaffinity='0'/></default>
  <worldbody>
    <body><joint name='a' axis='0 1 0'/><geom size='0.1' pos='0.2 0 0'/><site name='s1' pos='0.2 0 0.05'/>
      <body pos='0.3 0 0'><joint name='b' axis='0 1 0'/><geom size='0.08' pos='0.2 0 0'/></body>
      <body pos='0.3 0.2 0'><joint name='c' axis='0 1 0'/><geom size='0.08' pos='0.2 0 0'/><site name='s2' pos='0.1 0 0'/></body></body>
    <body pos='0 1 0'><joint name='d' axis='0 1 0'/><geom size='0.1' pos='0.3 0 0'/><site name='s3' pos='0.2 0 0'/></body>
  </worldbody>
  <tendon>
    <fixed name='t' damping='3'><joint joint='a' coef='1'/><joint joint='b' coef='0.5'/><joint joint='c' coef='-0.7'/><joint joint='d' coef='-0.5'/></fixed>
    SPATIAL
  </tendon>
  <actuator><velocity tendon='t' kv='2'/></actuator>
</mujoco>";

#[test]
fn implicit_forces_between_branches_are_those_of_the_processor() {
    if takes_minutes() {
        return;
    }
    let spatial =
        "<spatial name='r' damping='30'><site site='s1'/><site site='s3'/><site site='s2'/></spatial>";
    for spatial in ["", spatial] {
        compare(&text(&BRIDGED.replace("SPATIAL", spatial)), 12, 9);
    }
}
