//! What modules ask about a model: the names in their conditions.

use super::compose::Conditions;
use crate::features::plan::Plan;
use crate::features::sensors::Sensors;
use crate::layout::lanes::Lanes;
use crate::precision::Precision;
use kinetree_model::enums::{Cone, Solver};

/// Whether a model asks for conjugate gradients.
pub(super) fn uses_gradients(plan: &Plan<'_>) -> bool {
    Solver::try_from(plan.model.opt.solver) == Ok(Solver::Cg)
}

/// What holds for all kernels of a plan.
pub(super) fn conditions(plan: &Plan<'_>, lanes: Lanes, precision: Precision) -> Conditions {
    let mut all = Conditions::default();
    let has_pairs = |name: &str| plan.pairs.groups.iter().any(|(routine, ..)| routine.name == name);
    let sensors = plan.sensors.as_ref();
    let needs = sensors.map(Sensors::needs).unwrap_or_default();
    let [ray_meshes, ray_fields] = if needs.rays { plan.ray_shapes() } else { [false; 2] };
    let holds = [
        ("DOUBLE", precision == Precision::Double),
        ("SUBGROUPS", lanes == Lanes::Subgroups),
        ("RUNGE_KUTTA", plan.evaluations > 1),
        ("CLUSTERS", plan.clusters.are_several()),
        ("ELLIPTIC", plan.model.opt.cone == Cone::Elliptic as i32),
        ("CONJUGATE_GRADIENTS", uses_gradients(plan)),
        ("EQUALITY_ACTIVATION", plan.first_active.is_some()),
        ("BODY_EQUALITIES", !plan.body_equalities.is_empty()),
        ("BALL_LIMITS", plan.ball_limits.len() > 0),
        ("NONLINEAR_TRANSMISSIONS", !plan.transmissions.is_empty()),
        ("WRAPPING", plan.transmissions.wraps()),
        ("JOINED_BRANCHES", plan.joins_branches),
        ("SINGLE_FREE_BODIES", !plan.single_free_bodies.is_empty()),
        ("MUSCLES", plan.has_muscles),
        ("DC_MOTORS", !plan.motors.is_empty()),
        ("FLUID", plan.has_fluid),
        ("FLUID_DERIVATIVES", plan.has_fluid_derivatives),
        ("TENDON_ARMATURE", plan.has_tendon_armature),
        ("LIMITED_TENDONS", plan.has_limited_tendons),
        ("ACTUATOR_GRAVITY", plan.has_actuator_gravity),
        ("ADHESION", plan.adhesion.is_present()),
        ("MOVING_ADHESION", plan.adhesion.is_moving),
        ("CAPSULE_BOX_PAIRS", has_pairs("capsule_box")),
        ("BOX_BOX_PAIRS", has_pairs("box_box")),
        ("PLANE_MESH_PAIRS", has_pairs("plane_mesh")),
        ("HEIGHT_FIELD_PAIRS", plan.shapes.has_fields()),
        ("CONVEX_LISTS", plan.pairs.listed().is_some()),
        ("CONVEX_MESHES", plan.shapes.has_meshes()),
        ("FLAT_FEATURES", plan.shapes.clips),
        ("TILTED_POSES", plan.shapes.tilts),
        ("ELLIPSOID_REFINEMENT", plan.shapes.refines()),
        ("SENSORS", sensors.is_some()),
        ("NORMAL_FORCE_SENSORS", needs.touch),
        ("CONTACT_WRENCH_SENSORS", needs.contact_wrenches()),
        ("WRENCH_SENSORS", needs.wrenches),
        ("JOINT_LIMIT_SENSORS", needs.joint_limits),
        ("ROW_LIMIT_SENSORS", needs.row_limits),
        ("FIXED_ROW_SENSORS", needs.fixed_rows()),
        ("ENERGY_SENSORS", needs.energy),
        ("RANGE_SENSORS", needs.rays),
        ("REGION_SENSORS", needs.regions),
        ("CONTACT_SENSORS", needs.contacts),
        ("RAY_MESHES", ray_meshes),
        ("RAY_FIELDS", ray_fields),
    ];
    holds.into_iter().for_each(|(name, holds)| all.set(name, holds));
    all
}
