//! Derivatives of trajectories against those of single steps.

use crate::support::{ball, cart_pole, delayed};
use kinetree_control::{state_size, transitions};
use kinetree_model::{Data, STATE_INTEGRATION, mj_get_state};
use kinetree_sim::{mj_step, mjd_transition};

#[test]
fn they_are_those_of_each_step() {
    for model in [cart_pole(), ball()] {
        let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
        let (steps, size) = (9, state_size(&model).unwrap());
        let (mut states, mut controls) = (vec![0.0; steps * size], Vec::new());
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let (mut c, mut d) = (Vec::new(), Vec::new());
        let (mut data, mut other) = (Data::new(&model), Data::new(&model));
        for step in 0..steps {
            for (i, control) in data.ctrl.iter_mut().enumerate() {
                *control = 0.3 * ((step + i) as f64).sin();
            }
            controls.extend(&data.ctrl);
            mj_get_state(&model, &data, &mut states[step * size..][..size], STATE_INTEGRATION).unwrap();
            other.copy_from(&data).unwrap();
            let mut matrices =
                [vec![0.0; nx * nx], vec![0.0; nx * nu], vec![0.0; ns * nx], vec![0.0; ns * nu]];
            let [ma, mb, mc, md] = &mut matrices;
            mjd_transition(&model, &mut other, Some(ma), Some(mb), Some(mc), Some(md)).unwrap();
            for (list, matrix) in [&mut a, &mut b, &mut c, &mut d].into_iter().zip(matrices) {
                list.extend(matrix);
            }
            mj_step(&model, &mut data).unwrap();
        }
        let found = transitions(&model, &states, &controls, true).unwrap();
        assert_eq!((found.steps, found.nx, found.nu, found.ns), (steps, nx, nu, ns));
        assert!(found.a == a && found.b == b && found.c == c && found.d == d);
        let without = transitions(&model, &states, &controls, false).unwrap();
        assert!(without.a == a && without.c.is_empty() && without.c(3).is_empty());
    }
}

#[test]
fn delayed_controls_are_refused() {
    let model = delayed();
    let states = vec![0.0; state_size(&model).unwrap()];
    let refused = transitions(&model, &states, &[0.0], false).unwrap_err().to_string();
    assert!(refused.starts_with("the control of actuator 'late' is delayed"), "{refused}");
}

#[test]
fn lists_must_fit() {
    let model = cart_pole();
    let size = state_size(&model).unwrap();
    let states = vec![0.0; 2 * size];
    let short = transitions(&model, &states[1..], &[0.0; 2], false).unwrap_err().to_string();
    assert_eq!(short, format!("the list of states should have {size} values, but has {}", 2 * size - 1));
    let controls = transitions(&model, &states, &[0.0; 3], false).unwrap_err().to_string();
    assert_eq!(controls, "the list of controls should have 2 values, but has 3");
    let strange = transitions(&model, &states, &[0.0, f64::INFINITY], false).unwrap_err().to_string();
    assert_eq!(strange, "the list of controls should be finite, but value 1 is not");
    assert_eq!(transitions(&model, &[], &[], true).unwrap().steps, 0);
}
