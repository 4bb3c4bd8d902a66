//! Sparse vectors: products, combinations, gather and scatter. Indices increase within a vector.

use crate::dense::{add_scaled, dot, scale_add};
use core::cmp::Ordering;
use wide::f64x4;

/// First index of a list without gaps that is long enough for the question to pay off.
#[inline]
fn run_start(ind: &[i32]) -> Option<usize> {
    if ind.len() < 8 {
        return None;
    }
    let (first, last) = (*ind.first()?, *ind.last()?);
    ((last - first) as usize + 1 == ind.len()).then_some(first as usize)
}

/// Four numbers at increasing indices: mostly neighbours, which are read as one lane.
#[inline(always)]
fn gather4(dense: &[f64], i: &[i32; 4]) -> [f64; 4] {
    let first = i[0] as usize;
    if i[3].wrapping_sub(i[0]) == 3
        && let Some(&lane) = dense.get(first..).and_then(<[_]>::first_chunk)
    {
        return lane;
    }
    i.map(|i| dense[i as usize])
}

/// Scalar product of a sparse and a dense vector, summed in the order of [`dot`].
#[inline]
#[must_use]
pub fn dot_sparse(val: &[f64], ind: &[i32], dense: &[f64]) -> f64 {
    // along a serial chain there are no gaps
    if let Some(start) = run_start(ind) {
        return dot(val, &dense[start..start + ind.len()]);
    }
    let n = val.len().min(ind.len());
    let (v4, v_tail) = val[..n].as_chunks::<4>();
    let (i4, i_tail) = ind[..n].as_chunks::<4>();
    let mut s = [0.0; 4];
    for (v, i) in v4.iter().zip(i4) {
        let x = gather4(dense, i);
        for k in 0..4 {
            s[k] += v[k] * x[k];
        }
    }
    let mut tail = 0.0;
    for (v, &i) in v_tail.iter().zip(i_tail) {
        tail += v * dense[i as usize];
    }
    ((s[0] + s[2]) + (s[1] + s[3])) + tail
}

/// Scalar products of sparse vectors with the same indices and a dense vector, each summed in the order of
/// [`dot`]. The sums of one vector wait for each other; those of several do not.
#[inline]
#[must_use]
pub fn dot_sparse_rows<const N: usize>(val: [&[f64]; N], ind: &[i32], dense: &[f64]) -> [f64; N] {
    let n = val.iter().fold(ind.len(), |n, row| n.min(row.len()));
    let rows = val.map(|row| row[..n].as_chunks::<4>());
    let (i4, i_tail) = ind[..n].as_chunks::<4>();
    let mut sums = [f64x4::ZERO; N];
    for (l, i) in i4.iter().enumerate() {
        let x = f64x4::new(gather4(dense, i));
        for (sum, (v4, _)) in sums.iter_mut().zip(&rows) {
            *sum += f64x4::new(v4[l]) * x;
        }
    }
    let mut tails = [0.0; N];
    for (l, &i) in i_tail.iter().enumerate() {
        let x = dense[i as usize];
        for (tail, (_, v_tail)) in tails.iter_mut().zip(&rows) {
            *tail += v_tail[l] * x;
        }
    }
    std::array::from_fn(|k| {
        let s = sums[k].to_array();
        ((s[0] + s[2]) + (s[1] + s[3])) + tails[k]
    })
}

/// `dense += s · sparse`.
#[inline]
pub fn add_scaled_sparse(dense: &mut [f64], val: &[f64], ind: &[i32], s: f64) {
    if let Some(start) = run_start(ind) {
        add_scaled(&mut dense[start..start + ind.len()], val, s);
        return;
    }
    for (v, &i) in val.iter().zip(ind) {
        dense[i as usize] += v * s;
    }
}

/// Calls `f` with the positions of every index that both increasing lists contain.
#[inline]
fn merge_common(ind_a: &[i32], ind_b: &[i32], mut f: impl FnMut(usize, usize)) {
    let (mut a, mut b) = (0, 0);
    while a < ind_a.len() && b < ind_b.len() {
        match ind_a[a].cmp(&ind_b[b]) {
            Ordering::Equal => {
                f(a, b);
                a += 1;
                b += 1;
            }
            Ordering::Less => a += 1,
            Ordering::Greater => b += 1,
        }
    }
}

/// Number of indices in the union of two increasing lists.
#[must_use]
pub fn combine_count(ind_a: &[i32], ind_b: &[i32]) -> usize {
    let mut common = 0;
    merge_common(ind_a, ind_b, |_, _| common += 1);
    ind_a.len() + ind_b.len() - common
}

/// `dst = a dst + b src`, the union of both patterns, and returns how many entries it has.
///
/// The first `dst_nnz` entries of `dst` and `dst_ind` are in use; both need room for the union.
pub fn combine(
    dst: &mut [f64],
    dst_ind: &mut [i32],
    dst_nnz: usize,
    src: &[f64],
    src_ind: &[i32],
    a: f64,
    b: f64,
) -> usize {
    if dst_ind[..dst_nnz] == *src_ind {
        scale_add(&mut dst[..dst_nnz], src, a, b);
        return dst_nnz;
    }
    let nnz = combine_count(&dst_ind[..dst_nnz], src_ind);
    // merge from the back, so that nothing is overwritten before it is read
    let (mut d, mut s) = (dst_nnz, src_ind.len());
    for w in (0..nnz).rev() {
        let take_dst = d > 0 && (s == 0 || dst_ind[d - 1] >= src_ind[s - 1]);
        let take_src = s > 0 && (d == 0 || src_ind[s - 1] >= dst_ind[d - 1]);
        let mut value = 0.0;
        let mut index = 0;
        if take_dst {
            d -= 1;
            value = a * dst[d];
            index = dst_ind[d];
        }
        if take_src {
            s -= 1;
            value += b * src[s];
            index = src_ind[s];
        }
        dst[w] = value;
        dst_ind[w] = index;
    }
    nnz
}

/// `dst += s src` at the indices that both patterns contain; returns how many those are.
pub fn add_scaled_common(dst: &mut [f64], dst_ind: &[i32], src: &[f64], src_ind: &[i32], s: f64) -> usize {
    let mut common = 0;
    merge_common(dst_ind, src_ind, |d, k| {
        dst[d] += s * src[k];
        common += 1;
    });
    common
}

/// `res[k] = vec[ind[k]]`.
#[inline]
pub fn gather(res: &mut [f64], vec: &[f64], ind: &[i32]) {
    for (r, &i) in res.iter_mut().zip(ind) {
        *r = vec[i as usize];
    }
}

/// `res[k] = vec[ind[k]]`, or zero where the index is negative.
#[inline]
pub fn gather_masked(res: &mut [f64], vec: &[f64], ind: &[i32]) {
    for (r, &i) in res.iter_mut().zip(ind) {
        *r = if i >= 0 { vec[i as usize] } else { 0.0 };
    }
}

/// `res[ind[k]] = vec[k]`.
#[inline]
pub fn scatter(res: &mut [f64], vec: &[f64], ind: &[i32]) {
    for (&v, &i) in vec.iter().zip(ind) {
        res[i as usize] = v;
    }
}
