//! Point masses: the vertices of a deformable body.

use kinetree_math::Vec3;

use crate::error::{SoftError, check_finite};
use crate::point_contact::{PointContact, SharedContact, push_all};
use crate::vertex_array::VertexArray;

/// Positions, velocities, masses and external forces of the vertices of a body. The arrays of a body stay
/// where they are as long as it lives, so that others may look at them: see [`VertexArray`].
#[derive(Debug)]
pub struct Particles {
    /// Positions (m), one for each vertex.
    pub position: VertexArray<0>,
    /// Velocities (m/s), one for each vertex. That of a pinned vertex is prescribed.
    pub velocity: VertexArray<1>,
    /// External forces (N), one for each vertex. They stay until they are changed.
    pub force: VertexArray<2>,
    /// Positions when the body was made (m).
    rest: Vec<Vec3>,
    mass: Vec<f64>,
    /// Zero for pinned vertices, else the inverse of the mass.
    inverse_mass: Vec<f64>,
    /// Accelerations (m/s²) by contacts with what can move, and by attachments, in the last substep.
    pub(crate) push: Vec<Vec3>,
    /// Contacts of this step with geoms that do not move, sorted by vertex.
    pub(crate) contacts: Vec<PointContact>,
    /// Those of edges and faces.
    pub(crate) shared_contacts: Vec<SharedContact>,
}

/// Sweeps over contacts that share vertices, in each call.
const SHARED_SWEEPS: usize = 8;
/// They end when none moves its place by more than this part of the motion.
const SHARED_TOLERANCE: f64 = 1e-4;

impl Clone for Particles {
    fn clone(&self) -> Self {
        Self {
            position: VertexArray::new(self.position.to_vec()),
            velocity: VertexArray::new(self.velocity.to_vec()),
            force: VertexArray::new(self.force.to_vec()),
            rest: self.rest.clone(),
            mass: self.mass.clone(),
            inverse_mass: self.inverse_mass.clone(),
            push: self.push.clone(),
            contacts: self.contacts.clone(),
            shared_contacts: self.shared_contacts.clone(),
        }
    }
}

impl Drop for Particles {
    /// Being there, this keeps arrays from being moved out.
    fn drop(&mut self) {}
}

impl Particles {
    /// Vertices at rest.
    ///
    /// # Errors
    /// When the arrays have different lengths, a number is not finite or a mass is not positive.
    pub fn new(position: Vec<Vec3>, mass: Vec<f64>) -> Result<Self, SoftError> {
        let count = position.len();
        if mass.len() != count {
            return Err(SoftError::Length {
                what: "the array of masses",
                count: mass.len(),
                expected: count,
            });
        }
        check_finite("position", &position)?;
        // written so that NaN fails too
        if let Some(index) = mass.iter().position(|&m| !(m > 0.0 && m.is_finite())) {
            let (what, measure, value) = ("vertex", "mass", mass[index]);
            return Err(SoftError::Degenerate { what, index, measure, value });
        }
        let inverse_mass = mass.iter().map(|m| 1.0 / m).collect();
        let zeros = vec![Vec3::zeros(); count];
        Ok(Self {
            rest: position.clone(),
            position: VertexArray::new(position),
            velocity: VertexArray::new(zeros.clone()),
            force: VertexArray::new(zeros.clone()),
            mass,
            inverse_mass,
            push: zeros,
            contacts: Vec::new(),
            shared_contacts: Vec::new(),
        })
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// Positions when the body was made (m).
    #[must_use]
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// Masses (kg), one for each vertex, pinned or not.
    #[must_use]
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// Inverse masses (1/kg), one for each vertex; zero for pinned ones.
    #[must_use]
    pub fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    /// Pins a vertex: only its prescribed velocity, which is set to zero, moves it.
    ///
    /// # Errors
    /// When there is no such vertex.
    pub fn pin(&mut self, vertex: usize) -> Result<(), SoftError> {
        *self.inverse_mass_mut(vertex)? = 0.0;
        self.velocity[vertex] = Vec3::zeros();
        Ok(())
    }

    /// Lets a pinned vertex go.
    ///
    /// # Errors
    /// When there is no such vertex.
    pub fn unpin(&mut self, vertex: usize) -> Result<(), SoftError> {
        let mass = self.mass.get(vertex).copied();
        // a vertex that is not there has no mass, and is refused
        *self.inverse_mass_mut(vertex)? = 1.0 / mass.unwrap_or(1.0);
        Ok(())
    }

    fn inverse_mass_mut(&mut self, index: usize) -> Result<&mut f64, SoftError> {
        let count = self.mass.len();
        self.inverse_mass.get_mut(index).ok_or(SoftError::OutOfRange { what: "vertex", index, count })
    }

    /// Whether all arrays have the length they should have, and are finite.
    ///
    /// # Errors
    /// When a program has changed the length of an array, or written something that is not a number.
    pub fn check(&self) -> Result<(), SoftError> {
        self.check_lengths(self.len())?;
        check_finite("position", &self.position)?;
        check_finite("velocity", &self.velocity)?;
        check_finite("force", &self.force)
    }

    /// Whether there are as many vertices as the elements of a body were made for.
    pub(crate) fn check_lengths(&self, expected: usize) -> Result<(), SoftError> {
        let arrays = [
            ("the array of masses", self.mass.len()),
            ("the array of positions", self.position.len()),
            ("the array of velocities", self.velocity.len()),
            ("the array of forces", self.force.len()),
        ];
        match arrays.into_iter().find(|&(_, count)| count != expected) {
            Some((what, count)) => Err(SoftError::Length { what, count, expected }),
            None => Ok(()),
        }
    }

    /// Appends positions, velocities and accelerations by contacts to a list.
    pub(crate) fn read_state(&self, state: &mut Vec<f64>) {
        state.extend(
            self.position.iter().chain(&self.velocity).chain(&self.push).flat_map(|v| [v.x, v.y, v.z]),
        );
    }

    /// Sets positions, velocities and accelerations by contacts from the beginning of a list.
    pub(crate) fn write_state(&mut self, state: &mut &[f64]) -> Result<(), SoftError> {
        take_vectors(state, &mut self.position)?;
        take_vectors(state, &mut self.velocity)?;
        take_vectors(state, &mut self.push)
    }

    /// Linear momentum `Σ m v` (kg m/s).
    #[must_use]
    pub fn momentum(&self) -> Vec3 {
        self.weighted(|_, velocity| *velocity)
    }

    /// Angular momentum about the origin, `Σ x × m v` (kg m²/s).
    #[must_use]
    pub fn angular_momentum(&self) -> Vec3 {
        self.weighted(Vec3::cross)
    }

    fn weighted(&self, term: impl Fn(&Vec3, &Vec3) -> Vec3) -> Vec3 {
        let motions = self.position.iter().zip(&self.velocity);
        motions.zip(&self.mass).fold(Vec3::zeros(), |sum, ((x, v), &m)| sum + m * term(x, v))
    }

    /// Kinetic energy `½ Σ m v²` (J).
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        self.velocity.iter().zip(&self.mass).map(|(v, m)| 0.5 * m * v.norm_squared()).sum()
    }

    /// Potential energy in a field of gravity, `−Σ m g·x` (J).
    #[must_use]
    pub fn gravity_energy(&self, gravity: &Vec3) -> f64 {
        self.position.iter().zip(&self.mass).map(|(x, m)| -m * gravity.dot(x)).sum()
    }

    /// Displacement over a step of length `h` under gravity and external forces alone; pinned vertices move
    /// with their velocity.
    pub(crate) fn inertial_displacement(&self, vertex: usize, gravity: &Vec3, h: f64) -> Vec3 {
        let inverse_mass = self.inverse_mass[vertex];
        let drift = h * self.velocity[vertex];
        if inverse_mass == 0.0 {
            return drift;
        }
        drift + h * h * (gravity + inverse_mass * self.force[vertex])
    }

    /// Begins a substep of length `h` (s): no contact has pushed yet.
    pub(crate) fn begin_contacts(&mut self, h: f64) {
        self.contacts.iter_mut().for_each(|contact| contact.pushed = Vec3::zeros());
        self.shared_contacts.iter_mut().for_each(|shared| shared.begin(&self.position, &self.velocity, h));
    }

    /// Forgets all contacts.
    pub(crate) fn clear_contacts(&mut self) {
        self.contacts.clear();
        self.shared_contacts.clear();
    }

    /// Displacements of vertices over a substep after all their contacts have pushed. What they have pushed
    /// before in the same substep is replaced.
    pub(crate) fn push_contacts(
        &mut self,
        h: f64,
        moved: impl Fn(u32) -> Vec3,
        mut set: impl FnMut(u32, Vec3),
    ) {
        if self.shared_contacts.is_empty() {
            self.push_vertices(h, &moved, &mut set);
            return;
        }
        for _ in 0..SHARED_SWEEPS {
            let change = self.push_shared(h, &moved, &mut set);
            self.push_vertices(h, &moved, &mut set);
            if change <= SHARED_TOLERANCE {
                break;
            }
        }
    }

    /// One sweep over the contacts of vertices.
    fn push_vertices(&mut self, h: f64, moved: &impl Fn(u32) -> Vec3, set: &mut impl FnMut(u32, Vec3)) {
        for contacts in self.contacts.chunk_by_mut(|a, b| a.vertex == b.vertex) {
            let (index, vertex) = (contacts[0].vertex, contacts[0].vertex as usize);
            if self.inverse_mass[vertex] > 0.0 {
                let state = (&self.position[vertex], &self.velocity[vertex]);
                set(index, push_all(contacts, state, moved(index), h));
            }
        }
    }

    /// One sweep over the contacts of edges and faces; returns the largest change of a displacement, as a
    /// part of the largest displacement.
    fn push_shared(&mut self, h: f64, moved: &impl Fn(u32) -> Vec3, set: &mut impl FnMut(u32, Vec3)) -> f64 {
        let (mut change, mut most): (f64, f64) = (0.0, 0.0);
        for SharedContact { place, contact, .. } in &mut self.shared_contacts {
            // a force F moves the place by mobility F
            let mobility: f64 =
                place.shares().map(|(v, weight)| weight * weight * self.inverse_mass[v]).sum();
            if mobility == 0.0 {
                continue;
            }
            let position = place.mean(|v| self.position[v]);
            let velocity = place.mean(|v| self.velocity[v]);
            let free = place.mean(|v| moved(v as u32)) - contact.pushed;
            let pushed = contact.push(&position, &velocity, &free, h);
            let more = pushed - contact.pushed;
            contact.pushed = pushed;
            if more != Vec3::zeros() {
                for (v, weight) in place.shares() {
                    let by = weight * self.inverse_mass[v] / mobility;
                    set(v as u32, moved(v as u32) + by * more);
                }
            }
            (change, most) = (change.max(more.norm()), most.max(free.norm()));
        }
        if most > 0.0 { change / most } else { 0.0 }
    }

    /// Moves a vertex by its displacement over a step of length `h`, and sets its velocity from it.
    pub(crate) fn advance(&mut self, vertex: usize, displacement: Vec3, h: f64) {
        self.position[vertex] += displacement;
        if self.inverse_mass[vertex] != 0.0 {
            self.velocity[vertex] = displacement / h;
        }
    }
}

/// Sets vectors from the beginning of a list, and takes them from there.
pub(crate) fn take_vectors(state: &mut &[f64], vectors: &mut [Vec3]) -> Result<(), SoftError> {
    let (expected, count) = (3 * vectors.len(), state.len());
    let Some((own, rest)) = state.split_at_checked(expected) else {
        return Err(SoftError::Length { what: "the state", count, expected });
    };
    *state = rest;
    for (vector, numbers) in vectors.iter_mut().zip(own.chunks_exact(3)) {
        *vector = Vec3::from_column_slice(numbers);
    }
    Ok(())
}
