//! One program for all tests of this crate: each program more is linked and loaded anew.

mod allocation;
mod common;
mod contact_jacobian;
#[path = "../../../collide/tests/it/common/counting_allocator.rs"]
mod counting_allocator;
mod dynamics;
mod entry_points;
mod inertia;
mod jacobian;
mod solver;
mod stages;
mod units;
