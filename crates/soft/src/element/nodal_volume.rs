//! Mean relative change of volume around a vertex.

use std::sync::Arc;

use wide::f64x4;

use super::Substep;
use crate::displacement::{Motion, Positions};
use crate::lane::{Indices, Lane3, WIDTH, quotient};

/// The tetrahedra around a vertex, as one constraint: their volume relative to that at rest, less one.
///
/// With the vertex at the origin their volume is `⅙ Σ a·(b × c)` over the triangles `a b c` of its link. Each
/// edge of the link adds its cross product to the gradients at the one or two vertices opposite of it, and
/// `x·∇V` summed over the vertices is three times the volume.
#[derive(Debug, Clone)]
pub(crate) struct NodalVolume {
    /// The vertex itself, and those of its link.
    pub(crate) vertices: Box<[u32]>,
    /// Edges of the link, as positions in the list of vertices: the ends `a b`, and the vertices `c` and `d`
    /// of the triangles `a b c` and `b a d`; zero where there is none.
    pub(crate) link: Box<[[u32; 4]]>,
    /// Volume at rest that belongs to the vertex (m³): a quarter of that of the tetrahedra.
    pub(crate) volume: f64,
    /// Compliance of the constraint (1/J).
    pub(crate) compliance: f64,
}

/// Four vertices whose links look alike.
#[derive(Debug, Clone)]
pub(crate) struct NodalVolumeBlock {
    vertices: Box<[Indices]>,
    link: Arc<[[u32; 4]]>,
    /// `1 / (24 V)`: the constraint is the sum of `a·(b × c)` over the link, times this, less one.
    scale: f64x4,
    compliance: f64x4,
    stiffness: f64x4,
    value: f64x4,
    /// `∇C M⁻¹ ∇Cᵀ`.
    diagonal: f64x4,
    multiplier: f64x4,
    gradient: Box<[Lane3]>,
}

impl NodalVolumeBlock {
    /// Up to four vertices; the others are the vertex `fixed`, which does not move.
    pub(crate) fn new(elements: &[&NodalVolume], fixed: u32) -> Self {
        let lane = |get: &dyn Fn(&NodalVolume) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| elements.get(k).map_or(0.0, |e| get(e))))
        };
        let count = elements.first().map_or(0, |element| element.vertices.len());
        let vertices =
            |place: usize| std::array::from_fn(|k| elements.get(k).map_or(fixed, |e| e.vertices[place]));
        Self {
            vertices: (0..count).map(vertices).collect(),
            link: elements.first().map_or_else(|| Arc::from([]), |element| Arc::from(&*element.link)),
            scale: lane(&|e| 1.0 / (24.0 * e.volume)),
            compliance: lane(&|e| e.compliance),
            stiffness: lane(&|e| 1.0 / e.compliance),
            value: f64x4::ZERO,
            diagonal: f64x4::ZERO,
            multiplier: f64x4::ZERO,
            gradient: vec![Lane3::ZERO; count].into(),
        }
    }

    /// Number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Begins a substep as [`Block::begin`](super::Block::begin) does; `relative` is memory for as many
    /// vectors as the block has vertices.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        position: &Positions,
        start: f64,
        motion: &mut impl Motion,
        relative: &mut [Lane3],
    ) {
        let relative = &mut relative[..self.vertices.len()];
        let center = position.gather(&self.vertices[0]).0;
        for (place, vertices) in self.vertices.iter().enumerate() {
            relative[place] = position.gather(vertices).0 - center;
        }
        self.take_gradient(relative);
        let mut sum = f64x4::ZERO;
        for (x, slope) in relative.iter().zip(&self.gradient) {
            sum += x.dot(slope);
        }
        // padding has neither volume nor stiffness
        self.value = sum * (1.0 / 3.0) - f64x4::ONE;
        self.multiplier = self.stiffness * self.value * -start;
        let (multiplier, mut diagonal) = (self.multiplier, f64x4::ZERO);
        for (vertices, slope) in self.vertices.iter().zip(&self.gradient) {
            motion.push(vertices, |inverse_mass| {
                diagonal += inverse_mass * slope.norm_squared();
                (inverse_mass * multiplier) * *slope
            });
        }
        self.diagonal = diagonal;
    }

    /// `∇C` at all vertices, whose positions are relative to the first one.
    #[inline(always)]
    fn take_gradient(&mut self, relative: &[Lane3]) {
        let gradient = &mut self.gradient[..relative.len()];
        gradient.fill(Lane3::ZERO);
        for &[a, b, c, d] in self.link.iter() {
            let [a, b, c, d] = [a as usize, b as usize, c as usize, d as usize];
            let product = relative[a].cross(&relative[b]);
            gradient[c] += product;
            gradient[d] -= product;
        }
        // the first vertex has collected what has no other place; it balances the others
        let mut sum = Lane3::ZERO;
        for slope in &mut gradient[1..] {
            *slope = self.scale * *slope;
            sum += *slope;
        }
        gradient[0] = -sum;
    }

    /// One Gauss–Seidel update of the multipliers.
    #[inline(always)]
    pub(crate) fn correct(&mut self, step: &Substep, motion: &mut impl Motion) {
        let mut rate = f64x4::ZERO;
        for (vertices, slope) in self.vertices.iter().zip(&self.gradient) {
            rate += slope.dot(&motion.gather(vertices).0);
        }
        let compliance = self.compliance * step.inverse_h2;
        let residual = self.value + rate * step.damped + compliance * self.multiplier;
        let correction = quotient(-residual, self.diagonal * step.damped + compliance);
        self.multiplier += correction;
        for (vertices, slope) in self.vertices.iter().zip(&self.gradient) {
            motion.push(vertices, |inverse_mass| (inverse_mass * correction) * *slope);
        }
    }

    /// Elastic energy (J) at the positions of the last beginning.
    pub(crate) fn energy(&self) -> f64 {
        (self.value * self.value * self.stiffness * 0.5).to_array().iter().sum()
    }
}
