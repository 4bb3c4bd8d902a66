//! Names of model elements, looked up in constant time through the hash table that a model carries.
//!
//! `names` holds all names as zero-terminated text; `names_map` holds, for each kind of element, an
//! open-addressing hash table of element ids with twice as many slots as elements, probed linearly.

use crate::Model;
use crate::enums::ObjType;

/// Slots per element in the name table.
pub const NAME_SLOTS: usize = 2;

/// The kinds of elements that have names, in the order of their sections in `names_map`.
const NAMED: [ObjType; 23] = [
    ObjType::Body,
    ObjType::Joint,
    ObjType::Geom,
    ObjType::Site,
    ObjType::Camera,
    ObjType::Light,
    ObjType::Flex,
    ObjType::Mesh,
    ObjType::Skin,
    ObjType::Hfield,
    ObjType::Texture,
    ObjType::Material,
    ObjType::Pair,
    ObjType::Exclude,
    ObjType::Equality,
    ObjType::Tendon,
    ObjType::Actuator,
    ObjType::Sensor,
    ObjType::Numeric,
    ObjType::Text,
    ObjType::Tuple,
    ObjType::Key,
    ObjType::Plugin,
];

/// Name addresses of all elements of one kind; `None` when elements of that kind have no names.
#[must_use]
pub fn name_addresses(model: &Model, kind: ObjType) -> Option<&[i32]> {
    Some(match kind {
        ObjType::Body | ObjType::Xbody => &model.name_bodyadr,
        ObjType::Joint => &model.name_jntadr,
        ObjType::Geom => &model.name_geomadr,
        ObjType::Site => &model.name_siteadr,
        ObjType::Camera => &model.name_camadr,
        ObjType::Light => &model.name_lightadr,
        ObjType::Flex => &model.name_flexadr,
        ObjType::Mesh => &model.name_meshadr,
        ObjType::Skin => &model.name_skinadr,
        ObjType::Hfield => &model.name_hfieldadr,
        ObjType::Texture => &model.name_texadr,
        ObjType::Material => &model.name_matadr,
        ObjType::Pair => &model.name_pairadr,
        ObjType::Exclude => &model.name_excludeadr,
        ObjType::Equality => &model.name_eqadr,
        ObjType::Tendon => &model.name_tendonadr,
        ObjType::Actuator => &model.name_actuatoradr,
        ObjType::Sensor => &model.name_sensoradr,
        ObjType::Numeric => &model.name_numericadr,
        ObjType::Text => &model.name_textadr,
        ObjType::Tuple => &model.name_tupleadr,
        ObjType::Key => &model.name_keyadr,
        ObjType::Plugin => &model.name_pluginadr,
        ObjType::Unknown | ObjType::Dof | ObjType::Frame | ObjType::Default | ObjType::Model => return None,
    })
}

/// First slot of the hash table for one kind of element.
fn table_start(model: &Model, kind: ObjType) -> usize {
    let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
    NAMED
        .iter()
        .take_while(|&&k| k != kind)
        .map(|&k| NAME_SLOTS * name_addresses(model, k).map_or(0, <[i32]>::len))
        .sum()
}

/// Hash of a name in a table with `slots` slots.
#[must_use]
pub fn name_hash(name: &[u8], slots: usize) -> usize {
    let hash = name.iter().fold(5381u64, |h, &c| {
        // text counts as signed bytes
        (h << 5).wrapping_add(h) ^ (i64::from(c as i8) as u64)
    });
    (hash % slots as u64) as usize
}

/// The zero-terminated text at an address of `names`.
fn text_at(model: &Model, address: i32) -> &[u8] {
    let tail = usize::try_from(address).ok().and_then(|a| model.names.get(a..)).unwrap_or_default();
    let end = tail.iter().position(|&c| c == 0).unwrap_or(tail.len());
    &tail[..end]
}

/// Id of the element with the given kind and name.
#[must_use]
pub fn mj_name2id(model: &Model, kind: ObjType, name: &str) -> Option<usize> {
    let addresses = name_addresses(model, kind)?;
    let slots = NAME_SLOTS * addresses.len();
    if slots == 0 {
        return None;
    }
    let table = model.names_map.get(table_start(model, kind)..)?.get(..slots)?;
    let start = name_hash(name.as_bytes(), slots);
    for probe in 0..slots {
        let id = usize::try_from(table[(start + probe) % slots]).ok()?;
        if text_at(model, *addresses.get(id)?) == name.as_bytes() {
            return Some(id);
        }
    }
    None
}

/// Name of the element with the given kind and id; `None` when it has none or does not exist.
#[must_use]
pub fn mj_id2name(model: &Model, kind: ObjType, id: usize) -> Option<&str> {
    let text = text_at(model, *name_addresses(model, kind)?.get(id)?);
    if text.is_empty() { None } else { std::str::from_utf8(text).ok() }
}

/// Fills `names_map` from `names` and the name addresses.
pub fn build_names_map(model: &mut Model) {
    let mut map = vec![-1; model.nnames_map];
    for &kind in &NAMED {
        let Some(addresses) = name_addresses(model, kind) else { continue };
        let slots = NAME_SLOTS * addresses.len();
        let Some(table) = map.get_mut(table_start(model, kind)..).and_then(|t| t.get_mut(..slots)) else {
            continue;
        };
        for (id, &address) in addresses.iter().enumerate() {
            let name = text_at(model, address);
            if name.is_empty() {
                continue;
            }
            let mut slot = name_hash(name, slots);
            while table[slot] >= 0 {
                slot = (slot + 1) % slots;
            }
            table[slot] = id as i32;
        }
    }
    model.names_map.copy_from_slice(&map);
}
