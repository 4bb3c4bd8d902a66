//! Kinetree in the place of `libmujoco`: a library of C functions with the names, the structs and the
//! behaviour of the reference's headers, version 3.8.0.
//!
//! `ffi` is where C meets Rust, and has all `unsafe` code; `layout` has the structs of the headers;
//! `functions` has the functions, each of which is a few safe lines around a function of the engine.

// the functions are documented by the headers, whose names they carry
#![allow(missing_docs)]
#![allow(unreachable_pub)]
// what a pointer must lead to is the contract of the headers, which C cannot be made to state
#![allow(clippy::not_unsafe_ptr_arg_deref)]

pub mod ffi;
pub mod functions;
pub mod layout;
