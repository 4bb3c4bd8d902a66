//! Tests of control, in one program.

mod ilqr;
mod lqr;
mod sampling;
mod support;
mod transitions;
