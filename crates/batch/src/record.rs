//! A row of named numbers: what a task writes observations and metrics into.

use std::ops::Range;

/// Numbers of a row that belong together under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name, such as `velocity`.
    pub name: &'static str,
    /// Its numbers in the row.
    pub columns: Range<usize>,
}

/// A row that is filled from its begin to its end.
///
/// A task writes the same parts, with the same lengths, each time: the batch finds out about them by letting
/// it write once when it is made. What does not fit into the row is left out.
#[derive(Debug)]
pub struct Record<'a> {
    numbers: &'a mut [f64],
    len: usize,
    /// Where parts are noted when the layout is of interest.
    parts: Option<&'a mut Vec<Part>>,
}

impl<'a> Record<'a> {
    /// Fills a row.
    pub(crate) fn new(numbers: &'a mut [f64]) -> Self {
        Self { numbers, len: 0, parts: None }
    }

    /// Parts that `write` writes.
    pub(crate) fn layout(write: impl FnOnce(&mut Record<'_>)) -> Vec<Part> {
        let mut parts = Vec::new();
        write(&mut Record { numbers: &mut [], len: 0, parts: Some(&mut parts) });
        parts
    }

    /// Adds numbers. What follows under the same name belongs to the same part.
    pub fn put(&mut self, name: &'static str, values: &[f64]) {
        let columns = self.extend(name, values.len());
        if let Some(target) = self.numbers.get_mut(columns) {
            target.copy_from_slice(values);
        }
    }

    /// Adds one number.
    pub fn number(&mut self, name: &'static str, value: f64) {
        self.put(name, &[value]);
    }

    /// Adds numbers that are computed one by one.
    pub fn each(&mut self, name: &'static str, values: impl IntoIterator<Item = f64>) {
        for value in values {
            self.number(name, value);
        }
    }

    /// Makes room for so many numbers of a part.
    fn extend(&mut self, name: &'static str, count: usize) -> Range<usize> {
        let columns = self.len..self.len + count;
        self.len = columns.end;
        if let Some(parts) = &mut self.parts {
            match parts.last_mut().filter(|part| part.name == name) {
                Some(part) => part.columns.end = columns.end,
                None => parts.push(Part { name, columns: columns.clone() }),
            }
        }
        columns
    }
}

/// Numbers in a row of these parts.
pub(crate) fn width(parts: &[Part]) -> usize {
    parts.last().map_or(0, |part| part.columns.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(record: &mut Record<'_>) {
        record.put("position", &[1.0, 2.0]);
        record.each("velocity", [3.0, 4.0]);
        record.number("velocity", 5.0);
    }

    #[test]
    fn what_is_written_is_where_the_layout_says() {
        let parts = Record::layout(write);
        assert_eq!(parts[0], Part { name: "position", columns: 0..2 });
        assert_eq!(parts[1], Part { name: "velocity", columns: 2..5 });
        let mut row = [0.0; 5];
        write(&mut Record::new(&mut row));
        assert_eq!((row, width(&parts)), ([1.0, 2.0, 3.0, 4.0, 5.0], 5));
        // a row that is too short
        let mut row = [0.0; 3];
        write(&mut Record::new(&mut row));
        assert_eq!(row, [1.0, 2.0, 3.0]);
    }
}
