//! Reference level 4.0: what the compiler makes of a description. All numbers are from MuJoCo 4.0.1.

use crate::reference::{assert_near, load_4, refused_at_4};
use kinetree_model::enums::ObjType;
use kinetree_model::{Data, Model, mj_id2name};
use kinetree_spec::load_model_str;

fn bodies(model: &Model) -> Vec<&str> {
    (1..model.nbody).map(|body| mj_id2name(model, ObjType::Body, body).unwrap_or("")).collect()
}

fn fused(attributes: &str, before: &str, after: &str) -> String {
    format!(
        "<mujoco><compiler fusestatic='true'/>{before}<worldbody><body name='a'><joint/><geom size='.1'/>
         <body name='s' pos='1 0 0'><geom size='.1'/><light pos='0 0 1' dir='1 0 0'/></body>
         <body name='x' pos='0 0 1' euler='0 90 0' {attributes}><geom size='.1'/><camera pos='0 0 1'/></body></body>
         <body name='w' pos='2 0 0' gravcomp='1'><geom size='.1'/></body></worldbody>{after}</mujoco>"
    )
}

#[test]
fn static_bodies_are_fused_one_by_one() {
    for (attributes, before, after, left) in [
        ("", "", "", &["a"][..]),
        // a reference keeps the body itself, and no other
        ("", "", "<equality><weld body1='x'/></equality>", &["a", "x"]),
        ("gravcomp='1'", "", "", &["a", "x"]),
        ("", "<option density='1'/>", "", &["a", "s", "x"]),
        ("", "<option wind='1 0 0'/>", "", &["a"]),
    ] {
        let model = load_4(&fused(attributes, before, after));
        assert_eq!(bodies(&model), left, "{attributes}{before}{after}");
    }
    let old = load_model_str(&fused("gravcomp='1'", "<option density='1'/>", "")).unwrap();
    assert_eq!(bodies(&old), ["a"]);
}

#[test]
fn what_is_fused_keeps_its_pose() {
    let model = load_4(&fused("", "", ""));
    assert_near(&model.light_pos[0], &[1.0, 0.0, 1.0], 1e-15);
    assert_near(&model.cam_pos[0], &[1.0, 0.0, 1.0], 1e-15);
    let half = 0.5f64.sqrt();
    assert_near(&model.cam_quat[0], &[half, 0.0, half, 0.0], 1e-15);
    // nodes of trees that are no more are not counted
    assert_eq!(model.nbvh, 6);
}

#[test]
fn geoms_of_a_fluid_are_not_discarded() {
    let xml = |compiler: &str, geom: &str| {
        format!(
            "<mujoco><compiler discardvisual='true' {compiler}/><worldbody><body><joint/><geom size='.1'/>
             <geom size='.2' contype='0' conaffinity='0' {geom}/></body></worldbody></mujoco>"
        )
    };
    assert_eq!(load_4(&xml("", "")).ngeom, 1);
    assert_eq!(load_4(&xml("", "fluidshape='ellipsoid'")).ngeom, 2);
    assert_eq!(load_model_str(&xml("", "fluidshape='ellipsoid'")).unwrap().ngeom, 1);
    refused_at_4(&xml("inertiafromgeom='true'", ""), &["'discardvisual' would drop a geom with mass"]);
    assert_eq!(load_4(&xml("inertiafromgeom='true'", "mass='0'")).ngeom, 1);
}

#[test]
fn the_quaternion_of_an_element_wins_over_the_orientation_of_its_class() {
    let xml = "<mujoco><default><geom euler='0 0 90' size='.1'/><site euler='0 90 0'/></default><worldbody>
        <geom quat='1 1 0 0'/><geom/><geom euler='90 0 0'/><site quat='1 0 0 1'/></worldbody></mujoco>";
    let half = 0.5f64.sqrt();
    let model = load_4(xml);
    let quats = [model.geom_quat[0], model.geom_quat[1], model.geom_quat[2], model.site_quat[0]];
    let [about_x, about_z] = [[half, half, 0.0, 0.0], [half, 0.0, 0.0, half]];
    for (found, wanted) in quats.iter().zip([about_x, about_z, about_x, about_z]) {
        assert_near(found, &wanted, 1e-15);
    }
    assert_near(&load_model_str(xml).unwrap().geom_quat[0], &about_z, 1e-15);
}

#[test]
fn a_mocap_body_leads_a_weld_group() {
    let xml = "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
        <body mocap='true' pos='0 0 .05'><geom size='.1'/>
          <body pos='.3 0 0'><geom size='.1'/>
            <body pos='.12 0 0'><joint axis='0 1 0'/><geom size='.1'/></body></body></body>
        <body mocap='true' pos='0 .15 .05'><geom size='.1'/></body>
        <body pos='0 -.15 .05'><geom size='.1'/></body>
        <body pos='.1 0 .2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    let contacts = |model: &Model| {
        let mut data = Data::new(model);
        data.forward(model).unwrap();
        data.contact[..data.ncon].iter().map(|contact| contact.geom).collect::<Vec<_>>()
    };
    let model = load_4(xml);
    assert_eq!(*model.body_weldid, [0, 1, 1, 3, 4, 0, 6]);
    assert_eq!(*model.body_treeid, [-1, -1, -1, 0, -1, -1, 1]);
    assert_eq!(model.body_invweight0[1], [0.0; 2]);
    assert_eq!(contacts(&model), [[0, 3], [1, 6]]);
    // at level 3.8 the link touches the body that carries it
    let old = load_model_str(xml).unwrap();
    assert_eq!(*old.body_weldid, [0, 0, 0, 3, 0, 0, 6]);
    assert_eq!(contacts(&old), [[0, 3], [1, 6], [2, 3]]);
}

#[test]
fn a_plane_may_move_with_a_mocap_body() {
    let model = load_4(
        "<mujoco><worldbody><body mocap='true'><geom type='plane' size='1 1 1'/></body>
         <body pos='0 0 .05'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    assert_eq!(data.ncon, 1);
}

#[test]
fn primitives_that_are_fitted_to_a_mesh_do_not_name_it() {
    let xml = "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>
        <geom type='box' mesh='m'/><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    assert_eq!(*load_4(xml).geom_dataid, [-1, 0]);
    assert_eq!(*load_model_str(xml).unwrap().geom_dataid, [0, 0]);
}

#[test]
fn contacts_in_the_gap_are_beyond_the_margin() {
    let xml = |option: &str, height: f64| {
        format!(
            "<mujoco>{option}<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 {height}'><freejoint/>
             <geom size='.1' margin='.1' gap='.05'/><geom size='.01' pos='0 0 .2'/></body></worldbody></mujoco>"
        )
    };
    let forward = |model: &Model| {
        let mut data = Data::new(model);
        data.forward(model).unwrap();
        let contact = data.contact[..data.ncon].first();
        (data.ncon, data.nefc, contact.map(|contact| (contact.includemargin, contact.exclude)))
    };
    let option = "<option o_margin='.15'><flag override='enable'/></option>";
    for (option, height, ncon, nefc, margin, exclude) in [
        ("", 0.14, 1, 4, 0.1, 0),
        ("", 0.17, 1, 4, 0.1, 0),
        ("", 0.22, 1, 0, 0.1, 1),
        ("", 0.26, 0, 0, 0.0, 0),
        (option, 0.22, 1, 4, 0.15, 0),
        (option, 0.28, 1, 0, 0.15, 1),
        (option, 0.31, 0, 0, 0.0, 0),
    ] {
        let model = load_4(&xml(option, height));
        assert!((model.body_margin[1] - 0.15).abs() < 1e-15);
        let (contacts, rows, first) = forward(&model);
        assert_eq!((contacts, rows), (ncon, nefc), "{option}{height}");
        if let Some((found, excluded)) = first {
            assert!(
                (found - margin).abs() < 1e-15 && excluded == exclude,
                "{option}{height}: {found}, {excluded}"
            );
        }
    }
    let old = load_model_str(&xml("", 0.17)).unwrap();
    let (contacts, rows, first) = forward(&old);
    assert_eq!((contacts, rows, old.body_margin[1]), (1, 0, 0.1));
    assert!(first.is_some_and(|(margin, exclude)| (margin - 0.05).abs() < 1e-15 && exclude == 1));
}

#[test]
fn infinite_planes_hardly_count_for_the_extent() {
    let xml = "<mujoco><worldbody><geom type='plane' size='0 0 1' pos='0 0 -1'/><geom size='.1' pos='1 0 0'/></worldbody></mujoco>";
    let model = load_4(xml);
    assert_near(&[model.stat.extent], &[1.11], 1e-14);
    assert_near(&model.stat.center, &[0.545, 0.0, -0.455], 1e-14);
    assert_near(&[load_model_str(xml).unwrap().stat.extent], &[2.1], 1e-14);
}

#[test]
fn the_inertia_of_a_fused_body_rotates_with_it() {
    let xml = "<mujoco><compiler fusestatic='true'/><worldbody><body><joint/><geom size='.1' mass='1'/>
        <body pos='0 0 1' euler='90 0 0'><geom type='box' size='.1 .2 .3' mass='1' pos='0 0 1'/></body></body></worldbody></mujoco>";
    let model = load_4(xml);
    assert_near(&model.body_ipos[1], &[0.0, -0.5, 0.5], 1e-15);
    assert_near(&model.body_inertia[1], &[1.0473333333333334, 1.02906943957, 0.02893056043], 1e-10);
    assert_near(&load_model_str(xml).unwrap().body_ipos[1], &[0.0, 0.0, 1.0], 1e-15);
}

#[test]
fn the_rotation_of_an_inertia_in_urdf_counts() {
    let xml = "<robot name='r'><link name='w'/><link name='l'><inertial><origin rpy='0 0 0.3'/><mass value='1'/>
        <inertia ixx='0.02' iyy='0.02' izz='0.002' ixy='0.001' ixz='0' iyz='0'/></inertial></link>
        <joint name='j' type='continuous'><parent link='w'/><child link='l'/><axis xyz='0 0 1'/></joint></robot>";
    let half = |angle: f64| [libm::cos(0.5 * angle), 0.0, 0.0, libm::sin(0.5 * angle)];
    let quarter = std::f64::consts::FRAC_PI_4;
    assert_near(&load_4(xml).body_iquat[1], &half(quarter + 0.3), 1e-12);
    assert_near(&load_model_str(xml).unwrap().body_iquat[1], &half(quarter), 1e-12);
}
