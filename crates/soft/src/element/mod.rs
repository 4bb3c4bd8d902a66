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
//! Elements of one kind are computed four at a time, in the lanes of a [`Block`]; those of a block share no
//! vertex.

mod bending;
mod dihedral;
mod membrane;
mod nodal_volume;
mod row;
mod rows3;
mod strain;

pub(crate) use bending::{BendingBlock, TriangleBending};
pub(crate) use membrane::{Membrane, MembraneBlock};
pub(crate) use nodal_volume::{NodalVolume, NodalVolumeBlock};
pub(crate) use row::{Dihedral, Distance, Row, RowBlock, Volume, tetrahedron_volume};
pub(crate) use strain::{StrainBlock, StrainPatch};

use crate::displacement::{Motion, Positions};

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

/// Four elements of one kind.
pub(crate) trait Block {
    /// Begins a substep: takes `C`, `∇C` and `∇C M⁻¹ ∇Cᵀ` at the given positions, starts the multipliers at
    /// the elastic force, `λ = −start C / α` with `start = θ h²`, and adds what they make of displacements.
    fn begin(&mut self, position: &Positions, start: f64, motion: &mut impl Motion);

    /// One Gauss–Seidel update of the multipliers.
    fn correct(&mut self, step: &Substep, motion: &mut impl Motion);

    /// Elastic energy (J) at the positions of the last beginning.
    fn energy(&self) -> f64;
}

/// What an element is made of.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    /// Distance between two vertices.
    Distance(Row<2>),
    /// Angle between two triangles.
    Dihedral(Row<4>),
    /// Volume of a tetrahedron.
    Volume(Row<4>),
    /// Strain of a triangle.
    Membrane(Membrane),
    /// Curvature of a triangle.
    Bending(TriangleBending),
    /// Green strain of a patch, six constraints at once.
    Strain(StrainPatch),
    /// Mean relative change of volume around a vertex.
    NodalVolume(NodalVolume),
}

impl Element {
    pub(crate) fn vertices(&self) -> &[u32] {
        match self {
            Self::Distance(element) => &element.vertices,
            Self::Dihedral(element) | Self::Volume(element) => &element.vertices,
            Self::Membrane(element) => &element.vertices,
            Self::Bending(element) => element.vertices(),
            Self::Strain(element) => &element.vertices,
            Self::NodalVolume(element) => &element.vertices,
        }
    }

    /// Elements fit into one block when these are equal: kind, number of vertices, and how they hang
    /// together where that is not the same for all.
    pub(crate) fn shape(&self) -> (usize, usize, &[[u32; 4]]) {
        match self {
            Self::Distance(_) => (0, 2, &[]),
            Self::Dihedral(_) => (1, 4, &[]),
            Self::Volume(_) => (2, 4, &[]),
            Self::Membrane(_) => (3, 3, &[]),
            Self::Bending(_) => (4, 6, &[]),
            Self::Strain(element) => (5, element.vertices.len(), &[]),
            Self::NodalVolume(element) => (6, element.vertices.len(), &element.link),
        }
    }
}
