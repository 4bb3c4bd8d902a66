//! Noise on controls: what a policy or a person would do without being asked to.

use kinetree_batch::Random;
use kinetree_model::{Data, Model};

/// How strong noise on controls is, and how fast it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControlNoise {
    /// Standard deviation, as a share of half the range of an actuator, of 1 where it has no limits.
    pub deviation: f64,
    /// Time in which noise forgets what it was (s); with zero, each step has noise of its own.
    pub time: f64,
}

impl ControlNoise {
    /// The same within what can be simulated; no noise where a number is none.
    pub(crate) fn valid(self) -> Self {
        let positive = |x: f64| if x.is_finite() { x.max(0.0) } else { 0.0 };
        Self { deviation: positive(self.deviation), time: positive(self.time) }
    }
}

/// Noise as it is: for each actuator a stationary autoregressive process of the first order, driven by
/// uniform numbers.
///
/// It is there while a step is made and not in between, so that controls stay what was set.
pub(crate) struct NoiseSource {
    random: Random,
    /// Numbers of mean 0 and variance 1, correlated over time.
    values: Vec<f64>,
    /// Controls that were set, and what the step gets instead.
    controls: Vec<[f64; 2]>,
}

impl Default for NoiseSource {
    fn default() -> Self {
        Self { random: Random::of_world(0, 0), values: Vec::new(), controls: Vec::new() }
    }
}

impl NoiseSource {
    /// Adds the noise of a step to the controls.
    pub(crate) fn add(&mut self, noise: ControlNoise, model: &Model, data: &mut Data) {
        self.controls.clear();
        if noise.deviation == 0.0 {
            return self.values.clear();
        }
        // x ← ρ x + √(1 − ρ²) n keeps the variance at 1; the first number is drawn from that
        let kept = if noise.time > 0.0 { libm::exp(-model.opt.timestep / noise.time) } else { 0.0 };
        let fresh = (1.0 - kept * kept).sqrt();
        let known = self.values.len().min(model.nu);
        self.values.resize(model.nu, 0.0);
        for (i, value) in self.values.iter_mut().enumerate() {
            // of variance 1
            let drawn = 3.0_f64.sqrt() * self.random.uniform(-1.0, 1.0);
            *value = if i < known { kept * *value + fresh * drawn } else { drawn };
        }
        for (actuator, (control, value)) in data.ctrl.iter_mut().zip(&self.values).enumerate() {
            let (set, range) = (*control, model.actuator_ctrlrange[actuator]);
            *control = if model.actuator_ctrllimited[actuator] == 0 {
                set + noise.deviation * value
            } else {
                let half = 0.5 * (range[1] - range[0]);
                (set + noise.deviation * half * value).max(range[0]).min(range[1])
            };
            self.controls.push([set, *control]);
        }
    }

    /// Takes the noise of the last step away again, unless that has changed the control.
    pub(crate) fn remove(&self, data: &mut Data) {
        for (control, [set, noisy]) in data.ctrl.iter_mut().zip(&self.controls) {
            if *control == *noisy {
                *control = *set;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_deviation_and_the_memory_that_were_asked_for() {
        let text = "<mujoco><option timestep='.01'/><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>
            <actuator><motor joint='j'/><motor joint='j' ctrllimited='true' ctrlrange='-200 200'/></actuator></mujoco>";
        let model = kinetree_spec::load_model_str(text).unwrap_or_else(|faults| panic!("{faults}"));
        let (mut data, mut source) = (Data::new(&model), NoiseSource::default());
        let noise = ControlNoise { deviation: 0.1, time: 0.05 };
        let count = 40_000;
        let (mut squares, mut products, mut before) = (0.0, 0.0, 0.0);
        for _ in 0..count {
            data.ctrl.copy_from_slice(&[2.0, 10.0]);
            source.add(noise, &model, &mut data);
            let now = data.ctrl[0] - 2.0;
            squares += now * now / f64::from(count);
            products += now * before / f64::from(count);
            before = now;
            assert!(data.ctrl[1].abs() <= 200.0);
            source.remove(&mut data);
            assert_eq!(*data.ctrl, [2.0, 10.0]);
        }
        // correlated over five steps: some 8,000 numbers that are independent
        assert!((squares / 0.01 - 1.0).abs() < 0.07, "{squares}");
        assert!((products / squares - libm::exp(-0.2)).abs() < 0.03, "{products}");
    }
}
