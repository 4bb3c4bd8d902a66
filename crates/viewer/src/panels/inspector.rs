//! Everything about the selected body.

use super::PanelContext;
use super::icon::Icon;
use crate::view::label;
use egui::{Grid, Ui};
use kinetree_model::enums::{GeomType, JointType, ObjType};
use kinetree_model::{Data, Model};

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let (model, data) = (&*cx.snapshot.model, &cx.snapshot.data);
    let Some(body) = cx.view.selected(model) else {
        ui.weak("Double-click a body to select it.");
        return;
    };
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(label(model, ObjType::Body, "body", body)).size(15.0).strong());
        if Icon::Close.button(ui, "Select nothing").clicked() {
            cx.view.perturb = Default::default();
        }
    });
    Grid::new("inspector").num_columns(2).striped(true).show(ui, |ui| {
        for (name, value) in rows(model, data, body) {
            ui.label(egui::RichText::new(name).weak());
            ui.label(egui::RichText::new(value).monospace().size(11.5));
            ui.end_row();
        }
    });
}

/// Names and values, in the order in which they are shown.
fn rows(model: &Model, data: &Data, body: usize) -> Vec<(&'static str, String)> {
    let parent = model.body_parentid[body] as usize;
    let mut rows = vec![
        ("id", body.to_string()),
        ("parent", label(model, ObjType::Body, "body", parent)),
        ("mass", format!("{} kg", short(model.body_mass[body]))),
        ("subtree mass", format!("{} kg", short(model.body_subtreemass[body]))),
        ("inertia", vector(&model.body_inertia[body])),
        ("position", vector(&data.xpos[body])),
        ("quaternion", vector(&data.xquat[body])),
        ("centre of mass", vector(&data.xipos[body])),
        ("angular velocity", vector(&data.cvel[body][..3])),
        ("linear velocity", vector(&data.cvel[body][3..])),
        ("applied force", vector(&data.xfrc_applied[body][..3])),
        ("contacts", contacts(model, data, body).to_string()),
    ];
    for joint in owned(model.body_jntadr[body], model.body_jntnum[body]) {
        let kind =
            JointType::try_from(model.jnt_type[joint]).map_or(String::new(), |kind| format!("{kind:?}"));
        rows.push((
            "joint",
            format!("{} ({})", label(model, ObjType::Joint, "joint", joint), kind.to_lowercase()),
        ));
    }
    for geom in owned(model.body_geomadr[body], model.body_geomnum[body]) {
        let kind =
            GeomType::try_from(model.geom_type[geom]).map_or(String::new(), |kind| format!("{kind:?}"));
        rows.push((
            "geom",
            format!("{} ({})", label(model, ObjType::Geom, "geom", geom), kind.to_lowercase()),
        ));
    }
    rows
}

/// Ids of what a body owns.
fn owned(first: i32, count: i32) -> std::ops::Range<usize> {
    let first = first.max(0) as usize;
    first..first + count.max(0) as usize
}

/// Contacts of the geoms of a body.
fn contacts(model: &Model, data: &Data, body: usize) -> usize {
    let touches = |geom: i32| usize::try_from(geom).is_ok_and(|g| model.geom_bodyid[g] as usize == body);
    data.contact.iter().filter(|contact| contact.geom.iter().any(|&geom| touches(geom))).count()
}

fn vector(values: &[f64]) -> String {
    values.iter().map(|&x| short(x)).collect::<Vec<_>>().join(" ")
}

/// Three digits behind the point, an exponent for what is larger, and no sign before zero.
fn short(x: f64) -> String {
    match x.abs() {
        size if size < 5e-4 => "0.000".into(),
        size if size < 1e4 => format!("{x:.3}"),
        _ => format!("{x:.2e}"),
    }
}
