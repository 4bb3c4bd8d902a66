//! Bytes as text in base 64.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text in base 64.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for group in bytes.chunks(3) {
        let value =
            group.iter().enumerate().fold(0_usize, |sum, (i, &b)| sum | usize::from(b) << (16 - 8 * i));
        for place in 0..4 {
            let letter = LETTERS[value >> (18 - 6 * place) & 63];
            text.push(if place <= group.len() { letter } else { b'=' });
        }
    }
    text
}

/// The bytes of a text in base 64, if it is one.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take_while(|&&b| b == b'=').count();
    if padding > 2 {
        return None;
    }
    let mut bytes = Vec::new();
    let last = text.len() / 4;
    for (number, group) in text.chunks_exact(4).enumerate() {
        let missing = if number + 1 == last { padding } else { 0 };
        let mut value = 0;
        for (place, letter) in group.iter().enumerate() {
            let digit =
                if place >= 4 - missing { 0 } else { LETTERS.iter().position(|known| known == letter)? };
            value |= digit << (18 - 6 * place);
        }
        bytes.extend((0..3 - missing).map(|i| (value >> (16 - 8 * i)) as u8));
    }
    Some(bytes)
}
