// Minimizes ½ aᵀ M a − aᵀ τ + s(J a − aref) by conjugate gradients, preconditioned by M⁻¹; returns the acceleration that
// the integrator takes. The inverse of the inertia matrix is made once in a step, and that of the matrix of an integrator
// which takes dampers implicitly at its end: in one place, so that compilers keep its rows in registers.
//#import common
//#import solve
//#import transmission_derivatives

fn minimize(velocity: f32, warm: f32, force: f32) -> f32 {
    // without rows the unconstrained acceleration is the result, which a warm start would only come near to
    let is_free = !any_lane(rows > 0u || low.d > 0.0 || high.d > 0.0 || loss.d > 0.0);
    var rhs = force;
    var step_acc = 0.0;
    for (var is_end = false; ; is_end = true) {
        load_mass();
        if (is_end) {
            add_diagonal(TIMESTEP * damping_derivative(velocity));
            if (IMPLICIT && has_dof) { add_transmission_derivatives(); }
//#if FLUID_DERIVATIVES
                if (has_dof) { add_fluid_derivatives(); }
//#end
//#if MOVING_ADHESION
                if (IMPLICIT && has_dof) { add_adhesion_derivatives(); }
//#end
        }
        invert();
        step_acc = inverse_dot(rhs);
        if (is_end) { break; }
        make_rows(velocity);
        begin_at(step_acc, warm, force, is_free);
        rhs = conjugate_gradients(force, is_free);
        step_acc = acc;
        if (!(IMPLICIT || IMPLICIT_DAMPING)) { break; }
        // smooth forces and those of constraints
        rhs = force + inertial - rhs;
//#if SINGLE_FREE_BODIES
            total_force = rhs;
//#end
    }
    return step_acc;
}

// Improves the acceleration until it has converged; returns the gradient there. Directions are those of Polak and Ribière,
// begun anew along the preconditioned gradient where conjugacy is lost.
fn conjugate_gradients(force: f32, is_free: bool) -> f32 {
    var gradient = 0.0;
    // M⁻¹ times the gradient
    var preconditioned = 0.0;
    // by how much the last step has made the cost less, and this lane's parts of the change and of the cost
    var improvement = 1e30;
    var work = 0.0;
    var last_cost = 0.0;
    // `iterations` in a form that all lanes are known to share
    var count = 0u;
    // length of the gradient before the last step
    var last_length = 1e30;
    loop {
        barrier();
        var cost = dof_cost(0.0);
        for (var c = lane; c < blocks; c += LANES) { cost += block_forces(c); }
        barrier();
        let last = vec2<f32>(gradient, preconditioned);
        let own = dof_force();
        let pushed = joint_force();
        gradient = inertial - own.x - pushed.x;
        let size = abs(force) + abs(inertial) + abs(own.x) + pushed.y;
        // squared length of the gradient and of what it is the difference of, and by how much the cost falls: a
        // sum of differences, since costs are large, of which what is less than the rounding of its terms is none
        let sums = sum4(vec4<f32>(gradient * gradient, size * size, last_cost - cost - work, last_cost + cost + abs(work)));
        let norms = sqrt(sums.xy);
        if (count > 0u) { improvement = select(sums.z, 0.0, abs(sums.z) < ROUNDING * sums.w); }
        last_cost = cost;
        // an improvement that rounding hides says nothing while gradients still become shorter
        let is_hidden = improvement == 0.0 && norms.x < 0.5 * last_length;
        last_length = norms.x;
        let stays = SCALE * improvement < TOLERANCE && !is_hidden;
        let done = stays || SCALE * norms.x < TOLERANCE || norms.x < ROUNDING * norms.y;
        if (count >= MAX_ITERATIONS || done || is_free) { break; }
        preconditioned = inverse_dot(gradient);
        let terms = sum2(vec2<f32>(gradient * (preconditioned - last.y), last.x * last.y));
        let beta = select(0.0, max(terms.x / max(terms.y, 1e-15), 0.0), count > 0u);
        search = beta * search - preconditioned;
        work = descend(gradient);
        count += 1u;
        iterations = count;
    }
    return gradient;
}
