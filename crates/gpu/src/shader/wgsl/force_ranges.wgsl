// Ranges of actuators where others come first: those of tendons limit forces that are not yet limited, and the drag
// of motors is not limited at all.
//#import common
//#import smooth

// Ranges of actuators where others come first: those of tendons limit forces that are not yet limited, and the drag of motors is not limited at all.
fn limit_actuators() {
    for (var u = lane; u < NU; u += LANES) {
        let range = number2(ACTUATOR_RANGES + 6u * u + 2u);
        var force = clamp(transmission_force[u], range.x, range.y);
//#if DC_MOTORS
        if (ints[MOTOR + u] >= 0) { force += motor_drag[u]; }
//#end
        transmission_force[u] = force;
        // a force at its limit does not follow the velocity
        if (force <= range.x || force >= range.y) { put_derivative(u, 0.0); }
    }
    barrier();
}
