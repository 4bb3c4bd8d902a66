//! Colours of materials in pictures.

use crate::chain::ChainPreset;
use crate::cloth::ClothPreset;
use crate::material::{Material, MaterialPreset};
use crate::soft_body::SoftBodyPreset;

/// An opaque colour.
const fn opaque(red: f32, green: f32, blue: f32) -> [f32; 4] {
    [red, green, blue, 1.0]
}

impl MaterialPreset {
    /// The usual colour of this material: red, green, blue and opacity.
    #[must_use]
    pub fn rgba(self) -> [f32; 4] {
        match self {
            Self::Rubber => opaque(0.25, 0.27, 0.30),
            Self::Cloth => opaque(0.85, 0.82, 0.75),
            Self::SoftTissue => opaque(0.93, 0.72, 0.62),
            Self::Muscle => opaque(0.72, 0.22, 0.20),
            Self::Cartilage => opaque(0.82, 0.88, 0.90),
            Self::Gelatin => [0.85, 0.25, 0.35, 0.8],
            Self::Foam => opaque(0.95, 0.82, 0.35),
            Self::Leather => opaque(0.45, 0.28, 0.16),
            Self::Rope => opaque(0.76, 0.62, 0.40),
            Self::SteelCable => opaque(0.60, 0.62, 0.65),
            Self::Tendon => opaque(0.90, 0.86, 0.80),
            Self::Paper => opaque(0.96, 0.96, 0.94),
            Self::FlexiblePlastic => opaque(0.20, 0.45, 0.75),
            Self::SoftWood => opaque(0.87, 0.72, 0.50),
        }
    }
}

impl ClothPreset {
    /// The usual colour of this sheet.
    #[must_use]
    pub fn rgba(self) -> [f32; 4] {
        match self {
            Self::Cotton => MaterialPreset::Cloth.rgba(),
            Self::Silk => opaque(0.60, 0.15, 0.35),
            Self::Leather => MaterialPreset::Leather.rgba(),
            Self::Rubber => opaque(0.30, 0.45, 0.60),
            Self::Paper => MaterialPreset::Paper.rgba(),
            Self::Membrane => opaque(0.90, 0.65, 0.55),
        }
    }
}

impl SoftBodyPreset {
    /// The usual colour of this solid.
    #[must_use]
    pub fn rgba(self) -> [f32; 4] {
        Material::from(self).rgba()
    }
}

impl ChainPreset {
    /// The usual colour of this rope.
    #[must_use]
    pub fn rgba(self) -> [f32; 4] {
        match self {
            Self::Rope => MaterialPreset::Rope.rgba(),
            Self::SteelCable | Self::Chain => MaterialPreset::SteelCable.rgba(),
            Self::SoftCable => opaque(0.15, 0.15, 0.17),
            Self::Hair => opaque(0.25, 0.16, 0.10),
        }
    }
}

impl Material {
    /// A colour for pictures: that of the preset with the nearest stiffness and density.
    #[must_use]
    pub fn rgba(&self) -> [f32; 4] {
        let presets = MaterialPreset::ALL.map(|preset| (preset.material(), preset.rgba()));
        let sheets = ClothPreset::ALL.map(|preset| (preset.material(), preset.rgba()));
        let ropes = ChainPreset::ALL.map(|preset| (preset.material(), preset.rgba()));
        let ratio = |a: f64, b: f64| libm::log(a / b).abs();
        let distance = |other: &Material| ratio(self.young, other.young) + ratio(self.density, other.density);
        // of equally near ones the first
        let nearest = presets
            .into_iter()
            .chain(sheets)
            .chain(ropes)
            .min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
        nearest.map_or(opaque(0.5, 0.5, 0.5), |(_, rgba)| rgba)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A material that is nearly a preset has its colour.
    #[test]
    fn colours_follow_the_material() {
        let foam = MaterialPreset::Foam.material();
        assert_eq!(Material { young: 7e4, ..foam }.rgba(), MaterialPreset::Foam.rgba());
        assert_eq!(ClothPreset::Silk.material().rgba(), ClothPreset::Silk.rgba());
        assert_eq!(ChainPreset::SoftCable.material().rgba(), ChainPreset::SoftCable.rgba());
        for preset in MaterialPreset::ALL {
            assert_eq!(preset.material().rgba(), preset.rgba(), "{preset:?}");
        }
    }
}
