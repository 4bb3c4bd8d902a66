//! WGSL for one model: its sizes as constants, the stages from `wgsl/`, and what is unrolled for it.

mod hessian;

use crate::ball_limit::BallLimits;
use crate::body_equality::BodyEqualities;
use crate::layout::Capacity;
use crate::pairs::PairGroups;
use crate::table::Table;
use hessian::{Broadcast, hessian_functions};
use kinetree_model::Model;
use kinetree_model::enums::{Cone, DisableBit};
use std::fmt::Write;

/// The smallest tolerance of the solver that single precision can tell from rounding.
const LEAST_TOLERANCE: f64 = 1e-6;

/// Most dofs whose row of the Hessian is held in registers.
const MOST_UNROLLED: usize = 100;

/// Names and entry points of the kernels of a step, in order.
pub(crate) const STAGES: [(&str, &str); 3] =
    [("smooth", "smooth_dynamics"), ("contacts", "find_contacts"), ("solver", "solve_constraints")];

/// How lanes of a world communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Subgroups of 32 lanes.
    Subgroups,
    /// Workgroup memory only.
    Workgroup,
}

impl Lanes {
    /// Whether the Hessian of `nv` dofs is held in registers, in unrolled code.
    pub(crate) fn unrolls(self, nv: usize) -> bool {
        self == Self::Subgroups && nv <= MOST_UNROLLED
    }
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
    let start = |count: usize| format!("{}{}", header(&constants, count, lanes), source("common"));
    [
        start(32) + &source("smooth"),
        start(32) + &contact_kernel(pairs),
        start(solve_lanes) + &solver_kernel(model, pairs, lanes, solve_lanes),
    ]
}

/// A part of the kernels.
fn source(name: &str) -> String {
    if let Ok(folder) = std::env::var("KINETREE_WGSL") {
        return std::fs::read_to_string(format!("{folder}/{name}.wgsl")).unwrap_or_default();
    }
    match name {
        "common" => include_str!("../wgsl/common.wgsl"),
        "smooth" => include_str!("../wgsl/smooth.wgsl"),
        "collide" => include_str!("../wgsl/collide.wgsl"),
        "solve" => include_str!("../wgsl/solve.wgsl"),
        "capsule_box" => include_str!("../wgsl/capsule_box.wgsl"),
        "ball_limit" => include_str!("../wgsl/ball_limit.wgsl"),
        "body_equality" => include_str!("../wgsl/body_equality.wgsl"),
        "hessian_memory" => include_str!("../wgsl/hessian_memory.wgsl"),
        "cone_elliptic" => include_str!("../wgsl/cone_elliptic.wgsl"),
        "cone_pyramidal" => include_str!("../wgsl/cone_pyramidal.wgsl"),
        "lanes_subgroup" => include_str!("../wgsl/lanes_subgroup.wgsl"),
        "lanes_subgroups" => include_str!("../wgsl/lanes_subgroups.wgsl"),
        _ => include_str!("../wgsl/lanes_workgroup.wgsl"),
    }
    .to_owned()
}

/// Constants, and how the lanes of a kernel communicate.
fn header(constants: &str, count: usize, lanes: Lanes) -> String {
    let exchange = match lanes {
        Lanes::Subgroups if count == 32 => source("lanes_subgroup"),
        Lanes::Subgroups => source("lanes_subgroups"),
        Lanes::Workgroup => source("lanes_workgroup"),
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
    let mut text = points + &source("collide").replace("    //GROUPS//\n", &loops);
    // long routines only where they are needed
    for (routine, ..) in pairs.groups.iter().filter(|(routine, ..)| routine.name == "capsule_box") {
        text += &source(routine.name);
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
    let cone = if opt.cone == Cone::Elliptic as i32 { "cone_elliptic" } else { "cone_pyramidal" };
    let hessian = match lanes {
        _ if !lanes.unrolls(model.nv) => source("hessian_memory"),
        Lanes::Subgroups if solve_lanes == 32 => hessian_functions(model.nv, Broadcast::Subgroup),
        _ => hessian_functions(model.nv, Broadcast::Workgroup),
    };
    let mut parts = vec![settings.constants, source("solve")];
    let mut calls = String::new();
    if !BodyEqualities::new(model).is_empty() {
        calls += "    body_equalities();\n";
        parts.push(source("body_equality"));
    }
    if BallLimits::new(model).len() > 0 {
        calls += "    ball_limits(velocity);\n";
        parts.push(source("ball_limit"));
    }
    parts[1] = parts[1].replace("    //FIXED_ROWS//\n", &calls);
    parts.extend([source(cone), hessian]);
    parts.join("\n")
}
