//! Cost of the broad phase for growing numbers of bodies that drift from call to call: `cargo bench -p
//! kinetree-collide --bench broadphase`.

use std::time::Instant;

use kinetree_collide::broadphase::{Aabb, SweepAndPrune};

/// Uniform numbers in −1..1 from a fixed sequence.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn main() {
    println!("{:>8} {:>10} {:>12} {:>14}", "bodies", "pairs", "µs per call", "ns per body");
    for count in [10usize, 100, 1_000, 10_000, 100_000] {
        let mut random = Sequence(count as u64);
        // constant density: the cloud grows with the number of bodies
        let side = libm::cbrt(count as f64);
        let mut centres: Vec<[f64; 3]> =
            (0..count).map(|_| [(); 3].map(|()| random.next() * 0.75 * side)).collect();
        let mut boxes = Vec::new();
        let mut pairs = Vec::new();
        let mut broadphase = SweepAndPrune::new();
        let calls = (2_000_000 / count).clamp(20, 20_000);
        let mut elapsed = 0.0;
        for _ in 0..calls {
            boxes.clear();
            for centre in &mut centres {
                for x in centre.iter_mut() {
                    *x += 0.01 * random.next();
                }
                boxes.push(Aabb { min: centre.map(|x| x - 0.5), max: centre.map(|x| x + 0.5), fixed: false });
            }
            pairs.clear();
            let start = Instant::now();
            broadphase.overlapping_pairs(&boxes, &mut pairs);
            elapsed += start.elapsed().as_secs_f64();
        }
        let per_call = elapsed / calls as f64;
        println!(
            "{count:>8} {:>10} {:>12.2} {:>14.1}",
            pairs.len(),
            per_call * 1e6,
            per_call * 1e9 / count as f64
        );
    }
}
