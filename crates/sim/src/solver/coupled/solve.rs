//! The constraint forces of a model and of point masses that touch its geoms, as one problem.
//!
//! With the acceleration `u` of the points beyond what they have without contacts, the solvers minimize
//! `½ (a − a₀)ᵀ M (a − a₀) + ½ Σ m u² + s(J a + Jₚ u − aref)`: every point adds three dofs with a diagonal
//! inertia behind those of the model. Newton's matrix eliminates them first, so that they cause no fill-in;
//! for the dual solvers they add `Jₚ m⁻¹ Jₚᵀ` to `A`.
//!
//! Points are light and tied to their neighbours by stiff springs, so that a step is divided into substeps.
//! In these the smooth forces, the inertia, the Jacobians and the impedances stay what they are; velocities
//! move on, violations with them, and both make the reference accelerations. The forces of the step are the
//! means over its substeps.

use super::attached::AttachedPoints;
use crate::constraint::{
    ProjectScratch, RowScratch, RowsView, mj_is_dual, project, set_joint_forces, update_all_rows,
};
use crate::evaluation::{Evaluation, Points};
use crate::inertia::mass_matrix::mj_mul_m;
use crate::point_masses::{PointContacts, PointMotion, PointShare};
use crate::row_blocks::{BlockBuf, BlockJacobian};
use crate::solver::dual::matrix::map_forces_to_joints;
use crate::solver::dual::scratch::DualScratch;
use crate::solver::dual::{noslip, pgs};
use crate::solver::factor::pattern::TooLarge;
use crate::solver::primal::descent::PrimalScratch;
use crate::solver::primal::vectors::dot_of_differences;
use crate::solver::problem::{Problem, Settings, Start, model_scale};
use crate::solver::stats::IterationLog;
use kinetree_math::dense::{add_scaled, add_to};
use kinetree_math::sparse::{Csr, Pattern};
use kinetree_math::{LaneVec, MINVAL, Vec3};
use kinetree_model::enums::{ConstraintType, DisableBit, Solver};
use kinetree_model::{Contact, Data, Model};

/// Reference acceleration of a row that does not push yet (m/s²): no motion falls short of it.
const NOT_TOUCHING: f64 = -1e10;

/// Working memory of coupled solves.
#[derive(Default)]
pub(crate) struct CoupledScratch {
    /// The Jacobian over the dofs of the model alone.
    own: BlockBuf,
    rows: PointRows,
    attached: AttachedPoints,
    inertia: Inertia,
    dofs: Dofs,
    motion: Vec<PointMotion>,
    primal: PrimalScratch,
    /// Change of velocity and of position since the beginning of the step.
    velocity: Vec<f64>,
    moved: Vec<f64>,
    reference: Reference,
    /// Sum of the forces over substeps.
    force: Vec<f64>,
    dense: Vec<f64>,
    lanes: LaneVec,
}

/// The part of a point in a row of a contact: the number of the row, the point, and the direction of motion
/// that the row measures, times the share of the point.
#[derive(Clone, Copy)]
struct PointRow {
    row: usize,
    point: usize,
    direction: Vec3,
}

/// Rows of points, and the Jacobian of all rows over the dofs of the model and of points.
#[derive(Default)]
struct PointRows {
    list: Vec<PointRow>,
    /// Column of the first dof of each point; none for points that move as their owner says.
    column: Vec<Option<usize>>,
    inverse_mass: Vec<f64>,
    blocks: BlockBuf,
    cols: Vec<i32>,
    /// First columns and directions of the points of a row.
    own: Vec<(usize, Vec3)>,
    /// Entries of `list`, sorted by point.
    by_point: Vec<u32>,
}

/// The inertia matrix and its factor, with the points behind the dofs of the model.
#[derive(Default)]
struct Inertia {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    mass: Vec<f64>,
    ld: Vec<f64>,
    diag_inv: Vec<f64>,
}

/// Vectors over the dofs of the model and of points.
#[derive(Default)]
struct Dofs {
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    qacc: Vec<f64>,
    warm: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    ma: Vec<f64>,
    jaref: Vec<f64>,
}

/// Reference accelerations of a substep.
#[derive(Default)]
struct Reference {
    aref: Vec<f64>,
    /// Rates and displacements along the rows since the beginning of the step.
    rate: Vec<f64>,
    shift: Vec<f64>,
}

/// Computes the forces of all constraints and of the contacts of points over a step, and advances the points.
///
/// # Errors
/// When the factor for Newton's method would be too large.
pub(crate) fn coupled_constraint(
    model: &Model,
    data: &mut Data,
    (coupled, dual): (&mut CoupledScratch, &mut DualScratch),
    rows: &mut RowScratch,
    projection: &mut ProjectScratch,
    evaluation: &mut Evaluation<'_>,
) -> Result<(), TooLarge> {
    let Some(points) = &mut evaluation.points else { return Ok(()) };
    data.solver_niter.fill(0);
    let made = evaluation.rows.take().unwrap_or_else(|| rows.blocks_of_arrays(model, data));
    coupled.attached.begin(model, data, points.contacts);
    let mut own = std::mem::take(&mut coupled.own);
    coupled.attached.prepend_to(made.all(), &mut own);
    rows.reuse(made);
    let blocks = own.all();
    coupled.begin(model, data, blocks, points.contacts);
    if mj_is_dual(model) && data.nefc > 0 {
        project(model, data, projection);
        coupled.add_points_to_projection(model, data);
    }
    let count = points.owner.substeps().max(1);
    let h = model.opt.timestep / count as f64;
    let mut result = Ok(());
    for _ in 0..count {
        if result.is_err() || !points.owner.goes_on() {
            break;
        }
        result = coupled.substep(model, data, (&mut *dual, &mut *projection), points, blocks, h);
    }
    coupled.finish(model, data, count, points.lag);
    // the rows of attached points are the first ones
    points.contacts.set_pulls(&data.efc_force);
    coupled.attached.finish(model, data);
    points.contacts.add_carried_forces(model, data);
    coupled.own = own;
    result
}

impl CoupledScratch {
    /// Takes in the contacts of a step.
    fn begin(&mut self, model: &Model, data: &mut Data, jac: BlockJacobian<'_>, contacts: &PointContacts) {
        self.motion.clear();
        self.motion.resize(contacts.mass().len(), PointMotion::default());
        self.rows.fill(model, data, jac, contacts);
        self.inertia.fill(model, data, contacts.mass(), &self.rows.column);
        let n = self.inertia.rownnz.len();
        self.dofs.start(model, data, n);
        for v in [&mut self.velocity, &mut self.moved] {
            v.clear();
            v.resize(model.nv, 0.0);
        }
        self.force.clear();
        self.force.resize(data.nefc, 0.0);
        data.efc_force.fill(0.0);
        self.lanes.resize(self.rows.blocks.all().max_width());
        data.efc_b.resize(data.nefc, 0.0);
    }

    /// One substep of length `h`.
    fn substep(
        &mut self,
        model: &Model,
        data: &mut Data,
        (dual, projection): (&mut DualScratch, &mut ProjectScratch),
        points: &mut Points<'_>,
        jac: BlockJacobian<'_>,
        h: f64,
    ) -> Result<(), TooLarge> {
        self.attached.set_carriers(data, &self.velocity, &mut self.motion);
        points.owner.predict(h, &mut self.motion);
        let Self { rows, reference, velocity, moved, motion, lanes, .. } = self;
        reference.update(data, jac, rows, [velocity, moved], motion, lanes);
        self.attached.set_reference(&mut reference.aref, data, velocity, motion, h);
        if model.opt.solver == Solver::Pgs {
            self.set_dual_residual(data, jac);
            pgs::solve(model, data, dual, model.opt.iterations);
        } else {
            let converged = self.solve_primal(model, data)?;
            if !converged && model.opt.solver == Solver::CgPgs {
                project(model, data, projection);
                self.add_points_to_projection(model, data);
                self.set_dual_residual(data, jac);
                pgs::solve(model, data, dual, model.opt.iterations);
            }
            if model.opt.noslip_iterations > 0 {
                self.set_dual_residual(data, jac);
                noslip::solve(model, data, dual, model.opt.noslip_iterations);
            }
        }
        add_to(&mut self.force, &data.efc_force);
        add_scaled(&mut self.velocity, &data.qacc, h);
        for ((moved, v), start) in self.moved.iter_mut().zip(&self.velocity).zip(&data.qvel) {
            *moved += h * (start + v);
        }
        // u = m⁻¹ Jₚᵀ f
        for &PointRow { row, point, direction } in &self.rows.list {
            let push = self.rows.inverse_mass[point] * data.efc_force[row];
            self.motion[point].acceleration += push * direction;
        }
        self.attached.note_accelerations(&data.qacc);
        self.attached.follow(data, &self.velocity, &mut self.motion, h);
        points.owner.advance(h, &self.motion);
        Ok(())
    }

    /// Sets `efc_b = J qacc_smooth − aref`.
    fn set_dual_residual(&mut self, data: &mut Data, jac: BlockJacobian<'_>) {
        jac.mul(&mut data.efc_b, &data.qacc_smooth, &mut self.lanes);
        for (b, aref) in data.efc_b.iter_mut().zip(&self.reference.aref) {
            *b -= aref;
        }
    }

    /// Newton or conjugate gradients; returns whether they converged.
    fn solve_primal(&mut self, model: &Model, data: &mut Data) -> Result<bool, TooLarge> {
        let Self { rows, inertia, dofs, reference, primal, lanes, .. } = self;
        let mut settings = Settings::new(model, false);
        // as strict with the points as with the bodies
        let points: f64 = inertia.mass[data.M.len()..].iter().sum();
        let of_points = if points > 0.0 { 1.0 / points.max(MINVAL) } else { 0.0 };
        settings.scale = Some(model_scale(model).max(of_points));
        let jac = rows.blocks.all();
        dofs.choose_start(model, data, (jac, &reference.aref), inertia, lanes);
        let pattern = Pattern::new(&inertia.rownnz, &inertia.rowadr, &inertia.colind);
        let (ne, nf) = (data.ne, data.nf);
        let Data { efc_D, efc_R, efc_frictionloss, efc_type, efc_id, efc_force, efc_state, .. } = data;
        let (contact, solver) = (&mut data.contact, &mut data.solver);
        let mut problem = Problem {
            rows: RowsView::new((ne, nf), [efc_D, efc_R, efc_frictionloss], [efc_type, efc_id]),
            aref: &reference.aref,
            jac,
            mass: Csr::new(pattern, &inertia.mass),
            mass_ld: &inertia.ld,
            mass_diag_inv: &inertia.diag_inv,
            qfrc_smooth: &dofs.qfrc_smooth,
            qacc_smooth: &dofs.qacc_smooth,
            start: Start { jaref: &dofs.jaref, smooth: &[], ma: &dofs.ma, rows_cost: None },
            contact,
            qacc: &mut dofs.qacc,
            qfrc_constraint: &mut dofs.qfrc_constraint,
            force: efc_force,
            state: efc_state,
        };
        let outcome = primal.solve(&mut problem, &settings, 0, &mut IterationLog::new(solver, 0, 0))?;
        data.solver_niter[0] += outcome.iterations;
        data.solver_nnz[0] = outcome.nnz;
        if !outcome.converged {
            data.solver_unconverged.number += 1;
            data.solver_unconverged.lastinfo = 0;
        }
        dofs.warm.copy_from_slice(&dofs.qacc);
        // accelerations that belong to the forces exactly, so that points and bodies exchange equal momenta
        map_forces_to_joints(model, data);
        Ok(outcome.converged)
    }

    /// Sets accelerations and forces to their means over the step, and `lag` to what the substeps have moved
    /// the dofs beyond the motion by the last velocity.
    fn finish(&mut self, model: &Model, data: &mut Data, count: usize, lag: &mut Vec<f64>) {
        let (mean, rate) = (1.0 / count as f64, 1.0 / model.opt.timestep);
        for (force, sum) in data.efc_force.iter_mut().zip(&self.force) {
            *force = mean * sum;
        }
        for (qacc, change) in data.qacc.iter_mut().zip(&self.velocity) {
            *qacc = rate * change;
        }
        lag.clear();
        let end = data.qvel.iter().zip(&self.velocity).map(|(start, change)| start + change);
        lag.extend(self.moved.iter().zip(end).map(|(moved, end)| moved - model.opt.timestep * end));
        set_joint_forces(model, data);
    }

    /// Adds `Jₚ m⁻¹ Jₚᵀ` to `efc_AR`, of which all entries are stored afterwards.
    fn add_points_to_projection(&mut self, model: &Model, data: &mut Data) {
        let n = data.nefc;
        if model.is_sparse() {
            self.dense.clear();
            self.dense.resize(n * n, 0.0);
            for row in 0..n {
                let adr = data.efc_AR_rowadr[row] as usize;
                let entries = adr..adr + data.efc_AR_rownnz[row] as usize;
                for (&col, &x) in data.efc_AR_colind[entries.clone()].iter().zip(&data.efc_AR[entries]) {
                    self.dense[row * n + col as usize] = x;
                }
            }
            std::mem::swap(&mut self.dense, &mut data.efc_AR);
            data.efc_AR_rownnz.fill(n as i32);
            data.efc_AR_rowadr.clear();
            data.efc_AR_rowadr.extend((0..n).map(|row| (row * n) as i32));
            data.efc_AR_colind.clear();
            data.efc_AR_colind.extend((0..n).flat_map(|_| 0..n as i32));
            data.nA = n * n;
        }
        let PointRows { list, inverse_mass, by_point, .. } = &self.rows;
        for of_point in by_point.chunk_by(|&a, &b| list[a as usize].point == list[b as usize].point) {
            let rows = || of_point.iter().map(|&k| &list[k as usize]);
            for a in rows() {
                for b in rows() {
                    data.efc_AR[a.row * n + b.row] += inverse_mass[a.point] * a.direction.dot(&b.direction);
                }
            }
        }
    }
}

impl PointRows {
    /// Finds the rows of points and makes the Jacobian.
    fn fill(&mut self, model: &Model, data: &Data, jac: BlockJacobian<'_>, contacts: &PointContacts) {
        self.column.clear();
        self.inverse_mass.clear();
        let mut next = model.nv;
        for &mass in contacts.mass() {
            self.inverse_mass.push(1.0 / mass);
            self.column.push(mass.is_finite().then_some(next));
            next += if mass.is_finite() { 3 } else { 0 };
        }
        self.list.clear();
        let pyramidal = !model.is_elliptic();
        for (index, shares) in contacts.of_data() {
            let contact = &data.contact[index];
            let Ok(first) = usize::try_from(contact.efc_address) else { continue };
            for (r, direction) in directions(contact, pyramidal).enumerate() {
                self.list.extend(shares.iter().map(|&PointShare { point, weight }| PointRow {
                    row: first + r,
                    point,
                    direction: weight * direction,
                }));
            }
        }
        self.by_point.clear();
        self.by_point.extend(0..self.list.len() as u32);
        self.by_point.sort_unstable_by_key(|&k| (self.list[k as usize].point, k));
        self.add_columns(jac);
    }

    /// Copies the Jacobian of the model's dofs and adds the columns of points.
    fn add_columns(&mut self, jac: BlockJacobian<'_>) {
        self.blocks.clear();
        // rows of points come in the order of their contacts, which come last
        let mut rows_of_points = self.list.iter().peekable();
        for block in jac.blocks {
            for r in 0..block.rows {
                self.cols.clear();
                self.cols.extend_from_slice(jac.cols(block));
                let count = self.cols.len();
                self.own.clear();
                while let Some(own) = rows_of_points.next_if(|own| own.row == block.row + r) {
                    if let Some(column) = self.column[own.point] {
                        self.own.push((column, own.direction));
                    }
                }
                // columns are in increasing order
                self.own.sort_unstable_by_key(|(column, _)| *column);
                self.cols
                    .extend(self.own.iter().flat_map(|(column, _)| (0..3).map(|k| (*column + k) as i32)));
                let target = self.blocks.add(&self.cols, 1).as_flattened_mut();
                target.fill(0.0);
                target[..count].copy_from_slice(&jac.row(block, r).as_flattened()[..count]);
                for (entries, (_, direction)) in target[count..].chunks_exact_mut(3).zip(&self.own) {
                    entries.copy_from_slice(direction.as_slice());
                }
            }
        }
        self.blocks.find_runs();
    }
}

/// Directions of the rows of a contact: normal and tangents, or the edges of the friction pyramid.
fn directions(contact: &Contact, pyramidal: bool) -> impl Iterator<Item = Vec3> + '_ {
    let axis = |k: usize| Vec3::from_column_slice(&contact.frame[3 * k..3 * k + 3]);
    let edges = pyramidal && contact.dim > 1;
    let count = if edges { 2 * (contact.dim - 1) } else { contact.dim };
    (0..count as usize).map(move |r| {
        if !edges {
            return axis(r);
        }
        let slide = contact.friction[r / 2] * axis(r / 2 + 1);
        if r % 2 == 0 { axis(0) + slide } else { axis(0) - slide }
    })
}

/// Replaces the elements of a vector.
fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

impl Inertia {
    fn fill(&mut self, model: &Model, data: &Data, mass: &[f64], column: &[Option<usize>]) {
        copy(&mut self.rownnz, &model.M_rownnz);
        copy(&mut self.rowadr, &model.M_rowadr);
        copy(&mut self.colind, &model.M_colind);
        copy(&mut self.mass, &data.M);
        copy(&mut self.ld, &data.qLD);
        copy(&mut self.diag_inv, &data.qLDiagInv);
        for (&mass, first) in mass.iter().zip(column) {
            for col in first.iter().flat_map(|&first| first..first + 3) {
                self.rownnz.push(1);
                self.rowadr.push(self.colind.len() as i32);
                self.colind.push(col as i32);
                self.mass.push(mass);
                self.ld.push(mass);
                self.diag_inv.push(1.0 / mass);
            }
        }
    }
}

impl Dofs {
    /// Takes in the unconstrained motion of the model, and its last acceleration as a start.
    fn start(&mut self, model: &Model, data: &Data, n: usize) {
        let vectors = [
            (&mut self.qfrc_smooth, &data.qfrc_smooth[..]),
            (&mut self.qacc_smooth, &data.qacc_smooth[..]),
            (&mut self.warm, &data.qacc_warmstart[..]),
        ];
        for (own, of_data) in vectors {
            copy(own, of_data);
            own.resize(n, 0.0);
        }
        if model.disabled(DisableBit::Warmstart) {
            self.warm.clone_from(&self.qacc_smooth);
        }
        for v in [&mut self.qacc, &mut self.qfrc_constraint, &mut self.ma] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.jaref.resize(data.nefc, 0.0);
    }

    /// Sets everything for the better one of two starts: the last acceleration and the unconstrained one.
    fn choose_start(
        &mut self,
        model: &Model,
        data: &mut Data,
        rows: (BlockJacobian<'_>, &[f64]),
        inertia: &Inertia,
        lanes: &mut LaneVec,
    ) {
        self.qacc.clone_from(&self.qacc_smooth);
        let smooth = self.evaluate(model, data, rows, inertia, lanes);
        self.qacc.clone_from(&self.warm);
        if self.evaluate(model, data, rows, inertia, lanes) > smooth {
            self.qacc.clone_from(&self.qacc_smooth);
            self.evaluate(model, data, rows, inertia, lanes);
        }
    }

    /// Sets `M a` and `J a − aref` for an acceleration and returns its cost.
    fn evaluate(
        &mut self,
        model: &Model,
        data: &mut Data,
        (jac, aref): (BlockJacobian<'_>, &[f64]),
        inertia: &Inertia,
        lanes: &mut LaneVec,
    ) -> f64 {
        jac.mul(&mut self.jaref, &self.qacc, lanes);
        for (x, aref) in self.jaref.iter_mut().zip(aref) {
            *x -= aref;
        }
        let (own, points) = self.ma.split_at_mut(model.nv);
        mj_mul_m(model, data, own, &self.qacc[..model.nv]);
        let behind = self.qacc[model.nv..].iter().zip(&inertia.mass[data.M.len()..]);
        for (ma, (a, m)) in points.iter_mut().zip(behind) {
            *ma = m * a;
        }
        update_all_rows(data, &self.jaref, false)
            + 0.5 * dot_of_differences(&self.ma, &self.qfrc_smooth, &self.qacc, &self.qacc_smooth)
    }
}

impl Reference {
    /// `aref = −B v − K d r − Jₚ a₀`, from velocities, violations and free accelerations of the substep.
    fn update(
        &mut self,
        data: &Data,
        jac: BlockJacobian<'_>,
        rows: &PointRows,
        [velocity, moved]: [&[f64]; 2],
        motion: &[PointMotion],
        lanes: &mut LaneVec,
    ) {
        let n = data.nefc;
        let Self { aref, rate, shift } = self;
        for v in [&mut *rate, &mut *shift] {
            v.resize(n, 0.0);
        }
        jac.mul(rate, velocity, lanes);
        jac.mul(shift, moved, lanes);
        aref.clear();
        aref.extend_from_slice(&data.efc_aref);
        for &PointRow { row, point, direction } in &rows.list {
            let motion = &motion[point];
            rate[row] += direction.dot(&motion.velocity);
            shift[row] += direction.dot(&motion.moved);
            aref[row] -= direction.dot(&motion.acceleration);
        }
        average_edges(data, shift);
        let first_limit = data.ne + data.nf;
        for row in 0..n {
            let [stiffness, damping, impedance, _] = data.efc_KBIP[row];
            aref[row] -= damping * rate[row] + stiffness * impedance * shift[row];
            let inactive = data.efc_pos[row] + shift[row] >= data.efc_margin[row];
            // rows of friction have no position: that of the normal decides
            if row >= first_limit && inactive && !is_friction(data, row) {
                aref[row] = NOT_TOUCHING;
            }
        }
    }
}

/// Whether a row is one of friction of an elliptic contact.
fn is_friction(data: &Data, row: usize) -> bool {
    data.efc_type[row] == ConstraintType::ContactElliptic
        && data.contact[data.efc_id[row] as usize].efc_address != row as i32
}

/// The edges of a pyramid have the violation of the normal, which is the mean of two opposite ones.
fn average_edges(data: &Data, shift: &mut [f64]) {
    let mut row = data.ne + data.nf;
    while row < data.nefc {
        if data.efc_type[row] == ConstraintType::ContactPyramidal && row + 1 < data.nefc {
            let mean = 0.5 * (shift[row] + shift[row + 1]);
            shift[row..row + 2].fill(mean);
            row += 2;
        } else {
            row += 1;
        }
    }
}
