// Which dofs are on one branch of the tree.
//#import common

fn carries(i: u32, j: u32) -> bool {
    // the inertia of these is diagonal, and so is what the integrator takes
    if (i != j && ints[DOF_ALONE + j] != 0) { return false; }
    return ((index(BODY_DOFS + index(DOF_BODYID + j) * NWORD + (i >> 5u)) >> (i & 31u)) & 1u) == 1u;
}
//#if JOINED_BRANCHES || MOVING_ADHESION

fn is_one_branch(i: u32, j: u32) -> bool { return carries(min(i, j), max(i, j)); }
//#end
