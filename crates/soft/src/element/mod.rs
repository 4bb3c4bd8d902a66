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

mod bending;
mod dihedral;
mod row;
mod strain;

pub(crate) use bending::TriangleBending;
pub(crate) use row::{NodalVolume, RowElement, RowKind, tetrahedron_volume};
pub(crate) use strain::StrainElement;

use kinetree_math::Vec3;

use crate::displacement::Displacements;

/// Lengths of a substep and of what depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Substep {
    /// `1 / h²` (1/s²).
    pub(crate) inverse_h2: f64,
    /// `θ h²` (s²), for each [`Class`].
    pub(crate) start: [f64; 2],
    /// `1 + damping / h`.
    pub(crate) damped: f64,
}

/// Elements of very different stiffness are counted apart where a stable step is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Extension, shear and volume.
    Strain = 0,
    /// Curvature.
    Bending = 1,
}

/// One element.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    /// Up to three scalar constraints with stored gradients.
    Rows(RowElement),
    /// Green strain of a patch, six constraints at once.
    Strain(StrainElement),
}

impl Element {
    pub(crate) fn class(&self) -> Class {
        match self {
            Self::Rows(element) => element.class(),
            Self::Strain(_) => Class::Strain,
        }
    }

    pub(crate) fn vertices(&self) -> &[u32] {
        match self {
            Self::Rows(element) => &element.vertices,
            Self::Strain(element) => &element.vertices,
        }
    }

    /// Takes `C`, `∇C` and `∇C M⁻¹ ∇Cᵀ` at the given positions.
    pub(crate) fn linearize(&mut self, position: &[Vec3], inverse_mass: &[f64]) {
        match self {
            Self::Rows(element) => element.linearize(position, inverse_mass),
            Self::Strain(element) => element.linearize(position, inverse_mass),
        }
    }

    /// Starts the multiplier at the elastic force: `λ = −θ h² C / α`.
    pub(crate) fn start(&mut self, step: &Substep, inverse_mass: &[f64], displacement: &Displacements) {
        let start = step.start[self.class() as usize];
        match self {
            Self::Rows(element) => element.start(start, inverse_mass, displacement),
            Self::Strain(element) => element.start(start, inverse_mass, displacement),
        }
    }

    /// One Gauss–Seidel update of the multiplier.
    pub(crate) fn correct(&mut self, step: &Substep, inverse_mass: &[f64], displacement: &Displacements) {
        match self {
            Self::Rows(element) => element.correct(step, inverse_mass, displacement),
            Self::Strain(element) => element.correct(step, inverse_mass, displacement),
        }
    }

    /// Adds the elastic force at the positions of the last linearization.
    pub(crate) fn add_force(&self, force: &mut [Vec3]) {
        match self {
            Self::Rows(element) => element.add_force(force),
            Self::Strain(element) => element.add_force(force),
        }
    }

    /// Elastic energy (J) at the positions of the last linearization.
    pub(crate) fn energy(&self) -> f64 {
        match self {
            Self::Rows(element) => element.energy(),
            Self::Strain(element) => element.energy(),
        }
    }
}
