//! Conditions that concern the description as a whole: names, counts.

use std::collections::HashMap;

use super::draft::Draft;
use super::keyframe::MAX_KEYS;
use crate::spec::{Arena, Element};
use kinetree_model::checkpoint;

/// Most bodies a model can have: their numbers share an integer in pairs.
const MAX_BODIES: usize = 65_534;

/// Refuses NaN in the text of a model that moves: everything computed from it would be lost. Of a model in
/// which nothing moves nothing is computed, and the reference's warning is enough.
pub(crate) fn not_numbers(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    if !spec.joints.is_empty() {
        for &pos in &spec.not_numbers {
            draft.report.error_at(pos, "a model that moves cannot have a value that is not a number");
        }
    }
}

/// Conditions on the world and on counts.
pub(crate) fn world(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    for joint in spec.bodies[spec.world()].joints.iter().filter_map(|&id| spec.joints.get(id)) {
        draft.report.error(joint, "the world cannot have joints");
    }
    if spec.bodies.len() + spec.flexes.len() >= MAX_BODIES {
        draft.report.error_global(format!("the number of bodies and flexes must be less than {MAX_BODIES}"));
    }
    if usize::try_from(spec.size.nkey).is_ok_and(|nkey| nkey > MAX_KEYS) {
        draft.report.error_global(format!("nkey is {}, at most {MAX_KEYS} is possible", spec.size.nkey));
    }
}

/// Assets need names, and names of one kind must be different.
pub(crate) fn names(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    for mesh in 0..draft.meshes.len() {
        if draft.meshes[mesh].name.is_empty() {
            let src = draft.meshes[mesh].src;
            draft.report.error(src, "needs a name");
        }
    }
    for hfield in spec.hfields.values().filter(|e| e.name.is_empty() && e.file.is_empty()) {
        draft.report.error(hfield, "needs a name");
    }
    let nameless_texture = |e: &&crate::spec::Texture| {
        e.name.is_empty()
            && super::assets::asset_name("", &e.file).is_empty()
            && e.r#type != kinetree_model::enums::TextureType::Skybox
    };
    for texture in spec.textures.values().filter(nameless_texture) {
        draft.report.error(texture, "needs a name");
    }
    for material in spec.materials.values().filter(|e| e.name.is_empty()) {
        draft.report.error(material, "needs a name");
    }
    repeated_names(draft);
}

fn repeated_names(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    unique(draft, &spec.bodies, |e| e.name.clone());
    unique(draft, &spec.frames, |e| e.name.clone());
    unique(draft, &spec.joints, |e| e.name.clone());
    unique(draft, &spec.geoms, |e| e.name.clone());
    unique(draft, &spec.sites, |e| e.name.clone());
    unique(draft, &spec.cameras, |e| e.name.clone());
    unique(draft, &spec.lights, |e| e.name.clone());
    unique(draft, &spec.flexes, |e| e.name.clone());
    unique(draft, &spec.meshes, |e| super::assets::asset_name(&e.name, &e.file));
    unique(draft, &spec.skins, |e| super::assets::asset_name(&e.name, &e.file));
    unique(draft, &spec.hfields, |e| super::assets::asset_name(&e.name, &e.file));
    unique(draft, &spec.textures, |e| super::assets::asset_name(&e.name, &e.file));
    unique(draft, &spec.materials, |e| e.name.clone());
    unique(draft, &spec.pairs, |e| e.name.clone());
    unique(draft, &spec.excludes, |e| e.name.clone());
    unique(draft, &spec.equalities, |e| e.name.clone());
    unique(draft, &spec.tendons, |e| e.name.clone());
    unique(draft, &spec.actuators, |e| e.name.clone());
    unique(draft, &spec.sensors, |e| e.name.clone());
    unique(draft, &spec.numerics, |e| e.name.clone());
    unique(draft, &spec.texts, |e| e.name.clone());
    unique(draft, &spec.tuples, |e| e.name.clone());
    unique(draft, &spec.keys, |e| e.name.clone());
    unique(draft, &spec.plugins, |e| e.name.clone());
}

fn unique<E: Element>(draft: &mut Draft<'_>, arena: &Arena<E>, name: impl Fn(&E) -> String) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for element in arena.values() {
        checkpoint();
        let key = name(element);
        if key.is_empty() {
            continue;
        }
        let line = element.origin().pos.line;
        let Some(first) = seen.get(&key) else {
            seen.insert(key, line);
            continue;
        };
        let reference = if *first == 0 { String::new() } else { format!(", see line {first}") };
        draft.report.error(element, format!("the name '{key}' is repeated{reference}"));
    }
}
