//! The joint-space inertia matrix `M`: made by the composite rigid body algorithm, factored, multiplied and
//! solved with.

pub(crate) mod armature;
pub(crate) mod composite;
pub(crate) mod mass_matrix;
