//! The plan of a model: what of it the kernels have to do, found out once and asked from then on.
//!
//! This is the list of features. A new one has a file beside this one that says whether a model has it,
//! whether it is covered, which parameters it writes and how much working memory it needs; a field and
//! a line in each of [`Plan::new`], [`Plan::write`] and [`Plan::scratch_sizes`]; and its shader.

use super::actuators::write_actuators;
use super::adhesion::Adhesion;
use super::ball_limit::BallLimits;
use super::bodies::{write_bodies, write_geoms};
use super::body_equality::BodyEqualities;
use super::branches::joins_branches;
use super::clusters::Clusters;
use super::contact_pairs::PairGroups;
use super::contact_sensors::write_contact_sensors;
use super::convex_shapes::ConvexShapes;
use super::dc_motor::{motors, write_motors};
use super::equality_activation::write_activation;
use super::fluid::{has_fluid, has_fluid_derivatives, write_fluid};
use super::gravity_compensation::{has_carried, write_carried};
use super::integrator::evaluations;
use super::joints::{write_dofs, write_joints};
use super::linear_rows::LinearRows;
use super::linear_transmission::write_linear_transmissions;
use super::muscle::{has_muscles, write_muscles};
use super::nonlinear_transmission::NonlinearTransmissions;
use super::parameters::{ScratchSizes, Table};
use super::range_sensors::RayScene;
use super::sensors::Sensors;
use super::single_free_bodies::SingleFreeBodies;
use super::tendon_armature::{has_armature, write_armature};
use super::tendons::{has_limited_tendons, write_tendons};
use super::tree::Tree;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;

/// What the kernels of a model have to do.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    /// The model as kernels have it.
    pub(crate) model: &'a Model,
    pub(crate) tree: Tree,
    pub(crate) clusters: Clusters,
    /// Evaluations of the dynamics in a step.
    pub(crate) evaluations: usize,
    pub(crate) pairs: PairGroups,
    pub(crate) shapes: ConvexShapes,
    pub(crate) linear_rows: LinearRows,
    pub(crate) body_equalities: BodyEqualities,
    pub(crate) ball_limits: BallLimits,
    /// Which equalities are active at the start, where worlds activate them one by one.
    pub(crate) first_active: Option<Vec<bool>>,
    pub(crate) transmissions: NonlinearTransmissions,
    pub(crate) single_free_bodies: SingleFreeBodies,
    pub(crate) adhesion: Adhesion,
    /// Actuators that are DC motors.
    pub(crate) motors: Vec<usize>,
    pub(crate) has_muscles: bool,
    pub(crate) has_fluid: bool,
    /// Whether the integrator takes derivatives of forces of the fluid.
    pub(crate) has_fluid_derivatives: bool,
    pub(crate) has_tendon_armature: bool,
    /// Whether forces of actuators of a tendon are limited together.
    pub(crate) has_limited_tendons: bool,
    /// Whether gravity compensation counts as force of actuators.
    pub(crate) has_actuator_gravity: bool,
    /// Whether derivatives of forces may join dofs of different branches.
    pub(crate) joins_branches: bool,
    /// Sensors, where they are computed.
    pub(crate) sensors: Option<Sensors>,
}

impl<'a> Plan<'a> {
    /// The plan of a model with the pairs of geoms that may touch; `sensors` where they are asked for.
    pub(crate) fn new(
        model: &'a Model,
        pairs: PairGroups,
        sensors: bool,
        first_active: Option<Vec<bool>>,
    ) -> Self {
        let sensors = sensors.then(|| Sensors::new(model)).filter(Sensors::is_active);
        Self {
            model,
            tree: Tree::new(model),
            clusters: Clusters::new(model),
            evaluations: evaluations(model),
            shapes: pairs.convex_shapes(model),
            pairs,
            linear_rows: LinearRows::new(model),
            body_equalities: BodyEqualities::new(model),
            ball_limits: BallLimits::new(model),
            first_active,
            transmissions: NonlinearTransmissions::new(model),
            single_free_bodies: SingleFreeBodies::new(model),
            adhesion: Adhesion::new(model),
            motors: motors(model),
            has_muscles: has_muscles(model),
            has_fluid: has_fluid(model),
            has_fluid_derivatives: has_fluid_derivatives(model),
            has_tendon_armature: has_armature(model),
            has_limited_tendons: has_limited_tendons(model),
            has_actuator_gravity: has_carried(model),
            joins_branches: joins_branches(model),
            sensors,
        }
    }

    /// Rows of constraints that do not depend on contacts.
    pub(crate) fn fixed_rows(&self) -> usize {
        self.linear_rows.len() + self.body_equalities.rows(self.model) + self.ball_limits.len()
    }

    /// Whether rays meet meshes and height fields.
    pub(crate) fn ray_shapes(&self) -> [bool; 2] {
        let scene = RayScene::new(self.model);
        [GeomType::Mesh, GeomType::Hfield].map(|kind| scene.has(self.model, kind))
    }

    /// Whether kernels ask which dofs are on one branch.
    pub(crate) fn asks_for_branches(&self) -> bool {
        self.joins_branches || self.has_fluid_derivatives || self.adhesion.is_moving
    }

    /// Writes parameters of all features, in the order in which they lie; with `shared`, pairs of geoms with
    /// equal parameters have one set of them.
    pub(crate) fn write(&self, shared: bool, table: &mut Table) {
        let model = self.model;
        self.tree.write(model, &self.clusters, table);
        self.clusters.write(model, table);
        write_bodies(model, table);
        write_joints(model, table);
        write_dofs(model, table);
        write_linear_transmissions(model, table);
        write_tendons(model, table);
        write_actuators(model, table);
        write_geoms(model, table);
        self.pairs.write(model, &self.shapes, table, shared);
        self.linear_rows.write(model, &self.transmissions, table);
        self.body_equalities.write(model, table);
        self.ball_limits.write(model, table);
        table.size("NFIXED", self.fixed_rows());
        write_first_state(model, table);
        write_carried(model, table);
        write_muscles(model, table);
        write_motors(model, table);
        write_armature(model, &self.transmissions, table);
        self.adhesion.write(model, table);
        write_fluid(model, table);
        self.single_free_bodies.write(model, table);
        self.transmissions.write(model, table);
        write_activation(self.first_active.as_deref(), &self.linear_rows, &self.body_equalities, table);
        if self.asks_for_branches() {
            // dofs that have no other in their row of the inertia matrix
            table.ints("DOF_ALONE", model.dof_simplenum.iter().map(|&count| i32::from(count > 0)));
        }
        if let Some(sensors) = &self.sensors {
            sensors.write(model, table);
            write_contact_sensors(model, &self.pairs, table);
        }
    }

    /// What all features take of working memory, in their order, but for those that depend on capacities.
    pub(crate) fn scratch_sizes(&self) -> ScratchSizes {
        let model = self.model;
        let (dofs, transmissions) = (self.clusters.padded_width().div_ceil(4), model.nu + model.ntendon);
        let mut sizes = vec![
            ("SCRATCH_MOTION", if self.body_equalities.is_empty() { 0 } else { 4 * model.nbody }),
            ("SCRATCH_ACT", model.na.div_ceil(4)),
        ];
        if self.has_fluid_derivatives {
            sizes.push(("SCRATCH_DRAG", 9 * model.nbody + 2 * model.nv));
        }
        sizes.extend(self.adhesion.scratch_sizes(model));
        sizes.push(("SCRATCH_DERIVATIVE", transmissions.div_ceil(4)));
        sizes.extend(self.transmissions.scratch_sizes(transmissions, dofs));
        if self.sensors.is_some() || self.adhesion.is_present() {
            sizes.push(("SCRATCH_DRIVEN", dofs));
        }
        if let Some(sensors) = &self.sensors {
            sizes.extend(sensors.scratch_sizes(model, dofs, self.fixed_rows()));
        }
        if self.evaluations > 1 {
            sizes.push(("SCRATCH_START", (model.nq + 2 * model.nv + model.na).div_ceil(4)));
            sizes.push(("SCRATCH_SUM", (2 * model.nv + model.na).div_ceil(4)));
            if !self.motors.is_empty() {
                sizes.push(("SCRATCH_MOTOR", (2 * self.motors.len()).div_ceil(4)));
            }
        }
        sizes
    }
}

/// The state after a reset: positions of the model, everything else zero.
fn write_first_state(model: &Model, table: &mut Table) {
    let zeros = std::iter::repeat_n(0.0, 2 * model.nv + model.na);
    table.floats("INITIAL_STATE", model.qpos0.iter().copied().chain(zeros));
}
