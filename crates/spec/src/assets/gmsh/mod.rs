//! GMSH files: points and simplices of versions 2.2 and 4.1, as text and binary.
//!
//! Only the sections of nodes and elements are read. All elements are of one kind: lines (4.1 only),
//! triangles or tetrahedra, and their tags are dropped.
//!
//! ```
//! use kinetree_spec::assets::gmsh::{GmshError, decode};
//!
//! assert_eq!(decode(b"no GMSH file").err(), Some(GmshError::Header));
//! ```

mod numbers;
mod simplices;
mod v22;
mod v41;

pub use simplices::{GmshError, Simplices};

use numbers::Tokens;

/// Reads a GMSH file.
///
/// # Errors
/// When the file is damaged, of another version, or holds something else than simplices of one kind.
pub fn decode(bytes: &[u8]) -> Result<Simplices, GmshError> {
    let rest = bytes.strip_prefix(b"$MeshFormat").ok_or(GmshError::Header)?;
    let mut header = Tokens::new(rest, "MeshFormat");
    let version: f64 = header.next().map_err(|_| GmshError::Header)?;
    let binary = header.next::<i64>().map_err(|_| GmshError::Header)? != 0;
    let nodes = section(bytes, "Nodes", "$Nodes", "$EndNodes")?;
    let elements = section(bytes, "Elements", "$Elements", "$EndElements")?;
    let simplices = match ((100.0 * version).round(), binary) {
        (220.0, false) => v22::decode_text(nodes, elements)?,
        (220.0, true) => v22::decode_binary(nodes, elements)?,
        (410.0, false) => v41::decode_text(nodes, elements)?,
        (410.0, true) => v41::decode_binary(nodes, elements)?,
        _ => return Err(GmshError::Version(version)),
    };
    Ok(simplices)
}

/// What is between the first line of a section and its end.
fn section<'a>(bytes: &'a [u8], name: &'static str, begin: &str, end: &str) -> Result<&'a [u8], GmshError> {
    let find = |text: &str| bytes.windows(text.len()).position(|window| window == text.as_bytes());
    let (Some(start), Some(stop)) = (find(begin), find(end)) else { return Err(GmshError::Section(name)) };
    // one line break follows the name
    bytes.get(start + begin.len() + 1..stop).ok_or(GmshError::Section(name))
}
