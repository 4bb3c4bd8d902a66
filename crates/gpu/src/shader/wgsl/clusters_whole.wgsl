// What the kernel of a whole world does where clusters of trees may have been solved before, each by itself. Lanes
// of a cluster begin at a multiple of four, as its columns do.
//#import common
//#import solve

// first group of columns of the cluster of this lane
var<private> first_group: u32;

fn own_dofs() -> u32 { return 4u * WIDTH4; }
fn lane_of(i: u32) -> u32 { return index(DOF_LANE + i); }
fn find_dof() {
    if (lane >= own_dofs()) { return; }
    let own = ints[LANE_DOF + lane];
    has_dof = own >= 0;
    if (!has_dof) { return; }
    dof = u32(own);
    first_group = index(DOF_GROUP + dof);
}

// Columns of the inertia matrix in this lane's row, four at a time: none in other clusters.
fn mass4(c: u32) -> vec4<f32> {
    var columns = vec4<f32>(0.0);
    let own = c - first_group;
    if (has_dof && own < MASS4) { columns = scratch[scratch_base + SCRATCH_MASS + own * SOLVE_LANES + dof]; }
    return columns;
}

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
