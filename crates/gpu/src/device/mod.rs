//! The device: adapter, buffers, compiled kernels, copies back. The only unsafe code is in [`trusted`] and
//! [`shared_memory`].

pub(crate) mod buffers;
#[cfg(test)]
mod double_functions;
pub(crate) mod gpu;
pub(crate) mod memory;
pub(crate) mod profile;
pub(crate) mod program;
pub(crate) mod readback;
#[cfg_attr(not(target_os = "linux"), path = "no_shared_memory.rs")]
pub(crate) mod shared_memory;
mod signal;
mod trusted;
pub(crate) mod watch;
