//! Keys: one table for what they do and for the help that lists them.

use egui::{Key, KeyboardShortcut, Modifiers};
use kinetree_render::scene::{RndFlag, VisFlag};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    PlayPause,
    StepForward,
    StepBack,
    Reset,
    Slower,
    Faster,
    NextCamera,
    PreviousCamera,
    ResetCamera,
    ShowAll,
    Deselect,
    Reload,
    CopyState,
    CopyCamera,
    SaveText,
    SaveBinary,
    Screenshot,
    Record,
    ToggleLeft,
    ToggleRight,
    TogglePlots,
    Show(VisFlag),
    Effect(RndFlag),
    /// A group of geoms.
    Group(usize),
    CycleLabels,
    CycleFrames,
    Theme,
    Quit,
    Help,
}

/// One line of the table.
pub(crate) struct Shortcut {
    pub(crate) action: Action,
    pub(crate) key: KeyboardShortcut,
    /// What the help says; nothing for a key that the line of another explains.
    pub(crate) about: &'static str,
}

const fn plain(action: Action, key: Key, about: &'static str) -> Shortcut {
    Shortcut { action, key: KeyboardShortcut::new(Modifiers::NONE, key), about }
}

const fn control(action: Action, key: Key, about: &'static str) -> Shortcut {
    Shortcut { action, key: KeyboardShortcut::new(Modifiers::COMMAND, key), about }
}

/// All keys. Where the reference's viewer has a key for something, it is the same one.
pub(crate) const SHORTCUTS: &[Shortcut] = &[
    plain(Action::PlayPause, Key::Space, "play or pause"),
    plain(Action::StepForward, Key::ArrowRight, "one step"),
    plain(Action::StepBack, Key::ArrowLeft, "back to the recorded state before"),
    plain(Action::Reset, Key::Backspace, "reset"),
    plain(Action::Slower, Key::Minus, "half the speed"),
    plain(Action::Faster, Key::Equals, "double the speed"),
    plain(Action::NextCamera, Key::CloseBracket, "next camera"),
    plain(Action::PreviousCamera, Key::OpenBracket, "previous camera"),
    plain(Action::ResetCamera, Key::Home, "camera as at the beginning"),
    Shortcut {
        action: Action::ShowAll,
        key: KeyboardShortcut::new(Modifiers::SHIFT, Key::Home),
        about: "see everything",
    },
    plain(Action::Deselect, Key::Escape, "select nothing"),
    control(Action::Reload, Key::L, "read the file again"),
    plain(Action::CopyState, Key::F9, "copy the state as a keyframe"),
    plain(Action::CopyCamera, Key::F10, "copy the camera as MJCF"),
    control(Action::SaveText, Key::S, "save the model as XML"),
    control(Action::SaveBinary, Key::B, "save the model as MJB"),
    control(Action::Screenshot, Key::P, "save a picture"),
    control(Action::Record, Key::R, "begin or end a film"),
    plain(Action::ToggleLeft, Key::Tab, "left panel"),
    Shortcut {
        action: Action::ToggleRight,
        key: KeyboardShortcut::new(Modifiers::SHIFT, Key::Tab),
        about: "right panel",
    },
    plain(Action::TogglePlots, Key::F3, "plots"),
    plain(Action::Show(VisFlag::Contactpoint), Key::C, "contact points"),
    plain(Action::Show(VisFlag::Contactforce), Key::F, "contact forces"),
    plain(Action::Show(VisFlag::Contactsplit), Key::P, "normal and friction forces apart"),
    plain(Action::Show(VisFlag::Transparent), Key::T, "transparent bodies"),
    plain(Action::Show(VisFlag::Joint), Key::J, "joints"),
    plain(Action::Show(VisFlag::Actuator), Key::U, "actuators"),
    plain(Action::Show(VisFlag::Inertia), Key::I, "inertia"),
    plain(Action::Show(VisFlag::Com), Key::M, "centres of mass"),
    plain(Action::Show(VisFlag::Convexhull), Key::H, "convex hulls"),
    plain(Action::Show(VisFlag::Texture), Key::X, "textures"),
    plain(Action::Show(VisFlag::Camera), Key::Q, "cameras"),
    plain(Action::Show(VisFlag::Light), Key::Z, "lights"),
    plain(Action::Show(VisFlag::Tendon), Key::V, "tendons"),
    plain(Action::Show(VisFlag::Rangefinder), Key::Y, "range finders"),
    plain(Action::Show(VisFlag::Constraint), Key::E, "equality constraints"),
    plain(Action::Show(VisFlag::Static), Key::D, "static bodies"),
    plain(Action::Show(VisFlag::Pertforce), Key::B, "force of the mouse"),
    plain(Action::Show(VisFlag::Island), Key::N, "islands"),
    plain(Action::Show(VisFlag::Autoconnect), Key::A, "skeleton"),
    plain(Action::Effect(RndFlag::Shadow), Key::S, "shadows"),
    plain(Action::Effect(RndFlag::Wireframe), Key::W, "wireframe"),
    plain(Action::Effect(RndFlag::Reflection), Key::R, "reflections"),
    plain(Action::Effect(RndFlag::Skybox), Key::K, "sky"),
    plain(Action::Effect(RndFlag::Fog), Key::G, "fog"),
    plain(Action::Group(0), Key::Num0, "geoms of group 0; 1 to 5: of the others"),
    plain(Action::Group(1), Key::Num1, ""),
    plain(Action::Group(2), Key::Num2, ""),
    plain(Action::Group(3), Key::Num3, ""),
    plain(Action::Group(4), Key::Num4, ""),
    plain(Action::Group(5), Key::Num5, ""),
    plain(Action::CycleFrames, Key::F6, "next kind of frames"),
    plain(Action::CycleLabels, Key::F7, "next kind of labels"),
    plain(Action::Theme, Key::F8, "light or dark"),
    control(Action::Quit, Key::Q, "close the window"),
    plain(Action::Help, Key::F1, "this help"),
];

/// What the mouse does, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("left drag", "rotate the camera"),
    ("right drag", "move the camera (Shift: along the ground)"),
    ("wheel, middle drag", "zoom"),
    ("double click", "select a body"),
    ("Ctrl + right drag", "pull at the selected body"),
    ("Ctrl + left drag", "rotate the selected body"),
    ("one finger, two fingers", "rotate the camera, move it and zoom"),
    ("double tap, then drag", "select a body and pull at it"),
    ("right double click", "look at a point (Ctrl: follow the body)"),
];

/// What was asked for with keys since the last frame.
pub(crate) fn pressed(ctx: &egui::Context) -> Vec<Action> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    // those with modifiers first: a plain key would match as well
    let ordered = || {
        let plain = |s: &&Shortcut| s.key.modifiers == Modifiers::NONE;
        SHORTCUTS.iter().filter(move |s| !plain(s)).chain(SHORTCUTS.iter().filter(plain))
    };
    ctx.input_mut(|input| ordered().filter(|s| input.consume_shortcut(&s.key)).map(|s| s.action).collect())
}
