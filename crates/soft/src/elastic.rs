//! Vertices and elements of a body, and a substep of their motion.
//!
//! Elements are sorted by colour and kept in chunks, which threads take whole. Within a colour no two
//! elements share a vertex, and colours follow one another, so that the result does not depend on who
//! computes what.

use std::ops::Range;

use kinetree_math::Vec3;

use crate::coloring::color;
use crate::displacement::Displacements;
use crate::element::{Class, Element, Substep};
use crate::error::SoftError;
use crate::particles::Particles;

/// Elements of one chunk. A chunk of this size takes longer than handing it to another thread.
const CHUNK: usize = 128;

/// Largest `(h ω)²` of the stiffest mode at which the elastic force of the beginning of a substep is taken in
/// full. An explicit integrator would be stable up to four.
const EXPLICIT_LIMIT: f64 = 1.0;

/// Largest `h damping ω²` of the stiffest mode: viscosity that one sweep can answer. From about eight on,
/// what a sweep leaves of the viscous forces of constraints that depend on each other grows from substep to
/// substep.
const VISCOUS_LIMIT: f64 = 4.0;

/// Elements of one colour.
#[derive(Debug, Clone, Default)]
struct Chunk {
    elements: Vec<Element>,
}

/// A body of vertices and elements.
#[derive(Debug, Clone)]
pub(crate) struct Elastic {
    pub(crate) particles: Particles,
    /// Sorted by colour.
    chunks: Vec<Chunk>,
    /// Chunks of each colour.
    colors: Vec<Range<usize>>,
    displacement: Displacements,
    /// Square of the largest angular frequency of each class of elements (1/s²).
    frequency2: [f64; 2],
    /// Ratio of viscosity to stiffness (s).
    damping: f64,
}

impl Elastic {
    pub(crate) fn new(particles: Particles, elements: Vec<Element>, damping: f64) -> Self {
        let colors_of = color(elements.iter().map(Element::vertices), particles.len());
        let color_count = colors_of.iter().max().map_or(0, |&most| most as usize + 1);
        let mut sorted = vec![Vec::new(); color_count];
        for (element, color) in elements.into_iter().zip(colors_of) {
            sorted[color as usize].push(element);
        }
        let (mut chunks, mut colors) = (Vec::new(), Vec::new());
        for elements in sorted {
            let first = chunks.len();
            let mut rest = elements.into_iter().peekable();
            while rest.peek().is_some() {
                chunks.push(Chunk { elements: rest.by_ref().take(CHUNK).collect() });
            }
            colors.push(first..chunks.len());
        }
        let displacement = Displacements::new(particles.len());
        let mut elastic = Self { particles, chunks, colors, displacement, frequency2: [0.0; 2], damping };
        elastic.frequency2 = [Class::Strain, Class::Bending].map(|class| elastic.largest_frequency2(class));
        elastic
    }

    /// Substeps of a step of length `dt` with which stiffness does not depend on their number.
    pub(crate) fn substeps(&self, dt: f64) -> f64 {
        let frequency2 = self.total_frequency2();
        let viscous = dt * self.damping * frequency2 / VISCOUS_LIMIT;
        (dt * (frequency2 / EXPLICIT_LIMIT).sqrt()).max(viscous).ceil()
    }

    /// Bound of the square of the largest angular frequency (1/s²).
    fn total_frequency2(&self) -> f64 {
        self.frequency2.iter().sum()
    }

    /// The same for a step in which vertices exchange forces with bodies that can move: the viscous forces of
    /// one sweep must not be larger than those of an explicit step, for which `h damping ω² ≤ 2` is stable.
    pub(crate) fn coupled_substeps(&self, dt: f64) -> f64 {
        self.substeps(dt).max((0.5 * dt * self.damping * self.total_frequency2()).ceil())
    }

    /// Begins a substep of length `h`: displacements by inertia, external and elastic forces.
    ///
    /// # Errors
    /// When a program has changed the number of vertices.
    pub(crate) fn begin(&mut self, gravity: &Vec3, h: f64) -> Result<(), SoftError> {
        let step = self.substep(h);
        let Self { particles, chunks, colors, displacement, .. } = self;
        particles.check_lengths(displacement.len())?;
        for vertex in 0..particles.len() {
            displacement.set(vertex as u32, &particles.inertial_displacement(vertex, gravity, h));
        }
        let (position, inverse_mass, displacement) =
            (&particles.position, particles.inverse_mass(), &*displacement);
        for_each(chunks, |element| element.linearize(position, inverse_mass));
        for color in colors.iter() {
            for_each(&mut chunks[color.clone()], |element| element.start(&step, inverse_mass, displacement));
        }
        particles.begin_contacts();
        Ok(())
    }

    /// Adds what contacts make of the displacements. Comes before the corrections: a body at rest on a geom
    /// then has nothing to correct.
    pub(crate) fn push_contacts(&mut self, h: f64) {
        let Self { particles, displacement, .. } = self;
        particles.push_contacts(h, |v| displacement.get(v), |v, moved| displacement.set(v, &moved));
    }

    /// Lengths of a substep of length `h`.
    fn substep(&self, h: f64) -> Substep {
        Substep {
            inverse_h2: 1.0 / (h * h),
            start: self.frequency2.map(|f2| (EXPLICIT_LIMIT / f2).min(h * h)),
            // a substep that is too long for the viscosity of the material has less of it
            damped: 1.0 + self.damping.min(VISCOUS_LIMIT / (h * self.total_frequency2())) / h,
        }
    }

    /// Displacement of a vertex in the substep that has begun.
    pub(crate) fn displacement(&self, vertex: usize) -> Vec3 {
        if vertex < self.displacement.len() { self.displacement.get(vertex as u32) } else { Vec3::zeros() }
    }

    /// Adds to the displacement of a vertex.
    pub(crate) fn displace(&mut self, vertex: usize, by: &Vec3) {
        if vertex < self.displacement.len() {
            self.displacement.add(vertex as u32, by);
        }
    }

    /// `iterations` sweeps over the constraints, in a substep of length `h` that has begun.
    pub(crate) fn correct(&mut self, h: f64, iterations: usize) {
        let step = self.substep(h);
        let Self { particles, chunks, colors, displacement, .. } = self;
        let (inverse_mass, moving) = (particles.inverse_mass(), &*displacement);
        for _ in 0..iterations {
            for color in colors.iter() {
                for_each(&mut chunks[color.clone()], |element| {
                    element.correct(&step, inverse_mass, moving);
                });
            }
        }
    }

    /// Ends a substep of length `h`.
    pub(crate) fn advance(&mut self, h: f64) {
        for vertex in 0..self.particles.len().min(self.displacement.len()) {
            self.particles.advance(vertex, self.displacement.get(vertex as u32), h);
        }
    }

    fn elements(&self) -> impl Iterator<Item = &Element> {
        self.chunks.iter().flat_map(|chunk| &chunk.elements)
    }

    /// Elastic energy (J) of the present shape.
    ///
    /// # Errors
    /// When a program has changed the number of vertices.
    pub(crate) fn energy(&mut self) -> Result<f64, SoftError> {
        let Self { particles, chunks, displacement, .. } = self;
        particles.check_lengths(displacement.len())?;
        for_each(chunks, |element| element.linearize(&particles.position, particles.inverse_mass()));
        Ok(self.elements().map(Element::energy).sum())
    }

    /// Elastic forces (N) of the elements that `wanted` chooses, at the given positions.
    fn forces(&mut self, position: &[Vec3], wanted: impl Fn(&Element) -> bool, force: &mut [Vec3]) {
        force.fill(Vec3::zeros());
        let inverse_mass = self.particles.inverse_mass();
        for_each(&mut self.chunks, |element| element.linearize(position, inverse_mass));
        self.elements().filter(|element| wanted(element)).for_each(|element| element.add_force(force));
    }

    /// Largest eigenvalue of `M⁻¹ K` (1/s²) for the stiffness `K` of a class of elements at rest, by power
    /// iteration on differences of forces.
    fn largest_frequency2(&mut self, class: Class) -> f64 {
        let count = self.particles.len();
        let rest = self.particles.position.to_vec();
        let size = extent(&rest) * 1e-7;
        // any vector will do that is not orthogonal to the one that is looked for
        let mut mode: Vec<Vec3> =
            (0..3 * count as u64).step_by(3).map(|k| Vec3::from_fn(|i, _| noise(k + i as u64))).collect();
        let (mut shifted, mut forces) = (rest.clone(), vec![Vec3::zeros(); count]);
        let mut opposite = forces.clone();
        let mut eigenvalue: f64 = 0.0;
        for _ in 0..16 {
            let most = mode.iter().fold(0.0, |most: f64, v| most.max(v.amax()));
            if most == 0.0 {
                return 0.0;
            }
            mode.iter_mut().for_each(|v| *v *= size / most);
            let mut side = |sign: f64, out: &mut [Vec3]| {
                (0..count).for_each(|i| shifted[i] = rest[i] + sign * mode[i]);
                self.forces(&shifted, |element| element.class() == class, out);
            };
            side(1.0, &mut forces);
            side(-1.0, &mut opposite);
            // Rayleigh quotient  uᵀ K u / uᵀ M u
            let (mut stiffness, mut inertia) = (0.0, 0.0);
            for i in 0..count {
                let force = 0.5 * (opposite[i] - forces[i]);
                let mass = self.particles.mass()[i];
                stiffness += mode[i].dot(&force);
                inertia += mass * mode[i].norm_squared();
                mode[i] = force / mass;
            }
            eigenvalue = eigenvalue.max(stiffness / inertia);
        }
        // the quotient comes from below
        1.1 * eigenvalue
    }
}

/// Largest distance of a vertex from the first one, or one metre.
fn extent(position: &[Vec3]) -> f64 {
    let most = position.iter().fold(0.0, |most: f64, x| most.max((x - position[0]).norm()));
    if most > 0.0 { most } else { 1.0 }
}

/// A number in `[−1, 1)` that looks random (`splitmix64`).
fn noise(index: u64) -> f64 {
    let mut bits = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Does something with every element, on the threads of the pool if there are any.
#[cfg(feature = "parallel")]
fn for_each(chunks: &mut [Chunk], action: impl Fn(&mut Element) + Sync) {
    use rayon::prelude::*;
    // fewer chunks take less time than waking a thread
    if chunks.len() < 4 {
        chunks.iter_mut().for_each(|chunk| chunk.elements.iter_mut().for_each(&action));
    } else {
        chunks.par_iter_mut().for_each(|chunk| chunk.elements.iter_mut().for_each(&action));
    }
}

/// Does something with every element.
#[cfg(not(feature = "parallel"))]
fn for_each(chunks: &mut [Chunk], action: impl Fn(&mut Element)) {
    chunks.iter_mut().for_each(|chunk| chunk.elements.iter_mut().for_each(&action));
}
