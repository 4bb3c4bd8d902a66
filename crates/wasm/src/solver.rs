//! Inverse kinematics of a chain.

use crate::chain::ChainHandle;
use crate::errors::{Outcome, failure, set};
use crate::functions::{four, six, three};
use js_sys::{Array, Float64Array, Int8Array, Object};
use kinetree_ik::{Settings, Solution, Solver, Target};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A solver of inverse kinematics.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SolverHandle {
    solver: Solver,
}

/// What a solver shall reach.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TargetHandle(Target);

#[wasm_bindgen]
impl TargetHandle {
    /// A target: a position, an orientation or an axis of the end with the direction it shall have; and
    /// weights, three of the position and three of the rotation.
    ///
    /// # Errors
    /// When there is none of them, there are orientation and axis, or numbers are not what they should be.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value)] // the form in which optional arrays come
    pub fn new(
        position: Option<Vec<f64>>,
        quaternion: Option<Vec<f64>>,
        axis: Option<Vec<f64>>,
        weights: Option<Vec<f64>>,
    ) -> Outcome<TargetHandle> {
        let position = position.map(|pos| three("the position", &pos)).transpose()?;
        let target = match (position, quaternion, axis) {
            (None, None, None) => return Err(failure("give a position, a quaternion or an axis")),
            (_, Some(_), Some(_)) => return Err(failure("give a quaternion or an axis, not both")),
            (Some(pos), None, None) => Target::position(&pos),
            (Some(pos), Some(quat), None) => Target::new(&pos, &four("the quaternion", &quat)?),
            (None, Some(quat), None) => Target::orientation(&four("the quaternion", &quat)?),
            (position, None, Some(axis)) => {
                let [a, b, c, x, y, z] = six("axis and direction", &axis)?;
                let target = Target::axis(&[a, b, c], &[x, y, z]);
                match position {
                    Some(pos) => target.and_then(|target| target.at(&pos)),
                    None => target,
                }
            }
        };
        let Some(weights) = weights else { return target.map(Self).map_err(failure) };
        let [a, b, c, d, e, f] = six("the weights", &weights)?;
        target.and_then(|target| target.weighted(&[a, b, c], &[d, e, f])).map(Self).map_err(failure)
    }
}

/// A solution as an object.
fn as_object(found: &Solution) -> JsValue {
    let object: JsValue = Object::new().into();
    set(&object, "q", Float64Array::from(&found.q[..]));
    set(&object, "converged", found.converged);
    set(&object, "positionError", found.position_error);
    set(&object, "rotationError", found.rotation_error);
    set(&object, "iterations", found.iterations as u32);
    set(&object, "restarts", found.restarts as u32);
    set(&object, "activeLimits", Int8Array::from(&found.active_limits[..]));
    object
}

#[wasm_bindgen]
impl SolverHandle {
    /// A solver for a chain.
    ///
    /// # Errors
    /// When a tolerance is not positive, or the chain is not supported.
    #[wasm_bindgen(constructor)]
    pub fn new(
        chain: &ChainHandle,
        position_tolerance: Option<f64>,
        rotation_tolerance: Option<f64>,
        max_restarts: Option<u32>,
        max_iterations: Option<u32>,
    ) -> Outcome<SolverHandle> {
        let usual = Settings::default();
        let settings = Settings {
            position_tolerance: position_tolerance.unwrap_or(usual.position_tolerance),
            rotation_tolerance: rotation_tolerance.unwrap_or(usual.rotation_tolerance),
            max_restarts: max_restarts.map_or(usual.max_restarts, |count| count as usize),
            max_iterations: max_iterations.map_or(usual.max_iterations, |count| count as usize),
        };
        Solver::new(chain.chain.clone(), settings).map(|solver| Self { solver }).map_err(failure)
    }

    /// A configuration for a target; with `nearest`, of all that a search finds the one nearest to the seed.
    ///
    /// # Errors
    /// When the seed is not what it should be.
    #[allow(clippy::needless_pass_by_value)] // the form in which optional arrays come
    pub fn solve(
        &mut self,
        target: &TargetHandle,
        seed: Option<Vec<f64>>,
        nearest: bool,
    ) -> Outcome<JsValue> {
        let seed = seed.as_deref();
        let found = if nearest {
            self.solver.solve_nearest(&target.0, seed)
        } else {
            self.solver.solve(&target.0, seed)
        };
        found.map(|solution| as_object(&solution)).map_err(failure)
    }

    /// Distinct solutions, nearest to the seed first.
    ///
    /// # Errors
    /// When the seed is not what it should be.
    #[wasm_bindgen(js_name = solveAll)]
    #[allow(clippy::needless_pass_by_value)]
    pub fn solve_all(
        &mut self,
        target: &TargetHandle,
        seed: Option<Vec<f64>>,
        count: usize,
    ) -> Outcome<Array> {
        let found = self.solver.solve_all(&target.0, seed.as_deref(), count).map_err(failure)?;
        Ok(found.iter().map(as_object).collect())
    }
}
