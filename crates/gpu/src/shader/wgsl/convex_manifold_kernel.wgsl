//#import common
//#import convex_manifold
//#import convex_mesh
//#import convex_shape
//#import convex_slot
//#import convex_slots
//#import geom_pose
//#import touch_distinct

// Boxes and meshes that overlap, a lane each: their flat features, or the deepest points where these do not match.

@compute @workgroup_size(LANES)
fn clip_faces(
    @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(num_workgroups) groups: vec3<u32>,
) {
    let count = atomicLoad(&needed[LIST_FLAT]);
    let share = lanes_share(count, groups.x);
    for (var i = group.x * share + local; local < share && i < count; i += groups.x * share) {
        open_slot(status[list_offset(LIST_FLAT, i)]);
        let middle = take_face();
        let dist = margin - best_plane.w;
        if (!flat_contacts(dist, origin)) { touch(dist, origin + middle, best_plane.xyz); }
        close_slot(false);
    }
}

// Takes the last face of EPA; returns the middle of the deepest points.
fn take_face() -> vec3<f32> {
    for (var k = 0u; k < 3u; k++) {
        let diff = scratch[slot + 1u + 2u * k];
        let on1 = scratch[slot + 2u + 2u * k];
        closest_face[k] = Vertex(diff.xyz, on1.xyz, vec2<u32>(u32(diff.w), u32(on1.w)));
    }
    best_plane = scratch[slot + 7u];
    let middle = scratch[slot + 8u];
    epa_scale = middle.w;
    return middle.xyz;
}
