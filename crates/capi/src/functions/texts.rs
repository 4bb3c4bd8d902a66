//! Errors, warnings, versions, names of types, and what is printed.

use crate::export;
use crate::ffi::errors::{self, Handler};
use crate::ffi::fault::{Failed, Served};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{Out, Text, count, write_message};
use crate::ffi::scene::ScenePtr;
use kinetree_model::enums::{ObjType, Warning};
use kinetree_model::{Data, FloatFormat, Model, data_text, model_text};
use kinetree_spec::AssetCache;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::io::Write;

thread_local! {
    /// The text that a function of this thread has returned last.
    static RETURNED: RefCell<CString> = RefCell::new(CString::default());
}

/// A text that the program may read until it asks for the next one in this thread.
pub fn returned(text: &str) -> *const c_char {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    RETURNED.with_borrow_mut(|place| {
        *place = text;
        place.as_ptr()
    })
}

/// A handler of the thread.
#[repr(transparent)]
pub struct ThreadHandler(Option<Handler>);

impl Failed for ThreadHandler {
    fn failed() -> Self {
        Self(None)
    }
}

/// The format of numbers that a program asks for; the usual one, with a warning, where that is none.
fn number_format(float_format: Text<'_>) -> FloatFormat {
    float_format.or_empty().parse().unwrap_or_else(|problem| {
        errors::warn_text(&format!("{problem}; the default format is used"));
        FloatFormat::default()
    })
}

fn text_of_data(model: &Model, data: &Data, format: &FloatFormat) -> String {
    let force = |contact| kinetree_sim::mj_contact_force(model, data, contact).unwrap_or_default();
    data_text(model, data, format, force)
}

fn print_scene(scene: ScenePtr<'_>, filename: Text<'_>, format: &FloatFormat) -> Served {
    scene.read(|scene| save(filename, &crate::functions::print::scene_text(scene, format)))
}

/// Saves a text, as the printing functions do; without a name it goes to the output of the process.
fn save(filename: Text<'_>, text: &str) -> Served {
    if filename.is_null() {
        return Ok(std::io::stdout().write_all(text.as_bytes())?);
    }
    let name = filename.get()?;
    if let Err(error) = std::fs::write(&*name, text) {
        errors::warn_text(&format!("Could not open file '{name}' for writing: {error}"));
    }
    Ok(())
}

/// A number of bytes with the largest unit that it has a whole number of.
fn bytes_text(nbytes: usize) -> String {
    const SUFFIX: &[u8] = b" KMGTPE";
    let exponent = if nbytes == 0 { 0 } else { (nbytes.trailing_zeros() as usize / 10).min(6) };
    let value = nbytes >> (10 * exponent);
    if exponent == 0 { value.to_string() } else { format!("{value}{}", SUFFIX[exponent] as char) }
}

/// Significant digits of numbers in XML that is written.
pub fn xml_precision() -> usize {
    usize::try_from(PRECISION.get()).unwrap_or(1)
}

export! {
    fn mju_clearHandlers() {
        for handler in [&errors::mju_user_error, &errors::mju_user_warning, &errors::mju_user_malloc, &errors::mju_user_free] {
            handler.store(std::ptr::null_mut(), std::sync::atomic::Ordering::Release);
        }
        Ok(())
    }
    fn _mjPRIVATE__get_tls_error_fn() -> ThreadHandler { Ok(ThreadHandler(errors::thread_error_handler())) }
    fn _mjPRIVATE__set_tls_error_fn(handler: ThreadHandler) {
        errors::set_thread_error_handler(handler.0);
        Ok(())
    }
    fn _mjPRIVATE__get_tls_warning_fn() -> ThreadHandler { Ok(ThreadHandler(errors::thread_warning_handler())) }
    fn _mjPRIVATE__set_tls_warning_fn(handler: ThreadHandler) {
        errors::set_thread_warning_handler(handler.0);
        Ok(())
    }
    fn mju_writeLog(kind: Text<'_>, msg: Text<'_>) {
        let mut log = std::fs::OpenOptions::new().append(true).create(true).open("MUJOCO_LOG.TXT")?;
        Ok(writeln!(log, "{}: {}\n", kind.or_empty(), msg.or_empty())?)
    }
    fn mj_warning(d: DataPtr<'_>, warning: i32, info: i32) {
        let kind = Warning::try_from(warning)?;
        let first = d.write(|data| {
            data.warn(kind, info);
            data.warning[warning as usize].number == 1
        })?;
        if first {
            errors::warn_text(&kind.text(info));
        }
        Ok(())
    }
    fn mju_warningText(warning: i32, info: usize) -> *const c_char {
        Ok(returned(&match Warning::try_from(warning) {
            // programs pass the size of the memory that is full
            Ok(Warning::Cnstrfull) => format!("no room for more constraint rows in {} bytes", bytes_text(info)),
            Ok(warning) => warning.text(info as i32),
            Err(_) => String::from("unknown warning"),
        }))
    }
    fn mju_writeNumBytes(nbytes: usize) -> *const c_char {
        Ok(returned(&bytes_text(nbytes)))
    }
    fn mju_type2Str(kind: i32) -> *const c_char {
        let Some(&(_, name)) = TYPES.iter().find(|(number, _)| *number as i32 == kind) else {
            return Ok(std::ptr::null());
        };
        Ok(name.as_ptr())
    }
    fn mju_str2Type(text: Text<'_>) -> i32 {
        let text = text.or_empty();
        Ok(TYPES.iter().find(|(_, name)| name.to_bytes() == text.as_bytes()).map_or(0, |(number, _)| *number as i32))
    }
    fn mj_version() -> i32 { Ok(3_008_000) }
    fn mj_versionString() -> *const c_char { Ok(c"3.8.0".as_ptr()) }
    fn mj_printSchema(filename: Text<'_>, buffer: Out<'_, c_char>, buffer_sz: i32, flg_html: i32, flg_pad: i32) -> i32 {
        let text = kinetree_spec::schema_text(flg_html != 0, flg_pad != 0);
        if !filename.is_null() {
            save(filename, &text)?;
        }
        if !buffer.is_null() && count(buffer_sz) > 0 {
            write_message(buffer, buffer_sz, &text);
        }
        Ok(text.len() as i32)
    }
    fn mj_printModel(m: ModelPtr<'_>, filename: Text<'_>) {
        save(filename, &model_text(m.get()?, &FloatFormat::default()))
    }
    fn mj_printFormattedModel(m: ModelPtr<'_>, filename: Text<'_>, float_format: Text<'_>) {
        save(filename, &model_text(m.get()?, &number_format(float_format)))
    }
    fn mj_printData(m: ModelPtr<'_>, d: DataPtr<'_>, filename: Text<'_>) {
        save(filename, &text_of_data(m.get()?, d.read()?, &FloatFormat::default()))
    }
    fn mj_printFormattedData(m: ModelPtr<'_>, d: DataPtr<'_>, filename: Text<'_>, float_format: Text<'_>) {
        save(filename, &text_of_data(m.get()?, d.read()?, &number_format(float_format)))
    }
    fn mj_getCache() -> *mut c_void { Ok(CACHE.as_ptr().cast_mut().cast()) }
    fn mj_getCacheSize(cache: *const c_void) -> usize {
        Ok(if cache.is_null() { 0 } else { AssetCache::global().size() })
    }
    fn mj_getCacheCapacity(cache: *const c_void) -> usize {
        Ok(if cache.is_null() { 0 } else { AssetCache::global().capacity() })
    }
    fn mj_setCacheCapacity(cache: *mut c_void, size: usize) -> usize {
        if cache.is_null() {
            return Ok(0);
        }
        AssetCache::global().set_capacity(size);
        Ok(AssetCache::global().capacity())
    }
    fn mj_clearCache(cache: *mut c_void) {
        if !cache.is_null() {
            AssetCache::global().clear();
        }
        Ok(())
    }
}

/// What a pointer to the cache of the process leads to.
static CACHE: [usize; 2] = [0; 2];

/// Kinds of objects with the names that the reference gives them.
const TYPES: &[(ObjType, &std::ffi::CStr)] = &[
    (ObjType::Body, c"body"),
    (ObjType::Xbody, c"xbody"),
    (ObjType::Joint, c"joint"),
    (ObjType::Dof, c"dof"),
    (ObjType::Geom, c"geom"),
    (ObjType::Site, c"site"),
    (ObjType::Camera, c"camera"),
    (ObjType::Light, c"light"),
    (ObjType::Flex, c"flex"),
    (ObjType::Mesh, c"mesh"),
    (ObjType::Skin, c"skin"),
    (ObjType::Hfield, c"hfield"),
    (ObjType::Texture, c"texture"),
    (ObjType::Material, c"material"),
    (ObjType::Pair, c"pair"),
    (ObjType::Exclude, c"exclude"),
    (ObjType::Equality, c"equality"),
    (ObjType::Tendon, c"tendon"),
    (ObjType::Actuator, c"actuator"),
    (ObjType::Sensor, c"sensor"),
    (ObjType::Numeric, c"numeric"),
    (ObjType::Text, c"text"),
    (ObjType::Tuple, c"tuple"),
    (ObjType::Key, c"key"),
    (ObjType::Plugin, c"plugin"),
    (ObjType::Frame, c"frame"),
];

thread_local! {
    /// Significant digits of numbers in XML.
    static PRECISION: std::cell::Cell<i32> = const { std::cell::Cell::new(6) };
}

export! {
    fn _mjPRIVATE__get_xml_precision() -> i32 { Ok(PRECISION.get()) }
    fn _mjPRIVATE__set_xml_precision(precision: i32) {
        PRECISION.set(precision);
        Ok(())
    }
    fn mj_printScene(s: ScenePtr<'_>, filename: Text<'_>) { print_scene(s, filename, &FloatFormat::default()) }
    fn mj_printFormattedScene(s: ScenePtr<'_>, filename: Text<'_>, float_format: Text<'_>) {
        print_scene(s, filename, &number_format(float_format))
    }
}
