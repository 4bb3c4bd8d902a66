//! Legacy binary mesh format: four 32-bit counts (vertices, normals, texture coordinates, faces), then the
//! arrays in that order. Normals and texture coordinates are absent or one per vertex.

use super::{MeshError, MeshOrigin, MeshSource};

const HEADER: usize = 16;

/// Reads a legacy binary mesh.
pub(super) fn decode(bytes: &[u8]) -> Result<MeshSource, MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::EmptyFile);
    }
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(MeshError::TruncatedHeader { format: "MSH", found: bytes.len(), needed: HEADER });
    };
    let mut counts = [0i32; 4];
    for (slot, raw) in counts.iter_mut().zip(words(header)) {
        *slot = i32::from_le_bytes(raw);
    }
    let [nvert, nnormal, ntexcoord, nface] = counts;
    let optional = |n: i32| n == 0 || n == nvert;
    if nvert < 4 || nface < 0 || !optional(nnormal) || !optional(ntexcoord) {
        return Err(MeshError::MshSizes { nvert, nnormal, ntexcoord, nface });
    }

    // the counts are trusted only after they explain the length of the file
    let word_count = |n: i32, width: u64| u64::from(n.unsigned_abs()) * width;
    let (nv, nn) = (word_count(nvert, 3), word_count(nnormal, 3));
    let (nt, nf) = (word_count(ntexcoord, 2), word_count(nface, 3));
    let expected = HEADER as u64 + 4 * (nv + nn + nt + nf);
    if bytes.len() as u64 != expected {
        return Err(MeshError::MshSize { found: bytes.len(), expected });
    }

    let mut rest = words(body);
    let mut floats =
        |n: u64| -> Vec<f32> { rest.by_ref().take(n as usize).map(f32::from_le_bytes).collect() };
    let vert = floats(nv);
    let normal = floats(nn);
    let texcoord = floats(nt);
    let face: Vec<i32> = rest.map(i32::from_le_bytes).collect();
    Ok(MeshSource {
        origin: MeshOrigin::Msh,
        facenormal: face.clone(),
        facetexcoord: if texcoord.is_empty() { Vec::new() } else { face.clone() },
        vert,
        normal,
        texcoord,
        face,
    })
}

fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.chunks_exact(4).map(|raw| [raw[0], raw[1], raw[2], raw[3]])
}
