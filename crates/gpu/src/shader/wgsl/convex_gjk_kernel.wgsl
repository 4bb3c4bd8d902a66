//#import common
//#import convex_distance
//#import convex_first
//#import convex_gjk
//#import convex_shape
//#import convex_slot
//#import convex_slots
//#import convex_state
//#import convex_support

// Pairs whose bounds meet, a lane each: most of them do not touch. Where medial axes tell the distance, that is the
// contact; pairs that overlap are left for EPA, with their last simplex.

@compute @workgroup_size(LANES)
fn find_distances(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(num_workgroups) groups: vec3<u32>,
) {
    let count = atomicLoad(&needed[LIST_NEAR]);
    let share = lanes_share(count, groups.x);
    for (var i = group.x * share + local; local < share && i < count; i += groups.x * share) {
        open_slot(status[list_offset(LIST_NEAR, i)]);
        let outcome = shape_distance();
        if (outcome == NEAR) { first_point(near_distance()); }
        if (outcome == OVERLAP) {
            keep_simplex();
            push(LIST_DEEP, entry);
        }
    }
}

fn shape_distance() -> u32 {
    begin_search();
    for (var guard = 0u; guard < 4u * CCD_ITERATIONS + 8u; guard++) {
        let outcome = distance_direction();
        if (outcome == AGAIN) { continue; }
        if (outcome != SEARCHING) { return outcome; }
        let vertex = free_vertex();
        pool[vertex] = support(direction);
        gjk_take(vertex);
    }
    return SEPARATED;
}

fn keep_simplex() {
    scratch[slot] = vec4<f32>(f32(pair), f32(simplex_size), vec2<f32>(last_ids));
    for (var k = 0u; k < simplex_size; k++) {
        let vertex = pool[simplex[k]];
        scratch[slot + 1u + 2u * k] = vec4<f32>(vertex.diff, f32(vertex.ids.x));
        scratch[slot + 2u + 2u * k] = vec4<f32>(vertex.on1, f32(vertex.ids.y));
    }
}
