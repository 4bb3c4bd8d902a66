//! Many pictures at once: worlds and cameras of pixel-based learning.
//!
//! Several threads make scenes and record commands, each with targets and buffers of its own. Pictures of a
//! thread are drawn one after the other into the same target and copied to one buffer; the thread waits for
//! the device once for many of them, and hands over commands of several at a time.

use super::error::RenderError;
use super::frame_buffers::FrameBuffers;
use super::image::{object_table, sensor_pixels};
use super::list::{Sensed, is_endless_plane};
use super::renderer::Renderer;
use super::target::{PixelStack, check_size};
use crate::scene::MjvScene;
use std::num::NonZero;
use std::ops::Range;

/// Pictures per submission.
const SUBMITTED: usize = 32;
/// Most memory of pictures that wait to be read, of all threads together (bytes).
const WAITING: u64 = 64 << 20;
/// Fewest pictures that are worth a thread.
const PER_THREAD: usize = 16;
/// Most threads.
const MOST_THREADS: usize = 16;

/// Where the pixels of a batch go, picture by picture, rows from the top.
enum Pixels<'a> {
    /// Red, green and blue.
    Color(&'a mut [[u8; 3]]),
    /// Distances (m).
    Depth(&'a mut [f32]),
    /// Id and kind of objects.
    Objects(&'a mut [[i32; 2]]),
}

/// What the pixels of a sensor picture mean.
#[derive(Default)]
struct Legend {
    /// Distance of the background (m).
    far: f32,
    /// Objects by their number in the picture.
    objects: Vec<[i32; 2]>,
}

/// Pictures that one thread draws.
struct Job<'a> {
    renderer: &'a mut Renderer,
    scene: MjvScene,
    pictures: Range<usize>,
    size: [u32; 2],
    /// Most memory of pictures that wait to be read (bytes).
    waiting: u64,
    pixels: Pixels<'a>,
}

impl Renderer {
    /// Draws `count` colour pictures of the same size and appends their pixels to `rgb`: red, green and blue,
    /// rows from the top, one picture after the other. `set` makes the scene of each, on several threads; it
    /// gets a copy of `scene`, or a scene that it has made before.
    ///
    /// # Errors
    /// As [`Renderer::draw`], and what `set` returns; `rgb` then is as it was.
    pub fn color_batch<E: From<RenderError> + Send>(
        &mut self,
        scene: &MjvScene,
        count: usize,
        size: [u32; 2],
        rgb: &mut Vec<u8>,
        set: impl Fn(usize, &mut MjvScene) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let start = rgb.len();
        rgb.resize(start + 3 * self.batch_pixels(count, size)?, 0);
        let drawn = self.batch(scene, count, size, Pixels::Color(rgb[start..].as_chunks_mut().0), &set);
        if drawn.is_err() {
            rgb.truncate(start);
        }
        drawn
    }

    /// The same with the distances of what is seen (m), as in [`Renderer::sense`].
    ///
    /// # Errors
    /// As [`Renderer::color_batch`].
    pub fn depth_batch<E: From<RenderError> + Send>(
        &mut self,
        scene: &MjvScene,
        count: usize,
        size: [u32; 2],
        depth: &mut Vec<f32>,
        set: impl Fn(usize, &mut MjvScene) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let start = depth.len();
        depth.resize(start + self.batch_pixels(count, size)?, 0.0);
        let drawn = self.batch(scene, count, size, Pixels::Depth(&mut depth[start..]), &set);
        if drawn.is_err() {
            depth.truncate(start);
        }
        drawn
    }

    /// The same with the id and kind (`mjtObj`) of the object in each pixel, −1 for the background.
    ///
    /// # Errors
    /// As [`Renderer::color_batch`].
    pub fn object_batch<E: From<RenderError> + Send>(
        &mut self,
        scene: &MjvScene,
        count: usize,
        size: [u32; 2],
        objects: &mut Vec<[i32; 2]>,
        set: impl Fn(usize, &mut MjvScene) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let start = objects.len();
        objects.resize(start + self.batch_pixels(count, size)?, [-1; 2]);
        let drawn = self.batch(scene, count, size, Pixels::Objects(&mut objects[start..]), &set);
        if drawn.is_err() {
            objects.truncate(start);
        }
        drawn
    }

    /// Pixels of a batch, if its pictures can be drawn.
    fn batch_pixels(&self, count: usize, size: [u32; 2]) -> Result<usize, RenderError> {
        check_size(self.gpu(), size, 1)?;
        Ok(count * size[0] as usize * size[1] as usize)
    }

    /// Shares the pictures among threads.
    fn batch<E: From<RenderError> + Send>(
        &mut self,
        scene: &MjvScene,
        count: usize,
        size: [u32; 2],
        mut pixels: Pixels<'_>,
        set: &(impl Fn(usize, &mut MjvScene) -> Result<(), E> + Sync),
    ) -> Result<(), E> {
        let threads = self.batch_threads(count);
        let share = count.div_ceil(threads);
        let mut workers = self.take_workers(threads);
        let mut jobs = Vec::with_capacity(threads);
        for (i, renderer) in workers.iter_mut().enumerate() {
            let pictures = (i * share).min(count)..((i + 1) * share).min(count);
            let (mine, rest) = pixels.split_at(pictures.len() * size[0] as usize * size[1] as usize);
            pixels = rest;
            let waiting = WAITING / threads as u64;
            jobs.push(Job { renderer, scene: scene.clone(), pictures, size, waiting, pixels: mine });
        }
        let drawn = match jobs.len() {
            1 => jobs.into_iter().try_for_each(|job| job.run(set)),
            _ => std::thread::scope(|scope| {
                let running: Vec<_> = jobs.into_iter().map(|job| scope.spawn(move || job.run(set))).collect();
                let results: Vec<_> = running.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
                results
                    .into_iter()
                    .try_for_each(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            }),
        };
        self.keep_workers(workers);
        drawn
    }

    /// How many threads draw a batch. A processor that draws by itself has no time to spare.
    fn batch_threads(&self, count: usize) -> usize {
        if self.gpu().is_software() || cfg!(target_family = "wasm") {
            return 1;
        }
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        cores.min(MOST_THREADS).min(count.div_ceil(PER_THREAD)).max(1)
    }

    /// Draws with one of several sets of buffers from now on.
    fn choose_buffers(&mut self, set: usize) {
        while self.buffers.len() <= set {
            let buffers = FrameBuffers::new(self.gpu());
            self.buffers.push(buffers);
        }
        self.chosen = set;
    }
}

impl Job<'_> {
    /// Draws all pictures, as many at a time as memory allows.
    fn run<E: From<RenderError>>(
        mut self,
        set: &impl Fn(usize, &mut MjvScene) -> Result<(), E>,
    ) -> Result<(), E> {
        let (bytes, pictures) = (self.pixels.bytes(), self.pictures.clone());
        let picture = PixelStack::picture_bytes(self.size, bytes);
        let chunk = ((self.waiting / picture) as usize).clamp(1, pictures.len().max(1));
        for first in pictures.clone().step_by(chunk) {
            let here = first..(first + chunk).min(pictures.end);
            let stack = self.renderer.take_stack(self.size, bytes, chunk);
            let drawn = self.draw(here.clone(), &stack, set);
            let read = drawn.and_then(|legends| Ok(self.read(&stack, here, &legends)?));
            self.renderer.keep_stack(stack);
            read?;
        }
        Ok(())
    }

    /// Draws pictures into a stack without waiting for them.
    fn draw<E: From<RenderError>>(
        &mut self,
        pictures: Range<usize>,
        stack: &PixelStack,
        set: &impl Fn(usize, &mut MjvScene) -> Result<(), E>,
    ) -> Result<Vec<Legend>, E> {
        let mut commands = Vec::with_capacity(SUBMITTED);
        let mut legends = Vec::with_capacity(pictures.len());
        for (index, picture) in pictures.enumerate() {
            set(picture, &mut self.scene)?;
            // endless planes are centred at where the camera was before
            if self.scene.geoms.iter().any(is_endless_plane) {
                set(picture, &mut self.scene)?;
            }
            self.renderer.choose_buffers(commands.len());
            let (mut encoder, legend) = self.prepare()?;
            stack.push(&mut encoder, self.texture()?, index);
            legends.push(legend);
            commands.push(encoder.finish());
            if commands.len() == SUBMITTED {
                self.renderer.gpu().queue.submit(commands.drain(..));
            }
        }
        self.renderer.gpu().queue.submit(commands);
        self.renderer.choose_buffers(0);
        Ok(legends)
    }

    /// Commands of the picture of the scene, and what its pixels mean.
    fn prepare(&mut self) -> Result<(wgpu::CommandEncoder, Legend), RenderError> {
        let [width, height] = self.size;
        if matches!(self.pixels, Pixels::Color(_)) {
            return Ok((self.renderer.prepare_color(&self.scene, width, height)?, Legend::default()));
        }
        let (encoder, far) = self.renderer.prepare_sensor(&self.scene, width, height, Sensed::Segmented)?;
        let objects = match self.pixels {
            Pixels::Objects(_) => object_table(&self.scene),
            _ => Vec::new(),
        };
        Ok((encoder, Legend { far, objects }))
    }

    fn texture(&self) -> Result<&wgpu::Texture, RenderError> {
        match self.pixels {
            Pixels::Color(_) => self.renderer.color_texture(),
            _ => self.renderer.sensor_texture(),
        }
    }

    /// Waits for pictures and takes their pixels.
    fn read(
        &mut self,
        stack: &PixelStack,
        pictures: Range<usize>,
        legends: &[Legend],
    ) -> Result<(), RenderError> {
        let [width, height] = self.size.map(|s| s as usize);
        let mut at = (pictures.start - self.pictures.start) * width * height;
        let mut rows = 0;
        let pixels = &mut self.pixels;
        stack.read(self.renderer.gpu(), pictures.len(), |row| {
            pixels.set(at..at + width, row, &legends[rows / height]);
            (at, rows) = (at + width, rows + 1);
        })
    }
}

impl Pixels<'_> {
    /// Bytes of a pixel on the device.
    fn bytes(&self) -> u32 {
        if matches!(self, Self::Color(_)) { 4 } else { 8 }
    }

    /// The first pixels, and the others.
    fn split_at(self, first: usize) -> (Self, Self) {
        match self {
            Self::Color(all) => {
                let (first, rest) = all.split_at_mut(first);
                (Self::Color(first), Self::Color(rest))
            }
            Self::Depth(all) => {
                let (first, rest) = all.split_at_mut(first);
                (Self::Depth(first), Self::Depth(rest))
            }
            Self::Objects(all) => {
                let (first, rest) = all.split_at_mut(first);
                (Self::Objects(first), Self::Objects(rest))
            }
        }
    }

    /// Takes a row of a picture.
    fn set(&mut self, pixels: Range<usize>, row: &[u8], legend: &Legend) {
        match self {
            Self::Color(out) => {
                for (to, from) in out[pixels].iter_mut().zip(row.chunks_exact(4)) {
                    to.copy_from_slice(&from[..3]);
                }
            }
            Self::Depth(out) => {
                for (to, (_, depth)) in out[pixels].iter_mut().zip(sensor_pixels(row, legend.far)) {
                    *to = depth;
                }
            }
            Self::Objects(out) => {
                for (to, (segid, _)) in out[pixels].iter_mut().zip(sensor_pixels(row, legend.far)) {
                    *to = legend.objects.get((segid + 1) as usize).copied().unwrap_or([-1; 2]);
                }
            }
        }
    }
}
