//! Version 4.1: a header with counts and tags, then one block of nodes and one of elements.

use super::numbers::{Bytes, Tokens, count, node_number};
use super::simplices::{GmshError, Simplices};

/// Numbers at the head of both sections.
struct Header {
    count: usize,
    first_tag: i64,
    last_tag: i64,
    dim: usize,
    /// Kind of elements; unused for nodes.
    kind: i64,
}

impl Header {
    fn new(numbers: [i64; 8], section: &'static str, what: &'static str) -> Result<Self, GmshError> {
        let [blocks, total, first_tag, last_tag, dim, _, kind, in_block] = numbers;
        if blocks != 1 || total != in_block {
            return Err(GmshError::Blocks(what));
        }
        if !(1..=3).contains(&dim) {
            return Err(GmshError::Malformed(section));
        }
        Ok(Self { count: count(total, section)?, first_tag, last_tag, dim: dim as usize, kind })
    }

    /// An error unless the tags that the header promises are as many as there are nodes.
    fn check_tags(&self) -> Result<(), GmshError> {
        let last = self.first_tag.wrapping_add(self.count as i64).wrapping_sub(1);
        if self.last_tag == last { Ok(()) } else { Err(GmshError::Tags) }
    }

    fn check_elements(&self, nodes: &Self) -> Result<(), GmshError> {
        let expected = [1, 2, 4][nodes.dim - 1];
        if self.dim != nodes.dim || self.kind != expected {
            return Err(GmshError::ElementType { found: self.kind, dim: nodes.dim });
        }
        Ok(())
    }
}

fn text_header(tokens: &mut Tokens<'_>, what: &'static str) -> Result<Header, GmshError> {
    let mut numbers = [0; 8];
    for number in &mut numbers {
        *number = tokens.next()?;
    }
    Header::new(numbers, tokens.section, what)
}

fn binary_header(bytes: &mut Bytes<'_>, what: &'static str) -> Result<Header, GmshError> {
    let mut numbers = [0; 8];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = if (4..7).contains(&i) { bytes.int()? } else { bytes.long()? };
    }
    Header::new(numbers, bytes.section, what)
}

pub(super) fn decode_text(nodes: &[u8], elements: &[u8]) -> Result<Simplices, GmshError> {
    let mut tokens = Tokens::new(nodes, "Nodes");
    let header = text_header(&mut tokens, "nodes")?;
    header.check_tags()?;
    let mut simplices = Simplices { dim: header.dim, ..Simplices::default() };
    for i in 0..header.count {
        if tokens.next::<i64>()? != header.first_tag.wrapping_add(i as i64) {
            return Err(GmshError::Tags);
        }
    }
    for _ in 0..header.count {
        simplices.point.push(tokens.point()?);
    }
    let mut tokens = Tokens::new(elements, "Elements");
    let block = text_header(&mut tokens, "elements")?;
    block.check_elements(&header)?;
    for _ in 0..block.count {
        tokens.next::<i64>()?;
        for _ in 0..=header.dim {
            simplices.element.push(node_number(tokens.next()?, header.first_tag, header.count)?);
        }
    }
    Ok(simplices)
}

pub(super) fn decode_binary(nodes: &[u8], elements: &[u8]) -> Result<Simplices, GmshError> {
    let mut bytes = Bytes::new(nodes, "Nodes");
    let header = binary_header(&mut bytes, "nodes")?;
    let mut simplices = Simplices { dim: header.dim, ..Simplices::default() };
    for i in 0..header.count {
        if bytes.long()? != header.first_tag.wrapping_add(i as i64) {
            return Err(GmshError::Tags);
        }
    }
    for _ in 0..header.count {
        simplices.point.push(bytes.point()?);
    }
    let mut bytes = Bytes::new(elements, "Elements");
    let block = binary_header(&mut bytes, "elements")?;
    block.check_elements(&header)?;
    for _ in 0..block.count {
        bytes.long()?;
        for _ in 0..=header.dim {
            simplices.element.push(node_number(bytes.long()?, header.first_tag, header.count)?);
        }
    }
    Ok(simplices)
}
