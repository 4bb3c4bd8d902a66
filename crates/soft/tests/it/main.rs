//! One program for all tests of this crate: each program more is linked and loaded anew.

mod beams;
mod common;
mod conservation;
#[cfg(not(feature = "parallel"))]
#[path = "../../../collide/tests/it/common/counting_allocator.rs"]
mod counting_allocator;
mod coupling;
mod energy;
mod errors;
mod features;
mod model_files;
mod mutual;
#[cfg(not(feature = "parallel"))]
mod no_allocation;
mod rest;
mod ropes;
mod skinning;
mod world;
