//! A resource provider of one's own: models and their assets from a zip file.
//!
//! `cargo run -p kinetree --example zip_provider` packs a small model into an archive in memory, loads it
//! from there, and shows what is said about a file that is damaged in the middle.

use kinetree::spec::provider::{Resource, ResourceProvider};
use kinetree::{Vfs, load_model_with};
use std::io::{self, Cursor, Read, Write};
use std::sync::Arc;
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// Largest file that is unpacked (bytes): a small archive can promise a huge one.
const LARGEST: u64 = 1 << 30;

/// The files of an archive.
struct ZipProvider(ZipArchive<Cursor<Arc<[u8]>>>);

impl ZipProvider {
    fn new(bytes: Arc<[u8]>) -> io::Result<Self> {
        Ok(Self(ZipArchive::new(Cursor::new(bytes))?))
    }
}

impl ResourceProvider for ZipProvider {
    fn open(&self, name: &str) -> io::Result<Resource> {
        // a clone shares the directory and the bytes, and has a place of its own in them
        let mut archive = self.0.clone();
        let file = archive.by_name(name)?;
        let (size, checksum) = (file.size(), file.crc32());
        if size > LARGEST {
            return Err(io::Error::other(format!("it unpacks to {size} bytes")));
        }
        let mut content = Vec::new();
        file.take(LARGEST).read_to_end(&mut content)?;
        let mut resource = Resource::from_bytes(content.into());
        (resource.size, resource.timestamp) = (Some(size), Some(format!("{checksum:08x}")));
        Ok(resource)
    }

    fn contains(&self, name: &str) -> bool {
        self.0.index_for_name(name).is_some()
    }
}

/// An archive with a model that includes another file and has a mesh.
fn archive() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let robot = "<mujoco><include file='shelf:/parts/ball.xml'/>
        <asset><mesh name='m' file='shelf:/meshes/corner.obj'/></asset>
        <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    let ball = "<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>";
    let corner = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text, options) in [
        ("robot.xml", robot, SimpleFileOptions::default()),
        ("parts/ball.xml", ball, SimpleFileOptions::default()),
        ("meshes/corner.obj", corner, stored),
    ] {
        writer.start_file(name, options)?;
        writer.write_all(text.as_bytes())?;
    }
    Ok(writer.finish()?.into_inner())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bytes = archive()?;
    let mut files = Vfs::new();
    files.add_provider("shelf", Arc::new(ZipProvider::new(bytes.clone().into())?))?;
    let model = load_model_with("shelf:/robot.xml", &files)?;
    assert_eq!((model.ngeom, model.nmesh), (2, 1));
    println!(
        "loaded {} geoms and {} mesh from an archive of {} bytes",
        model.ngeom,
        model.nmesh,
        bytes.len()
    );

    // one wrong byte in the middle of the mesh: its checksum does not fit
    let place = bytes.windows(7).position(|text| text == b"v 0 1 0").ok_or("no mesh in the archive")?;
    bytes[place + 2] = b'9';
    let mut damaged = Vfs::new();
    damaged.add_provider("shelf", Arc::new(ZipProvider::new(bytes.into())?))?;
    let problem = load_model_with("shelf:/robot.xml", &damaged).err().ok_or("a damaged file was read")?;
    let problem = problem.to_string();
    assert!(problem.contains("provider 'shelf' cannot read 'meshes/corner.obj'"), "{problem}");
    println!("of a damaged one: {problem}");
    Ok(())
}
