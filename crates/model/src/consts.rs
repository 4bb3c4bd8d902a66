//! Constants that fix array widths and numeric limits, with the reference's values.
//!
//! ```
//! use kinetree_model::consts::{NEQDATA, REFERENCE_VERSION};
//!
//! assert_eq!((REFERENCE_VERSION, NEQDATA), ("3.8.0", 11));
//! ```

/// Version of the reference.
pub const REFERENCE_VERSION: &str = "3.8.0";
/// Largest absolute value allowed in `qpos`, `qvel` and `qacc` before a state counts as bad.
pub const MAXVAL: f64 = 1e10;
/// Smallest friction coefficient.
pub const MINMU: f64 = 1e-5;
/// Smallest constraint impedance.
pub const MINIMP: f64 = 1e-4;
/// Largest constraint impedance.
pub const MAXIMP: f64 = 0.9999;
/// Most contacts that one geom pair may produce.
pub const MAXCONPAIR: usize = 50;
/// Quiet steps before an island may fall asleep.
pub const MINAWAKE: i32 = 10;
/// Width of `eq_data`.
pub const NEQDATA: usize = 11;
/// Width of actuator dynamics, gain and bias parameters.
pub const NACTPRM: usize = 10;
/// Width of `solref`.
pub const NREF: usize = 2;
/// Width of `solimp`.
pub const NIMP: usize = 5;
/// Higher-order coefficients of polynomial stiffness and damping.
pub const NPOLY: usize = 2;
/// Width of `geom_fluid`.
pub const NFLUID: usize = 12;
/// Iterations for which solver statistics are kept.
pub const NSOLVER: usize = 200;
/// Islands for which solver statistics are kept.
pub const NISLAND: usize = 20;
/// Number of warning counters.
pub const NWARNING: usize = 7;
/// Number of timers.
pub const NTIMER: usize = 15;

/// Largest model, and largest data of a world (byte): four gibibytes, one where addresses have 32 bits.
pub const MAX_BYTES: usize = if usize::BITS > 32 { (1_u64 << 32) as usize } else { 1 << 30 };
