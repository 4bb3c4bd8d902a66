//! Deformable bodies beside a model.

use kinetree_math::Vec3;
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

use crate::body::DeformableBody;
use crate::contact::{DetectionScratch, detect};
use crate::error::SoftError;
use crate::solver::{XpbdSettings, XpbdSolver};

/// Deformable bodies that share the world of a [`Data`].
///
/// Bodies fall with the gravity of the model and touch its geoms: planes, primitives, convex meshes and
/// height fields. A vertex is a ball of the body's radius. Its contacts have the reference acceleration and
/// the impedance of contacts between geoms, and the larger of both frictions, and push in every substep.
///
/// Geoms have to belong to the world or to mocap bodies. A vertex that touches a geom whose body can move is
/// refused with an error: contacts of vertices are not part of the solver for rigid bodies.
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
/// let lowest = world.bodies()[cloth].particles().position.iter().fold(1.0, |z: f64, x| z.min(x.z));
/// assert!(lowest.abs() < 1e-3, "the cloth lies on the plane: {lowest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct SoftWorld {
    bodies: Vec<Box<dyn DeformableBody>>,
    solvers: Vec<XpbdSolver>,
    scratch: DetectionScratch,
}

impl SoftWorld {
    /// Adds a body and returns its number.
    pub fn add(&mut self, body: impl DeformableBody + 'static, settings: XpbdSettings) -> usize {
        self.bodies.push(Box::new(body));
        self.solvers.push(XpbdSolver::new(settings));
        self.bodies.len() - 1
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[Box<dyn DeformableBody>] {
        &self.bodies
    }

    /// A body, to change it; `None` if there is no such number. Wakes it up.
    pub fn body_mut(&mut self, index: usize) -> Option<&mut (dyn DeformableBody + 'static)> {
        self.solvers.get_mut(index)?.wake();
        self.bodies.get_mut(index).map(|body| &mut **body)
    }

    /// Advances the model and all bodies by one time step.
    ///
    /// # Errors
    /// When the model cannot be stepped, a vertex touches a geom that can move, or a state is not finite.
    pub fn step(&mut self, model: &Model, data: &mut Data) -> Result<(), SoftError> {
        data.step(model)?;
        let gravity =
            if model.disabled(DisableBit::Gravity) { Vec3::zeros() } else { Vec3::from(model.opt.gravity) };
        let Self { bodies, solvers, scratch } = self;
        for (index, (body, solver)) in bodies.iter_mut().zip(solvers).enumerate() {
            let body = body.as_mut();
            body.particles().check()?;
            if !model.disabled(DisableBit::Contact) {
                detect(model, data, index, body, scratch)?;
            }
            let stepped = solver.step(body, gravity, model.opt.timestep);
            // contacts are those of one step
            body.particles_mut().contacts.clear();
            stepped?;
        }
        Ok(())
    }
}
