//#import convex_depth
//#import convex_distance
//#import convex_epa
//#import convex_gjk
//#import convex_state
//#import convex_support

// Signed distance of the shapes as they are placed, positive where they do not touch; their nearest or deepest points
// are left as witnesses, and the direction from the first to the second as `best_plane`. Support points of all stages
// come from one place, so that lanes in different stages wait for none of each other.
fn penetration() -> f32 {
    begin_search();
    for (var guard = 0u; guard < 8u * CCD_ITERATIONS + 16u; guard++) {
        var outcome = AGAIN;
        if (stage <= WHOLE) {
            outcome = distance_direction();
            if (outcome == NEAR) { return near_distance(); }
            if (outcome == OVERLAP) {
                stage = BEGIN;
                vertex_count = GJK_POINTS;
                continue;
            }
        } else {
            outcome = depth_direction();
            if (outcome == OVERLAP) { return -end_epa(); }
        }
        if (outcome == SEPARATED) { return 1.0; }
        if (outcome == AGAIN) { continue; }
        var vertex = vertex_count;
        if (stage <= WHOLE) { vertex = free_vertex(); } else { vertex_count += 1u; }
        pool[vertex] = support(direction);
        if (stage <= WHOLE) { gjk_take(vertex); }
        if (stage == GROWTH) { epa_take(vertex); }
    }
    return 1.0;
}
