//! Sparse vectors, products, conversions and maps against dense counterparts.

use crate::common::{self, *};
use kinetree_math::sparse::*;
use proptest::prelude::*;

/// Random increasing indices below `n` and values.
fn sparse_vector(rng: &mut TestRng, n: usize) -> (Vec<i32>, Vec<f64>) {
    let ind: Vec<i32> = (0..n as i32).filter(|_| rng.below(2) == 0).collect();
    let val = rng.vec(ind.len());
    (ind, val)
}

fn dense_vector(ind: &[i32], val: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; n];
    scatter(&mut out, val, ind);
    out
}

proptest! {
    #![proptest_config(common::cases(100))]

    #[test]
    fn vectors(seed: u64, n in 1usize..40) {
        let mut rng = TestRng(seed);
        let ((ia, va), (ib, vb), d) = (sparse_vector(&mut rng, n), sparse_vector(&mut rng, n), rng.vec(n));
        let (da, db) = (dense_vector(&ia, &va, n), dense_vector(&ib, &vb, n));
        prop_assert!((dot_sparse(&va, &ia, &d) - dvec(&da).dot(&dvec(&d))).abs() < 1e-13);
        let mut acc = d.clone();
        add_scaled_sparse(&mut acc, &va, &ia, 0.3);
        prop_assert!(max_diff(&acc, (dvec(&d) + dvec(&da) * 0.3).as_slice()) < 1e-15);
        // a list without gaps takes the short way
        let (from, to) = (rng.below(n), n);
        let run: Vec<i32> = (from as i32..to as i32).collect();
        prop_assert!((dot_sparse(&d[from..], &run, &d) - dvec(&d[from..]).norm_squared()).abs() < 1e-13);
        let mut acc = d.clone();
        add_scaled_sparse(&mut acc, &d[from..], &run, 1.0);
        prop_assert!(acc[from..].iter().zip(&d[from..]).all(|(x, y)| *x == 2.0 * y) && acc[..from] == d[..from]);

        // union
        let (s, t) = (rng.unit(), rng.unit());
        let (mut val, mut ind) = (va.clone(), ia.clone());
        val.resize(n, 0.0);
        ind.resize(n, 0);
        let nnz = combine(&mut val, &mut ind, ia.len(), &vb, &ib, s, t);
        prop_assert_eq!(nnz, combine_count(&ia, &ib));
        prop_assert!(ind[..nnz].windows(2).all(|w| w[0] < w[1]));
        let sum = dvec(&da) * s + dvec(&db) * t;
        prop_assert!(max_diff(&dense_vector(&ind[..nnz], &val[..nnz], n), sum.as_slice()) < 1e-15);

        // only common indices
        let mut plain = va.clone();
        let count = add_scaled_common(&mut plain, &ia, &vb, &ib, t);
        prop_assert_eq!(count, ia.iter().filter(|i| ib.contains(i)).count());
        for (k, &i) in ia.iter().enumerate() {
            prop_assert!((plain[k] - (va[k] + t * db[i as usize])).abs() < 1e-15);
        }
        // equal patterns take the short way
        let (mut val, mut ind) = (va.clone(), ia.clone());
        prop_assert_eq!(combine(&mut val, &mut ind, ia.len(), &va, &ia, s, t), ia.len());
        prop_assert!(val.iter().zip(&va).all(|(x, v)| (x - (s + t) * v).abs() < 1e-15));

        let mut back = vec![0.0; ia.len()];
        gather(&mut back, &da, &ia);
        prop_assert_eq!(&back, &va);
        let masked: Vec<i32> = ia.iter().map(|&i| if i % 2 == 0 { i } else { -1 }).collect();
        gather_masked(&mut back, &da, &masked);
        let even: Vec<f64> = ia.iter().zip(&va).map(|(i, v)| if i % 2 == 0 { *v } else { 0.0 }).collect();
        prop_assert_eq!(back, even);
    }

    #[test]
    fn products_and_conversions(seed: u64, nr in 0usize..30, nc in 1usize..30) {
        let mut rng = TestRng(seed);
        let m = random_sparse(&mut rng, nr, nc, 0.4);
        let f = full(&m, nc);
        let (v, w) = (rng.vec(nc), rng.vec(nr));
        let mut out = vec![9.0; nr];
        mul_mat_vec(&mut out, m.view(), &v);
        prop_assert!(max_diff(&out, (&f * dvec(&v)).as_slice()) < 1e-13);
        let mut rowsuper = vec![0; nr];
        find_supernodes(&mut rowsuper, m.pattern());
        for r in 0..nr {
            let same = (r + 1..nr).take_while(|&k| m.pattern().cols(k) == m.pattern().cols(r)).count();
            prop_assert_eq!(rowsuper[r] as usize, same);
        }
        let mut out = vec![9.0; nc];
        mul_mat_t_vec(&mut out, m.view(), &w);
        prop_assert!(max_diff(&out, (f.transpose() * dvec(&w)).as_slice()) < 1e-13);

        let mut dense = vec![9.0; nr * nc];
        sparse_to_dense(&mut dense, m.view(), nc);
        prop_assert_eq!(&dmat(nr, nc, &dense), &f);
        let mut back = CsrBuf::default();
        dense_to_sparse(&mut back, &dense, nr, nc);
        prop_assert_eq!((&back.rownnz, &back.colind, &back.val), (&m.rownnz, &m.colind, &m.val));
        let mut t = CsrBuf::default();
        transpose(&mut t, m.view(), nc);
        prop_assert_eq!(full(&t, nr.max(1)).columns(0, nr).into_owned(), f.transpose());
        prop_assert_eq!(m.pattern().nnz(), t.pattern().nnz());
    }

    #[test]
    fn symmetric_products_and_maps(seed: u64, n in 1usize..50) {
        let mut rng = TestRng(seed);
        let parent = random_tree(&mut rng, n);
        let lower = tree_matrix(&mut rng, &parent);
        let f = full_symmetric(&lower);
        let v = rng.vec(n);
        let mut out = vec![9.0; n];
        mul_sym_vec(&mut out, lower.view(), &v);
        prop_assert!(rel_err(&out, (&f * dvec(&v)).as_slice()) < 1e-13);

        // copy the lower triangle out of the full pattern
        let mut sym = CsrBuf::default();
        dense_to_sparse(&mut sym, f.as_slice(), n, n);
        let mut map = vec![0; lower.colind.len()];
        sparse_map(&mut map, lower.pattern(), sym.pattern());
        let mut val = vec![0.0; map.len()];
        gather(&mut val, &sym.val, &map);
        prop_assert_eq!(&val, &lower.val);
        // entries that are missing in the source are marked
        let mut diagonal = CsrBuf::default();
        for i in 0..n {
            diagonal.push_row(&[i as i32], &[1.0]);
        }
        sparse_map(&mut map, lower.pattern(), diagonal.pattern());
        prop_assert_eq!(map.iter().filter(|&&k| k >= 0).count(), n);
    }
}
