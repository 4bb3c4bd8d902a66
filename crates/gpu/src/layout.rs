//! Where things lie in the buffers: a world's state, its inputs, what is said about it, and the memory that
//! one kernel leaves for the next.

use crate::adhesion::{adhesive, has_adhesion, has_moving_adhesion};
use crate::ball_limit::BallLimits;
use crate::body_equality::BodyEqualities;
use crate::clusters::Clusters;
use crate::curved_maps::CurvedMaps;
use crate::fluid::has_fluid_slopes;
use crate::lanes::HessianPlace;
use crate::linear_rows::LinearRows;
use crate::motor::motors;
use crate::options::GpuOptions;
use crate::precision::Precision;
use crate::sensors::Sensors;
use crate::table::Table;
use kinetree_model::Model;
use kinetree_model::enums::Integrator;

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
/// Flags of a world that was reset.
pub(crate) const FLAG_BAD_STATE: u32 = 1;
pub(crate) const FLAG_BAD_ACCELERATION: u32 = 2;
/// By how many bits flags are shifted that functions of the user have taken note of.
pub(crate) const FLAGS_SEEN: u32 = 8;

/// How many contacts and rows of constraints a world may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Rows: a contact has as many as its dimension.
    pub rows: usize,
    /// Geom pairs whose bounds meet, of those that GJK and EPA search.
    pub candidates: usize,
}

impl Capacity {
    /// Whether a world needs more contacts, rows or candidates.
    pub(crate) fn is_exceeded(&self, needed: [usize; 3]) -> bool {
        let Self { contacts, rows, candidates } = *self;
        needed.iter().zip([contacts, rows, candidates]).any(|(needed, room)| *needed > room)
    }
}

/// Size of a slot of a candidate: what it is, and up to five points of two groups each.
const SLOT_SIZE: usize = 11;
/// Entries of lists for each slot: one for GJK, one for EPA, one for flat features, four for tilted poses.
const LISTED: usize = 7;

/// Sizes and places, in numbers for state and inputs, in groups of four for scratch memory.
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
    /// Where switches of equalities begin in the inputs, and which are on at the start; none where nothing
    /// is switched.
    pub(crate) equalities: usize,
    pub(crate) switches: Option<Vec<bool>>,
    pub(crate) input: usize,
    pub(crate) scratch: usize,
    /// Entries of lists of candidates.
    pub(crate) listed: usize,
    /// Readings of sensors; none where they are not computed.
    pub(crate) readings: usize,
    /// Lanes of the solver's kernel.
    pub(crate) solve_lanes: usize,
    /// Where the Jacobian begins in scratch memory.
    pub(crate) jacobian: usize,
    scratch_places: Vec<(&'static str, usize)>,
}

impl Layout {
    pub(crate) fn new(
        model: &Model,
        roots: usize,
        capacity: Capacity,
        options: GpuOptions,
        switches: Option<Vec<bool>>,
    ) -> Self {
        let (qvel, act) = (model.nq, model.nq + model.nv);
        let warm = act + model.na;
        let clusters = Clusters::new(model);
        let width = clusters.places();
        let groups = width.div_ceil(4);
        let fixed = fixed_rows(model);
        let solve_lanes = width.max(1).next_multiple_of(32);
        let mut scratch = 0;
        let mut places = Vec::new();
        let mut place = |name, size: usize| {
            places.push((name, scratch));
            scratch += size;
        };
        place("SCRATCH_MASS", clusters.width().div_ceil(4) * solve_lanes);
        if HessianPlace::of(width) == HessianPlace::Scratch {
            place("SCRATCH_HESSIAN", groups * width);
        }
        if clusters.are_several() {
            place("SCRATCH_CLUSTER", clusters.len());
        }
        place("SCRATCH_CDOF", 2 * model.nv);
        place("SCRATCH_FORCE", groups);
        place("SCRATCH_POSE", 2 * model.nbody);
        place("SCRATCH_COM", roots);
        place("SCRATCH_MOTION", if BodyEqualities::new(model).is_empty() { 0 } else { 4 * model.nbody });
        place("SCRATCH_ACT", model.na.div_ceil(4));
        if has_fluid_slopes(model) {
            place("SCRATCH_DRAG", 9 * model.nbody + 2 * model.nv);
        }
        if has_adhesion(model) {
            // forces, and the number of contacts that do not push
            place("SCRATCH_ADHESION", (adhesive(model).len() + 1).div_ceil(4));
        }
        if has_moving_adhesion(model) {
            place("SCRATCH_PULL", (3 * model.nu).div_ceil(4));
        }
        place("SCRATCH_SLOPE", (model.nu + model.ntendon).div_ceil(4));
        let maps = model.nu + model.ntendon;
        let curved = CurvedMaps::new(model);
        if !curved.is_empty() {
            place("SCRATCH_PIECE", 4 * curved.piece_count());
            place("SCRATCH_ARMS", maps * groups);
            place("SCRATCH_LENGTH", maps.div_ceil(4));
        }
        let sensing = options.sensors && Sensors::new(model).is_active();
        if sensing || has_adhesion(model) {
            place("SCRATCH_DRIVEN", groups);
        }
        if sensing {
            place("SCRATCH_QPOS", model.nq.div_ceil(4));
            place("SCRATCH_QVEL", groups);
            place("SCRATCH_BODY", 4 * model.nbody);
            place("SCRATCH_MAP", maps);
            let needs = Sensors::new(model).needs();
            if needs.joint_limits {
                place("SCRATCH_LIMIT", 2 * groups);
            }
            if needs.fixed_rows() {
                place("SCRATCH_ROW", fixed.div_ceil(4));
            }
        }
        if evaluations(model) > 1 {
            place("SCRATCH_START", (warm + model.nv).div_ceil(4));
            place("SCRATCH_SUM", (2 * model.nv + model.na).div_ceil(4));
            if !motors(model).is_empty() {
                place("SCRATCH_MOTOR", (2 * motors(model).len()).div_ceil(4));
            }
        }
        // what depends on capacities comes last, so that kernels do not change when these grow
        place("SCRATCH_CONTACT", 3 * capacity.contacts);
        if sensing && Sensors::new(model).needs().contact_wrenches() {
            scratch += 2 * capacity.contacts;
        }
        let jacobian = scratch;
        scratch += groups * (fixed + capacity.rows);
        // slots end where the memory of a world does, with their number
        if capacity.candidates > 0 {
            scratch += SLOT_SIZE * capacity.candidates + 1;
        }
        Self {
            precision: options.precision,
            qpos: 0,
            qvel,
            act,
            warm,
            state: warm + model.nv,
            ctrl: 0,
            mocap: model.nu,
            equalities: model.nu + 7 * model.nmocap,
            input: model.nu + 7 * model.nmocap + switches.as_ref().map_or(0, Vec::len),
            switches,
            // whole lines of the cache
            scratch: scratch.next_multiple_of(8),
            listed: LISTED * capacity.candidates,
            readings: if sensing { model.nsensordata } else { 0 },
            solve_lanes,
            jacobian,
            scratch_places: places,
        }
    }

    /// Where contacts begin in the scratch memory of a world, in groups of four.
    pub(crate) fn contacts_at(&self) -> Option<usize> {
        self.scratch_places.iter().find(|(name, _)| *name == "SCRATCH_CONTACT").map(|(_, place)| *place)
    }

    /// Writes places and sizes as constants, but for those that depend on capacities.
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
        sizes.iter().chain(&self.scratch_places).for_each(|&(name, value)| table.size(name, value));
        if self.switches.is_some() {
            table.size("INPUT_EQUALITY", self.equalities);
        }
    }
}

/// How often the kernels run in a step.
pub(crate) fn evaluations(model: &Model) -> usize {
    if model.opt.integrator == Integrator::Rk4 as i32 { 4 } else { 1 }
}

/// Rows that the model always has.
pub(crate) fn fixed_rows(model: &Model) -> usize {
    LinearRows::new(model).len() + BodyEqualities::new(model).rows(model) + BallLimits::new(model).len()
}
