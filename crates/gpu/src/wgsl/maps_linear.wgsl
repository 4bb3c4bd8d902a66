// Length or velocity of an actuator or a fixed tendon: a linear function of joint coordinates.
fn map_length(map: u32) -> f32 {
    var sum = 0.0;
    let end = index(MAP_START + map + 1u);
    for (var k = index(MAP_START + map); k < end; k++) {
        sum += number(MAP_COEF + k) * qpos(index(MAP_QPOSADR + k));
    }
    return sum;
}

fn map_velocity(map: u32) -> f32 {
    var sum = 0.0;
    let end = index(MAP_START + map + 1u);
    for (var k = index(MAP_START + map); k < end; k++) {
        sum += number(MAP_COEF + k) * qvel(index(MAP_DOF + k));
    }
    return sum;
}

