// The dofs of a workgroup are those of its world.

fn first_dof() -> u32 { return 0u; }
fn first_joint() -> u32 { return 0u; }
fn joint_end() -> u32 { return NJNT; }
fn moves_activations() -> bool { return true; }
fn jacobian_row(row: u32) -> u32 { return row; }
fn contact_record(c: u32) -> u32 { return scratch_base + SCRATCH_CONTACT + 3u * c; }

@compute @workgroup_size(LANES)
fn solve_constraints(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!enter(group, local)) { return; }
    find_dof();
    if (lane == 0u) { go_on = status[status_base + STATUS_CONTACTS]; }
    let all = workgroupUniformLoad(&go_on);
    // a world with more contacts than there is room for waits until there is more
    if (all > MAX_CONTACTS) { return; }
    contacts = all;
    blocks = NFIXED + contacts;
    if (!lay_out_rows(all)) { return; }
    //SOLVE//
    if (lane == 0u) {
        //COUNT_STEP//
        status[status_base + STATUS_ITERATIONS] += iterations;
        status[status_base + STATUS_ROWS] += rows;
        status[status_base + STATUS_POINTS] += contacts;
    }
}

// A world whose acceleration is bad begins anew.
fn give_up() {
    for (var i = lane; i < STATE_SIZE; i += LANES) { state[state_base + i] = number(INITIAL_STATE + i); }
    //FIRST_SWITCHES//
    if (lane == 0u) {
        status[status_base + STATUS_FLAGS] |= FLAG_BAD_ACCELERATION;
        //AGE//
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
        let place = scan(dim);
        if (c < all) { block_info[NFIXED + c] = (count + place.x) | (dim << 16u) | (PUSHES << 24u); }
        count += place.y;
    }
    rows = count;
    if (agreed(count) > MAX_ROWS) {
        if (lane == 0u) { atomicMax(&needed[1], count - NFIXED); }
        return false;
    }
    barrier();
    return true;
}

