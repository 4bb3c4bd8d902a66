// What is done next: to begin at the last acceleration, or to solve a linear system for the unconstrained
// acceleration, a Newton direction, or the acceleration of an integrator that takes dampers implicitly.
//#import common
//#import solve
//#import transmission_derivatives

const WARM_START = 0u;
const UNCONSTRAINED = 1u;
const NEWTON = 2u;
const IMPLICIT_STEP = 3u;

// Minimizes ½ aᵀ M a − aᵀ τ + s(J a − aref) by Newton's method; returns the acceleration that the integrator
// takes. There is one place where a system is solved, so that compilers keep its rows in registers.
fn minimize(velocity: f32, warm: f32, force: f32) -> f32 {
    // without rows the unconstrained acceleration is the result, which a warm start would only come near to
    let is_free = !any_lane(rows > 0u || low.d > 0.0 || high.d > 0.0 || loss.d > 0.0);
    var purpose = select(UNCONSTRAINED, WARM_START, WARM_ALONE && !is_free);
    var rhs = force;
    var own = vec2<f32>(0.0);
    // by how much the last step has made the cost less, and this lane's parts of the change and of the cost
    var improvement = 1e30;
    var work = 0.0;
    var last_cost = 0.0;
    // length of the gradient before the last step
    var last = 1e30;
    var step_acc = 0.0;
    // `iterations` in a form that all lanes are known to share
    var count = 0u;
    loop {
        var x = warm;
        if (purpose != WARM_START) {
            load_mass();
            if (purpose == NEWTON) {
                add_diagonal(own.y);
                for (var c = 0u; c < blocks; c++) { add_block(c); }
            } else if (purpose == IMPLICIT_STEP) {
                add_diagonal(TIMESTEP * damping_derivative(velocity));
                if (IMPLICIT && has_dof) { add_transmission_derivatives(); }
//#if FLUID_DERIVATIVES
                if (has_dof) { add_fluid_derivatives(); }
//#end
//#if MOVING_ADHESION
                if (IMPLICIT && has_dof) { add_adhesion_derivatives(); }
//#end
            }
            x = solve_hessian(rhs);
        }
        if (purpose == IMPLICIT_STEP) {
            step_acc = x;
            break;
        }
        if (purpose == NEWTON) {
            search = -x;
            work = descend(rhs);
            count += 1u;
            iterations = count;
        } else {
            make_rows(velocity);
            begin_at(x, warm, force, is_free);
        }
        barrier();
        var cost = dof_cost(0.0);
        for (var c = lane; c < blocks; c += LANES) { cost += block_forces(c); }
        barrier();
        own = dof_force();
        let pushed = joint_force();
        rhs = inertial - own.x - pushed.x;
        let size = abs(force) + abs(inertial) + abs(own.x) + pushed.y;
        // squared length of the gradient and of what it is the difference of, and by how much the cost falls: a
        // sum of differences, since costs are large, of which what is less than the rounding of its terms is none
        let sums = sum4(vec4<f32>(rhs * rhs, size * size, last_cost - cost - work, last_cost + cost + abs(work)));
        let norms = sqrt(sums.xy);
        if (purpose == NEWTON) { improvement = select(sums.z, 0.0, abs(sums.z) < ROUNDING * sums.w); }
        purpose = NEWTON;
        last_cost = cost;
        let done = SCALE * min(norms.x, improvement) < TOLERANCE || norms.x < ROUNDING * norms.y;
        // a gradient that is nearly rounding, and that a Newton step does not make less, is rounding, too
        let stalled = norms.x > 0.5 * last && norms.x < 30.0 * ROUNDING * norms.y;
        last = norms.x;
        if (count >= MAX_ITERATIONS || done || stalled || is_free) {
            step_acc = acc;
            if (!(IMPLICIT || IMPLICIT_DAMPING)) { break; }
            // smooth forces and those of constraints
            rhs = force + inertial - rhs;
//#if SINGLE_FREE_BODIES
            total_force = rhs;
//#end
            purpose = IMPLICIT_STEP;
        }
    }
    return step_acc;
}
