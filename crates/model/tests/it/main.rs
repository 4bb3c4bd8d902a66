//! One program for all tests of this crate: each program more is linked and loaded anew.

mod binary;
mod common;
mod state;
