//! Jacobians of several links of one chain, with the chains cached by link.

use crate::chain::{Chain, JointFrameCache, ReferenceFrame};
use crate::error::IkError;
use crate::singularity::Singularity;
use kinetree_model::Model;
use nalgebra::Matrix6xX;
use std::collections::HashMap;
use std::sync::Arc;

/// A chain from the base to one link, with its memory.
#[derive(Clone, Debug)]
struct LinkChain {
    chain: Chain,
    cache: JointFrameCache,
    singularity: Singularity,
    columns: Vec<[f64; 6]>,
    /// Where each of its values is in the joint angles of the whole chain.
    indices: Vec<usize>,
    q: Vec<f64>,
}

/// Jacobians, singularity measures and manipulability of the links between a base and an end. Joint angles
/// are those of the chain from base to end, whichever link is asked for; columns are those of the joints that
/// move this link.
///
/// ```
/// use kinetree_ik::{AnalyticalJacobianCalculator, ReferenceFrame};
/// use std::sync::Arc;
///
/// let model = kinetree_spec::load_model_str(
///     r#"<mujoco><worldbody>
///          <body name="upper"><joint axis="0 1 0"/><geom size="0.1"/>
///            <body name="lower" pos="0.4 0 0"><joint axis="0 1 0"/><geom size="0.1"/>
///              <site name="hand" pos="0.3 0 0"/></body></body></worldbody></mujoco>"#,
/// )?;
/// let mut calculator = AnalyticalJacobianCalculator::new(Arc::new(model), "hand", "")?;
/// let q = [0.0, 0.0];
/// let hand = calculator.compute(&q, ReferenceFrame::ANALYTIC, None)?;
/// // a rotation about y moves a point at x = 0.7 downward
/// assert!((hand[(2, 0)] + 0.7).abs() < 1e-12 && (hand[(2, 1)] + 0.3).abs() < 1e-12);
/// // the lower link begins at the second joint: one of its axes is its own
/// let lower = calculator.compute(&q, ReferenceFrame::ANALYTIC, Some("lower"))?;
/// assert!((lower[(2, 0)] + 0.4).abs() < 1e-12 && lower[(2, 1)].abs() < 1e-12);
/// assert!(!calculator.is_singular(&q, 1e-6, ReferenceFrame::ANALYTIC, None)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnalyticalJacobianCalculator {
    model: Arc<Model>,
    base_link: String,
    end_link: String,
    chain: Chain,
    links: HashMap<String, LinkChain>,
}

impl AnalyticalJacobianCalculator {
    /// A calculator for the chain from `base_link` (the world when empty) to `end_link`.
    ///
    /// # Errors
    /// As [`Chain::new`].
    pub fn new(model: Arc<Model>, end_link: &str, base_link: &str) -> Result<Self, IkError> {
        let chain = Chain::new(&model, base_link, end_link)?;
        let (base_link, end_link) = (base_link.to_owned(), end_link.to_owned());
        Ok(Self { model, base_link, end_link, chain, links: HashMap::new() })
    }

    /// The chain from base to end.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Jacobian of `target_link`, or of the end: rows of linear velocity first.
    ///
    /// # Errors
    /// When the link is not on the chain, or the joint angles are of the wrong number or not finite.
    pub fn compute(
        &mut self,
        joint_angles: &[f64],
        frame: ReferenceFrame,
        target_link: Option<&str>,
    ) -> Result<Matrix6xX<f64>, IkError> {
        let link = self.evaluate(joint_angles, frame, target_link)?;
        Ok(Matrix6xX::from_iterator(link.columns.len(), link.columns.iter().flatten().copied()))
    }

    /// Whether the smallest singular value is below `threshold`.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn is_singular(
        &mut self,
        joint_angles: &[f64],
        threshold: f64,
        frame: ReferenceFrame,
        target_link: Option<&str>,
    ) -> Result<bool, IkError> {
        Ok(self.decompose(joint_angles, frame, target_link)?.is_singular(threshold))
    }

    /// Manipulability of Yoshikawa, `√det(J Jᵀ)`.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn manipulability(
        &mut self,
        joint_angles: &[f64],
        frame: ReferenceFrame,
        target_link: Option<&str>,
    ) -> Result<f64, IkError> {
        Ok(self.decompose(joint_angles, frame, target_link)?.manipulability())
    }

    /// Largest singular value divided by the smallest.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn condition_number(
        &mut self,
        joint_angles: &[f64],
        frame: ReferenceFrame,
        target_link: Option<&str>,
    ) -> Result<f64, IkError> {
        Ok(self.decompose(joint_angles, frame, target_link)?.condition_number())
    }

    fn decompose(
        &mut self,
        joint_angles: &[f64],
        frame: ReferenceFrame,
        target_link: Option<&str>,
    ) -> Result<&Singularity, IkError> {
        let link = self.evaluate(joint_angles, frame, target_link)?;
        link.singularity.decompose(&link.columns);
        Ok(&link.singularity)
    }

    fn evaluate(
        &mut self,
        joint_angles: &[f64],
        frame: ReferenceFrame,
        target_link: Option<&str>,
    ) -> Result<&mut LinkChain, IkError> {
        self.chain.check_q(joint_angles)?;
        let name = target_link.unwrap_or(&self.end_link);
        if !self.links.contains_key(name) {
            let link = self.link(name)?;
            self.links.insert(name.to_owned(), link);
        }
        let Some(link) = self.links.get_mut(name) else { unreachable!("inserted above") };
        for (q, &index) in link.q.iter_mut().zip(&link.indices) {
            *q = joint_angles[index];
        }
        link.chain.jacobian(&link.q, frame, &mut link.cache, &mut link.columns)?;
        Ok(link)
    }

    fn link(&self, name: &str) -> Result<LinkChain, IkError> {
        let chain = Chain::new(&self.model, &self.base_link, name)?;
        let mut indices = Vec::with_capacity(chain.nq());
        for variable in chain.variables() {
            let Some(whole) = self.chain.variables().iter().find(|v| v.joint == variable.joint) else {
                return Err(IkError::NoPath {
                    base: name.to_owned(),
                    end: self.end_link.clone(),
                    common: self.base_link.clone(),
                });
            };
            indices.extend(whole.q_index..whole.q_index + whole.kind.nq());
        }
        Ok(LinkChain {
            cache: JointFrameCache::new(&chain),
            singularity: Singularity::new(chain.nv()),
            columns: vec![[0.0; 6]; chain.nv()],
            q: vec![0.0; chain.nq()],
            indices,
            chain,
        })
    }
}
