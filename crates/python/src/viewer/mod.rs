//! `CoreViewer`: a window onto a world that a Python program steps, or lets the window run.

mod host;
mod keys;

use crate::call::{check_pair, run};
use crate::data::CoreData;
use crate::errors::fatal;
use crate::lock::Brief;
use crate::memory::Shared;
use crate::model::CoreModel;
use crate::process::{inherited, open_graphics};
use crate::scene::{CoreScene, Struct};
use crate::signals::SIGNAL_INTERVAL;
use crate::soft::CoreSoftWorld;
use host::{OpenWindow, Wake};
use kinetree_model::{Callbacks, Data, Model, mj_set_keyframe};
use kinetree_render::scene::{MjvCamera, MjvOption, MjvPerturb, N_RND_FLAG};
use kinetree_threads::OfProcess;
use kinetree_viewer::{
    Command, Library, Load, LoadedModel, Overlays, PassiveHandle, PictureOverlay, Runner, Setup, Simulation,
    SystemClock, TextOverlay, Threaded, View,
};
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// What child processes are told that they cannot use.
const WINDOW: &str = "a window";

/// Longest time that a call of `advance` simulates (s).
const BUDGET: f64 = 0.02;

/// A window onto a world of a Python program.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreViewer {
    handle: OfProcess<PassiveHandle>,
    window: OpenWindow,
    /// The model as the window has it: a copy, which the program's own may go on from.
    model: Brief<Arc<Model>>,
    runner: Arc<Shared<Option<Runner>>>,
    clock: SystemClock,
}

/// A copy of a model for the window, which calls nothing of Python's.
fn copy_for_window(model: &Model) -> Arc<Model> {
    let mut copy = model.clone();
    copy.callbacks = Callbacks::default();
    Arc::new(copy)
}

#[pymethods]
impl CoreViewer {
    /// Opens a window; an active one runs, pauses and resets the world by itself.
    #[new]
    #[pyo3(signature = (m, d, active, panels, on_key=None))]
    fn new(
        m: &Bound<'_, CoreModel>,
        d: &Bound<'_, CoreData>,
        active: bool,
        panels: [bool; 2],
        on_key: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        open_graphics(WINDOW)?;
        check_pair(m.get(), d.get())?;
        let model = copy_for_window(&*m.get().read()?);
        let handle = run(m, d, |_, data| PassiveHandle::new(model.clone(), data))?;
        if let Some(on_key) = on_key {
            handle.listen(move |key| tell(&on_key, key));
        }
        let shown = handle.clone();
        let setup = move |wake: Wake| {
            let folder = Some(std::env::current_dir().unwrap_or_default());
            Setup { driver: Box::new(shown.driver(wake, active)), library: None, films: None, folder, panels }
        };
        let window = m.py().detach(|| host::open("Kinetree".into(), setup)).map_err(fatal)?;
        let clock = SystemClock::default();
        Ok(Self {
            handle: OfProcess::new(handle),
            window,
            model: Brief::new(model),
            runner: Shared::new(None),
            clock,
        })
    }

    /// Shows the state of the world, does to it what the user did, and exchanges what is shown: what the
    /// program has changed since the last call counts, otherwise what the user has.
    fn sync(&self, m: &Bound<'_, CoreModel>, d: &Bound<'_, CoreData>, state_only: bool) -> PyResult<()> {
        let model = self.fresh_model(m, state_only)?;
        let handle = self.handle()?;
        run(m, d, |_, data| handle.sync(&model, data))?.map_err(fatal)
    }

    /// Deformable bodies to draw from the next call of `sync` on; `None` for none.
    #[pyo3(signature = (world))]
    fn set_soft(&self, world: Option<&CoreSoftWorld>) -> PyResult<()> {
        match world {
            Some(world) => self.handle()?.set_soft(Some(&*world.world.read()?)),
            None => self.handle()?.set_soft(None),
        }
        Ok(())
    }

    /// The model after meshes, textures or height fields have changed.
    fn reload(&self, m: &Bound<'_, CoreModel>, d: &Bound<'_, CoreData>) -> PyResult<()> {
        let model = copy_for_window(&*m.get().read()?);
        self.show_model(model.clone());
        let handle = self.handle()?;
        run(m, d, |_, data| handle.replace_model(model, data))
    }

    /// Lets an active window run the world for a moment; how long it can wait until the next call (s).
    fn advance(&self, m: &Bound<'_, CoreModel>, d: &Bound<'_, CoreData>) -> PyResult<f64> {
        let mut shown = self.fresh_model(m, false)?;
        let handle = self.handle()?;
        let commands = handle.take_commands();
        let advance = |runner: &mut Option<Runner>, model: &Model, data: &mut Data| {
            let runner = runner.get_or_insert_with(|| {
                let mut runner = Runner::new(model, data);
                runner.apply(Command::Play(true), model, data);
                runner
            });
            let mut asked = Vec::new();
            for command in commands {
                // a keyframe is the state at the command, not after the steps below
                let state = matches!(command, Command::KeepKeyframe(_)).then(|| data.clone());
                asked.extend(runner.apply(command, model, data).map(|command| (command, state)));
            }
            runner.advance(model, data, &self.clock, BUDGET);
            handle.set_soft(Some(runner.soft()));
            handle.show(&shown, data, runner.status().clone());
            (runner.next_due(model).unwrap_or(BUDGET), asked)
        };
        let run = |runner: &mut Option<Runner>| run(m, d, |model, data| advance(runner, model, data));
        let (wait, asked) = self.runner.with(run)??;
        for edit in asked {
            match edit {
                (Command::Options(options), _) => {
                    m.get().edit(|model| model.opt = *options.clone())?;
                    Arc::make_mut(&mut shown).opt = *options;
                }
                (Command::KeepKeyframe(key), Some(state)) => {
                    m.get().edit(|model| mj_set_keyframe(model, &state, key))?.map_err(fatal)?;
                    mj_set_keyframe(Arc::make_mut(&mut shown), &state, key).map_err(fatal)?;
                }
                _ => continue,
            }
            self.show_model(shown.clone());
        }
        Ok(wait)
    }

    /// What is shown and from where, as the user has it now, into the given structs; effects are returned.
    fn read_view(
        &self,
        mut cam: Struct<'_, MjvCamera>,
        mut opt: Struct<'_, MjvOption>,
        mut pert: Struct<'_, MjvPerturb>,
    ) -> PyResult<Vec<u8>> {
        let view = self.handle()?.view();
        (cam.value, opt.value, pert.value) = (view.camera, view.option, view.perturb);
        cam.store()?;
        opt.store()?;
        pert.store()?;
        Ok(view.effects.to_vec())
    }

    /// Changes what is shown and from where.
    #[allow(clippy::needless_pass_by_value)] // arguments are made for the call
    fn write_view(
        &self,
        cam: Struct<'_, MjvCamera>,
        opt: Struct<'_, MjvOption>,
        pert: Struct<'_, MjvPerturb>,
        effects: [u8; N_RND_FLAG],
    ) -> PyResult<()> {
        let view = View { camera: cam.value, option: opt.value, perturb: pert.value, effects };
        self.handle()?.set_view(view);
        Ok(())
    }

    /// Geoms of a scene to draw besides those of the model.
    fn set_geoms(&self, py: Python<'_>, scene: &CoreScene) -> PyResult<()> {
        self.handle()?.set_geoms(scene.read_all(py, |scene| scene.geoms.clone())?);
        Ok(())
    }

    /// Pictures, each with its place from the lower left corner, and texts, each with its column and row.
    fn set_overlays(
        &self,
        pictures: Vec<([i32; 2], Bound<'_, PyArrayDyn<u8>>)>,
        texts: Vec<(u8, u8, String, String)>,
    ) -> PyResult<()> {
        let pictures =
            pictures.into_iter().map(|(corner, array)| picture(corner, &array)).collect::<PyResult<_>>()?;
        let texts =
            texts.into_iter().map(|(column, row, left, right)| TextOverlay { column, row, left, right });
        self.handle()?.set_overlays(Overlays { pictures, texts: texts.collect() });
        Ok(())
    }

    /// Columns and rows of the picture.
    fn size(&self) -> PyResult<[u32; 2]> {
        Ok(self.handle()?.size())
    }

    /// Whether the window is open.
    fn is_running(&self) -> PyResult<bool> {
        Ok(self.handle()?.is_running() && !self.window.is_closed())
    }

    /// Closes the window and waits for that.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        // the window of a parent process is the parent's to close
        let Some(handle) = self.handle.get() else { return Ok(()) };
        handle.close();
        wait(py, &self.window)
    }
}

impl CoreViewer {
    /// The program's end of the window; an error in a child process.
    fn handle(&self) -> PyResult<&PassiveHandle> {
        self.handle.get().ok_or_else(|| inherited(WINDOW))
    }

    /// The copy of the model that the window shows, renewed when numbers of the program's have changed.
    fn fresh_model(&self, m: &Bound<'_, CoreModel>, state_only: bool) -> PyResult<Arc<Model>> {
        let shown = self.model.with(|model| model.clone());
        if state_only {
            return Ok(shown);
        }
        let model = &*m.get().read()?;
        if !looks_different(model, &shown) {
            return Ok(shown);
        }
        let fresh = copy_for_window(model);
        self.show_model(fresh.clone());
        Ok(fresh)
    }

    /// The window shows this model from now on.
    fn show_model(&self, model: Arc<Model>) {
        // dropped outside: plugins of the old one may be Python's
        drop(self.model.with(|shown| std::mem::replace(shown, model)));
    }
}

/// Waits until a window is closed, looking for signals meanwhile.
fn wait(py: Python<'_>, window: &OpenWindow) -> PyResult<()> {
    loop {
        if let Some(outcome) = py.detach(|| window.wait(SIGNAL_INTERVAL)) {
            return outcome.map_err(fatal);
        }
        py.check_signals()?;
    }
}

/// Whether options or the arrays that decide how bodies look have changed. Vertices and pixels are not
/// compared: `reload` is for those.
fn looks_different(model: &Model, shown: &Model) -> bool {
    const HEAVY: [&str; 8] = ["mesh_", "tex_", "hfield_", "skin_", "bvh_", "oct_", "names", "paths"];
    let heavy = |name: &str| HEAVY.iter().any(|prefix| name.starts_with(prefix));
    let same_arrays = || {
        model
            .fields()
            .iter()
            .zip(shown.fields())
            .filter(|(a, _)| !heavy(a.name))
            .all(|(a, b)| a.data == b.data)
    };
    model.opt != shown.opt || model.vis != shown.vis || model.stat != shown.stat || !same_arrays()
}

/// Calls a Python function with the number of a key; what it raises is printed.
fn tell(on_key: &Py<PyAny>, key: egui::Key) {
    let _ = Python::try_attach(|py| {
        if let Err(error) = on_key.call1(py, (keys::code(key),)) {
            error.write_unraisable(py, Some(on_key.bind(py)));
        }
    });
}

/// A picture of bytes, rows from the top.
fn picture(corner: [i32; 2], array: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<PictureOverlay> {
    let &[height, width, 3] = array.shape() else {
        return Err(PyValueError::new_err(format!(
            "a picture has the shape (height, width, 3), not {:?}",
            array.shape()
        )));
    };
    let rgb = array.to_vec().map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PictureOverlay { corner, size: [width, height], rgb })
}

/// Shows models from files in a window until it is closed; without a path the window asks for one.
#[pyfunction]
fn view_models(py: Python<'_>, path: Option<PathBuf>, panels: [bool; 2]) -> PyResult<()> {
    open_graphics(WINDOW)?;
    let setup = move |wake: Wake| {
        let mut library = Library::new(Arc::new(Files));
        if let Some(path) = path {
            library.open(&path.to_string_lossy());
        }
        let folder = Some(std::env::current_dir().unwrap_or_default());
        let driver: Box<dyn kinetree_viewer::Driver> =
            match Threaded::start(Simulation::default(), move || wake()) {
                Ok(driver) => Box::new(driver),
                // without threads, between frames
                Err(_) => Box::new(kinetree_viewer::Inline::new(
                    Simulation::default(),
                    Box::new(SystemClock::default()),
                    BUDGET,
                )),
            };
        Setup { driver, library: Some(library), films: None, folder, panels }
    };
    let window = py.detach(|| host::open("Kinetree".into(), setup)).map_err(fatal)?;
    wait(py, &window)
}

/// Reads models from files.
struct Files;

impl Load for Files {
    fn load(&self, source: &str) -> Result<LoadedModel, Vec<kinetree_spec::Diagnostic>> {
        LoadedModel::read(source)
    }
}

/// Registers the class and the function.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CoreViewer>()?;
    module.add_function(wrap_pyfunction!(view_models, module)?)
}
