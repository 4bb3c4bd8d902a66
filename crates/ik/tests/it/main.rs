//! One program for all tests of this crate: each program more is linked and loaded anew.

mod calculator;
#[path = "../../../collide/tests/it/common/counting_allocator.rs"]
mod counting_allocator;
mod jacobian;
mod no_allocation;
mod solver;
mod support;
mod whole_body;
