//! Resource providers: where files come from whose names begin with a prefix of their own, such as
//! `store:/robots/arm.xml`.
//!
//! A provider belongs to a [`Vfs`](crate::Vfs), which every loader is given, so that includes, meshes,
//! textures, height fields and attached models all find it. What is read goes through the asset cache like
//! any file: its content counts, not where it is.
//!
//! ```
//! use kinetree_spec::Vfs;
//! use kinetree_spec::provider::MemoryProvider;
//! use std::sync::Arc;
//!
//! let ball = "<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>";
//! let store = MemoryProvider([("ball.xml".into(), ball.as_bytes().into())].into());
//! let mut files = Vfs::new();
//! files.add_provider("store", Arc::new(store))?;
//! assert_eq!(kinetree_spec::load_model_with("store:/ball.xml", &files)?.ngeom, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Most bytes that are reserved for a resource on its own word.
const MAX_RESERVED: u64 = 1 << 26;

/// A resource that is open. Dropping it closes it.
pub struct Resource {
    /// Its bytes, in order.
    pub reader: Box<dyn Read + Send>,
    /// How many there are, where that is known; reading another number is an error.
    pub size: Option<u64>,
    /// Something that changes when the content does, such as a time or a hash.
    pub timestamp: Option<String>,
}

impl Resource {
    /// A resource that is in memory.
    #[must_use]
    pub fn from_bytes(bytes: Arc<[u8]>) -> Self {
        let size = Some(bytes.len() as u64);
        Self { reader: Box::new(io::Cursor::new(bytes)), size, timestamp: None }
    }

    /// All its bytes.
    ///
    /// # Errors
    /// When reading fails, or ends before or after the size that was promised.
    pub fn read_all(mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.size.unwrap_or(0).min(MAX_RESERVED) as usize);
        self.reader.read_to_end(&mut bytes)?;
        match self.size {
            Some(size) if size != bytes.len() as u64 => {
                let message = format!("it has {} bytes, and {size} were promised", bytes.len());
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, message))
            }
            _ => Ok(bytes),
        }
    }
}

/// Where the files of a prefix come from.
pub trait ResourceProvider: Send + Sync {
    /// Opens a resource by its name behind the prefix and the slashes that follow it.
    ///
    /// # Errors
    /// When there is no such resource, or it cannot be read.
    fn open(&self, name: &str) -> io::Result<Resource>;

    /// Whether there is a resource of this name; one that cannot be opened for another reason is there, so
    /// that reading it tells the reason.
    fn contains(&self, name: &str) -> bool {
        !self.open(name).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }
}

/// The files of a folder on the disk, and nothing above it.
#[derive(Clone, Debug)]
pub struct FolderProvider(pub PathBuf);

impl ResourceProvider for FolderProvider {
    fn open(&self, name: &str) -> io::Result<Resource> {
        if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the name leads out of the folder"));
        }
        let file = std::fs::File::open(self.0.join(name))?;
        let about = file.metadata()?;
        let timestamp = about.modified().ok().map(|time| format!("{time:?}"));
        Ok(Resource { size: Some(about.len()), timestamp, reader: Box::new(file) })
    }
}

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryProvider(pub BTreeMap<String, Arc<[u8]>>);

impl ResourceProvider for MemoryProvider {
    fn open(&self, name: &str) -> io::Result<Resource> {
        let bytes = self.0.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Resource::from_bytes(Arc::clone(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::{Vfs, VfsError, exists, read};
    use crate::{load_model_str_with, load_model_with};

    /// A provider that fails after some bytes.
    struct Broken;

    impl ResourceProvider for Broken {
        fn open(&self, _: &str) -> io::Result<Resource> {
            struct Half(bool);
            impl Read for Half {
                fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                    if std::mem::replace(&mut self.0, true) {
                        return Err(io::Error::other("the line went dead"));
                    }
                    buffer[0] = b'<';
                    Ok(1)
                }
            }
            Ok(Resource { reader: Box::new(Half(false)), size: None, timestamp: None })
        }
    }

    /// A provider that promises more than it has.
    struct Short;

    impl ResourceProvider for Short {
        fn open(&self, _: &str) -> io::Result<Resource> {
            let mut resource = Resource::from_bytes(b"ab".as_slice().into());
            resource.size = Some(u64::MAX);
            Ok(resource)
        }
    }

    fn store() -> MemoryProvider {
        let ball = "<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>";
        let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        let files = [("parts/ball.xml", ball), ("parts/cube.obj", cube)];
        MemoryProvider(files.into_iter().map(|(n, text)| (n.into(), text.as_bytes().into())).collect())
    }

    #[test]
    fn includes_and_assets_come_from_providers() {
        let mut vfs = Vfs::new();
        vfs.add_provider("store", Arc::new(store())).unwrap();
        assert!(exists("store:/parts/ball.xml", Some(&vfs)) && !exists("store:/parts/none.xml", Some(&vfs)));
        let text = "<mujoco><compiler meshdir='elsewhere'/><asset><mesh name='m' file='store:/parts/cube.obj'/></asset>\
                    <include file='store:/parts/ball.xml'/><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
        let model = load_model_str_with(text, &vfs).unwrap();
        assert_eq!((model.ngeom, model.nmesh), (2, 1));
        assert_eq!(load_model_with("store:/parts/ball.xml", &vfs).unwrap().ngeom, 1);
        assert!(vfs.add_provider("store", Arc::new(store())).is_err());
    }

    #[test]
    fn failures_name_the_provider_and_the_file() {
        let mut vfs = Vfs::new();
        vfs.add_provider("line", Arc::new(Broken)).unwrap();
        vfs.add_provider("short", Arc::new(Short)).unwrap();
        let message = |path: &str| read(path, Some(&vfs)).unwrap_err().to_string();
        assert_eq!(message("line:/a.xml"), "provider 'line' cannot read 'a.xml': the line went dead");
        assert!(message("short:/b").contains("provider 'short' cannot read 'b': it has 2 bytes"));
        let error = load_model_with("line:/a.xml", &vfs).unwrap_err().to_string();
        assert!(error.contains("provider 'line'"), "{error}");
        assert!(matches!(read("other:/x", Some(&vfs)), Err(VfsError::NotFound(_))));
    }

    #[test]
    fn a_folder_does_not_let_out() {
        let folder = std::env::temp_dir().join(format!("kinetree-provider-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("part.txt"), "text").unwrap();
        let provider = FolderProvider(folder.clone());
        assert_eq!(provider.open("part.txt").unwrap().read_all().unwrap(), b"text");
        assert!(provider.open("part.txt").unwrap().timestamp.is_some());
        assert!(provider.open("../part.txt").is_err() && !provider.contains("none"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
