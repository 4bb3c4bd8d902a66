//! Reference level 4.0: meshes on planes, under spheres, and their polygons.
//! All numbers are from MuJoCo 4.0.1.

use crate::reference::load_4;
use kinetree_model::{Data, StepError, point};

const CUBE: &str = "-1 -1 0 -1 -1 2 -1 1 0 -1 1 2 1 -1 0 1 -1 2 1 1 0 1 1 2";

/// The vertices of a free mesh over a plane, its position and orientation, the margin, and the distance and
/// the position of each contact.
type Case = (&'static str, &'static str, &'static str, f64, &'static [[f64; 4]]);

#[test]
fn meshes_stand_on_corners_of_their_flattest_face() {
    for (vertices, pos, quat, margin, contacts) in cases() {
        let model = load_4(&format!(
            "<mujoco><asset><mesh name='m' vertex='{vertices}'/></asset><worldbody>
             <geom type='plane' size='5 5 1' margin='{margin}'/><body pos='{pos}' quat='{quat}'><freejoint/>
             <geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        ));
        let mut data = Data::new(&model);
        data.forward(&model).unwrap();
        let found: Vec<[f64; 4]> =
            data.contact[..data.ncon].iter().map(|c| [c.dist, c.pos[0], c.pos[1], c.pos[2]]).collect();
        let near = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
        assert!(
            found.len() == contacts.len() && found.iter().zip(contacts).all(|(a, b)| near(a, b)),
            "{pos}, {quat}: {found:?}"
        );
    }
}

#[test]
fn polygons_of_meshes_are_in_their_order() {
    let model = load_4(&format!(
        "<mujoco><asset><mesh name='m' vertex='{CUBE}'/></asset><worldbody><body><freejoint/>
         <geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    ));
    let polygons: Vec<&[i32]> = model.mesh_polyvert.chunks_exact(4).collect();
    let wanted = [[3, 1, 5, 7], [3, 2, 0, 1], [6, 2, 3, 7], [5, 4, 6, 7], [4, 5, 1, 0], [2, 6, 4, 0]];
    assert_eq!(polygons, wanted);
    assert_eq!(&model.mesh_polymap[..6], [1, 4, 5, 0, 1, 4]);
}

#[test]
fn a_mesh_whose_polygons_a_program_took_away_touches_with_a_corner() {
    let (vertices, pos, quat, margin, _) = cases()[0];
    let xml = format!(
        "<mujoco><asset><mesh name='m' vertex='{vertices}'/></asset><worldbody><geom type='plane' size='5 5 1'/>
         <body pos='{pos}' quat='{quat}'><freejoint/><geom type='mesh' mesh='m' margin='{margin}'/></body></worldbody></mujoco>"
    );
    let mut model = load_4(&xml);
    (model.mesh_polyadr[0], model.mesh_polynum[0]) = (-1, 0);
    let mut data = Data::new(&model);
    data.forward(&model).unwrap();
    assert_eq!(data.ncon, 1);
}

#[test]
fn hulls_of_mirrored_meshes_face_outward() {
    let xml =
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 .3 .3 .9' scale='-1 1 1'/></asset>
         <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    let first_facet = |graph: &[i32]| {
        let faces = graph.len() - 3 * graph[1] as usize;
        graph[faces..faces + 3].to_vec()
    };
    assert_eq!(first_facet(&load_4(xml).mesh_graph), [2, 0, 1]);
    let model = kinetree_spec::load_model_str(xml).unwrap();
    assert_eq!(first_facet(&model.mesh_graph), [2, 1, 0], "at level 3.8");
}

#[test]
fn spheres_touch_meshes_and_height_fields_from_outside() {
    let over = |geom: &str, pos: &str, margin: f64| {
        format!(
            "<mujoco><asset><mesh name='m' vertex='{CUBE}'/>
             <hfield name='h' nrow='3' ncol='3' size='1 1 .2 .1' elevation='0 0 0 0 1 0 0 0 0'/></asset>
             <worldbody><geom {geom} margin='{margin}'/><body pos='{pos}'><freejoint/><geom size='.1'/></body>
             </worldbody></mujoco>"
        )
    };
    let forward = |xml: &str| {
        let model = load_4(xml);
        let mut data = Data::new(&model);
        data.forward(&model).map(|()| data)
    };
    let mesh = "type='mesh' mesh='m'";
    let data = forward(&over(mesh, "0 .2 2.05", 0.0)).unwrap();
    assert_eq!(data.ncon, 1);
    assert!((data.contact[0].dist + 0.05).abs() < 1e-12 && (data.contact[0].pos[2] - 1.975).abs() < 1e-12);
    let data = forward(&over("type='hfield' hfield='h'", ".05 .1 .25", 0.0)).unwrap();
    let found: Vec<f64> = data.contact[..data.ncon].iter().map(|contact| contact.dist).collect();
    let wanted = [-0.0150792224392, -0.0313593527016, -0.0265686928977];
    assert!(found.len() == 3 && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-10), "{found:?}");
    // deep inside, and with a margin, other points are found
    for refused in [over(mesh, "0 .2 1.95", 0.0), over(mesh, "0 .2 2.05", 0.01)] {
        assert_eq!(forward(&refused).err(), Some(StepError::Reference(&point::multicontact)));
    }
}

#[rustfmt::skip]
fn cases() -> [Case; 5] {
    [
        (
            CUBE,
            "0 0 -.01", "1 0 0 0", 0.0,
            &[
                [-0.01, -1.0, -1.0, -0.005],
                [-0.01, -1.0, 1.0, -0.005],
                [-0.01, 1.0, 1.0, -0.005],
                [-0.01, 1.0, -1.0, -0.005],
            ][..],
        ),
        (
            CUBE,
            "0 0 .02", ".999 .03 0 0", 0.0,
            &[
                [-0.0400059465352, -1.0, -0.998198019624, -0.0200029732676],
                [-0.0400059465352, 1.0, -0.998198019624, -0.0200029732676],
            ][..],
        ),
        (
            "1 0 0 0.924 0.383 0 0.707 0.707 0 0.383 0.924 0 0 1 0 -0.383 0.924 0 -0.707 0.707 0 -0.924 0.383 0 -1 0 0 -0.924 -0.383 0 -0.707 -0.707 0 -0.383 -0.924 0 -0 -1 0 0.383 -0.924 0 0.707 -0.707 0 0.924 -0.383 0 1 0 0.8 0.924 0.383 0.8 0.707 0.707 0.8 0.383 0.924 0.8 0 1 0.8 -0.383 0.924 0.8 -0.707 0.707 0.8 -0.924 0.383 0.8 -1 0 0.8 -0.924 -0.383 0.8 -0.707 -0.707 0.8 -0.383 -0.924 0.8 -0 -1 0.8 0.383 -0.924 0.8 0.707 -0.707 0.8 0.924 -0.383 0.8",
            "0 0 -.02", "1 0 0 0", 0.0,
            &[
                [-0.02, 0.924000024796, -0.38299998641, -0.01],
                [-0.02, -0.38299998641, -0.924000024796, -0.01],
                [-0.02, -0.924000024796, 0.38299998641, -0.01],
                [-0.02, 0.38299998641, 0.924000024796, -0.01],
            ][..],
        ),
        (
            "1 0.1 0 0.7 0.75 0 0.1 1 0 -0.6 0.8 0 -1 0.05 0 -0.7 -0.7 0 0.2 -0.95 0 1 0.1 0.5 0.7 0.75 0.5 0.1 1 0.5 -0.6 0.8 0.5 -1 0.05 0.5 -0.7 -0.7 0.5 0.2 -0.95 0.5",
            ".3 .2 .03", ".998 .03 .02 .05", 0.02,
            &[
                [-0.0361829713528, 0.592528126865, -0.723334771247, -0.0180914856764],
                [0.0125245758919, -0.326905633093, -0.565952878277, 0.00626228794593],
                [-0.000738023572222, 1.2843369399, 0.400339692509, -0.000369011786111],
            ][..],
        ),
        (
            "0.27 -0.75 -0.6 -0.75 0.56 0.35 -0.37 0.87 0.32 -0.48 0.84 -0.27 -0.34 -0.82 0.47 -0.12 0.66 -0.74 0.1 -0.72 0.68 0.34 0.59 0.73 -0.42 0.32 0.85 -0.58 -0.61 -0.53 0.61 0.09 0.78 0.9 0.26 0.35 -0.12 0.61 -0.79 -0.23 0.13 0.97",
            "0 0 .6", ".8 .2 .4 .1", 0.0,
            &[
                [-0.261176488818, -0.317999990644, -0.390705873188, -0.130588244409],
            ][..],
        ),
    ]
}
