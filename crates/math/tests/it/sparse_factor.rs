//! Sparse factorizations against dense solutions by nalgebra.

use crate::common::{self, *};
use kinetree_math::dense::{RankOne, mul_mat_mat_t};
use kinetree_math::sparse::{
    CsrBuf, DelassusBuilder, Factor, LtdlFactorizer, LuError, Pattern, SparseChol, SquareBuilder,
    ltdl_factor, ltdl_solve, ltdl_solve_half, ltdl_solve_many, lu_factor, lu_solve, mul_sym_vec,
};
use proptest::prelude::*;

fn check_tree(seed: u64, n: usize) {
    let mut rng = TestRng(seed);
    let parent = random_tree(&mut rng, n);
    check_forest(&mut rng, &parent);
}

fn check_forest(rng: &mut TestRng, parent: &[i32]) {
    let n = parent.len();
    let m = tree_matrix(rng, parent);
    let full = full_symmetric(&m);
    let b = rng.vec(n);
    let mut product = vec![f64::NAN; n];
    mul_sym_vec(&mut product, m.view(), &b);
    assert!(rel_err(&product, (&full * dvec(&b)).as_slice()) < 1e-13);
    let expected = full.clone().cholesky().unwrap().solve(&dvec(&b));

    let (mut ld, mut inv) = (m.val.clone(), vec![0.0; n]);
    ltdl_factor(&mut ld, &mut inv, m.pattern(), None);
    let mut x = b.clone();
    ltdl_solve(&mut x, &ld, &inv, m.pattern(), None);
    assert!(rel_err(&x, expected.as_slice()) < 1e-12);

    // the factors multiply back to the matrix
    if n <= 100 {
        let mut l = common::full(&CsrBuf { val: ld.clone(), ..m.clone() }, n);
        let d = nalgebra::DMatrix::from_diagonal(&l.diagonal());
        l.fill_diagonal(1.0);
        let product = l.transpose() * d * l;
        assert!(rel_err(product.as_slice(), full.as_slice()) < 1e-12);
    }

    check_factorizer(rng, &m, &ld, &inv);

    // several right-hand sides, and the half solution
    let mut many = [b.clone(), rng.vec(n)].concat();
    ltdl_solve_many(&mut many, n, &ld, &inv, m.pattern(), None);
    assert_eq!(&many[..n], &x[..]);
    let root: Vec<f64> = inv.iter().map(|v| v.sqrt()).collect();
    let mut half = b.clone();
    ltdl_solve_half(&mut half, &ld, &root, m.pattern());
    let energy: f64 = half.iter().map(|v| v * v).sum();
    let direct = expected.dot(&dvec(&b));
    assert!((energy - direct).abs() <= 1e-12 * direct.abs());
    check_delassus(rng, &m, &ld, &root);
}

/// The Delassus matrix has the products of half solved rows, to the last bit.
fn check_delassus(rng: &mut TestRng, m: &CsrBuf, ld: &[f64], root: &[f64]) {
    let n = root.len();
    let mut builder = DelassusBuilder::default();
    for count in [1, 2, 4, 9] {
        let mut rows: Vec<f64> = (0..count).flat_map(|_| rng.vec(n)).collect();
        // some dofs that do not move rows
        rows.iter_mut().enumerate().for_each(|(i, x)| *x = if i * 7 % 11 < 6 { 0.0 } else { *x });
        let mut half = rows.clone();
        half.chunks_exact_mut(n).for_each(|row| ltdl_solve_half(row, ld, root, m.pattern()));
        let (mut expected, mut built) = (vec![f64::NAN; count * count], vec![f64::NAN; count * count]);
        mul_mat_mat_t(&mut expected, &half, &half, count, n, count);
        builder.build(&mut built, &rows, ld, root, m.pattern());
        assert_eq!(built, expected);
    }
}

/// The form for short rows, of one matrix and of two at once, has the numbers of the general one.
fn check_factorizer(rng: &mut TestRng, m: &CsrBuf, ld: &[f64], inv: &[f64]) {
    let n = inv.len();
    let shift: Vec<f64> = rng.vec(n).iter().map(|x| x.abs()).collect();
    let (mut shifted_ld, mut shifted_inv) = (m.val.clone(), vec![0.0; n]);
    for (i, shift) in shift.iter().enumerate() {
        shifted_ld[m.pattern().range(i).end - 1] += shift;
    }
    ltdl_factor(&mut shifted_ld, &mut shifted_inv, m.pattern(), None);

    let mut factorizer = LtdlFactorizer::default();
    let (mut a, mut a_inv) = (m.val.clone(), vec![f64::NAN; n]);
    let (mut b, mut b_inv) = (vec![f64::NAN; a.len()], vec![f64::NAN; n]);
    let plain = Factor { ld: &mut a, diag_inv: &mut a_inv };
    let shifted = Factor { ld: &mut b, diag_inv: &mut b_inv };
    factorizer.factor_shifted(plain, shifted, &shift, m.pattern());
    assert_eq!((&a[..], &a_inv[..]), (ld, inv));
    assert_eq!((&b, &b_inv), (&shifted_ld, &shifted_inv));

    let (mut a, mut a_inv) = (m.val.clone(), vec![f64::NAN; n]);
    factorizer.factor(Factor { ld: &mut a, diag_inv: &mut a_inv }, m.pattern(), None);
    assert_eq!((&a[..], &a_inv[..]), (ld, inv));
}

/// Non-symmetric matrix with the pattern of ancestors and descendants, and the position of each diagonal.
fn tree_nonsymmetric(rng: &mut TestRng, parent: &[i32]) -> (CsrBuf, Vec<i32>) {
    let n = parent.len();
    let mut cols: Vec<Vec<i32>> = (0..n).map(|i| ancestors(parent, i)).collect();
    for i in 0..n {
        cols[i].push(i as i32);
    }
    for i in 0..n {
        for a in ancestors(parent, i) {
            cols[a as usize].push(i as i32);
        }
    }
    let mut out = CsrBuf::default();
    let mut diag = vec![];
    for (i, c) in cols.iter().enumerate() {
        let mut val: Vec<f64> = rng.vec(c.len());
        let at = c.iter().position(|&j| j as usize == i).unwrap();
        val[at] = 1.0 + 2.0 * c.len() as f64;
        diag.push(at as i32);
        out.push_row(c, &val);
    }
    (out, diag)
}

/// The dofs of every tree but the first.
fn without_first_tree(parent: &[i32]) -> Vec<i32> {
    (0..parent.len())
        .filter(|&i| ancestors(parent, i).first().copied().unwrap_or(i as i32) != 0)
        .map(|i| i as i32)
        .collect()
}

#[test]
fn ltdl_of_chains_of_any_length() {
    for n in 1..=80 {
        let parent: Vec<i32> = (0..n).map(|i| i - 1).collect();
        check_forest(&mut TestRng(n as u64), &parent);
    }
}

#[test]
fn ltdl_of_deep_trees() {
    for n in [100, 131, 202] {
        let chain: Vec<i32> = (0..n).map(|i| i - 1).collect();
        check_forest(&mut TestRng(n as u64), &chain);
    }
    // branches of a chain, of which some lie deep in it
    for branch in [10, 66, 75, 90] {
        let mut parent: Vec<i32> = (0..160).map(|i| i - 1).collect();
        (parent[110], parent[150]) = (branch, 5);
        check_forest(&mut TestRng(branch as u64), &parent);
    }
}

#[test]
fn ltdl_without_ancestors() {
    for n in [1, 3, 4, 50] {
        check_forest(&mut TestRng(n as u64), &vec![-1; n]);
    }
}

proptest! {
    #![proptest_config(common::cases(40))]

    #[test]
    fn ltdl_matches_dense(seed: u64, n in 1usize..120) {
        check_tree(seed, n);
    }

    #[test]
    fn ltdl_with_index_leaves_other_trees_alone(seed: u64, n in 2usize..80) {
        let mut rng = TestRng(seed);
        let mut parent = random_tree(&mut rng, n);
        // a second tree begins in the middle
        for p in &mut parent[n / 2..] {
            *p = if *p < n as i32 / 2 { -1 } else { *p };
        }
        let m = tree_matrix(&mut rng, &parent);
        let index = without_first_tree(&parent);
        let b = rng.vec(n);
        let expected = full_symmetric(&m).cholesky().unwrap().solve(&dvec(&b));
        let (mut ld, mut inv) = (m.val.clone(), vec![0.0; n]);
        ltdl_factor(&mut ld, &mut inv, m.pattern(), Some(&index));
        let mut x = b.clone();
        ltdl_solve(&mut x, &ld, &inv, m.pattern(), Some(&index));
        for i in 0..n {
            if index.contains(&(i as i32)) {
                prop_assert!((x[i] - expected[i]).abs() < 1e-12);
            } else {
                prop_assert_eq!(x[i], b[i]);
                prop_assert_eq!(&ld[m.pattern().range(i)], &m.val[m.pattern().range(i)]);
            }
        }
    }

    #[test]
    fn lu_matches_dense(seed: u64, n in 1usize..120) {
        let mut rng = TestRng(seed);
        let parent = random_tree(&mut rng, n);
        let (a, diag) = tree_nonsymmetric(&mut rng, &parent);
        let b = rng.vec(n);
        let expected = common::full(&a, n).lu().solve(&dvec(&b)).unwrap();
        let (mut lu, mut scratch) = (a.val.clone(), vec![0; n]);
        lu_factor(&mut lu, &mut scratch, a.pattern(), None).unwrap();
        let mut x = b.clone();
        lu_solve(&mut x, &lu, a.pattern(), &diag, None);
        prop_assert!(rel_err(&x, expected.as_slice()) < 1e-12);
        // a list of all dofs changes nothing
        let all: Vec<i32> = (0..n as i32).collect();
        let mut lu2 = a.val.clone();
        lu_factor(&mut lu2, &mut scratch, a.pattern(), Some(&all)).unwrap();
        prop_assert_eq!(lu, lu2);
    }

    #[test]
    fn reverse_cholesky_and_updates_match_dense(seed: u64, n in 1usize..60, nr in 0usize..40) {
        let mut rng = TestRng(seed);
        let parent = random_tree(&mut rng, n);
        let m = tree_matrix(&mut rng, &parent);
        let j = random_sparse(&mut rng, nr, n, 0.1);
        let d: Vec<f64> = (0..nr).map(|_| if rng.below(3) == 0 { 0.0 } else { rng.unit().abs() }).collect();
        let mut square = SquareBuilder::default();
        square.symbolic(j.pattern(), n, Some(m.pattern()));
        square.numeric(j.view(), &d, Some(m.view()));
        let jd = common::full(&j, n);
        let h = full_symmetric(&m) + jd.transpose() * nalgebra::DMatrix::from_diagonal(&dvec(&d)) * &jd;
        let built = full_symmetric(&square.result);
        prop_assert!(rel_err(built.as_slice(), h.as_slice()) < 1e-13);
        check_sorted(square.result.pattern());

        let mut chol = SparseChol::default();
        chol.symbolic(square.result.pattern());
        check_sorted(chol.pattern());
        let mut l = vec![0.0; chol.nnz()];
        prop_assert_eq!(chol.factor(&mut l, square.result.view(), 1e-15), n);
        let b = rng.vec(n);
        let mut x = b.clone();
        chol.solve(&mut x, &l);
        let expected = h.clone().cholesky().unwrap().solve(&dvec(&b));
        prop_assert!(rel_err(&x, expected.as_slice()) < 1e-12);

        // switch every row on or off by rank-one updates
        let mut h2 = h;
        for r in 0..nr {
            let (cols, val) = j.view().row(r);
            let (sign, s) = if d[r] == 0.0 { (RankOne::Add, 0.7) } else { (RankOne::Subtract, d[r]) };
            let root = s.sqrt();
            let scaled: Vec<f64> = val.iter().map(|v| v * root).collect();
            prop_assert_eq!(chol.update(&mut l, &scaled, cols, sign), n);
            let row = jd.row(r);
            h2 += row.transpose() * row * if sign == RankOne::Add { s } else { -s };
        }
        let mut x = b.clone();
        chol.solve(&mut x, &l);
        let expected = h2.cholesky().unwrap().solve(&dvec(&b));
        prop_assert!(rel_err(&x, expected.as_slice()) < 1e-10);
    }
}

fn check_sorted(p: Pattern) {
    for r in 0..p.nrow() {
        let cols = p.cols(r);
        assert!(cols.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(cols.last(), Some(&(r as i32)));
    }
}

#[test]
fn ltdl_holds_for_a_thousand_dofs() {
    for seed in 0..3 {
        check_tree(seed, 1000);
    }
}

#[test]
fn lu_refuses_bad_pivots_and_patterns() {
    let mut one = CsrBuf::default();
    one.push_row(&[0], &[0.0]);
    let mut scratch = [0];
    assert!(matches!(
        lu_factor(&mut one.val.clone(), &mut scratch, one.pattern(), None),
        Err(LuError::SmallPivot { index: 0, .. })
    ));
    let mut no_diagonal = CsrBuf::default();
    no_diagonal.push_row(&[1], &[1.0]);
    no_diagonal.push_row(&[0], &[1.0]);
    let mut scratch = [0; 2];
    assert!(matches!(
        lu_factor(&mut no_diagonal.val.clone(), &mut scratch, no_diagonal.pattern(), None),
        Err(LuError::Structure(_))
    ));
    // dofs 0 and 1 both couple to 2 but not to each other: eliminating 2 would need new entries
    let mut fill = CsrBuf::default();
    fill.push_row(&[0, 2], &[3.0, 1.0]);
    fill.push_row(&[1, 2], &[3.0, 1.0]);
    fill.push_row(&[0, 1, 2], &[1.0, 1.0, 3.0]);
    let mut scratch = [0; 3];
    assert!(matches!(
        lu_factor(&mut fill.val.clone(), &mut scratch, fill.pattern(), None),
        Err(LuError::Structure(_))
    ));
}

#[test]
fn reverse_cholesky_clamps_small_pivots() {
    let mut h = CsrBuf::default();
    h.push_row(&[0], &[1.0]);
    h.push_row(&[1], &[-2.0]);
    let mut chol = SparseChol::default();
    chol.symbolic(h.pattern());
    let mut l = vec![0.0; chol.nnz()];
    assert_eq!(chol.factor(&mut l, h.view(), 1e-15), 1);
    assert_eq!(l, [1.0, 1e-15_f64.sqrt()]);
    // an update that removes a dimension reports it
    assert_eq!(chol.update(&mut l, &[1.0], &[0], RankOne::Subtract), 1);
    assert_eq!(chol.update(&mut l, &[], &[], RankOne::Add), 2);
}
