//! How functions are exported: with the name and the arguments of the header, and with errors and panics
//! caught.

#![allow(unsafe_code)]

use super::errors;
use super::fault::{Failed, Served};
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Defines functions of the header. A body returns `Served<R>`; what goes wrong is handed to the program's
/// handler when nothing of the body is left on the stack, and `Failed::failed()` is returned if that returns.
#[macro_export]
macro_rules! export {
    ($( fn $name:ident($( $arg:ident: $t:ty ),* $(,)?) $(-> $r:ty)? $body:block )*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        #[allow(unsafe_code, non_snake_case)]
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name($( $arg: $t ),*) $(-> $r)? {
            $crate::ffi::export::call(stringify!($name), move || -> $crate::ffi::fault::Served<$crate::returned!($($r)?)> { $body })
        }
    )* };
}

/// What a function returns: nothing unless said otherwise.
#[macro_export]
macro_rules! returned {
    () => {
        ()
    };
    ($r:ty) => {
        $r
    };
}

/// Runs the body of an exported function. No value that has to be dropped is left on the stack when the
/// program's handler is called.
#[inline]
pub fn call<R: Failed>(name: &'static str, body: impl FnOnce() -> Served<R>) -> R {
    match attempt(name, body) {
        Ok(value) => value,
        Err(message) => {
            errors::raise(message);
            R::failed()
        }
    }
}

/// Runs a body; the message of what went wrong is one that needs not be dropped.
fn attempt<R>(name: &'static str, body: impl FnOnce() -> Served<R>) -> Result<R, *const c_char> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(fault)) => {
            // a fault that names the function it is about needs no other name
            let about = fault.0.split(':').next().unwrap_or_default();
            let known = about.starts_with(name) || about.starts_with("mj_") || about.starts_with("mju_");
            Err(errors::prepare(&if known { fault.0 } else { format!("{name}: {}", fault.0) }))
        }
        Err(panic) => {
            let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(errors::prepare(&format!("{name}: internal error: {words}")))
        }
    }
}
