//! The arrays, counts and flags of a `Data`: one line each, the single source for everything that lists them.

/// Passes every array, count and flag of `Data` to the macro `$with`: arrays as `"documentation" name:
/// element type, rows, columns;`, the others as `"documentation" name;`.
///
/// The first group has the arrays whose size the model fixes; the second those whose size changes from step
/// to step: there, rows name a count of `Data` (such as `nefc`) or a size of the model. Then come counts, at
/// last flags.
macro_rules! for_each_data_field {
    ($with:ident) => {
        $with! {
        {
            "Positions (m or rad; quaternions of ball and free joints)." qpos: f64, nq, 1;
            "Velocities (m/s or rad/s)." qvel: f64, nv, 1;
            "Activations (unit of the control; after an integrator its unit times s)." act: f64, na, 1;
            "Control and sensor samples of the past with their times (units of the controls and sensors; s)." history: f64, nhistory, 1;
            "Acceleration from which the solver starts (m/s² or rad/s²)." qacc_warmstart: f64, nv, 1;
            "Plugin state (units of the plugin)." plugin_state: f64, npluginstate, 1;
            "Controls (unit of each actuator's control: N or N m for a motor, m or rad for a position servo)." ctrl: f64, nu, 1;
            "Applied generalized forces (N or N m)." qfrc_applied: f64, nv, 1;
            "Applied force (N) and torque (N m) at each body's centre of mass, world axes." xfrc_applied: [f64; 6], nbody, 1;
            "Whether each equality is active." eq_active: u8, neq, 1;
            "Positions of mocap bodies (m)." mocap_pos: [f64; 3], nmocap, 1;
            "Orientations of mocap bodies." mocap_quat: [f64; 4], nmocap, 1;
            "Accelerations (m/s² or rad/s²)." qacc: f64, nv, 1;
            "Time derivatives of the activations (unit of the activation per s)." act_dot: f64, na, 1;
            "Values of the user (any unit)." userdata: f64, nuserdata, 1;
            "Sensor values (unit of each sensor: rad/s for a gyro, m/s² for an accelerometer, N for a force, …)." sensordata: f64, nsensordata, 1;
            "Negative: awake, steps until it may sleep; else next tree of the sleeping island." tree_asleep: i32, ntree, 1;
            "Registered slot of each plugin instance." plugin: i32, nplugin, 1;
            "Plugin data." plugin_data: u64, nplugin, 1;
            "Positions of body frames (m)." xpos: [f64; 3], nbody, 1;
            "Orientations of body frames." xquat: [f64; 4], nbody, 1;
            "Orientations of body frames as matrices." xmat: [f64; 9], nbody, 1;
            "Centres of mass (m)." xipos: [f64; 3], nbody, 1;
            "Orientations of inertial frames." ximat: [f64; 9], nbody, 1;
            "Joint anchors (m)." xanchor: [f64; 3], njnt, 1;
            "Joint axes." xaxis: [f64; 3], njnt, 1;
            "Geom positions (m)." geom_xpos: [f64; 3], ngeom, 1;
            "Geom orientations." geom_xmat: [f64; 9], ngeom, 1;
            "Site positions (m)." site_xpos: [f64; 3], nsite, 1;
            "Site orientations." site_xmat: [f64; 9], nsite, 1;
            "Camera positions (m)." cam_xpos: [f64; 3], ncam, 1;
            "Camera orientations." cam_xmat: [f64; 9], ncam, 1;
            "Light positions (m)." light_xpos: [f64; 3], nlight, 1;
            "Light directions." light_xdir: [f64; 3], nlight, 1;
            "Centre of mass of each subtree (m)." subtree_com: [f64; 3], nbody, 1;
            "Motion axis of each dof about the tree's centre of mass: rotation, translation (m/rad of a hinge; a slide has no unit)." cdof: [f64; 6], nv, 1;
            "Inertia of each body about the tree's centre of mass: moments (kg m²), mass times offset (kg m), mass (kg)." cinert: [f64; 10], nbody, 1;
            "Flex vertex positions (m)." flexvert_xpos: [f64; 3], nflexvert, 1;
            "Bounding boxes of flex elements: centre, half sizes (m)." flexelem_aabb: [f64; 6], nflexelem, 1;
            "Jacobian of flex edge lengths (m per m or rad)." flexedge_J: f64, nJfe, 1;
            "Flex edge lengths (m)." flexedge_length: f64, nflexedge, 1;
            "Jacobian of flex vertex strains (√kg per m or rad)." flexvert_J: [f64; 2], nJfv, 1;
            "Flex vertex strains, times the square root of the vertex's mass (√kg)." flexvert_length: [f64; 2], nflexvert, 1;
            "Bounding boxes that are recomputed each step: centre, half sizes (m)." bvh_aabb_dyn: [f64; 6], nbvhdynamic, 1;
            "First path point of each tendon." ten_wrapadr: i32, ntendon, 1;
            "Number of path points of each tendon." ten_wrapnum: i32, ntendon, 1;
            "Jacobian of tendon lengths (m or rad, per m or rad of the joint)." ten_J: f64, nJten, 1;
            "Tendon lengths (m; rad where they combine hinges)." ten_length: f64, ntendon, 1;
            "Geom of each path point; -1: site, -2: pulley." wrap_obj: [i32; 2], nwrap, 1;
            "Path points (m)." wrap_xpos: [f64; 6], nwrap, 1;
            "Actuator lengths (m or rad)." actuator_length: f64, nu, 1;
            "Entries of each row of the moment matrix." moment_rownnz: i32, nu, 1;
            "First entry of each row of the moment matrix." moment_rowadr: i32, nu, 1;
            "Columns of the moment matrix." moment_colind: i32, nJmom, 1;
            "Moment matrix: derivative of actuator lengths (m or rad, per m or rad of the joint)." actuator_moment: f64, nJmom, 1;
            "Composite inertia of each subtree: moments (kg m²), mass times offset (kg m), mass (kg)." crb: [f64; 10], nbody, 1;
            "Inertia matrix, each dof with all its ancestors (kg, kg m or kg m²)." qM: f64, nM, 1;
            "Reduced inertia matrix: lower triangle in compressed rows (kg, kg m or kg m²)." M: f64, nC, 1;
            "Factor of the reduced inertia matrix; its diagonal (kg or kg m²) is that of D in LᵀDL." qLD: f64, nC, 1;
            "Inverse diagonal of that factor (1/kg or 1/(kg m²))." qLDiagInv: f64, nv, 1;
            "Whether each bounding volume was visited." bvh_active: u8, nbvh, 1;
            "Whether each tree is awake." tree_awake: i32, ntree, 1;
            "Sleep state of each body." body_awake: i32, nbody, 1;
            "Awake and static bodies." body_awake_ind: i32, nbody, 1;
            "Bodies whose parent is awake or static." parent_awake_ind: i32, nbody, 1;
            "Awake dofs." dof_awake_ind: i32, nv, 1;
            "Flex edge velocities (m/s)." flexedge_velocity: f64, nflexedge, 1;
            "Tendon velocities (m/s or rad/s)." ten_velocity: f64, ntendon, 1;
            "Actuator velocities (m/s or rad/s)." actuator_velocity: f64, nu, 1;
            "Velocity of each body about the tree's centre of mass: rotation (rad/s), translation (m/s)." cvel: [f64; 6], nbody, 1;
            "Time derivative of `cdof`: rotation (1/s), translation (m/(rad s) of a hinge, 1/s of a slide)." cdof_dot: [f64; 6], nv, 1;
            "Coriolis, centrifugal and gravitational forces (N or N m)." qfrc_bias: f64, nv, 1;
            "Spring forces (N or N m)." qfrc_spring: f64, nv, 1;
            "Damper forces (N or N m)." qfrc_damper: f64, nv, 1;
            "Gravity compensation (N or N m)." qfrc_gravcomp: f64, nv, 1;
            "Fluid forces (N or N m)." qfrc_fluid: f64, nv, 1;
            "Sum of passive forces (N or N m)." qfrc_passive: f64, nv, 1;
            "Velocity of each subtree's centre of mass (m/s)." subtree_linvel: [f64; 3], nbody, 1;
            "Angular momentum of each subtree about its centre of mass (kg m²/s)." subtree_angmom: [f64; 3], nbody, 1;
            "Factor of the inertia matrix modified by an integrator; its diagonal (kg or kg m²) is that of D in LᵀDL." qH: f64, nC, 1;
            "Inverse diagonal of that factor (1/kg or 1/(kg m²))." qHDiagInv: f64, nv, 1;
            "Derivative of smooth forces with respect to velocity (N s/m, N s or N m s/rad)." qDeriv: f64, nD, 1;
            "LU factor of the inertia matrix minus the scaled derivative (kg, kg m or kg m²)." qLU: f64, nD, 1;
            "Actuator forces (N or N m)." actuator_force: f64, nu, 1;
            "Actuator forces in joint space (N or N m)." qfrc_actuator: f64, nv, 1;
            "Sum of all forces but the constraints' (N or N m)." qfrc_smooth: f64, nv, 1;
            "Acceleration without constraints (m/s² or rad/s²)." qacc_smooth: f64, nv, 1;
            "Constraint forces (N or N m)." qfrc_constraint: f64, nv, 1;
            "External force that inverse dynamics finds (N or N m)." qfrc_inverse: f64, nv, 1;
            "Acceleration of each body about the tree's centre of mass: rotation (rad/s²), translation (m/s²)." cacc: [f64; 6], nbody, 1;
            "Torque (N m) and force (N) between each body and its parent, about the tree's centre of mass." cfrc_int: [f64; 6], nbody, 1;
            "External torque (N m) and force (N) on each body, about the tree's centre of mass." cfrc_ext: [f64; 6], nbody, 1;
        }
        {
            "Type of each constraint row." efc_type: i32, nefc, 1;
            "Object of each constraint row." efc_id: i32, nefc, 1;
            "Entries of each Jacobian row." efc_J_rownnz: i32, nefc, 1;
            "First entry of each Jacobian row." efc_J_rowadr: i32, nefc, 1;
            "Following rows with the same columns." efc_J_rowsuper: i32, nefc, 1;
            "Columns of the Jacobian." efc_J_colind: i32, nJ, 1;
            "Constraint Jacobian (m or rad, per m or rad of the joint)." efc_J: f64, nJ, 1;
            "Constraint violation (m or rad)." efc_pos: f64, nefc, 1;
            "Margin at which the row appears (m or rad)." efc_margin: f64, nefc, 1;
            "Dry friction (N or N m)." efc_frictionloss: f64, nefc, 1;
            "Estimate of the diagonal of the inverse inertia in constraint space (1/kg or 1/(kg m²))." efc_diagApprox: f64, nefc, 1;
            "Stiffness (1/s²), damping (1/s), impedance and its derivative (1/m or 1/rad)." efc_KBIP: [f64; 4], nefc, 1;
            "Constraint mass (kg or kg m²)." efc_D: f64, nefc, 1;
            "Inverse constraint mass (1/kg or 1/(kg m²))." efc_R: f64, nefc, 1;
            "First row of each tendon; -1: none." tendon_efcadr: i32, ntendon, 1;
            "Velocity in constraint space (m/s or rad/s)." efc_vel: f64, nefc, 1;
            "Reference acceleration (m/s² or rad/s²)." efc_aref: f64, nefc, 1;
            "Linear cost term (m/s² or rad/s²)." efc_b: f64, nefc, 1;
            "State of each row." efc_state: i32, nefc, 1;
            "Constraint forces in constraint space (N or N m)." efc_force: f64, nefc, 1;
            "Entries of each row of the regularized inverse inertia." efc_AR_rownnz: i32, nefc, 1;
            "First entry of each row of the regularized inverse inertia." efc_AR_rowadr: i32, nefc, 1;
            "Columns of the regularized inverse inertia." efc_AR_colind: i32, nA, 1;
            "Regularized inverse inertia in constraint space (1/kg, 1/(kg m) or 1/(kg m²))." efc_AR: f64, nA, 1;
            "Island of each tree; -1: none." tree_island: i32, ntree, 1;
            "Trees of each island." island_ntree: i32, nisland, 1;
            "First tree of each island." island_itreeadr: i32, nisland, 1;
            "Trees ordered by island." map_itree2tree: i32, ntree, 1;
            "Island of each dof; -1: none." dof_island: i32, nv, 1;
            "Dofs of each island." island_nv: i32, nisland, 1;
            "First dof of each island, in island order." island_idofadr: i32, nisland, 1;
            "First dof of each island, in model order." island_dofadr: i32, nisland, 1;
            "Index of each dof in island order." map_dof2idof: i32, nv, 1;
            "Dofs in island order." map_idof2dof: i32, nv, 1;
            "Smooth forces in island order (N or N m)." ifrc_smooth: f64, nidof, 1;
            "Smooth accelerations in island order (m/s² or rad/s²)." iacc_smooth: f64, nidof, 1;
            "Inertia in island order: entries of each row." iM_rownnz: i32, nidof, 1;
            "Inertia in island order: first entry of each row." iM_rowadr: i32, nidof, 1;
            "Inertia in island order: columns." iM_colind: i32, nC, 1;
            "Inertia in island order (kg, kg m or kg m²)." iM: f64, nC, 1;
            "Factor of the inertia in island order; its diagonal (kg or kg m²) is that of D in LᵀDL." iLD: f64, nC, 1;
            "Inverse diagonal of that factor (1/kg or 1/(kg m²))." iLDiagInv: f64, nidof, 1;
            "Accelerations in island order (m/s² or rad/s²)." iacc: f64, nidof, 1;
            "Island of each row." efc_island: i32, nefc, 1;
            "Equality rows of each island." island_ne: i32, nisland, 1;
            "Friction rows of each island." island_nf: i32, nisland, 1;
            "Rows of each island." island_nefc: i32, nisland, 1;
            "First row of each island, in island order." island_iefcadr: i32, nisland, 1;
            "Index of each row in island order." map_efc2iefc: i32, nefc, 1;
            "Rows in island order." map_iefc2efc: i32, nefc, 1;
            "Type of each row, in island order." iefc_type: i32, nefc, 1;
            "Object of each row, in island order." iefc_id: i32, nefc, 1;
            "Entries of each Jacobian row, in island order." iefc_J_rownnz: i32, nefc, 1;
            "First entry of each Jacobian row, in island order." iefc_J_rowadr: i32, nefc, 1;
            "Following rows with the same columns, in island order." iefc_J_rowsuper: i32, nefc, 1;
            "Columns of the Jacobian, in island order." iefc_J_colind: i32, nJ, 1;
            "Constraint Jacobian, in island order (m or rad, per m or rad of the joint)." iefc_J: f64, nJ, 1;
            "Dry friction, in island order (N or N m)." iefc_frictionloss: f64, nefc, 1;
            "Constraint mass, in island order (kg or kg m²)." iefc_D: f64, nefc, 1;
            "Inverse constraint mass, in island order (1/kg or 1/(kg m²))." iefc_R: f64, nefc, 1;
            "Reference acceleration, in island order (m/s² or rad/s²)." iefc_aref: f64, nefc, 1;
            "State of each row, in island order." iefc_state: i32, nefc, 1;
            "Constraint forces, in island order (N or N m)." iefc_force: f64, nefc, 1;
            "Constraint forces in joint space, in island order (N or N m)." ifrc_constraint: f64, nidof, 1;
        }
        {
            "Number of contacts, those in the gap included." ncon;
            "Number of equality rows." ne;
            "Number of friction-loss rows." nf;
            "Number of limit rows." nl;
            "Number of constraint rows." nefc;
            "Entries of the constraint Jacobian." nJ;
            "Entries of the inverse-inertia matrix in constraint space." nA;
            "Number of islands." nisland;
            "Number of dofs in islands." nidof;
            "Number of awake trees." ntree_awake;
            "Number of awake and static bodies." nbody_awake;
            "Number of bodies whose parent is awake or static." nparent_awake;
            "Number of awake dofs." nv_awake;
            "Largest number of contacts since the last reset." maxuse_con;
            "Largest number of constraint rows since the last reset." maxuse_efc;
        }
        {
            "Whether `energy[0]` is up to date." flg_energypos;
            "Whether `energy[1]` is up to date." flg_energyvel;
            "Whether subtree velocities are up to date." flg_subtreevel;
            "Whether `cacc`, `cfrc_int` and `cfrc_ext` are up to date." flg_rnepost;
        }
        }
    };
}
pub(crate) use for_each_data_field;
