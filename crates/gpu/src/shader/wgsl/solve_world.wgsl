// The dofs of a workgroup are those of its world.
//#import common
//#import solve
//#if CLUSTERS
//#import clusters_whole
//#else
//#import one_cluster
//#end

fn first_dof() -> u32 { return 0u; }
fn first_joint() -> u32 { return 0u; }
fn joint_end() -> u32 { return NJNT; }
fn moves_activations() -> bool { return true; }
fn jacobian_row(row: u32) -> u32 { return row; }
fn contact_record(c: u32) -> u32 { return scratch_base + SCRATCH_CONTACT + 3u * c; }

//#if CROWDED
// Worlds that a workgroup looks at, one a lane: few of them are crowded.
const LOOKED_AT = 32u;
var<workgroup> crowded: array<u32, LOOKED_AT>;

@compute @workgroup_size(LANES)
fn solve_constraints(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = LOOKED_AT * (group.y * submission.per_row + group.x);
    if (local < LOOKED_AT) { crowded[local] = select(0u, 1u, may_be_crowded(first + local)); }
    workgroupBarrier();
    for (var k = 0u; k < LOOKED_AT; k++) {
        if (local == 0u) { go_on = crowded[k]; }
        if (workgroupUniformLoad(&go_on) == 0u) { continue; }
        if (!enter_world(first + k, local)) { continue; }
        forget();
        solve();
    }
}

fn may_be_crowded(w: u32) -> bool {
    if (w >= submission.worlds) { return false; }
    let all = status[w * STATUS_SIZE + STATUS_CONTACTS];
    return all > USUAL_CONTACTS || NFIXED + all * MOST_DIM > USUAL_ROWS;
}

// What is left of another world.
fn forget() {
    has_dof = false;
    low = DofRow(0.0, 0.0);
    high = DofRow(0.0, 0.0);
    loss = DofRow(0.0, 0.0);
    loss_bound = 0.0;
    iterations = 0u;
    search = 0.0;
}
//#else
// A workgroup for each world.
@compute @workgroup_size(LANES)
fn solve_constraints(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (enter(group, local)) { solve(); }
}
//#end

fn solve() {
    find_dof();
    if (lane == 0u) { go_on = status[status_base + STATUS_CONTACTS]; }
    let all = workgroupUniformLoad(&go_on);
    // a world with more contacts than there is room for waits until there is more, or is left to the kernel of crowded worlds
    if (all > MAX_CONTACTS) { return; }
    contacts = all;
    blocks = NFIXED + contacts;
    if (!lay_out_rows(all)) { return; }
//#if SENSORS && RUNGE_KUTTA
    // of several evaluations of a step sensors read the first
    if (lane == 0u && status[status_base + STATUS_PHASE] == 0u) { status[status_base + STATUS_FRESH] |= FRESH; }
//#elif SENSORS
    // Tells the kernel of sensors that there is something to read.
    if (lane == 0u) { status[status_base + STATUS_FRESH] |= FRESH; }
//#end
//#if CLUSTERS && !CROWDED
    // A whole world of which clusters may have been solved before.
    if (joins_clusters()) { advance(); } else { collect_clusters(); }
//#else
    advance();
//#end
//#if CROWDED
    // Counts steps of this kernel, of which there should be few.
    if (lane == 0u) { atomicAdd(&needed[CROWDED_STEPS], 1u); }
//#end
    if (lane == 0u) {
//#if RUNGE_KUTTA
        status[status_base + STATUS_STEPS] += select(0u, 1u, status[status_base + STATUS_PHASE] == 0u);
//#else
        // Counts a step, at once or when its last evaluation is done.
        status[status_base + STATUS_STEPS] += 1u;
//#end
        status[status_base + STATUS_ITERATIONS] += iterations;
        status[status_base + STATUS_ROWS] += rows;
        status[status_base + STATUS_POINTS] += contacts;
    }
}

// A world whose acceleration is bad begins anew.
fn give_up() {
    for (var i = lane; i < STATE_SIZE; i += LANES) { state[state_base + i] = number(INITIAL_STATE + i); }
//#if EQUALITY_ACTIVATION
    // A world that begins anew has the equalities of the model.
    for (var e = lane; e < NEQ; e += LANES) { inputs[input_base + INPUT_EQUALITY + e] = number(FIRST_ACTIVE + e); }
//#end
    if (lane == 0u) {
        status[status_base + STATUS_FLAGS] |= FLAG_BAD_ACCELERATION;
        atomicAdd(&needed[FAILURES], 1u);
//#if SENSORS
        // A world that begins anew has made no steps since; this one is still to be read.
        status[status_base + STATUS_FRESH] &= FRESH;
//#end
    }
}

// Gives each contact its rows; false where they are too many.
fn lay_out_rows(all: u32) -> bool {
    var count = NFIXED;
    for (var base = 0u; base < all; base += LANES) {
        let c = base + lane;
        var dim = 0u;
        if (c < all) {
            let pair = contact_pair(c);
            dim = index(PAIR_DIM + pair);
            for (var side = 0u; side < 2u; side++) {
                let body = index(PAIR_BODIES + 2u * pair + side);
                for (var w = 0u; w < NWORD; w++) {
                    contact_dofs[(2u * c + side) * NWORD + w] = index(BODY_DOFS + body * NWORD + w);
                }
            }
        }
        let offset = scan(dim);
        if (c < all) { block_info[NFIXED + c] = (count + offset.x) | (dim << 16u) | (PUSHES << 24u); }
        count += offset.y;
    }
    rows = count;
    let known = agreed(count);
//#if CROWDED
    // The usual kernel has room for these.
    if (all <= USUAL_CONTACTS && known <= USUAL_ROWS) { return false; }
//#end
    if (known > MAX_ROWS) {
//#if !USUAL
        // With no larger kernel behind this one, the world waits until there is more room.
        if (lane == 0u) { atomicMax(&needed[1], known - NFIXED); }
//#end
        return false;
    }
    barrier();
    return true;
}
