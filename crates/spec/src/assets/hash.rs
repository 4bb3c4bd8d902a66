//! A small multiplicative hash for keys made of a few integers.
//!
//! Vertex deduplication hashes every corner of every triangle, where the default keyed hash would dominate.
//! Maps with this hasher are only looked up, never iterated, so results do not depend on it.

use std::hash::{BuildHasher, Hasher};

/// Builds [`FastHasher`]s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FastHash;

impl BuildHasher for FastHash {
    type Hasher = FastHasher;

    fn build_hasher(&self) -> FastHasher {
        FastHasher(0)
    }
}

/// Rotate, xor, multiply by an odd constant; the upper bits are folded down at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastHasher(u64);

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
