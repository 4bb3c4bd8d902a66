//! How a simulator is made.

use crate::precision::Precision;

/// Options of a simulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Precision of the numbers that the device computes with. In double precision results are those of the
    /// processor up to 1e-9 or so, at a price that depends on the device.
    pub precision: Precision,
    /// Whether sensors are computed.
    pub sensors: bool,
}
