//! What lanes across worlds would gain: the inertia matrices of four worlds factored in lockstep, a world a
//! lane, beside four factorizations one after the other with lanes inside of each.
//!
//! `cargo run --release -p kinetree-math --example lanes_across_worlds`

use kinetree_math::sparse::{Factor, LtdlFactorizer, Pattern};
use std::hint::black_box;
use std::time::Instant;
use wide::f64x4;

/// Parents of the dofs of a humanoid: a free joint, a spine, two legs, two arms.
const PARENTS: [i32; 27] =
    [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 8, 15, 16, 17, 18, 19, 5, 21, 22, 5, 24, 25];

/// Rows of the lower triangle: a dof's ancestors, then itself.
fn rows() -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (k, parent) in PARENTS.iter().enumerate() {
        let mut row = usize::try_from(*parent).map_or_else(|_| Vec::new(), |parent| rows[parent].clone());
        row.push(k);
        rows.push(row);
    }
    rows
}

/// A diagonally dominant matrix of one world.
fn matrix(rows: &[Vec<usize>], world: usize) -> Vec<f64> {
    let entry = |k: usize, j: usize| {
        if k == j { 30.0 } else { ((k * 7 + j * 3 + world) % 11) as f64 / 11.0 }
    };
    rows.iter().enumerate().flat_map(|(k, row)| row.iter().map(move |j| entry(k, *j))).collect()
}

/// `M = Lᵀ D L` from the last dof to the first, each number a lane of worlds; columns are found by depth.
fn factor_lockstep(ld: &mut [f64x4], diag_inv: &mut [f64x4], rows: &[Vec<usize>], starts: &[usize]) {
    for k in (0..rows.len()).rev() {
        let (depth, start) = (rows[k].len() - 1, starts[k]);
        let (above, own) = ld.split_at_mut(start);
        let inverse = f64x4::ONE / own[depth];
        diag_inv[k] = inverse;
        for (d, ancestor) in rows[k][..depth].iter().enumerate().rev() {
            let factor = own[d] * inverse;
            let row = &mut above[starts[*ancestor]..];
            for (entry, value) in row[..=d].iter_mut().zip(&own[..=d]) {
                *entry -= *value * factor;
            }
            own[d] = factor;
        }
    }
}

fn main() {
    let rows = rows();
    let starts: Vec<usize> =
        rows.iter().scan(0, |next, row| Some(std::mem::replace(next, *next + row.len()))).collect();
    let rownnz: Vec<i32> = rows.iter().map(|row| row.len() as i32).collect();
    let rowadr: Vec<i32> = starts.iter().map(|start| *start as i32).collect();
    let colind: Vec<i32> = rows.iter().flatten().map(|j| *j as i32).collect();
    let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
    let worlds: [Vec<f64>; 4] = std::array::from_fn(|world| matrix(&rows, world));
    let lanes: Vec<f64x4> =
        (0..colind.len()).map(|i| f64x4::from(std::array::from_fn(|w| worlds[w][i]))).collect();

    let (mut apart, mut together) = (f64::INFINITY, f64::INFINITY);
    let mut factorizer = LtdlFactorizer::default();
    let (mut ld, mut inverse) = (worlds.clone(), vec![0.0; rows.len()]);
    let (mut wide_ld, mut wide_inverse) = (lanes.clone(), vec![f64x4::ZERO; rows.len()]);
    const REPEATS: u32 = 2000;
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..REPEATS {
            for (ld, m) in ld.iter_mut().zip(&worlds) {
                ld.copy_from_slice(m);
                factorizer.factor(Factor { ld, diag_inv: &mut inverse }, pattern, None);
                black_box(&mut *ld);
            }
        }
        apart = apart.min(start.elapsed().as_secs_f64() / f64::from(4 * REPEATS));
        let start = Instant::now();
        for _ in 0..REPEATS {
            wide_ld.copy_from_slice(&lanes);
            factor_lockstep(&mut wide_ld, &mut wide_inverse, &rows, &starts);
            black_box(&mut wide_ld);
        }
        together = together.min(start.elapsed().as_secs_f64() / f64::from(4 * REPEATS));
    }
    // both are the same factors
    for (i, lane) in wide_ld.iter().enumerate() {
        for (value, ld) in lane.to_array().iter().zip(&ld) {
            assert!((value - ld[i]).abs() < 1e-12, "entry {i}: {value} and {}", ld[i]);
        }
    }
    println!("a factorization, four worlds one after the other: {:.0} ns", 1e9 * apart);
    println!(
        "a factorization, four worlds in lockstep:         {:.0} ns ({:.2}x)",
        1e9 * together,
        apart / together
    );
}
