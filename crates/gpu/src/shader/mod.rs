//! WGSL of kernels: modules from `wgsl/`, composed for the plan of a model.

mod compose;
mod conditions;
mod contacts;
mod convex;
pub(crate) mod double;
mod hessian;
pub(crate) mod kernels;
mod modules;
mod solver;
pub(crate) mod sources;
pub(crate) mod user_functions;
