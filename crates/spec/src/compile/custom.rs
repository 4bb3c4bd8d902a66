//! Custom numbers, texts and tuples.

use kinetree_model::enums::ObjType;
use kinetree_model::{DEFORMABLE_PREFIX, Model};

use super::draft::Draft;
use super::elements::{NumericDraft, TupleDraft};
use crate::mjcf::soft::references;
use crate::spec::{Numeric, Text, Tuple};

/// Resolves all custom elements.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    for src in spec.numerics.values() {
        match numeric_size(src) {
            Ok(size) => draft.numerics.push(NumericDraft { src, size }),
            Err(message) => draft.report.error(src, message),
        }
    }
    for src in spec.texts.values() {
        if src.data.is_empty() {
            draft.report.error(src, "the text is empty");
        }
        check_deformable(draft, src);
        draft.texts.push(src);
    }
    for src in spec.tuples.values() {
        compile_tuple(draft, src);
    }
}

/// Looks for what a deformable body refers to.
fn check_deformable(draft: &mut Draft<'_>, src: &Text) {
    for (kind, name) in references(src) {
        if draft.names.find(kind, name).is_none() {
            let body = src.name.strip_prefix(DEFORMABLE_PREFIX).unwrap_or(&src.name);
            let owner = format!("deformable body '{body}'");
            draft.report.unknown_name_at(src.origin.pos, &owner, &draft.names, kind, name);
        }
    }
}

fn numeric_size(src: &Numeric) -> Result<usize, String> {
    let size = usize::try_from(src.size).unwrap_or(0);
    if size > 0 && size < src.data.len() {
        return Err(format!("'size' is {size}, but {} numbers are given", src.data.len()));
    }
    let size = if size == 0 { src.data.len() } else { size };
    if size == 0 { Err("the size cannot be zero".into()) } else { Ok(size) }
}

fn compile_tuple<'s>(draft: &mut Draft<'s>, src: &'s Tuple) {
    if src.entries.is_empty() {
        draft.report.error(src, "the tuple is empty");
    }
    let mut objects = Vec::with_capacity(src.entries.len());
    for entry in &src.entries {
        let Some(id) = draft.find_required(src, entry.objtype, &entry.objname) else { continue };
        if entry.objtype == ObjType::Geom {
            draft.geoms[id].visual = false;
        }
        objects.push(id);
    }
    draft.tuples.push(TupleDraft { src, objects });
}

/// Bytes of a text in the model, its closing zero included.
pub(crate) fn text_size(src: &Text) -> usize {
    src.data.len() + 1
}

/// Fills the arrays of custom elements.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    let mut adr = 0;
    for (i, numeric) in draft.numerics.iter().enumerate() {
        model.numeric_adr[i] = adr as i32;
        model.numeric_size[i] = numeric.size as i32;
        model.numeric_data[adr..adr + numeric.src.data.len()].copy_from_slice(&numeric.src.data);
        adr += numeric.size;
    }
    adr = 0;
    for (i, text) in draft.texts.iter().enumerate() {
        model.text_adr[i] = adr as i32;
        model.text_size[i] = text_size(text) as i32;
        model.text_data[adr..adr + text.data.len()].copy_from_slice(text.data.as_bytes());
        adr += text_size(text);
    }
    adr = 0;
    for (i, tuple) in draft.tuples.iter().enumerate() {
        model.tuple_adr[i] = adr as i32;
        model.tuple_size[i] = tuple.objects.len() as i32;
        for (entry, &object) in tuple.src.entries.iter().zip(&tuple.objects) {
            model.tuple_objtype[adr] = entry.objtype as i32;
            model.tuple_objid[adr] = draft.object_id(entry.objtype, Some(object));
            model.tuple_objprm[adr] = entry.objprm;
            adr += 1;
        }
    }
}
