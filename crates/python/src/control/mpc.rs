//! Predictive control on a thread of its own.

use super::cost::{CostLists, claim_memory};
use super::sampling::method_of;
use crate::args::filled;
use crate::call::{PyData, PyModel, peek, run};
use crate::callbacks::refuse_callbacks_on_threads;
use crate::errors::{fatal, invalid};
use kinetree_control::{BackgroundMpc, Budget, Plan, Planner, SamplerSettings, Settings};
use kinetree_threads::OfProcess;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// Time that a plan begins with, cost, iterations, seconds that it took; states and controls.
type PlanLists<'py> = (f64, f64, usize, f64, [Array<'py>; 2]);

/// The latest plan; how many there were; why the last attempt has failed.
type PlannerState<'py> = (Option<PlanLists<'py>>, usize, Option<String>);

/// Settings of samples: name and numbers of the method; samples, knots, interpolation, noise and seed.
type SampleLists = ((String, f64, f64), usize, usize, String, f64, u64);

/// A controller with its planner's thread.
#[pyclass(frozen, module = "kinetree._core")]
pub(super) struct CoreMpc(OfProcess<BackgroundMpc>);

fn lists<'py>(py: Python<'py>, plan: &Plan) -> PlanLists<'py> {
    let path = plan.trajectory();
    let arrays = [&path.states, &path.controls].map(|list| PyArray1::from_slice(py, list));
    (plan.time(), plan.cost(), plan.iterations(), plan.took().as_secs_f64(), arrays)
}

#[pymethods]
impl CoreMpc {
    #[new]
    fn new(
        m: PyModel<'_, '_>,
        horizon: usize,
        cost: CostLists,
        samples: Option<SampleLists>,
        iterations: usize,
        seconds: Option<f64>,
    ) -> PyResult<Self> {
        refuse_callbacks_on_threads()?;
        let planner = match samples {
            None => Planner::Ilqr(Settings::default()),
            Some(((name, first, second), samples, knots, interpolation, noise, seed)) => {
                let method = method_of(&name, first, second)?;
                let interpolation = interpolation.parse().map_err(invalid)?;
                Planner::Sampler(SamplerSettings { method, samples, knots, interpolation, noise, seed })
            }
        };
        let time = match seconds.map(Duration::try_from_secs_f64) {
            Some(Err(problem)) => return Err(invalid(format!("time makes no sense: {problem}"))),
            time => time.and_then(Result::ok),
        };
        let (model, cost) = {
            let model = &*m.get().sound()?;
            claim_memory("the plans", planner.bytes(model, horizon, cost.has_sensors()))?;
            (Arc::new(model.clone()), Arc::new(cost.build(model)?))
        };
        let budget = Budget { iterations, time };
        let started = BackgroundMpc::start(model, horizon, planner, cost, budget);
        started.map(|mpc| Self(OfProcess::new(mpc))).map_err(invalid)
    }

    /// Shows the planner where the world is.
    fn observe(&self, m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
        let mpc = self.own()?;
        peek(m, d, |_, data| mpc.observe(data))?.map_err(invalid)
    }

    /// Plans from where the world is, and waits for that.
    fn replan<'py>(&self, m: PyModel<'_, 'py>, d: PyData<'_, 'py>) -> PyResult<PlanLists<'py>> {
        let (mpc, mut result) = (self.own()?, None);
        run(m, d, |_, data| result = Some(mpc.replan(data)))?;
        let plan = result.ok_or_else(|| fatal("the planner has ended without a plan"))?.map_err(invalid)?;
        Ok(lists(m.py(), &plan))
    }

    /// Controls of the latest plan for the present state.
    fn control<'py>(&self, m: PyModel<'_, 'py>, d: PyData<'_, 'py>) -> PyResult<Array<'py>> {
        let mut controls = filled(0.0, m.get().sound()?.nu)?;
        let mpc = self.own()?;
        peek(m, d, |_, data| mpc.control(data, &mut controls))?;
        Ok(PyArray1::from_vec(m.py(), controls))
    }

    /// The latest plan; how many there were; why the last attempt has failed.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<PlannerState<'py>> {
        let mpc = self.own()?;
        let plan = mpc.plan().map(|plan| lists(py, &plan));
        Ok((plan, mpc.plans(), mpc.problem().map(|problem| problem.to_string())))
    }
}

impl CoreMpc {
    /// The controller; an error in a process that was forked, which has no planner's thread.
    fn own(&self) -> PyResult<&BackgroundMpc> {
        let help = "a controller cannot be used in a forked process, whose planner stays with the parent: make \
                    it in the child";
        self.0.get().ok_or_else(|| fatal(help))
    }
}
