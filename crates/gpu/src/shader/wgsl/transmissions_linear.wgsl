// Length or velocity of an actuator or a fixed tendon: a linear function of joint coordinates.
//#import common

fn transmission_length(transmission: u32) -> f32 {
    var sum = 0.0;
    let end = index(TRANSMISSION_START + transmission + 1u);
    for (var k = index(TRANSMISSION_START + transmission); k < end; k++) {
        sum += number(TRANSMISSION_COEF + k) * qpos(index(TRANSMISSION_QPOSADR + k));
    }
    return sum;
}

fn transmission_velocity(transmission: u32) -> f32 {
    var sum = 0.0;
    let end = index(TRANSMISSION_START + transmission + 1u);
    for (var k = index(TRANSMISSION_START + transmission); k < end; k++) {
        sum += number(TRANSMISSION_COEF + k) * qvel(index(TRANSMISSION_DOF + k));
    }
    return sum;
}
