//! The entry points of the pipeline: every public function that takes a model and a data.
//!
//! Each compares the signatures of the two first, and what else it is given with the model's sizes; then it
//! calls the stage of the same name, with the working memory it needs. Inside the crate stages call each
//! other without asking again.

use crate::actuation::length_range::{self, LengthRangeError, LengthRangeOptions};
use crate::actuation::{self, transmission};
use crate::arguments::{ArgumentError, exists, has_length};
use crate::contact::{self, FieldSearch, VisitedVolumes, distance};
use crate::derivative::{self, DerivativeError, FieldGradient, InverseJacobians};
use crate::forces::{bias, energy, passive};
use crate::history::{self, HistoryError, Interpolation};
use crate::inertia::{composite, mass_matrix};
use crate::kinematics::chain_jacobian::{self, JacDifference};
use crate::kinematics::{camlight, centers, jacobian, poses, velocity};
use crate::parts::VelocityPart;
use crate::point_masses::PointMasses;
use crate::ray::{self, GeomHit, RayFilter};
use crate::ray_flex::{self, FlexHit, FlexParts};
use crate::set_const::{self, SetConstError};
use crate::sleep;
use crate::sleep::wake::{self, InitialSleepError};
use crate::support::{self, FrameError};
use crate::tendon::lengths;
use crate::workspace::with_workspace;
use crate::{
    constraint, flex, forward, integrate, inverse, island, parts, plugin, reset, sensor, smooth, solver, step,
};
use kinetree_math::Quat;
use kinetree_math::sparse::Pattern;
use kinetree_math::spatial::Vec6;
use kinetree_model::enums::{ObjType, Stage};
use kinetree_model::{Data, Mismatch, Model, SensorError, StepError};
use nalgebra::DVector;

/// Defines public functions that check their arguments and then call the function of the same name in a
/// module. `try fn` is for functions with errors of their own, `fn` for those that cannot fail otherwise;
/// conditions on further arguments follow after `if`. A stage that needs working memory says which after
/// `using`: the data's is taken out for the time of the call. One that reads constraint rows which are there
/// has `[check_rows]` in front.
macro_rules! entries {
    () => {};
    ($( #[$meta:meta] )* $([$rows:ident])? try fn $name:ident($m:ident: $mt:ty, $d:ident: $dt:ty $(, $arg:ident: $t:ty)*) -> $r:ty = $module:ident
     $(using |$work:ident| ($($memory:expr),+))?; $($rest:tt)*) => {
        $( #[$meta] )*
        pub fn $name($m: $mt, $d: $dt $(, $arg: $t)*) -> $r {
            $d.check($m)?;
            $( $d.$rows($m)?; )?
            stage!($module::$name($m, $d $(, $arg)*) $(using |$work| ($($memory),+))?)
        }
        entries! { $($rest)* }
    };
    ($( #[$meta:meta] )* $([$rows:ident])? fn $name:ident($m:ident: $mt:ty, $d:ident: $dt:ty $(, $arg:ident: $t:ty)*) $(-> $r:ty)? = $module:ident
     $(using |$work:ident| ($($memory:expr),+))?; $($rest:tt)*) => {
        $( #[$meta] )*
        ///
        /// # Errors
        /// When the data does not fit the model.
        pub fn $name($m: $mt, $d: $dt $(, $arg: $t)*) -> Result<result!($($r)?), Mismatch> {
            $d.check($m)?;
            $( $d.$rows($m)?; )?
            Ok(stage!($module::$name($m, $d $(, $arg)*) $(using |$work| ($($memory),+))?))
        }
        entries! { $($rest)* }
    };
    ($( #[$meta:meta] )* $([$rows:ident])? fn $name:ident($m:ident: $mt:ty, $d:ident: $dt:ty $(, $arg:ident: $t:ty)*) $(-> $r:ty)? = $module:ident
     $(using |$work:ident| ($($memory:expr),+))? if $($check:expr),+; $($rest:tt)*) => {
        $( #[$meta] )*
        ///
        /// # Errors
        /// When the data or another argument does not fit the model.
        pub fn $name($m: $mt, $d: $dt $(, $arg: $t)*) -> Result<result!($($r)?), ArgumentError> {
            $d.check($m)?;
            $( $d.$rows($m)?; )?
            $( $check?; )+
            Ok(stage!($module::$name($m, $d $(, $arg)*) $(using |$work| ($($memory),+))?))
        }
        entries! { $($rest)* }
    };
}

/// Calls a stage, which takes its working memory after the data.
macro_rules! stage {
    ($module:ident::$name:ident($m:ident, $d:ident $(, $arg:ident)*)) => {
        $module::$name($m, $d $(, $arg)*)
    };
    ($module:ident::$name:ident($m:ident, $d:ident $(, $arg:ident)*) using |$work:ident| ($($memory:expr),+)) => {
        with_workspace($d, |$d, $work| $module::$name($m, $d, $($memory),+ $(, $arg)*))
    };
}

/// What a function returns: nothing unless said otherwise.
macro_rules! result {
    () => {
        ()
    };
    ($r:ty) => {
        $r
    };
}

// steps and evaluations
entries! {
    /// Advances the simulation by one time step.
    ///
    /// # Errors
    /// When the data was made for another model, a sensor cannot be computed, the integrator fails or the
    /// model asks for what is not supported.
    try fn mj_step(model: &Model, data: &mut Data) -> Result<(), StepError> = step using |work| (&mut work.step);

    /// Advances the simulation by one time step, together with point masses that are no part of the model:
    /// their contacts with geoms and the constraints of the model are solved as one problem.
    ///
    /// # Errors
    /// As [`mj_step`]; `unsupported` with the integrator of Runge and Kutta and in models whose bodies may
    /// sleep.
    try fn step_with_points(
        model: &Model, data: &mut Data, points: &mut dyn PointMasses
    ) -> Result<(), StepError> = step using |work| (&mut work.step);

    /// First half of a step: everything before controls are needed.
    ///
    /// # Errors
    /// As [`mj_step`].
    try fn mj_step1(model: &Model, data: &mut Data) -> Result<(), StepError> = step using |work| (&mut work.step.stages);

    /// Second half of a step. Runge–Kutta needs whole steps, so that Euler takes its place here.
    ///
    /// # Errors
    /// As [`mj_step`].
    [check_rows] try fn mj_step2(model: &Model, data: &mut Data) -> Result<(), StepError> = step using |work| (&mut work.step);

    /// Forward dynamics: from positions, velocities and inputs to accelerations and sensors.
    ///
    /// # Errors
    /// When the data was made for another model, a sensor cannot be computed or the model asks for what is
    /// not supported.
    try fn mj_forward(model: &Model, data: &mut Data) -> Result<(), StepError> = forward using |work| (&mut work.step.stages);

    /// Forward dynamics that keeps the results of the stages up to `skip`, and leaves sensors out when
    /// `skip_sensors`.
    ///
    /// # Errors
    /// As [`mj_forward`].
    try fn mj_forward_skip(
        model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool
    ) -> Result<(), StepError> = forward using |work| (&mut work.step.stages);

    /// Inverse dynamics: from positions, velocities and accelerations to the force `qfrc_inverse` that causes
    /// them.
    ///
    /// # Errors
    /// As [`mj_forward`]; also when the integrator has no discrete inverse and the model asks for one.
    try fn mj_inverse(model: &Model, data: &mut Data) -> Result<(), StepError> = inverse using |work| (&mut work.step.inverse, &mut work.step.stages);

    /// Inverse dynamics that keeps the results of the stages up to `skip`, and leaves sensors out when
    /// `skip_sensors`.
    ///
    /// # Errors
    /// As [`mj_inverse`].
    try fn mj_inverse_skip(
        model: &Model, data: &mut Data, skip: Stage, skip_sensors: bool
    ) -> Result<(), StepError> = inverse using |work| (&mut work.step.inverse, &mut work.step.stages);

    /// Runs inverse dynamics on the result of forward dynamics and stores how much constraint and applied
    /// forces differ in `solver_fwdinv`.
    ///
    /// # Errors
    /// As [`mj_inverse`].
    [check_rows] try fn mj_compare_fwd_inv(model: &Model, data: &mut Data) -> Result<(), StepError> = inverse using |work| (&mut work.step.comparison, &mut work.step.inverse, &mut work.step.stages);

    /// Advances the state with the Euler integrator; dampers are implicit unless disabled.
    ///
    /// # Errors
    /// As [`mj_step`].
    try fn mj_euler(model: &Model, data: &mut Data) -> Result<(), StepError> = integrate using |work| (&mut work.step.qacc, &mut work.step.stages);

    /// Advances the state with the implicit integrator of the options.
    ///
    /// # Errors
    /// As [`mj_step`].
    try fn mj_implicit(model: &Model, data: &mut Data) -> Result<(), StepError> = integrate using |work| (&mut work.step.implicit, &mut work.step.stages);

    /// Advances the state by backward Euler for joint springs and dampers.
    ///
    /// # Errors
    /// As [`mj_step`].
    try fn implicit_spring_damper(model: &Model, data: &mut Data) -> Result<(), StepError> = integrate using |work| (&mut work.step.qacc, &mut work.step.stages);

    /// Advances by one step of the fourth-order Runge–Kutta method. The forward dynamics must have been
    /// evaluated.
    ///
    /// # Errors
    /// As [`mj_step`].
    try fn mj_runge_kutta4(model: &Model, data: &mut Data) -> Result<(), StepError> = integrate using |work| (&mut work.step.runge_kutta, &mut work.step.stages);

    /// Looks for bad positions; when there are any, counts a warning and resets unless that is disabled.
    ///
    /// # Errors
    /// When the data was made for another model.
    try fn mj_check_pos(model: &Model, data: &mut Data) -> Result<(), Mismatch> = step using |work| (&mut work.step.stages.nested);

    /// Looks for bad velocities; when there are any, counts a warning and resets unless that is disabled.
    ///
    /// # Errors
    /// When the data was made for another model.
    try fn mj_check_vel(model: &Model, data: &mut Data) -> Result<(), Mismatch> = step using |work| (&mut work.step.stages.nested);

    /// Looks for bad accelerations; when there are any, counts a warning, and unless that is disabled resets
    /// and evaluates the forward dynamics anew.
    ///
    /// # Errors
    /// As [`mj_forward`].
    [check_rows] try fn mj_check_acc(model: &Model, data: &mut Data) -> Result<(), StepError> = step using |work| (&mut work.step.stages);
}

// positions
entries! {
    /// Everything that depends on positions: poses, inertia, contacts, constraints, transmissions.
    fn mj_fwd_position(model: &Model, data: &mut Data) = forward using |work| (&mut work.step.stages);

    /// Everything that follows from positions alone, without inertia: poses, centres of mass, cameras,
    /// lights, flexes, tendons.
    fn mj_fwd_kinematics(model: &Model, data: &mut Data) = smooth using |work| (&mut work.step.stages.wrap_paths, &mut work.step.stages.flex);

    /// Poses of bodies, geoms and sites.
    fn mj_kinematics(model: &Model, data: &mut Data) = poses;

    /// Centres of mass, and motions and inertias about them.
    fn mj_com_pos(model: &Model, data: &mut Data) = centers;

    /// Poses of cameras and lights.
    fn mj_camlight(model: &Model, data: &mut Data) = camlight;

    /// Vertices of flexes, their bounding boxes, and lengths and Jacobians of their edges.
    fn mj_flex(model: &Model, data: &mut Data) = flex using |work| (&mut work.step.stages.flex);

    /// Paths, lengths and Jacobians of tendons.
    fn mj_tendon(model: &Model, data: &mut Data) = lengths using |work| (&mut work.step.stages.wrap_paths);

    /// Lengths and moments of actuators.
    [check_rows] fn mj_transmission(model: &Model, data: &mut Data) = transmission using |work| (&mut work.step.stages.moment_row);

    /// Composite inertias and the inertia matrix `qM` of bodies, without tendon armature.
    fn mj_crb(model: &Model, data: &mut Data) = composite using |work| (&mut work.step.stages.dof_path);

    /// Inertia matrix, tendon armature included.
    fn mj_make_m(model: &Model, data: &mut Data) = mass_matrix using |work| (&mut work.step.stages.dof_path);

    /// Factors the inertia matrix.
    fn mj_factor_m(model: &Model, data: &mut Data) = mass_matrix using |work| (&mut work.step.stages.factorizer);

    /// Factors the inertia matrix as sparse `LᵀDL`.
    fn mj_factor_sparse(model: &Model, data: &mut Data) = mass_matrix using |work| (&mut work.step.stages.factorizer);

    /// Finds all contacts.
    fn mj_collision(model: &Model, data: &mut Data) = contact using |work| (&mut work.step.stages.collision);

    /// What the search for contacts of fields does at the poses of a data. The search is repeated for it, so
    /// that searches that nobody looks at need not be recorded.
    fn record_field_search(model: &Model, data: &Data) -> FieldSearch = contact;

    /// Finds the bounding volumes of bodies that the reference's middle phase visits at the poses of a data.
    fn find_visited_volumes(model: &Model, data: &Data, volumes: &mut VisitedVolumes) = contact;

    /// Makes the constraint rows.
    fn mj_make_constraint(model: &Model, data: &mut Data) = constraint using |work| (&mut work.step.stages.rows);

    /// Makes the inverse inertia in constraint space, for dual solvers.
    [check_rows] fn mj_project_constraint(model: &Model, data: &mut Data) = constraint using |work| (&mut work.step.stages.projection);

    /// Finds islands, and copies of rows and dofs in island order.
    [check_rows] fn mj_island(model: &Model, data: &mut Data) = island using |work| (&mut work.step.stages.islands);

    /// Decides which trees, bodies and dofs are awake.
    fn mj_update_sleep(model: &Model, data: &mut Data) = sleep;

    /// Wakes trees that touch something awake; returns how many.
    fn mj_wake_collision(model: &Model, data: &mut Data) -> usize = wake;

    /// Wakes trees that an equality ties to something awake; returns how many.
    fn mj_wake_equality(model: &Model, data: &mut Data) -> usize = wake;

    /// Why a data that was just made or reset does not have all the trees asleep that the model wants asleep;
    /// `None` when it has.
    fn initial_sleep_fault(model: &Model, data: &Data) -> Option<InitialSleepError> = reset;

    /// Potential energy.
    fn mj_energy_pos(model: &Model, data: &mut Data) = energy;

    /// The position stages of inverse dynamics.
    fn mj_inv_position(model: &Model, data: &mut Data) = inverse using |work| (&mut work.step.stages);
}

// velocities
entries! {
    /// Everything that depends on velocities: bias, passive forces, reference accelerations of constraints.
    [check_rows] fn mj_fwd_velocity(model: &Model, data: &mut Data) = forward using |work| (&mut work.step.stages);

    /// The unconstrained part of the velocity stage: tendon, actuator and body velocities, passive forces and
    /// bias forces.
    fn mj_fwd_velocity_smooth(model: &Model, data: &mut Data) = smooth using |work| (&mut work.step.stages.rne, &mut work.step.stages.flex, &mut work.step.stages.nested);

    /// Velocities of bodies, and rates of the motions of dofs.
    fn mj_com_vel(model: &Model, data: &mut Data) = velocity;

    /// Linear velocity and angular momentum of each subtree.
    fn mj_subtree_vel(model: &Model, data: &mut Data) = velocity using |work| (&mut work.step.stages.momenta);

    /// Passive forces: springs, dampers, gravity compensation and fluid.
    fn mj_passive(model: &Model, data: &mut Data) = passive using |work| (&mut work.step.stages.flex, &mut work.step.stages.nested);

    /// Velocities in constraint space, and the accelerations that constraints aim at.
    [check_rows] fn mj_reference_constraint(model: &Model, data: &mut Data) = constraint using |work| (&mut work.step.stages.rows);

    /// Kinetic energy.
    fn mj_energy_vel(model: &Model, data: &mut Data) = energy using |work| (&mut work.step.stages.momentum);

    /// Computes `M(q) q̈ + c(q, q̇)` into `result`, or `c(q, q̇)` alone when `with_acceleration` is false.
    fn mj_rne(model: &Model, data: &mut Data, with_acceleration: bool, result: &mut [f64]) = bias using |work| (&mut work.step.stages.rne)
        if has_length("result", result.len(), model.nv);

    /// Rate of change of the Jacobian of a tendon's length, times a vector over dofs.
    fn mj_tendon_dot(model: &Model, data: &Data, tendon: usize, vec: &[f64]) -> f64 = lengths
        if exists("tendon", tendon, model.ntendon), has_length("vec", vec.len(), model.nv);

    /// The velocity stages of inverse dynamics.
    [check_rows] fn mj_inv_velocity(model: &Model, data: &mut Data) = inverse using |work| (&mut work.step.stages);
}

// forces and accelerations
entries! {
    /// Actuator forces and activation rates.
    fn mj_fwd_actuation(model: &Model, data: &mut Data) = actuation using |work| (&mut work.step.stages.actuation, &mut work.step.stages.nested);

    /// Sums all forces that are not constraint forces and solves for the acceleration `qacc_smooth` they
    /// would cause.
    fn mj_fwd_acceleration(model: &Model, data: &mut Data) = smooth;

    /// Computes constraint forces: `efc_force`, `efc_state`, `qfrc_constraint` and `qacc`.
    ///
    /// # Errors
    /// When the data was made for another model, or the factor for Newton's method would be too large.
    [check_rows] try fn mj_fwd_constraint(model: &Model, data: &mut Data) -> Result<(), StepError> = solver using |work| (&mut work.step.stages.solver, &mut work.step.stages.rows, &mut work.step.stages.projection);

    /// Constraint forces that belong to the acceleration `qacc`.
    [check_rows] fn mj_inv_constraint(model: &Model, data: &mut Data) = inverse using |work| (&mut work.step.inverse);

    /// Sets `efc_state`, `efc_force` and `qfrc_constraint` for the residual `jar = J qacc − aref`; returns
    /// the constraint cost.
    [check_rows] fn mj_constraint_update(
        model: &Model, data: &mut Data, jar: &[f64], cone_hessian: bool
    ) -> f64 = constraint
        if has_length("jar", jar.len(), data.nefc);

    /// Body accelerations, external forces and the forces between bodies, from the complete solution of a
    /// step.
    [check_rows] fn mj_rne_post_constraint(model: &Model, data: &mut Data) = bias using |work| (&mut work.step.stages.rne);

    /// Force and torque of a contact, in its frame; zero when it has none.
    [check_rows] fn mj_contact_force(model: &Model, data: &Data, id: usize) -> [f64; 6] = constraint;

    /// Computes the sensors that need positions only.
    ///
    /// # Errors
    /// When the data was made for another model; else at the first sensor that cannot be computed, and the
    /// others still are.
    try fn mj_sensor_pos(model: &Model, data: &mut Data) -> Result<(), SensorError> = sensor using |work| (&mut work.step.stages.sensor_context(&mut None));

    /// Computes the sensors that need velocities.
    ///
    /// # Errors
    /// As [`mj_sensor_pos`].
    try fn mj_sensor_vel(model: &Model, data: &mut Data) -> Result<(), SensorError> = sensor using |work| (&mut work.step.stages.sensor_context(&mut None));

    /// Computes the sensors that need accelerations and forces.
    ///
    /// # Errors
    /// As [`mj_sensor_pos`].
    [check_rows] try fn mj_sensor_acc(model: &Model, data: &mut Data) -> Result<(), SensorError> = sensor using |work| (&mut work.step.stages.sensor_context(&mut None));
}

// products and solutions
entries! {
    /// `result = M vec`.
    fn mj_mul_m(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) = mass_matrix
        if has_length("result", result.len(), model.nv), has_length("vec", vec.len(), model.nv);

    /// `result = √D L vec`, where `M = Lᵀ D L`.
    fn mj_mul_m2(model: &Model, data: &Data, result: &mut [f64], vec: &[f64]) = mass_matrix
        if has_length("result", result.len(), model.nv), has_length("vec", vec.len(), model.nv);

    /// Solves `M x = b` in place, for each vector of length `nv` in `x`.
    fn mj_solve_m(model: &Model, data: &Data, x: &mut [f64]) = mass_matrix
        if has_length("x", x.len(), x.len().next_multiple_of(model.nv.max(1)));

    /// Half of the solution, in place for each vector of length `nv` in `x`: `x ← D^(−1/2) L⁻ᵀ x`.
    /// `sqrt_inv_d` holds `1/sqrt(D)`.
    fn mj_solve_m2(model: &Model, data: &Data, x: &mut [f64], sqrt_inv_d: &[f64]) = mass_matrix
        if has_length("x", x.len(), x.len().next_multiple_of(model.nv.max(1))),
            has_length("sqrt_inv_d", sqrt_inv_d.len(), model.nv);

    /// Solves `M x = b` in place.
    fn mj_solve_sparse(model: &Model, data: &Data, x: &mut DVector<f64>) = mass_matrix
        if has_length("x", x.len(), model.nv);

    /// Adds the inertia matrix to a matrix that is sparse with the given pattern, or dense.
    fn mj_add_m(model: &Model, data: &Data, dst: &mut [f64], pattern: Option<Pattern<'_>>) = mass_matrix
        if has_length("dst", dst.len(), pattern.map_or(model.nv * model.nv, |p| p.colind.len()));

    /// `res = J vec`, from joint space to constraint space.
    [check_rows] fn mj_mul_jac_vec(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) = constraint
        if has_length("res", res.len(), data.nefc), has_length("vec", vec.len(), model.nv);

    /// `res = Jᵀ vec`, from constraint space to joint space.
    [check_rows] fn mj_mul_jac_t_vec(model: &Model, data: &Data, res: &mut [f64], vec: &[f64]) = constraint
        if has_length("res", res.len(), model.nv), has_length("vec", vec.len(), data.nefc);

    /// Adds to `qfrc` the generalized force of a force and torque that act on `body` at a global point.
    fn mj_apply_ft(
        model: &Model, data: &Data, force: &[f64; 3], torque: &[f64; 3], point: &[f64; 3], body: usize,
        qfrc: &mut [f64]
    ) = support
        if exists("body", body, model.nbody), has_length("qfrc", qfrc.len(), model.nv);
}

// Jacobians into slices
entries! {
    /// Jacobian of a global point attached to `body`, into row-major `3 × nv` buffers. Either half may be
    /// left out.
    fn mj_jac_into(
        model: &Model, data: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, point: &[f64; 3],
        body: usize
    ) = jacobian
        if exists("body", body, model.nbody), has_three_rows("jacp", jacp.as_deref(), model.nv),
            has_three_rows("jacr", jacr.as_deref(), model.nv);

    /// Jacobians of a point and of a direction attached to `body`, into row-major `3 × nv` buffers: the
    /// columns of the second are `ω_i × axis`.
    fn mj_jac_point_axis_into(
        model: &Model, data: &Data, jac_point: Option<&mut [f64]>, jac_axis: Option<&mut [f64]>,
        point: &[f64; 3], axis: &[f64; 3], body: usize
    ) = jacobian
        if exists("body", body, model.nbody), has_three_rows("jac_point", jac_point.as_deref(), model.nv),
            has_three_rows("jac_axis", jac_axis.as_deref(), model.nv);

    /// Time derivative of the Jacobian of a global point attached to `body`, into row-major `3 × nv` buffers.
    /// Needs the velocity stage. Either half may be left out.
    fn mj_jac_dot_into(
        model: &Model, data: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, point: &[f64; 3],
        body: usize
    ) = jacobian
        if exists("body", body, model.nbody), has_three_rows("jacp", jacp.as_deref(), model.nv),
            has_three_rows("jacr", jacr.as_deref(), model.nv);

    /// Jacobian of the centre of mass of the subtree of `body`, into a row-major `3 × nv` buffer.
    fn mj_jac_subtree_com_into(model: &Model, data: &Data, jacp: &mut [f64], body: usize) = jacobian
        if exists("body", body, model.nbody), has_length("jacp", jacp.len(), 3 * model.nv);

    /// Matrix that maps `qvel` to the angular momentum of the subtree of `body` about its centre of mass,
    /// into a row-major `3 × nv` buffer.
    fn mj_angmom_mat_into(model: &Model, data: &Data, mat: &mut [f64], body: usize) = jacobian
        if exists("body", body, model.nbody), has_length("mat", mat.len(), 3 * model.nv);
}

// Jacobians on chains of dofs
entries! {
    /// Jacobian of a global point attached to `body` on the dofs of `chain`, into row-major buffers with rows
    /// of `chain.len()`. Dofs of the body that the chain lacks are skipped. Either half may be left out.
    fn jac_sparse(
        model: &Model, data: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, point: &[f64; 3],
        body: usize, chain: &[i32]
    ) = chain_jacobian
        if exists("body", body, model.nbody), has_three_rows("jacp", jacp.as_deref(), chain.len()),
            has_three_rows("jacr", jacr.as_deref(), chain.len());

    /// Jacobian of the second point on its body minus that of the first on its, on the merged dof chain of
    /// both bodies only.
    fn jac_difference(
        model: &Model, data: &Data, first: (usize, &[f64; 3]), second: (usize, &[f64; 3]), rotation: bool,
        skip_common: bool, out: &mut JacDifference
    ) = chain_jacobian
        if exists("body", first.0, model.nbody), exists("body", second.0, model.nbody);
}

/// An error when there is a buffer that does not hold a matrix of three rows of `columns`.
fn has_three_rows(name: &'static str, buffer: Option<&[f64]>, columns: usize) -> Result<(), ArgumentError> {
    buffer.map_or(Ok(()), |values| has_length(name, values.len(), 3 * columns))
}

// questions about objects
entries! {
    /// Velocity of an object, angular part first, in its own axes when `local`.
    ///
    /// # Errors
    /// When the data was made for another model or the object has no frame.
    try fn mj_object_velocity(
        model: &Model, data: &Data, objtype: i32, id: i32, local: bool
    ) -> Result<Vec6, FrameError> = support;

    /// Acceleration of an object, angular part first, in its own axes when `local`. Needs `cacc`.
    ///
    /// # Errors
    /// When the data was made for another model or the object has no frame.
    try fn mj_object_acceleration(
        model: &Model, data: &Data, objtype: i32, id: i32, local: bool
    ) -> Result<Vec6, FrameError> = support;

    /// First geom that a ray hits.
    fn mj_ray(
        model: &Model, data: &Data, point: &[f64; 3], vector: &[f64; 3], filter: &RayFilter
    ) -> Option<GeomHit> = ray;

    /// First geom that each of several rays from one point hits, nearer than `cutoff`.
    fn mj_multi_ray(
        model: &Model, data: &Data, point: &[f64; 3], vectors: &[[f64; 3]], filter: &RayFilter, cutoff: f64,
        hits: &mut [Option<GeomHit>]
    ) = ray
        if has_length("hits", hits.len(), vectors.len());

    /// Distance and surface normal where a ray hits a mesh or a height field.
    fn ray_model_geom(
        model: &Model, data: &Data, geom: usize, point: &[f64; 3], vector: &[f64; 3]
    ) -> Option<(f64, [f64; 3])> = ray
        if exists("geom", geom, model.ngeom);

    /// First part of a flex that a ray hits.
    fn mj_ray_flex(
        model: &Model, data: &Data, flex: usize, parts: &FlexParts, point: &[f64; 3], vector: &[f64; 3]
    ) -> Option<FlexHit> = ray_flex
        if exists("flex", flex, model.nflex);

    /// Distance between two geoms, at most `distmax`, and the nearest points.
    fn mj_geom_distance(
        model: &Model, data: &mut Data, geom1: usize, geom2: usize, distmax: f64
    ) -> (f64, [f64; 3], [f64; 3]) = distance using |work| (&mut work.distance)
        if exists("geom", geom1, model.ngeom), exists("geom", geom2, model.ngeom);

    /// The control of an actuator at a time, from its history when it has one.
    fn mj_read_ctrl(
        model: &Model, data: &Data, actuator: usize, time: f64, interpolation: Option<Interpolation>
    ) -> f64 = history
        if exists("actuator", actuator, model.nu);

    /// The values of a sensor at a time, from its history when it has one.
    fn mj_read_sensor(
        model: &Model, data: &Data, sensor: usize, time: f64, result: &mut [f64],
        interpolation: Option<Interpolation>
    ) = history
        if exists("sensor", sensor, model.nsensor),
            has_length("result", result.len(), model.sensor_dim[sensor].max(0) as usize);

    /// Fills the control history of an actuator.
    ///
    /// # Errors
    /// When the data was made for another model, the actuator keeps no history, or times and values do not
    /// fit it.
    try fn mj_init_ctrl_history(
        model: &Model, data: &mut Data, actuator: usize, times: Option<&[f64]>, values: Option<&[f64]>
    ) -> Result<(), HistoryError> = history;

    /// Fills the history of a sensor.
    ///
    /// # Errors
    /// When the data was made for another model, the sensor keeps no history, or times and values do not fit
    /// it.
    try fn mj_init_sensor_history(
        model: &Model, data: &mut Data, sensor: usize, times: Option<&[f64]>, values: Option<&[f64]>, phase: f64
    ) -> Result<(), HistoryError> = history;
}

// derivatives, and changes of the model
entries! {
    /// Derivatives of one step by finite differences: of the next state with respect to state (`a`) and
    /// controls (`b`), and of the sensors with respect to state (`c`) and controls (`d`).
    ///
    /// # Errors
    /// When the data was made for another model, a matrix has the wrong size, a step fails or the model has
    /// no derivatives.
    try fn mjd_transition_fd(
        model: &Model, data: &mut Data, eps: f64, centered: bool, a: Option<&mut [f64]>, b: Option<&mut [f64]>,
        c: Option<&mut [f64]>, d: Option<&mut [f64]>
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step);

    /// Analytic derivatives of one step: of the next state with respect to the state (`A`) and to the
    /// controls (`B`), and of the sensors (`C`, `D`); each may be left out. The state remains as it was.
    ///
    /// # Errors
    /// When the data was made for another model, a matrix has the wrong size, the dynamics cannot be
    /// evaluated, or something in use has no analytic derivative, which the error names.
    try fn mjd_transition(
        model: &Model, data: &mut Data, a: Option<&mut [f64]>, b: Option<&mut [f64]>, c: Option<&mut [f64]>,
        d: Option<&mut [f64]>
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step.stages, &mut work.derivative.transition);

    /// As [`mjd_transition`], with `a` and `b`, and besides the derivatives of the next state with respect to
    /// fields of the model: `nx` rows of the size of each field. Other fields are held fixed, those that a
    /// compiler derives included. The step is linearized once.
    ///
    /// # Errors
    /// As [`mjd_transition`]; also when a field has no gradients, which the error says.
    try fn mjd_transition_fields(
        model: &Model, data: &mut Data, a: &mut [f64], b: &mut [f64], c: Option<&mut [f64]>, d: Option<&mut [f64]>,
        fields: &mut [FieldGradient<'_>]
    ) -> Result<(), DerivativeError> = derivative using |work| (
        &mut work.step.stages, &mut work.derivative.transition, &mut work.derivative.adjoint,
        &mut work.derivative.fields
    );

    /// Forward product with the derivative of a step: the change `dnext` of the next state when state and
    /// controls change by `dx` and `du`. States are in the tangent space.
    ///
    /// # Errors
    /// As [`mjd_transition`]; also when a vector has the wrong length.
    try fn step_jvp(
        model: &Model, data: &mut Data, dx: &[f64], du: &[f64], dnext: &mut [f64]
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step.stages, &mut work.derivative);

    /// Reverse product with the derivative of a step: the gradients `dx` and `du` of a loss whose gradient
    /// with respect to the next state is `adjoint`. States are in the tangent space.
    ///
    /// # Errors
    /// As [`mjd_transition`]; also when a vector has the wrong length.
    try fn step_vjp(
        model: &Model, data: &mut Data, adjoint: &[f64], dx: &mut [f64], du: &mut [f64]
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step.stages, &mut work.derivative);

    /// Reverse product with the derivative of a step with respect to a field of the model, by its name: the
    /// gradient of a loss whose gradient with respect to the next state is `adjoint`. Other fields of the
    /// model are held fixed, those that a compiler derives included.
    ///
    /// # Errors
    /// As [`mjd_transition`]; also when the field has no gradients, which the error says.
    try fn step_field_vjp(
        model: &Model, data: &mut Data, adjoint: &[f64], field: &str, out: &mut [f64]
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step.stages, &mut work.derivative);

    /// Reverse mode along a trajectory from the state of the data: `controls` holds a row for each step,
    /// `state_gradients` the gradient of a loss with respect to the state after each step. Writes the
    /// gradients with respect to the first state (`dx`), to all controls (`du`) and to fields of the model
    /// (`fields`, which may be empty). Keeps the square root of the number of states in memory. The data ends
    /// in the last state.
    ///
    /// # Errors
    /// As [`mjd_transition`]; also when a step fails or a matrix has the wrong size.
    try fn rollout_vjp(
        model: &Model, data: &mut Data, controls: &[f64], state_gradients: &[f64], dx: &mut [f64],
        du: &mut [f64], fields: &mut [FieldGradient<'_>]
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step, &mut work.derivative);

    /// Like [`rollout_vjp`], but asks `go_on` before each step of the trajectory and of the way back. When it
    /// says no, the data is in the state that the trajectory has reached.
    ///
    /// # Errors
    /// As [`rollout_vjp`]; [`DerivativeError::Interrupted`] when `go_on` has said no.
    try fn rollout_vjp_watched(
        model: &Model, data: &mut Data, controls: &[f64], state_gradients: &[f64], dx: &mut [f64],
        du: &mut [f64], fields: &mut [FieldGradient<'_>], go_on: &mut dyn FnMut() -> bool
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step, &mut work.derivative);

    /// Analytic derivatives of inverse dynamics, and of the inertia matrix, at the position, velocity and
    /// acceleration of the data. With `subtract_actuation` the force is what remains after actuators have
    /// done their part. Derivatives of sensors are refused where there are any.
    ///
    /// # Errors
    /// When the data was made for another model, a matrix has the wrong size, inverse dynamics fail, or
    /// something in use has no analytic derivative, which the error names.
    try fn mjd_inverse(
        model: &Model, data: &mut Data, subtract_actuation: bool, out: InverseJacobians<'_>
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step, &mut work.derivative.transition);

    /// Derivatives of inverse dynamics by finite differences.
    ///
    /// # Errors
    /// When the data was made for another model, a matrix has the wrong size, inverse dynamics fail or the
    /// model has no derivatives.
    try fn mjd_inverse_fd(
        model: &Model, data: &mut Data, eps: f64, subtract_actuation: bool, out: InverseJacobians<'_>
    ) -> Result<(), DerivativeError> = derivative using |work| (&mut work.step);

    /// Sets all constants of the model except actuator length ranges. `data` is working memory: its positions
    /// and everything computed from them are overwritten.
    ///
    /// # Errors
    /// When the data was made for another model, or sleep policies contradict the tendons of the model.
    try fn mj_set_const(model: &mut Model, data: &mut Data) -> Result<(), SetConstError> = set_const using |work| (&mut work.step.stages);

    /// Finds the length ranges of all actuators that need one by simulation, and stores them.
    ///
    /// # Errors
    /// When the data was made for another model or a simulation does not converge.
    try fn mj_set_length_ranges(
        model: &mut Model, data: &mut Data, options: &LengthRangeOptions
    ) -> Result<(), LengthRangeError> = length_range using |work| (&mut work.step);

    /// Finds the length range of an actuator by simulation, and stores it.
    ///
    /// # Errors
    /// As [`mj_set_length_ranges`]; also when there is no such actuator.
    try fn mj_set_length_range(
        model: &mut Model, data: &mut Data, actuator: usize, options: &LengthRangeOptions
    ) -> Result<(), LengthRangeError> = length_range using |work| (&mut work.step);

    /// Finds the length range of an actuator by simulation; `None` when it needs none.
    ///
    /// # Errors
    /// As [`mj_set_length_range`].
    try fn find_length_range(
        model: &Model, data: &mut Data, actuator: usize, options: &LengthRangeOptions
    ) -> Result<Option<[f64; 2]>, LengthRangeError> = length_range using |work| (&mut work.step);
}

/// Pose in global coordinates of a frame at `pos` and `quat` in the frame of a body, or wherever `sameframe`
/// says.
///
/// # Errors
/// When the data has no such body.
pub fn mj_local_to_global(
    data: &Data,
    pos: &[f64; 3],
    quat: &Quat,
    body: usize,
    sameframe: u8,
) -> Result<([f64; 3], [f64; 9]), ArgumentError> {
    exists("body", body, data.xpos.len())?;
    Ok(poses::mj_local_to_global(data, pos, quat, body, sameframe))
}

// parts of stages
entries! {
    /// Computes `qDeriv`, the derivative of smooth forces with respect to velocity; without `with_bias`, that
    /// of Coriolis and centrifugal forces is left out.
    fn mjd_smooth_vel(model: &Model, data: &mut Data, with_bias: bool) = parts;

    /// Adds the derivative of some forces with respect to velocity to `qDeriv`.
    fn add_velocity_part(model: &Model, data: &mut Data, part: VelocityPart) = parts;

    /// Subtracts `J̇ qvel` of the rows of connects and welds from numbers of which there is one for each row
    /// of equalities.
    [check_rows] fn subtract_jacobian_drift(model: &Model, data: &Data, rows: &mut [f64]) = parts
        if has_length("rows", rows.len(), data.ne);

    /// Whether an object is static, asleep or awake, as a `body_awake` value.
    fn object_sleep_state(model: &Model, data: &Data, kind: ObjType, id: usize) -> i32 = parts
        if exists("object", id, parts::sleepers(model, kind));

    /// Calls `visit` with row, column and value of every contribution of the elastic cells of flexes to `−(h²
    /// + h d) Jᵀ K J`, where `d` is the damping of a flex.
    fn flex_stiffness(model: &Model, data: &Data, h: f64, visit: &mut dyn FnMut(usize, usize, f64)) = parts;

    /// Positions and velocities of the nodes of an interpolated flex.
    fn flex_nodes(model: &Model, data: &Data, flex: usize) -> [Vec<[f64; 3]>; 2] = parts
        if exists("flex", flex, model.nflex);

    /// Makes the plugin instances that work on the data itself, as a reset of the data does.
    ///
    /// # Errors
    /// When the data does not fit the model, or a plugin fails.
    try fn make_plugins(model: &Model, data: &mut Data) -> Result<(), StepError> = plugin
        using |work| (&mut work.step.stages.nested.plugins);

    /// Says what plugins could not do in the last reset of the data, unless it was said before.
    ///
    /// # Errors
    /// When the data does not fit the model, or a plugin has failed.
    try fn report_reset(model: &Model, data: &mut Data) -> Result<(), StepError> = plugin
        using |work| (&mut work.step.stages.nested.plugins);

    /// Lets the plugin instances that work on the data itself take over what they remember for another data.
    ///
    /// # Errors
    /// When the data does not fit the model, or a plugin fails.
    try fn copy_plugins(model: &Model, data: &mut Data, source: &Data) -> Result<(), StepError> = plugin
        using |work| (&mut work.step.stages.nested.plugins);
}
