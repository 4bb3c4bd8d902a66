//! Pictures in memory, to which rectangles, texts and figures are drawn as the functions `mjr_…` do.
//!
//! A [`Canvas`] has colours and depth; its rows begin at the bottom, as those of OpenGL do. What lies outside
//! is not drawn.
//!
//! ```
//! use kinetree_render::canvas::{Canvas, MjrRect};
//!
//! let mut canvas = Canvas::new(4, 2)?;
//! canvas.fill(MjrRect::new(0, 0, 1, 1), [1.0, 0.0, 0.0, 1.0]);
//! assert_eq!(canvas.read_color(MjrRect::new(0, 0, 2, 1))?, [255, 0, 0, 0, 0, 0]);
//! # Ok::<(), kinetree_render::canvas::CanvasError>(())
//! ```

mod error;
mod figure;
mod font;
mod rect;
mod text;

pub use error::CanvasError;
pub use font::CanvasFont;
pub use rect::{MAX_SIDE, MjrRect, mjr_find_rect};
pub use text::GridPos;

use std::ops::Range;

/// Colours, and depth that is 1 at the near plane and 0 at the far one; rows from the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
    depth: Vec<f32>,
}

/// A colour from 0 to 1 as bytes.
fn bytes(rgb: [f64; 3]) -> [u8; 3] {
    rgb.map(|x| (255.0 * x.clamp(0.0, 1.0)).round_ties_even() as u8)
}

/// So many zeros.
fn zeros<T: Clone + Default>(count: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).ok()?;
    list.resize(count, T::default());
    Some(list)
}

/// The part of `start..start + count` that lies in `0..limit`.
fn clip(start: i64, count: i64, limit: usize) -> Range<usize> {
    let limit = limit as i64;
    let end = start.saturating_add(count.max(0)).clamp(0, limit);
    start.clamp(0, end) as usize..end as usize
}

impl Canvas {
    /// A black canvas.
    ///
    /// # Errors
    /// [`CanvasError`] when it is too large.
    pub fn new(width: i32, height: i32) -> Result<Self, CanvasError> {
        let sides = 0..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(CanvasError::Size { width, height });
        }
        let pixels = width as usize * height as usize;
        let memory = || CanvasError::Memory { width, height };
        let rgb = zeros(3 * pixels).ok_or_else(memory)?;
        let depth = zeros(pixels).ok_or_else(memory)?;
        Ok(Self { width: width as usize, height: height as usize, rgb, depth })
    }

    /// The whole canvas.
    #[must_use]
    pub fn rect(&self) -> MjrRect {
        MjrRect::new(0, 0, self.width as i32, self.height as i32)
    }

    /// Red, green and blue of each pixel.
    #[must_use]
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// An error when a rectangle reaches beyond the canvas.
    ///
    /// # Errors
    /// [`CanvasError::Outside`].
    pub fn check(&self, rect: MjrRect) -> Result<(), CanvasError> {
        let end = |start: i32, count: i32| i64::from(start) + i64::from(count);
        let (right, top) = (end(rect.left, rect.width), end(rect.bottom, rect.height));
        let fits = rect.left >= 0
            && rect.bottom >= 0
            && rect.width >= 0
            && rect.height >= 0
            && right <= self.width as i64
            && top <= self.height as i64;
        let (width, height) = (self.width, self.height);
        if fits { Ok(()) } else { Err(CanvasError::Outside { rect, right, top, width, height }) }
    }

    /// Where the rows of a rectangle that lies inside begin.
    fn rows(&self, rect: MjrRect) -> impl Iterator<Item = usize> + use<> {
        let (width, left, bottom) = (self.width, rect.left as usize, rect.bottom as usize);
        (bottom..bottom + rect.height as usize).map(move |row| row * width + left)
    }

    /// Colours of a rectangle, rows from the bottom.
    ///
    /// # Errors
    /// [`CanvasError::Outside`] when it reaches beyond the canvas.
    pub fn read_color(&self, rect: MjrRect) -> Result<Vec<u8>, CanvasError> {
        self.check(rect)?;
        let columns = rect.width as usize;
        Ok(self.rows(rect).flat_map(|at| &self.rgb[3 * at..3 * (at + columns)]).copied().collect())
    }

    /// Depth of a rectangle, rows from the bottom: 0 at the near plane with `zero_near`, else 1.
    ///
    /// # Errors
    /// [`CanvasError::Outside`] when it reaches beyond the canvas.
    pub fn read_depth(&self, rect: MjrRect, zero_near: bool) -> Result<Vec<f32>, CanvasError> {
        self.check(rect)?;
        let columns = rect.width as usize;
        let shown = |depth: &f32| if zero_near { 1.0 - depth } else { *depth };
        Ok(self.rows(rect).flat_map(|at| &self.depth[at..at + columns]).map(shown).collect())
    }

    /// Replaces the colours of a rectangle, rows from the bottom, as many as it has pixels.
    ///
    /// # Errors
    /// [`CanvasError::Outside`] when it reaches beyond the canvas.
    pub fn draw_color(&mut self, rect: MjrRect, rgb: &[u8]) -> Result<(), CanvasError> {
        self.check(rect)?;
        let columns = rect.width as usize;
        for (at, row) in self.rows(rect).zip(rgb.chunks_exact((3 * columns).max(1))) {
            self.rgb[3 * at..3 * (at + columns)].copy_from_slice(row);
        }
        Ok(())
    }

    /// Replaces the depth of a rectangle, 0 at the near plane, rows from the bottom, one value a pixel.
    ///
    /// # Errors
    /// [`CanvasError::Outside`] when it reaches beyond the canvas.
    pub fn draw_depth(&mut self, rect: MjrRect, depth: &[f32]) -> Result<(), CanvasError> {
        self.check(rect)?;
        let columns = rect.width as usize;
        for (at, row) in self.rows(rect).zip(depth.chunks_exact(columns.max(1))) {
            self.depth[at..at + columns].iter_mut().zip(row).for_each(|(to, from)| *to = 1.0 - from);
        }
        Ok(())
    }

    /// Takes a picture whose rows begin at the top over into the part of a rectangle that is on the canvas.
    /// Pictures have as many pixels as the rectangle.
    #[cfg(feature = "wgpu")]
    pub(crate) fn take_picture(&mut self, rect: MjrRect, picture: Picture<'_>) {
        let (left, bottom) = (i64::from(rect.left), i64::from(rect.bottom));
        let columns = clip(left, i64::from(rect.width), self.width);
        let skipped = (columns.start as i64 - left) as usize;
        for row in clip(bottom, i64::from(rect.height), self.height) {
            let from_top = (i64::from(rect.height) - 1 - (row as i64 - bottom)) as usize;
            let first = from_top * rect.width as usize + skipped;
            let (here, there) = (
                row * self.width + columns.start..row * self.width + columns.end,
                first..first + columns.len(),
            );
            match picture {
                Picture::Color(rgb) => {
                    self.rgb[3 * here.start..3 * here.end]
                        .copy_from_slice(&rgb[3 * there.start..3 * there.end]);
                }
                Picture::Depth(depth) => self.depth[here].copy_from_slice(&depth[there]),
            }
        }
    }

    /// Fills a rectangle with a colour, by its opacity.
    pub fn fill(&mut self, rect: MjrRect, [r, g, b, alpha]: [f64; 4]) {
        let alpha = alpha.clamp(0.0, 1.0);
        let color = [r, g, b].map(|x| 255.0 * x.clamp(0.0, 1.0));
        let columns = clip(rect.left.into(), rect.width.into(), self.width);
        for row in clip(rect.bottom.into(), rect.height.into(), self.height) {
            let at = row * self.width;
            for pixel in self.rgb[3 * (at + columns.start)..3 * (at + columns.end)].chunks_exact_mut(3) {
                for (to, from) in pixel.iter_mut().zip(color) {
                    *to = (alpha * from + (1.0 - alpha) * f64::from(*to)).round_ties_even() as u8;
                }
            }
        }
    }

    /// Paints a rectangle in the part `within`.
    fn paint(&mut self, [x, y]: [i64; 2], [width, height]: [i64; 2], within: MjrRect, rgb: [u8; 3]) {
        let bound = |start: i32, count: i32, limit: usize| clip(start.into(), count.into(), limit);
        let meet = |a: Range<usize>, b: Range<usize>| a.start.max(b.start)..a.end.min(b.end);
        let columns = meet(clip(x, width, self.width), bound(within.left, within.width, self.width));
        for row in meet(clip(y, height, self.height), bound(within.bottom, within.height, self.height)) {
            for at in columns.clone().map(|column| 3 * (row * self.width + column)) {
                self.rgb[at..at + 3].copy_from_slice(&rgb);
            }
        }
    }

    /// Copies the colours of a part to another canvas, whose pixel at `left` and `bottom` is the first.
    pub fn copy_color(&self, src: MjrRect, to: &mut Self, left: i32, bottom: i32) {
        // by how much the pixels move
        let shift = |to: i32, from: i32| i64::from(to) - i64::from(from).max(0);
        let (right, up) = (shift(left, src.left), shift(bottom, src.bottom));
        let columns = clip(src.left.into(), src.width.into(), self.width);
        let target = clip(columns.start as i64 + right, columns.len() as i64, to.width);
        for row in clip(src.bottom.into(), src.height.into(), self.height) {
            let onto = row as i64 + up;
            if target.is_empty() || !(0..to.height as i64).contains(&onto) {
                continue;
            }
            let here = row * self.width + (target.start as i64 - right) as usize;
            let there = onto as usize * to.width + target.start;
            let pixels = &self.rgb[3 * here..3 * (here + target.len())];
            to.rgb[3 * there..3 * (there + target.len())].copy_from_slice(pixels);
        }
    }

    /// Copies colours, depth or both of a part to a part of another canvas; pixels are repeated or left out
    /// to fit. Pixels that one of both does not have are left alone.
    pub fn scale_to(&self, src: MjrRect, to: &mut Self, dst: MjrRect, color: bool, depth: bool) {
        if src.is_empty() || dst.is_empty() {
            return;
        }
        let from = |start: i32, count: i32, at: i64, of: i32, limit: usize| {
            let index = i64::from(start) + at * i64::from(count) / i64::from(of);
            usize::try_from(index).ok().filter(|&index| index < limit)
        };
        for row in clip(dst.bottom.into(), dst.height.into(), to.height) {
            let at = row as i64 - i64::from(dst.bottom);
            let Some(y) = from(src.bottom, src.height, at, dst.height, self.height) else { continue };
            for column in clip(dst.left.into(), dst.width.into(), to.width) {
                let at = column as i64 - i64::from(dst.left);
                let Some(x) = from(src.left, src.width, at, dst.width, self.width) else { continue };
                let (here, there) = (y * self.width + x, row * to.width + column);
                if color {
                    to.rgb[3 * there..][..3].copy_from_slice(&self.rgb[3 * here..][..3]);
                }
                if depth {
                    to.depth[there] = self.depth[here];
                }
            }
        }
    }
}

/// A picture whose rows begin at the top.
#[cfg(feature = "wgpu")]
#[derive(Clone, Copy)]
pub(crate) enum Picture<'a> {
    /// Three bytes a pixel.
    Color(&'a [u8]),
    /// Depth, 1 at the near plane.
    Depth(&'a [f32]),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas(width: i32, height: i32) -> Canvas {
        Canvas::new(width, height).unwrap()
    }

    #[test]
    fn rectangles_are_clipped_and_blended() {
        let mut c = canvas(4, 3);
        c.fill(MjrRect::new(-10, 1, 12, 100), [1.0, 0.0, 0.5, 0.5]);
        let red: Vec<u8> = c.rgb().iter().step_by(3).copied().collect();
        assert_eq!(red, [0, 0, 0, 0, 128, 128, 0, 0, 128, 128, 0, 0]);
        let before = c.clone();
        for wild in [
            MjrRect::new(i32::MAX, 0, i32::MAX, 2),
            MjrRect::new(0, i32::MIN, 3, i32::MAX),
            MjrRect::new(1, 1, -5, 2),
        ] {
            c.fill(wild, [1.0; 4]);
            assert_eq!(c, before, "{wild:?}");
            assert!(c.check(wild).is_err(), "{wild:?}");
        }
        assert!(Canvas::new(-1, 5).is_err() && Canvas::new(5, MAX_SIDE + 1).is_err());
        assert!(canvas(0, 0).read_color(MjrRect::default()).unwrap().is_empty());
    }

    #[test]
    fn what_is_drawn_is_read() {
        let mut c = canvas(5, 4);
        let rect = MjrRect::new(1, 2, 3, 2);
        let pixels: Vec<u8> = (0..18).collect();
        c.draw_color(rect, &pixels).unwrap();
        assert_eq!(c.read_color(rect).unwrap(), pixels);
        c.draw_depth(rect, &[0.25; 6]).unwrap();
        assert_eq!(c.read_depth(rect, true).unwrap(), [0.25; 6]);
        assert_eq!(c.read_depth(rect, false).unwrap(), [0.75; 6]);
        let mut other = canvas(5, 4);
        c.copy_color(rect, &mut other, -1, 3);
        assert_eq!(other.read_color(MjrRect::new(0, 3, 2, 1)).unwrap(), pixels[3..9]);
        assert_eq!(other.rgb().iter().filter(|&&x| x != 0).count(), 6, "and nothing else");
        let mut large = canvas(6, 4);
        c.scale_to(rect, &mut large, MjrRect::new(0, 0, 6, 4), true, true);
        assert_eq!(large.read_color(MjrRect::new(2, 1, 2, 1)).unwrap(), [3, 4, 5, 3, 4, 5]);
        assert_eq!(large.read_depth(MjrRect::new(5, 3, 1, 1), true).unwrap(), [0.25]);
    }

    #[test]
    fn the_first_rectangle_counts_last() {
        let rects = [MjrRect::new(0, 0, 10, 10), MjrRect::new(2, 2, 3, 3), MjrRect::new(i32::MAX, 0, 5, 5)];
        assert_eq!(mjr_find_rect(3, 3, &rects), Some(1));
        assert_eq!(mjr_find_rect(9, 9, &rects), Some(0));
        assert_eq!(mjr_find_rect(10, 9, &rects), None);
        assert_eq!(mjr_find_rect(i32::MAX, 4, &rects), Some(2));
        assert_eq!(mjr_find_rect(0, 0, &[]), None);
    }
}
