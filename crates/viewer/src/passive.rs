//! A window onto a world that a program steps: the program hands over states, and takes what the user does.

use crate::command::Command;
use crate::driver::{Driver, Shown};
use crate::overlay::Overlays;
use crate::runner::release;
use crate::snapshot::{Snapshot, Status};
use crate::soft::SoftShapes;
use crate::view::View;
use kinetree_model::{Data, Model};
use kinetree_render::scene::{
    MjvGeom, MjvPerturb, SceneError, mjv_apply_perturb_force, mjv_apply_perturb_pose,
};
use kinetree_soft::SoftWorld;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the program and the window share.
#[derive(Default)]
struct Shared {
    ready: Option<Box<Snapshot>>,
    spare: Option<Box<Snapshot>>,
    generation: u64,
    commands: Vec<Command>,
    view: View,
    new_view: Option<View>,
    geoms: Option<Vec<MjvGeom>>,
    overlays: Option<Overlays>,
    /// Deformable bodies to draw.
    soft: SoftShapes,
    /// Size of the picture (pixels).
    size: [u32; 2],
    /// What the user pulled at when the program looked last.
    pulled: MjvPerturb,
    closing: bool,
    closed: bool,
    wake: Option<Arc<dyn Fn() + Send + Sync>>,
    on_key: Option<Arc<dyn Fn(egui::Key) + Send + Sync>>,
}

/// The side of the window.
pub struct Passive {
    shared: Arc<Mutex<Shared>>,
    active: bool,
}

/// The side of the program. Copies are handles of the same window.
#[derive(Clone)]
pub struct PassiveHandle(Arc<Mutex<Shared>>);

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PassiveHandle {
    /// A handle that shows a first state; [`PassiveHandle::driver`] goes to the window.
    #[must_use]
    pub fn new(model: Arc<Model>, data: &Data) -> Self {
        let view = View::of(&model);
        let handle =
            Self(Arc::new(Mutex::new(Shared { new_view: Some(view.clone()), view, ..Shared::default() })));
        handle.replace_model(model, data);
        handle
    }

    /// The driver of the window, which `wake` tells about new states. In an active window the user runs and
    /// pauses the program ([`PassiveHandle::take_commands`]).
    #[must_use]
    pub fn driver(&self, wake: Arc<dyn Fn() + Send + Sync>, active: bool) -> Passive {
        lock(&self.0).wake = Some(wake);
        Passive { shared: self.0.clone(), active }
    }

    /// Tells about keys, on the thread of the window.
    pub fn listen(&self, on_key: impl Fn(egui::Key) + Send + Sync + 'static) {
        lock(&self.0).on_key = Some(Arc::new(on_key));
    }

    /// Shows another model, or the same one after its meshes, textures or height fields have changed.
    pub fn replace_model(&self, model: Arc<Model>, data: &Data) {
        let mut shared = lock(&self.0);
        shared.generation += 1;
        shared.publish(model, data, Status { speed: 1.0, ..Status::default() });
    }

    /// Shows a state of the model, and does to it what the user did since the last call: controls, joints and
    /// pulling at bodies.
    ///
    /// # Errors
    /// When the data was made for another model.
    pub fn sync(&self, model: &Arc<Model>, data: &mut Data) -> Result<(), SceneError> {
        let mut shared = lock(&self.0);
        for command in std::mem::take(&mut shared.commands) {
            command.edit(data);
        }
        let (before, now) = (shared.pulled, shared.view.perturb);
        release(&before, data);
        mjv_apply_perturb_pose(model, data, &now, false)?;
        mjv_apply_perturb_force(model, data, &now)?;
        shared.pulled = now;
        shared.publish(model.clone(), data, Status { speed: 1.0, ..Status::default() });
        Ok(())
    }

    /// What the user has asked for since the last call.
    #[must_use]
    pub fn take_commands(&self) -> Vec<Command> {
        std::mem::take(&mut lock(&self.0).commands)
    }

    /// Shows a state of a program that carries out commands itself.
    pub fn show(&self, model: &Arc<Model>, data: &Data, status: Status) {
        lock(&self.0).publish(model.clone(), data, status);
    }

    /// What is shown and from where, as the user has it now.
    #[must_use]
    pub fn view(&self) -> View {
        let shared = lock(&self.0);
        shared.new_view.as_ref().unwrap_or(&shared.view).clone()
    }

    /// Changes what is shown and from where.
    pub fn set_view(&self, view: View) {
        lock(&self.0).new_view = Some(view);
    }

    /// Geoms to draw besides those of the model.
    pub fn set_geoms(&self, geoms: Vec<MjvGeom>) {
        lock(&self.0).geoms = Some(geoms);
    }

    /// Deformable bodies to draw from the next state on; `None` for none.
    pub fn set_soft(&self, world: Option<&SoftWorld>) {
        let mut shared = lock(&self.0);
        match world {
            Some(world) => shared.soft.update(world),
            None => shared.soft = SoftShapes::default(),
        }
    }

    /// Pictures and texts over the picture.
    pub fn set_overlays(&self, overlays: Overlays) {
        let mut shared = lock(&self.0);
        shared.overlays = Some(overlays);
        shared.wake();
    }

    /// Columns and rows of the picture (pixels).
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        lock(&self.0).size
    }

    /// Asks the window to close.
    pub fn close(&self) {
        let mut shared = lock(&self.0);
        shared.closing = true;
        shared.wake();
    }

    /// Whether the window is open and was not asked to close.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let shared = lock(&self.0);
        !shared.closing && !shared.closed
    }
}

impl Shared {
    fn wake(&self) {
        if let Some(wake) = &self.wake {
            wake();
        }
    }

    fn publish(&mut self, model: Arc<Model>, data: &Data, status: Status) {
        let spare = self.spare.take().or_else(|| self.ready.take());
        let mut snapshot = Snapshot::take(spare, model, data, self.generation, status);
        snapshot.soft.clone_from(&self.soft);
        self.ready = Some(snapshot);
        self.wake();
    }
}

impl Driver for Passive {
    fn send(&mut self, command: Command) {
        lock(&self.shared).commands.push(command);
    }

    fn poll(&mut self) -> Option<Box<Snapshot>> {
        lock(&self.shared).ready.take()
    }

    fn recycle(&mut self, snapshot: Box<Snapshot>) {
        lock(&self.shared).spare = Some(snapshot);
    }

    fn exchange(&mut self, shown: Shown<'_>) -> bool {
        let mut shared = lock(&self.shared);
        if let Some(new) = shared.new_view.take() {
            *shown.view = new;
        }
        shared.view.clone_from(shown.view);
        shared.size = shown.size;
        let changed = shared.geoms.is_some() || shared.overlays.is_some();
        if let Some(geoms) = shared.geoms.take() {
            *shown.geoms = geoms;
        }
        if let Some(overlays) = shared.overlays.take() {
            *shown.overlays = overlays;
        }
        changed
    }

    fn key(&mut self, key: egui::Key) {
        // without the lock: the listener may use its handle
        let listener = lock(&self.shared).on_key.clone();
        if let Some(listener) = listener {
            listener(key);
        }
    }

    fn closes(&self) -> bool {
        lock(&self.shared).closing
    }

    fn is_active(&self) -> bool {
        self.active
    }
}

impl Drop for Passive {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.closed = true;
        (shared.wake, shared.on_key) = (None, None);
    }
}
