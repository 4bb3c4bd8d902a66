//! Sparse matrices in compressed rows.

use crate::export;
use crate::ffi::fault::Served;
use crate::ffi::pointer::{In, Out, count};
use kinetree_math::sparse::{Csr, CsrBuf, Pattern, dense_to_sparse, sparse_to_dense};

/// A sparse matrix of so many rows.
fn matrix<'a>(
    mat: In<'a, f64>,
    rows: usize,
    rownnz: In<'a, i32>,
    rowadr: In<'a, i32>,
    colind: In<'a, i32>,
) -> Served<Csr<'a>> {
    let (rownnz, rowadr) = (rownnz.list(rows)?, rowadr.list(rows)?);
    let size = rownnz.iter().zip(rowadr).map(|(&n, &a)| count(n) + count(a)).max().unwrap_or(0);
    Ok(Csr { pattern: Pattern { rownnz, rowadr, colind: colind.list(size)? }, val: mat.list(size)? })
}

export! {
    fn mju_dense2sparse(
        res: Out<'_, f64>, mat: In<'_, f64>, nr: i32, nc: i32, rownnz: Out<'_, i32>, rowadr: Out<'_, i32>,
        colind: Out<'_, i32>, nnz: i32,
    ) -> i32 {
        if nnz <= 0 {
            return Ok(1);
        }
        let mut sparse = CsrBuf::default();
        dense_to_sparse(&mut sparse, mat.list(count(nr) * count(nc))?, count(nr), count(nc));
        if sparse.val.len() > count(nnz) {
            return Ok(1);
        }
        res.write(&sparse.val)?;
        colind.write(&sparse.colind)?;
        rownnz.write(&sparse.rownnz)?;
        rowadr.write(&sparse.rowadr)?;
        Ok(0)
    }
    fn mju_sparse2dense(
        res: Out<'_, f64>, mat: In<'_, f64>, nr: i32, nc: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>,
        colind: In<'_, i32>,
    ) {
        let mat = matrix(mat, count(nr), rownnz, rowadr, colind)?;
        sparse_to_dense(res.list(count(nr) * count(nc))?, mat, count(nc));
        Ok(())
    }
    fn mju_printMatSparse(mat: In<'_, f64>, nr: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>) {
        let mat = matrix(mat, count(nr), rownnz, rowadr, colind)?;
        let mut text = String::new();
        for row in 0..count(nr) {
            let (columns, values) = mat.row(row);
            columns.iter().zip(values).for_each(|(c, x)| text.push_str(&format!("{c:2}: {x:9.6}  ")));
            text.push('\n');
        }
        println!("{text}");
        Ok(())
    }
}
