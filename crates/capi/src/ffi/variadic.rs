//! `mju_error` and `mju_warning` with as many arguments as a program has, by the calling convention of Unix
//! on x86-64.
//!
//! Functions with a variable number of arguments cannot be defined in Rust yet. These two are written in
//! assembly: they put the registers that may hold arguments into memory, as a compiler does that meets
//! `va_start`, and hand this memory and that of the arguments on the stack to a function of Rust.

#![allow(unsafe_code)]

use super::errors;
use super::printf::formatted;
use std::arch::naked_asm;
use std::ffi::{c_char, c_void};

/// `va_list` of the convention: where in the saved registers the next integer and the next floating-point
/// number are, the next argument on the stack, and the saved registers.
#[derive(Debug)]
#[repr(C)]
pub struct Arguments {
    integer: u32,
    number: u32,
    stack: *const c_void,
    registers: *const c_void,
}

/// Bytes of the saved registers before the second integer, which follows the format, and before the numbers.
const FIRST: [u32; 2] = [8, 48];

/// The text of a format with arguments, kept where it needs not be dropped.
///
/// # Safety
/// The format is null or a text, and the arguments are what it says.
unsafe fn message(format: *const c_char, registers: *const c_void, stack: *const c_void) -> *const c_char {
    let [integer, number] = FIRST;
    let mut arguments = Arguments { integer, number, stack, registers };
    // SAFETY: by the contract
    unsafe { formatted(format, (&raw mut arguments).cast()) }
}

/// Defines functions that format a message and deliver it.
macro_rules! variadic {
    ($( $name:ident $with_list:ident => $deliver:path; )*) => { $(
        extern "C-unwind" fn $with_list(
            format: *const c_char, registers: *const c_void, stack: *const c_void,
        ) {
            // SAFETY: the header says what the arguments are
            $deliver(unsafe { message(format, registers, stack) });
        }

        #[doc = concat!("`", stringify!($name), "` of the header.")]
        ///
        /// # Safety
        /// The format is null or a text, and the arguments are what it says.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C-unwind" fn $name(format: *const c_char) {
            naked_asm!(
                ".cfi_startproc",
                "sub rsp, 184",
                ".cfi_adjust_cfa_offset 184",
                // integers
                "mov [rsp + 8], rsi",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx",
                "mov [rsp + 32], r8",
                "mov [rsp + 40], r9",
                // numbers, unless the caller says that there are none
                "test al, al",
                "je 2f",
                "movaps [rsp + 48], xmm0",
                "movaps [rsp + 64], xmm1",
                "movaps [rsp + 80], xmm2",
                "movaps [rsp + 96], xmm3",
                "movaps [rsp + 112], xmm4",
                "movaps [rsp + 128], xmm5",
                "movaps [rsp + 144], xmm6",
                "movaps [rsp + 160], xmm7",
                "2:",
                // the format stays in its register; arguments on the stack lie above the return address
                "mov rsi, rsp",
                "lea rdx, [rsp + 192]",
                "call {with_list}",
                "add rsp, 184",
                ".cfi_adjust_cfa_offset -184",
                "ret",
                ".cfi_endproc",
                with_list = sym $with_list,
            )
        }
    )* };
}

variadic! {
    mju_error error_with_list => errors::raise;
    mju_warning warning_with_list => errors::warn;
}
