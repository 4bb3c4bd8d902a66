//! Pictures and texts that a program lays over the picture of the world.

use egui::{Align2, Color32, ColorImage, FontId, Pos2, Rect, TextureHandle, TextureOptions, Ui, vec2};

/// What is laid over the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlays {
    /// Pictures, later ones over earlier ones.
    pub pictures: Vec<PictureOverlay>,
    /// Texts.
    pub texts: Vec<TextOverlay>,
}

/// A picture at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureOverlay {
    /// Distance from the left and the lower edge (pixels).
    pub corner: [i32; 2],
    /// Columns and rows.
    pub size: [usize; 2],
    /// Red, green and blue of each pixel, rows from the top.
    pub rgb: Vec<u8>,
}

/// Two columns of text at an edge or a corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextOverlay {
    /// Left, middle or right: 0, 1, 2.
    pub column: u8,
    /// Top, middle or bottom: 0, 1, 2.
    pub row: u8,
    /// Lines of the left column.
    pub left: String,
    /// Lines of the right column.
    pub right: String,
}

/// Paints overlays and keeps their textures.
#[derive(Default)]
pub(crate) struct OverlayPainter {
    textures: Option<Vec<TextureHandle>>,
}

impl OverlayPainter {
    /// The overlays are others than before.
    pub(crate) fn changed(&mut self) {
        self.textures = None;
    }

    pub(crate) fn paint(&mut self, ui: &Ui, rect: Rect, overlays: &Overlays) {
        let textures = self
            .textures
            .get_or_insert_with(|| overlays.pictures.iter().map(|picture| load(ui, picture)).collect());
        let points = ui.ctx().pixels_per_point();
        for (picture, texture) in overlays.pictures.iter().zip(textures) {
            let size = vec2(picture.size[0] as f32, picture.size[1] as f32) / points;
            let corner = vec2(picture.corner[0] as f32, picture.corner[1] as f32) / points;
            let place = Rect::from_min_size(
                Pos2::new(rect.left() + corner.x, rect.bottom() - corner.y - size.y),
                size,
            );
            let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            ui.painter().with_clip_rect(rect).image(texture.id(), place, whole, Color32::WHITE);
        }
        for text in &overlays.texts {
            paint_text(ui, rect, text);
        }
    }
}

fn load(ui: &Ui, picture: &PictureOverlay) -> TextureHandle {
    let [width, height] = picture.size;
    let enough = picture.rgb.len() == 3 * width * height;
    let image = if enough { ColorImage::from_rgb(picture.size, &picture.rgb) } else { ColorImage::example() };
    ui.ctx().load_texture("overlay", image, TextureOptions::NEAREST)
}

/// Two columns on a shade, at an edge or in a corner.
fn paint_text(ui: &Ui, rect: Rect, text: &TextOverlay) {
    let font = FontId::monospace(13.0);
    let layout = |words: &str| ui.painter().layout_no_wrap(words.to_owned(), font.clone(), Color32::WHITE);
    let (left, right) = (layout(&text.left), layout(&text.right));
    let gap = if text.right.is_empty() { 0.0 } else { 16.0 };
    let size =
        vec2(left.size().x + gap + right.size().x, left.size().y.max(right.size().y)) + vec2(16.0, 12.0);
    let align = |place: u8| match place {
        0 => egui::Align::Min,
        1 => egui::Align::Center,
        _ => egui::Align::Max,
    };
    let shade = Align2([align(text.column), align(text.row)]).align_size_within_rect(size, rect.shrink(8.0));
    ui.painter().rect_filled(shade, 4.0, Color32::from_black_alpha(150));
    let at = shade.min + vec2(8.0, 6.0);
    let second = at + vec2(left.size().x + gap, 0.0);
    ui.painter().galley(at, left, Color32::WHITE);
    ui.painter().galley(second, right, Color32::WHITE);
}
