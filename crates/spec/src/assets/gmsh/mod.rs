//! GMSH files: points and simplices of versions 2.2 and 4.1, as text and binary.
//!
//! Only the sections of nodes and elements are read. All elements are of one kind: lines (4.1 only),
//! triangles or tetrahedra, and their tags are dropped.

mod v22;
mod v41;

use super::linalg::V3;

/// Most points, and most elements, of a file.
const MAX_COUNT: usize = i32::MAX as usize / 4;

/// Points and simplices of one dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simplices {
    /// 1: lines, 2: triangles, 3: tetrahedra.
    pub dim: usize,
    /// Points (m).
    pub point: Vec<V3>,
    /// Points of each simplex, `dim + 1` of them.
    pub element: Vec<i32>,
}

/// Why a GMSH file could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GmshError {
    /// The file does not begin as one of this format does.
    #[error("a GMSH file must begin with $MeshFormat, a version and a file type")]
    Header,
    /// Another version.
    #[error("GMSH version {0} is not supported, only 2.2 and 4.1 are")]
    Version(f64),
    /// A section is missing or does not end.
    #[error("the section ${0} of the GMSH file is missing or does not end")]
    Section(&'static str),
    /// A section ends before all of it was read, or what is there is not a number.
    #[error("the section ${0} of the GMSH file is too short or malformed")]
    Malformed(&'static str),
    /// Version 4.1 with several blocks.
    #[error("all {0} of a GMSH 4.1 file must be in a single block")]
    Blocks(&'static str),
    /// Tags of nodes have gaps.
    #[error("tags of nodes in a GMSH file must be sequential")]
    Tags,
    /// A kind of element that is no simplex, or more than one kind.
    #[error("GMSH element type {found} in a mesh of {}", match dim { 0 => "unknown dimension", 1 => "lines", 2 => "triangles", _ => "tetrahedra" })]
    ElementType {
        /// Type in the file.
        found: i64,
        /// Dimension of the elements before; 0: this is the first.
        dim: usize,
    },
    /// An element refers to a node that is not there.
    #[error("a GMSH element refers to node {tag}, but there are {nodes} nodes")]
    Node {
        /// What the element says.
        tag: i64,
        /// Number of nodes.
        nodes: usize,
    },
}

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

/// Number of a node from its tag.
fn node_number(tag: i64, first: i64, nodes: usize) -> Result<i32, GmshError> {
    tag.checked_sub(first)
        .and_then(|n| usize::try_from(n).ok())
        .filter(|&n| n < nodes)
        .map(|n| n as i32)
        .ok_or(GmshError::Node { tag, nodes })
}

/// A count that is neither negative nor absurd.
fn count(value: i64, section: &'static str) -> Result<usize, GmshError> {
    usize::try_from(value).ok().filter(|&n| n <= MAX_COUNT).ok_or(GmshError::Malformed(section))
}

/// Numbers separated by blanks.
struct Tokens<'a> {
    rest: &'a [u8],
    section: &'static str,
}

impl<'a> Tokens<'a> {
    fn new(rest: &'a [u8], section: &'static str) -> Self {
        Self { rest, section }
    }

    fn next<T: std::str::FromStr>(&mut self) -> Result<T, GmshError> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        self.rest = rest;
        let parsed = std::str::from_utf8(token).ok().and_then(|token| token.parse().ok());
        parsed.ok_or(GmshError::Malformed(self.section))
    }

    fn point(&mut self) -> Result<V3, GmshError> {
        Ok([self.next()?, self.next()?, self.next()?])
    }
}

/// Little-endian numbers one after the other.
struct Bytes<'a> {
    rest: &'a [u8],
    section: &'static str,
}

impl<'a> Bytes<'a> {
    fn new(rest: &'a [u8], section: &'static str) -> Self {
        Self { rest, section }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], GmshError> {
        let (head, tail) = self.rest.split_first_chunk().ok_or(GmshError::Malformed(self.section))?;
        self.rest = tail;
        Ok(*head)
    }

    fn int(&mut self) -> Result<i64, GmshError> {
        self.take().map(|bytes| i64::from(i32::from_le_bytes(bytes)))
    }

    fn long(&mut self) -> Result<i64, GmshError> {
        self.take().map(i64::from_le_bytes)
    }

    fn point(&mut self) -> Result<V3, GmshError> {
        let mut number = || self.take().map(f64::from_le_bytes);
        Ok([number()?, number()?, number()?])
    }
}
