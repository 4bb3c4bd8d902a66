//! Functions of numbers, muscles and friction pyramids.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, count};
use kinetree_math::misc;
use std::cell::Cell;

thread_local! {
    /// State of the random numbers of this thread.
    static RANDOM: Cell<u64> = const { Cell::new(0x9e37_79b9_7f4a_7c15) };
}

/// A random number between -1 and 1, by the method xorshift64*.
fn random() -> f64 {
    let mut x = RANDOM.get();
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    RANDOM.set(x);
    let bits = x.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
    bits as f64 / (1_u64 << 52) as f64 - 1.0
}

/// How many directions of friction a contact of a dimension has.
fn tangents(dim: i32) -> Served<usize> {
    if dim < 1 { fault(format!("a contact has no dimension {dim}")) } else { Ok(count(dim - 1)) }
}

export! {
    fn mju_min(a: f64, b: f64) -> f64 { Ok(if a <= b { a } else { b }) }
    fn mju_max(a: f64, b: f64) -> f64 { Ok(if a >= b { a } else { b }) }
    fn mju_clip(x: f64, min: f64, max: f64) -> f64 { Ok(misc::clip(x, min, max)) }
    fn mju_sign(x: f64) -> f64 { Ok(misc::sign(x)) }
    fn mju_round(x: f64) -> i32 { Ok(misc::round(x)) }
    fn mju_isBad(x: f64) -> i32 { Ok(i32::from(misc::is_bad(x))) }
    fn mju_sigmoid(x: f64) -> f64 { Ok(misc::sigmoid(x)) }
    fn mju_Halton(index: i32, base: i32) -> f64 {
        if base < 2 { fault("the base must be at least 2") } else { Ok(misc::halton(index, base)) }
    }
    fn mju_springDamper(pos0: f64, vel0: f64, kp: f64, kv: f64, dt: f64) -> f64 {
        Ok(misc::spring_damper(pos0, vel0, kp, kv, dt))
    }
    fn mju_muscleGain(len: f64, vel: f64, lengthrange: In<'_, f64>, acc0: f64, prm: In<'_, f64>) -> f64 {
        Ok(misc::muscle_gain(len, vel, &lengthrange.array()?, acc0, &prm.array()?))
    }
    fn mju_muscleGainLength(length: f64, lmin: f64, lmax: f64) -> f64 {
        Ok(misc::muscle_gain_length(length, lmin, lmax))
    }
    fn mju_muscleBias(len: f64, lengthrange: In<'_, f64>, acc0: f64, prm: In<'_, f64>) -> f64 {
        Ok(misc::muscle_bias(len, &lengthrange.array()?, acc0, &prm.array()?))
    }
    fn mju_muscleDynamics(ctrl: f64, act: f64, prm: In<'_, f64>) -> f64 {
        Ok(misc::muscle_dynamics(ctrl, act, &prm.array()?))
    }
    fn mju_muscleDynamicsTimescale(dctrl: f64, tau_act: f64, tau_deact: f64, smoothing_width: f64) -> f64 {
        Ok(misc::muscle_dynamics_timescale(dctrl, tau_act, tau_deact, smoothing_width))
    }
    fn mju_encodePyramid(pyramid: Out<'_, f64>, force: In<'_, f64>, mu: In<'_, f64>, dim: i32) {
        let mu = mu.list(tangents(dim)?)?;
        misc::encode_pyramid(pyramid.list(2 * mu.len())?, force.list(mu.len() + 1)?, mu);
        Ok(())
    }
    fn mju_decodePyramid(force: Out<'_, f64>, pyramid: In<'_, f64>, mu: In<'_, f64>, dim: i32) {
        if dim == 1 {
            return force.set(pyramid.array::<1>()?);
        }
        let mu = mu.list(tangents(dim)?)?;
        misc::decode_pyramid(force.list(mu.len() + 1)?, pyramid.list(2 * mu.len())?, mu);
        Ok(())
    }
    fn mju_standardNormal(num2: Out<'_, f64>) -> f64 {
        // the polar method of Marsaglia
        loop {
            let (x, y) = (random(), random());
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * square.ln() / square).sqrt();
                num2.set_optional([y * scale]);
                return Ok(x * scale);
            }
        }
    }
}
