//! Version 2.2: a count, then nodes with their tags; a count, then elements with their kind and tags.
//!
//! Binary elements come in blocks with a header of kind, count and number of tags. Some writers put each
//! element into a block of its own, some put all into one.

use super::{Bytes, GmshError, Simplices, Tokens, count, node_number};

/// Dimension of the simplices with this number in the format.
fn dimension(kind: i64, before: usize) -> Result<usize, GmshError> {
    match (kind, before) {
        (2, 0 | 2) => Ok(2),
        (4, 0 | 3) => Ok(3),
        _ => Err(GmshError::ElementType { found: kind, dim: before }),
    }
}

pub(super) fn decode_text(nodes: &[u8], elements: &[u8]) -> Result<Simplices, GmshError> {
    let mut simplices = Simplices::default();
    let mut tokens = Tokens::new(nodes, "Nodes");
    for _ in 0..count(tokens.next()?, "Nodes")? {
        tokens.next::<i64>()?;
        simplices.point.push(tokens.point()?);
    }
    let mut tokens = Tokens::new(elements, "Elements");
    for _ in 0..count(tokens.next()?, "Elements")? {
        tokens.next::<i64>()?;
        simplices.dim = dimension(tokens.next()?, simplices.dim)?;
        for _ in 0..count(tokens.next()?, "Elements")? {
            tokens.next::<i64>()?;
        }
        for _ in 0..=simplices.dim {
            simplices.element.push(node_number(tokens.next()?, 1, simplices.point.len())?);
        }
    }
    Ok(simplices)
}

/// The count at the start of a binary section: a line of text.
fn binary_count<'a>(bytes: &'a [u8], section: &'static str) -> Result<(usize, Bytes<'a>), GmshError> {
    let end = bytes.iter().position(|b| !b.is_ascii_digit()).ok_or(GmshError::Malformed(section))?;
    let number = Tokens::new(&bytes[..end], section).next()?;
    Ok((count(number, section)?, Bytes::new(&bytes[end + 1..], section)))
}

pub(super) fn decode_binary(nodes: &[u8], elements: &[u8]) -> Result<Simplices, GmshError> {
    let mut simplices = Simplices::default();
    let (number, mut bytes) = binary_count(nodes, "Nodes")?;
    for _ in 0..number {
        bytes.int()?;
        simplices.point.push(bytes.point()?);
    }
    let (number, mut bytes) = binary_count(elements, "Elements")?;
    let mut read = 0;
    while read < number {
        simplices.dim = dimension(bytes.int()?, simplices.dim)?;
        let in_block = count(bytes.int()?, "Elements")?;
        let tags = count(bytes.int()?, "Elements")?;
        if in_block == 0 || in_block > number - read {
            return Err(GmshError::Malformed("Elements"));
        }
        for _ in 0..in_block {
            // the number of the element and its tags
            for _ in 0..=tags {
                bytes.int()?;
            }
            for _ in 0..=simplices.dim {
                simplices.element.push(node_number(bytes.int()?, 1, simplices.point.len())?);
            }
        }
        read += in_block;
    }
    Ok(simplices)
}
