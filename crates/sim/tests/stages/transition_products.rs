//! Reverse products of steps with many coupled dofs, which are made without matrices, against the matrices.

use super::load;
use super::transition::{check_products, shaken};
use kinetree_model::Model;
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
