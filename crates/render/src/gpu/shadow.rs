//! Shadow maps: how fine they are, and which part of a light's view they hold.
//!
//! A light sees far more than the bodies that cast shadows. Only the texels around those are drawn, at the
//! positions that they have in the whole map, so that shadows do not depend on what is left out.

use super::bounds::{ClipRect, Sphere};
use super::view::Eye;
use nalgebra::{Matrix4, Vector4};

/// Texels of a shadow map per pixel along a side of the picture: finer ones could not be seen.
const TEXELS: u32 = 2;
/// Least size of a whole map that follows the picture (texels).
const LEAST_WHOLE: u32 = 1024;
/// Sizes of maps are multiples of it (texels).
const STEP: u32 = 64;
/// Texels around what casts shadows that stay empty, so that nothing beyond the map is in shadow.
const RIM: f32 = 2.0;

/// A light's view: how its map is drawn, and how it is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShadowView {
    /// The eye that draws the map.
    pub(super) eye: Eye,
    /// From positions in the world to positions in the map.
    pub(super) lookup: Matrix4<f32>,
}

/// Size of a whole map for a picture (texels).
pub(super) fn whole_size(asked: u32, picture: u32, full: bool, limit: u32) -> u32 {
    let useful = if full { u32::MAX } else { (TEXELS * picture).next_power_of_two().max(LEAST_WHOLE) };
    asked.min(useful).min(limit)
}

/// The first and last texels of a whole map that shadows fall on; all where the casters are not known.
fn covered(eye: &Eye, casters: Option<&[Sphere]>, whole: u32) -> [[f32; 2]; 2] {
    let side = whole as f32;
    let all = [[0.0, side]; 2];
    let Some(rect) = casters.and_then(|spheres| ClipRect::around(spheres, &(eye.proj * eye.view))) else {
        return all;
    };
    let texel = |x: f32| (0.5 * (1.0 + x) * side).clamp(0.0, side);
    let ends =
        |low: f32, high: f32| [(texel(low) - RIM).floor().max(0.0), (texel(high) + RIM).ceil().min(side)];
    // rows count from the top
    [ends(rect.min[0], rect.max[0]), ends(-rect.max[1], -rect.min[1])]
}

/// The parts of whole maps of a given size that hold all shadows, and the size of these parts.
///
/// A part as large as the `last` ones is taken if it is not much too large, so that maps are seldom made
/// anew.
pub(super) fn views(
    eyes: &[Eye],
    casters: Option<&[Sphere]>,
    whole: u32,
    last: Option<u32>,
) -> (Vec<ShadowView>, u32) {
    let parts: Vec<_> = eyes.iter().map(|eye| covered(eye, casters, whole)).collect();
    let widest = parts.iter().flatten().map(|[from, to]| to - from).fold(0.0, f32::max) as u32;
    let needed = widest.next_multiple_of(STEP).max(STEP).min(whole);
    let size = last.filter(|&s| s >= needed && s <= (2 * needed).min(whole)).unwrap_or(needed);
    let origin = |part: &[[f32; 2]; 2]| {
        part.map(|[from, to]| (0.5 * (from + to - size as f32)).floor().clamp(0.0, (whole - size) as f32))
    };
    let views = eyes.iter().zip(&parts).map(|(eye, part)| view(eye, whole as f32, size as f32, origin(part)));
    (views.collect(), size)
}

/// The view of the `size` texels from `first` on.
fn view(eye: &Eye, whole: f32, size: f32, first: [f32; 2]) -> ShadowView {
    // maps are drawn without a texel at each rim, and looked up as if they had none, as the reference does
    let part = |scale: f32| {
        let shift = first.map(|at| (whole - 2.0 * at) / size - 1.0);
        let mut matrix = Matrix4::from_diagonal(&Vector4::new(scale / size, scale / size, 1.0, 1.0));
        (matrix[(0, 3)], matrix[(1, 3)]) = (shift[0], -shift[1]);
        matrix
    };
    ShadowView {
        eye: Eye { proj: part(whole - 2.0) * eye.proj, view: eye.view },
        lookup: part(whole) * eye.proj * eye.view,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn eye() -> Eye {
        Eye { proj: Matrix4::identity(), view: Matrix4::identity() }
    }

    /// Texel of a whole or partial map where a point lies, from the left and from the top.
    fn texel(lookup: &Matrix4<f32>, size: u32, p: [f32; 2]) -> [f32; 2] {
        let at = lookup * Vector4::new(p[0], p[1], 0.0, 1.0);
        [0.5 * (1.0 + at.x) * size as f32, 0.5 * (1.0 - at.y) * size as f32]
    }

    /// A part has the texels of the whole map, shifted by whole ones.
    #[test]
    fn parts_keep_their_texels() {
        let ball = [Sphere { pos: Vector3::new(0.3, -0.5, 0.0), radius: 0.05 }];
        let (whole, whole_size) = views(&[eye()], None, 1024, None);
        let (part, size) = views(&[eye()], Some(&ball), 1024, None);
        assert_eq!((whole_size, size), (1024, 64));
        for p in [[0.3, -0.5], [0.26, -0.46]] {
            let (a, b) = (texel(&whole[0].lookup, 1024, p), texel(&part[0].lookup, size, p));
            for k in 0..2 {
                let shift = a[k] - b[k];
                assert!((shift - shift.round()).abs() < 1e-3 && (1.0..=63.0).contains(&b[k]), "{a:?} {b:?}");
            }
        }
    }

    /// What reaches behind a light, or has no bounds, needs the whole map; maps shrink only when it is worth
    /// it.
    #[test]
    fn sizes_follow_the_casters() {
        let mut behind = eye();
        behind.proj[(3, 3)] = -1.0;
        let ball = [Sphere { pos: Vector3::zeros(), radius: 0.05 }];
        assert_eq!(views(&[behind], Some(&ball), 512, None).1, 512);
        assert_eq!(views(&[eye()], Some(&ball), 512, Some(128)).1, 128);
        assert_eq!(views(&[eye()], Some(&ball), 512, Some(512)).1, 64);
        assert_eq!(views(&[eye()], Some(&[]), 512, None).1, 64);
    }

    /// Whole maps are as fine as the picture can show, unless all of them are wanted.
    #[test]
    fn pictures_decide_how_fine_maps_are() {
        assert_eq!(whole_size(4096, 320, false, 16384), 1024);
        assert_eq!(whole_size(4096, 1280, false, 16384), 4096);
        assert_eq!(whole_size(4096, 320, true, 2048), 2048);
        assert_eq!(whole_size(256, 320, false, 16384), 256);
    }
}
