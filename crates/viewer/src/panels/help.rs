//! Keys and mouse.

use crate::shortcut::{MOUSE, SHORTCUTS};
use egui::{Context, Grid, Ui, Window};

pub(crate) fn show(ctx: &Context, open: &mut bool) {
    Window::new("Keys and mouse")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .default_width(640.0)
        .show(ctx, |ui| {
            ui.columns(2, |columns| {
                let row = |shortcut: &crate::shortcut::Shortcut, ui: &mut Ui| {
                    (ui.ctx().format_shortcut(&shortcut.key), shortcut.about.to_owned())
                };
                let listed = SHORTCUTS.iter().filter(|shortcut| !shortcut.about.is_empty());
                let rows: Vec<_> = listed.map(|s| row(s, &mut columns[0])).collect();
                // the mouse stands below the second half
                let half = (rows.len() + MOUSE.len() + 1).div_ceil(2);
                table(&mut columns[0], "keys", rows[..half].iter().cloned());
                table(&mut columns[1], "more keys", rows[half..].iter().cloned());
                columns[1].add_space(8.0);
                table(
                    &mut columns[1],
                    "mouse",
                    MOUSE.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())),
                );
            });
        });
}

fn table(ui: &mut Ui, name: &str, rows: impl Iterator<Item = (String, String)>) {
    Grid::new(name).num_columns(2).spacing([16.0, 3.0]).show(ui, |ui| {
        for (key, about) in rows {
            ui.label(egui::RichText::new(key).monospace().strong());
            ui.label(about);
            ui.end_row();
        }
    });
}
