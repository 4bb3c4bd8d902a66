//#import common
//#import sensors

// Whether a point is inside of a site, given in its frame.
fn is_inside(shape: i32, size: vec3<f32>, p: vec3<f32>) -> bool {
    let across = dot(p.xy, p.xy);
    switch (shape) {
        case 0: { return p.z < 0.0; }
        case SHAPE_SPHERE: { return dot(p, p) < size.x * size.x; }
        case SHAPE_CAPSULE: {
            let beyond = p.z - clamp(p.z, -size.y, size.y);
            return across + beyond * beyond < size.x * size.x;
        }
        case SHAPE_ELLIPSOID: { return dot(p / size, p / size) < 1.0; }
        case SHAPE_CYLINDER: { return abs(p.z) < size.y && across < size.x * size.x; }
        case 6: { return all(abs(p) < size); }
        default: { return false; }
    }
}

// An object seen from the frame of a site or camera.
fn seen_point(s: u32, frame: Frame) -> vec3<f32> {
    let base = frame_at(index(SENSOR_IDS + 3u * s + 1u), SENSOR_FRAMES + 14u * s + 7u);
    return rotate(inverse(base.quat), frame.pos - base.pos);
}

fn read_inside(s: u32, frame: Frame) {
    let site = index(SENSOR_IDS + 3u * s + 2u);
    let inside = is_inside(ints[REGION_SHAPE + site], number3(REGION_SIZE + 3u * site), seen_point(s, frame));
    put(s, 0u, select(0.0, 1.0, inside));
}

// Pixel of a point in the picture of a camera, which has focal lengths and a size in pixels.
fn read_projection(s: u32, frame: Frame) {
    let at = REGION_CAMERA + 4u * index(SENSOR_IDS + 3u * s + 2u);
    let p = seen_point(s, frame);
    let depth = select(p.z, select(1e-15, -1e-15, p.z < 0.0), abs(p.z) < 1e-15);
    put(s, 0u, (-number(at) * p.x + 0.5 * number(at + 2u) * p.z) / depth);
    put(s, 1u, (number(at + 1u) * p.y + 0.5 * number(at + 3u) * p.z) / depth);
}
