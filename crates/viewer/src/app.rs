//! The whole window: reads input, shows the newest snapshot between its panels, and sends commands.

use crate::camera::CameraChoice;
use crate::command::Command;
use crate::driver::{Driver, Shown};
use crate::export::{Films, Recording, write_file, write_keyframes, write_picture};
use crate::library::{Library, Outcome};
use crate::message::Messages;
use crate::mouse::Pointer;
use crate::overlay::{OverlayPainter, Overlays};
use crate::panels::{
    PanelContext, controls, errors, help, inspector, joints, open, physics, plots, section, show, timeline,
    toolbar, watch,
};
use crate::picture::Picture;
use crate::shortcut::{self, Action};
use crate::signal::Signals;
use crate::snapshot::Snapshot;
use crate::theme;
use crate::view::View;
use crate::written;
use egui::{CentralPanel, Context, Frame, Margin, Panel, ScrollArea, Sense, Ui};
use egui_wgpu::RenderState;
use kinetree_model::Model;
use kinetree_render::gpu::{Gpu, RenderError};
use kinetree_render::scene::{FrameMode, LabelMode, MjvGeom};
use kinetree_spec::find_models;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often a window without news looks at the files of its model.
const IDLE: Duration = Duration::from_millis(250);
/// Width below which bars have several lines (points).
const NARROW: f32 = 640.0;

/// What an [`App`] is made of.
pub struct Setup {
    /// Who runs the simulation.
    pub driver: Box<dyn Driver>,
    /// Where models come from; without one, the model is the driver's for good.
    pub library: Option<Library>,
    /// Who writes films.
    pub films: Option<Box<dyn Films>>,
    /// Where pictures and films are saved; without a folder, as in a browser, there are no buttons for them.
    pub folder: Option<PathBuf>,
    /// Whether the panels at the left and the right are open at first.
    pub panels: [bool; 2],
}

/// The viewer, in any `egui` window whose pictures are drawn by `wgpu`.
pub struct App {
    setup: Setup,
    gpu: Option<Arc<Gpu>>,
    snapshot: Option<Box<Snapshot>>,
    picture: Option<Picture>,
    view: View,
    /// View and size of the picture that is shown, to draw only what has changed.
    drawn: Option<(View, [u32; 2])>,
    texture: Option<egui::TextureId>,
    /// Geoms that a program has added to the scene.
    added: Vec<MjvGeom>,
    overlays: Overlays,
    overlay_painter: OverlayPainter,
    signals: Signals,
    watches: watch::Watches,
    messages: Messages,
    recording: Option<Recording>,
    /// Models of a folder to choose from.
    choices: Vec<PathBuf>,
    plots_open: bool,
    help_open: bool,
    commands: Vec<Command>,
    actions: Vec<Action>,
    /// Whether the view is that of a model: the first one decides.
    keep_view: bool,
}

impl App {
    /// A viewer; what it shows comes from its driver and library.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            gpu: None,
            snapshot: None,
            picture: None,
            view: View::default(),
            drawn: None,
            texture: None,
            added: Vec::new(),
            overlays: Overlays::default(),
            overlay_painter: OverlayPainter::default(),
            signals: Signals::default(),
            watches: watch::Watches::default(),
            messages: Messages::default(),
            recording: None,
            choices: Vec::new(),
            plots_open: false,
            help_open: false,
            commands: Vec::new(),
            actions: Vec::new(),
            keep_view: false,
        }
    }

    /// The moment that is shown.
    #[must_use]
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_deref()
    }

    /// What is shown of it and from where.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Name of the graphics device, once something was drawn on it.
    #[must_use]
    pub fn adapter(&self) -> Option<&str> {
        self.gpu.as_deref().map(Gpu::adapter)
    }

    /// Opens a model by the name that the library knows it by.
    pub fn open(&mut self, source: &str) {
        if let Some(library) = &mut self.setup.library {
            library.open(source);
        }
    }

    /// One frame of the window.
    pub fn ui(&mut self, ui: &mut Ui, state: &RenderState) {
        let ctx = ui.ctx().clone();
        if self.gpu.is_none() {
            theme::install(&ctx);
            let info = state.adapter.get_info();
            self.gpu = Some(Arc::new(Gpu::from_device(&info, state.device.clone(), state.queue.clone())));
        }
        let now = ctx.input(|input| input.time);
        self.take_dropped(&ctx);
        self.take_loaded(&ctx, now);
        self.take_snapshot(&ctx, state);
        self.listen(&ctx);
        self.actions.extend(shortcut::pressed(&ctx));

        self.bars(ui, &ctx);
        self.findings(ui);
        self.side_panels(ui);
        self.plots(ui);
        let empty = Frame::new().fill(ui.visuals().panel_fill);
        CentralPanel::no_frame().frame(empty).show(ui, |ui| self.centre(ui, state, now));
        help::show(&ctx, &mut self.help_open);
        if let Some(path) = open::choose(&ctx, &mut self.choices) {
            self.open(&path.to_string_lossy());
        }
        for action in std::mem::take(&mut self.actions) {
            self.act(action, &ctx, now);
        }
        self.record(&ctx, now);
        for command in self.commands.drain(..) {
            self.setup.driver.send(command);
            // the answer may come before the next event
            ctx.request_repaint();
        }
        ctx.request_repaint_after(IDLE);
    }

    /// What a program wants, and what it wants to know.
    fn listen(&mut self, ctx: &Context) {
        let size = self.drawn.as_ref().map_or([0; 2], |(_, size)| *size);
        let Self { view, added: geoms, overlays, .. } = self;
        if self.setup.driver.exchange(Shown { view, geoms, overlays, size }) {
            self.drawn = None;
            self.overlay_painter.changed();
        }
        let pressed = |event: &egui::Event| match event {
            egui::Event::Key { key, pressed: true, .. } => Some(*key),
            _ => None,
        };
        let keys: Vec<egui::Key> = ctx.input(|input| input.events.iter().filter_map(pressed).collect());
        keys.into_iter().for_each(|key| self.setup.driver.key(key));
        if self.setup.driver.closes() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    /// Models and folders that were dropped onto the window.
    fn take_dropped(&mut self, ctx: &Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        let Some(path) = dropped.first().map(|file| file.path().to_owned()) else { return };
        if !path.is_dir() {
            return self.open(&path.to_string_lossy());
        }
        let mut models = find_models(&path);
        match models.len() {
            0 => {
                let text = format!("there is no model in {}", path.display());
                self.messages.tell(text, ctx.input(|input| input.time));
            }
            1 => self.open(&models.remove(0).to_string_lossy()),
            _ => self.choices = models,
        }
    }

    /// A model that was loaded: the simulation goes on with it, unless it has faults.
    fn take_loaded(&mut self, ctx: &Context, now: f64) {
        let Some(outcome) = self.setup.library.as_mut().and_then(|library| library.poll(now)) else { return };
        let Outcome { source, reloaded, result } = outcome;
        if !reloaded {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(format!("{source} – Kinetree")));
        }
        self.messages.about = source;
        match result {
            Ok(loaded) => {
                self.messages.findings = loaded.warnings;
                if reloaded && self.snapshot.is_some() {
                    self.messages.tell("the model was read again", now);
                }
                self.show(loaded.model, reloaded);
            }
            Err(findings) => self.messages.findings = findings,
        }
    }

    /// Goes on with a model. One that was `reloaded` is the present one after an edit: view and state stay.
    pub fn show(&mut self, model: Model, reloaded: bool) {
        self.keep_view = reloaded && self.snapshot.is_some();
        self.commands.push(Command::Replace { model: Arc::new(model), keep_state: self.keep_view });
    }

    /// The newest moment; a new model gets a new picture.
    fn take_snapshot(&mut self, ctx: &Context, state: &RenderState) {
        let now = ctx.input(|input| input.time);
        if let Some(failure) = self.setup.driver.failure() {
            self.messages.tell(failure, now);
        }
        let Some(snapshot) = self.setup.driver.poll() else { return };
        let is_new = self.snapshot.as_ref().is_none_or(|old| old.generation != snapshot.generation);
        if is_new {
            if self.keep_view {
                self.view.adapt(&snapshot.model);
            } else {
                self.view = View::of(&snapshot.model);
                self.view.find(&snapshot.model, &snapshot.data);
                self.keep_view = !self.setup.driver.is_active();
            }
            self.show_model(&snapshot, state);
        }
        self.signals.push(&snapshot, f64::from(ctx.input(|input| input.stable_dt)));
        if let Some(old) = self.snapshot.replace(snapshot) {
            self.setup.driver.recycle(old);
        }
        self.drawn = None;
    }

    fn show_model(&mut self, snapshot: &Snapshot, state: &RenderState) {
        if let Some(mut old) = self.picture.take() {
            old.release(state);
        }
        self.texture = None;
        let Some(gpu) = &self.gpu else { return };
        match Picture::new(gpu.clone(), snapshot) {
            Ok(picture) => (self.picture, self.messages.drawing) = (Some(picture), None),
            Err(error) => self.messages.drawing = Some(error.to_string()),
        }
    }

    /// The bar at the top and the timeline at the bottom.
    fn bars(&mut self, ui: &mut Ui, ctx: &Context) {
        let bar = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(8, 6));
        let active = self.setup.driver.is_active();
        let Self { snapshot, view, commands, actions, recording, setup, .. } = self;
        let toolbar = toolbar::Toolbar {
            recording: recording.is_some(),
            pictures: setup.folder.is_some(),
            films: setup.folder.is_some() && setup.films.is_some(),
            dark: ctx.theme() == egui::Theme::Dark,
            narrow: ui.available_width() < NARROW,
        };
        let mut context =
            snapshot.as_deref().map(|snapshot| PanelContext { snapshot, view, commands, active });
        Panel::top("toolbar").frame(bar).show(ui, |ui| {
            let show = |ui: &mut Ui| toolbar.show(ui, context.as_mut(), actions);
            if toolbar.narrow {
                ui.horizontal_wrapped(show)
            } else {
                ui.horizontal(show)
            };
        });
        if let Some(context) = &mut context {
            Panel::bottom("timeline").frame(bar).show(ui, |ui| timeline::show(ui, context));
        }
    }

    fn side_panels(&mut self, ui: &mut Ui) {
        let active = self.setup.driver.is_active();
        let Self { snapshot, view, commands, setup, watches, .. } = self;
        let Some(snapshot) = snapshot.as_deref() else { return };
        let [left, right] = &mut setup.panels;
        let cx = &mut PanelContext { snapshot, view, commands, active };
        Panel::left("show").default_size(250.0).size_range(180.0..=420.0).show_collapsible(ui, left, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| show::show(ui, cx));
        });
        Panel::right("world").default_size(310.0).size_range(220.0..=520.0).show_collapsible(
            ui,
            right,
            |ui| {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    section(ui, "Selected body", true, |ui| inspector::show(ui, cx));
                    section(ui, "Controls", true, |ui| controls::show(ui, cx));
                    section(ui, "Joints", true, |ui| joints::show(ui, cx));
                    if cx.snapshot.model.neq > 0 {
                        section(ui, "Equality constraints", false, |ui| controls::equalities(ui, cx));
                    }
                    section(ui, "Watch", false, |ui| watch::show(ui, cx, watches));
                    if active {
                        section(ui, "Physics", false, |ui| physics::show(ui, cx));
                    }
                });
            },
        );
    }

    /// What is wrong with the model.
    fn findings(&mut self, ui: &mut Ui) {
        if self.messages.findings.is_empty() {
            return;
        }
        let has_model = self.snapshot.is_some();
        let frame = Frame::new().fill(ui.visuals().extreme_bg_color).inner_margin(Margin::symmetric(12, 8));
        Panel::bottom("errors")
            .exact_size(errors::height(&self.messages))
            .frame(frame)
            .show(ui, |ui| errors::show(ui, &mut self.messages, has_model));
    }

    fn plots(&mut self, ui: &mut Ui) {
        let Self { signals, plots_open, .. } = self;
        if self.snapshot.is_some() {
            let panel = Panel::bottom("plots").default_size(190.0).size_range(110.0..=500.0);
            panel.show_collapsible(ui, plots_open, |ui| plots::show(ui, signals));
        }
    }

    fn centre(&mut self, ui: &mut Ui, state: &RenderState, now: f64) {
        if self.snapshot.is_none() {
            let Some(library) = &mut self.setup.library else { return };
            // a model that was read is on its way through the driver
            let coming =
                library.source().filter(|_| library.loading().is_some() || !self.messages.has_errors());
            if let Some(source) = open::welcome(ui, &library.examples(), coming) {
                library.open(&source);
            }
            return;
        }
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        match self.draw(ui, &response, state) {
            Ok(Some(texture)) => {
                let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
                ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
            }
            Ok(None) => {}
            Err(error) => self.messages.drawing = Some(error.to_string()),
        }
        self.overlay_painter.paint(ui, rect, &self.overlays);
        self.notes(ui, rect, now);
    }

    /// Follows the mouse and draws what has changed.
    fn draw(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        state: &RenderState,
    ) -> Result<Option<egui::TextureId>, RenderError> {
        let (Some(snapshot), Some(picture)) = (self.snapshot.as_deref(), &mut self.picture) else {
            return Ok(None);
        };
        let points = ui.ctx().pixels_per_point();
        let size =
            [response.rect.width(), response.rect.height()].map(|s| ((s * points).round() as u32).max(1));
        if picture.scene.camera[0].frustum_far > 0.0 {
            let mut pointer = Pointer { snapshot, scene: &picture.scene, view: &mut self.view };
            if pointer.follow(ui, response)?.pulled {
                self.commands.push(Command::Perturb(self.view.perturb));
            }
        }
        let now = (self.view.clone(), size);
        if self.drawn.as_ref() != Some(&now) {
            picture.update(snapshot, &mut self.view, &self.added)?;
            self.texture = Some(picture.draw(state, size)?);
            self.drawn = Some(now);
            self.messages.drawing = None;
        }
        Ok(self.texture)
    }

    /// Words over the picture: why nothing can be drawn or simulated, warnings, news.
    fn notes(&self, ui: &mut Ui, rect: egui::Rect, now: f64) {
        let Some(snapshot) = self.snapshot.as_deref() else { return };
        let loading = self.setup.library.as_ref().and_then(Library::loading);
        let visuals = ui.visuals();
        let (error, warning, plain) = (theme::error(visuals), theme::warning(visuals), visuals.text_color());
        let failures = [&self.messages.drawing, &snapshot.status.failure];
        let lines = failures.into_iter().flatten().map(|text| (text.clone(), error));
        let lines = lines.chain(snapshot.warnings().map(|text| (text, warning)));
        let lines = lines.chain(loading.map(|source| (format!("reading {source}"), plain)));
        let lines = lines.chain(self.recording.iter().map(|_| ("● recording".to_owned(), error)));
        let lines = lines.chain(self.messages.news(now).map(|text| (text.to_owned(), plain)));
        let mut at = rect.left_top() + egui::vec2(12.0, 12.0);
        for (text, color) in lines {
            let width = (rect.width() - 40.0).clamp(80.0, 640.0);
            let galley = ui.painter().layout(text, egui::FontId::proportional(13.0), color, width);
            let back = egui::Rect::from_min_size(at, galley.size()).expand2(egui::vec2(8.0, 5.0));
            ui.painter().rect_filled(back, 4.0, ui.visuals().panel_fill.gamma_multiply(0.88));
            let next = egui::vec2(0.0, back.height() + 6.0);
            ui.painter().galley(at, galley, color);
            at += next;
        }
    }

    /// Does what a key or a button asks for.
    fn act(&mut self, action: Action, ctx: &Context, now: f64) {
        match action {
            Action::Help => self.help_open = !self.help_open,
            Action::ToggleLeft => self.setup.panels[0] = !self.setup.panels[0],
            Action::ToggleRight => self.setup.panels[1] = !self.setup.panels[1],
            Action::TogglePlots => self.plots_open = !self.plots_open,
            Action::Theme => {
                let dark = ctx.theme() == egui::Theme::Dark;
                ctx.set_theme(if dark { egui::Theme::Light } else { egui::Theme::Dark });
            }
            Action::Reload => {
                if let Some(library) = &mut self.setup.library {
                    library.reload();
                }
            }
            Action::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Action::Screenshot => self.save_picture(now),
            Action::Record => self.toggle_recording(now),
            Action::CopyState | Action::CopyCamera => self.copy(action, ctx, now),
            Action::SaveText | Action::SaveBinary => self.save_model(action, now),
            _ => self.act_on_world(action),
        }
        // what a key changes is seen at once
        ctx.request_repaint();
    }

    /// Actions on the view and the simulation.
    fn act_on_world(&mut self, action: Action) {
        let Some(snapshot) = self.snapshot.as_deref() else { return };
        let (model, status, view) = (&snapshot.model, &snapshot.status, &mut self.view);
        let toggle = |flag: &mut u8| *flag = u8::from(*flag == 0);
        let next = |value: i32, count: usize| (value + 1).rem_euclid(count as i32);
        match action {
            Action::Show(flag) => toggle(&mut view.option.flags[flag as usize]),
            Action::Effect(flag) => toggle(&mut view.effects[flag as usize]),
            Action::CycleLabels => view.option.label = next(view.option.label, LabelMode::ALL.len()),
            Action::CycleFrames => view.option.frame = next(view.option.frame, FrameMode::ALL.len()),
            Action::NextCamera => CameraChoice::cycle(model, view, 1).apply(view),
            Action::PreviousCamera => CameraChoice::cycle(model, view, -1).apply(view),
            Action::ResetCamera => view.reset_camera(model),
            Action::ShowAll => view.show_all(model, &snapshot.data),
            Action::Group(group) => view.option.geomgroup.get_mut(group).into_iter().for_each(toggle),
            Action::Deselect => view.perturb = Default::default(),
            _ if !self.setup.driver.is_active() => {}
            Action::PlayPause => self.commands.push(Command::Play(!status.playing)),
            Action::StepForward => self.commands.push(Command::Step(1)),
            Action::StepBack => {
                let shown = status.shown.unwrap_or(status.recorded);
                self.commands.push(Command::Seek(shown.saturating_sub(1)));
            }
            Action::Reset => self.commands.push(Command::Reset),
            Action::Slower => self.commands.push(Command::Speed(0.5 * status.speed)),
            Action::Faster => self.commands.push(Command::Speed(2.0 * status.speed)),
            _ => {}
        }
    }

    /// Puts the state or the camera on the clipboard, as MJCF.
    fn copy(&mut self, action: Action, ctx: &Context, now: f64) {
        let (Some(snapshot), Some(picture)) = (self.snapshot.as_deref(), &self.picture) else { return };
        let (text, what) = match action {
            Action::CopyCamera => (written::camera(&picture.scene.camera), "the camera"),
            _ => (written::keyframe(&snapshot.data), "the state as a keyframe"),
        };
        ctx.copy_text(text);
        self.messages.tell(format!("copied {what}"), now);
    }

    /// Saves the model: as it was read, or as it is in memory.
    fn save_model(&mut self, action: Action, now: f64) {
        let (Some(snapshot), Some(folder)) = (self.snapshot.as_deref(), &self.setup.folder) else { return };
        let saved = match (action, &self.setup.library) {
            (Action::SaveBinary, _) => write_file(folder, "mjb", &snapshot.model.to_bytes()),
            (_, Some(library)) => {
                let text = library.text(folder);
                let saved = text.and_then(|text| write_file(folder, "xml", text.as_bytes()));
                saved.and_then(|path| {
                    write_keyframes(&path, &snapshot.model, &snapshot.status.kept_keyframes).map(|()| path)
                })
            }
            (_, None) => Err("the text of this model is not known here; Ctrl+B saves it as MJB".to_owned()),
        };
        let text = saved.map_or_else(|error| error, |path| format!("saved {}", path.display()));
        self.messages.tell(text, now);
    }

    fn save_picture(&mut self, now: f64) {
        let (Some(picture), Some(folder)) = (&mut self.picture, &self.setup.folder) else { return };
        let saved = picture.read().map_err(|error| error.to_string());
        let saved = saved.and_then(|image| write_picture(folder, &image));
        let text = saved.map_or_else(|error| error, |path| format!("saved {}", path.display()));
        self.messages.tell(text, now);
    }

    fn toggle_recording(&mut self, now: f64) {
        let Some(folder) = &self.setup.folder else { return };
        let text = match (self.recording.take(), &self.setup.films) {
            (Some(recording), _) => {
                recording.finish().map_or_else(|error| error, |path| format!("saved {}", path.display()))
            }
            (None, Some(films)) => match Recording::begin(&**films, folder, now) {
                Ok(recording) => {
                    self.recording = Some(recording);
                    return;
                }
                Err(error) => error,
            },
            (None, None) => return,
        };
        self.messages.tell(text, now);
    }

    /// Adds a frame to the film when one is due.
    fn record(&mut self, ctx: &Context, now: f64) {
        let (Some(recording), Some(picture)) = (&mut self.recording, &mut self.picture) else { return };
        ctx.request_repaint();
        if !recording.is_due(now) {
            return;
        }
        let pushed = picture.read().map_err(|error| error.to_string());
        if let Err(error) = pushed.and_then(|image| recording.push(&image, now)) {
            self.recording = None;
            self.messages.tell(error, now);
        }
    }
}

impl Drop for App {
    /// A film that is being recorded is completed when the window closes.
    fn drop(&mut self) {
        if let Some(Err(error)) = self.recording.take().map(Recording::finish) {
            eprintln!("{error}");
        }
    }
}
