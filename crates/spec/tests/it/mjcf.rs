//! What the MJCF reader makes of models.

use kinetree_model::enums::{BiasType, DynType, JointType, LightType, ObjType, SensorType, TrnType};
use kinetree_spec::spec::{Limited, Orientation, WrapTarget};
use kinetree_spec::{Spec, Vfs};

fn read(xml: &str) -> Spec {
    Spec::from_xml_string(xml, None).unwrap_or_else(|findings| panic!("{findings}"))
}

fn names<'a, T: kinetree_spec::spec::Element + 'a>(list: impl Iterator<Item = &'a T>) -> Vec<&'a str> {
    list.map(kinetree_spec::spec::Element::name).collect()
}

#[test]
fn classes_apply_from_the_outside_in() {
    let spec = read(
        "<mujoco>
           <default>
             <geom density='1' margin='1'/>
             <default class='a'><geom margin='2' gap='2'/><default class='b'><geom gap='3'/></default></default>
           </default>
           <worldbody>
             <geom name='main' size='1'/>
             <geom name='own' class='a' size='1'/>
             <body childclass='a'>
               <geom name='inherited' size='1'/>
               <geom name='override' class='main' size='1'/>
               <frame childclass='b'><geom name='frame' size='1' density='9'/></frame>
               <body><geom name='nested' size='1'/></body>
             </body>
           </worldbody>
         </mujoco>",
    );
    let values = |name: &str| {
        let geom = &spec.geoms[spec.find_geom(name).unwrap()];
        (geom.density, geom.margin, geom.gap)
    };
    assert_eq!(values("main"), (1.0, 1.0, 0.0));
    assert_eq!(values("own"), (1.0, 2.0, 2.0));
    assert_eq!(values("inherited"), (1.0, 2.0, 2.0));
    assert_eq!(values("override"), (1.0, 1.0, 0.0));
    assert_eq!(values("frame"), (9.0, 2.0, 3.0));
    assert_eq!(values("nested"), (1.0, 2.0, 2.0));
}

#[test]
fn partial_vectors_keep_the_rest_of_the_default() {
    let spec =
        read("<mujoco><worldbody><geom size='1' friction='0.3' solimp='0.5 0.6'/></worldbody></mujoco>");
    let geom = spec.geoms.values().next().unwrap();
    assert_eq!(geom.friction, [0.3, 0.005, 0.0001]);
    assert_eq!(geom.solimp, [0.5, 0.6, 0.001, 0.5, 2.0]);
    assert_eq!(geom.size, [1.0, 0.0, 0.0]);
}

#[test]
fn orientations_keep_their_form() {
    let spec = read(
        "<mujoco><worldbody><body name='e' euler='1 2 3'/><body name='q' quat='2 0 0 0'/><body name='z' zaxis='0 1 0'/></worldbody></mujoco>",
    );
    let body = |name: &str| &spec.bodies[spec.find_body(name).unwrap()];
    assert_eq!(body("e").alt, Orientation::Euler([1.0, 2.0, 3.0]));
    assert_eq!((body("q").alt, body("q").quat), (Orientation::Quat, [2.0, 0.0, 0.0, 0.0]));
    assert_eq!(body("z").alt, Orientation::ZAxis([0.0, 1.0, 0.0]));
}

#[test]
fn sections_may_repeat_and_come_in_any_order() {
    let spec = read(
        "<mujoco model='m'><!-- hello -->
           <worldbody><body name='a'><joint class='c'/></body></worldbody>
           <option timestep='0.1'/><option gravity='0 0 1'/>
           <worldbody><body name='b'/></worldbody>
           <default><default class='c'><joint type='slide'/></default></default>
           <compiler angle='radian'/>
         </mujoco>",
    );
    assert_eq!(names(spec.bodies.values()), ["world", "a", "b"]);
    assert_eq!((spec.option.timestep, spec.option.gravity), (0.1, [0.0, 0.0, 1.0]));
    assert_eq!(spec.joints.values().next().unwrap().r#type, JointType::Slide);
    assert_eq!((spec.modelname.as_str(), spec.comment.as_str()), ("m", " hello "));
    assert!(!spec.compiler().degree);
}

#[test]
fn included_sections_stand_where_the_include_stands() {
    let mut vfs = Vfs::new();
    vfs.add_buffer(
        "sub/part.xml",
        *b"<mujoco><include file='deeper.xml'/><worldbody><body name='b'/></worldbody></mujoco>",
    )
    .unwrap();
    vfs.add_buffer(
        "sub/deeper.xml",
        *b"<x><worldbody><body name='a'><include file='leaf.xml'/></body></worldbody></x>",
    )
    .unwrap();
    vfs.add_buffer("sub/leaf.xml", *b"<x><geom name='leaf' size='1'/><geom name='leaf2' size='1'/></x>")
        .unwrap();
    let xml = "<mujoco><include file='sub/part.xml'/><worldbody><body name='c'/></worldbody></mujoco>";
    let spec = Spec::from_xml_string(xml, Some(&vfs)).unwrap_or_else(|findings| panic!("{findings}"));
    assert_eq!(names(spec.bodies.values()), ["world", "a", "b", "c"]);
    assert_eq!(names(spec.geoms.values()), ["leaf", "leaf2"]);
    let leaf = &spec.geoms[spec.find_geom("leaf2").unwrap()];
    assert!(spec.sources.files[leaf.origin.pos.file.0 as usize].path.ends_with("leaf.xml"));
}

#[test]
fn actuator_shortcuts_become_general() {
    let spec = read(
        "<mujoco><default><position kp='7'/></default><actuator>
           <position name='p' joint='j'/><velocity name='v' joint='j' kv='3'/><intvelocity name='i' joint='j' kp='2'/>
           <muscle name='m' tendon='t'/><motor name='s' site='s' refsite='r' gear='1 2 3'/>
         </actuator></mujoco>",
    );
    let actuator = |name: &str| &spec.actuators[spec.find_actuator(name).unwrap()];
    let position = actuator("p");
    assert_eq!((position.gainprm[0], position.biasprm[1], position.biastype), (7.0, -7.0, BiasType::Affine));
    assert_eq!((actuator("v").gainprm[0], actuator("v").biasprm[..3].to_vec()), (3.0, vec![0.0, 0.0, -3.0]));
    assert_eq!((actuator("i").dyntype, actuator("i").actlimited), (DynType::Integrator, Limited::True));
    // the class made its gain 7, which a muscle takes for the lower end of its range
    assert_eq!((actuator("m").trntype, actuator("m").gainprm[0]), (TrnType::Tendon, 7.0));
    assert_eq!((actuator("s").trntype, actuator("s").gear), (TrnType::Site, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]));
}

#[test]
fn sensors_know_their_objects() {
    let spec = read(
        "<mujoco><sensor>
           <gyro name='g' site='s'/><camprojection name='c' site='s' camera='k'/><insidesite name='i' site='s' objtype='geom' objname='o'/>
           <contact name='n' subtree1='a' geom2='b' data='found pos' num='3' reduce='netforce'/><user name='u' dim='4'/>
         </sensor></mujoco>",
    );
    let sensor = |name: &str| &spec.sensors[spec.find_sensor(name).unwrap()];
    assert_eq!((sensor("g").r#type, sensor("g").objtype), (SensorType::Gyro, ObjType::Site));
    assert_eq!((sensor("c").reftype, sensor("c").refname.as_str()), (ObjType::Camera, "k"));
    assert_eq!((sensor("i").reftype, sensor("i").objtype), (ObjType::Site, ObjType::Geom));
    assert_eq!(
        (sensor("n").objtype, sensor("n").reftype, sensor("n").intprm),
        (ObjType::Xbody, ObjType::Geom, [17, 3, 3])
    );
    assert_eq!(sensor("u").dim, 4);
}

#[test]
fn small_things_are_read() {
    let spec = read(
        "<mujoco>
           <size memory='2M' nuser_geom='3'/>
           <compiler assetdir='all' meshdir='shapes' inertiagrouprange='1 2'><lengthrange mode='all' accel='3'/></compiler>
           <option><flag contact='disable' energy='enable'/></option>
           <visual><map znear='0.5'/><global orthographic='true' bvactive='false'/></visual>
           <asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3 4'/></asset>
           <worldbody><light directional='true'/><light type='point'/></worldbody>
           <tendon><spatial springlength='0.5'><site site='a'/><geom geom='g' sidesite='b'/></spatial></tendon>
         </mujoco>",
    );
    assert_eq!((spec.size.memory, spec.size.nuser_geom), (2 << 20, 3));
    assert_eq!((spec.compiler().meshdir.as_str(), spec.compiler().texturedir.as_str()), ("shapes", "all"));
    assert_eq!((spec.option.disableflags, spec.option.enableflags), (16, 2));
    assert_eq!(
        (spec.visual.map.znear, spec.visual.global.orthographic, spec.visual.global.bvactive),
        (0.5, 1, 0)
    );
    assert_eq!(spec.hfields.values().next().unwrap().userdata, [3.0, 4.0, 1.0, 2.0]);
    let lights: Vec<_> = spec.lights.values().map(|light| light.r#type).collect();
    assert_eq!(lights, [LightType::Directional, LightType::Point]);
    let tendon = spec.tendons.values().next().unwrap();
    assert_eq!(tendon.springlength, [0.5, 0.5]);
    assert_eq!(tendon.path[1].target, WrapTarget::Geom { name: "g".into(), sidesite: "b".into() });
}

/// Numbers as C reads them: digits and an exponent of two after `0x`.
#[test]
fn numbers_may_be_hexadecimal() {
    let spec = read(
        "<mujoco><worldbody><geom name='g' size='0x1.8p-1' pos='0x10 -0X.4 0x1.08p+2'/></worldbody></mujoco>",
    );
    let (_, geom) = spec.geoms.iter().next().unwrap();
    assert_eq!(geom.size[0], 0.75);
    assert_eq!(geom.pos, [16.0, -0.25, 4.125]);
}

/// A layout of a cube's sides has a letter for each cell of the grid.
#[test]
fn the_layout_of_a_texture_fits_its_grid() {
    let read = |attributes: &str| {
        Spec::from_xml_string(
            &format!(
                "<mujoco><asset><texture name='t' type='cube' file='a.png' {attributes}/></asset></mujoco>"
            ),
            None,
        )
    };
    let spec = read("gridsize='3 4' gridlayout='.U..LFRB.D..'").unwrap();
    assert_eq!(spec.textures.iter().next().unwrap().1.gridsize, [3, 4]);
    assert!(read("gridsize='2 3' gridlayout='RLUDFB'").is_ok());
    assert!(read("gridsize='3 3' gridlayout='RLUDFB'").is_err());
    assert!(read("gridsize='3 5' gridlayout='RLUDFBRLUDFBRLU'").is_err());
}

/// A body that becomes a frame leaves its geoms and children where they were, and takes its joints along.
#[test]
fn a_body_becomes_a_frame() {
    let mut spec = read(
        "<mujoco><worldbody><body name='a' pos='1 2 3' euler='0 0 90'><joint/><geom name='g' pos='1 0 0' size='1'/>
           <body name='b' pos='0 1 0'><geom name='h' size='1'/></body></body></worldbody></mujoco>",
    );
    let id = spec.find_body("a").unwrap();
    assert!(spec.body_to_frame(id).is_some());
    assert!(spec.body_to_frame(spec.world()).is_none());
    let model = spec.compile().unwrap();
    assert_eq!((model.nbody, model.njnt, model.ngeom), (2, 0, 2));
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12);
    assert!(near(model.geom_pos[0], [1.0, 3.0, 3.0]), "{:?}", model.geom_pos[0]);
    assert!(near(model.body_pos[1], [0.0, 2.0, 3.0]), "{:?}", model.body_pos[1]);
}
