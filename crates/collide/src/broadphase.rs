//! Broad phase: which axis-aligned boxes overlap.
//!
//! Sweep and prune with bins. Boxes are sorted by their lower end along the axis on which they are most spread out; the order is kept from one
//! call to the next, so that a nearly sorted list is repaired instead of sorted again. The sweep moves along that axis and keeps the boxes
//! that it currently cuts in bins along a second axis, so that a box meets only boxes near it on both axes. Boxes that cover many bins are
//! kept in a list of their own. For bodies of similar size the cost is nearly linear in their number, and memory is linear always.

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

/// Most bins that a box may cover before it is treated as large.
const MAX_COVERED: usize = 4;
/// Coordinates beyond this do not take part in choosing axes and bins (m).
const FAR: f64 = 1e9;
/// How much more the boxes must spread along another axis before the sweep changes to it.
const AXIS_ADVANTAGE: f64 = 1.5;
/// Moves per box after which repairing the order gives up and sorts.
const MAX_MOVES: usize = 8;

/// Finds overlapping boxes, remembering the order of the last call.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    axis: usize,
    order: Vec<u32>,
    swept: Vec<Swept>,
    bins: Vec<Vec<Swept>>,
    large: Vec<Swept>,
}

/// A box as the sweep sees it: ends along the sweep axis (0), the bin axis (1) and the last one (2).
#[derive(Clone, Copy, Debug)]
struct Swept {
    min: [f64; 3],
    max: [f64; 3],
    id: u32,
    first_bin: u32,
    last_bin: u32,
    fixed: bool,
}

/// Division of the second axis into bins.
struct Bins {
    start: f64,
    inverse_width: f64,
    count: usize,
}

impl Bins {
    fn index(&self, x: f64) -> usize {
        // the cast saturates, and sends what is not a number to 0
        (((x - self.start) * self.inverse_width) as usize).min(self.count - 1)
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

    /// Bins twice as wide as the mean box.
    fn bins(&self, axis: usize) -> Bins {
        let width = 2.0 * self.size[axis] / self.count.max(1.0);
        let range = self.high[axis] - self.low[axis];
        let count = ((range / width) as usize).clamp(1, 1 + self.count as usize / 4);
        let inverse_width = count as f64 / range;
        Bins {
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

    /// Appends every pair of overlapping boxes to `pairs` as indices `(i, j)` with `i < j`, each pair once. Touching counts as overlap. The
    /// order of the pairs is not specified.
    pub fn overlapping_pairs(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>) {
        let statistics = Statistics::of(boxes);
        let bin_axis = self.choose_axes(&statistics);
        self.sort(boxes);
        let bins = statistics.bins(bin_axis);
        self.arrange(boxes, [self.axis, bin_axis, 3 - self.axis - bin_axis], &bins);
        self.sweep(pairs);
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

    /// Copies the boxes in sweep order, with their bins.
    fn arrange(&mut self, boxes: &[Aabb], axes: [usize; 3], bins: &Bins) {
        self.large.clear();
        if self.bins.len() < bins.count {
            self.bins.resize_with(bins.count, Vec::new);
        }
        self.bins.iter_mut().for_each(Vec::clear);
        self.swept.clear();
        self.swept.extend(self.order.iter().map(|&id| {
            let b = &boxes[id as usize];
            Swept {
                min: axes.map(|axis| b.min[axis]),
                max: axes.map(|axis| b.max[axis]),
                id,
                first_bin: bins.index(b.min[axes[1]]) as u32,
                last_bin: bins.index(b.max[axes[1]]) as u32,
                fixed: b.fixed,
            }
        }));
    }

    /// Moves along the sorted boxes and reports overlaps with those that the sweep still cuts.
    fn sweep(&mut self, pairs: &mut Vec<(u32, u32)>) {
        for current in &self.swept {
            let (first, last) = (current.first_bin, current.last_bin);
            for bin in first..=last {
                visit(&mut self.bins[bin as usize], current, pairs, |other| {
                    // boxes that share several bins are reported in the first of them only
                    other.first_bin.max(first) == bin
                });
            }
            visit(&mut self.large, current, pairs, |_| true);
            if last.saturating_sub(first) as usize >= MAX_COVERED {
                self.large.push(*current);
            } else {
                for bin in first..=last {
                    self.bins[bin as usize].push(*current);
                }
            }
        }
    }
}

/// Tests `current` against a list of earlier boxes and drops those that the sweep has left behind.
#[inline]
fn visit(
    list: &mut Vec<Swept>,
    current: &Swept,
    pairs: &mut Vec<(u32, u32)>,
    accept: impl Fn(&Swept) -> bool,
) {
    let mut i = 0;
    while let Some(other) = list.get(i) {
        if other.max[0] < current.min[0] {
            list.swap_remove(i);
            continue;
        }
        i += 1;
        if overlap(current, other) && accept(other) {
            pairs.push((current.id.min(other.id), current.id.max(other.id)));
        }
    }
}

/// Full overlap test; false as soon as an end is not a number.
#[inline]
fn overlap(a: &Swept, b: &Swept) -> bool {
    // one combined condition: the parts are cheap and hard to predict
    (a.min[1] <= b.max[1]) & (b.min[1] <= a.max[1]) & (a.min[2] <= b.max[2]) & (b.min[2] <= a.max[2])
        && a.min[0] <= b.max[0]
        && b.min[0] <= a.max[0]
        && !(a.fixed && b.fixed)
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
