//! Vertices and elements of a body, and a substep of their motion.

use std::ops::Range;

use kinetree_math::Vec3;

use crate::cluster::{Cluster, Scratch, clusters};
use crate::displacement::{Displacements, Positions};
use crate::element::{Class, Element, Substep};
use crate::error::SoftError;
use crate::particles::Particles;

/// Largest `(h ω)²` of the stiffest mode at which the elastic force of the beginning of a substep is taken in
/// full. An explicit integrator would be stable up to four.
const EXPLICIT_LIMIT: f64 = 1.0;

/// Largest `h damping ω²` of the stiffest mode: viscosity that one sweep can answer. From about eight on,
/// what a sweep leaves of the viscous forces of constraints that depend on each other grows from substep to
/// substep.
const VISCOUS_LIMIT: f64 = 4.0;

/// Parts of a colour for each thread, so that one who is done early takes from the others.
#[cfg(feature = "parallel")]
const PARTS: usize = 4;

/// A body of vertices and elements.
#[derive(Debug, Clone)]
pub(crate) struct Elastic {
    pub(crate) particles: Particles,
    /// Sorted by colour.
    clusters: Vec<Cluster>,
    /// Clusters of each colour.
    colors: Vec<Range<usize>>,
    /// Positions of the beginning of a substep.
    position: Positions,
    displacement: Displacements,
    /// Memory for the cluster at hand: one for each part that threads take.
    scratch: Vec<Scratch>,
    /// Square of the largest angular frequency of each class of elements (1/s²).
    frequency2: [f64; 2],
    /// Ratio of viscosity to stiffness (s).
    damping: f64,
}

impl Elastic {
    pub(crate) fn new(particles: Particles, elements: Vec<Element>, damping: f64) -> Self {
        let (clusters, colors) = clusters(elements, &particles.position);
        let (position, displacement) = (Positions::new(particles.len()), Displacements::new(particles.len()));
        let scratch = vec![Scratch::new(&clusters)];
        let frequency2 = [0.0; 2];
        let mut elastic =
            Self { particles, clusters, colors, position, displacement, scratch, frequency2, damping };
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
        let Self { particles, position, displacement, .. } = self;
        particles.check_lengths(displacement.len())?;
        for vertex in 0..particles.len() {
            let inverse_mass = particles.inverse_mass()[vertex];
            position.set(vertex, &particles.position[vertex], inverse_mass);
            let moved = particles.inertial_displacement(vertex, gravity, h);
            displacement.begin(vertex, &moved, inverse_mass);
        }
        self.begin_elements(&step);
        self.particles.begin_contacts(h);
        Ok(())
    }

    /// Does something with every cluster, colour by colour, on the threads of the pool if there are any.
    fn for_each_cluster(
        &mut self,
        action: impl Fn(&mut Cluster, (&Positions, &Displacements), &mut Scratch) + Sync,
    ) {
        let Self { clusters, colors, position, displacement, scratch, .. } = self;
        let tables = (&*position, &*displacement);
        #[cfg(feature = "parallel")]
        let threads = kinetree_threads::count();
        for color in colors {
            let clusters = &mut clusters[color.clone()];
            #[cfg(feature = "parallel")]
            if clusters.len() > 1 && threads > 1 {
                use rayon::prelude::*;
                let size = clusters.len().div_ceil(PARTS * threads);
                let parts = clusters.len().div_ceil(size);
                if scratch.len() < parts {
                    let one = scratch[0].clone();
                    scratch.resize(parts, one);
                }
                let parts = clusters.par_chunks_mut(size).zip(scratch.par_iter_mut());
                kinetree_threads::install(|| {
                    parts.for_each(|(clusters, scratch)| {
                        clusters.iter_mut().for_each(|cluster| action(cluster, tables, scratch));
                    });
                });
                continue;
            }
            clusters.iter_mut().for_each(|cluster| action(cluster, tables, &mut scratch[0]));
        }
    }

    /// Linearizes all elements at the positions that are set, and adds their elastic forces.
    fn begin_elements(&mut self, step: &Substep) {
        self.for_each_cluster(|cluster, tables, scratch| cluster.begin(step, tables, scratch));
    }

    /// Adds what contacts make of the displacements. Comes before the corrections: a body at rest on a geom
    /// then has nothing to correct.
    pub(crate) fn push_contacts(&mut self, h: f64) {
        let Self { particles, displacement, .. } = self;
        particles.push_contacts(
            h,
            |v| displacement.get(v as usize),
            |v, moved| displacement.set(v as usize, &moved),
        );
    }

    /// Lengths of a substep of length `h`.
    fn substep(&self, h: f64) -> Substep {
        let explicit = self.frequency2.map(|f2| (EXPLICIT_LIMIT / (f2 * h * h)).min(1.0));
        Substep {
            inverse_h2: 1.0 / (h * h),
            start: explicit.map(|part| part * h * h),
            implicit_share: explicit.map(|part| 1.0 - part),
            // a substep that is too long for the viscosity of the material has less of it
            damped: 1.0 + self.damping.min(VISCOUS_LIMIT / (h * self.total_frequency2())) / h,
            first: true,
            last: true,
        }
    }

    /// Displacement of a vertex in the substep that has begun.
    pub(crate) fn displacement(&self, vertex: usize) -> Vec3 {
        if vertex < self.displacement.len() { self.displacement.get(vertex) } else { Vec3::zeros() }
    }

    /// Adds to the displacement of a vertex.
    pub(crate) fn displace(&mut self, vertex: usize, by: &Vec3) {
        if vertex < self.displacement.len() {
            let moved = self.displacement.get(vertex) + by;
            self.displacement.set(vertex, &moved);
        }
    }

    /// `iterations` sweeps over the constraints, in a substep of length `h` that has begun.
    pub(crate) fn correct(&mut self, h: f64, iterations: usize) {
        let step = self.substep(h);
        for sweep in 0..iterations {
            let step = Substep { first: sweep == 0, last: sweep + 1 == iterations, ..step };
            self.for_each_cluster(|cluster, (_, displacement), scratch| {
                cluster.correct(&step, displacement, scratch);
            });
        }
    }

    /// Ends a substep of length `h`.
    pub(crate) fn advance(&mut self, h: f64) {
        for vertex in 0..self.particles.len().min(self.displacement.len()) {
            self.particles.advance(vertex, self.displacement.get(vertex), h);
        }
    }

    /// Elastic energy (J) of the present shape.
    ///
    /// # Errors
    /// When a program has changed the number of vertices.
    pub(crate) fn energy(&mut self) -> Result<f64, SoftError> {
        self.particles.check_lengths(self.displacement.len())?;
        for (vertex, x) in self.particles.position.iter().enumerate() {
            self.position.set(vertex, x, 0.0);
        }
        self.begin_elements(&Substep::forces([0.0; 2]));
        Ok(self.clusters.iter_mut().map(Cluster::energy).sum())
    }

    /// Accelerations (m/s²) by the elastic forces of a class of elements at given positions, of vertices none
    /// of which is pinned.
    fn accelerations(&mut self, position: &[Vec3], class: Class, acceleration: &mut [Vec3]) {
        for (vertex, x) in position.iter().enumerate() {
            let inverse_mass = 1.0 / self.particles.mass()[vertex];
            self.position.set(vertex, x, inverse_mass);
            self.displacement.begin(vertex, &Vec3::zeros(), inverse_mass);
        }
        let mut start = [0.0; 2];
        start[class as usize] = 1.0;
        self.begin_elements(&Substep::forces(start));
        for (vertex, acceleration) in acceleration.iter_mut().enumerate() {
            *acceleration = self.displacement.get(vertex);
        }
    }

    /// Largest eigenvalue of `M⁻¹ K` (1/s²) for the stiffness `K` of a class of elements at rest, by power
    /// iteration on differences of accelerations.
    fn largest_frequency2(&mut self, class: Class) -> f64 {
        let count = self.particles.len();
        let rest = self.particles.position.to_vec();
        let size = extent(&rest) * 1e-7;
        // any vector will do that is not orthogonal to the one that is looked for
        let mut mode: Vec<Vec3> =
            (0..3 * count as u64).step_by(3).map(|k| Vec3::from_fn(|i, _| noise(k + i as u64))).collect();
        let (mut shifted, mut forward) = (rest.clone(), vec![Vec3::zeros(); count]);
        let mut backward = forward.clone();
        let mut eigenvalue: f64 = 0.0;
        for _ in 0..16 {
            let most = mode.iter().fold(0.0, |most: f64, v| most.max(v.amax()));
            if most == 0.0 {
                return 0.0;
            }
            mode.iter_mut().for_each(|v| *v *= size / most);
            let mut side = |sign: f64, out: &mut [Vec3]| {
                (0..count).for_each(|i| shifted[i] = rest[i] + sign * mode[i]);
                self.accelerations(&shifted, class, out);
            };
            side(1.0, &mut forward);
            side(-1.0, &mut backward);
            // Rayleigh quotient  uᵀ K u / uᵀ M u
            let (mut stiffness, mut inertia) = (0.0, 0.0);
            for i in 0..count {
                let acceleration = 0.5 * (backward[i] - forward[i]);
                let mass = self.particles.mass()[i];
                stiffness += mass * mode[i].dot(&acceleration);
                inertia += mass * mode[i].norm_squared();
                mode[i] = acceleration;
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

#[cfg(test)]
mod tests {
    use crate::{Cloth, ClothPreset, SoftBody, SoftBodyPreset};

    /// Threads that take clusters of one colour in turns, and wait for each other after it, are mostly busy.
    #[test]
    fn clusters_of_ten_thousand_vertices_keep_two_threads_busy() {
        let block = SoftBody::block([20; 3], [1.0; 3], SoftBodyPreset::Rubber).expect("a block");
        let sheet = Cloth::grid([99; 2], [1.0; 2], ClothPreset::Cotton).expect("a sheet");
        for elastic in [block.elastic(), sheet.elastic()] {
            let rounds: usize = elastic.colors.iter().map(|color| color.len().div_ceil(2)).sum();
            let busy = elastic.clusters.len() as f64 / (2 * rounds) as f64;
            assert!(busy > 0.85, "{busy} of the time with {} colours", elastic.colors.len());
        }
    }
}
