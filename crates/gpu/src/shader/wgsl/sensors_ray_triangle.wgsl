//#import sensors_ray

// Rays against triangles: the barycentric coordinates of the ray in the projection along it.
fn ray_triangle(p: vec3<f32>, d: vec3<f32>, v0: vec3<f32>, v1: vec3<f32>, v2: vec3<f32>) -> RayHit {
    let d0 = v0 - p;
    let d1 = v1 - p;
    let d2 = v2 - p;
    // volumes that the ray spans with the edges: all of one sign where it passes between them
    let w = vec3<f32>(dot(d, cross(d1, d2)), dot(d, cross(d2, d0)), dot(d, cross(d0, d1)));
    if (any(w < vec3<f32>(0.0)) && any(w > vec3<f32>(0.0))) { return no_hit(); }
    let normal = cross(v0 - v2, v1 - v2);
    let approach = dot(d, normal);
    let norm = length(normal);
    if (abs(approach) <= 1e-12 * norm || norm == 0.0) { return no_hit(); }
    return RayHit(dot(d2, normal) / approach, normal / norm);
}