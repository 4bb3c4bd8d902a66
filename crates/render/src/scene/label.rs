//! Texts of fixed size, so that a geom can be copied and a scene made again without allocating.

use std::fmt;
use std::ops::Deref;

/// Bytes of a label, the zero at its end included.
pub const LABEL_SIZE: usize = 100;

/// Text beside a geom.
pub type Label = FixedText<LABEL_SIZE>;

/// A text of less than `N` bytes; what does not fit is cut off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FixedText<const N: usize> {
    /// UTF-8 text, zeros behind it.
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> FixedText<N> {
    /// No text.
    pub const EMPTY: Self = Self { bytes: [0; N], len: 0 };

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // only whole characters are ever stored
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }

    /// The text with zeros up to the full size.
    #[must_use]
    pub fn as_padded(&self) -> &[u8; N] {
        &self.bytes
    }

    /// The text up to the first zero; bytes that are no UTF-8 end it.
    #[must_use]
    pub fn from_padded(bytes: &[u8]) -> Self {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        let text = match std::str::from_utf8(&bytes[..end]) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        Self::from(text)
    }

    /// Appends as many whole characters as fit.
    fn push_str(&mut self, text: &str) {
        let mut fits = text.len().min(N - 1 - self.len);
        while !text.is_char_boundary(fits) {
            fits -= 1;
        }
        self.bytes[self.len..self.len + fits].copy_from_slice(&text.as_bytes()[..fits]);
        self.len += fits;
    }
}

impl<const N: usize> Default for FixedText<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> From<&str> for FixedText<N> {
    fn from(text: &str) -> Self {
        let mut label = Self::EMPTY;
        label.push_str(text);
        label
    }
}

impl<const N: usize> Deref for FixedText<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> fmt::Write for FixedText<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl<const N: usize> fmt::Display for FixedText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<const N: usize> fmt::Debug for FixedText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_a_character() {
        let label = Label::from("é".repeat(60).as_str());
        assert_eq!(label.len(), 98);
        assert_eq!(Label::from_padded(label.as_padded()), label);
    }

    #[test]
    fn broken_bytes_end_a_label() {
        assert_eq!(Label::from_padded(b"arm\xffleg").as_str(), "arm");
        assert_eq!(Label::from_padded(&[b'x'; 300]).len(), LABEL_SIZE - 1);
    }
}
