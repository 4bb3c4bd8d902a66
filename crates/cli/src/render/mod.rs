//! `kinetree render`: a model as a picture or a film.

mod args;
pub(crate) mod film;
mod view;

pub(crate) use args::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::{controls, interrupt, source};
pub(crate) use film::encode_png;
use film::{Film, Picture};
use indicatif::{ProgressBar, ProgressStyle};
use kinetree::prelude::*;
use kinetree::soft::SoftWorld;
use kinetree_render::gpu::Renderer;
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};
use view::View;

/// Simulated time of a film, unless it is given (s).
const FILM_SECONDS: f64 = 3.0;
/// Most frames of a film per second.
const MAX_FPS: f64 = 1000.0;

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

/// A picture of a model in its first state, from the camera that it asks for.
pub(crate) fn still(model: &Model, size: [u32; 2]) -> Result<Picture, Failure> {
    let (data, soft) = (Data::new(model), soft_world(model)?);
    let mut renderer = Renderer::new(model)?;
    View::first(model, size).draw(model, &data, &soft, &mut renderer)
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
