//! Derivatives of steps and of inverse dynamics, and the search for actuator length ranges.

use super::functions;
use crate::args::Out;
use crate::call::{PyData, PyModel, change, run};
use crate::errors::{fatal, index};
use kinetree_model::enums::LengthRangeMode;
use kinetree_sim as sim;
use kinetree_sim::{InverseJacobians, LengthRangeOptions};
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
        let values = target.is_some().then(|| vec![0.0; rows * cols]);
        Ok(Self { target, values })
    }

    fn write(&self) -> PyResult<()> {
        match (&self.target, &self.values) {
            (Some(target), Some(values)) => target.write(values),
            _ => Ok(()),
        }
    }
}

/// Derivatives of one step by finite differences: of the next state with respect to state (`A`) and controls
/// (`B`), and of the sensors with respect to state (`C`) and controls (`D`). Each may be None.
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
    let model = &*m.get().sound()?;
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    let mut a = Matrix::new("A", A, nx, nx)?;
    let mut b = Matrix::new("B", B, nx, nu)?;
    let mut c = Matrix::new("C", C, ns, nx)?;
    let mut s = Matrix::new("D", D, ns, nu)?;
    let (av, bv, cv, sv) = (&mut a.values, &mut b.values, &mut c.values, &mut s.values);
    run(m, d, |m, d| {
        let (a, b, c, s) = (av.as_deref_mut(), bv.as_deref_mut(), cv.as_deref_mut(), sv.as_deref_mut());
        sim::mjd_transition_fd(m, d, eps, flg_centered != 0, a, b, c, s)
    })?
    .map_err(fatal)?;
    [a, b, c, s].iter().try_for_each(Matrix::write)
}

/// Derivatives of inverse dynamics by finite differences: of the force (`Df…`), the sensors (`Ds…`) and the
/// inertia matrix (`DmDq`) with respect to position, velocity and acceleration. Rows belong to inputs; each
/// matrix may be None.
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
    let model = &*m.get().sound()?;
    let (nv, ns) = (model.nv, model.nsensordata);
    let mut matrices = [
        Matrix::new("DfDq", DfDq, nv, nv)?,
        Matrix::new("DfDv", DfDv, nv, nv)?,
        Matrix::new("DfDa", DfDa, nv, nv)?,
        Matrix::new("DsDq", DsDq, nv, ns)?,
        Matrix::new("DsDv", DsDv, nv, ns)?,
        Matrix::new("DsDa", DsDa, nv, ns)?,
        Matrix::new("DmDq", DmDq, nv, model.nM)?,
    ];
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
    run(m, d, |m, d| sim::mjd_inverse_fd(m, d, eps, flg_actuation != 0, jacobians))?.map_err(fatal)?;
    matrices.iter().try_for_each(Matrix::write)
}

/// Finds the length range of an actuator by simulation and stores it in the model; `opt` is an `MjLROpt`.
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
    functions!(module; mjd_transitionFD mjd_inverseFD mj_setLengthRange);
    Ok(())
}
