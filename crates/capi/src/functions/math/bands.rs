//! Symmetric matrices that are a band with dense rows at the end.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;
use kinetree_math::band::Band;

fn band(ntotal: i32, nband: i32, ndense: i32) -> Served<Band> {
    if ndense > ntotal || nband < 0 || ndense < 0 {
        return fault("a band needs 0 <= ndense <= ntotal and nband >= 0");
    }
    Ok(Band::new(count(ntotal), count(nband), count(ndense)))
}

export! {
    fn mju_bandDiag(i: i32, ntotal: i32, nband: i32, ndense: i32) -> i32 {
        let (band, row) = (band(ntotal, nband, ndense)?, index("row", i, count(ntotal))?);
        // a band of no width has no diagonal: one before the first number, as the reference has it
        Ok(if band.nband == 0 && row < band.nsparse() { -1 } else { band.diag(row) as i32 })
    }
    fn mju_band2Dense(res: Out<'_, f64>, mat: In<'_, f64>, ntotal: i32, nband: i32, ndense: i32, flg_sym: u8) {
        let (band, n) = (band(ntotal, nband, ndense)?, count(ntotal));
        band.to_dense(res.list(n * n)?, mat.list(band.len())?, flg_sym != 0);
        Ok(())
    }
    fn mju_dense2Band(res: Out<'_, f64>, mat: In<'_, f64>, ntotal: i32, nband: i32, ndense: i32) {
        let (band, n) = (band(ntotal, nband, ndense)?, count(ntotal));
        band.from_dense(res.list(band.len())?, mat.list(n * n)?);
        Ok(())
    }
    fn mju_bandMulMatVec(
        res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, ntotal: i32, nband: i32, ndense: i32, nvec: i32,
        flg_sym: u8,
    ) {
        let (band, n) = (band(ntotal, nband, ndense)?, count(ntotal));
        let (mat, vec) = (mat.list(band.len())?, vec.list(n * count(nvec))?);
        let res = res.list(n * count(nvec))?;
        for (out, v) in res.chunks_exact_mut(n.max(1)).zip(vec.chunks_exact(n.max(1))) {
            band.mul_mat_vec(out, mat, v, flg_sym != 0);
        }
        Ok(())
    }
    fn mju_cholFactorBand(
        mat: Out<'_, f64>, ntotal: i32, nband: i32, ndense: i32, diagadd: f64, diagmul: f64,
    ) -> f64 {
        let band = band(ntotal, nband, ndense)?;
        Ok(band.chol_factor(mat.list(band.len())?, diagadd, diagmul))
    }
    fn mju_cholSolveBand(
        res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, ntotal: i32, nband: i32, ndense: i32,
    ) {
        let band = band(ntotal, nband, ndense)?;
        if band.nband == 0 && band.nsparse() > 0 {
            return fault("a band of no width has no factor");
        }
        let mut x = vec.list(count(ntotal))?.to_vec();
        band.chol_solve(&mut x, mat.list(band.len())?);
        res.write(&x)
    }
}
