//#if CONTACT_KERNEL
//#import collide
//#import convex_points
//#else
//#import convex_slot
//#end

// Takes a point unless it is near one that this pair has.
fn touch_distinct(dist: f32, pos: vec3<f32>, normal: vec3<f32>, resolution: f32) {
    for (var k = 0u; k < found; k++) {
        if (distance(found_at(k), pos) <= resolution) { return; }
    }
    touch(dist, pos, normal);
}
