//! What pictures show, against what geometry and the formulas of light say.
//!
//! A machine without any graphics adapter, hardware or software, skips these tests and says so.

use kinetree_math::Vec3;
use kinetree_model::{Data, Model};
use kinetree_render::gpu::{ColorImage, RenderError, Renderer, Sensed, SensorImage, wgpu};
use kinetree_render::scene::{
    CAT_ALL, CameraType, Deformable, MjvCamera, MjvOption, MjvScene, RndFlag, Stereo, VisFlag,
    mjv_add_deformable, mjv_default_free_camera, mjv_update_scene,
};
use std::io::Write;

const SIDE: u32 = 64;

/// Says why a test did not test; straight to the terminal, since the harness hides what tests that pass
/// print.
fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {}", reason.trim());
}

/// A model, its scene and a renderer.
struct Studio {
    model: Model,
    data: Data,
    scene: MjvScene,
    camera: MjvCamera,
    renderer: Renderer,
}

/// A studio with a camera of the model, or `None` on a machine without graphics.
fn studio(xml: &str) -> Option<Studio> {
    let model = kinetree_spec::load_model_str(xml).unwrap();
    let renderer = match Renderer::new(&model) {
        Err(error @ RenderError::NoAdapter { .. }) => {
            skipped(&error.to_string());
            return None;
        }
        other => other.unwrap(),
    };
    let data = Data::new(&model);
    let mut camera = MjvCamera::default();
    mjv_default_free_camera(&model, &mut camera);
    if model.ncam > 0 {
        camera.type_ = CameraType::Fixed as i32;
        camera.fixedcamid = 0;
    }
    let mut studio = Studio { scene: MjvScene::new(&model, 10_000), model, data, camera, renderer };
    studio.update();
    Some(studio)
}

impl Studio {
    fn update(&mut self) {
        kinetree_sim::mj_forward(&self.model, &mut self.data).unwrap();
        let option = MjvOption::default();
        mjv_update_scene(&self.model, &self.data, &option, None, &mut self.camera, CAT_ALL, &mut self.scene)
            .unwrap();
    }

    fn color(&mut self) -> ColorImage {
        self.renderer.color(&self.scene, SIDE, SIDE).unwrap()
    }

    fn sense(&mut self, sensed: Sensed) -> SensorImage {
        self.renderer.sense(&self.scene, SIDE, SIDE, sensed).unwrap()
    }

    fn set(&mut self, flag: RndFlag, on: bool) {
        self.scene.flags[flag as usize] = u8::from(on);
    }
}

fn pixel(image: &ColorImage, x: u32, y: u32) -> [u8; 3] {
    let at = 3 * (y * image.width + x) as usize;
    image.rgb[at..at + 3].try_into().unwrap()
}

fn centre(image: &ColorImage) -> [u8; 3] {
    pixel(image, image.width / 2, image.height / 2)
}

fn close(a: [u8; 3], b: [f64; 3]) -> bool {
    a.iter().zip(b).all(|(&a, b)| (f64::from(a) - 255.0 * b).abs() <= 1.5)
}

/// Seen from above at a height of 3, without any light but the one that follows the camera.
fn from_above(rest: &str) -> String {
    format!(
        r#"<mujoco><visual><map znear="0.01" zfar="100"/></visual><statistic extent="1"/>{rest}</mujoco>"#
    )
}

const CAMERA: &str = r#"<camera pos="0 0 3" fovy="45"/>"#;

#[test]
fn a_sphere_has_its_outline_and_distance() {
    let xml = from_above(&format!(r#"<worldbody>{CAMERA}<geom type="sphere" size="0.5"/></worldbody>"#));
    let Some(mut studio) = studio(&xml) else { return };
    let seen = studio.sense(Sensed::Segmented);
    let objects = seen.objects(&studio.scene);
    let geom = kinetree_model::enums::ObjType::Geom as i32;
    let half = f64::from(SIDE) / 2.0;
    // focal length in pixels; the outline of a sphere is where rays are tangent to it
    let focal = half / 22.5_f64.to_radians().tan();
    let radius = focal * 0.5 / (9.0_f64 - 0.25).sqrt();
    // the sphere that touches all facets from inside: they lie between it and the sphere itself
    let quality = &studio.model.vis.quality;
    let [slice, stack] = [quality.numslices, quality.numstacks].map(|n| std::f64::consts::PI / f64::from(n));
    let inner = 0.5 * slice.cos() * (0.5 * stack).cos();
    for y in 0..SIDE {
        for x in 0..SIDE {
            let (dx, dy) = (f64::from(x) + 0.5 - half, f64::from(y) + 0.5 - half);
            let (r, at) = (dx.hypot(dy), (y * SIDE + x) as usize);
            if r < radius * 0.98 - 0.5 {
                assert_eq!(objects[at], [0, geom]);
                // ray and sphere: |t d − c| = radius with d = (dx, dy, focal) / focal; NaN where the ray
                // misses
                let (a, b) = (1.0 + (r / focal).powi(2), 3.0);
                let depth = |radius: f64| (b - (b * b - a * (9.0 - radius * radius)).sqrt()) / a;
                let (seen, nearest, farthest) =
                    (f64::from(seen.depth[at]), depth(0.5), depth(inner).min(3.0));
                assert!((nearest - 1e-5..farthest + 1e-5).contains(&seen), "{nearest} {seen} {farthest}");
            } else if r > radius + 1.0 {
                assert_eq!(objects[at], [-1, -1]);
                assert!((seen.depth[at] - 100.0).abs() < 1e-3);
            }
        }
    }
}

#[test]
fn light_follows_the_formula() {
    let xml = from_above(&format!(
        r#"<visual><headlight ambient=".1 .2 .3" diffuse=".4 .4 .4" specular=".5 .5 .5"/></visual>
           <asset><material name="m" emission="0.2" specular="0.3" shininess="0.5" rgba=".5 .5 .25 1"/></asset>
           <worldbody>{CAMERA}<geom type="plane" size="2 2 .05" material="m"/></worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    // straight down onto the plane: emission + ambient + diffuse times the colour, and full specular
    // reflection
    let expected = [0.5, 0.5, 0.25].map(|c: f64| c * (0.2 + 0.4) + 0.5 * 0.3);
    let expected = [expected[0] + 0.5 * 0.1, expected[1] + 0.5 * 0.2, expected[2] + 0.25 * 0.3];
    let color = centre(&studio.color());
    assert!(close(color, expected), "{color:?} instead of {expected:?}");
}

#[test]
fn transparent_shapes_cover_twice() {
    let xml = from_above(&format!(
        r#"<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
           <worldbody>{CAMERA}
             <geom type="box" size="1 1 .1" rgba="1 0 0 1"/>
             <geom type="box" size="1 1 .1" pos="0 0 1" rgba="0 0 1 .4"/>
           </worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    // once from front to back and once from back to front
    let color = centre(&studio.color());
    assert!(close(color, [0.36, 0.0, 0.64]), "{color:?}");
    // a sensor of objects sees the transparent one, one of what hides things does not
    let at = (SIDE * SIDE / 2 + SIDE / 2) as usize;
    assert_eq!(studio.sense(Sensed::Segmented).segid[at], 1);
    assert_eq!(studio.sense(Sensed::Opaque).segid[at], 0);
}

#[test]
fn shadows_darken_what_lies_in_them() {
    let xml = from_above(&format!(
        r#"<visual><headlight active="0"/></visual>
           <worldbody>{CAMERA}
             <light pos="-1 0 2" dir="1 0 -1" type="directional" diffuse="1 1 1" specular="0 0 0"/>
             <geom type="plane" size="2 2 .05"/>
             <geom type="box" size=".1 .1 .01" pos="-.5 0 .5" rgba="1 1 1 1"/>
           </worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    let lit = pixel(&studio.color(), SIDE / 2, 2)[0];
    let shaded = centre(&studio.color())[0];
    assert!(lit > 60 && shaded == 0, "{lit} {shaded}");
    studio.set(RndFlag::Shadow, false);
    let without = centre(&studio.color())[0];
    assert!(without.abs_diff(lit) < 4, "{without} {lit}");
}

#[test]
fn mirrors_show_what_is_above_them() {
    let xml = from_above(
        r#"<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
           <asset><material name="mirror" reflectance="0.5" rgba=".1 .1 .1 1"/></asset>
           <worldbody>
             <camera pos="0 -2 1" xyaxes="1 0 0 0 1 2" fovy="60"/>
             <geom type="plane" size="3 3 .05" material="mirror"/>
             <geom type="box" size="3 .01 1" pos="0 1 1.1" rgba="0 1 0 1"/>
           </worldbody>"#,
    );
    let Some(mut studio) = studio(&xml) else { return };
    // the floor adds half the wall's green to its own grey
    let color = centre(&studio.color());
    assert!(close(color, [0.1, 0.6, 0.1]), "{color:?}");
    studio.set(RndFlag::Reflection, false);
    let color = centre(&studio.color());
    assert!(close(color, [0.1, 0.1, 0.1]), "{color:?}");
}

#[test]
fn textures_lie_where_they_should() {
    let xml = from_above(&format!(
        r#"<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
           <asset>
             <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
             <material name="m" texture="t"/>
             <texture type="skybox" builtin="flat" rgb1="0 1 0" rgb2="1 1 0" width="16" height="16"/>
           </asset>
           <worldbody>{CAMERA}<geom type="plane" size=".8 .8 .05" material="m"/></worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    let image = studio.color();
    let (near, far) = (SIDE / 2 - 8, SIDE / 2 + 8);
    let (a, b) = (pixel(&image, near, near), pixel(&image, far, far));
    let (c, d) = (pixel(&image, far, near), pixel(&image, near, far));
    assert_eq!((a, c), (b, d));
    assert!(a != c && [a, c].contains(&[255, 0, 0]) && [a, c].contains(&[0, 0, 255]), "{a:?} {c:?}");
    assert_eq!(
        pixel(&image, 1, 1),
        [255, 255, 0],
        "the plane is surrounded by the sky, whose floor has the second colour"
    );
    studio.set(RndFlag::Skybox, false);
    assert_eq!(pixel(&studio.color(), 1, 1), [0, 0, 0]);
}

#[test]
fn effects_change_the_picture() {
    let xml = from_above(&format!(
        r#"<visual><map fogstart="1" fogend="2"/><rgba fog="0 0 1 1"/></visual>
           <worldbody>{CAMERA}<geom type="box" size=".5 .5 .5" rgba="1 1 1 1"/></worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    let plain = centre(&studio.color());
    studio.set(RndFlag::Fog, true);
    assert_eq!(centre(&studio.color()), [0, 0, 255], "everything is beyond the fog");
    studio.set(RndFlag::Fog, false);
    assert_eq!(centre(&studio.color()), plain);

    studio.scene.stereo = Stereo::Sidebyside as i32;
    let both = studio.color();
    assert!(pixel(&both, SIDE / 4, SIDE / 2)[0] > 20 && pixel(&both, 3 * SIDE / 4, SIDE / 2)[0] > 20);
    assert!(pixel(&both, 0, 0)[0] < 20);
}

/// Seen from above, a box is a grid of lines one pixel wide with nothing between them.
#[test]
fn outlines_leave_faces_empty() {
    const WIDE: u32 = 256;
    let xml = from_above(&format!(
        r#"<worldbody>{CAMERA}<geom type="box" size=".5 .5 .5" rgba="1 1 1 1"/></worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    studio.set(RndFlag::Wireframe, true);
    let image = match studio.renderer.color(&studio.scene, WIDE, WIDE) {
        Err(error @ RenderError::Unsupported { .. }) => return skipped(&error.to_string()),
        other => other.unwrap(),
    };
    // half the side of the upper face, at a distance of 2.5 (pixels)
    let half = f64::from(WIDE / 2) / 22.5_f64.to_radians().tan() * 0.5 / 2.5;
    let cell = 2.0 * half / f64::from(studio.model.vis.quality.numquads);
    let at = |cells: f64| (f64::from(WIDE / 2) + cells * cell) as u32;
    let brightest = |x: u32, y: u32| (y - 1..=y + 1).map(|y| pixel(&image, x, y)[0]).max().unwrap();
    assert!(brightest(at(0.3), at(0.0)) > 60 && brightest(at(0.3), at(2.0)) > 60, "edges of cells");
    assert_eq!(
        [brightest(at(0.3), at(0.7)), brightest(at(0.7), at(0.3))].iter().min(),
        Some(&0),
        "cells are empty"
    );
    let bright = image.rgb.chunks_exact(3).filter(|p| p[0] > 20).count() as f64;
    assert!(bright < 0.4 * (2.0 * half).powi(2), "{bright}");
}

#[test]
fn labels_and_lines_are_drawn() {
    use kinetree_model::enums::GeomType;
    let xml = from_above(&format!(
        r#"<worldbody>{CAMERA}<geom type="sphere" size="0.01" rgba="1 0 0 1"/></worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    studio.scene.geoms[0].label = "hello".into();
    let mut line = studio.scene.geoms[0];
    line.type_ = GeomType::Line as i32;
    line.label = "".into();
    line.rgba = [0.0, 1.0, 0.0, 1.0];
    // in the middle of row 10 of the picture, above the letters
    let metres = 2.0 * 3.0 * 22.5_f32.to_radians().tan() / SIDE as f32;
    line.pos = [-1.0, metres * (SIDE as f32 / 2.0 - 10.5), 0.0];
    // from its position along z, which points to the right here
    line.mat = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0];
    line.size = [3.0, 3.0, 2.0];
    line.segid = 1;
    studio.scene.geoms.push(line);
    let image = studio.color();
    assert!(image.rgb.chunks_exact(3).filter(|p| *p == [255, 255, 255]).count() > 40, "letters are white");
    let column: Vec<u8> = (8..=12).map(|y| pixel(&image, SIDE / 2, y)[1]).collect();
    assert_eq!(column, [0, 255, 255, 255, 0], "three pixels wide");
    let length = (0..SIDE).filter(|&x| pixel(&image, x, 10) == [0, 255, 0]).count() as f32;
    assert!((length - 2.0 / metres).abs() < 2.0, "{length} pixels instead of {}", 2.0 / metres);
    let seen = studio.sense(Sensed::Segmented);
    let on_line: Vec<f32> =
        seen.segid.iter().zip(&seen.depth).filter(|(id, _)| **id == 1).map(|(_, d)| *d).collect();
    assert!(on_line.len() > 100 && on_line.iter().all(|d| (d - 3.0).abs() < 1e-3));
}

#[test]
fn nothing_to_draw_is_black() {
    let Some(mut studio) = studio("<mujoco/>") else { return };
    assert!(studio.color().rgb.iter().all(|&v| v == 0));
    studio.scene = MjvScene::default();
    assert!(studio.color().rgb.iter().all(|&v| v == 0), "not even a camera is needed");
}

#[test]
fn impossible_requests_are_refused() {
    let xml = from_above(&format!(r#"<worldbody>{CAMERA}<geom type="sphere" size="0.5"/></worldbody>"#));
    let Some(mut studio) = studio(&xml) else { return };
    for (width, height) in [(0, 10), (16_384, 16_384), (1_000_000, 2)] {
        let error = studio.renderer.color(&studio.scene, width, height).unwrap_err();
        assert!(matches!(error, RenderError::Size { .. }), "{error}");
        assert!(error.to_string().contains(&format!("{width} × {height}")), "{error}");
    }
    let mut blind = studio.scene.clone();
    blind.camera = Default::default();
    assert!(matches!(studio.renderer.color(&blind, SIDE, SIDE), Err(RenderError::Scene(_))));
    // and the renderer still works
    assert!(centre(&studio.color())[0] > 20);
}

#[test]
fn every_kind_of_geom_is_seen() {
    let xml = from_above(&format!(
        r#"<asset>
             <mesh name="tetra" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3"/>
             <hfield name="hills" nrow="3" ncol="3" size=".3 .3 .2 .1" elevation="0 1 0  1 0 1  0 1 0"/>
           </asset>
           <worldbody>{CAMERA}
             <geom type="plane" size=".2 .2 .1" pos="-.8 .8 0"/>
             <geom type="hfield" hfield="hills" pos="0 .8 0"/>
             <geom type="sphere" size=".2" pos=".8 .8 0"/>
             <geom type="capsule" size=".1 .1" pos="-.8 0 0"/>
             <geom type="ellipsoid" size=".1 .2 .1" pos="0 0 0"/>
             <geom type="cylinder" size=".1 .2" pos=".8 0 0"/>
             <geom type="box" size=".1 .2 .1" pos="-.8 -.8 0"/>
             <geom type="mesh" mesh="tetra" pos="0 -.8 0"/>
           </worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    let objects = studio.sense(Sensed::Segmented).objects(&studio.scene);
    for geom in 0..8 {
        let pixels = objects.iter().filter(|o| o[0] == geom).count();
        assert!(pixels > 15, "geom {geom} has {pixels} pixels");
    }
    assert!(studio.color().rgb.iter().any(|&v| v > 20));
}

/// Pictures of a batch are those that are drawn one by one, also when there are more than one submission
/// holds and rows need padding.
#[test]
fn a_batch_shows_what_single_pictures_show() {
    let xml = from_above(&format!(
        r#"<worldbody>{CAMERA}<light pos="1 0 3" dir="-.3 0 -1"/><geom type="plane" size="2 2 .1"/>
             <body pos="0 0 .5"><joint type="slide" axis="1 0 0"/><geom type="box" size=".2 .2 .2" rgba="1 0 0 1"/></body>
           </worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    let (width, height, count) = (50, 30, 40);
    let position = |world: usize| -0.8 + 0.04 * world as f64;
    let model = &studio.model;
    let camera = studio.camera;
    let show = |world: usize, scene: &mut MjvScene| {
        let (mut data, mut camera) = (Data::new(model), camera);
        data.qpos[0] = position(world);
        kinetree_sim::mj_forward(model, &mut data).unwrap();
        let option = MjvOption::default();
        Ok::<_, RenderError>(mjv_update_scene(model, &data, &option, None, &mut camera, CAT_ALL, scene)?)
    };
    let (size, mut scene) = ([width, height], MjvScene::new(model, 100));
    let (mut rgb, mut depth, mut objects) = (vec![7], vec![7.0], vec![[7; 2]]);
    studio.renderer.color_batch(&scene, count, size, &mut rgb, show).unwrap();
    studio.renderer.depth_batch(&scene, count, size, &mut depth, show).unwrap();
    studio.renderer.object_batch(&scene, count, size, &mut objects, show).unwrap();
    let pixels = (width * height) as usize;
    assert_eq!(
        [rgb.len(), depth.len(), objects.len()],
        [3 * pixels * count + 1, pixels * count + 1, pixels * count + 1]
    );
    for world in [0, 1, 31, 32, 39] {
        show(world, &mut scene).unwrap();
        let single = studio.renderer.color(&scene, width, height).unwrap();
        let seen = studio.renderer.sense(&scene, width, height, Sensed::Segmented).unwrap();
        let [first, end] = [pixels * world, pixels * (world + 1)];
        assert!(single.rgb == rgb[1 + 3 * first..1 + 3 * end], "world {world}");
        assert!(seen.depth == depth[1 + first..1 + end], "world {world}");
        assert!(seen.objects(&scene) == objects[1 + first..1 + end], "world {world}");
    }
    assert!(rgb[1..1 + 3 * pixels] != rgb[1 + 3 * pixels * 39..], "the box moves");
    let before = rgb.len();
    let refused = studio.renderer.color_batch(&scene, 1, [0, 4], &mut rgb, show);
    assert!(matches!(refused, Err(RenderError::Size { .. })));
    let failed = studio.renderer.color_batch(&scene, count, size, &mut rgb, |world, scene| match world {
        20 => Err(RenderError::Device { reason: "world 20".into() }),
        _ => show(world, scene),
    });
    assert!(matches!(failed, Err(RenderError::Device { .. })) && rgb.len() == before);
}

/// A texture as another program might have it.
fn foreign_texture(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Four bytes of each pixel of such a texture; rows of 64 pixels need no padding.
fn read_texture(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Vec<u8> {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(4 * SIDE * SIDE),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIDE), rows_per_image: None };
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    buffer.get_mapped_range(..).unwrap().to_vec()
}

/// Textures of a program show the same colours, whatever the order of their channels and their encoding.
#[test]
fn pictures_can_be_drawn_into_textures_of_programs() {
    let xml = from_above(&format!(
        r#"<worldbody>{CAMERA}<geom type="sphere" size="0.5" rgba="0.8 0.5 0.1 1"/></worldbody>"#
    ));
    let Some(mut studio) = studio(&xml) else { return };
    let expected = studio.color().rgb;
    let gpu = studio.renderer.gpu().clone();
    for (format, order) in [
        (wgpu::TextureFormat::Rgba8Unorm, [0, 1, 2]),
        (wgpu::TextureFormat::Bgra8Unorm, [2, 1, 0]),
        (wgpu::TextureFormat::Rgba8UnormSrgb, [0, 1, 2]),
    ] {
        let texture = foreign_texture(gpu.device(), format);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        studio.renderer.draw_into(&studio.scene, &view, format, [SIDE; 2]).unwrap();
        let pixels = read_texture(gpu.device(), gpu.queue(), &texture);
        let rgb = pixels.chunks_exact(4).flat_map(|p| order.map(|k| p[k]));
        let worst = rgb.zip(&expected).map(|(a, &b)| a.abs_diff(b)).max().unwrap();
        assert!(worst <= u8::from(format.is_srgb()), "{format:?}: {worst}");
    }
    let texture = foreign_texture(gpu.device(), wgpu::TextureFormat::Depth32Float);
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let refused =
        studio.renderer.draw_into(&studio.scene, &view, wgpu::TextureFormat::Depth32Float, [SIDE; 2]);
    assert!(matches!(refused, Err(RenderError::Unsupported { .. })), "{refused:?}");
}

/// A sheet, a solid and a rope that are no part of the model are seen where they are, in their colours; a
/// sheet from both sides.
#[test]
fn deformable_bodies_are_drawn() {
    let floor = r#"<geom type="plane" size="2 2 .1" rgba=".2 .2 .2 1"/>"#;
    let xml = from_above(&format!("<worldbody>{CAMERA}{floor}</worldbody>"));
    let Some(mut studio) = studio(&xml) else { return };
    let corner = |x: f64, y: f64| Vec3::new(x, y, 1.0);
    let vertices = [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
    let sheet = Deformable {
        name: "sheet",
        vertices: &vertices,
        triangles: &[[0, 1, 2], [0, 2, 3]],
        segments: &[],
        radius: 0.01,
        rgba: [0.9, 0.1, 0.1, 1.0],
    };
    let reversed = Deformable { triangles: &[[0, 2, 1], [0, 3, 2]], ..sheet };
    let rope =
        Deformable { triangles: &[], segments: &[[0, 2]], radius: 0.1, rgba: [0.1, 0.1, 0.9, 1.0], ..sheet };
    // what is not there is left out
    let broken = Deformable { triangles: &[[0, 1, 9], [0, 1, 2]], ..sheet };
    let empty = Deformable { vertices: &[], ..sheet };
    for (body, channel, distance) in
        [(sheet, 0, 1.99), (reversed, 0, 1.99), (rope, 2, 1.9), (broken, 0, 1.99)]
    {
        studio.update();
        let before = studio.scene.geoms.len();
        mjv_add_deformable(&studio.model, &body, &MjvOption::default(), &mut studio.scene);
        mjv_add_deformable(&studio.model, &empty, &MjvOption::default(), &mut studio.scene);
        assert_eq!(studio.scene.geoms.len(), before + 1);
        let image = studio.color();
        // beside the diagonal, and for the rope on it
        let probe =
            if body.segments.is_empty() { (SIDE / 2 + 3, SIDE / 2 + 1) } else { (SIDE / 2, SIDE / 2) };
        let seen = pixel(&image, probe.0, probe.1);
        assert!((0..3).all(|k| k == channel || seen[k] < seen[channel] / 2), "{seen:?}");
        let sensed = studio.sense(Sensed::Segmented);
        let at = (probe.1 * SIDE + probe.0) as usize;
        assert!((sensed.depth[at] - distance).abs() < 0.01, "{} m", sensed.depth[at]);
        assert_eq!(sensed.segid[at], before as i32);
        assert_eq!(sensed.objects(&studio.scene)[at], [0, 0]);
    }
    // the options of flexes hold
    let mut hidden = MjvOption::default();
    for flag in [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin] {
        hidden.flags[flag as usize] = 0;
    }
    studio.update();
    let before = studio.scene.geoms.len();
    mjv_add_deformable(&studio.model, &sheet, &hidden, &mut studio.scene);
    assert_eq!(studio.scene.geoms.len(), before);
    // a scene without room says so
    studio.scene.maxgeom = before;
    mjv_add_deformable(&studio.model, &sheet, &MjvOption::default(), &mut studio.scene);
    assert_eq!((studio.scene.geoms.len(), studio.scene.status), (before, 1));
}
