//! One program for all tests of this crate: each program more is linked and loaded anew.

mod common;
#[path = "../../../collide/tests/it/common/counting_allocator.rs"]
mod counting_allocator;
mod golden_scenes;
mod interaction;
mod no_allocation;
#[cfg(feature = "wgpu")]
mod pictures;
