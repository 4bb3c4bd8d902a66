//! A program with a device and a texture of its own, into which a world is drawn; saves what it sees there.
//!
//! `cargo run --release -p kinetree-render --example embed -- picture.png`

use kinetree_model::Data;
use kinetree_render::gpu::{Gpu, Renderer, wgpu};
use kinetree_render::scene::{
    CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_default_free_camera, mjv_update_scene,
};
use std::error::Error;
use std::sync::Arc;

const HUMANOID: &str = include_str!("../../cli/models/humanoid.xml");
/// A width whose rows need no padding when they are read.
const SIZE: [u32; 2] = [320, 240];
/// As windows often have it.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Bgra8UnormSrgb;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "picture.png".into());

    // what a program has already: a device and a texture, usually that of a window
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Gpu::device_descriptor(&adapter)))?;
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });

    // a world, drawn into that texture
    let model = kinetree_spec::load_model_str(HUMANOID)?;
    let mut data = Data::new(&model);
    kinetree_sim::mj_forward(&model, &mut data)?;
    let gpu = Arc::new(Gpu::from_device(&adapter.get_info(), device.clone(), queue.clone()));
    let mut renderer = Renderer::with_gpu(gpu, &model)?;
    let (mut scene, mut camera) = (MjvScene::new(&model, 1000), MjvCamera::default());
    mjv_default_free_camera(&model, &mut camera);
    mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene)?;
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    renderer.draw_into(&scene, &view, FORMAT, SIZE)?;

    save(&path, &read(&device, &queue, &texture)?)
}

/// Pixels of the texture: blue, green, red and opacity.
fn read(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let row = 4 * SIZE[0];
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * SIZE[1]),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let pixels = buffer.get_mapped_range(..)?.to_vec();
    Ok(pixels)
}

fn save(path: &str, bgra: &[u8]) -> Result<(), Box<dyn Error>> {
    let rgb: Vec<u8> = bgra.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0]]).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, SIZE[0], SIZE[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&rgb)?;
    println!("saved {path}");
    Ok(())
}
