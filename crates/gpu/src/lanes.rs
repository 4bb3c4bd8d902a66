//! Lanes of a workgroup: one world shares them.

/// Most dofs whose row of the Hessian is held in registers.
const MOST_UNROLLED: usize = 100;

/// How lanes of a world communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Subgroups of 32 lanes.
    Subgroups,
    /// Workgroup memory only.
    Workgroup,
}

impl Lanes {
    /// Whether the Hessian of `nv` dofs is held in registers, in unrolled code.
    pub(crate) fn unrolls(self, nv: usize) -> bool {
        self == Self::Subgroups && nv <= MOST_UNROLLED
    }
}
