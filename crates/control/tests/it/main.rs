//! Tests of control, in one program.

mod expansion;
mod ilqr;
mod limits;
mod lqr;
mod sampling;
mod support;
mod transitions;
