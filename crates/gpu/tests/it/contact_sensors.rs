//! Sensors of contacts on the device against the processor.

use crate::common::{compare, takes_minutes, text};

/// Legs and balls on the ground and on each other, seen by geoms, bodies, subtrees and a region, with every
/// way to choose among contacts.
const FEET: &str = "<mujoco>
  <option timestep='0.004' OPTIONS/>
  <default><geom density='400' friction='0.9 0.02 0.005'/></default>
  <worldbody>
    <geom name='floor' type='plane' size='5 5 1'/><site name='zone' type='box' size='0.5 0.5 0.06' pos='0.3 0 0'/>
    <body name='trunk' pos='0 0 0.24'><freejoint/><geom name='trunk' type='sphere' size='0.1' condim='1'/>
      <body name='thigh' pos='0.15 0 0'><joint axis='0 1 0' damping='0.1'/><geom name='thigh' type='capsule' size='0.04' fromto='0 0 0 0.1 0 -0.1' condim='4'/>
        <body name='foot' pos='0.1 0 -0.1'><joint axis='0 1 0' damping='0.1'/><geom name='foot' type='capsule' size='0.04' fromto='0 0 0 0.15 0 -0.03' condim='6'/></body></body>
      <body pos='-0.15 0 0'><joint axis='0 1 0' damping='0.1'/><geom name='hind' type='capsule' size='0.04' fromto='0 0 0 -0.1 0 -0.15' condim='3'/></body></body>
    <body name='ball' pos='0.02 0.03 0.45'><freejoint/><geom name='ball' type='sphere' size='0.08' condim='3'/></body>
    <body name='stone' pos='0.5 0 0.05'><freejoint/><geom name='stone' type='sphere' size='0.06' condim='3'/></body>
  </worldbody>
  <sensor>
    <contact geom1='floor' geom2='foot' num='3' data='found force torque dist pos normal tangent'/>
    <contact geom1='foot' geom2='floor' num='2' reduce='mindist' data='found force dist normal'/>
    <contact subtree1='trunk' body2='world' num='4' reduce='none' data='dist pos normal'/>
    <contact subtree1='trunk' num='1' reduce='netforce' data='found force torque pos normal'/>
    <contact body1='trunk' num='3' reduce='maxforce' data='force torque tangent' cutoff='0.1'/>
    <contact geom2='ball' num='2' data='found force pos'/>
    <contact num='12' data='found'/>
    <contact site='zone' num='6' reduce='mindist' data='found dist'/>
    <contact site='zone' geom2='floor' reduce='netforce' data='force torque'/>
    <touch site='zone'/>
  </sensor>
</mujoco>";

#[test]
fn contacts_are_read_like_on_the_processor() {
    if takes_minutes() {
        return;
    }
    for options in ["", "cone='elliptic' integrator='implicitfast'"] {
        // moving worlds: at rest forces depend on rounding
        let touching = compare(&text(&FEET.replace("OPTIONS", options)), 24, 5);
        assert!(touching > 12, "{touching} worlds have contacts");
    }
}
