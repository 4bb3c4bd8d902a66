//! One program for all tests of this crate: each program more is linked and loaded anew.

mod cg_solver;
mod common;
mod contact_list;
#[path = "../../../collide/tests/it/common/counting_allocator.rs"]
mod counting_allocator;
mod damped_step;
mod derivatives;
mod determinism;
mod docs;
mod evaluation;
mod golden_trajectories;
mod mocap;
mod no_allocation;
mod physics;
mod random_edits;
mod regressions;
mod row_blocks;
mod velocity_parts;
mod written;
