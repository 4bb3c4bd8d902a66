//! Models for kinematics: what chains of joints do not need does not stop a file from loading.

use kinetree_model::enums::ObjType;
use kinetree_model::mj_name2id;
use kinetree_spec::{Vfs, load_kinematics, load_model_with};

const TREE: &str = r#"
  <link name="base"/>
  <link name="arm">INERTIAL<visual>VISUAL</visual><collision>COLLISION</collision></link>
  <link name="tool0"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 1 0"/><limit lower="-1" upper="2"/></joint>
  <joint name="flange" type="fixed"><parent link="arm"/><child link="tool0"/><origin xyz="0.5 0 0"/></joint>"#;
const BALL: &str = "<geometry><sphere radius='0.1'/></geometry>";
const MESH: &str = "<geometry><mesh filename='package://robot/arm.ply'/></geometry>";

fn robot(mass: &str, inertia: &str, visual: &str, collision: &str) -> Vfs {
    let [xx, yy, zz] = <[&str; 3]>::try_from(inertia.split(' ').collect::<Vec<_>>()).unwrap();
    let inertial = format!(
        "<inertial><mass value='{mass}'/><inertia ixx='{xx}' iyy='{yy}' izz='{zz}' ixy='0' ixz='0' iyz='0'/></inertial>"
    );
    let tree = TREE.replace("INERTIAL", &inertial).replace("VISUAL", visual).replace("COLLISION", collision);
    let mut files = Vfs::new();
    files.add_buffer("robot.urdf", format!("<robot name='r'>{tree}</robot>").into_bytes()).unwrap();
    files
}

#[test]
fn a_sound_robot_is_whole() {
    let files = robot("2", "0.1 0.1 0.1", BALL, BALL);
    let loaded = load_kinematics("robot.urdf", Some(&files)).unwrap();
    assert!(loaded.reduced.is_none() && loaded.summary().is_none());
    let fused = load_model_with("robot.urdf", &files).unwrap();
    assert_eq!((loaded.model.ngeom, loaded.model.nbody, fused.nbody), (1, 4, 2));
    assert!(mj_name2id(&loaded.model, ObjType::Body, "tool0").is_some());
}

#[test]
fn meshes_and_impossible_inertias_do_not_stop_it() {
    let cases = [
        ("2", "0.1 0.1 0.1", BALL, MESH, "arm.ply"),
        ("2", "1 0.1 0.1", BALL, BALL, "A + B"),
        ("2", "0.1 0.1 -0.1", MESH, BALL, "positive"),
        ("0", "0 0 0", BALL, "<geometry><sphere/></geometry>", "radius"),
        ("two", "0.1 0.1 0.1", BALL, BALL, "two"),
    ];
    for (mass, inertia, visual, collision, why) in cases {
        let files = robot(mass, inertia, visual, collision);
        load_model_with("robot.urdf", &files).unwrap_err();
        let loaded = load_kinematics("robot.urdf", Some(&files)).unwrap();
        let summary = loaded.summary().unwrap();
        assert!(summary.contains(why), "'{why}' is not in: {summary}");
        let model = loaded.model;
        assert_eq!((model.nv, model.nbody, model.jnt_range[0]), (1, 4, [-1.0, 2.0]));
        let arm = mj_name2id(&model, ObjType::Body, "arm").unwrap();
        if let Ok(mass) = mass.parse::<f64>() {
            assert_eq!(model.body_mass[arm], mass.max(1e-6));
        }
        assert!(model.body_inertia[arm].iter().all(|&moment| moment > 0.0));
    }
}

#[test]
fn faults_of_the_kinematics_are_told() {
    let mut files = robot("2", "1 0.1 0.1", BALL, BALL);
    let text = "<robot name='r'><link name='a'/><joint name='j' type='hinge'><parent link='a'/><child link='b'/></joint></robot>";
    files.add_buffer("broken.urdf", text.as_bytes()).unwrap();
    let found = load_kinematics("broken.urdf", Some(&files)).unwrap_err();
    assert!(found.to_string().contains("there is no link 'b'"), "{found}");
}

#[test]
fn models_in_mjcf_lose_only_what_comes_from_files() {
    let mut files = Vfs::new();
    let text = r#"<mujoco>
      <asset><mesh name="m" file="gone.obj"/><texture name="t" file="gone.png" type="2d"/><material name="k" texture="t"/></asset>
      <worldbody><body><joint name="j"/><geom type="mesh" mesh="m" material="k"/>
        <body name="tool"><geom size="0.1" material="k"/></body></body></worldbody></mujoco>"#;
    files.add_buffer("robot.xml", text.as_bytes()).unwrap();
    let loaded = load_kinematics("robot.xml", Some(&files)).unwrap();
    assert!(loaded.summary().unwrap().contains("gone"));
    assert_eq!((loaded.model.njnt, loaded.model.ngeom, loaded.model.nmesh), (1, 1, 0));
}
