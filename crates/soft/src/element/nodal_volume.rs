//! Mean relative change of volume around a vertex.

use wide::f64x4;

use super::{Class, Substep};
use crate::displacement::{LocalMotion, LocalPositions};
use crate::lane::{Indices, Lane3, WIDTH};

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
    /// Inverse of the compliance (J).
    pub(crate) stiffness: f64,
}

/// Four vertices whose links look alike: what does not belong to a single vertex of these.
#[derive(Debug, Clone)]
struct NodalVolumeBlock {
    /// Number of vertices.
    len: usize,
    /// Which link.
    link: usize,
    /// `1 / (24 V)`: the constraint is the sum of `a·(b × c)` over the link, times this, less one.
    scale: f64x4,
    stiffness: f64x4,
    residual: f64x4,
    /// `∇C M⁻¹ ∇Cᵀ`.
    diagonal: f64x4,
}

/// The vertices of a cluster, in blocks of four whose links look alike.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodalVolumeBlocks {
    blocks: Vec<NodalVolumeBlock>,
    /// Of all blocks, one after the other.
    vertices: Vec<Indices>,
    gradient: Vec<Lane3>,
    /// Links that differ.
    links: Vec<Box<[[u32; 4]]>>,
}

impl NodalVolumeBlocks {
    /// Appends up to four vertices; the others are the vertex `fixed`, which does not move.
    pub(crate) fn push(&mut self, elements: &[&NodalVolume], fixed: u32) {
        let Some(first) = elements.first() else { return };
        let lane = |get: &dyn Fn(&NodalVolume) -> f64| {
            f64x4::new(std::array::from_fn::<_, WIDTH, _>(|k| elements.get(k).map_or(0.0, |e| get(e))))
        };
        // blocks come in the order of their links
        if self.links.last() != Some(&first.link) {
            self.links.push(first.link.clone());
        }
        let len = first.vertices.len();
        for place in 0..len {
            let vertex = |k: usize| elements.get(k).map_or(fixed, |e| e.vertices[place]);
            self.vertices.push(std::array::from_fn(vertex));
            self.gradient.push(Lane3::ZERO);
        }
        self.blocks.push(NodalVolumeBlock {
            len,
            link: self.links.len() - 1,
            scale: lane(&|e| 1.0 / (24.0 * e.volume)),
            stiffness: lane(&|e| e.stiffness),
            residual: f64x4::ZERO,
            diagonal: f64x4::ZERO,
        });
    }

    /// Largest number of vertices of a block.
    pub(crate) fn longest(&self) -> usize {
        self.blocks.iter().map(|block| block.len).max().unwrap_or(0)
    }

    /// Begins a substep as [`Block::begin`](super::Block::begin) does; `relative` is memory for as many
    /// vectors as the longest block has vertices.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        position: &LocalPositions,
        step: &Substep,
        motion: &mut LocalMotion,
        relative: &mut [Lane3],
    ) {
        let (start, implicit_share) = step.start_of(Class::Strain);
        let (mut vertices, mut gradient) = (&self.vertices[..], &mut self.gradient[..]);
        for block in &mut self.blocks {
            let (own, rest) = vertices.split_at(block.len);
            let (partials, more) = gradient.split_at_mut(block.len);
            (vertices, gradient) = (rest, more);
            let relative = &mut relative[..block.len];
            let (center, inverse_mass) = position.gather(&own[0]);
            for (x, vertices) in relative.iter_mut().zip(own) {
                *x = position.gather(vertices).0 - center;
            }
            take_gradient(partials, relative, &self.links[block.link], block.scale);
            let mut sum = f64x4::ZERO;
            for (x, partial) in relative.iter().zip(&*partials) {
                sum += x.dot(partial);
            }
            // padding has neither volume nor stiffness
            let value = sum * (1.0 / 3.0) - f64x4::ONE;
            let multiplier = block.stiffness * value * -start;
            block.residual = value * implicit_share;
            block.diagonal = inverse_mass * partials[0].norm_squared();
            motion.push(&own[0], &(multiplier * partials[0]));
            for (vertices, partial) in own[1..].iter().zip(&partials[1..]) {
                let (moved, inverse_mass) = motion.gather(vertices);
                block.diagonal += inverse_mass * partial.norm_squared();
                motion.scatter(vertices, &(moved + (inverse_mass * multiplier) * *partial), inverse_mass);
            }
        }
    }

    /// One Gauss–Seidel update of the multipliers.
    #[inline(always)]
    pub(crate) fn correct(&mut self, step: &Substep, motion: &mut LocalMotion) {
        let (mut vertices, mut gradient) = (&self.vertices[..], &self.gradient[..]);
        for block in &mut self.blocks {
            let (own, rest) = vertices.split_at(block.len);
            let (partials, more) = gradient.split_at(block.len);
            (vertices, gradient) = (rest, more);
            let mut rate = f64x4::ZERO;
            for (vertices, partial) in own.iter().zip(partials) {
                rate += partial.dot(&motion.gather(vertices).0);
            }
            let resistance = block.stiffness * block.diagonal * step.damped + step.inverse_h2;
            let change = -(block.residual + rate * step.damped) / resistance;
            if !step.last {
                block.residual += change * step.inverse_h2;
            }
            let correction = block.stiffness * change;
            for (vertices, partial) in own.iter().zip(partials) {
                motion.push(vertices, &(correction * *partial));
            }
        }
    }

    /// Elastic energy (J) at the positions of the last beginning, which had `θ = 0`.
    pub(crate) fn energy(&self) -> f64 {
        let energy = |block: &NodalVolumeBlock| {
            (block.residual * block.residual * block.stiffness * 0.5).to_array().iter().sum::<f64>()
        };
        self.blocks.iter().map(energy).sum()
    }
}

/// `∇C` at all vertices, whose positions are relative to the first one.
#[inline(always)]
fn take_gradient(gradient: &mut [Lane3], relative: &[Lane3], link: &[[u32; 4]], scale: f64x4) {
    gradient.fill(Lane3::ZERO);
    for &[a, b, c, d] in link {
        let [a, b, c, d] = [a as usize, b as usize, c as usize, d as usize];
        let product = relative[a].cross(&relative[b]);
        gradient[c] += product;
        gradient[d] -= product;
    }
    // the first vertex has collected what has no other place; it balances the others
    let mut sum = Lane3::ZERO;
    for partial in &mut gradient[1..] {
        *partial = scale * *partial;
        sum += *partial;
    }
    gradient[0] = -sum;
}
