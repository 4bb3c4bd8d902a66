//! Sizes that only say how much memory the reference would take. They change nothing here, but users read
//! them.

use kinetree_model::{FieldSlice, Model};

use crate::spec::Spec;

/// Alignment of arrays in the reference's buffer (byte).
const ALIGNMENT: usize = 64;
const MEGABYTE: usize = 1 << 20;

/// Sets `narena`, `nbuffer`, `njmax` and `nconmax`.
pub(crate) fn set(spec: &Spec, model: &mut Model) {
    // binary files have 64 bits for it, with a sign
    let (narena, nbuffer) = (arena(spec, model).min(i64::MAX as usize), buffer(model));
    model.set_memory_sizes(spec.size.njmax.into(), spec.size.nconmax.into(), narena, nbuffer);
}

fn arena(spec: &Spec, model: &Model) -> usize {
    if let Ok(bytes) = usize::try_from(spec.size.memory) {
        return bytes;
    }
    let given = |value: i32, default: usize| usize::try_from(value).unwrap_or(default);
    let (nconmax, njmax) = (given(spec.size.nconmax, 100), given(spec.size.njmax, 500));
    let (number, int, contact) = (8usize, 4usize, 576usize);
    let m = model.sizes();
    let stack = usize::try_from(spec.size.nstack).unwrap_or_else(|_| {
        let rows = njmax + m.neq + m.nv;
        let elements =
            m.nq + m.nv + m.nu + m.na + m.nbody + m.njnt + m.ngeom + m.nsite + m.neq + m.ntendon + m.nwrap;
        rows.saturating_mul(rows).saturating_mul(5).saturating_add(20 * elements).max(1000)
    });
    let constraints = (nconmax.saturating_mul(contact))
        .saturating_add(njmax.saturating_mul(8 * int + 14 * number))
        .saturating_add(m.nv * 3 * int)
        .saturating_add(njmax.saturating_mul(m.nv).saturating_mul(2 * int + 2 * number))
        .saturating_add(njmax.saturating_mul(njmax).saturating_mul(int + number));
    stack.saturating_mul(number).saturating_add(constraints).div_ceil(MEGABYTE).saturating_mul(MEGABYTE)
}

/// All arrays one after the other, each aligned.
fn buffer(model: &Model) -> usize {
    model.fields().iter().fold(0, |end: usize, field| {
        let width = match field.data {
            FieldSlice::F64(_) | FieldSlice::I64(_) | FieldSlice::U64(_) => 8,
            FieldSlice::F32(_) | FieldSlice::I32(_) => 4,
            FieldSlice::U8(_) => 1,
        };
        end.next_multiple_of(ALIGNMENT) + width * field.data.len()
    })
}
