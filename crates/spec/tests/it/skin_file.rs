//! A skin read from a file is the skin written in the model.

use kinetree_model::Model;
use kinetree_spec::{Diagnostics, Vfs, load_model_str, load_model_str_with};
use proptest::prelude::*;

const BODIES: &str = "<worldbody><body name='left'><joint/><geom size='0.1'/></body><body name='right'><joint/><geom size='0.1'/></body></worldbody>";
const VERTICES: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
const TEXCOORDS: [f32; 8] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
const FACES: [i32; 6] = [0, 1, 2, 1, 3, 2];

/// The parts of a bone: body, position and orientation when bound, vertices and their weights.
type Bone = (&'static str, [f32; 7], &'static [i32], &'static [f32]);
const BONES: [Bone; 3] = [
    ("left", [0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0], &[0, 1, 2], &[1.0, 0.5, 0.25]),
    ("right", [-0.1, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0], &[1, 2, 3], &[0.5, 0.75, 1.0]),
    ("right", [0.0, 0.2, 0.1, 1.0, 0.0, 0.0, 0.0], &[3], &[0.5]),
];

/// The file: counts, then the surface, then the bones with names of forty bytes.
fn file() -> Vec<u8> {
    let mut out = Vec::new();
    let ints = |out: &mut Vec<u8>, list: &[i32]| list.iter().for_each(|n| out.extend(n.to_le_bytes()));
    let floats = |out: &mut Vec<u8>, list: &[f32]| list.iter().for_each(|x| out.extend(x.to_le_bytes()));
    ints(&mut out, &[4, 4, 2, BONES.len() as i32]);
    floats(&mut out, &VERTICES);
    floats(&mut out, &TEXCOORDS);
    ints(&mut out, &FACES);
    for (name, bind, ids, weights) in BONES {
        let mut bytes = [0; 40];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        out.extend(bytes);
        floats(&mut out, &bind);
        ints(&mut out, &[ids.len() as i32]);
        ints(&mut out, ids);
        floats(&mut out, weights);
    }
    out
}

/// A model whose skin is a file of this name and content.
fn with_file(name: &str, bytes: Vec<u8>) -> Result<Model, Diagnostics> {
    let mut files = Vfs::new();
    files.add_buffer(name, bytes).unwrap();
    let xml = format!("<mujoco>{BODIES}<deformable><skin name='s' file='{name}'/></deformable></mujoco>");
    load_model_str_with(&xml, &files)
}

fn words<T: ToString>(list: &[T]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_skin_file_says_what_the_model_could() {
    let bones: String = BONES
        .iter()
        .map(|(name, bind, ids, weights)| {
            let (pos, quat) = (words(&bind[..3]), words(&bind[3..]));
            format!(
                "<bone body='{name}' bindpos='{pos}' bindquat='{quat}' vertid='{}' vertweight='{}'/>",
                words(ids),
                words(weights)
            )
        })
        .collect();
    let inline = load_model_str(&format!(
        "<mujoco>{BODIES}<deformable><skin name='s' vertex='{}' texcoord='{}' face='{}'>{bones}</skin></deformable></mujoco>",
        words(&VERTICES),
        words(&TEXCOORDS),
        words(&FACES)
    ))
    .unwrap();
    for name in ["s.skn", "S.SKN"] {
        let read = with_file(name, file()).unwrap();
        assert_eq!(read.skin_vert, inline.skin_vert);
        assert_eq!(read.skin_texcoord, inline.skin_texcoord);
        assert_eq!(read.skin_face, inline.skin_face);
        assert_eq!(read.skin_bonebodyid, inline.skin_bonebodyid);
        assert_eq!(read.skin_bonebindpos, inline.skin_bonebindpos);
        assert_eq!(read.skin_bonebindquat, inline.skin_bonebindquat);
        assert_eq!(read.skin_bonevertnum, inline.skin_bonevertnum);
        assert_eq!(read.skin_bonevertid, inline.skin_bonevertid);
        assert_eq!(read.skin_bonevertweight, inline.skin_bonevertweight);
    }
    // another kind of file, one that ends too soon, and a bone without vertices are errors
    assert!(with_file("s.dat", file()).is_err());
    let mut short = file();
    short.pop();
    assert!(with_file("s.skn", short).is_err());
    let mut boneless = file();
    let first_count = 4 * (4 + 12 + 8 + 6) + 40 + 4 * 7;
    boneless[first_count..first_count + 4].copy_from_slice(&0_i32.to_le_bytes());
    assert!(with_file("s.skn", boneless).is_err());
}

#[test]
fn faces_must_refer_to_vertices() {
    for wrong in ["3", "-1", "2000000000"] {
        let xml = format!(
            "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody><deformable>
             <skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 {wrong}'>
             <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>
             </deformable></mujoco>"
        );
        let error = kinetree_spec::load_model_str(&xml).unwrap_err().to_string();
        assert!(error.contains(&format!("a face refers to vertex {wrong}, but there are 3")), "{error}");
    }
}

proptest! {
    #[test]
    fn damaged_skin_files_are_read_or_refused(
        words in prop::collection::vec((any::<prop::sample::Index>(), any::<i32>()), 0..4),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        end in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut damaged = file();
        for (at, value) in words {
            // whole numbers, among them counts
            let start = 4 * at.index(damaged.len() / 4);
            damaged[start..start + 4].copy_from_slice(&value.to_le_bytes());
        }
        for (at, value) in bytes {
            let at = at.index(damaged.len());
            damaged[at] = value;
        }
        if let Some(end) = end {
            damaged.truncate(end.index(damaged.len()));
        }
        if let Ok(model) = with_file("s.skn", damaged) {
            prop_assert_eq!(model.check_indices(), Ok(()));
        }
    }
}
