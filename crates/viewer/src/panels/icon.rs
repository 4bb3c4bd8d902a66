//! Icons of buttons, drawn as lines and areas: fonts with such symbols would be a tenth of the page.

use egui::epaint::PathShape;
use egui::{
    Atom, Button, Color32, IdSalt, Painter, Pos2, Rect, Response, Role, Shape, Stroke, Ui, WidgetInfo,
};
use std::f32::consts::{FRAC_PI_4, TAU};

/// Side of an icon (points).
const SIDE: f32 = 14.0;
/// Width of lines (points).
const LINE: f32 = 1.6;
/// Corners of a whole circle.
const CORNERS: f32 = 32.0;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Play,
    Pause,
    StepForward,
    Reset,
    Stop,
    Record,
    Camera,
    Plot,
    Sliders,
    Eye,
    Sun,
    Moon,
    Close,
}

impl Icon {
    /// A button with this icon alone. Its `name` is shown under the mouse and read aloud.
    pub(crate) fn button(self, ui: &mut Ui, name: &str) -> Response {
        let shown = Button::new(self.atom()).min_size(egui::vec2(28.0, 24.0)).atom_ui(ui);
        self.paint_in(ui, &shown);
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
        shown.response.on_hover_text(name)
    }

    /// A button with this icon and a word.
    pub(crate) fn labeled_button(self, ui: &mut Ui, word: &str, width: f32) -> Response {
        let text = egui::RichText::new(word).strong();
        let shown = Button::new((self.atom(), text)).min_size(egui::vec2(width, 24.0)).atom_ui(ui);
        self.paint_in(ui, &shown);
        shown.response
    }

    /// Room for the icon in a button.
    fn atom(self) -> Atom<'static> {
        Atom::custom(IdSalt::new("icon"), egui::Vec2::splat(SIDE))
    }

    fn paint_in(self, ui: &Ui, button: &egui::WidgetAtomResponse) {
        if let Some(rect) = button.rect(IdSalt::new("icon")) {
            let color = ui.style().interact(&button.response).text_color();
            Pen { painter: ui.painter(), rect, color }.icon(self);
        }
    }
}

/// Draws in a square whose corners are (0, 0) at the top left and (1, 1).
struct Pen<'a> {
    painter: &'a Painter,
    rect: Rect,
    color: Color32,
}

impl Pen<'_> {
    fn icon(&self, icon: Icon) {
        match icon {
            Icon::Play => self.area(&[[0.2, 0.08], [0.92, 0.5], [0.2, 0.92]]),
            Icon::Pause => [0.16, 0.6].into_iter().for_each(|x| self.bar([x, 0.1], [x + 0.24, 0.9])),
            Icon::StepForward => {
                self.area(&[[0.1, 0.12], [0.66, 0.5], [0.1, 0.88]]);
                self.bar([0.74, 0.12], [0.9, 0.88]);
            }
            Icon::Reset => {
                self.line(&arc([0.5, 0.52], 0.38, [-0.15 * TAU, 0.6 * TAU]));
                self.area(&[[0.56, 0.02], [0.98, 0.1], [0.72, 0.44]]);
            }
            Icon::Stop => self.bar([0.14, 0.14], [0.86, 0.86]),
            Icon::Record => self.disc([0.5, 0.5], 0.4),
            Icon::Camera => {
                self.outline(&[[0.04, 0.26], [0.96, 0.26], [0.96, 0.88], [0.04, 0.88]]);
                self.bar([0.34, 0.12], [0.66, 0.26]);
                self.outline(&arc([0.5, 0.57], 0.17, [0.0, TAU]));
            }
            Icon::Plot => {
                self.line(&[[0.08, 0.04], [0.08, 0.92], [0.96, 0.92]]);
                self.line(&[[0.22, 0.7], [0.44, 0.4], [0.62, 0.56], [0.9, 0.16]]);
            }
            Icon::Sliders => {
                for (y, knob) in [(0.18, 0.66), (0.5, 0.3), (0.82, 0.56)] {
                    self.line(&[[0.02, y], [0.98, y]]);
                    self.disc([knob, y], 0.13);
                }
            }
            Icon::Eye => {
                // two arcs of the circles that meet in the corners of the eye
                let lids = [[0.5, 0.94], [0.5, 0.06]].into_iter().zip([-1.0, 1.0]);
                for (centre, side) in lids {
                    let corner = side * 0.25 * TAU;
                    self.line(&arc(centre, 0.64, [corner - FRAC_PI_4 * 1.05, corner + FRAC_PI_4 * 1.05]));
                }
                self.disc([0.5, 0.5], 0.15);
            }
            Icon::Sun => {
                self.disc([0.5, 0.5], 0.22);
                for ray in 0..8 {
                    let (sin, cos) = (ray as f32 * FRAC_PI_4).sin_cos();
                    self.line(&[0.34, 0.48].map(|r| [0.5 + r * cos, 0.5 + r * sin]));
                }
            }
            Icon::Moon => {
                let mut edge = arc([0.46, 0.5], 0.42, [0.13 * TAU, 0.87 * TAU]);
                edge.extend(arc([0.72, 0.5], 0.3, [0.735 * TAU, 0.265 * TAU]));
                self.outline(&edge);
            }
            Icon::Close => {
                self.line(&[[0.18, 0.18], [0.82, 0.82]]);
                self.line(&[[0.18, 0.82], [0.82, 0.18]]);
            }
        }
    }

    fn at(&self, [x, y]: [f32; 2]) -> Pos2 {
        self.rect.lerp_inside([x, y])
    }

    fn places(&self, points: &[[f32; 2]]) -> Vec<Pos2> {
        points.iter().map(|&point| self.at(point)).collect()
    }

    fn line(&self, points: &[[f32; 2]]) {
        self.painter.add(Shape::line(self.places(points), Stroke::new(LINE, self.color)));
    }

    fn outline(&self, points: &[[f32; 2]]) {
        self.painter.add(Shape::closed_line(self.places(points), Stroke::new(LINE, self.color)));
    }

    /// A convex area.
    fn area(&self, points: &[[f32; 2]]) {
        self.painter.add(PathShape::convex_polygon(self.places(points), self.color, Stroke::NONE));
    }

    fn bar(&self, from: [f32; 2], to: [f32; 2]) {
        self.painter.rect_filled(Rect::from_min_max(self.at(from), self.at(to)), 1.0, self.color);
    }

    fn disc(&self, centre: [f32; 2], radius: f32) {
        self.painter.circle_filled(self.at(centre), radius * self.rect.width(), self.color);
    }
}

/// Points of an arc between two angles, clockwise from the right as the square's y points down.
fn arc([x, y]: [f32; 2], radius: f32, [from, to]: [f32; 2]) -> Vec<[f32; 2]> {
    let steps = ((to - from).abs() / TAU * CORNERS).ceil().max(2.0);
    let angle = |k: usize| (from + (to - from) * k as f32 / steps).sin_cos();
    (0..=steps as usize).map(angle).map(|(sin, cos)| [x + radius * cos, y + radius * sin]).collect()
}
