//! Filling the fields of the rows of one contact.

/// Fills a short slice, such as a field of the rows of one contact; a loop beats `memset` up to ten elements.
#[inline(always)]
pub(super) fn fill<T: Copy>(v: &mut [T], x: T) {
    let (fours, rest) = v.as_chunks_mut::<4>();
    fours.iter_mut().for_each(|y| *y = [x; 4]);
    rest.iter_mut().for_each(|y| *y = x);
}

/// Fills four short slices of one length in one pass.
#[inline(always)]
pub(super) fn fill_short_slices<A: Copy, B: Copy, C: Copy, D: Copy>(
    (a_list, b_list, c_list, d_list): (&mut [A], &mut [B], &mut [C], &mut [D]),
    (a, b, c, d): (A, B, C, D),
) {
    let ((a4, a1), (b4, b1)) = (a_list.as_chunks_mut::<4>(), b_list.as_chunks_mut::<4>());
    let ((c4, c1), (d4, d1)) = (c_list.as_chunks_mut::<4>(), d_list.as_chunks_mut::<4>());
    for (((w, x), y), z) in a4.iter_mut().zip(b4).zip(c4).zip(d4) {
        (*w, *x, *y, *z) = ([a; 4], [b; 4], [c; 4], [d; 4]);
    }
    for (((w, x), y), z) in a1.iter_mut().zip(b1).zip(c1).zip(d1) {
        (*w, *x, *y, *z) = (a, b, c, d);
    }
}
