//! A text that grows: names, numbers, tables, sparse matrices and pictures of where their entries are.

use super::float_format::FloatFormat;
use crate::field::{Field, FieldSlice};
use std::fmt::{Display, Write};

/// Widest matrix, and most rows of one, that is worth showing.
const MAX_SHOWN: usize = 300;

/// A sparse matrix in compressed rows, without its values.
#[derive(Clone, Copy)]
pub(super) struct Pattern<'a> {
    pub(super) rownnz: &'a [i32],
    pub(super) rowadr: &'a [i32],
    pub(super) colind: &'a [i32],
}

impl<'a> Pattern<'a> {
    /// Entries of a row: where they are, and their columns; none where the arrays do not reach.
    fn row(&self, row: usize) -> (usize, &'a [i32]) {
        let get = |list: &[i32]| list.get(row).map_or(0, |&n| usize::try_from(n).unwrap_or(0));
        let (count, start) = (get(self.rownnz), get(self.rowadr));
        (start, self.colind.get(start..start.saturating_add(count)).unwrap_or(&[]))
    }
}

/// How the rows and columns of a matrix are arranged by island.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    /// first row and column of each island, and how many
    pub(super) first_row: &'a [i32],
    pub(super) rows: &'a [i32],
    pub(super) first_col: &'a [i32],
    pub(super) cols: &'a [i32],
}

impl Blocks<'_> {
    /// First column of an island, and how many it has.
    fn columns(&self, island: usize) -> (usize, usize) {
        (at(self.first_col, island), at(self.cols, island))
    }
}

/// The entry of a list of counts; 0 beyond its end.
pub(super) fn at(list: &[i32], index: usize) -> usize {
    list.get(index).map_or(0, |&n| usize::try_from(n).unwrap_or(0))
}

/// The text, and how its numbers look.
pub(super) struct Page<'a> {
    pub(super) text: String,
    pub(super) format: &'a FloatFormat,
}

impl<'a> Page<'a> {
    pub(super) fn new(format: &'a FloatFormat) -> Self {
        Self { text: String::new(), format }
    }

    /// Appends a line.
    pub(super) fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Appends a name in a column of its own.
    pub(super) fn name(&mut self, name: &str) {
        let _ = write!(self.text, "{name:<21}");
    }

    /// Appends a number.
    pub(super) fn float(&mut self, value: f64) {
        self.format.push(&mut self.text, value);
    }

    /// Appends an integer after a space.
    pub(super) fn integer(&mut self, value: impl Display) {
        let _ = write!(self.text, " {value}");
    }

    /// Appends the values of a field from `start` on, each followed by `after`; whether it has numbers.
    pub(super) fn values(&mut self, data: FieldSlice<'_>, start: usize, count: usize, after: &str) {
        let range = start..start.saturating_add(count);
        macro_rules! each {
            ($list:expr, $value:ident => $push:expr) => {
                for &$value in $list.get(range).unwrap_or(&[]) {
                    $push;
                    self.text.push_str(after);
                }
            };
        }
        match data {
            FieldSlice::F64(list) => each!(list, x => self.float(x)),
            FieldSlice::F32(list) => each!(list, x => self.float(f64::from(x))),
            FieldSlice::I32(list) => each!(list, x => self.integer(x)),
            FieldSlice::I64(list) => each!(list, x => self.integer(x)),
            FieldSlice::U64(list) => each!(list, x => self.integer(x)),
            FieldSlice::U8(list) => each!(list, x => self.integer(x)),
        }
    }

    /// A name and the numbers of an option on a line.
    pub(super) fn option(&mut self, indent: &str, field: &Field<'_>) {
        self.name(&format!("{indent}{}", field.name));
        self.values(field.data, 0, field.data.len(), "");
        self.text.push('\n');
    }

    /// A label and numbers on a line.
    pub(super) fn vector(&mut self, label: &str, values: &[f64]) {
        if values.is_empty() {
            return;
        }
        self.text.push_str(label);
        for &value in values {
            self.text.push(' ');
            self.float(value);
        }
        self.text.push('\n');
    }

    /// A title and a table with so many columns.
    pub(super) fn table(&mut self, title: &str, data: FieldSlice<'_>, columns: usize) {
        if data.is_empty() || columns == 0 {
            return;
        }
        self.line(title);
        for row in 0..data.len() / columns {
            self.text.push(' ');
            match data {
                FieldSlice::F64(list) => {
                    for &value in &list[row * columns..][..columns] {
                        self.text.push(' ');
                        self.float(value);
                    }
                }
                _ => self.values(data, row * columns, columns, ""),
            }
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    /// A title and integers in one line below it.
    pub(super) fn integers(&mut self, title: &str, list: &[i32]) {
        self.table(title, FieldSlice::I32(list), list.len());
    }

    /// A name and integers behind it, with a bar where their group changes, and an empty line.
    pub(super) fn grouped(&mut self, name: &str, list: &[i32], group: impl Fn(i32) -> Option<i32>) {
        self.name(name);
        for (i, &value) in list.iter().enumerate() {
            if i > 0 && group(value) != group(list[i - 1]) {
                self.text.push_str(" |");
            }
            self.integer(value);
        }
        self.text.push_str("\n\n");
    }

    /// A title and the entries of each row of a sparse matrix, each with its column.
    pub(super) fn sparse(&mut self, title: &str, values: &[f64], rows: usize, pattern: Pattern<'_>) {
        if rows == 0 || rows > MAX_SHOWN {
            return;
        }
        self.line(title);
        for row in 0..rows {
            self.text.push_str("  ");
            let (start, columns) = pattern.row(row);
            for (&column, &value) in columns.iter().zip(values.get(start..).unwrap_or(&[])) {
                let _ = write!(self.text, "  {column:>2}: ");
                self.float(value);
            }
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    /// A picture of where a sparse matrix has entries. Those of `diagonal` get a letter of their own;
    /// `supernodes` says how many rows after each have the same columns.
    pub(super) fn sparsity(
        &mut self,
        title: &str,
        (rows, columns): (usize, usize),
        pattern: Pattern<'_>,
        diagonal: &[i32],
        supernodes: &[i32],
    ) {
        if rows == 0 || columns == 0 || columns > MAX_SHOWN {
            return;
        }
        self.line(title);
        self.line("-".repeat(columns + 2));
        for row in 0..rows {
            let mut picture = vec![' '; columns];
            let entries = pattern.row(row).1;
            for (i, &column) in entries.iter().enumerate() {
                let is_diagonal = diagonal.get(row).is_some_and(|&column| column as usize == i);
                if let Some(cell) = picture.get_mut(column as usize) {
                    *cell = if is_diagonal { 'D' } else { 'x' };
                }
            }
            self.picture_row(&picture, at(supernodes, row));
        }
        self.line("-".repeat(columns + 2));
        self.text.push('\n');
    }

    fn picture_row(&mut self, picture: &[char], supernode: usize) {
        self.text.push(' ');
        self.text.extend(picture);
        self.text.push_str(" |");
        if supernode > 0 {
            self.integer(supernode);
        }
        self.text.push('\n');
    }

    /// As [`Self::sparsity`], of a matrix in island order whose columns are numbered within the island of
    /// each row: the entries are the islands' numbers.
    pub(super) fn block_sparsity(
        &mut self,
        title: &str,
        columns: usize,
        islands: &[i32],
        pattern: Pattern<'_>,
        blocks: Blocks<'_>,
        supernodes: &[i32],
    ) {
        // a step fills no matrices by island
        let is_filled = pattern.rownnz.iter().any(|&count| count > 0);
        if !is_filled || islands.is_empty() || columns == 0 || columns > MAX_SHOWN {
            return;
        }
        self.line(title);
        self.line("-".repeat(columns + 2));
        for (row, &island) in islands.iter().enumerate() {
            let mut picture = vec![' '; columns];
            let (first, _) = blocks.columns(island as usize);
            let letter = u32::try_from(island).ok().and_then(|i| char::from_digit(i, 10)).unwrap_or('x');
            for &column in pattern.row(row).1 {
                if let Some(cell) = picture.get_mut(first + column as usize) {
                    *cell = letter;
                }
            }
            self.picture_row(&picture, at(supernodes, row));
        }
        self.line("-".repeat(columns + 2));
        self.text.push('\n');
    }

    /// A block-diagonal matrix in island order; dots where it has no entries.
    pub(super) fn blocks(&mut self, title: &str, values: &[f64], columns: usize, blocks: Blocks<'_>) {
        if values.is_empty() || columns == 0 {
            return;
        }
        self.line(title);
        let gap = ".".repeat(self.format.zero_width()) + " ";
        for island in 0..blocks.rows.len() {
            let (first, width) = blocks.columns(island);
            let start = at(blocks.first_row, island) * columns;
            let rows = values.get(start..).unwrap_or(&[]).chunks(width.max(1));
            for row in rows.take(at(blocks.rows, island)) {
                self.text.push(' ');
                self.text.push_str(&gap.repeat(first));
                for &value in row {
                    self.text.push(' ');
                    self.float(value);
                }
                self.text.push_str(&gap.repeat(columns.saturating_sub(first + width)));
                self.text.push('\n');
            }
        }
        self.text.push('\n');
    }
}

/// A size of memory as people read it.
pub(super) fn memory_size(bytes: usize) -> String {
    if bytes < 1024 { format!("{bytes:5} bytes") } else { format!("{:7.0} KB", bytes as f64 / 1024.0) }
}
