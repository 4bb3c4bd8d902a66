//! Letters and rectangles on the screen, from one small picture of all letters.

use super::layout::Glyph;
use super::texture::Picture;
use super::view::Eye;
use crate::font::{HEIGHT, WIDTH, glyph};
use crate::scene::MjvScene;
use nalgebra::Vector4;

const FIRST: u8 = b' ';
const LAST: u8 = b'~';
/// A cell with no letter in it is filled, for rectangles.
const FILLED: usize = (LAST - FIRST) as usize + 1;
const CELLS: usize = FILLED + 1;
const CELL_WIDTH: usize = WIDTH as usize + 1;
const CELL_HEIGHT: usize = HEIGHT as usize;

/// White pixels where letters are, one cell after the other in a row.
pub(super) fn atlas() -> Picture {
    let width = CELLS * CELL_WIDTH;
    let mut pixels = vec![0; 4 * width * CELL_HEIGHT];
    for cell in 0..CELLS {
        let rows = if cell == FILLED { [0x1F; CELL_HEIGHT] } else { glyph((FIRST + cell as u8) as char) };
        for (y, row) in rows.into_iter().enumerate() {
            for x in (0..WIDTH as usize).filter(|x| row >> (WIDTH as usize - 1 - x) & 1 != 0) {
                pixels[4 * (y * width + cell * CELL_WIDTH + x)..][..4].fill(255);
            }
        }
    }
    Picture { width, height: CELL_HEIGHT, layers: vec![pixels], srgb: false }
}

/// Part of the picture of letters that shows a cell: `columns` of its pixels.
fn cell(index: usize, columns: usize) -> [f32; 4] {
    let width = (CELLS * CELL_WIDTH) as f32;
    [(index * CELL_WIDTH) as f32 / width, 0.0, columns as f32 / width, 1.0]
}

/// A filled rectangle of left, top, width and height.
pub(super) fn rectangle(rect: [f32; 4], rgba: [f32; 4]) -> Glyph {
    Glyph { rect, cell: cell(FILLED, WIDTH as usize), rgba }
}

/// Adds a line of text whose lower left corner is given, with a shadow so that it can be read on any ground.
pub(super) fn write(out: &mut Vec<Glyph>, text: &str, left: f32, bottom: f32, scale: f32) {
    for (shift, grey) in [(1.0, 0.0), (0.0, 1.0)] {
        let mut x = left.round() + shift;
        for character in text.chars() {
            let index = if (FIRST as char..=LAST as char).contains(&character) {
                character as usize - FIRST as usize
            } else {
                usize::from(b'?' - FIRST)
            };
            let size = [CELL_WIDTH as f32 * scale, CELL_HEIGHT as f32 * scale];
            if character != ' ' {
                let rect = [x, bottom.round() - size[1] + shift, size[0], size[1]];
                out.push(Glyph { rect, cell: cell(index, CELL_WIDTH), rgba: [grey, grey, grey, 1.0] });
            }
            x += size[0];
        }
    }
}

/// The labels of a scene at the positions of their geoms, and the frame around the picture.
pub(super) fn screen(scene: &MjvScene, eye: &Eye, size: [f32; 2], scale: f32) -> Vec<Glyph> {
    let mut out = Vec::new();
    for geom in scene.geoms.iter().filter(|g| !g.label.is_empty()) {
        let [x, y, z] = geom.pos;
        let p: Vector4<f32> = eye.proj * (eye.view * Vector4::new(x, y, z, 1.0));
        // a label belongs to a point that is in the picture
        if p.w > 0.0 && p.x.abs() <= p.w && p.y.abs() <= p.w && (0.0..=p.w).contains(&p.z) {
            let at = [0.5 * (1.0 + p.x / p.w) * size[0], 0.5 * (1.0 - p.y / p.w) * size[1]];
            write(&mut out, geom.label.as_str(), at[0], at[1], scale);
        }
    }
    if scene.framewidth > 0 {
        let (w, [r, g, b]) = (scene.framewidth as f32, scene.framergb);
        let edges = [
            [0.0, 0.0, size[0], w],
            [0.0, size[1] - w, size[0], w],
            [0.0, 0.0, w, size[1]],
            [size[0] - w, 0.0, w, size[1]],
        ];
        out.extend(edges.map(|rect| rectangle(rect, [r, g, b, 1.0])));
    }
    out
}
