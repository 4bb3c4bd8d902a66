//! One program for all tests of this crate: each program more is linked and loaded anew.

mod common;
mod dense;
mod lockstep;
mod misc;
mod rot;
mod small_problems;
mod sparse_factor;
mod sparse_product;
mod spatial;
