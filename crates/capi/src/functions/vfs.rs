//! Virtual files.

use crate::export;
use crate::ffi::fault::Served;
use crate::ffi::owned::Slot;
use crate::ffi::pointer::{In, Text, count};
use kinetree_spec::Vfs;
use kinetree_spec::vfs::VfsError;
use std::ffi::c_char;

/// An argument `mjVFS*`: a struct with a pointer to the files.
pub type VfsPtr<'a> = Slot<'a, Vfs>;

/// The files of a VFS, with those that providers of the process give; none for a null pointer.
pub fn files(vfs: VfsPtr<'_>) -> Served<Vfs> {
    let mut files = vfs.get().cloned().unwrap_or_default();
    crate::functions::plugins::add_providers(&mut files);
    Ok(files)
}

/// The code of a result.
fn code(result: &Result<(), VfsError>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(VfsError::Repeated(_)) => 2,
        Err(_) => -1,
    }
}

export! {
    fn mj_defaultVFS(vfs: VfsPtr<'_>) { vfs.begin(Vfs::new()) }
    fn mj_deleteVFS(vfs: VfsPtr<'_>) {
        vfs.end();
        Ok(())
    }
    fn mj_addFileVFS(vfs: VfsPtr<'_>, directory: Text<'_>, filename: Text<'_>) -> i32 {
        Ok(code(&vfs.edit()?.add_file(&directory.or_empty(), &filename.get()?)))
    }
    fn mj_addBufferVFS(vfs: VfsPtr<'_>, name: Text<'_>, buffer: In<'_, u8>, nbuffer: i32) -> i32 {
        if buffer.is_null() && nbuffer > 0 {
            return Ok(-1);
        }
        Ok(code(&vfs.edit()?.add_buffer(&name.get()?, buffer.list(count(nbuffer))?)))
    }
    fn mj_deleteFileVFS(vfs: VfsPtr<'_>, filename: Text<'_>) -> i32 {
        Ok(if vfs.edit()?.delete(&filename.get()?).is_ok() { 0 } else { -1 })
    }
    fn mj_containsBufferVFS(vfs: VfsPtr<'_>, name: Text<'_>) -> i32 {
        let name = name.get()?;
        Ok(i32::from(vfs.get().is_some_and(|files| files.contains(&name))))
    }
    fn mj_containsFileVFS(vfs: VfsPtr<'_>, directory: Text<'_>, filename: Text<'_>) -> i32 {
        let (directory, name) = (directory.or_empty(), filename.get()?);
        let path = kinetree_spec::vfs::combine(&directory, &name);
        let known = |files: &Vfs| {
            files.contains(&path)
                || files.contains(kinetree_spec::vfs::strip_path(&path))
                || files.contains(&kinetree_spec::vfs::strip_path(&path).to_lowercase())
        };
        Ok(i32::from(vfs.get().is_some_and(known)))
    }
    fn mj_unmountVFS(vfs: VfsPtr<'_>, filename: Text<'_>) -> i32 {
        Ok(if vfs.edit()?.delete(&filename.get()?).is_ok() { 0 } else { -1 })
    }
    fn mj_mountVFS(vfs: VfsPtr<'_>, filepath: Text<'_>, provider: *const std::ffi::c_void) -> i32 {
        let _ = (vfs, filepath, provider);
        crate::ffi::fault::unsupported("mounting resource providers")
    }
    fn mju_strncpy(dst: crate::ffi::pointer::Out<'_, c_char>, src: Text<'_>, n: i32) -> *mut c_char {
        crate::ffi::pointer::write_message(dst, n, &src.get()?);
        Ok(dst.pointer())
    }
}
