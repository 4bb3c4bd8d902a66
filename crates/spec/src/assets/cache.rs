//! A cache of compiled assets, keyed by content and settings, within a bound on its size.
//!
//! An entry belongs to the bytes an asset is made of (its files or its inline arrays) and to the settings it
//! was compiled with, whatever it is called and wherever its files are. When the bound would be exceeded, the
//! entries that were used longest ago go first; an asset larger than the bound is not kept. A cache is shared
//! by reference between threads. Models are compiled with the cache of the process, [`AssetCache::global`],
//! unless they are given another.
//!
//! ```
//! use kinetree_spec::AssetCache;
//!
//! let cache = AssetCache::new(1_000_000);
//! assert_eq!((cache.size(), cache.capacity()), (0, 1_000_000));
//! ```

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use kinetree_collide::bvh::BvhTree;

use super::hfield::CompiledHField;
use super::mesh::{CompiledMesh, MeshSettings, MeshSource, Octree};
use super::texture::CompiledTexture;

/// Bound that new caches have, in bytes.
pub const DEFAULT_CAPACITY: usize = 500 << 20;

/// What an entry is for: the content and the settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AssetKey {
    content: [u64; 3],
    settings: String,
}

impl AssetKey {
    /// Key for some content; `settings` must name everything besides it that the result depends on.
    pub fn new(content: &Fingerprint, settings: impl Into<String>) -> Self {
        Self { content: [content.length, content.lanes[0], content.lanes[1]], settings: settings.into() }
    }

    /// Key for a mesh; `kind` says how its content is decoded.
    pub fn mesh(content: &Fingerprint, kind: &str, settings: &MeshSettings) -> Self {
        let mut text = format!("mesh {kind}");
        let numbers = settings.scale.iter().chain(&settings.refpos).chain(&settings.refquat);
        for number in numbers {
            // bits, so that equal keys mean equal numbers
            let _ = write!(text, " {:x}", number.to_bits());
        }
        let _ = write!(
            text,
            " {:?} {} {:?} {} {} {}",
            settings.inertia,
            settings.smoothnormal,
            settings.maxhullvert,
            settings.needhull,
            settings.needsdf,
            settings.reference
        );
        Self::new(content, text)
    }
}

/// Content reduced to its length and 128 bits: two multiply-and-rotate mixes over words of eight bytes.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    length: u64,
    lanes: [u64; 2],
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self { length: 0, lanes: [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f] }
    }
}

impl Fingerprint {
    /// The fingerprint of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut fingerprint = Self::default();
        fingerprint.bytes(bytes);
        fingerprint
    }

    fn word(&mut self, word: u64) {
        let [a, b] = &mut self.lanes;
        *a = (*a ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
        *b = (*b ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(35);
    }

    /// Adds bytes. Their number is added too, so that the border between two pieces counts.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        for word in words.iter().chain(std::iter::once(&last)) {
            self.word(u64::from_le_bytes(*word));
        }
        self.word(bytes.len() as u64);
        self.length += bytes.len() as u64;
    }

    /// Adds numbers.
    pub fn numbers(&mut self, count: usize, numbers: impl Iterator<Item = u64>) {
        self.word(count as u64);
        self.length += 8 * count as u64;
        for number in numbers {
            self.word(number);
        }
    }

    /// Adds the arrays of a mesh.
    pub fn mesh(&mut self, source: &MeshSource) {
        for list in [&source.vert, &source.normal, &source.texcoord] {
            self.numbers(list.len(), list.iter().map(|x| u64::from(x.to_bits())));
        }
        for list in [&source.face, &source.facenormal, &source.facetexcoord] {
            self.numbers(list.len(), list.iter().map(|x| *x as u64));
        }
    }
}

/// A compiled mesh with the boxes around its triangles.
#[derive(Clone, Debug, Default)]
pub struct MeshAsset {
    /// Arrays of the mesh.
    pub mesh: CompiledMesh,
    /// Boxes around triangles.
    pub tree: BvhTree,
    /// Distance from the surface; empty unless it is needed.
    pub octree: Octree,
}

/// A compiled asset.
#[derive(Clone, Debug)]
pub enum CachedAsset {
    /// A mesh.
    Mesh(Arc<MeshAsset>),
    /// A texture.
    Texture(Arc<CompiledTexture>),
    /// A height field.
    HField(Arc<CompiledHField>),
}

/// Memory of a node of a box tree: box, two children, element and depth.
const NODE_BYTES: usize = 6 * 8 + 4 * 4;
/// Memory of a cell of an octree: box, eight corners, eight children and depth.
const CELL_BYTES: usize = 14 * 8 + 9 * 4;

impl CachedAsset {
    /// Approximate memory of the asset, in bytes.
    pub fn size(&self) -> usize {
        let own = std::mem::size_of::<Self>();
        own + match self {
            Self::Mesh(asset) => {
                mesh_size(&asset.mesh) + NODE_BYTES * asset.tree.len() + CELL_BYTES * asset.octree.len()
            }
            Self::Texture(texture) => texture.data.len(),
            Self::HField(hfield) => std::mem::size_of_val(&hfield.data[..]),
        }
    }
}

fn mesh_size(mesh: &CompiledMesh) -> usize {
    let bytes_per_vertex = 12 + 8 + 24 * usize::from(!mesh.exact_vert.is_empty());
    let bytes_per_face = 3 * 12 + 9 * 8;
    let indices = mesh.graph.len() + mesh.polyvert.len() + mesh.polymap.len() + 2 * mesh.polyvertadr.len();
    std::mem::size_of::<CompiledMesh>()
        + bytes_per_vertex * mesh.vert.len()
        + 12 * mesh.normal.len()
        + 8 * mesh.texcoord.len()
        + bytes_per_face * mesh.face.len()
        + 4 * indices
        + 24 * mesh.polynormal.len()
}

/// A bounded store of compiled assets.
#[derive(Debug)]
pub struct AssetCache {
    store: Mutex<Store>,
}

#[derive(Debug, Default)]
struct Store {
    entries: HashMap<AssetKey, Entry>,
    capacity: usize,
    size: usize,
    clock: u64,
    hits: u64,
    misses: u64,
}

#[derive(Debug)]
struct Entry {
    asset: CachedAsset,
    size: usize,
    last_use: u64,
}

impl Default for AssetCache {
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY)
    }
}

impl AssetCache {
    /// An empty cache with a bound in bytes; 0 disables caching.
    pub fn new(capacity: usize) -> Self {
        Self { store: Mutex::new(Store { capacity, ..Store::default() }) }
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        // a panic elsewhere leaves the store consistent: every change is complete before the lock is released
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache of the process.
    pub fn global() -> &'static AssetCache {
        static CACHE: LazyLock<AssetCache> = LazyLock::new(AssetCache::default);
        &CACHE
    }

    /// Bound on the size, in bytes.
    pub fn capacity(&self) -> usize {
        self.store().capacity
    }

    /// Changes the bound; entries that no longer fit are dropped.
    pub fn set_capacity(&self, capacity: usize) {
        let mut store = self.store();
        store.capacity = capacity;
        store.make_room(0);
    }

    /// Size of the entries, in bytes.
    pub fn size(&self) -> usize {
        self.store().size
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.store().entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How often an asset was found, and how often it was not.
    pub fn hits_and_misses(&self) -> (u64, u64) {
        let store = self.store();
        (store.hits, store.misses)
    }

    /// Drops all entries.
    pub fn clear(&self) {
        let mut store = self.store();
        store.entries.clear();
        store.size = 0;
    }

    /// Finds an entry and marks it as used.
    pub fn get(&self, key: &AssetKey) -> Option<CachedAsset> {
        let mut store = self.store();
        store.clock += 1;
        let now = store.clock;
        let found = store.entries.get_mut(key).map(|entry| {
            entry.last_use = now;
            entry.asset.clone()
        });
        if found.is_some() {
            store.hits += 1;
        } else {
            store.misses += 1;
        }
        found
    }

    /// Keeps an asset; returns false if it is larger than the whole cache.
    pub fn insert(&self, key: AssetKey, asset: CachedAsset) -> bool {
        let size = asset.size() + key.settings.len();
        let mut store = self.store();
        if let Some(old) = store.entries.remove(&key) {
            store.size -= old.size;
        }
        if size > store.capacity {
            return false;
        }
        store.make_room(size);
        store.clock += 1;
        let last_use = store.clock;
        store.size += size;
        store.entries.insert(key, Entry { asset, size, last_use });
        true
    }

    /// The mesh for a key, compiled only if it is not there. The cache is not locked while compiling.
    pub fn mesh<E>(
        &self,
        key: AssetKey,
        compile: impl FnOnce() -> Result<MeshAsset, E>,
    ) -> Result<Arc<MeshAsset>, E> {
        if let Some(CachedAsset::Mesh(mesh)) = self.get(&key) {
            return Ok(mesh);
        }
        let mesh = Arc::new(compile()?);
        self.insert(key, CachedAsset::Mesh(Arc::clone(&mesh)));
        Ok(mesh)
    }

    /// The texture for a key, compiled only if it is not there.
    pub fn texture<E>(
        &self,
        key: AssetKey,
        compile: impl FnOnce() -> Result<CompiledTexture, E>,
    ) -> Result<Arc<CompiledTexture>, E> {
        if let Some(CachedAsset::Texture(texture)) = self.get(&key) {
            return Ok(texture);
        }
        let texture = Arc::new(compile()?);
        self.insert(key, CachedAsset::Texture(Arc::clone(&texture)));
        Ok(texture)
    }

    /// The height field for a key, compiled only if it is not there.
    pub fn hfield<E>(
        &self,
        key: AssetKey,
        compile: impl FnOnce() -> Result<CompiledHField, E>,
    ) -> Result<Arc<CompiledHField>, E> {
        if let Some(CachedAsset::HField(hfield)) = self.get(&key) {
            return Ok(hfield);
        }
        let hfield = Arc::new(compile()?);
        self.insert(key, CachedAsset::HField(Arc::clone(&hfield)));
        Ok(hfield)
    }
}

impl Store {
    /// Drops the least recently used entries until `needed` bytes are free.
    fn make_room(&mut self, needed: usize) {
        while self.size + needed > self.capacity {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_use);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            if let Some(entry) = self.entries.remove(&key) {
                self.size -= entry.size;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(n: usize) -> CachedAsset {
        CachedAsset::HField(Arc::new(CompiledHField { nrow: 1, ncol: n as i32, data: vec![0.0; n] }))
    }

    fn key(name: &str) -> AssetKey {
        AssetKey::new(&Fingerprint::of(name.as_bytes()), "")
    }

    #[test]
    fn least_recently_used_entry_goes_first() {
        let cache = AssetCache::new(3000);
        assert!(cache.insert(key("a"), field(200)));
        assert!(cache.insert(key("b"), field(200)));
        assert!(cache.insert(key("c"), field(200)));
        assert!(cache.get(&key("a")).is_some());
        assert!(cache.insert(key("d"), field(200)));
        assert!(cache.get(&key("b")).is_none());
        assert!(cache.get(&key("a")).is_some());
        assert!(cache.size() <= cache.capacity());
        cache.set_capacity(1000);
        assert_eq!(cache.len(), 1);
        cache.clear();
        assert_eq!((cache.len(), cache.size()), (0, 0));
    }

    #[test]
    fn oversized_assets_and_disabled_caches_keep_nothing() {
        let cache = AssetCache::new(100);
        assert!(!cache.insert(key("a"), field(200)));
        cache.set_capacity(0);
        assert!(!cache.insert(key("b"), field(1)));
        assert!(cache.is_empty());
    }

    #[test]
    fn keys_distinguish_content_and_settings() {
        let cache = AssetCache::default();
        let settings = MeshSettings::default();
        let scaled = MeshSettings { scale: [2.0, 1.0, 1.0], ..MeshSettings::default() };
        let (one, two) = (Fingerprint::of(b"one"), Fingerprint::of(b"two"));
        let first = AssetKey::mesh(&one, "stl", &settings);
        let compiled = || Ok::<_, ()>(MeshAsset::default());
        let mesh = cache.mesh(first.clone(), compiled).unwrap();
        let again = cache.mesh(first.clone(), || Err(())).unwrap();
        assert!(Arc::ptr_eq(&mesh, &again));
        assert_eq!(cache.hits_and_misses(), (1, 1));
        for other in [
            AssetKey::mesh(&two, "stl", &settings),
            AssetKey::mesh(&one, "obj", &settings),
            AssetKey::mesh(&one, "stl", &scaled),
        ] {
            assert_ne!(first, other);
            assert!(cache.mesh(other, || Err(())).is_err());
        }
    }
}
