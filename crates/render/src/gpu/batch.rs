//! Many pictures at once: worlds and cameras of pixel-based learning.
//!
//! Pictures are drawn one after the other into the same targets and copied to one buffer; the processor waits
//! for the device once for many of them, and hands over commands of several at a time.

use super::error::RenderError;
use super::frame_buffers::FrameBuffers;
use super::renderer::Renderer;
use super::target::{StackedPictures, check_size};
use crate::scene::MjvScene;

/// Pictures per submission.
const SUBMITTED: usize = 32;
/// Most memory of pictures that wait to be read (bytes).
const WAITING: u64 = 64 << 20;

impl Renderer {
    /// Draws `count` colour pictures of the same size and appends their pixels to `rgb`: red, green and blue,
    /// rows from the top, one picture after the other. `set` makes the scene of each from that of the one
    /// before.
    ///
    /// # Errors
    /// As [`Renderer::draw`], and what `set` returns; `rgb` then has the pictures that were read before.
    pub fn color_batch<E: From<RenderError>>(
        &mut self,
        scene: &mut MjvScene,
        count: usize,
        [width, height]: [u32; 2],
        rgb: &mut Vec<u8>,
        mut set: impl FnMut(usize, &mut MjvScene) -> Result<(), E>,
    ) -> Result<(), E> {
        check_size(self.gpu(), [width, height], 1)?;
        let picture = StackedPictures::picture_bytes(width, height);
        let chunk = ((WAITING / picture) as usize).clamp(1, count.max(1));
        rgb.reserve(3 * width as usize * height as usize * count);
        for first in (0..count).step_by(chunk) {
            let last = (first + chunk).min(count);
            let stack = self.stack(width, height, chunk);
            let drawn = self.draw_stacked(scene, first..last, [width, height], &stack, &mut set);
            let read = drawn.and_then(|()| Ok(stack.read(self.gpu(), last - first, rgb)?));
            self.keep_stack(stack);
            read?;
        }
        Ok(())
    }

    /// Draws pictures into a stack without waiting for them.
    fn draw_stacked<E: From<RenderError>>(
        &mut self,
        scene: &mut MjvScene,
        pictures: std::ops::Range<usize>,
        [width, height]: [u32; 2],
        stack: &StackedPictures,
        set: &mut impl FnMut(usize, &mut MjvScene) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut commands = Vec::with_capacity(SUBMITTED);
        for (place, picture) in pictures.enumerate() {
            set(picture, scene)?;
            self.choose_buffers(commands.len());
            let mut encoder = self.prepare_color(scene, width, height)?;
            stack.push(&mut encoder, self.color_texture()?, place);
            commands.push(encoder.finish());
            if commands.len() == SUBMITTED {
                self.gpu().queue.submit(commands.drain(..));
            }
        }
        self.gpu().queue.submit(commands);
        self.choose_buffers(0);
        Ok(())
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
