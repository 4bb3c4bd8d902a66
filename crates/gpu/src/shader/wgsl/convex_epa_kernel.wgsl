//#import common
//#import convex_depth
//#import convex_epa
//#import convex_first
//#import convex_shape
//#import convex_slot
//#import convex_slots
//#import convex_state
//#import convex_support
//#if FLAT_FEATURES
//#import convex_face
//#end

// Pairs that overlap, a lane each: EPA, from the last simplex of GJK.

@compute @workgroup_size(LANES)
fn find_depths(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(num_workgroups) groups: vec3<u32>,
) {
    let count = atomicLoad(&needed[LIST_DEEP]);
    let share = lanes_share(count, groups.x);
    for (var i = group.x * share + local; local < share && i < count; i += groups.x * share) {
        open_slot(status[list_offset(LIST_DEEP, i)]);
        take_simplex();
        let depth = shape_depth();
        close_slot(false);
//#if FLAT_FEATURES
        // Leaves flat features to be clipped.
        if (depth > 0.0 && is_flat()) {
            keep_face();
            continue;
        }
//#end
        first_point(-depth);
    }
}

// Depth of the shapes; zero where they do not overlap after all.
fn shape_depth() -> f32 {
    stage = BEGIN;
    vertex_count = GJK_POINTS;
    discrete = is_discrete(convex1) && is_discrete(convex2);
    for (var guard = 0u; guard < 2u * CCD_ITERATIONS + 16u; guard++) {
        let outcome = depth_direction();
        if (outcome == AGAIN) { continue; }
        if (outcome == SEPARATED) { return 0.0; }
        if (outcome == OVERLAP) { return end_epa(); }
        pool[vertex_count] = support(direction);
        vertex_count += 1u;
        if (stage == GROWTH) { epa_take(vertex_count - 1u); }
    }
    return 0.0;
}

fn take_simplex() {
    simplex_size = u32(scratch[slot].y);
    simplex = vec4<u32>(0u, 1u, 2u, 3u);
    for (var k = 0u; k < simplex_size; k++) {
        let diff = scratch[slot + 1u + 2u * k];
        let on1 = scratch[slot + 2u + 2u * k];
        pool[k] = Vertex(diff.xyz, on1.xyz, vec2<u32>(u32(diff.w), u32(on1.w)));
    }
}
