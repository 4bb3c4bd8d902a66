//! What is shown: camera, labels, frames, flags, effects and groups.

use super::{PanelContext, choice, named, row, section};
use crate::camera::CameraChoice;
use egui::{ComboBox, DragValue, Role, Ui, WidgetInfo};
use kinetree_render::scene::{FrameMode, LabelMode, MjvOption, N_GROUP, RndFlag, VisFlag};

/// Flags of the scene, by what they are about.
const FLAGS: &[(&str, &[(VisFlag, &str)])] = &[
    (
        "Mechanics",
        &[
            (VisFlag::Joint, "joints"),
            (VisFlag::Actuator, "actuators"),
            (VisFlag::Activation, "activations"),
            (VisFlag::Tendon, "tendons"),
            (VisFlag::Constraint, "equality constraints"),
            (VisFlag::Inertia, "inertia"),
            (VisFlag::Sclinertia, "inertia scaled by mass"),
            (VisFlag::Com, "centres of mass"),
            (VisFlag::Autoconnect, "skeleton"),
            (VisFlag::Island, "islands"),
        ],
    ),
    (
        "Contacts and forces",
        &[
            (VisFlag::Contactpoint, "contact points"),
            (VisFlag::Contactforce, "contact forces"),
            (VisFlag::Contactsplit, "normal and friction apart"),
            (VisFlag::Pertforce, "force of the mouse"),
            (VisFlag::Pertobj, "dragged object"),
            (VisFlag::Select, "selected point"),
        ],
    ),
    (
        "Shapes",
        &[
            (VisFlag::Texture, "textures"),
            (VisFlag::Transparent, "transparent bodies"),
            (VisFlag::Convexhull, "convex hulls"),
            (VisFlag::Static, "static bodies"),
            (VisFlag::Skin, "skins"),
            (VisFlag::Flexvert, "flex vertices"),
            (VisFlag::Flexedge, "flex edges"),
            (VisFlag::Flexface, "flex faces"),
            (VisFlag::Flexskin, "flex skins"),
            (VisFlag::Bodybvh, "body bounding volumes"),
            (VisFlag::Meshbvh, "mesh bounding volumes"),
        ],
    ),
    (
        "Eyes",
        &[
            (VisFlag::Camera, "cameras"),
            (VisFlag::Light, "lights"),
            (VisFlag::Rangefinder, "range finders"),
            (VisFlag::Sdfiter, "signed-distance search"),
        ],
    ),
];

const EFFECTS: &[(RndFlag, &str)] = &[
    (RndFlag::Shadow, "shadows"),
    (RndFlag::Reflection, "reflections"),
    (RndFlag::Skybox, "sky"),
    (RndFlag::Haze, "haze"),
    (RndFlag::Fog, "fog"),
    (RndFlag::Wireframe, "wireframe"),
    (RndFlag::Additive, "additive transparency"),
    (RndFlag::CullFace, "front faces only"),
];

pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    section(ui, "Camera", true, |ui| camera(ui, cx));
    section(ui, "Labels and frames", true, |ui| annotations(ui, &mut cx.view.option));
    for (i, (title, flags)) in FLAGS.iter().enumerate() {
        section(ui, title, i < 2, |ui| {
            for (flag, name) in *flags {
                bit(ui, &mut cx.view.option.flags[*flag as usize], name);
            }
        });
    }
    section(ui, "Effects", false, |ui| {
        for (flag, name) in EFFECTS {
            bit(ui, &mut cx.view.effects[*flag as usize], name);
        }
    });
    section(ui, "Groups", false, |ui| groups(ui, &mut cx.view.option));
}

fn bit(ui: &mut Ui, flag: &mut u8, name: &str) {
    let mut on = *flag != 0;
    if ui.checkbox(&mut on, name).changed() {
        *flag = on.into();
    }
}

fn camera(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    choose_camera(ui, cx, "camera of the panel");
    let moves = !matches!(CameraChoice::of(cx.view), CameraChoice::Fixed(_));
    ui.add_enabled_ui(moves, |ui| {
        let camera = &mut cx.view.camera;
        row(ui, "distance (m)", |ui| {
            ui.add(DragValue::new(&mut camera.distance).speed(0.01).range(1e-3..=1e6))
        });
        row(ui, "azimuth (°)", |ui| {
            ui.add(DragValue::new(&mut camera.azimuth).speed(0.5).max_decimals(1))
        });
        row(ui, "elevation (°)", |ui| {
            ui.add(DragValue::new(&mut camera.elevation).speed(0.5).range(-89.0..=89.0).max_decimals(1))
        });
        let mut orthographic = camera.orthographic != 0;
        if ui.checkbox(&mut orthographic, "orthographic").changed() {
            camera.orthographic = orthographic.into();
        }
    });
    if ui.button("As at the beginning").clicked() {
        cx.view.reset_camera(&cx.snapshot.model);
    }
}

/// A list of all cameras.
pub(crate) fn choose_camera(ui: &mut Ui, cx: &mut PanelContext<'_>, salt: &str) {
    let model = &cx.snapshot.model;
    let mut choice = CameraChoice::of(cx.view);
    let list = ComboBox::from_id_salt(salt).selected_text(choice.name(model)).width(130.0);
    let list = list.show_ui(ui, |ui| {
        for option in CameraChoice::all(model, cx.view) {
            if ui.selectable_value(&mut choice, option, option.name(model)).clicked() {
                option.apply(cx.view);
            }
        }
    });
    named(&list.response, "camera");
}

fn annotations(ui: &mut Ui, option: &mut MjvOption) {
    choice(ui, "labels", &mut option.label, LabelMode::ALL);
    choice(ui, "frames", &mut option.frame, FrameMode::ALL);
}

/// A table of switches: kinds of elements by group.
fn groups(ui: &mut Ui, option: &mut MjvOption) {
    egui::Grid::new("groups").spacing([4.0, 4.0]).show(ui, |ui| {
        ui.label("");
        for group in 0..N_GROUP {
            ui.weak(group.to_string());
        }
        ui.end_row();
        let kinds: [(&str, &mut [u8; N_GROUP]); 7] = [
            ("geoms", &mut option.geomgroup),
            ("sites", &mut option.sitegroup),
            ("joints", &mut option.jointgroup),
            ("tendons", &mut option.tendongroup),
            ("actuators", &mut option.actuatorgroup),
            ("flexes", &mut option.flexgroup),
            ("skins", &mut option.skingroup),
        ];
        for (name, flags) in kinds {
            ui.label(name);
            for (group, flag) in flags.iter_mut().enumerate() {
                let mut on = *flag != 0;
                let switch = ui.checkbox(&mut on, "");
                switch.widget_info(|| WidgetInfo::labeled(Role::CheckBox, true, format!("{name} {group}")));
                *flag = on.into();
            }
            ui.end_row();
        }
    });
}
