//! Work on patterns alone: supernodes, and maps that copy values between patterns.

use super::csr::Pattern;

/// For each row, how many of the rows that follow have exactly its columns.
pub fn find_supernodes(rowsuper: &mut [i32], pattern: Pattern) {
    let n = pattern.nrow();
    for r in (0..n).rev() {
        rowsuper[r] =
            if r + 1 < n && pattern.cols(r) == pattern.cols(r + 1) { rowsuper[r + 1] + 1 } else { 0 };
    }
}

/// For each entry of `res`, the index of the same entry in `src`, whose pattern contains that of `res`. An
/// entry that `src` lacks gets −1.
pub fn sparse_map(map: &mut [i32], res: Pattern, src: Pattern) {
    for r in 0..res.nrow() {
        let source = src.range(r);
        let mut cursor = source.start;
        for k in res.range(r) {
            let c = res.colind[k];
            while cursor < source.end && src.colind[cursor] < c {
                cursor += 1;
            }
            let found = cursor < source.end && src.colind[cursor] == c;
            map[k] = if found { cursor as i32 } else { -1 };
        }
    }
}
