//! Ropes, cables and rods: chains of capsules.
//!
//! A discrete Cosserat rod (Lang, Linn, Arnold 2011): vertices carry the mass, and each segment has a frame
//! whose third axis is its tangent up to shear. Stretch and shear are the end of a segment seen in its frame,
//! bending and twist the rotation from one frame to the next.

mod frames;
mod preset;
mod rod;

pub use preset::{ChainPreset, ChainSection};

use kinetree_math::rot::quat_integrate;
use kinetree_math::{Mat3, Quat, Vec3};

use crate::body::DeformableBody;
use crate::error::{SoftError, check_finite, check_range};
use crate::material::Material;
use crate::particles::{Particles, take_vectors};
use frames::{parallel_frames, rotation_vector};
use rod::{Rod, Rows};

/// Substeps of a step unless a program chooses their number: the stiffness of a rod is exact with one, and
/// more make its motion less damped.
const SUBSTEPS: f64 = 4.0;

/// A rope or rod of capsules between neighbouring vertices.
///
/// The constraints of a chain are few and in a row, so that all are solved at once: a chain is as stiff as
/// its material says with any number of substeps, however stiff that is.
#[derive(Debug, Clone)]
pub struct CapsuleChain {
    particles: Particles,
    material: Material,
    section: ChainSection,
    /// Frames of the segments, of which the third axis is the tangent.
    frame: Vec<Quat>,
    /// Angular velocities of the segments in world coordinates (rad/s).
    spin: Vec<Vec3>,
    /// Frames that hold the ends, if they are clamped.
    clamp: [Option<Quat>; 2],
    rod: Rod,
}

impl CapsuleChain {
    /// A chain through points (m), which is at rest as it lies.
    ///
    /// # Errors
    /// When there are fewer than two points, two neighbours coincide, or a number is out of range.
    pub fn new(
        points: Vec<Vec3>,
        section: ChainSection,
        material: impl Into<Material>,
    ) -> Result<Self, SoftError> {
        let material = material.into();
        material.check()?;
        section.check()?;
        check_finite("point", &points)?;
        if points.len() < 2 {
            return Err(SoftError::TooFew { what: "points", least: 2, count: points.len() });
        }
        let length: Vec<f64> = points.windows(2).map(|ends| (ends[1] - ends[0]).norm()).collect();
        if let Some(index) = length.iter().position(|l| !l.is_normal()) {
            let value = length[index];
            return Err(SoftError::Degenerate { what: "segment", index, measure: "length", value });
        }
        let density = material.density * section.area();
        let half = |k: usize| 0.5 * density * length.get(k).copied().unwrap_or_default();
        let mass = (0..points.len()).map(|k| half(k) + if k > 0 { half(k - 1) } else { 0.0 }).collect();
        let frame = parallel_frames(&points);
        let rod = Rod::new(&frame, length, &section, &material);
        let spin = vec![Vec3::zeros(); frame.len()];
        let particles = Particles::new(points, mass)?;
        Ok(Self { particles, material, section, frame, spin, clamp: [None; 2], rod })
    }

    /// A straight chain of one of the presets.
    ///
    /// # Errors
    /// When the ends coincide or there is no segment.
    pub fn straight(from: Vec3, to: Vec3, segments: usize, preset: ChainPreset) -> Result<Self, SoftError> {
        let count = segments as f64;
        check_range("number of segments", count, (1.0..=1e6).contains(&count), "between one and a million")?;
        let points = (0..=segments).map(|k| from + (to - from) * (k as f64 / count)).collect();
        Self::new(points, preset.section(), preset.material())
    }

    /// Clamps the first end: its vertex is pinned, and its tangent stays as it is.
    pub fn clamp_start(&mut self) {
        self.clamp[0] = self.frame.first().copied();
        // a chain has a first vertex
        let _pinned = self.particles.pin(0);
    }

    /// Clamps the last end: its vertex is pinned, and its tangent stays as it is.
    pub fn clamp_end(&mut self) {
        self.clamp[1] = self.frame.last().copied();
        let _pinned = self.particles.pin(self.frame.len());
    }

    /// Frames of the segments (`[w, x, y, z]`); the third axis is the tangent.
    #[must_use]
    pub fn frames(&self) -> &[Quat] {
        &self.frame
    }

    /// Angular velocities of the segments in world coordinates (rad/s).
    #[must_use]
    pub fn spin(&self) -> &[Vec3] {
        &self.spin
    }

    /// The same, to change them.
    pub fn spin_mut(&mut self) -> &mut [Vec3] {
        &mut self.spin
    }

    /// Cross-section.
    #[must_use]
    pub fn section(&self) -> &ChainSection {
        &self.section
    }

    /// Angular momentum about the origin (kg m²/s): that of the vertices and of the rotating segments.
    #[must_use]
    pub fn angular_momentum(&self) -> Vec3 {
        let inertia = self.rod.inverse_inertia.iter().zip(&self.spin);
        self.particles.angular_momentum()
            + inertia.fold(Vec3::zeros(), |sum, (inverse, spin)| sum + spin / *inverse)
    }

    /// Kinetic energy (J) of vertices and rotating segments.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let inertia = self.rod.inverse_inertia.iter().zip(&self.spin);
        let rotation: f64 = inertia.map(|(inverse, spin)| 0.5 * spin.norm_squared() / inverse).sum();
        self.particles.kinetic_energy() + rotation
    }
}

impl DeformableBody for CapsuleChain {
    fn particles(&self) -> &Particles {
        &self.particles
    }

    fn particles_mut(&mut self) -> &mut Particles {
        &mut self.particles
    }

    fn material(&self) -> &Material {
        &self.material
    }

    fn radius(&self) -> f64 {
        self.section.radius
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &[]
    }

    fn substeps(&self, _dt: f64) -> f64 {
        SUBSTEPS
    }

    fn begin(&mut self, gravity: &Vec3, h: f64) -> Result<(), SoftError> {
        self.particles.check_lengths(self.frame.len() + 1)?;
        let Self { particles, frame, spin, clamp, rod, .. } = self;
        for vertex in 0..particles.len() {
            rod.moved[vertex] = particles.inertial_displacement(vertex, gravity, h);
            rod.mobility[vertex] = Mat3::from_diagonal_element(particles.inverse_mass()[vertex]);
        }
        for (rotated, spin) in rod.rotated.iter_mut().zip(spin.iter()) {
            *rotated = h * spin;
        }
        rod.linearize(&particles.position, frame, clamp);
        particles.begin_contacts(h);
        Ok(())
    }

    fn carry(&mut self, vertex: usize, base: &Vec3, mobility: &Mat3) -> bool {
        let Rod { moved, mobility: own, .. } = &mut self.rod;
        let (Some(moved), Some(own)) = (moved.get_mut(vertex), own.get_mut(vertex)) else { return false };
        (*moved, *own) = (*base, *mobility);
        true
    }

    fn pull(&self, vertex: usize, h: f64) -> Vec3 {
        self.rod.pull.get(vertex).map_or_else(Vec3::zeros, |pull| pull / (h * h))
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        (0..self.frame.len() as u32).map(|k| [k, k + 1]).collect()
    }

    /// Contacts push after the direct solution, which would spread what they have pushed before.
    fn push_contacts(&mut self, _h: f64) {}

    fn displacement(&self, vertex: usize) -> Vec3 {
        self.rod.moved.get(vertex).copied().unwrap_or_default()
    }

    fn displace(&mut self, vertex: usize, by: &Vec3) {
        if let Some(moved) = self.rod.moved.get_mut(vertex) {
            *moved += by;
        }
    }

    fn correct(&mut self, h: f64, _iterations: usize) {
        let Self { particles, rod, .. } = self;
        rod.solve(1.0 / (h * h), 1.0 + self.material.damping / h);
        let moved = std::cell::Cell::from_mut(rod.moved.as_mut_slice()).as_slice_of_cells();
        particles.push_contacts(h, |v| moved[v as usize].get(), |v, pushed| moved[v as usize].set(pushed));
    }

    fn advance(&mut self, h: f64) {
        let Self { particles, frame, spin, rod, .. } = self;
        for vertex in 0..particles.len().min(rod.moved.len()) {
            particles.advance(vertex, rod.moved[vertex], h);
        }
        for segment in 0..frame.len() {
            spin[segment] = rod.rotated[segment] / h;
            rotate(&mut frame[segment], &rod.rotated[segment]);
        }
    }

    fn read_state(&self, state: &mut Vec<f64>) {
        self.particles.read_state(state);
        state.extend(self.spin.iter().flat_map(|v| [v.x, v.y, v.z]));
        state.extend(self.frame.iter().flatten());
    }

    fn write_state(&mut self, state: &mut &[f64]) -> Result<(), SoftError> {
        self.particles.write_state(state)?;
        take_vectors(state, &mut self.spin)?;
        let (expected, count) = (4 * self.frame.len(), state.len());
        let Some((own, rest)) = state.split_at_checked(expected) else {
            return Err(SoftError::Length { what: "the state", count, expected });
        };
        *state = rest;
        self.frame.as_flattened_mut().copy_from_slice(own);
        Ok(())
    }

    fn elastic_energy(&mut self) -> Result<f64, SoftError> {
        self.particles.check_lengths(self.frame.len() + 1)?;
        self.rod.linearize(&self.particles.position, &self.frame, &self.clamp);
        Ok(self.rod.rows.iter().map(Rows::energy).sum())
    }
}

/// Turns a frame by a rotation vector in world coordinates.
fn rotate(frame: &mut Quat, by: &Vec3) {
    // the integrator of quaternions takes local coordinates
    let local = rotation_vector(frame, by);
    quat_integrate(frame, &local, 1.0);
}
