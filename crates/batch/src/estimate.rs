//! How much memory worlds take, before they are made.

use crate::world::World;
use kinetree_model::{Data, Model};

/// What an allocation takes besides its bytes: its header, and rounding up.
const ALLOCATION: usize = 32;

/// Numbers of a world in the tables besides those of controls, sensors, states and outputs.
const FLAGS: usize = 4;

/// Bytes that so many worlds of a model take, with arrays of the data as outputs; none when that is more than
/// a number can say. Contacts and constraint rows, which there are as many of as bodies touch, come on top of
/// it.
#[must_use]
pub fn bytes_of_worlds(model: &Model, worlds: usize, outputs: &[&str]) -> Option<usize> {
    let data = Data::new(model);
    let (mut arrays, mut row) = (0, model.nu + model.nsensordata + model.nq + model.nv + FLAGS);
    for field in data.fields() {
        let count = field.shape.iter().product::<usize>();
        arrays += usize::from(count > 0);
        row += if outputs.contains(&field.name) { count } else { 0 };
    }
    let heap = arrays * ALLOCATION + model.sizes().data_bytes() + row * size_of::<f64>();
    (size_of::<World>() + heap).checked_mul(worlds)
}
