//! Writing an MJB file image.

use super::format::{FILE_ID, HEADER, OPTION_ALIGNMENT, version_of};
use crate::{Field, FieldSlice, Model, Sizes};

/// Appends the bytes of a field.
fn put(out: &mut Vec<u8>, data: FieldSlice<'_>) {
    match data {
        FieldSlice::F64(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::F32(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::I32(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::I64(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::U64(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::U8(s) => out.extend_from_slice(s),
    }
}

fn bytes_of(fields: &[Field<'_>]) -> usize {
    fields.iter().map(|field| byte_len(field.data)).sum()
}

fn byte_len(data: FieldSlice<'_>) -> usize {
    match data {
        FieldSlice::F64(s) => size_of_val(s),
        FieldSlice::F32(s) => size_of_val(s),
        FieldSlice::I32(s) => size_of_val(s),
        FieldSlice::I64(s) => size_of_val(s),
        FieldSlice::U64(s) => size_of_val(s),
        FieldSlice::U8(s) => size_of_val(s),
    }
}

/// Bytes of `opt`, padding included, `vis` and `stat`.
pub(super) fn options_len(model: &Model) -> usize {
    let visual: usize = model.vis.groups().iter().map(|(_, fields)| bytes_of(fields)).sum();
    bytes_of(&model.opt.fields()).next_multiple_of(OPTION_ALIGNMENT) + visual + bytes_of(&model.stat.fields())
}

/// Bytes of the image of a model with these sizes.
pub(super) fn image_len(sizes: &Sizes) -> usize {
    let fixed = HEADER + Sizes::NAMES.len() * size_of::<i64>() + options_len(&Model::default());
    sizes.model_bytes().saturating_add(fixed)
}

/// The image of a model.
pub(super) fn image(model: &Model) -> Vec<u8> {
    let arrays = model.fields();
    let mut out = Vec::with_capacity(image_len(model.sizes()));
    let version = version_of(model.reference());
    for number in [FILE_ID, size_of::<f64>() as i32, Sizes::NAMES.len() as i32, version, arrays.len() as i32]
    {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for (_, size) in model.sizes().iter() {
        out.extend_from_slice(&size.to_le_bytes());
    }
    let start = out.len();
    for field in model.opt.fields() {
        put(&mut out, field.data);
    }
    out.resize(start + (out.len() - start).next_multiple_of(OPTION_ALIGNMENT), 0);
    for (_, fields) in model.vis.groups() {
        fields.iter().for_each(|field| put(&mut out, field.data));
    }
    for field in model.stat.fields() {
        put(&mut out, field.data);
    }
    for field in arrays {
        put(&mut out, field.data);
    }
    out
}
