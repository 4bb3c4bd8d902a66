//! Factors of inertia matrices in the format of `qM`, by functions that the reference exports without
//! declaring them in its public headers: a row of the matrix holds a dof and its ancestors, from the dof
//! upwards.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{In, Out, count};
use kinetree_math::sparse::{self, Pattern};
use kinetree_model::Model;

/// The rows in the order of compressed matrices, ancestors first, and where their entries lie in `qM`.
#[derive(Default)]
struct Rows {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    places: Vec<usize>,
}

impl Rows {
    fn of(m: &Model) -> Served<Self> {
        let mut rows = Self::default();
        let above = |&dof: &usize| usize::try_from(m.dof_parentid[dof]).ok().filter(|&parent| parent < dof);
        for dof in 0..m.nv {
            let start = usize::try_from(m.dof_Madr[dof])?;
            let row: Vec<_> = std::iter::successors(Some(dof), above).zip(start..).collect();
            if start + row.len() > m.nM {
                return fault("addresses in qM are wrong");
            }
            rows.rownnz.push(row.len() as i32);
            rows.rowadr.push(rows.colind.len() as i32);
            rows.colind.extend(row.iter().rev().map(|&(column, _)| column as i32));
            rows.places.extend(row.iter().rev().map(|&(_, place)| place));
        }
        Ok(rows)
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind }
    }

    /// The entries of a matrix in the order of the rows.
    fn gather(&self, mat: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| mat[place]).collect()
    }
}

export! {
    fn mj_factorI_legacy(
        m: ModelPtr<'_>, _d: DataPtr<'_>, mat: In<'_, f64>, ld: Out<'_, f64>, diaginv: Out<'_, f64>,
    ) {
        let m = m.get()?;
        let rows = Rows::of(m)?;
        // matrix and factor may be the same memory
        let mut factors = mat.list(m.nM)?.to_vec();
        let mut entries = rows.gather(&factors);
        sparse::ltdl_factor(&mut entries, diaginv.list(m.nv)?, rows.pattern(), None);
        rows.places.iter().zip(entries).for_each(|(&place, entry)| factors[place] = entry);
        ld.write(&factors)
    }
    fn mj_solveLD_legacy(m: ModelPtr<'_>, x: Out<'_, f64>, n: i32, ld: In<'_, f64>, diaginv: In<'_, f64>) {
        let m = m.get()?;
        let rows = Rows::of(m)?;
        let (ld, diaginv) = (rows.gather(ld.list(m.nM)?), diaginv.list(m.nv)?);
        x.list(m.nv * count(n))?.chunks_exact_mut(m.nv.max(1)).for_each(|x| {
            sparse::ltdl_solve(x, &ld, diaginv, rows.pattern(), None);
        });
        Ok(())
    }
}
