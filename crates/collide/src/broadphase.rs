//! Broad phase: which axis-aligned boxes overlap.
//!
//! Sweep and prune in strips. Boxes are sorted by their lower end along the axis on which they are most
//! spread out; the order is kept from one call to the next, so that a nearly sorted list is repaired instead
//! of sorted again. Many boxes are dealt into strips along a second axis, so that a box meets only boxes near
//! it on both axes; a box is listed in every strip that it covers. Within a strip the ends lie in arrays of
//! their own, in single precision rounded outwards, and a box is tested against eight of its successors at
//! once; the few that remain are tested again in double precision. Memory is linear in the number of boxes.
//!
//! ```
//! use kinetree_collide::broadphase::{Aabb, SweepAndPrune};
//!
//! let at = |x: f64| Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0], fixed: false };
//! let mut pairs = Vec::new();
//! SweepAndPrune::new().overlapping_pairs(&[at(0.0), at(0.5), at(3.0)], &mut pairs);
//! assert_eq!(pairs, [(0, 1)]);
//! ```

/// A box to be tested, with infinite ends allowed. A box with an end that is not a number overlaps nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower ends (m).
    pub min: [f64; 3],
    /// Upper ends (m).
    pub max: [f64; 3],
    /// Two fixed boxes are never reported as a pair.
    pub fixed: bool,
}

impl Aabb {
    /// Whether the boxes do not overlap.
    #[inline]
    #[must_use]
    pub fn is_separated(&self, other: &Self) -> bool {
        // one combined condition: its parts are cheap and hard to predict
        (0..3).fold(false, |separated, k| {
            separated | (self.min[k] > other.max[k]) | (other.min[k] > self.max[k])
        })
    }
}

/// Boxes per strip that are worth a strip of its own.
const STRIP_BOXES: usize = 256;
/// Width of a strip in mean boxes: wider strips list fewer boxes twice.
const STRIP_WIDTH: f64 = 4.0;
/// Entries per box after which fewer strips are made.
const MAX_ENTRIES: usize = 3;
/// Coordinates beyond this do not take part in choosing axes and strips (m).
const FAR: f64 = 1e9;
/// How much more the boxes must spread along another axis before the sweep changes to it.
const AXIS_ADVANTAGE: f64 = 1.5;
/// Moves per box after which repairing the order gives up and sorts.
const MAX_MOVES: usize = 8;
/// Boxes that are tested at once.
const LANES: usize = 8;

/// Finds overlapping boxes, remembering the order of the last call.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    axis: usize,
    order: Vec<u32>,
    /// First and last strip of each box.
    covered: Vec<(u32, u32)>,
    /// First entry of each strip, with one more at the end.
    starts: Vec<u32>,
    ends: Ends,
    /// Box of each entry.
    ids: Vec<u32>,
}

/// Ends of the entries of all strips: the sweep axis and the two others. Each strip is followed by entries
/// that overlap nothing.
#[derive(Clone, Debug, Default)]
struct Ends {
    min0: Vec<f32>,
    max0: Vec<f32>,
    min1: Vec<f32>,
    max1: Vec<f32>,
    min2: Vec<f32>,
    max2: Vec<f32>,
    /// One for boxes that move, zero for fixed ones.
    moves: Vec<f32>,
}

impl Ends {
    /// Makes room for `count` entries, all of which overlap nothing.
    fn reset(&mut self, count: usize) {
        let Self { min0, max0, min1, max1, min2, max2, moves } = self;
        for list in [min0, max0, min1, max1, min2, max2, moves] {
            list.clear();
            list.resize(count, f32::NAN);
        }
    }

    fn set(&mut self, entry: usize, b: &Aabb, axes: [usize; 3]) {
        self.min0[entry] = below(b.min[axes[0]]);
        self.max0[entry] = above(b.max[axes[0]]);
        self.min1[entry] = below(b.min[axes[1]]);
        self.max1[entry] = above(b.max[axes[1]]);
        self.min2[entry] = below(b.min[axes[2]]);
        self.max2[entry] = above(b.max[axes[2]]);
        self.moves[entry] = f32::from(u8::from(!b.fixed));
    }

    /// Which of the eight entries from `first` may overlap `entry`, and whether the sweep goes on after them.
    #[inline(always)]
    fn test(&self, entry: usize, first: usize) -> ([bool; LANES], bool) {
        let part =
            |list: &[f32]| -> [f32; LANES] { list[first..first + LANES].try_into().unwrap_or_default() };
        let (min0, moves) = (part(&self.min0), part(&self.moves));
        let (min1, max1, min2, max2) =
            (part(&self.min1), part(&self.max1), part(&self.min2), part(&self.max2));
        let high0 = self.max0[entry];
        let (low1, high1) = (self.min1[entry], self.max1[entry]);
        let (low2, high2) = (self.min2[entry], self.max2[entry]);
        let other_moves = 1.0 - self.moves[entry];
        let mut hits = [false; LANES];
        for i in 0..LANES {
            hits[i] = (min0[i] <= high0)
                & (min1[i] <= high1)
                & (max1[i] >= low1)
                & (min2[i] <= high2)
                & (max2[i] >= low2)
                & (moves[i] >= other_moves);
        }
        (hits, min0[LANES - 1] <= high0)
    }
}

/// The largest single-precision number that is not above `x`.
#[inline]
fn below(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) > x { y.next_down() } else { y }
}

/// The smallest single-precision number that is not below `x`.
#[inline]
fn above(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

/// Division of the second axis into strips.
struct Strips {
    start: f64,
    inverse_width: f64,
    count: usize,
}

impl Strips {
    fn index(&self, x: f64) -> u32 {
        // the cast saturates, and sends what is not a number to 0
        (((x - self.start) * self.inverse_width) as u32).min(self.count as u32 - 1)
    }
}

/// Extent and spread of all boxes along the three axes.
#[derive(Default)]
struct Statistics {
    count: f64,
    sum: [f64; 3],
    sum_sqr: [f64; 3],
    size: [f64; 3],
    low: [f64; 3],
    high: [f64; 3],
}

impl Statistics {
    fn of(boxes: &[Aabb]) -> Self {
        let mut s = Self { low: [FAR; 3], high: [-FAR; 3], ..Self::default() };
        for b in boxes {
            if !(0..3).all(|i| b.min[i].abs() < FAR && b.max[i].abs() < FAR) {
                continue;
            }
            s.count += 1.0;
            for i in 0..3 {
                let centre = 0.5 * (b.min[i] + b.max[i]);
                s.sum[i] += centre;
                s.sum_sqr[i] += centre * centre;
                s.size[i] += b.max[i] - b.min[i];
                s.low[i] = s.low[i].min(b.min[i]);
                s.high[i] = s.high[i].max(b.max[i]);
            }
        }
        s
    }

    /// Variance of the centres along an axis, times a constant.
    fn spread(&self, axis: usize) -> f64 {
        self.sum_sqr[axis] - self.sum[axis] * self.sum[axis] / self.count.max(1.0)
    }

    /// Strips a few times as wide as the mean box, at most one for every `STRIP_BOXES` boxes.
    fn strips(&self, axis: usize) -> Strips {
        let width = STRIP_WIDTH * self.size[axis] / self.count.max(1.0);
        let range = self.high[axis] - self.low[axis];
        let count = ((range / width) as usize).clamp(1, 1 + self.count as usize / STRIP_BOXES);
        self.divided(axis, count)
    }

    /// A number of strips of the same width.
    fn divided(&self, axis: usize, count: usize) -> Strips {
        let inverse_width = count as f64 / (self.high[axis] - self.low[axis]);
        Strips {
            start: self.low[axis],
            inverse_width: if inverse_width.is_finite() { inverse_width } else { 0.0 },
            count,
        }
    }
}

impl SweepAndPrune {
    /// A new broad phase without memory of earlier calls.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends every pair of overlapping boxes to `pairs` as indices `(i, j)` with `i < j`, each pair once.
    /// Touching counts as overlap. The order of the pairs is not specified.
    pub fn overlapping_pairs(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>) {
        let statistics = Statistics::of(boxes);
        let strip_axis = self.choose_axes(&statistics);
        self.sort(boxes);
        let strips = self.cover(boxes, &statistics, strip_axis);
        self.deal(boxes, [self.axis, strip_axis, 3 - self.axis - strip_axis], strips);
        for strip in 0..strips {
            self.sweep(boxes, strip, pairs);
        }
    }

    /// Updates the sweep axis and returns the axis for the bins.
    fn choose_axes(&mut self, statistics: &Statistics) -> usize {
        let spread = [0, 1, 2].map(|axis| statistics.spread(axis));
        for axis in 0..3 {
            if spread[axis] > AXIS_ADVANTAGE * spread[self.axis] {
                self.axis = axis;
            }
        }
        let (a, b) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        if spread[a] >= spread[b] { a } else { b }
    }

    /// Brings `order` up to date: by insertion while boxes move little, by sorting otherwise.
    fn sort(&mut self, boxes: &[Aabb]) {
        let axis = self.axis;
        let key = |id: u32| boxes[id as usize].min[axis];
        let before = |a: u32, b: u32| key(a).total_cmp(&key(b)).then(a.cmp(&b)).is_lt();
        let mut budget = MAX_MOVES * boxes.len();
        if self.order.len() != boxes.len() {
            self.order.clear();
            self.order.extend(0..boxes.len() as u32);
            budget = 0;
        }
        for i in 1..self.order.len() {
            let id = self.order[i];
            let mut j = i;
            while j > 0 && before(id, self.order[j - 1]) {
                if budget == 0 {
                    self.order[j] = id;
                    self.order.sort_unstable_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
                    return;
                }
                budget -= 1;
                self.order[j] = self.order[j - 1];
                j -= 1;
            }
            self.order[j] = id;
        }
    }

    /// Finds the strips of all boxes; returns the number of strips.
    fn cover(&mut self, boxes: &[Aabb], statistics: &Statistics, axis: usize) -> usize {
        let mut strips = statistics.strips(axis);
        loop {
            self.covered.clear();
            self.covered.extend(boxes.iter().map(|b| (strips.index(b.min[axis]), strips.index(b.max[axis]))));
            let entries: usize =
                self.covered.iter().map(|&(first, last)| (last.max(first) - first) as usize + 1).sum();
            if strips.count == 1 || entries <= MAX_ENTRIES * boxes.len() {
                return strips.count;
            }
            strips = statistics.divided(axis, strips.count / 2);
        }
    }

    /// Deals the boxes into their strips, in sweep order.
    fn deal(&mut self, boxes: &[Aabb], axes: [usize; 3], strips: usize) {
        self.starts.clear();
        self.starts.resize(strips + 1, 0);
        for &(first, last) in &self.covered {
            for strip in first..=last {
                self.starts[strip as usize] += 1;
            }
        }
        // from counts to first entries; each strip is followed by room for whole groups
        let mut next = 0;
        for start in &mut self.starts {
            next += std::mem::replace(start, next) + LANES as u32;
        }
        self.ends.reset(next as usize + LANES);
        self.ids.clear();
        self.ids.resize(next as usize + LANES, 0);
        for &id in &self.order {
            let (first, last) = self.covered[id as usize];
            for strip in first..=last {
                let entry = self.starts[strip as usize] as usize;
                self.starts[strip as usize] += 1;
                self.ends.set(entry, &boxes[id as usize], axes);
                self.ids[entry] = id;
            }
        }
        // dealing has moved the first entry of each strip behind its last one: take the end of the strip
        // before instead
        for strip in (1..strips).rev() {
            self.starts[strip] = self.starts[strip - 1] + LANES as u32;
        }
        self.starts[0] = 0;
    }

    /// Reports the overlaps within one strip.
    fn sweep(&self, boxes: &[Aabb], strip: usize, pairs: &mut Vec<(u32, u32)>) {
        let first = self.starts[strip] as usize;
        let end = self.starts[strip + 1] as usize - LANES;
        for entry in first..end {
            let mut group = entry + 1;
            loop {
                let (hits, goes_on) = self.ends.test(entry, group);
                // one byte per box: bits are taken from the lowest up
                let mut bits = u64::from_le_bytes(hits.map(u8::from));
                while bits != 0 {
                    let (a, b) = (self.ids[entry], self.ids[group + bits.trailing_zeros() as usize / 8]);
                    bits &= bits - 1;
                    let home = self.covered[a as usize].0.max(self.covered[b as usize].0);
                    // boxes that share several strips are reported in the first of them only
                    if home as usize == strip && overlap(&boxes[a as usize], &boxes[b as usize]) {
                        pairs.push((a.min(b), a.max(b)));
                    }
                }
                if !goes_on {
                    break;
                }
                group += LANES;
            }
        }
    }
}

/// Full overlap test; false as soon as an end is not a number.
#[inline]
fn overlap(a: &Aabb, b: &Aabb) -> bool {
    // one combined condition: it nearly always holds
    (0..3).fold(true, |meet, k| meet & (a.min[k] <= b.max[k]) & (b.min[k] <= a.max[k]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn brute_force(boxes: &[Aabb]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (i, a) in boxes.iter().enumerate() {
            for (j, b) in boxes.iter().enumerate().skip(i + 1) {
                let meets = (0..3).all(|k| a.min[k] <= b.max[k] && b.min[k] <= a.max[k]);
                if meets && !(a.fixed && b.fixed) {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    fn sorted_pairs(broadphase: &mut SweepAndPrune, boxes: &[Aabb]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        broadphase.overlapping_pairs(boxes, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    fn any_box() -> impl Strategy<Value = Aabb> {
        let position = prop::array::uniform3(-20.0..20.0f64);
        let half = prop::array::uniform3(prop_oneof![
            6 => 0.0..2.0f64,
            1 => 0.0..50.0f64,
            1 => Just(f64::INFINITY),
            1 => Just(f64::NAN),
        ]);
        (position, half, any::<bool>()).prop_map(|(p, h, fixed)| Aabb {
            min: [p[0] - h[0], p[1] - h[1], p[2] - h[2]],
            max: [p[0] + h[0], p[1] + h[1], p[2] + h[2]],
            fixed,
        })
    }

    proptest! {
        #[test]
        fn agrees_with_all_pairs(
            frames in prop::collection::vec(prop::collection::vec(any_box(), 0..80), 1..4)
        ) {
            let mut broadphase = SweepAndPrune::new();
            for boxes in &frames {
                prop_assert_eq!(sorted_pairs(&mut broadphase, boxes), brute_force(boxes));
            }
        }
    }

    /// A few boxes that change their order along the axis from call to call.
    #[test]
    fn follows_boxes_that_pass_each_other() {
        for count in 2..5 {
            let mut broadphase = SweepAndPrune::new();
            for step in 0..200 {
                let boxes: Vec<Aabb> = (0..count)
                    .map(|i| {
                        let x = 8.0 * libm::sin(f64::from(step) * (0.3 + 0.11 * f64::from(i)) + f64::from(i));
                        Aabb { min: [x - 1.0, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0], fixed: false }
                    })
                    .collect();
                let expected = brute_force(&boxes);
                assert_eq!(sorted_pairs(&mut broadphase, &boxes), expected, "{count} boxes, {step}");
                let order: Vec<f64> = broadphase.order.iter().map(|&id| boxes[id as usize].min[0]).collect();
                assert!(order.is_sorted(), "{count} boxes, {step}: {order:?}");
            }
        }
    }

    #[test]
    fn follows_moving_boxes() {
        let mut broadphase = SweepAndPrune::new();
        for step in 0..50 {
            let boxes: Vec<Aabb> = (0..200)
                .map(|i| {
                    let phase = f64::from(i) * 1.7 + f64::from(step) * 0.05;
                    let p = [10.0 * libm::sin(phase), 10.0 * libm::cos(1.3 * phase), f64::from(i % 7)];
                    Aabb { min: p.map(|x| x - 0.6), max: p.map(|x| x + 0.6), fixed: i % 5 == 0 }
                })
                .collect();
            assert_eq!(sorted_pairs(&mut broadphase, &boxes), brute_force(&boxes));
        }
    }
}
