//! What the URDF reader makes of robots.

use kinetree_model::enums::{GeomType, JointType};
use kinetree_model::{Data, Model};
use kinetree_spec::spec::Limited;
use kinetree_spec::{Spec, Vfs};

fn read(xml: &str) -> Spec {
    Spec::from_xml_string(xml, None).unwrap_or_else(|findings| panic!("{findings}"))
}

fn error(xml: &str) -> String {
    Spec::from_xml_string(xml, None).unwrap_err().list[0].message.clone()
}

const LINKS: &str = "<link name='a'/><link name='b'/><link name='c'/>";

fn joint(name: &str, kind: &str, parent: &str, child: &str, content: &str) -> String {
    format!(
        "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{content}</joint>"
    )
}

#[test]
fn links_form_a_tree() {
    let xml = format!(
        "<robot name='r'>{LINKS}{}{}</robot>",
        joint("x", "fixed", "c", "b", ""),
        joint("y", "revolute", "b", "a", "")
    );
    let spec = read(&xml);
    let parent =
        |name: &str| spec.bodies[spec.bodies[spec.find_body(name).unwrap()].parent.unwrap()].name.clone();
    assert_eq!((parent("a"), parent("b"), parent("c")), ("b".into(), "c".into(), "world".into()));
    assert_eq!((spec.joints.len(), spec.modelname.as_str()), (1, "r"));
    assert!(spec.compiler().fusestatic && spec.compiler().discardvisual && !spec.compiler().degree);
}

#[test]
fn loops_and_dangling_links_are_refused() {
    let two = format!(
        "<robot>{LINKS}{}{}</robot>",
        joint("x", "fixed", "a", "b", ""),
        joint("y", "fixed", "b", "a", "")
    );
    assert!(error(&two).contains("loop"));
    let parents = format!(
        "<robot>{LINKS}{}{}</robot>",
        joint("x", "fixed", "a", "b", ""),
        joint("y", "fixed", "c", "b", "")
    );
    assert!(error(&parents).contains("more than one parent"));
    assert!(
        error(&format!("<robot>{LINKS}{}</robot>", joint("x", "fixed", "a", "bb", "")))
            .contains("no link 'bb'")
    );
    assert!(error("<robot><link name='a'/><link name='a'/></robot>").contains("used twice"));
    assert!(error(&format!("<robot>{LINKS}{}</robot>", joint("x", "bent", "a", "b", ""))).contains("'bent'"));
}

#[test]
fn joints_become_ours() {
    let limit = "<axis xyz='0 0 1'/><limit lower='-1' upper='2' effort='-5'/><dynamics damping='0.1' friction='0.2'/>";
    let xml = format!(
        "<robot>{LINKS}{}{}</robot>",
        joint("x", "prismatic", "a", "b", limit),
        joint("y", "planar", "b", "c", "<limit lower='1'/>")
    );
    let spec = read(&xml);
    let joints: Vec<_> = spec.joints.values().collect();
    assert_eq!(
        (joints[0].r#type, joints[0].axis, joints[0].range),
        (JointType::Slide, [0.0, 0.0, 1.0], [-1.0, 2.0])
    );
    assert_eq!(
        (joints[0].actfrcrange, joints[0].damping[0], joints[0].frictionloss),
        ([-5.0, 5.0], 0.1, 0.2)
    );
    assert_eq!(joints[0].limited, Limited::Auto);
    let names: Vec<_> = joints[1..].iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["y_TX", "y_TY", "y_RZ"]);
    assert_eq!((joints[1].limited, joints[3].r#type), (Limited::False, JointType::Hinge));
}

#[test]
fn mimic_becomes_an_equality() {
    let mimic = "<mimic joint='x' multiplier='-2' offset='0.5'/>";
    let xml = format!(
        "<robot>{LINKS}{}{}</robot>",
        joint("x", "revolute", "a", "b", ""),
        joint("y", "revolute", "a", "c", mimic)
    );
    let spec = read(&xml);
    let equality = spec.equalities.values().next().unwrap();
    assert_eq!((equality.name1.as_str(), equality.name2.as_str()), ("y", "x"));
    assert_eq!(equality.data[..5], [0.5, -2.0, 0.0, 0.0, 0.0]);
    // without numbers it follows one to one
    let spec = read(&xml.replace(" multiplier='-2' offset='0.5'", ""));
    assert_eq!(spec.equalities.values().next().unwrap().data[..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
}

/// MuJoCo ignores `<mimic>`: inverse dynamics of a robot that has some differ from its own by the forces of
/// these equalities, at rest too, and by nothing else.
#[test]
fn inverse_dynamics_with_mimic_joints_differ_by_the_equality() {
    let link = |name: &str, mass: f64| {
        format!(
            "<link name='{name}'><inertial><origin xyz='0.1 0 0'/><mass value='{mass}'/>
             <inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        )
    };
    let hinge = |name: &str, child: &str, more: &str| {
        joint(name, "continuous", "a", child, &format!("<axis xyz='0 1 0'/>{more}"))
    };
    let load = |mimic: &str| {
        let (links, joints) =
            (link("b", 2.0) + &link("c", 1.0), hinge("x", "b", "") + &hinge("y", "c", mimic));
        read(&format!("<robot name='r'><link name='a'/>{links}{joints}</robot>")).compile().expect("a model")
    };
    let free = load("");
    let mut data = Data::new(&free);
    data.forward(&free).unwrap();
    let qacc = data.qacc.to_vec();
    let inverse = |model: &Model, active: bool| {
        let mut data = Data::new(model);
        data.eq_active.fill(active.into());
        data.qacc.copy_from_slice(&qacc);
        data.inverse(model).unwrap();
        (data.qfrc_inverse.to_vec(), data.qfrc_constraint.to_vec())
    };
    let follower = load("<mimic joint='x' multiplier='-2'/>");
    let is_zero = |forces: &[f64]| forces.iter().all(|force| force.abs() < 1e-12);
    assert!(is_zero(&inverse(&free, true).0) && is_zero(&inverse(&follower, false).0));
    let (needed, equality) = inverse(&follower, true);
    // y + 2 x = 0
    assert!(needed[1] > 1.0 && (needed[0] - 2.0 * needed[1]).abs() < 1e-9, "{needed:?}");
    let sum: Vec<f64> = needed.iter().zip(&equality).map(|(a, b)| a + b).collect();
    assert!(is_zero(&sum), "{sum:?}");
}

#[test]
fn shapes_have_half_lengths_and_the_last_color() {
    let xml = "<robot><material name='red'><color rgba='1 0 0 1'/></material><link name='a'>
        <visual><geometry><sphere radius='1'/></geometry><material name='red'/></visual>
        <collision name='n'><origin xyz='1 2 3'/><geometry><box size='2 4 6'/></geometry></collision>
        <collision name='n'><geometry><capsule radius='1' length='3'/></geometry></collision></link></robot>";
    let spec = read(xml);
    let geoms: Vec<_> = spec.geoms.values().collect();
    assert_eq!(
        (geoms[0].r#type, geoms[0].size, geoms[0].pos),
        (GeomType::Box, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    );
    assert_eq!((geoms[1].r#type, geoms[1].size[..2].to_vec()), (GeomType::Capsule, vec![1.0, 1.5]));
    assert_eq!(geoms[0].rgba, [1.0, 0.0, 0.0, 1.0]);
    // the second use of a name goes without
    assert_eq!((geoms[0].name.as_str(), geoms[1].name.as_str()), ("n", ""));
}

#[test]
fn the_extension_sets_options() {
    let xml = "<robot><mujoco><compiler discardvisual='false' strippath='true'/><option timestep='0.01'/></mujoco><link name='a'>
        <visual><geometry><mesh filename='package://p/m.obj' scale='1 2 3'/></geometry></visual></link></robot>";
    let spec = read(xml);
    assert_eq!(spec.option.timestep, 0.01);
    let mesh = spec.meshes.values().next().unwrap();
    assert_eq!((mesh.name.as_str(), mesh.file.as_str(), mesh.scale), ("m", "m.obj", [1.0, 2.0, 3.0]));
    let geom = spec.geoms.values().next().unwrap();
    assert_eq!((geom.group, geom.contype, geom.density, geom.meshname.as_str()), (1, 0, 0.0, "m"));
}

#[test]
fn packages_are_found_above_the_file() {
    let mut vfs = Vfs::new();
    let xml = "<robot><link name='a'><collision><geometry><mesh filename='package://arm/meshes/m.obj'/></geometry></collision></link></robot>";
    vfs.add_buffer("robots/arm/urdf/arm.urdf", xml.as_bytes()).unwrap();
    vfs.add_buffer("robots/arm/meshes/m.obj", *b"v 0 0 0").unwrap();
    let spec = Spec::from_xml_file_in("robots/arm/urdf/arm.urdf", Some(&vfs)).unwrap();
    assert!(spec.meshes.values().next().unwrap().file.ends_with("m.obj"));
}

#[test]
fn missing_inertia_is_not_zero_inertia() {
    let xml = "<robot><link name='a'><inertial><mass value='1'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    assert!(read(xml).bodies.values().nth(1).unwrap().fullinertia[0].is_nan());
    assert!(
        error("<robot><link name='a'><inertial><mass value='1'/></inertial></link></robot>")
            .contains("<inertia>")
    );
}
