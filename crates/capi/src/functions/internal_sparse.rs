//! Products and rearrangements of sparse matrices that the reference exports without declaring them in its
//! public headers. They are not used by this engine's own steps, which have faster ones.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, count};
use kinetree_math::dense::RankOne;
use kinetree_math::sparse::{Csr, Pattern, SparseChol, sparse_map};
use std::ffi::c_void;

/// Rows of a sparse matrix, of which only those that another one refers to need be there.
#[derive(Clone, Copy)]
struct Rows<'a> {
    rownnz: In<'a, i32>,
    rowadr: In<'a, i32>,
    colind: In<'a, i32>,
}

impl<'a> Rows<'a> {
    /// Where the entries of a row begin.
    fn start(self, row: usize) -> Served<usize> {
        Ok(count(self.rowadr.list(row + 1)?[row]))
    }

    /// Columns of a row.
    fn columns(self, row: usize) -> Served<&'a [i32]> {
        let (start, length) = (self.start(row)?, count(self.rownnz.list(row + 1)?[row]));
        Ok(&self.colind.list(start + length)?[start..])
    }

    /// Values of a row.
    fn values(self, row: usize, values: In<'a, f64>) -> Served<&'a [f64]> {
        let (start, length) = (self.start(row)?, count(self.rownnz.list(row + 1)?[row]));
        Ok(&values.list(start + length)?[start..])
    }

    /// The pattern of so many rows.
    fn pattern(self, rows: usize) -> Served<Pattern<'a>> {
        let (rownnz, rowadr) = (self.rownnz.list(rows)?, self.rowadr.list(rows)?);
        let size = rownnz.iter().zip(rowadr).map(|(&n, &a)| count(n) + count(a)).max().unwrap_or(0);
        Ok(Pattern { rownnz, rowadr, colind: self.colind.list(size)? })
    }
}

/// Columns up to the diagonal of each row of `JᵀJ` with `nc` columns, in order. The diagonal is among those
/// of a row whose column of `J` is not empty.
fn square_rows(j: Rows<'_>, jt: Rows<'_>, nc: usize) -> Served<Vec<Vec<i32>>> {
    let mut rows = Vec::with_capacity(nc);
    for r in 0..nc {
        let mut columns = Vec::new();
        for &k in jt.columns(r)? {
            columns.extend(j.columns(count(k))?.iter().copied().filter(|&c| count(c) <= r));
        }
        columns.sort_unstable();
        columns.dedup();
        rows.push(columns);
    }
    Ok(rows)
}

/// Appends to each row its columns above the diagonal; gives the place of the diagonal in each row.
fn mirror(rows: &mut [Vec<i32>]) -> Vec<usize> {
    let places: Vec<usize> = rows.iter().map(|row| row.len().saturating_sub(1)).collect();
    for r in 0..rows.len() {
        let lower: Vec<i32> = rows[r].iter().copied().filter(|&c| count(c) < r).collect();
        lower.into_iter().for_each(|c| rows[count(c)].push(r as i32));
    }
    places
}

/// Writes lengths and, one after the other, starts of rows; gives the number of entries.
fn write_sizes(rows: &[Vec<i32>], rownnz: Out<'_, i32>, rowadr: Out<'_, i32>) -> Served<i32> {
    let lengths: Vec<i32> = rows.iter().map(|row| row.len() as i32).collect();
    let (mut starts, mut total) = (Vec::with_capacity(lengths.len()), 0);
    for length in &lengths {
        starts.push(total);
        total += length;
    }
    rownnz.write(&lengths)?;
    rowadr.write(&starts)?;
    Ok(total)
}

/// Writes the columns of rows to where each begins, and where its diagonal is.
fn write_columns(
    rows: &[Vec<i32>],
    rownnz: Out<'_, i32>,
    rowadr: In<'_, i32>,
    colind: Out<'_, i32>,
    diagind: Option<(Out<'_, i32>, Vec<usize>)>,
) -> Served {
    let starts = rowadr.list(rows.len())?;
    for (row, &start) in rows.iter().zip(starts) {
        let end = count(start) + row.len();
        colind.list(end)?[count(start)..].copy_from_slice(row);
    }
    rownnz.write(&rows.iter().map(|row| row.len() as i32).collect::<Vec<_>>())?;
    if let Some((diagind, places)) = diagind {
        diagind
            .write(&places.iter().zip(starts).map(|(&at, &start)| at as i32 + start).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// An entry of `Jᵀ D J`.
fn square_entry(
    (j, mat): (Rows<'_>, In<'_, f64>),
    (jt, mat_t): (Rows<'_>, In<'_, f64>),
    diag: In<'_, f64>,
    (row, column): (usize, i32),
) -> Served<f64> {
    let mut sum = 0.0;
    for (&k, value) in jt.columns(row)?.iter().zip(jt.values(row, mat_t)?) {
        let k = count(k);
        let weight = if diag.is_null() { 1.0 } else { diag.list(k + 1)?[k] };
        if let Some(at) = j.columns(k)?.iter().position(|&c| c == column) {
            sum += weight * value * j.values(k, mat)?[at];
        }
    }
    Ok(sum)
}

/// The factor's pattern for a lower triangle, given by the columns of each row.
fn factor_pattern(rows: &[Vec<i32>]) -> SparseChol {
    let (mut rownnz, mut rowadr, mut colind) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        rowadr.push(colind.len() as i32);
        rownnz.push(row.len() as i32);
        colind.extend(row);
    }
    let mut factor = SparseChol::default();
    factor.symbolic(Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind });
    factor
}

/// Columns of the lower triangle of a symmetric matrix, from the upper one; the diagonal is among them.
fn mirrored(h: Rows<'_>, n: usize) -> Served<Vec<Vec<i32>>> {
    let mut rows = vec![Vec::new(); n];
    for r in 0..n {
        for &c in h.columns(r)?.iter().filter(|&&c| count(c) > r && count(c) < n) {
            rows[count(c)].push(r as i32);
        }
    }
    rows.iter_mut().enumerate().for_each(|(r, row)| row.push(r as i32));
    Ok(rows)
}

/// Columns of the lower triangle of a matrix.
fn lower(h: Rows<'_>, n: usize) -> Served<Vec<Vec<i32>>> {
    (0..n).map(|r| Ok(h.columns(r)?.iter().copied().filter(|&c| count(c) <= r).collect())).collect()
}

/// A factor of which the pattern is given, with its values.
fn given_factor(l: Rows<'_>, n: usize, values: In<'_, f64>) -> Served<(SparseChol, Vec<f64>)> {
    let factor = factor_pattern(&lower(l, n)?);
    let mut packed = Vec::with_capacity(factor.nnz());
    for r in 0..n {
        if factor.pattern().cols(r) != l.columns(r)? {
            return fault(format!("row {r} is not that of a Cholesky factor"));
        }
        packed.extend_from_slice(l.values(r, values)?);
    }
    Ok((factor, packed))
}

/// Writes the values of a factor to where its rows begin.
fn write_factor(factor: &SparseChol, packed: &[f64], rowadr: In<'_, i32>, values: Out<'_, f64>) -> Served {
    let pattern = factor.pattern();
    for (r, &start) in rowadr.list(pattern.nrow())?.iter().enumerate() {
        let row = &packed[pattern.range(r)];
        values.list(count(start) + row.len())?[count(start)..].copy_from_slice(row);
    }
    Ok(())
}

export! {
    fn mju_sqrMatTDSparseCount(
        res_rownnz: Out<'_, i32>, res_rowadr: Out<'_, i32>, nr: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>,
        colind: In<'_, i32>, rownnz_t: In<'_, i32>, rowadr_t: In<'_, i32>, colind_t: In<'_, i32>,
        _rowsuper_t: In<'_, i32>, _d: *const c_void, flg_upper: i32,
    ) -> i32 {
        let jt = Rows { rownnz: rownnz_t, rowadr: rowadr_t, colind: colind_t };
        let mut rows = square_rows(Rows { rownnz, rowadr, colind }, jt, count(nr))?;
        if flg_upper != 0 {
            mirror(&mut rows);
        }
        write_sizes(&rows, res_rownnz, res_rowadr)
    }
    fn mju_sqrMatTDSparseSymbolic(
        res_rownnz: Out<'_, i32>, res_rowadr: Out<'_, i32>, res_colind: Out<'_, i32>, res_diagind: Out<'_, i32>,
        _nr: i32, nc: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>, rownnz_t: In<'_, i32>,
        rowadr_t: In<'_, i32>, colind_t: In<'_, i32>, _rowsuper_t: In<'_, i32>, _d: *const c_void,
    ) -> i32 {
        let jt = Rows { rownnz: rownnz_t, rowadr: rowadr_t, colind: colind_t };
        let mut rows = square_rows(Rows { rownnz, rowadr, colind }, jt, count(nc))?;
        let places = if res_diagind.is_null() { Vec::new() } else { mirror(&mut rows) };
        if res_colind.is_null() {
            return write_sizes(&rows, res_rownnz, res_rowadr);
        }
        let diagind = if res_diagind.is_null() { None } else { Some((res_diagind, places)) };
        write_columns(&rows, res_rownnz, res_rowadr.reader(), res_colind, diagind)?;
        let last = rows.len().saturating_sub(1);
        Ok(res_rowadr.reader().list(rows.len())?.last().copied().unwrap_or(0) + rows.get(last).map_or(0, Vec::len) as i32)
    }
    fn mju_sqrMatTDSparseNumeric(
        res: Out<'_, f64>, nc: i32, res_rownnz: In<'_, i32>, res_rowadr: In<'_, i32>, res_colind: In<'_, i32>,
        _res_diagind: In<'_, i32>, mat: In<'_, f64>, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>,
        mat_t: In<'_, f64>, rownnz_t: In<'_, i32>, rowadr_t: In<'_, i32>, colind_t: In<'_, i32>,
        _rowsuper_t: In<'_, i32>, diag: In<'_, f64>, _d: *const c_void,
    ) {
        let square = Rows { rownnz: res_rownnz, rowadr: res_rowadr, colind: res_colind };
        let j = (Rows { rownnz, rowadr, colind }, mat);
        let jt = (Rows { rownnz: rownnz_t, rowadr: rowadr_t, colind: colind_t }, mat_t);
        for r in 0..count(nc) {
            let (start, columns) = (square.start(r)?, square.columns(r)?);
            let values = &mut res.list(start + columns.len())?[start..];
            for (value, &c) in values.iter_mut().zip(columns) {
                *value = square_entry(j, jt, diag, (r, c))?;
            }
        }
        Ok(())
    }
    fn mju_sqrMatTDSparse(
        res: Out<'_, f64>, mat: In<'_, f64>, mat_t: In<'_, f64>, diag: In<'_, f64>, _nr: i32, nc: i32,
        res_rownnz: Out<'_, i32>, res_rowadr: In<'_, i32>, res_colind: Out<'_, i32>, rownnz: In<'_, i32>,
        rowadr: In<'_, i32>, colind: In<'_, i32>, _rowsuper: In<'_, i32>, rownnz_t: In<'_, i32>,
        rowadr_t: In<'_, i32>, colind_t: In<'_, i32>, _rowsuper_t: In<'_, i32>, _d: *const c_void,
        diagind: Out<'_, i32>,
    ) {
        let (j, jt) = (Rows { rownnz, rowadr, colind }, Rows { rownnz: rownnz_t, rowadr: rowadr_t, colind: colind_t });
        let mut rows = square_rows(j, jt, count(nc))?;
        // here each row has a diagonal, also where it is zero
        for (r, row) in rows.iter_mut().enumerate().filter(|(r, row)| row.last() != Some(&(*r as i32))) {
            row.push(r as i32);
        }
        let places = if diagind.is_null() { None } else { Some((diagind, mirror(&mut rows))) };
        write_columns(&rows, res_rownnz, res_rowadr, res_colind, places)?;
        for (r, row) in rows.iter().enumerate() {
            let start = count(res_rowadr.at(r));
            let values = &mut res.list(start + row.len())?[start..];
            for (value, &c) in values.iter_mut().zip(row) {
                *value = square_entry((j, mat), (jt, mat_t), diag, (r, c))?;
            }
        }
        Ok(())
    }
    fn mju_sqrMatTDUncompressedInit(res_rowadr: Out<'_, i32>, nc: i32) {
        res_rowadr.fill_with(count(nc), |row| row as i32 * nc)
    }
    fn mju_blockDiag(
        res: Out<'_, f64>, mat: In<'_, f64>, nc_mat: i32, nc_res: i32, nb: i32, perm_r: In<'_, i32>,
        perm_c: In<'_, i32>, block_nr: In<'_, i32>, block_nc: In<'_, i32>, block_r: In<'_, i32>, block_c: In<'_, i32>,
    ) {
        let (nb, nc_mat, nc_res) = (count(nb), count(nc_mat), count(nc_res));
        let blocks = block_nr.list(nb)?.iter().zip(block_nc.list(nb)?).zip(block_r.list(nb)?).zip(block_c.list(nb)?);
        for (((&rows, &columns), &first_row), &first_column) in blocks {
            let [rows, columns, row, column] = [rows, columns, first_row, first_column].map(count);
            let (of_rows, of_columns) = (&perm_r.list(row + rows)?[row..], &perm_c.list(column + columns)?[column..]);
            let start = nc_res * row;
            let block = &mut res.list(start + rows * columns)?[start..];
            let places = of_rows.iter().flat_map(|&r| of_columns.iter().map(move |&c| nc_mat * count(r) + count(c)));
            for (to, from) in block.iter_mut().zip(places) {
                *to = mat.list(from + 1)?[from];
            }
        }
        Ok(())
    }
    fn mju_blockDiagSparse(
        res: Out<'_, f64>, res_rownnz: Out<'_, i32>, res_rowadr: Out<'_, i32>, res_colind: Out<'_, i32>,
        mat: In<'_, f64>, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>, nr: i32, nb: i32,
        perm_r: In<'_, i32>, perm_c: In<'_, i32>, block_r: In<'_, i32>, block_c: In<'_, i32>, res2: Out<'_, f64>,
        mat2: In<'_, f64>,
    ) {
        let source = Rows { rownnz, rowadr, colind };
        let (first_rows, first_columns) = (block_r.list(count(nb))?, block_c.list(count(nb))?);
        let mut next = 0;
        for (r, &k) in perm_r.list(count(nr))?.iter().enumerate() {
            let block = first_rows.iter().rposition(|&first| count(first) <= r).unwrap_or(0);
            let offset = first_columns.get(block).copied().unwrap_or(0);
            let columns = source.columns(count(k))?;
            let end = next + columns.len();
            res_rownnz.list(r + 1)?[r] = columns.len() as i32;
            res_rowadr.list(r + 1)?[r] = next as i32;
            for (to, &c) in res_colind.list(end)?[next..].iter_mut().zip(columns) {
                *to = perm_c.list(count(c) + 1)?[count(c)] - offset;
            }
            res.list(end)?[next..].copy_from_slice(source.values(count(k), mat)?);
            if !res2.is_null() && !mat2.is_null() {
                res2.list(end)?[next..].copy_from_slice(source.values(count(k), mat2)?);
            }
            next = end;
        }
        Ok(())
    }
    fn mju_sparseMap(
        map: Out<'_, i32>, nr: i32, res_rowadr: In<'_, i32>, res_rownnz: In<'_, i32>, res_colind: In<'_, i32>,
        src_rowadr: In<'_, i32>, src_rownnz: In<'_, i32>, src_colind: In<'_, i32>,
    ) {
        let res = Rows { rownnz: res_rownnz, rowadr: res_rowadr, colind: res_colind }.pattern(count(nr))?;
        let src = Rows { rownnz: src_rownnz, rowadr: src_rowadr, colind: src_colind }.pattern(count(nr))?;
        sparse_map(map.list(res.colind.len())?, res, src);
        Ok(())
    }
    fn mju_lower2SymMap(
        map: Out<'_, i32>, nr: i32, res_rowadr: In<'_, i32>, res_rownnz: In<'_, i32>, res_colind: In<'_, i32>,
        src_rowadr: In<'_, i32>, src_rownnz: In<'_, i32>, src_colind: In<'_, i32>, _cursor: Out<'_, i32>,
    ) {
        let res = Rows { rownnz: res_rownnz, rowadr: res_rowadr, colind: res_colind };
        let src = Rows { rownnz: src_rownnz, rowadr: src_rowadr, colind: src_colind };
        for r in 0..count(nr) {
            let (start, columns) = (res.start(r)?, res.columns(r)?);
            for (to, &c) in map.list(start + columns.len())?[start..].iter_mut().zip(columns) {
                let (low, high) = (count(c).min(r), count(c).max(r));
                let found = src.columns(high)?.iter().position(|&known| count(known) == low);
                *to = found.map_or(Ok(-1), |at| src.start(high).map(|start| (start + at) as i32))?;
            }
        }
        Ok(())
    }
    fn mju_cholFactorSymbolic(
        l_colind: Out<'_, i32>, l_rownnz: Out<'_, i32>, l_rowadr: Out<'_, i32>, lt_colind: Out<'_, i32>,
        lt_rownnz: Out<'_, i32>, lt_rowadr: Out<'_, i32>, lt_map: Out<'_, i32>, rownnz: In<'_, i32>,
        rowadr: In<'_, i32>, colind: In<'_, i32>, n: i32, _d: *const c_void,
    ) -> i32 {
        let n = count(n);
        let factor = factor_pattern(&mirrored(Rows { rownnz, rowadr, colind }, n)?);
        let pattern = factor.pattern();
        l_rownnz.write(pattern.rownnz)?;
        l_rowadr.write(pattern.rowadr)?;
        // columns of the factor below the diagonal, as rows of its transpose
        let mut columns: Vec<Vec<(i32, i32)>> = vec![Vec::new(); n];
        for r in 0..n {
            for (at, &c) in pattern.range(r).zip(pattern.cols(r)) {
                columns[count(c)].push((r as i32, at as i32));
            }
        }
        let rows: Vec<Vec<i32>> = columns.iter().map(|list| list.iter().map(|&(r, _)| r).collect()).collect();
        if !lt_rownnz.is_null() && !lt_rowadr.is_null() {
            write_sizes(&rows, lt_rownnz, lt_rowadr)?;
        }
        if !l_colind.is_null() {
            l_colind.write(pattern.colind)?;
            if !lt_colind.is_null() {
                lt_colind.write(&rows.concat())?;
            }
            if !lt_map.is_null() {
                lt_map.write(&columns.concat().iter().map(|&(_, at)| at).collect::<Vec<_>>())?;
            }
        }
        Ok(factor.nnz() as i32)
    }
    fn mju_cholFactorNumeric(
        l: Out<'_, f64>, n: i32, mindiag: f64, l_rownnz: In<'_, i32>, l_rowadr: In<'_, i32>, l_colind: In<'_, i32>,
        _lt_rownnz: In<'_, i32>, _lt_rowadr: In<'_, i32>, _lt_colind: In<'_, i32>, _lt_map: In<'_, i32>,
        h: In<'_, f64>, h_rownnz: In<'_, i32>, h_rowadr: In<'_, i32>, h_colind: In<'_, i32>, _d: *const c_void,
    ) -> i32 {
        let n = count(n);
        let pattern = Rows { rownnz: l_rownnz, rowadr: l_rowadr, colind: l_colind };
        let (mut factor, mut packed) = given_factor(pattern, n, l.reader())?;
        let source = Rows { rownnz: h_rownnz, rowadr: h_rowadr, colind: h_colind }.pattern(n)?;
        let rank = factor.factor(&mut packed, Csr { pattern: source, val: h.list(source.colind.len())? }, mindiag);
        write_factor(&factor, &packed, l_rowadr, l)?;
        Ok(rank as i32)
    }
    fn mju_cholFactorSparse(
        mat: Out<'_, f64>, n: i32, mindiag: f64, rownnz: Out<'_, i32>, rowadr: In<'_, i32>, colind: Out<'_, i32>,
        _d: *const c_void,
    ) -> i32 {
        let n = count(n);
        let source = Rows { rownnz: rownnz.reader(), rowadr, colind: colind.reader() };
        let mut factor = factor_pattern(&lower(source, n)?);
        let pattern = source.pattern(n)?;
        let mut packed = vec![0.0; factor.nnz()];
        let val = mat.reader().list(pattern.colind.len())?;
        let rank = factor.factor(&mut packed, Csr { pattern, val }, mindiag);
        let rows: Vec<Vec<i32>> = (0..n).map(|r| factor.pattern().cols(r).to_vec()).collect();
        write_columns(&rows, rownnz, rowadr, colind, None)?;
        write_factor(&factor, &packed, rowadr, mat)?;
        Ok(rank as i32)
    }
    fn mju_cholUpdateSparse(
        mat: Out<'_, f64>, x: In<'_, f64>, n: i32, flg_plus: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>,
        colind: In<'_, i32>, x_nnz: i32, x_ind: In<'_, i32>, _d: *const c_void,
    ) -> i32 {
        let (mut factor, mut packed) = given_factor(Rows { rownnz, rowadr, colind }, count(n), mat.reader())?;
        let sign = if flg_plus == 0 { RankOne::Subtract } else { RankOne::Add };
        let rank = factor.update(&mut packed, x.list(count(x_nnz))?, x_ind.list(count(x_nnz))?, sign);
        write_factor(&factor, &packed, rowadr, mat)?;
        Ok(rank as i32)
    }
    fn mju_isZeroByte(vec: In<'_, u8>, n: i32) -> i32 {
        Ok(i32::from(vec.list(count(n))?.iter().all(|&byte| byte == 0)))
    }
    fn mju_condataSize(data_spec: i32) -> i32 {
        if !(0..1 << CONTACT_DATA.len()).contains(&data_spec) {
            return fault(format!("mju_condataSize: invalid data specification {data_spec}"));
        }
        Ok((0..CONTACT_DATA.len()).filter(|bit| data_spec >> bit & 1 == 1).map(|bit| CONTACT_DATA[bit]).sum())
    }
}

/// Numbers of each kind of contact sensor data: found, force, torque, distance, position, normal, tangent.
const CONTACT_DATA: [i32; 7] = [1, 3, 3, 1, 3, 3, 3];
