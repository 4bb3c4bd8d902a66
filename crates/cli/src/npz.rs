//! NumPy's NPZ: a ZIP archive of arrays, stored without compression.
//!
//! Each entry is an NPY file: magic bytes, version, a padded text header with type, order and shape, then the
//! numbers, little-endian. Sizes must fit the 32 bits of plain ZIP.

use std::io::{self, Write};

/// Writes arrays one after another.
pub(crate) struct Writer<W> {
    out: W,
    offset: usize,
    directory: Vec<u8>,
    entries: u16,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(out: W) -> Self {
        Writer { out, offset: 0, directory: Vec::new(), entries: 0 }
    }

    /// Adds an array of `f64` in row-major order.
    pub(crate) fn add(
        &mut self,
        name: &str,
        shape: &[usize],
        values: impl Iterator<Item = f64>,
    ) -> io::Result<()> {
        let mut body = npy_header(shape);
        values.for_each(|value| body.extend_from_slice(&value.to_le_bytes()));
        let size = fits(body.len())?;
        let file = format!("{name}.npy");

        // the fields that the local header and the directory share
        let mut common = Vec::new();
        common.extend_from_slice(&[20, 0, 0, 0, 0, 0]); // version 2.0, no flags, stored
        common.extend_from_slice(&[0, 0, 0x21, 0]); // 1980-01-01: equal contents make equal files
        common.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        common.extend_from_slice(&size.to_le_bytes());
        common.extend_from_slice(&size.to_le_bytes());
        common.extend_from_slice(&(file.len() as u16).to_le_bytes());
        common.extend_from_slice(&[0, 0]);

        let start = fits(self.offset)?;
        self.directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        self.directory.extend_from_slice(&common);
        self.directory.extend_from_slice(&[0; 10]); // comment, disk, attributes
        self.directory.extend_from_slice(&start.to_le_bytes());
        self.directory.extend_from_slice(file.as_bytes());
        self.entries += 1;

        self.put(b"PK\x03\x04")?;
        self.put(&common)?;
        self.put(file.as_bytes())?;
        self.put(&body)
    }

    /// Writes the directory.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let mut end = std::mem::take(&mut self.directory);
        let size = fits(end.len())?;
        end.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        end.extend_from_slice(&self.entries.to_le_bytes());
        end.extend_from_slice(&self.entries.to_le_bytes());
        end.extend_from_slice(&size.to_le_bytes());
        end.extend_from_slice(&fits(self.offset)?.to_le_bytes());
        end.extend_from_slice(&[0, 0]);
        self.put(&end)?;
        self.out.flush()
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.offset += bytes.len();
        self.out.write_all(bytes)
    }
}

fn fits(size: usize) -> io::Result<u32> {
    u32::try_from(size)
        .map_err(|_| io::Error::other("the trajectory exceeds the 4 GiB of an NPZ file; record fewer rows"))
}

/// The beginning of an NPY file, padded so that the numbers start at a multiple of 64 bytes.
fn npy_header(shape: &[usize]) -> Vec<u8> {
    let extents: Vec<String> = shape.iter().map(|extent| format!("{extent},")).collect();
    let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", extents.join(" "));
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend_from_slice(&(length as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header.resize(10 + length - 1, b' ');
    header.push(b'\n');
    header
}
