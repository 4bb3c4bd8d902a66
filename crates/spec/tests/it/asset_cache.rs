//! Loading the same assets twice processes them once.

use kinetree_spec::{AssetCache, Spec, Vfs};

const MODEL: &str = r#"<mujoco>
  <asset>
    <mesh name="file" file="tetra.obj" scale="SCALE 1 1"/>
    <mesh name="inline" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <mesh name="ball" builtin="sphere" params="2"/>
    <hfield name="hills" file="hills.bin" size="1 1 1 1"/>
    <texture name="pixel" type="2d" file="pixel.bin" content_type="image/vnd.mujoco.texture"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="file"/>
    <geom type="mesh" mesh="inline"/>
    <geom type="mesh" mesh="ball"/>
    <geom type="hfield" hfield="hills"/>
  </worldbody>
</mujoco>"#;

fn files(apex: &str) -> Vfs {
    let mut files = Vfs::new();
    let mesh = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {apex}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    files.add_buffer("tetra.obj", mesh.into_bytes()).unwrap();
    let mut hills = [2i32, 2].map(i32::to_le_bytes).concat();
    hills.extend([0.0f32, 1.0, 2.0, 3.0].map(f32::to_le_bytes).concat());
    files.add_buffer("hills.bin", hills).unwrap();
    let pixel = [[1i32.to_le_bytes(), 1i32.to_le_bytes()].concat(), vec![1, 2, 3]].concat();
    files.add_buffer("pixel.bin", pixel).unwrap();
    files
}

fn load(scale: &str, files: &Vfs, cache: &AssetCache) -> kinetree_model::Model {
    let spec = Spec::from_xml_string(&MODEL.replace("SCALE", scale), Some(files)).unwrap();
    spec.compile_cached(Some(files), cache).unwrap()
}

#[test]
fn second_load_finds_every_asset() {
    let (files, cache) = (files("1"), AssetCache::default());
    let first = load("1", &files, &cache);
    assert_eq!(cache.hits_and_misses(), (0, 5));
    assert_eq!(cache.len(), 5);
    assert!(cache.size() > 0);
    let second = load("1", &files, &cache);
    assert_eq!(cache.hits_and_misses(), (5, 5));
    assert_eq!(first.to_bytes(), second.to_bytes());
}

#[test]
fn content_and_settings_decide() {
    let cache = AssetCache::default();
    let plain = load("1", &files("1"), &cache);
    let taller = load("1", &files("2"), &cache);
    assert_eq!(cache.hits_and_misses(), (4, 6));
    let wider = load("2", &files("1"), &cache);
    assert_eq!(cache.hits_and_misses(), (8, 7));
    for other in [&taller, &wider] {
        assert_ne!(plain.mesh_vert, other.mesh_vert);
    }
    let without = load("1", &files("2"), &AssetCache::new(0));
    assert_eq!(taller.to_bytes(), without.to_bytes());
}

#[test]
fn threads_share_a_cache() {
    let (files, cache) = (files("1"), AssetCache::default());
    let expected = load("1", &files, &cache).to_bytes();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..20 {
                    cache.set_capacity(if round % 3 == 0 { 1000 } else { 1 << 20 });
                    assert_eq!(load("1", &files, &cache).to_bytes(), expected);
                }
            });
        }
    });
    assert!(cache.size() <= cache.capacity());
}
