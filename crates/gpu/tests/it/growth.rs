//! Room for contacts that a device does not have: an error that stays the same until the worlds begin anew,
//! and never a state of some other step.

use kinetree_batch::BatchSim;
use kinetree_gpu::{Gpu, GpuError, GpuSim};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_step;
use std::sync::Arc;

fn text(xml: &str) -> Arc<Model> {
    Arc::new(kinetree_spec::load_model_str(xml).unwrap())
}

/// A simulator; none without a GPU.
fn simulator(model: Arc<Model>, worlds: usize) -> Option<GpuSim> {
    match GpuSim::new(model, worlds) {
        Err(error @ GpuError::NoAdapter { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        made => Some(made.unwrap()),
    }
}

/// More spheres above a plane than contacts that there is room for at first.
const SPHERES: usize = 18;
const STEPS: usize = 24;

fn spheres() -> Arc<Model> {
    let body = |k: usize| {
        format!(
            "<body pos='{k} 0 0.12'><joint type='slide' axis='0 0 1'/><geom size='0.1' condim='1' contype='1' \
             conaffinity='0'/></body>"
        )
    };
    let bodies: String = (0..SPHERES).map(body).collect();
    text(&format!(
        "<mujoco><option timestep='0.005'/><worldbody>
           <geom type='plane' size='5 5 1' condim='1' contype='0' conaffinity='1'/>{bodies}</worldbody></mujoco>"
    ))
}

/// A device whose buffers are as large as the worlds need at first, and not larger; none without a GPU.
fn tight_device(model: &Arc<Model>, worlds: usize) -> Option<Gpu> {
    let gpu = match Gpu::new(None) {
        Err(error @ GpuError::NoAdapter { .. }) => {
            eprintln!("skipped: {error}");
            return None;
        }
        made => made.unwrap(),
    };
    let mut bytes = 1;
    loop {
        let tight = gpu.clone().with_largest_buffer(bytes);
        match GpuSim::on(tight.clone(), Arc::clone(model), worlds) {
            Err(GpuError::TooLarge { needed, .. }) => bytes = needed,
            made => {
                made.unwrap();
                return Some(tight);
            }
        }
    }
}

/// First states of worlds, of which those where `high` is true never touch the plane.
fn states(model: &Model, high: &[bool]) -> Vec<f64> {
    let mut states = vec![0.0; high.len() * (model.nq + 2 * model.nv)];
    for (row, _) in states.chunks_exact_mut(model.nq + 2 * model.nv).zip(high).filter(|(_, high)| **high) {
        row[..model.nq].fill(100.0);
    }
    states
}

/// Positions of a world on the processor after some steps.
fn expected(model: &Model, high: bool, steps: usize) -> Vec<f64> {
    let mut data = Data::new(model);
    data.qpos.fill(if high { 100.0 } else { 0.0 });
    (0..steps).for_each(|_| mj_step(model, &mut data).unwrap());
    data.qpos.to_vec()
}

fn assert_positions(sim: &GpuSim, world: usize, expected: &[f64]) {
    let positions = sim.positions().unwrap();
    for (got, expected) in positions[world * expected.len()..].iter().zip(expected) {
        assert!((f64::from(*got) - expected).abs() < 1e-4, "world {world}: {got} for {expected}");
    }
}

fn is_too_large<T>(result: &Result<T, GpuError>) -> bool {
    matches!(result, Err(GpuError::TooLarge { what: "working memory", .. }))
}

#[test]
fn steps_without_room_are_the_same_error_until_worlds_begin_anew() {
    let model = spheres();
    let high = [true, false, false];
    let Some(gpu) = tight_device(&model, high.len()) else { return };
    let mut sim = GpuSim::on(gpu, Arc::clone(&model), high.len()).unwrap();
    sim.set_states(&states(&model, &high)).unwrap();
    assert!(is_too_large(&sim.steps(STEPS)));
    // nothing is read, changed or stepped
    for _ in 0..2 {
        assert!(is_too_large(&sim.steps(1)) && is_too_large(&sim.steps_watched(1, || true)));
        assert!(is_too_large(&sim.states()) && is_too_large(&sim.positions()));
        assert!(is_too_large(&sim.contacts()) && is_too_large(&sim.take_errors()));
        assert!(is_too_large(&sim.begin_steps(1)) && is_too_large(&sim.finish_steps()));
        assert!(is_too_large(&sim.vary("body_mass", &model.body_mass.repeat(high.len()))));
    }
    // a world that begins anew does not help the other
    sim.reset(&[false, true, false]).unwrap();
    assert!(is_too_large(&sim.states()) && is_too_large(&sim.steps(1)));
    sim.reset(&[false, false, true]).unwrap();
    assert_positions(&sim, 0, &expected(&model, true, STEPS));
    sim.steps(3).unwrap();
    assert_positions(&sim, 0, &expected(&model, true, STEPS + 3));
    assert_positions(&sim, 1, &expected(&model, false, 3));
    assert_positions(&sim, 2, &expected(&model, false, 3));
    // the same again, and states for all of them
    assert!(is_too_large(&sim.steps(STEPS)));
    sim.set_states(&states(&model, &[false, true, true])).unwrap();
    sim.steps(2).unwrap();
    assert_positions(&sim, 0, &expected(&model, false, 2));
    assert_positions(&sim, 1, &expected(&model, true, 2));
    steps_in_flight(&mut sim, &model);
    a_field_that_does_not_fit(&mut sim, &model);
}

/// Steps that overlap: the room that the first ones need is missing for the later ones, too.
fn steps_in_flight(sim: &mut GpuSim, model: &Model) {
    sim.set_states(&states(model, &[true, false, true])).unwrap();
    sim.begin_steps(STEPS).unwrap();
    sim.begin_steps(2).unwrap();
    assert!(is_too_large(&sim.finish_steps()) && is_too_large(&sim.finish_steps()));
    assert!(is_too_large(&sim.steps(1)) && is_too_large(&sim.states()));
    sim.reset_all().unwrap();
    sim.begin_steps(2).unwrap();
    sim.finish_steps().unwrap();
    assert_positions(sim, 1, &expected(model, false, 2));
}

/// A field of each world's own needs more room than one for all.
fn a_field_that_does_not_fit(sim: &mut GpuSim, model: &Model) {
    let friction: Vec<f64> = model.geom_friction.as_flattened().repeat(sim.len());
    // parameters of all worlds are a small buffer beside working memory: many times as long, they are refused
    sim.reset_all().unwrap();
    let varied = sim.vary("geom_friction", &friction);
    assert!(varied.is_ok() || matches!(varied, Err(GpuError::TooLarge { .. })), "{varied:?}");
    sim.steps(3).unwrap();
    assert_positions(sim, 1, &expected(model, false, 3));
    let mut friction = friction;
    friction[4] = f64::NAN;
    let error = sim.vary("geom_friction", &friction).unwrap_err();
    assert!(matches!(error, GpuError::NotFinite { world: 0, index: 4, .. }), "{error}");
    assert!(error.to_string().contains("must be a finite number"), "{error}");
    assert_positions(sim, 1, &expected(model, false, 3));
}

#[test]
fn a_batch_whose_device_has_no_room_stays_where_it_was() {
    let model = spheres();
    let Some(gpu) = tight_device(&model, 2) else { return };
    let device = GpuSim::on(gpu, Arc::clone(&model), 2).unwrap();
    let mut batch = BatchSim::new(Arc::clone(&model), 2);
    batch.set_device(device).unwrap();
    batch.advance_by(2);
    let before = batch.states().to_vec();
    let expected = expected(&model, false, 2);
    for row in before.chunks_exact(model.nq + model.nv) {
        assert!(row.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4));
    }
    for _ in 0..2 {
        let error = batch.advance_watched(STEPS, &[], std::time::Duration::from_millis(50), || true);
        assert!(error.unwrap_err().to_string().contains("use fewer worlds"));
        assert_eq!(batch.states(), before, "no world has made the steps");
    }
    // few steps do not need the room
    batch.reset_all();
    batch.advance_by(2);
    assert!(batch.states().iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn steps_stop_when_they_are_told_to() {
    let model =
        text("<mujoco><worldbody><body><joint/><geom size='0.1' pos='0.3 0 0'/></body></worldbody></mujoco>");
    let Some(mut sim) = simulator(Arc::clone(&model), 3) else { return };
    let mut looks = 0;
    let count = 1_000_000;
    let made = sim.steps_watched(count, || {
        looks += 1;
        looks < 4
    });
    let made = made.unwrap();
    assert!(made > 0 && made < count, "{made} of {count}");
    assert_eq!(sim.solver_totals().unwrap().steps, 3 * made as u64, "all worlds have made the same steps");
    let mut data = Data::new(&model);
    (0..made.min(200)).for_each(|_| mj_step(&model, &mut data).unwrap());
    if made <= 200 {
        assert_positions(&sim, 2, &data.qpos);
    }
    assert_eq!(sim.steps_watched(5, || true).unwrap(), 5);
    assert_eq!(sim.steps_watched(5, || false).unwrap(), 0);
}

#[test]
fn functions_with_more_memory_than_there_is_are_refused() {
    let Some(mut sim) = simulator(spheres(), 1) else { return };
    let reward = "fn reward(world: u32) -> f32 {";
    for (text, part) in [
        (
            format!("var<workgroup> big: array<f32, 1000000>;\n{reward} big[world] = 1.0; return big[0]; }}"),
            "workgroup",
        ),
        (
            format!("var<private> big: array<f32, 1000000>;\n{reward} big[world] = 1.0; return big[0]; }}"),
            "private",
        ),
        (format!("{reward} var big: array<f32, 1000000>; big[world] = 1.0; return big[0]; }}"), "'reward'"),
    ] {
        let functions = kinetree_gpu::Functions { text, ..Default::default() };
        let error = sim.set_functions(functions).unwrap_err();
        assert!(matches!(error, GpuError::Kernel { .. }), "{error}");
        assert!(error.to_string().contains(part) && error.to_string().contains("bytes"), "{error}");
    }
    sim.steps(1).unwrap();
}

#[test]
fn worlds_that_would_begin_at_infinity_are_refused() {
    let mut model = Model::clone(&spheres());
    model.qpos0[3] = f64::INFINITY;
    match GpuSim::new(Arc::new(model), 1) {
        Err(error @ GpuError::NoAdapter { .. }) => eprintln!("skipped: {error}"),
        made => assert_eq!(made.unwrap_err(), GpuError::FirstState { index: 3, value: f64::INFINITY }),
    }
}
