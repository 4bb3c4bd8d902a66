//! Sheets: triangle meshes that resist stretching, shear and bending.

use crate::elastic::Elastic;
use crate::element::{Element, Membrane, TriangleBending};
use crate::error::{SoftError, check_range};
use crate::material::{Material, MaterialPreset};
use crate::mesh::TriangleMesh;
use crate::particles::Particles;

/// Sheets with names: a material and a thickness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClothPreset {
    /// Cotton shirt, 0.5 mm.
    Cotton,
    /// Silk scarf, 0.2 mm.
    Silk,
    /// Leather jacket, 1.5 mm.
    Leather,
    /// Rubber sheet, 1 mm.
    Rubber,
    /// Sheet of paper, 0.1 mm.
    Paper,
    /// Thin elastic skin, 0.3 mm.
    Membrane,
}

impl ClothPreset {
    /// All presets.
    pub const ALL: [Self; 6] =
        [Self::Cotton, Self::Silk, Self::Leather, Self::Rubber, Self::Paper, Self::Membrane];

    /// What the sheet is made of.
    #[must_use]
    pub fn material(self) -> Material {
        let cloth = MaterialPreset::Cloth.material();
        match self {
            Self::Cotton => cloth,
            Self::Silk => Material { young: 3e6, density: 400.0, friction: 0.3, ..cloth },
            Self::Leather => MaterialPreset::Leather.material(),
            Self::Rubber => MaterialPreset::Rubber.material(),
            Self::Paper => MaterialPreset::Paper.material(),
            Self::Membrane => Material { young: 2e5, poisson: 0.45, density: 1000.0, ..cloth },
        }
    }

    /// Thickness (m).
    #[must_use]
    pub fn thickness(self) -> f64 {
        match self {
            Self::Cotton => 5e-4,
            Self::Silk => 2e-4,
            Self::Leather => 1.5e-3,
            Self::Rubber => 1e-3,
            Self::Paper => 1e-4,
            Self::Membrane => 3e-4,
        }
    }
}

/// A thin sheet of an isotropic material.
///
/// Each triangle has constant Green strain and the elasticity of plane stress, and bends like a Kirchhoff
/// plate of the sheet's thickness.
#[derive(Debug, Clone)]
pub struct Cloth {
    elastic: Elastic,
    material: Material,
    radius: f64,
    mesh: TriangleMesh,
}

impl Cloth {
    /// A sheet that is at rest as the mesh lies, with the thickness in metres.
    ///
    /// # Errors
    /// When a constant is out of range, there is no triangle, or a vertex belongs to none.
    pub fn new(mesh: TriangleMesh, material: impl Into<Material>, thickness: f64) -> Result<Self, SoftError> {
        let material = material.into();
        material.check()?;
        check_range("thickness", thickness, thickness > 0.0, "positive")?;
        let count = mesh.triangles().len();
        if count == 0 {
            return Err(SoftError::TooFew { what: "triangles", least: 1, count });
        }
        let particles =
            Particles::new(mesh.position().to_vec(), masses(&mesh, material.density * thickness)?)?;
        let mut elements: Vec<Element> =
            mesh.triangles().iter().map(|t| membrane(&mesh, t, &material, thickness)).collect();
        elements.extend(bending(&mesh, &material, thickness));
        let elastic = Elastic::new(particles, elements, material.damping);
        Ok(Self { elastic, material, radius: 0.5 * thickness, mesh })
    }

    /// A sheet of one of the presets.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn preset(mesh: TriangleMesh, preset: ClothPreset) -> Result<Self, SoftError> {
        Self::new(mesh, preset.material(), preset.thickness())
    }

    /// A flat rectangle around the origin in the plane of x and y with the given size (m), divided into
    /// `cells` along its sides. Vertices are numbered along x first.
    ///
    /// # Errors
    /// When there is no cell along a side, or a size is not positive.
    pub fn grid(cells: [usize; 2], size: [f64; 2], preset: ClothPreset) -> Result<Self, SoftError> {
        Self::preset(TriangleMesh::grid(cells, size)?, preset)
    }

    #[cfg(test)]
    pub(crate) fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// The mesh, as it was at rest.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }
}

elastic_body!(Cloth, |cloth| cloth.mesh.triangles());

/// A third of the mass of its triangles for each vertex.
fn masses(mesh: &TriangleMesh, area_density: f64) -> Result<Vec<f64>, SoftError> {
    let mut mass = vec![0.0; mesh.position().len()];
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|v| mesh.position()[v as usize]);
        let share = area_density * 0.5 * (b - a).cross(&(c - a)).norm() / 3.0;
        triangle.iter().for_each(|&v| mass[v as usize] += share);
    }
    match mass.iter().position(|&m| m == 0.0) {
        Some(vertex) => Err(SoftError::NoMass { vertex, element: "triangle" }),
        None => Ok(mass),
    }
}

/// Constant strain in plane stress: with the sum `s`, the difference `d` of the normal strains and the shear
/// `γ`, the energy per volume is `E/4 (s² / (1 − ν) + (d² + γ²) / (1 + ν))`.
fn membrane(mesh: &TriangleMesh, triangle: &[u32; 3], material: &Material, thickness: f64) -> Element {
    let [a, b, c] = triangle.map(|v| mesh.position()[v as usize]);
    let (u, v) = (b - a, c - a);
    let base = u.norm();
    let along = u / base;
    let (shear, height) = (v.dot(&along), (v - along * v.dot(&along)).norm());
    // gradients of the shape functions in a frame whose first axis is the first edge
    let second = [1.0 / base, -shear / (base * height)];
    let third = [0.0, 1.0 / height];
    let volume = 0.5 * base * height * thickness;
    let stiffness = |factor: f64| 0.5 * material.young * volume / factor;
    let stiffness = [stiffness(1.0 - material.poisson), stiffness(1.0 + material.poisson)];
    Element::Membrane(Membrane { vertices: *triangle, shape: [second, third], stiffness })
}

fn bending<'a>(
    mesh: &'a TriangleMesh,
    material: &Material,
    thickness: f64,
) -> impl Iterator<Item = Element> + 'a {
    let poisson = material.poisson;
    let rigidity = material.young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
    mesh.triangles().iter().zip(mesh.opposite_vertices()).filter_map(move |(&triangle, opposite)| {
        TriangleBending::new(triangle, opposite, mesh.position(), rigidity, poisson).map(Element::Bending)
    })
}
