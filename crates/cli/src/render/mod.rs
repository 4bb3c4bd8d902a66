//! `kinetree render`: a model as a picture or a film.

pub(crate) mod film;
mod view;

use crate::failure::Failure;
use crate::output::Output;
use crate::{controls, interrupt, source};
use film::Film;
use indicatif::{ProgressBar, ProgressStyle};
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use kinetree_render::gpu::Renderer;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use view::View;

/// Simulated time of a film, unless it is given (s).
const FILM_SECONDS: f64 = 3.0;
/// Most frames of a film per second.
const MAX_FPS: f64 = 1000.0;

/// Draw a model as a picture (.png) or a film (.gif, .mp4).
///
/// A picture shows the model after --seconds of simulation, a film everything up to then. No display is
/// needed. Films in MP4 need the program ffmpeg. Ctrl-C stops a film and keeps what was drawn.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree render humanoid --out humanoid.png\n  kinetree render arm --camera wrist --size 320x240 --out wrist.png\n  kinetree render quadruped --seconds 4 --fps 30 --out walk.gif\n  kinetree render humanoid --depth --out depth.png"
)]
pub(crate) struct Args {
    /// File or embedded model.
    model: String,
    /// File to write: .png for a picture, .gif or .mp4 for a film.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Columns and rows in pixels.
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = view::parse_size)]
    size: [u32; 2],
    /// Camera of the model by name or number; otherwise one that sees the whole model.
    #[arg(long)]
    camera: Option<String>,
    /// Direction of the free camera around the vertical (degrees).
    #[arg(long, allow_hyphen_values = true)]
    azimuth: Option<f64>,
    /// Direction of the free camera over the horizon (degrees, negative looks down).
    #[arg(long, allow_hyphen_values = true)]
    elevation: Option<f64>,
    /// Distance of the free camera (m).
    #[arg(long, allow_negative_numbers = true)]
    distance: Option<f64>,
    /// Point that the free camera looks at (m).
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', allow_hyphen_values = true)]
    lookat: Option<Vec<f64>>,
    /// Body that the free camera follows, by name or number.
    #[arg(long, conflicts_with_all = ["camera", "lookat"])]
    track: Option<String>,
    /// Simulated time; 0 for a picture and 3 for a film unless given.
    #[arg(long, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Frames of a film per second.
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    fps: f64,
    /// Controls: one value for each actuator, or name=value for some.
    #[arg(long, value_delimiter = ',', value_name = "VALUE|NAME=VALUE", allow_hyphen_values = true)]
    ctrl: Vec<String>,
    /// Controls over time: a .csv file with a column `time` and columns `ctrl.NAME`, as `kinetree step`
    /// writes it.
    #[arg(long, value_name = "FILE", conflicts_with = "ctrl")]
    controls: Option<PathBuf>,
    /// Keyframe to start from, by name or number.
    #[arg(long)]
    key: Option<String>,
    /// Distances instead of colours: a .png has 16 bits per pixel in millimetres, a film gets darker with
    /// distance.
    #[arg(long)]
    depth: bool,
    /// Objects instead of colours, one colour each.
    #[arg(long, conflicts_with = "depth")]
    segmentation: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let is_film = Film::is_film(&args.out)?;
    let seconds = args.seconds.unwrap_or(if is_film { FILM_SECONDS } else { 0.0 });
    if !(seconds >= 0.0 && seconds.is_finite()) {
        return Err(Failure::Message("--seconds must be 0 or a positive number".into()));
    }
    if !(args.fps > 0.0 && args.fps <= MAX_FPS) {
        return Err(Failure::Message(format!("--fps must be a positive number, at most {MAX_FPS}")));
    }
    let model = source::load(&args.model)?.model;
    let mut data = controls::start(&model, args.key.as_deref())?;
    controls::set(&model, &mut data, &args.ctrl)?;
    let schedule = args.controls.as_ref().map(|path| controls::Schedule::read(&model, path)).transpose()?;
    let mut soft = soft_world(&model)?;
    let mut view = View::new(args, &model)?;
    let mut renderer = Renderer::new(&model)?;
    // a picture is looked at longer than it is drawn
    renderer.set_full_shadow_maps(true);

    interrupt::watch();
    let start = Instant::now();
    let times = if is_film { (seconds * args.fps).round() as u64 + 1 } else { 1 };
    let mut film = None;
    let bar = progress(times);
    let mut drawn = 0;
    for frame in 0..times {
        let until = if is_film { frame as f64 / args.fps } else { seconds };
        simulate(&model, &mut data, &mut soft, until, schedule.as_ref())?;
        if interrupt::pressed() && drawn > 0 {
            break;
        }
        let picture = view.draw(&model, &data, &soft, &mut renderer)?;
        // opened with the first frame: a picture that cannot be drawn leaves no file behind
        let film = match &mut film {
            Some(film) => film,
            none => none.insert(Film::open(&args.out, args.fps)?),
        };
        film.push(&picture)?;
        drawn += 1;
        bar.set_position(drawn);
    }
    bar.finish_and_clear();
    if let Some(film) = film {
        film.finish()?;
    }
    summarize(args, drawn, start.elapsed(), &renderer, out)?;
    if interrupt::pressed() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The deformable bodies that a model describes.
fn soft_world(model: &Model) -> Result<SoftWorld, Failure> {
    SoftWorld::from_model(model).map_err(|error| Failure::Message(error.to_string()))
}

/// Steps until a time is reached, or Ctrl-C.
fn simulate(
    model: &Model,
    data: &mut Data,
    soft: &mut SoftWorld,
    until: f64,
    schedule: Option<&controls::Schedule>,
) -> Result<(), Failure> {
    // half a step of tolerance, so that rounding neither adds nor loses one
    while data.time < until - 0.5 * model.opt.timestep && !interrupt::pressed() {
        if let Some(schedule) = schedule {
            schedule.apply(data);
        }
        // without deformable bodies, a step of the model
        soft.step(model, data).map_err(|error| Failure::Message(error.to_string()))?;
    }
    Ok(())
}

fn progress(frames: u64) -> ProgressBar {
    let bar = if frames > 1 { ProgressBar::new(frames) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} frames  {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn summarize(
    args: &Args,
    frames: u64,
    spent: Duration,
    renderer: &Renderer,
    out: &mut Output,
) -> Result<(), Failure> {
    let ([width, height], seconds, file) = (args.size, spent.as_secs_f64(), args.out.display().to_string());
    let adapter = renderer.gpu().adapter();
    if out.json {
        return Ok(out.value(&json!({
            "file": file, "frames": frames, "width": width, "height": height, "wall_seconds": seconds, "adapter": adapter,
        }))?);
    }
    let what = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames") };
    writeln!(out, "wrote {file}: {what} of {width} × {height} in {seconds:.2} s on {adapter}")?;
    Ok(())
}
