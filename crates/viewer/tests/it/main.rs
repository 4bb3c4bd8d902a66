//! One program for all tests of this crate: each program more is linked and loaded anew.

mod app;
mod common;
mod simulation;
