//! WGSL for one model: its sizes as constants, the stages from `wgsl/`, and what is unrolled for it.

mod hessian;

use crate::ball_limit::BallLimits;
use crate::body_equality::BodyEqualities;
use crate::lanes::Lanes;
use crate::layout::Capacity;
use crate::pairs::PairGroups;
use crate::table::Table;
use hessian::{Broadcast, hessian_functions};
use kinetree_model::Model;
use kinetree_model::enums::{Cone, DisableBit};
use std::fmt::Write;

/// The smallest tolerance of the solver that single precision can tell from rounding.
const LEAST_TOLERANCE: f64 = 1e-6;

/// Names and entry points of the kernels of a step, in order.
pub(crate) const STAGES: [(&str, &str); 3] =
    [("smooth", "smooth_dynamics"), ("contacts", "find_contacts"), ("solver", "solve_constraints")];

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
    pub(super) const HESSIAN_MEMORY: &str = include_str!("../wgsl/hessian_memory.wgsl");
    pub(super) const LANES_SUBGROUP: &str = include_str!("../wgsl/lanes_subgroup.wgsl");
    pub(super) const LANES_SUBGROUPS: &str = include_str!("../wgsl/lanes_subgroups.wgsl");
    pub(super) const LANES_WORKGROUP: &str = include_str!("../wgsl/lanes_workgroup.wgsl");
    pub(super) const SMOOTH: &str = include_str!("../wgsl/smooth.wgsl");
    pub(super) const SOLVE: &str = include_str!("../wgsl/solve.wgsl");
}

/// The texts of the kernels of a step.
pub(crate) fn kernels(
    model: &Model,
    table: &Table,
    pairs: &PairGroups,
    capacity: Capacity,
    lanes: Lanes,
    solve_lanes: usize,
) -> [String; 3] {
    let mut constants = table.constants.clone();
    let _ = writeln!(constants, "const MAX_CONTACTS = {}u;", capacity.contacts);
    let _ = writeln!(constants, "const MAX_ROWS = NFIXED + {}u;", capacity.rows);
    let _ = writeln!(constants, "const MAX_BLOCKS = NFIXED + MAX_CONTACTS;");
    let start = |count: usize| format!("{}{}", header(&constants, count, lanes), part::COMMON);
    [
        start(32) + part::SMOOTH,
        start(32) + &contact_kernel(pairs),
        start(solve_lanes) + &solver_kernel(model, pairs, lanes, solve_lanes),
    ]
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
fn solver_kernel(model: &Model, pairs: &PairGroups, lanes: Lanes, solve_lanes: usize) -> String {
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
    let stages = part::SOLVE.replace("    //FIXED_ROWS//\n", &calls);
    let mut parts = vec![&settings.constants, &stages[..]];
    parts.extend(routines);
    parts.extend([cone, &hessian]);
    parts.join("\n")
}
