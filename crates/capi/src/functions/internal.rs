//! Functions that the reference exports without declaring them in its public headers; its own tests, and some
//! programs, use them.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr, run};
use crate::ffi::pointer::{In, Out, Text, count};
use crate::functions::base64::{decode, encode};
use crate::functions::index;
use kinetree_math::sparse::{Csr, CsrBuf, Pattern};
use kinetree_math::{qcqp, sparse};
use kinetree_sim as sim;
use std::ffi::c_char;

/// The pattern of a sparse matrix of so many rows.
fn pattern<'a>(
    rows: usize,
    rownnz: In<'a, i32>,
    rowadr: In<'a, i32>,
    colind: In<'a, i32>,
) -> Served<Pattern<'a>> {
    let (rownnz, rowadr) = (rownnz.list(rows)?, rowadr.list(rows)?);
    let size = rownnz.iter().zip(rowadr).map(|(&n, &a)| count(n) + count(a)).max().unwrap_or(0);
    Ok(Pattern { rownnz, rowadr, colind: colind.list(size)? })
}

fn matrix<'a>(mat: In<'a, f64>, pattern: Pattern<'a>) -> Served<Csr<'a>> {
    Ok(Csr { pattern, val: mat.list(pattern.colind.len())? })
}

export! {
    fn mju_dotSparse2(
        vec1: In<'_, f64>, ind1: In<'_, i32>, nnz1: i32, vec2: In<'_, f64>, ind2: In<'_, i32>, nnz2: i32,
    ) -> f64 {
        let (x, i) = (vec1.list(count(nnz1))?, ind1.list(count(nnz1))?);
        let (y, j) = (vec2.list(count(nnz2))?, ind2.list(count(nnz2))?);
        let (mut a, mut b, mut sum) = (0, 0, 0.0);
        while a < i.len() && b < j.len() {
            match i[a].cmp(&j[b]) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => {
                    sum += x[a] * y[b];
                    (a, b) = (a + 1, b + 1);
                }
            }
        }
        Ok(sum)
    }
    fn mju_combineSparseCount(a_nnz: i32, b_nnz: i32, a_ind: In<'_, i32>, b_ind: In<'_, i32>) -> i32 {
        Ok(sparse::combine_count(a_ind.list(count(a_nnz))?, b_ind.list(count(b_nnz))?) as i32)
    }
    fn mju_mulMatVecSparse(
        res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, nr: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>,
        colind: In<'_, i32>, _rowsuper: In<'_, i32>,
    ) {
        let mat = matrix(mat, pattern(count(nr), rownnz, rowadr, colind)?)?;
        // between rows there may be anything
        let columns = (0..count(nr)).flat_map(|row| mat.row(row).0).map(|&c| count(c) + 1).max().unwrap_or(0);
        sparse::mul_mat_vec(res.list(count(nr))?, mat, vec.list(columns)?);
        Ok(())
    }
    fn mju_mulMatTVecSparse(
        res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, nr: i32, nc: i32, rownnz: In<'_, i32>,
        rowadr: In<'_, i32>, colind: In<'_, i32>,
    ) {
        let mat = matrix(mat, pattern(count(nr), rownnz, rowadr, colind)?)?;
        sparse::mul_mat_t_vec(res.list(count(nc))?, mat, vec.list(count(nr))?);
        Ok(())
    }
    fn mju_mulSymVecSparse(
        res: Out<'_, f64>, mat: In<'_, f64>, vec: In<'_, f64>, n: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>,
        colind: In<'_, i32>,
    ) {
        let mat = matrix(mat, pattern(count(n), rownnz, rowadr, colind)?)?;
        sparse::mul_sym_vec(res.list(count(n))?, mat, vec.list(count(n))?);
        Ok(())
    }
    fn mju_addToSymSparse(
        res: Out<'_, f64>, mat: In<'_, f64>, n: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>,
        flg_upper: i32,
    ) {
        let n = count(n);
        let mat = matrix(mat, pattern(n, rownnz, rowadr, colind)?)?;
        let res = res.list(n * n)?;
        for row in 0..n {
            let (columns, values) = mat.row(row);
            for (&column, value) in columns.iter().zip(values) {
                let column = count(column);
                res[row * n + column] += value;
                if flg_upper != 0 && column < row {
                    res[column * n + row] += value;
                }
            }
        }
        Ok(())
    }
    fn mju_transposeSparse(
        res: Out<'_, f64>, mat: In<'_, f64>, nr: i32, nc: i32, res_rownnz: Out<'_, i32>, res_rowadr: Out<'_, i32>,
        res_colind: Out<'_, i32>, res_rowsuper: Out<'_, i32>, rownnz: In<'_, i32>, rowadr: In<'_, i32>,
        colind: In<'_, i32>,
    ) {
        // the matrix may be a block of another one: addresses count from that of the first row
        let adr = rowadr.list(count(nr))?;
        let first = adr.first().copied().unwrap_or(0);
        let adr: Vec<i32> = adr.iter().map(|adr| adr.saturating_sub(first)).collect();
        let rownnz = rownnz.list(count(nr))?;
        let size = rownnz.iter().zip(&adr).map(|(&n, &adr)| count(n) + count(adr)).max().unwrap_or(0);
        let pattern = Pattern { rownnz, rowadr: &adr, colind: colind.list(size)? };
        let zeros = vec![0.0; pattern.colind.len()];
        let val = if mat.is_null() { &zeros[..] } else { mat.list(pattern.colind.len())? };
        let mut out = CsrBuf::default();
        sparse::transpose(&mut out, Csr { pattern, val }, count(nc));
        if !res.is_null() && !mat.is_null() {
            res.write(&out.val)?;
        }
        res_rownnz.write(&out.rownnz)?;
        res_rowadr.write(&out.rowadr)?;
        res_colind.write(&out.colind)?;
        if !res_rowsuper.is_null() {
            let mut rowsuper = vec![0; out.rownnz.len()];
            sparse::find_supernodes(&mut rowsuper, out.pattern());
            res_rowsuper.write(&rowsuper)?;
        }
        Ok(())
    }
    fn mju_compressSparse(
        mat: Out<'_, f64>, nr: i32, _nc: i32, rownnz: Out<'_, i32>, rowadr: Out<'_, i32>, colind: Out<'_, i32>,
        minval: f64,
    ) -> i32 {
        let nr = count(nr);
        let (mut next, keep) = (0, |x: f64| minval < 0.0 || x.abs() > minval);
        let (rownnz, rowadr) = (rownnz.list(nr)?, rowadr.list(nr)?);
        let total = rownnz.iter().zip(&*rowadr).map(|(&n, &adr)| count(n) + count(adr)).max().unwrap_or(0);
        let (mat, colind) = (mat.list(total)?, colind.list(total)?);
        for row in 0..nr {
            let (start, length, first) = (count(rowadr[row]), count(rownnz[row]), next);
            for at in start..start + length {
                if keep(mat[at]) {
                    (mat[next], colind[next]) = (mat[at], colind[at]);
                    next += 1;
                }
            }
            (rowadr[row], rownnz[row]) = (first as i32, (next - first) as i32);
        }
        Ok(next as i32)
    }
    fn mju_superSparse(
        nr: i32, rowsuper: Out<'_, i32>, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>,
    ) {
        sparse::find_supernodes(rowsuper.list(count(nr))?, pattern(count(nr), rownnz, rowadr, colind)?);
        Ok(())
    }
    fn mju_QCQP2(res: Out<'_, f64>, a: In<'_, f64>, b: In<'_, f64>, d: In<'_, f64>, r: f64) -> i32 {
        let (x, active) = qcqp::qcqp(a.list(4)?, b.list(2)?, d.list(2)?, r, 2);
        res.write(&x[..2])?;
        Ok(i32::from(active))
    }
    fn mju_QCQP3(res: Out<'_, f64>, a: In<'_, f64>, b: In<'_, f64>, d: In<'_, f64>, r: f64) -> i32 {
        let (x, active) = qcqp::qcqp(a.list(9)?, b.list(3)?, d.list(3)?, r, 3);
        res.write(&x[..3])?;
        Ok(i32::from(active))
    }
    fn mj_tendonDot(m: ModelPtr<'_>, d: DataPtr<'_>, id: i32, vec: In<'_, f64>) -> f64 {
        let m = m.get()?;
        Ok(sim::mj_tendon_dot(m, d.read()?, index("tendon", id, m.ntendon)?, vec.list(m.nv)?)?)
    }
    fn mj_updateSleep(m: ModelPtr<'_>, d: DataPtr<'_>) { run(m, d, sim::mj_update_sleep) }
    fn mj_sleepCycle(tree_asleep: In<'_, i32>, ntree: i32, i: i32) -> i32 {
        let tree = index("tree", i, count(ntree))?;
        Ok(sim::mj_sleep_cycle(tree_asleep.list(count(ntree))?, tree).map_or(-1, |tree| tree as i32))
    }
    fn mj_factorI(
        mat: Out<'_, f64>, diaginv: Out<'_, f64>, nv: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>,
        index: In<'_, i32>,
    ) {
        let pattern = pattern(count(nv), rownnz, rowadr, colind)?;
        let index = if index.is_null() { None } else { Some(index.list(count(nv))?) };
        sparse::ltdl_factor(mat.list(pattern.colind.len())?, diaginv.list(count(nv))?, pattern, index);
        Ok(())
    }
    fn mj_solveLD(
        x: Out<'_, f64>, ld: In<'_, f64>, diaginv: In<'_, f64>, nv: i32, n: i32, rownnz: In<'_, i32>,
        rowadr: In<'_, i32>, colind: In<'_, i32>, index: In<'_, i32>,
    ) {
        let nv = count(nv);
        let pattern = pattern(nv, rownnz, rowadr, colind)?;
        let index = if index.is_null() { None } else { Some(index.list(nv)?) };
        let (ld, diaginv) = (ld.list(pattern.colind.len())?, diaginv.list(nv)?);
        x.list(nv * count(n))?.chunks_exact_mut(nv.max(1)).for_each(|x| {
            sparse::ltdl_solve(x, ld, diaginv, pattern, index);
        });
        Ok(())
    }
    fn mj_validateReferences(m: ModelPtr<'_>) -> *const c_char {
        Ok(match m.get()?.check_indices() {
            Ok(()) => std::ptr::null(),
            Err(problem) => crate::functions::texts::returned(&problem.to_string()),
        })
    }
    fn mju_isValidBase64(text: Text<'_>) -> usize { Ok(decode(text.get()?.as_bytes()).map_or(0, |bytes| bytes.len())) }
    fn mju_decodeBase64(buf: Out<'_, u8>, text: Text<'_>) -> usize {
        let bytes = decode(text.get()?.as_bytes()).unwrap_or_default();
        buf.write(&bytes)?;
        Ok(bytes.len())
    }
    fn mju_encodeBase64(buf: Out<'_, u8>, data: In<'_, u8>, ndata: usize) -> usize {
        let mut text = encode(data.list(ndata)?);
        text.push(0);
        buf.write(&text)?;
        Ok(text.len())
    }
    fn mju_historyInit(
        buf: Out<'_, f64>, n: i32, dim: i32, times: In<'_, f64>, values: In<'_, f64>, user: f64,
    ) {
        if n <= 0 {
            return fault("mju_historyInit: n must be positive");
        }
        let (n, dim) = (count(n), count(dim));
        let buf = buf.list(2 + n + n * dim)?;
        let times = times.optional(n)?;
        if let Some(times) = times {
            if times.windows(2).any(|pair| pair[1] <= pair[0]) {
                return fault("mju_historyInit: times must be strictly increasing");
            }
            buf[2..2 + n].copy_from_slice(times);
        }
        buf[0] = user;
        buf[1] = (n - 1) as f64;
        if values.is_null() {
            buf[2 + n..].fill(0.0);
        } else {
            buf[2 + n..].copy_from_slice(values.list(n * dim)?);
        }
        Ok(())
    }
    fn mju_historyInsert(buf: Out<'_, f64>, n: i32, dim: i32, t: f64) -> *mut f64 {
        let (n, dim) = (count(n), count(dim));
        Ok(sim::history_insert(buf.list(2 + n + n * dim)?, n, dim, t).as_mut_ptr())
    }
    fn mju_historyRead(
        buf: In<'_, f64>, n: i32, dim: i32, res: Out<'_, f64>, t: f64, interp: i32,
    ) -> *const f64 {
        let (n, dim) = (count(n), count(dim));
        let list = buf.list(2 + n + n * dim)?;
        if n == 0 {
            return fault("mju_historyRead: n must be positive");
        }
        if let Some(at) = crate::functions::state::sample_at(list, n, dim, t, interp) {
            return Ok(list[at..].as_ptr());
        }
        sim::history_read(buf.list(2 + n + n * dim)?, n, dim, res.list(dim)?, t, interp.into());
        Ok(std::ptr::null())
    }
    fn mju_equal3(vec1: In<'_, f64>, vec2: In<'_, f64>) -> i32 {
        let (a, b) = (vec1.array::<3>()?, vec2.array::<3>()?);
        Ok(i32::from((0..3).all(|i| (a[i] - b[i]).abs() < kinetree_math::MINVAL)))
    }
    fn mju_scatterInt(res: Out<'_, i32>, vec: In<'_, i32>, ind: In<'_, i32>, n: i32) {
        if n > 0 && vec.is_null() {
            return fault("a vector is NULL");
        }
        let places = ind.list(count(n))?;
        let room = places.iter().map(|&at| count(at) + 1).max().unwrap_or(0);
        let res = res.list(room)?;
        places.iter().enumerate().for_each(|(i, &at)| res[count(at)] = vec.at(i));
        Ok(())
    }
}
