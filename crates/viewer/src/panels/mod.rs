//! The panels around the picture, one file each.

pub(crate) mod controls;
pub(crate) mod errors;
pub(crate) mod help;
pub(crate) mod icon;
pub(crate) mod inspector;
pub(crate) mod joints;
pub(crate) mod open;
pub(crate) mod physics;
pub(crate) mod plots;
pub(crate) mod show;
pub(crate) mod timeline;
pub(crate) mod toolbar;
pub(crate) mod watch;

use crate::command::Command;
use crate::snapshot::Snapshot;
use crate::view::View;
use egui::{CollapsingHeader, ComboBox, Response, Role, Ui, WidgetInfo};

/// What a panel shows and changes.
pub(crate) struct PanelContext<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) view: &'a mut View,
    pub(crate) commands: &'a mut Vec<Command>,
    /// Whether the window runs the simulation.
    pub(crate) active: bool,
}

/// A part of a panel that folds.
pub(crate) fn section(ui: &mut Ui, title: &str, open: bool, content: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(egui::RichText::new(title).strong()).default_open(open).show(ui, content);
}

/// A name on the left, cut when it is long, and a widget on the right, which is returned.
pub(crate) fn row(ui: &mut Ui, name: &str, widget: impl FnOnce(&mut Ui) -> Response) -> Response {
    let add = |ui: &mut Ui| {
        let width = (ui.available_width() * 0.42).max(60.0);
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        let label = egui::Label::new(name).truncate();
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let label = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(width);
            ui.add(label).on_hover_text(name)
        });
        widget(ui).labelled_by(label.inner.id)
    };
    ui.horizontal(add).inner
}

/// A slider over a range, or a free number where there is none.
pub(crate) fn slider(ui: &mut Ui, value: &mut f64, range: Option<[f64; 2]>, step: f64) -> Response {
    let Some([low, high]) = range.filter(|[low, high]| low < high) else {
        return ui.add(egui::DragValue::new(value).speed(step).max_decimals(3));
    };
    let number = 54.0;
    ui.spacing_mut().slider_width = (ui.available_width() - number - 12.0).max(40.0);
    let bar = ui.add(egui::Slider::new(value, low..=high).show_value(false));
    let drag = egui::DragValue::new(value).speed(step).range(low..=high).max_decimals(3);
    let typed = ui.add_sized([number, 18.0], drag).labelled_by(bar.id);
    bar | typed
}

/// Tells screen readers what a list is a choice of.
pub(crate) fn named(response: &Response, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
}

/// A list of the members of an enumeration, which is stored as a number.
pub(crate) fn choice<E: Copy + std::fmt::Debug + Into<i32>>(
    ui: &mut Ui,
    name: &str,
    value: &mut i32,
    all: &[E],
) {
    let text = |member: &E| format!("{member:?}").to_lowercase();
    row(ui, name, |ui| {
        let present = all.iter().find(|&&member| member.into() == *value).map(text).unwrap_or_default();
        let list = ComboBox::from_id_salt(name).selected_text(present).width(ui.available_width().min(120.0));
        let list = list.show_ui(ui, |ui| {
            for member in all {
                ui.selectable_value(value, (*member).into(), text(member));
            }
        });
        list.response
    });
}
