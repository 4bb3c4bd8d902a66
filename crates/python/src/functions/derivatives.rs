//! Derivatives of steps and of inverse dynamics, and the search for actuator length ranges.

use super::functions;
use crate::args::{Out, Values, filled};
use crate::call::{PyData, PyModel, change, run};
use crate::errors::{fatal, index};
use kinetree_model::enums::LengthRangeMode;
use kinetree_model::{Data, Model, is_interrupted};
use kinetree_sim as sim;
use kinetree_sim::{DerivativeError, FieldGradient, InverseJacobians, LengthRangeOptions};
use numpy::PyArray1;
use pyo3::prelude::*;

/// An optional matrix: where it goes, and a buffer for it.
struct Matrix<'py> {
    target: Option<Out<'py>>,
    values: Option<Vec<f64>>,
}

impl<'py> Matrix<'py> {
    fn new(name: &str, target: Option<Out<'py>>, rows: usize, cols: usize) -> PyResult<Self> {
        if let Some(target) = &target {
            target.expect_shape(name, rows, cols)?;
        }
        let values = target.is_some().then(|| filled(0.0, rows * cols)).transpose()?;
        Ok(Self { target, values })
    }

    fn write(&self) -> PyResult<()> {
        match (&self.target, &self.values) {
            (Some(target), Some(values)) => target.write(values),
            _ => Ok(()),
        }
    }
}

/// `A`, `B`, `C` and `D` of a step, each of which may be None, filled by `f`.
fn transition(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    [A, B, C, D]: [Option<Out<'_>>; 4],
    f: impl FnOnce(&Model, &mut Data, [Option<&mut [f64]>; 4]) -> Result<(), DerivativeError> + Send,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    let mut matrices = [
        Matrix::new("A", A, nx, nx)?,
        Matrix::new("B", B, nx, nu)?,
        Matrix::new("C", C, ns, nx)?,
        Matrix::new("D", D, ns, nu)?,
    ];
    let values = matrices.each_mut().map(|matrix| matrix.values.as_deref_mut());
    run(m, d, |m, d| f(m, d, values))?.map_err(fatal)?;
    matrices.iter().try_for_each(Matrix::write)
}

/// Derivatives of one step by finite differences: of the next state and the sensors by the state and the
/// controls.
///
/// A state change is (dq, dv, da): nv values in the tangent space of positions, nv velocities, na
/// activations. State, time and controls of `d` are restored; results such as `qacc` are those of the last
/// perturbed step, until `mj_forward` recomputes them.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     eps: perturbation, such as 1e-6.
///     flg_centered: whether differences are central, which takes twice as long and is more accurate.
///     A: array (2nv + na, 2nv + na) for the derivative of the next state by the state, or None.
///     B: array (2nv + na, nu) for the derivative of the next state by the controls, or None.
///     C: array (nsensordata, 2nv + na) for the derivative of the sensors by the state, or None.
///     D: array (nsensordata, nu) for the derivative of the sensors by the controls, or None.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_centered, A=None, B=None, C=None, D=None))]
fn mjd_transitionFD(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    eps: f64,
    flg_centered: i64,
    A: Option<Out<'_>>,
    B: Option<Out<'_>>,
    C: Option<Out<'_>>,
    D: Option<Out<'_>>,
) -> PyResult<()> {
    transition(m, d, [A, B, C, D], |m, d, [a, b, c, s]| {
        sim::mjd_transition_fd(m, d, eps, flg_centered != 0, a, b, c, s)
    })
}

/// Analytic derivatives of one step, through contacts and the solver: of the next state and the sensors by
/// the state and the controls.
///
/// The layout is that of `mjd_transitionFD`; no step size is needed.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     A: array (2nv + na, 2nv + na) for the derivative of the next state by the state, or None.
///     B: array (2nv + na, nu) for the derivative of the next state by the controls, or None.
///     C: array (nsensordata, 2nv + na) for the derivative of the sensors by the state, or None.
///     D: array (nsensordata, nu) for the derivative of the sensors by the controls, or None.
///
/// Raises:
///     FatalError: something in the model has no analytic derivative; the message names it.
///
/// Example::
///
///     n = 2 * model.nv + model.na
///     A, B = np.zeros((n, n)), np.zeros((n, model.nu))
///     kinetree.mjd_transition(model, data, A, B)
#[pyfunction]
#[pyo3(signature = (m, d, A=None, B=None, C=None, D=None))]
fn mjd_transition(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    A: Option<Out<'_>>,
    B: Option<Out<'_>>,
    C: Option<Out<'_>>,
    D: Option<Out<'_>>,
) -> PyResult<()> {
    transition(m, d, [A, B, C, D], |m, d, [a, b, c, s]| sim::mjd_transition(m, d, a, b, c, s))
}

/// Lets the contacts of a model begin softly, at a distance from where they would.
#[pyfunction]
fn smooth_contacts(m: PyModel<'_, '_>, radius: f64) -> PyResult<()> {
    m.get().edit(|model| sim::smooth_contacts(model, radius))?.map_err(fatal)
}

/// The change of the next state when state and controls change by `dx` and `du`.
#[pyfunction]
fn step_jvp<'py>(
    py: Python<'py>,
    m: PyModel<'py, '_>,
    d: PyData<'py, '_>,
    dx: Values,
    du: Values,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let model = &*m.get().sound()?;
    let nx = 2 * model.nv + model.na;
    dx.expect("dx", nx)?;
    du.expect("du", model.nu)?;
    let mut next = vec![0.0; nx];
    run(m, d, |m, d| sim::step_jvp(m, d, &dx.values, &du.values, &mut next))?.map_err(fatal)?;
    Ok(PyArray1::from_vec(py, next))
}

/// Gradients: with respect to the state, the controls, and fields of the model in the order of their names.
type Gradients<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Vec<Bound<'py, PyArray1<f64>>>);

/// Reverse mode along a trajectory: gradients with respect to the first state, all controls and fields of the
/// model, of a loss whose gradients with respect to the states after each step are given.
#[pyfunction]
fn rollout_vjp<'py>(
    py: Python<'py>,
    m: PyModel<'py, '_>,
    d: PyData<'py, '_>,
    controls: Values,
    state_gradients: Values,
    fields: Vec<String>,
) -> PyResult<Gradients<'py>> {
    let model = &*m.get().sound()?;
    let nx = 2 * model.nv + model.na;
    let steps = state_gradients.len().checked_div(nx).unwrap_or(0);
    state_gradients.expect_shape("state_gradients", steps, nx)?;
    controls.expect_shape("controls", steps, model.nu)?;
    let (mut dx, mut du) = (filled(0.0, nx)?, filled(0.0, steps * model.nu)?);
    let mut values = Vec::new();
    for field in &fields {
        values.push(filled(0.0, sim::field_gradient_size(model, field).map_err(fatal)?)?);
    }
    let mut outputs: Vec<_> =
        fields.iter().zip(&mut values).map(|(field, values)| FieldGradient { field, values }).collect();
    run(m, d, |m, d| {
        let (controls, gradients) = (&controls.values, &state_gradients.values);
        let go_on = &mut || !is_interrupted();
        sim::rollout_vjp_watched(m, d, controls, gradients, &mut dx, &mut du, &mut outputs, go_on)
            .map_err(fatal)
    })??;
    let array = |values| PyArray1::from_vec(py, values);
    Ok((array(dx), array(du), values.into_iter().map(array).collect()))
}

/// Reverse mode of one step: as `rollout_vjp`, but the state of the data remains.
#[pyfunction]
fn step_vjp<'py>(
    py: Python<'py>,
    m: PyModel<'py, '_>,
    d: PyData<'py, '_>,
    adjoint: Values,
    fields: Vec<String>,
) -> PyResult<Gradients<'py>> {
    let model = &*m.get().sound()?;
    let nx = 2 * model.nv + model.na;
    adjoint.expect("adjoint", nx)?;
    let (mut dx, mut du) = (vec![0.0; nx], vec![0.0; model.nu]);
    run(m, d, |m, d| sim::step_vjp(m, d, &adjoint.values, &mut dx, &mut du))?.map_err(fatal)?;
    let mut gradients = Vec::new();
    for field in &fields {
        let mut values = vec![0.0; sim::field_gradient_size(model, field).map_err(fatal)?];
        run(m, d, |m, d| sim::step_field_vjp(m, d, &adjoint.values, field, &mut values))?.map_err(fatal)?;
        gradients.push(PyArray1::from_vec(py, values));
    }
    Ok((PyArray1::from_vec(py, dx), PyArray1::from_vec(py, du), gradients))
}

/// The matrices of derivatives of inverse dynamics, in the order of their arguments, filled by `f`.
fn inverse(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    targets: [Option<Out<'_>>; 7],
    f: impl FnOnce(&Model, &mut Data, InverseJacobians<'_>) -> Result<(), DerivativeError> + Send,
) -> PyResult<()> {
    let model = &*m.get().sound()?;
    let (nv, ns) = (model.nv, model.nsensordata);
    let names = ["DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"];
    let widths = [nv, nv, nv, ns, ns, ns, model.nM];
    let mut matrices = Vec::new();
    for ((name, width), target) in names.into_iter().zip(widths).zip(targets) {
        matrices.push(Matrix::new(name, target, nv, width)?);
    }
    let mut buffers = matrices.iter_mut().map(|matrix| matrix.values.as_deref_mut());
    let mut next = || buffers.next().flatten();
    let jacobians = InverseJacobians {
        force_position: next(),
        force_velocity: next(),
        force_acceleration: next(),
        sensor_position: next(),
        sensor_velocity: next(),
        sensor_acceleration: next(),
        inertia_position: next(),
    };
    run(m, d, |m, d| f(m, d, jacobians))?.map_err(fatal)?;
    matrices.iter().try_for_each(Matrix::write)
}

/// Derivatives of inverse dynamics by finite differences. Row i belongs to the perturbation of input i.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     eps: perturbation, such as 1e-6.
///     flg_actuation: whether actuator forces are subtracted from the force.
///     DfDq: array (nv, nv) for the derivative of the force by position, or None.
///     DfDv: the same by velocity.
///     DfDa: the same by acceleration.
///     DsDq: array (nv, nsensordata) for the derivative of the sensors by position, or None.
///     DsDv: the same by velocity.
///     DsDa: the same by acceleration.
///     DmDq: array (nv, nM) for the derivative of the inertia matrix, in the order of `qM`, by position,
///         or None.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq=None, DfDv=None, DfDa=None, DsDq=None, DsDv=None, DsDa=None, DmDq=None))]
fn mjd_inverseFD(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    eps: f64,
    flg_actuation: i64,
    DfDq: Option<Out<'_>>,
    DfDv: Option<Out<'_>>,
    DfDa: Option<Out<'_>>,
    DsDq: Option<Out<'_>>,
    DsDv: Option<Out<'_>>,
    DsDa: Option<Out<'_>>,
    DmDq: Option<Out<'_>>,
) -> PyResult<()> {
    inverse(m, d, [DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq], |m, d, out| {
        sim::mjd_inverse_fd(m, d, eps, flg_actuation != 0, out)
    })
}

/// Analytic derivatives of inverse dynamics, in the layout of `mjd_inverseFD`: row i belongs to input i.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     flg_actuation: whether actuator forces are subtracted from the force.
///     DfDq: array (nv, nv) for the derivative of the force by position, or None.
///     DfDv: the same by velocity.
///     DfDa: the same by acceleration.
///     DsDq: array (nv, nsensordata) for the derivative of the sensors by position, or None.
///     DsDv: the same by velocity.
///     DsDa: the same by acceleration.
///     DmDq: array (nv, nM) for the derivative of the inertia matrix, in the order of `qM`, by position,
///         or None.
///
/// Raises:
///     FatalError: something in the model has no analytic derivative; the message names it.
#[pyfunction]
#[pyo3(signature = (m, d, flg_actuation, DfDq=None, DfDv=None, DfDa=None, DsDq=None, DsDv=None, DsDa=None, DmDq=None))]
fn mjd_inverse(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    flg_actuation: i64,
    DfDq: Option<Out<'_>>,
    DfDv: Option<Out<'_>>,
    DfDa: Option<Out<'_>>,
    DsDq: Option<Out<'_>>,
    DsDv: Option<Out<'_>>,
    DsDa: Option<Out<'_>>,
    DmDq: Option<Out<'_>>,
) -> PyResult<()> {
    inverse(m, d, [DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq], |m, d, out| {
        sim::mjd_inverse(m, d, flg_actuation != 0, out)
    })
}

/// Finds the shortest and longest length of an actuator by simulation and stores them in
/// `m.actuator_lengthrange`.
///
/// Args:
///     m: the model, which is changed.
///     d: its data, an `MjData`.
///     index: id of the actuator.
///     opt: how to search, an `MjLROpt`.
///
/// Raises:
///     FatalError: the length does not converge.
#[pyfunction]
fn mj_setLengthRange(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    index: i64,
    opt: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let actuator = self::index("actuator", index, m.get().read()?.nu)?;
    let number = |name: &str| opt.getattr(name)?.extract::<f64>();
    let options = LengthRangeOptions {
        mode: LengthRangeMode::try_from(number("mode")? as i32).map_err(fatal)?,
        useexisting: number("useexisting")? != 0.0,
        uselimit: number("uselimit")? != 0.0,
        accel: number("accel")?,
        maxforce: number("maxforce")?,
        timeconst: number("timeconst")?,
        timestep: number("timestep")?,
        inttotal: number("inttotal")?,
        interval: number("interval")?,
        tolrange: number("tolrange")?,
    };
    change(m, d, |model, data| sim::mj_set_length_range(model, data, actuator, &options))?.map_err(fatal)?;
    Ok(true)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mjd_transitionFD mjd_transition smooth_contacts step_jvp step_vjp rollout_vjp);
    functions!(module; mjd_inverseFD mjd_inverse mj_setLengthRange);
    Ok(())
}
