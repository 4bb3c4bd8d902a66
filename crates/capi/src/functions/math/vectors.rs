//! Vectors of any length, and of three and four numbers.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, count};
use kinetree_math::{Vec3, dense, misc, rot};

/// Exports `res = f(vec1, vec2)` for three numbers and for any length.
macro_rules! binary {
    ($( $short:ident $long:ident |$a:ident, $b:ident $(, $s:ident)?| $f:expr; )*) => { $(
        export! {
            fn $short(res: Out<'_, f64>, vec1: In<'_, f64>, vec2: In<'_, f64> $(, $s: f64)?) {
                let (x, y) = (vec1.array::<3>()?, vec2.array::<3>()?);
                res.set(std::array::from_fn::<_, 3, _>(|i| { let ($a, $b) = (x[i], y[i]); $f }))
            }
            fn $long(res: Out<'_, f64>, vec1: In<'_, f64>, vec2: In<'_, f64> $(, $s: f64)?, n: i32) {
                there(n, &[res.reader(), vec1, vec2])?;
                res.fill_with(count(n), |i| { let ($a, $b) = (vec1.at(i), vec2.at(i)); $f })
            }
        }
    )* };
}

binary! {
    mju_add3 mju_add |a, b| a + b;
    mju_sub3 mju_sub |a, b| a - b;
    mju_addScl3 mju_addScl |a, b, scl| a + b * scl;
}

/// Exports `res = f(res, vec)` for three numbers and for any length.
macro_rules! update {
    ($( $short:ident $long:ident |$a:ident, $b:ident $(, $s:ident)?| $f:expr; )*) => { $(
        export! {
            fn $short(res: Out<'_, f64>, vec: In<'_, f64> $(, $s: f64)?) {
                let (x, y) = (res.array::<3>()?, vec.array::<3>()?);
                res.set(std::array::from_fn::<_, 3, _>(|i| { let ($a, $b) = (x[i], y[i]); $f }))
            }
            fn $long(res: Out<'_, f64>, vec: In<'_, f64> $(, $s: f64)?, n: i32) {
                there(n, &[res.reader(), vec])?;
                let old = res.reader();
                res.fill_with(count(n), |i| { let ($a, $b) = (old.at(i), vec.at(i)); $f })
            }
        }
    )* };
}

update! {
    mju_addTo3 mju_addTo |a, b| a + b;
    mju_subFrom3 mju_subFrom |a, b| a - b;
    mju_addToScl3 mju_addToScl |a, b, scl| a + b * scl;
}

/// An error unless there are vectors, or none is needed.
fn there<T: Copy>(n: i32, vectors: &[In<'_, T>]) -> Served {
    if n > 0 && vectors.iter().any(|vector| vector.is_null()) { fault("a vector is NULL") } else { Ok(()) }
}

/// Exports conversions `res = f(vec)` of any length.
macro_rules! conversions {
    ($( $name:ident $from:ty => $to:ty, |$x:ident| $f:expr; )*) => { $(
        export! {
            fn $name(res: Out<'_, $to>, vec: In<'_, $from>, n: i32) {
                if n > 0 && vec.is_null() {
                    return fault("a vector is NULL");
                }
                res.fill_with(count(n), |i| { let $x = vec.at(i); $f })
            }
        }
    )* };
}

conversions! {
    mju_copy f64 => f64, |x| x;
    mju_d2n f64 => f64, |x| x;
    mju_n2d f64 => f64, |x| x;
    mju_f2n f32 => f64, |x| f64::from(x);
    mju_n2f f64 => f32, |x| x as f32;
    mju_copyInt i32 => i32, |x| x;
}

export! {
    fn mju_scl3(res: Out<'_, f64>, vec: In<'_, f64>, scl: f64) { res.set(vec.array::<3>()?.map(|x| x * scl)) }
    fn mju_scl(res: Out<'_, f64>, vec: In<'_, f64>, scl: f64, n: i32) {
        there(n, &[vec])?;
        res.fill_with(count(n), |i| vec.at(i) * scl)
    }
    fn mju_zero3(res: Out<'_, f64>) { res.set([0.0; 3]) }
    fn mju_zero4(res: Out<'_, f64>) { res.set([0.0; 4]) }
    fn mju_unit4(res: Out<'_, f64>) { res.set([1.0, 0.0, 0.0, 0.0]) }
    fn mju_zero(res: Out<'_, f64>, n: i32) { res.fill_with(count(n), |_| 0.0) }
    fn mju_zeroInt(res: Out<'_, i32>, n: i32) { res.fill_with(count(n), |_| 0) }
    fn mju_fill(res: Out<'_, f64>, val: f64, n: i32) { res.fill_with(count(n), |_| val) }
    fn mju_fillInt(res: Out<'_, i32>, val: i32, n: i32) { res.fill_with(count(n), |_| val) }
    fn mju_copy3(res: Out<'_, f64>, data: In<'_, f64>) { res.set(data.array::<3>()?) }
    fn mju_copy4(res: Out<'_, f64>, data: In<'_, f64>) { res.set(data.array::<4>()?) }
    fn mju_cross(res: Out<'_, f64>, a: In<'_, f64>, b: In<'_, f64>) {
        let (a, b) = (a.array::<3>()?, b.array::<3>()?);
        res.set([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }
    fn mju_dot3(vec1: In<'_, f64>, vec2: In<'_, f64>) -> f64 {
        let (a, b) = (vec1.array::<3>()?, vec2.array::<3>()?);
        Ok(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
    }
    fn mju_dist3(pos1: In<'_, f64>, pos2: In<'_, f64>) -> f64 {
        let (a, b) = (pos1.array::<3>()?, pos2.array::<3>()?);
        let d: [f64; 3] = std::array::from_fn(|i| a[i] - b[i]);
        Ok((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt())
    }
    fn mju_norm3(vec: In<'_, f64>) -> f64 {
        let v = vec.array::<3>()?;
        Ok((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt())
    }
    fn mju_normalize3(vec: Out<'_, f64>) -> f64 {
        let mut v = Vec3::from(vec.array::<3>()?);
        let length = rot::normalize3(&mut v);
        vec.set::<3>(v.into())?;
        Ok(length)
    }
    fn mju_normalize4(vec: Out<'_, f64>) -> f64 {
        let mut q = vec.array::<4>()?;
        let length = rot::quat_normalize(&mut q);
        vec.set(q)?;
        Ok(length)
    }
    fn mju_normalize(res: Out<'_, f64>, n: i32) -> f64 { Ok(dense::normalize(res.list(count(n))?)) }
    fn mju_norm(res: In<'_, f64>, n: i32) -> f64 { Ok(dense::norm(res.list(count(n))?)) }
    fn mju_dot(vec1: In<'_, f64>, vec2: In<'_, f64>, n: i32) -> f64 {
        Ok(dense::dot(vec1.list(count(n))?, vec2.list(count(n))?))
    }
    fn mju_sum(vec: In<'_, f64>, n: i32) -> f64 { Ok(dense::sum(vec.list(count(n))?)) }
    fn mju_L1(vec: In<'_, f64>, n: i32) -> f64 { Ok(dense::l1_norm(vec.list(count(n))?)) }
    fn mju_isZero(vec: In<'_, f64>, n: i32) -> i32 { Ok(i32::from(misc::is_zero(vec.list(count(n))?))) }
    fn mju_insertionSort(list: Out<'_, f64>, n: i32) {
        let list = list.list(count(n))?;
        // numbers that are not numbers have no order: the sorts of the standard library may refuse them
        for end in 1..list.len() {
            let mut at = end;
            while at > 0 && list[at - 1] > list[at] {
                list.swap(at - 1, at);
                at -= 1;
            }
        }
        Ok(())
    }
    fn mju_insertionSortInt(list: Out<'_, i32>, n: i32) {
        list.list(count(n))?.sort_unstable();
        Ok(())
    }
    fn mju_gather(res: Out<'_, f64>, vec: In<'_, f64>, ind: In<'_, i32>, n: i32) {
        there(n, &[vec])?;
        let ind = ind.list(count(n))?;
        res.fill_with(count(n), |i| vec.at(count(ind[i])))
    }
    fn mju_gatherMasked(res: Out<'_, f64>, vec: In<'_, f64>, ind: In<'_, i32>, n: i32) {
        there(n, &[vec])?;
        let ind = ind.list(count(n))?;
        res.fill_with(count(n), |i| if ind[i] >= 0 { vec.at(count(ind[i])) } else { 0.0 })
    }
    fn mju_gatherInt(res: Out<'_, i32>, vec: In<'_, i32>, ind: In<'_, i32>, n: i32) {
        there(n, &[vec])?;
        let ind = ind.list(count(n))?;
        res.fill_with(count(n), |i| vec.at(count(ind[i])))
    }
    fn mju_scatter(res: Out<'_, f64>, vec: In<'_, f64>, ind: In<'_, i32>, n: i32) {
        there(n, &[vec])?;
        let places = ind.list(count(n))?;
        let room = places.iter().map(|&at| count(at) + 1).max().unwrap_or(0);
        let res = res.list(room)?;
        places.iter().enumerate().for_each(|(i, &at)| res[count(at)] = vec.at(i));
        Ok(())
    }
}
