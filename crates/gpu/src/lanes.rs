//! Lanes of a workgroup: one world shares them.

/// Most dofs whose row of the Hessian is held in registers.
const MOST_IN_REGISTERS: usize = 64;
/// Most dofs whose Hessian is held in workgroup memory.
const MOST_IN_WORKGROUP: usize = 128;

/// How lanes of a world communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Subgroups of 32 lanes.
    Subgroups,
    /// Workgroup memory only.
    Workgroup,
}

impl Lanes {
    /// Where the solver for `dofs` dofs keeps its Hessian.
    pub(crate) fn hessian(self, dofs: usize) -> HessianPlace {
        match self {
            Self::Subgroups if dofs <= MOST_IN_REGISTERS => HessianPlace::Registers,
            Self::Subgroups if dofs <= MOST_IN_WORKGROUP => HessianPlace::Workgroup,
            _ => HessianPlace::Scratch,
        }
    }
}

/// Where a solver keeps its Hessian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HessianPlace {
    /// In registers, in unrolled code.
    Registers,
    /// In workgroup memory.
    Workgroup,
    /// In scratch memory.
    Scratch,
}
