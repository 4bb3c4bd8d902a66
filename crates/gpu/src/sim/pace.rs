//! Number of steps that are submitted between two checks for interruptions.

use web_time::Duration;

/// Time between looks: short beside the half second in which a call shall end, and long beside the time that
/// the processor needs to look.
const LOOK: Duration = Duration::from_millis(100);

/// How long steps took lately.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    /// Time of a step; none before the first.
    step: Option<Duration>,
}

impl Pace {
    /// Steps of the next piece, of so many that are left: at least one.
    pub(crate) fn piece(self, left: usize) -> usize {
        let fitting = self.step.map_or(1, |step| LOOK.as_nanos() / step.as_nanos().max(1));
        usize::try_from(fitting).unwrap_or(usize::MAX).clamp(1, left.max(1))
    }

    /// A piece of so many steps took some time.
    pub(crate) fn measured(&mut self, steps: usize, time: Duration) {
        self.step = u32::try_from(steps.max(1)).ok().map(|steps| time / steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_take_a_tenth_of_a_second() {
        let mut pace = Pace::default();
        assert_eq!(pace.piece(1000), 1, "nothing is known before the first");
        pace.measured(1, Duration::from_millis(2));
        assert_eq!((pace.piece(1000), pace.piece(7)), (50, 7));
        pace.measured(50, Duration::from_secs(50));
        assert_eq!(pace.piece(1000), 1, "a step is never cut");
        pace.measured(8, Duration::ZERO);
        assert_eq!(pace.piece(1000), 1000);
    }
}
