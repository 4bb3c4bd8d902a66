//! One program for all tests of this crate: each program more is linked and loaded anew.

#[path = "../../../collide/tests/it/common/counting_allocator.rs"]
mod counting_allocator;
mod equality;
mod lockstep;
mod no_allocation;
mod plugins;
mod singular_inertia;
mod tasks;
mod variation;
