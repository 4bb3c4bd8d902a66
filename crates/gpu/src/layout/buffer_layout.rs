//! Where things lie in the buffers: a world's state, its inputs, what is said about it, and the memory that
//! one kernel leaves for the next.

use super::lanes::HessianStorage;
use crate::features::capacity::Capacity;
use crate::features::parameters::Table;
use crate::features::plan::Plan;
use crate::precision::Precision;
use kinetree_model::Model;

/// Numbers of a world's status.
pub(crate) const STATUS_SIZE: usize = 8;
/// Steps that a world has made.
pub(crate) const STATUS_STEPS: usize = 0;
/// What went wrong, as bits.
pub(crate) const STATUS_FLAGS: usize = 1;
/// Contacts of the last step.
pub(crate) const STATUS_CONTACTS: usize = 2;
/// Solver iterations, rows and contacts of all steps.
pub(crate) const STATUS_ITERATIONS: usize = 3;
pub(crate) const STATUS_ROWS: usize = 4;
pub(crate) const STATUS_POINTS: usize = 5;
/// Whether a step has been made that sensors have not read, as the bit [`FRESH`], above the number of steps
/// since the last reset.
pub(crate) const STATUS_FRESH: usize = 6;
pub(crate) const FRESH: u32 = 1 << 31;
/// Evaluations of the step at hand that a world has made.
pub(crate) const STATUS_PHASE: usize = 7;
/// Where failures of all worlds are counted, behind the room that worlds need.
pub(crate) const FAILURES: u64 = 3;
/// Where steps of crowded worlds are counted, behind the lengths of lists.
pub(crate) const CROWDED: usize = 8;
/// Flags of a world that was reset.
pub(crate) const FLAG_BAD_STATE: u32 = 1;
pub(crate) const FLAG_BAD_ACCELERATION: u32 = 2;
/// By how many bits flags are shifted that functions of the user have taken note of.
pub(crate) const FLAGS_SEEN: u32 = 8;

/// Size of a slot of a candidate: what it is, and up to five points of two groups each.
const SLOT_SIZE: usize = 11;
/// Entries of lists for each slot: one for GJK, one for EPA, one for flat features, four for tilted poses.
const LISTED: usize = 7;

/// Sizes and offsets, in numbers for state and inputs, in groups of four for scratch memory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Precision of all numbers.
    pub(crate) precision: Precision,
    pub(crate) qpos: usize,
    pub(crate) qvel: usize,
    pub(crate) act: usize,
    pub(crate) warm: usize,
    pub(crate) state: usize,
    pub(crate) ctrl: usize,
    pub(crate) mocap: usize,
    /// Where the activation of equalities begins in the inputs, and which are active at the start; none where
    /// worlds do not activate them.
    pub(crate) equalities: usize,
    pub(crate) first_active: Option<Vec<bool>>,
    pub(crate) input: usize,
    pub(crate) scratch: usize,
    /// Entries of lists of candidates.
    pub(crate) listed: usize,
    /// Sensor values of a world; none where they are not computed.
    pub(crate) sensordata: usize,
    /// Evaluations of the dynamics in a step.
    pub(crate) evaluations: usize,
    /// Lanes of the solver's kernel.
    pub(crate) solve_lanes: usize,
    /// Where the Jacobian begins in scratch memory.
    pub(crate) jacobian: usize,
    scratch_offsets: Vec<(&'static str, usize)>,
}

impl Layout {
    pub(crate) fn new(plan: &Plan<'_>, capacity: Capacity, precision: Precision) -> Self {
        let Plan { model, clusters, .. } = plan;
        let (qvel, act) = (model.nq, model.nq + model.nv);
        let warm = act + model.na;
        let width = clusters.padded_width();
        let groups = width.div_ceil(4);
        let solve_lanes = width.max(1).next_multiple_of(32);
        let mut all = vec![("SCRATCH_MASS", clusters.width().div_ceil(4) * solve_lanes)];
        if HessianStorage::of(width) == HessianStorage::Scratch {
            all.push(("SCRATCH_HESSIAN", groups * width));
        }
        if clusters.are_several() {
            all.push(("SCRATCH_CLUSTER", clusters.len()));
        }
        all.extend([
            ("SCRATCH_CDOF", 2 * model.nv),
            ("SCRATCH_FORCE", groups),
            ("SCRATCH_POSE", 2 * model.nbody),
            ("SCRATCH_COM", plan.tree.roots.len().max(1)),
        ]);
        all.extend(plan.scratch_sizes());
        // what depends on capacities comes last, so that kernels do not change when these grow
        all.push(("SCRATCH_CONTACT", 3 * capacity.contacts));
        let mut scratch = 0;
        let mut offsets = Vec::with_capacity(all.len());
        for (name, size) in all {
            offsets.push((name, scratch));
            scratch += size;
        }
        if plan.sensors.as_ref().is_some_and(|sensors| sensors.needs().contact_wrenches()) {
            scratch += 2 * capacity.contacts;
        }
        let jacobian = scratch;
        scratch += groups * (plan.fixed_rows() + capacity.rows);
        // slots end where the memory of a world does, with their number
        if capacity.candidates > 0 {
            scratch += SLOT_SIZE * capacity.candidates + 1;
        }
        Self {
            precision,
            qpos: 0,
            qvel,
            act,
            warm,
            state: warm + model.nv,
            ctrl: 0,
            mocap: model.nu,
            equalities: model.nu + 7 * model.nmocap,
            input: model.nu + 7 * model.nmocap + plan.first_active.as_ref().map_or(0, Vec::len),
            first_active: plan.first_active.clone(),
            // whole lines of the cache
            scratch: scratch.next_multiple_of(8),
            listed: LISTED * capacity.candidates,
            sensordata: if plan.sensors.is_some() { model.nsensordata } else { 0 },
            evaluations: plan.evaluations,
            solve_lanes,
            jacobian,
            scratch_offsets: offsets,
        }
    }

    /// Where contacts begin in the scratch memory of a world, in groups of four.
    pub(crate) fn contacts_at(&self) -> Option<usize> {
        self.scratch_offsets.iter().find(|(name, _)| *name == "SCRATCH_CONTACT").map(|(_, offset)| *offset)
    }

    /// Writes offsets and sizes as constants, but for those that depend on capacities.
    pub(crate) fn write(&self, table: &mut Table) {
        let sizes = [
            ("STATE_QPOS", self.qpos),
            ("STATE_QVEL", self.qvel),
            ("STATE_ACT", self.act),
            ("STATE_WARM", self.warm),
            ("STATE_SIZE", self.state),
            ("INPUT_CTRL", self.ctrl),
            ("INPUT_MOCAP", self.mocap),
            ("INPUT_SIZE", self.input),
            ("STATUS_SIZE", STATUS_SIZE),
            ("STATUS_STEPS", STATUS_STEPS),
            ("STATUS_FLAGS", STATUS_FLAGS),
            ("STATUS_CONTACTS", STATUS_CONTACTS),
            ("STATUS_ITERATIONS", STATUS_ITERATIONS),
            ("STATUS_ROWS", STATUS_ROWS),
            ("STATUS_POINTS", STATUS_POINTS),
            ("FLAG_BAD_STATE", FLAG_BAD_STATE as usize),
            ("FLAG_BAD_ACCELERATION", FLAG_BAD_ACCELERATION as usize),
            ("SOLVE_LANES", self.solve_lanes),
        ];
        sizes.iter().chain(&self.scratch_offsets).for_each(|&(name, value)| table.size(name, value));
        if self.first_active.is_some() {
            table.size("INPUT_EQUALITY", self.equalities);
        }
        if self.evaluations > 1 {
            table.size("STATUS_PHASE", STATUS_PHASE);
        }
    }
}

/// A world's row of numbers at the first state of the model.
pub(crate) fn first_state(model: &Model, layout: &Layout) -> Vec<f64> {
    let mut state = model.qpos0.to_vec();
    state.resize(layout.state, 0.0);
    state
}
