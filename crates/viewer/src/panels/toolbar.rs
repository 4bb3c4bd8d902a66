//! The bar at the top: files, running, speed, keyframes, camera, pictures, theme, help.

use super::icon::Icon;
use super::show::choose_camera;
use super::{PanelContext, named};
use crate::command::Command;
use crate::shortcut::Action;
use crate::view::label;
use egui::{ComboBox, Ui};
use kinetree_model::enums::ObjType;

/// Speeds to choose from (simulated seconds per second).
pub(crate) const SPEEDS: [f64; 11] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0];

/// What the bar needs to know about the window.
pub(crate) struct Toolbar {
    pub(crate) recording: bool,
    /// Whether pictures can be saved.
    pub(crate) pictures: bool,
    /// Whether films can be written.
    pub(crate) films: bool,
    pub(crate) dark: bool,
    /// Whether the bar has several lines, as on the width of a phone.
    pub(crate) narrow: bool,
}

impl Toolbar {
    /// Shows the bar and adds to `actions` what was asked for.
    pub(crate) fn show(&self, ui: &mut Ui, cx: Option<&mut PanelContext<'_>>, actions: &mut Vec<Action>) {
        if let Some(cx) = cx {
            if cx.active {
                running(ui, cx, actions);
                ui.separator();
                speeds(ui, cx);
                keyframes(ui, cx);
                ui.separator();
            }
            choose_camera(ui, cx, "camera of the bar");
        }
        if self.narrow {
            return self.right(ui, actions);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| self.right(ui, actions));
    }

    /// What stands at the right end where there is room.
    fn right(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        if ui
            .add(egui::Button::new("?").min_size(egui::vec2(28.0, 24.0)))
            .on_hover_text("Keys and mouse (F1)")
            .clicked()
        {
            actions.push(Action::Help);
        }
        let (sign, text) = if self.dark { (Icon::Sun, "Light (F8)") } else { (Icon::Moon, "Dark (F8)") };
        icon(ui, sign, text, Action::Theme, actions);
        ui.separator();
        if self.films {
            let (sign, text) = if self.recording {
                (Icon::Stop, "End the film (Ctrl+R)")
            } else {
                (Icon::Record, "Record a film (Ctrl+R)")
            };
            icon(ui, sign, text, Action::Record, actions);
        }
        if self.pictures {
            icon(ui, Icon::Camera, "Save a picture (Ctrl+P)", Action::Screenshot, actions);
            ui.separator();
        }
        icon(ui, Icon::Plot, "Plots (F3)", Action::TogglePlots, actions);
        icon(ui, Icon::Sliders, "Body, controls, joints, physics (Shift+Tab)", Action::ToggleRight, actions);
        icon(ui, Icon::Eye, "What is shown (Tab)", Action::ToggleLeft, actions);
    }
}

fn icon(ui: &mut Ui, icon: Icon, text: &str, action: Action, actions: &mut Vec<Action>) {
    if icon.button(ui, text).clicked() {
        actions.push(action);
    }
}

fn running(ui: &mut Ui, cx: &PanelContext<'_>, actions: &mut Vec<Action>) {
    let (sign, word) = if cx.snapshot.status.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    if sign.labeled_button(ui, word, 76.0).on_hover_text(format!("{word} (Space)")).clicked() {
        actions.push(Action::PlayPause);
    }
    icon(ui, Icon::StepForward, "One step (right arrow)", Action::StepForward, actions);
    icon(ui, Icon::Reset, "Reset (Backspace)", Action::Reset, actions);
}

fn speeds(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let speed = cx.snapshot.status.speed;
    let list = ComboBox::from_id_salt("speed").selected_text(format!("{speed} ×")).width(64.0);
    let list = list.show_ui(ui, |ui| {
        for choice in SPEEDS {
            if ui.selectable_label(choice == speed, format!("{choice} ×")).clicked() {
                cx.commands.push(Command::Speed(choice));
            }
        }
    });
    named(&list.response, "speed");
}

fn keyframes(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let model = &cx.snapshot.model;
    if model.nkey == 0 {
        return;
    }
    let list = ComboBox::from_id_salt("keyframe").selected_text("keyframe").width(90.0);
    let list = list.show_ui(ui, |ui| {
        for key in 0..model.nkey {
            let name = label(model, ObjType::Key, "key", key);
            ui.horizontal(|ui| {
                if ui.selectable_label(false, &name).clicked() {
                    cx.commands.push(Command::Keyframe(key));
                }
                let about = "make this keyframe what the state is now";
                if ui.small_button(format!("keep as {name}")).on_hover_text(about).clicked() {
                    cx.commands.push(Command::KeepKeyframe(key));
                }
            });
        }
    });
    named(&list.response, "keyframe");
}
