//! `CoreSolver`: inverse kinematics of one chain.

use super::chain::CoreChain;
use super::convert::{array, fault};
use crate::args::{Fixed, Values};
use crate::errors::{claim, fatal};
use crate::lock::Turns;
use crate::panics::guarded;
use crate::signals::watched;
use kinetree_ik::{Chain, Settings, Solution, Solver, Target};
use kinetree_model::SharedWatch;
use kinetree_threads::Pool;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{Scope, ThreadPool};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A solver with its working memory, boxed since lanes need a larger alignment than Python gives its objects.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreSolver {
    solver: Box<Turns<Solver>>,
    nq: usize,
}

/// Invariant: nothing in the objects that Python places needs a larger alignment than Python gives.
const _: () = assert!(align_of::<CoreSolver>() <= 16);

/// The target that the arguments ask for.
fn target(
    pos: Option<Fixed<3>>,
    quat: Option<Fixed<4>>,
    axis: Option<(Fixed<3>, Fixed<3>)>,
    weights: Option<Fixed<6>>,
) -> PyResult<Target> {
    let target = match (pos, quat, axis) {
        (Some(pos), Some(quat), None) => Target::new(&pos.0, &quat.0),
        (Some(pos), None, None) => Target::position(&pos.0),
        (None, Some(quat), None) => Target::orientation(&quat.0),
        (None, None, Some((local, direction))) => Target::axis(&local.0, &direction.0),
        (Some(pos), None, Some((local, direction))) => {
            Target::axis(&local.0, &direction.0).and_then(|target| target.at(&pos.0))
        }
        (_, Some(_), Some(_)) => return Err(PyValueError::new_err("give a quaternion or an axis, not both")),
        (None, None, None) => return Err(PyValueError::new_err("give a position, a quaternion or an axis")),
    };
    let target = target.map_err(fault)?;
    let Some(Fixed([a, b, c, d, e, f])) = weights else { return Ok(target) };
    target.weighted(&[a, b, c], &[d, e, f]).map_err(fault)
}

/// A solution as a dictionary of its fields.
fn as_dict<'py>(py: Python<'py>, solution: Solution) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (nq, joints) = (solution.q.len(), solution.active_limits.len());
    dict.set_item("q", array(py, solution.q, &[nq])?)?;
    dict.set_item("converged", solution.converged)?;
    dict.set_item("position_error", solution.position_error)?;
    dict.set_item("rotation_error", solution.rotation_error)?;
    dict.set_item("iterations", solution.iterations)?;
    dict.set_item("restarts", solution.restarts)?;
    dict.set_item("active_limits", array(py, solution.active_limits, &[joints])?)?;
    Ok(dict)
}

impl CoreSolver {
    /// Runs `f` on the solver with the interpreter lock released.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Solver) -> Result<R, kinetree_ik::IkError> + Send,
    ) -> PyResult<R> {
        self.solver.with(py, |solver| watched(|| f(solver)))??.map_err(fault)
    }

    /// Solutions of many targets; signal handlers run meanwhile.
    fn solutions(
        &self,
        py: Python<'_>,
        targets: &[Target],
        seeds: Option<&[f64]>,
        threads: usize,
    ) -> PyResult<Vec<Solution>> {
        let own = (threads > 0).then(|| Pool::new(threads)).transpose().map_err(PyValueError::new_err)?;
        claim("the solutions", targets.len().saturating_mul(self.bytes_per_solution()))?;
        let found = self.with(py, |solver| {
            let pool = match own.as_ref().map(Pool::get) {
                Some(Ok(pool)) => Some(pool),
                _ => kinetree_threads::shared().ok().flatten(),
            };
            Ok(on_pool(pool, || solver.solve_batch(targets, seeds)))
        });
        found??.map_err(fault)
    }

    /// About how much memory a solution takes.
    fn bytes_per_solution(&self) -> usize {
        size_of::<Solution>() + 128 + 2 * size_of::<f64>() * self.nq
    }
}

/// Calls `work` on a thread of a pool, while this one looks for signals.
fn on_pool<R: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let (watch, result, caller) = (SharedWatch::of_this_thread(), Mutex::new(None), thread::current());
    let (watch, result) = (&watch, &result);
    let take = || result.lock().unwrap_or_else(PoisonError::into_inner);
    in_scope(pool, |scope| {
        scope.spawn(move |_| {
            let done = guarded(|| watch.continued(work));
            *take() = Some(done);
            caller.unpark();
        });
        watch.wait(|| take().is_some());
    });
    let interrupted = || fatal("the call was interrupted");
    let done = take().take();
    done.ok_or_else(interrupted)??.map_err(|_| interrupted())
}

/// Calls a function on this thread that may call threads of a pool, and waits for them.
fn in_scope<'scope, R>(pool: Option<&ThreadPool>, call: impl FnOnce(&Scope<'scope>) -> R) -> R {
    match pool {
        Some(pool) => pool.in_place_scope(call),
        None => rayon::in_place_scope(call),
    }
}

#[pymethods]
impl CoreSolver {
    #[new]
    fn new(
        chain: &Bound<'_, CoreChain>,
        position_tolerance: f64,
        rotation_tolerance: f64,
        max_restarts: usize,
        max_iterations: usize,
    ) -> PyResult<Self> {
        let settings = Settings { position_tolerance, rotation_tolerance, max_restarts, max_iterations };
        let chain = Chain::clone(&chain.get().chain);
        let nq = chain.nq();
        let solver = Box::new(Turns::new(Solver::new(chain, settings).map_err(fault)?));
        Ok(Self { solver, nq })
    }

    #[pyo3(signature = (mode, pos, quat, seed, axis, weights))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        mode: &str,
        pos: Option<Fixed<3>>,
        quat: Option<Fixed<4>>,
        seed: Option<Values>,
        axis: Option<(Fixed<3>, Fixed<3>)>,
        weights: Option<Fixed<6>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let target = target(pos, quat, axis, weights)?;
        let seed = seed.map(|seed| seed.values);
        let nearest = mode == "nearest";
        let solution = self.with(py, |solver| match nearest {
            true => solver.solve_nearest(&target, seed.as_deref()),
            false => solver.solve(&target, seed.as_deref()),
        })?;
        as_dict(py, solution)
    }

    #[pyo3(signature = (count, pos, quat, seed, axis, weights))]
    fn solve_all<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        pos: Option<Fixed<3>>,
        quat: Option<Fixed<4>>,
        seed: Option<Values>,
        axis: Option<(Fixed<3>, Fixed<3>)>,
        weights: Option<Fixed<6>>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let target = target(pos, quat, axis, weights)?;
        let seed = seed.map(|seed| seed.values);
        let all = self.with(py, |solver| solver.solve_all(&target, seed.as_deref(), count))?;
        all.into_iter().map(|solution| as_dict(py, solution)).collect()
    }

    #[pyo3(signature = (pos, quat, seeds, threads))]
    fn solve_batch<'py>(
        &self,
        py: Python<'py>,
        pos: Values,
        quat: Values,
        seeds: Option<Values>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let ([n, 3], [m, 4]) = (&pos.shape[..], &quat.shape[..]) else {
            return Err(PyTypeError::new_err(format!(
                "targets must have the shapes (n, 3) and (n, 4), they have {:?} and {:?}",
                pos.shape, quat.shape
            )));
        };
        if n != m {
            return Err(PyTypeError::new_err(format!("there are {n} positions and {m} quaternions")));
        }
        let targets = pos
            .values
            .as_chunks()
            .0
            .iter()
            .zip(quat.values.as_chunks().0)
            .enumerate()
            .map(|(i, (pos, quat))| {
                Target::new(pos, quat).map_err(|e| PyValueError::new_err(format!("target {i}: {e}")))
            })
            .collect::<PyResult<Vec<_>>>()?;
        let solutions =
            self.solutions(py, &targets, seeds.as_ref().map(|seeds| &seeds.values[..]), threads)?;
        let count = solutions.len();
        let dict = PyDict::new(py);
        dict.set_item(
            "q",
            array(py, solutions.iter().flat_map(|s| s.q.clone()).collect(), &[count, self.nq])?,
        )?;
        let scalar = |f: fn(&Solution) -> f64| array(py, solutions.iter().map(f).collect(), &[count]);
        let whole = |f: fn(&Solution) -> i64| array(py, solutions.iter().map(f).collect(), &[count]);
        dict.set_item("converged", array(py, solutions.iter().map(|s| s.converged).collect(), &[count])?)?;
        dict.set_item("position_error", scalar(|s| s.position_error)?)?;
        dict.set_item("rotation_error", scalar(|s| s.rotation_error)?)?;
        dict.set_item("iterations", whole(|s| s.iterations as i64)?)?;
        dict.set_item("restarts", whole(|s| s.restarts as i64)?)?;
        let joints = solutions.first().map_or(0, |s| s.active_limits.len());
        let sides = solutions.iter().flat_map(|s| s.active_limits.clone()).collect();
        dict.set_item("active_limits", array(py, sides, &[count, joints])?)?;
        Ok(dict)
    }
}
