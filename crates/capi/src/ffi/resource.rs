//! Resources: files that are opened by name, from virtual files, the disk, or a provider that a program has
//! registered for a prefix.

#![allow(unsafe_code)]

use super::errors::{allocate, release, warn_text};
use super::fault::{Served, fault};
use super::owned::Slot;
use super::pointer::{In, Out, Text, write_message};
use crate::functions::base64;
use kinetree_spec::Vfs;
use kinetree_spec::provider::{Resource as Opened, ResourceProvider};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::sync::atomic::AtomicPtr;
use std::sync::{Arc, Mutex, PoisonError};

type Open = extern "C-unwind" fn(*mut Resource) -> c_int;
type Read = extern "C-unwind" fn(*mut Resource, *mut *const c_void) -> c_int;
type Close = extern "C-unwind" fn(*mut Resource);
type Modified = extern "C-unwind" fn(*const Resource, *const c_char) -> c_int;

/// `mjResource` of the header.
#[repr(C)]
pub struct Resource {
    name: *mut c_char,
    data: *mut c_void,
    vfs: *mut c_void,
    timestamp: [c_char; 512],
    provider: *const Provider,
}

/// `mjpResourceProvider` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Provider {
    prefix: *const c_char,
    open: Option<Open>,
    read: Option<Read>,
    close: Option<Close>,
    mount: Option<Open>,
    unmount: Option<Open>,
    modified: Option<Modified>,
    data: *mut c_void,
}

const NONE: Provider = Provider {
    prefix: std::ptr::null(),
    open: None,
    read: None,
    close: None,
    mount: None,
    unmount: None,
    modified: None,
    data: std::ptr::null_mut(),
};

/// A provider of the process, which is never taken away.
#[derive(Clone, Copy)]
struct Known(&'static Provider, &'static str);

// SAFETY: the program says that its provider may be used from any thread
unsafe impl Send for Known {}
// SAFETY: as above
unsafe impl Sync for Known {}

static PROVIDERS: Mutex<Vec<Known>> = Mutex::new(Vec::new());

fn providers() -> Vec<Known> {
    PROVIDERS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The provider for the prefix of a name.
fn provider_of(name: &str) -> Option<Known> {
    let (prefix, _) = name.split_once(':')?;
    providers().into_iter().find(|known| known.1.eq_ignore_ascii_case(prefix))
}

/// How long the prefix of a name is that a provider is registered for.
pub fn registered_prefix(name: &str) -> Option<usize> {
    provider_of(name).map(|known| known.1.len())
}

/// Adds the providers of the process to virtual files.
pub fn add_all(files: &mut Vfs) {
    for known in providers() {
        let _ = files.add_provider(&known.1.to_lowercase(), Arc::new(known));
    }
}

/// A resource that a provider has opened; closed when it is dropped.
struct Held(*mut Resource);

impl Held {
    /// Opens a resource by its whole name.
    fn open(known: Known, name: &str) -> Option<Self> {
        let resource = give(name, std::ptr::null_mut(), "", known.0, &OPENED);
        if known.0.open.is_some_and(|open| open(resource) != 0) {
            return Some(Self(resource));
        }
        // SAFETY: the resource was made here, and what could not be opened is not closed
        unsafe { forget(resource) };
        None
    }

    /// Hands the resource over to the program.
    fn give(self) -> *mut Resource {
        std::mem::ManuallyDrop::new(self).0
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let mut start: *const c_void = std::ptr::null();
        // SAFETY: the provider is one of the process
        let read = unsafe { (*(*self.0).provider).read }?;
        let size = usize::try_from(read(self.0, &mut start)).ok()?;
        if size == 0 || start.is_null() {
            return Some(Vec::new());
        }
        // SAFETY: the provider says that so many bytes lie there
        Some(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), size) }.to_vec())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the resource was made by `open`
        unsafe { close(self.0) };
    }
}

impl ResourceProvider for Known {
    fn open(&self, name: &str) -> io::Result<Opened> {
        // programs register for names with or without slashes after the prefix
        let whole = [format!("{}:{name}", self.1), format!("{}:/{name}", self.1)];
        let mut held = whole
            .iter()
            .find_map(|name| Held::open(*self, name))
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the provider does not know it"))?;
        let bytes = held.bytes().ok_or_else(|| io::Error::other("the provider cannot read it"))?;
        Ok(Opened::from_bytes(bytes.into()))
    }
}

/// A text of C in memory that programs may free.
fn own(text: &str) -> *mut c_char {
    let memory = allocate(text.len() + 1).cast::<u8>();
    // SAFETY: the memory has room for the text and a zero
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), memory, text.len());
        memory.add(text.len()).write(0);
    }
    memory.cast()
}

/// Seconds as the text that programs compare and decode.
fn encoded(seconds: u64) -> String {
    String::from_utf8(base64::encode(&seconds.to_le_bytes())).unwrap_or_default()
}

/// The seconds of such a text.
fn decoded(text: &str) -> Option<u64> {
    let bytes = base64::decode(text.as_bytes())?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// What an open file holds.
struct FileBytes(Vec<u8>);

/// A time as text, which changes when the file does.
fn timestamp(path: &str) -> String {
    let modified = std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or_else(String::new, |time| encoded(time.as_secs()))
}

/// What the field `vfs` of our resources leads to, which tells them from those of programs. Programs that
/// look there find files without any entry.
struct Mark(AtomicPtr<c_void>);

/// Resources that a program closes: of a provider, or files.
static OPENED: Mark = Mark(AtomicPtr::new(std::ptr::null_mut()));
/// Files that are lent for the time of a call.
static LENT: Mark = Mark(AtomicPtr::new(std::ptr::null_mut()));
/// Resources that are lent for the time of a call, for the program to fill.
static FILLED: Mark = Mark(AtomicPtr::new(std::ptr::null_mut()));

impl Mark {
    fn address(&'static self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    /// Whether a resource has this mark.
    fn is_on(&'static self, open: &Resource) -> bool {
        open.vfs == self.address()
    }
}

fn give(
    name: &str,
    data: *mut c_void,
    stamp: &str,
    provider: *const Provider,
    mark: &'static Mark,
) -> *mut Resource {
    let vfs = mark.address();
    let mut resource = Box::new(Resource { name: own(name), data, vfs, timestamp: [0; 512], provider });
    let room = resource.timestamp.iter_mut();
    room.take(511).zip(stamp.bytes()).for_each(|(place, byte)| *place = byte as c_char);
    Box::into_raw(resource)
}

/// Gives the memory of a resource back, but not what its data leads to.
///
/// # Safety
/// It came from [`give`].
unsafe fn forget(open: *mut Resource) {
    // SAFETY: by the contract; what is closed twice has no mark as long as the memory is not reused
    unsafe {
        (*open).vfs = std::ptr::null_mut();
        release((*open).name.cast());
        drop(Box::from_raw(open));
    }
}

/// Gives a resource back.
///
/// # Safety
/// It came from [`give`], with the mark of opened or lent files, and its data is the provider's or ours.
unsafe fn close(open: *mut Resource) {
    // SAFETY: by the contract
    unsafe {
        match (*open).provider.as_ref() {
            Some(provider) => {
                if let Some(close) = provider.close {
                    close(open);
                }
            }
            None if (*open).data.is_null() => {}
            None => drop(Box::from_raw((*open).data.cast::<FileBytes>())),
        }
        forget(open);
    }
}

/// An open file that a function of the program is given for the time of a call.
pub(super) struct Lent(*mut Resource);

impl Lent {
    /// A file with a name and bytes.
    pub(super) fn new(name: &str, bytes: &[u8]) -> Self {
        let data = Box::into_raw(Box::new(FileBytes(bytes.to_vec())));
        Self(give(name, data.cast(), "", std::ptr::null(), &LENT))
    }

    /// The pointer for the program.
    pub(super) fn pointer(&self) -> *mut Resource {
        self.0
    }

    /// Takes what the program has put there.
    pub(super) fn take_data(&self) -> *mut c_void {
        // SAFETY: the resource was made by `new`
        std::mem::replace(unsafe { &mut (*self.0).data }, std::ptr::null_mut())
    }

    /// Puts back what [`take_data`](Self::take_data) took, for the program to free.
    pub(super) fn put_data(&self, data: *mut c_void) {
        // SAFETY: as above
        unsafe { (*self.0).data = data };
    }

    /// A file with a name that the program fills.
    pub(super) fn empty(name: &str) -> Self {
        Self(give(name, std::ptr::null_mut(), "", std::ptr::null(), &FILLED))
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: the resource was made by `new` or `empty`; what a program has filled is its own
        unsafe {
            if LENT.is_on(&*self.0) {
                close(self.0);
            } else {
                forget(self.0);
            }
        }
    }
}

/// The name of a resource.
pub(super) fn name_of(open: *const Resource) -> Served<String> {
    let inner = resource(open.cast_mut())?;
    if inner.name.is_null() {
        return Ok(String::new());
    }
    // SAFETY: the header says that this is a text
    Ok(unsafe { CStr::from_ptr(inner.name) }.to_string_lossy().into_owned())
}

fn open(directory: &str, name: &str, vfs: Slot<'_, Vfs>) -> Served<*mut Resource> {
    let path = if directory.is_empty() || name.contains(':') {
        name.to_owned()
    } else {
        kinetree_spec::vfs::combine(directory, name)
    };
    if let Some(known) = provider_of(&path) {
        let Some(held) = Held::open(known, &path) else {
            return fault(format!(
                "Error opening file '{path}' using a resource provider matching prefix '{}'",
                known.1
            ));
        };
        return Ok(held.give());
    }
    let Ok(bytes) = kinetree_spec::vfs::read(&path, vfs.get()) else {
        return fault(format!("Error opening file '{path}'"));
    };
    let data = Box::into_raw(Box::new(FileBytes(bytes.into_owned())));
    Ok(give(&path, data.cast(), &timestamp(&path), std::ptr::null(), &OPENED))
}

fn resource<'a>(resource: *mut Resource) -> Served<&'a mut Resource> {
    // SAFETY: the pointer is null or a resource that was not closed
    match unsafe { resource.as_mut() } {
        Some(resource) => Ok(resource),
        None => fault("the resource is NULL"),
    }
}

/// Whether a text can be a prefix: a letter, then letters, digits, `+`, `-` and `.`.
fn is_prefix(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn refuse(text: &str) -> Served<i32> {
    warn_text(text);
    Ok(-1)
}

crate::export! {
    fn mjp_defaultResourceProvider(provider: Out<'_, Provider>) { provider.set([NONE]) }
    fn mjp_registerResourceProvider(provider: In<'_, Provider>) -> i32 {
        let [provider] = provider.array()?;
        if provider.open.is_none() || provider.read.is_none() || provider.close.is_none() {
            return refuse("a resource provider needs the callbacks open, read and close");
        }
        let prefix = if provider.prefix.is_null() {
            String::new()
        } else {
            // SAFETY: the header says that this is a text
            unsafe { CStr::from_ptr(provider.prefix) }.to_string_lossy().into_owned()
        };
        if !is_prefix(&prefix) {
            return refuse(&format!("'{prefix}' cannot be the prefix of a resource provider"));
        }
        let mut known = PROVIDERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = known.iter().position(|other| other.1.eq_ignore_ascii_case(&prefix)) {
            let other = known[place].0;
            let same = other.open.map(|f| f as usize) == provider.open.map(|f| f as usize)
                && other.read.map(|f| f as usize) == provider.read.map(|f| f as usize)
                && other.close.map(|f| f as usize) == provider.close.map(|f| f as usize)
                && other.data == provider.data;
            drop(known);
            if same {
                return Ok(place as i32 + 1);
            }
            return refuse(&format!("a resource provider for the prefix '{prefix}' is already registered"));
        }
        let prefix: &'static str = Box::leak(prefix.into_boxed_str());
        let text = CString::new(prefix)?;
        let provider = Box::leak(Box::new(Provider { prefix: text.into_raw(), ..provider }));
        known.push(Known(provider, prefix));
        Ok(known.len() as i32)
    }
    fn mjp_resourceProviderCount() -> i32 { Ok(providers().len() as i32) }
    fn mjp_getResourceProvider(resource_name: Text<'_>) -> *const Provider {
        if resource_name.is_null() {
            return Ok(std::ptr::null());
        }
        Ok(provider_of(&resource_name.get()?).map_or(std::ptr::null(), |known| std::ptr::from_ref(known.0)))
    }
    fn mjp_getResourceProviderAtSlot(slot: i32) -> *const Provider {
        let place = usize::try_from(slot).ok().and_then(|slot| slot.checked_sub(1));
        let found = place.and_then(|place| providers().get(place).copied());
        Ok(found.map_or(std::ptr::null(), |known| std::ptr::from_ref(known.0)))
    }
    fn mju_openResource(
        dir: Text<'_>, name: Text<'_>, vfs: Slot<'_, Vfs>, error: Out<'_, c_char>, nerror: usize,
    ) -> *mut Resource {
        match open(&dir.or_empty(), &name.get()?, vfs) {
            Ok(resource) => {
                write_message(error, i32::try_from(nerror).unwrap_or(i32::MAX), "");
                Ok(resource)
            }
            Err(problem) => {
                write_message(error, i32::try_from(nerror).unwrap_or(i32::MAX), &problem.0);
                Ok(std::ptr::null_mut())
            }
        }
    }
    fn mju_closeResource(open: *mut Resource) {
        // what this library has not opened for the program is not closed
        if !open.is_null() && OPENED.is_on(resource(open)?) {
            // SAFETY: the resource came from `mju_openResource`
            unsafe { close(open) };
        }
        Ok(())
    }
    fn mju_readResource(open: *mut Resource, buffer: Out<'_, *const c_void>) -> i32 {
        if open.is_null() {
            return Ok(-1);
        }
        let inner = resource(open)?;
        // SAFETY: the provider is null, or the program says that it is one
        if let Some(provider) = unsafe { inner.provider.as_ref() } {
            return Ok(provider.read.map_or(-1, |read| read(open, buffer.pointer())));
        }
        if inner.data.is_null() || !(OPENED.is_on(inner) || LENT.is_on(inner)) {
            return Ok(-1);
        }
        // SAFETY: files of ours hold their bytes
        let bytes = unsafe { &(*inner.data.cast::<FileBytes>()).0 };
        let Ok(size) = i32::try_from(bytes.len()) else { return Ok(-1) };
        buffer.set([bytes.as_ptr().cast()])?;
        Ok(size)
    }
    fn mju_getResourceDir(open: *mut Resource, dir: Out<'_, *const c_char>, ndir: Out<'_, i32>) {
        dir.set([std::ptr::null()])?;
        ndir.set([0])?;
        // SAFETY: the pointer is null or a resource that was not closed, whose name is a text
        let name = unsafe { open.as_ref() }.filter(|open| !open.name.is_null()).map(|open| open.name);
        if let Some(name) = name {
            // SAFETY: as above
            let text = unsafe { CStr::from_ptr(name) }.to_bytes();
            let length = text.iter().rposition(|b| b"/\\".contains(b)).map_or(0, |at| at + 1);
            // names of providers have a prefix, which belongs to the folder
            let prefix = text.iter().position(|&b| b == b':').map_or(0, |at| at + 1);
            // SAFETY: as above
            let provided = unsafe { !(*open).provider.is_null() };
            dir.set([name.cast_const()])?;
            ndir.set([length.max(if provided { prefix } else { 0 }) as i32])?;
        }
        Ok(())
    }
    fn mju_isModifiedResource(open: *const Resource, stamp: Text<'_>) -> i32 {
        let inner = resource(open.cast_mut())?;
        // SAFETY: the provider is null or one of the process
        if let Some(modified) = unsafe { inner.provider.as_ref() }.and_then(|provider| provider.modified) {
            // SAFETY: the texts are the program's
            return Ok(stamp.get().map_or(0, |text| {
                CString::new(&*text).map_or(0, |text| modified(open, text.as_ptr()))
            }));
        }
        let own: String = inner.timestamp.iter().take_while(|&&c| c != 0).map(|&c| c as u8 as char).collect();
        let given = stamp.or_empty();
        if own == *given {
            return Ok(0);
        }
        // what is no time, or none that we made, is another version
        let older = decoded(&own).zip(decoded(&given)).is_some_and(|(own, given)| own < given);
        Ok(if older { -1 } else { 1 })
    }
}
