//! Inverse kinematics of one chain: joint values whose end reaches a target within the joint limits.
//!
//! ```
//! use kinetree_ik::{Chain, Settings, Solver, Target};
//!
//! let model = kinetree_spec::load_model_str(
//!     "<mujoco><worldbody><body><joint axis='0 1 0' range='-170 170'/><geom size='0.1'/>
//!        <site name='hand' pos='0.5 0 0'/></body></worldbody></mujoco>",
//! )?;
//! let mut solver = Solver::new(Chain::new(&model, "world", "hand")?, Settings::default())?;
//! let solution = solver.solve(&Target::position(&[0.0, 0.0, -0.5])?, None)?;
//! assert!(solution.converged && (solution.q[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounded;
mod descent;
mod many;
mod seeds;
mod target;

pub use target::Target;

use crate::chain::{Chain, JointFrameCache, JointKind};
use crate::error::{IkError, check_setting};
use crate::pose::Pose;
use core::f64::consts::PI;
use descent::{Engine, Outcome, Task};
use kinetree_model::is_interrupted;
use seeds::Seeds;

/// Settings of a [`Solver`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest distance from the target (m).
    pub position_tolerance: f64,
    /// Largest angle from the target (rad).
    pub rotation_tolerance: f64,
    /// Most descents from other starting points.
    pub max_restarts: usize,
    /// Most steps of all descents together. It bounds the time that an unreachable target takes.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { position_tolerance: 1e-5, rotation_tolerance: 1e-5, max_restarts: 300, max_iterations: 2000 }
    }
}

/// Most steps of one descent.
const STEPS_PER_TRY: usize = 40;
/// Most steps of the descent to the nearest pose of an unreachable target.
const STEPS_TO_NEAREST: usize = 200;
/// Descents for a target that is farther away than the chain is long.
const TRIES_BEYOND_REACH: usize = 4;

/// What [`Solver::solve`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Joint values, within the limits.
    pub q: Vec<f64>,
    /// Whether the target is reached within the tolerances. When not, `q` is the nearest pose that was found.
    pub converged: bool,
    /// Distance from the target (m).
    pub position_error: f64,
    /// Angle from the target (rad).
    pub rotation_error: f64,
    /// Steps of all descents.
    pub iterations: usize,
    /// Descents beyond the first.
    pub restarts: usize,
    /// For each independent joint of the chain: −1 at its lower limit, 1 at its upper one, 0 between them.
    pub active_limits: Vec<i8>,
}

/// Inverse kinematics of one chain, with its working memory.
pub struct Solver {
    chain: Chain,
    settings: Settings,
    engine: Box<dyn Engine>,
    cache: JointFrameCache,
    seeds: Seeds,
    /// Metres that a radian counts in the error.
    length: f64,
    start: Vec<f64>,
    q: Vec<f64>,
    best: Vec<f64>,
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("settings", &self.settings)
            .field("chain", &self.chain)
            .finish_non_exhaustive()
    }
}

impl Clone for Solver {
    fn clone(&self) -> Self {
        Self::unchecked(self.chain.clone(), self.settings)
            .unwrap_or_else(|| unreachable!("the chain was accepted"))
    }
}

impl Solver {
    /// A solver for a chain.
    ///
    /// # Errors
    /// When a setting is not a positive number, the chain has more than 64 dofs, or a ball joint with a
    /// limit.
    pub fn new(chain: Chain, settings: Settings) -> Result<Self, IkError> {
        check_setting("position_tolerance", settings.position_tolerance, f64::MIN_POSITIVE)?;
        check_setting("rotation_tolerance", settings.rotation_tolerance, f64::MIN_POSITIVE)?;
        if let Some(ball) = chain.variables().iter().find(|v| v.ball_limit.is_finite()) {
            return Err(IkError::Unsupported(format!("limits of the ball joint '{}'", ball.name)));
        }
        let nv = chain.nv();
        Self::unchecked(chain, settings)
            .ok_or_else(|| IkError::Unsupported(format!("chains of more than 64 dofs: this one has {nv}")))
    }

    fn unchecked(chain: Chain, settings: Settings) -> Option<Self> {
        let reach = if chain.reach().is_finite() { chain.reach() } else { 1.0 };
        Some(Self {
            engine: descent::engine(&chain)?,
            cache: JointFrameCache::new(&chain),
            seeds: Seeds::new(&chain),
            length: (LENGTH_PER_REACH * reach).max(1e-3),
            start: chain.neutral(),
            q: chain.neutral(),
            best: chain.neutral(),
            chain,
            settings,
        })
    }

    /// The chain.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Pose of the chain's end.
    ///
    /// # Errors
    /// When `q` has the wrong length or holds a value that is not a finite number.
    pub fn fk(&mut self, q: &[f64]) -> Result<Pose, IkError> {
        self.chain.fk(q, &mut self.cache)
    }

    /// Bytes of the memory that it works in; the chain, which it only reads, is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Self { chain, settings: _, engine, cache, seeds, length: _, start, q, best } = self;
        let arrays = size_of_val(&**start) + size_of_val(&**q) + size_of_val(&**best) + seeds.heap_bytes();
        size_of::<Self>() - size_of_val(chain) - size_of_val(cache) + cache.bytes() + engine.bytes() + arrays
    }

    /// Joint values that reach the target. The first descent starts at `seed`, or in the middle of the
    /// limits; others start at points that fill the limits evenly. Joints that can turn all the way round
    /// come out as near to the start as possible.
    ///
    /// # Errors
    /// When the seed has the wrong length or holds a value that is not a finite number.
    pub fn solve(&mut self, target: &Target, seed: Option<&[f64]>) -> Result<Solution, IkError> {
        let mut solution = self.empty_solution();
        self.solve_into(target, seed, &mut solution)?;
        Ok(solution)
    }

    /// A solution with memory of the right size.
    #[must_use]
    pub fn empty_solution(&self) -> Solution {
        Solution {
            q: vec![0.0; self.chain.nq()],
            converged: false,
            position_error: 0.0,
            rotation_error: 0.0,
            iterations: 0,
            restarts: 0,
            active_limits: vec![0; self.chain.variables().len()],
        }
    }

    /// [`solve`](Self::solve) into a solution that was made before; allocates nothing.
    ///
    /// # Errors
    /// When the seed has the wrong length or holds a value that is not a finite number.
    pub fn solve_into(
        &mut self,
        target: &Target,
        seed: Option<&[f64]>,
        solution: &mut Solution,
    ) -> Result<(), IkError> {
        self.set_start(seed)?;
        let beyond = target.full_position().is_some_and(|p| {
            (p - self.chain.start()).norm() > self.chain.reach() + self.settings.position_tolerance
        });
        let mut outcome = self.first_try(target, beyond);
        let (mut iterations, mut restarts) = (outcome.steps, 0);
        let mut reached = self.task(target).reached(&outcome.miss);
        let mut least = error_of(&outcome);
        self.best.copy_from_slice(&self.q);
        let tries = if beyond { TRIES_BEYOND_REACH } else { self.settings.max_restarts };
        self.seeds.rewind();
        while !reached && restarts < tries && iterations < self.settings.max_iterations && !is_interrupted() {
            restarts += 1;
            let next = self.another_try(target, beyond);
            iterations += next.steps;
            reached = self.task(target).reached(&next.miss);
            if reached || error_of(&next) < least {
                (outcome, least) = (next, error_of(&next));
                self.best.copy_from_slice(&self.q);
            }
        }
        if !reached {
            // as near as a descent gets from the nearest pose so far
            let Self { chain, engine, best, .. } = self;
            let task = Task {
                max_steps: STEPS_TO_NEAREST,
                hurry: false,
                ..task(chain, target, &self.settings, self.length)
            };
            outcome = engine.descend(&task, best);
            iterations += outcome.steps;
            reached = task.reached(&outcome.miss);
        }
        self.write_solution(&outcome, reached, solution);
        (solution.iterations, solution.restarts) = (iterations, restarts);
        Ok(())
    }

    fn set_start(&mut self, seed: Option<&[f64]>) -> Result<(), IkError> {
        match seed {
            Some(seed) => {
                self.chain.check_q(seed)?;
                self.start.copy_from_slice(seed);
            }
            None => self.chain.fill_neutral(&mut self.start),
        }
        self.q.copy_from_slice(&self.start);
        self.chain.clamp(&mut self.q);
        Ok(())
    }

    fn task<'a>(&'a self, target: &'a Target) -> Task<'a> {
        task(&self.chain, target, &self.settings, self.length)
    }

    fn first_try(&mut self, target: &Target, beyond: bool) -> Outcome {
        let task = Task { hurry: !beyond, ..task(&self.chain, target, &self.settings, self.length) };
        self.engine.descend(&task, &mut self.q)
    }

    fn another_try(&mut self, target: &Target, beyond: bool) -> Outcome {
        self.seeds.fill(&self.chain, &mut self.q);
        self.first_try(target, beyond)
    }

    /// Shifts joints to the side of the start, and says which limits are active.
    fn write_solution(&mut self, outcome: &Outcome, converged: bool, solution: &mut Solution) {
        unwind(&self.chain, &self.start, &mut self.best);
        solution.q.copy_from_slice(&self.best);
        solution.converged = converged;
        solution.position_error = outcome.miss.position;
        solution.rotation_error = outcome.miss.rotation;
        for (side, variable) in solution.active_limits.iter_mut().zip(self.chain.variables()) {
            let scalar = matches!(variable.kind, JointKind::Revolute | JointKind::Prismatic);
            let q = self.best[variable.q_index];
            let [lower, upper] = variable.range;
            *side = i8::from(scalar && q >= upper) - i8::from(scalar && q <= lower);
        }
    }
}

/// Metres that a radian counts, relative to the chain's reach.
const LENGTH_PER_REACH: f64 = 0.25;

fn task<'a>(chain: &'a Chain, target: &'a Target, settings: &Settings, length: f64) -> Task<'a> {
    Task {
        chain,
        target,
        length,
        position_tolerance: settings.position_tolerance,
        rotation_tolerance: settings.rotation_tolerance,
        max_steps: STEPS_PER_TRY,
        hurry: true,
    }
}

fn error_of(outcome: &Outcome) -> f64 {
    outcome.miss.residual.iter().map(|r| r * r).sum()
}

/// Shifts revolute joints by whole turns, as near to the start as their limits allow.
fn unwind(chain: &Chain, start: &[f64], q: &mut [f64]) {
    for variable in chain.variables().iter().filter(|v| v.kind == JointKind::Revolute) {
        let value = &mut q[variable.q_index];
        let [lower, upper] = variable.range;
        if !descent::spans_full_circle(variable.range) {
            continue;
        }
        let period = 2.0 * PI;
        *value += period * ((start[variable.q_index] - *value) / period).round();
        if *value > upper {
            *value -= period * ((*value - upper) / period).ceil();
        }
        if *value < lower {
            *value += period * ((lower - *value) / period).ceil();
        }
        *value = value.max(lower).min(upper);
    }
}
