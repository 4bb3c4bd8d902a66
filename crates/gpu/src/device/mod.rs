//! The device: adapter, buffers, compiled kernels, copies back. The only unsafe code is in [`trusted`].

pub(crate) mod buffers;
#[cfg(test)]
mod double_functions;
pub(crate) mod gpu;
pub(crate) mod memory;
pub(crate) mod profile;
pub(crate) mod program;
pub(crate) mod readback;
mod signal;
mod trusted;
pub(crate) mod watch;
