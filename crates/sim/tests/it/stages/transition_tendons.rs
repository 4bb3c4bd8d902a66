//! Analytic derivatives of steps with armature of spatial tendons: the inertia matrix follows their moment
//! arms, and the bias the rate of these.

use super::load;
use super::transition::{TREE, check, check_inverse, check_products, shaken};
use kinetree_model::Model;

/// The tree with tendons along a chain, across branches and through a pulley, and a free body that one ends
/// on.
fn with_armature(integrator: &str) -> Model {
    let text = TREE
        .replace("<geom type=\"box\"", r#"<site name="hand" pos="-0.06 0.02 0.04"/><geom type="box""#)
        .replace(
            "<geom type=\"plane\"",
            r#"<body pos="1 0 0.9"><freejoint/><geom type="box" size="0.1 0.2 0.15" pos="0.02 0.03 0"/>
                 <site name="corner" pos="0.1 0.2 0.1"/></body><geom type="plane""#,
        )
        .replace("<spatial name=\"cable\"", r#"<spatial name="cable" armature="0.8""#)
        .replace(
            "</tendon>",
            r#"<spatial name="brace" armature="0.5" damping="0.3"><site site="tip"/><site site="hand"/></spatial>
               <spatial name="split" armature="0.3"><site site="tip"/><site site="thruster"/><pulley divisor="2"/>
                 <site site="anchor"/><site site="hand"/><pulley divisor="3"/><site site="corner"/><site site="hand"/></spatial>
               <spatial name="driven"><site site="corner"/><site site="anchor"/></spatial></tendon>"#,
        )
        .replace("</actuator>", r#"<motor tendon="driven" gear="1.5" armature="0.2"/></actuator>"#);
    let mut model = load(&format!(r#"<mujoco><option integrator="{integrator}"/>{text}</mujoco>"#));
    (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
    (model.opt.ccd_tolerance, model.opt.ccd_iterations) = (1e-14, 500);
    model
}

#[test]
fn armature_of_spatial_tendons() {
    for integrator in ["Euler", "implicit", "implicitfast"] {
        let model = with_armature(integrator);
        for (seed, steps) in [(1, 0), (2, 20), (3, 60)] {
            let mut data = shaken(&model, seed, steps);
            check(&model, &mut data);
            check_products(&model, &mut data);
        }
    }
}

#[test]
fn armature_of_spatial_tendons_in_inverse_dynamics() {
    let model = with_armature("Euler");
    check_inverse(&model, &shaken(&model, 4, 20), false);
}
