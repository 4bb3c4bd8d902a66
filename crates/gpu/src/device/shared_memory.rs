//! Buffers in memory that CUDA sees, too: Vulkan allocates and exports it, the driver's CUDA library imports
//! it.
//!
//! Beside [`trusted`](super::trusted) this is the only module with unsafe code. What it relies on:
//! - memory is allocated for its buffer alone (a dedicated allocation) and given to `wgpu` with it, which
//!   frees both when nothing uses the buffer any more
//! - the file descriptor of the memory belongs to CUDA once it is imported, and is closed here when that
//!   fails
//! - a [`SharedBuffer`] has the `wgpu` buffer and the mapping of CUDA, so that neither ends before the other;
//!   the mapping ends in the context in which it was made, which stays retained until then
//! - structures and functions of CUDA are those of its driver interface since version 10, and what it returns
//!   is checked
//! - `wgpu` and CUDA do not use a buffer at the same time: simulators wait for the device before a call
//!   returns, and for CUDA ([`SharedBuffer::wait`]) before they use it again, and a mapping waits for CUDA
//!   before it ends. Both waits are of the processor, for the whole device; buffers are not handed over
//!   between queue families (`VK_QUEUE_FAMILY_EXTERNAL`), which drivers of NVIDIA do not need

#![allow(unsafe_code)]
#![cfg(target_os = "linux")]

use super::gpu::Gpu;
use crate::error::GpuError;
use ash::vk;
use libloading::Library;
use std::ffi::{c_int, c_uint, c_void};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::Arc;

const OPAQUE_FD: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;

/// A buffer of `wgpu` that CUDA has in its address space.
#[derive(Clone, Debug)]
pub(crate) struct SharedBuffer {
    pub(crate) buffer: wgpu::Buffer,
    mapping: Arc<Mapping>,
}

impl SharedBuffer {
    /// A buffer of so many bytes, all of them zero.
    pub(crate) fn new(gpu: &Gpu, label: &'static str, bytes: u64) -> Result<Self, GpuError> {
        if !gpu.device.features().contains(wgpu::Features::VULKAN_EXTERNAL_MEMORY_FD) {
            return Err(refused(gpu, "its driver does not export memory (VK_KHR_external_memory_fd)"));
        }
        let exported = Exported::new(gpu, label, bytes).map_err(|reason| refused(gpu, &reason))?;
        let mapping = Mapping::new(exported.uuid, exported.memory, exported.size, bytes);
        let mapping = Arc::new(mapping.map_err(|reason| refused(gpu, &reason))?);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(&exported.buffer, 0, None);
        gpu.queue.submit([encoder.finish()]);
        gpu.check()?;
        Ok(Self { buffer: exported.buffer, mapping })
    }

    /// Where CUDA has it.
    pub(crate) fn address(&self) -> u64 {
        self.mapping.address
    }

    /// Number of the device, as CUDA counts.
    pub(crate) fn ordinal(&self) -> i32 {
        self.mapping.cuda.ordinal
    }

    /// Waits for everything that this process has asked of CUDA on this device, in the context that libraries
    /// share (its primary one).
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        let waited = self.mapping.cuda.within(|cuda| {
            // SAFETY: a function without arguments, in a context that is current
            cuda.check("cuCtxSynchronize", unsafe { (cuda.calls.synchronize)() })
        });
        waited.map_err(GpuError::Device)
    }
}

fn refused(gpu: &Gpu, reason: &str) -> GpuError {
    let what = format!("tensors on '{}' without copies: {reason}; read NumPy arrays instead", gpu.adapter());
    GpuError::Unsupported(vec![what])
}

/// A buffer of Vulkan with memory of its own, which a file descriptor stands for.
struct Exported {
    buffer: wgpu::Buffer,
    memory: OwnedFd,
    /// Bytes of the memory.
    size: u64,
    /// Which device this is.
    uuid: [u8; vk::UUID_SIZE],
}

impl Exported {
    fn new(gpu: &Gpu, label: &'static str, bytes: u64) -> Result<Self, String> {
        // SAFETY: the device is not destroyed through this handle
        let device = unsafe { gpu.device.as_hal::<wgpu::hal::api::Vulkan>() }
            .ok_or("it is not used through Vulkan")?;
        let (raw, physical) = (device.raw_device(), device.raw_physical_device());
        let instance = device.shared_instance().raw_instance();
        let failed = |call: &'static str| move |error: vk::Result| format!("{call}: {error}");
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(OPAQUE_FD);
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST;
        let info = vk::BufferCreateInfo::default().size(bytes).usage(usage).push_next(&mut external);
        // SAFETY: the structures live until the calls return; on failure what was made is destroyed, and
        // nothing has used it
        let (buffer, memory, size) = unsafe {
            let buffer = raw.create_buffer(&info, None).map_err(failed("vkCreateBuffer"))?;
            let needs = raw.get_buffer_memory_requirements(buffer);
            let types = instance.get_physical_device_memory_properties(physical);
            let allocated = allocate(raw, buffer, &needs, &types);
            let allocated = allocated.and_then(|memory| {
                let bound = raw.bind_buffer_memory(buffer, memory, 0).map_err(failed("vkBindBufferMemory"));
                bound.map(|()| memory).inspect_err(|_| raw.free_memory(memory, None))
            });
            (buffer, allocated.inspect_err(|_| raw.destroy_buffer(buffer, None))?, needs.size)
        };
        // SAFETY: `wgpu` owns buffer and memory from here on, and has been told their sizes
        let buffer = unsafe {
            let hal = wgpu::hal::vulkan::Buffer::from_raw_managed(buffer, memory, 0, size);
            let usage =
                wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
            let descriptor =
                wgpu::BufferDescriptor { label: Some(label), size: bytes, usage, mapped_at_creation: false };
            gpu.device.create_buffer_from_hal::<wgpu::hal::api::Vulkan>(hal, &descriptor)
        };
        let export = vk::MemoryGetFdInfoKHR::default().memory(memory).handle_type(OPAQUE_FD);
        // SAFETY: the extension is enabled, and a descriptor that is returned is this program's to close
        let memory = unsafe {
            let calls = ash::khr::external_memory_fd::Device::new(instance, raw);
            OwnedFd::from_raw_fd(calls.get_memory_fd(&export).map_err(failed("vkGetMemoryFdKHR"))?)
        };
        let mut id = vk::PhysicalDeviceIDProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut id);
        // SAFETY: both structures live until the call returns
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        Ok(Self { buffer, memory, size, uuid: id.device_uuid })
    }
}

/// Memory on the device for one buffer, which may be exported.
fn allocate(
    raw: &ash::Device,
    buffer: vk::Buffer,
    needs: &vk::MemoryRequirements,
    types: &vk::PhysicalDeviceMemoryProperties,
) -> Result<vk::DeviceMemory, String> {
    let is_local = |index: &u32| {
        let flags = types.memory_types[*index as usize].property_flags;
        needs.memory_type_bits >> index & 1 == 1 && flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL)
    };
    let index = (0..types.memory_type_count).find(is_local).ok_or("it has no memory of its own")?;
    let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(OPAQUE_FD);
    let mut dedicated = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer);
    let info = vk::MemoryAllocateInfo::default()
        .allocation_size(needs.size)
        .memory_type_index(index)
        .push_next(&mut export)
        .push_next(&mut dedicated);
    // SAFETY: the structures live until the call returns
    unsafe { raw.allocate_memory(&info, None) }.map_err(|error| format!("vkAllocateMemory: {error}"))
}

/// Memory of Vulkan in the address space of CUDA.
#[derive(Debug)]
struct Mapping {
    address: u64,
    memory: *mut c_void,
    cuda: Cuda,
}

// SAFETY: handles of CUDA may be used by any thread; calls make the context current on the thread that makes
// them
unsafe impl Send for Mapping {}
// SAFETY: as above
unsafe impl Sync for Mapping {}

impl Mapping {
    fn new(uuid: [u8; vk::UUID_SIZE], memory: OwnedFd, size: u64, bytes: u64) -> Result<Self, String> {
        let cuda = Cuda::new(uuid)?;
        let (mut address, mut imported) = (0, ptr::null_mut());
        cuda.within(|cuda| {
            let descriptor = MemoryDescriptor {
                kind: HANDLE_OPAQUE_FD,
                handle: [memory.as_raw_fd() as u32 as u64, 0],
                size,
                flags: MEMORY_IS_DEDICATED,
                reserved: [0; 16],
            };
            // SAFETY: the structures are those of CUDA and live until the calls return
            cuda.check("cuImportExternalMemory", unsafe { (cuda.calls.import)(&mut imported, &descriptor) })?;
            // the descriptor is CUDA's now
            std::mem::forget(memory);
            let range = RangeDescriptor { offset: 0, size: bytes, flags: 0, reserved: [0; 16] };
            // SAFETY: as above
            let mapped = unsafe { (cuda.calls.map)(&mut address, imported, &range) };
            cuda.check("cuExternalMemoryGetMappedBuffer", mapped).inspect_err(|_| {
                // SAFETY: nothing is mapped
                unsafe { (cuda.calls.destroy)(imported) };
            })
        })?;
        Ok(Self { address, memory: imported, cuda })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // there is nobody to tell about failures
        let _ = self.cuda.within(|cuda| {
            // SAFETY: made by `new`; what was asked of CUDA with it is done after the wait, and nobody can
            // ask for more
            unsafe {
                (cuda.calls.synchronize)();
                (cuda.calls.free)(self.address);
                (cuda.calls.destroy)(self.memory);
            }
            Ok(())
        });
    }
}

const HANDLE_OPAQUE_FD: c_uint = 1;
const MEMORY_IS_DEDICATED: c_uint = 1;

/// `CUDA_EXTERNAL_MEMORY_HANDLE_DESC`.
#[repr(C)]
struct MemoryDescriptor {
    kind: c_uint,
    /// A union, of which a file descriptor is the first four bytes.
    handle: [u64; 2],
    size: u64,
    flags: c_uint,
    reserved: [c_uint; 16],
}

/// `CUDA_EXTERNAL_MEMORY_BUFFER_DESC`.
#[repr(C)]
struct RangeDescriptor {
    offset: u64,
    size: u64,
    flags: c_uint,
    reserved: [c_uint; 16],
}

/// What is called of CUDA's driver library.
#[derive(Clone, Copy, Debug)]
struct Calls {
    retain: unsafe extern "C" fn(*mut *mut c_void, c_int) -> c_int,
    release: unsafe extern "C" fn(c_int) -> c_int,
    push: unsafe extern "C" fn(*mut c_void) -> c_int,
    pop: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    synchronize: unsafe extern "C" fn() -> c_int,
    import: unsafe extern "C" fn(*mut *mut c_void, *const MemoryDescriptor) -> c_int,
    map: unsafe extern "C" fn(*mut u64, *mut c_void, *const RangeDescriptor) -> c_int,
    free: unsafe extern "C" fn(u64) -> c_int,
    destroy: unsafe extern "C" fn(*mut c_void) -> c_int,
}

/// CUDA on one device, in the context that other libraries use there.
#[derive(Debug)]
struct Cuda {
    calls: Calls,
    device: c_int,
    context: *mut c_void,
    ordinal: i32,
    /// The calls are in it.
    _library: Library,
}

impl Cuda {
    fn new(uuid: [u8; vk::UUID_SIZE]) -> Result<Self, String> {
        // SAFETY: the driver's own library, whose initialization has no conditions; the types are those of
        // its interface
        unsafe {
            let library =
                Library::new("libcuda.so.1").map_err(|error| format!("CUDA is not there ({error})"))?;
            let initialize: unsafe extern "C" fn(c_uint) -> c_int = function(&library, b"cuInit\0")?;
            let count: unsafe extern "C" fn(*mut c_int) -> c_int = function(&library, b"cuDeviceGetCount\0")?;
            let device: unsafe extern "C" fn(*mut c_int, c_int) -> c_int =
                function(&library, b"cuDeviceGet\0")?;
            let identify: unsafe extern "C" fn(*mut [u8; 16], c_int) -> c_int =
                function(&library, b"cuDeviceGetUuid\0")?;
            let calls = Calls {
                retain: function(&library, b"cuDevicePrimaryCtxRetain\0")?,
                release: function(&library, b"cuDevicePrimaryCtxRelease_v2\0")?,
                push: function(&library, b"cuCtxPushCurrent_v2\0")?,
                pop: function(&library, b"cuCtxPopCurrent_v2\0")?,
                synchronize: function(&library, b"cuCtxSynchronize\0")?,
                import: function(&library, b"cuImportExternalMemory\0")?,
                map: function(&library, b"cuExternalMemoryGetMappedBuffer\0")?,
                free: function(&library, b"cuMemFree_v2\0")?,
                destroy: function(&library, b"cuDestroyExternalMemory\0")?,
            };
            let mut devices = 0;
            check("cuInit", initialize(0))?;
            check("cuDeviceGetCount", count(&mut devices))?;
            for ordinal in 0..devices {
                let (mut handle, mut own) = (0, [0; 16]);
                check("cuDeviceGet", device(&mut handle, ordinal))?;
                check("cuDeviceGetUuid", identify(&mut own, handle))?;
                if own == uuid {
                    let mut context = ptr::null_mut();
                    check("cuDevicePrimaryCtxRetain", (calls.retain)(&mut context, handle))?;
                    return Ok(Self { calls, device: handle, context, ordinal, _library: library });
                }
            }
        }
        Err("CUDA does not have this device (see CUDA_VISIBLE_DEVICES)".to_owned())
    }

    /// Calls `f` with the context current on this thread.
    fn within<R>(&self, f: impl FnOnce(&Self) -> Result<R, String>) -> Result<R, String> {
        // SAFETY: the context is retained; what was current before is current again
        self.check("cuCtxPushCurrent", unsafe { (self.calls.push)(self.context) })?;
        let result = f(self);
        let mut own = ptr::null_mut();
        // SAFETY: as above
        self.check("cuCtxPopCurrent", unsafe { (self.calls.pop)(&mut own) })?;
        result
    }

    #[allow(clippy::unused_self)] // reads like the other calls
    fn check(&self, call: &str, code: c_int) -> Result<(), String> {
        check(call, code)
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // SAFETY: retained once by `new`
        unsafe { (self.calls.release)(self.device) };
    }
}

fn check(call: &str, code: c_int) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("{call} failed with code {code}")) }
}

/// A function of a library.
///
/// # Safety
/// `F` must be the type of the function.
unsafe fn function<F: Copy>(library: &Library, name: &[u8]) -> Result<F, String> {
    // SAFETY: the caller knows the type
    let symbol = unsafe { library.get::<F>(name) };
    symbol.map(|symbol| *symbol).map_err(|error| format!("CUDA is too old ({error})"))
}
