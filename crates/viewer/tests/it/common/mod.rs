//! A stage for the app: files, a device without a display, a clock, mouse and keyboard.

use egui::{Key, Modifiers, PointerButton, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_wgpu::{RenderState, RendererOptions, WgpuConfiguration};
use kinetree_model::enums::ObjType;
use kinetree_model::mj_name2id;
use kinetree_spec::{Diagnostic, load_model_str};
use kinetree_viewer::{App, Inline, Library, Load, LoadedModel, Setup, Simulation, graphics_setup};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time between two frames (s).
const FRAME: f64 = 1.0 / 60.0;
/// Pixels of the window.
const SIZE: [f32; 2] = [1200.0, 760.0];

/// A folder of files of a test.
pub(crate) struct Files(PathBuf);

impl Files {
    /// An empty folder.
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("viewer").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{error}"));
        path
    }
}

/// Reads files; `ball` needs none.
struct Sources;

impl Load for Sources {
    fn load(&self, source: &str) -> Result<LoadedModel, Vec<Diagnostic>> {
        if source == "ball" {
            let ball = load_model_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
            return ball
                .map(|model| LoadedModel { model, warnings: Vec::new(), files: Vec::new() })
                .map_err(|faults| faults.list);
        }
        LoadedModel::read(source)
    }

    fn examples(&self) -> Vec<(String, String)> {
        vec![("ball".into(), "a ball".into())]
    }
}

/// The app on a device without a display.
pub(crate) struct Stage {
    pub(crate) harness: Harness<'static, App>,
    clock: Rc<Cell<f64>>,
}

/// A device, or a word about why the test is skipped.
fn render_state() -> Option<RenderState> {
    let setup = graphics_setup();
    let instance = pollster::block_on(setup.new_instance());
    let configuration = WgpuConfiguration { wgpu_setup: setup, ..Default::default() };
    let state = RenderState::create(&configuration, &instance, None, RendererOptions::PREDICTABLE);
    match pollster::block_on(state) {
        Ok(state) => Some(state),
        Err(error) => {
            eprintln!("skipped: nothing can be drawn here: {error}");
            None
        }
    }
}

impl Stage {
    /// Opens the app with a file; `None` where nothing can be drawn.
    pub(crate) fn open(file: Option<&Path>) -> Option<Self> {
        let state = render_state()?;
        let clock = Rc::new(Cell::new(0.0));
        let hand = clock.clone();
        let simulation = Simulation::default().paused_at_first();
        let mut library = Library::new(Arc::new(Sources));
        if let Some(file) = file {
            library.open(&file.to_string_lossy());
        }
        let folder = file.and_then(Path::parent).unwrap_or(Path::new(".")).to_owned();
        let app = App::new(Setup {
            driver: Box::new(Inline::new(simulation, Box::new(move || hand.get()), 1.0)),
            library: Some(library),
            films: None,
            folder: Some(folder),
            panels: [true, true],
        });
        let shown = state.clone();
        let harness = Harness::builder()
            .with_size(SIZE)
            .with_step_dt(FRAME as f32)
            .renderer(WgpuTestRenderer::from_render_state(state))
            .build_ui_state(move |ui, app: &mut App| app.ui(ui, &shown), app);
        Some(Self { harness, clock })
    }

    pub(crate) fn app(&self) -> &App {
        self.harness.state()
    }

    /// Frames, while the clock goes on.
    pub(crate) fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.clock.set(self.clock.get() + FRAME);
            self.harness.step();
        }
    }

    /// Frames for so long.
    pub(crate) fn seconds(&mut self, seconds: f64) {
        self.steps((seconds / FRAME).ceil() as usize);
    }

    /// Frames until something has happened; files are read and looked at beside the window.
    pub(crate) fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !done(self) {
            assert!(start.elapsed() < Duration::from_secs(60), "in vain: {what}");
            std::thread::sleep(Duration::from_millis(5));
            self.steps(1);
        }
    }

    pub(crate) fn time(&self) -> f64 {
        self.app().snapshot().map_or(f64::NAN, |snapshot| snapshot.data.time)
    }

    /// Where a body is.
    pub(crate) fn body(&self, name: &str) -> [f64; 3] {
        let snapshot = self.app().snapshot().unwrap_or_else(|| panic!("there is a model"));
        let body =
            mj_name2id(&snapshot.model, ObjType::Body, name).unwrap_or_else(|| panic!("there is {name}"));
        snapshot.data.xpos[body]
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.harness.key_press(key);
        self.steps(2);
    }

    fn button(&self, pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
        self.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }

    pub(crate) fn double_click(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.steps(1);
        for _ in 0..2 {
            self.button(at, PointerButton::Primary, true, Modifiers::NONE);
            self.button(at, PointerButton::Primary, false, Modifiers::NONE);
            self.steps(1);
        }
        self.steps(2);
    }

    /// Drags in a few motions, and looks before the button is released.
    pub(crate) fn drag(
        &mut self,
        from: Pos2,
        by: Vec2,
        button: PointerButton,
        modifiers: Modifiers,
        look: impl FnOnce(&mut Self),
    ) {
        self.harness.hover_at(from);
        self.harness.event(egui::Event::ModifiersChanged(modifiers));
        self.steps(1);
        self.button(from, button, true, modifiers);
        self.steps(1);
        for i in 1..=8 {
            self.harness.event(egui::Event::PointerMoved(from + by * (i as f32 / 8.0)));
            self.steps(1);
        }
        look(self);
        self.button(from + by, button, false, modifiers);
        self.steps(1);
        self.harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        self.steps(2);
    }

    pub(crate) fn drop_path(&mut self, path: &Path) {
        self.harness.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
        self.steps(1);
        self.harness.input_mut().dropped_files.clear();
    }

    /// The window as pixels, also as a file to look at.
    pub(crate) fn picture(&mut self, name: &str) -> Image {
        let image = self.harness.render().unwrap_or_else(|error| panic!("{error}"));
        let (width, height) = image.dimensions();
        let rgb = image.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect();
        let image = Image { width, height, rgb };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("viewer");
        image.save(&folder.join(format!("{name}.png")));
        image
    }

    /// The middle of all pixels with a colour.
    pub(crate) fn find(&mut self, color: impl Fn([u8; 3]) -> bool) -> Pos2 {
        let image = self.picture("found");
        let (mut sum, mut count) = (Vec2::ZERO, 0.0);
        for (i, pixel) in image.rgb.chunks_exact(3).enumerate() {
            if color([pixel[0], pixel[1], pixel[2]]) {
                sum += egui::vec2((i as u32 % image.width) as f32, (i as u32 / image.width) as f32);
                count += 1.0;
            }
        }
        assert!(count > 0.0, "the colour is in the picture");
        (sum / count).to_pos2()
    }
}

/// Pixels of the window.
pub(crate) struct Image {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<u8>,
}

impl Image {
    fn save(&self, path: &Path) {
        let file = std::fs::File::create(path).unwrap_or_else(|error| panic!("{error}"));
        let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().unwrap_or_else(|error| panic!("{error}"));
        writer.write_image_data(&self.rgb).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Share of the pixels with a colour.
pub(crate) fn pixel_share(image: &Image, color: impl Fn([u8; 3]) -> bool) -> f64 {
    let count = image.rgb.chunks_exact(3).filter(|p| color([p[0], p[1], p[2]])).count();
    count as f64 / f64::from(image.width * image.height)
}

/// A path that is dropped onto the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}
