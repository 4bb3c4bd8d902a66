//! Solver statistics, summed over all worlds and steps.

/// Sums over all worlds and steps since the simulator was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverTotals {
    /// Steps of worlds.
    pub steps: u64,
    /// Iterations of the solver.
    pub iterations: u64,
    /// Rows of the Jacobian: a contact has as many as its dimension.
    pub rows: u64,
    /// Contacts.
    pub contacts: u64,
}
