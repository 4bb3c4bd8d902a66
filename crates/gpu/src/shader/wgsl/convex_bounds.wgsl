//#import common
//#import convex_slots
//#import geom_pose
//#import lanes

// Convex pairs that are worth a search: of all that may touch, the bounds of few meet. Each of these gets a slot of its
// world, in the order of pairs, and an index in the list of all worlds.
//
// Spheres are tested for all pairs, several a lane; those that meet wait until there is a pair for each lane, and only
// then are their boxes tested, so that few lanes idle.

// Pairs of a lane between two looks at those that wait: the components of a vector.
const BATCH = 4u;

var<workgroup> list_first: u32;
// positions of geoms with the radii of their bounding spheres
var<workgroup> bounds: array<vec4<f32>, NGEOM>;
// numbers of pairs whose spheres meet
var<workgroup> waiting: array<u32, (BATCH + 1u) * LANES>;

@compute @workgroup_size(LANES)
fn find_candidates(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!enter(group, local)) { return; }
    for (var g = lane; g < NGEOM; g += LANES) { bounds[g] = vec4<f32>(geom_pose(g).pos, number(GEOM_RBOUND + g)); }
    barrier();
    let widest = number(CONVEX_MARGIN);
    var count = 0u;
    var left = 0u;
    for (var base = 0u; base < CONVEX_PAIRS; base += BATCH * LANES) {
        // all of a lane's pairs are on their way together; behind the last one there are copies of it
        let numbers = vec4<u32>(base + lane) + LANES * vec4<u32>(0u, 1u, 2u, 3u);
        let there = numbers < vec4<u32>(CONVEX_PAIRS);
        let geoms = four_geoms(min(numbers, vec4<u32>(CONVEX_PAIRS - 1u)));
        let meet = there & four_spheres_meet(geoms, widest);
        // mostly none do
        if (!any_lane(any(meet))) {
            if (base + BATCH * LANES < CONVEX_PAIRS) { continue; }
        }
        for (var k = 0u; k < BATCH; k++) {
            let ranked = rank(meet[k]);
            if (meet[k]) { waiting[left + ranked.x] = numbers[k]; }
            left += ranked.y;
        }
        barrier();
        // tests boxes of as many as there are lanes, at the end of all
        let all = agreed(left);
        let tested = select(all / LANES * LANES, all, base + BATCH * LANES >= CONVEX_PAIRS);
        for (var first = 0u; first < tested; first += LANES) { count = keep(first, tested, count); }
        left = all - tested;
        var rest = 0u;
        if (lane < left) { rest = waiting[tested + lane]; }
        barrier();
        if (lane < left) { waiting[lane] = rest; }
        barrier();
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

// The two geoms of a convex pair.
fn geoms_of(i: u32) -> vec2<u32> {
    let both = index(CONVEX_GEOMS + i);
    return vec2<u32>(both & 0xffffu, both >> 16u);
}

fn four_geoms(i: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(index(CONVEX_GEOMS + i.x), index(CONVEX_GEOMS + i.y), index(CONVEX_GEOMS + i.z), index(CONVEX_GEOMS + i.w));
}

// Whether bounding spheres of four pairs come within a margin.
fn four_spheres_meet(geoms: vec4<u32>, reach: f32) -> vec4<bool> {
    let first = geoms & vec4<u32>(0xffffu);
    let second = geoms >> vec4<u32>(16u);
    let a = mat4x4<f32>(bounds[first.x], bounds[first.y], bounds[first.z], bounds[first.w]);
    let b = mat4x4<f32>(bounds[second.x], bounds[second.y], bounds[second.z], bounds[second.w]);
    let d = b - a;
    let sums = vec4<f32>(a[0].w + b[0].w, a[1].w + b[1].w, a[2].w + b[2].w, a[3].w + b[3].w) + reach;
    let squares = vec4<f32>(dot(d[0].xyz, d[0].xyz), dot(d[1].xyz, d[1].xyz), dot(d[2].xyz, d[2].xyz), dot(d[3].xyz, d[3].xyz));
    return squares <= sums * sums;
}

// Whether bounding spheres come within a margin.
fn spheres_meet(i: u32, reach: f32) -> bool {
    let geoms = geoms_of(i);
    let a = bounds[geoms.x];
    let b = bounds[geoms.y];
    let d = b.xyz - a.xyz;
    let sum = a.w + b.w + reach;
    return dot(d, d) <= sum * sum;
}

// Gives slots to those of the next pairs whose bounds meet; returns the new number of candidates.
fn keep(first: u32, end: u32, count: u32) -> u32 {
    var i = 0u;
    var meets = false;
    if (first + lane < end) {
        i = waiting[first + lane];
        margin = number(PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + CONVEX_FIRST + i));
        meets = spheres_meet(i, margin) && boxes_meet(geoms_of(i));
    }
    let ranked = rank(meets);
    let k = count + ranked.x;
    if (meets && k < submission.candidates) {
        scratch[slot_at(world, k)] = vec4<f32>(f32(CONVEX_FIRST + i), 0.0, 0.0, 0.0);
    }
    return count + ranked.y;
}

// Whether the oriented boxes around two geoms come within the margin, along the axes of both: what only products of axes
// would separate is left to the search. The slack is more than the rounding of all terms.
fn boxes_meet(geoms: vec2<u32>) -> bool {
    let g1 = geoms.x;
    let g2 = geoms.y;
    let axes1 = quat_axes(geom_pose(g1).quat);
    let axes2 = quat_axes(geom_pose(g2).quat);
    let half1 = number3(GEOM_BOX + 6u * g1 + 3u);
    let half2 = number3(GEOM_BOX + 6u * g2 + 3u);
    let separation = bounds[g2].xyz - bounds[g1].xyz + axes2 * number3(GEOM_BOX + 6u * g2) - axes1 * number3(GEOM_BOX + 6u * g1);
    let cosines = transpose(axes1) * axes2;
    let slack = margin + 1e-5 * (half1.x + half1.y + half1.z + half2.x + half2.y + half2.z);
    let reach1 = half1 + abs(cosines[0]) * half2.x + abs(cosines[1]) * half2.y + abs(cosines[2]) * half2.z;
    let reach2 = half2 + vec3<f32>(dot(abs(cosines[0]), half1), dot(abs(cosines[1]), half1), dot(abs(cosines[2]), half1));
    return all(abs(separation * axes1) <= reach1 + slack) && all(abs(separation * axes2) <= reach2 + slack);
}
