// Muscles: force–length and force–velocity curves made of parabolas, and an activation that rises and falls at
// different rates.
//#import common

const MUSCLE_GAIN = 1;
const MUSCLE_BIAS = 2;
const DYN_MUSCLE = 4;

// Active force at a length in units of the optimal one: a bump of four parabolas with its top at one.
fn force_length(x: f32, least: f32, most: f32) -> f32 {
    if (!(x >= least && x <= most)) { return 0.0; }
    let a = 0.5 * (least + 1.0);
    let b = 0.5 * (1.0 + most);
    if (x <= a) {
        let y = (x - least) / max(a - least, 1e-15);
        return 0.5 * y * y;
    }
    if (x > b) {
        let y = (most - x) / max(most - b, 1e-15);
        return 0.5 * y * y;
    }
    let y = abs(x - 1.0) / max(select(b - 1.0, 1.0 - a, x <= 1.0), 1e-15);
    return 1.0 - 0.5 * y * y;
}

// Gain, its derivative by the velocity, and bias, where an actuator takes them from a muscle. The numbers are the
// first length, the inverse of the optimal length, the first normalized length, the inverse of the velocity scale,
// the peak force, the range of lengths, and the largest relative force of lengthening and of stretching.
fn muscle_curves(u: u32, far: f32, speed: f32) -> vec3<f32> {
    let kind = ints[MUSCLE_KIND + u];
    var curves = vec3<f32>(0.0);
    if ((kind & MUSCLE_GAIN) != 0) {
        let at = MUSCLE_NUMBERS + 18u * u;
        let x = number(at + 2u) + (far - number(at)) * number(at + 1u);
        let v = speed * number(at + 3u);
        let most = number(at + 7u);
        let y = most - 1.0;
        var force = most;
        var derivative = 0.0;
        if (v <= -1.0) {
            force = 0.0;
        } else if (v <= 0.0) {
            force = (v + 1.0) * (v + 1.0);
            derivative = 2.0 * (v + 1.0);
        } else if (v <= y) {
            force = most - (y - v) * (y - v) / max(y, 1e-15);
            derivative = 2.0 * (y - v) / max(y, 1e-15);
        }
        let peak = -number(at + 4u) * force_length(x, number(at + 5u), number(at + 6u));
        curves.x = peak * force;
        curves.y = peak * derivative * number(at + 3u);
    }
    if ((kind & MUSCLE_BIAS) != 0) {
        let at = MUSCLE_NUMBERS + 18u * u + 9u;
        let x = number(at + 2u) + (far - number(at)) * number(at + 1u);
        let width = max(0.5 * (number(at + 6u) - 1.0), 1e-15);
        let y = (x - 1.0) / width;
        let stretch = select(select(0.0, 0.5 * y * y, y > 0.0), y - 0.5, y > 1.0);
        curves.z = -number(at + 4u) * number(at + 8u) * stretch;
    }
    return curves;
}

// Rate of the activation, with time constants that depend on it and on which way it goes.
fn muscle_rate(u: u32, given: f32, act: f32) -> f32 {
    let prm = number3(MUSCLE_DYNAMICS + 3u * u);
    let slowdown = 0.5 + 1.5 * clamp(act, 0.0, 1.0);
    let gap = clamp(given, 0.0, 1.0) - act;
    let rise = prm.x * slowdown;
    let fall = prm.y / slowdown;
    var tau = select(fall, rise, gap > 0.0);
    if (prm.z >= 1e-15) {
        let x = clamp(gap / prm.z + 0.5, 0.0, 1.0);
        tau = fall + (rise - fall) * x * x * x * (x * (6.0 * x - 15.0) + 10.0);
    }
    return gap / max(tau, 1e-15);
}
