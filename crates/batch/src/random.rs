//! Random numbers of one world: the same for the same seed, whatever the other worlds do.

/// A stream of random numbers (SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of world `world` under a seed of the whole batch.
    #[must_use]
    pub fn of_world(seed: u64, world: usize) -> Self {
        // streams of neighbouring seeds and worlds begin at unrelated states
        let mut start = Self { state: seed };
        let origin = start.bits();
        let mut stream = Self { state: origin ^ (world as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93) };
        stream.state = stream.bits();
        stream
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number between `low` and `high`, all equally likely.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_even_and_independent() {
        let mut sums = [0.0; 4];
        let mut streams: Vec<_> = (0..4).map(|world| Random::of_world(7, world)).collect();
        let mut product = 0.0;
        for _ in 0..20_000 {
            let draws: Vec<f64> = streams.iter_mut().map(|s| s.uniform(-1.0, 1.0)).collect();
            for (sum, draw) in sums.iter_mut().zip(&draws) {
                assert!((-1.0..1.0).contains(draw));
                *sum += draw;
            }
            product += draws[0] * draws[1];
        }
        // means and the correlation of two streams are zero within four standard deviations
        assert!(sums.iter().all(|sum| sum.abs() < 4.0 * (20_000.0_f64 / 3.0).sqrt()));
        assert!(product.abs() < 4.0 * (20_000.0_f64 / 9.0).sqrt());
        assert_eq!(Random::of_world(7, 2), Random::of_world(7, 2));
        assert_ne!(Random::of_world(7, 2), Random::of_world(8, 2));
    }
}
