//! Reading an MJB file image: nothing is allocated before all sizes are known to fit the bytes that are
//! there.

use super::format::{BinaryError, FILE_ID, OPTION_ALIGNMENT, version_of};
use super::write::image_len;
use crate::consts::MAX_BYTES;
use crate::field::{FieldMut, FieldSliceMut};
use crate::{Model, Reference, Sizes};

/// Takes values off the front of a byte slice.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n)?;
        self.0 = tail;
        Some(head)
    }

    fn i32(&mut self) -> Option<i32> {
        self.take(4).and_then(|b| b.try_into().ok()).map(i32::from_le_bytes)
    }

    fn i64(&mut self) -> Option<i64> {
        self.take(8).and_then(|b| b.try_into().ok()).map(i64::from_le_bytes)
    }

    fn fill(&mut self, field: FieldMut<'_>) -> Option<()> {
        macro_rules! fill {
            ($slice:expr, $t:ty) => {{
                const N: usize = size_of::<$t>();
                let bytes = self.take($slice.len() * N)?;
                for (value, chunk) in $slice.iter_mut().zip(bytes.as_chunks::<N>().0) {
                    *value = <$t>::from_le_bytes(*chunk);
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

/// Compares the header with what this version writes, and finds the reference level.
fn check_header(bytes: &mut Bytes<'_>, found: usize) -> Result<Reference, BinaryError> {
    if bytes.i32() != Some(FILE_ID) {
        return Err(BinaryError::Foreign);
    }
    let short = || BinaryError::Length { expected: image_len(&Sizes::default()) as u64, found: found as u64 };
    let [width, sizes, version, arrays] =
        [bytes.i32(), bytes.i32(), bytes.i32(), bytes.i32()].map(|number| number.ok_or_else(short));
    let (width, sizes, version, arrays) = (width?, sizes?, version?, arrays?);
    if width as usize != size_of::<f64>() {
        return Err(BinaryError::Precision { found: width });
    }
    let level = Reference::ALL.into_iter().find(|&level| version_of(level) == version);
    let reference = level.ok_or(BinaryError::Version { found: version })?;
    let layout = [("sizes", sizes, Sizes::NAMES.len()), ("arrays", arrays, Model::default().fields().len())];
    for (what, found, expected) in layout {
        if usize::try_from(found) != Ok(expected) {
            return Err(BinaryError::Layout { what, found, expected });
        }
    }
    Ok(reference)
}

/// The sizes, each at most as large as the file where it says how much of it there is.
fn read_sizes(bytes: &mut Bytes<'_>, found: usize) -> Result<Sizes, BinaryError> {
    let mut sizes = Sizes::default();
    for &field in Sizes::NAMES {
        let short = || BinaryError::Length { expected: image_len(&sizes) as u64, found: found as u64 };
        let value = bytes.i64().ok_or_else(short)?;
        // sizes of working memory and of a world's own arrays, and columns of what may have no rows, say
        // nothing about this file
        let columns = field.starts_with("nuser_");
        let free = columns
            || matches!(
                field,
                "narena"
                    | "nbuffer"
                    | "njmax"
                    | "nconmax"
                    | "nemax"
                    | "nuserdata"
                    | "nhistory"
                    | "nsensordata"
                    | "npluginstate"
            );
        if !free && usize::try_from(value).is_ok_and(|n| n > found) {
            return Err(BinaryError::Size { field, value });
        }
        sizes.set(field, value).ok_or(BinaryError::Size { field, value })?;
    }
    if sizes.data_bytes() > MAX_BYTES {
        let largest = ["nuserdata", "nhistory", "nsensordata", "npluginstate"].into_iter();
        let named =
            |field: &'static str| (field, sizes.iter().into_iter().find(|s| s.0 == field).map_or(0, |s| s.1));
        let (field, value) = largest.map(named).max_by_key(|s| s.1).unwrap_or(("nuserdata", 0));
        return Err(BinaryError::Size { field, value });
    }
    Ok(sizes)
}

/// The model in an image, references unchecked.
pub(super) fn image(file: &[u8]) -> Result<Model, BinaryError> {
    let mut bytes = Bytes(file);
    let reference = check_header(&mut bytes, file.len())?;
    let sizes = read_sizes(&mut bytes, file.len())?;
    let expected = image_len(&sizes);
    let wrong_length = || BinaryError::Length { expected: expected as u64, found: file.len() as u64 };
    if expected != file.len() {
        return Err(wrong_length());
    }
    let mut model = Model::with_sizes(sizes);
    model.set_reference(reference);
    read_options(&mut bytes, &mut model).ok_or_else(wrong_length)?;
    for field in model.fields_mut() {
        bytes.fill(field).ok_or_else(wrong_length)?;
    }
    let name = model.names.split(|&byte| byte == 0).next().unwrap_or_default();
    model.modelname = String::from_utf8_lossy(name).into_owned();
    Ok(model)
}

fn read_options(bytes: &mut Bytes<'_>, model: &mut Model) -> Option<()> {
    let start = bytes.0.len();
    for field in model.opt.fields_mut() {
        bytes.fill(field)?;
    }
    let read = start - bytes.0.len();
    bytes.take(read.next_multiple_of(OPTION_ALIGNMENT) - read)?;
    for (_, fields) in model.vis.groups_mut() {
        for field in fields {
            bytes.fill(field)?;
        }
    }
    for field in model.stat.fields_mut() {
        bytes.fill(field)?;
    }
    Some(())
}
