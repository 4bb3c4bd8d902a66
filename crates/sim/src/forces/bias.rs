//! Recursive Newton–Euler: bias forces, inverse dynamics, and the forces between bodies.
//!
//! Forward pass: accelerations `cacc = cacc_parent + cdof_dot q̇ + cdof q̈`, starting from `−gravity` at the
//! world, and the force each body needs, `I a + v ×* I v`. Backward pass: a parent carries the forces of its
//! children; a dof feels the projection of its body's force on its motion.

use crate::constraint::force_of_rows;
use crate::inertia::armature::{Driven, actuator_armature};
use crate::kinematics::poses::local_point_to_global;
use crate::point_masses::Attachment;
use crate::sleep::awake_lists::{ASLEEP, Visit, Visited, some_asleep, span};
use crate::sleep::tendon_sleep_state;
use crate::tendon::lengths::mj_tendon_dot;
use kinetree_math::Vec3;
use kinetree_math::lanes3::{cross3, load3, store3};
use kinetree_math::real::{Components, Real};
use kinetree_math::spatial::{
    InertiaColumns, SpatialKind, Vec6, add_scaled6, add_to6, add6, dot6, mul_dof_vec, sub6, transform_spatial,
};
use kinetree_model::enums::{DisableBit, EqType, ObjType};
use kinetree_model::{Data, Model};
use wide::f64x4;

/// Acceleration of the world that stands for gravity.
pub(crate) fn world_acceleration(model: &Model) -> Vec6 {
    let [x, y, z] = model.opt.gravity;
    if model.disabled(DisableBit::Gravity) { [0.0; 6] } else { [0.0, 0.0, 0.0, -x, -y, -z] }
}

/// Working memory of the recursion.
#[derive(Default)]
pub(crate) struct RneScratch<T: Real = f64> {
    acceleration: Vec<[T; 6]>,
    force: Vec<[T; 6]>,
    /// Velocity-dependent terms in the making.
    terms: Vec<VelocityTerm<T>>,
}

impl RneScratch {
    /// Uses the memory of terms for the next ones.
    pub(crate) fn reuse(&mut self, terms: VelocityTerms) {
        self.terms = terms.0;
    }
}

/// The velocity-dependent terms of all bodies.
///
/// Invariant: they are those of the velocities in the data. An evaluation keeps them only while nobody else
/// can write to it.
pub(crate) struct VelocityTerms(Vec<VelocityTerm<f64>>);

/// What the velocities alone give a body: its acceleration relative to the parent, `Σ cdof_dot q̇`, and the
/// torque and force `v ×* I v`.
#[derive(Clone, Copy)]
struct VelocityTerm<T: Real> {
    acceleration: [T; 6],
    force: (T::Vec3, T::Vec3),
}

impl<T: Real> VelocityTerm<T> {
    /// From the motions of dofs and their velocities.
    #[inline(always)]
    fn new(inertia: &InertiaColumns<T>, velocity: &[T; 6], cdof_dot: &[[T; 6]], qvel: &[T]) -> Self {
        Self { acceleration: mul_dof_vec(cdof_dot, qvel), force: inertia.velocity_force(velocity) }
    }

    /// None at all.
    fn zero() -> Self {
        let zero = T::Vec3::splat(T::ZERO);
        Self { acceleration: [T::ZERO; 6], force: (zero, zero) }
    }
}

/// What the recursion reads, of one world or of four in lockstep, borrowed field by field: its result may be
/// another field of the same data.
pub(crate) struct Motion<'a, T> {
    pub(crate) cinert: &'a [[T; 10]],
    pub(crate) cvel: &'a [[T; 6]],
    pub(crate) cdof: &'a [[T; 6]],
    pub(crate) cdof_dot: &'a [[T; 6]],
    pub(crate) qvel: &'a [T],
    /// Accelerations of joints, where the recursion is with them.
    pub(crate) qacc: &'a [T],
}

/// Computes `M(q) q̈ + c(q, q̇)` into `result`, or `c(q, q̇)` alone when `with_acceleration` is false.
pub(crate) fn mj_rne(
    model: &Model,
    data: &Data,
    scratch: &mut RneScratch,
    with_acceleration: bool,
    result: &mut [f64],
) {
    let bodies = Visited::new(Visit::bodies(model, data), &data.body_awake_ind);
    let Data { cinert, cvel, cdof, cdof_dot, qvel, qacc, .. } = data;
    let motion = Motion { cinert, cvel, cdof, cdof_dot, qvel, qacc };
    if with_acceleration {
        rne::<f64, true>(model, bodies, &motion, scratch, result, false);
    } else {
        rne::<f64, false>(model, bodies, &motion, scratch, result, false);
    }
}

/// Sets `qfrc_bias` to `c(q, q̇)`, the bias of tendon armature included. Returns the velocity-dependent terms
/// if they are wanted and all bodies are awake.
pub(crate) fn set_bias(
    model: &Model,
    data: &mut Data,
    scratch: &mut RneScratch,
    wants_terms: bool,
) -> Option<VelocityTerms> {
    let visit = Visit::bodies(model, data);
    let Data { cinert, cvel, cdof, cdof_dot, qvel, qacc, body_awake_ind, qfrc_bias, .. } = &mut *data;
    let motion = Motion { cinert, cvel, cdof, cdof_dot, qvel, qacc };
    // forces between bodies are those of all of them
    let keeps_terms = wants_terms && !visit.filtered;
    let bodies = Visited::new(visit, body_awake_ind);
    rne::<f64, false>(model, bodies, &motion, scratch, qfrc_bias, keeps_terms);
    let filtered = some_asleep(model, data);
    for tendon in 0..model.ntendon {
        let coefficient = tendon_bias_force(model, data, tendon, filtered);
        add_along_tendon(model, &data.ten_J, tendon, coefficient, &mut data.qfrc_bias);
    }
    keeps_terms.then(|| VelocityTerms(std::mem::take(&mut scratch.terms)))
}

/// Bias forces `c(q, q̇)` of four worlds.
pub(crate) fn lockstep_bias(
    model: &Model,
    motion: &Motion<'_, f64x4>,
    scratch: &mut RneScratch<f64x4>,
    result: &mut [f64x4],
) {
    rne::<f64x4, false>(model, Visited::all(model.nbody), motion, scratch, result, false);
}

/// The recursion of [`mj_rne`], over the bodies that are awake. With `keeps_terms`, velocity-dependent terms
/// stay in `scratch`.
#[inline(always)]
fn rne<T: Real, const WITH_ACCELERATION: bool>(
    model: &Model,
    bodies: Visited<'_>,
    motion: &Motion<'_, T>,
    scratch: &mut RneScratch<T>,
    result: &mut [T],
    keeps_terms: bool,
) {
    let n = model.nbody;
    let RneScratch { acceleration, force, terms } = scratch;
    acceleration.resize(n, [T::ZERO; 6]);
    force.resize(n, [T::ZERO; 6]);
    terms.resize(n, VelocityTerm::zero());
    let (acceleration, force, terms) = (&mut acceleration[..n], &mut force[..n], &mut terms[..n]);
    acceleration[0] = T::splat_all(&world_acceleration(model));
    force[0] = [T::ZERO; 6];

    let (parentid, dofadr, dofnum) =
        (&model.body_parentid[..n], &model.body_dofadr[..n], &model.body_dofnum[..n]);
    let (nv, cinert, cvel) = (model.nv, &motion.cinert[..n], &motion.cvel[..n]);
    let (cdof, cdof_dot, qvel) = (&motion.cdof[..nv], &motion.cdof_dot[..nv], &motion.qvel[..nv]);
    let result = &mut result[..nv];
    for body in bodies.iter() {
        if body == 0 {
            continue;
        }
        let (dofs, inertia) = (span(dofadr[body], dofnum[body]), InertiaColumns::new(&cinert[body]));
        let term = VelocityTerm::new(&inertia, &cvel[body], &cdof_dot[dofs.clone()], &qvel[dofs.clone()]);
        let mut a = add6(&acceleration[parentid[body] as usize], &term.acceleration);
        if WITH_ACCELERATION {
            add_to6(&mut a, &mul_dof_vec(&cdof[dofs.clone()], &motion.qacc[dofs]));
        }
        acceleration[body] = a;
        force[body] = inertia.force(&a, term.force);
        if keeps_terms {
            terms[body] = term;
        }
    }

    // with part of the world asleep, children of awake bodies are awake, except those of bodies that never
    // move
    for body in bodies.iter().rev() {
        if body == 0 {
            continue;
        }
        let own = force[body];
        let dofs = span(dofadr[body], dofnum[body]);
        for (result, cdof) in result[dofs.clone()].iter_mut().zip(&cdof[dofs]) {
            *result = dot6(cdof, &own);
        }
        let parent = parentid[body] as usize;
        if parent > 0 {
            add_to6(&mut force[parent], &own);
        }
    }
}

/// Adds to `qfrc` the bias force of tendon armature: `Jᵀ armature J̇ q̇` for each tendon.
pub(crate) fn mj_tendon_bias(model: &Model, data: &Data, qfrc: &mut [f64]) {
    let filtered = some_asleep(model, data);
    for tendon in 0..model.ntendon {
        let force = tendon_bias_force(model, data, tendon, filtered);
        add_along_tendon(model, &data.ten_J, tendon, force, qfrc);
    }
}

/// Bias force of a tendon's armature along the tendon; none when it is asleep.
fn tendon_bias_force(model: &Model, data: &Data, tendon: usize, filtered: bool) -> f64 {
    if filtered && tendon_sleep_state(model, data, tendon) == ASLEEP {
        return 0.0;
    }
    let armature = model.tendon_armature[tendon] + actuator_armature(model, Driven::Tendon(tendon));
    if armature == 0.0 { 0.0 } else { armature * mj_tendon_dot(model, data, tendon, &data.qvel) }
}

/// Adds what a force along a tendon does to the joints.
fn add_along_tendon(model: &Model, ten_j: &[f64], tendon: usize, force: f64, qfrc: &mut [f64]) {
    if force == 0.0 {
        return;
    }
    let start = model.ten_J_rowadr[tendon] as usize;
    let count = model.ten_J_rownnz[tendon] as usize;
    for (&dof, j) in model.ten_J_colind[start..][..count].iter().zip(&ten_j[start..]) {
        qfrc[dof as usize] += force * j;
    }
}

/// Computes body accelerations, external forces and the forces between bodies (`cacc`, `cfrc_ext`,
/// `cfrc_int`) from the complete solution of a step.
pub(crate) fn mj_rne_post_constraint(model: &Model, data: &mut Data, scratch: &mut RneScratch) {
    rne_post_constraint(model, data, scratch, None, &[]);
}

/// As [`mj_rne_post_constraint`], with the velocity-dependent terms if they are there, and with what points
/// pull with that are fixed to bodies.
pub(crate) fn rne_post_constraint(
    model: &Model,
    data: &mut Data,
    scratch: &mut RneScratch,
    terms: Option<VelocityTerms>,
    attached: &[Attachment],
) {
    data.cfrc_ext.fill([0.0; 6]);
    add_applied_forces(model, data);
    add_contact_forces(model, data);
    add_equality_forces(model, data);
    for Attachment { body, position, pull, .. } in attached {
        let wrench = [0.0, 0.0, 0.0, pull.x, pull.y, pull.z];
        add_external(model, data, *body, &wrench, &(*position).into(), 1.0);
    }

    let n = model.nbody;
    let (parentid, dofadr, dofnum) =
        (&model.body_parentid[..n], &model.body_dofadr[..n], &model.body_dofnum[..n]);
    let all_terms = terms.unwrap_or_else(|| velocity_terms(model, data, scratch));
    let (nv, terms, cinert, external) = (model.nv, &all_terms.0[..n], &data.cinert[..n], &data.cfrc_ext[..n]);
    let (cdof, qacc) = (&data.cdof[..nv], &data.qacc[..nv]);
    let (cacc, internal) = (&mut data.cacc[..n], &mut data.cfrc_int[..n]);
    cacc[0] = world_acceleration(model);
    internal[0] = [0.0; 6];
    for body in 1..n {
        let (dofs, term) = (span(dofadr[body], dofnum[body]), &terms[body]);
        let mut a = add6(&cacc[parentid[body] as usize], &term.acceleration);
        add_to6(&mut a, &mul_dof_vec(&cdof[dofs.clone()], &qacc[dofs]));
        cacc[body] = a;
        internal[body] = sub6(&InertiaColumns::new(&cinert[body]).force(&a, term.force), &external[body]);
    }
    for body in (1..n).rev() {
        let force = internal[body];
        add_to6(&mut internal[parentid[body] as usize], &force);
    }
    scratch.reuse(all_terms);
    data.flg_rnepost = true;
}

/// Velocity-dependent terms of all bodies but the world.
fn velocity_terms(model: &Model, data: &Data, scratch: &mut RneScratch) -> VelocityTerms {
    let mut terms = std::mem::take(&mut scratch.terms);
    terms.resize(model.nbody, VelocityTerm::zero());
    for body in 1..model.nbody {
        let dofs = span(model.body_dofadr[body], model.body_dofnum[body]);
        let (inertia, velocity) = (InertiaColumns::new(&data.cinert[body]), &data.cvel[body]);
        terms[body] = VelocityTerm::new(&inertia, velocity, &data.cdof_dot[dofs.clone()], &data.qvel[dofs]);
    }
    VelocityTerms(terms)
}

/// Adds a wrench that acts at a global point to the external force of a body; the world takes none.
fn add_external(model: &Model, data: &mut Data, body: usize, wrench: &Vec6, point: &[f64; 3], sign: f64) {
    if body == 0 {
        return;
    }
    let com = Vec3::from(data.subtree_com[model.body_rootid[body] as usize]);
    let moved = transform_spatial(wrench, SpatialKind::Force, &com, &Vec3::from(*point), None);
    add_scaled6(&mut data.cfrc_ext[body], &moved, sign);
}

/// Forces in `xfrc_applied`.
fn add_applied_forces(model: &Model, data: &mut Data) {
    // mostly there are none at all
    if !data.xfrc_applied.as_flattened().iter().fold(false, |any, &x| any | (x != 0.0)) {
        return;
    }
    for body in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = data.xfrc_applied[body];
        if data.xfrc_applied[body] != [0.0; 6] {
            let point = data.xipos[body];
            add_external(model, data, body, &[tx, ty, tz, fx, fy, fz], &point, 1.0);
        }
    }
}

/// Contact forces; contacts with flexes do not count. Of a contact with a point mass, only the geom's side is
/// a body.
fn add_contact_forces(model: &Model, data: &mut Data) {
    let (bodies, rootid) = (&model.geom_bodyid[..], &model.body_rootid[..]);
    let Data { cfrc_ext: external, subtree_com, contact, ncon, efc_force, .. } = data;
    let com = &subtree_com[..];
    for contact in &contact[..*ncon] {
        let [g1, g2] = contact.geom;
        if contact.efc_address < 0 || contact.flex.iter().any(|&flex| flex >= 0) {
            continue;
        }
        let local = force_of_rows(model, contact, efc_force);
        let frame = &contact.frame;
        let four = |k: usize| f64x4::new([frame[k], frame[k + 1], frame[k + 2], frame[k + 3]]);
        let rows = [four(0), four(3), last_three(four(5))];
        let rotated = |k: usize| {
            let term = |i: usize| rows[i] * f64x4::splat(local[k + i]);
            (term(0) + term(1)) + term(2)
        };
        let force = rotated(0);
        let torque = if contact.dim > 3 { rotated(3) } else { f64x4::ZERO };
        let point = load3(&contact.pos);
        let mut add = |geom: i32, sign: f64| {
            let body = usize::try_from(geom).map_or(0, |geom| bodies[geom] as usize);
            if body > 0 {
                let arm = load3(&com[rootid[body] as usize]) - point;
                let ([a, b, c], [d, e, f]) = (store3(torque - cross3(arm, force)), store3(force));
                add_scaled6(&mut external[body], &[a, b, c, d, e, f], sign);
            }
        };
        add(g1, -1.0);
        add(g2, 1.0);
    }
}

/// The last three numbers of a lane.
#[inline(always)]
fn last_three(v: f64x4) -> f64x4 {
    let [_, x, y, z] = v.to_array();
    f64x4::new([x, y, z, z])
}

/// Forces of connect and weld constraints; other equalities do not act on bodies directly.
fn add_equality_forces(model: &Model, data: &mut Data) {
    let mut row = 0;
    while row < data.ne {
        let id = data.efc_id[row] as usize;
        let kind = model.eq_type[id];
        if kind != EqType::Connect && kind != EqType::Weld {
            // all rows of one equality share its id
            row += data.efc_id[row..data.ne].iter().take_while(|&&other| other as usize == id).count();
            continue;
        }
        let weld = kind == EqType::Weld;
        let f = &data.efc_force[row..];
        let torque = if weld { [f[3], f[4], f[5]] } else { [0.0; 3] };
        let wrench = [torque[0], torque[1], torque[2], f[0], f[1], f[2]];
        let of_bodies = model.eq_objtype[id] == ObjType::Body;
        let eq_data = &model.eq_data[id];
        let at = |k: usize| [eq_data[k], eq_data[k + 1], eq_data[k + 2]];
        // a connect stores the anchor on body 1 first, a weld the anchor on body 2
        let anchors = if weld { [at(3), at(0)] } else { [at(0), at(3)] };
        let objects = [model.eq_obj1id[id] as usize, model.eq_obj2id[id] as usize];
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            let object = objects[k];
            let (body, anchor) = if of_bodies {
                (object, anchors[k])
            } else {
                (model.site_bodyid[object] as usize, model.site_pos[object])
            };
            let point = local_point_to_global(data, &anchor, body);
            add_external(model, data, body, &wrench, &point, sign);
        }
        row += if weld { 6 } else { 3 };
    }
}
