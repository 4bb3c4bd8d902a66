//! Work on patterns alone: supernodes, unions, and maps that copy values between patterns.

use super::csr::Pattern;
use core::cmp::Ordering;

/// For each row, how many of the rows that follow have exactly its columns.
pub fn find_supernodes(rowsuper: &mut [i32], pattern: Pattern) {
    let n = pattern.nrow();
    for r in (0..n).rev() {
        rowsuper[r] =
            if r + 1 < n && pattern.cols(r) == pattern.cols(r + 1) { rowsuper[r + 1] + 1 } else { 0 };
    }
}

/// Union of two increasing lists, written to the front of `out`; returns its length.
pub fn merge_sorted(out: &mut [i32], a: &[i32], b: &[i32]) -> usize {
    if a == b {
        out[..a.len()].copy_from_slice(a);
        return a.len();
    }
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        out[n] = if order == Ordering::Greater { b[j] } else { a[i] };
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
        n += 1;
    }
    let rest = if i < a.len() { &a[i..] } else { &b[j..] };
    out[n..n + rest.len()].copy_from_slice(rest);
    n + rest.len()
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

/// For each entry of the symmetric pattern `res`, the index of the entry in `src` that holds its value when
/// `src` stores the lower triangle only, or −1 where `src` has none. `cursor` is scratch with room for one
/// number per row.
pub fn lower_to_sym_map(map: &mut [i32], res: Pattern, src: Pattern, cursor: &mut [i32]) {
    for r in 0..res.nrow() {
        map[res.range(r)].fill(-1);
        cursor[r] = res.rowadr[r];
    }
    // both (i, j) and (j, i) are met in increasing order of column, so one cursor per row is enough
    let mut place = |row: usize, col: usize, k: usize| {
        let end = res.range(row).end;
        let mut c = cursor[row] as usize;
        while c < end && (res.colind[c] as usize) < col {
            c += 1;
        }
        if c < end && res.colind[c] as usize == col {
            map[c] = k as i32;
            c += 1;
        }
        cursor[row] = c as i32;
    };
    for i in 0..src.nrow() {
        for k in src.range(i) {
            let j = src.colind[k] as usize;
            if j > i {
                break;
            }
            place(i, j, k);
            if j < i {
                place(j, i, k);
            }
        }
    }
}
