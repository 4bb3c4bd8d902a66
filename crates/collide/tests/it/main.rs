//! One program for all tests of this crate: each program more is linked and loaded anew.

mod common;
mod convex_alloc;
mod convex_cases;
mod convex_fuzz;
mod convex_golden;
#[path = "common/counting_allocator.rs"]
mod counting_allocator;
mod degenerate;
mod known_answers;
mod pairs_golden;
mod rays_golden;
