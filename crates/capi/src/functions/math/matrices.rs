//! Dense matrices, row-major.

use crate::export;
use crate::ffi::errors::allocate;
use crate::ffi::pointer::{In, Out, count};
use kinetree_math::boxqp::{BoxQp, BoxQpError};
use kinetree_math::dense::{self, RankOne};
use kinetree_math::rot::{mat3, mat3_row};
use kinetree_math::{Vec3, eig3};

/// Computes into a list of its own, since the result may lie where an argument lies.
fn aside(res: Out<'_, f64>, size: usize, f: impl FnOnce(&mut [f64])) -> crate::ffi::fault::Served {
    let mut values = vec![0.0; size];
    f(&mut values);
    res.write(&values)
}

export! {
    fn mju_mulMatVec3(res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>) {
        res.set::<3>((mat3(&mat.array()?) * Vec3::from(vec.array::<3>()?)).into())
    }
    fn mju_mulMatTVec3(res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>) {
        res.set::<3>(mat3(&mat.array()?).tr_mul(&Vec3::from(vec.array::<3>()?)).into())
    }
    fn mju_mulMatMat3(res: Out<'_, f64>, mat1: In<'_, f64>, mat2: In<'_, f64>) {
        res.set(mat3_row(&(mat3(&mat1.array()?) * mat3(&mat2.array()?))))
    }
    fn mju_mulMatTMat3(res: Out<'_, f64>, mat1: In<'_, f64>, mat2: In<'_, f64>) {
        res.set(mat3_row(&(mat3(&mat1.array()?).transpose() * mat3(&mat2.array()?))))
    }
    fn mju_mulMatMatT3(res: Out<'_, f64>, mat1: In<'_, f64>, mat2: In<'_, f64>) {
        res.set(mat3_row(&(mat3(&mat1.array()?) * mat3(&mat2.array()?).transpose())))
    }
    fn mju_mulMatVec(res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, nr: i32, nc: i32) {
        let (mat, vec) = (mat.list(count(nr) * count(nc))?, vec.list(count(nc))?);
        aside(res, count(nr), |res| dense::mul_mat_vec(res, mat, vec))
    }
    fn mju_mulMatTVec(res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, nr: i32, nc: i32) {
        let (mat, vec) = (mat.list(count(nr) * count(nc))?, vec.list(count(nr))?);
        aside(res, count(nc), |res| dense::mul_mat_t_vec(res, mat, vec))
    }
    fn mju_mulVecMatVec(vec1: In<'_, f64>, mat: In<'_, f64>, vec2: In<'_, f64>, n: i32) -> f64 {
        let n = count(n);
        Ok(dense::mul_vec_mat_vec(vec1.list(n)?, mat.list(n * n)?, vec2.list(n)?))
    }
    fn mju_mulMatMat(res: Out<'_, f64>, mat1: In<'_, f64>, mat2: In<'_, f64>, r1: i32, c1: i32, c2: i32) {
        let (r1, c1, c2) = (count(r1), count(c1), count(c2));
        let (a, b) = (mat1.list(r1 * c1)?, mat2.list(c1 * c2)?);
        aside(res, r1 * c2, |res| dense::mul_mat_mat(res, a, b, r1, c1, c2))
    }
    fn mju_mulMatMatT(res: Out<'_, f64>, mat1: In<'_, f64>, mat2: In<'_, f64>, r1: i32, c1: i32, r2: i32) {
        let (r1, c1, r2) = (count(r1), count(c1), count(r2));
        let (a, b) = (mat1.list(r1 * c1)?, mat2.list(r2 * c1)?);
        aside(res, r1 * r2, |res| dense::mul_mat_mat_t(res, a, b, r1, c1, r2))
    }
    fn mju_mulMatTMat(res: Out<'_, f64>, mat1: In<'_, f64>, mat2: In<'_, f64>, r1: i32, c1: i32, c2: i32) {
        let (r1, c1, c2) = (count(r1), count(c1), count(c2));
        let (a, b) = (mat1.list(r1 * c1)?, mat2.list(r1 * c2)?);
        aside(res, c1 * c2, |res| dense::mul_mat_t_mat(res, a, b, r1, c1, c2))
    }
    fn mju_sqrMatTD(res: Out<'_, f64>, mat: In<'_, f64>, diag: In<'_, f64>, nr: i32, nc: i32) {
        let (nr, nc) = (count(nr), count(nc));
        let (mat, diag) = (mat.list(nr * nc)?, diag.optional(nr)?);
        aside(res, nc * nc, |res| dense::sqr_mat_td(res, mat, diag, nr, nc))
    }
    fn mju_transpose(res: Out<'_, f64>, mat: In<'_, f64>, nr: i32, nc: i32) {
        let (nr, nc) = (count(nr), count(nc));
        let mat = mat.list(nr * nc)?;
        aside(res, nr * nc, |res| dense::transpose(res, mat, nr, nc))
    }
    fn mju_symmetrize(res: Out<'_, f64>, mat: In<'_, f64>, n: i32) {
        let n = count(n);
        let mat = mat.list(n * n)?;
        aside(res, n * n, |res| dense::symmetrize(res, mat, n))
    }
    fn mju_eye(mat: Out<'_, f64>, n: i32) {
        let n = count(n);
        dense::identity(mat.list(n * n)?, n);
        Ok(())
    }
    fn mju_cholFactor(mat: Out<'_, f64>, n: i32, mindiag: f64) -> i32 {
        let n = count(n);
        Ok(dense::chol_factor(mat.list(n * n)?, n, mindiag) as i32)
    }
    fn mju_cholSolve(res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, n: i32) {
        let n = count(n);
        let mut x = vec.list(n)?.to_vec();
        dense::chol_solve(&mut x, mat.list(n * n)?);
        res.write(&x)
    }
    fn mju_cholUpdate(mat: Out<'_, f64>, x: Out<'_, f64>, n: i32, flg_plus: i32) -> i32 {
        let n = count(n);
        let sign = if flg_plus != 0 { RankOne::Add } else { RankOne::Subtract };
        Ok(dense::chol_update(mat.list(n * n)?, x.list(n)?, sign) as i32)
    }
    fn mju_eig3(eigval: Out<'_, f64>, eigvec: Out<'_, f64>, quat: Out<'_, f64>, mat: In<'_, f64>) -> i32 {
        let result = eig3::eig3(&mat3(&mat.array()?));
        eigval.set_optional(result.values);
        eigvec.set_optional(mat3_row(&result.vectors));
        quat.set_optional(result.quat);
        Ok(result.iterations as i32)
    }
    fn mju_boxQP(
        res: Out<'_, f64>, r: Out<'_, f64>, index: Out<'_, i32>, h: In<'_, f64>, g: In<'_, f64>, n: i32,
        lower: In<'_, f64>, upper: In<'_, f64>,
    ) -> i32 {
        let n = count(n);
        let mut solver = BoxQp::default();
        let (lower, upper) = (lower.optional(n)?, upper.optional(n)?);
        let rank = match solver.solve(res.list(n)?, h.list(n * n)?, g.list(n)?, lower, upper) {
            Ok(rank) => rank as i32,
            Err(BoxQpError::NotPositiveDefinite | BoxQpError::NoDescent) => -1,
            Err(problem) => return Err(problem.into()),
        };
        let room = (n * (n + 7)).min(solver.factor().len());
        r.write(&solver.factor()[..room])?;
        if !index.is_null() {
            index.write(&solver.free()[..n.min(solver.free().len())])?;
        }
        Ok(rank)
    }
    fn mju_boxQPmalloc(
        res: Out<'_, *mut f64>, r: Out<'_, *mut f64>, index: Out<'_, *mut i32>, h: Out<'_, *mut f64>,
        g: Out<'_, *mut f64>, n: i32, lower: Out<'_, *mut f64>, upper: Out<'_, *mut f64>,
    ) {
        let n = count(n);
        let numbers = |count: usize| allocate(count * size_of::<f64>()).cast::<f64>();
        res.set([numbers(n)])?;
        r.set([numbers(n * (n + 7))])?;
        h.set([numbers(n * n)])?;
        g.set([numbers(n)])?;
        if !index.is_null() {
            index.set([allocate(n * size_of::<i32>()).cast()])?;
        }
        if !lower.is_null() {
            lower.set([numbers(n)])?;
        }
        if !upper.is_null() {
            upper.set([numbers(n)])?;
        }
        Ok(())
    }
    fn mju_printMat(mat: In<'_, f64>, nr: i32, nc: i32) {
        let mut text = String::new();
        for row in mat.list(count(nr) * count(nc))?.chunks(count(nc).max(1)) {
            row.iter().for_each(|x| text.push_str(&format!("{x:.8} ")));
            text.push('\n');
        }
        println!("{text}");
        Ok(())
    }
}
