//! Elements: what stores elastic energy, as constraints in the sense of XPBD.
//!
//! An element of energy `½ C² / α` is a constraint `C` of compliance `α` (Macklin, Müller, Chentanez 2016).
//! Its force is that of backward Euler, `α̃ λ = −(C + ∇C·d) − γ ∇C·d` with the displacement `d` over a
//! substep `h`, `α̃ = α / h²`, `γ = damping / h`, and `d = d₀ + M⁻¹ ∇C λ`. Two things are special here.
//!
//! - `C` and `∇C` are those of the beginning of the substep. Every correction then conserves linear and
//!   angular momentum to rounding: `Σ x × ∇C = 0` holds where the momentum is taken.
//! - The multiplier starts at the elastic force of the beginning, `λ = −θ C / α̃`, and not at zero. A body at
//!   rest needs no correction then, however few sweeps are made, so that its shape is exactly that of its
//!   elastic constants. Starting at zero makes a body softer by the factor `1 + (h ω)²`, where `ω` is the
//!   frequency of its stiffest element. `θ = 1` as long as a step is short enough for an explicit force, and
//!   decreases with `1/h²` beyond.
//!
//! A sweep knows a constraint by its residual without the displacement, `r = C + α̃ λ`, which starts at
//! `(1 − θ) C`, so that neither values nor multipliers are stored: with `θ = 1` there is nothing to store at
//! all. A change `Δλ = −(r + (1 + γ) ∇C·d) / (α̃ + (1 + γ) ∇C M⁻¹ ∇Cᵀ)` adds `α̃ Δλ` to it, for later sweeps.
//!
//! Elements of one kind are computed four at a time, in the lanes of a [`Block`]; those of a block share no
//! vertex. What a block stores is what a substep of a large body takes its time for, to bring it from memory
//! and back: gradients that balance those of the other vertices, inverses, and what follows from what is
//! stored with few operations are computed again.

mod bending;
mod dihedral;
mod kinds;
mod membrane;
mod nodal_volume;
mod row;
mod rows3;
mod strain;

pub(crate) use bending::{BendingBlock, TriangleBending};
pub(crate) use kinds::Element;
pub(crate) use membrane::{Membrane, MembraneBlock};
pub(crate) use nodal_volume::{NodalVolume, NodalVolumeBlocks};
pub(crate) use row::{Dihedral, Distance, Row, RowBlock, Volume, tetrahedron_volume};
pub(crate) use strain::{StrainBlocks, StrainPatch};

use crate::displacement::{LocalMotion, LocalPositions};

/// Lengths of a substep and of what depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Substep {
    /// `1 / h²` (1/s²).
    pub(crate) inverse_h2: f64,
    /// `θ h²` (s²), for each [`Class`].
    pub(crate) start: [f64; 2],
    /// `1 − θ`, for each [`Class`].
    pub(crate) implicit_share: [f64; 2],
    /// `1 + damping / h`.
    pub(crate) damped: f64,
    /// Whether the sweep is the first one of the substep, which starts at the residual of the beginning.
    pub(crate) first: bool,
    /// Whether it is the last one, after which residuals are not needed any more.
    pub(crate) last: bool,
}

impl Substep {
    /// `θ h²` and `1 − θ` of a class.
    #[inline(always)]
    fn start_of(&self, class: Class) -> (f64, f64) {
        (self.start[class as usize], self.implicit_share[class as usize])
    }

    /// No step: elements add forces, times `start` for each [`Class`], and keep their values for
    /// [`Block::energy`].
    pub(crate) fn forces(start: [f64; 2]) -> Self {
        Self { inverse_h2: 1.0, start, implicit_share: [1.0; 2], damped: 1.0, first: true, last: true }
    }
}

/// Elements of very different stiffness are counted apart where a stable step is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Extension, shear and volume.
    Strain = 0,
    /// Curvature.
    Bending = 1,
}

/// Four elements of one kind.
pub(crate) trait Block {
    /// Begins a substep: takes `C`, `∇C` and `∇C M⁻¹ ∇Cᵀ` at the given positions, starts the multipliers at
    /// the elastic force, `λ = −start C / α` with `start = θ h²`, and adds what they make of displacements.
    fn begin(&mut self, position: &LocalPositions, step: &Substep, motion: &mut LocalMotion);

    /// One Gauss–Seidel update of the multipliers.
    fn correct(&mut self, step: &Substep, motion: &mut LocalMotion);

    /// Elastic energy (J) at the positions of the last beginning, which had `θ = 0`.
    fn energy(&self) -> f64;
}
