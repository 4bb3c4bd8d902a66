//! Colours, sizes and spacing of the window.

use egui::{
    Color32, CornerRadius, FontDefinitions, FontFamily, FontId, Stroke, Style, TextStyle, Theme, Visuals,
    vec2,
};

/// Colour of errors.
pub(crate) fn error(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(255, 107, 107) } else { Color32::from_rgb(196, 30, 42) }
}

/// Colour of warnings.
pub(crate) fn warning(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(255, 196, 87) } else { Color32::from_rgb(166, 100, 0) }
}

/// Colour of places in texts, as terminals show them.
pub(crate) fn place(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(110, 170, 255) } else { Color32::from_rgb(26, 95, 180) }
}

/// Colour of advice.
pub(crate) fn help(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(92, 214, 200) } else { Color32::from_rgb(0, 122, 112) }
}

/// Colour of what is on or chosen.
pub(crate) fn accent(dark: bool) -> Color32 {
    if dark { Color32::from_rgb(52, 120, 214) } else { Color32::from_rgb(158, 200, 250) }
}

/// Longest time between the two clicks of a double click, as desktops have it (s).
const DOUBLE_CLICK: f64 = 0.5;

/// Sets both styles, dark and light, and the fonts.
pub(crate) fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    ctx.options_mut(|options| options.input_options.max_double_click_delay = DOUBLE_CLICK);
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| adjust(style, theme == Theme::Dark));
    }
}

/// One font for everything, on a page: each is a twentieth of what it loads.
#[cfg(target_arch = "wasm32")]
fn fonts() -> FontDefinitions {
    let name = "Ubuntu-Light".to_owned();
    let font = egui::FontData::from_static(epaint_default_fonts::UBUNTU_LIGHT);
    let mut fonts = FontDefinitions::empty();
    fonts.font_data.insert(name.clone(), font.into());
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![name.clone()]);
    }
    fonts
}

/// The fonts that come along; arrows and the like are in the one for code alone.
#[cfg(not(target_arch = "wasm32"))]
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    for family in fonts.families.values_mut() {
        if !family.iter().any(|name| name == "Hack") {
            family.push("Hack".to_owned());
        }
    }
    fonts
}

fn adjust(style: &mut Style, dark: bool) {
    let grey = Color32::from_gray;
    let sizes = [
        (TextStyle::Small, 11.0, FontFamily::Proportional),
        (TextStyle::Body, 13.0, FontFamily::Proportional),
        (TextStyle::Button, 13.0, FontFamily::Proportional),
        (TextStyle::Heading, 16.0, FontFamily::Proportional),
        (TextStyle::Monospace, 12.5, FontFamily::Monospace),
    ];
    style.text_styles =
        sizes.into_iter().map(|(name, size, family)| (name, FontId::new(size, family))).collect();
    style.spacing.item_spacing = vec2(8.0, 5.0);
    style.spacing.button_padding = vec2(8.0, 3.0);
    style.spacing.slider_width = 110.0;
    style.spacing.indent = 14.0;
    let visuals = &mut style.visuals;
    (visuals.panel_fill, visuals.window_fill, visuals.extreme_bg_color, visuals.faint_bg_color) = if dark {
        (
            Color32::from_rgb(27, 29, 34),
            Color32::from_rgb(34, 37, 43),
            Color32::from_rgb(18, 19, 23),
            grey(35),
        )
    } else {
        (Color32::from_rgb(246, 247, 249), Color32::WHITE, grey(232), grey(240))
    };
    let (text, strong) = if dark { (grey(205), grey(240)) } else { (grey(45), grey(10)) };
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, text);
    visuals.widgets.inactive.fg_stroke = Stroke::new(1.0, text);
    visuals.widgets.hovered.fg_stroke = Stroke::new(1.2, strong);
    visuals.widgets.active.fg_stroke = Stroke::new(1.5, strong);
    let line = if dark { Color32::from_rgb(48, 51, 59) } else { grey(216) };
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, line);
    visuals.window_stroke = Stroke::new(1.0, line);
    visuals.selection.bg_fill = accent(dark);
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
    }
    visuals.slider_trailing_fill = true;
}
