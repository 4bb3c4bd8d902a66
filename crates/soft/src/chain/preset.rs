//! Ropes with names.

use crate::error::{SoftError, check_range};
use crate::material::{Material, MaterialPreset};

/// Round cross-section of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainSection {
    /// Radius (m).
    pub radius: f64,
    /// Resistance to bending and twist, as a part of that of a solid rod: strands that slide on one another
    /// make a rope much more flexible than a rod. Zero bends freely.
    pub solidity: f64,
}

impl ChainSection {
    /// A solid rod.
    #[must_use]
    pub fn solid(radius: f64) -> Self {
        Self { radius, solidity: 1.0 }
    }

    /// Area (m²).
    #[must_use]
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }

    /// Second moment of area about a diameter (m⁴).
    #[must_use]
    pub fn second_moment(&self) -> f64 {
        0.25 * self.area() * self.radius * self.radius
    }

    pub(super) fn check(&self) -> Result<(), SoftError> {
        check_range(
            "radius of the section",
            self.radius,
            self.radius > 0.0 && self.area().is_normal(),
            "positive",
        )?;
        let inside = (0.0..=1.0).contains(&self.solidity);
        check_range("solidity of the section", self.solidity, inside, "between zero and one")
    }
}

/// Ropes with names: a material and a cross-section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainPreset {
    /// Fibre rope, 10 mm thick.
    Rope,
    /// Steel wire rope, 6 mm thick.
    SteelCable,
    /// Rubber-insulated cable, 6 mm thick.
    SoftCable,
    /// A human hair, 0.08 mm thick.
    Hair,
    /// Steel chain, which bends freely.
    Chain,
}

impl ChainPreset {
    /// All presets.
    pub const ALL: [Self; 5] = [Self::Rope, Self::SteelCable, Self::SoftCable, Self::Hair, Self::Chain];

    /// What it is made of.
    #[must_use]
    pub fn material(self) -> Material {
        match self {
            Self::Rope => MaterialPreset::Rope.material(),
            Self::SteelCable | Self::Chain => MaterialPreset::SteelCable.material(),
            Self::SoftCable => Material { young: 2e7, ..MaterialPreset::Rubber.material() },
            Self::Hair => {
                Material { young: 4e9, poisson: 0.4, density: 1300.0, friction: 0.3, damping: 1e-4 }
            }
        }
    }

    /// Its cross-section.
    #[must_use]
    pub fn section(self) -> ChainSection {
        let (radius, solidity) = match self {
            Self::Rope => (5e-3, 1e-3),
            Self::SteelCable => (3e-3, 1e-2),
            Self::SoftCable => (3e-3, 1.0),
            Self::Hair => (4e-5, 1.0),
            Self::Chain => (4e-3, 0.0),
        };
        ChainSection { radius, solidity }
    }
}
