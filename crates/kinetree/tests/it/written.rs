//! Fields of models and data that a program has written: errors, not panics.

use kinetree::prelude::*;
use kinetree::sim::{SetConstError, mj_set_const};

fn humanoid() -> (Model, Data) {
    let model = load_model(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/showcase/humanoid.xml")).unwrap();
    let data = Data::new(&model);
    (model, data)
}

#[test]
fn a_number_of_islands_without_islands_is_an_error() {
    let (model, mut data) = humanoid();
    data.nisland = 1;
    let error = data.check_indices(&model).unwrap_err().to_string();
    assert_eq!(error, "nisland[0] is 1, but must be as long as the arrays of islands: 0");
}

#[test]
fn counts_of_rows_of_islands_may_be_any_integers() {
    let (model, mut data) = humanoid();
    for _ in 0..400 {
        mj_step(&model, &mut data).unwrap();
    }
    assert!(data.nisland > 0, "it lies on the floor");
    assert_eq!(data.check_indices(&model), Ok(()));
    data.island_ne[0] = i32::MIN;
    let error = data.check_indices(&model).unwrap_err().to_string();
    assert!(error.starts_with("island_ne[0] is -2147483648"), "{error}");
}

#[test]
fn columns_of_derivatives_in_another_order_do_not_overflow() {
    let (mut model, mut data) = humanoid();
    model.opt.integrator = Integrator::Implicit as i32;
    // the first row of a free body: its last column just below its first one
    let start = model.D_rowadr[0] as usize;
    let last = start + model.D_rownnz[0] as usize - 1;
    (model.D_colind[start], model.D_colind[last]) = (1, 0);
    model.dof_damping.fill(0.1);
    // whatever the step makes of it
    let _step = mj_step(&model, &mut data);
}

/// A sheet whose edges do nothing, so that the model has no room for their Jacobian.
#[test]
fn edges_that_the_model_has_no_room_for_are_an_error() {
    let mut model = load_model_str(
        r#"<mujoco><worldbody>
             <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing="0.1 0.1 0.1"/>
           </worldbody></mujoco>"#,
    )
    .unwrap();
    let mut data = Data::new(&model);
    assert_eq!(mj_set_const(&mut model, &mut data), Ok(()));
    let before = model.flexedge_J_rowadr.to_vec();
    model.flex_edgestiffness[0] = 10.0;
    assert_eq!(mj_set_const(&mut model, &mut data), Err(SetConstError::FlexDofs { flex: 0 }));
    assert_eq!(model.flexedge_J_rowadr.to_vec(), before);
}
