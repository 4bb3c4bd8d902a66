//! What is wrong with the model, as `kinetree check` prints it.

use super::icon::Icon;
use crate::message::Messages;
use crate::theme;
use egui::text::LayoutJob;
use egui::{Color32, FontId, TextFormat, Ui, Visuals};
use kinetree_spec::Diagnostic;
use kinetree_spec::diagnostics::Severity;

/// Height of the panel: all lines, up to a limit beyond which they scroll (points).
pub(crate) fn height(messages: &Messages) -> f32 {
    let lines: usize = messages.findings.iter().map(|finding| finding.to_string().lines().count() + 1).sum();
    (52.0 + 16.0 * lines as f32).min(300.0)
}

pub(crate) fn show(ui: &mut Ui, messages: &mut Messages, has_model: bool) {
    let refused = messages.has_errors();
    let visuals = ui.visuals();
    let color = if refused { theme::error(visuals) } else { theme::warning(visuals) };
    let noun = if messages.findings.len() == 1 { "finding" } else { "findings" };
    let mut title = format!("{}: {} {noun}", messages.about, messages.findings.len());
    if refused && has_model {
        title += ". The last good model is kept: mend the file and save it";
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| {
        if Icon::Close.button(ui, "Hide").clicked() {
            messages.findings.clear();
        }
        let title = egui::Label::new(egui::RichText::new(title).strong().color(color)).truncate();
        ui.with_layout(egui::Layout::left_to_right(egui::Align::TOP), |ui| ui.add(title));
    });
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        for finding in &messages.findings {
            let job = colored(finding, ui.visuals());
            ui.add(egui::Label::new(job).extend().selectable(true));
            ui.add_space(4.0);
        }
    });
}

/// A finding as coloured text. The layout is that of its `Display`; only colours are added, line by line.
fn colored(finding: &Diagnostic, visuals: &Visuals) -> LayoutJob {
    let mark =
        if finding.severity == Severity::Error { theme::error(visuals) } else { theme::warning(visuals) };
    let (plain, strong, place) = (visuals.text_color(), visuals.strong_text_color(), theme::place(visuals));
    let mut job = LayoutJob::default();
    let mut add = |text: &str, color: Color32| {
        job.append(text, 0.0, TextFormat::simple(FontId::monospace(12.5), color));
    };
    for (number, line) in finding.to_string().lines().enumerate() {
        if number == 0 {
            let (label, message) = line.split_once(": ").unwrap_or((line, ""));
            add(label, mark);
            add(&format!(": {message}"), strong);
            continue;
        }
        add("\n", plain);
        if line.trim_start().starts_with("--> ") {
            add(line, place);
        } else if let Some((gutter, help)) = line.split_once("= help: ") {
            add(&format!("{gutter}= "), place);
            add("help", theme::help(visuals));
            add(&format!(": {help}"), plain);
        } else if let Some((gutter, rest)) = line.split_once('|') {
            add(&format!("{gutter}|"), place);
            add(rest, if rest.trim_start().starts_with('^') { mark } else { plain });
        } else {
            add(line, plain);
        }
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text in the window is the text of `kinetree check`.
    #[test]
    fn colours_change_no_letter() {
        let broken = "<mujoco><worldbody>\n<geom siez='1'/>\n</worldbody></mujoco>";
        let found = kinetree_spec::load_model_str(broken).map(|_| ()).unwrap_err();
        for finding in &found.list {
            assert_eq!(colored(finding, &Visuals::dark()).text, finding.to_string());
        }
        assert!(!found.list.is_empty());
    }
}
