//! Spatial hash: which boxes overlap a box.

use kinetree_math::Vec3;

/// Boxes sorted into the buckets of a hash table over the cells of a regular grid (Teschner et al. 2003).
///
/// Buckets list boxes in the order of their numbers, so that equal input gives equal answers.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    cell: f64,
    /// Where the list of each bucket begins; one more at the end.
    first: Vec<u32>,
    boxes: Vec<u32>,
    keys: Vec<(u32, u32)>,
    /// Number of boxes.
    count: u32,
}

/// Along one side of a box whose cells are visited one by one.
const MOST_CELLS: f64 = 16.0;

/// Lower and upper corner.
pub(crate) type Bounds = [Vec3; 2];

impl Grid {
    /// Sorts boxes into cells of a size (m), which should not be much smaller than the boxes.
    pub(crate) fn fill(&mut self, cell: f64, boxes: impl Iterator<Item = Bounds>) {
        self.cell = cell;
        self.keys.clear();
        self.count = 0;
        let mut keys = std::mem::take(&mut self.keys);
        for (index, bounds) in boxes.enumerate() {
            self.for_each_cell(&bounds, |hash| keys.push((hash, index as u32)));
            self.count += 1;
        }
        let buckets = keys.len().next_power_of_two();
        self.first.clear();
        self.first.resize(buckets + 1, 0);
        // counting sort
        for (hash, _) in &keys {
            self.first[(*hash as usize & (buckets - 1)) + 1] += 1;
        }
        for bucket in 0..buckets {
            self.first[bucket + 1] += self.first[bucket];
        }
        self.boxes.clear();
        self.boxes.resize(keys.len(), 0);
        for (hash, index) in keys.iter().rev() {
            let next = &mut self.first[(*hash as usize & (buckets - 1)) + 1];
            *next -= 1;
            self.boxes[*next as usize] = *index;
        }
        // every entry has moved to the beginning of its bucket: shift them back by one
        self.first.remove(0);
        self.first.push(keys.len() as u32);
        self.keys = keys;
    }

    /// Lists the boxes whose cells a box overlaps, each once and in the order of their numbers.
    pub(crate) fn overlapping(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        found.clear();
        let (mask, size) = (self.first.len() - 2, (bounds[1] - bounds[0]).max());
        // a box over many cells is likely to overlap most boxes
        if self.boxes.is_empty() || size > MOST_CELLS * self.cell {
            found.extend(0..self.count);
            return;
        }
        self.for_each_cell(bounds, |hash| {
            let bucket = hash as usize & mask;
            let range = self.first[bucket] as usize..self.first[bucket + 1] as usize;
            found.extend_from_slice(&self.boxes[range]);
        });
        found.sort_unstable();
        found.dedup();
    }

    fn for_each_cell(&self, [low, high]: &Bounds, mut action: impl FnMut(u32)) {
        let cell = |x: f64| (x / self.cell).floor() as i64;
        let range = |axis: usize| cell(low[axis])..=cell(high[axis]);
        for x in range(0) {
            for y in range(1) {
                for z in range(2) {
                    action(hash(x, y, z));
                }
            }
        }
    }
}

fn hash(x: i64, y: i64, z: i64) -> u32 {
    let mix = x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791);
    (mix ^ (mix >> 32)) as u32
}
