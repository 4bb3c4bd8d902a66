//! Memory of kernels beside buffers: what a workgroup shares, and what each invocation has for itself.
//!
//! Drivers do not all say when there is too much of it; some crash.

#![cfg(not(target_arch = "wasm32"))]

use crate::device::gpu::Gpu;
use crate::error::GpuError;
use wgpu::naga::front::wgsl::parse_str;
use wgpu::naga::proc::Layouter;
use wgpu::naga::{AddressSpace, Handle, Module, Type};

/// Most bytes that an invocation may have in variables of functions of the user, and as many at module scope:
/// the limits of WGSL.
const MOST_PRIVATE_BYTES: u64 = 8192;

/// Variables of a kernel by their sizes.
struct Variables {
    module: Module,
    layouter: Layouter,
}

impl Variables {
    /// Reads a kernel; what is wrong with it otherwise.
    fn of(text: &str) -> Result<Self, String> {
        let module = parse_str(text).map_err(|error| error.to_string())?;
        let mut layouter = Layouter::default();
        layouter.update(module.to_ctx()).map_err(|error| error.to_string())?;
        Ok(Self { module, layouter })
    }

    fn bytes(&self, ty: Handle<Type>) -> u64 {
        u64::from(self.layouter[ty].to_stride())
    }

    /// Bytes of all variables at module scope in a space.
    fn at_module_scope(&self, space: AddressSpace) -> u64 {
        let variables = self.module.global_variables.iter().filter(|(_, variable)| variable.space == space);
        variables.fold(0, |sum, (_, variable)| self.bytes(variable.ty).saturating_add(sum))
    }

    /// The function with most bytes of variables.
    fn largest_function(&self) -> Option<(&str, u64)> {
        let entries = self.module.entry_points.iter().map(|entry| &entry.function);
        let functions = self.module.functions.iter().map(|(_, function)| function).chain(entries);
        let of_function = |function: &wgpu::naga::Function| {
            let variables = function.local_variables.iter();
            variables.fold(0, |sum: u64, (_, variable)| self.bytes(variable.ty).saturating_add(sum))
        };
        functions
            .map(|function| (function.name.as_deref().unwrap_or("a function"), of_function(function)))
            .max_by_key(|(_, bytes)| *bytes)
    }
}

/// An error when a kernel of ours needs more workgroup memory than there is, as with very many contacts.
pub(crate) fn check_workgroup_memory(gpu: &Gpu, kernel: &'static str, text: &str) -> Result<(), GpuError> {
    let failed = |reason| GpuError::Device(format!("a kernel is not right: {reason}"));
    let needed = Variables::of(text).map_err(failed)?.at_module_scope(AddressSpace::WorkGroup);
    let limit = u64::from(gpu.device.limits().max_compute_workgroup_storage_size);
    if needed <= limit {
        return Ok(());
    }
    Err(GpuError::WorkgroupMemory { kernel, needed, limit })
}

/// An error when functions of the user need more memory than the device or the language allows.
pub(crate) fn check_user_memory(gpu: &Gpu, text: &str) -> Result<(), GpuError> {
    let failed = |reason| GpuError::Kernel { line: None, reason };
    let variables = Variables::of(text).map_err(failed)?;
    let refuse = |what: String, needed: u64, limit: u64| {
        failed(format!("{what} need {needed} bytes, but at most {limit} are allowed"))
    };
    let shared = variables.at_module_scope(AddressSpace::WorkGroup);
    let limit = u64::from(gpu.device.limits().max_compute_workgroup_storage_size);
    if shared > limit {
        return Err(refuse("variables of a workgroup".to_owned(), shared, limit));
    }
    let private = variables.at_module_scope(AddressSpace::Private);
    if private > MOST_PRIVATE_BYTES {
        return Err(refuse("private variables".to_owned(), private, MOST_PRIVATE_BYTES));
    }
    match variables.largest_function() {
        Some((name, bytes)) if bytes > MOST_PRIVATE_BYTES => {
            Err(refuse(format!("variables of the function '{name}'"), bytes, MOST_PRIVATE_BYTES))
        }
        _ => Ok(()),
    }
}
