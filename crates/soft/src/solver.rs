//! Steps of deformable bodies: substeps, sleep, and checks.

use kinetree_math::Vec3;

use crate::body::DeformableBody;
use crate::error::{SoftError, check_range};

/// More substeps or sweeps than this are refused: a step of such a body would take minutes.
const MOST_SUBSTEPS: f64 = 1e6;

/// How many substeps a step has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Substeps {
    /// As many as the body needs for its stiffness to be that of its material.
    #[default]
    Auto,
    /// This many. With fewer than needed a body stays stable and becomes softer.
    Fixed(usize),
}

/// When a body falls asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SleepSettings {
    /// Speed (m/s) below which all vertices have to stay.
    pub speed: f64,
    /// For how long (s).
    pub time: f64,
}

impl Default for SleepSettings {
    fn default() -> Self {
        Self { speed: 1e-3, time: 0.5 }
    }
}

/// How a body is stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct XpbdSettings {
    /// Number of substeps.
    pub substeps: Substeps,
    /// Sweeps over the constraints in each substep.
    pub iterations: usize,
    /// Deceleration by the air (1/s): the velocity of a free vertex decays as `exp(−drag t)`. Takes momentum
    /// away.
    pub drag: f64,
    /// When the body falls asleep; `None`: never.
    pub sleep: Option<SleepSettings>,
    /// Whether the body touches itself in a [`SoftWorld`](crate::SoftWorld), and does not fold through
    /// itself.
    pub self_contact: bool,
}

impl Default for XpbdSettings {
    /// Automatic substeps of one sweep each, no drag, no sleep, contacts with itself.
    fn default() -> Self {
        Self { substeps: Substeps::Auto, iterations: 1, drag: 0.0, sleep: None, self_contact: true }
    }
}

/// Extended position-based dynamics of one body.
///
/// ```
/// use kinetree_soft::{Cloth, ClothPreset, DeformableBody, Vec3, XpbdSolver};
///
/// let mut cloth = Cloth::grid([10, 10], [1.0, 1.0], ClothPreset::Cotton)?;
/// cloth.particles_mut().pin(0)?;
/// let mut solver = XpbdSolver::default();
/// for _ in 0..10 {
///     solver.step(&mut cloth, Vec3::new(0.0, 0.0, -9.81), 0.002)?;
/// }
/// assert!(cloth.particles().position[60].z < 0.0);
/// # Ok::<(), kinetree_soft::SoftError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct XpbdSolver {
    /// Substeps, drag and sleep.
    pub settings: XpbdSettings,
    /// How long all vertices have been slow (s).
    still: f64,
}

impl XpbdSolver {
    /// A solver with these settings.
    #[must_use]
    pub fn new(settings: XpbdSettings) -> Self {
        Self { settings, still: 0.0 }
    }

    /// Advances a body by `dt` (s). The body of a solver should stay the same, since the solver remembers how
    /// long it has been still.
    ///
    /// # Errors
    /// When `dt` or a setting is out of range, or the state of the body is not finite.
    pub fn step(&mut self, body: &mut dyn DeformableBody, gravity: Vec3, dt: f64) -> Result<(), SoftError> {
        check_range("the time step", dt, dt > 0.0, "positive")?;
        self.check()?;
        check_range("gravity", gravity.sum(), true, "finite")?;
        body.particles().check()?;
        if self.stays_asleep(body) {
            return Ok(());
        }
        let count = self.substep_count(body.substeps(dt))?;
        let h = dt / count as f64;
        for _ in 0..count {
            body.begin(&gravity, h)?;
            body.push_contacts(h);
            body.correct(h, self.settings.iterations);
            self.advance(body, h);
        }
        self.finish_step(body, dt)?;
        if self.is_asleep() {
            body.particles_mut().velocity.fill(Vec3::zeros());
        }
        Ok(())
    }

    /// Number of substeps of a step that `needed` are enough for.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub(crate) fn substep_count(&self, needed: f64) -> Result<usize, SoftError> {
        let count = match self.settings.substeps {
            Substeps::Auto => needed.max(1.0),
            Substeps::Fixed(count) => count as f64,
        };
        let inside = (1.0..=MOST_SUBSTEPS).contains(&count);
        let range = "between one and a million: take a shorter step";
        check_range("the number of substeps", count, inside, range)?;
        Ok(count as usize)
    }

    /// Ends a substep of length `h`: motion and drag.
    pub(crate) fn advance(&self, body: &mut dyn DeformableBody, h: f64) {
        body.advance(h);
        if self.settings.drag > 0.0 {
            slow_down(body, libm::exp(-self.settings.drag * h));
        }
    }

    /// Ends a step of length `dt`: measures for how long the body has been still.
    ///
    /// # Errors
    /// When the state of the body is not finite.
    pub(crate) fn finish_step(&mut self, body: &dyn DeformableBody, dt: f64) -> Result<(), SoftError> {
        body.particles().check()?;
        if let Some(settings) = self.settings.sleep {
            let slow = body.particles().velocity.iter().all(|v| v.norm() < settings.speed);
            self.still = if slow { self.still + dt } else { 0.0 };
        }
        Ok(())
    }

    /// Whether sweeps and drag are in range.
    ///
    /// # Errors
    /// When one is not.
    pub(crate) fn check(&self) -> Result<(), SoftError> {
        let sweeps = self.settings.iterations as f64;
        check_range("the number of iterations", sweeps, sweeps <= MOST_SUBSTEPS, "at most a million")?;
        check_range("drag", self.settings.drag, self.settings.drag >= 0.0, "zero or more")
    }

    /// Whether the body sleeps: steps leave it as it is, until a vertex is moved or pushed.
    #[must_use]
    pub fn is_asleep(&self) -> bool {
        self.settings.sleep.is_some_and(|sleep| self.still >= sleep.time)
    }

    /// How long all vertices have been slow (s).
    pub(crate) fn still_time(&self) -> f64 {
        self.still
    }

    /// Sets for how long all vertices have been slow (s).
    pub(crate) fn set_still_time(&mut self, time: f64) {
        self.still = time;
    }

    /// Wakes the body up.
    pub fn wake(&mut self) {
        self.still = 0.0;
    }

    /// Whether the body goes on sleeping. A sleeping body has no velocities; a program that wants it to move
    /// sets some, or wakes it.
    pub(crate) fn stays_asleep(&mut self, body: &dyn DeformableBody) -> bool {
        let still = body.particles().velocity.iter().all(|v| *v == Vec3::zeros());
        if self.is_asleep() && !still {
            self.wake();
        }
        self.is_asleep()
    }
}

fn slow_down(body: &mut dyn DeformableBody, keep: f64) {
    let particles = body.particles_mut();
    for vertex in 0..particles.len() {
        if particles.inverse_mass()[vertex] > 0.0 {
            particles.velocity[vertex] *= keep;
        }
    }
}
