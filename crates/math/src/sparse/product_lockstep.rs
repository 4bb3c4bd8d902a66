//! Products of symmetric sparse matrices of four worlds at once, a world a lane.

use super::csr::Pattern;
use wide::f64x4;

/// `res = (mat + strict_lower(mat)ᵀ) vec` of four worlds: the same sums as in [`super::mul_sym_vec`] in the
/// same order, and so the same bits in each lane.
pub fn mul_sym_vec_lockstep(res: &mut [f64x4], mat: &[f64x4], pattern: Pattern, vec: &[f64x4]) {
    let n = pattern.nrow();
    let (res, vec) = (&mut res[..n], &vec[..n]);
    let is_diagonal = pattern.rownnz.iter().fold(true, |all, &n| all & (n == 1));
    for i in 0..n {
        let range = pattern.range(i);
        let (Some((diag, lower)), Some((_, cols))) =
            (mat[range.clone()].split_last(), pattern.colind[range].split_last())
        else {
            res[i] = f64x4::ZERO;
            continue;
        };
        let x = vec[i];
        let (mut own, mut fours) = (*diag * x, [f64x4::ZERO; 4]);
        let ((lower4, lower), (cols4, cols)) = (lower.as_chunks::<4>(), cols.as_chunks::<4>());
        for (c, v) in cols4.iter().zip(lower4) {
            let first = c[0] as usize;
            if c[3] - c[0] == 3
                && let Some(u) = vec[first..].first_chunk::<4>()
                && let Some(res) = res[first..].first_chunk_mut::<4>()
            {
                for k in 0..4 {
                    fours[k] += v[k] * u[k];
                    res[k] += v[k] * x;
                }
                continue;
            }
            for (&c, v) in c.iter().zip(v) {
                own += *v * vec[c as usize];
                res[c as usize] += *v * x;
            }
        }
        for (&c, v) in cols.iter().zip(lower) {
            own += *v * vec[c as usize];
            res[c as usize] += *v * x;
        }
        res[i] = if is_diagonal { own } else { own + ((fours[0] + fours[2]) + (fours[1] + fours[3])) };
    }
}

#[cfg(test)]
mod tests {
    use super::mul_sym_vec_lockstep;
    use crate::sparse::{Csr, Pattern, mul_sym_vec};
    use wide::f64x4;

    fn assert_same_bits(rows: &[Vec<i32>]) {
        let rownnz: Vec<i32> = rows.iter().map(|row| row.len() as i32).collect();
        let rowadr: Vec<i32> =
            rownnz.iter().scan(0, |next, n| Some(std::mem::replace(next, *next + n))).collect();
        let colind = rows.concat();
        let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let number = |world: usize, at: usize| ((at * 7 + world * 13) % 23) as f64 / 23.0 - 0.5;
        let lanes = |count: usize, shift: usize| -> Vec<f64x4> {
            (0..count).map(|i| f64x4::new(std::array::from_fn(|w| number(w, i + shift)))).collect()
        };
        let mut product = vec![f64x4::splat(9.0); rows.len()];
        mul_sym_vec_lockstep(&mut product, &lanes(colind.len(), 0), pattern, &lanes(rows.len(), 5));
        for w in 0..4 {
            let mat: Vec<f64> = (0..colind.len()).map(|i| number(w, i)).collect();
            let vec: Vec<f64> = (0..rows.len()).map(|i| number(w, i + 5)).collect();
            let mut one = vec![9.0; rows.len()];
            mul_sym_vec(&mut one, Csr::new(pattern, &mat), &vec);
            for (lane, x) in product.iter().zip(&one) {
                assert_eq!(lane.to_array()[w].to_bits(), x.to_bits(), "world {w} of {rows:?}");
            }
        }
    }

    #[test]
    fn products_have_the_bits_of_one_world() {
        assert_same_bits(&(0..5).map(|i| vec![i]).collect::<Vec<_>>());
        assert_same_bits(&(0..13).map(|i| (0..=i).collect()).collect::<Vec<_>>());
        // a trunk with two branches
        let branch = |from: i32, i: i32| (0..3).chain(from..=i).collect::<Vec<i32>>();
        let mut rows: Vec<Vec<i32>> = (0..3).map(|i| (0..=i).collect()).collect();
        rows.extend((3..9).map(|i| branch(3, i)));
        rows.extend((9..16).map(|i| branch(9, i)));
        assert_same_bits(&rows);
    }
}
