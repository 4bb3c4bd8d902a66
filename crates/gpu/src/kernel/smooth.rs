//! The kernel of the unconstrained dynamics, with the parts that a model needs.

use super::{fill, part};
use crate::adhesion::{has_adhesion, has_moving_adhesion};
use crate::clusters::Clusters;
use crate::curved_maps::CurvedMaps;
use crate::fluid::{has_fluid, has_fluid_slopes};
use crate::layout::{Layout, evaluations};
use crate::motor::motors;
use crate::muscle::has_muscles;
use crate::numbers::{has_carried, has_limited_tendons};
use crate::switches::FIRST_SWITCHES;
use crate::tendon_armature::has_armature;
use kinetree_model::Model;

/// Forces of actuators and tendons on a dof, by its constant arms.
const LINEAR_FORCES: &str = "        let last = index(DOF_MAP_START + i + 1u);
        for (var k = index(DOF_MAP_START + i); k < last; k++) {
            let map = index(DOF_MAP + k);
            let part = number(DOF_MAP_COEF + k) * map_force[map];
            if (map < NU) { driven += part; } else { force += part; }
        }
";
/// The same by arms that depend on positions.
const CURVED_FORCES: &str = "        for (var map = 0u; map < NMAP; map++) {
            let part = map_arm(map, i) * map_force[map];
            if (map < NU) { driven += part; } else { force += part; }
        }
";
/// First dof of the cluster that a dof belongs to.
const CLUSTER_DOF: &str = "fn cluster_dof(i: u32) -> u32 { return index(DOF_CLUSTER + i); }\n";
const NO_CLUSTERS: &str = "fn cluster_dof(i: u32) -> u32 { return 0u; }\n";
/// Where the arm of a map and a dof is.
pub(super) const ARM: &str =
    "fn arm_place(map: u32, i: u32) -> u32 { return 4u * (SCRATCH_ARMS + map * NV4) + i; }
fn map_arm(map: u32, i: u32) -> f32 { return get_scratch(arm_place(map, i)); }

";
const WRAPS: &str =
    "            case AROUND_SPHERE: { put_wrapped(k, piece, first.pos, second.pos, number(at), false); }
            case AROUND_CYLINDER: { put_wrapped(k, piece, first.pos, second.pos, number(at), true); }
";
/// Force and slope of an actuator with affine gain and bias.
const AFFINE_FORCE: &str = "    let force = dot(gain, coordinates) * x + dot(bias, coordinates);\n";
const AFFINE_SLOPE: &str =
    "    let slope = select(0.0, bias.z + gain.z * driven, force > range.x && force < range.y);\n";
const RANGE: &str = "    return clamp(force, range.x, range.y) * number(ACTUATOR_ENABLED + u);\n";
/// The same where there are muscles.
const MUSCLE_FORCE: &str = "    let muscle = muscle_curves(u, coordinates.y, coordinates.z);
    let force = (dot(gain, coordinates) + muscle.x) * x + dot(bias, coordinates) + muscle.z;
";
const MUSCLE_SLOPE: &str = "    let rise = bias.z + (gain.z + muscle.y) * driven;
    let slope = select(0.0, rise, force > range.x && force < range.y);
";
/// Force and slope as they are, where ranges come later.
const AFFINE_SLOPE_FREE: &str = "    let slope = bias.z + gain.z * driven;\n";
const MUSCLE_SLOPE_FREE: &str = "    let slope = bias.z + (gain.z + muscle.y) * driven;\n";
const NO_RANGE: &str = "    return force * number(ACTUATOR_ENABLED + u);\n";
/// Ranges of actuators where others come first: those of tendons limit forces that are not yet limited, and
/// the drag of motors is not limited at all.
const FORCE_RANGES: &str = "
fn limit_actuators() {
    for (var u = lane; u < NU; u += LANES) {
        let range = number2(ACTUATOR_RANGES + 6u * u + 2u);
        var force = clamp(map_force[u], range.x, range.y);
        //MOTOR_DRAG//
        map_force[u] = force;
        // a force at its limit does not follow the velocity
        if (force <= range.x || force >= range.y) { put_slope(u, 0.0); }
    }
    barrier();
}
";
const MOTOR: &str = "    let motor = ints[MOTOR + u];
    if (motor >= 0) { return motor_force(u, u32(motor)); }
";
const MOTOR_DRAG: &str = "        if (ints[MOTOR + u] >= 0) { force += motor_drag[u]; }\n";
/// What is left of an activation of a motor: its next value, or its rate.
const MOTOR_NEXT: &str =
    "fn put_motor_act(a: i32, rate: f32, next: f32) { put_scratch(4u * SCRATCH_ACT + u32(a), next); }
";
const MOTOR_RATE: &str =
    "fn put_motor_act(a: i32, rate: f32, next: f32) { put_scratch(4u * SCRATCH_ACT + u32(a), rate); }
";
/// The step of bristles, which the integrator makes from where the step begins.
const KEEP_BRISTLES: &str = "    put_scratch(4u * SCRATCH_MOTOR + 2u * m, change);
    put_scratch(4u * SCRATCH_MOTOR + 2u * m + 1u, reach * speed);
";
const MUSCLE_RATE: &str =
    "            if (ints[ACTUATOR_DYNTYPE + u] == DYN_MUSCLE) { rate = muscle_rate(u, x, act); }\n";
/// A world that begins anew begins a step anew.
const FIRST_PHASE: &str = "        if (lane == 0u) { status[status_base + STATUS_PHASE] = 0u; }\n";
/// It has made no steps since.
const AGE: &str = "            status[status_base + STATUS_FRESH] = 0u;\n";
/// What the integrator takes of an activation: its next value, or its rate.
const NEXT_ACT: &str = "            put_scratch(4u * SCRATCH_ACT + u32(adr), next);\n";
const RATE_ACT: &str =
    "            put_scratch(4u * SCRATCH_ACT + u32(adr), rate * number(ACTUATOR_ENABLED + u));\n";
/// Gravity compensation that counts as force of actuators.
const CARRIED: &str = "        if (HAS_GRAVCOMP && ints[DOF_CARRIED + i] != 0) {
            let weight = carried_weight(i);
            force -= weight;
            driven += CARRIED_SHARE * weight;
        }
";
const CARRIED_WEIGHT: &str = "// Force of a dof that carries its share of the weight of what it moves.
fn carried_weight(i: u32) -> f32 {
    let b = index(DOF_BODYID + i);
    let end = index(BODY_END + b);
    var total = Spatial();
    for (var k = b; k < end; k++) {
        let moment = mem[MEM_INERTIA + 3u * k + 2u].xyz;
        let pull = number(BODY_GRAVCOMP + k) * number3(GRAVITY);
        total = add_scaled(total, Spatial(cross(moment, pull), mem[MEM_INERTIA + 3u * k].w * pull), 1.0);
    }
    return -spatial_dot(spatial(MEM_CDOF + 2u * i), total);
}

";
/// Forces of the actuators of a tendon, scaled so that their sum is within its range.
const LIMIT_TENDONS: &str = "
fn limit_tendons() {
    for (var t = lane; t < NTENDON; t += LANES) {
        let range = number2(TENDON_ACTFRCRANGE + 2u * t);
        var total = 0.0;
        for (var u = 0u; u < NU; u++) {
            if (ints[ACTUATOR_TENDON + u] == i32(t)) { total += map_force[u]; }
        }
        if (total == 0.0 || (total >= range.x && total <= range.y)) { continue; }
        let share_of = clamp(total, range.x, range.y) / total;
        for (var u = 0u; u < NU; u++) {
            if (ints[ACTUATOR_TENDON + u] == i32(t)) { map_force[u] *= share_of; }
        }
    }
    barrier();
}
";
/// Leaves the forces of actuators that adhere, whose arms are known when contacts are.
const ADHESION: &str =
    "    for (var k = lane; k < NADHESION; k += LANES) { put_scratch(4u * SCRATCH_ADHESION + k, map_force[index(ADHESION_ACTUATOR + k)]); }
";
/// Leaves forces without limits and their slopes by the velocity, for adhesion that depends on it.
const PULL: &str = "    let pull = 4u * SCRATCH_PULL + 3u * u;
    put_scratch(pull, force * number(ACTUATOR_ENABLED + u));
    put_scratch(pull + 1u, (bias.z + gain.z * x) * number(ACTUATOR_ENABLED + u));
    put_scratch(pull + 2u, (bias.z + gain.z * driven) * number(ACTUATOR_ENABLED + u));
";
/// Forces of actuators on a dof within its range.
const DRIVEN: &str = "        let range = number2(DOF_ACTFRCRANGE + 2u * i);
        force += clamp(driven, range.x, range.y);
";
/// The same where the solver adds adhesion before.
const LEAVE_DRIVEN: &str = "        put_scratch(4u * SCRATCH_DRIVEN + i, driven);\n";
/// Armature of tendons between dofs of one branch.
const TENDON_INERTIA: &str =
    "                if ((((up | down) >> k) & 1u) == 1u) { entries[k] += tendon_inertia(i, j); }\n";
const TENDON_BIAS: &str = "            map_force[map] -= tendon_bias(tendon);\n";
/// Σ armature arm arm, by constant arms.
const LINEAR_INERTIA: &str = "
fn tendon_inertia(i: u32, j: u32) -> f32 {
    var sum = 0.0;
    for (var k = index(DOF_MAP_START + i); k < index(DOF_MAP_START + i + 1u); k++) {
        let map = index(DOF_MAP + k);
        if (map < NU) { continue; }
        let x = number(TENDON_ARMATURE + map - NU) * number(DOF_MAP_COEF + k);
        for (var n = index(DOF_MAP_START + j); n < index(DOF_MAP_START + j + 1u); n++) {
            if (index(DOF_MAP + n) == map) { sum += x * number(DOF_MAP_COEF + n); }
        }
    }
    return sum;
}
";
/// The same by arms that depend on positions.
const CURVED_INERTIA: &str = "
fn tendon_inertia(i: u32, j: u32) -> f32 {
    var sum = 0.0;
    for (var t = 0u; t < NARMED; t++) {
        sum += number(TENDON_ARMATURE + t) * map_arm(NU + t, i) * map_arm(NU + t, j);
    }
    return sum;
}
";
const FLUID: &str = "        force = add_scaled(force, fluid_force(b, velocity), -1.0);\n";
const KEEP_DRIVEN: &str = "        put_scratch(4u * SCRATCH_DRIVEN + i, clamp(driven, range.x, range.y));\n";

/// How a kernel finds the first dof of a cluster.
pub(super) fn cluster_dof(model: &Model) -> &'static str {
    if Clusters::new(model).are_several() { CLUSTER_DOF } else { NO_CLUSTERS }
}

/// The text of the kernel behind what all kernels share.
pub(super) fn smooth_kernel(model: &Model, layout: &Layout) -> String {
    let sensing = layout.readings > 0;
    let curved = CurvedMaps::new(model);
    let (muscles, fluid, carried) = (has_muscles(model), has_fluid(model), has_carried(model));
    let (armed, adhesive) = (has_armature(model), has_adhesion(model));
    let driven = match (adhesive, sensing) {
        (true, _) => LEAVE_DRIVEN.to_owned(),
        (false, true) => DRIVEN.to_owned() + KEEP_DRIVEN,
        (false, false) => DRIVEN.to_owned(),
    };
    let (several, limited) = (evaluations(model) > 1, has_limited_tendons(model));
    let driving = !motors(model).is_empty();
    let late_ranges = limited || driving;
    let only = |condition: bool, text: &'static str| if condition { text } else { "" };
    let either = |condition: bool, yes: &'static str, no: &'static str| if condition { yes } else { no };
    let slope = match (muscles, late_ranges) {
        (false, false) => AFFINE_SLOPE,
        (true, false) => MUSCLE_SLOPE,
        (false, true) => AFFINE_SLOPE_FREE,
        (true, true) => MUSCLE_SLOPE_FREE,
    };
    let maps = if curved.is_empty() {
        part::MAPS_LINEAR.to_owned()
    } else {
        let wraps = only(curved.wraps(), WRAPS);
        ARM.to_owned() + &fill(part::MAPS_CURVED, &[("WRAPS", wraps)]) + only(curved.wraps(), part::WRAP)
    };
    let text = fill(
        part::SMOOTH,
        &[
            ("CLUSTER_DOF", cluster_dof(model)),
            ("CURVED", only(!curved.is_empty(), "    curved_maps();\n")),
            ("KEEP", only(sensing, "    keep_for_sensors();\n")),
            ("MAPS", &maps),
            ("MAP_FORCES", either(curved.is_empty(), LINEAR_FORCES, CURVED_FORCES)),
            ("CARRIED", only(carried, CARRIED)),
            ("DRIVEN", &driven),
            ("ADHESION", only(adhesive, ADHESION)),
            ("TENDON_INERTIA", only(armed, TENDON_INERTIA)),
            ("TENDON_BIAS", only(armed && !curved.is_empty(), TENDON_BIAS)),
            ("FLUID_SLOPES", only(has_fluid_slopes(model), "    body_slopes();\n")),
            ("TENDON_RANGES", only(limited, "    limit_tendons();\n")),
            ("FORCE_RANGES", only(late_ranges, "    limit_actuators();\n")),
            ("FLUID", only(fluid, FLUID)),
            ("FIRST_PHASE", only(several, FIRST_PHASE)),
            ("FIRST_SWITCHES", only(layout.switches.is_some(), FIRST_SWITCHES)),
            ("AGE", only(sensing, AGE)),
            ("KEEP_ACT", either(several, RATE_ACT, NEXT_ACT)),
            ("MUSCLE_RATE", only(muscles, MUSCLE_RATE)),
            ("MOTOR", only(driving, MOTOR)),
            ("ACTUATOR_FORCE", either(muscles, MUSCLE_FORCE, AFFINE_FORCE)),
            ("ACTUATOR_SLOPE", slope),
            ("PULL", only(has_moving_adhesion(model), PULL)),
            ("ACTUATOR_RANGE", either(late_ranges, NO_RANGE, RANGE)),
        ],
    );
    let ranges = fill(FORCE_RANGES, &[("MOTOR_DRAG", only(driving, MOTOR_DRAG))]);
    let motor = fill(part::MOTOR, &[("KEEP_BRISTLES", only(several, KEEP_BRISTLES))]);
    text + only(muscles, part::MUSCLE)
        + if late_ranges { &ranges } else { "" }
        + if driving { &motor } else { "" }
        + only(driving, either(several, MOTOR_RATE, MOTOR_NEXT))
        + only(fluid, part::FLUID)
        + only(has_fluid_slopes(model), part::FLUID_SLOPE)
        + only(armed, either(curved.is_empty(), LINEAR_INERTIA, CURVED_INERTIA))
        + only(armed && !curved.is_empty(), part::TENDON_ARMATURE)
        + only(limited, LIMIT_TENDONS)
        + only(carried, CARRIED_WEIGHT)
        + only(sensing, part::SENSORS_KEEP)
}
