//! Whether this CPU has the instructions that the program was compiled for.
//!
//! A program built for AVX2 that runs on a CPU without it ends in an illegal instruction somewhere in the
//! middle. [`check_cpu`] tells that before: call it first thing in `main`. The macro of the standard library
//! (`is_x86_feature_detected!`) cannot, because it answers at compile time for features that are enabled
//! then.

/// What a build for the `x86-64-v3` instructions says where they are missing.
const MESSAGE: &str = "kinetree: this build needs a CPU with AVX2 (x86-64-v3), which this one is not; build it for \
     any x86-64 with RUSTFLAGS=\"-C target-cpu=x86-64\": slower, and the same results to the last bit";

/// The CPU lacks instructions that the program was compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{MESSAGE}")]
pub struct UnsupportedCpu;

impl UnsupportedCpu {
    /// What is wrong and what to do. A constant, because formatting may already use the missing instructions.
    #[must_use]
    pub const fn message(self) -> &'static str {
        MESSAGE
    }
}

/// Compares the CPU with the instructions that the program was compiled for.
///
/// ```
/// assert_eq!(kinetree_math::check_cpu(), Ok(()));
/// ```
///
/// # Errors
/// When the CPU lacks some of them.
#[inline(never)]
pub fn check_cpu() -> Result<(), UnsupportedCpu> {
    if has_compiled_features() { Ok(()) } else { Err(UnsupportedCpu) }
}

/// Other targets have what they are named after.
#[cfg(not(target_arch = "x86_64"))]
fn has_compiled_features() -> bool {
    true
}

/// Asks the CPU for the features of this build. Nothing but loads, `and` and comparisons: whatever is
/// compiled here must itself run on an old CPU.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_compiled_features() -> bool {
    use std::arch::x86_64::__cpuid_count;
    use x86::{EXTENDED_ECX, FEATURES_ECX, STRUCTURED_EBX};

    if [FEATURES_ECX, STRUCTURED_EBX, EXTENDED_ECX] == [0; 3] {
        return true;
    }
    // a CPU that does not know a leaf may answer with another one
    if __cpuid_count(0, 0).eax < 7 || __cpuid_count(0x8000_0000, 0).eax < 0x8000_0001 {
        return false;
    }
    __cpuid_count(1, 0).ecx & FEATURES_ECX == FEATURES_ECX
        && __cpuid_count(7, 0).ebx & STRUCTURED_EBX == STRUCTURED_EBX
        && __cpuid_count(0x8000_0001, 0).ecx & EXTENDED_ECX == EXTENDED_ECX
}

/// Bits of `cpuid` for the features of this build, by leaf and register (Intel, Software Developer's Manual,
/// volume 2A).
#[cfg(target_arch = "x86_64")]
mod x86 {
    const fn bit(compiled_in: bool, position: u32) -> u32 {
        if compiled_in { 1 << position } else { 0 }
    }

    /// Leaf 1. AVX also needs a system that saves its registers (OSXSAVE, bit 27).
    pub(super) const FEATURES_ECX: u32 = bit(cfg!(target_feature = "sse3"), 0)
        | bit(cfg!(target_feature = "ssse3"), 9)
        | bit(cfg!(target_feature = "fma"), 12)
        | bit(cfg!(target_feature = "sse4.1"), 19)
        | bit(cfg!(target_feature = "sse4.2"), 20)
        | bit(cfg!(target_feature = "movbe"), 22)
        | bit(cfg!(target_feature = "popcnt"), 23)
        | bit(cfg!(target_feature = "avx"), 27)
        | bit(cfg!(target_feature = "avx"), 28)
        | bit(cfg!(target_feature = "f16c"), 29);

    /// Leaf 7.
    pub(super) const STRUCTURED_EBX: u32 = bit(cfg!(target_feature = "bmi1"), 3)
        | bit(cfg!(target_feature = "avx2"), 5)
        | bit(cfg!(target_feature = "bmi2"), 8)
        | bit(cfg!(target_feature = "avx512f"), 16);

    /// Leaf 0x80000001.
    pub(super) const EXTENDED_ECX: u32 = bit(cfg!(target_feature = "lzcnt"), 5);
}
