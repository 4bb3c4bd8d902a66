//! `CoreSoftWorld`: deformable bodies beside a data, which the Python class `SoftWorld` wraps.
//!
//! Positions, velocities and forces of vertices are views. Bodies are never taken out of a world, and their
//! arrays stay where they are.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call, errors for the exception

use crate::args::{Fixed, Values};
use crate::call::{self, PyData, PyModel};
use crate::callbacks::pending_error;
use crate::errors::fatal;
use crate::health::refuse;
use crate::ik::convert::array;
use crate::memory::{Owner, Shared, view_vectors};
use crate::panics::guarded;
use crate::scene::{CoreScene, Struct};
use kinetree_math::Vec3;
use kinetree_model::{Data, Model, is_interrupted};
use kinetree_render::scene::MjvOption;
use kinetree_soft::{
    CapsuleChain, ChainPreset, ChainSection, Cloth, ClothPreset, Constraint, DeformableBody, Material,
    MaterialPreset, Network, Particles, SleepSettings, SoftBody, SoftBodyPreset, SoftError, SoftWorld,
    Substeps, TetrahedralMesh, TriangleMesh, XpbdSettings,
};
use kinetree_viewer::draw_soft_world;
use numpy::PyArrayDyn;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// Deformable bodies that share the world of a data.
#[pyclass(frozen, subclass, module = "kinetree._core")]
pub(crate) struct CoreSoftWorld {
    pub(crate) world: Arc<Shared<SoftWorld>>,
    owner: Py<Owner>,
}

pub(crate) type Array<'py, T = f64> = Bound<'py, PyArrayDyn<T>>;

/// Young's modulus, Poisson's ratio, density, friction and damping.
type Constants = [f64; 5];

/// Substeps (none: as many as needed), sweeps, drag, speed and time of sleep, contact with itself.
type Settings = (Option<usize>, usize, f64, Option<(f64, f64)>, bool);

/// An error of the engine: an `IndexError` for what is not there, a `FatalError` for a step that cannot be
/// made, a `ValueError` otherwise.
pub(crate) fn fault(error: SoftError) -> PyErr {
    match error {
        SoftError::OutOfRange { .. } => PyIndexError::new_err(error.to_string()),
        SoftError::Step(_) | SoftError::State(_) => fatal(error),
        _ => PyValueError::new_err(error.to_string()),
    }
}

fn material([young, poisson, density, friction, damping]: Constants) -> Material {
    Material { young, poisson, density, friction, damping }
}

fn constants(material: Material) -> Constants {
    [material.young, material.poisson, material.density, material.friction, material.damping]
}

fn settings((substeps, iterations, drag, sleep, self_contact): Settings) -> XpbdSettings {
    XpbdSettings {
        substeps: substeps.map_or(Substeps::Auto, Substeps::Fixed),
        iterations,
        drag,
        sleep: sleep.map(|(speed, time)| SleepSettings { speed, time }),
        self_contact,
    }
}

/// Rows of three numbers as vectors.
pub(crate) fn vectors(what: &str, numbers: &Values) -> PyResult<Vec<Vec3>> {
    match numbers.shape[..] {
        [_, 3] => Ok(numbers.values.chunks_exact(3).map(Vec3::from_column_slice).collect()),
        _ => Err(PyTypeError::new_err(format!("{what} must have shape (n, 3), it has {:?}", numbers.shape))),
    }
}

/// Rows of vertex numbers.
pub(crate) fn elements<const N: usize>(what: &str, numbers: &Values<i64>) -> PyResult<Vec<[u32; N]>> {
    if numbers.shape.len() != 2 || numbers.shape[1] != N {
        return Err(PyTypeError::new_err(format!(
            "{what} must have shape (n, {N}), it has {:?}",
            numbers.shape
        )));
    }
    let (rows, _) = numbers.values.as_chunks::<N>();
    // what is no number of a vertex is refused with the element's number
    Ok(rows.iter().map(|row| row.map(|v| u32::try_from(v).unwrap_or(u32::MAX))).collect())
}

pub(crate) fn vector_array<'py>(py: Python<'py>, vectors: &[Vec3]) -> PyResult<Array<'py>> {
    array(py, vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect(), &[vectors.len(), 3])
}

pub(crate) fn element_array<'py, const N: usize>(
    py: Python<'py>,
    rows: &[[u32; N]],
) -> PyResult<Array<'py, i32>> {
    array(py, rows.iter().flatten().map(|&v| v as i32).collect(), &[rows.len(), N])
}

/// Vertices, values at rest and compliances of the constraints of one kind.
type NetworkPart = (Values<i64>, Vec<f64>, Vec<f64>);

/// Appends the constraints of one kind to a list.
fn part<const N: usize>(
    what: &str,
    (vertices, rest, compliance): &NetworkPart,
    list: &mut Vec<Constraint>,
    make: impl Fn([u32; N], f64, f64) -> Constraint,
) -> PyResult<()> {
    let rows = elements(what, vertices)?;
    if rest.len() != rows.len() || compliance.len() != rows.len() {
        let (first, second, third) = (rows.len(), rest.len(), compliance.len());
        let message = format!("{what}: {first} constraints, {second} values at rest and {third} compliances");
        return Err(PyTypeError::new_err(message));
    }
    let numbers = rest.iter().zip(compliance);
    list.extend(rows.into_iter().zip(numbers).map(|(row, (&rest, &compliance))| make(row, rest, compliance)));
    Ok(())
}

fn no_body(index: usize, count: usize) -> PyErr {
    PyIndexError::new_err(format!("there is no deformable body {index}: there are {count}"))
}

impl CoreSoftWorld {
    fn add(&self, body: impl DeformableBody + 'static, with: Settings) -> PyResult<usize> {
        self.world.with(|world| world.add(body, settings(with)))
    }

    /// Calls `f` with a body, to read it.
    fn read<R>(&self, index: usize, f: impl FnOnce(&dyn DeformableBody) -> R) -> PyResult<R> {
        let world = self.world.read()?;
        let body = world.body(index).ok_or_else(|| no_body(index, world.len()))?;
        Ok(f(body))
    }

    /// Calls `f` with a body, to change it.
    fn change<R>(&self, index: usize, f: impl FnOnce(&mut dyn DeformableBody) -> R) -> PyResult<R> {
        self.world.with(|world| {
            let count = world.len();
            let body = world.body_mut(index).ok_or_else(|| no_body(index, count))?;
            guarded(|| f(body))
        })?
    }

    /// Calls `f` with world, model and data, the interpreter lock released.
    fn run<R: Send>(
        &self,
        m: PyModel<'_, '_>,
        d: PyData<'_, '_>,
        f: impl FnOnce(&mut SoftWorld, &Model, &mut Data) -> Result<R, SoftError> + Send,
    ) -> PyResult<R> {
        self.world.with(|world| call::run(m, d, |model, data| f(world, model, data)))??.map_err(fault)
    }
}

#[pymethods]
impl CoreSoftWorld {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(
        py: Python<'_>,
        _args: &Bound<'_, pyo3::types::PyTuple>,
        _kwargs: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> PyResult<Self> {
        let world = Shared::new(SoftWorld::default());
        Ok(Self { owner: Owner::of(py, &world)?, world })
    }

    /// A world with the bodies that the file of a model describes.
    #[staticmethod]
    fn from_model(m: PyModel<'_, '_>) -> PyResult<Self> {
        m.get().check_indices()?;
        let model = m.get().read()?;
        let world = Shared::new(guarded(|| SoftWorld::from_model(&model))?.map_err(fault)?);
        Ok(Self { owner: Owner::of(m.py(), &world)?, world })
    }

    fn count(&self) -> PyResult<usize> {
        Ok(self.world.read()?.len())
    }

    /// Adds a sheet and returns its number.
    fn add_cloth(
        &self,
        position: Values,
        triangles: Values<i64>,
        constants: Constants,
        thickness: f64,
        with: Settings,
    ) -> PyResult<usize> {
        let (position, triangles) = (vectors("position", &position)?, elements("triangles", &triangles)?);
        let cloth =
            guarded(|| Cloth::new(TriangleMesh::new(position, triangles)?, material(constants), thickness));
        self.add(cloth?.map_err(fault)?, with)
    }

    /// Adds a solid and returns its number.
    fn add_solid(
        &self,
        position: Values,
        tetrahedra: Values<i64>,
        constants: Constants,
        radius: f64,
        with: Settings,
    ) -> PyResult<usize> {
        let (position, cells) = (vectors("position", &position)?, elements("tetrahedra", &tetrahedra)?);
        let body = guarded(|| {
            SoftBody::new(TetrahedralMesh::new(position, cells)?, material(constants))?.with_radius(radius)
        });
        self.add(body?.map_err(fault)?, with)
    }

    /// Adds a rope and returns its number.
    fn add_rope(
        &self,
        points: Values,
        constants: Constants,
        section: (f64, f64),
        clamped: (bool, bool),
        with: Settings,
    ) -> PyResult<usize> {
        let (points, (radius, solidity)) = (vectors("points", &points)?, section);
        let section = ChainSection { radius, solidity };
        let mut rope = guarded(|| CapsuleChain::new(points, section, material(constants)))?.map_err(fault)?;
        if clamped.0 {
            rope.clamp_start();
        }
        if clamped.1 {
            rope.clamp_end();
        }
        self.add(rope, with)
    }

    /// Adds a body of single constraints and returns its number. Constraints of a kind are given by vertices,
    /// values at rest and compliances.
    fn add_network(
        &self,
        vertices: (Values, Vec<f64>),
        constraints: (NetworkPart, NetworkPart, NetworkPart),
        constants: Constants,
        radius: f64,
        with: Settings,
    ) -> PyResult<usize> {
        let (position, mass) = (vectors("position", &vertices.0)?, vertices.1);
        let mut list = Vec::new();
        let (distances, dihedrals, volumes) = constraints;
        part("distances", &distances, &mut list, |vertices, length, compliance| Constraint::Distance {
            vertices,
            length,
            compliance,
        })?;
        part("dihedrals", &dihedrals, &mut list, |vertices, angle, compliance| Constraint::Dihedral {
            vertices,
            angle,
            compliance,
        })?;
        part("volumes", &volumes, &mut list, |vertices, volume, compliance| Constraint::Volume {
            vertices,
            volume,
            compliance,
        })?;
        let body =
            guarded(|| Network::new(Particles::new(position, mass)?, &list, material(constants), radius));
        self.add(body?.map_err(fault)?, with)
    }

    /// A writable view of the position, velocity or force of all vertices of a body.
    fn array<'py>(&self, py: Python<'py>, index: usize, name: &str) -> PyResult<Array<'py>> {
        let owner = self.owner.bind(py);
        self.change(index, |body| {
            let particles = body.particles_mut();
            match name {
                "position" => Ok(view_vectors(&mut particles.position, owner)),
                "velocity" => Ok(view_vectors(&mut particles.velocity, owner)),
                "force" => Ok(view_vectors(&mut particles.force, owner)),
                _ => Err(PyKeyError::new_err(name.to_owned())),
            }
        })?
    }

    /// Masses of the vertices of a body.
    fn mass<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Array<'py>> {
        let mass = self.read(index, |body| body.particles().mass().to_vec())?;
        let count = mass.len();
        array(py, mass, &[count])
    }

    /// Triangles of the surface of a body.
    fn triangles<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Array<'py, i32>> {
        element_array(py, &self.read(index, |body| body.triangles().to_vec())?)
    }

    /// Edges of the surface of a body, or the segments of a rope.
    fn edges<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Array<'py, i32>> {
        element_array(py, &self.read(index, |body| body.edges())?)
    }

    fn radius(&self, index: usize) -> PyResult<f64> {
        self.read(index, |body| body.radius())
    }

    /// Kinetic and elastic energy.
    fn energy(&self, index: usize) -> PyResult<(f64, f64)> {
        let energy =
            self.change(index, |body| Ok((body.particles().kinetic_energy(), body.elastic_energy()?)))?;
        energy.map_err(fault)
    }

    fn pin(&self, index: usize, vertex: usize) -> PyResult<()> {
        self.change(index, |body| body.particles_mut().pin(vertex))?.map_err(fault)
    }

    fn unpin(&self, index: usize, vertex: usize) -> PyResult<()> {
        self.change(index, |body| body.particles_mut().unpin(vertex))?.map_err(fault)
    }

    fn attach_to_body(
        &self,
        m: PyModel<'_, '_>,
        d: PyData<'_, '_>,
        index: usize,
        vertex: usize,
        body: usize,
    ) -> PyResult<()> {
        self.run(m, d, |world, model, data| world.attach_to_body((index, vertex), model, data, body))
    }

    fn attach_to_site(
        &self,
        m: PyModel<'_, '_>,
        d: PyData<'_, '_>,
        index: usize,
        vertex: usize,
        site: usize,
    ) -> PyResult<()> {
        self.run(m, d, |world, model, _| world.attach_to_site((index, vertex), model, site))
    }

    fn detach(&self, index: usize, vertex: usize) -> PyResult<()> {
        self.world.with(|world| world.detach(index, vertex))?.map_err(fault)
    }

    fn is_asleep(&self, index: usize) -> PyResult<bool> {
        Ok(self.world.read()?.is_asleep(index))
    }

    fn wake(&self, index: usize) -> PyResult<()> {
        self.change(index, |_| ())
    }

    /// Advances model, data and all bodies by some steps. A signal handler that raises an exception, as that
    /// of Ctrl-C does, ends the run after a step, or before one of many substeps.
    fn step(&self, m: PyModel<'_, '_>, d: PyData<'_, '_>, nstep: usize) -> PyResult<()> {
        let core = d.get();
        self.world.with(|world| {
            call::run(m, d, |model, data| {
                refuse(data, core.has_diverged())?;
                for _ in 0..nstep {
                    match world.step_watched(model, data, &mut || !is_interrupted()) {
                        Err(SoftError::Interrupted) => break,
                        stepped => stepped.map_err(fault)?,
                    }
                    if pending_error() || is_interrupted() {
                        break;
                    }
                }
                Ok(())
            })
        })??
    }

    /// Adds the bodies to a scene that was updated.
    fn draw(&self, m: PyModel<'_, '_>, opt: Struct<'_, MjvOption>, scn: &CoreScene) -> PyResult<()> {
        let (world, model) = (self.world.read()?, m.get().read()?);
        scn.update(m.py(), true, |scn| guarded(|| draw_soft_world(&model, &world, &opt.value, scn)))
    }

    fn name(&self, index: usize) -> PyResult<String> {
        Ok(self.world.read()?.name(index).to_owned())
    }

    /// Red, green, blue and opacity.
    fn rgba(&self, index: usize) -> PyResult<[f32; 4]> {
        let world = self.world.read()?;
        world.rgba(index).ok_or_else(|| no_body(index, world.len()))
    }

    fn set_rgba(&self, index: usize, rgba: [f32; 4]) -> PyResult<()> {
        self.world.with(|world| world.set_rgba(index, rgba))?.map_err(fault)
    }

    /// The state of the data and of all bodies.
    fn state<'py>(&self, py: Python<'py>, m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<Array<'py>> {
        let state = self.run(m, d, |world, model, data| world.state(model, data))?;
        let count = state.len();
        array(py, state, &[count])
    }

    fn set_state(&self, m: PyModel<'_, '_>, d: PyData<'_, '_>, state: Values) -> PyResult<()> {
        self.run(m, d, |world, model, data| world.set_state(model, data, &state.values))
    }

    fn reset(&self, m: PyModel<'_, '_>, d: PyData<'_, '_>) -> PyResult<()> {
        self.world.with(|world| call::restore(m, d, |model, data| world.reset(model, data)))?
    }
}

/// Vertices and triangles of a flat rectangle.
#[pyfunction]
fn soft_grid<'py>(
    py: Python<'py>,
    cells: [usize; 2],
    size: Fixed<2>,
) -> PyResult<(Array<'py>, Array<'py, i32>)> {
    let mesh = guarded(|| TriangleMesh::grid(cells, size.0))?.map_err(fault)?;
    Ok((vector_array(py, mesh.position())?, element_array(py, mesh.triangles())?))
}

/// Vertices and tetrahedra of a block.
#[pyfunction]
fn soft_block<'py>(
    py: Python<'py>,
    cells: [usize; 3],
    size: Fixed<3>,
) -> PyResult<(Array<'py>, Array<'py, i32>)> {
    let mesh = guarded(|| TetrahedralMesh::block(cells, size.0))?.map_err(fault)?;
    Ok((vector_array(py, mesh.position())?, element_array(py, mesh.tetrahedra())?))
}

/// Vertices and tetrahedra inside of a closed surface.
#[pyfunction]
fn soft_fill<'py>(
    py: Python<'py>,
    position: Values,
    triangles: Values<i64>,
    cell: f64,
) -> PyResult<(Array<'py>, Array<'py, i32>)> {
    let (position, triangles) = (vectors("position", &position)?, elements("triangles", &triangles)?);
    let mesh = guarded(|| TetrahedralMesh::from_surface(&TriangleMesh::new(position, triangles)?, cell))?
        .map_err(fault)?;
    Ok((vector_array(py, mesh.position())?, element_array(py, mesh.tetrahedra())?))
}

/// Names of presets with constants; of sheets with their thickness, of ropes with radius and solidity.
#[pyfunction]
fn soft_presets() -> PyResult<Presets> {
    let materials = MaterialPreset::ALL.map(|p| (format!("{p:?}"), constants(p.material())));
    let cloths = ClothPreset::ALL.map(|p| (format!("{p:?}"), constants(p.material()), p.thickness()));
    let solids = SoftBodyPreset::ALL.map(|p| (format!("{p:?}"), constants(p.into())));
    let ropes = ChainPreset::ALL.map(|p| {
        let ChainSection { radius, solidity } = p.section();
        (format!("{p:?}"), constants(p.material()), radius, solidity)
    });
    Ok((materials.into(), cloths.into(), solids.into(), ropes.into()))
}

/// Materials, sheets, solids and ropes.
type Presets = (
    Vec<(String, Constants)>,
    Vec<(String, Constants, f64)>,
    Vec<(String, Constants)>,
    Vec<(String, Constants, f64, f64)>,
);

/// Adds the classes and functions of this file to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CoreSoftWorld>()?;
    module.add_function(wrap_pyfunction!(soft_grid, module)?)?;
    module.add_function(wrap_pyfunction!(soft_block, module)?)?;
    module.add_function(wrap_pyfunction!(soft_fill, module)?)?;
    module.add_function(wrap_pyfunction!(soft_presets, module)?)
}
