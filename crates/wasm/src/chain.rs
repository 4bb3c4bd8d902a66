//! Kinematic chains and their Jacobians.

use crate::errors::{Outcome, failure};
use crate::functions::{four, three};
use crate::model::ModelHandle;
use kinetree_ik::{
    AnalyticalJacobianCalculator, Chain, JointFrameCache, Pose, ReferenceFrame, Singularity, Variable,
    convert_jacobian,
};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A chain of joints.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ChainHandle {
    pub(crate) chain: Chain,
    cache: JointFrameCache,
    columns: Vec<[f64; 6]>,
    singularity: Singularity,
}

/// Position, then quaternion.
pub(crate) fn seven(pose: &Pose) -> Vec<f64> {
    pose.pos.iter().copied().chain(pose.quat()).collect()
}

fn frame(name: &str) -> Outcome<ReferenceFrame> {
    match name {
        "world" => Ok(ReferenceFrame::World),
        "local" | "geometric" => Ok(ReferenceFrame::Local),
        "local_world_aligned" | "analytic" => Ok(ReferenceFrame::LocalWorldAligned),
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
        Ok(Self {
            cache: JointFrameCache::new(&chain),
            columns: vec![[0.0; 6]; chain.nv()],
            singularity: Singularity::new(chain.nv()),
            chain,
        })
    }

    /// Names of the independent joints, in the order of a configuration.
    #[wasm_bindgen(getter, js_name = jointNames)]
    #[must_use]
    pub fn joint_names(&self) -> Vec<String> {
        self.chain.variables().iter().map(|variable| variable.name.clone()).collect()
    }

    /// How the independent joints move: `revolute`, `prismatic`, `ball` or `free`.
    #[wasm_bindgen(getter, js_name = jointKinds)]
    #[must_use]
    pub fn joint_kinds(&self) -> Vec<String> {
        self.chain.variables().iter().map(|variable| format!("{:?}", variable.kind).to_lowercase()).collect()
    }

    /// Lower and upper limit of each independent joint, infinite where there is none.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn limits(&self) -> Vec<f64> {
        self.chain.variables().iter().flat_map(|variable| variable.range).collect()
    }

    /// Where the numbers of a configuration are in the model's `qpos`.
    #[wasm_bindgen(getter, js_name = qposIndices)]
    #[must_use]
    pub fn qpos_indices(&self) -> Vec<u32> {
        let range = |v: &Variable| v.qposadr as u32..(v.qposadr + v.kind.nq()) as u32;
        self.chain.variables().iter().flat_map(range).collect()
    }

    /// Which dofs of the model the columns of a Jacobian are.
    #[wasm_bindgen(getter, js_name = dofIndices)]
    #[must_use]
    pub fn dof_indices(&self) -> Vec<u32> {
        let range = |v: &Variable| v.dofadr as u32..(v.dofadr + v.kind.nv()) as u32;
        self.chain.variables().iter().flat_map(range).collect()
    }

    /// Upper bound of the distance between the first joint and the end.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.chain.reach()
    }

    /// The middle of the limits.
    #[must_use]
    pub fn neutral(&self) -> Vec<f64> {
        self.chain.neutral()
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
        let frame = frame(frame_name)?;
        self.chain.jacobian(q, frame, &mut self.cache, &mut self.columns).map_err(failure)?;
        Ok(row_major(&self.columns))
    }

    /// Derivative of the Jacobian by time, in the form of the Jacobian.
    ///
    /// # Errors
    /// When configuration or velocity have another length, or there is no such frame.
    #[wasm_bindgen(js_name = jacobianDerivative)]
    pub fn jacobian_derivative(&mut self, q: &[f64], v: &[f64], frame_name: &str) -> Outcome<Vec<f64>> {
        let (frame, Self { chain, cache, columns, .. }) = (frame(frame_name)?, self);
        chain.jacobian_derivative(q, v, frame, cache, columns).map_err(failure)?;
        Ok(row_major(columns))
    }

    /// Singular values of the Jacobian, largest first.
    ///
    /// # Errors
    /// When the configuration has another length.
    #[wasm_bindgen(js_name = singularValues)]
    pub fn singular_values(&mut self, q: &[f64]) -> Outcome<Vec<f64>> {
        Ok(self.decompose(q)?.values().collect())
    }

    /// Product of the singular values.
    ///
    /// # Errors
    /// When the configuration has another length.
    pub fn manipulability(&mut self, q: &[f64]) -> Outcome<f64> {
        Ok(self.decompose(q)?.manipulability())
    }

    /// Largest singular value divided by the smallest.
    ///
    /// # Errors
    /// When the configuration has another length.
    #[wasm_bindgen(js_name = conditionNumber)]
    pub fn condition_number(&mut self, q: &[f64]) -> Outcome<f64> {
        Ok(self.decompose(q)?.condition_number())
    }

    /// Orthonormal joint velocities that do not move the end, one after the other.
    ///
    /// # Errors
    /// When the configuration has another length.
    #[wasm_bindgen(js_name = nullSpace)]
    pub fn null_space(&mut self, q: &[f64], tolerance: f64) -> Outcome<Vec<f64>> {
        Ok(self.decompose(q)?.null_space(tolerance).flatten().copied().collect())
    }
}

impl ChainHandle {
    fn decompose(&mut self, q: &[f64]) -> Outcome<&Singularity> {
        let Self { chain, cache, columns, singularity } = self;
        chain.jacobian(q, ReferenceFrame::default(), cache, columns).map_err(failure)?;
        singularity.decompose(columns);
        Ok(singularity)
    }
}

/// Columns as rows of a matrix.
fn row_major(columns: &[[f64; 6]]) -> Vec<f64> {
    (0..6).flat_map(|row| columns.iter().map(move |column| column[row])).collect()
}

/// Converts a Jacobian, six rows one after the other, of a frame at a pose from one reference frame to
/// another.
///
/// # Errors
/// When there is no such frame, or the Jacobian does not have six rows.
#[wasm_bindgen(js_name = convertJacobian)]
pub fn convert_jacobian_frames(
    jacobian: &[f64],
    position: &[f64],
    quaternion: &[f64],
    from: &str,
    to: &str,
) -> Outcome<Vec<f64>> {
    let (from, to) = (frame(from)?, frame(to)?);
    if !jacobian.len().is_multiple_of(6) {
        return Err(failure(format!("a Jacobian has six rows; {} numbers do not fill them", jacobian.len())));
    }
    let n = jacobian.len() / 6;
    let pose = Pose::new(&three("the position", position)?, &four("the quaternion", quaternion)?);
    let mut columns: Vec<[f64; 6]> = (0..n).map(|j| std::array::from_fn(|i| jacobian[i * n + j])).collect();
    convert_jacobian(&mut columns, &pose, from, to);
    Ok(row_major(&columns))
}

/// Jacobians of several links of one chain.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CalculatorHandle(AnalyticalJacobianCalculator);

#[wasm_bindgen]
impl CalculatorHandle {
    /// A calculator for the chain from a base to an end.
    ///
    /// # Errors
    /// As for a chain.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &ModelHandle, end: &str, base: &str) -> Outcome<CalculatorHandle> {
        let model = Arc::new(model.checked()?.clone());
        AnalyticalJacobianCalculator::new(model, end, base).map(Self).map_err(failure)
    }

    /// Names of the joints, in the order of the joint angles.
    #[wasm_bindgen(getter, js_name = jointNames)]
    #[must_use]
    pub fn joint_names(&self) -> Vec<String> {
        self.0.chain().variables().iter().map(|variable| variable.name.clone()).collect()
    }

    /// Jacobian of a link, six rows one after the other, linear ones first.
    ///
    /// # Errors
    /// When the link is not on the chain, or the joint angles are of the wrong number.
    #[allow(clippy::needless_pass_by_value)] // the form in which optional strings come
    pub fn compute(&mut self, q: &[f64], kind: &str, link: Option<String>) -> Outcome<Vec<f64>> {
        let jacobian = self.0.compute(q, frame(kind)?, link.as_deref()).map_err(failure)?;
        Ok(jacobian.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()).collect())
    }

    /// Whether the smallest singular value is below a threshold.
    ///
    /// # Errors
    /// As for the Jacobian.
    #[wasm_bindgen(js_name = isSingular)]
    #[allow(clippy::needless_pass_by_value)]
    pub fn is_singular(
        &mut self,
        q: &[f64],
        threshold: f64,
        kind: &str,
        link: Option<String>,
    ) -> Outcome<bool> {
        self.0.is_singular(q, threshold, frame(kind)?, link.as_deref()).map_err(failure)
    }

    /// Product of the singular values.
    ///
    /// # Errors
    /// As for the Jacobian.
    #[allow(clippy::needless_pass_by_value)]
    pub fn manipulability(&mut self, q: &[f64], kind: &str, link: Option<String>) -> Outcome<f64> {
        self.0.manipulability(q, frame(kind)?, link.as_deref()).map_err(failure)
    }

    /// Largest singular value divided by the smallest.
    ///
    /// # Errors
    /// As for the Jacobian.
    #[wasm_bindgen(js_name = conditionNumber)]
    #[allow(clippy::needless_pass_by_value)]
    pub fn condition_number(&mut self, q: &[f64], kind: &str, link: Option<String>) -> Outcome<f64> {
        self.0.condition_number(q, frame(kind)?, link.as_deref()).map_err(failure)
    }
}
