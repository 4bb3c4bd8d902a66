//! Bodies of constraints that a program chooses one by one.

use crate::elastic::Elastic;
use crate::element::{Element, Row};
use crate::error::{SoftError, check_range, check_vertices};
use crate::material::Material;
use crate::particles::Particles;

/// A constraint of a [`Network`]. Compliances are inverse stiffnesses: the energy is `½ C² / compliance`;
/// zero is rigid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constraint {
    /// Two vertices keep their distance.
    Distance {
        /// The vertices.
        vertices: [u32; 2],
        /// Length at rest (m).
        length: f64,
        /// Compliance (m/N).
        compliance: f64,
    },
    /// The triangles `0 1 2` and `1 0 3` keep their angle.
    Dihedral {
        /// Ends of the common edge, and the vertices opposite of it.
        vertices: [u32; 4],
        /// Angle at rest (rad); zero is flat.
        angle: f64,
        /// Compliance (rad/(N m)).
        compliance: f64,
    },
    /// A tetrahedron keeps its volume.
    Volume {
        /// The vertices; the last one on the side of the normal of the others.
        vertices: [u32; 4],
        /// Volume at rest (m³).
        volume: f64,
        /// Compliance (m³/Pa).
        compliance: f64,
    },
}

impl Constraint {
    fn element(&self, index: usize, count: usize) -> Result<Element, SoftError> {
        let element = match *self {
            Self::Distance { vertices, length, compliance } => {
                Element::Distance(Row { vertices, rest: length, compliance })
            }
            Self::Dihedral { vertices, angle, compliance } => {
                Element::Dihedral(Row { vertices, rest: angle, compliance })
            }
            Self::Volume { vertices, volume, compliance } => {
                Element::Volume(Row { vertices, rest: volume, compliance })
            }
        };
        check_vertices("constraint", index, element.vertices(), count)?;
        let (Self::Distance { length: rest, compliance, .. }
        | Self::Dihedral { angle: rest, compliance, .. }
        | Self::Volume { volume: rest, compliance, .. }) = *self;
        if !(rest.is_finite() && compliance.is_finite() && compliance >= 0.0) {
            return Err(SoftError::NotFinite { what: "rest value or compliance of constraint", index });
        }
        if matches!(self, Self::Distance { .. }) && rest < 0.0 {
            return Err(SoftError::Degenerate { what: "constraint", index, measure: "length", value: rest });
        }
        Ok(element)
    }
}

/// A body of vertices with masses of their own, held together by distance, dihedral and volume constraints.
#[derive(Debug, Clone)]
pub struct Network {
    elastic: Elastic,
    material: Material,
    radius: f64,
}

impl Network {
    /// A body from its vertices and constraints. The material gives friction and damping, and `radius` (m) is
    /// the size of the vertices.
    ///
    /// # Errors
    /// When a constraint refers to vertices that are not there, or a number is out of range.
    pub fn new(
        particles: Particles,
        constraints: &[Constraint],
        material: Material,
        radius: f64,
    ) -> Result<Self, SoftError> {
        material.check()?;
        check_range("radius", radius, radius >= 0.0, "zero or more")?;
        particles.check()?;
        let count = particles.len();
        let elements: Result<Vec<_>, _> =
            constraints.iter().enumerate().map(|(index, c)| c.element(index, count)).collect();
        Ok(Self { elastic: Elastic::new(particles, elements?, material.damping), material, radius })
    }
}

elastic_body!(Network, |_network| &[]);
