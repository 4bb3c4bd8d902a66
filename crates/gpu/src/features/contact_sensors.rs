//! Sensors of contacts between two objects: which contacts of which pairs of geoms each of them sees.

use crate::features::contact_pairs::PairGroups;
use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::{ObjType, SensorType};
use kinetree_sim::contact_sight;

const SITE: i32 = ObjType::Site as i32;

/// Numbers of each field of a contact, in the order of the bits that ask for them.
const FIELD_SIZES: [i32; 7] = [1, 3, 3, 1, 3, 3, 3];

/// The contact sensors of a model, by their numbers.
pub(crate) fn contact_sensors(model: &Model) -> Vec<usize> {
    (0..model.nsensor).filter(|&s| model.sensor_type[s] == SensorType::Contact as i32).collect()
}

/// The region that a sensor looks at, if it is one.
pub(crate) fn region(model: &Model, s: usize) -> Option<usize> {
    usize::try_from(model.sensor_objid[s]).ok().filter(|_| model.sensor_objtype[s] == SITE)
}

/// Whether the kernels have all contacts that such sensors see: those in a gap, which do not push, they do
/// not have.
pub(crate) fn sees_all(model: &Model) -> bool {
    model.geom_gap.iter().chain(&model.pair_gap[..]).all(|&gap| gap == 0.0)
}

/// Writes what each sensor reads, which pairs it sees, and the order of pairs in the processor's list.
pub(crate) fn write_contact_sensors(model: &Model, pairs: &PairGroups, table: &mut Table) {
    let list = contact_sensors(model);
    if list.is_empty() {
        return;
    }
    let size = |spec: i32| (0..7).filter(|k| spec & (1 << k) != 0).map(|k| FIELD_SIZES[k]).sum::<i32>();
    let settings = |&s: &usize| {
        let [spec, reduce, _] = model.sensor_intprm[s];
        // a slot of no numbers is none
        let slots = if size(spec) > 0 { model.sensor_dim[s] / size(spec) } else { 0 };
        [spec, reduce, slots]
    };
    table.ints("CONTACT_SETTINGS", list.iter().flat_map(settings));
    let ways = |&s: &usize| pairs.all_geoms().map(move |geoms| way(model, s, geoms));
    table.size("NPAIR", pairs.all_geoms().count());
    table.ints("CONTACT_WAYS", list.iter().flat_map(ways));
    table.ints("PAIR_RANK", pairs.ranks().iter().map(|&rank| rank as i32));
}

/// How a sensor sees contacts of a pair: 0 not at all, 1 as they are, 2 with the normal reversed.
/// Regions are tested by the kernel.
fn way(model: &Model, s: usize, geoms: [usize; 2]) -> i32 {
    let first = (model.sensor_objtype[s], model.sensor_objid[s]);
    let second = (model.sensor_reftype[s], model.sensor_refid[s]);
    contact_sight(model, [first, second], geoms.map(|geom| geom as i32))
        .map_or(0, |reversed| 1 + i32::from(reversed))
}
