//! Tests of control, in one program.

mod expansion;
mod fields;
mod ilqr;
mod limits;
mod lqr;
mod mpc;
mod sampling;
mod support;
mod sysid;
mod transitions;
