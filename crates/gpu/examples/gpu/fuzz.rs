//! Random small models and hostile states: whatever a world is given, the simulator goes on, says which
//! worlds failed, and leaves their neighbours alone to the last bit.

use kinetree_gpu::{Gpu, GpuError, GpuOptions, GpuSim, Precision};
use kinetree_model::{Data, Model};
use std::fmt::Write;
use std::sync::Arc;

/// Worlds of a case: those with even numbers are sane.
const WORLDS: usize = 12;
/// Steps after which states are compared.
const STEPS: [usize; 2] = [1, 5];

/// Random numbers that are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A number in −1..1.
    fn next(&mut self) -> f64 {
        self.bits() as f64 / f64::from(1_u32 << 30) - 1.0
    }

    fn below(&mut self, end: usize) -> usize {
        self.bits() as usize % end
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What a case found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Worlds that were reported to have failed.
    pub(crate) failed: usize,
    /// Sane worlds that were compared.
    pub(crate) compared: usize,
    /// Contacts of all worlds after the last step.
    pub(crate) contacts: usize,
}

/// A geom: round ones, whose kernels compile in seconds everywhere, or any.
fn geom(dice: &mut Dice, all_shapes: bool) -> String {
    let shapes: &[&str] = if all_shapes {
        &["sphere", "capsule", "box", "cylinder", "ellipsoid"]
    } else {
        &["sphere", "capsule"]
    };
    let shape = dice.pick(shapes);
    let [x, y, z] = [0; 3].map(|_| 0.05 + 0.1 * dice.next().abs());
    let dim = dice.pick(&["1", "3", "4", "6"]);
    format!("<geom type='{shape}' size='{x:.3} {y:.3} {z:.3}' condim='{dim}'/>")
}

/// A body with a joint, a geom, and perhaps a body of its own.
fn body(dice: &mut Dice, name: &mut usize, depth: usize, all_shapes: bool) -> String {
    let [x, y, z] = [0; 3].map(|_| 0.4 * dice.next());
    let height = if depth == 0 { 0.3 + z.abs() } else { z };
    let mut text = format!("<body pos='{x:.3} {y:.3} {height:.3}'>");
    let kinds: &[&str] =
        if depth == 0 { &["free", "hinge", "slide", "ball"] } else { &["hinge", "slide", "ball"] };
    let kind = dice.pick(kinds);
    *name += 1;
    let mut options = String::new();
    if kind == "hinge" || kind == "slide" {
        let limit = if kind == "hinge" { 60.0 } else { 0.2 };
        if dice.chance(50) {
            let _ = write!(options, " limited='true' range='-{limit} {limit}'");
        }
        if dice.chance(30) {
            options += " frictionloss='0.2'";
        }
        if dice.chance(30) {
            options += " stiffness='3' springref='0.1'";
        }
    }
    if kind != "free" {
        let _ = write!(options, " damping='{:.2}' armature='0.01'", dice.next().abs());
    }
    let _ = write!(
        text,
        "<joint name='j{name}' type='{kind}' axis='{}'{options}/>",
        dice.pick(&["0 1 0", "1 0 0", "1 1 1"])
    );
    text += &geom(dice, all_shapes);
    if depth < 2 && dice.chance(60) {
        text += &body(dice, name, depth + 1, all_shapes);
    }
    text + "</body>"
}

/// A model within what kernels cover.
fn model_text(dice: &mut Dice, all_shapes: bool) -> String {
    let (cone, solver) = (dice.pick(&["pyramidal", "elliptic"]), dice.pick(&["Newton", "CG"]));
    let integrator = dice.pick(&["Euler", "implicitfast", "RK4"]);
    let mut name = 0;
    let count = 1 + dice.below(3);
    let bodies: String = (0..count).map(|_| body(dice, &mut name, 0, all_shapes)).collect();
    let scalar = |j: &usize| {
        bodies.contains(&format!("name='j{j}' type='hinge'"))
            || bodies.contains(&format!("name='j{j}' type='slide'"))
    };
    let scalars: Vec<usize> = (1..=name).filter(scalar).collect();
    let actuators: String = (1..=name)
        .map(|j| match (scalars.contains(&j), j % 3) {
            (true, 0) => format!("<position joint='j{j}' kp='20'/>"),
            (true, 1) if j % 2 == 0 => format!(
                "<dcmotor joint='j{j}' resistance='1' motorconst='0.5' inductance='0.01' lugre='20 0.5 0.3 0.4 0.1' thermal='3 0.5 0 0.004 25 30'/>"
            ),
            (true, 1) => format!("<general joint='j{j}' dyntype='filter' dynprm='0.1' gainprm='5'/>"),
            _ => format!("<motor joint='j{j}' gear='2'/>"),
        })
        .collect();
    let equality = match scalars[..] {
        [a, b, ..] if dice.chance(50) => format!("<equality><joint joint1='j{a}' joint2='j{b}'/></equality>"),
        _ => String::new(),
    };
    format!(
        "<mujoco><option timestep='0.004' cone='{cone}' solver='{solver}' integrator='{integrator}'/>
         <worldbody><geom type='plane' size='5 5 1'/>{bodies}</worldbody>{equality}<actuator>{actuators}</actuator></mujoco>"
    )
}

/// Numbers that no world should have.
const BAD: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1e30, 1e20, 1e9, 1e-42];

/// A world somewhere near its first state.
fn sane(model: &Model, dice: &mut Dice) -> [Vec<f32>; 2] {
    let data = Data::new(model);
    let mut state: Vec<f32> = [&data.qpos[..], &data.qvel, &data.act, &data.qacc_warmstart]
        .concat()
        .iter()
        .map(|&x| x as f32)
        .collect();
    state[..model.nq + model.nv].iter_mut().for_each(|x| *x += 0.1 * dice.next() as f32);
    let controls = (0..model.nu).map(|_| dice.next() as f32).collect();
    [state, controls]
}

/// Makes something hostile of a world: a bad number somewhere, large velocities or controls, rotations of no
/// length, everything in one place.
fn spoil(model: &Model, dice: &mut Dice, [state, controls]: &mut [Vec<f32>; 2]) {
    let bad = BAD[dice.below(BAD.len())];
    let moving = model.nq + model.nv;
    match dice.below(7) {
        0 => state[dice.below(model.nq)] = bad,
        1 => state[model.nq + dice.below(model.nv)] = bad,
        2 if model.nu > 0 => controls[dice.below(model.nu)] = bad,
        3 => state[model.nq..moving].iter_mut().for_each(|v| *v = 1e5 * dice.next() as f32),
        4 => state[..model.nq].fill(0.0),
        // accelerations that a warm start would begin at
        5 => state[moving + model.na..].fill(bad),
        _ => controls.iter_mut().for_each(|u| *u = 1e8 * dice.next() as f32),
    }
}

/// Whether a number is not finite or too large to be believed.
fn is_bad(x: f32) -> bool {
    x.is_nan() || x.abs() > 1e10
}

/// What the worlds have come to: bits of the states, and which failed.
fn run(sim: &mut GpuSim, worlds: &[[Vec<f32>; 2]]) -> Result<(Vec<f32>, Vec<bool>), GpuError> {
    sim.reset_all()?;
    let all = |k: usize| worlds.iter().flat_map(|world| world[k].iter().copied()).collect::<Vec<f32>>();
    sim.set_states(&all(0))?;
    sim.set_controls(&all(1))?;
    let mut failed = vec![false; worlds.len()];
    for steps in STEPS {
        sim.steps(steps)?;
        for (failed, error) in failed.iter_mut().zip(sim.take_errors()?) {
            *failed |= error.is_some();
        }
    }
    Ok((sim.states()?, failed))
}

/// Runs one case; an error says what is wrong, with the model.
pub(crate) fn case(gpu: &Gpu, seed: u64, all_shapes: bool) -> Result<Found, String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..4 {
        dice.bits();
    }
    let text = model_text(&mut dice, all_shapes);
    let wrong = |what: String| format!("seed {seed}: {what}\n{text}");
    let model = kinetree_spec::load_model_str(&text).map_err(|error| wrong(error.to_string()))?;
    let model = Arc::new(model);
    let options = GpuOptions { precision: Precision::Single, ..GpuOptions::default() };
    let mut sim = GpuSim::with_options(gpu.clone(), Arc::clone(&model), WORLDS, options)
        .map_err(|error| wrong(error.to_string()))?;
    let mut worlds: Vec<_> = (0..WORLDS).map(|_| sane(&model, &mut dice)).collect();
    let (alone, _) = run(&mut sim, &worlds).map_err(|error| wrong(error.to_string()))?;
    worlds.iter_mut().skip(1).step_by(2).for_each(|world| spoil(&model, &mut dice, world));
    let (beside, failed) = run(&mut sim, &worlds).map_err(|error| wrong(error.to_string()))?;
    let size = sim.state_size();
    for (w, world) in worlds.iter().enumerate() {
        let rows = [&alone, &beside].map(|states| &states[w * size..(w + 1) * size]);
        let bits = rows.map(|row| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        if w % 2 == 0 && bits[0] != bits[1] {
            return Err(wrong(format!("world {w} is another one beside hostile ones")));
        }
        if let Some(x) = rows[1].iter().find(|x| is_bad(**x)) {
            return Err(wrong(format!("world {w} has {x} in its state, and failed: {}", failed[w])));
        }
        let given = &world[0][..model.nq + model.nv];
        if given.iter().any(|x| is_bad(*x)) && !failed[w] {
            return Err(wrong(format!("world {w} was given {given:?} and did not fail")));
        }
    }
    let contacts = sim.contacts().map_err(|error| wrong(error.to_string()))?.iter().sum();
    Ok(Found { failed: failed.iter().filter(|failed| **failed).count(), compared: WORLDS / 2, contacts })
}
