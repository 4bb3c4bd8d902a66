//! What searches need of memory, counted before it is asked for.

use crate::ilqr::Settings;
use crate::mpc::Planner;
use crate::sampling::most_knots;
use crate::trajectory::state_size;
use kinetree_model::Model;

impl Planner {
    /// Bytes of a search over trajectories of so many steps, with the trajectory that is handed out; `None`
    /// when they cannot be counted. `sensors` says whether the cost looks at any.
    #[must_use]
    pub fn bytes(&self, model: &Model, steps: usize, sensors: bool) -> Option<usize> {
        match self {
            Self::Ilqr(settings) => of_ilqr(model, steps, settings, sensors),
            Self::Sampler(settings) => {
                // besides the samples the best one, the solution's, and a list for the caller
                let row = state_size(model).ok()? + model.nu + model.nsensordata;
                let paths =
                    row.checked_mul(steps.checked_add(1)?)?.checked_mul(settings.samples.checked_add(3)?)?;
                // a sampler refuses more
                let knots = settings.knots.min(most_knots(steps));
                let knots = knots.checked_mul(model.nu)?.checked_mul(settings.samples)?;
                in_bytes(paths.checked_add(knots)?)
            }
        }
    }
}

/// Bytes of the derivatives of so many steps; `None` when they cannot be counted.
#[must_use]
pub fn transition_bytes(model: &Model, steps: usize, sensors: bool) -> Option<usize> {
    in_bytes(of_transitions(model, steps, sensors)?)
}

fn in_bytes(numbers: usize) -> Option<usize> {
    numbers.checked_mul(size_of::<f64>())
}

/// Numbers of the derivatives.
fn of_transitions(model: &Model, steps: usize, sensors: bool) -> Option<usize> {
    let (nx, nu) = (2 * model.nv + model.na, model.nu);
    let rows = nx + if sensors { model.nsensordata } else { 0 };
    rows.checked_mul(nx + nu)?.checked_mul(steps)
}

/// Derivatives, expansions, gains, and the trajectories of the line search.
fn of_ilqr(model: &Model, steps: usize, settings: &Settings, sensors: bool) -> Option<usize> {
    let (nx, nu, rows) = (2 * model.nv + model.na, model.nu, steps.checked_add(1)?);
    // expansions; gains, those of the solution, too
    let squares = nx.checked_mul(nx)?.checked_add(nu.checked_mul(nu)?)?;
    let mixed = nu.checked_mul(nx)?.checked_mul(3)?;
    // besides the candidates the best trajectory, the solution's, and a list for the caller
    let row = state_size(model).ok()? + nu + model.nsensordata;
    let paths = row.checked_mul(settings.step_lengths.len() + 3)?;
    let each = squares.checked_add(mixed)?.checked_add(paths)?;
    in_bytes(of_transitions(model, rows, sensors)?.checked_add(each.checked_mul(rows)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::SamplerSettings;

    #[test]
    fn what_cannot_be_counted_has_no_number() {
        let xml = "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>\
                   <actuator><motor joint='j'/></actuator></mujoco>";
        let model = kinetree_spec::load_model_str(xml).expect("a model");
        let ilqr = Planner::Ilqr(Settings::default());
        // twice as many rows, twice as much
        let bytes = ilqr.bytes(&model, 9, false).expect("a number");
        assert_eq!(ilqr.bytes(&model, 19, false), Some(2 * bytes));
        assert_eq!(ilqr.bytes(&model, usize::MAX, false), None);
        assert_eq!(ilqr.bytes(&model, usize::MAX / 8, false), None);
        let sampler = |samples| Planner::Sampler(SamplerSettings { samples, ..SamplerSettings::default() });
        assert!(sampler(16).bytes(&model, 10, false) < sampler(17).bytes(&model, 10, false));
        assert_eq!(sampler(usize::MAX).bytes(&model, 10, false), None);
        assert_eq!(transition_bytes(&model, 5, false), Some(8 * 5 * 2 * 3));
    }
}
