//! The kernel of the unconstrained dynamics, with the parts that a model needs.

use super::{fill, part};
use crate::clusters::Clusters;
use crate::curved_maps::CurvedMaps;
use crate::fluid::has_fluid;
use crate::layout::evaluations;
use crate::muscle::has_muscles;
use crate::numbers::{has_carried, has_limited_tendons};
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
/// The same where there are muscles.
const MUSCLE_FORCE: &str = "    let muscle = muscle_curves(u, coordinates.y, coordinates.z);
    let force = (dot(gain, coordinates) + muscle.x) * x + dot(bias, coordinates) + muscle.z;
";
const MUSCLE_SLOPE: &str = "    let rise = bias.z + (gain.z + muscle.y) * driven;
    let slope = select(0.0, rise, force > range.x && force < range.y);
";
const MUSCLE_RATE: &str =
    "            if (ints[ACTUATOR_DYNTYPE + u] == DYN_MUSCLE) { rate = muscle_rate(u, x, act); }\n";
/// A world that begins anew begins a step anew.
const FIRST_PHASE: &str = "        if (lane == 0u) { status[status_base + STATUS_PHASE] = 0u; }\n";
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
const FLUID: &str = "        force = add_scaled(force, fluid_force(b, velocity), -1.0);\n";
const KEEP_DRIVEN: &str = "        put_scratch(4u * SCRATCH_DRIVEN + i, clamp(driven, range.x, range.y));\n";

/// The text of the kernel behind what all kernels share.
pub(super) fn smooth_kernel(model: &Model, sensing: bool) -> String {
    let curved = CurvedMaps::new(model);
    let (muscles, fluid, carried) = (has_muscles(model), has_fluid(model), has_carried(model));
    let (several, limited) = (evaluations(model) > 1, has_limited_tendons(model));
    let only = |condition: bool, text: &'static str| if condition { text } else { "" };
    let either = |condition: bool, yes: &'static str, no: &'static str| if condition { yes } else { no };
    let maps = if curved.is_empty() {
        part::MAPS_LINEAR.to_owned()
    } else {
        let wraps = only(curved.wraps(), WRAPS);
        ARM.to_owned() + &fill(part::MAPS_CURVED, &[("WRAPS", wraps)]) + only(curved.wraps(), part::WRAP)
    };
    let text = fill(
        part::SMOOTH,
        &[
            ("CLUSTER_DOF", either(Clusters::new(model).are_several(), CLUSTER_DOF, NO_CLUSTERS)),
            ("CURVED", only(!curved.is_empty(), "    curved_maps();\n")),
            ("KEEP", only(sensing, "    keep_for_sensors();\n")),
            ("MAPS", &maps),
            ("MAP_FORCES", either(curved.is_empty(), LINEAR_FORCES, CURVED_FORCES)),
            ("CARRIED", only(carried, CARRIED)),
            ("KEEP_DRIVEN", only(sensing, KEEP_DRIVEN)),
            ("TENDON_RANGES", only(limited, "    limit_tendons();\n")),
            ("FLUID", only(fluid, FLUID)),
            ("FIRST_PHASE", only(several, FIRST_PHASE)),
            ("KEEP_ACT", either(several, RATE_ACT, NEXT_ACT)),
            ("MUSCLE_RATE", only(muscles, MUSCLE_RATE)),
            ("ACTUATOR_FORCE", either(muscles, MUSCLE_FORCE, AFFINE_FORCE)),
            ("ACTUATOR_SLOPE", either(muscles, MUSCLE_SLOPE, AFFINE_SLOPE)),
        ],
    );
    text + only(muscles, part::MUSCLE)
        + only(fluid, part::FLUID)
        + only(limited, LIMIT_TENDONS)
        + only(carried, CARRIED_WEIGHT)
        + only(sensing, part::SENSORS_KEEP)
}
