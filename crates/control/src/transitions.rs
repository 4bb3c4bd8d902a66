//! Derivatives of every step of a trajectory.

use crate::error::{ControlError, expect};
use crate::tangent::dimension;
use crate::trajectory::{expect_controls, expect_no_delay, set_row, state_size};
use crate::workers::Workers;
use kinetree_model::Model;
use kinetree_sim::mjd_transition;

/// Derivatives of the steps of a trajectory: `δx' = A δx + B δu` and `δs = C δx + D δu` with changes of the
/// state in the tangent space (positions, velocities, activations), of controls and of sensor values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transitions {
    /// Number of steps.
    pub steps: usize,
    /// Dimension of the tangent space, `2 nv + na`.
    pub nx: usize,
    /// Number of controls.
    pub nu: usize,
    /// Number of sensor values.
    pub ns: usize,
    /// `nx × nx` matrices of all steps, row by row.
    pub a: Vec<f64>,
    /// `nx × nu` matrices.
    pub b: Vec<f64>,
    /// `ns × nx` matrices; empty when they were not asked for.
    pub c: Vec<f64>,
    /// `ns × nu` matrices; empty when they were not asked for.
    pub d: Vec<f64>,
}

impl Transitions {
    /// `A` of a step.
    #[must_use]
    pub fn a(&self, step: usize) -> &[f64] {
        &self.a[step * self.nx * self.nx..][..self.nx * self.nx]
    }

    /// `B` of a step.
    #[must_use]
    pub fn b(&self, step: usize) -> &[f64] {
        &self.b[step * self.nx * self.nu..][..self.nx * self.nu]
    }

    /// `C` of a step.
    #[must_use]
    pub fn c(&self, step: usize) -> &[f64] {
        matrix(&self.c, step, self.ns * self.nx)
    }

    /// `D` of a step.
    #[must_use]
    pub fn d(&self, step: usize) -> &[f64] {
        matrix(&self.d, step, self.ns * self.nu)
    }

    /// Computes them all, in the memory that is there. States are rows of the integration state, controls
    /// rows of `nu`.
    pub(crate) fn compute(
        &mut self,
        model: &Model,
        workers: &mut Workers,
        states: &[f64],
        controls: &[f64],
        sensors: bool,
    ) -> Result<(), ControlError> {
        let (nx, nu, ns, size) = (dimension(model), model.nu, model.nsensordata, state_size(model)?);
        let steps = states.len() / size;
        (self.steps, self.nx, self.nu, self.ns) = (steps, nx, nu, ns);
        self.a.resize(steps * nx * nx, 0.0);
        self.b.resize(steps * nx * nu, 0.0);
        let with_sensors = sensors && ns > 0;
        self.c.resize(if with_sensors { steps * ns * nx } else { 0 }, 0.0);
        self.d.resize(if with_sensors { steps * ns * nu } else { 0 }, 0.0);
        let mut items: Vec<Matrices<'_>> = Vec::with_capacity(steps);
        let (mut c, mut d) = (self.c.chunks_mut((ns * nx).max(1)), self.d.chunks_mut((ns * nu).max(1)));
        let mut b = self.b.chunks_mut((nx * nu).max(1));
        for a in self.a.chunks_mut((nx * nx).max(1)) {
            items.push(Matrices { a, b: b.next(), c: c.next(), d: d.next() });
        }
        workers.for_each(&mut items, |data, step, item| {
            set_row(model, data, &states[step * size..][..size])?;
            data.ctrl.copy_from_slice(&controls[step * nu..][..nu]);
            mjd_transition(
                model,
                data,
                Some(&mut *item.a),
                item.b.as_deref_mut(),
                item.c.as_deref_mut(),
                item.d.as_deref_mut(),
            )
            .map_err(|cause| ControlError::Derivative { step, cause })
        })
    }
}

/// Where the derivatives of a step go.
struct Matrices<'a> {
    a: &'a mut [f64],
    b: Option<&'a mut [f64]>,
    c: Option<&'a mut [f64]>,
    d: Option<&'a mut [f64]>,
}

/// A matrix of a list that may be empty.
fn matrix(list: &[f64], step: usize, size: usize) -> &[f64] {
    if list.is_empty() { &[] } else { &list[step * size..][..size] }
}

/// Analytic derivatives of all steps of a trajectory, with the feature `parallel` on all threads. `states`
/// has a row of the integration state ([`state_size`]) for each step, `controls` a row of `nu`; `sensors`
/// says whether to compute `C` and `D`, too. States may come from different trajectories.
///
/// # Errors
/// When the lists do not fit the model or each other, a control is delayed, or a step has no derivatives.
pub fn transitions(
    model: &Model,
    states: &[f64],
    controls: &[f64],
    sensors: bool,
) -> Result<Transitions, ControlError> {
    expect_no_delay(model)?;
    let size = state_size(model)?;
    let steps = states.len() / size;
    expect("the list of states", states, steps * size)?;
    expect_controls(model, controls, steps)?;
    let mut found = Transitions::default();
    found.compute(model, &mut Workers::new(model, steps), states, controls, sensors)?;
    Ok(found)
}
