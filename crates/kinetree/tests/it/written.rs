//! Fields of models and data that a program has written: errors, not panics.

use kinetree::model::enums::{Integrator, Jacobian};
use kinetree::prelude::*;
use kinetree::sim::{SetConstError, mj_set_const};

fn showcase(name: &str) -> (Model, Data) {
    let path = format!("{}/../../models/showcase/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let model = load_model(path).unwrap();
    let data = Data::new(&model);
    (model, data)
}

#[test]
fn a_number_of_islands_without_islands_is_an_error() {
    let (model, mut data) = showcase("humanoid");
    data.nisland = 1;
    let error = data.check_indices(&model).unwrap_err().to_string();
    assert_eq!(error, "nisland[0] is 1, but must be as long as the arrays of islands: 0");
}

#[test]
fn counts_of_rows_of_islands_may_be_any_integers() {
    let (model, mut data) = showcase("humanoid");
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
fn rows_stay_as_they_were_made_when_the_option_changes() {
    let (mut model, mut data) = showcase("humanoid");
    for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
        model.opt.jacobian = jacobian as i32;
        for _ in 0..400 {
            mj_step(&model, &mut data).unwrap();
        }
        assert!(data.nisland > 0, "it lies on the floor");
        let other = [Jacobian::Dense, Jacobian::Sparse].into_iter().find(|&other| other != jacobian);
        model.opt.jacobian = other.unwrap() as i32;
        assert_eq!(data.check_indices(&model), Ok(()));
    }
}

#[test]
fn columns_of_derivatives_in_another_order_do_not_overflow() {
    let (mut model, mut data) = showcase("humanoid");
    model.opt.integrator = Integrator::Implicit as i32;
    // a row that begins within another: its last column comes just before its first one
    let span = |dof: usize, first: usize| {
        let last = first + model.D_rownnz[dof] as usize - 1;
        model.D_colind.get(last).map(|last| last - model.D_colind[first])
    };
    let found = (0..model.nv)
        .flat_map(|dof| (0..model.nD).map(move |first| (dof, first)))
        .find(|&(dof, first)| span(dof, first) == Some(-1));
    let (dof, first) = found.unwrap();
    model.D_rowadr[dof] = first as i32;
    (model.opt.density, model.opt.viscosity) = (1.2, 1e-3);
    // whatever the step makes of it
    let _step = mj_step(&model, &mut data);
}

#[test]
fn vertices_on_bodies_with_more_dofs_than_there_is_room_for_are_an_error() {
    let (mut model, mut data) = showcase("rope");
    assert_eq!(mj_set_const(&mut model, &mut data), Ok(()));
    let before = model.flexedge_J_rowadr.to_vec();
    for vertex in 1..model.flex_vertnum[0] as usize {
        model.flex_vertbodyid[vertex] = [5, 17][vertex % 2];
    }
    assert_eq!(mj_set_const(&mut model, &mut data), Err(SetConstError::FlexDofs { flex: 0 }));
    assert_eq!(model.flexedge_J_rowadr.to_vec(), before);
}
