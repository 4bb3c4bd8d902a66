//! Kernels without the checks that `wgpu` adds to shaders: bounds of arrays and ends of loops.
//!
//! This and `shared_memory.rs` are the only modules with unsafe code. What it relies on:
//! - only texts of `shader` come here, which are our own; kernels of users are compiled with all checks
//! - indices come from tables that are made from a model whose indices have been checked, from lanes and from
//!   counts that are compared with capacities before they are used; what a state decides is which entry of
//!   such a table, or of a pool of support points with room for all iterations, is taken
//! - every loop ends: its bound is a constant, an entry of a table or such a count

#![allow(unsafe_code)]

/// Compiles a kernel that `shader` has composed.
pub(crate) fn compile_trusted(
    device: &wgpu::Device,
    descriptor: wgpu::ShaderModuleDescriptor<'_>,
) -> wgpu::ShaderModule {
    // SAFETY: see above. A browser compiles with its own checks whatever it is asked for
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}
