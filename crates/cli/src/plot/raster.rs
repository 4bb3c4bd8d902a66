//! A picture of pixels that charts are drawn on, written as PNG.

use kinetree_render::font;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

type Error = DrawingErrorKind<Infallible>;

/// Pixels, three bytes each, row by row from the top.
pub(crate) struct Raster<'p> {
    size: (u32, u32),
    pixels: &'p mut Vec<u8>,
}

impl<'p> Raster<'p> {
    /// A white picture.
    pub(crate) fn new(size: (u32, u32), pixels: &'p mut Vec<u8>) -> Self {
        pixels.clear();
        pixels.resize(3 * size.0 as usize * size.1 as usize, 255);
        Raster { size, pixels }
    }
}

/// The bytes of a PNG file.
pub(crate) fn encode(size: (u32, u32), pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}

/// How many times a letter is enlarged to fill a font size.
fn enlargement(size: f64) -> i32 {
    ((size / f64::from(font::HEIGHT + 3)).round() as i32).max(1)
}

impl DrawingBackend for Raster<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Result<(), Error> {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return Ok(()) };
        if x >= self.size.0 || y >= self.size.1 {
            return Ok(());
        }
        let at = 3 * (y as usize * self.size.0 as usize + x as usize);
        let parts = [color.rgb.0, color.rgb.1, color.rgb.2];
        for (pixel, part) in self.pixels[at..at + 3].iter_mut().zip(parts) {
            let mixed = f64::from(*pixel) * (1.0 - color.alpha) + f64::from(part) * color.alpha;
            *pixel = mixed.round() as u8;
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Result<(), Error> {
        let scale = enlargement(style.size());
        let width = text.chars().count() as i32 * (font::WIDTH + 1) * scale;
        let height = font::HEIGHT * scale;
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Right => -width,
            HPos::Center => -width / 2,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        let transform = style.transform();
        for (i, character) in text.chars().enumerate() {
            for (row, bits) in font::glyph(character).into_iter().enumerate() {
                for column in (0..font::WIDTH).filter(|column| bits >> (font::WIDTH - 1 - column) & 1 == 1) {
                    let corner =
                        (left + (i as i32 * (font::WIDTH + 1) + column) * scale, top + row as i32 * scale);
                    for (dx, dy) in (0..scale).flat_map(|dx| (0..scale).map(move |dy| (dx, dy))) {
                        let (px, py) = transform.transform(corner.0 + dx, corner.1 + dy);
                        self.draw_pixel((x + px, y + py), style.color())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Result<(u32, u32), Error> {
        let scale = enlargement(style.size());
        let width = text.chars().count() as i32 * (font::WIDTH + 1) * scale;
        Ok((width as u32, ((font::HEIGHT + 1) * scale) as u32))
    }

    fn blit_bitmap(&mut self, _: BackendCoord, _: (u32, u32), _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Result<(), Error> {
        plotters_backend::rasterizer::draw_circle(self, center, radius, style, fill)
    }
}
