//! Flexes in equilibrium: a beam and a plate on two supports and a squeezed cube, against the formulas of
//! textbooks. Small loads, so that the stiffness matrix at rest says everything.

use super::{close, forward, start};
use kinetree_model::{Data, Model};
use nalgebra::{DMatrix, DVector};

/// How far vertices are moved to find the stiffness (m).
const STEP: f64 = 1e-6;

/// A flex without gravity and contacts, and the stiffness matrix of its springs at rest.
struct Body {
    model: Model,
    /// Vertices at rest.
    rest: Vec<[f64; 3]>,
    stiffness: DMatrix<f64>,
}

impl Body {
    /// `colours` groups vertices that share no element, which can be moved at the same time.
    fn new(composite: &str, colours: usize, colour: impl Fn(&[f64; 3]) -> usize) -> Self {
        let (model, mut data) = start(&format!(
            r#"<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>{composite}</worldbody></mujoco>"#
        ));
        let rest = data.flexvert_xpos.to_vec();
        let mut stiffness = DMatrix::zeros(model.nv, model.nv);
        let dofs = model.nv / rest.len();
        let near: Vec<Vec<usize>> = neighbours(&model);
        for (group, axis) in (0..colours).flat_map(|group| (0..dofs).map(move |axis| (group, axis))) {
            let moved: Vec<usize> = (0..rest.len()).filter(|&v| colour(&rest[v]) == group).collect();
            let pull = |data: &mut Data, step: f64| {
                data.qpos.fill(0.0);
                moved.iter().for_each(|&v| data.qpos[dofs * v + axis] = step);
                forward(&model, data);
                data.qfrc_spring.to_vec()
            };
            let (ahead, behind) = (pull(&mut data, STEP), pull(&mut data, -STEP));
            for &v in &moved {
                for dof in near[v].iter().flat_map(|&other| dofs * other..dofs * (other + 1)) {
                    stiffness[(dof, dofs * v + axis)] = (behind[dof] - ahead[dof]) / (2.0 * STEP);
                }
            }
        }
        Self { model, rest, stiffness }
    }

    /// Degrees of freedom of a vertex.
    fn dofs(&self) -> usize {
        self.model.nv / self.rest.len()
    }

    /// Displacements under `load`, where those in `given` are known.
    fn displacement(&self, given: &[(usize, f64)], load: &DVector<f64>) -> DVector<f64> {
        let (mut matrix, mut right) = (self.stiffness.clone(), load.clone());
        for &(dof, value) in given {
            right -= matrix.column(dof) * value;
        }
        for &(dof, value) in given {
            matrix.row_mut(dof).fill(0.0);
            matrix.column_mut(dof).fill(0.0);
            (matrix[(dof, dof)], right[dof]) = (1.0, value);
        }
        let symmetric = (&matrix + matrix.transpose()) * 0.5;
        symmetric.cholesky().expect("a supported body is stable").solve(&right)
    }
}

/// The vertices that each vertex shares an element or the flap of an edge with, itself included.
fn neighbours(model: &Model) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); model.nflexvert];
    let mut tie = |vertices: &[i32]| {
        for &a in vertices.iter().filter(|&&v| v >= 0) {
            near[a as usize].extend(vertices.iter().filter(|&&v| v >= 0).map(|&b| b as usize));
        }
    };
    model.flex_elem.chunks_exact(model.flex_dim[0] as usize + 1).for_each(&mut tie);
    for ([a, b], [c, d]) in model.flex_edge.iter().zip(&model.flex_edgeflap[..]) {
        tie(&[*a, *b, *c, *d]);
    }
    for list in &mut near {
        list.sort_unstable();
        list.dedup();
    }
    near
}

fn is(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Deflection of a beam of 1 × 0.2 m, a sheet that is loaded along its plane, as a share of what Timoshenko's
/// theory says for a uniform load.
fn beam_share(across: usize) -> f64 {
    const LENGTH: f64 = 1.0;
    const HEIGHT: f64 = 0.2;
    const THICKNESS: f64 = 0.01;
    const YOUNG: f64 = 1e5;
    const LOAD: f64 = 1e-3;
    let (nx, ny) = (5 * across + 1, across + 1);
    let spacing = HEIGHT / across as f64;
    let beam = Body::new(
        &format!(
            r#"<flexcomp name="beam" type="grid" dim="2" dof="2d" count="{nx} {ny} 1" spacing="{spacing} {spacing} 1"
            radius="0.0001" mass="1"><contact selfcollide="none"/>
            <elasticity young="{YOUNG}" poisson="0" thickness="{THICKNESS}" elastic2d="stretch"/></flexcomp>"#
        ),
        9,
        |x| {
            let index = |k: usize, half: f64| ((x[k] + half) / spacing).round() as usize % 3;
            3 * index(0, LENGTH / 2.0) + index(1, HEIGHT / 2.0)
        },
    );
    let (mut given, mut load) = (Vec::new(), DVector::zeros(beam.model.nv));
    let mut middle = 0;
    for (v, x) in beam.rest.iter().enumerate() {
        let share = |at: f64, end: f64| if is(at.abs(), end) { 0.5 } else { 1.0 };
        load[2 * v + 1] = share(x[0], LENGTH / 2.0) * share(x[1], HEIGHT / 2.0);
        if is(x[1], 0.0) && is(x[0].abs(), LENGTH / 2.0) {
            given.push((2 * v + 1, 0.0));
        }
        if is(x[0], 0.0) && is(x[1], 0.0) {
            middle = v;
            given.push((2 * v, 0.0));
        }
    }
    load *= LOAD * LENGTH / load.sum();
    let deflection = beam.displacement(&given, &load)[2 * middle + 1];
    // of a surface a quarter of Young's modulus counts, as in the reference
    let young = YOUNG / 4.0;
    let inertia = THICKNESS * HEIGHT.powi(3) / 12.0;
    let bending = 5.0 * LOAD * LENGTH.powi(4) / (384.0 * young * inertia);
    let shear = LOAD * LENGTH.powi(2) / (8.0 * (5.0 / 6.0) * (young / 2.0) * THICKNESS * HEIGHT);
    deflection / (bending + shear)
}

#[test]
fn a_beam_on_two_supports_bends_as_beam_theory_says() {
    let (coarse, fine) = (beam_share(4), beam_share(10));
    // triangles of constant strain are too stiff, and less so with the square of their size
    assert!(coarse < fine && (1.0 - fine).abs() < 0.03, "{coarse} {fine}");
    assert!((1.0 - coarse) / (1.0 - fine) > 4.0, "{coarse} {fine}");
}

#[test]
fn a_plate_bends_into_a_cylinder_with_the_stiffness_of_the_reference() {
    const LENGTH: f64 = 1.0;
    const WIDTH: f64 = 0.2;
    const THICKNESS: f64 = 0.01;
    const YOUNG: f64 = 1e6;
    const LOAD: f64 = 1e-3;
    const COUNT: usize = 21;
    let spacing = LENGTH / (COUNT - 1) as f64;
    let plate = Body::new(
        &format!(
            r#"<flexcomp name="plate" type="grid" dim="2" count="{COUNT} 3 1" spacing="{spacing} 0.1 1" radius="0.001"
            mass="1"><contact selfcollide="none"/>
            <elasticity young="{YOUNG}" poisson="0" thickness="{THICKNESS}" elastic2d="bend"/></flexcomp>"#
        ),
        3 * COUNT,
        |x| ((x[0] + 0.5) / spacing).round() as usize * 3 + ((x[1] + 0.1) / 0.1).round() as usize,
    );
    // all vertices of a line across move alike, and the ends are supported
    let line = |v: usize| ((plate.rest[v][0] + 0.5) / spacing).round() as usize;
    let mut matrix = DMatrix::zeros(COUNT, COUNT);
    for (a, b) in (0..plate.rest.len()).flat_map(|a| (0..plate.rest.len()).map(move |b| (a, b))) {
        matrix[(line(a), line(b))] += plate.stiffness[(3 * a + 2, 3 * b + 2)];
    }
    let inner = matrix.view((1, 1), (COUNT - 2, COUNT - 2)).into_owned();
    let load = DVector::from_element(COUNT - 2, LOAD * WIDTH * spacing);
    let deflection = inner.cholesky().unwrap().solve(&load)[COUNT / 2 - 1];
    // three quarters of the stiffness E t³ / 12 of Kirchhoff's plates
    let stiffness = YOUNG * THICKNESS.powi(3) / 16.0;
    close(deflection * 384.0 * stiffness / (5.0 * LOAD * LENGTH.powi(4)), 1.0, 0.01);
}

#[test]
fn a_squeezed_cube_loses_the_volume_that_its_constants_say() {
    const SIZE: f64 = 0.2;
    const YOUNG: f64 = 1e4;
    const POISSON: f64 = 0.3;
    const SQUEEZE: f64 = 1e-4;
    let cube = Body::new(
        &format!(
            r#"<flexcomp name="cube" type="grid" dim="3" count="3 3 3" spacing="0.1 0.1 0.1" radius="0.001" mass="1">
            <contact selfcollide="none"/><elasticity young="{YOUNG}" poisson="{POISSON}"/></flexcomp>"#
        ),
        27,
        |x| [0, 1, 2].iter().fold(0, |index, &k| 3 * index + ((x[k] + 0.1) / 0.1).round() as usize),
    );
    let mut given = Vec::new();
    for (v, x) in cube.rest.iter().enumerate() {
        if is(x[2].abs(), SIZE / 2.0) {
            given.push((3 * v + 2, -SQUEEZE * x[2]));
        }
        given.extend((0..2).filter(|&k| is(x[k], 0.0)).map(|k| (3 * v + k, 0.0)));
    }
    let moved = cube.displacement(&given, &DVector::zeros(cube.model.nv));
    assert_eq!(cube.dofs(), 3);
    let position = |v: i32| -> [f64; 3] {
        std::array::from_fn(|k| cube.rest[v as usize][k] + moved[3 * v as usize + k])
    };
    let volume: f64 = cube
        .model
        .flex_elem
        .chunks_exact(4)
        .map(|element| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| nalgebra::Vector3::from(position(element[k])));
            (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0
        })
        .sum();
    // Lamé's first constant counts twice, as in the reference
    let first = 2.0 * YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    let second = YOUNG / (2.0 * (1.0 + POISSON));
    let ratio = first / (2.0 * (first + second));
    let lost = 1.0 - volume / SIZE.powi(3);
    close(lost / (SQUEEZE * (1.0 - 2.0 * ratio)), 1.0, 1e-3);
}
