//! Solids: tetrahedral meshes that resist shear and changes of volume.
//!
//! Plain linear tetrahedra are too stiff when they are bent or nearly incompressible. The elements here are
//! smoothed (Liu and Nguyen 2010): strain is averaged over the tetrahedra around each edge, and volume over
//! those around each vertex. Every element is then one constraint set over its patch, a uniform deformation
//! has the exact energy, and no vertices are added.

use std::collections::BTreeMap;

use kinetree_math::Vec3;

use crate::elastic::Elastic;
use crate::element::{Element, NodalVolume, StrainPatch, tetrahedron_volume};
use crate::error::{SoftError, check_range};
use crate::material::{Material, MaterialPreset};
use crate::mesh::TetrahedralMesh;
use crate::particles::Particles;

/// Solids with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoftBodyPreset {
    /// Natural rubber.
    Rubber,
    /// Gelatin.
    Gelatin,
    /// Fat and skin.
    SoftTissue,
    /// Relaxed muscle.
    Muscle,
    /// Open-cell foam.
    Foam,
    /// A stiff plastic, which hardly deforms under its weight.
    Stiff,
}

impl SoftBodyPreset {
    /// All presets.
    pub const ALL: [Self; 6] =
        [Self::Rubber, Self::Gelatin, Self::SoftTissue, Self::Muscle, Self::Foam, Self::Stiff];
}

impl From<SoftBodyPreset> for Material {
    fn from(preset: SoftBodyPreset) -> Self {
        match preset {
            SoftBodyPreset::Rubber => MaterialPreset::Rubber,
            SoftBodyPreset::Gelatin => MaterialPreset::Gelatin,
            SoftBodyPreset::SoftTissue => MaterialPreset::SoftTissue,
            SoftBodyPreset::Muscle => MaterialPreset::Muscle,
            SoftBodyPreset::Foam => MaterialPreset::Foam,
            SoftBodyPreset::Stiff => MaterialPreset::FlexiblePlastic,
        }
        .material()
    }
}

/// A solid of an isotropic material, with the energy `μ E:E + λ/2 (J − 1)²` per volume of the Green strain
/// `E` and the change of volume `J`, where `μ` and `λ` are Lamé's parameters.
#[derive(Debug, Clone)]
pub struct SoftBody {
    elastic: Elastic,
    material: Material,
    radius: f64,
    mesh: TetrahedralMesh,
    surface: Vec<[u32; 3]>,
}

impl SoftBody {
    /// A solid that is at rest as the mesh lies.
    ///
    /// # Errors
    /// When a constant is out of range, there is no tetrahedron, or a vertex belongs to none.
    pub fn new(mesh: TetrahedralMesh, material: impl Into<Material>) -> Result<Self, SoftError> {
        let material = material.into();
        material.check()?;
        let count = mesh.tetrahedra().len();
        if count == 0 {
            return Err(SoftError::TooFew { what: "tetrahedra", least: 1, count });
        }
        let volumes: Vec<f64> = mesh.volumes().collect();
        let particles = Particles::new(mesh.position().to_vec(), masses(&mesh, &volumes, material.density)?)?;
        let mut elements = edge_elements(&mesh, &volumes, &material);
        elements.extend(vertex_elements(&mesh, &volumes, &material));
        let surface = mesh.surface();
        let elastic = Elastic::new(particles, elements, material.damping);
        Ok(Self { elastic, material, radius: 0.0, mesh, surface })
    }

    /// A block around the origin with the given size (m), see [`TetrahedralMesh::block`].
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn block(
        cells: [usize; 3],
        size: [f64; 3],
        material: impl Into<Material>,
    ) -> Result<Self, SoftError> {
        Self::new(TetrahedralMesh::block(cells, size)?, material)
    }

    /// The same solid with a skin of this thickness (m) around its vertices, at which contacts begin.
    ///
    /// # Errors
    /// When the thickness is negative or not finite.
    pub fn with_radius(self, radius: f64) -> Result<Self, SoftError> {
        check_range("radius", radius, radius >= 0.0, "zero or more")?;
        Ok(Self { radius, ..self })
    }

    #[cfg(test)]
    pub(crate) fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// The mesh, as it was at rest.
    #[must_use]
    pub fn mesh(&self) -> &TetrahedralMesh {
        &self.mesh
    }

    /// Volume of the present shape (m³).
    #[must_use]
    pub fn volume(&self) -> f64 {
        let position = &self.elastic.particles.position;
        let corners = |t: &[u32; 4]| t.map(|v| position.get(v as usize).unwrap_or(&ORIGIN));
        self.mesh.tetrahedra().iter().map(|t| tetrahedron_volume(corners(t)).0).sum()
    }
}

const ORIGIN: Vec3 = Vec3::new(0.0, 0.0, 0.0);

elastic_body!(SoftBody, |body| &body.surface);

/// A quarter of the mass of its tetrahedra for each vertex.
fn masses(mesh: &TetrahedralMesh, volumes: &[f64], density: f64) -> Result<Vec<f64>, SoftError> {
    let mut mass = vec![0.0; mesh.position().len()];
    for (tetrahedron, volume) in mesh.tetrahedra().iter().zip(volumes) {
        tetrahedron.iter().for_each(|&v| mass[v as usize] += 0.25 * density * volume);
    }
    match mass.iter().position(|&m| m == 0.0) {
        Some(vertex) => Err(SoftError::NoMass { vertex, element: "tetrahedron" }),
        None => Ok(mass),
    }
}

/// Strain around each edge: a sixth of each of its tetrahedra.
fn edge_elements(mesh: &TetrahedralMesh, volumes: &[f64], material: &Material) -> Vec<Element> {
    /// Volume of a patch, and shape gradients of its vertices times that volume.
    type Patch = (f64, BTreeMap<u32, Vec3>);
    let mut patches: BTreeMap<[u32; 2], Patch> = BTreeMap::new();
    for (tetrahedron, volume) in mesh.tetrahedra().iter().zip(volumes) {
        let corner = tetrahedron.map(|v| &mesh.position()[v as usize]);
        // volume times gradient of each shape function is the gradient of the volume
        let partials = tetrahedron_volume(corner).1;
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let (a, b) = (tetrahedron[i], tetrahedron[j]);
            let (sum, shape) = patches.entry([a.min(b), a.max(b)]).or_default();
            *sum += volume / 6.0;
            for (vertex, partial) in tetrahedron.iter().zip(&partials) {
                *shape.entry(*vertex).or_insert(ORIGIN) += partial / 6.0;
            }
        }
    }
    let element = |(volume, shape): Patch| {
        let vertices = shape.keys().copied().collect();
        let shape = shape.into_values().map(|partial| partial / volume).collect();
        let stiffness = 2.0 * material.shear_modulus() * volume;
        Element::Strain(StrainPatch { vertices, shape, stiffness })
    };
    patches.into_values().map(element).collect()
}

/// Change of volume around each vertex: a quarter of each of its tetrahedra.
fn vertex_elements(mesh: &TetrahedralMesh, volumes: &[f64], material: &Material) -> Vec<Element> {
    let mut around = vec![Vec::new(); mesh.position().len()];
    for (index, tetrahedron) in mesh.tetrahedra().iter().enumerate() {
        tetrahedron.iter().for_each(|&v| around[v as usize].push(index));
    }
    let lame = material.lame();
    // no resistance to changes of volume beyond that of the strain
    if lame == 0.0 {
        return Vec::new();
    }
    let element = |(vertex, around): (usize, &Vec<usize>)| {
        let volume = 0.25 * around.iter().map(|&t| volumes[t]).sum::<f64>();
        let (vertices, link) = link(vertex as u32, around.iter().map(|&t| &mesh.tetrahedra()[t]));
        Element::NodalVolume(NodalVolume { vertices, link, volume, stiffness: lame * volume })
    };
    around.iter().enumerate().map(element).collect()
}

/// A vertex with all vertices of its tetrahedra, and the edges opposite of it: see [`NodalVolume`].
fn link<'a>(
    center: u32,
    tetrahedra: impl Iterator<Item = &'a [u32; 4]> + Clone,
) -> (Box<[u32]>, Box<[[u32; 4]]>) {
    let mut vertices: Vec<u32> = tetrahedra.clone().flatten().copied().filter(|&v| v != center).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let place = |vertex: u32| 1 + vertices.partition_point(|&v| v < vertex) as u32;
    let mut edges: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
    let mut more = Vec::new();
    for &[a, b, c, d] in tetrahedra {
        // even permutations bring the vertex to the front, and leave the others as an outward triangle
        let triangles = [(a, [b, c, d]), (b, [a, d, c]), (c, [d, a, b]), (d, [c, b, a])];
        for (_, triangle) in triangles.into_iter().filter(|(front, _)| *front == center) {
            let [a, b, c] = triangle.map(place);
            for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
                let sides = edges.entry([from.min(to), from.max(to)]).or_default();
                match &mut sides[usize::from(from > to)] {
                    free @ 0 => *free = opposite,
                    // three tetrahedra at one face
                    _ => more.push([from, to, opposite, 0]),
                }
            }
        }
    }
    // an edge of one triangle runs in its direction
    let whole = |([a, b], [c, d]): ([u32; 2], [u32; 2])| if c == 0 { [b, a, d, c] } else { [a, b, c, d] };
    let link = edges.into_iter().map(whole).chain(more).collect();
    vertices.insert(0, center);
    (vertices.into(), link)
}
