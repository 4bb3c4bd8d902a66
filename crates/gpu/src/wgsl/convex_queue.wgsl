
// Pairs that are worth a search. Of all pairs that may touch, the bounds of few meet, and a search takes long: those few
// wait until there is one for each lane, in their order.
var<workgroup> queue: array<u32, 2u * LANES>;

// Puts this lane's pair, where it has one and its bounds meet, behind the `queued` ones; returns their new number.
fn enqueue(pair: u32, is_pair: bool, queued: u32) -> u32 {
    var meets = false;
    if (is_pair) {
        let g1 = index(PAIR_GEOMS + 2u * pair);
        let g2 = index(PAIR_GEOMS + 2u * pair + 1u);
        margin = number(PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair));
        meets = spheres_meet(g1, g2) && boxes_meet(g1, g2);
    }
    let place = scan(select(0u, 1u, meets));
    if (meets) { queue[queued + place.x] = pair; }
    return queued + place.y;
}

// A pair for each lane, as far as there are any; those behind move up.
fn dequeue(queued: u32) -> u32 {
    barrier();
    let pair = queue[lane];
    let next = queue[LANES + lane];
    barrier();
    queue[lane] = next;
    return select(0u, pair, lane < queued);
}

// Whether the oriented boxes around two geoms come within the margin, along the axes of both: what only products of axes
// would separate is left to the search. The slack is more than the rounding of all terms.
fn boxes_meet(g1: u32, g2: u32) -> bool {
    let axes1 = quat_axes(geom_quat[g1]);
    let axes2 = quat_axes(geom_quat[g2]);
    let half1 = number3(GEOM_BOX + 6u * g1 + 3u);
    let half2 = number3(GEOM_BOX + 6u * g2 + 3u);
    let apart = geom_pos[g2].xyz - geom_pos[g1].xyz + axes2 * number3(GEOM_BOX + 6u * g2) - axes1 * number3(GEOM_BOX + 6u * g1);
    let cosines = transpose(axes1) * axes2;
    let slack = margin + 1e-5 * (half1.x + half1.y + half1.z + half2.x + half2.y + half2.z);
    let reach1 = half1 + abs(cosines[0]) * half2.x + abs(cosines[1]) * half2.y + abs(cosines[2]) * half2.z;
    let reach2 = half2 + vec3<f32>(dot(abs(cosines[0]), half1), dot(abs(cosines[1]), half1), dot(abs(cosines[2]), half1));
    return all(abs(apart * axes1) <= reach1 + slack) && all(abs(apart * axes2) <= reach2 + slack);
}
