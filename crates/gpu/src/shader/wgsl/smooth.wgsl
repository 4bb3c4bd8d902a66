// The unconstrained dynamics: poses, inertia matrix, bias, passive and actuator forces.
//
// Poses are composed along the tree by pointer jumping, so that their number of rounds grows with the
// logarithm of the depth. Sums over subtrees are sums over ranges, since bodies are numbered depth first;
// sums over ancestors walk the chain of dofs.
//#import cluster_dof
//#import common
//#import lanes
//#if NONLINEAR_TRANSMISSIONS
//#import transmissions_nonlinear
//#else
//#import transmissions_linear
//#end
//#if MUSCLES
//#import muscle
//#end
//#if LIMITED_TENDONS || DC_MOTORS
//#import force_ranges
//#end
//#if DC_MOTORS
//#import motor
//#end
//#if FLUID
//#import fluid
//#end
//#if FLUID_DERIVATIVES
//#import fluid_jacobian
//#end
//#if TENDON_ARMATURE
//#import tendon_inertia
//#end
//#if TENDON_ARMATURE && NONLINEAR_TRANSMISSIONS
//#import tendon_armature
//#end
//#if LIMITED_TENDONS
//#import tendon_ranges
//#end
//#if ACTUATOR_GRAVITY
//#import actuator_gravity
//#end
//#if SENSORS
//#import sensors_keep
//#end

const FREE = 0;
const BALL = 1;
const SLIDE = 2;

// Workgroup memory, by offsets into one array: what is dead makes room for what follows.
// poses (two copies of position and orientation), then inertias of subtrees, then velocities and forces of bodies
const MEM_POSE = 0u;
const MEM_SUBTREE = 0u;
const MEM_VELOCITY = 0u;
const MEM_FORCE = 2u * NBODY;
// moments of bodies, then their inertias
const MEM_INERTIA = 4u * NBODY;
// motions of dofs
const MEM_CDOF = 7u * NBODY;
// anchors and axes of joints, later forces or velocity products of dofs
const MEM_DOF = MEM_CDOF + 2u * NV;
const MEM_COM = MEM_DOF + 2u * NV;
var<workgroup> mem: array<vec4<f32>, MEM_COM + NROOT>;
// forces of actuators and tendons
var<workgroup> transmission_force: array<f32, MAX_NTRANSMISSION>;

@compute @workgroup_size(LANES)
fn smooth_dynamics(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!enter(group, local)) { return; }
    reset_bad_state();
    local_poses();
    compose_poses();
    centers_of_mass();
    dof_motions();
    body_inertias();
    barrier();
//#if NONLINEAR_TRANSMISSIONS
    nonlinear_transmissions();
//#end
    subtree_inertias();
    barrier();
    inertia_matrix();
    body_velocities();
    barrier();
    dof_drifts();
    barrier();
    body_forces();
//#if FLUID_DERIVATIVES
    body_fluid_jacobians();
//#end
    drive_forces();
    barrier();
//#if LIMITED_TENDONS
    limit_tendons();
//#end
//#if LIMITED_TENDONS || DC_MOTORS
    limit_actuators();
//#end
//#if ADHESION
    // Leaves the forces of actuators that adhere, whose arms are known when contacts are.
    for (var k = lane; k < NADHESION; k += LANES) { put_scratch(4u * SCRATCH_ADHESION + k, transmission_force[index(ADHESION_ACTUATOR + k)]); }
//#end
    joint_forces();
//#if SENSORS
    keep_for_sensors();
//#end
}

// Resets a world whose state is not finite, and marks it.
fn reset_bad_state() {
    var bad = false;
    for (var i = lane; i < NQ + NV + NA; i += LANES) { bad = bad || is_bad(state[state_base + i]); }
    if (any_lane(bad)) {
        for (var i = lane; i < STATE_SIZE; i += LANES) { state[state_base + i] = number(INITIAL_STATE + i); }
        if (lane == 0u) {
            status[status_base + STATUS_FLAGS] |= FLAG_BAD_STATE;
            atomicAdd(&needed[FAILURES], 1u);
//#if SENSORS
            // It has made no steps since.
            status[status_base + STATUS_FRESH] = 0u;
//#end
        }
//#if RUNGE_KUTTA
        // A world that begins anew begins a step anew.
        if (lane == 0u) { status[status_base + STATUS_PHASE] = 0u; }
//#end
//#if EQUALITY_ACTIVATION
    // A world that begins anew has the equalities of the model.
    for (var e = lane; e < NEQ; e += LANES) { inputs[input_base + INPUT_EQUALITY + e] = number(FIRST_ACTIVE + e); }
//#end
    }
    storageBarrier();
    workgroupBarrier();
}

// Pose of each body in the frame of its parent, and anchors and axes of its joints in that frame.
fn local_poses() {
    for (var b = lane; b < NBODY; b += LANES) {
        var pos = number3(BODY_POS + 3u * b);
        var quat = number4(BODY_QUAT + 4u * b);
        if (NMOCAP > 0u) {
            let mocap = ints[BODY_MOCAPID + b];
            if (mocap >= 0) {
                let at = input_base + INPUT_MOCAP + 7u * u32(mocap);
                pos = vec3<f32>(inputs[at], inputs[at + 1u], inputs[at + 2u]);
                quat = unit_quat(vec4<f32>(inputs[at + 3u], inputs[at + 4u], inputs[at + 5u], inputs[at + 6u]));
            }
        }
        let first = index(BODY_JNTADR + b);
        let end = first + index(BODY_JNTNUM + b);
        for (var j = first; j < end; j++) {
            let kind = ints[JNT_TYPE + j];
            let adr = index(JNT_QPOSADR + j);
            if (kind == FREE) {
                pos = qpos3(adr);
                quat = qpos_quat(adr + 3u);
                mem[MEM_DOF + 2u * j] = vec4<f32>(pos, 0.0);
                continue;
            }
            let local_axis = number3(JNT_AXIS + 3u * j);
            let local_anchor = number3(JNT_POS + 3u * j);
            let axis = rotate(quat, local_axis);
            let anchor = pos + rotate(quat, local_anchor);
            mem[MEM_DOF + 2u * j] = vec4<f32>(anchor, 0.0);
            mem[MEM_DOF + 2u * j + 1u] = vec4<f32>(axis, 0.0);
            if (kind == SLIDE) {
                pos += axis * (qpos(adr) - number(QPOS0 + adr));
                continue;
            }
            if (kind == BALL) {
                quat = quat_mul(quat, qpos_quat(adr));
            } else {
                quat = quat_mul(quat, axis_angle(local_axis, qpos(adr) - number(QPOS0 + adr)));
            }
            pos = anchor - rotate(quat, local_anchor);
        }
        mem[MEM_POSE + b] = vec4<f32>(pos, 0.0);
        mem[MEM_POSE + NBODY + b] = unit_quat(quat);
    }
    barrier();
}

// Poses in the world: in round r each body takes over the pose of its 2ʳ-th ancestor.
fn compose_poses() {
    for (var r = 0u; r < ROUNDS; r++) {
        let old = MEM_POSE + (r & 1u) * 2u * NBODY;
        let new_at = MEM_POSE + (1u - (r & 1u)) * 2u * NBODY;
        for (var b = lane; b < NBODY; b += LANES) {
            let up = index(JUMP + r * NBODY + b);
            var pos = mem[old + b];
            var quat = mem[old + NBODY + b];
            if (up > 0u) {
                let parent = mem[old + NBODY + up];
                pos = vec4<f32>(mem[old + up].xyz + rotate(parent, pos.xyz), 0.0);
                quat = quat_mul(parent, quat);
            }
            mem[new_at + b] = pos;
            mem[new_at + NBODY + b] = quat;
        }
        barrier();
    }
    // later stages and the contact kernel take unit quaternions
    for (var b = lane; b < NBODY; b += LANES) {
        let quat = unit_quat(mem[POSE_AT + NBODY + b]);
        mem[POSE_AT + NBODY + b] = quat;
        scratch[scratch_base + SCRATCH_POSE + 2u * b] = mem[POSE_AT + b];
        scratch[scratch_base + SCRATCH_POSE + 2u * b + 1u] = quat;
    }
    barrier();
}

fn inertial_position(b: u32) -> vec3<f32> {
    return mem[POSE_AT + b].xyz + rotate(mem[POSE_AT + NBODY + b], number3(BODY_IPOS + 3u * b));
}

// Centre of mass of each tree: the point about which its spatial vectors are taken.
fn centers_of_mass() {
    for (var b = lane; b < NBODY; b += LANES) {
        let mass = number(BODY_MASS + b);
        mem[MEM_INERTIA + b] = vec4<f32>(mass * inertial_position(b), mass);
    }
    barrier();
    for (var r = lane; r < NROOT; r += LANES) {
        let root = index(ROOT_BODY + r);
        var moment = vec4<f32>(0.0);
        let end = index(BODY_END + root);
        for (var b = root; b < end; b++) { moment += mem[MEM_INERTIA + b]; }
        let mass = number(BODY_SUBTREEMASS + root);
        var com = vec4<f32>(inertial_position(root), 0.0);
        if (mass >= 1e-15) { com = vec4<f32>(moment.xyz / mass, 0.0); }
        mem[MEM_COM + r] = com;
        scratch[scratch_base + SCRATCH_COM + r] = com;
    }
    barrier();
}

// Motion of each dof about the centre of mass of its tree: angular, then linear part.
fn dof_motions() {
    for (var i = lane; i < NV; i += LANES) {
        let j = index(DOF_JNTID + i);
        let b = index(DOF_BODYID + i);
        let parent = index(BODY_PARENTID + b);
        let kind = ints[JNT_TYPE + j];
        let com = mem[MEM_COM + index(BODY_ROOT + b)].xyz;
        let k = i - index(JNT_DOFADR + j);
        let base = mem[POSE_AT + NBODY + parent];
        var angular = vec3<f32>(0.0);
        var linear = vec3<f32>(0.0);
        if (kind == FREE && k < 3u) {
            linear[k] = 1.0;
        } else if (kind == SLIDE) {
            linear = rotate(base, mem[MEM_DOF + 2u * j + 1u].xyz);
        } else {
            var anchor = mem[MEM_DOF + 2u * j].xyz;
            if (kind != FREE) { anchor = mem[POSE_AT + parent].xyz + rotate(base, anchor); }
            if (kind == FREE || kind == BALL) {
                var axis = vec3<f32>(0.0);
                axis[select(k, k - 3u, kind == FREE)] = 1.0;
                angular = rotate(mem[POSE_AT + NBODY + b], axis);
            } else {
                angular = rotate(base, mem[MEM_DOF + 2u * j + 1u].xyz);
            }
            linear = cross(angular, com - anchor);
        }
        // velocity and parent ride along: sums over chains of dofs then read nothing else
        mem[MEM_CDOF + 2u * i] = vec4<f32>(angular, qvel(i));
        mem[MEM_CDOF + 2u * i + 1u] = vec4<f32>(linear, f32(ints[DOF_PARENTID + i]));
        scratch[scratch_base + SCRATCH_CDOF + 2u * i] = vec4<f32>(angular, 0.0);
        scratch[scratch_base + SCRATCH_CDOF + 2u * i + 1u] = vec4<f32>(linear, 0.0);
    }
}

// Inertia of each body about the centre of mass of its tree: diagonal and mass, off-diagonal, first moment.
fn body_inertias() {
    for (var b = lane; b < NBODY; b += LANES) {
        let mass = number(BODY_MASS + b);
        var axes = quat_axes(quat_mul(mem[POSE_AT + NBODY + b], number4(BODY_IQUAT + 4u * b)));
        let moments = number3(BODY_INERTIA + 3u * b);
        let d = inertial_position(b) - mem[MEM_COM + index(BODY_ROOT + b)].xyz;
        var diagonal = vec3<f32>(0.0);
        var products = vec3<f32>(0.0);
        for (var k = 0u; k < 3u; k++) {
            let axis = axes[k];
            diagonal += moments[k] * axis * axis;
            products += moments[k] * axis.xxy * axis.yzz;
        }
        let d2 = d * d;
        diagonal += mass * vec3<f32>(d2.y + d2.z, d2.x + d2.z, d2.x + d2.y);
        products -= mass * d.xxy * d.yzz;
        mem[MEM_INERTIA + 3u * b] = vec4<f32>(diagonal, mass);
        mem[MEM_INERTIA + 3u * b + 1u] = vec4<f32>(products, 0.0);
        mem[MEM_INERTIA + 3u * b + 2u] = vec4<f32>(mass * d, 0.0);
    }
}

// Composite inertias: those of whole subtrees.
fn subtree_inertias() {
    for (var b = lane; b < NBODY; b += LANES) {
        var total = array<vec4<f32>, 3>();
        if (b > 0u) {
            let end = index(BODY_END + b);
            for (var k = b; k < end; k++) {
                total[0] += mem[MEM_INERTIA + 3u * k];
                total[1] += mem[MEM_INERTIA + 3u * k + 1u];
                total[2] += mem[MEM_INERTIA + 3u * k + 2u];
            }
        }
        mem[MEM_SUBTREE + 3u * b] = total[0];
        mem[MEM_SUBTREE + 3u * b + 1u] = total[1];
        mem[MEM_SUBTREE + 3u * b + 2u] = total[2];
    }
}

struct Spatial { angular: vec3<f32>, linear: vec3<f32> }

fn spatial(at: u32) -> Spatial { return Spatial(mem[at].xyz, mem[at + 1u].xyz); }

fn put_spatial(at: u32, s: Spatial) {
    mem[at] = vec4<f32>(s.angular, 0.0);
    mem[at + 1u] = vec4<f32>(s.linear, 0.0);
}

fn add_scaled(s: Spatial, t: Spatial, x: f32) -> Spatial {
    return Spatial(s.angular + x * t.angular, s.linear + x * t.linear);
}

fn spatial_dot(s: Spatial, t: Spatial) -> f32 { return dot(s.angular, t.angular) + dot(s.linear, t.linear); }

// Momentum of an inertia with a motion.
fn momentum(at: u32, m: Spatial) -> Spatial {
    let d = mem[at];
    let p = mem[at + 1u].xyz;
    let moment = mem[at + 2u].xyz;
    let w = m.angular;
    let angular = vec3<f32>(
        d.x * w.x + p.x * w.y + p.y * w.z,
        p.x * w.x + d.y * w.y + p.z * w.z,
        p.y * w.x + p.z * w.y + d.z * w.z,
    );
    return Spatial(angular + cross(moment, m.linear), d.w * m.linear - cross(moment, w));
}

fn cross_motion(v: Spatial, m: Spatial) -> Spatial {
    return Spatial(cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular));
}

fn cross_force(v: Spatial, f: Spatial) -> Spatial {
    return Spatial(cross(v.angular, f.angular) + cross(v.linear, f.linear), cross(v.angular, f.linear));
}


// M(i, j) = cdof_j · (I_i cdof_i) for every ancestor j of i, with I_i the composite inertia at i. A lane
// writes a whole row, as four columns at a time.
fn inertia_matrix() {
    for (var i = lane; i < NV; i += LANES) {
        put_spatial(MEM_DOF + 2u * i, momentum(MEM_SUBTREE + 3u * index(DOF_BODYID + i), spatial(MEM_CDOF + 2u * i)));
    }
    barrier();
    for (var i = lane; i < NV; i += LANES) {
        let motion = spatial(MEM_CDOF + 2u * i);
        let force = spatial(MEM_DOF + 2u * i);
        let armature = number(DOF_ARMATURE + i);
        // columns are those of the cluster
        let first = cluster_dof(i);
        for (var c = 0u; c < MASS4; c++) {
            var entries = vec4<f32>(0.0);
            let up = index(DOF_UP + i * MASS_WORDS + (c >> 3u)) >> ((c & 7u) << 2u);
            let down = index(DOF_DOWN + i * MASS_WORDS + (c >> 3u)) >> ((c & 7u) << 2u);
            for (var k = 0u; k < 4u; k++) {
                let j = min(first + 4u * c + k, NV - 1u);
                // the product of the motion of the one with the force of the other, whichever is further down
                let is_up = ((up >> k) & 1u) == 1u;
                let other = spatial(select(MEM_DOF, MEM_CDOF, is_up) + 2u * j);
                let x = dot(other.angular, select(motion.angular, force.angular, is_up))
                    + dot(other.linear, select(motion.linear, force.linear, is_up));
                entries[k] = select(0.0, x, (((up | down) >> k) & 1u) == 1u);
                if (first + 4u * c + k == i) { entries[k] += armature; }
//#if TENDON_ARMATURE
                // Armature of tendons between dofs of one branch.
                if ((((up | down) >> k) & 1u) == 1u) { entries[k] += tendon_inertia(i, j); }
//#end
            }
            scratch[scratch_base + SCRATCH_MASS + c * SOLVE_LANES + i] = entries;
        }
    }
    // forces of dofs are about to be overwritten
    barrier();
}

// Sum of motions, each times a velocity, from a dof up to the root.
fn chain_sum(last: i32, at: u32) -> Spatial {
    var sum = Spatial();
    var k = last;
    while (k >= 0) {
        let motion = mem[at + 2u * u32(k)];
        let rest = mem[at + 2u * u32(k) + 1u];
        sum.angular += motion.w * motion.xyz;
        sum.linear += motion.w * rest.xyz;
        k = i32(rest.w);
    }
    return sum;
}

fn body_velocities() {
    for (var b = lane; b < NBODY; b += LANES) {
        put_spatial(MEM_VELOCITY + 2u * b, chain_sum(ints[BODY_LASTDOF + b], MEM_CDOF));
    }
}

// Time derivative of the motion of each dof: it is carried along by what moves before it.
fn dof_drifts() {
    for (var i = lane; i < NV; i += LANES) {
        var drift = Spatial();
        if (ints[DOF_CARRIER + i] >= -1) {
            let velocity = chain_sum(ints[DOF_CARRIER + i], MEM_CDOF);
            drift = cross_motion(velocity, spatial(MEM_CDOF + 2u * i));
        }
        mem[MEM_DOF + 2u * i] = vec4<f32>(drift.angular, mem[MEM_CDOF + 2u * i].w);
        mem[MEM_DOF + 2u * i + 1u] = vec4<f32>(drift.linear, mem[MEM_CDOF + 2u * i + 1u].w);
    }
}

// Forces that keep bodies on their way without accelerations of dofs, gravity taken as acceleration of the
// world; what carries the weight of bodies is taken off.
fn body_forces() {
    for (var b = lane; b < NBODY; b += LANES) {
        var acceleration = chain_sum(ints[BODY_LASTDOF + b], MEM_DOF);
        let velocity = spatial(MEM_VELOCITY + 2u * b);
        if (HAS_BODYEQ) {
            let at = scratch_base + SCRATCH_MOTION + 4u * b;
            scratch[at] = vec4<f32>(velocity.angular, 0.0);
            scratch[at + 1u] = vec4<f32>(velocity.linear, 0.0);
            scratch[at + 2u] = vec4<f32>(acceleration.angular, 0.0);
            scratch[at + 3u] = vec4<f32>(acceleration.linear, 0.0);
        }
        acceleration.linear -= number3(GRAVITY);
        var force = momentum(MEM_INERTIA + 3u * b, acceleration);
        let spin = cross_force(velocity, momentum(MEM_INERTIA + 3u * b, velocity));
        force = add_scaled(force, spin, 1.0);
        if (HAS_GRAVCOMP) {
            let moment = mem[MEM_INERTIA + 3u * b + 2u].xyz;
            let share = number(BODY_GRAVCOMP + b);
            let pull = share * number3(GRAVITY);
            force = add_scaled(force, Spatial(cross(moment, pull), mem[MEM_INERTIA + 3u * b].w * pull), 1.0);
        }
//#if FLUID
        force = add_scaled(force, fluid_force(b, velocity), -1.0);
//#end
        put_spatial(MEM_FORCE + 2u * b, force);
    }
}


// x times a polynomial of second order.
fn polynomial(at: u32, x: f32) -> f32 {
    return number(at) + x * (number(at + 1u) + x * number(at + 2u));
}

// Derivative of a polynomial times its argument.
fn polynomial_derivative(at: u32, x: f32) -> f32 {
    return number(at) + x * (2.0 * number(at + 1u) + x * 3.0 * number(at + 2u));
}

// Derivative of a force by the velocity of its actuator or tendon, for integrators that are implicit in it.
fn put_derivative(transmission: u32, derivative: f32) {
    if (IMPLICIT) { put_scratch(4u * SCRATCH_DERIVATIVE + transmission, derivative); }
}

// Forces of actuators and of springs and dampers of tendons.
fn drive_forces() {
    for (var transmission = lane; transmission < NTRANSMISSION; transmission += LANES) {
        if (transmission < NU) {
            transmission_force[transmission] = actuator_force(transmission);
        } else {
            let tendon = transmission - NU;
            let length = transmission_length(transmission);
            let rest = number2(TENDON_LENGTHSPRING + 2u * tendon);
            let x = max(length - rest.y, 0.0) + min(length - rest.x, 0.0);
            let v = transmission_velocity(transmission);
            transmission_force[transmission] = -x * polynomial(TENDON_STIFFNESS + 3u * tendon, x)
                - v * polynomial(TENDON_DAMPING + 3u * tendon, abs(v));
//#if TENDON_ARMATURE && NONLINEAR_TRANSMISSIONS
            transmission_force[transmission] -= tendon_bias(tendon);
//#end
            put_derivative(transmission, -polynomial_derivative(TENDON_DAMPING + 3u * tendon, abs(v)));
        }
    }
}

fn control(u: u32) -> f32 {
    let at = ACTUATOR_RANGES + 6u * u;
    // a control that is not a number is none
    let given = inputs[input_base + INPUT_CTRL + u];
    return select(clamp(given, number(at), number(at + 1u)), 0.0, is_bad(given));
}

const DYN_INTEGRATOR = 1;

// Activation after a step, given the rate at which it changes.
fn next_activation(u: u32, act: f32, rate: f32) -> f32 {
    let at = ACTUATOR_RANGES + 6u * u;
    let step = number(ACTUATOR_STEP + u);
    return clamp(act + step * rate, number(at + 4u), number(at + 5u));
}

fn actuator_force(u: u32) -> f32 {
//#if DC_MOTORS
    let motor = ints[MOTOR + u];
    if (motor >= 0) { return motor_force(u, u32(motor)); }
//#end
    var x = control(u);
    if (NA > 0u) {
        let adr = ints[ACTUATOR_ACTADR + u];
        if (adr >= 0) {
            let at = state_base + STATE_ACT + u32(adr);
            let act = state[at];
            var rate = x;
            if (ints[ACTUATOR_DYNTYPE + u] != DYN_INTEGRATOR) { rate = (x - act) / number(ACTUATOR_TAU + u); }
//#if MUSCLES
            if (ints[ACTUATOR_DYNTYPE + u] == DYN_MUSCLE) { rate = muscle_rate(u, x, act); }
//#end
            let next = next_activation(u, act, rate);
            x = select(act, next, ints[ACTUATOR_ACTEARLY + u] != 0);
            // the step itself is made by the solver's kernel, if the world is not held up
//#if RUNGE_KUTTA
            put_scratch(4u * SCRATCH_ACT + u32(adr), rate * number(ACTUATOR_ENABLED + u));
//#else
            // What the integrator takes of an activation: its next value, or its rate.
            put_scratch(4u * SCRATCH_ACT + u32(adr), next);
//#end
        }
    }
    let gain = number3(ACTUATOR_GAIN + 3u * u);
    let bias = number3(ACTUATOR_BIAS + 3u * u);
    let coordinates = vec3<f32>(1.0, transmission_length(u), transmission_velocity(u));
//#if MUSCLES
    let muscle = muscle_curves(u, coordinates.y, coordinates.z);
    let force = (dot(gain, coordinates) + muscle.x) * x + dot(bias, coordinates) + muscle.z;
//#else
    // Force and derivative of an actuator with affine gain and bias.
    let force = dot(gain, coordinates) * x + dot(bias, coordinates);
//#end
    let range = number2(ACTUATOR_RANGES + 6u * u + 2u);
    // a force at its limit does not follow the velocity, and a gain is driven by the control as it was given
    let driven = select(inputs[input_base + INPUT_CTRL + u], x, ints[ACTUATOR_DYNTYPE + u] != 0);
//#if LIMITED_TENDONS || DC_MOTORS
//#if MUSCLES
    let derivative = bias.z + (gain.z + muscle.y) * driven;
//#else
    // Force and derivative as they are, where ranges come later.
    let derivative = bias.z + gain.z * driven;
//#end
//#else
//#if MUSCLES
    let rise = bias.z + (gain.z + muscle.y) * driven;
    let derivative = select(0.0, rise, force > range.x && force < range.y);
//#else
    let derivative = select(0.0, bias.z + gain.z * driven, force > range.x && force < range.y);
//#end
//#end
    put_derivative(u, derivative * number(ACTUATOR_ENABLED + u));
//#if MOVING_ADHESION
    // Leaves forces without limits and their derivatives by the velocity, for adhesion that depends on it.
    let pull = 4u * SCRATCH_PULL + 3u * u;
    put_scratch(pull, force * number(ACTUATOR_ENABLED + u));
    put_scratch(pull + 1u, (bias.z + gain.z * x) * number(ACTUATOR_ENABLED + u));
    put_scratch(pull + 2u, (bias.z + gain.z * driven) * number(ACTUATOR_ENABLED + u));
//#end
//#if LIMITED_TENDONS || DC_MOTORS
    return force * number(ACTUATOR_ENABLED + u);
//#else
    return clamp(force, range.x, range.y) * number(ACTUATOR_ENABLED + u);
//#end
}

// Generalized force of each dof: passive, actuator and given forces without the bias.
fn joint_forces() {
    for (var i = lane; i < NV; i += LANES) {
        let b = index(DOF_BODYID + i);
        var total = Spatial();
        let end = index(BODY_END + b);
        for (var k = b; k < end; k++) {
            total = add_scaled(total, spatial(MEM_FORCE + 2u * k), 1.0);
        }
        var force = -spatial_dot(spatial(MEM_CDOF + 2u * i), total);
        var driven = 0.0;
//#if NONLINEAR_TRANSMISSIONS
        // moment arms depend on positions
        for (var transmission = 0u; transmission < NTRANSMISSION; transmission++) {
            let part = transmission_arm(transmission, i) * transmission_force[transmission];
            if (transmission < NU) { driven += part; } else { force += part; }
        }
//#else
        // Forces of actuators and tendons on a dof, by its constant arms.
        let last = index(DOF_TRANSMISSION_START + i + 1u);
        for (var k = index(DOF_TRANSMISSION_START + i); k < last; k++) {
            let transmission = index(DOF_TRANSMISSION + k);
            let part = number(DOF_TRANSMISSION_COEF + k) * transmission_force[transmission];
            if (transmission < NU) { driven += part; } else { force += part; }
        }
//#end
//#if ACTUATOR_GRAVITY
        // Gravity compensation that counts as force of actuators.
        if (HAS_GRAVCOMP && ints[DOF_ACTGRAVCOMP + i] != 0) {
            let weight = gravity_compensation(i);
            force -= weight;
            driven += CARRIED_SHARE * weight;
        }
//#end
//#if ADHESION
        // the solver adds adhesion before it clamps
        put_scratch(4u * SCRATCH_DRIVEN + i, driven);
//#else
        // Forces of actuators on a dof within its range.
        let range = number2(DOF_ACTFRCRANGE + 2u * i);
        force += clamp(driven, range.x, range.y);
//#if SENSORS
        put_scratch(4u * SCRATCH_DRIVEN + i, clamp(driven, range.x, range.y));
//#end
//#end
        let v = qvel(i);
        force -= v * polynomial(DOF_DAMPING + 3u * i, abs(v));
        let adr = ints[DOF_SPRINGADR + i];
        if (adr >= 0) {
            let x = qpos(u32(adr)) - number(QPOS_SPRING + u32(adr));
            force -= x * polynomial(DOF_STIFFNESS + 3u * i, x);
        }
        if (HAS_ROTATION_SPRINGS) { force -= rotation_spring(i); }
        put_scratch(4u * SCRATCH_FORCE + i, force);
    }
}

// Pull of the spring of a free or ball joint on one of its dofs: along the displacement, and along the rotation
// vector from the reference.
fn rotation_spring(i: u32) -> f32 {
    let j = index(DOF_JNTID + i);
    let kind = ints[JNT_TYPE + j];
    if (kind >= SLIDE) { return 0.0; }
    var adr = index(JNT_QPOSADR + j);
    var k = i - index(JNT_DOFADR + j);
    var x = vec3<f32>(0.0);
    if (kind == FREE && k < 3u) {
        x = qpos3(adr) - number3(QPOS_SPRING + adr);
    } else {
        if (kind == FREE) {
            adr += 3u;
            k -= 3u;
        }
        let rest = number4(QPOS_SPRING + adr);
        x = rotation_vector(quat_mul(vec4<f32>(rest.x, -rest.yzw), qpos_quat(adr)));
    }
    return x[k] * polynomial(DOF_STIFFNESS + 3u * i, length(x));
}
