//! Whole-body inverse kinematics: configurations, tasks and limits.

use super::convert::{array, fault, find_frame};
use crate::args::{Fixed, Values};
use crate::lock::Brief;
use crate::memory::Shared;
use crate::model::CoreModel;
use crate::panics::guarded;
use crate::signals::watched;
use kinetree_ik::Pose;
use kinetree_ik::whole_body::{
    CollisionAvoidanceLimit, ComTask, Configuration, ConfigurationLimit, DampingTask, EqualityConstraintTask,
    FrameTask, GlobalSettings, Limit, LookAtTask, PostureTask, Task, TaskOptions, VelocityLimit,
    WholeBodySolver,
};
use numpy::PyArrayDyn;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

/// Joint positions of a model with their kinematics.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreConfiguration {
    model: Py<CoreModel>,
    state: Arc<Shared<(Configuration, WholeBodySolver)>>,
}

/// Invariant: nothing in the objects that Python places needs a larger alignment than Python gives.
const _: () = assert!(
    align_of::<CoreConfiguration>() <= 16 && align_of::<CoreTask>() <= 16 && align_of::<CoreLimit>() <= 16
);

/// A task.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreTask(Brief<Task>);

/// A limit.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreLimit(Limit);

/// The tasks in a list.
fn collect(tasks: &[Py<CoreTask>]) -> Vec<Task> {
    tasks.iter().map(|task| task.get().0.with(|task| task.clone())).collect()
}

fn collect_limits(limits: &[Py<CoreLimit>]) -> Vec<Limit> {
    limits.iter().map(|limit| limit.get().0.clone()).collect()
}

#[pymethods]
impl CoreConfiguration {
    #[new]
    fn new(py: Python<'_>, model: Py<CoreModel>) -> PyResult<Self> {
        let configuration = {
            let model = model.bind(py).get();
            model.check_indices()?;
            let m = model.read()?;
            guarded(|| Configuration::new(&m))?.map_err(fault)?
        };
        Ok(Self { state: Shared::new((configuration, WholeBodySolver::new())), model })
    }

    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let q = self.state.read()?.0.q().to_vec();
        let n = q.len();
        array(py, q, &[n])
    }

    fn update(&self, q: Values) -> PyResult<()> {
        self.run(|m, configuration, _| configuration.update(m, &q.values))
    }

    fn update_from_keyframe(&self, key: usize) -> PyResult<()> {
        self.run(|m, configuration, _| configuration.update_from_keyframe(m, key))
    }

    fn integrate_inplace(&self, velocity: Values, dt: f64) -> PyResult<()> {
        self.run(|m, configuration, _| configuration.integrate_inplace(m, &velocity.values, dt))
    }

    fn frame_pose<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        kind: Option<&str>,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let frame = find_frame(&*self.model.get().read()?, name, kind)?;
        let pose = self.run(|m, configuration, _| configuration.frame_pose(m, frame))?;
        Ok((array(py, pose.pos.as_slice().to_vec(), &[3])?, array(py, pose.quat().to_vec(), &[4])?))
    }

    fn frame_jacobian<'py>(&self, py: Python<'py>, name: &str, kind: Option<&str>) -> PyResult<Array<'py>> {
        let (frame, nv) = {
            let model = self.model.get().read()?;
            (find_frame(&model, name, kind)?, model.nv)
        };
        let mut jacobian = vec![0.0; 6 * nv];
        self.run(|m, configuration, _| configuration.frame_jacobian(m, frame, &mut jacobian))?;
        array(py, jacobian, &[6, nv])
    }

    fn center_of_mass<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let center = self.state.read()?.0.data().subtree_com[0];
        array(py, center.to_vec(), &[3])
    }

    fn solve_ik<'py>(
        &self,
        py: Python<'py>,
        tasks: Vec<Py<CoreTask>>,
        dt: f64,
        damping: f64,
        limits: Vec<Py<CoreLimit>>,
        constraints: Vec<Py<CoreTask>>,
    ) -> PyResult<Array<'py>> {
        let (tasks, constraints, limits) = (collect(&tasks), collect(&constraints), collect_limits(&limits));
        let nv = self.model.get().read()?.nv;
        let mut velocity = vec![0.0; nv];
        self.run(|m, configuration, solver| {
            solver.solve_ik(m, configuration, &tasks, dt, damping, &limits, &constraints, &mut velocity)
        })?;
        array(py, velocity, &[nv])
    }

    fn solve_global(
        &self,
        tasks: Vec<Py<CoreTask>>,
        limits: Vec<Py<CoreLimit>>,
        constraints: Vec<Py<CoreTask>>,
        max_iterations: usize,
        error_tolerance: f64,
    ) -> PyResult<(bool, f64, usize)> {
        let (tasks, constraints, limits) = (collect(&tasks), collect(&constraints), collect_limits(&limits));
        let settings = GlobalSettings { max_iterations, error_tolerance, ..GlobalSettings::default() };
        let end = self.run(|m, configuration, solver| {
            solver.solve_global(m, configuration, &tasks, &limits, &constraints, &settings)
        })?;
        Ok((end.converged, end.error, end.iterations))
    }
}

impl CoreConfiguration {
    /// Runs `f` on the configuration; a panic becomes an exception.
    fn run<R>(
        &self,
        f: impl FnOnce(
            &kinetree_model::Model,
            &mut Configuration,
            &mut WholeBodySolver,
        ) -> Result<R, kinetree_ik::IkError>,
    ) -> PyResult<R> {
        self.model.get().check_indices()?;
        let model = self.model.get().read()?;
        self.state
            .with(|(configuration, solver)| watched(|| guarded(|| f(&model, configuration, solver))))???
            .map_err(fault)
    }
}

/// One cost for three directions, or one for each.
fn three(cost: &Values) -> PyResult<[f64; 3]> {
    match cost.values[..] {
        [one] => Ok([one; 3]),
        [a, b, c] => Ok([a, b, c]),
        _ => Err(PyTypeError::new_err(format!(
            "a cost must be one or three numbers, not {}",
            cost.values.len()
        ))),
    }
}

impl CoreTask {
    fn wrap(task: Result<impl Into<Task>, kinetree_ik::IkError>) -> PyResult<Self> {
        Ok(Self(Brief::new(task.map_err(fault)?.into())))
    }
}

#[pymethods]
impl CoreTask {
    #[staticmethod]
    fn frame(
        model: &Bound<'_, CoreModel>,
        frame: (String, Option<String>),
        root: Option<(String, Option<String>)>,
        position_cost: Values,
        orientation_cost: Values,
    ) -> PyResult<Self> {
        let m = &*model.get().read()?;
        let frame = find_frame(m, &frame.0, frame.1.as_deref())?;
        let (position, orientation) = (three(&position_cost)?, three(&orientation_cost)?);
        match root {
            None => Self::wrap(FrameTask::new(m, frame, position, orientation)),
            Some(root) => {
                let root = find_frame(m, &root.0, root.1.as_deref())?;
                Self::wrap(FrameTask::relative(m, frame, root, position, orientation))
            }
        }
    }

    #[staticmethod]
    fn com(cost: Values) -> PyResult<Self> {
        Self::wrap(ComTask::new(three(&cost)?))
    }

    #[staticmethod]
    fn posture(model: &Bound<'_, CoreModel>, cost: Values) -> PyResult<Self> {
        Self::wrap(PostureTask::new(&*model.get().read()?, &cost.values))
    }

    #[staticmethod]
    fn damping(model: &Bound<'_, CoreModel>, cost: Values) -> PyResult<Self> {
        Self::wrap(DampingTask::new(&*model.get().read()?, &cost.values))
    }

    #[staticmethod]
    fn look_at(
        model: &Bound<'_, CoreModel>,
        frame: (String, Option<String>),
        axis: Fixed<3>,
        cost: f64,
    ) -> PyResult<Self> {
        let m = &*model.get().read()?;
        Self::wrap(LookAtTask::new(m, find_frame(m, &frame.0, frame.1.as_deref())?, axis.0, cost))
    }

    #[staticmethod]
    fn equality(model: &Bound<'_, CoreModel>, cost: f64, equalities: Option<Vec<usize>>) -> PyResult<Self> {
        Self::wrap(EqualityConstraintTask::new(&*model.get().read()?, cost, equalities.as_deref()))
    }

    /// Sets gain, damping and priority.
    fn set_options(&self, gain: f64, lm_damping: f64, priority: usize) {
        let options = TaskOptions { gain, lm_damping, priority };
        self.0.with(|task| match task {
            Task::Frame(task) => task.options = options,
            Task::Com(task) => task.options = options,
            Task::Posture(task) => task.options = options,
            Task::Damping(task) => task.options = options,
            Task::LookAt(task) => task.options = options,
            Task::Equality(task) => task.options = options,
        });
    }

    fn set_pose(&self, pos: Fixed<3>, quat: Fixed<4>) -> PyResult<()> {
        let pose = Pose::checked(&pos.0, &quat.0).map_err(fault)?;
        self.0.with(|task| match task {
            Task::Frame(task) => {
                task.set_target(&pose);
                Ok(())
            }
            _ => Err(PyValueError::new_err("this task has no pose")),
        })
    }

    fn set_point(&self, point: Fixed<3>) -> PyResult<()> {
        self.0.with(|task| match task {
            Task::Com(task) => task.set_target(&point.0).map_err(fault),
            Task::LookAt(task) => task.set_target(&point.0).map_err(fault),
            _ => Err(PyValueError::new_err("this task has no point")),
        })
    }

    fn set_posture(&self, model: &Bound<'_, CoreModel>, q: Values) -> PyResult<()> {
        let model = &*model.get().read()?;
        self.0.with(|task| match task {
            Task::Posture(task) => task.set_target(model, &q.values).map_err(fault),
            _ => Err(PyValueError::new_err("this task has no posture")),
        })
    }

    fn set_from(&self, configuration: &Bound<'_, CoreConfiguration>) -> PyResult<()> {
        let (configuration, _) = &*configuration.get().state.read()?;
        self.0.with(|task| {
            match task {
                Task::Frame(task) => task.set_target_from_configuration(configuration),
                Task::Com(task) => task.set_target_from_configuration(configuration),
                Task::Posture(task) => task.set_target_from_configuration(configuration),
                _ => return Err(PyValueError::new_err("this task takes no target from a configuration")),
            }
            Ok(())
        })
    }
}

#[pymethods]
impl CoreLimit {
    #[staticmethod]
    fn configuration(gain: f64, min_distance_from_limits: f64) -> Self {
        Self(ConfigurationLimit { gain, min_distance_from_limits }.into())
    }

    #[staticmethod]
    fn velocity(model: &Bound<'_, CoreModel>, velocities: Vec<(String, f64)>) -> PyResult<Self> {
        let list: Vec<(&str, f64)> = velocities.iter().map(|(name, limit)| (name.as_str(), *limit)).collect();
        Ok(Self(VelocityLimit::by_joint(&*model.get().read()?, &list).map_err(fault)?.into()))
    }

    #[staticmethod]
    fn collision(
        model: &Bound<'_, CoreModel>,
        groups: Vec<(Vec<usize>, Vec<usize>)>,
        gain: f64,
        minimum_distance_from_collisions: f64,
        collision_detection_distance: f64,
    ) -> PyResult<Self> {
        let mut limit = CollisionAvoidanceLimit::new(&*model.get().read()?, &groups).map_err(fault)?;
        limit.gain = gain;
        limit.minimum_distance_from_collisions = minimum_distance_from_collisions;
        limit.collision_detection_distance = collision_detection_distance;
        Ok(Self(limit.into()))
    }

    /// Pairs of geoms of a collision limit.
    #[getter]
    fn pairs(&self) -> Vec<(usize, usize)> {
        match &self.0 {
            Limit::Collision(limit) => limit.pairs().to_vec(),
            _ => Vec::new(),
        }
    }
}
