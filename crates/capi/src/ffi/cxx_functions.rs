//! Functions of C++ that the reference exports from its library without declaring them in its headers: paths
//! and lists in texts (`mujoco::user`).
//!
//! They take and give strings and vectors of libc++ in the layout of [`super::cpp`]; a result is written to
//! the memory that the caller brings along, as for any struct of 24 bytes. Names are those of the Itanium
//! ABI.

#![allow(unsafe_code)]

use super::cpp::{CxxString, CxxVec};
use super::export::call;
use super::fault::{Failed, Served, fault};
use super::resource::registered_prefix;
use std::ffi::{CStr, CString, c_char, c_int, c_long};

impl Failed for CxxString {
    fn failed() -> Self {
        Self::default()
    }
}

impl<T> Failed for CxxVec<T> {
    fn failed() -> Self {
        Self::default()
    }
}

const EDOM: c_int = 33;
const ERANGE: c_int = 34;
const EINVAL: c_int = 22;

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
    fn strtol(text: *const c_char, end: *mut *const c_char, base: c_int) -> c_long;
    fn strtof(text: *const c_char, end: *mut *const c_char) -> f32;
    fn strtod(text: *const c_char, end: *mut *const c_char) -> f64;
    fn snprintf(text: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

fn set_errno(number: c_int) {
    // SAFETY: the number belongs to this thread
    unsafe { *__errno_location() = number };
}

/// Texts that programs pass, which may be null by mistake.
fn bytes<'a>(text: *const CxxString) -> Served<&'a [u8]> {
    // SAFETY: the caller says that a string lies there
    match unsafe { text.as_ref() } {
        Some(text) => Ok(text.bytes()),
        None => fault("a string is NULL"),
    }
}

fn string(bytes: &[u8]) -> CxxString {
    let mut string = CxxString::default();
    string.set(bytes);
    string
}

/// What makes a path absolute: the prefix of a provider, a separator, or all up to `:/`.
fn absolute_prefix(path: &[u8]) -> &[u8] {
    let text = String::from_utf8_lossy(path);
    let found = |mark: &str| path.windows(2).position(|pair| pair == mark.as_bytes()).map(|at| at + 2);
    let length = if let Some(prefix) = registered_prefix(&text) {
        prefix + 1
    } else if matches!(path.first(), Some(b'/' | b'\\')) {
        1
    } else {
        found(":/").or_else(|| found(":\\")).unwrap_or(0)
    };
    &path[..length.min(path.len())]
}

/// A path without steps that lead nowhere.
fn reduced(path: &[u8]) -> Vec<u8> {
    let prefix = absolute_prefix(path);
    let parts: Vec<&[u8]> = path[prefix.len()..].split(|byte| matches!(byte, b'/' | b'\\')).collect();
    let Some((last, steps)) = parts.split_last() else { return prefix.to_vec() };
    let mut kept: Vec<&[u8]> = Vec::new();
    for &step in steps {
        if step == b".." && kept.last().is_some_and(|before| *before != b"..") {
            kept.pop();
        } else if step != b"." {
            kept.push(step);
        }
    }
    kept.push(last);
    [prefix, &kept.join(&b'/')].concat()
}

/// A path behind another one.
fn joined(first: &[u8], second: &[u8]) -> Vec<u8> {
    let separated = matches!(first.last(), None | Some(b'/' | b'\\'));
    match (absolute_prefix(second).is_empty(), separated) {
        (false, _) => second.to_vec(),
        (true, true) => [first, second].concat(),
        (true, false) => [first, second].join(&b'/'),
    }
}

fn last_dot(path: &[u8]) -> Option<usize> {
    path.iter().rposition(|byte| *byte == b'.')
}

/// Exports functions under names of C++.
macro_rules! cxx {
    ($( $symbol:literal fn $name:ident($( $arg:ident: $t:ty ),*) -> $r:ty $body:block )*) => { $(
        #[doc = concat!("`", $symbol, "`")]
        #[unsafe(export_name = $symbol)]
        pub extern "C-unwind" fn $name($( $arg: $t ),*) -> $r {
            call(stringify!($name), move || -> Served<$r> { $body })
        }
    )* };
}

type Text = *const CxxString;

cxx! {
    "_ZN6mujoco4user8FilePath10PathReduceERKNSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE"
    fn path_reduce(path: Text) -> CxxString { Ok(string(&reduced(bytes(path)?))) }
    "_ZN6mujoco4user8FilePath7CombineERKNSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEESA_"
    fn path_combine(first: Text, second: Text) -> CxxString { Ok(string(&joined(bytes(first)?, bytes(second)?))) }
    "_ZN6mujoco4user8FilePath9AbsPrefixERKNSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE"
    fn path_prefix(path: Text) -> CxxString { Ok(string(absolute_prefix(bytes(path)?))) }
    "_ZNK6mujoco4user8FilePath3ExtEv"
    fn path_extension(path: Text) -> CxxString {
        let path = bytes(path)?;
        Ok(string(last_dot(path).map_or(&[][..], |dot| &path[dot..])))
    }
    "_ZNK6mujoco4user8FilePath8StrLowerEv"
    fn path_lower(path: Text) -> CxxString { Ok(string(&bytes(path)?.to_ascii_lowercase())) }
    "_ZNK6mujoco4user8FilePath8StripExtEv"
    fn path_strip_extension(path: Text) -> CxxString {
        let path = bytes(path)?;
        Ok(string(last_dot(path).map_or(path, |dot| &path[..dot])))
    }
    "_ZNK6mujoco4user8FilePath9StripPathEv"
    fn path_strip_folders(path: Text) -> CxxString {
        Ok(string(bytes(path)?.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default()))
    }
    "_ZNK6mujoco4user8FilePathplERKS1_"
    fn path_plus(first: Text, second: Text) -> CxxString {
        Ok(string(&reduced(&joined(bytes(first)?, bytes(second)?))))
    }
}

/// A number that texts can have.
trait Number: Sized + Copy {
    /// The number at the beginning of a text, what follows it, and the error number.
    fn read(text: &CStr) -> (Self, usize, c_int);
    /// The number as a stream of C++ writes it.
    fn write(self) -> String;
}

/// The length of what a function of C has read.
fn length(text: &CStr, end: *const c_char) -> usize {
    (end as usize).saturating_sub(text.as_ptr() as usize)
}

/// A whole number within limits.
fn whole(text: &CStr, limits: std::ops::RangeInclusive<i64>) -> (i64, usize, c_int) {
    let mut end = text.as_ptr();
    set_errno(0);
    // SAFETY: a text of C, and room for a pointer
    let number: i64 = unsafe { strtol(text.as_ptr(), &mut end, 10) };
    // SAFETY: the number belongs to this thread
    let overflow = unsafe { *__errno_location() } != 0 || !limits.contains(&number);
    (number, length(text, end), if overflow { ERANGE } else { 0 })
}

/// A number in the words of C, with six digits.
fn general(number: f64) -> String {
    let mut room = [0_u8; 40];
    // SAFETY: the format takes one number, and the room is as long as it says
    let written = unsafe { snprintf(room.as_mut_ptr().cast(), room.len(), c"%g".as_ptr(), number) };
    String::from_utf8_lossy(&room[..usize::try_from(written).unwrap_or(0).min(room.len() - 1)]).into_owned()
}

impl Number for i32 {
    fn read(text: &CStr) -> (Self, usize, c_int) {
        let (number, length, error) = whole(text, i64::from(i32::MIN)..=i64::from(i32::MAX));
        (number as i32, length, error)
    }
    fn write(self) -> String {
        self.to_string()
    }
}

impl Number for u8 {
    fn read(text: &CStr) -> (Self, usize, c_int) {
        let (number, length, error) = whole(text, 0..=i64::from(u8::MAX));
        (number as u8, length, error)
    }
    fn write(self) -> String {
        char::from(self).to_string()
    }
}

macro_rules! floats {
    ($( $t:ty: $read:ident; )*) => { $(
        impl Number for $t {
            fn read(text: &CStr) -> (Self, usize, c_int) {
                let mut end = text.as_ptr();
                set_errno(0);
                // SAFETY: a text of C, and room for a pointer; the error number belongs to this thread
                let (number, error) = unsafe { ($read(text.as_ptr(), &mut end), *__errno_location()) };
                (number, length(text, end), if number.is_nan() { EDOM } else { error })
            }
            fn write(self) -> String {
                general(f64::from(self))
            }
        }
    )* };
}

floats! {
    f32: strtof;
    f64: strtod;
}

/// The numbers of a text; `errno` tells whether all of it was one.
fn numbers<T: Number>(text: &[u8]) -> Served<CxxVec<T>> {
    let text = CString::new(text.split(|byte| *byte == 0).next().unwrap_or_default())?;
    let (mut list, mut rest, mut errno) = (Vec::new(), text.as_c_str(), 0);
    loop {
        let blanks = rest.to_bytes().iter().take_while(|byte| is_blank(**byte)).count();
        rest = &rest[blanks..];
        if rest.is_empty() {
            break;
        }
        let (number, length, error) = T::read(rest);
        let separated = rest.to_bytes().get(length).is_none_or(|byte| is_blank(*byte));
        let problem = if length == 0 || !separated { EINVAL } else { error };
        errno = if problem == 0 { errno } else { problem };
        if problem != 0 && problem != EDOM {
            break;
        }
        list.push(number);
        rest = &rest[length..];
    }
    let mut vector = CxxVec::default();
    vector.set(list.into_iter());
    set_errno(errno);
    Ok(vector)
}

/// White space of C.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn words(text: &[u8]) -> CxxVec<CxxString> {
    let words: Vec<CxxString> =
        text.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()).map(string).collect();
    let mut vector = CxxVec::default();
    vector.set(words.into_iter());
    vector
}

fn written<T: Number>(vector: *const CxxVec<T>) -> Served<CxxString> {
    // SAFETY: the caller says that a vector lies there
    let Some(vector) = (unsafe { vector.as_ref() }) else { return fault("a vector is NULL") };
    let words: Vec<String> = vector.list().iter().map(|number| number.write()).collect();
    Ok(CxxString::new(&words.join(" ")))
}

/// The bytes of a text of C.
fn plain<'a>(text: *const c_char) -> Served<&'a [u8]> {
    if text.is_null() {
        return fault("a text is NULL");
    }
    // SAFETY: the caller says that a text lies there
    Ok(unsafe { CStr::from_ptr(text) }.to_bytes())
}

cxx! {
    "_ZN6mujoco4user14StringToVectorIdEENSt3__16vectorIT_NS2_9allocatorIS4_EEEERKNS2_12basic_stringIcNS2_11char_traitsIcEENS5_IcEEEE"
    fn doubles_of_string(text: Text) -> CxxVec<f64> { numbers(bytes(text)?) }
    "_ZN6mujoco4user14StringToVectorIdEENSt3__16vectorIT_NS2_9allocatorIS4_EEEEPc"
    fn doubles_of_text(text: *const c_char) -> CxxVec<f64> { numbers(plain(text)?) }
    "_ZN6mujoco4user14StringToVectorIfEENSt3__16vectorIT_NS2_9allocatorIS4_EEEERKNS2_12basic_stringIcNS2_11char_traitsIcEENS5_IcEEEE"
    fn floats_of_string(text: Text) -> CxxVec<f32> { numbers(bytes(text)?) }
    "_ZN6mujoco4user14StringToVectorIfEENSt3__16vectorIT_NS2_9allocatorIS4_EEEEPc"
    fn floats_of_text(text: *const c_char) -> CxxVec<f32> { numbers(plain(text)?) }
    "_ZN6mujoco4user14StringToVectorIhEENSt3__16vectorIT_NS2_9allocatorIS4_EEEERKNS2_12basic_stringIcNS2_11char_traitsIcEENS5_IcEEEE"
    fn bytes_of_string(text: Text) -> CxxVec<u8> { numbers(bytes(text)?) }
    "_ZN6mujoco4user14StringToVectorIhEENSt3__16vectorIT_NS2_9allocatorIS4_EEEEPc"
    fn bytes_of_text(text: *const c_char) -> CxxVec<u8> { numbers(plain(text)?) }
    "_ZN6mujoco4user14StringToVectorIiEENSt3__16vectorIT_NS2_9allocatorIS4_EEEERKNS2_12basic_stringIcNS2_11char_traitsIcEENS5_IcEEEE"
    fn integers_of_string(text: Text) -> CxxVec<i32> { numbers(bytes(text)?) }
    "_ZN6mujoco4user14StringToVectorIiEENSt3__16vectorIT_NS2_9allocatorIS4_EEEEPc"
    fn integers_of_text(text: *const c_char) -> CxxVec<i32> { numbers(plain(text)?) }
    "_ZN6mujoco4user14StringToVectorINSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEEEENS2_6vectorIT_NS6_ISA_EEEERKS8_"
    fn words_of_string(text: Text) -> CxxVec<CxxString> { Ok(words(bytes(text)?)) }
    "_ZN6mujoco4user14StringToVectorINSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEEEENS2_6vectorIT_NS6_ISA_EEEEPc"
    fn words_of_text(text: *const c_char) -> CxxVec<CxxString> { Ok(words(plain(text)?)) }
    "_ZN6mujoco4user14VectorToStringIdEENSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEERKNS2_6vectorIT_NS6_ISA_EEEE"
    fn string_of_doubles(vector: *const CxxVec<f64>) -> CxxString { written(vector) }
    "_ZN6mujoco4user14VectorToStringIfEENSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEERKNS2_6vectorIT_NS6_ISA_EEEE"
    fn string_of_floats(vector: *const CxxVec<f32>) -> CxxString { written(vector) }
    "_ZN6mujoco4user14VectorToStringIiEENSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEERKNS2_6vectorIT_NS6_ISA_EEEE"
    fn string_of_integers(vector: *const CxxVec<i32>) -> CxxString { written(vector) }
    "_ZN6mujoco4user14VectorToStringINSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEEEES8_RKNS2_6vectorIT_NS6_ISA_EEEE"
    fn string_of_words(vector: *const CxxVec<CxxString>) -> CxxString {
        // SAFETY: the caller says that a vector lies there
        let Some(vector) = (unsafe { vector.as_ref() }) else { return fault("a vector is NULL") };
        let words: Vec<&[u8]> = vector.list().iter().map(CxxString::bytes).collect();
        Ok(string(&words.join(&b' ')))
    }
    "_Z19mjuu_eigendecomposePdS_S_i"
    fn eigendecompose(mat: *mut f64, eigval: *mut f64, eigvec: *mut f64, n: c_int) -> c_int {
        let n = usize::try_from(n).unwrap_or(0);
        if mat.is_null() || eigval.is_null() || eigvec.is_null() {
            return fault("a pointer is NULL");
        }
        // SAFETY: the caller says that so many numbers lie there
        let (mat, values, vectors) = unsafe {
            (
                std::slice::from_raw_parts_mut(mat, n * n),
                std::slice::from_raw_parts_mut(eigval, n),
                std::slice::from_raw_parts_mut(eigvec, n * n),
            )
        };
        Ok(kinetree_math::dense::jacobi_eigen(mat, values, vectors) as c_int)
    }
}
