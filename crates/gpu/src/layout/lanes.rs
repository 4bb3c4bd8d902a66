//! Lanes of a workgroup: one world shares them.

/// Most dofs whose row of the Hessian is held in registers.
const MOST_IN_REGISTERS: usize = 128;

/// How lanes of a world communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Subgroups of 32 lanes.
    Subgroups,
    /// Workgroup memory only.
    Workgroup,
}

/// Where a solver keeps its Hessian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HessianStorage {
    /// In registers, in unrolled code.
    Registers,
    /// In scratch memory.
    Scratch,
}

impl HessianStorage {
    /// The storage for so many dofs.
    pub(crate) fn of(dofs: usize) -> Self {
        if dofs <= MOST_IN_REGISTERS { Self::Registers } else { Self::Scratch }
    }
}
