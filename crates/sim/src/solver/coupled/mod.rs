//! The constraints of a model and the contacts of point masses, solved as one problem.

mod attached;
pub(super) mod solve;
