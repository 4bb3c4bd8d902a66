//! What random models have found, shrunk: each test is the smallest model that went wrong.

use kinetree::prelude::*;

fn load(xml: &str) -> Model {
    load_model_str(xml, None).unwrap_or_else(|e| panic!("{e}"))
}

/// Contacts of a body with a single dof have one column in the Jacobian; in the middle of an elliptic cone their part of the Newton
/// matrix was left out, which made the solver creep.
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
