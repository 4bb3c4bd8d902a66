//! Version 2.2: a count, then nodes with their tags; a count, then elements with their kind and tags.
//!
//! Binary elements come in blocks with a header of kind, count and number of tags. Some writers put each
//! element into a block of its own, some put all into one.

use super::numbers::{Bytes, Tokens, count, node_number};
use super::simplices::{GmshError, Simplices};

/// Dimension of the simplices with this number in the format.
fn dimension(kind: i64, before: usize) -> Result<usize, GmshError> {
    match (kind, before) {
        (2, 0 | 2) => Ok(2),
        (4, 0 | 3) => Ok(3),
        _ => Err(GmshError::ElementType { found: kind, dim: before }),
    }
}

/// The count at the start of a section of text: a line of its own. Without it, the first number of the first
/// row would be taken for it.
fn text_count<'a>(text: &'a [u8], section: &'static str) -> Result<(usize, Tokens<'a>), GmshError> {
    let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
    if !line.iter().all(u8::is_ascii_digit) {
        return Err(GmshError::Count(section));
    }
    let mut tokens = Tokens::new(text, section);
    Ok((count(tokens.next()?, section)?, tokens))
}

pub(super) fn decode_text(nodes: &[u8], elements: &[u8]) -> Result<Simplices, GmshError> {
    let mut simplices = Simplices::default();
    let (number, mut tokens) = text_count(nodes, "Nodes")?;
    for _ in 0..number {
        tokens.next::<i64>()?;
        simplices.point.push(tokens.point()?);
    }
    let (number, mut tokens) = text_count(elements, "Elements")?;
    for _ in 0..number {
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
