//! Actuators: filters, muscles' limits and the DC motor against their differential equations.

use super::{close, load, steps};
use kinetree_model::Data;

const H: f64 = 0.002;

fn hinge(actuator: &str) -> (kinetree_model::Model, Data) {
    let model = load(&format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" armature="1000"/><geom size="0.1"/></body></worldbody>
           <actuator>{actuator}</actuator></mujoco>"#
    ));
    let data = Data::new(&model);
    (model, data)
}

#[test]
fn an_exact_filter_follows_the_exponential() {
    let (model, mut data) = hinge(r#"<general joint="j" dyntype="filterexact" dynprm="0.03" gainprm="2"/>"#);
    data.ctrl[0] = 1.5;
    for n in 1..40 {
        steps(&model, &mut data, 1);
        close(data.act[0], 1.5 * (1.0 - (-(f64::from(n)) * H / 0.03).exp()), 1e-12);
    }
}

#[test]
fn an_integrator_stops_at_its_range() {
    let (model, mut data) =
        hinge(r#"<general joint="j" dyntype="integrator" actlimited="true" actrange="-1 0.5" gainprm="1"/>"#);
    data.ctrl[0] = 3.0;
    steps(&model, &mut data, 10);
    close(data.act[0], 10.0 * H * 3.0, 1e-12);
    steps(&model, &mut data, 100);
    close(data.act[0], 0.5, 0.0);
}

#[test]
fn a_motor_heats_up_and_its_resistance_grows() {
    // resistance 2 Ω, constant 0.1; thermal: resistance, capacitance, coefficient, reference and ambient
    // temperature
    let (model, mut data) =
        hinge(r#"<dcmotor joint="j" resistance="2" motorconst="0.1 0.1" thermal="3 5 0 0.004 25 40"/>"#);
    let gain = model.actuator_gainprm[0];
    let dynamics = model.actuator_dynprm[0];
    assert_eq!(data.act.len(), 1, "temperature is the only state");
    let (r0, k, alpha, reference) = (gain[0], gain[1], gain[2], gain[3]);
    let (thermal_r, thermal_c, ambient) = (dynamics[2], dynamics[3], dynamics[4]);
    assert!(
        alpha > 0.0 && thermal_r > 0.0 && thermal_c > 0.0 && ambient != reference,
        "{gain:?} {dynamics:?}"
    );
    data.ctrl[0] = 12.0;
    let mut rise = 0.0_f64;
    for _ in 0..200 {
        let resistance = r0 * (1.0 + alpha * (rise + ambient - reference));
        // the heavy rotor hardly rotates, but what it rotates induces a voltage
        let current = (12.0 - k * data.qvel[0]) / resistance;
        steps(&model, &mut data, 1);
        close(data.actuator_force[0], k * current, 1e-9);
        rise += H * (resistance * current * current - rise / thermal_r) / thermal_c;
        close(data.act[0], rise, 1e-9);
    }
    assert!(rise > 1.0, "{rise}");
}

#[test]
fn a_current_follows_the_voltage_with_its_time_constant() {
    let (model, mut data) =
        hinge(r#"<dcmotor joint="j" resistance="2" motorconst="0.1 0.1" inductance="0.04"/>"#);
    let tau = model.actuator_dynprm[0][0];
    close(tau, 0.04 / 2.0, 1e-12);
    data.ctrl[0] = 6.0;
    let mut current = 0.0;
    for _ in 0..50 {
        let target = (6.0 - 0.1 * data.qvel[0]) / 2.0;
        current += (target - current) * (1.0 - (-H / tau).exp());
        steps(&model, &mut data, 1);
        close(data.act[0], current, 1e-12);
        // the force is that of the current at the end of the step (`actearly`)
        close(data.actuator_force[0], 0.1 * current, 1e-12);
    }
    close(current, 3.0, 0.02);
}

#[test]
fn a_callback_may_write_several_activations() {
    use kinetree_model::{Callback, Model};
    use std::sync::Arc;
    let (mut model, _) =
        hinge(r#"<general joint="j" dyntype="user" actdim="3"/><general joint="j" dyntype="user"/>"#);
    model.callbacks.act_dyn = Some(Callback(Arc::new(|model: &Model, data: &mut Data, actuator: usize| {
        if model.actuator_actnum[actuator] == 3 {
            let first = model.actuator_actadr[actuator] as usize;
            data.act_dot[first..first + 3].copy_from_slice(&[1.0, 2.0, 3.0]);
        }
        9.0
    })));
    let mut data = Data::new(&model);
    steps(&model, &mut data, 1);
    assert_eq!(&data.act_dot[..], &[1.0, 2.0, 3.0, 9.0]);
    assert_eq!(&data.act[..], &[H, 2.0 * H, 3.0 * H, 9.0 * H]);
}

#[test]
fn a_group_of_actuators_can_be_switched_off() {
    let (mut model, mut data) = hinge(
        r#"<motor joint="j" gear="2" group="3"/><general joint="j" dyntype="integrator" gainprm="1" group="4"/>"#,
    );
    model.opt.disableactuator = 1 << 3;
    data.ctrl.copy_from_slice(&[5.0, 1.0]);
    steps(&model, &mut data, 1);
    assert_eq!(data.actuator_force[0], 0.0);
    steps(&model, &mut data, 1);
    close(data.actuator_force[1], H, 1e-12);
    close(data.qfrc_actuator[0], H, 1e-12);
}

#[test]
fn an_activation_without_dynamics_stays() {
    let (model, mut data) = hinge(r#"<general joint="j" dyntype="user" actdim="2" gainprm="1"/>"#);
    data.act.copy_from_slice(&[0.3, 0.4]);
    data.ctrl[0] = 7.0;
    steps(&model, &mut data, 3);
    assert_eq!(&data.act[..], &[0.3, 0.4]);
}

/// Pushed to both ends, a muscle over a joint between −0.5 and 0.5 finds these as its range; a rate too slow
/// to arrive is an error.
#[test]
fn the_length_range_of_a_muscle_is_found_by_pushing() {
    use kinetree_sim::{LengthRangeOptions, mj_set_length_range};
    let mut model = load(
        r#"<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody><body>
             <joint name="j" limited="true" range="-0.5 0.5"/><geom size="0.1" pos="0.2 0 0"/></body></worldbody>
           <actuator><muscle joint="j" gear="2" lengthrange="-1 1"/></actuator></mujoco>"#,
    );
    let mut data = Data::new(&model);
    let options = LengthRangeOptions { useexisting: false, uselimit: false, ..LengthRangeOptions::default() };
    mj_set_length_range(&mut model, &mut data, 0, &options).unwrap();
    let [low, high] = model.actuator_lengthrange[0];
    // limits are soft, and give a little under the force
    close(low, -1.0, 0.05);
    close(high, 1.0, 0.05);
    assert!(low <= -1.0 && high >= 1.0, "{low} {high}");
    let hasty = LengthRangeOptions { inttotal: 0.2, interval: 0.19, tolrange: 1e-3, ..options };
    let failed = mj_set_length_range(&mut model, &mut data, 0, &hasty);
    assert!(failed.is_err(), "{failed:?}");
    let nobody = mj_set_length_range(&mut model, &mut data, 7, &options);
    assert!(nobody.is_err());
}

/// A muscle that pulls a site up and down, between joint limits of 40 and 70 degrees on an arm of 0.4: the
/// compiler finds its range, with the reference's numbers.
#[test]
fn the_length_range_of_a_muscle_on_a_site() {
    let muscle = "0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2";
    let model = load(&format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="base"/>
           <body><joint name="j" type="hinge" axis="0 1 0" range="-40 70" limited="true"/>
             <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/><site name="tip" pos="0.4 0 0"/></body></worldbody>
           <actuator><general site="tip" refsite="base" gear="0 0 1 0 0 0" dyntype="muscle" gaintype="muscle"
             biastype="muscle" dynprm="0.01 0.04" gainprm="{muscle}" biasprm="{muscle}"/></actuator></mujoco>"#
    ));
    let [low, high] = model.actuator_lengthrange[0];
    close(low, -0.375_954_96, 1e-8);
    close(high, 0.257_289_64, 1e-8);
    close(low, -0.4 * 70.0_f64.to_radians().sin(), 1e-3);
    close(high, 0.4 * 40.0_f64.to_radians().sin(), 1e-3);
}

/// A spring that throws the load against its limit: with another pull it hits at another time, so that after
/// some durations the load is farther out when it is pulled in. That is no range, and both numbers are told.
#[test]
fn ends_in_the_wrong_order_are_no_range() {
    use kinetree_sim::{LengthRangeError, LengthRangeOptions, mj_set_length_range};
    let mut model = load(
        r#"<mujoco><option timestep="0.002"><flag gravity="disable"/></option><worldbody><body>
           <joint name="j" type="slide" stiffness="400" springref="1" limited="true" range="-5 1" solreflimit="-100000 0"/>
           <geom size="0.1" mass="1"/></body></worldbody><actuator><muscle joint="j" lengthrange="0 1"/></actuator></mujoco>"#,
    );
    let mut data = Data::new(&model);
    let mut pull = |inttotal: f64| {
        let options = LengthRangeOptions {
            useexisting: false,
            accel: 40.0,
            timeconst: 1e9,
            inttotal,
            interval: 0.003,
            ..LengthRangeOptions::default()
        };
        mj_set_length_range(&mut model, &mut data, 0, &options)
    };
    let wrong = (10..200).find_map(|n| match pull(0.01 * f64::from(n)) {
        Err(LengthRangeError::Invalid { actuator, low, high }) => Some((actuator, low, high)),
        _ => None,
    });
    let (actuator, low, high) = wrong.expect("the order is never wrong");
    assert!(actuator == 0 && low > high, "{low} {high}");
}
