//! Whether there is memory for what is about to be made.
//!
//! An allocation that fails ends a Rust program, and memory can be limited (`RLIMIT_AS`, a small machine
//! without overcommitment). So what is large, or made many times, asks first: [`claim`] fails while there is
//! still memory left to tell so.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is left free for all that is too small to ask, in bytes. In a browser memory that is asked for stays
/// taken.
const RESERVE: usize = if cfg!(target_arch = "wasm32") { 1 << 20 } else { 32 << 20 };

/// Bytes that may be taken before the system is asked again: asking takes as long as making a small world.
const UNASKED: usize = RESERVE / 4;

/// How many of these bytes are left.
static LEFT: AtomicUsize = AtomicUsize::new(0);

/// There is not enough memory for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory {
    what: &'static str,
    bytes: usize,
}

impl NoMemory {
    /// How the texts of these errors begin.
    pub const TEXT: &'static str = "not enough memory for";
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, which takes some {} bytes", Self::TEXT, self.what, self.bytes)
    }
}

impl std::error::Error for NoMemory {}

/// To be called before about so many bytes are taken for something.
///
/// # Errors
/// When the system has no more than that.
pub fn claim(what: &'static str, bytes: usize) -> Result<(), NoMemory> {
    let take = |left: usize| left.checked_sub(bytes);
    if LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
        return Ok(());
    }
    // a large list is mapped by itself: nothing is touched, and its pages go back at once
    let mut room = Vec::<u8>::new();
    let wanted = bytes.checked_add(RESERVE);
    if wanted.is_none_or(|wanted| room.try_reserve_exact(wanted).is_err()) {
        return Err(NoMemory { what, bytes });
    }
    LEFT.store(UNASKED, Ordering::Relaxed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        assert_eq!(claim("little", 100), Ok(()));
        for bytes in [usize::MAX, usize::MAX / 2 - RESERVE, 1 << 60] {
            let error = claim("a cloud", bytes).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("not enough memory for a cloud, which takes some {bytes} bytes")
            );
        }
        assert_eq!(claim("little", 2 * UNASKED), Ok(()));
    }
}
