//! Contacts, linearized: how a contact moves with the bodies, and how its force changes.

pub(super) mod adhesion;
mod features;
pub(super) mod force;
mod frame;
pub(super) mod friction;
mod motion;
pub(super) mod narrow;
mod patch;
pub(super) mod product;
mod search_cache;
mod tilted;
mod witness;
mod witness_product;
