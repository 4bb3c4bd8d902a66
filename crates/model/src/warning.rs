//! What warnings say. A [`Data`] counts them; the texts are made when someone asks.

use crate::Data;
use crate::enums::Warning;

impl Warning {
    /// What the warning says; `info` is its detail, as in
    /// [`WarningStat::lastinfo`](crate::WarningStat::lastinfo).
    #[must_use]
    pub fn text(self, info: i32) -> String {
        let unstable = |quantity: &str| {
            format!("the {quantity} at index {info} is not finite or too large: the simulation is unstable")
        };
        match self {
            Self::Inertia => format!("the inertia matrix is close to singular at dof {info}"),
            Self::Contactfull => format!("too many contacts: {info}"),
            Self::Cnstrfull => format!("too many constraint rows: {info}"),
            Self::Badqpos => unstable("position"),
            Self::Badqvel => unstable("velocity"),
            Self::Badqacc => unstable("acceleration"),
            Self::Badctrl => unstable("control"),
        }
    }
}

impl Data {
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
    /// assert!(texts[0].contains("control at index 5") && texts[0].ends_with("(2 times)"));
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
