//! Inertia matrices that cannot be factored end a world with the dof that is to blame.

use kinetree_batch::BatchSim;
use kinetree_model::enums::{DisableBit, Warning};
use kinetree_model::{Data, StepError};
use std::sync::Arc;

/// A slide, and two hinges about one axis: nothing tells their accelerations apart.
const COAXIAL: &str = r#"<mujoco><worldbody>
  <body><joint type="slide"/><geom size="0.1"/></body>
  <body pos="1 0 0"><joint axis="0 0 1"/><joint axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
</worldbody></mujoco>"#;

#[test]
fn a_step_warns_with_the_dof() {
    let mut model = kinetree_spec::load_model_str(COAXIAL).unwrap();
    for autoreset in [true, false] {
        if !autoreset {
            model.opt.disableflags |= DisableBit::Autoreset as i32;
        }
        let mut data = Data::new(&model);
        data.step(&model).unwrap();
        let inertia = data.warning[Warning::Inertia as usize];
        assert_eq!((inertia.number, inertia.lastinfo), (1, 1), "autoreset: {autoreset}");
        assert!(data.warning[Warning::Badqacc as usize].number > 0);
        assert!(data.warning_texts().any(|text| text.contains("cannot be factored at dof 1")));
    }
}

#[test]
fn a_batch_ends_the_world_with_the_cause() {
    let model = kinetree_spec::load_model_str(COAXIAL).unwrap();
    let mut batch = BatchSim::new(Arc::new(model), 3);
    let result = batch.step_all();
    for error in result.errors {
        assert_eq!(error, Some(StepError::SingularInertia { dof: 1 }));
    }
    assert!(result.terminated.iter().all(|&terminated| terminated));
    let sound = COAXIAL.replacen(r#"<joint axis="0 0 1"/>"#, r#"<joint axis="0 0 1" armature="0.1"/>"#, 1);
    let model = kinetree_spec::load_model_str(&sound).unwrap();
    let mut batch = BatchSim::new(Arc::new(model), 3);
    assert!(batch.step_all().errors.iter().all(Option::is_none));
}
