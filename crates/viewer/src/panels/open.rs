//! What to open: shown while there is no model, and when a folder with several was dropped.

use egui::{Context, RichText, Ui, Window};
use std::path::PathBuf;

/// The page without a model. Returns what was chosen.
pub(crate) fn welcome(ui: &mut Ui, examples: &[(String, String)], loading: Option<&str>) -> Option<String> {
    let mut chosen = None;
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.22);
        ui.label(RichText::new("Kinetree").size(34.0).strong());
        if let Some(source) = loading {
            ui.add_space(12.0);
            ui.spinner();
            ui.label(format!("reading {source}"));
            return;
        }
        ui.add_space(6.0);
        ui.label(RichText::new("Drop a model or a folder here: MJCF, URDF or a binary model.").size(15.0));
        if examples.is_empty() {
            return;
        }
        ui.add_space(18.0);
        ui.weak("or begin with one of these");
        ui.add_space(6.0);
        for (name, about) in examples {
            if ui.add_sized([280.0, 28.0], egui::Button::new(name)).on_hover_text(about).clicked() {
                chosen = Some(name.clone());
            }
        }
    });
    chosen
}

/// The models of a folder. Returns the one that was chosen; an empty list when the window was closed.
pub(crate) fn choose(ctx: &Context, files: &mut Vec<PathBuf>) -> Option<PathBuf> {
    let (mut chosen, mut open) = (None, !files.is_empty());
    if !open {
        return None;
    }
    Window::new("Which model?").open(&mut open).collapsible(false).show(ctx, |ui| {
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for file in files.iter() {
                if ui.selectable_label(false, file.display().to_string()).clicked() {
                    chosen = Some(file.clone());
                }
            }
        });
    });
    if chosen.is_some() || !open {
        files.clear();
    }
    chosen
}
