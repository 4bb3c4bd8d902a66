//! Identification from simulated recordings with noise.

use kinetree_batch::Random;
use kinetree_control::sysid::{
    Channel, Identification, IdentifySettings, IdentifyStatus, Quantity, Recording, Unknown, identify,
    sensitivity,
};
use kinetree_control::{ControlError, state_size};
use kinetree_model::{Data, Model, STATE_INTEGRATION, mj_get_state};
use kinetree_sim::mj_step;

fn load(xml: &str) -> Model {
    kinetree_spec::load_model_str(xml).unwrap()
}

/// Two links with motors, friction of all kinds and sensors.
fn arm(options: &str) -> Model {
    load(&format!(
        r#"<mujoco><option timestep="0.01" {options}/><worldbody>
           <body name="upper"><joint name="shoulder" axis="0 1 0" damping="0.05" armature="0.02" frictionloss="0.1"/>
             <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1.2" contype="0" conaffinity="0"/>
             <body name="lower" pos="0.3 0 0">
               <joint name="elbow" axis="0 1 0" damping="0.03" armature="0.01" frictionloss="0.05" stiffness="0.2"/>
               <geom type="capsule" fromto="0 0 0 0.25 0.02 0" size="0.025" mass="0.7" contype="0" conaffinity="0"/>
               <site name="tip" pos="0.25 0 0"/>
             </body></body></worldbody>
           <actuator><motor name="first" joint="shoulder" gear="2"/><position name="second" joint="elbow" kp="3" kv="0.1"/></actuator>
           <sensor><framepos objtype="site" objname="tip"/><jointvel joint="elbow"/></sensor></mujoco>"#
    ))
}

/// What a model does under controls, measured with noise of some deviation.
fn record(
    model: &Model,
    start: &Data,
    steps: usize,
    channels: &[Channel],
    noise: f64,
    seed: u64,
) -> Recording {
    let (mut data, mut row) = (start.clone(), vec![0.0; state_size(model).unwrap()]);
    mj_get_state(model, &data, &mut row, STATE_INTEGRATION).unwrap();
    let mut random = Random::of_world(seed, 0);
    let (mut controls, mut measured) = (Vec::new(), Vec::new());
    for step in 0..steps {
        let t = step as f64 * model.opt.timestep;
        for i in 0..model.nu {
            controls.push(1.5 * libm::sin((2.0 + 1.3 * i as f64) * t) + libm::sin((5.1 + i as f64) * t));
        }
        data.ctrl.copy_from_slice(&controls[step * model.nu..]);
        mj_step(model, &mut data).unwrap();
        for channel in channels {
            let value = match *channel {
                Channel::Position(joint) => data.qpos[model.jnt_qposadr[joint] as usize],
                Channel::Velocity(dof) => data.qvel[dof],
                Channel::Sensor(at) => data.sensordata[at],
            };
            // a sum of twelve uniform numbers is nearly normal
            let error: f64 = (0..12).map(|_| random.uniform(-0.5, 0.5)).sum();
            measured.push(value + noise * error);
        }
    }
    let noise = (noise > 0.0).then(|| vec![noise; channels.len()]);
    Recording { start: row, free_start: false, controls, channels: channels.to_vec(), measured, noise }
}

fn unknowns(quantities: &[Quantity], model: &Model, factor: f64) -> Vec<Unknown> {
    let start = |quantity: &Quantity| {
        let mut unknown = Unknown::new(quantity.clone());
        if !matches!(quantity, Quantity::Inertia(_) | Quantity::Delay(_)) {
            unknown.initial = Some(vec![truth(quantity, model) * factor]);
        }
        unknown
    };
    quantities.iter().map(start).collect()
}

fn truth(quantity: &Quantity, model: &Model) -> f64 {
    match quantity {
        Quantity::Mass(body) => model.body_mass[*body],
        Quantity::Damping(joint) => model.dof_damping[*joint],
        Quantity::Armature(joint) => model.dof_armature[*joint],
        Quantity::FrictionLoss(joint) => model.dof_frictionloss[*joint],
        Quantity::Stiffness(joint) => model.jnt_stiffness[*joint],
        Quantity::Gain(actuator) => model.actuator_gainprm[*actuator][0],
        Quantity::ServoDamping(actuator) => -model.actuator_biasprm[*actuator][2],
        Quantity::Friction(geom) => model.geom_friction[*geom][0],
        other => panic!("{other:?}"),
    }
}

fn solve(model: &Model, unknowns: &[Unknown], recordings: &[Recording]) -> Identification {
    identify(model, unknowns, recordings, &IdentifySettings::default()).unwrap()
}

#[test]
fn sensitivities_are_differences_of_rollouts() {
    let quantities = [
        Quantity::Mass(1),
        Quantity::Inertia(2),
        Quantity::Damping(0),
        Quantity::Armature(1),
        Quantity::FrictionLoss(0),
        Quantity::Stiffness(1),
        Quantity::Gain(0),
        Quantity::Gain(1),
        Quantity::ServoDamping(1),
        Quantity::Delay(0),
        Quantity::Field("body_pos".into(), 6),
    ];
    // the last integrator has no analytic derivatives
    for (options, is_analytic) in
        [("", true), (r#"integrator="implicitfast""#, true), (r#"integrator="RK4""#, false)]
    {
        let mut model = arm(options);
        (model.opt.tolerance, model.opt.iterations) = (0.0, 200);
        let mut start = Data::new(&model);
        (start.qpos[0], start.qvel[1]) = (0.4, 1.0);
        let channels = [Channel::Position(0), Channel::Velocity(1), Channel::Sensor(0), Channel::Sensor(3)];
        let mut recording = record(&model, &start, 12, &channels, 0.0, 1);
        recording.free_start = true;
        let mut unknowns: Vec<Unknown> = quantities.iter().cloned().map(Unknown::new).collect();
        unknowns[9].initial = Some(vec![0.0137]);
        let found = sensitivity(&model, &unknowns, &recording).unwrap();
        assert_eq!(found.analytic[0], if is_analytic { 1.0 } else { 0.0 });
        let count: usize = quantities.iter().map(Quantity::count).sum();
        let (rows, width) = (recording.measured.len(), count + 4);
        assert_eq!(found.jacobian.len(), rows * width);
        let nominal: Vec<Vec<f64>> = unknowns
            .iter()
            .map(|unknown| match &unknown.initial {
                Some(initial) => initial.clone(),
                None => solve_nominal(&model, &unknown.quantity, &recording),
            })
            .collect();
        let mut column = 0;
        for (index, quantity) in quantities.iter().enumerate() {
            for coordinate in 0..quantity.count() {
                let eps = 1e-6;
                let [plus, minus] = [eps, -eps].map(|by| {
                    let mut moved = unknowns.clone();
                    let mut values = nominal[index].clone();
                    values[coordinate] += by;
                    moved[index].initial = Some(values);
                    sensitivity(&model, &moved, &recording).unwrap().predicted
                });
                for row in 0..rows {
                    let expected = (plus[row] - minus[row]) / (2.0 * eps);
                    let value = found.jacobian[row * width + column];
                    let name = quantity.name(&model, coordinate);
                    let scale = expected.abs().max(0.1);
                    assert!(
                        (value - expected).abs() < 2e-5 * scale,
                        "{options} {name} {row}: {value} {expected}"
                    );
                }
                column += 1;
            }
        }
        // the start: a velocity
        let moved = |by: f64| {
            let mut moved = recording.clone();
            moved.start[1 + model.nq + 1] += by;
            sensitivity(&model, &unknowns, &moved).unwrap().predicted
        };
        let (plus, minus) = (moved(1e-6), moved(-1e-6));
        for row in 0..rows {
            let expected = (plus[row] - minus[row]) / 2e-6;
            assert!(
                (found.jacobian[row * width + count + 3] - expected).abs() < 2e-5 * expected.abs().max(0.1)
            );
        }
    }
}

/// The coordinates that the model has, as an identification without iterations reports them.
fn solve_nominal(model: &Model, quantity: &Quantity, recording: &Recording) -> Vec<f64> {
    let settings = IdentifySettings { iterations: 0, ..IdentifySettings::default() };
    let mut recording = recording.clone();
    recording.noise = Some(vec![1.0; recording.channels.len()]);
    match quantity {
        Quantity::Inertia(_) | Quantity::Field(..) => {
            let found = identify(model, &[Unknown::new(quantity.clone())], &[recording], &settings).unwrap();
            found.estimates.iter().map(|estimate| estimate.value).collect()
        }
        other => vec![truth(other, model)],
    }
}

#[test]
fn known_parameters_are_within_their_intervals() {
    let model = arm("");
    let quantities = [
        Quantity::Mass(1),
        Quantity::Mass(2),
        Quantity::Damping(0),
        Quantity::Damping(1),
        Quantity::Armature(0),
        Quantity::FrictionLoss(0),
        Quantity::FrictionLoss(1),
        Quantity::Gain(0),
    ];
    let (mut inside, mut all) = (0, 0);
    for seed in 0..3 {
        let mut start = Data::new(&model);
        start.qpos[0] = 0.3 * seed as f64;
        let channels = [Channel::Position(0), Channel::Position(1)];
        let recordings = [seed, seed + 50].map(|seed| record(&model, &start, 200, &channels, 2e-3, seed));
        let found = solve(&model, &unknowns(&quantities, &model, 1.4), &recordings);
        assert_eq!(found.status, IdentifyStatus::Converged);
        assert!(found.undetermined.is_empty(), "{:?}", found.undetermined);
        assert!(found.costs.windows(2).all(|pair| pair[1] < pair[0]));
        for (quantity, estimate) in quantities.iter().zip(&found.estimates) {
            let (truth, [low, high]) = (truth(quantity, &model), estimate.interval);
            assert!((estimate.value - truth).abs() < 4.0 * estimate.deviation, "{estimate:?} {truth}");
            assert!(estimate.deviation < 0.2 * truth, "{estimate:?}");
            inside += usize::from(low <= truth && truth <= high);
            all += 1;
        }
        // residuals are the noise
        let expected = 0.5 * 800.0;
        let cost = *found.costs.last().unwrap();
        assert!((cost / expected - 1.0).abs() < 0.15, "{cost}");
    }
    assert!(inside * 10 >= all * 8, "{inside} of {all}");
}

#[test]
fn noise_that_is_not_given_is_estimated() {
    let model = arm("");
    let channels = [Channel::Position(0), Channel::Velocity(1)];
    let mut recording = record(&model, &Data::new(&model), 200, &channels, 5e-3, 3);
    recording.noise = None;
    // gaps are no measurements
    recording.measured[7] = f64::NAN;
    let quantities = [Quantity::Mass(2), Quantity::Damping(0)];
    let found = solve(&model, &unknowns(&quantities, &model, 1.1), &[recording]);
    assert!(found.noise[0].iter().all(|noise| (noise / 5e-3 - 1.0).abs() < 0.15), "{:?}", found.noise);
    for (quantity, estimate) in quantities.iter().zip(&found.estimates) {
        assert!((estimate.value - truth(quantity, &model)).abs() < 4.0 * estimate.deviation, "{estimate:?}");
    }
}

#[test]
fn what_the_data_cannot_tell_is_named() {
    // a load that is part of the arm, in the same place
    let model = load(
        r#"<mujoco><option timestep="0.01"/><worldbody><body name="arm"><joint axis="0 1 0" damping="0.1"/><geom size="0.05" pos="0.3 0 0" mass="1"/>
           <body name="load"><geom size="0.05" pos="0.3 0 0" mass="0.5"/></body></body></worldbody>
           <actuator><motor joint="0"/></actuator></mujoco>"#
            .replace(r#"<joint axis"#, r#"<joint name="hinge" axis"#)
            .replace(r#"joint="0""#, r#"joint="hinge""#)
            .as_str(),
    );
    let quantities = [Quantity::Mass(1), Quantity::Mass(2), Quantity::Damping(0)];
    let recording = record(&model, &Data::new(&model), 150, &[Channel::Position(0)], 1e-3, 1);
    let found = solve(&model, &unknowns(&quantities, &model, 1.2), &[recording]);
    assert_eq!(found.undetermined.len(), 1, "{:?}", found.undetermined);
    let direction = &found.undetermined[0];
    // one mass for the other, in relative units
    let ratio = direction[1].1 / direction[0].1;
    let expected = -found.estimates[0].value / found.estimates[1].value;
    assert!(direction.len() == 2 && direction[0].0 == 0 && direction[1].0 == 1);
    assert!((ratio / expected - 1.0).abs() < 1e-3, "{ratio} {expected}");
    assert!(found.estimates[0].deviation.is_infinite() && found.estimates[1].deviation.is_infinite());
    let total = found.estimates[0].value + found.estimates[1].value;
    assert!((total - 1.5).abs() < 0.05 && found.estimates[2].deviation < 0.01, "{:?}", found.estimates);
    // a prior decides, and the data still cannot tell
    let mut known = unknowns(&quantities, &model, 1.2);
    known[0].prior = Some((vec![1.0], vec![0.01]));
    let recording = record(&model, &Data::new(&model), 150, &[Channel::Position(0)], 1e-3, 1);
    let found = solve(&model, &known, &[recording]);
    assert!((found.estimates[0].value - 1.0).abs() < 0.01 && found.estimates[0].deviation < 0.0101);
    assert!((found.estimates[1].value - 0.5).abs() < 0.05 && found.undetermined.len() == 1);

    // without gravity only the ratio of force and mass shows
    let model = load(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="cart"><joint name="s" type="slide"/><geom size="0.1" mass="2"/>
           </body></worldbody><actuator><motor name="push" joint="s" gear="3"/></actuator></mujoco>"#,
    );
    let quantities = [Quantity::Mass(1), Quantity::Gain(0)];
    let recording = record(&model, &Data::new(&model), 100, &[Channel::Position(0)], 1e-3, 1);
    let found = solve(&model, &unknowns(&quantities, &model, 1.0), &[recording]);
    let [(0, a), (1, b)] = found.undetermined[0][..] else { panic!("{:?}", found.undetermined) };
    assert!((a - b).abs() < 1e-3 && found.estimates[0].name == "mass of body 'cart'");
    // and a free fall does not show the mass at all
    let model = load(
        r#"<mujoco><worldbody><body name="stone"><freejoint/><geom size="0.1" mass="2"/></body></worldbody>
           <sensor><framepos objtype="body" objname="stone"/></sensor></mujoco>"#,
    );
    let recording = record(&model, &Data::new(&model), 50, &[Channel::Sensor(2)], 1e-3, 1);
    let found = solve(&model, &[Unknown::new(Quantity::Mass(1))], &[recording]);
    assert_eq!(found.undetermined, [vec![(0, 1.0)]]);
    assert!(found.estimates[0].deviation.is_infinite());
}

#[test]
fn inertia_is_found_up_to_what_a_pivot_shows() {
    let truth = load(
        r#"<mujoco><option timestep="0.005"/><worldbody><body name="top"><joint type="ball" damping="0.02"/>
           <geom type="box" size="0.1 0.05 0.03" pos="0.05 0.02 0.2" euler="20 10 30" mass="1.5"/></body></worldbody>
           <sensor><frameangvel objtype="body" objname="top"/><framexaxis objtype="body" objname="top"/></sensor></mujoco>"#,
    );
    let mut start = Data::new(&truth);
    start.qvel.copy_from_slice(&[3.0, -2.0, 5.0]);
    let channels: Vec<Channel> = (0..6).map(Channel::Sensor).collect();
    let recording = record(&truth, &start, 250, &channels, 1e-4, 1);
    let mut guess = truth.clone();
    guess.body_mass[1] *= 1.1;
    guess.body_ipos[1][0] += 0.01;
    guess.body_inertia[1] = guess.body_inertia[1].map(|moment| 1.2 * moment);
    let found = solve(&guess, &[Unknown::new(Quantity::Inertia(1))], &[recording]);
    // mass and centre in one, since only their product falls and only moments about the pivot turn; damping
    // is the unit of all of them
    assert_eq!(found.undetermined.len(), 1, "{:?}", found.undetermined);
    let moment = |model: &Model, k: usize| model.body_mass[1] * model.body_ipos[1][k];
    let scale = moment(&found.model, 2) / moment(&truth, 2);
    assert!((scale - 1.0).abs() < 0.03, "{scale}");
    for k in 0..2 {
        let ratio = |model: &Model| moment(model, k) / moment(model, 2);
        assert!((ratio(&found.model) - ratio(&truth)).abs() < 2e-3, "{k}");
    }
    let [a, b, c] = found.model.body_inertia[1];
    assert!(a < b + c && b < a + c && c < a + b);
}

#[test]
fn bounds_hold_and_delays_and_starts_are_found() {
    let model = arm("");
    let mut start = Data::new(&model);
    start.qvel[0] = 1.0;
    let channels = [Channel::Position(0), Channel::Position(1)];
    let recording = record(&model, &start, 150, &channels, 1e-3, 5);
    let mut bounded = unknowns(&[Quantity::Damping(0), Quantity::Mass(2)], &model, 0.5);
    bounded[0].upper = Some(vec![0.04]);
    let found = solve(&model, &bounded, std::slice::from_ref(&recording));
    assert!(found.estimates[0].value == 0.04 && found.estimates[0].at_bound);
    assert!(!found.estimates[1].at_bound && (found.estimates[1].value - 0.7).abs() < 0.1);

    // the recording's controls came 13 ms late
    let (mut late, nu, h) = (recording.clone(), model.nu, model.opt.timestep);
    let (mut data, delay) = (start.clone(), 0.013);
    for step in 0..late.steps() {
        for i in 0..nu {
            let position = (step as f64 - delay / h).max(0.0);
            let at = |row: usize| late.controls[row * nu + i];
            let (below, share) = (position as usize, position.fract());
            data.ctrl[i] = at(below) + share * (at((below + 1).min(step)) - at(below));
        }
        mj_step(&model, &mut data).unwrap();
        late.measured[2 * step..2 * step + 2].copy_from_slice(&data.qpos);
    }
    let both = [Quantity::Delay(0), Quantity::Delay(1)].map(Unknown::new);
    let found = solve(&model, &both, &[late]);
    assert!(
        found.estimates.iter().all(|estimate| (estimate.value - delay).abs() < 1e-5),
        "{:?}",
        found.estimates
    );

    // a start that was measured badly
    let mut moved = recording;
    moved.start[1] += 0.05;
    moved.start[1 + model.nq] -= 0.2;
    moved.free_start = true;
    let found = solve(&model, &unknowns(&[Quantity::Mass(2)], &model, 1.2), &[moved]);
    let (mass, begin) = (&found.estimates[0], &found.starts[0]);
    assert!((mass.value - 0.7).abs() < 4.0 * mass.deviation && begin[1].abs() < 5e-3, "{mass:?}");
    assert!((begin[1 + model.nq] - 1.0).abs() < 0.05);
}

#[test]
fn friction_of_a_contact_is_found() {
    let model = load(
        r#"<mujoco><option timestep="0.005" cone="elliptic"/><worldbody><geom name="floor" type="plane" size="2 2 0.1" friction="0.1"/>
           <body name="block" pos="0 0 0.049"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
             <geom name="block" type="box" size="0.1 0.1 0.05" friction="0.35" mass="1"/></body></worldbody>
           <sensor><framepos objtype="body" objname="block"/></sensor></mujoco>"#,
    );
    let mut start = Data::new(&model);
    start.qvel[0] = 2.0;
    let recording = record(&model, &start, 80, &[Channel::Sensor(0)], 1e-4, 1);
    let unknown = Unknown { initial: Some(vec![0.5]), ..Unknown::new(Quantity::Friction(1)) };
    let found = solve(&model, &[unknown], &[recording]);
    let friction = &found.estimates[0];
    assert!(
        (friction.value - 0.35).abs() < 4.0 * friction.deviation && friction.deviation < 1e-3,
        "{friction:?}"
    );
    assert_eq!(friction.name, "friction of geom 'block'");
}

#[test]
fn problems_that_make_no_sense_are_errors() {
    let model = arm("");
    let recording = record(&model, &Data::new(&model), 10, &[Channel::Position(0)], 1e-3, 1);
    let damping = Unknown::new(Quantity::Damping(0));
    let message = |unknowns: &[Unknown], recording: &Recording| {
        let found = identify(&model, unknowns, std::slice::from_ref(recording), &IdentifySettings::default());
        found.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(message(&[], &recording), "nothing can be identified: there are no parameters to identify");
    let twice = [damping.clone(), damping.clone()];
    assert!(message(&twice, &recording).ends_with("it is asked for twice"));
    let both = [Unknown::new(Quantity::Mass(1)), Unknown::new(Quantity::Inertia(1))];
    assert!(message(&both, &recording).contains("'upper' cannot be identified: it is asked for twice"));
    let far = Unknown { initial: Some(vec![-1.0]), ..damping.clone() };
    assert!(message(&[far], &recording).ends_with("its initial value is outside of its bounds"));
    let none = Unknown { upper: Some(vec![-1.0]), ..damping.clone() };
    assert!(message(&[none], &recording).ends_with("its bounds leave no room"));
    let world = Unknown::new(Quantity::Mass(0));
    assert!(message(&[world], &recording).ends_with("the body has no mass"));
    let field = Unknown::new(Quantity::Field("body_color".into(), 0));
    assert!(message(&[field], &recording).contains("body_color[0] cannot be identified"));
    let ask = std::slice::from_ref(&damping);
    let short = Recording { controls: vec![0.0; 3], ..recording.clone() };
    assert_eq!(message(ask, &short), "the list of controls should have 20 values, but has 3");
    let silent = Recording { noise: Some(vec![0.0]), ..recording.clone() };
    assert_eq!(message(ask, &silent), "the deviation of a channel should be above zero, but is 0");
    let empty = Recording { measured: vec![], ..recording.clone() };
    assert!(message(ask, &empty).contains("a recording has no steps"));
    let sure = IdentifySettings { confidence: 1.0, ..IdentifySettings::default() };
    let refused = identify(&model, ask, std::slice::from_ref(&recording), &sure);
    assert!(matches!(refused, Err(ControlError::Setting { what: "confidence", .. })));
}
