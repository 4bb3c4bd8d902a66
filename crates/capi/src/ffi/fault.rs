//! What goes wrong in a call, in words.

/// Why a call could not be served. Every error with a text becomes one.
#[derive(Debug)]
pub struct Fault(pub String);

impl<E: std::fmt::Display> From<E> for Fault {
    fn from(error: E) -> Self {
        Fault(error.to_string())
    }
}

/// The result of a call.
pub type Served<T = ()> = Result<T, Fault>;

/// A fault with a text.
pub fn fault<T>(text: impl Into<String>) -> Served<T> {
    Err(Fault(text.into()))
}

/// Says that something is not served by this library.
pub fn unsupported<T>(what: &str) -> Served<T> {
    Err(Fault(format!("unsupported: {what}")))
}

/// What a function returns when it could not be served and the program's handler has returned.
pub trait Failed {
    /// That value.
    fn failed() -> Self;
}

macro_rules! failed {
    ($( $t:ty => $value:expr; )*) => { $(
        impl Failed for $t {
            fn failed() -> Self {
                $value
            }
        }
    )* };
}

failed! {
    () => ();
    i32 => 0;
    i64 => 0;
    u8 => 0;
    usize => 0;
    f64 => 0.0;
}

impl<T> Failed for *const T {
    fn failed() -> Self {
        std::ptr::null()
    }
}

impl<T> Failed for *mut T {
    fn failed() -> Self {
        std::ptr::null_mut()
    }
}
