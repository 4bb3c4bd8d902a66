//! Isotropic elastic materials and their named presets.

use crate::error::{SoftError, check_range};

/// Elastic constants, density and surface friction of a material.
///
/// Bodies make the compliances of their constraints from these, so that stiffness does not depend on how
/// finely a body is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density (kg/m³).
    pub density: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Ratio of viscosity to stiffness (s): a mode of angular frequency `ω` is damped by the fraction `ω
    /// damping / 2` of critical damping.
    pub damping: f64,
}

impl Material {
    /// A material with these elastic constants, with friction 0.5 and a damping of 1 ms.
    #[must_use]
    pub fn new(young: f64, poisson: f64, density: f64) -> Self {
        Self { young, poisson, density, friction: 0.5, damping: 1e-3 }
    }

    /// The same material with another damping (s).
    #[must_use]
    pub fn with_damping(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// Shear modulus `E / (2 (1 + ν))` (Pa): the second Lamé parameter.
    #[must_use]
    pub fn shear_modulus(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// First Lamé parameter `E ν / ((1 + ν) (1 − 2 ν))` (Pa).
    #[must_use]
    pub fn lame(&self) -> f64 {
        self.young * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson))
    }

    /// Whether all constants are in the range in which the energy is positive.
    ///
    /// # Errors
    /// When one is not.
    pub fn check(&self) -> Result<(), SoftError> {
        check_range("Young's modulus", self.young, self.young > 0.0, "positive")?;
        let inside = (0.0..0.5).contains(&self.poisson);
        check_range("Poisson's ratio", self.poisson, inside, "in [0, 0.5); 0.49 is nearly incompressible")?;
        check_range("density", self.density, self.density > 0.0, "positive")?;
        check_range("friction", self.friction, self.friction >= 0.0, "zero or more")?;
        check_range("damping", self.damping, self.damping >= 0.0, "zero or more")
    }
}

/// Materials with names. The constants are round numbers from the usual ranges of each material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaterialPreset {
    /// Natural rubber.
    Rubber,
    /// Woven cotton.
    Cloth,
    /// Fat and skin.
    SoftTissue,
    /// Relaxed muscle.
    Muscle,
    /// Articular cartilage.
    Cartilage,
    /// Gelatin.
    Gelatin,
    /// Open-cell polyurethane foam.
    Foam,
    /// Tanned leather.
    Leather,
    /// Fibre rope, along its strands.
    Rope,
    /// Steel wire rope, along its wires.
    SteelCable,
    /// Tendon, along its fibres.
    Tendon,
    /// Office paper.
    Paper,
    /// Polyethylene.
    FlexiblePlastic,
    /// Balsa, along the grain.
    SoftWood,
}

impl MaterialPreset {
    /// All presets.
    pub const ALL: [Self; 14] = [
        Self::Rubber,
        Self::Cloth,
        Self::SoftTissue,
        Self::Muscle,
        Self::Cartilage,
        Self::Gelatin,
        Self::Foam,
        Self::Leather,
        Self::Rope,
        Self::SteelCable,
        Self::Tendon,
        Self::Paper,
        Self::FlexiblePlastic,
        Self::SoftWood,
    ];

    /// The constants of this material.
    #[must_use]
    pub fn material(self) -> Material {
        let (young, poisson, density, friction, damping) = match self {
            Self::Rubber => (2e6, 0.49, 1100.0, 0.9, 1e-3),
            Self::Cloth => (5e6, 0.3, 500.0, 0.5, 2e-3),
            Self::SoftTissue => (1e4, 0.47, 1000.0, 0.5, 1e-2),
            Self::Muscle => (5e4, 0.47, 1060.0, 0.5, 5e-3),
            Self::Cartilage => (1e7, 0.4, 1100.0, 0.05, 1e-3),
            Self::Gelatin => (5e3, 0.45, 1000.0, 0.3, 5e-3),
            Self::Foam => (5e4, 0.1, 50.0, 0.6, 5e-3),
            Self::Leather => (5e7, 0.4, 900.0, 0.6, 1e-3),
            Self::Rope => (1e9, 0.3, 1100.0, 0.5, 1e-3),
            Self::SteelCable => (1e11, 0.3, 7800.0, 0.2, 1e-5),
            Self::Tendon => (1.2e9, 0.4, 1120.0, 0.1, 1e-4),
            Self::Paper => (3e9, 0.2, 800.0, 0.4, 1e-5),
            Self::FlexiblePlastic => (2e8, 0.42, 920.0, 0.3, 1e-4),
            Self::SoftWood => (3e9, 0.3, 160.0, 0.4, 1e-5),
        };
        Material { young, poisson, density, friction, damping }
    }
}

impl From<MaterialPreset> for Material {
    fn from(preset: MaterialPreset) -> Self {
        preset.material()
    }
}
