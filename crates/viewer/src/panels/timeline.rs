//! The line at the bottom: recorded time, and how fast it goes on.

use super::PanelContext;
use crate::command::Command;
use egui::{Role, Slider, Ui, WidgetInfo};

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let (status, data) = (&cx.snapshot.status, &cx.snapshot.data);
    ui.horizontal(|ui| {
        ui.add_sized(
            [86.0, 18.0],
            egui::Label::new(egui::RichText::new(format!("{:.3} s", data.time)).monospace()),
        );
        // a narrow bar has no room for facts
        let text = if ui.available_width() < 480.0 { String::new() } else { facts(cx) };
        let width = ui
            .painter()
            .layout_no_wrap(text.clone(), egui::FontId::proportional(11.0), egui::Color32::WHITE)
            .size()
            .x;
        let last = status.recorded.saturating_sub(1);
        let mut index = status.shown.unwrap_or(last);
        ui.spacing_mut().slider_width = (ui.available_width() - width - 20.0).max(60.0);
        let slider = Slider::new(&mut index, 0..=last.max(1)).show_value(false);
        let enabled = cx.active && last > 0;
        let response = ui.add_enabled(enabled, slider).on_hover_text("Recorded time: drag to go back");
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, enabled, "recorded time"));
        if response.changed() {
            cx.commands.push(Command::Seek(index));
        }
        ui.label(egui::RichText::new(text).small().weak());
    });
}

/// Speed and size of the world in a few words.
fn facts(cx: &PanelContext<'_>) -> String {
    let (status, data) = (&cx.snapshot.status, &cx.snapshot.data);
    let speed = match (cx.active, status.playing) {
        (false, _) => String::new(),
        (_, false) => "paused · ".into(),
        _ => format!("{:.2} × real time · {:.2} ms per step · ", status.reached, 1e3 * status.step_seconds),
    };
    let contacts = if data.ncon == 1 { "1 contact".into() } else { format!("{} contacts", data.ncon) };
    format!("{speed}{contacts}")
}
