//! Whole-body inverse kinematics: configurations, tasks and limits.

use crate::chain::seven;
use crate::errors::{Outcome, failure, set};
use crate::functions::{four, three};
use crate::model::ModelHandle;
use js_sys::Object;
use kinetree_ik::whole_body::{
    CollisionAvoidanceLimit, ComTask, Configuration, ConfigurationLimit, DampingTask, EqualityConstraintTask,
    FrameTask, GlobalSettings, Limit, LookAtTask, PostureTask, Task, TaskOptions, VelocityLimit,
    WholeBodySolver,
};
use kinetree_ik::{Frame, IkError, Pose};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Joint positions of a model with the poses that follow from them, and what serves tasks from there.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ConfigurationHandle {
    configuration: Configuration,
    solver: WholeBodySolver,
    tasks: Vec<Task>,
    constraints: Vec<Task>,
    limits: Vec<Limit>,
}

/// A task.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TaskHandle(Task);

/// A limit.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LimitHandle(Limit);

#[wasm_bindgen]
impl ConfigurationHandle {
    /// The reference configuration of a model.
    ///
    /// # Errors
    /// When the kinematics of the model fail.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &ModelHandle) -> Outcome<ConfigurationHandle> {
        Ok(Self {
            configuration: Configuration::new(model.checked()?).map_err(failure)?,
            solver: WholeBodySolver::new(),
            tasks: Vec::new(),
            constraints: Vec::new(),
            limits: Vec::new(),
        })
    }

    /// The joint positions.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn q(&self) -> Vec<f64> {
        self.configuration.q().to_vec()
    }

    /// Sets the joint positions.
    ///
    /// # Errors
    /// When they are of the wrong number or not finite.
    pub fn update(&mut self, model: &ModelHandle, q: &[f64]) -> Outcome<()> {
        self.configuration.update(model.checked()?, q).map_err(failure)
    }

    /// Moves along a velocity.
    ///
    /// # Errors
    /// When the velocity is of the wrong length or not finite.
    pub fn integrate(&mut self, model: &ModelHandle, velocity: &[f64], dt: f64) -> Outcome<()> {
        self.configuration.integrate_inplace(model.checked()?, velocity, dt).map_err(failure)
    }

    /// Pose of a link, body, site or geom: position, then quaternion.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn pose(&self, model: &ModelHandle, name: &str) -> Outcome<Vec<f64>> {
        let model = model.checked()?;
        let pose = Frame::find(model, name).and_then(|frame| self.configuration.frame_pose(model, frame));
        pose.map(|pose| seven(&pose)).map_err(failure)
    }

    /// Jacobian of a link, body, site or geom in the world's axes, six rows one after the other, linear ones
    /// first.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn jacobian(&self, model: &ModelHandle, name: &str) -> Outcome<Vec<f64>> {
        let model = model.checked()?;
        let mut jacobian = vec![0.0; 6 * model.nv];
        let done = Frame::find(model, name)
            .and_then(|frame| self.configuration.frame_jacobian(model, frame, &mut jacobian));
        done.map(|()| jacobian).map_err(failure)
    }

    /// Centre of mass of the whole model.
    #[wasm_bindgen(js_name = centerOfMass)]
    #[must_use]
    pub fn center_of_mass(&self) -> Vec<f64> {
        self.configuration.data().subtree_com[0].to_vec()
    }

    /// Forgets the tasks, constraints and limits of the step before.
    pub fn clear(&mut self) {
        self.tasks.clear();
        self.constraints.clear();
        self.limits.clear();
    }

    /// Adds a task for the next step, or one that holds exactly.
    #[wasm_bindgen(js_name = addTask)]
    pub fn add_task(&mut self, task: &TaskHandle, exact: bool) {
        let list = if exact { &mut self.constraints } else { &mut self.tasks };
        list.push(task.0.clone());
    }

    /// Adds a limit for the next step.
    #[wasm_bindgen(js_name = addLimit)]
    pub fn add_limit(&mut self, limit: &LimitHandle) {
        self.limits.push(limit.0.clone());
    }

    /// Velocity of all dofs that serves the tasks best for one step within the limits.
    ///
    /// # Errors
    /// When a task lacks its target, or limits and constraints contradict each other.
    #[wasm_bindgen(js_name = solveIk)]
    pub fn solve_ik(&mut self, model: &ModelHandle, dt: f64, damping: f64) -> Outcome<Vec<f64>> {
        let model = model.checked()?;
        let mut velocity = vec![0.0; model.nv];
        let Self { configuration, solver, tasks, constraints, limits } = self;
        solver
            .solve_ik(model, configuration, tasks, dt, damping, limits, constraints, &mut velocity)
            .map_err(failure)?;
        Ok(velocity)
    }

    /// Moves until the tasks are reached or no step makes them better.
    ///
    /// # Errors
    /// As for a step.
    #[wasm_bindgen(js_name = solveGlobal)]
    pub fn solve_global(
        &mut self,
        model: &ModelHandle,
        max_iterations: usize,
        error_tolerance: f64,
    ) -> Outcome<JsValue> {
        let settings = GlobalSettings { max_iterations, error_tolerance, ..GlobalSettings::default() };
        let Self { configuration, solver, tasks, constraints, limits } = self;
        let end = solver
            .solve_global(model.checked()?, configuration, tasks, limits, constraints, &settings)
            .map_err(failure)?;
        let object: JsValue = Object::new().into();
        set(&object, "converged", end.converged);
        set(&object, "error", end.error);
        set(&object, "iterations", end.iterations as u32);
        Ok(object)
    }
}

fn wrap(task: Result<impl Into<Task>, IkError>) -> Outcome<TaskHandle> {
    task.map(|task| TaskHandle(task.into())).map_err(failure)
}

#[wasm_bindgen]
impl TaskHandle {
    /// A frame shall have a pose in the world, or in another frame.
    ///
    /// # Errors
    /// When there is no such frame, or a cost is negative.
    #[allow(clippy::needless_pass_by_value)] // the form in which optional strings come
    pub fn frame(
        model: &ModelHandle,
        name: &str,
        root: Option<String>,
        position: &[f64],
        orientation: &[f64],
    ) -> Outcome<TaskHandle> {
        let model = model.checked()?;
        let frame = Frame::find(model, name).map_err(failure)?;
        let (position, orientation) =
            (three("the position cost", position)?, three("the orientation cost", orientation)?);
        match root {
            None => wrap(FrameTask::new(model, frame, position, orientation)),
            Some(root) => {
                let root = Frame::find(model, &root).map_err(failure)?;
                wrap(FrameTask::relative(model, frame, root, position, orientation))
            }
        }
    }

    /// The centre of mass shall be at a point.
    ///
    /// # Errors
    /// When a cost is negative.
    pub fn com(cost: &[f64]) -> Outcome<TaskHandle> {
        wrap(ComTask::new(three("the cost", cost)?))
    }

    /// Joints shall be at given positions.
    ///
    /// # Errors
    /// When a cost is negative, or there are neither one nor one for each dof.
    pub fn posture(model: &ModelHandle, cost: &[f64]) -> Outcome<TaskHandle> {
        wrap(PostureTask::new(model.checked()?, cost))
    }

    /// Joints shall move little.
    ///
    /// # Errors
    /// As for a posture.
    pub fn damping(model: &ModelHandle, cost: &[f64]) -> Outcome<TaskHandle> {
        wrap(DampingTask::new(model.checked()?, cost))
    }

    /// An axis of a frame shall point to a point.
    ///
    /// # Errors
    /// When there is no such frame, or the axis is zero.
    #[wasm_bindgen(js_name = lookAt)]
    pub fn look_at(model: &ModelHandle, name: &str, axis: &[f64], cost: f64) -> Outcome<TaskHandle> {
        let model = model.checked()?;
        let frame = Frame::find(model, name).map_err(failure)?;
        wrap(LookAtTask::new(model, frame, three("the axis", axis)?, cost))
    }

    /// Equality constraints of the model shall hold: those with these numbers, or all.
    ///
    /// # Errors
    /// When there is none of a number.
    #[allow(clippy::needless_pass_by_value)]
    pub fn equality(model: &ModelHandle, cost: f64, equalities: Option<Vec<usize>>) -> Outcome<TaskHandle> {
        wrap(EqualityConstraintTask::new(model.checked()?, cost, equalities.as_deref()))
    }

    /// Sets gain, damping and priority.
    #[wasm_bindgen(js_name = setOptions)]
    pub fn set_options(&mut self, gain: f64, lm_damping: f64, priority: usize) {
        self.0.set_options(TaskOptions { gain, lm_damping, priority });
    }

    /// Sets the pose of a frame task.
    ///
    /// # Errors
    /// When this is none, or position and quaternion are not what they should be.
    #[wasm_bindgen(js_name = setPose)]
    pub fn set_pose(&mut self, position: &[f64], quaternion: &[f64]) -> Outcome<()> {
        let (position, quaternion) = (three("the position", position)?, four("the quaternion", quaternion)?);
        Pose::checked(&position, &quaternion).and_then(|pose| self.0.set_pose(&pose)).map_err(failure)
    }

    /// Sets the point of a task that has one.
    ///
    /// # Errors
    /// When this is none.
    #[wasm_bindgen(js_name = setPoint)]
    pub fn set_point(&mut self, point: &[f64]) -> Outcome<()> {
        self.0.set_point(&three("the point", point)?).map_err(failure)
    }

    /// Sets the joint positions of a posture task.
    ///
    /// # Errors
    /// When this is none, or they are not those of the model.
    #[wasm_bindgen(js_name = setPosture)]
    pub fn set_posture(&mut self, model: &ModelHandle, q: &[f64]) -> Outcome<()> {
        self.0.set_posture(model.checked()?, q).map_err(failure)
    }

    /// Takes the target from where a configuration is now.
    ///
    /// # Errors
    /// When the task takes none.
    #[wasm_bindgen(js_name = setFrom)]
    pub fn set_from(&mut self, at: &ConfigurationHandle) -> Outcome<()> {
        self.0.set_target_from_configuration(&at.configuration).map_err(failure)
    }
}

#[wasm_bindgen]
impl LimitHandle {
    /// Joints stay within their ranges.
    #[must_use]
    pub fn configuration(gain: f64, distance: f64) -> Self {
        Self(ConfigurationLimit { gain, min_distance_from_limits: distance }.into())
    }

    /// Joints, by name, do not move faster than these velocities.
    ///
    /// # Errors
    /// When there is no such joint.
    #[allow(clippy::needless_pass_by_value)] // the form in which lists of strings come
    pub fn velocity(model: &ModelHandle, joints: Vec<String>, velocities: &[f64]) -> Outcome<LimitHandle> {
        let list: Vec<(&str, f64)> =
            joints.iter().map(String::as_str).zip(velocities.iter().copied()).collect();
        VelocityLimit::by_joint(model.checked()?, &list).map(|limit| Self(limit.into())).map_err(failure)
    }

    /// The geoms of two groups keep a distance.
    ///
    /// # Errors
    /// When there is no such geom.
    pub fn collision(
        model: &ModelHandle,
        first: Vec<usize>,
        second: Vec<usize>,
        gain: f64,
        distance: f64,
        detection: f64,
    ) -> Outcome<LimitHandle> {
        let limit = CollisionAvoidanceLimit::new(model.checked()?, &[(first, second)]);
        let mut limit = limit.map_err(failure)?;
        limit.gain = gain;
        limit.minimum_distance_from_collisions = distance;
        limit.collision_detection_distance = detection;
        Ok(Self(limit.into()))
    }
}
