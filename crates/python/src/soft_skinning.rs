//! `CoreSkinnedMesh`: a mesh that bones move, which the Python class `SkinnedMesh` wraps.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

use crate::args::Values;
use crate::panics::guarded;
use crate::soft::{Array, element_array, elements, fault, vector_array, vectors};
use kinetree_soft::skinning::{Bone, Pose, Skeleton, SkinnedMesh, SkinningMethod, vertex_normals};
use kinetree_soft::{Quat, Vec3};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A mesh with the bones that move it.
#[pyclass(frozen, module = "kinetree._core")]
pub(crate) struct CoreSkinnedMesh {
    skeleton: Skeleton,
    mesh: SkinnedMesh,
}

/// Vertices and normals.
type Shape<'py> = (Array<'py>, Array<'py>);

/// Rows of four numbers as unit quaternions.
fn quaternions(what: &str, numbers: &Values) -> PyResult<Vec<Quat>> {
    let [_, 4] = numbers.shape[..] else {
        return Err(PyTypeError::new_err(format!(
            "{what} must have shape (n, 4), it has {:?}",
            numbers.shape
        )));
    };
    let (rows, _) = numbers.values.as_chunks::<4>();
    let unit = |(index, quat): (usize, &Quat)| {
        let norm = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 && norm.is_finite() {
            return Ok(quat.map(|x| x / norm));
        }
        let message =
            format!("row {index} of {what} is {quat:?}: a quaternion has finite numbers, not all zero");
        Err(PyValueError::new_err(message))
    };
    rows.iter().enumerate().map(unit).collect()
}

/// Poses of as many bones as there are rows.
fn poses(position: &Values, orientation: &Values) -> PyResult<Vec<Pose>> {
    let (position, orientation) = (vectors("position", position)?, quaternions("orientation", orientation)?);
    if position.len() != orientation.len() {
        let (first, second) = (position.len(), orientation.len());
        let message =
            format!("there are {first} positions and {second} orientations: each bone has one of both");
        return Err(PyTypeError::new_err(message));
    }
    if let Some(index) = position.iter().position(|x| !x.iter().all(|x| x.is_finite())) {
        return Err(PyValueError::new_err(format!("row {index} of position is not finite")));
    }
    let pair = |(position, orientation)| Pose { position, orientation };
    Ok(position.into_iter().zip(orientation).map(pair).collect())
}

#[pymethods]
impl CoreSkinnedMesh {
    /// Bones are given by names, parents (−1: none) and poses at rest relative to these; weights by a row for
    /// each vertex and a column for each bone.
    #[new]
    fn new(
        names: Vec<String>,
        parents: Vec<i64>,
        rest: (Values, Values),
        mesh: (Values, Values<i64>),
        weights: Values,
    ) -> PyResult<Self> {
        let rest = poses(&rest.0, &rest.1)?;
        let count = names.len();
        if rest.len() != count || parents.len() != count {
            return Err(PyTypeError::new_err("names, parents and poses of bones differ in number"));
        }
        let parent = |parent: i64| (parent >= 0).then_some(parent as usize);
        let bones = names.into_iter().zip(parents).zip(rest);
        let bones = bones.map(|((name, above), rest)| Bone { name, parent: parent(above), rest }).collect();
        let (position, triangles) = (vectors("position", &mesh.0)?, elements("triangles", &mesh.1)?);
        if weights.shape != [position.len(), count] {
            let message = format!(
                "weights must have shape ({}, {count}), a row for each vertex and a column for each bone; it has {:?}",
                position.len(),
                weights.shape
            );
            return Err(PyTypeError::new_err(message));
        }
        let row = |row: &[f64]| -> Vec<(u32, f64)> {
            let columns = row.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
            columns.map(|(bone, &weight)| (bone as u32, weight)).collect()
        };
        let weights: Vec<_> = weights.values.chunks_exact(count.max(1)).map(row).collect();
        let made = guarded(|| {
            let skeleton = Skeleton::new(bones)?;
            let mesh = SkinnedMesh::new(position, triangles, &weights, &skeleton)?;
            Ok(Self { skeleton, mesh })
        });
        made?.map_err(fault)
    }

    /// Vertices and normals for poses of the bones, in the world or relative to their parents.
    fn deform<'py>(
        &self,
        py: Python<'py>,
        pose: (Values, Values),
        dual: bool,
        local: bool,
    ) -> PyResult<Shape<'py>> {
        let mut poses = poses(&pose.0, &pose.1)?;
        let method = if dual { SkinningMethod::DualQuaternion } else { SkinningMethod::LinearBlend };
        let (mut positions, mut normals): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
        let deformed = guarded(|| {
            if local {
                poses = self.skeleton.world_poses(&poses)?;
            }
            self.mesh.deform(&poses, method, &mut positions, &mut normals)
        });
        deformed?.map_err(fault)?;
        Ok((vector_array(py, &positions)?, vector_array(py, &normals)?))
    }

    /// Triangles of the mesh.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Array<'py, i32>> {
        element_array(py, self.mesh.triangles())
    }
}

/// Unit normals of the vertices of a mesh.
#[pyfunction]
fn soft_normals<'py>(py: Python<'py>, position: Values, triangles: Values<i64>) -> PyResult<Array<'py>> {
    let (position, triangles) = (vectors("position", &position)?, elements("triangles", &triangles)?);
    let mut normals = Vec::new();
    guarded(|| vertex_normals(&position, &triangles, &mut normals))?.map_err(fault)?;
    vector_array(py, &normals)
}

/// Adds the class and the function of this file to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CoreSkinnedMesh>()?;
    module.add_function(wrap_pyfunction!(soft_normals, module)?)
}
