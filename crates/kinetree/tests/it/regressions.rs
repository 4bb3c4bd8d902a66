//! What random models have found, shrunk: each test is the smallest model that went wrong.

use kinetree::prelude::*;

fn load(xml: &str) -> Model {
    load_model_str(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// Contacts of a body with a single dof have one column in the Jacobian; in the middle of an elliptic cone
/// their part of the Newton matrix was left out, which made the solver creep.
#[test]
fn newton_knows_the_cone_of_a_contact_with_one_dof() {
    let model = load(
        r#"<mujoco><option cone="elliptic" impratio="4"/><worldbody><geom type="plane" size="2 2 1"/>
           <body pos="0 0 0.099"><joint type="slide" axis="1 0.2 -0.1"/><geom size="0.1"/>
             <body pos="0.3 0 0"><joint axis="0.2 1 0" damping="0.01"/><geom size="0.09" pos="0.1 0 -0.0105"/></body></body>
           </worldbody></mujoco>"#,
    );
    let mut data = Data::new(&model);
    data.qvel[0] = 1.5;
    for _ in 0..20 {
        data.step(&model).unwrap();
        assert_eq!(data.ncon, 2);
        // the first of these steps starts in the cones, and took eight iterations
        assert!(data.solver_niter[0] <= 2, "{} iterations at {}", data.solver_niter[0], data.time);
    }
}

/// Number of contacts of the initial state.
fn contacts(bodies: &str) -> usize {
    let model = load(&format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>"));
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    data.ncon
}

/// The narrow phase of two boxes finds a contact although they are farther apart (0.0628) than their margin
/// (0.0615); whether it is asked depends on the axes of the reference's sweep, hence on where other geoms
/// are.
#[test]
fn bounds_decide_about_boxes_beyond_the_margin() {
    let boxes = r#"
        <body pos="-0.11139 -0.07692 0.24216" quat="0.62125 -0.31448 0.57632 0.42779"><freejoint/>
          <geom type="box" size="0.05336 0.08238 0.06756" margin="0.03278"/></body>
        <body pos="0.10188 0.01848 0.10157" quat="0.56241 -0.4867 -0.30967 -0.59239"><freejoint/>
          <geom type="box" size="0.0522 0.06684 0.03985" margin="0.02876"/></body>"#;
    let ghost = r#"<body pos="0.4 -0.16 -0.26"><geom size="0.01" contype="0" conaffinity="0"/></body>"#;
    assert_eq!(contacts(boxes), 1);
    assert_eq!(contacts(&format!("{boxes}{ghost}")), 0);
}

/// Where boxes touch exactly, the order of the bodies decides.
#[test]
fn boxes_at_zero_distance_meet_in_one_order_only() {
    let pair = |x: f64| {
        let one = |x: f64| {
            format!(r#"<body pos="{x} 0 1"><freejoint/><geom type="box" size="0.2 0.1 0.1"/></body>"#)
        };
        contacts(&format!("{}{}", one(0.0), one(x)))
    };
    assert_eq!(pair(0.4), 0);
    assert_eq!(pair(-0.4), 4);
}

/// The last of five contacts is one of boxes that are farther apart than their margin, and so are their boxes
/// in the world; the bounds of the bodies, which the reference compares, overlap.
#[test]
fn corners_of_boxes_reach_beyond_the_margin() {
    let bodies = r#"
        <body pos="-0.023 0.092 0.074" quat="0.468 -0.220 -0.560 1.663"><freejoint/>
          <geom type="box" size="0.074 0.039 0.092" quat="-0.403 0.013 0.138 1.113" margin="0.020"/>
          <geom type="box" size="0.062 0.038 0.073" pos="-0.104 -0.011 0.016" quat="0.852 -0.580 0.926 0.017" margin="0.030"/></body>
        <body pos="-0.201 -0.011 0.039" quat="0.083 -1.132 1.142 -0.731"><freejoint/>
          <geom type="box" size="0.040 0.086 0.035" quat="0.377 -1.728 0.579 -0.032" margin="0.049"/>
          <geom type="box" size="0.085 0.072 0.032" pos="-0.010 -0.118 -0.090" quat="0.861 0.946 0.012 0.615" margin="0.004"/></body>"#;
    assert_eq!(contacts(bodies), 5);
}

/// Actuators whose moment has no entries, behind the last one that has some.
#[test]
fn actuators_without_moment_have_a_length() {
    let model = load(
        r#"<mujoco>
           <worldbody>
             <site name="a" pos="0 0 1"/><site name="b" pos="0.3 0.4 1"/>
             <body><joint name="hinge"/><geom size="0.1"/></body>
           </worldbody>
           <tendon><spatial name="wire"><site site="a"/><site site="b"/></spatial></tendon>
           <actuator><motor joint="hinge"/><motor tendon="wire"/></actuator></mujoco>"#,
    );
    assert_eq!(model.actuator_length0[1], 0.5);
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    assert_eq!(&data.actuator_length[..], [0.0, 0.5]);
    assert_eq!(&data.moment_rownnz[..], [1, 0]);
}

/// A flex whose vertices move along lines from its middle; the first is fixed, and those below touch a plane
/// such that in some rows of a contact the parts along normal and tangent cancel.
#[test]
fn contacts_of_a_radial_flex_have_islands() {
    // the fixed vertex has rows in a dense matrix only
    for (jacobian, first) in [("dense", 8), ("sparse", 4)] {
        let model = load(&format!(
            r#"<mujoco><option jacobian="{jacobian}"/><worldbody>
                 <geom type="plane" pos="0 0 -.5" size="10 10 .1"/>
                 <flexcomp dof="radial" name="test" type="grid" count="2 2 2" spacing="1 1 1" dim="3">
                   <contact selfcollide="none" internal="false"/>
                 </flexcomp>
               </worldbody></mujoco>"#
        ));
        let mut data = Data::new(&model);
        data.step(&model).unwrap();
        assert_eq!(data.ncon, 4);
        // the three vertices that move each stand by themselves; rows of the fixed one go with the first
        assert_eq!(data.nisland, 3);
        assert_eq!(&data.tree_island[..], &[-1, 0, -1, 1, -1, 2, -1]);
        assert_eq!(&data.island_nefc[..], &[first, 4, 4]);
        // and pushed up by the plane they slide towards the middle's height
        for dof in [1, 3, 5] {
            assert!(data.qvel[dof] < 0.0, "{jacobian}: dof {dof} moves at {}", data.qvel[dof]);
        }
    }
}

/// What would need more memory or time than there is ends in an error that says what to do, and leaves a data
/// that works on.
#[test]
fn matrices_that_are_too_large_are_refused() {
    let cells = |solver: &str| {
        load(&format!(
            r#"<mujoco><option solver="{solver}" iterations="1"/><worldbody>
                 <flexcomp name="brick" type="direct" dim="3" dof="trilinear" cellcount="2 1000 1" mass="0.4"
                   point="-0.1 -0.05 -0.05  -0.1 0.05 -0.05  -0.1 0 0.05  0 0.02 0  0.1 -0.05 -0.05  0.1 0.05 -0.05  0.1 0 0.05"
                   element="0 1 2 3  3 4 5 6  0 3 4 1">
                   <edge equality="strain"/><contact selfcollide="none" contype="0" conaffinity="0"/>
                 </flexcomp>
               </worldbody></mujoco>"#
        ))
    };
    let newton = cells("Newton");
    let mut data = Data::new(&newton);
    for _ in 0..2 {
        let problem = data.step(&newton).unwrap_err().to_string();
        assert!(problem.contains("solver=\"CG\""), "{problem}");
    }
    data.step(&cells("CG")).unwrap_or_else(|problem| panic!("{problem}"));
    let sheet = load(
        r#"<mujoco><option jacobian="dense"/><worldbody>
             <flexcomp name="sheet" type="grid" dim="2" count="3 3000 1" spacing=".1 .1 .1" mass="1">
               <edge equality="true"/><contact selfcollide="none" contype="0" conaffinity="0"/>
             </flexcomp>
           </worldbody></mujoco>"#,
    );
    let problem = Data::new(&sheet).step(&sheet).unwrap_err().to_string();
    assert!(problem.contains("jacobian=\"sparse\""), "{problem}");
}
