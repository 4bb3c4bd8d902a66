//! Flags of a model that disable stages or override parameters do so on the device, too.

use crate::common::{compare, takes_minutes, text};

/// Something for each flag to switch off.
const PARTS: &str = "<mujoco>
  <option timestep='0.004' o_margin='0.03' o_solref='0.03 0.8' o_friction='0.4 0.4 0.01 0.001 0.001'><flag FLAG/></option>
  <worldbody>
    <geom type='plane' size='3 3 0.1'/>
    <body pos='0 0 0.12'><freejoint/><geom size='0.1'/>
      <body pos='0.15 0 0'><joint name='a' range='-20 20' damping='0.2' stiffness='3' frictionloss='0.05'/>
        <geom type='capsule' size='0.05' fromto='-0.02 0 0 0.2 0 0' solref='0.002 1'/>
        <body pos='0.25 0 0'><joint name='b' axis='0 0 1' armature='0.01'/><geom size='0.06'/></body></body></body>
    <body pos='1 0 0.1'><joint name='c' type='slide' damping='1'/><geom size='0.08'/></body>
  </worldbody>
  <equality><joint joint1='b' joint2='c' polycoef='0.1 0.5 0 0 0'/></equality>
  <actuator><motor joint='b' ctrlrange='-0.2 0.2'/><general joint='c' dyntype='filter' dynprm='0.1' gainprm='2'/></actuator>
</mujoco>";

#[test]
fn flags_are_heeded() {
    if takes_minutes() {
        return;
    }
    // a compilation for each group
    let groups = [
        "contact='disable' gravity='disable' spring='disable' actuation='disable'",
        "constraint='disable' damper='disable' clampctrl='disable'",
        "equality='disable' frictionloss='disable' limit='disable' filterparent='disable' eulerdamp='disable' \
         warmstart='disable' refsafe='disable' override='enable'",
    ];
    for flags in groups {
        compare(&text(&PARTS.replace("FLAG", flags)), 4, 12);
    }
}
