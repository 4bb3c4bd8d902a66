//! What a canvas refuses.

use super::rect::{MAX_SIDE, MjrRect};

/// Why a canvas was not made, or a part of it not copied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CanvasError {
    /// A side is negative or too long.
    #[error("a buffer of {width} x {height} pixels is not possible: it has at most {MAX_SIDE} along a side")]
    Size {
        /// Columns that were asked for.
        width: i32,
        /// Rows that were asked for.
        height: i32,
    },
    /// There is no memory for it.
    #[error("there is no memory for a buffer of {width} x {height} pixels")]
    Memory {
        /// Columns that were asked for.
        width: i32,
        /// Rows that were asked for.
        height: i32,
    },
    /// A part that is not on it.
    #[error(
        "the viewport begins at {} x {} and reaches to {right} x {top}, beyond the buffer of {width} x {height}",
        rect.left, rect.bottom
    )]
    Outside {
        /// The part.
        rect: MjrRect,
        /// Behind its last column.
        right: i64,
        /// Behind its last row.
        top: i64,
        /// Columns of the canvas.
        width: usize,
        /// Rows of the canvas.
        height: usize,
    },
}
