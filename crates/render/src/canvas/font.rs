//! Sizes of letters.

use crate::font::{HEIGHT, WIDTH};

/// Percent of the font scale per pixel of the screen and pixel of a letter.
const STEP: f64 = 75.0;

/// How large letters are, chosen by a font scale (`mjtFontScale`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanvasFont {
    scale: i32,
    letter: i32,
}

impl CanvasFont {
    /// Letters of a font scale, of which there are those from 100 to 300 in steps of 50.
    #[must_use]
    pub fn new(fontscale: i32) -> Self {
        let steps = (f64::from(fontscale) / 50.0).round_ties_even() as i32;
        let scale = steps.clamp(2, 6) * 50;
        Self { scale, letter: (f64::from(scale) / STEP).round_ties_even().max(1.0) as i32 }
    }

    /// The font scale.
    #[must_use]
    pub fn scale(self) -> i32 {
        self.scale
    }

    /// Pixels of the screen per pixel of a letter.
    #[must_use]
    pub fn letter(self) -> i32 {
        self.letter
    }

    /// The same of a font (`mjtFont`): big letters are twice as large.
    #[must_use]
    pub fn letter_of(self, font: i32) -> i32 {
        if font == 2 { 2 * self.letter } else { self.letter }
    }

    /// Width of a letter with the gap to the next, and its height (pixels).
    #[must_use]
    pub fn size(self) -> [i32; 2] {
        [(WIDTH + 1) * self.letter, HEIGHT * self.letter]
    }
}

#[cfg(test)]
mod tests {
    use super::CanvasFont;

    #[test]
    fn scales_are_those_of_the_reference() {
        let scales = [i32::MIN, 0, 50, 100, 130, 150, 299, 1000, i32::MAX];
        assert_eq!(scales.map(|s| CanvasFont::new(s).scale()), [100, 100, 100, 100, 150, 150, 300, 300, 300]);
        assert_eq!([100, 150, 200, 250, 300].map(|s| CanvasFont::new(s).letter()), [1, 2, 3, 3, 4]);
        assert_eq!(CanvasFont::new(150).size(), [12, 14]);
        assert_eq!(CanvasFont::new(150).letter_of(2), 4);
    }
}
