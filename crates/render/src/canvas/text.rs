//! Texts on a canvas: lines, labels and overlays.

use super::{Canvas, CanvasFont, MjrRect, bytes};
use crate::font::{HEIGHT, WIDTH, glyph};

/// Columns of a letter with the gap to the next.
pub(super) const CELL: i64 = WIDTH as i64 + 1;

/// Where an overlay stands, by the numbers of `mjtGridPos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridPos(pub i32);

impl GridPos {
    const TOP_LEFT: i32 = 0;
    const TOP_RIGHT: i32 = 1;
    const BOTTOM_LEFT: i32 = 2;
    const BOTTOM_RIGHT: i32 = 3;
    const TOP: i32 = 4;
    const BOTTOM: i32 = 5;
    const RIGHT: i32 = 7;

    /// Lower left corner of a box in a viewport.
    fn corner(self, viewport: MjrRect, [width, height]: [i64; 2]) -> [i64; 2] {
        let spare = [i64::from(viewport.width) - width, i64::from(viewport.height) - height];
        let x = match self.0 {
            Self::TOP_RIGHT | Self::BOTTOM_RIGHT | Self::RIGHT => spare[0],
            Self::TOP | Self::BOTTOM => spare[0].div_euclid(2),
            _ => 0,
        };
        let y = match self.0 {
            Self::TOP_LEFT | Self::TOP_RIGHT | Self::TOP => spare[1],
            Self::BOTTOM_LEFT | Self::BOTTOM_RIGHT | Self::BOTTOM => 0,
            _ => spare[1].div_euclid(2),
        };
        [i64::from(viewport.left) + x, i64::from(viewport.bottom) + y]
    }
}

/// Number of letters.
pub(super) fn letters(text: &str) -> i64 {
    text.chars().count() as i64
}

/// A rectangle of larger numbers; what is beyond all canvases may be cut.
pub(super) fn rect([left, bottom]: [i64; 2], [width, height]: [i64; 2]) -> MjrRect {
    let cut = |x: i64| x.clamp(-(1 << 29), 1 << 29) as i32;
    MjrRect::new(cut(left), cut(bottom), cut(width), cut(height))
}

impl Canvas {
    /// Writes a line of text whose lower left corner is given, with so many pixels per pixel of a letter.
    pub(super) fn write(&mut self, text: &str, [left, bottom]: [i64; 2], scale: i64, rgb: [f64; 3]) {
        let (color, all) = (bytes(rgb), self.rect());
        for (index, character) in text.chars().enumerate() {
            let x = left.saturating_add(index as i64 * CELL * scale);
            if x >= i64::from(all.width) {
                break;
            }
            for (row, bits) in glyph(character).into_iter().enumerate() {
                let y = bottom.saturating_add((i64::from(HEIGHT) - 1 - row as i64) * scale);
                for column in (0..WIDTH).filter(|column| bits >> (WIDTH - 1 - column) & 1 != 0) {
                    let x = x.saturating_add(i64::from(column) * scale);
                    self.paint([x, y], [scale; 2], all, color);
                }
            }
        }
    }

    /// Writes text at a point relative to the canvas, 0 to 1, in a font (`mjtFont`).
    pub fn text(&mut self, font: CanvasFont, kind: i32, text: &str, [x, y]: [f64; 2], rgb: [f64; 3]) {
        let scale = i64::from(font.letter_of(kind));
        let at = [(x * self.width as f64) as i64, (y * self.height as f64) as i64];
        // the font with a shadow
        if kind == 1 {
            self.write(text, [at[0].saturating_add(1), at[1].saturating_sub(1)], scale, [0.0; 3]);
        }
        self.write(text, at, scale, rgb);
    }

    /// Writes text in the middle of a filled rectangle.
    pub fn label(
        &mut self,
        viewport: MjrRect,
        font: CanvasFont,
        kind: i32,
        text: &str,
        rgba: [f64; 4],
        rgb: [f64; 3],
    ) {
        self.fill(viewport, rgba);
        let scale = i64::from(font.letter_of(kind));
        let middle = |start: i32, count: i32, size: i64| {
            (f64::from(start) + (f64::from(count) - size as f64) / 2.0) as i64
        };
        let x = middle(viewport.left, viewport.width, CELL * scale * letters(text));
        let y = middle(viewport.bottom, viewport.height, i64::from(HEIGHT) * scale);
        self.write(text, [x, y], scale, rgb);
    }

    /// Writes one or two columns of lines on a dark rectangle; an empty column is none.
    pub fn overlay(
        &mut self,
        viewport: MjrRect,
        font: CanvasFont,
        kind: i32,
        position: GridPos,
        columns: [&str; 2],
    ) {
        let scale = i64::from(font.letter_of(kind));
        let (line, pad) = (10 * scale, 4 * scale);
        let columns: Vec<Vec<&str>> =
            columns.iter().filter(|text| !text.is_empty()).map(|text| text.split('\n').collect()).collect();
        let widest =
            |lines: &Vec<&str>| CELL * scale * lines.iter().map(|text| letters(text)).max().unwrap_or(0);
        let widths: Vec<i64> = columns.iter().map(widest).collect();
        let Some(rows) = columns.iter().map(Vec::len).max() else { return };
        let size =
            [widths.iter().sum::<i64>() + pad * (columns.len() as i64 + 1), line * rows as i64 + 2 * pad];
        let corner = position.corner(viewport, size);
        self.fill(rect(corner, size), [0.0, 0.0, 0.0, 0.5]);
        let mut x = corner[0] + pad;
        for (lines, width) in columns.iter().zip(widths) {
            for (row, text) in lines.iter().enumerate() {
                let y = corner[1] + size[1] - pad - line * (row as i64 + 1) + 2 * scale;
                self.write(text, [x, y], scale, [1.0; 3]);
            }
            x += width + pad;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows from the top, `#` where a pixel is white, `+` where it is grey.
    fn show(canvas: &Canvas) -> Vec<String> {
        let letter = |pixel: &[u8]| match pixel[0] {
            0 => '.',
            255 => '#',
            _ => '+',
        };
        let row = |row: &[u8]| row.chunks_exact(3).map(letter).collect();
        canvas.rgb().chunks_exact(3 * canvas.width).rev().map(row).collect()
    }

    #[test]
    fn letters_stand_where_they_are_written() {
        let mut canvas = Canvas::new(9, 9).unwrap();
        canvas.text(CanvasFont::new(100), 0, "T", [1.0 / 9.0, 1.0 / 9.0], [1.0; 3]);
        let shown = show(&canvas);
        assert_eq!(
            [&shown[0], &shown[1], &shown[7], &shown[8]],
            [".........", ".#####...", "...#.....", "........."]
        );
        canvas.text(CanvasFont::new(100), 1, "T", [1.0 / 9.0, 1.0 / 9.0], [1.0; 3]);
        canvas.label(canvas.rect(), CanvasFont::new(100), 0, "", [0.5, 0.5, 0.5, 1.0], [1.0; 3]);
        assert_eq!(show(&canvas), ["+++++++++"; 9]);
    }

    #[test]
    fn overlays_stand_in_their_corner() {
        let font = CanvasFont::new(100);
        for (position, corner) in
            [(0, [0, 80]), (1, [80, 80]), (2, [0, 0]), (3, [80, 0]), (5, [40, 0]), (7, [80, 40])]
        {
            let mut canvas = Canvas::new(100, 98).unwrap();
            canvas.fill(canvas.rect(), [1.0; 4]);
            canvas.overlay(canvas.rect(), font, 0, GridPos(position), ["ab", ""]);
            let grey: Vec<usize> = canvas
                .rgb()
                .chunks_exact(3)
                .enumerate()
                .filter(|(_, p)| p[0] == 128)
                .map(|(i, _)| i)
                .collect();
            let left = grey.iter().map(|i| i % 100).min().unwrap();
            let bottom = grey.iter().map(|i| i / 100).min().unwrap();
            assert_eq!([left, bottom], corner, "{position}");
        }
        let mut canvas = Canvas::new(10, 10).unwrap();
        canvas.overlay(canvas.rect(), font, 0, GridPos(0), ["", ""]);
        assert!(canvas.rgb().iter().all(|&x| x == 0));
    }

    #[test]
    fn wild_positions_draw_nothing() {
        let mut canvas = Canvas::new(20, 20).unwrap();
        let font = CanvasFont::new(300);
        for at in [[f64::NAN, 5.0], [f64::INFINITY, f64::NEG_INFINITY], [1e300, -1e300]] {
            canvas.text(font, 1, "text", at, [1.0; 3]);
        }
        let wild = MjrRect::new(i32::MAX, i32::MIN, i32::MAX, i32::MIN);
        canvas.label(wild, font, 2, "text", [1.0; 4], [1.0; 3]);
        canvas.overlay(wild, font, 2, GridPos(99), ["text", "more"]);
        assert!(canvas.rgb().iter().all(|&x| x == 0));
    }
}
