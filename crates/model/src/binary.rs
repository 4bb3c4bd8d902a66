//! Binary files of compiled models.
//!
//! Layout, all little-endian: magic text, format version, a checksum of the layout (names and types of all fields), a
//! checksum of the payload and its length; then the payload: model name, sizes, options, and every array in the order of
//! the field table, each preceded by its length. Anything that does not fit exactly is refused.

use crate::field::{FieldMut, FieldSliceMut};
use crate::{Field, FieldSlice, Model, Sizes};

const MAGIC: &[u8; 8] = b"KINETREE";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 4 + 4 + 8;

/// Why a binary model was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// The file does not begin like a model.
    #[error("not a Kinetree binary model: it does not begin with the text KINETREE")]
    Foreign,
    /// The file was written by a version with another layout.
    #[error(
        "binary model has format version {found}, this build reads version {VERSION}; compile it again from its source"
    )]
    Version {
        /// Version in the file.
        found: u32,
    },
    /// The file lists other fields than this build.
    #[error("binary model was written with another list of fields; compile it again from its source")]
    Layout,
    /// The file is shorter or longer than its header says.
    #[error("binary model is truncated or has trailing bytes: expected {expected} bytes, found {found}")]
    Length {
        /// Length that the header announces.
        expected: u64,
        /// Length there is.
        found: u64,
    },
    /// The contents do not match their checksum.
    #[error("binary model is corrupt: its checksum does not match")]
    Checksum,
    /// An array does not have the length that the sizes ask for.
    #[error("binary model is inconsistent at `{field}`")]
    Inconsistent {
        /// The field.
        field: &'static str,
    },
}

/// Bytes of a flat field.
fn put(out: &mut Vec<u8>, data: FieldSlice<'_>) {
    match data {
        FieldSlice::F64(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::F32(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::I32(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::I64(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::U64(s) => s.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
        FieldSlice::U8(s) => out.extend_from_slice(s),
    }
}

/// Reads values out of a byte slice, from front to back.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n)?;
        self.0 = tail;
        Some(head)
    }

    fn u32(&mut self) -> Option<u32> {
        self.bytes(4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.bytes(8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes)
    }

    fn fill(&mut self, field: FieldMut<'_>) -> Option<()> {
        macro_rules! fill {
            ($slice:expr, $t:ty) => {{
                const N: usize = size_of::<$t>();
                let bytes = self.bytes($slice.len() * N)?;
                for (value, chunk) in $slice.iter_mut().zip(bytes.chunks_exact(N)) {
                    *value = <$t>::from_le_bytes(chunk.try_into().ok()?);
                }
            }};
        }
        match field.data {
            FieldSliceMut::F64(s) => fill!(s, f64),
            FieldSliceMut::F32(s) => fill!(s, f32),
            FieldSliceMut::I32(s) => fill!(s, i32),
            FieldSliceMut::I64(s) => fill!(s, i64),
            FieldSliceMut::U64(s) => fill!(s, u64),
            FieldSliceMut::U8(s) => fill!(s, u8),
        }
        Some(())
    }
}

/// Checksum of the names and types of all fields, so that a file of another build is told apart.
fn layout_checksum(model: &Model) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for name in Sizes::NAMES {
        hasher.update(name.as_bytes());
    }
    let mut add = |fields: Vec<Field<'_>>| {
        for f in fields {
            hasher.update(f.name.as_bytes());
            hasher.update(match f.data {
                FieldSlice::F64(_) => b"d",
                FieldSlice::F32(_) => b"f",
                FieldSlice::I32(_) => b"i",
                FieldSlice::I64(_) => b"l",
                FieldSlice::U64(_) => b"u",
                FieldSlice::U8(_) => b"b",
            });
        }
    };
    add(model.opt.fields());
    add(model.stat.fields());
    for (_, fields) in model.vis.groups() {
        add(fields);
    }
    add(model.fields());
    hasher.finalize()
}

impl Model {
    /// Writes the model as a binary file image.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.extend_from_slice(&(self.modelname.len() as u64).to_le_bytes());
        payload.extend_from_slice(self.modelname.as_bytes());
        for (_, size) in self.sizes().iter() {
            payload.extend_from_slice(&size.to_le_bytes());
        }
        let mut options = self.opt.fields();
        options.extend(self.stat.fields());
        for (_, fields) in self.vis.groups() {
            options.extend(fields);
        }
        for field in options {
            put(&mut payload, field.data);
        }
        for field in self.fields() {
            payload.extend_from_slice(&(field.data.len() as u64).to_le_bytes());
            put(&mut payload, field.data);
        }

        let mut out = Vec::with_capacity(HEADER + payload.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&layout_checksum(self).to_le_bytes());
        out.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
        out.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        out.extend_from_slice(&payload);
        out
    }

    /// Reads a model from a binary file image.
    ///
    /// # Errors
    /// When the bytes are not a complete, uncorrupted model written with the same list of fields.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BinaryError> {
        let mut header = Reader(bytes);
        if header.bytes(8) != Some(MAGIC) {
            return Err(BinaryError::Foreign);
        }
        let short = BinaryError::Length { expected: HEADER as u64, found: bytes.len() as u64 };
        let version = header.u32().ok_or(short.clone())?;
        if version != VERSION {
            return Err(BinaryError::Version { found: version });
        }
        if header.u32().ok_or(short.clone())? != layout_checksum(&Self::default()) {
            return Err(BinaryError::Layout);
        }
        let checksum = header.u32().ok_or(short.clone())?;
        let length = header.u64().ok_or(short)?;
        if header.0.len() as u64 != length {
            let found = bytes.len() as u64;
            return Err(BinaryError::Length { expected: length.saturating_add(HEADER as u64), found });
        }
        if crc32fast::hash(header.0) != checksum {
            return Err(BinaryError::Checksum);
        }
        read_payload(Reader(header.0))
    }
}

/// Reads the payload. Lengths are checked before anything is allocated for them.
fn read_payload(mut reader: Reader<'_>) -> Result<Model, BinaryError> {
    let bad = |field| BinaryError::Inconsistent { field };
    let name_len = reader.u64().and_then(|n| usize::try_from(n).ok()).ok_or(bad("modelname"))?;
    let name = reader.bytes(name_len).ok_or(bad("modelname"))?;
    let modelname = String::from_utf8(name.to_vec()).map_err(|_| bad("modelname"))?;
    let mut sizes = Sizes::default();
    for &name in Sizes::NAMES {
        let value = reader.u64().ok_or(bad(name))? as i64;
        sizes.set(name, value).ok_or(bad(name))?;
    }
    // no array can have more elements than there are bytes; the counts of unbounded use are not array sizes
    if let Some((name, _)) = sizes.iter().into_iter().find(|&(name, n)| {
        !matches!(name, "narena" | "nbuffer" | "njmax" | "nconmax" | "nemax") && n > reader.0.len() as i64
    }) {
        return Err(bad(name));
    }
    if sizes.model_bytes() > reader.0.len() {
        return Err(bad("sizes"));
    }
    let mut model = Model::with_sizes(sizes);
    model.modelname = modelname;
    let mut fields = model.opt.fields_mut();
    fields.extend(model.stat.fields_mut());
    for (_, group) in model.vis.groups_mut() {
        fields.extend(group);
    }
    for field in fields {
        let name = field.name;
        reader.fill(field).ok_or(bad(name))?;
    }
    let lengths: Vec<usize> = model.fields().iter().map(|f| f.data.len()).collect();
    for (field, length) in model.fields_mut().into_iter().zip(lengths) {
        let name = field.name;
        if reader.u64() != Some(length as u64) {
            return Err(bad(name));
        }
        reader.fill(field).ok_or(bad(name))?;
    }
    if reader.0.is_empty() { Ok(model) } else { Err(bad("end")) }
}
