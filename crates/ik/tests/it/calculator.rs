//! Jacobians of links under the names of the specification, against chains of their own.

use crate::support::{Random, load, random_q};
use kinetree_ik::{
    AnalyticalJacobianCalculator, Chain, IkError, JointFrameCache, ReferenceFrame, Singularity,
};
use kinetree_model::Model;
use std::sync::Arc;

/// Hinges, a slide and a follower; a second branch leaves the chain.
fn arm() -> Arc<Model> {
    let link = |name: &str, joint: &str, inside: &str| {
        format!(
            r#"<body name="{name}" pos="0.1 0.2 0.3" euler="0.4 -0.2 0.1">{joint}<geom size="0.05"/>{inside}</body>"#
        )
    };
    let branch = link("branch", r#"<joint axis="1 0 0"/>"#, "");
    let hand = link("hand", r#"<joint name="last" axis="1 0 0"/>"#, r#"<site name="tip" pos="0 0 0.2"/>"#);
    let wrist = link("wrist", r#"<joint name="follower" axis="0 1 0"/>"#, &hand);
    let fixed = link("fixed", "", &wrist);
    let slide = link("slide", r#"<joint name="slide" type="slide" axis="0 0 1" range="-1 1"/>"#, &fixed);
    let elbow = link("elbow", r#"<joint name="elbow" axis="0 1 0"/>"#, &format!("{branch}{slide}"));
    let base = link("base", r#"<joint name="first" axis="0 0 1"/>"#, &elbow);
    Arc::new(load(&format!(
        r#"<mujoco><compiler angle="radian" autolimits="true"/><worldbody>{base}</worldbody>
           <equality><joint joint1="follower" joint2="elbow" polycoef="0.1 0.5 0 0 0"/></equality></mujoco>"#
    )))
}

const FRAMES: [ReferenceFrame; 3] =
    [ReferenceFrame::World, ReferenceFrame::ANALYTIC, ReferenceFrame::GEOMETRIC];

#[test]
fn links_of_a_chain_have_the_jacobians_of_chains_of_their_own() {
    let model = arm();
    let mut calculator = AnalyticalJacobianCalculator::new(Arc::clone(&model), "tip", "").unwrap();
    let whole = Chain::new(&model, "", "tip").unwrap();
    assert_eq!(calculator.chain().variables(), whole.variables());
    let mut random = Random(7);
    // a link, and how many of the chain's numbers move it
    for (link, count) in
        [(None, 4), (Some("wrist"), 3), (Some("fixed"), 3), (Some("elbow"), 2), (Some("base"), 1)]
    {
        let chain = Chain::new(&model, "", link.unwrap_or("tip")).unwrap();
        let (mut cache, mut columns) = (JointFrameCache::new(&chain), vec![[0.0; 6]; chain.nv()]);
        let mut singularity = Singularity::new(chain.nv());
        assert_eq!(chain.nq(), count, "{link:?}");
        for _ in 0..200 {
            let q = random_q(&whole, &mut random);
            for frame in FRAMES {
                chain.jacobian(&q[..count], frame, &mut cache, &mut columns).unwrap();
                let jacobian = calculator.compute(&q, frame, link).unwrap();
                assert_eq!(jacobian.as_slice(), columns.as_flattened(), "{link:?} {frame:?}");
                singularity.decompose(&columns);
                assert_eq!(calculator.manipulability(&q, frame, link), Ok(singularity.manipulability()));
                assert_eq!(calculator.condition_number(&q, frame, link), Ok(singularity.condition_number()));
                for threshold in [1e-6, 0.5 * singularity.smallest(), 2.0 * singularity.smallest() + 1e-9] {
                    let is_singular = calculator.is_singular(&q, threshold, frame, link);
                    assert_eq!(is_singular, Ok(singularity.smallest() < threshold));
                }
            }
        }
    }
}

#[test]
fn links_beside_the_chain_are_refused() {
    let model = arm();
    let mut calculator = AnalyticalJacobianCalculator::new(Arc::clone(&model), "tip", "").unwrap();
    let q = [0.1, 0.2, 0.3, 0.4];
    let mut compute = |q: &[f64], link| calculator.compute(q, ReferenceFrame::ANALYTIC, Some(link));
    assert!(matches!(compute(&q, "branch"), Err(IkError::NoPath { .. })));
    assert!(matches!(compute(&q, "nowhere"), Err(IkError::UnknownFrame { .. })));
    assert!(matches!(compute(&q, "world"), Err(IkError::NoJoints { .. })));
    assert!(matches!(compute(&q[..3], "hand"), Err(IkError::Size { .. })));
    assert!(matches!(compute(&[f64::NAN; 4], "hand"), Err(IkError::NotFinite { .. })));
    assert!(compute(&q, "hand").is_ok(), "an error leaves the calculator as it was");
    assert!(AnalyticalJacobianCalculator::new(model, "tip", "branch").is_err());
}

#[test]
fn a_stretched_arm_is_singular() {
    let model = Arc::new(load(
        r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom size="0.1"/>
             <body pos="1 0 0"><joint axis="0 1 0"/><geom size="0.1"/>
               <body name="hand" pos="1 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.1"/></body></body></body></worldbody></mujoco>"#,
    ));
    let mut calculator = AnalyticalJacobianCalculator::new(model, "hand", "").unwrap();
    let mut measure = |q: [f64; 3]| {
        let frame = ReferenceFrame::ANALYTIC;
        let singular = calculator.is_singular(&q, 1e-6, frame, None).unwrap();
        (singular, calculator.condition_number(&q, frame, None).unwrap())
    };
    // the first two joints rotate the hand about one axis: three columns of rank three unless it is at the
    // elbow
    let (singular, bad) = measure([0.0, 0.0, -1.0]);
    assert!(!singular && bad < 10.0, "{bad}");
    let model = Arc::new(load(
        r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom size="0.1"/><body name="hand"><joint axis="0 1 0"/><geom size="0.1"/></body></body></worldbody></mujoco>"#,
    ));
    let mut doubled = AnalyticalJacobianCalculator::new(model, "hand", "").unwrap();
    assert_eq!(doubled.is_singular(&[0.3, 0.4], 1e-6, ReferenceFrame::ANALYTIC, None), Ok(true));
}
