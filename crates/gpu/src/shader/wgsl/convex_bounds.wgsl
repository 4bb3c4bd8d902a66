//#import common
//#import convex_slots
//#import geom_pose
//#import geoms
//#import lanes

// Convex pairs that are worth a search: of all that may touch, the bounds of few meet. Each of these gets a slot of its
// world, in the order of pairs, and an index in the list of all worlds.

var<workgroup> list_first: u32;

@compute @workgroup_size(LANES)
fn find_candidates(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!enter(group, local)) { return; }
    set_geom_poses();
    var count = 0u;
    for (var base = 0u; base < CONVEX_PAIRS; base += LANES) {
        let pair = CONVEX_FIRST + base + lane;
        let meets = base + lane < CONVEX_PAIRS && bounds_meet(pair);
        let offset = scan(select(0u, 1u, meets));
        let k = count + offset.x;
        if (meets && k < submission.candidates) { scratch[slot_at(world, k)] = vec4<f32>(f32(pair), 0.0, 0.0, 0.0); }
        count += offset.y;
    }
    let listed = min(count, submission.candidates);
    if (lane == 0u) {
        put_candidate_count(count);
        if (count > submission.candidates) { atomicMax(&needed[2], count); }
        list_first = atomicAdd(&needed[LIST_NEAR], listed);
    }
    let first = workgroupUniformLoad(&list_first);
    for (var k = lane; k < listed; k += LANES) { status[list_offset(LIST_NEAR, first + k)] = world * submission.candidates + k; }
}

fn bounds_meet(pair: u32) -> bool {
    let g1 = index(PAIR_GEOMS + 2u * pair);
    let g2 = index(PAIR_GEOMS + 2u * pair + 1u);
    margin = number(PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair));
    return spheres_meet(g1, g2) && boxes_meet(g1, g2);
}

// Whether the oriented boxes around two geoms come within the margin, along the axes of both: what only products of axes
// would separate is left to the search. The slack is more than the rounding of all terms.
fn boxes_meet(g1: u32, g2: u32) -> bool {
    let axes1 = quat_axes(geom_quat[g1]);
    let axes2 = quat_axes(geom_quat[g2]);
    let half1 = number3(GEOM_BOX + 6u * g1 + 3u);
    let half2 = number3(GEOM_BOX + 6u * g2 + 3u);
    let separation = geom_pos[g2].xyz - geom_pos[g1].xyz + axes2 * number3(GEOM_BOX + 6u * g2) - axes1 * number3(GEOM_BOX + 6u * g1);
    let cosines = transpose(axes1) * axes2;
    let slack = margin + 1e-5 * (half1.x + half1.y + half1.z + half2.x + half2.y + half2.z);
    let reach1 = half1 + abs(cosines[0]) * half2.x + abs(cosines[1]) * half2.y + abs(cosines[2]) * half2.z;
    let reach2 = half2 + vec3<f32>(dot(abs(cosines[0]), half1), dot(abs(cosines[1]), half1), dot(abs(cosines[2]), half1));
    return all(abs(separation * axes1) <= reach1 + slack) && all(abs(separation * axes2) <= reach2 + slack);
}
