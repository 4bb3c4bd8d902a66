//! Runs a world in step with a clock, records its states, and carries out what the window asks for.
//!
//! The world itself belongs to someone else: a [`Simulation`](crate::Simulation), or a program that shows its
//! own model and data.

use crate::clock::Clock;
use crate::command::Command;
use crate::history::History;
use crate::noise::NoiseSource;
use crate::snapshot::Status;
use kinetree_model::{
    Data, Model, STATE_INTEGRATION, mj_get_state, mj_reset_data_keyframe, mj_set_state, mj_state_size,
};
use kinetree_render::scene::{MjvPerturb, mjv_apply_perturb_force, mjv_apply_perturb_pose};
use kinetree_sim::mj_forward;
use kinetree_soft::SoftWorld;

/// States are recorded this often (s of simulated time).
const RECORD_EVERY: f64 = 1.0 / 60.0;
/// Most time that a simulation catches up with after a pause of its driver (s).
const CATCH_UP: f64 = 0.1;
/// Weight of a new measurement in smoothed timings.
const SMOOTHING: f64 = 0.1;
/// Slowest and fastest speed (simulated seconds per second).
const SPEEDS: (f64, f64) = (1e-3, 1e3);

/// How a world runs, and what it did before.
#[derive(Default)]
pub struct Runner {
    status: Status,
    history: History,
    /// Time of the newest recorded state.
    recorded_at: f64,
    /// Simulated time that is still owed to the clock (s).
    owed: f64,
    /// When `advance` was called last (s).
    last: Option<f64>,
    perturb: MjvPerturb,
    noise: NoiseSource,
    /// The deformable bodies that the model describes.
    soft: SoftWorld,
    /// Why these could not be made.
    soft_failure: Option<String>,
}

impl Runner {
    /// Begins with the present state of a world, which runs at the speed that its model asks for. Deformable
    /// bodies that the model describes begin where its file puts them.
    #[must_use]
    pub fn new(model: &Model, data: &mut Data) -> Self {
        let speed = Some(f64::from(model.vis.global.realtime)).filter(|speed| *speed > 0.0).unwrap_or(1.0);
        let mut runner = Self { status: Status { speed, ..Status::default() }, ..Self::default() };
        runner.make_soft(model);
        runner.begin(model, data);
        runner
    }

    /// Goes on with another model; deformable bodies that have the same name keep their state.
    pub(crate) fn replace(&mut self, model: &Model, data: &mut Data) {
        self.status.kept_keyframes.clear();
        let old = std::mem::take(&mut self.soft);
        self.make_soft(model);
        self.soft.carry_state_by_name(&old);
        self.begin(model, data);
    }

    fn make_soft(&mut self, model: &Model) {
        (self.soft, self.soft_failure) = match SoftWorld::from_model(model) {
            Ok(soft) => (soft, None),
            Err(error) => (SoftWorld::default(), Some(error.to_string())),
        };
    }

    /// The deformable bodies that the model describes.
    #[must_use]
    pub fn soft(&self) -> &SoftWorld {
        &self.soft
    }

    /// Begins a new history with the present state; what else is known stays.
    pub(crate) fn begin(&mut self, model: &Model, data: &mut Data) {
        self.perturb = MjvPerturb::default();
        (self.owed, self.status.shown) = (0.0, None);
        self.history = History::new(self.state_size(model, data));
        self.refresh(model, data);
        self.record(model, data);
    }

    /// Length of a recorded state.
    fn state_size(&self, model: &Model, data: &Data) -> usize {
        if self.soft.is_empty() {
            return mj_state_size(model, STATE_INTEGRATION).unwrap_or(0);
        }
        self.soft.state(model, data).map_or(0, |state| state.len())
    }

    /// How the world runs.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Carries out a command. Options, keyframes to keep and models are not the runner's: they are returned.
    pub fn apply(&mut self, command: Command, model: &Model, data: &mut Data) -> Option<Command> {
        match command {
            Command::Play(on) => self.play(on, data),
            Command::Step(count) => {
                self.play(false, data);
                self.forget_future(data);
                (0..count).all(|_| self.step(model, data));
            }
            Command::Speed(speed) if speed.is_finite() => self.status.speed = speed.clamp(SPEEDS.0, SPEEDS.1),
            Command::Speed(_) => {}
            Command::Reset => {
                let done = self.soft.reset(model, data).is_ok();
                self.restart(model, data, done);
            }
            Command::Keyframe(key) => {
                let found = key < model.nkey
                    && self.soft.reset(model, data).is_ok()
                    && mj_reset_data_keyframe(model, data, key).is_ok();
                self.restart(model, data, found);
            }
            Command::KeepKeyframe(key) => {
                let fits = key < model.nkey;
                if fits && !self.status.kept_keyframes.contains(&key) {
                    self.status.kept_keyframes.push(key);
                }
                return fits.then_some(command);
            }
            Command::Noise(noise) => self.status.noise = noise.valid(),
            Command::Seek(index) => self.seek(index, model, data),
            Command::Perturb(perturb) => self.pull(perturb, model, data),
            Command::Options(_) | Command::Replace { .. } => return Some(command),
            edit => {
                edit.edit(data);
                self.edited(model, data);
            }
        }
        None
    }

    pub(crate) fn play(&mut self, on: bool, data: &Data) {
        if on && !self.status.playing {
            self.forget_future(data);
        }
        self.status.playing = on && self.status.failure.is_none();
        (self.owed, self.status.reached) = (0.0, 0.0);
    }

    /// The state or the options were set from outside.
    pub(crate) fn edited(&mut self, model: &Model, data: &mut Data) {
        if !self.status.playing {
            self.forget_future(data);
            self.refresh(model, data);
        }
    }

    /// Computes what depends on the state.
    fn refresh(&mut self, model: &Model, data: &mut Data) {
        let failure = mj_forward(model, data).err().map(|error| error.to_string());
        self.status.failure = self.soft_failure.clone().or(failure);
        self.status.playing &= self.status.failure.is_none();
    }

    /// Forgets what was before a reset, if there was one.
    fn restart(&mut self, model: &Model, data: &mut Data, was_reset: bool) {
        if was_reset {
            let selected = self.perturb.select;
            self.begin(model, data);
            self.perturb.select = selected;
        }
    }

    fn seek(&mut self, index: usize, model: &Model, data: &mut Data) {
        self.play(false, data);
        let Some(state) = self.history.get(index) else { return };
        let set = if self.soft.is_empty() {
            mj_set_state(model, data, state, STATE_INTEGRATION).is_ok()
        } else {
            self.soft.set_state(model, data, state).is_ok()
        };
        if set {
            self.status.shown = Some(index);
            self.refresh(model, data);
        }
    }

    /// A new future begins at the state that is shown.
    fn forget_future(&mut self, data: &Data) {
        if let Some(index) = self.status.shown.take() {
            self.history.truncate_after(index);
            (self.recorded_at, self.status.recorded) = (data.time, self.history.len());
        }
    }

    fn record(&mut self, model: &Model, data: &Data) {
        if self.soft.is_empty() {
            let size = mj_state_size(model, STATE_INTEGRATION).unwrap_or(0);
            self.history.push_with(size, |state| {
                // the vector has the size that belongs to the signature
                let _ = mj_get_state(model, data, state, STATE_INTEGRATION);
            });
        } else {
            // the data was made for this model
            let now = self.soft.state(model, data).unwrap_or_default();
            self.history.push_with(now.len(), |state| state.copy_from_slice(&now));
        }
        self.recorded_at = data.time;
        self.status.recorded = self.history.len();
    }

    /// Pulls at a body from now on, or lets it go. While paused, a free body follows the mouse at once.
    fn pull(&mut self, perturb: MjvPerturb, model: &Model, data: &mut Data) {
        release(&self.perturb, data);
        self.perturb = perturb;
        let moves = !self.status.playing && perturb.active != 0;
        if moves && mjv_apply_perturb_pose(model, data, &perturb, true).is_ok() {
            self.edited(model, data);
            // the force is shown; the data was made for this model
            let _ = mjv_apply_perturb_force(model, data, &perturb);
        }
    }

    /// One step; whether it succeeded.
    fn step(&mut self, model: &Model, data: &mut Data) -> bool {
        self.noise.add(self.status.noise, model, data);
        let stepped = step_pulled(&self.perturb, model, data, &mut self.soft);
        self.noise.remove(data);
        if let Err(failure) = stepped {
            self.status.failure = Some(failure);
            self.status.playing = false;
            return false;
        }
        // half a step of tolerance, so that rounding does not skip one
        if data.time >= self.recorded_at + RECORD_EVERY - 0.5 * model.opt.timestep
            || data.time < self.recorded_at
        {
            self.record(model, data);
        }
        true
    }

    /// Lets time go on until the world has caught up with the clock, for at most `budget` seconds; whether
    /// anything changed. A model that is too slow for its speed falls behind.
    pub fn advance(&mut self, model: &Model, data: &mut Data, clock: &dyn Clock, budget: f64) -> bool {
        let start = clock.now();
        let elapsed = (start - self.last.replace(start).unwrap_or(start)).max(0.0);
        if !self.status.playing {
            return false;
        }
        self.owed += elapsed.min(CATCH_UP) * self.status.speed;
        let timestep = model.opt.timestep;
        let (mut steps, mut now) = (0.0, start);
        while self.owed >= timestep && now - start < budget && self.step(model, data) {
            self.owed -= timestep;
            steps += 1.0;
            now = clock.now();
        }
        if self.owed >= timestep {
            self.owed = 0.0;
        }
        self.measure(elapsed, steps, timestep, now - start);
        steps > 0.0 || self.status.failure.is_some()
    }

    /// When the next step is due, counted from the last call of `advance` (s); `None` while paused.
    #[must_use]
    pub fn next_due(&self, model: &Model) -> Option<f64> {
        self.status.playing.then(|| ((model.opt.timestep - self.owed) / self.status.speed).max(0.0))
    }

    fn measure(&mut self, elapsed: f64, steps: f64, timestep: f64, spent: f64) {
        let smooth = |mean: &mut f64, value: f64| {
            *mean = if *mean == 0.0 { value } else { *mean + SMOOTHING * (value - *mean) };
        };
        if steps > 0.0 {
            smooth(&mut self.status.step_seconds, spent / steps);
        }
        if elapsed > 0.0 {
            smooth(&mut self.status.reached, steps * timestep / elapsed);
        }
    }
}

/// The force of a pull ends with it.
pub(crate) fn release(perturb: &MjvPerturb, data: &mut Data) {
    let body = usize::try_from(perturb.select).ok().filter(|_| perturb.active != 0);
    if let Some(force) = body.and_then(|body| data.xfrc_applied.get_mut(body)) {
        *force = [0.0; 6];
    }
}

/// A step in which the mouse pulls at a body.
fn step_pulled(
    perturb: &MjvPerturb,
    model: &Model,
    data: &mut Data,
    soft: &mut SoftWorld,
) -> Result<(), String> {
    mjv_apply_perturb_force(model, data, perturb).map_err(|error| error.to_string())?;
    mjv_apply_perturb_pose(model, data, perturb, false).map_err(|error| error.to_string())?;
    // without deformable bodies, a step of the model
    soft.step(model, data).map_err(|error| error.to_string())
}
