//! The solver's kernels: of a whole world and, where a model has several, of a cluster of trees.

use super::hessian::{hessian_functions, inverse_functions};
use super::smooth::ARM;
use super::{fill, part};
use crate::adhesion::{has_adhesion, has_moving_adhesion};
use crate::ball_limit::BallLimits;
use crate::body_equality::BodyEqualities;
use crate::branches::joins_branches;
use crate::clusters::Clusters;
use crate::curved_maps::CurvedMaps;
use crate::fluid::has_fluid_slopes;
use crate::lanes::HessianPlace;
use crate::layout::evaluations;
use crate::lone_bodies::LoneBodies;
use crate::motor::motors;
use crate::pairs::PairGroups;
use crate::precision::Precision;
use crate::sensors::Sensors;
use crate::switches::{BODY_SWITCH, FIRST_SWITCHES, IS_ACTIVE, LINEAR_SWITCH};
use crate::table::Table;
use kinetree_model::Model;
use kinetree_model::enums::{Cone, DisableBit, Solver as Method};

/// The smallest tolerance of the solver that single precision can tell from rounding.
const LEAST_TOLERANCE: f64 = 1e-6;

/// From so many iterations on, the solver converges from anywhere and begins at the last acceleration. Models
/// that stop it earlier begin like the processor at the better of that and the unconstrained one.
const MANY_ITERATIONS: i32 = 50;

/// Columns of the inertia matrix in this lane's row, four at a time, where rows are as wide as those of the
/// kernel.
const MASS: &str =
    "fn mass4(c: u32) -> vec4<f32> { return scratch[scratch_base + SCRATCH_MASS + c * SOLVE_LANES + dof]; }
";
/// Lanes of a whole world are its dofs where it has one cluster.
const PLACES: &str = "fn own_dofs() -> u32 { return NV; }
fn place_of(i: u32) -> u32 { return i; }
fn find_dof() {
    dof = lane;
    has_dof = lane < NV;
}
";
/// A whole world of which clusters may have been solved before.
const SOLVE_JOINED: &str = "    if (joins_clusters()) { advance(); } else { collect_clusters(); }\n";

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
    for (var k = index(DOF_MAP_START + dof); k < index(DOF_MAP_START + dof + 1u); k++) {
        let map = index(DOF_MAP + k);
        let x = -TIMESTEP * number(DOF_MAP_COEF + k) * get_scratch(4u * SCRATCH_SLOPE + map);
        for (var t = index(MAP_START + map); t < index(MAP_START + map + 1u); t++) {
            //BRANCH//
            add_entry(place_of(index(MAP_DOF + t)), x * number(MAP_COEF + t));
        }
    }
}

";
/// The same with arms that depend on positions.
const CURVED_SLOPES: &str = "fn add_map_slopes() {
    for (var map = 0u; map < NMAP; map++) {
        let x = -TIMESTEP * map_arm(map, lane) * get_scratch(4u * SCRATCH_SLOPE + map);
        if (x == 0.0) { continue; }
        for (var j = 0u; j < NV; j++) {
            //BRANCH//
            add_entry(j, x * map_arm(map, j));
        }
    }
}

";
/// Derivatives by velocities count between dofs of one branch alone.
const LINEAR_BRANCH: &str = "            if (!is_one_branch(dof, index(MAP_DOF + t))) { continue; }\n";
const CURVED_BRANCH: &str = "            if (!is_one_branch(dof, j)) { continue; }\n";
const CARRIES: &str = "
fn carries(i: u32, j: u32) -> bool {
    // the inertia of these is diagonal, and so is what the integrator takes
    if (i != j && ints[DOF_ALONE + j] != 0) { return false; }
    return ((index(BODY_DOFS + index(DOF_BODYID + j) * NWORD + (i >> 5u)) >> (i & 31u)) & 1u) == 1u;
}
";
const IS_ONE_BRANCH: &str = "
fn is_one_branch(i: u32, j: u32) -> bool { return carries(min(i, j), max(i, j)); }
";
/// Slopes of forces of a fluid between dofs of one branch: M −= h Σ cdofᵀ B cdof, with B that of the subtree
/// of the dof further down, whose product with its motion is there.
const FLUID_SLOPES: &str = "
fn add_fluid_slopes() {
    for (var j = 0u; j < NV; j++) {
        let is_up = j <= dof;
        let upper = select(dof, j, is_up);
        let lower = select(j, dof, is_up);
        if (!carries(upper, lower)) { continue; }
        let motion = scratch_base + SCRATCH_CDOF + 2u * upper;
        let push = scratch_base + SCRATCH_DRAG + 9u * NBODY + 2u * lower;
        let x = dot(scratch[motion].xyz, scratch[push].xyz) + dot(scratch[motion + 1u].xyz, scratch[push + 1u].xyz);
        add_entry(place_of(j), -TIMESTEP * x);
    }
}
";
/// Counts a step, at once or when its last evaluation is done.
const COUNT_STEP: &str = "        status[status_base + STATUS_STEPS] += 1u;\n";
const COUNT_LAST: &str = "        status[status_base + STATUS_STEPS] += select(0u, 1u, status[status_base + STATUS_PHASE] == 0u);\n";
/// Force of an actuator that adheres, where it does not depend on its velocity.
const STEADY_PULL: &str =
    "fn adhesion_pull(k: u32) -> vec2<f32> { return vec2<f32>(get_scratch(4u * SCRATCH_ADHESION + k), 0.0); }
";
/// Leaves the force of an actuator that adheres for sensors.
const KEEP_PULL: &str =
    "        if (lane == 0u) { scratch[scratch_base + SCRATCH_MAP + index(ADHESION_ACTUATOR + k)].z = pull.x; }
";
/// Leaves the normal forces of contacts for sensors.
const KEEP_NORMALS: &str = "    for (var c = lane; c < contacts; c += LANES) {
        scratch[contact_record(c) + 2u].w = row_f[block_info[NFIXED + c] & 0xffffu];
    }
";
/// Leaves force and torque of contacts on the second body, in world axes.
const KEEP_WRENCHES: &str = "    for (var c = lane; c < contacts; c += LANES) {
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
";
/// Leaves the forces of the lower and upper limits of dofs.
const KEEP_LIMITS: &str = "    if (has_dof) {
        put_scratch(4u * SCRATCH_LIMIT + 2u * dof, low.d * max(low.aref - acc, 0.0));
        put_scratch(4u * SCRATCH_LIMIT + 2u * dof + 1u, high.d * max(high.aref + acc, 0.0));
    }
";
/// Leaves the forces of rows that the model always has.
const KEEP_ROWS: &str =
    "    for (var r = lane; r < NFIXED; r += LANES) { put_scratch(4u * SCRATCH_ROW + r, row_f[r]); }
";
/// Tells the kernel of sensors that there is something to read.
const FRESH: &str = "    if (lane == 0u) { status[status_base + STATUS_FRESH] |= FRESH; }\n";
/// A world that begins anew has made no steps since; this one is still to be read.
const AGE: &str = "        status[status_base + STATUS_FRESH] &= FRESH;\n";
/// The same where a step has several evaluations, of which sensors read the first.
const FRESH_FIRST: &str = "    if (lane == 0u && status[status_base + STATUS_PHASE] == 0u) { status[status_base + STATUS_FRESH] |= FRESH; }\n";

/// The step of free bodies that stand alone, from the forces of all dofs.
const LONE_STEP: &str = "    share(total_force);
    var lone = LoneStep();
    if (lane < NLONE) { lone = lone_step(index(LONE_JNT + lane), index(LONE_BODY + lane)); }
";

/// Motors have activations of several kinds.
const INTEGRATE_MOTOR: &str = "    let motor = ints[MOTOR + u];
    if (motor >= 0) {
        integrate_motor(u, u32(motor), phase);
        return;
    }
";

/// When the derivative along a Newton direction is small enough, and where the search for that begins: the
/// direction has the right length where no row changes its state.
const NEWTON_TOLERANCE: &str =
    "    let enough = max(TOLERANCE * LS_TOLERANCE * sqrt(start.y) / SCALE, 1e-3 * abs(start.x));\n";
const NEWTON_START: &str = "    var alpha = 1.0;\n";
/// The same along conjugate directions, which are only conjugate to each other where each search is exact,
/// and have no length of their own.
const CG_TOLERANCE: &str = "    let enough = max(TOLERANCE * LS_TOLERANCE * sqrt(start.y) / SCALE, 4.0 * ROUNDING * abs(start.x));\n";
const CG_START: &str = "    var alpha = -start.x / max(slope_at(0.0, quadratic).y, 1e-15);\n";

/// What the solver's kernels are made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solver<'a> {
    pub(super) model: &'a Model,
    pub(super) pairs: &'a PairGroups,
    pub(super) clusters: &'a Clusters,
    pub(super) sensing: bool,
    /// Whether equalities are switched on and off.
    pub(super) switches: bool,
    pub(super) precision: Precision,
}

impl Solver<'_> {
    /// The kernel of a cluster or of a world, behind what all kernels share.
    pub(super) fn text(self, of_cluster: bool) -> String {
        let model = self.model;
        let curved = !CurvedMaps::new(model).is_empty();
        let lone = !LoneBodies::new(model).is_empty();
        let integrator = match evaluations(model) {
            2.. => {
                let driving = !motors(model).is_empty();
                fill(part::INTEGRATE_RK4, &[("MOTOR", if driving { INTEGRATE_MOTOR } else { "" })])
                    + if driving { part::INTEGRATE_MOTOR } else { "" }
            }
            _ => fill(
                part::INTEGRATE_EULER,
                &[
                    ("LONE_STEP", if lone { LONE_STEP } else { "" }),
                    ("LONE_VELOCITY", if lone { "    put_lone_velocity(lone);\n" } else { "" }),
                ],
            ),
        } + if lone { part::INTEGRATE_MIDPOINT } else { "" };
        let joined = joins_branches(model);
        let branch = match (joined, curved) {
            (false, _) => "",
            (true, false) => LINEAR_BRANCH,
            (true, true) => CURVED_BRANCH,
        };
        let slopes = match curved {
            true => ARM.to_owned() + &fill(CURVED_SLOPES, &[("BRANCH", branch)]),
            false => fill(LINEAR_SLOPES, &[("BRANCH", branch)]),
        };
        let (calls, routines) = self.fixed_rows();
        let (adhesive, slow) = (has_adhesion(model), has_fluid_slopes(model));
        let moving = has_moving_adhesion(model);
        let mut extra_slopes = String::new();
        if slow {
            extra_slopes += "                if (has_dof) { add_fluid_slopes(); }\n";
        }
        if moving {
            extra_slopes += "                if (IMPLICIT && has_dof) { add_adhesion_slopes(); }\n";
        }
        let pull = if self.sensing && moving { KEEP_PULL } else { "" };
        let adhesion = fill(part::ADHESION, &[("KEEP_PULL", pull)])
            + match moving {
                true => part::ADHESION_MOVING,
                false => STEADY_PULL,
            };
        let cg = self.uses_gradients();
        let minimize = fill(
            if cg { part::MINIMIZE_CG } else { part::MINIMIZE_NEWTON },
            &[
                ("TOTAL_FORCE", if lone { "            total_force = rhs;\n" } else { "" }),
                ("FLUID_SLOPES", &extra_slopes),
            ],
        );
        let stages = fill(
            part::SOLVE,
            &[
                ("MINIMIZE", &minimize),
                ("LINE_TOLERANCE", if cg { CG_TOLERANCE } else { NEWTON_TOLERANCE }),
                ("LINE_START", if cg { CG_START } else { NEWTON_START }),
                ("ENTRY", &self.entry(of_cluster)),
                ("FIXED_ROWS", &calls),
                ("INTEGRATE", &integrator),
                ("ROW_LENGTHS", if curved { CURVED_LENGTHS } else { LINEAR_LENGTHS }),
                ("SWITCH", if self.switches { LINEAR_SWITCH } else { "" }),
                ("MAP_SLOPES", &slopes),
                ("KEEP_FORCES", &self.kept_forces()),
                ("ADHESION", if adhesive { "        force += adhesion_force();\n" } else { "" }),
            ],
        );
        let is_elliptic = model.opt.cone == Cone::Elliptic as i32;
        let width = if of_cluster { self.clusters.width() } else { self.clusters.places() };
        let (settings, hessian) = (self.settings(width), self.hessian(width));
        let mut parts = vec![&settings[..], &stages];
        parts.extend(routines.iter().map(String::as_str));
        if self.switches {
            parts.push(IS_ACTIVE);
        }
        if adhesive {
            parts.push(&adhesion);
        }
        if slow || joined || moving {
            parts.push(CARRIES);
        }
        if joined || moving {
            parts.push(IS_ONE_BRANCH);
        }
        if slow {
            parts.push(FLUID_SLOPES);
        }
        parts.push(if is_elliptic { part::CONE_ELLIPTIC } else { part::CONE_PYRAMIDAL });
        if !cg {
            parts.push(if is_elliptic { part::CONE_ELLIPTIC_HESSIAN } else { part::CONE_PYRAMIDAL_HESSIAN });
        }
        parts.push(&hessian);
        parts.join("\n")
    }

    /// Whether the model asks for conjugate gradients.
    fn uses_gradients(self) -> bool {
        Method::try_from(self.model.opt.solver) == Ok(Method::Cg)
    }

    /// Forces that sensors read.
    fn kept_forces(self) -> String {
        let needs = Sensors::new(self.model).needs();
        let parts = [
            (needs.touch, KEEP_NORMALS),
            (needs.contact_wrenches(), KEEP_WRENCHES),
            (needs.joint_limits, KEEP_LIMITS),
            (needs.fixed_rows(), KEEP_ROWS),
        ];
        parts.into_iter().filter(|(needed, _)| self.sensing && *needed).map(|(_, text)| text).collect()
    }

    /// Constants of the solver.
    fn settings(self, width: usize) -> String {
        let (model, opt) = (self.model, &self.model.opt);
        let warm = !model.disabled(DisableBit::Warmstart);
        let mut settings = Table::new(self.precision);
        settings.size("WIDTH4", width.div_ceil(4));
        settings.size("FRICTIONS", (self.pairs.largest_dimension() - 1).max(1));
        settings.size("MAX_ITERATIONS", opt.iterations.max(0) as usize);
        settings.size("LS_ITERATIONS", opt.ls_iterations.max(1) as usize);
        // an improvement of conjugate gradients that is small does not mean that the next one is smaller
        let least = if self.uses_gradients() { 0.0 } else { LEAST_TOLERANCE };
        settings.quantity("TOLERANCE", opt.tolerance.max(self.precision.least_tolerance(least)));
        settings.quantity("LS_TOLERANCE", opt.ls_tolerance);
        settings.quantity("SCALE", 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64));
        settings.quantity("IMPRATIO", opt.impratio.max(1e-15));
        settings.quantity("TIMESTEP", opt.timestep);
        settings.flag("WARMSTART", warm);
        // conjugate gradients have the unconstrained acceleration at no cost
        let many = opt.iterations >= MANY_ITERATIONS && !self.uses_gradients();
        settings.flag("WARM_ALONE", warm && many);
        settings.constants
    }

    /// Which dofs a workgroup has, and its entry point.
    fn entry(self, of_cluster: bool) -> String {
        if of_cluster {
            return fill(part::SOLVE_CLUSTER, &[("MASS", MASS)]);
        }
        let several = evaluations(self.model) > 1;
        let fresh = match self.sensing {
            true if several => FRESH_FIRST,
            true => FRESH,
            false => "",
        };
        let joined = self.clusters.are_several();
        let solve = if joined { SOLVE_JOINED } else { "    advance();\n" };
        let text = fill(
            part::SOLVE_WORLD,
            &[
                ("SOLVE", &format!("{fresh}{solve}")),
                ("COUNT_STEP", if several { COUNT_LAST } else { COUNT_STEP }),
                ("AGE", if self.sensing { AGE } else { "" }),
                ("FIRST_SWITCHES", if self.switches { FIRST_SWITCHES } else { "" }),
            ],
        );
        if joined { text + part::CLUSTERS_WHOLE } else { text + PLACES + MASS }
    }

    /// Calls and routines for rows that the model always has.
    fn fixed_rows(self) -> (String, Vec<String>) {
        let mut calls = String::new();
        let mut routines = Vec::new();
        if !BodyEqualities::new(self.model).is_empty() {
            calls += "    body_equalities();\n";
            let switch = if self.switches { BODY_SWITCH } else { "" };
            routines.push(fill(part::BODY_EQUALITY, &[("SWITCH", switch)]));
        }
        if BallLimits::new(self.model).len() > 0 {
            calls += "    ball_limits(velocity);\n";
            routines.push(part::BALL_LIMIT.to_owned());
        }
        (calls, routines)
    }

    /// Functions over the Hessian, or over the inverse inertia, of so many dofs.
    fn hessian(self, width: usize) -> String {
        match (HessianPlace::of(width), self.uses_gradients()) {
            (HessianPlace::Registers, false) => hessian_functions(width),
            (HessianPlace::Registers, true) => inverse_functions(width),
            (HessianPlace::Scratch, false) => [part::HESSIAN_MEMORY, part::HESSIAN_MEMORY_NEWTON].join("\n"),
            (HessianPlace::Scratch, true) => [part::HESSIAN_MEMORY, part::HESSIAN_MEMORY_INVERSE].join("\n"),
        }
    }
}
