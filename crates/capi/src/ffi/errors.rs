//! Errors and warnings on their way to the program's handlers.
//!
//! A handler may leave by `longjmp` or by an exception of C++. It is therefore called last, by the outermost
//! function, when nothing is left on the stack that would have to be dropped; its text lies in memory of the
//! thread.

#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::Write;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A handler of errors or warnings.
pub type Handler = extern "C-unwind" fn(*const c_char);

/// Most bytes of a message, the zero included.
pub const ROOM: usize = 1024;

/// Handler of errors that a program has set.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mju_user_error: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Handler of warnings that a program has set.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mju_user_warning: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Allocator that a program has set.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mju_user_malloc: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// What gives memory of that allocator back.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mju_user_free: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static ERROR_HANDLER: Cell<Option<Handler>> = const { Cell::new(None) };
    static WARNING_HANDLER: Cell<Option<Handler>> = const { Cell::new(None) };
    static MESSAGE: UnsafeCell<[u8; ROOM]> = const { UnsafeCell::new([0; ROOM]) };
}

unsafe extern "C" {
    fn exit(status: c_int) -> !;
    fn malloc(size: usize) -> *mut c_void;
    fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Keeps a message where it stays when the stack is left, as a text of C.
fn keep(text: &str) -> *const c_char {
    MESSAGE.with(|message| {
        let mut end = text.len().min(ROOM - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let bytes = text[..end].bytes().map(|byte| if byte == 0 { b' ' } else { byte }).chain([0]);
        // SAFETY: the memory belongs to this thread, and nobody holds a reference to it
        let room = unsafe { &mut *message.get() };
        room.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        message.get().cast_const().cast()
    })
}

/// The handler in a global variable, if a program has set one.
fn handler(variable: &AtomicPtr<c_void>) -> Option<Handler> {
    let pointer = variable.load(Ordering::Acquire);
    // SAFETY: the header says that this variable holds null or such a function
    unsafe { std::mem::transmute::<*mut c_void, Option<Handler>>(pointer) }
}

/// Puts the message of an error aside, for [`raise`].
pub fn prepare(text: &str) -> *const c_char {
    keep(text)
}

/// Hands an error to the program: to the handler of the thread, to that of the process, or, where there is
/// none, to the error output, and ends the process.
pub extern "C-unwind" fn raise(message: *const c_char) {
    KEEPING.set(false);
    if let Some(handler) = ERROR_HANDLER.get() {
        handler(message);
    } else if let Some(handler) = handler(&mju_user_error) {
        handler(message);
    } else {
        write_log("ERROR", message);
        // SAFETY: ends the process, as the reference does
        unsafe { exit(1) }
    }
}

/// Hands a warning to the program, or to the error output.
pub extern "C-unwind" fn warn(message: *const c_char) {
    if KEEPING.get() {
        keep_warning(message);
    } else if let Some(handler) = WARNING_HANDLER.get() {
        handler(message);
    } else if let Some(handler) = handler(&mju_user_warning) {
        handler(message);
    } else {
        write_log("WARNING", message);
    }
}

fn write_log(kind: &str, message: *const c_char) {
    let message = if message.is_null() { c"".as_ptr() } else { message };
    // SAFETY: messages are texts of C
    let text = unsafe { CStr::from_ptr(message) };
    // a closed error output is no reason to panic
    let _ = writeln!(std::io::stderr(), "{kind}: {}\n", text.to_string_lossy());
}

/// The handler of errors of this thread.
pub fn thread_error_handler() -> Option<Handler> {
    ERROR_HANDLER.get()
}

/// Sets the handler of errors of this thread.
pub fn set_thread_error_handler(handler: Option<Handler>) {
    ERROR_HANDLER.set(handler);
}

/// The handler of warnings of this thread.
pub fn thread_warning_handler() -> Option<Handler> {
    WARNING_HANDLER.get()
}

/// Sets the handler of warnings of this thread.
pub fn set_thread_warning_handler(handler: Option<Handler>) {
    WARNING_HANDLER.set(handler);
}

/// Memory for a program, aligned to 64 bytes.
pub fn allocate(size: usize) -> *mut c_void {
    let Some(size) = size.max(1).checked_next_multiple_of(64) else { return std::ptr::null_mut() };
    let user = mju_user_malloc.load(Ordering::Acquire);
    // SAFETY: the header says what function the variable holds; the size is a multiple of the alignment
    unsafe {
        if user.is_null() {
            aligned_alloc(64, size)
        } else {
            std::mem::transmute::<*mut c_void, extern "C-unwind" fn(usize) -> *mut c_void>(user)(size)
        }
    }
}

/// Gives memory of [`allocate`] back.
pub fn release(memory: *mut c_void) {
    let user = mju_user_free.load(Ordering::Acquire);
    // SAFETY: the program says that the memory came from [`allocate`]
    unsafe {
        if user.is_null() {
            free(memory);
        } else {
            std::mem::transmute::<*mut c_void, extern "C-unwind" fn(*mut c_void)>(user)(memory);
        }
    }
}

/// Memory as `malloc` gives it: that of strings and vectors of C++.
pub fn raw_allocate(size: usize) -> *mut u8 {
    // SAFETY: any size may be asked for
    unsafe { malloc(size.max(1)).cast() }
}

/// Gives memory of [`raw_allocate`] back.
///
/// # Safety
/// It came from there, or from `operator new`, or is null.
pub unsafe fn raw_free(memory: *mut u8) {
    // SAFETY: by the contract
    unsafe { free(memory.cast()) }
}

/// Hands a warning to the program; nothing may be left on the stack that would have to be dropped, but what
/// the caller can afford to lose when the handler does not return.
pub fn warn_text(text: &str) {
    warn(keep(text));
}

thread_local! {
    /// Whether warnings are kept, and what was kept.
    static KEEPING: Cell<bool> = const { Cell::new(false) };
    static KEPT: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

fn keep_warning(message: *const c_char) {
    if message.is_null() {
        return;
    }
    // SAFETY: messages are texts of C
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    KEPT.with_borrow_mut(|kept| {
        if !kept.is_empty() {
            kept.push('\n');
        }
        kept.push_str(&text);
    });
}

/// Calls `f`; warnings of this thread are kept meanwhile, and returned. An error that is handed to the
/// program ends that, since its handler may leave the call.
pub fn keep_warnings<R>(f: impl FnOnce() -> R) -> (R, String) {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            KEEPING.set(self.0);
        }
    }
    let before = KEPT.take();
    let restore = Restore(KEEPING.replace(true));
    let result = f();
    drop(restore);
    (result, KEPT.replace(before))
}
