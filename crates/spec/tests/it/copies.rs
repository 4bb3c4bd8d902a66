//! Replicated and attached parts.

use kinetree_spec::{Spec, Vfs};

fn names<'a, T: kinetree_spec::spec::Element + 'a>(list: impl Iterator<Item = &'a T>) -> Vec<&'a str> {
    list.map(kinetree_spec::spec::Element::name).collect()
}

fn read(xml: &str) -> Spec {
    Spec::from_xml_string(xml, None).unwrap_or_else(|findings| panic!("{findings}"))
}

const BODY: &str =
    "<body name='b'><joint name='j' type='slide'/><geom name='g' size='1'/><site name='s'/></body>";

#[test]
fn copies_are_numbered_with_leading_zeros() {
    let spec = read(
        "<mujoco><worldbody><replicate count='10' sep='-'><geom name='g' size='1'/></replicate></worldbody></mujoco>",
    );
    assert_eq!(names(spec.geoms.values())[..2], ["g-00", "g-01"]);
    assert_eq!(spec.geoms.len(), 10);
}

#[test]
fn what_refers_to_a_copied_element_is_copied() {
    let spec = read(&format!(
        "<mujoco><worldbody><replicate count='2' offset='1 0 0'>{BODY}</replicate><body name='o'><joint name='k'/></body></worldbody>
         <tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>
         <equality><joint name='e' joint1='j'/></equality>
         <actuator><motor name='m' joint='j'/><motor name='mt' tendon='t'/><motor name='mo' joint='k'/></actuator>
         <sensor><jointpos name='p' joint='j'/></sensor></mujoco>"
    ));
    assert_eq!(names(spec.bodies.values()), ["world", "b0", "b1", "o"]);
    assert_eq!(names(spec.tendons.values()), ["t0", "t1"]);
    assert_eq!(names(spec.equalities.values()), ["e0", "e1"]);
    assert_eq!(names(spec.actuators.values()), ["mo", "m0", "mt0", "m1", "mt1"]);
    assert_eq!(names(spec.sensors.values()), ["p0", "p1"]);
}

#[test]
fn references_may_leave_the_copied_part_when_the_rest_was_read_before() {
    let spec = read(&format!(
        "<mujoco><worldbody><body name='o'><joint name='k'/></body><replicate count='2' offset='1 0 0'>{BODY}</replicate></worldbody>
         <contact><exclude name='x' body1='b' body2='o'/></contact>
         <tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='k' coef='1'/></fixed></tendon>
         <sensor><framepos name='f' objtype='site' objname='s' reftype='body' refname='o'/></sensor></mujoco>"
    ));
    assert_eq!(names(spec.excludes.values()), ["x0", "x1"]);
    assert_eq!(names(spec.tendons.values()), ["t0", "t1"]);
    assert_eq!(names(spec.sensors.values()), ["f0", "f1"]);
    let sensor = &spec.sensors[spec.find_sensor("f1").unwrap()];
    assert_eq!((sensor.objname.as_str(), sensor.refname.as_str()), ("s1", "o"));
}

#[test]
fn keyframes_are_spread_over_the_copies() {
    let spec = read(&format!(
        "<mujoco><worldbody><replicate count='3' offset='1 0 0'>{BODY}</replicate></worldbody>
         <keyframe><key name='k' qpos='5'/></keyframe></mujoco>"
    ));
    let model = spec.compile().unwrap_or_else(|findings| panic!("{findings}"));
    assert_eq!(model.key_qpos, [5.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0]);
    let wrong = format!(
        "<mujoco><worldbody><replicate count='3'>{BODY}</replicate></worldbody><keyframe><key qpos='1 2 3'/></keyframe></mujoco>"
    );
    assert!(Spec::from_xml_string(&wrong, None).unwrap_err().list[0].message.contains("should be 1"));
}

#[test]
fn absurd_counts_are_refused() {
    let many =
        "<mujoco><worldbody><replicate count='2000000000'><geom size='1'/></replicate></worldbody></mujoco>";
    assert!(Spec::from_xml_string(many, None).is_err());
    // copying a sensor without an object doubles it each time
    let doubling = "<mujoco><worldbody><replicate count='100'><geom size='1'/></replicate></worldbody><sensor><clock/></sensor></mujoco>";
    assert!(Spec::from_xml_string(doubling, None).unwrap_err().list[0].message.contains("too many"));
}

/// Each copy has keyframes of its own, of all copies' numbers: that grows with the square of the count.
#[test]
fn keyframes_of_very_many_copies_are_refused_at_once() {
    let spec = read(
        "<mujoco><worldbody><replicate count='60000' offset='1 0 0'><body><joint type='slide'/><geom size='1'/></body></replicate>
         </worldbody><keyframe><key qpos='1'/></keyframe></mujoco>",
    );
    let error = spec.compile().unwrap_err().to_string();
    assert!(error.contains("keyframes of 120000 numbers are too many"), "{error}");
}

#[test]
fn attached_models_keep_their_settings() {
    let mut vfs = Vfs::new();
    let part = "<mujoco model='part'>
         <compiler angle='radian' meshdir='parts'/>
         <default><default class='c'><geom rgba='1 0 0 1'/></default></default>
         <asset><material name='m'/><mesh file='x.obj'/></asset>
         <worldbody><geom name='loose' size='1'/><body name='b'><joint name='j' range='0 1'/><geom class='c' size='1' material='m'/></body></worldbody>
         <actuator><motor name='a' joint='j'/></actuator>
         <keyframe><key name='k' qpos='0.5' ctrl='2'/></keyframe>
       </mujoco>";
    vfs.add_buffer("part.xml", part.as_bytes()).unwrap();
    let xml = "<mujoco><asset><model file='part.xml'/></asset><worldbody><body name='mine'><joint name='own'/><geom size='1'/>
         <frame name='f' pos='1 2 3'><attach model='part' prefix='p_'/></frame></body>
         <frame pos='0 0 1'><attach model='part' body='b' prefix='q_'/></frame></worldbody></mujoco>";
    let spec = Spec::from_xml_string(xml, Some(&vfs)).unwrap_or_else(|findings| panic!("{findings}"));
    assert_eq!(names(spec.bodies.values()), ["world", "mine", "p_b", "q_b"]);
    assert_eq!(names(spec.geoms.values()), ["", "p_loose", "", ""]);
    assert_eq!(names(spec.meshes.values()), ["p_x", "q_x"]);
    assert_eq!(names(spec.materials.values()), ["p_m", "q_m"]);
    assert_eq!(names(spec.actuators.values()), ["p_a", "q_a"]);
    assert!(spec.find_default("p_c").is_some() && spec.find_default("q_main").is_some());
    let joint = &spec.joints[spec.find_joint("p_j").unwrap()];
    assert!(spec.compiler().degree && !spec.compiler_of(&joint.origin).degree);
    let geom = spec.geoms.values().nth(2).unwrap();
    assert_eq!((geom.material.as_str(), geom.rgba), ("p_m", [1.0, 0.0, 0.0, 1.0]));
    // an element at the top of the part goes into the frame it is attached to
    let loose = &spec.geoms[spec.find_geom("p_loose").unwrap()];
    assert_eq!(loose.frame, spec.find_frame("f"));
    assert_eq!(spec.attached_keys.len(), 2);
    assert_eq!(spec.attached_keys[1].qpos.as_ref().unwrap()[0], (spec.find_joint("q_j").unwrap(), vec![0.5]));
}
