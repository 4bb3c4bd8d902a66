//! Kinematic chains and inverse kinematics.

use crate::errors::{Outcome, failure, set};
use crate::functions::three;
use crate::model::ModelHandle;
use js_sys::{Float64Array, Int8Array, Object};
use kinetree_ik::{Chain, JointFrameCache, Pose, ReferenceFrame, Settings, Solver, Target};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A chain of joints.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ChainHandle {
    chain: Chain,
    cache: JointFrameCache,
}

/// A solver of inverse kinematics.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SolverHandle {
    solver: Solver,
}

/// Position, then quaternion.
fn seven(pose: &Pose) -> Vec<f64> {
    pose.pos.iter().copied().chain(pose.quat()).collect()
}

fn frame(name: &str) -> Outcome<ReferenceFrame> {
    match name {
        "world" => Ok(ReferenceFrame::World),
        "local" => Ok(ReferenceFrame::Local),
        "local_world_aligned" => Ok(ReferenceFrame::LocalWorldAligned),
        _ => Err(failure(format!(
            "there is no frame '{name}'; there are 'world', 'local' and 'local_world_aligned'"
        ))),
    }
}

#[wasm_bindgen]
impl ChainHandle {
    /// The chain between two links, bodies, sites or geoms.
    ///
    /// # Errors
    /// When one of them does not exist, or there is no path between them.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &ModelHandle, base: &str, end: &str) -> Outcome<ChainHandle> {
        let chain = Chain::new(model.checked()?, base, end).map_err(failure)?;
        Ok(Self { cache: JointFrameCache::new(&chain), chain })
    }

    /// Numbers in a configuration.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn nq(&self) -> usize {
        self.chain.nq()
    }

    /// Columns of the Jacobian.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn nv(&self) -> usize {
        self.chain.nv()
    }

    /// Pose of the end: position, then quaternion.
    ///
    /// # Errors
    /// When the configuration has another length, or is not finite.
    pub fn fk(&mut self, q: &[f64]) -> Outcome<Vec<f64>> {
        self.chain.fk(q, &mut self.cache).map(|pose| seven(&pose)).map_err(failure)
    }

    /// Jacobian of the end, six rows one after the other, linear ones first.
    ///
    /// # Errors
    /// When the configuration has another length, or there is no such frame.
    pub fn jacobian(&mut self, q: &[f64], frame_name: &str) -> Outcome<Vec<f64>> {
        let nv = self.chain.nv();
        let mut columns = vec![[0.0; 6]; nv];
        let frame = frame(frame_name)?;
        self.chain.jacobian(q, frame, &mut self.cache, &mut columns).map_err(failure)?;
        Ok((0..6).flat_map(|row| columns.iter().map(move |column| column[row])).collect())
    }
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
    ) -> Outcome<SolverHandle> {
        let mut settings = Settings::default();
        settings.position_tolerance = position_tolerance.unwrap_or(settings.position_tolerance);
        settings.rotation_tolerance = rotation_tolerance.unwrap_or(settings.rotation_tolerance);
        Solver::new(chain.chain.clone(), settings).map(|solver| Self { solver }).map_err(failure)
    }

    /// Finds a configuration for a position and, unless it is left out, an orientation.
    ///
    /// # Errors
    /// When the target or the seed are not what they should be.
    #[allow(clippy::needless_pass_by_value)] // the form in which optional arrays come
    pub fn solve(
        &mut self,
        position: &[f64],
        quaternion: Option<Vec<f64>>,
        seed: Option<Vec<f64>>,
    ) -> Outcome<JsValue> {
        let position = three("the position", position)?;
        let target = match quaternion {
            Some(quat) => {
                let count = quat.len();
                let quat = <[f64; 4]>::try_from(quat)
                    .map_err(|_| failure(format!("the quaternion has {count} numbers instead of 4")))?;
                Target::new(&position, &quat)
            }
            None => Target::position(&position),
        };
        let found = self.solver.solve(&target.map_err(failure)?, seed.as_deref()).map_err(failure)?;
        let object: JsValue = Object::new().into();
        set(&object, "q", Float64Array::from(&found.q[..]));
        set(&object, "converged", found.converged);
        set(&object, "positionError", found.position_error);
        set(&object, "rotationError", found.rotation_error);
        set(&object, "iterations", found.iterations as u32);
        set(&object, "restarts", found.restarts as u32);
        set(&object, "activeLimits", Int8Array::from(&found.active_limits[..]));
        Ok(object)
    }
}
