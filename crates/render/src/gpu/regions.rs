//! Where several samples per pixel matter: at outlines.
//!
//! A floor, the sky and haze look the same with one sample per pixel as with several, except at the edges of
//! the floor. A processor that draws by itself pays for each sample, and so it draws these once for the whole
//! picture with one sample, and with several only the rectangles in which shapes and edges are.

use super::bounds::{ClipRect, Sphere};
use super::list::{Batch, DrawList, ListSource};
use super::pipeline::{Blend, Mapping, PipelineKey};
use super::shape::Shape;
use super::view::{Eye, Mirror};
use super::visible::pose;
use crate::scene::{MjvGeom, RndFlag};
use kinetree_model::enums::GeomType;
use nalgebra::{Matrix4, Vector4};

/// Pixels around shapes and edges that belong to a region, for lines that are wider than their ends.
const MARGIN: f32 = 3.0;
/// Sides of regions are multiples of it (pixels), so that their targets are seldom made anew.
const STEP: u32 = 16;
/// Most pixels of all regions, relative to the picture: where there are more it is drawn as a whole, since a
/// region is a pass of its own, and its backdrop is drawn twice.
const MOST: f32 = 0.3;

/// A rectangle of the picture that is drawn with several samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// Its left and upper pixel.
    pub(super) origin: [u32; 2],
    pub(super) size: [u32; 2],
    /// Whether there are shapes in it, or only edges of the floor.
    pub(super) shapes: bool,
}

impl Region {
    /// The pixels that a rectangle in clip space touches; `None` when that is outside the picture.
    fn around(rect: &ClipRect, picture: [u32; 2], shapes: bool) -> Option<Self> {
        // rows count from the top
        let ends = [[rect.min[0], rect.max[0]], [-rect.max[1], -rect.min[1]]];
        let (mut origin, mut size) = ([0; 2], [0; 2]);
        for k in 0..2 {
            let side = picture[k] as f32;
            let pixel = |x: f32| 0.5 * (1.0 + x) * side;
            let first = (pixel(ends[k][0]) - MARGIN).floor().clamp(0.0, side) as u32;
            let end = (pixel(ends[k][1]) + MARGIN).ceil().clamp(0.0, side) as u32;
            if end <= first {
                return None;
            }
            size[k] = (end - first).next_multiple_of(STEP).min(picture[k]);
            origin[k] = first.min(picture[k] - size[k]);
        }
        Some(Self { origin, size, shapes })
    }

    /// The part of a picture's eye that sees this region.
    pub(super) fn eye(&self, eye: &Eye, picture: [u32; 2]) -> Eye {
        let mut part = Matrix4::identity();
        for k in 0..2 {
            let [whole, size, first] = [picture[k], self.size[k], self.origin[k]].map(|n| n as f32);
            let shift = (whole - 2.0 * first) / size - 1.0;
            part[(k, k)] = whole / size;
            part[(k, 3)] = if k == 0 { shift } else { -shift };
        }
        Eye { proj: part * eye.proj, view: eye.view }
    }

    fn pixels(&self) -> f32 {
        (self.size[0] * self.size[1]) as f32
    }
}

/// Whether a batch belongs to what one sample per pixel is enough for.
fn is_backdrop(batch: &Batch) -> bool {
    let sky = matches!(batch.key.mapping, Mapping::Sky | Mapping::NearSky);
    let shape = matches!(batch.shape, Shape::Plane(_) | Shape::VisiblePlane(_) | Shape::Haze);
    (sky || shape) && !batch.key.mirrored
}

/// The floor, the sky and haze with a number of samples. No mirror image is behind them, so that a mirror
/// needs no blending.
pub(super) fn backdrop(list: &DrawList, samples: u8) -> Vec<Batch> {
    let plain = |batch: &Batch| {
        let blend = if batch.key.blend == Blend::Add { Blend::Replace } else { batch.key.blend };
        Batch { key: PipelineKey { samples, blend, ..batch.key }, ..batch.clone() }
    };
    list.color.iter().filter(|batch| is_backdrop(batch)).map(plain).collect()
}

impl ListSource<'_> {
    /// The regions outside which the picture is a backdrop; `None` when it is better drawn as a whole.
    pub(super) fn regions(&self, eye: &Eye, picture: [u32; 2], list: &DrawList) -> Option<Vec<Region>> {
        let whole = self.samples == 1 || list.stencil || self.scene.flags[RndFlag::Wireframe as usize] != 0;
        if whole || self.lens.is_none() {
            return None;
        }
        let projection = eye.proj * eye.view;
        let (mut spheres, mut regions, mut floors) = (Vec::new(), Vec::new(), 0);
        for geom in &self.scene.geoms {
            if geom.type_ == GeomType::Plane as i32 {
                floors += 1;
                let edges = self.floor_edges(geom, &projection)?;
                regions.extend(edges.iter().filter_map(|rect| Region::around(rect, picture, false)));
            } else {
                spheres.push(Sphere::around(geom)?);
            }
        }
        if let Some(mirror) = &list.mirror {
            let images: Vec<_> = spheres.iter().map(|sphere| mirrored(sphere, mirror)).collect();
            spheres.extend(images);
        }
        let shapes = ClipRect::around(&spheres, &projection)?;
        // shapes come last: they cover edges
        regions.extend(Region::around(&shapes, picture, true));
        let most = MOST * (picture[0] * picture[1]) as f32;
        (floors <= 1 && regions.iter().map(Region::pixels).sum::<f32>() <= most).then_some(regions)
    }

    /// Rectangles around the edges of a floor that are in the picture; `None` for planes that are no floor.
    fn floor_edges(&self, geom: &MjvGeom, projection: &Matrix4<f32>) -> Option<Vec<ClipRect>> {
        let grid = self.assets.grids.get(usize::try_from(geom.dataid).ok()?)?;
        if self.is_transparent(geom) {
            return None;
        }
        let ends = |lines: &[f32]| Some([*lines.first()?, *lines.last()?]);
        let ([left, right], [low, high]) = (ends(&grid.x)?, ends(&grid.y)?);
        let to_clip = projection * pose(geom);
        let corners = [[left, low], [right, low], [right, high], [left, high]]
            .map(|[x, y]| to_clip * Vector4::new(x, y, 0.0, 1.0));
        // near and far planes
        let outline = cut(&cut(&corners, |p| p.w - p.z), |p| p.z);
        let pairs = outline.iter().zip(outline.iter().cycle().skip(1));
        Some(pairs.filter_map(|(a, b)| edge(*a, *b)).collect())
    }
}

/// The part of a convex polygon where a linear function is not negative.
fn cut(polygon: &[Vector4<f32>], inside: impl Fn(&Vector4<f32>) -> f32) -> Vec<Vector4<f32>> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (a, b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (da, db) = (inside(a), inside(b));
        if da >= 0.0 {
            kept.push(*a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            kept.push(a + (b - a) * (da / (da - db)));
        }
    }
    kept
}

/// The rectangle around the part of an edge that is in the picture.
fn edge(mut a: Vector4<f32>, mut b: Vector4<f32>) -> Option<ClipRect> {
    for k in 0..2 {
        for sign in [-1.0, 1.0] {
            let [da, db] = [a, b].map(|p| p.w + sign * p[k]);
            if da < 0.0 && db < 0.0 {
                return None;
            }
            if da < 0.0 {
                a += (b - a) * (da / (da - db));
            } else if db < 0.0 {
                b += (a - b) * (db / (db - da));
            }
        }
    }
    let [a, b] = [a, b].map(|p| [p.x / p.w, p.y / p.w]);
    let rect = ClipRect { min: [a[0].min(b[0]), a[1].min(b[1])], max: [a[0].max(b[0]), a[1].max(b[1])] };
    rect.min.iter().chain(&rect.max).all(|x| x.is_finite()).then_some(rect)
}

fn mirrored(sphere: &Sphere, mirror: &Mirror) -> Sphere {
    let height = (sphere.pos - mirror.pos).dot(&mirror.normal);
    Sphere { pos: sphere.pos - 2.0 * height * mirror.normal, ..*sphere }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels keep their positions: what is in the middle of one of a region is so in the picture.
    #[test]
    fn regions_are_parts_of_the_picture() {
        let eye = Eye { proj: Matrix4::identity(), view: Matrix4::identity() };
        let rect = ClipRect { min: [-0.5, 0.0], max: [-0.25, 0.5] };
        let region = Region::around(&rect, [200, 100], true).unwrap();
        assert_eq!((region.origin, region.size), ([47, 22], [32, 32]));
        let part = region.eye(&eye, [200, 100]);
        // the upper left corner of the picture's pixel (50, 30)
        let p = part.proj * Vector4::new(-0.5, 0.4, 0.0, 1.0);
        let at = [0.5 * (1.0 + p.x) * 32.0 + 47.0, 0.5 * (1.0 - p.y) * 32.0 + 22.0];
        assert!((at[0] - 50.0).abs() < 1e-4 && (at[1] - 30.0).abs() < 1e-4, "{at:?}");
        assert_eq!(Region::around(&ClipRect { min: [2.0; 2], max: [3.0; 2] }, [200, 100], true), None);
    }

    /// A quadrilateral that reaches behind the eye is cut where it passes it.
    #[test]
    fn edges_behind_the_eye_are_cut() {
        let polygon = [1.0, 1.0, -1.0, -1.0].map(|w| Vector4::new(0.5, 0.5, 0.5, w));
        let kept = cut(&polygon, |p| p.w);
        assert!(kept.len() == 4 && kept.iter().all(|p| p.w >= 0.0));
        assert_eq!(edge(Vector4::new(3.0, 0.0, 0.5, 1.0), Vector4::new(5.0, 0.0, 0.5, 1.0)), None);
        let inside = edge(Vector4::new(-3.0, 0.5, 0.5, 1.0), Vector4::new(0.5, 0.5, 0.5, 1.0)).unwrap();
        assert_eq!((inside.min, inside.max), ([-1.0, 0.5], [0.5, 0.5]));
    }

    const MIRROR: &str = r#"<mujoco><statistic extent="2" center="0 0 0.5"/>
        <asset>
            <texture type="skybox" builtin="gradient" rgb1="0.3 0.5 0.7" rgb2="0.9 0.9 1" width="16" height="96"/>
            <texture name="grid" type="2d" builtin="checker" rgb1="0.1 0.2 0.3" rgb2="0.2 0.3 0.4" width="64" height="64"/>
            <material name="grid" texture="grid" texrepeat="4 4" reflectance="0.3"/>
        </asset>
        <worldbody>
            <light pos="1 1 4" dir="-0.2 -0.2 -1" type="directional"/>
            <geom type="plane" size="SIZE" material="grid"/>
            <geom type="capsule" size="0.1 0.3" pos="0 0 0.6" euler="30 20 0" rgba="0.9 0.4 0.2 1"/>
            <geom type="box" size="0.2 0.1 0.05" pos="0.3 0 0.03" rgba="0.2 0.7 0.3 0.5"/>
        </worldbody></mujoco>"#;

    /// Fewer samples where there are no outlines change no picture, whatever is seen of the floor's edges.
    #[test]
    fn sparing_samples_changes_nothing() {
        use crate::scene::{
            CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_default_free_camera, mjv_update_scene,
        };
        for (size, elevation) in
            [("0 0 0.1", -5.0), ("20 20 0.1", -30.0), ("0 0 0.1", -80.0), ("1 1 0.1", -20.0)]
        {
            let model = kinetree_spec::load_model_str(&MIRROR.replace("SIZE", size)).unwrap();
            let Ok(mut renderer) = super::super::Renderer::new(&model) else { return };
            let mut data = kinetree_model::Data::new(&model);
            kinetree_sim::mj_forward(&model, &mut data).unwrap();
            let (mut scene, mut camera) = (MjvScene::new(&model, 100), MjvCamera::default());
            mjv_default_free_camera(&model, &mut camera);
            camera.elevation = elevation;
            // from afar, so that shapes cover little of the picture
            camera.distance *= 1.6;
            for _ in 0..2 {
                let option = MjvOption::default();
                mjv_update_scene(&model, &data, &option, None, &mut camera, CAT_ALL, &mut scene).unwrap();
            }
            let mut draw = |sparing| {
                renderer.sparing = sparing;
                let image = renderer.color(&scene, 240, 160).unwrap();
                (image.rgb, renderer.regions.len())
            };
            let ((whole, none), (parts, some)) = (draw(false), draw(true));
            assert_eq!(none, 0);
            // a mirror whose image reaches beyond it is drawn as a whole
            assert_eq!(some > 0, size != "1 1 0.1", "{size} {elevation}: {some} regions");
            let differing = whole.iter().zip(&parts).filter(|&(a, b)| a.abs_diff(*b) > 1).count();
            // positions in regions are rounded differently: single pixels of outlines may flip a sample
            assert!(differing <= 30, "{size} {elevation}: {differing} of {} bytes differ", whole.len());
        }
    }
}
