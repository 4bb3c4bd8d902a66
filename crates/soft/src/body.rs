//! What all deformable bodies have in common.

use kinetree_math::{Mat3, Vec3};

use crate::error::SoftError;
use crate::material::Material;
use crate::particles::Particles;

/// A deformable body: vertices, and a way to advance them.
pub trait DeformableBody: Send + Sync {
    /// Positions, velocities and masses of the vertices.
    fn particles(&self) -> &Particles;

    /// The same, to change them.
    fn particles_mut(&mut self) -> &mut Particles;

    /// What the body is made of.
    fn material(&self) -> &Material;

    /// Distance from a vertex to the surface of the body (m): half the thickness of a cloth, the radius of a
    /// rope.
    fn radius(&self) -> f64;

    /// Triangles of the surface; none for ropes.
    fn triangles(&self) -> &[[u32; 3]];

    /// Edges of the surface, or the segments of a rope.
    fn edges(&self) -> Vec<[u32; 2]> {
        let around = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
        let mut edges: Vec<[u32; 2]> = self.triangles().iter().flat_map(around).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// How many substeps a step of length `dt` (s) needs, so that twice as many make no difference.
    fn substeps(&self, dt: f64) -> f64;

    /// How many substeps a step of length `dt` (s) needs when vertices push on bodies that can move: forces
    /// are exchanged once in a substep, which has to be short against the time in which the material resists.
    fn coupled_substeps(&self, dt: f64) -> f64 {
        self.substeps(dt)
    }

    /// Begins a substep of length `h` (s): displacements of the vertices by inertia, external and elastic
    /// forces.
    ///
    /// # Errors
    /// When a program has changed the number of vertices.
    fn begin(&mut self, gravity: &Vec3, h: f64) -> Result<(), SoftError>;

    /// Displacement of a vertex in the substep that has begun (m); zero if there is no such vertex.
    fn displacement(&self, vertex: usize) -> Vec3;

    /// Adds to the displacement of a vertex in the substep that has begun (m).
    fn displace(&mut self, vertex: usize, by: &Vec3);

    /// Lets a vertex move with something that carries it in the substep that has begun: by `base` (m) without
    /// forces of the body, and by `mobility` (1/kg) times these forces and the square of the substep with
    /// them. Returns whether the body takes that into account; otherwise the vertex moves by its own inertia.
    fn carry(&mut self, _vertex: usize, _base: &Vec3, _mobility: &Mat3) -> bool {
        false
    }

    /// Sum of the internal forces on a carried vertex in a substep of length `h` (s) that has been corrected
    /// (N).
    fn pull(&self, _vertex: usize, _h: f64) -> Vec3 {
        Vec3::zeros()
    }

    /// Adds what contacts with geoms that do not move make of the displacements in the substep that has
    /// begun; may be called again when the displacements have changed.
    fn push_contacts(&mut self, h: f64);

    /// Adds what the constraints make of the displacements, with `iterations` sweeps over them.
    fn correct(&mut self, h: f64, iterations: usize);

    /// Ends a substep of length `h` (s): moves the vertices.
    fn advance(&mut self, h: f64);

    /// A whole substep of length `h` (s) of a body by itself, with `iterations` sweeps over its constraints.
    ///
    /// # Errors
    /// When a program has changed the number of vertices.
    fn substep(&mut self, gravity: &Vec3, h: f64, iterations: usize) -> Result<(), SoftError> {
        self.begin(gravity, h)?;
        self.push_contacts(h);
        self.correct(h, iterations);
        self.advance(h);
        Ok(())
    }

    /// Appends the state of the body to a list: all that its motion depends on and that steps change.
    fn read_state(&self, state: &mut Vec<f64>) {
        self.particles().read_state(state);
    }

    /// Sets the state of the body from the beginning of a list, and takes it from there.
    ///
    /// # Errors
    /// When the list is too short.
    fn write_state(&mut self, state: &mut &[f64]) -> Result<(), SoftError> {
        self.particles_mut().write_state(state)
    }

    /// Energy of the deformation (J).
    ///
    /// # Errors
    /// When a program has changed the number of vertices.
    fn elastic_energy(&mut self) -> Result<f64, SoftError>;
}
