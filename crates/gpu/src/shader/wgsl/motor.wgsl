// DC motors: voltage control with a controller and a limited slew rate, windings whose resistance grows with
// temperature, current with an electrical time constant, LuGre friction and cogging.
//#import common
//#import smooth

// Friction and cogging of each actuator, which do not pass through the windings.
var<workgroup> motor_drag: array<f32, MAX_NTRANSMISSION>;

fn motor_act(address: i32) -> f32 { return state[state_base + STATE_ACT + u32(address)]; }

// eˣ − 1 for x ≤ 0, also where that is nearly x.
fn decay_minus_one(x: f32) -> f32 {
    if (x < -0.5) { return exp(max(x, -100.0)) - 1.0; }
    var sum = 1.0;
    for (var n = 15; n >= 2; n--) { sum = 1.0 + x / f32(n) * sum; }
    return x * sum;
}

// Voltage that the controller puts out, within its bounds.
fn motor_voltage(at: u32, given: f32, far: f32, speed: f32, integral: f32) -> f32 {
    let mode = number(at + MOTOR_INPUT_MODE);
    var voltage = given;
    if (mode >= 2.0) {
        voltage = number(at + MOTOR_PROPORTIONAL) * (given - speed)
            + number(at + MOTOR_INTEGRAL) * (integral - far);
    } else if (mode >= 1.0) {
        voltage = number(at + MOTOR_PROPORTIONAL) * (given - far) + number(at + MOTOR_INTEGRAL) * integral
            - number(at + MOTOR_DERIVATIVE) * speed;
    }
    let bound = number(at + MOTOR_MAX_VOLTAGE);
    return clamp(voltage, -bound, bound);
}

// Rate of the integral, held where it would grow beyond its limit.
fn motor_integral_rate(at: u32, given: f32, far: f32, integral: f32) -> f32 {
    let rate = select(given, given - far, number(at + MOTOR_INPUT_MODE) == 1.0);
    let bound = number(at + MOTOR_MAX_INTEGRAL);
    if (integral >= bound) { return min(rate, 0.0); }
    if (integral <= -bound) { return max(rate, 0.0); }
    return rate;
}

// Decay rate of the bristles' deflection at a velocity, with Stribeck's curve.
fn bristle_decay(at: u32, speed: f32) -> f32 {
    let ratio = speed / number(at + MOTOR_STRIBECK_VELOCITY);
    let coulomb = number(at + MOTOR_COULOMB);
    let friction = coulomb + (number(at + MOTOR_STATIC_FRICTION) - coulomb) * exp(-min(ratio * ratio, 100.0));
    return -number(at + MOTOR_BRISTLE_STIFFNESS) * abs(speed) / max(friction, 1e-15);
}

// Force of a motor before it is limited. Leaves what becomes of its activations, and its drag.
fn motor_force(u: u32, m: u32) -> f32 {
    let at = MOTOR_NUMBERS + MOTOR_WIDTH * m;
    let slots = MOTOR_SLOTS + 5u * m;
    let enabled = number(ACTUATOR_ENABLED + u);
    let far = transmission_length(u);
    let speed = transmission_velocity(u);
    var given = control(u);
    // what belongs to none of the five stays
    for (var k = 0u; k < index(MOTOR_ACTNUM + m); k++) {
        let address = ints[ACTUATOR_ACTADR + u] + i32(k);
        put_motor_act(address, 0.0, motor_act(address));
    }
    let slew = ints[slots];
    if (slew >= 0) {
        let last = motor_act(slew);
        let reach = number(at + MOTOR_SLEW_RATE) * MOTOR_TIMESTEP;
        given = clamp(given, last - reach, last + reach);
        put_motor_act(slew, enabled * (given - last) / MOTOR_TIMESTEP, last + enabled * (given - last));
    }
    var integral = 0.0;
    if (ints[slots + 1u] >= 0) {
        integral = motor_act(ints[slots + 1u]);
        let rate = enabled * motor_integral_rate(at, given, far, integral);
        let bound = number(at + MOTOR_MAX_INTEGRAL);
        put_motor_act(ints[slots + 1u], rate, clamp(integral + MOTOR_TIMESTEP * rate, -bound, bound));
    }
    let voltage = motor_voltage(at, given, far, speed, integral);
    let constant = number(at + MOTOR_CONSTANT);
    var resistance = number(at + MOTOR_RESISTANCE);
    let warmth = ints[slots + 2u];
    let flow = ints[slots + 4u];
    if (warmth >= 0) {
        // Joule heat against conduction
        let rise = motor_act(warmth);
        let above = rise + number(at + MOTOR_AMBIENT_TEMPERATURE) - number(at + MOTOR_REFERENCE_TEMPERATURE);
        resistance *= 1.0 + number(at + MOTOR_TEMPERATURE_COEFFICIENT) * above;
        var current = (voltage - constant * speed) / resistance;
        if (flow >= 0) { current = motor_act(flow); }
        let heat = resistance * current * current - rise / number(at + MOTOR_THERMAL_RESISTANCE);
        let rate = enabled * heat / number(at + MOTOR_THERMAL_CAPACITANCE);
        put_motor_act(warmth, rate, rise + MOTOR_TIMESTEP * rate);
    }
    motor_drag[u] = enabled * (motor_cogging(at, far) - motor_friction(at, m, ints[slots + 3u], speed));
    put_derivative(u, enabled * number(at + MOTOR_VELOCITY_DERIVATIVE));
    if (ints[MOTOR_HAS_CURRENT + m] < 0) {
        // in voltage mode the control drives the windings as it is
        let input = select(voltage, given, number(at + MOTOR_INPUT_MODE) <= 0.0);
        return enabled * constant / max(resistance, 1e-15) * (input - constant * speed);
    }
    if (flow < 0) { return 0.0; }
    let current = motor_act(flow);
    let target_current = (voltage - constant * speed) / resistance;
    let limit = number(at + MOTOR_MAX_CURRENT_RATE);
    let rate = enabled * clamp((target_current - current) / number(at + MOTOR_ELECTRICAL_TIME), -limit, limit);
    let next = current + number(at + MOTOR_CURRENT_STEP) * rate;
    put_motor_act(flow, rate, next);
    return enabled * constant * select(current, next, ints[ACTUATOR_ACTEARLY + u] != 0);
}

fn motor_cogging(at: u32, far: f32) -> f32 {
    let amplitude = number(at + MOTOR_COGGING);
    if (amplitude == 0.0) { return 0.0; }
    return amplitude * sine_cosine(number(at + MOTOR_POLES) * far + number(at + MOTOR_PHASE)).x;
}

// Force of the bristles against the motion; their deflection after a step is exact for a constant velocity, and
// goes on where the motor is switched off.
fn motor_friction(at: u32, m: u32, address: i32, speed: f32) -> f32 {
    if (address < 0) { return 0.0; }
    let bent = motor_act(address);
    let decay = bristle_decay(at, speed);
    let rate = decay * bent + speed;
    let change = decay_minus_one(decay * MOTOR_TIMESTEP);
    var reach = MOTOR_TIMESTEP;
    if (-decay > 1e-15) { reach = change / decay; }
    put_motor_act(address, rate, bent + change * bent + reach * speed);
//#if RUNGE_KUTTA
    // The step of bristles, which the integrator makes from where the step begins.
    put_scratch(4u * SCRATCH_MOTOR + 2u * m, change);
    put_scratch(4u * SCRATCH_MOTOR + 2u * m + 1u, reach * speed);
//#end
    return number(at + MOTOR_BRISTLE_STIFFNESS) * bent + number(at + MOTOR_BRISTLE_DAMPING) * rate;
}

// What is left of an activation of a motor: its rate, or its next value.
//#if RUNGE_KUTTA
fn put_motor_act(a: i32, rate: f32, next: f32) { put_scratch(4u * SCRATCH_ACT + u32(a), rate); }
//#else
// What is left of an activation of a motor: its next value, or its rate.
fn put_motor_act(a: i32, rate: f32, next: f32) { put_scratch(4u * SCRATCH_ACT + u32(a), next); }
//#end
