//! Deformable bodies beside a model.

use kinetree_model::{Data, Model};
use kinetree_sim::step_with_points;

use crate::body::DeformableBody;
use crate::coupling::{Coupling, CouplingScratch, Member, gravity};
use crate::error::SoftError;
use crate::solver::{XpbdSettings, XpbdSolver};

/// Deformable bodies that share the world of a [`Data`].
///
/// Bodies fall with the gravity of the model and touch its geoms: planes, primitives, convex meshes and
/// height fields. A vertex is a ball of the body's radius. Its contacts have the reference acceleration and
/// the impedance of contacts between geoms, and the larger of both frictions, and push in every substep.
///
/// A vertex that touches a geom whose body can move is a point mass of three dofs in the problem that the
/// model's solver solves for the forces of all constraints. Such contacts are listed in the data behind those of the
/// geoms, with `geom` and `flex` −1 on their second side, the number of the deformable body in `elem` and that of the
/// vertex in `vert`; their forces are the means over the step.
///
/// ```
/// use kinetree_model::Data;
/// use kinetree_soft::{Cloth, ClothPreset, DeformableBody, SoftWorld, Vec3, XpbdSettings};
///
/// let model = kinetree_spec::load_model_str(
///     "<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>",
/// )?;
/// let mut data = Data::new(&model);
/// let mut world = SoftWorld::default();
/// let mut cloth = Cloth::grid([4, 4], [0.2, 0.2], ClothPreset::Membrane)?;
/// cloth.particles_mut().position.iter_mut().for_each(|x| x.z = 0.01);
/// let cloth = world.add(cloth, XpbdSettings::default());
/// for _ in 0..200 {
///     world.step(&model, &mut data)?;
/// }
/// let lowest = world.body(cloth).ok_or("no cloth")?.particles().position.iter().fold(1.0, |z: f64, x| z.min(x.z));
/// assert!(lowest.abs() < 1e-3, "the cloth lies on the plane: {lowest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct SoftWorld {
    members: Vec<Member>,
    scratch: CouplingScratch,
}

impl SoftWorld {
    /// Adds a body and returns its number.
    pub fn add(&mut self, body: impl DeformableBody + 'static, settings: XpbdSettings) -> usize {
        let (body, solver) = (Box::new(body), XpbdSolver::new(settings));
        self.members.push(Member { body, solver, coupled: false });
        self.members.len() - 1
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The bodies, in the order of their numbers.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &(dyn DeformableBody + 'static)> {
        self.members.iter().map(|member| &*member.body)
    }

    /// A body; `None` if there is no such number.
    #[must_use]
    pub fn body(&self, index: usize) -> Option<&(dyn DeformableBody + 'static)> {
        self.members.get(index).map(|member| &*member.body)
    }

    /// A body, to change it; `None` if there is no such number. Wakes it up.
    pub fn body_mut(&mut self, index: usize) -> Option<&mut (dyn DeformableBody + 'static)> {
        let member = self.members.get_mut(index)?;
        member.solver.wake();
        Some(&mut *member.body)
    }

    /// Whether a body sleeps.
    #[must_use]
    pub fn is_asleep(&self, index: usize) -> bool {
        self.members.get(index).is_some_and(|member| member.solver.is_asleep())
    }

    /// Advances the model and all bodies by one time step. Without bodies this is a step of the model.
    ///
    /// # Errors
    /// When the model cannot be stepped, a setting is out of range, or a state is not finite; `unsupported`
    /// with the integrator RK4 and in models whose bodies may sleep.
    pub fn step(&mut self, model: &Model, data: &mut Data) -> Result<(), SoftError> {
        if self.members.is_empty() {
            return Ok(data.step(model)?);
        }
        for member in &self.members {
            member.body.particles().check()?;
            member.solver.check()?;
        }
        let mut coupling = Coupling::new(model, &mut self.members, &mut self.scratch);
        let stepped = step_with_points(model, data, &mut coupling);
        let failure = coupling.failure;
        let (gravity, dt) = (gravity(model), model.opt.timestep);
        let advance = |member: &mut Member| {
            let Member { body, solver, coupled } = member;
            let body = body.as_mut();
            if *coupled { solver.finish_step(body, dt) } else { solver.step(body, gravity, dt) }
        };
        let mut result = stepped.map_err(SoftError::from).and(failure);
        for member in &mut self.members {
            if result.is_ok() {
                result = advance(member);
            }
            // contacts are those of one step
            member.body.particles_mut().contacts.clear();
        }
        result
    }
}
