//! A table with a row for each world.

/// A row of numbers for each world, in one piece of memory.
///
/// Invariant: the memory keeps its address and length as long as the table lives, since bindings to other
/// languages look at it without a copy. So there are no other ways to change a table than through slices, and
/// none to clone one.
#[derive(Debug)]
pub(crate) struct Rows {
    numbers: Box<[f64]>,
    columns: usize,
    /// Numbers from one row to the next: at least one, so that tables without columns have rows, too.
    stride: usize,
}

impl Rows {
    pub(crate) fn new(worlds: usize, columns: usize) -> Self {
        let stride = columns.max(1);
        Self { numbers: vec![0.0; worlds * stride].into_boxed_slice(), columns, stride }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// All rows.
    pub(crate) fn all(&self) -> &[f64] {
        if self.columns == 0 { &[] } else { &self.numbers }
    }

    /// All rows.
    pub(crate) fn all_mut(&mut self) -> &mut [f64] {
        if self.columns == 0 { &mut [] } else { &mut self.numbers }
    }

    /// All rows, taken away.
    pub(crate) fn into_numbers(self) -> Vec<f64> {
        if self.columns == 0 { Vec::new() } else { self.numbers.into_vec() }
    }

    /// The rows of so many worlds after the other.
    pub(crate) fn chunks_mut(&mut self, worlds: usize) -> std::slice::ChunksMut<'_, f64> {
        self.numbers.chunks_mut(worlds * self.stride)
    }

    /// Rows within a chunk.
    pub(crate) fn rows_of<'a>(
        chunk: &'a mut [f64],
        columns: usize,
    ) -> impl Iterator<Item = &'a mut [f64]> + use<'a> {
        chunk.chunks_exact_mut(columns.max(1)).map(move |row| &mut row[..columns])
    }
}
