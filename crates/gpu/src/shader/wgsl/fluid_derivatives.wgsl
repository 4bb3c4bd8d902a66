// Derivatives of forces of a fluid between dofs of one branch: M -= h times the sum of cdof B cdof, with B that of the
// subtree of the dof further down, whose product with its motion is there.
//#import branches
//#import common
//#import solve

// Derivatives of forces of a fluid between dofs of one branch: M −= h Σ cdofᵀ B cdof, with B that of the subtree of the dof further down, whose product with its motion is there.
fn add_fluid_derivatives() {
    for (var j = 0u; j < NV; j++) {
        let is_up = j <= dof;
        let upper = select(dof, j, is_up);
        let lower = select(j, dof, is_up);
        if (!carries(upper, lower)) { continue; }
        let motion = scratch_base + SCRATCH_CDOF + 2u * upper;
        let push = scratch_base + SCRATCH_DRAG + 9u * NBODY + 2u * lower;
        let x = dot(scratch[motion].xyz, scratch[push].xyz) + dot(scratch[motion + 1u].xyz, scratch[push + 1u].xyz);
        add_entry(lane_of(j), -TIMESTEP * x);
    }
}
