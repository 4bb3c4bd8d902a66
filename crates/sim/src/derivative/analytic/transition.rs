//! Analytic derivatives of a step: `A` and `B` of `x' = f(x, u)`.
//!
//! Integrators advance with `ã`, the root of `M̂ ã = M a`, where `M̂ = M − h D` takes part of the forces
//! implicitly. Then `∂ã = ∂a + M̂⁻¹ (h D ∂a + ∂M (a − ã) + h ∂D ã)`.

use super::actuator;
use super::inverse_dynamics::add_inertia_slope;
use super::linearize::{Linearization, add_inertia};
use super::motion::MotionField;
use super::parameters::FieldScratch;
use super::refuse::{check_model, check_state};
use super::{dense_ltdl, implicit};
use crate::damped_inertia::has_implicit_damping;
use crate::derivative::transition::expect;
use crate::derivative::{DerivativeError, dof_damping_slope};
use crate::forces::passive::with_dof_damping;
use crate::forward::{Purpose, forward};
use crate::workspace::Workspace;
use kinetree_math::Vec3;
use kinetree_math::rot::quat_integrate_deriv;
use kinetree_model::enums::{Integrator, JointType, Stage};
use kinetree_model::{Data, Model};

/// Working memory of [`mjd_transition`].
#[derive(Default)]
pub(crate) struct TransitionScratch {
    pub(super) linear: Linearization,
    pub(super) step: StepSlope,
    pub(super) fields: FieldScratch,
}

/// The derivative of the acceleration that an integrator advances with.
#[derive(Default)]
pub(super) struct StepSlope {
    /// `ã`.
    pub(super) qacc: Vec<f64>,
    /// `a − ã`, as a motion field and as joint-space values.
    difference: Vec<f64>,
    field: MotionField,
    /// `M̂`, factored.
    pub(super) matrix: Vec<f64>,
    /// `∂ã`, row by row.
    pub(super) slope: Vec<f64>,
    /// Rows of the next velocity.
    velocity_rows: Vec<f64>,
    pub(super) implicit: implicit::ImplicitSlopes,
}

/// Analytic derivatives of one step: `A`, of the next state with respect to the state, `B`, with respect to
/// the controls, laid out as those of [`mjd_transition_fd`](crate::mjd_transition_fd). Each may be left out;
/// `C` and `D`, of sensors, are refused unless they are empty. The state remains as it was; what follows from
/// it is evaluated.
///
/// # Errors
/// When a matrix has the wrong size, the dynamics cannot be evaluated, or something has no analytic
/// derivative, which the error names.
#[allow(clippy::needless_pass_by_value)] // the signature of its finite differences
pub(crate) fn mjd_transition(
    model: &Model,
    data: &mut Data,
    work: &mut Workspace,
    a: Option<&mut [f64]>,
    b: Option<&mut [f64]>,
    c: Option<&mut [f64]>,
    d: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let (nv, na, nu, ns) = (model.nv, model.na, model.nu, model.nsensordata);
    let nx = 2 * nv + na;
    expect("A", a.as_deref(), nx * nx)?;
    expect("B", b.as_deref(), nx * nu)?;
    expect("C", c.as_deref(), ns * nx)?;
    expect("D", d.as_deref(), ns * nu)?;
    if ns > 0 && (c.is_some() || d.is_some()) {
        return Err(DerivativeError::Unsupported("an analytic derivative of sensors"));
    }
    evaluate(model, data, work)?;
    let TransitionScratch { linear, step, .. } = &mut work.transition;
    let width = linear.gradient.width;
    if let Some(a) = a {
        step.write(model, data, linear, a, width, 0..nx);
    }
    if let Some(b) = b {
        step.write(model, data, linear, b, width, nx..nx + nu);
    }
    Ok(())
}

/// Evaluates the dynamics and linearizes the step.
pub(super) fn evaluate(model: &Model, data: &mut Data, work: &mut Workspace) -> Result<(), DerivativeError> {
    check_model(model)?;
    forward(model, data, &mut work.stages, Stage::None, true, Purpose::Evaluation, None)?;
    check_state(model, data)?;
    let TransitionScratch { linear, step, .. } = &mut work.transition;
    linear.set(model, data)?;
    step.set(model, data, linear, &mut work.stages.derivative)
}

impl StepSlope {
    fn set(
        &mut self,
        model: &Model,
        data: &mut Data,
        linear: &mut Linearization,
        derivative: &mut crate::derivative::DerivativeScratch,
    ) -> Result<(), DerivativeError> {
        self.implicit.clear();
        self.slope.clone_from(&linear.slope);
        self.qacc.clear();
        self.qacc.extend_from_slice(&data.qacc);
        match Integrator::try_from(model.opt.integrator) {
            Ok(Integrator::Euler) if has_implicit_damping(model, data) => {
                self.damped(model, data, linear);
                Ok(())
            }
            Ok(Integrator::Euler) => Ok(()),
            Ok(Integrator::Implicitfast | Integrator::Implicit) => {
                implicit::advance(self, model, data, linear, derivative)
            }
            _ => Err(DerivativeError::Unsupported("this integrator")),
        }
    }

    /// Euler with dampers: `D` is minus the diagonal of their slopes.
    fn damped(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        self.matrix.clear();
        self.matrix.resize(nv * nv, 0.0);
        add_inertia(model, data, &mut self.matrix);
        for dof in 0..nv {
            let slope = h * dof_damping_slope(model, data, dof);
            self.matrix[dof * nv + dof] += slope;
            for x in &mut self.slope[dof * width..(dof + 1) * width] {
                *x *= -slope;
            }
            self.qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
        }
        dense_ltdl::factor(&mut self.matrix, nv);
        dense_ltdl::solve(&self.matrix, nv, &mut self.qacc, 1);
        for dof in 0..nv {
            let curvature = damping_curvature(model, data, dof);
            self.slope[dof * width + nv + dof] -= h * curvature * self.qacc[dof];
        }
        self.add_inertia_difference(model, data, linear);
        dense_ltdl::solve(&self.matrix, nv, &mut self.slope, width);
        for (total, own) in self.slope.iter_mut().zip(&linear.slope) {
            *total += own;
        }
    }

    /// Adds `∂M (a − ã)` to the right-hand side in `slope`.
    pub(super) fn add_inertia_difference(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let width = linear.gradient.width;
        self.difference.clear();
        self.difference.extend(data.qacc.iter().zip(&self.qacc).map(|(a, b)| a - b));
        self.field.set(model, &data.cdof, &self.difference);
        add_inertia_slope(model, data, &mut linear.terms, &self.field, 1.0, &mut self.slope, width);
    }

    /// Writes the derivative of the next state with respect to a range of inputs.
    fn write(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        out: &mut [f64],
        width: usize,
        inputs: std::ops::Range<usize>,
    ) {
        let (nv, na, h, n) = (model.nv, model.na, model.opt.timestep, inputs.len());
        if n == 0 {
            return;
        }
        let (positions, rest) = out.split_at_mut(nv * n);
        let (velocities, activations) = rest.split_at_mut(nv * n);
        for dof in 0..nv {
            let row = &mut velocities[dof * n..(dof + 1) * n];
            let slope = &self.slope[dof * width..(dof + 1) * width][inputs.clone()];
            for (out, slope) in row.iter_mut().zip(slope) {
                *out = h * slope;
            }
            if inputs.contains(&(nv + dof)) {
                row[nv + dof - inputs.start] += 1.0;
            }
        }
        self.velocity_rows.clear();
        self.velocity_rows.extend_from_slice(velocities);
        self.implicit.replace_rows(nv, width, &inputs, velocities, &mut self.velocity_rows);
        write_positions(model, data, self, positions, n, &inputs);
        activations.fill(0.0);
        for i in 0..na {
            if inputs.contains(&(2 * nv + i)) {
                activations[i * n + 2 * nv + i - inputs.start] = 1.0;
            }
        }
        for (i, slopes) in linear.actuators.iter().enumerate() {
            let Some(at) = actuator::activation(model, i) else { continue };
            for (input, value) in
                [(2 * nv + at, slopes.next_activation), (2 * nv + na + i, slopes.next_control)]
            {
                if inputs.contains(&input) {
                    activations[at * n + input - inputs.start] = value;
                }
            }
        }
    }
}

/// Second derivative of a dof's damping force, without its sign.
pub(super) fn damping_curvature(model: &Model, data: &Data, dof: usize) -> f64 {
    let v = data.qvel[dof];
    with_dof_damping(model, dof, |_, poly| {
        // the mean of both sides where the velocity changes its sign
        kinetree_math::misc::sign(v) * (2.0 * poly[0] + 6.0 * poly[1] * v.abs())
    })
}

/// Rows of the next positions from those of the velocity that moves them.
fn write_positions(
    model: &Model,
    data: &Data,
    step: &StepSlope,
    out: &mut [f64],
    n: usize,
    inputs: &std::ops::Range<usize>,
) {
    let h = model.opt.timestep;
    let unit = |row: usize, column: usize| f64::from(u8::from(inputs.start + column == row));
    for joint in 0..model.njnt {
        let mut dof = model.jnt_dofadr[joint] as usize;
        let kind = model.jnt_type[joint];
        let rotates = kind == JointType::Ball || kind == JointType::Free;
        let straight = if kind == JointType::Free { 3 } else { usize::from(!rotates) };
        for d in dof..dof + straight {
            for c in 0..n {
                out[d * n + c] = unit(d, c) + h * step.velocity_rows[d * n + c];
            }
        }
        dof += straight;
        if !rotates {
            continue;
        }
        let velocity = |k: usize| step.moving_velocity(data, dof + k, h);
        let omega = Vec3::new(velocity(0), velocity(1), velocity(2));
        let turn = quat_integrate_deriv(&omega, h);
        for c in 0..n {
            let by_velocity = Vec3::from_fn(|k, _| h * step.velocity_rows[(dof + k) * n + c]);
            let by_position = Vec3::from_fn(|k, _| unit(dof + k, c));
            let total = turn.quat * by_position + turn.vel * by_velocity;
            for k in 0..3 {
                out[(dof + k) * n + c] = total[k];
            }
        }
    }
}

impl StepSlope {
    /// The velocity that moves the position of a dof.
    fn moving_velocity(&self, data: &Data, dof: usize, h: f64) -> f64 {
        self.implicit.moving_velocity(dof).unwrap_or(data.qvel[dof] + h * self.qacc[dof])
    }
}
