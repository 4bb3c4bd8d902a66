//! Scenes equal those of the reference: every field of every geom, light and camera. `python -m
//! conformance.scene_goldens` writes them.

use crate::common;
use kinetree_model::enums::GeomType;
use kinetree_render::scene::{
    CAT_ALL, MjvCamera, MjvGLCamera, MjvGeom, MjvLight, MjvOption, MjvPerturb, MjvScene,
    mjv_default_free_camera, mjv_update_scene,
};

/// Both engines compute states in double precision and scenes in single precision.
const TOLERANCE: f64 = 1e-6;

fn singles(values: &[f32]) -> impl Iterator<Item = f64> {
    values.iter().map(|&x| f64::from(x))
}

fn geom_numbers(g: &MjvGeom) -> Vec<f64> {
    let ids = [g.type_, g.dataid, g.objtype, g.objid, g.category, g.matid, g.texcoord, g.segid];
    let end = [g.emission, g.specular, g.shininess, g.reflectance, g.modelrbound];
    ids.map(f64::from)
        .into_iter()
        .chain(singles(&g.size))
        .chain(singles(&g.pos))
        .chain(singles(&g.mat))
        .chain(singles(&g.rgba))
        .chain(singles(&end))
        .collect()
}

fn light_numbers(l: &MjvLight) -> Vec<f64> {
    let mut all = vec![f64::from(l.id)];
    all.extend(singles(&l.pos).chain(singles(&l.dir)));
    all.extend([l.type_, l.texid].map(f64::from));
    all.extend(singles(&l.attenuation).chain(singles(&[l.cutoff, l.exponent])));
    all.extend(singles(&l.ambient).chain(singles(&l.diffuse)).chain(singles(&l.specular)));
    all.extend([l.headlight, l.castshadow].map(|flag| f64::from(u8::from(flag))));
    all
}

fn camera_numbers(c: &MjvGLCamera) -> Vec<f64> {
    let planes =
        [c.frustum_center, c.frustum_width, c.frustum_bottom, c.frustum_top, c.frustum_near, c.frustum_far];
    let orthographic = std::iter::once(f64::from(c.orthographic));
    singles(&c.pos)
        .chain(singles(&c.forward))
        .chain(singles(&c.up))
        .chain(singles(&planes))
        .chain(orthographic)
        .collect()
}

/// One expected struct: its kind, numbers and label.
type Line<'a> = (&'a str, Vec<f64>, &'a str);

fn parse(line: &str) -> Line<'_> {
    let (numbers, label) = line.split_once(" | ").unwrap_or((line, ""));
    let (word, rest) = numbers.split_once(' ').unwrap();
    (word, rest.split(' ').map(|x| x.parse().unwrap()).collect(), label)
}

/// Where the orientation of a geom is in its line.
const ORIENTATION: std::ops::Range<usize> = 14..23;

/// Whether a geom is an arrow without length, such as a force that is nearly zero, which may point anywhere.
fn is_point((word, numbers, _): &Line<'_>) -> bool {
    let arrows = GeomType::Arrow as i32..=GeomType::Line as i32;
    *word == "geom" && arrows.contains(&(numbers[0] as i32)) && numbers[10] < TOLERANCE
}

fn scene_of(case: &str) -> MjvScene {
    let words: Vec<&str> = case.split(' ').collect();
    let number = |k: usize| words[k].parse::<i32>().unwrap();
    let (model, data) = common::world(words[1], number(2) as usize);
    let (mut opt, pert) = if number(5) == 1 {
        common::everything(&model)
    } else {
        (MjvOption::default(), MjvPerturb::default())
    };
    opt.label = number(3);
    opt.frame = number(4);
    let mut camera = MjvCamera::default();
    mjv_default_free_camera(&model, &mut camera);
    let mut scene = MjvScene::new(&model, 2000);
    for _ in 0..2 {
        mjv_update_scene(&model, &data, &opt, Some(&pert), &mut camera, CAT_ALL, &mut scene).unwrap();
    }
    scene
}

#[test]
fn scenes_are_those_of_the_reference() {
    let text = include_str!("../golden/scenes.txt");
    let mut lines = text.lines().peekable();
    let mut cases = 0;
    while let Some(case) = lines.next() {
        let scene = scene_of(case);
        let geoms = scene.geoms.iter().map(|g| ("geom", geom_numbers(g), g.label.as_str()));
        let lights = scene.lights.iter().map(|l| ("light", light_numbers(l), ""));
        let cameras = scene.camera.iter().map(|c| ("camera", camera_numbers(c), ""));
        for (index, found) in geoms.chain(lights).chain(cameras).enumerate() {
            let expected = lines.next().map(parse).unwrap();
            let same = found.0 == expected.0
                && found.2 == expected.2
                && found.1.len() == expected.1.len()
                && (0..found.1.len()).all(|k| {
                    let (a, b) = (found.1[k], expected.1[k]);
                    (a - b).abs() <= TOLERANCE * b.abs().max(1.0)
                        || ORIENTATION.contains(&k) && is_point(&expected)
                });
            assert!(same, "{case}, line {index}:\n{found:?}\ninstead of\n{expected:?}");
        }
        assert!(lines.peek().is_none_or(|line| line.starts_with("case ")), "{case} lacks {:?}", lines.peek());
        cases += 1;
    }
    assert!(cases > 10);
}
