// What the kernel of a whole world does where clusters of trees may have been solved before, each by itself.

// Whether a contact joins two clusters, so that the world is solved as a whole.
fn joins_clusters() -> bool {
    var joined = false;
    for (var c = lane; c < contacts; c += LANES) {
        let pair = contact_pair(c);
        let sides = vec2<i32>(
            ints[BODY_CLUSTER + index(PAIR_BODIES + 2u * pair)],
            ints[BODY_CLUSTER + index(PAIR_BODIES + 2u * pair + 1u)],
        );
        joined = joined || (min(sides.x, sides.y) >= 0 && sides.x != sides.y);
    }
    return any_lane(joined);
}

// Takes over what the clusters have done.
fn collect_clusters() {
    var bad = false;
    for (var k = 0u; k < CLUSTERS; k++) {
        let record = scratch[scratch_base + SCRATCH_CLUSTER + k];
        iterations += u32(record.x);
        bad = bad || record.y != 0.0;
    }
    if (bad) { give_up(); }
}
