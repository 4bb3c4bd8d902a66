//! WGSL for one model: its sizes as constants, the stages from `wgsl/`, and what is unrolled for it.

mod hessian;
mod smooth;

use crate::ball_limit::BallLimits;
use crate::body_equality::BodyEqualities;
use crate::curved_maps::CurvedMaps;
use crate::lanes::Lanes;
use crate::layout::{Capacity, Layout, evaluations};
use crate::lone_bodies::LoneBodies;
use crate::pairs::PairGroups;
use crate::sensors::Sensors;
use crate::table::Table;
use hessian::{Broadcast, hessian_functions};
use kinetree_model::Model;
use kinetree_model::enums::{Cone, DisableBit};
use smooth::{ARM, smooth_kernel};
use std::fmt::Write;

/// The smallest tolerance of the solver that single precision can tell from rounding.
const LEAST_TOLERANCE: f64 = 1e-6;

/// Names and entry points of the kernels of a step, in order; the last only where there are sensors.
pub(crate) const STAGES: [(&str, &str); 4] = [
    ("smooth", "smooth_dynamics"),
    ("contacts", "find_contacts"),
    ("solver", "solve_constraints"),
    ("sensors", "read_sensors"),
];

/// Lengths of the rows that a model always has, where all are linear in joint coordinates.
const LINEAR_LENGTHS: &str = "        var arms = vec2<f32>(0.0);
        if (lane < NV) { arms = number2(FIXED_ARMS + 2u * (s * NV + lane)); }
        let lengths = sum2(arms * q) - number2(at);
";
/// The same with lengths of spatial tendons.
const CURVED_LENGTHS: &str = "        var arms = vec2<f32>(0.0);
        if (lane < NV) { arms = number2(FIXED_ARMS + 2u * (s * NV + lane)); }
        var lengths = sum2(arms * q) - number2(at);
        for (var side = 0u; side < 2u; side++) {
            let map = ints[FIXED_MAPS + 2u * s + side];
            if (map < 0) { continue; }
            let sign = number(FIXED_SIGNS + 2u * s + side);
            lengths[side] += sign * get_scratch(4u * SCRATCH_LENGTH + u32(map));
            if (lane < NV) { arms[side] += sign * map_arm(u32(map), lane); }
        }
";
/// Slopes of forces along actuators and tendons, for integrators that are implicit in them.
const LINEAR_SLOPES: &str =
    "// M −= h Jᵀ S J, with S the slopes of forces along actuators and tendons, and J their moment arms.
fn add_map_slopes() {
    for (var k = index(DOF_MAP_START + lane); k < index(DOF_MAP_START + lane + 1u); k++) {
        let map = index(DOF_MAP + k);
        let x = -TIMESTEP * number(DOF_MAP_COEF + k) * get_scratch(4u * SCRATCH_SLOPE + map);
        for (var t = index(MAP_START + map); t < index(MAP_START + map + 1u); t++) {
            add_entry(index(MAP_DOF + t), x * number(MAP_COEF + t));
        }
    }
}

";
/// The same with arms that depend on positions.
const CURVED_SLOPES: &str = "fn add_map_slopes() {
    for (var map = 0u; map < NMAP; map++) {
        let x = -TIMESTEP * map_arm(map, lane) * get_scratch(4u * SCRATCH_SLOPE + map);
        if (x == 0.0) { continue; }
        for (var j = 0u; j < NV; j++) { add_entry(j, x * map_arm(map, j)); }
    }
}

";
/// Counts a step, at once or when its last evaluation is done.
const COUNT_STEP: &str = "        status[status_base + STATUS_STEPS] += 1u;\n";
const COUNT_LAST: &str = "        status[status_base + STATUS_STEPS] += select(0u, 1u, status[status_base + STATUS_PHASE] == 0u);\n";
/// Leaves the normal forces of contacts for sensors.
const KEEP_FORCES: &str = "    for (var c = lane; c < contacts; c += LANES) {
        scratch[scratch_base + SCRATCH_CONTACT + 3u * c + 2u].w = row_f[block_info[NFIXED + c] & 0xffffu];
    }
";
/// Tells the kernel of sensors that there is something to read.
const FRESH: &str = "    if (lane == 0u) { status[status_base + STATUS_FRESH] = 1u; }\n";
/// The same where a step has several evaluations, of which sensors read the first.
const FRESH_FIRST: &str = "    if (lane == 0u && status[status_base + STATUS_PHASE] == 0u) { status[status_base + STATUS_FRESH] = 1u; }\n";

/// Parts of the kernels.
mod part {
    pub(super) const BALL_LIMIT: &str = include_str!("../wgsl/ball_limit.wgsl");
    pub(super) const BODY_EQUALITY: &str = include_str!("../wgsl/body_equality.wgsl");
    pub(super) const BOX_BOX: &str = include_str!("../wgsl/box_box.wgsl");
    pub(super) const CAPSULE_BOX: &str = include_str!("../wgsl/capsule_box.wgsl");
    pub(super) const COLLIDE: &str = include_str!("../wgsl/collide.wgsl");
    pub(super) const COMMON: &str = include_str!("../wgsl/common.wgsl");
    pub(super) const CONE_ELLIPTIC: &str = include_str!("../wgsl/cone_elliptic.wgsl");
    pub(super) const CONE_PYRAMIDAL: &str = include_str!("../wgsl/cone_pyramidal.wgsl");
    pub(super) const FLUID: &str = include_str!("../wgsl/fluid.wgsl");
    pub(super) const HESSIAN_MEMORY: &str = include_str!("../wgsl/hessian_memory.wgsl");
    pub(super) const INTEGRATE_EULER: &str = include_str!("../wgsl/integrate_euler.wgsl");
    pub(super) const INTEGRATE_MIDPOINT: &str = include_str!("../wgsl/integrate_midpoint.wgsl");
    pub(super) const INTEGRATE_RK4: &str = include_str!("../wgsl/integrate_rk4.wgsl");
    pub(super) const LANES_SUBGROUP: &str = include_str!("../wgsl/lanes_subgroup.wgsl");
    pub(super) const LANES_SUBGROUPS: &str = include_str!("../wgsl/lanes_subgroups.wgsl");
    pub(super) const LANES_WORKGROUP: &str = include_str!("../wgsl/lanes_workgroup.wgsl");
    pub(super) const MAPS_CURVED: &str = include_str!("../wgsl/maps_curved.wgsl");
    pub(super) const MAPS_LINEAR: &str = include_str!("../wgsl/maps_linear.wgsl");
    pub(super) const MUSCLE: &str = include_str!("../wgsl/muscle.wgsl");
    pub(super) const SENSORS: &str = include_str!("../wgsl/sensors.wgsl");
    pub(super) const SENSORS_KEEP: &str = include_str!("../wgsl/sensors_keep.wgsl");
    pub(super) const SMOOTH: &str = include_str!("../wgsl/smooth.wgsl");
    pub(super) const SOLVE: &str = include_str!("../wgsl/solve.wgsl");
    pub(super) const WRAP: &str = include_str!("../wgsl/wrap.wgsl");
}

/// Puts texts in the place of lines that are markers, as `//NAME//`.
fn fill(text: &str, parts: &[(&str, &str)]) -> String {
    let marked = |line: &str| {
        let name = line.trim().strip_prefix("//")?.strip_suffix("//")?;
        parts.iter().find(|(marker, _)| *marker == name).map(|(_, replacement)| *replacement)
    };
    text.split_inclusive('\n').map(|line| marked(line).unwrap_or(line)).collect()
}

/// The texts of the kernels of a step.
pub(crate) fn kernels(
    model: &Model,
    table: &Table,
    pairs: &PairGroups,
    capacity: Capacity,
    lanes: Lanes,
    layout: &Layout,
) -> Vec<String> {
    let (solve_lanes, sensing) = (layout.solve_lanes, layout.readings > 0);
    let mut constants = table.constants.clone();
    let _ = writeln!(constants, "const MAX_CONTACTS = {}u;", capacity.contacts);
    let _ = writeln!(constants, "const MAX_ROWS = NFIXED + {}u;", capacity.rows);
    let _ = writeln!(constants, "const MAX_BLOCKS = NFIXED + MAX_CONTACTS;");
    let start = |count: usize| format!("{}{}", header(&constants, count, lanes), part::COMMON);
    let mut texts = vec![
        start(32) + &smooth_kernel(model, sensing),
        start(32) + &contact_kernel(pairs),
        start(solve_lanes) + &solver_kernel(model, pairs, lanes, solve_lanes, sensing),
    ];
    if sensing {
        texts.push(start(32) + part::SENSORS);
    }
    texts
}

/// Constants, and how the lanes of a kernel communicate.
fn header(constants: &str, count: usize, lanes: Lanes) -> String {
    let exchange = match lanes {
        Lanes::Subgroups if count == 32 => part::LANES_SUBGROUP,
        Lanes::Subgroups => part::LANES_SUBGROUPS,
        Lanes::Workgroup => part::LANES_WORKGROUP,
    };
    format!("{constants}const LANES = {count}u;\nconst SUBGROUPS = {}u;\n\n{exchange}\n", count / 32)
}

/// The contact kernel, with a loop over the pairs of each routine.
fn contact_kernel(pairs: &PairGroups) -> String {
    let mut loops = String::new();
    for (routine, first, count) in &pairs.groups {
        let name = routine.name;
        let _ = write!(
            loops,
            "
    for (var base = 0u; base < {count}u; base += LANES) {{
        found = 0u;
        found_tangent = vec3<f32>(0.0);
        let pair = {first}u + base + lane;
        if (base + lane < {count}u) {{
            let at = PAIR_PARAMS + PAIR_PARAMS_SIZE * index(PAIR_SET + pair);
            margin = number(at);
            include_margin = number(at + 1u);
            {name}(index(PAIR_GEOMS + 2u * pair), index(PAIR_GEOMS + 2u * pair + 1u));
        }}
        count = append_points(pair, count);
    }}
"
        );
    }
    let points = format!("const MAX_POINTS = {}u;\n", pairs.most_points());
    let mut text = points + &part::COLLIDE.replace("    //GROUPS//\n", &loops);
    // long routines only where they are needed
    for (name, routine) in [("capsule_box", part::CAPSULE_BOX), ("box_box", part::BOX_BOX)] {
        if pairs.groups.iter().any(|(routine, ..)| routine.name == name) {
            text += routine;
        }
    }
    text
}

/// The solver, with settings of the model, its cones and the unrolled Hessian.
fn solver_kernel(
    model: &Model,
    pairs: &PairGroups,
    lanes: Lanes,
    solve_lanes: usize,
    sensing: bool,
) -> String {
    let opt = &model.opt;
    let mut settings = Table::default();
    settings.size("FRICTIONS", (pairs.largest_dimension() - 1).max(1));
    settings.size("MAX_ITERATIONS", opt.iterations.max(0) as usize);
    settings.size("LS_ITERATIONS", opt.ls_iterations.max(1) as usize);
    settings.quantity("TOLERANCE", opt.tolerance.max(LEAST_TOLERANCE));
    settings.quantity("LS_TOLERANCE", opt.ls_tolerance);
    settings.quantity("SCALE", 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64));
    settings.quantity("IMPRATIO", opt.impratio.max(1e-15));
    settings.quantity("TIMESTEP", opt.timestep);
    settings.flag("WARMSTART", !model.disabled(DisableBit::Warmstart));
    let cone = if opt.cone == Cone::Elliptic as i32 { part::CONE_ELLIPTIC } else { part::CONE_PYRAMIDAL };
    let hessian = match lanes {
        _ if !lanes.unrolls(model.nv) => part::HESSIAN_MEMORY.to_owned(),
        Lanes::Subgroups if solve_lanes == 32 => hessian_functions(model.nv, Broadcast::Subgroup),
        _ => hessian_functions(model.nv, Broadcast::Workgroup),
    };
    let mut calls = String::new();
    let mut routines = Vec::new();
    if !BodyEqualities::new(model).is_empty() {
        calls += "    body_equalities();\n";
        routines.push(part::BODY_EQUALITY);
    }
    if BallLimits::new(model).len() > 0 {
        calls += "    ball_limits(velocity);\n";
        routines.push(part::BALL_LIMIT);
    }
    let curved = !CurvedMaps::new(model).is_empty();
    let kept = if sensing && Sensors::new(model).feels() { KEEP_FORCES } else { "" };
    let several = evaluations(model) > 1;
    let fresh = match sensing {
        true if several => FRESH_FIRST,
        true => FRESH,
        false => "",
    };
    let lone = !LoneBodies::new(model).is_empty();
    let integrator = match several {
        true => part::INTEGRATE_RK4,
        false if lone => part::INTEGRATE_MIDPOINT,
        false => part::INTEGRATE_EULER,
    };
    let slopes = if curved { ARM.to_owned() + CURVED_SLOPES } else { LINEAR_SLOPES.to_owned() };
    let stages = fill(
        part::SOLVE,
        &[
            ("FIXED_ROWS", &calls),
            ("COUNT_STEP", if several { COUNT_LAST } else { COUNT_STEP }),
            ("INTEGRATE", integrator),
            ("TOTAL_FORCE", if lone { "            total_force = rhs;\n" } else { "" }),
            ("ROW_LENGTHS", if curved { CURVED_LENGTHS } else { LINEAR_LENGTHS }),
            ("MAP_SLOPES", &slopes),
            ("KEEP_FORCES", &format!("{kept}{fresh}")),
        ],
    );
    let mut parts = vec![&settings.constants, &stages[..]];
    parts.extend(routines);
    parts.extend([cone, &hessian]);
    parts.join("\n")
}
