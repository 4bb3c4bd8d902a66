//! Pictures in memory.

use crate::scene::MjvScene;

/// A colour picture, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorImage {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
}

/// A picture of objects and distances, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorImage {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Segmentation id of each pixel (`MjvGeom::segid`), −1 for the background.
    pub segid: Vec<i32>,
    /// Distance along the camera's axis (m); that of the far plane in the background.
    pub depth: Vec<f32>,
}

impl SensorImage {
    /// Id and kind (`mjtObj`) of the object in each pixel, −1 for the background.
    #[must_use]
    pub fn objects(&self, scene: &MjvScene) -> Vec<[i32; 2]> {
        let table = object_table(scene);
        self.segid.iter().map(|&id| table.get((id + 1) as usize).copied().unwrap_or([-1; 2])).collect()
    }
}

/// Id and kind of objects by their number in sensor pictures, where the background is the first.
pub(super) fn object_table(scene: &MjvScene) -> Vec<[i32; 2]> {
    let last = scene.geoms.iter().map(|g| g.segid).max().unwrap_or(-1);
    let mut table = vec![[-1; 2]; (last + 2) as usize];
    for geom in scene.geoms.iter().filter(|g| g.segid >= 0) {
        table[geom.segid as usize + 1] = [geom.objid, geom.objtype];
    }
    table
}

/// Segmentation ids and distances of a row of pixels as the device writes them; the background is at a
/// distance of `far`.
pub(super) fn sensor_pixels(row: &[u8], far: f32) -> impl Iterator<Item = (i32, f32)> {
    row.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[u32; 2]>).map(move |[id, bits]| {
        // nothing is at distance 0, which lies before the near plane
        (id as i32 - 1, if bits == 0 { far } else { f32::from_bits(bits) })
    })
}

/// A colour that tells an object from others in segmentation pictures, black for the background (−1).
#[must_use]
pub fn segmentation_color(segid: i32) -> [u8; 3] {
    if segid < 0 {
        return [0; 3];
    }
    // Halton sequences spread colours evenly, however many there are
    [2, 3, 5].map(|base| (255.0 * (0.1 + 0.8 * halton(segid as u32 + 10, base))).round() as u8)
}

/// The radical inverse of `index`: its digits in a base, mirrored at the point.
fn halton(mut index: u32, base: u32) -> f64 {
    let (mut value, mut weight) = (0.0, 1.0 / f64::from(base));
    while index > 0 {
        value += weight * f64::from(index % base);
        index /= base;
        weight /= f64::from(base);
    }
    value
}
