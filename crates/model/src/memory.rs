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
/// None where the addresses of a process are [limited](is_limited).
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
    let lacks = |wanted| is_more_than_there_is(wanted) || room.try_reserve_exact(wanted).is_err();
    if wanted.is_none_or(lacks) {
        return Err(NoMemory { what, bytes });
    }
    LEFT.store(if is_limited() { 0 } else { UNASKED }, Ordering::Relaxed);
    Ok(())
}

/// Sizes that the memory of any machine has room for: those are left to the allocator.
#[cfg(target_os = "linux")]
const SMALL: usize = 1 << 30;

/// Whether the machine has less memory altogether than something takes. Systems that promise any amount
/// (`vm.overcommit_memory` 1, sandboxes) would find that out while it is filled, and end the process.
#[cfg(target_os = "linux")]
fn is_more_than_there_is(bytes: usize) -> bool {
    let memory = || installed(&std::fs::read_to_string("/proc/meminfo").ok()?);
    bytes > SMALL && memory().is_some_and(|there_is| bytes > there_is)
}

#[cfg(not(target_os = "linux"))]
fn is_more_than_there_is(_: usize) -> bool {
    false
}

/// Bytes of memory and swap in the system's table.
#[cfg(target_os = "linux")]
fn installed(table: &str) -> Option<usize> {
    let size = |name: &str| {
        let row = table.lines().find_map(|line| line.strip_prefix(name))?;
        row.split_whitespace().next()?.parse::<usize>().ok()
    };
    Some(size("MemTotal:")?.saturating_add(size("SwapTotal:").unwrap_or(0)).saturating_mul(1024))
}

/// Whether the system limits the addresses of this process (`ulimit -v`). Then the allocator of the C library
/// may reserve 64 MB at once for small pieces, and where it finds no room for that, it maps a page for each
/// of them: what is claimed may take many times as much, and the system is asked each time.
#[cfg(target_os = "linux")]
fn is_limited() -> bool {
    use std::sync::atomic::AtomicBool;

    static LIMITED: AtomicBool = AtomicBool::new(false);
    // a program that has set a limit may have raised it since: then it is asked too often, no more
    if !LIMITED.load(Ordering::Relaxed) {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        LIMITED.store(limits_addresses(&limits), Ordering::Relaxed);
    }
    LIMITED.load(Ordering::Relaxed)
}

/// Whether the table of a process's limits has one for its addresses.
#[cfg(target_os = "linux")]
fn limits_addresses(limits: &str) -> bool {
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    limit.is_some_and(|limit| limit.split_whitespace().next() != Some("unlimited"))
}

#[cfg(not(target_os = "linux"))]
fn is_limited() -> bool {
    false
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

    #[cfg(target_os = "linux")]
    #[test]
    fn more_than_the_machine_has_is_refused_whatever_the_system_promises() {
        let table = "MemTotal:       24000000 kB\nMemFree:        1 kB\nSwapTotal:       1000000 kB\n";
        assert_eq!(installed(table), Some(25_000_000 * 1024));
        assert_eq!(installed("MemTotal: 7 kB"), Some(7 * 1024));
        assert_eq!(installed(""), None);
        assert!(is_more_than_there_is(1 << 60) && !is_more_than_there_is(1 << 20));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_of_addresses_are_read() {
        let table = |soft: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units\nMax address space         {soft}            unlimited            bytes\nMax file locks            5 5 locks\n"
            )
        };
        assert!(limits_addresses(&table("1234567890")));
        assert!(!limits_addresses(&table("unlimited")));
        assert!(!limits_addresses(""));
    }
}
