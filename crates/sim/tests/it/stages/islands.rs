//! Islands: trees in contact are one island, others are their own, and to solve them one by one changes
//! nothing.

use super::{all_close, forward, load, steps};
use kinetree_model::Data;
use kinetree_model::enums::{DisableBit, Solver};

/// Two stacks of two boxes, a ball in the air, and an arm that is welded to another one.
const SCENE: &str = r#"<mujoco><worldbody><geom type="plane" size="3 3 1"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="0.03 0 0.299"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="1 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="1 0.02 0.299"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="2 0 2"><freejoint/><geom size="0.1"/></body>
    <body name="p" pos="-1 0 1"><joint axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body>
    <body name="q" pos="-1 1 1"><joint axis="1 0 0"/><geom size="0.05" pos="0 0.2 0"/></body></worldbody>
    <equality><connect body1="p" body2="q" anchor="0.1 0 0"/></equality></mujoco>"#;

#[test]
fn what_touches_is_one_island() {
    let (_, data) = super::start(SCENE);
    assert_eq!(data.nisland, 3);
    let island = |dof: usize| data.dof_island[dof];
    assert!(island(0) == island(6) && island(12) == island(18) && island(0) != island(12));
    assert_eq!(island(24), -1, "nothing holds the ball");
    assert!(island(30) == island(31) && island(30) >= 0 && island(30) != island(0));
}

#[test]
fn islands_are_solved_as_the_whole_is() {
    for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
        let mut split = load(SCENE);
        split.opt.solver = solver as i32;
        split.opt.tolerance = 1e-14;
        split.opt.iterations = 2000;
        let mut whole = split.clone();
        whole.opt.disableflags |= DisableBit::Island as i32;
        let mut data = Data::new(&split);
        steps(&split, &mut data, 5);
        let mut other = data.clone();
        forward(&split, &mut data);
        forward(&whole, &mut other);
        assert_eq!((data.nisland > 1, other.nisland), (true, 0));
        all_close(&data.qacc, &other.qacc, 1e-5);
        all_close(&data.qfrc_constraint, &other.qfrc_constraint, 1e-5);
    }
}

/// The inertia matrix in island order holds the numbers of the whole one, with columns that count from the
/// island's first dof.
#[test]
fn the_inertia_of_an_island_is_that_of_its_dofs() {
    let (model, mut data) = super::start(SCENE);
    kinetree_sim::mj_island(&model, &mut data).unwrap();
    assert!(data.nidof > 0 && data.iM_rownnz.len() == data.nidof && data.iLDiagInv.len() == data.nidof);
    for (row, &dof) in data.map_idof2dof[..data.nidof].iter().enumerate() {
        let dof = dof as usize;
        let first = data.island_idofadr[data.dof_island[dof] as usize];
        assert_eq!(data.iLDiagInv[row], data.qLDiagInv[dof]);
        let (from, whole) = (data.iM_rowadr[row] as usize, model.M_rowadr[dof] as usize);
        assert_eq!(data.iM_rownnz[row], model.M_rownnz[dof]);
        for k in 0..data.iM_rownnz[row] as usize {
            let column = model.M_colind[whole + k] as usize;
            assert_eq!(data.iM_colind[from + k] + first, data.map_dof2idof[column]);
            assert_eq!(data.iM[from + k], data.M[whole + k]);
            assert_eq!(data.iLD[from + k], data.qLD[whole + k]);
        }
    }
}
