//! The 64-bit Mersenne Twister (Nishimura and Matsumoto, 2000), which places random dots reproducibly.

const N: usize = 312;
const M: usize = 156;
const MATRIX: u64 = 0xb502_6f5a_a966_19e9;
const UPPER: u64 = 0xffff_ffff_8000_0000;
const LOWER: u64 = 0x7fff_ffff;

/// A stream of uniform 64-bit numbers, made in batches.
pub(super) struct UniformBits {
    state: [u64; N],
    batch: [u64; N],
}

impl UniformBits {
    pub(super) fn seeded(seed: u64) -> Self {
        let mut state = [seed; N];
        for i in 1..N {
            let previous = state[i - 1];
            state[i] =
                6_364_136_223_846_793_005u64.wrapping_mul(previous ^ (previous >> 62)).wrapping_add(i as u64);
        }
        Self { state, batch: [0; N] }
    }

    /// The next numbers.
    pub(super) fn next_batch(&mut self) -> &[u64; N] {
        let twist = |upper: u64, lower: u64, far: u64| {
            let x = (upper & UPPER) | (lower & LOWER);
            far ^ (x >> 1) ^ (MATRIX & (x & 1).wrapping_neg())
        };
        let state = &mut self.state;
        for i in 0..N - M {
            state[i] = twist(state[i], state[i + 1], state[i + M]);
        }
        for i in N - M..N - 1 {
            state[i] = twist(state[i], state[i + 1], state[i + M - N]);
        }
        state[N - 1] = twist(state[N - 1], state[0], state[M - 1]);
        for (out, &bits) in self.batch.iter_mut().zip(&self.state) {
            let mut x = bits;
            x ^= (x >> 29) & 0x5555_5555_5555_5555;
            x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
            x ^= (x << 37) & 0xfff7_eee0_0000_0000;
            *out = x ^ (x >> 43);
        }
        &self.batch
    }
}

/// The first number that is not below `limit` when it is read as a part of one: whole numbers are faster to
/// compare.
pub(super) fn first_not_below(limit: f64) -> Option<u64> {
    let is_below = |bits: u64| bits as f64 / 18_446_744_073_709_551_616.0 < limit;
    if is_below(u64::MAX) {
        return None;
    }
    let (mut low, mut high) = (0, u64::MAX);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_below(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousandth_number_of_the_default_seed() {
        // the value that the C++ standard fixes for its 64-bit generator
        let mut numbers = UniformBits::seeded(5489);
        let mut last = [0; N];
        for _ in 0..=10_000 / N {
            last = *numbers.next_batch();
        }
        assert_eq!(last[9_999 % N], 9_981_545_732_273_789_042);
    }

    #[test]
    fn limits_are_exact() {
        assert_eq!(first_not_below(0.0), Some(0));
        assert_eq!(first_not_below(0.5), Some((1 << 63) - 512));
        assert_eq!(first_not_below(2.0), None);
    }
}
