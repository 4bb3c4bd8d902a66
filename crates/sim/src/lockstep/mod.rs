//! Worlds of one model in lockstep: the smooth stages of four worlds at once, a world a lane of SIMD numbers.
//!
//! Worlds of one model have the same tree, so that all of them make the same operations in kinematics,
//! inertia and bias forces, each in the order of the stages of one world: the results have the same bits.
//! Contacts, constraints and the solver differ from world to world, and follow for each on its own.

mod forces;
mod inertia;
mod kinematics;
mod memory;
mod plan;
mod runge_kutta;
mod step;
mod world;

pub use world::LockstepWorld;

use crate::damped_inertia::{damper_derivatives, factors_damped_inertia_early};
use crate::evaluation::{Extent, SharedWork, SmoothStages};
use crate::forward::Purpose;
use crate::inertia::armature::{Driven, actuator_armature};
use kinetree_math::sparse::LOCKSTEP_LONGEST_ROW;
use kinetree_model::enums::EnableBit;
use kinetree_model::{Model, Reference};
use memory::{Lanes, Shows};
use plan::{Plan, has_warm_start};
use runge_kutta::RungeKuttaLanes;
use world::LockstepWorld as World;

/// Most worlds that are stepped in lockstep.
pub const LOCKSTEP_WORLDS: usize = 4;

/// Working memory for steps of up to [`LOCKSTEP_WORLDS`] worlds of one model in lockstep.
///
/// It holds no results: each step may be of other worlds, or of another model.
#[derive(Default)]
pub struct Lockstep {
    lanes: Lanes,
    runge_kutta: RungeKuttaLanes,
}

impl std::fmt::Debug for Lockstep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lockstep").finish_non_exhaustive()
    }
}

impl Lockstep {
    /// Whether worlds of a model can be stepped in lockstep. Others are those of reference level 4.0, whose
    /// bodies may sleep, with plugins, with callbacks that write to the data or see it before velocities are
    /// computed, with armature of tendons, or with chains of more than 64 dofs.
    #[must_use]
    pub fn supports(model: &Model) -> bool {
        let armature =
            |t: usize| model.tendon_armature[t] + actuator_armature(model, Driven::Tendon(t)) != 0.0;
        model.reference() == Reference::default()
            && !model.enabled(EnableBit::Sleep)
            && !model.callbacks.may_write_data()
            && model.callbacks.contact_filter().is_none()
            && model.nplugin == 0
            && model.nbody > 0
            && model.M_rownnz.iter().all(|&n| (1..=LOCKSTEP_LONGEST_ROW as i32).contains(&n))
            && !(0..model.ntendon).any(armature)
    }

    /// Computes kinematics, inertia and bias forces of the worlds that take part, at the positions and
    /// velocities in the lanes, and writes them to the data: of an evaluation that is followed by another one
    /// only what its own later stages read, but with all other smooth forces where the plan says so.
    fn evaluate(
        &mut self,
        model: &Model,
        worlds: &mut [World<'_>],
        purpose: Purpose,
        plan: &Plan,
        followed: bool,
    ) -> SmoothStages {
        let followed = followed && plan.followed;
        let forces = followed && plan.forces;
        let shows = if followed { plan.shows_of_followed(model) } else { Shows::ALL };
        let lanes = &mut self.lanes;
        kinematics::body_poses(model, lanes);
        kinematics::attached_poses(model, lanes);
        kinematics::com_positions(model, lanes);
        lanes.show_positions(worlds, shows);
        inertia::composite_inertias(model, lanes);
        inertia::inertia_rows(model, lanes);
        inertia::factor(model, lanes);
        if shows.everything {
            inertia::legacy_rows(model, lanes);
        }
        lanes.show_inertia(worlds, shows);
        kinematics::velocities(model, lanes);
        kinematics::bias(model, lanes);
        lanes.show_velocities(worlds, shows);
        let warm_product = forces && has_warm_start(model);
        if forces {
            forces::smooth_accelerations(model, lanes);
            if warm_product {
                forces::warm_product(model, lanes);
            }
            lanes.show_smooth(worlds, warm_product);
        }
        let first = worlds.first().filter(|_| purpose == Purpose::Step);
        let damped_inertia = first.is_some_and(|world| factors_damped_inertia_early(model, world.data));
        if damped_inertia {
            for (derivatives, world) in lanes.damper_derivatives.iter_mut().zip(worlds.iter().cycle()) {
                damper_derivatives(model, world.data, derivatives);
            }
            inertia::factor_damped(model, lanes);
            lanes.show_damped_inertia(worlds);
        }
        let extent = match (followed, forces) {
            (_, true) => Extent::Forces(SharedWork { warm_product, accelerations: plan.defers }),
            (true, false) => Extent::Followed,
            (false, false) => Extent::Complete,
        };
        SmoothStages { damped_inertia, extent }
    }
}
