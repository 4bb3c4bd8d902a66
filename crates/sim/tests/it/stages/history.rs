//! Delay lines: polynomials up to the order of the interpolation come back exactly.

use super::{close, load, steps};
use kinetree_model::Data;
use kinetree_sim::{
    Interpolation, mj_init_ctrl_history, mj_init_sensor_history, mj_read_ctrl, mj_read_sensor,
};

const DELAYED: &str = r#"<mujoco><worldbody><body><joint name="j" type="slide"/><geom size="0.1"/></body></worldbody>
    <actuator><motor joint="j" nsample="6" delay="0.02" interp="INTERP"/></actuator>
    <sensor><jointpos joint="j" nsample="6" delay="0.02" interp="INTERP"/></sensor></mujoco>"#;

fn quadratic(t: f64) -> f64 {
    3.0 - 2.0 * t + 40.0 * t * t
}

fn line(t: f64) -> f64 {
    3.0 - 2.0 * t
}

#[test]
fn each_order_reads_its_polynomials_exactly() {
    // uneven times, so that the spacing matters
    let times = [0.0, 0.01, 0.025, 0.03, 0.05, 0.06];
    for (word, order) in [("zoh", 0), ("linear", 1), ("cubic", 2)] {
        let model = load(&DELAYED.replace("INTERP", word));
        let mut data = Data::new(&model);
        let f = if order == 2 { quadratic } else { line };
        let values = times.map(f);
        mj_init_ctrl_history(&model, &mut data, 0, Some(&times), Some(&values)).unwrap();
        mj_init_sensor_history(&model, &mut data, 0, Some(&times), Some(&values), 0.0).unwrap();
        for t in [0.012, 0.02, 0.026, 0.029, 0.031, 0.04] {
            let now = t + 0.02;
            let interval = times.iter().rposition(|&time| time <= t).unwrap();
            let expected = match order {
                0 => f(times[interval]),
                1 => f(t),
                // tangents are those of the chord over two intervals: a quadratic is exact where these are
                // even, so compare with the Hermite cubic written out
                _ => hermite(&times, &values, interval, t),
            };
            close(mj_read_ctrl(&model, &data, 0, now, None).unwrap(), expected, 1e-12);
            let mut value = [0.0];
            mj_read_sensor(&model, &data, 0, now, &mut value, None).unwrap();
            close(value[0], expected, 1e-12);
        }
        // beyond both ends the value is constant
        close(mj_read_ctrl(&model, &data, 0, 0.01, None).unwrap(), values[0], 0.0);
        close(mj_read_ctrl(&model, &data, 0, 1.0, None).unwrap(), values[5], 0.0);
    }
}

/// The cubic with the values of both ends and the tangents of the chords around them.
fn hermite(times: &[f64], values: &[f64], i: usize, t: f64) -> f64 {
    let chord = |a: usize, b: usize| (values[b] - values[a]) / (times[b] - times[a]);
    let (m0, m1) = (chord(i - 1, i + 1), chord(i, i + 2));
    let dt = times[i + 1] - times[i];
    // Newton's form: value, tangent, then the two corrections
    let s = t - times[i];
    let secant = chord(i, i + 1);
    let second = (secant - m0) / dt;
    let third = (m1 + m0 - 2.0 * secant) / (dt * dt);
    values[i] + s * m0 + s * s * second + s * s * (s - dt) * third
}

#[test]
fn a_quadratic_is_exact_between_even_samples() {
    let model = load(&DELAYED.replace("INTERP", "cubic"));
    let mut data = Data::new(&model);
    let times = [0.0, 0.01, 0.02, 0.03, 0.04, 0.05];
    mj_init_ctrl_history(&model, &mut data, 0, Some(&times), Some(&times.map(quadratic))).unwrap();
    for t in [0.011, 0.017, 0.02, 0.0333] {
        close(
            mj_read_ctrl(&model, &data, 0, t + 0.02, Some(Interpolation::Cubic)).unwrap(),
            quadratic(t),
            1e-12,
        );
    }
}

#[test]
fn controls_arrive_after_their_delay() {
    let model = load(&DELAYED.replace("INTERP", "zoh"));
    let mut data = Data::new(&model);
    let delay = (0.02 / model.opt.timestep).round() as usize;
    data.ctrl[0] = 1.0;
    let mut first: Option<usize> = None;
    for step in 0..30 {
        steps(&model, &mut data, 1);
        if data.actuator_force[0] != 0.0 && first.is_none() {
            first = Some(step);
        }
    }
    // the buffer holds six samples, so the delay cannot be longer than they reach back
    let first = first.expect("the control arrives");
    assert!(first.abs_diff(delay.min(6)) <= 1, "after {first} steps");
}

/// A sensor with an interval reads at its ticks and holds in between; a delayed one shows the tick before.
#[test]
fn a_sampled_sensor_holds_its_reading_between_ticks() {
    let model = load(
        r#"<mujoco><option timestep="0.01"/><worldbody><body><joint type="slide"/><geom size="0.1"/></body></worldbody>
           <sensor><clock nsample="2" interval="0.04"/><clock nsample="4" interval="0.04" delay="0.02"/></sensor></mujoco>"#,
    );
    let mut data = Data::new(&model);
    // the sensor values of the reference after each step, in hundredths of a second
    let expected =
        [(0, 0), (0, 0), (0, 0), (0, 0), (4, 0), (4, 0), (4, 4), (4, 4), (8, 4), (8, 4), (8, 8), (8, 8)];
    for (step, (held, delayed)) in expected.into_iter().enumerate() {
        steps(&model, &mut data, 1);
        close(data.sensordata[0], f64::from(held) / 100.0, 1e-12);
        close(data.sensordata[1], f64::from(delayed) / 100.0, 1e-12);
        close(data.time, (step + 1) as f64 / 100.0, 1e-12);
    }
}

#[test]
fn a_cursor_that_a_program_has_written_is_one_of_the_samples() {
    let model = load(&DELAYED.replace("INTERP", "linear"));
    for cursor in [f64::MAX, f64::INFINITY, f64::NAN, -3.0, 6.0] {
        let mut data = Data::new(&model);
        let history = model.actuator_historyadr[0] as usize;
        data.history[history + 1] = cursor;
        steps(&model, &mut data, 8);
        assert!((0.0..6.0).contains(&data.history[history + 1]), "{cursor}: {}", data.history[history + 1]);
        assert!(mj_read_ctrl(&model, &data, 0, data.time, None).is_ok());
    }
}
