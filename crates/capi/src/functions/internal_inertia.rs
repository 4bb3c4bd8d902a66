//! Factors of inertia matrices in the format of `qM`, by functions that the reference exports without
//! declaring them in its public headers: a row of the matrix holds a dof and its ancestors, from the dof
//! upwards.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{In, Out, count};
use kinetree_model::Model;

/// The places of a dof and its ancestors in `qM`: pairs of a dof and an address, the dof itself first.
fn row(m: &Model, dof: usize) -> Served<Vec<(usize, usize)>> {
    let start = usize::try_from(m.dof_Madr[dof])?;
    let above = |&dof: &usize| usize::try_from(m.dof_parentid[dof]).ok().filter(|&parent| parent < dof);
    let row: Vec<_> = std::iter::successors(Some(dof), above).zip(start..).collect();
    if start + row.len() > m.nM { fault("addresses in qM are wrong") } else { Ok(row) }
}

/// Factors M into L'·D·L in place: the diagonal holds D, the rest of each row L.
fn factor(m: &Model, mat: &mut [f64]) -> Served {
    let rows = (0..m.nv).map(|dof| row(m, dof)).collect::<Served<Vec<_>>>()?;
    for row in rows.iter().rev() {
        let diagonal = mat[row[0].1];
        for (first, &(above, at)) in row.iter().enumerate().skip(1) {
            let ratio = mat[at] / diagonal;
            // what the ancestor's row and the rest of this one have in common
            for (&(_, to), &(_, from)) in rows[above].iter().zip(&row[first..]) {
                mat[to] -= ratio * mat[from];
            }
            mat[at] = ratio;
        }
    }
    Ok(())
}

/// Solves L'·D·L·x = y in place.
fn solve(m: &Model, x: &mut [f64], ld: &[f64], diaginv: &[f64]) -> Served {
    for dof in (0..m.nv).rev() {
        row(m, dof)?.iter().skip(1).for_each(|&(above, at)| x[above] -= ld[at] * x[dof]);
    }
    x.iter_mut().zip(diaginv).for_each(|(x, inverse)| *x *= inverse);
    for dof in 0..m.nv {
        // summed from the root on, as in the other format
        x[dof] -= row(m, dof)?.iter().skip(1).rev().map(|&(above, at)| ld[at] * x[above]).sum::<f64>();
    }
    Ok(())
}

export! {
    fn mj_factorI_legacy(
        m: ModelPtr<'_>, _d: DataPtr<'_>, mat: In<'_, f64>, ld: Out<'_, f64>, diaginv: Out<'_, f64>,
    ) {
        let m = m.get()?;
        // matrix and factor may be the same memory
        let mut factors = mat.list(m.nM)?.to_vec();
        factor(m, &mut factors)?;
        let inverse: Vec<f64> =
            m.dof_Madr.iter().map(|&at| factors.get(count(at)).map_or(0.0, |x| 1.0 / x)).collect();
        ld.write(&factors)?;
        diaginv.write(&inverse)
    }
    fn mj_solveLD_legacy(m: ModelPtr<'_>, x: Out<'_, f64>, n: i32, ld: In<'_, f64>, diaginv: In<'_, f64>) {
        let m = m.get()?;
        let (ld, diaginv) = (ld.list(m.nM)?, diaginv.list(m.nv)?);
        x.list(m.nv * count(n))?.chunks_exact_mut(m.nv.max(1)).try_for_each(|x| solve(m, x, ld, diaginv))
    }
}
