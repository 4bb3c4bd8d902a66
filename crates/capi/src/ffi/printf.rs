//! Messages with arguments, as `printf` takes them: `mju_error`, `mju_warning` and what is like them.
//!
//! Functions with a variable number of arguments cannot be defined in Rust yet. Where `variadic` does not
//! define `mju_error` and `mju_warning` in assembly, they have as many arguments as a message may use, and
//! put them where the machine's `va_list` says that they are:
//!
//! - on AArch64 under Unix, integers and pointers in one row of registers and floating-point numbers in
//!   another, and what does not fit there on the stack;
//! - by Windows, and on RISC-V, numbers in the row of the integers, which goes on on the stack;
//! - by Apple on AArch64, all of them on the stack.
//!
//! Elsewhere the library is not built.

#![allow(unsafe_code)]

use super::errors;
use std::ffi::{c_char, c_int, c_void};

// Windows has these functions beside its library for C, for languages other than C
#[cfg_attr(target_env = "msvc", link(name = "legacy_stdio_definitions"))]
unsafe extern "C" {
    fn snprintf(room: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
    // a `va_list` comes as one pointer on each machine below: to the list, or to the arguments themselves
    fn vsnprintf(room: *mut c_char, size: usize, format: *const c_char, arguments: *mut c_void) -> c_int;
}

#[cfg(not(any(
    all(target_arch = "x86_64", any(unix, windows)),
    all(target_arch = "aarch64", any(unix, windows)),
    all(target_arch = "riscv64", unix),
)))]
compile_error!(
    "kinetree-capi does not know how C passes the arguments of `mju_error` on this machine: build for x86-64, AArch64 or \
     64-bit RISC-V, or say it in crates/capi/src/ffi/printf.rs"
);

/// A message that `print` writes, kept where it needs not be dropped; what does not fit is left out.
fn message(print: impl FnOnce(*mut c_char, usize)) -> *const c_char {
    let mut room = [0_u8; errors::ROOM];
    print(room.as_mut_ptr().cast(), room.len());
    let end = room.iter().position(|&byte| byte == 0).unwrap_or(0);
    errors::prepare(&String::from_utf8_lossy(&room[..end]))
}

/// The text of a format with a list of arguments.
///
/// # Safety
/// The format is null or a text, and the list is a `va_list` of what it says.
pub unsafe fn formatted(format: *const c_char, arguments: *mut c_void) -> *const c_char {
    message(|room, size| {
        if !format.is_null() {
            // SAFETY: by the contract
            unsafe { vsnprintf(room, size, format, arguments) };
        }
    })
}

/// Integers and numbers in rows of their own.
#[cfg(all(target_arch = "aarch64", unix, not(target_vendor = "apple")))]
mod rows {
    use super::{c_char, c_int, c_void, errors, formatted};

    /// `va_list`: the next argument on the stack, the ends of the registers that are kept, and how far before
    /// them the next integer and the next number are.
    #[repr(C)]
    struct List {
        stack: *const usize,
        integers_end: *const usize,
        numbers_end: *const [f64; 2],
        integers: c_int,
        numbers: c_int,
    }

    macro_rules! printf_like {
        ($( $name:ident => $deliver:path; )*) => { $(
            #[doc = concat!("`", stringify!($name), "` of the header.")]
            ///
            /// # Safety
            /// The format is null or a text, and the arguments are what it says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C-unwind" fn $name(
                msg: *const c_char, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize,
                f0: f64, f1: f64, f2: f64, f3: f64, f4: f64, f5: f64, f6: f64, f7: f64,
                s0: usize, s1: usize, s2: usize, s3: usize, s4: usize, s5: usize, s6: usize, s7: usize,
                s8: usize, s9: usize, s10: usize, s11: usize, s12: usize, s13: usize, s14: usize, s15: usize,
            ) {
                let integers = [a, b, c, d, e, f, g];
                // a register is twice as wide as a number
                let numbers = [f0, f1, f2, f3, f4, f5, f6, f7].map(|number| [number, 0.0]);
                let stack = [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15];
                let mut list = List {
                    stack: stack.as_ptr(),
                    integers_end: integers.as_ptr_range().end,
                    numbers_end: numbers.as_ptr_range().end,
                    integers: -(size_of_val(&integers) as c_int),
                    numbers: -(size_of_val(&numbers) as c_int),
                };
                let list = (&raw mut list).cast::<c_void>();
                // SAFETY: by the contract, and the list leads to the arguments above
                $deliver(unsafe { formatted(msg, list) });
            }
        )* };
    }

    printf_like! {
        mju_error => errors::raise;
        mju_warning => errors::warn;
    }
}

/// All arguments in one row, in which `va_list` points to the next.
#[cfg(any(windows, all(target_vendor = "apple", target_arch = "aarch64"), target_arch = "riscv64"))]
mod row {
    use super::{c_char, c_void, errors, formatted};

    /// The argument after the format: the one in the next register, or the first on the stack.
    const FIRST: usize = if cfg!(target_vendor = "apple") { 8 } else { 1 };

    /// Arguments from the format on, as far from the border of sixteen bytes as registers and stack put them.
    #[repr(align(16))]
    struct Row([usize; 24]);

    macro_rules! printf_like {
        ($( $name:ident => $deliver:path; )*) => { $(
            #[doc = concat!("`", stringify!($name), "` of the header.")]
            ///
            /// # Safety
            /// The format is null or a text, and the arguments are what it says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C-unwind" fn $name(
                msg: *const c_char, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize,
                s0: usize, s1: usize, s2: usize, s3: usize, s4: usize, s5: usize, s6: usize, s7: usize,
                s8: usize, s9: usize, s10: usize, s11: usize, s12: usize, s13: usize, s14: usize, s15: usize,
            ) {
                let mut row = Row([
                    msg as usize, a, b, c, d, e, f, g,
                    s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15,
                ]);
                let list = (&raw mut row.0[FIRST..]).cast::<c_void>();
                // SAFETY: by the contract
                $deliver(unsafe { formatted(msg, list) });
            }
        )* };
    }

    printf_like! {
        mju_error => errors::raise;
        mju_warning => errors::warn;
    }
}

macro_rules! with_argument {
    ($( $name:ident $t:ty => $deliver:path; )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        ///
        /// # Safety
        /// The format is null or a text that uses one argument, which is what it says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(msg: *const c_char, argument: $t) {
            $deliver(message(|room, size| {
                if !msg.is_null() {
                    // SAFETY: by the contract
                    unsafe { snprintf(room, size, msg, argument) };
                }
            }));
        }
    )* };
}

with_argument! {
    mju_error_i c_int => errors::raise;
    mju_error_s *const c_char => errors::raise;
    mju_warning_i c_int => errors::warn;
    mju_warning_s *const c_char => errors::warn;
}

/// `mju_error_v`, which the reference exports without declaring it in its public headers: `mju_error` with a
/// list of arguments.
///
/// # Safety
/// The format is null or a text, and the list is a `va_list` of what it says.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn mju_error_v(format: *const c_char, arguments: *mut c_void) {
    // SAFETY: by the contract
    errors::raise(unsafe { formatted(format, arguments) });
}

/// `mju_error_raw`: an error with a text that is no format.
///
/// # Safety
/// It is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn mju_error_raw(msg: *const c_char) {
    errors::raise(msg);
}
