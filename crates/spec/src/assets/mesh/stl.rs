//! Binary STL: an 80-byte comment, a face count, and 50 bytes per triangle (normal, three vertices, two spare
//! bytes).
//!
//! Normals in the file are ignored. Vertices with identical bits are shared, numbered by first appearance.

use std::collections::HashMap;

use super::{MeshError, MeshOrigin, MeshSource};
use crate::assets::hash::FastHash;

const HEADER: usize = 84;
const FACE: usize = 50;
const MAX_FACES: i64 = 200_000;
const MAX_COORD: f32 = (1 << 30) as f32;

/// Reads a binary STL file.
pub(super) fn decode(bytes: &[u8]) -> Result<MeshSource, MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::EmptyFile);
    }
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(MeshError::TruncatedHeader { format: "STL", found: bytes.len(), needed: HEADER });
    };
    let count = i64::from(i32::from_le_bytes([header[80], header[81], header[82], header[83]]));
    if !(1..=MAX_FACES).contains(&count) {
        return Err(MeshError::StlFaceCount(count));
    }
    let nface = count as usize;
    if body.len() != nface * FACE {
        return Err(MeshError::StlSize { found: body.len(), expected: nface * FACE });
    }

    let mut vert: Vec<f32> = Vec::with_capacity(nface * 3 / 2);
    let mut face = Vec::with_capacity(3 * nface);
    let mut known: HashMap<[u32; 3], i32, FastHash> = HashMap::with_capacity_and_hasher(nface, FastHash);
    for (i, record) in body.chunks_exact(FACE).enumerate() {
        for corner in record[12..48].chunks_exact(12) {
            let mut bits = [0u32; 3];
            for (slot, raw) in bits.iter_mut().zip(corner.chunks_exact(4)) {
                *slot = u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
            }
            let point = bits.map(f32::from_bits);
            if point.iter().any(|x| x.abs() > MAX_COORD) {
                return Err(MeshError::StlBounds { face: i });
            }
            let next = (vert.len() / 3) as i32;
            let index = *known.entry(bits).or_insert(next);
            if index == next {
                vert.extend_from_slice(&point);
            }
            face.push(index);
        }
    }
    Ok(MeshSource { origin: MeshOrigin::Stl, vert, face, ..MeshSource::default() })
}
