//! The tables of a model: its tree, joints, dofs, forces and geoms as the kernels read them.

use crate::adhesion::write_adhesion;
use crate::ball_limit::BallLimits;
use crate::body_equality::BodyEqualities;
use crate::branches::write_branches;
use crate::clusters::Clusters;
use crate::curved_maps::{CurvedMaps, is_rotating, is_spatial};
use crate::fluid::write_fluid;
use crate::layout::{Layout, STATUS_PHASE, evaluations, fixed_rows};
use crate::linear_rows::LinearRows;
use crate::lone_bodies::LoneBodies;
use crate::motor::write_motors;
use crate::muscle::write_muscles;
use crate::pairs::PairGroups;
use crate::row_numbers::row_numbers;
use crate::sensor_contacts::write_contact_sensors;
use crate::sensors::Sensors;
use crate::switches::write_switches;
use crate::table::Table;
use crate::tendon_armature::write_armature;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, Integrator, JointType, TrnType};
use kinetree_sim::{dof_constants, mj_actuator_disabled, row_gains, tendon_constants};

/// Beyond all numbers that occur: the bound of what has none.
pub(crate) const UNBOUNDED: f64 = 1e30;

/// What the kernels need to know of the tree besides the model's own arrays.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Bodies that are children of the world.
    pub(crate) roots: Vec<usize>,
    /// First body behind the subtree of each body.
    end: Vec<usize>,
    /// Last dof on the way from the root to each body.
    last_dof: Vec<i32>,
    /// Rounds of pointer jumping that reach every root.
    pub(crate) rounds: usize,
}

impl Tree {
    pub(crate) fn new(model: &Model) -> Self {
        let n = model.nbody;
        let parent = |b: usize| model.body_parentid[b] as usize;
        let mut end: Vec<usize> = (1..=n).collect();
        for b in (1..n).rev() {
            end[parent(b)] = end[parent(b)].max(end[b]);
        }
        let (mut last_dof, mut depth) = (vec![-1; n], vec![0_usize; n]);
        for b in 1..n {
            depth[b] = depth[parent(b)] + 1;
            last_dof[b] = match model.body_dofnum[b] {
                0 => last_dof[parent(b)],
                count => model.body_dofadr[b] + count - 1,
            };
        }
        let deepest = depth.into_iter().max().unwrap_or(0);
        // after r rounds a body has taken over the poses of 2ʳ − 1 ancestors
        let rounds = deepest.max(1).next_power_of_two().trailing_zeros() as usize;
        let roots = (1..n).filter(|&b| parent(b) == 0).collect();
        Self { roots, end, last_dof, rounds }
    }

    /// Writes the tree of bodies and dofs.
    fn write(&self, model: &Model, table: &mut Table) {
        let n = model.nbody;
        let mut jump: Vec<usize> = (0..n).map(|b| model.body_parentid[b] as usize).collect();
        let mut jumps = Vec::new();
        for _ in 0..self.rounds {
            jumps.extend(jump.iter().map(|&b| b as i32));
            jump = jump.iter().map(|&b| jump[b]).collect();
        }
        let root = |b: usize| {
            let root = model.body_rootid[b] as usize;
            self.roots.iter().position(|&r| r == root).unwrap_or(0) as i32
        };
        table.ints("JUMP", jumps);
        table.ints("BODY_END", self.end.iter().map(|&b| b as i32));
        table.ints("BODY_LASTDOF", self.last_dof.iter().copied());
        table.ints("BODY_ROOT", (0..n).map(root));
        table.ints("ROOT_BODY", self.roots.iter().map(|&b| b as i32));
        self.write_bits(model, table);
    }

    /// Sets of dofs as bits: ancestors and descendants of dofs, counted from the first dof of their cluster,
    /// and the dofs that move a body.
    fn write_bits(&self, model: &Model, table: &mut Table) {
        let clusters = Clusters::new(model);
        let (nv, words) = (model.nv, model.nv.div_ceil(32));
        let row = clusters.width().div_ceil(32);
        let mut up = vec![0_u32; nv * row];
        let mut down = vec![0_u32; nv * row];
        let chain = |last: i32| {
            std::iter::successors(usize::try_from(last).ok(), |&d| {
                usize::try_from(model.dof_parentid[d]).ok()
            })
        };
        for i in 0..nv {
            let first = clusters.first_of(i);
            for j in chain(i as i32) {
                up[i * row + (j - first) / 32] |= 1 << ((j - first) % 32);
                if i != j {
                    down[j * row + (i - first) / 32] |= 1 << ((i - first) % 32);
                }
            }
        }
        let mut moved = vec![0_u32; model.nbody * words];
        for (b, &last) in self.last_dof.iter().enumerate() {
            chain(last).for_each(|j| moved[b * words + j / 32] |= 1 << (j % 32));
        }
        let bits = |set: Vec<u32>| set.into_iter().map(u32::cast_signed);
        table.size("NWORD", words);
        table.ints("DOF_UP", bits(up));
        table.ints("DOF_DOWN", bits(down));
        table.ints("BODY_DOFS", bits(moved));
    }
}

/// Writes everything that the kernels read.
pub(crate) fn write_model(
    model: &Model,
    tree: &Tree,
    pairs: &PairGroups,
    layout: &Layout,
    shared: bool,
) -> Table {
    let mut table = Table::new(layout.precision);
    write_sizes(model, tree, &mut table);
    layout.write(&mut table);
    tree.write(model, &mut table);
    Clusters::new(model).write(model, &mut table);
    write_bodies(model, &mut table);
    write_joints(model, &mut table);
    write_dofs(model, &mut table);
    write_maps(model, &mut table);
    write_actuators(model, &mut table);
    write_geoms(model, &mut table);
    pairs.write(model, &mut table, shared);
    LinearRows::new(model).write(model, &mut table);
    BodyEqualities::new(model).write(model, &mut table);
    BallLimits::new(model).write(model, &mut table);
    table.size("NFIXED", fixed_rows(model));
    write_first_state(model, &mut table);
    if evaluations(model) > 1 {
        table.size("STATUS_PHASE", STATUS_PHASE);
    }
    write_carried(model, &mut table);
    write_muscles(model, &mut table);
    write_motors(model, &mut table);
    write_armature(model, &mut table);
    write_adhesion(model, &mut table);
    write_fluid(model, &mut table);
    LoneBodies::new(model).write(model, &mut table);
    CurvedMaps::new(model).write(model, &mut table);
    write_switches(model, layout, &mut table);
    write_branches(model, &mut table);
    if layout.readings > 0 {
        Sensors::new(model).write(model, &mut table);
        write_contact_sensors(model, pairs, &mut table);
    }
    table.size("FLOATS_STRIDE", if shared { 0 } else { table.floats.len() });
    table
}

fn write_sizes(model: &Model, tree: &Tree, table: &mut Table) {
    let sizes = [
        ("NBODY", model.nbody),
        ("NJNT", model.njnt),
        ("NQ", model.nq),
        ("NV", model.nv),
        ("NV4", model.nv.div_ceil(4)),
        ("NU", model.nu),
        ("NA", model.na),
        ("NMOCAP", model.nmocap),
        ("NGEOM", model.ngeom.max(1)),
        ("NROOT", tree.roots.len().max(1)),
        ("ROUNDS", tree.rounds),
        ("POSE_AT", tree.rounds % 2 * 2 * model.nbody),
        ("NMAP", model.nu + model.ntendon),
        ("MAX_NMAP", (model.nu + model.ntendon).max(1)),
    ];
    sizes.into_iter().for_each(|(name, value)| table.size(name, value));
}

fn write_bodies(model: &Model, table: &mut Table) {
    let gravity = if model.disabled(DisableBit::Gravity) { [0.0; 3] } else { model.opt.gravity };
    // gravity compensation is a passive force
    let passive = !(model.disabled(DisableBit::Spring) && model.disabled(DisableBit::Damper));
    table.flag("HAS_GRAVCOMP", model.ngravcomp > 0 && passive);
    table.floats("GRAVITY", gravity);
    table.floats("BODY_POS", model.body_pos.as_flattened().iter().copied());
    table.floats("BODY_QUAT", model.body_quat.as_flattened().iter().copied());
    table.floats("BODY_IPOS", model.body_ipos.as_flattened().iter().copied());
    table.floats("BODY_IQUAT", model.body_iquat.as_flattened().iter().copied());
    table.floats("BODY_INERTIA", model.body_inertia.as_flattened().iter().copied());
    table.floats("BODY_MASS", model.body_mass.iter().copied());
    table.floats("BODY_SUBTREEMASS", model.body_subtreemass.iter().copied());
    table.floats("BODY_GRAVCOMP", model.body_gravcomp.iter().copied());
    table.ints("BODY_PARENTID", model.body_parentid.iter().copied());
    table.ints("BODY_MOCAPID", model.body_mocapid.iter().copied());
    table.ints("BODY_JNTADR", model.body_jntadr.iter().map(|&adr| adr.max(0)));
    table.ints("BODY_JNTNUM", model.body_jntnum.iter().copied());
}

fn write_joints(model: &Model, table: &mut Table) {
    table.ints("JNT_TYPE", model.jnt_type.iter().copied());
    table.ints("JNT_QPOSADR", model.jnt_qposadr.iter().copied());
    table.ints("JNT_DOFADR", model.jnt_dofadr.iter().copied());
    table.floats("JNT_POS", model.jnt_pos.as_flattened().iter().copied());
    table.floats("JNT_AXIS", model.jnt_axis.as_flattened().iter().copied());
    table.floats("QPOS0", model.qpos0.iter().copied());
    table.floats("QPOS_SPRING", model.qpos_spring.iter().copied());
}

fn write_dofs(model: &Model, table: &mut Table) {
    let nv = model.nv;
    let joint = |i: usize| model.dof_jntid[i] as usize;
    let is_scalar = |i: usize| model.jnt_type[joint(i)] >= JointType::Slide as i32;
    let address =
        |i: usize, condition: bool| if condition && is_scalar(i) { model.jnt_qposadr[joint(i)] } else { -1 };
    let constraints = !model.disabled(DisableBit::Constraint);
    let springs = !model.disabled(DisableBit::Spring);
    let dampers = !model.disabled(DisableBit::Damper);
    let limits = constraints && !model.disabled(DisableBit::Limit);
    let losses = constraints && !model.disabled(DisableBit::Frictionloss);
    let none = [0.0; 2];
    table.ints("DOF_JNTID", model.dof_jntid.iter().copied());
    table.ints("DOF_BODYID", model.dof_bodyid.iter().copied());
    table.ints("DOF_PARENTID", model.dof_parentid.iter().copied());
    table.ints("DOF_CARRIER", (0..nv).map(|i| carrier(model, i)));
    table.floats("DOF_ARMATURE", (0..nv).map(|i| dof_constants(model, i).0));
    let damping = |i: usize| if dampers { dof_constants(model, i).1 } else { [0.0; 3] };
    table.floats("DOF_DAMPING", (0..nv).flat_map(damping));
    let stiffness = |i: usize| {
        let [k1, k2] = model.jnt_stiffnesspoly[joint(i)];
        [model.jnt_stiffness[joint(i)], k1, k2]
    };
    table.ints("DOF_SPRINGADR", (0..nv).map(|i| address(i, springs && stiffness(i) != [0.0; 3])));
    table.floats("DOF_STIFFNESS", (0..nv).flat_map(stiffness));
    let turns = |i: usize| !is_scalar(i) && stiffness(i) != [0.0; 3];
    table.flag("HAS_TURN_SPRINGS", springs && (0..nv).any(turns));
    table.floats("DOF_INVWEIGHT", model.dof_invweight0.iter().copied());
    table.ints("DOF_LIMITADR", (0..nv).map(|i| address(i, limits && model.jnt_limited[joint(i)] != 0)));
    let range = |i: usize| {
        let [low, high] = model.jnt_range[joint(i)];
        [low, high, model.jnt_margin[joint(i)]]
    };
    table.floats("DOF_RANGE", (0..nv).flat_map(range));
    let limit = |i: usize| row_gains(model, &model.jnt_solref[joint(i)], &none, &model.jnt_solimp[joint(i)]);
    table.floats("DOF_LIMIT", (0..nv).flat_map(|i| row_numbers(&limit(i))));
    let has_loss = losses && model.dof_frictionloss.iter().any(|&x| x > 0.0);
    table.flag("HAS_LOSS", has_loss);
    table.floats("DOF_FRICTIONLOSS", model.dof_frictionloss.iter().copied());
    let loss = |i: usize| row_gains(model, &model.dof_solref[i], &none, &model.dof_solimp[i]);
    table.floats("DOF_LOSS", (0..nv).flat_map(|i| row_numbers(&loss(i))));
    let force_range = |i: usize| match model.jnt_actfrclimited[joint(i)] {
        // the range is that of the first dof
        1.. if model.jnt_dofadr[joint(i)] as usize == i => model.jnt_actfrcrange[joint(i)],
        _ => [-UNBOUNDED, UNBOUNDED],
    };
    table.floats("DOF_ACTFRCRANGE", (0..nv).flat_map(force_range));
    let damped = (0..nv).any(|i| damping(i) != [0.0; 3]);
    let explicit = model.opt.integrator == Integrator::Rk4 as i32;
    table.flag("IMPLICIT_DAMPING", damped && !explicit && !model.disabled(DisableBit::Eulerdamp));
    table.flag("IMPLICIT", model.opt.integrator == Integrator::Implicitfast as i32);
}

/// The last dof of the chain whose velocity carries the motion of dof `i` along; -1 where nothing does, -2
/// where the motion is that of the world's axes and does not change.
fn carrier(model: &Model, i: usize) -> i32 {
    let joint = model.dof_jntid[i] as usize;
    let first = model.jnt_dofadr[joint] as usize;
    match JointType::try_from(model.jnt_type[joint]) {
        Ok(JointType::Free) if i < first + 3 => -2,
        // the body turns about axes that its own translation does not turn
        Ok(JointType::Free) => first as i32 + 2,
        Ok(JointType::Ball) => model.dof_parentid[first],
        _ => model.dof_parentid[i],
    }
}

/// Joint coordinate, dof and coefficient of each term of a length.
type Terms = Vec<(i32, i32, f64)>;

/// Lengths of actuators, then of tendons, as linear functions of joint coordinates; those that are not have
/// no terms.
fn write_maps(model: &Model, table: &mut Table) {
    let joint_term = |joint: usize, coef: f64| (model.jnt_qposadr[joint], model.jnt_dofadr[joint], coef);
    let tendon_terms = |tendon: usize, scale: f64| -> Terms {
        if is_spatial(model, tendon) {
            return Vec::new();
        }
        let first = model.tendon_adr[tendon] as usize;
        let path = first..first + model.tendon_num[tendon] as usize;
        path.map(|w| joint_term(model.wrap_objid[w] as usize, scale * model.wrap_prm[w])).collect()
    };
    let actuator_terms = |u: usize| -> Terms {
        let (id, gear) = (model.actuator_trnid[u][0] as usize, model.actuator_gear[u][0]);
        match TrnType::try_from(model.actuator_trntype[u]) {
            Ok(TrnType::Tendon) => tendon_terms(id, gear),
            Ok(TrnType::Joint | TrnType::Jointinparent) if !is_rotating(model, id) => {
                vec![joint_term(id, gear)]
            }
            _ => Vec::new(),
        }
    };
    let mut maps: Vec<Terms> = (0..model.nu).map(actuator_terms).collect();
    maps.extend((0..model.ntendon).map(|t| tendon_terms(t, 1.0)));
    let mut starts = vec![0];
    starts.extend(maps.iter().scan(0, |sum, terms| {
        *sum += terms.len() as i32;
        Some(*sum)
    }));
    let terms = || maps.iter().flatten();
    table.ints("MAP_START", starts);
    table.ints("MAP_QPOSADR", terms().map(|term| term.0));
    table.ints("MAP_DOF", terms().map(|term| term.1));
    table.floats("MAP_COEF", terms().map(|term| term.2));
    // the same by dof
    let (mut starts, mut ids, mut coefs) = (vec![0], Vec::new(), Vec::new());
    for i in 0..model.nv {
        for (map, terms) in maps.iter().enumerate() {
            for term in terms.iter().filter(|term| term.1 as usize == i) {
                ids.push(map as i32);
                coefs.push(term.2);
            }
        }
        starts.push(ids.len() as i32);
    }
    table.ints("DOF_MAP_START", starts);
    table.ints("DOF_MAP", ids);
    table.floats("DOF_MAP_COEF", coefs);
    write_tendons(model, table);
}

fn write_tendons(model: &Model, table: &mut Table) {
    let springs = f64::from(!model.disabled(DisableBit::Spring));
    let dampers = f64::from(!model.disabled(DisableBit::Damper));
    let stiffness = |t: usize| {
        let [k1, k2] = model.tendon_stiffnesspoly[t];
        [model.tendon_stiffness[t], k1, k2].map(|k| k * springs)
    };
    let all = 0..model.ntendon;
    table.floats("TENDON_LENGTHSPRING", model.tendon_lengthspring.as_flattened().iter().copied());
    table.floats("TENDON_STIFFNESS", all.clone().flat_map(stiffness));
    if has_limited_tendons(model) {
        table.size("NTENDON", model.ntendon);
        table.floats("TENDON_ACTFRCRANGE", model.tendon_actfrcrange.as_flattened().iter().copied());
        table.ints("ACTUATOR_TENDON", (0..model.nu).map(|u| limited_tendon(model, u)));
    }
    table.floats("TENDON_DAMPING", all.flat_map(|t| tendon_constants(model, t).1.map(|b| b * dampers)));
}

fn write_actuators(model: &Model, table: &mut Table) {
    use kinetree_model::enums::{BiasType, DynType, GainType};
    let off = model.disabled(DisableBit::Actuation);
    let clamp = !model.disabled(DisableBit::Clampctrl);
    let (nu, h) = (model.nu, model.opt.timestep);
    let bounds = |limited: bool, range: [f64; 2]| if limited { range } else { [-UNBOUNDED, UNBOUNDED] };
    let ranges = |u: usize| {
        let ctrl = bounds(clamp && model.actuator_ctrllimited[u] != 0, model.actuator_ctrlrange[u]);
        let force = bounds(!off && model.actuator_forcelimited[u] != 0, model.actuator_forcerange[u]);
        let act = bounds(model.actuator_actlimited[u] != 0, model.actuator_actrange[u]);
        [ctrl, force, act].concat()
    };
    table.floats("ACTUATOR_RANGES", (0..nu).flat_map(ranges));
    let enabled = |u: usize| f64::from(!off && !mj_actuator_disabled(model, u));
    table.floats("ACTUATOR_ENABLED", (0..nu).map(enabled));
    let gain = |u: usize| {
        let [a, b, c, ..] = model.actuator_gainprm[u];
        match GainType::try_from(model.actuator_gaintype[u]) {
            Ok(GainType::Affine) => [a, b, c],
            Ok(GainType::Fixed) => [a, 0.0, 0.0],
            _ => [0.0; 3],
        }
    };
    table.floats("ACTUATOR_GAIN", (0..nu).flat_map(gain));
    let bias = |u: usize| {
        let [a, b, c, ..] = model.actuator_biasprm[u];
        if model.actuator_biastype[u] == BiasType::Affine as i32 { [a, b, c] } else { [0.0; 3] }
    };
    table.floats("ACTUATOR_BIAS", (0..nu).flat_map(bias));
    let tau = |u: usize| model.actuator_dynprm[u][0].max(1e-15);
    table.floats("ACTUATOR_TAU", (0..nu).map(tau));
    // what a rate is multiplied with; the exact filter solves its equation, and what is off stays
    let step = |u: usize| match model.actuator_dyntype[u] {
        _ if enabled(u) == 0.0 => 0.0,
        kind if kind == DynType::Filterexact as i32 => tau(u) * (1.0 - (-h / tau(u)).exp()),
        _ => h,
    };
    table.floats("ACTUATOR_STEP", (0..nu).map(step));
    table.ints("ACTUATOR_DYNTYPE", model.actuator_dyntype.iter().copied());
    table.ints("ACTUATOR_ACTADR", model.actuator_actadr.iter().copied());
    table.ints("ACTUATOR_ACTEARLY", model.actuator_actearly.iter().map(|&early| i32::from(early)));
}

fn write_geoms(model: &Model, table: &mut Table) {
    table.ints("GEOM_BODYID", model.geom_bodyid.iter().copied());
    table.floats("GEOM_POS", model.geom_pos.as_flattened().iter().copied());
    table.floats("GEOM_QUAT", model.geom_quat.as_flattened().iter().copied());
    table.floats("GEOM_SIZE", model.geom_size.as_flattened().iter().copied());
    table.floats("GEOM_RBOUND", model.geom_rbound.iter().copied());
}

/// Whether the forces of the actuators of a tendon are limited together.
pub(crate) fn has_limited_tendons(model: &Model) -> bool {
    (0..model.nu).any(|u| limited_tendon(model, u) >= 0)
}

/// The tendon that an actuator pulls, if its forces are limited; -1 otherwise.
fn limited_tendon(model: &Model, u: usize) -> i32 {
    let tendon = model.actuator_trnid[u][0];
    let pulls = model.actuator_trntype[u] == TrnType::Tendon as i32;
    if pulls && model.tendon_actfrclimited[tendon as usize] != 0 { tendon } else { -1 }
}

/// Whether joints have their weight carried by actuators.
pub(crate) fn has_carried(model: &Model) -> bool {
    model.ngravcomp > 0 && model.jnt_actgravcomp.iter().any(|&carried| carried != 0)
}

/// Writes which dofs have their gravity compensation counted as force of actuators; nothing where none has.
fn write_carried(model: &Model, table: &mut Table) {
    if !has_carried(model) {
        return;
    }
    // without actuation such weight is not carried at all
    let on = model.nu > 0 && !model.disabled(DisableBit::Actuation);
    table.quantity("CARRIED_SHARE", if on { 1.0 } else { 0.0 });
    let carried = |&j: &i32| i32::from(model.jnt_actgravcomp[j as usize] != 0);
    table.ints("DOF_CARRIED", model.dof_jntid.iter().map(carried));
}

/// The state after a reset: positions of the model, everything else zero.
fn write_first_state(model: &Model, table: &mut Table) {
    let zeros = std::iter::repeat_n(0.0, 2 * model.nv + model.na);
    table.floats("INITIAL_STATE", model.qpos0.iter().copied().chain(zeros));
}
