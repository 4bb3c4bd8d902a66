//! The 64-bit Mersenne Twister (Nishimura and Matsumoto, 2000), which places random dots reproducibly.

const N: usize = 312;
const M: usize = 156;
const MATRIX: u64 = 0xb502_6f5a_a966_19e9;
const UPPER: u64 = 0xffff_ffff_8000_0000;
const LOWER: u64 = 0x7fff_ffff;

/// A stream of uniform 64-bit numbers.
pub(super) struct UniformBits {
    state: [u64; N],
    at: usize,
}

impl UniformBits {
    pub(super) fn seeded(seed: u64) -> Self {
        let mut state = [seed; N];
        for i in 1..N {
            let previous = state[i - 1];
            state[i] =
                6_364_136_223_846_793_005u64.wrapping_mul(previous ^ (previous >> 62)).wrapping_add(i as u64);
        }
        Self { state, at: N }
    }

    fn refill(&mut self) {
        for i in 0..N {
            let x = (self.state[i] & UPPER) | (self.state[(i + 1) % N] & LOWER);
            let twist = if x & 1 == 1 { MATRIX } else { 0 };
            self.state[i] = self.state[(i + M) % N] ^ (x >> 1) ^ twist;
        }
        self.at = 0;
    }

    fn next_bits(&mut self) -> u64 {
        if self.at == N {
            self.refill();
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }

    /// A number in 0 … 1.
    pub(super) fn next_unit(&mut self) -> f64 {
        self.next_bits() as f64 / 18_446_744_073_709_551_616.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousandth_number_of_the_default_seed() {
        // the value that the C++ standard fixes for its 64-bit generator
        let mut numbers = UniformBits::seeded(5489);
        let mut last = 0;
        for _ in 0..10_000 {
            last = numbers.next_bits();
        }
        assert_eq!(last, 9_981_545_732_273_789_042);
    }
}
