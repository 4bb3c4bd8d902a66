//! Numbers of a section: text or little-endian, counts and node tags.

use super::simplices::GmshError;
use crate::assets::linalg::V3;

/// Most points, and most elements, of a file.
const MAX_COUNT: usize = i32::MAX as usize / 4;

/// Number of a node from its tag.
pub(super) fn node_number(tag: i64, first: i64, nodes: usize) -> Result<i32, GmshError> {
    tag.checked_sub(first)
        .and_then(|n| usize::try_from(n).ok())
        .filter(|&n| n < nodes)
        .map(|n| n as i32)
        .ok_or(GmshError::Node { tag, nodes })
}

/// A count that is neither negative nor absurd.
pub(super) fn count(value: i64, section: &'static str) -> Result<usize, GmshError> {
    usize::try_from(value).ok().filter(|&n| n <= MAX_COUNT).ok_or(GmshError::Malformed(section))
}

/// Numbers separated by blanks.
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
    pub(super) section: &'static str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(rest: &'a [u8], section: &'static str) -> Self {
        Self { rest, section }
    }

    pub(super) fn next<T: std::str::FromStr>(&mut self) -> Result<T, GmshError> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        self.rest = rest;
        let parsed = std::str::from_utf8(token).ok().and_then(|token| token.parse().ok());
        parsed.ok_or(GmshError::Malformed(self.section))
    }

    pub(super) fn point(&mut self) -> Result<V3, GmshError> {
        Ok([self.next()?, self.next()?, self.next()?])
    }
}

/// Little-endian numbers one after the other.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    pub(super) section: &'static str,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(rest: &'a [u8], section: &'static str) -> Self {
        Self { rest, section }
    }

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], GmshError> {
        let (head, tail) = self.rest.split_first_chunk().ok_or(GmshError::Malformed(self.section))?;
        self.rest = tail;
        Ok(*head)
    }

    pub(super) fn int(&mut self) -> Result<i64, GmshError> {
        self.take().map(|bytes| i64::from(i32::from_le_bytes(bytes)))
    }

    pub(super) fn long(&mut self) -> Result<i64, GmshError> {
        self.take().map(i64::from_le_bytes)
    }

    pub(super) fn point(&mut self) -> Result<V3, GmshError> {
        let mut number = || self.take().map(f64::from_le_bytes);
        Ok([number()?, number()?, number()?])
    }
}
