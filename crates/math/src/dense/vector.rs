//! Vector kernels with a fixed order of summation.
//!
//! Sums run in four interleaved accumulators, joined as `(s₀ + s₂) + (s₁ + s₃)`, and the tail is added last.
//! The order is the same for every machine and it lets the compiler use two- or four-wide registers without
//! reassociating anything.

use crate::MINVAL;

/// Scalar product; the shorter slice decides the length.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a4, a_tail) = a[..n].as_chunks::<4>();
    let (b4, b_tail) = b[..n].as_chunks::<4>();
    let mut s = [0.0; 4];
    for (x, y) in a4.iter().zip(b4) {
        for k in 0..4 {
            s[k] += x[k] * y[k];
        }
    }
    let mut tail = 0.0;
    for (x, y) in a_tail.iter().zip(b_tail) {
        tail += x * y;
    }
    ((s[0] + s[2]) + (s[1] + s[3])) + tail
}

/// `acc += s v`; the shorter slice decides the length.
#[inline]
pub fn add_scaled(acc: &mut [f64], v: &[f64], s: f64) {
    for (a, x) in acc.iter_mut().zip(v) {
        *a += x * s;
    }
}

/// `acc = a acc + b v`; the shorter slice decides the length.
#[inline]
pub fn scale_add(acc: &mut [f64], v: &[f64], a: f64, b: f64) {
    for (y, x) in acc.iter_mut().zip(v) {
        *y = *y * a + x * b;
    }
}

/// `acc += v`.
#[inline]
pub fn add_to(acc: &mut [f64], v: &[f64]) {
    for (a, x) in acc.iter_mut().zip(v) {
        *a += x;
    }
}

/// `acc -= v`.
#[inline]
pub fn sub_from(acc: &mut [f64], v: &[f64]) {
    for (a, x) in acc.iter_mut().zip(v) {
        *a -= x;
    }
}

/// `v *= s`.
#[inline]
pub fn scale(v: &mut [f64], s: f64) {
    for x in v {
        *x *= s;
    }
}

/// Sum of the elements, from first to last.
#[inline]
#[must_use]
pub fn sum(v: &[f64]) -> f64 {
    let mut total = 0.0;
    for x in v {
        total += x;
    }
    total
}

/// Sum of magnitudes, from first to last.
#[inline]
#[must_use]
pub fn l1_norm(v: &[f64]) -> f64 {
    let mut total = 0.0;
    for x in v {
        total += x.abs();
    }
    total
}

/// Euclidean length.
#[inline]
#[must_use]
pub fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

/// Scales `v` to unit length and returns the length it had. A length below [`MINVAL`] gives the first unit
/// vector.
pub fn normalize(v: &mut [f64]) -> f64 {
    let length = norm(v);
    if length < MINVAL {
        v.fill(0.0);
        if let Some(first) = v.first_mut() {
            *first = 1.0;
        }
    } else {
        scale(v, 1.0 / length);
    }
    length
}
