//! Decoders and encoders that programs register: functions of C that read and write file formats.

#![allow(unsafe_code)]

use super::errors::warn_text;
use super::fault::{Served, fault};
use super::handle::ModelPtr;
use super::owned::Slot;
use super::pointer::{In, Out, Text, write_message};
use super::resource::{Lent, Resource, name_of};
use super::spec::SpecPtr;
use kinetree_spec::codec::{Decoder, FileFormat};
use kinetree_spec::{Spec, Vfs};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, PoisonError};

type CanDecode = extern "C-unwind" fn(*const Resource) -> c_int;
type Decode = extern "C-unwind" fn(*mut Resource, *const c_void) -> SpecPtr<'static>;
type Encode = extern "C-unwind" fn(SpecPtr<'_>, ModelPtr<'_>, *const c_void, *mut Resource) -> c_int;
type Close = extern "C-unwind" fn(*mut Resource);

/// `mjpDecoder` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DecoderRecord {
    content_type: *const c_char,
    extension: *const c_char,
    can_decode: Option<CanDecode>,
    decode: Option<Decode>,
}

/// `mjpEncoder` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EncoderRecord {
    content_type: *const c_char,
    extension: *const c_char,
    encode: Option<Encode>,
    close_resource: Option<Close>,
}

/// A record of the process, which is never taken away, and its format.
struct Known<T: 'static> {
    record: &'static T,
    format: FileFormat,
}

impl<T> Clone for Known<T> {
    fn clone(&self) -> Self {
        Self { record: self.record, format: self.format.clone() }
    }
}

// SAFETY: the program says that its functions may be called from any thread
unsafe impl<T> Send for Known<T> {}
// SAFETY: as above
unsafe impl<T> Sync for Known<T> {}

static DECODERS: Mutex<Vec<Known<DecoderRecord>>> = Mutex::new(Vec::new());
static ENCODERS: Mutex<Vec<Known<EncoderRecord>>> = Mutex::new(Vec::new());

fn all<T>(list: &Mutex<Vec<Known<T>>>) -> Vec<Known<T>> {
    list.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A text of a record; empty where there is none.
fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the header says that this is a text
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// The format that a record tells; extensions stand between bars.
fn format(content_type: *const c_char, extension: *const c_char) -> FileFormat {
    let extensions = text(extension);
    let extensions = extensions.split('|').filter(|name| !name.is_empty());
    FileFormat {
        content_type: text(content_type).into(),
        extensions: extensions.map(|name| name.to_owned().into()).collect(),
    }
}

/// What a program registers: texts that tell a format, and functions.
trait Registered: Copy {
    /// The texts, to be replaced by copies of ours.
    fn texts(&mut self) -> [&mut *const c_char; 2];

    /// The functions, as numbers.
    fn functions(&self) -> [usize; 2];
}

impl Registered for DecoderRecord {
    fn texts(&mut self) -> [&mut *const c_char; 2] {
        [&mut self.content_type, &mut self.extension]
    }

    fn functions(&self) -> [usize; 2] {
        [self.can_decode.map_or(0, |f| f as usize), self.decode.map_or(0, |f| f as usize)]
    }
}

impl Registered for EncoderRecord {
    fn texts(&mut self) -> [&mut *const c_char; 2] {
        [&mut self.content_type, &mut self.extension]
    }

    fn functions(&self) -> [usize; 2] {
        [self.encode.map_or(0, |f| f as usize), self.close_resource.map_or(0, |f| f as usize)]
    }
}

/// Whether two formats are told by the same key: the content type, or the extensions where there is none.
fn same_key(a: &FileFormat, b: &FileFormat) -> bool {
    a.content_type.eq_ignore_ascii_case(&b.content_type)
        && (!a.content_type.is_empty() || a.extensions == b.extensions)
}

/// Keeps a record, with texts of its own; tells whether it is a new one.
fn register<T: Registered>(list: &Mutex<Vec<Known<T>>>, mut record: T) -> Served<bool> {
    let [content_type, extension] = record.texts().map(|text| *text);
    let format = format(content_type, extension);
    if format == FileFormat::default() {
        warn_text("a decoder or encoder needs a content type or an extension");
        return Ok(false);
    }
    let mut known = list.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(other) = known.iter().find(|other| same_key(&other.format, &format)) {
        if other.format == format && other.record.functions() == record.functions() {
            return Ok(false);
        }
        let key = if format.content_type.is_empty() { text(extension) } else { format.content_type.into() };
        return fault(format!("a different decoder or encoder for '{key}' is already registered"));
    }
    for text in record.texts() {
        *text = keep(*text)?;
    }
    known.push(Known { record: Box::leak(Box::new(record)), format });
    Ok(true)
}

/// Warns of decoders that no loader asks: of formats that are built in, or that another decoder reads.
fn warn_of_unasked() {
    let mut files = Vfs::default();
    let problem = all(&DECODERS).into_iter().map(|decoder| files.add_decoder(Arc::new(decoder))).last();
    if let Some(Err(problem)) = problem {
        warn_text(&format!("this decoder is only found by mjp_findDecoder, no loader asks it: {problem}"));
    }
}

/// A text for a record that is kept.
fn keep(given: *const c_char) -> Served<*const c_char> {
    if given.is_null() { Ok(given) } else { Ok(std::ffi::CString::new(text(given))?.into_raw().cast_const()) }
}

/// Of several, the first whose format has a content type, or else the last extension of a name.
fn find<T>(
    list: &Mutex<Vec<Known<T>>>,
    name: &str,
    content_type: &str,
    takes: impl Fn(&T) -> bool,
) -> Option<Known<T>> {
    let known = all(list);
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let end = file.rfind('.').map_or("", |dot| &file[dot..]);
    let of_type = |format: &FileFormat| {
        !content_type.is_empty() && format.content_type.eq_ignore_ascii_case(content_type)
    };
    let of_end = |format: &FileFormat| {
        !end.is_empty() && format.extensions.iter().any(|extension| extension.eq_ignore_ascii_case(end))
    };
    let first = |fits: &dyn Fn(&FileFormat) -> bool| {
        known.iter().find(|known| fits(&known.format) && takes(known.record)).cloned()
    };
    first(&of_type).or_else(|| first(&of_end))
}

/// The decoder for a resource.
fn decoder(resource: *const Resource, content_type: Text<'_>) -> Served<Option<Known<DecoderRecord>>> {
    let name = name_of(resource)?;
    let takes =
        |record: &DecoderRecord| record.can_decode.is_some_and(|can_decode| can_decode(resource) != 0);
    Ok(find(&DECODERS, &name, &content_type.or_empty(), takes))
}

impl Decoder for Known<DecoderRecord> {
    fn format(&self) -> &FileFormat {
        &self.format
    }

    fn can_decode(&self, name: &str, bytes: &[u8]) -> bool {
        let resource = Lent::new(name, bytes);
        self.record.can_decode.is_some_and(|can_decode| can_decode(resource.pointer()) != 0)
    }

    fn takes_missing_files(&self) -> bool {
        true
    }

    fn decode(&self, name: &str, bytes: &[u8], files: Option<&Vfs>) -> Result<Spec, String> {
        let Some(decode) = self.record.decode else { return Err("the decoder has no function".into()) };
        let resource = Lent::new(name, bytes);
        let mut files = files.cloned().unwrap_or_default();
        // `mjVFS` is a pointer to the files
        let vfs: *mut Vfs = &mut files;
        let made = decode(resource.pointer(), std::ptr::from_ref(&vfs).cast());
        taken(made).map_err(|fault| fault.0)
    }
}

/// The description that a decoder has made, which belongs to us now.
fn taken(made: SpecPtr<'_>) -> Served<Spec> {
    if made.is_null() {
        return fault("the decoder returned no description");
    }
    let handle = made.get()?;
    handle.take_all()?;
    let spec = handle.finished().into_owned();
    made.delete()?;
    Ok(spec)
}

/// Adds the decoders of the process to virtual files.
pub fn add_all(files: &mut Vfs) {
    for decoder in all(&DECODERS) {
        let _ = files.add_decoder(Arc::new(decoder));
    }
}

/// The encoder for a file.
fn encoder(name: &str, content_type: &str) -> Option<Known<EncoderRecord>> {
    find(&ENCODERS, name, content_type, |_| true)
}

/// Writes a file by an encoder; gives the number of bytes.
fn encode(
    s: SpecPtr<'_>,
    m: ModelPtr<'_>,
    (name, content_type): (&str, &str),
    vfs: *const c_void,
) -> Served<i32> {
    let Some(known) = encoder(name, content_type) else { return fault("no encoder found") };
    let resource = Lent::empty(name);
    let size = known.record.encode.map_or(-1, |encode| encode(s, m, vfs, resource.pointer()));
    // what the encoder has made is its own to give back
    let made = resource.take_data();
    let Ok(length) = usize::try_from(size) else { return fault("the encoder failed") };
    if made.is_null() {
        return fault("the encoder failed: it made nothing");
    }
    // SAFETY: the encoder says that so many bytes lie there
    let bytes = unsafe { std::slice::from_raw_parts(made.cast::<u8>(), length) }.to_vec();
    let written = std::fs::write(name, bytes);
    if let Some(close) = known.record.close_resource {
        resource.put_data(made);
        close(resource.pointer());
        resource.take_data();
    }
    written.map_err(|error| format!("could not write '{name}': {error}"))?;
    Ok(size)
}

crate::export! {
    fn mjp_registerDecoder(decoder: In<'_, DecoderRecord>) {
        let [given] = decoder.array()?;
        if given.can_decode.is_none() || given.decode.is_none() {
            warn_text("a decoder needs the callbacks can_decode and decode");
            return Ok(());
        }
        if register(&DECODERS, given)? {
            warn_of_unasked();
        }
        Ok(())
    }
    fn mjp_registerEncoder(encoder: In<'_, EncoderRecord>) {
        let [given] = encoder.array()?;
        if given.encode.is_none() || given.close_resource.is_none() {
            warn_text("an encoder needs the callbacks encode and close_resource");
            return Ok(());
        }
        register(&ENCODERS, given)?;
        Ok(())
    }
    fn mjp_defaultDecoder(decoder: Out<'_, DecoderRecord>) {
        decoder.set([DecoderRecord {
            content_type: std::ptr::null(),
            extension: std::ptr::null(),
            can_decode: None,
            decode: None,
        }])
    }
    fn mjp_defaultEncoder(encoder: Out<'_, EncoderRecord>) {
        encoder.set([EncoderRecord {
            content_type: std::ptr::null(),
            extension: std::ptr::null(),
            encode: None,
            close_resource: None,
        }])
    }
    fn mjp_findDecoder(resource: *const Resource, content_type: Text<'_>) -> *const DecoderRecord {
        let found = decoder(resource, content_type)?;
        Ok(found.map_or(std::ptr::null(), |known| std::ptr::from_ref(known.record)))
    }
    fn mjp_findEncoder(filename: Text<'_>, content_type: Text<'_>) -> *const EncoderRecord {
        let found = encoder(&filename.or_empty(), &content_type.or_empty());
        Ok(found.map_or(std::ptr::null(), |known| std::ptr::from_ref(known.record)))
    }
    fn mju_decodeResource(resource: *mut Resource, content_type: Text<'_>, vfs: Slot<'_, Vfs>) -> SpecPtr<'static> {
        match decoder(resource, content_type)?.and_then(|known| known.record.decode) {
            Some(decode) => Ok(decode(resource, vfs.pointer())),
            None => {
                warn_text(&format!("no decoder found for '{}'", name_of(resource)?));
                Ok(super::fault::Failed::failed())
            }
        }
    }
    fn mj_encode(
        s: SpecPtr<'_>, m: ModelPtr<'_>, filename: Text<'_>, content_type: Text<'_>, vfs: Slot<'_, Vfs>,
        error: Out<'_, c_char>, error_sz: c_int,
    ) -> i32 {
        match encode(s, m, (&filename.get()?, &content_type.or_empty()), vfs.pointer()) {
            Ok(size) => Ok(size),
            Err(problem) => {
                write_message(error, error_sz, &problem.0);
                Ok(-1)
            }
        }
    }
}
