// Constraint rows, Newton's method for the constrained acceleration, and the step in time.
//
// A lane is a dof: it keeps its entries of joint-space vectors and its row of the Hessian in registers. The
// dofs of a workgroup are those of a world or, where it has several clusters of trees that nothing joins, those
// of a cluster.
// Limits and friction losses of single dofs are known to their lane alone. Everything else is a block of rows
// with a Jacobian in scratch memory: a contact, in its frame. The cost of a block is a function of its
// residual x = J a − aref. Blocks of one row that the model always has come first: equalities of joints and
// tendons, and limits and friction losses of tendons.
//#import common
//#import lanes
//#import transmission_derivatives
//#if OF_CLUSTER
//#import solve_cluster
//#else
//#import solve_world
//#end
//#if CONJUGATE_GRADIENTS
//#import minimize_cg
//#else
//#import minimize_newton
//#end
//#if RUNGE_KUTTA
//#import integrate_rk4
//#else
//#import integrate_euler
//#end
//#if SINGLE_FREE_BODIES
//#import integrate_midpoint
//#end
//#if BODY_EQUALITIES
//#import body_equality
//#end
//#if BALL_LIMITS
//#import ball_limit
//#end
//#if EQUALITY_ACTIVATION
//#import equality_activation
//#end
//#if ADHESION
//#import adhesion
//#end
//#if FLUID_DERIVATIVES || JOINED_BRANCHES || MOVING_ADHESION
//#import branches
//#end
//#if FLUID_DERIVATIVES
//#import fluid_derivatives
//#end
//#if ELLIPTIC
//#import cone_elliptic
//#else
//#import cone_pyramidal
//#end
//#if ELLIPTIC && !CONJUGATE_GRADIENTS
//#import cone_elliptic_hessian
//#end
//#if !ELLIPTIC && !CONJUGATE_GRADIENTS
//#import cone_pyramidal_hessian
//#end
//#if HESSIAN_IN_MEMORY
//#import hessian_memory
//#else
//#insert hessian
//#end

var<workgroup> dofs: array<vec4<f32>, WIDTH4>;
// residuals of rows, their change along the search direction, and forces, which are read four at a time
var<workgroup> row_x: array<f32, MAX_ROWS>;
var<workgroup> row_v: array<f32, MAX_ROWS>;
var<workgroup> row_f: array<f32, MAX_ROWS + 3u>;
// blocks: first row and dimension, inverse regularizer, friction of the regularized cone, coefficients, state
var<workgroup> block_info: array<u32, MAX_BLOCKS>;
var<workgroup> block_d: array<f32, MAX_BLOCKS>;
var<workgroup> block_mu: array<f32, MAX_BLOCKS>;
var<workgroup> block_friction: array<f32, FRICTIONS * MAX_BLOCKS>;
var<workgroup> block_state: array<u32, MAX_BLOCKS>;
// dofs that move the first and the second body of a contact, as bits
var<workgroup> contact_dofs: array<u32, 2u * NWORD * MAX_CONTACTS>;

// Rows that only this lane's dof is in: distance to the lower and the upper limit, and friction loss. Those
// that do not exist have no weight.
struct DofRow { d: f32, aref: f32 }
var<private> low: DofRow;
var<private> high: DofRow;
var<private> loss: DofRow;
var<private> loss_bound: f32;

// this lane's dof, where it has one
var<private> dof: u32;
var<private> has_dof: bool;
var<private> contacts: u32;
var<private> blocks: u32;
var<private> rows: u32;
var<private> iterations: u32;
var<private> acc: f32;
var<private> search: f32;
// M (a − a₀), and M times the search direction
var<private> inertial: f32;
var<private> inertial_v: f32;


// Solves for the accelerations of this workgroup's dofs and makes their step.
fn advance() {
    var velocity = 0.0;
    var warm = 0.0;
    var force = 0.0;
    if (has_dof) {
        velocity = qvel(dof);
        warm = last_acceleration();
        force = get_scratch(4u * SCRATCH_FORCE + dof);
//#if ADHESION
        force += adhesion_force();
//#end
        dof_rows(velocity);
    }
    let step_acc = minimize(velocity, warm, force);
//#if NORMAL_FORCE_SENSORS
    // Leaves the normal forces of contacts for sensors.
    for (var c = lane; c < contacts; c += LANES) {
        scratch[contact_record(c) + 2u].w = row_f[block_info[NFIXED + c] & 0xffffu];
    }
//#end
//#if CONTACT_WRENCH_SENSORS
    // Leaves force and torque of contacts on the second body, in world axes.
    for (var c = lane; c < contacts; c += LANES) {
        let record = contact_record(c);
        let normal = scratch[record + 1u].xyz;
        let tangent = scratch[record + 2u].xyz;
        let axes = mat3x3<f32>(normal, tangent, cross(normal, tangent));
        let row = block_info[NFIXED + c] & 0xffffu;
        let dim = block_dim(NFIXED + c);
        var parts = array<vec3<f32>, 2>();
        for (var k = 0u; k < dim; k++) { parts[k / 3u][k % 3u] = row_f[row + k]; }
        let at = wrench_at((record - scratch_base - SCRATCH_CONTACT) / 3u);
        scratch[at] = vec4<f32>(axes * parts[0], 0.0);
        scratch[at + 1u] = vec4<f32>(axes * parts[1], 0.0);
    }
//#end
//#if JOINT_LIMIT_SENSORS
    // Leaves the forces of the lower and upper limits of dofs.
    if (has_dof) {
        put_scratch(4u * SCRATCH_LIMIT + 2u * dof, low.d * max(low.aref - acc, 0.0));
        put_scratch(4u * SCRATCH_LIMIT + 2u * dof + 1u, high.d * max(high.aref + acc, 0.0));
    }
//#end
//#if FIXED_ROW_SENSORS
    // Leaves the forces of rows that the model always has.
    for (var r = lane; r < NFIXED; r += LANES) { put_scratch(4u * SCRATCH_ROW + r, row_f[r]); }
//#end
    integrate(velocity, step_acc);
}



// A sum that is smaller than this part of its terms is rounding.
//#if DOUBLE
const ROUNDING = 6e-16;
//#else
const ROUNDING = 3e-7;
//#end

// Jᵀ f and the sum of its terms without their signs, four rows at a time: their entries are on the way together.
// Rows behind the last have no force.
fn joint_force() -> vec2<f32> {
    var sum = vec4<f32>(0.0);
    var size = vec4<f32>(0.0);
    for (var r = 0u; r < rows; r += 4u) {
        let entries = vec4<f32>(jacobian(r), jacobian(r + 1u), jacobian(r + 2u), jacobian(r + 3u));
        let there = vec4<u32>(r) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(rows);
        let forces = vec4<f32>(row_f[r], row_f[r + 1u], row_f[r + 2u], row_f[r + 3u]);
        let terms = select(vec4<f32>(0.0), entries * forces, there);
        sum += terms;
        size += abs(terms);
    }
    return vec2<f32>((sum.x + sum.y) + (sum.z + sum.w), (size.x + size.y) + (size.z + size.w));
}

// Everything about constraints that does not change during the search.
fn make_rows(velocity: f32) {
    if (NLINEAR > 0u) { linear_rows(velocity); }
//#if BODY_EQUALITIES
    body_equalities();
//#end
//#if BALL_LIMITS
    ball_limits(velocity);
//#end
    contact_jacobians();
    reference_accelerations(velocity);
}

// Moves along the search direction to where the cost is least; returns this lane's part of the change of the
// inertial cost.
fn descend(gradient: f32) -> f32 {
    share(search);
    inertial_v = mass_dot();
    for (var r = lane; r < rows; r += LANES) { row_v[r] = row_dot(r); }
    barrier();
    let alpha = line_search(gradient);
    let work = alpha * search * (inertial + 0.5 * alpha * inertial_v);
    acc += alpha * search;
    inertial += alpha * inertial_v;
    for (var r = lane; r < rows; r += LANES) { row_x[r] += alpha * row_v[r]; }
    return work;
}

// Kinds of single rows: they only push, are quadratic throughout, or linear beyond a bound.
const PUSHES = 0u;
const HOLDS = 1u;
const RUBS = 2u;

fn block_dim(c: u32) -> u32 { return (block_info[c] >> 16u) & 0xffu; }

// Cost of a block of one row.
fn single_cost(c: u32, x: f32) -> f32 {
    let d = block_d[c];
    let kind = block_info[c] >> 24u;
    if (kind == RUBS) {
        let bound = block_mu[c];
        return select(bound * (abs(x) - 0.5 * bound / d), 0.5 * d * x * x, abs(x) * d < bound);
    }
    let y = select(min(x, 0.0), x, kind == HOLDS);
    return 0.5 * d * y * y;
}

// Its first and second derivative.
fn single_slope(c: u32, x: f32) -> vec2<f32> {
    let d = block_d[c];
    let kind = block_info[c] >> 24u;
    if (kind == RUBS && !(abs(x) * d < block_mu[c])) { return vec2<f32>(sign(x) * block_mu[c], 0.0); }
    if (kind == PUSHES && !(x < 0.0)) { return vec2<f32>(0.0); }
    return d * vec2<f32>(x, 1.0);
}

fn contact_pair(c: u32) -> u32 {
    return bitcast<u32>(scratch[contact_record(c) + 1u].w);
}

// Impedance as a function of the violation; parameters are d₀, d₁, width, midpoint, power and the scales of
// the two power functions.
fn impedance(at: u32, violation: f32) -> f32 {
    let d0 = number(at);
    let d1 = number(at + 1u);
    let width = number(at + 2u);
    if (d0 == d1 || width <= 1e-15) { return 0.5 * (d0 + d1); }
    let x = min(abs(violation) / width, 1.0);
    let power = number(at + 4u);
    var y = x;
    if (power != 1.0) {
        let above = x > number(at + 3u);
        let base = select(x, 1.0 - x, above);
        let p = number(select(at + 5u, at + 6u, above)) * select(pow(base, power), base * base, power == 2.0);
        y = select(p, 1.0 - p, above);
    }
    return d0 + y * (d1 - d0);
}

fn regularizer(imp: f32, weight: f32) -> f32 { return max((1.0 - imp) * weight / imp, 1e-15); }

// Row of a limit at some distance; the parameters are stiffness, damping and impedance.
fn limit_row(dist: f32, reach: f32, velocity: f32, at: u32, weight: f32) -> DofRow {
    if (!(dist < reach)) { return DofRow(0.0, 0.0); }
    let imp = impedance(at + 2u, dist - reach);
    return DofRow(1.0 / regularizer(imp, weight), -number(at + 1u) * velocity - number(at) * imp * (dist - reach));
}

fn dof_rows(velocity: f32) {
    let weight = number(DOF_INVWEIGHT + dof);
    let adr = ints[DOF_LIMITADR + dof];
    if (adr >= 0) {
        let range = number3(DOF_RANGE + 3u * dof);
        let q = qpos(u32(adr));
        low = limit_row(q - range.x, range.z, velocity, DOF_LIMIT + 9u * dof, weight);
        high = limit_row(range.y - q, range.z, -velocity, DOF_LIMIT + 9u * dof, weight);
    }
    if (HAS_LOSS) {
        let bound = number(DOF_FRICTIONLOSS + dof);
        if (bound > 0.0) {
            let at = DOF_LOSS + 9u * dof;
            let r = regularizer(impedance(at + 2u, 0.0), weight);
            loss = DofRow(1.0 / r, -number(at + 1u) * velocity);
            loss_bound = bound;
        }
    }
}

// Jacobians of contacts: relative motion of the two bodies at the point, in the frame of the contact.
fn contact_jacobians() {
    var angular = vec3<f32>(0.0);
    var linear = vec3<f32>(0.0);
    var com = vec3<f32>(0.0);
    if (has_dof) {
        angular = scratch[scratch_base + SCRATCH_CDOF + 2u * dof].xyz;
        linear = scratch[scratch_base + SCRATCH_CDOF + 2u * dof + 1u].xyz;
        com = scratch[scratch_base + SCRATCH_COM + index(BODY_ROOT + index(DOF_BODYID + dof))].xyz;
    }
    // the record of the next contact is on its way while rows of this one are written
    var next = array<vec3<f32>, 3>();
    if (contacts > 0u) { next = contact_frame(0u); }
    for (var c = 0u; c < contacts; c++) {
        let pos = next[0];
        let normal = next[1];
        let tangent = next[2];
        if (c + 1u < contacts) { next = contact_frame(c + 1u); }
        let side = contact_moves(2u * c + 1u) - contact_moves(2u * c);
        let rotation = side * angular;
        let shift = side * linear + cross(rotation, pos - com);
        let row = block_info[NFIXED + c] & 0xffffu;
        let dim = block_dim(NFIXED + c);
        put_jacobian(row, dot(normal, shift));
        if (dim > 1u) {
            let across = cross(normal, tangent);
            put_jacobian(row + 1u, dot(tangent, shift));
            put_jacobian(row + 2u, dot(across, shift));
            if (dim > 3u) { put_jacobian(row + 3u, dot(normal, rotation)); }
            if (dim > 4u) {
                put_jacobian(row + 4u, dot(tangent, rotation));
                put_jacobian(row + 5u, dot(across, rotation));
            }
        }
    }
    storageBarrier();
    barrier();
}

// Position, normal and first tangent of a contact.
fn contact_frame(c: u32) -> array<vec3<f32>, 3> {
    let record = contact_record(c);
    return array<vec3<f32>, 3>(scratch[record].xyz, scratch[record + 1u].xyz, scratch[record + 2u].xyz);
}

// One if this lane's dof moves the body on a side of a contact, zero otherwise.
fn contact_moves(side: u32) -> f32 {
    if (!has_dof) { return 0.0; }
    return f32((contact_dofs[side * NWORD + (dof >> 5u)] >> (dof & 31u)) & 1u);
}

// Where a row of the Jacobian begins, in groups of four.
fn jacobian_at(row: u32) -> u32 { return SCRATCH_JACOBIAN + jacobian_row(row) * WIDTH4; }

fn put_jacobian(row: u32, x: f32) {
    if (lane < 4u * WIDTH4) { put_scratch(4u * jacobian_at(row) + lane, x); }
}

// This lane's entry of a row of the Jacobian.
fn jacobian(row: u32) -> f32 {
    if (!has_dof) { return 0.0; }
    return get_scratch(4u * jacobian_at(row) + lane);
}

fn jacobian4(row: u32, c: u32) -> vec4<f32> {
    return scratch[scratch_base + jacobian_at(row) + c];
}

// Makes a joint-space vector, one entry a lane, known to all lanes.
fn share(x: f32) {
    barrier();
    if (lane < 4u * WIDTH4) { dofs[lane >> 2u][lane & 3u] = select(0.0, x, has_dof); }
    barrier();
}

// Rows that the model always has: x = l₁ − p(l₂) with l₁ and l₂ linear in joint coordinates and p a polynomial,
// which is to be zero, or at least zero, or resists its change. Reference accelerations go to row_f.
fn linear_rows(velocity: f32) {
    var q = 0.0;
    if (lane < NV) {
        let adr = ints[DOF_QPOSADR + lane];
        if (adr >= 0) { q = qpos(u32(adr)); }
    }
    for (var s = 0u; s < NLINEAR; s++) {
        let at = FIXED_NUMBERS + FIXED_SIZE * s;
//#if NONLINEAR_TRANSMISSIONS
        // with lengths of spatial tendons
        var arms = vec2<f32>(0.0);
        if (lane < NV) { arms = number2(FIXED_ARMS + 2u * (s * NV + lane)); }
        var lengths = sum2(arms * q) - number2(at);
        for (var side = 0u; side < 2u; side++) {
            let transmission = ints[FIXED_TRANSMISSIONS + 2u * s + side];
            if (transmission < 0) { continue; }
            let sign = number(FIXED_SIGNS + 2u * s + side);
            lengths[side] += sign * get_scratch(4u * SCRATCH_LENGTH + u32(transmission));
            if (lane < NV) { arms[side] += sign * transmission_arm(u32(transmission), lane); }
        }
//#else
        // Lengths of the rows that a model always has, where all are linear in joint coordinates.
        var arms = vec2<f32>(0.0);
        if (lane < NV) { arms = number2(FIXED_ARMS + 2u * (s * NV + lane)); }
        let lengths = sum2(arms * q) - number2(at);
//#end
        let rates = sum2(arms * velocity);
        // the polynomial and its derivative
        var p = 0.0;
        var derivative = 0.0;
        for (var k = 5u; k > 0u; k--) {
            derivative = derivative * lengths.y + p;
            p = p * lengths.y + number(at + 1u + k);
        }
        put_jacobian(s, arms.x - derivative * arms.y);
        let kind = index(FIXED_KIND + s);
        let violation = lengths.x - p - number(at + 7u);
        if (lane == 0u) {
            let imp = impedance(at + 12u, select(violation, 0.0, kind == RUBS));
            let d = 1.0 / regularizer(imp, number(at + 9u));
            block_info[s] = s | (1u << 16u) | (kind << 24u);
            block_d[s] = select(d, 0.0, kind == PUSHES && !(violation < 0.0));
//#if EQUALITY_ACTIVATION
            // Takes the weight of rows whose equality is not active.
            if (!is_active(FIXED_EQUALITY + s)) { block_d[s] = 0.0; }
//#end
            block_mu[s] = number(at + 8u);
            row_f[s] = -number(at + 11u) * (rates.x - derivative * rates.y) - number(at + 10u) * imp * violation;
        }
    }
    storageBarrier();
    barrier();
}

// Regularizers, friction and reference accelerations of contacts; the latter go to row_f.
fn reference_accelerations(velocity: f32) {
    share(velocity);
    for (var r = NFIXED + lane; r < rows; r += LANES) { row_f[r] = row_dot(r); }
    barrier();
    for (var c = lane; c < contacts; c += LANES) {
        let row = block_info[NFIXED + c] & 0xffffu;
        let dim = block_dim(NFIXED + c);
        let pair = contact_pair(c);
        let at = PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair);
        let violation = scratch[contact_record(c)].w - number(at + 1u);
        let imp = impedance(at + 5u, violation);
        let weight = number(PAIR_WEIGHT + pair);
        set_block(NFIXED + c, dim, at + 12u, imp, weight);
        row_f[row] = -number(at + 3u) * row_f[row] - number(at + 2u) * imp * violation;
        for (var k = 1u; k < dim; k++) { row_f[row + k] = -number(at + TANGENT_DAMPING) * row_f[row + k]; }
    }
    barrier();
}

// Begins at an acceleration or, where that costs less and is not what was given, at the last one.
fn begin_at(start: f32, warm: f32, force: f32, is_free: bool) {
    share(start);
    for (var r = lane; r < rows; r += LANES) { row_x[r] = row_dot(r) - row_f[r]; }
    inertial = mass_dot() - force;
    acc = start;
    if (WARM_ALONE || !WARMSTART || is_free) { return; }
    share(warm);
    for (var r = lane; r < rows; r += LANES) { row_v[r] = row_dot(r) - row_f[r] - row_x[r]; }
    inertial_v = mass_dot() - force - inertial;
    search = warm - start;
    barrier();
    if (improvement_at(1.0) >= 0.0) {
        acc = warm;
        inertial += inertial_v;
        for (var r = lane; r < rows; r += LANES) { row_x[r] += row_v[r]; }
    }
}

// Cost of this lane's own rows at a distance along the search direction.
fn dof_cost(alpha: f32) -> f32 {
    let a = acc + alpha * search;
    let below = min(a - low.aref, 0.0);
    let above = min(-a - high.aref, 0.0);
    var cost = 0.5 * (low.d * below * below + high.d * above * above);
    if (HAS_LOSS && loss.d > 0.0) {
        let x = abs(a - loss.aref);
        let reach = loss_bound / loss.d;
        cost += select(loss_bound * (x - 0.5 * reach), 0.5 * loss.d * x * x, x < reach);
    }
    return cost;
}

// First and second derivative of that along the direction.
fn dof_slope(alpha: f32) -> vec2<f32> {
    let a = acc + alpha * search;
    let below = a - low.aref;
    let above = -a - high.aref;
    var d = vec2<f32>(0.0);
    if (below < 0.0) { d += low.d * vec2<f32>(below * search, search * search); }
    if (above < 0.0) { d += high.d * vec2<f32>(-above * search, search * search); }
    if (HAS_LOSS && loss.d > 0.0) {
        let x = a - loss.aref;
        if (abs(x) * loss.d < loss_bound) {
            d += loss.d * vec2<f32>(x * search, search * search);
        } else {
            d.x += sign(x) * loss_bound * search;
        }
    }
    return d;
}

// Force of this lane's own rows, and their curvature.
fn dof_force() -> vec2<f32> {
    let below = acc - low.aref;
    let above = -acc - high.aref;
    var f = vec2<f32>(0.0);
    if (below < 0.0) { f += low.d * vec2<f32>(-below, 1.0); }
    if (above < 0.0) { f += high.d * vec2<f32>(above, 1.0); }
    if (HAS_LOSS && loss.d > 0.0) {
        let x = acc - loss.aref;
        if (abs(x) * loss.d < loss_bound) {
            f += loss.d * vec2<f32>(-x, 1.0);
        } else {
            f.x -= sign(x) * loss_bound;
        }
    }
    return f;
}

// Derivatives of the cost at a distance along the search direction; `quadratic` are those of the inertial
// part at its start.
fn slope_at(alpha: f32, quadratic: vec2<f32>) -> vec2<f32> {
    var d = dof_slope(alpha);
    for (var c = lane; c < blocks; c += LANES) { d += block_slope(c, alpha); }
    return sum2(d) + vec2<f32>(quadratic.x + alpha * quadratic.y, quadratic.y);
}

// By how much the cost falls at a distance along the search direction, as a sum of differences.
fn improvement_at(alpha: f32) -> f32 {
    let own = vec2<f32>(dof_cost(0.0), dof_cost(alpha));
    let work = alpha * search * (inertial + 0.5 * alpha * inertial_v);
    var fall = vec2<f32>(own.x - own.y - work, own.x + own.y + abs(work));
    for (var c = lane; c < blocks; c += LANES) {
        let costs = vec2<f32>(block_cost(c, 0.0), block_cost(c, alpha));
        fall += vec2<f32>(costs.x - costs.y, costs.x + costs.y);
    }
    let total = sum2(fall);
    return select(total.x, 0.0, abs(total.x) < ROUNDING * total.y);
}

// Root of the derivative along the search direction by Newton's method, kept inside of a bracket. The first
// step of a Newton direction is one.
fn line_search(gradient: f32) -> f32 {
    // sums that do not wait for each other are under way together
    let start = sum4(search * vec4<f32>(gradient, search, inertial, inertial_v));
    let quadratic = start.zw;
//#if CONJUGATE_GRADIENTS
    var alpha = -start.x / max(slope_at(0.0, quadratic).y, 1e-15);
//#else
    var alpha = 1.0;
//#end
    var d = slope_at(alpha, quadratic);
    if (!(start.x < 0.0)) { return 0.0; }
//#if CONJUGATE_GRADIENTS
    // conjugate directions are only conjugate to each other where each search is exact, and have no length of their own
    let enough = max(TOLERANCE * LS_TOLERANCE * sqrt(start.y) / SCALE, 4.0 * ROUNDING * abs(start.x));
//#else
    // When the derivative along a Newton direction is small enough, and where the search for that begins: the direction has the right length where no row changes its state.
    let enough = max(TOLERANCE * LS_TOLERANCE * sqrt(start.y) / SCALE, 1e-3 * abs(start.x));
//#end
    var least = 0.0;
    var most = -1.0;
    for (var k = 0u; k < LS_ITERATIONS; k++) {
        if (abs(d.x) <= enough) { break; }
        if (d.x < 0.0) { least = alpha; } else { most = alpha; }
        var next = alpha - d.x / max(d.y, 1e-15);
        if (most < 0.0) {
            next = clamp(next, least, 16.0 * alpha);
        } else if (!(next > least && next < most)) {
            next = 0.5 * (least + most);
        }
        if (next == alpha) { break; }
        alpha = next;
        d = slope_at(alpha, quadratic);
    }
    return alpha;
}



fn damping_derivative(velocity: f32) -> f32 {
    if (!has_dof) { return 0.0; }
    let at = DOF_DAMPING + 3u * dof;
    let v = abs(velocity);
    return number(at) + v * (2.0 * number(at + 1u) + v * 3.0 * number(at + 2u));
}

fn new_velocity(i: u32) -> f32 {
    let k = lane_of(i);
    return dofs[k >> 2u][k & 3u];
}

fn move_joint(j: u32) {
    let kind = ints[JNT_TYPE + j];
    var q = state_base + STATE_QPOS + index(JNT_QPOSADR + j);
    var v = index(JNT_DOFADR + j);
    if (kind >= 2) {
        state[q] += TIMESTEP * new_velocity(v);
        return;
    }
    if (kind == 0) {
        for (var k = 0u; k < 3u; k++) { state[q + k] += TIMESTEP * new_velocity(v + k); }
        q += 3u;
        v += 3u;
    }
    let angular_velocity = vec3<f32>(new_velocity(v), new_velocity(v + 1u), new_velocity(v + 2u));
    let speed = length(angular_velocity);
    if (speed > 0.0) {
        let old = vec4<f32>(state[q], state[q + 1u], state[q + 2u], state[q + 3u]);
        let quat = unit_quat(quat_mul(old, axis_angle(angular_velocity / speed, TIMESTEP * speed)));
        state[q] = quat.x;
        state[q + 1u] = quat.y;
        state[q + 2u] = quat.z;
        state[q + 3u] = quat.w;
    }
}
