//! Names and asset paths of all elements, as zero-terminated text.

use kinetree_model::{Model, NAME_SLOTS, Sizes, build_names_map};

use super::draft::Draft;

/// One list of names for each kind of element, in the order of the model.
type NameLists<'a> = [Vec<&'a str>; 23];

fn name_lists<'a>(draft: &'a Draft<'_>) -> NameLists<'a> {
    let geoms = draft.geoms.iter().enumerate().filter(|(g, _)| draft.geom_id(*g).is_some());
    let meshes = draft.meshes.iter().enumerate().filter(|(m, _)| draft.mesh_id(*m) >= 0);
    [
        draft.bodies.iter().map(|e| e.src.name.as_str()).collect(),
        draft.joints.iter().map(|e| e.src.name.as_str()).collect(),
        geoms.map(|(_, e)| e.src.name.as_str()).collect(),
        draft.sites.iter().map(|e| e.src.name.as_str()).collect(),
        draft.cameras.iter().map(|e| e.src.name.as_str()).collect(),
        draft.lights.iter().map(|e| e.src.name.as_str()).collect(),
        draft.flexes.iter().map(|e| e.src.name.as_str()).collect(),
        meshes.map(|(_, e)| e.name.as_str()).collect(),
        draft.skins.iter().map(|e| e.name.as_str()).collect(),
        draft.hfields.iter().map(|e| e.name.as_str()).collect(),
        draft.textures.iter().map(|e| e.name.as_str()).collect(),
        draft.materials.iter().map(|e| e.src.name.as_str()).collect(),
        draft.pairs.iter().map(|e| e.src.name.as_str()).collect(),
        draft.excludes.iter().map(|e| e.src.name.as_str()).collect(),
        draft.equalities.iter().map(|e| e.src.name.as_str()).collect(),
        draft.tendons.iter().map(|e| e.src.name.as_str()).collect(),
        draft.actuators.iter().map(|e| e.src.name.as_str()).collect(),
        draft.sensors.iter().map(|e| e.src.name.as_str()).collect(),
        draft.numerics.iter().map(|e| e.src.name.as_str()).collect(),
        draft.texts.iter().map(|e| e.name.as_str()).collect(),
        draft.tuples.iter().map(|e| e.src.name.as_str()).collect(),
        draft.keys.iter().map(|e| e.name.as_str()).collect(),
        draft.plugins.instances.iter().map(|e| e.name).collect(),
    ]
}

/// Paths of height fields, meshes, skins and textures; empty for assets without a file.
fn path_lists<'a>(draft: &'a Draft<'_>) -> [Vec<&'a str>; 4] {
    let meshes = draft.meshes.iter().enumerate().filter(|(m, _)| draft.mesh_id(*m) >= 0);
    [
        draft.hfields.iter().map(|e| e.path.as_str()).collect(),
        meshes.map(|(_, e)| e.path.as_str()).collect(),
        draft.skins.iter().map(|e| e.path.as_str()).collect(),
        draft.textures.iter().map(|e| e.path.as_str()).collect(),
    ]
}

/// Sets `nnames`, `nnames_map` and `npaths`.
pub(crate) fn count(draft: &Draft<'_>, sizes: &mut Sizes) {
    let lists = name_lists(draft);
    let text: usize = lists.iter().flatten().map(|name| name.len() + 1).sum();
    sizes.nnames = draft.spec.modelname.len() + 1 + text;
    sizes.nnames_map = NAME_SLOTS * lists.iter().map(Vec::len).sum::<usize>();
    let paths = path_lists(draft);
    let text: usize = paths.iter().flatten().filter(|path| !path.is_empty()).map(|path| path.len() + 1).sum();
    sizes.npaths = text.max(1);
}

/// Appends zero-terminated text; returns its address.
fn append(buffer: &mut Vec<u8>, text: &str) -> i32 {
    let address = buffer.len() as i32;
    buffer.extend(text.as_bytes());
    buffer.push(0);
    address
}

/// Fills names, their addresses and hash table, and paths.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    let mut text = Vec::with_capacity(model.nnames);
    append(&mut text, &draft.spec.modelname);
    let addresses = name_lists(draft)
        .map(|list| -> Vec<i32> { list.into_iter().map(|name| append(&mut text, name)).collect() });
    let fields: [&mut [i32]; 23] = [
        &mut model.name_bodyadr,
        &mut model.name_jntadr,
        &mut model.name_geomadr,
        &mut model.name_siteadr,
        &mut model.name_camadr,
        &mut model.name_lightadr,
        &mut model.name_flexadr,
        &mut model.name_meshadr,
        &mut model.name_skinadr,
        &mut model.name_hfieldadr,
        &mut model.name_texadr,
        &mut model.name_matadr,
        &mut model.name_pairadr,
        &mut model.name_excludeadr,
        &mut model.name_eqadr,
        &mut model.name_tendonadr,
        &mut model.name_actuatoradr,
        &mut model.name_sensoradr,
        &mut model.name_numericadr,
        &mut model.name_textadr,
        &mut model.name_tupleadr,
        &mut model.name_keyadr,
        &mut model.name_pluginadr,
    ];
    for (field, list) in fields.into_iter().zip(&addresses) {
        field.copy_from_slice(list);
    }
    model.names.copy_from_slice(&text);
    model.modelname.clone_from(&draft.spec.modelname);
    model.fused.clone_from(&draft.fused);
    build_names_map(model);

    let mut text = Vec::with_capacity(model.npaths);
    let addresses = path_lists(draft).map(|list| -> Vec<i32> {
        list.into_iter().map(|path| if path.is_empty() { -1 } else { append(&mut text, path) }).collect()
    });
    let fields: [&mut [i32]; 4] =
        [&mut model.hfield_pathadr, &mut model.mesh_pathadr, &mut model.skin_pathadr, &mut model.tex_pathadr];
    for (field, list) in fields.into_iter().zip(&addresses) {
        field.copy_from_slice(list);
    }
    text.resize(model.npaths, 0);
    model.paths.copy_from_slice(&text);
}
