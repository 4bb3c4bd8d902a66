//#import convex_shape
//#import convex_slot
//#import convex_slots
//#import convex_state
//#import geom_pose

// Takes the point of a pair at a signed distance; shapes without flat features, or with a margin, are then tilted.
fn first_point(dist: f32) {
    if (dist >= 0.0) { return; }
    touch(margin + dist, origin + 0.5 * (witness1 + witness2), best_plane.xyz);
    let tilts = TILTS && found > 0u && !is_smooth(convex1.kind) && !is_smooth(convex2.kind) && !is_flat();
    close_slot(tilts);
    for (var pose = 0u; tilts && pose < 4u; pose++) { push(LIST_TILTED, 4u * entry + pose); }
}

fn is_smooth(kind: u32) -> bool { return kind == SPHERE || kind == ELLIPSOID; }
