//! Reverse products of steps, which are made without matrices, against the matrices.

use super::load;
use super::transition::{check_products, shaken};
use kinetree_model::{Data, Model};
use std::fmt::Write;

/// A heap of bodies that are free, hinged and turn as balls, tied to each other, with all that acts on
/// bodies.
fn heap(options: &str, damping: &str) -> Model {
    let (mut bodies, mut ties) = (String::new(), String::new());
    for i in 0..34 {
        let (x, z) = (0.07 * f64::from(i), 0.09 + 0.02 * f64::from(i % 3));
        write!(
            bodies,
            r#"<body name="b{i}" pos="{x} 0 {z}" euler="{} 10 {}" gravcomp="0.2"><joint type="free" damping="{damping}"/>
               <geom type="capsule" size="0.03 0.04" condim="4"/><site name="s{i}" pos="0.03 0 0.02"/>
               <body pos="0 0.08 0.02"><joint name="h{i}" axis="0 1 1" damping="{damping}" stiffness="1" range="-0.1 0.1" limited="true"/>
               <geom size="0.04"/></body></body>"#,
            7 * i,
            13 * i
        )
        .unwrap();
        if i > 0 {
            let last = i - 1;
            write!(ties, r#"<connect body1="b{i}" body2="b{last}" anchor="0.03 0 0" solref="0.05 1"/>"#)
                .unwrap();
        }
    }
    let mut model = load(&format!(
        r#"<mujoco><option density="3" viscosity="0.01" {options}/><worldbody>
           <geom type="plane" size="5 5 0.1"/>{bodies}</worldbody>
           <equality>{ties}<joint joint1="h3" joint2="h9" polycoef="0 0.5 0.2 0 0"/></equality>
           <tendon><spatial name="rope" stiffness="5" damping="0.2"><site site="s0"/><site site="s30"/></spatial>
             <fixed name="sum" stiffness="1" frictionloss="0.1"><joint joint="h1" coef="1"/><joint joint="h30" coef="-0.5"/></fixed></tendon>
           <actuator><motor site="s4" gear="1 0.3 0.2 0.1 0.2 0"/><position joint="h7" kp="3" kv="0.1"/>
             <general tendon="rope" dyntype="filter" dynprm="0.1" gainprm="2"/><muscle joint="h8" lengthrange="-1 1"/></actuator>
           </mujoco>"#
    ));
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    model
}

#[test]
fn products_of_many_coupled_dofs() {
    for (options, damping) in [(r#"cone="pyramidal""#, "0.1 0.02"), (r#"cone="elliptic""#, "0")] {
        let model = heap(options, damping);
        assert!(model.nv > 200 && model.is_sparse());
        for (seed, steps) in [(1, 0), (2, 10)] {
            let mut data = shaken(&model, seed, steps);
            check_products(&model, &mut data);
        }
    }
}

/// Every law that the motion of a contact follows: features, patches, tilted searches, the narrow phase.
#[test]
fn products_through_contacts_of_every_kind() {
    let plane = r#"<geom type="plane" size="2 2 0.1" euler="3 -2 0"/>"#;
    let asset =
        r#"<mesh name="wedge" vertex="-.1 -.1 -.05 .1 -.1 -.05 -.1 .1 -.05 .1 .1 -.05 0 -.1 .06 0 .1 .05"/>"#;
    let kinds = [
        r#"type="sphere" size="0.1""#,
        r#"type="capsule" size="0.06 0.08" euler="70 10 0""#,
        r#"type="ellipsoid" size="0.12 0.08 0.1""#,
        r#"type="cylinder" size="0.1 0.08" euler="0.02 0.03 0""#,
        r#"type="box" size="0.1 0.12 0.08""#,
        r#"type="mesh" mesh="wedge""#,
    ];
    for (first, (k, upper)) in
        kinds.iter().flat_map(|first| kinds.iter().enumerate().map(move |u| (first, u)))
    {
        let cone = if k % 2 == 0 { "elliptic" } else { "pyramidal" };
        let model = load(&format!(
            r#"<mujoco><option cone="{cone}"/><asset>{asset}</asset><worldbody>{plane}
               <body pos="0 0 0.05" euler="1 2 30"><freejoint/><geom {first} condim="6"/></body>
               <body pos="0.02 0.01 0.13" euler="2 -1 0"><joint type="slide" axis="0 0 1" damping="0.1"/><joint type="ball"/>
                 <geom size="0.01" pos="0.4 0 0"/><body><joint axis="0 1 0" pos="0 0 0.1"/><geom {upper}/></body></body>
               </worldbody></mujoco>"#
        ));
        let mut data = Data::new(&model);
        for (dof, speed) in data.qvel.iter_mut().enumerate() {
            *speed = 0.1 * (dof as f64 - 4.0);
        }
        check_products(&model, &mut data);
        let touch = data.contact[..data.ncon].iter().any(|contact| contact.geom[0] > 0);
        assert!(touch, "{first} and {upper} should touch");
    }
}
