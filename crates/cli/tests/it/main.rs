//! One program for all tests of this crate: each program more is linked and loaded anew.

mod advice;
mod check;
mod command;
mod docs;
mod files;
mod mpc;
#[cfg(feature = "render")]
mod render;
mod serve;
#[cfg(feature = "view")]
mod view;
