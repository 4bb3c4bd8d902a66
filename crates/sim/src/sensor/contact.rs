//! Contact sensor: data of the contacts between two objects, some of them or all reduced to one.

use super::description::Sensor;
use super::geometry::inside_site;
use crate::constraint::mj_contact_force;
use kinetree_math::rot::mat3;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{ConDataField, ObjType};
use kinetree_model::{Contact, Data, Model};

const UNKNOWN: i32 = ObjType::Unknown as i32;
const BODY: i32 = ObjType::Body as i32;
const XBODY: i32 = ObjType::Xbody as i32;
const GEOM: i32 = ObjType::Geom as i32;
const SITE: i32 = ObjType::Site as i32;

/// Numbers per field, in the order of the fields.
const FIELD_SIZES: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// How several contacts are reduced.
const REDUCE_MINDIST: i32 = 1;
const REDUCE_MAXFORCE: i32 = 2;
const REDUCE_NETFORCE: i32 = 3;

/// A contact that the sensor sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    criterion: f64,
    id: usize,
    flip: bool,
}

/// Addresses of the fields within a slot, and the size of a slot.
struct Layout {
    address: [Option<usize>; 7],
    size: usize,
}

impl Layout {
    fn new(spec: i32) -> Self {
        let mut size = 0;
        let address = std::array::from_fn(|field| {
            (spec & (1 << field) != 0).then(|| {
                size += FIELD_SIZES[field];
                size - FIELD_SIZES[field]
            })
        });
        Self { address, size }
    }

    /// Writes a field into a slot, if the sensor has it.
    fn put(&self, slot: &mut [f64], field: ConDataField, values: &[f64]) {
        if let Some(address) = self.address[field as usize] {
            slot[address..address + values.len()].copy_from_slice(values);
        }
    }
}

/// Computes one contact sensor.
pub(super) fn compute(
    model: &Model,
    data: &Data,
    matches: &mut Vec<Match>,
    sensor: &Sensor,
    out: &mut [f64],
) {
    out.fill(0.0);
    let [spec, reduce, _] = model.sensor_intprm[sensor.index];
    let layout = Layout::new(spec);
    if layout.size == 0 {
        return;
    }
    matches.clear();
    for id in 0..data.ncon {
        let Some(flip) = match_contact(model, data, sensor, &data.contact[id]) else { continue };
        let criterion = match reduce {
            REDUCE_MINDIST => data.contact[id].dist,
            REDUCE_MAXFORCE => {
                let force = mj_contact_force(model, data, id);
                -(force[0] * force[0] + force[1] * force[1] + force[2] * force[2])
            }
            _ => 0.0,
        };
        matches.push(Match { criterion, id, flip });
    }
    if reduce == REDUCE_NETFORCE {
        if out.len() >= layout.size {
            write_net_force(model, data, matches, &layout, out);
        }
    } else {
        if reduce == REDUCE_MINDIST || reduce == REDUCE_MAXFORCE {
            matches.sort_unstable_by(|a, b| a.criterion.total_cmp(&b.criterion).then(a.id.cmp(&b.id)));
        }
        for (slot, found) in out.chunks_exact_mut(layout.size).zip(matches.iter()) {
            write_contact(model, data, found, matches.len(), &layout, slot);
        }
    }
}

/// Whether the sensor sees a contact, and if so whether its normal has to be reversed.
fn match_contact(model: &Model, data: &Data, sensor: &Sensor, contact: &Contact) -> Option<bool> {
    if sensor.object.0 == SITE && !inside_site(model, data, sensor.object.1 as usize, &contact.pos) {
        return None;
    }
    contact_sight(model, [sensor.object, sensor.reference], contact.geom)
}

/// Whether a sensor of two objects (types and numbers) sees contacts of two geoms, and if so whether their
/// normals have to be reversed, so that they point from the first object to the second. Whether a
/// contact is in a region, if the first object is one, is another question.
#[must_use]
pub fn contact_sight(model: &Model, objects: [(i32, i32); 2], geoms: [i32; 2]) -> Option<bool> {
    let [first, second] = objects.map(|object| geoms.map(|geom| is_side(model, geom, object)));
    match objects.map(|(objtype, _)| objtype) {
        [UNKNOWN, UNKNOWN] => Some(false),
        _ if first == [false; 2] || second == [false; 2] => None,
        [UNKNOWN, _] => Some(!second[1]),
        [_, UNKNOWN] => Some(!first[0]),
        _ if first[0] && second[1] => Some(false),
        _ if first[1] && second[0] => Some(true),
        _ => None,
    }
}

/// Whether a geom is one side of a contact that a sensor names.
fn is_side(model: &Model, geom: i32, (objtype, id): (i32, i32)) -> bool {
    let body = usize::try_from(geom).map_or(-1, |g| model.geom_bodyid[g]);
    match objtype {
        UNKNOWN | SITE => true,
        GEOM => id == geom,
        BODY => id == body,
        XBODY => {
            // anywhere in the subtree
            let mut ancestor = body;
            while ancestor > id {
                ancestor = model.body_parentid[ancestor as usize];
            }
            ancestor == id
        }
        _ => false,
    }
}

/// Writes one contact. A reversed contact frame is rotated by half a turn about its third axis, and the force
/// changes sign.
fn write_contact(model: &Model, data: &Data, found: &Match, count: usize, layout: &Layout, slot: &mut [f64]) {
    let contact = &data.contact[found.id];
    let sign = if found.flip { -1.0 } else { 1.0 };
    let wrench = mj_contact_force(model, data, found.id);
    let frame = &contact.frame;
    layout.put(slot, ConDataField::Found, &[count as f64]);
    layout.put(slot, ConDataField::Force, &[wrench[0], wrench[1], wrench[2] * sign]);
    layout.put(slot, ConDataField::Torque, &[wrench[3], wrench[4], wrench[5] * sign]);
    layout.put(slot, ConDataField::Dist, &[contact.dist]);
    layout.put(slot, ConDataField::Pos, &contact.pos);
    layout.put(slot, ConDataField::Normal, &[frame[0] * sign, frame[1] * sign, frame[2] * sign]);
    layout.put(slot, ConDataField::Tangent, &[frame[3] * sign, frame[4] * sign, frame[5] * sign]);
}

/// Writes the total wrench of all contacts in global coordinates, about their force-weighted mean position.
fn write_net_force(model: &Model, data: &Data, matches: &[Match], layout: &Layout, slot: &mut [f64]) {
    let wrench_of = |found: &Match| {
        let sign = if found.flip { -1.0 } else { 1.0 };
        let w = mj_contact_force(model, data, found.id);
        (Vec3::new(w[0], w[1], w[2]) * sign, Vec3::new(w[3], w[4], w[5]) * sign)
    };
    let (mut point, mut weight) = (Vec3::zeros(), 0.0);
    for found in matches {
        let size = wrench_of(found).0.norm();
        point += Vec3::from(data.contact[found.id].pos) * size;
        weight += size;
    }
    point *= 1.0 / f64::max(weight, MINVAL);

    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for found in matches {
        let contact = &data.contact[found.id];
        let frame = mat3(&contact.frame);
        let (local_force, local_torque) = wrench_of(found);
        let f = frame.tr_mul(&local_force);
        force += f;
        torque += frame.tr_mul(&local_torque);
        torque += (Vec3::from(contact.pos) - point).cross(&f);
    }
    layout.put(slot, ConDataField::Found, &[matches.len() as f64]);
    layout.put(slot, ConDataField::Force, force.as_slice());
    layout.put(slot, ConDataField::Torque, torque.as_slice());
    layout.put(slot, ConDataField::Pos, point.as_slice());
    layout.put(slot, ConDataField::Normal, &[1.0, 0.0, 0.0]);
    layout.put(slot, ConDataField::Tangent, &[0.0, 1.0, 0.0]);
}
