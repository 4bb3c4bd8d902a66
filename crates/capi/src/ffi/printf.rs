//! `mju_error` and `mju_warning`, which take arguments like `printf`, where `variadic` cannot define them.
//!
//! Functions with a variable number of arguments cannot be defined in Rust yet. So these functions have as
//! many arguments as a message may use, and find them as the machine passes them:
//!
//! - on AArch64 under Unix, integers and pointers in one row of registers and floating-point numbers in
//!   another, and what does not fit there on the stack;
//! - by Windows, and on RISC-V, numbers in the row of the integers, which goes on on the stack;
//! - by Apple on AArch64, all of them on the stack.
//!
//! Elsewhere the library is not built.

#![allow(unsafe_code)]

use super::errors;
use std::ffi::{CStr, c_char, c_int};

unsafe extern "C" {
    fn snprintf(room: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
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

/// The arguments of a message.
struct Arguments {
    integers: Vec<usize>,
    numbers: Vec<f64>,
    stack: Vec<usize>,
}

impl Arguments {
    fn new(integers: &[usize], numbers: [f64; 8], stack: [usize; 8]) -> Self {
        let reversed = |values: &[usize]| values.iter().rev().copied().collect();
        let numbers = numbers.into_iter().rev().collect();
        Self { integers: reversed(integers), numbers, stack: reversed(&stack) }
    }

    /// Arguments that come one after the other, of whatever kind they are.
    #[cfg_attr(not(any(test, windows, target_vendor = "apple", target_arch = "riscv64")), allow(dead_code))]
    fn in_a_row(row: &[usize]) -> Self {
        Self { integers: Vec::new(), numbers: Vec::new(), stack: row.iter().rev().copied().collect() }
    }

    fn integer(&mut self) -> usize {
        self.integers.pop().or_else(|| self.stack.pop()).unwrap_or(0)
    }

    /// A directive as a text of C, with an argument in the place of each `*`.
    fn fill_in(&mut self, directive: &[u8]) -> Vec<u8> {
        let mut spec = Vec::with_capacity(directive.len() + 24);
        for &byte in directive {
            if byte != b'*' {
                spec.push(byte);
                continue;
            }
            let value = self.integer() as c_int;
            if value < 0 && spec.last() == Some(&b'.') {
                // a negative precision is none
                spec.pop();
            } else {
                spec.extend(value.to_string().bytes());
            }
        }
        spec.push(0);
        spec
    }

    fn number(&mut self) -> f64 {
        self.numbers.pop().unwrap_or_else(|| f64::from_bits(self.stack.pop().unwrap_or(0) as u64))
    }
}

/// The text of a format with arguments.
///
/// # Safety
/// The format is a text, and where it says `%s` the argument is one, too.
unsafe fn format(format: *const c_char, mut arguments: Arguments) -> String {
    if format.is_null() {
        return String::new();
    }
    // SAFETY: by the contract
    let bytes = unsafe { CStr::from_ptr(format) }.to_bytes();
    let (mut text, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] != b'%' {
            text.push(bytes[at]);
            at += 1;
            continue;
        }
        let end = bytes[at + 1..]
            .iter()
            .position(|b| b.is_ascii_alphabetic() && !b"hlLqjzt".contains(b) || *b == b'%');
        let Some(length) = end else { break };
        let directive = &bytes[at..=at + 1 + length];
        at += length + 2;
        let spec = arguments.fill_in(directive);
        let mut room = [0_u8; 512];
        let (start, size) = (room.as_mut_ptr().cast::<c_char>(), room.len());
        // SAFETY: each directive gets an argument of its kind
        let written = unsafe {
            match directive.last() {
                Some(b'%') => {
                    text.push(b'%');
                    continue;
                }
                Some(b's') => {
                    let given = arguments.integer() as *const c_char;
                    if given.is_null() { 0 } else { snprintf(start, size, spec.as_ptr().cast(), given) }
                }
                Some(b'e' | b'E' | b'f' | b'F' | b'g' | b'G') => {
                    snprintf(start, size, spec.as_ptr().cast(), arguments.number())
                }
                _ => snprintf(start, size, spec.as_ptr().cast(), arguments.integer()),
            }
        };
        text.extend(&room[..(written.max(0) as usize).min(size - 1)]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Formats a message and keeps it where it needs not be dropped.
unsafe fn message(msg: *const c_char, arguments: Arguments) -> *const c_char {
    // SAFETY: as for `format`
    errors::prepare(&unsafe { format(msg, arguments) })
}

/// Integers and numbers in rows of their own.
#[cfg(all(target_arch = "aarch64", unix, not(target_vendor = "apple")))]
macro_rules! printf_like {
    ($( $name:ident => $deliver:path; )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        ///
        /// # Safety
        /// The format is a text, and the arguments are what it says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(
            msg: *const c_char, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize, f0: f64, f1: f64,
            f2: f64, f3: f64, f4: f64, f5: f64, f6: f64, f7: f64, s0: usize, s1: usize, s2: usize, s3: usize, s4: usize,
            s5: usize, s6: usize, s7: usize,
        ) {
            let numbers = [f0, f1, f2, f3, f4, f5, f6, f7];
            let stack = [s0, s1, s2, s3, s4, s5, s6, s7];
            // SAFETY: by the contract
            $deliver(unsafe { message(msg, Arguments::new(&[a, b, c, d, e, f, g], numbers, stack)) });
        }
    )* };
}

/// Registers that hold no argument beside the format.
#[cfg(target_vendor = "apple")]
#[cfg_attr(target_arch = "x86_64", allow(dead_code))]
const UNUSED: usize = 7;
#[cfg(any(windows, target_arch = "riscv64"))]
const UNUSED: usize = 0;

/// All arguments in one row.
#[cfg(any(windows, all(target_vendor = "apple", target_arch = "aarch64"), target_arch = "riscv64"))]
macro_rules! printf_like {
    ($( $name:ident => $deliver:path; )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        ///
        /// # Safety
        /// The format is a text, and the arguments are what it says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(
            msg: *const c_char, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize, h: usize,
            i: usize, j: usize, k: usize, l: usize, m: usize, n: usize, o: usize,
        ) {
            let row = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o];
            // SAFETY: by the contract
            $deliver(unsafe { message(msg, Arguments::in_a_row(&row[UNUSED..])) });
        }
    )* };
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
printf_like! {
    mju_error => errors::raise;
    mju_warning => errors::warn;
}

macro_rules! with_argument {
    ($( $name:ident $t:ty => $deliver:path; )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        ///
        /// # Safety
        /// The format is a text that uses one argument, which is what it says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(msg: *const c_char, argument: $t) {
            // SAFETY: by the contract
            $deliver(unsafe { message(msg, Arguments::new(&[argument as usize], [0.0; 8], [0; 8])) });
        }
    )* };
}

with_argument! {
    mju_error_i c_int => errors::raise;
    mju_error_s *const c_char => errors::raise;
    mju_warning_i c_int => errors::warn;
    mju_warning_s *const c_char => errors::warn;
}

/// `mju_error_raw`: an error with a text that is no format.
///
/// # Safety
/// It is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn mju_error_raw(msg: *const c_char) {
    errors::raise(msg);
}

#[cfg(test)]
mod tests {
    use super::{Arguments, format};

    fn text(form: &std::ffi::CStr, arguments: Arguments) -> String {
        // SAFETY: the arguments are what the formats of these tests say
        unsafe { format(form.as_ptr(), arguments) }
    }

    #[test]
    fn arguments_come_in_a_row() {
        let row = [7, 1.5_f64.to_bits() as usize, c"word".as_ptr() as usize, 3, 2.0_f64.to_bits() as usize];
        assert_eq!(text(c"%d %g %s %.*f%%", Arguments::in_a_row(&row)), "7 1.5 word 2.000%");
    }

    #[test]
    fn registers_come_before_the_stack() {
        let bits = |value: f64| value.to_bits() as usize;
        let numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let stack = [bits(8.0), 3, bits(9.0), 0, 0, 0, 0, 0];
        let form = c"%d %g %d %g %g %g %g %g %g %g %g %d %g";
        assert_eq!(text(form, Arguments::new(&[1, 2], numbers, stack)), "1 0 2 1 2 3 4 5 6 7 8 3 9");
    }
}
