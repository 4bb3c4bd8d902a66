//! What warnings say. A [`Data`] counts them; the texts are made when someone asks.

use crate::enums::{Solver, Warning};
use crate::{Data, Model};

impl Warning {
    /// What the warning says; `info` is its detail, as in
    /// [`WarningStat::lastinfo`](crate::WarningStat::lastinfo).
    #[must_use]
    pub fn text(self, info: i32) -> String {
        let unstable = |quantity: &str, of: &str| {
            format!("Nan, Inf or huge value in {quantity} at {of} {info}: the simulation is unstable")
        };
        match self {
            Self::Inertia => format!("the inertia matrix cannot be factored at dof {info}"),
            Self::Contactfull => format!("too many contacts: {info}"),
            Self::Cnstrfull => format!("too many constraint rows: {info}"),
            Self::Badqpos => unstable("QPOS", "DOF"),
            Self::Badqvel => unstable("QVEL", "DOF"),
            Self::Badqacc => unstable("QACC", "DOF"),
            Self::Badctrl => unstable("CTRL", "ACTUATOR"),
        }
    }
}

impl Data {
    /// What to say when a primal solver ran out of iterations since the last reset, and what to do; nothing
    /// when none has.
    ///
    /// ```
    /// use kinetree_model::{Data, Model, Sizes};
    ///
    /// let model = Model::with_sizes(Sizes::default());
    /// let mut data = Data::new(&model);
    /// assert_eq!(data.solver_text(&model), None);
    /// data.solver_unconverged.number = 3;
    /// assert!(data.solver_text(&model).is_some_and(|text| text.contains("iterations 3 times")));
    /// ```
    #[must_use]
    pub fn solver_text(&self, model: &Model) -> Option<String> {
        let count = self.solver_unconverged.number;
        (count > 0).then(|| {
            let (name, help) = match Solver::try_from(model.opt.solver) {
                Ok(Solver::Cg) => ("CG", ", or take the Newton solver"),
                Ok(Solver::Newton) => ("Newton", ""),
                _ => ("constraint", ""),
            };
            let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
            format!(
                "the {name} solver stopped at {} iterations {times} before it had converged; raise `iterations` or \
                 `tolerance`{help}",
                model.opt.iterations
            )
        })
    }

    /// Texts of the warnings that were raised since the last reset, each with how often.
    ///
    /// ```
    /// use kinetree_model::{Data, Model, Sizes, enums::Warning};
    ///
    /// let mut data = Data::new(&Model::with_sizes(Sizes::default()));
    /// data.warn(Warning::Badctrl, 2);
    /// data.warn(Warning::Badctrl, 5);
    /// let texts: Vec<String> = data.warning_texts().collect();
    /// assert_eq!(texts.len(), 1);
    /// assert!(texts[0].contains("CTRL at ACTUATOR 5") && texts[0].ends_with("(2 times)"));
    /// ```
    pub fn warning_texts(&self) -> impl Iterator<Item = String> {
        self.warning.iter().zip(0..).filter(|(stat, _)| stat.number > 0).filter_map(|(stat, kind)| {
            let text = Warning::try_from(kind).ok()?.text(stat.lastinfo);
            Some(match stat.number {
                1 => text,
                number => format!("{text} ({number} times)"),
            })
        })
    }
}
