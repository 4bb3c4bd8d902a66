// Distance beyond the margin, velocity and force of a limit, where it is active: the lower side first.
fn limit_sensor(x: f32, velocity: f32, range: vec3<f32>, forces: vec2<f32>) -> vec3<f32> {
    if (x - range.x < range.z) { return vec3<f32>(x - range.x - range.z, velocity, forces.x); }
    if (range.y - x < range.z) { return vec3<f32>(range.y - x - range.z, -velocity, forces.y); }
    return vec3<f32>(0.0);
}