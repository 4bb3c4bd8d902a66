//#import common
//#import solve

//#if NONLINEAR_TRANSMISSIONS
//#import moment_arms
// moment arms depend on positions
fn add_transmission_derivatives() {
    for (var transmission = 0u; transmission < NTRANSMISSION; transmission++) {
        let x = -TIMESTEP * transmission_arm(transmission, lane) * get_scratch(4u * SCRATCH_DERIVATIVE + transmission);
        if (x == 0.0) { continue; }
        for (var j = 0u; j < NV; j++) {
//#if JOINED_BRANCHES
            if (!is_one_branch(dof, j)) { continue; }
//#end
            add_entry(j, x * transmission_arm(transmission, j));
        }
    }
}

//#else
// M −= h Jᵀ S J, with S the derivatives of forces along actuators and tendons, and J their moment arms.
fn add_transmission_derivatives() {
    for (var k = index(DOF_TRANSMISSION_START + dof); k < index(DOF_TRANSMISSION_START + dof + 1u); k++) {
        let transmission = index(DOF_TRANSMISSION + k);
        let x = -TIMESTEP * number(DOF_TRANSMISSION_COEF + k) * get_scratch(4u * SCRATCH_DERIVATIVE + transmission);
        for (var t = index(TRANSMISSION_START + transmission); t < index(TRANSMISSION_START + transmission + 1u); t++) {
//#if JOINED_BRANCHES
            // Derivatives by velocities count between dofs of one branch alone.
            if (!is_one_branch(dof, index(TRANSMISSION_DOF + t))) { continue; }
//#end
            add_entry(lane_of(index(TRANSMISSION_DOF + t)), x * number(TRANSMISSION_COEF + t));
        }
    }
}
//#end
