//! Rectangles of pixels.

/// Most pixels along a side.
pub const MAX_SIDE: i32 = 16_384;

/// A rectangle of pixels, counted from the lower left corner.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MjrRect {
    /// First column.
    pub left: i32,
    /// First row.
    pub bottom: i32,
    /// Number of columns.
    pub width: i32,
    /// Number of rows.
    pub height: i32,
}

impl MjrRect {
    /// A rectangle of left, bottom, width and height.
    #[must_use]
    pub fn new(left: i32, bottom: i32, width: i32, height: i32) -> Self {
        Self { left, bottom, width, height }
    }

    /// Whether no pixel is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.width <= 0 || self.height <= 0
    }

    /// Whether a pixel is in it.
    #[must_use]
    pub fn contains(&self, x: i32, y: i32) -> bool {
        let within = |at: i32, start: i32, count: i32| {
            (i64::from(start)..i64::from(start) + i64::from(count)).contains(&i64::from(at))
        };
        within(x, self.left, self.width) && within(y, self.bottom, self.height)
    }

    /// Pixels that it holds; none where a side is negative.
    #[must_use]
    pub fn pixels(&self) -> usize {
        self.width.max(0) as usize * self.height.max(0) as usize
    }
}

/// Index of the rectangle that contains a point. The first one counts only when no other does.
#[must_use]
pub fn mjr_find_rect(x: i32, y: i32, rects: &[MjrRect]) -> Option<usize> {
    let at = |index: &usize| rects[*index].contains(x, y);
    (1..rects.len()).find(at).or_else(|| (0..rects.len().min(1)).find(at))
}
