//#import common

// Poses of geoms, from those of their bodies.
struct GeomPose { pos: vec3<f32>, quat: vec4<f32> }

fn geom_pose(g: u32) -> GeomPose {
    let body = scratch_base + SCRATCH_POSE + 2u * index(GEOM_BODYID + g);
    let quat = scratch[body + 1u];
    return GeomPose(
        scratch[body].xyz + rotate(quat, number3(GEOM_POS + 3u * g)), quat_mul(quat, number4(GEOM_QUAT + 4u * g)));
}

// distance below which there is a point
var<private> margin: f32;

// A unit vector across the normal: along the given one if it has a direction.
fn tangent_of(normal: vec3<f32>, given: vec3<f32>) -> vec3<f32> {
    var t = given;
    if (dot(t, t) < 0.25) {
        t = select(vec3<f32>(0.0, 0.0, 1.0), vec3<f32>(0.0, 1.0, 0.0), abs(normal.y) < 0.5);
    }
    t -= normal * dot(normal, t);
    return normalize(t);
}
