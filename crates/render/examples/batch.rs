//! Pictures of many worlds: draws a batch again and again and prints pictures per second.
//!
//! `cargo run --release -p kinetree-render --example batch -- --worlds 1024 --size 64`

use kinetree_model::{Data, Model};
use kinetree_render::gpu::{RenderError, Renderer};
use kinetree_render::scene::{
    CAT_ALL, MjvCamera, MjvOption, MjvScene, RndFlag, mjv_default_free_camera, mjv_update_scene,
};
use std::error::Error;
use std::time::Instant;

const USAGE: &str = "usage: batch [--worlds N] [--size PIXELS] [--batches N] [--kind color|depth|objects] [--no-shadows] [--out PICTURE.png] [MODEL.xml]";
const HUMANOID: &str = include_str!("../../cli/models/humanoid.xml");
/// Steps by which one world is ahead of the one before.
const STEPS_BETWEEN: usize = 3;

struct Args {
    worlds: usize,
    size: u32,
    batches: usize,
    kind: String,
    shadows: bool,
    out: Option<String>,
    model: Option<String>,
}

impl Args {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut args = Self {
            worlds: 1024,
            size: 64,
            batches: 10,
            kind: "color".into(),
            shadows: true,
            out: None,
            model: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(USAGE);
            match word.as_str() {
                "--worlds" => args.worlds = value()?.parse()?,
                "--size" => args.size = value()?.parse()?,
                "--batches" => args.batches = value()?.parse()?,
                "--kind" => args.kind = value()?,
                "--no-shadows" => args.shadows = false,
                "--out" => args.out = Some(value()?),
                word if word.starts_with('-') => return Err(USAGE.into()),
                file => args.model = Some(file.to_owned()),
            }
        }
        Ok(args)
    }
}

/// Worlds of a model at different times of a fall.
fn worlds(model: &Model, count: usize) -> Result<Vec<Data>, Box<dyn Error>> {
    let mut data = Data::new(model);
    let mut worlds = Vec::with_capacity(count);
    for _ in 0..count {
        (0..STEPS_BETWEEN).try_for_each(|_| kinetree_sim::mj_step(model, &mut data))?;
        worlds.push(data.clone());
    }
    Ok(worlds)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse()?;
    let model = match &args.model {
        Some(file) => kinetree_spec::load_model(file)?,
        None => kinetree_spec::load_model_str(HUMANOID)?,
    };
    let worlds = worlds(&model, args.worlds)?;
    let mut renderer = Renderer::new(&model)?;
    let mut camera = MjvCamera::default();
    mjv_default_free_camera(&model, &mut camera);
    let (mut scene, option) = (MjvScene::new(&model, 10_000), MjvOption::default());
    scene.flags[RndFlag::Shadow as usize] = args.shadows.into();
    let (mut rgb, mut depth, mut objects, mut best) = (Vec::new(), Vec::new(), Vec::new(), 0.0_f64);
    let (count, size) = (worlds.len(), [args.size; 2]);
    let set = |world: usize, scene: &mut MjvScene| {
        let mut camera = camera;
        mjv_update_scene(&model, &worlds[world], &option, None, &mut camera, CAT_ALL, scene)?;
        Ok::<_, RenderError>(())
    };
    for batch in 0..args.batches + 1 {
        rgb.clear();
        depth.clear();
        objects.clear();
        let start = Instant::now();
        match args.kind.as_str() {
            "color" => renderer.color_batch(&scene, count, size, &mut rgb, set)?,
            "depth" => renderer.depth_batch(&scene, count, size, &mut depth, set)?,
            "objects" => renderer.object_batch(&scene, count, size, &mut objects, set)?,
            _ => return Err(USAGE.into()),
        }
        // the first batch compiles shaders and allocates
        if batch > 0 {
            best = best.max(worlds.len() as f64 / start.elapsed().as_secs_f64());
        }
    }
    let (size, shadows) = (args.size, if args.shadows { "with" } else { "without" });
    println!(
        "{best:.0} pictures/s of {}: {} worlds, {size} × {size}, {shadows} shadows, {}",
        args.kind,
        worlds.len(),
        renderer.gpu().adapter()
    );
    if let Some(path) = args.out.filter(|_| !rgb.is_empty()) {
        save(&path, &rgb, worlds.len().min(64), args.size)?;
    }
    Ok(())
}

/// Saves the first pictures, one below the other.
fn save(path: &str, rgb: &[u8], count: usize, size: u32) -> Result<(), Box<dyn Error>> {
    let rows = size * count as u32;
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, size, rows);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&rgb[..(3 * size * rows) as usize])?;
    Ok(())
}
