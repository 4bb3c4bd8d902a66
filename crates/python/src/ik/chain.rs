//! `CoreChain`: a chain between two frames of a model.

use super::convert::{array, fault, find_frame};
use crate::args::{Fixed, Values, filled, room};
use crate::lock::Brief;
use crate::model::CoreModel;
use crate::panics::guarded;
use kinetree_ik::{Chain, JointFrameCache, Pose, ReferenceFrame, Singularity};
use numpy::PyArrayDyn;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Memory of single calls.
struct Workspace {
    cache: JointFrameCache,
    columns: Vec<[f64; 6]>,
    singularity: Singularity,
}

/// A chain of joints between two frames. Python places its objects at multiples of 16 bytes only, and lanes
/// need more: they are boxed.
#[pyclass(frozen, subclass, module = "kinetree._core")]
pub(crate) struct CoreChain {
    pub(super) chain: Box<Chain>,
    workspace: Box<Brief<Workspace>>,
}

/// Invariant: nothing in the objects that Python places needs a larger alignment than Python gives.
const _: () = assert!(align_of::<CoreChain>() <= 16);

type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

/// Positions and quaternions of poses, in the given leading shape.
fn poses<'py>(py: Python<'py>, poses: &[Pose], shape: &[usize]) -> PyResult<(Array<'py>, Array<'py>)> {
    let (mut pos, mut quat) = (room(3 * poses.len())?, room(4 * poses.len())?);
    pos.extend(poses.iter().flat_map(|p| [p.pos.x, p.pos.y, p.pos.z]));
    quat.extend(poses.iter().flat_map(Pose::quat));
    Ok((array(py, pos, &[shape, &[3]].concat())?, array(py, quat, &[shape, &[4]].concat())?))
}

/// Reference frame by name.
fn reference(name: &str) -> PyResult<ReferenceFrame> {
    match name {
        "world" => Ok(ReferenceFrame::World),
        "local" | "geometric" => Ok(ReferenceFrame::Local),
        "local_world_aligned" | "analytic" => Ok(ReferenceFrame::LocalWorldAligned),
        _ => Err(PyValueError::new_err(format!(
            "unknown reference frame '{name}': take 'world', 'local' or 'local_world_aligned'"
        ))),
    }
}

/// Columns as rows of a matrix.
fn row_major(columns: &[[f64; 6]]) -> Vec<f64> {
    (0..6).flat_map(|row| columns.iter().map(move |column| column[row])).collect()
}

/// A Jacobian, shape (6, n), of a frame at a pose, taken from one reference frame to another.
#[pyfunction]
pub(super) fn convert_jacobian<'py>(
    py: Python<'py>,
    jacobian: Values,
    pos: Fixed<3>,
    quat: Fixed<4>,
    from_type: &str,
    to_type: &str,
) -> PyResult<Array<'py>> {
    let (from, to) = (reference(from_type)?, reference(to_type)?);
    let [6, n] = jacobian.shape[..] else {
        let shape = &jacobian.shape;
        return Err(PyTypeError::new_err(format!("jacobian must have shape (6, n), it has {shape:?}")));
    };
    let rows = &jacobian.values;
    let mut columns: Vec<[f64; 6]> = (0..n).map(|j| std::array::from_fn(|i| rows[i * n + j])).collect();
    kinetree_ik::convert_jacobian(&mut columns, &Pose::new(&pos.0, &quat.0), from, to);
    array(py, row_major(&columns), &[6, n])
}

impl CoreChain {
    /// Number of configurations in an array of shape (nq,) or (n, nq), and its leading shape.
    fn count(&self, q: &Values) -> PyResult<(usize, Vec<usize>)> {
        let nq = self.chain.nq();
        match q.shape[..] {
            [n] if n == nq => Ok((1, vec![])),
            [n, m] if m == nq => Ok((n, vec![n])),
            _ => Err(PyTypeError::new_err(format!(
                "q must have shape ({nq},) or (n, {nq}), it has {:?}",
                q.shape
            ))),
        }
    }
}

#[pymethods]
impl CoreChain {
    #[new]
    #[pyo3(signature = (model, base, end, base_type=None, end_type=None))]
    fn new(
        model: &Bound<'_, CoreModel>,
        base: &str,
        end: &str,
        base_type: Option<&str>,
        end_type: Option<&str>,
    ) -> PyResult<Self> {
        model.get().check_indices()?;
        let model = model.get().read()?;
        let (base, end) = (find_frame(&model, base, base_type)?, find_frame(&model, end, end_type)?);
        let chain = guarded(|| Chain::between(&model, base, end))?.map_err(fault)?;
        let workspace = Box::new(Brief::new(Workspace {
            cache: JointFrameCache::new(&chain),
            columns: vec![[0.0; 6]; chain.nv()],
            singularity: Singularity::new(chain.nv()),
        }));
        Ok(Self { chain: Box::new(chain), workspace })
    }

    /// Number of joint values.
    #[getter]
    fn nq(&self) -> usize {
        self.chain.nq()
    }

    /// Number of joint velocities.
    #[getter]
    fn nv(&self) -> usize {
        self.chain.nv()
    }

    /// Upper bound of the distance between the first joint and the end in metres.
    #[getter]
    fn reach(&self) -> f64 {
        self.chain.reach()
    }

    /// Names of the joints, from the base to the end.
    #[getter]
    fn joint_names(&self) -> Vec<String> {
        self.chain.variables().iter().map(|v| v.name.clone()).collect()
    }

    /// Indices of the joint values in `qpos`.
    #[getter]
    fn qpos_indices(&self) -> Vec<usize> {
        self.chain.variables().iter().flat_map(|v| v.qposadr..v.qposadr + v.kind.nq()).collect()
    }

    /// Indices of the joint velocities in `qvel`.
    #[getter]
    fn dof_indices(&self) -> Vec<usize> {
        self.chain.variables().iter().flat_map(|v| v.dofadr..v.dofadr + v.kind.nv()).collect()
    }

    /// Lower and upper limits, one row for each joint.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let ranges: Vec<f64> = self.chain.variables().iter().flat_map(|v| v.range).collect();
        let rows = self.chain.variables().len();
        array(py, ranges, &[rows, 2])
    }

    /// Joint values in the middle of the limits, 0 where there are none, shape (nq,).
    fn neutral<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        array(py, self.chain.neutral(), &[self.chain.nq()])
    }

    /// Forward kinematics: position (3,) and quaternion (4,) of the end in the base.
    ///
    /// Args:
    ///     q: joint values, shape (nq,) or (n, nq), for which the results have n rows.
    fn fk<'py>(&self, py: Python<'py>, q: Values) -> PyResult<(Array<'py>, Array<'py>)> {
        let (count, shape) = self.count(&q)?;
        let mut list = filled(Pose::IDENTITY, count)?;
        py.detach(|| guarded(|| self.chain.fk_batch(&q.values, &mut list)))?.map_err(fault)?;
        poses(py, &list, &shape)
    }

    /// Jacobian of the end, shape (6, nv), linear rows first.
    ///
    /// Args:
    ///     q: joint values, shape (nq,) or (n, nq), for which the result has n matrices.
    ///     frame: axes and point of reference: `world`, `local` or `local_world_aligned`.
    #[pyo3(signature = (q, frame="local_world_aligned"))]
    fn jacobian<'py>(&self, py: Python<'py>, q: Values, frame: &str) -> PyResult<Array<'py>> {
        let (frame, (count, shape), nv) = (reference(frame)?, self.count(&q)?, self.chain.nv());
        let shape = [&shape[..], &[6, nv]].concat();
        if count == 1 {
            let rows = self.workspace.with(|Workspace { cache, columns, .. }| {
                guarded(|| self.chain.jacobian(&q.values, frame, cache, columns))?.map_err(fault)?;
                Ok::<_, PyErr>(row_major(columns))
            })?;
            return array(py, rows, &shape);
        }
        let (mut list, mut columns) = (filled(Pose::IDENTITY, count)?, filled([0.0; 6], count * nv)?);
        py.detach(|| guarded(|| self.chain.jacobian_batch(&q.values, frame, &mut list, &mut columns)))?
            .map_err(fault)?;
        let mut rows = room(6 * columns.len())?;
        rows.extend(columns.chunks(nv).flat_map(row_major));
        array(py, rows, &shape)
    }

    /// Poses of the bodies that the joints move, one row for each joint.
    ///
    /// Args:
    ///     q: joint values, shape (nq,).
    fn frames<'py>(&self, py: Python<'py>, q: Values) -> PyResult<(Array<'py>, Array<'py>)> {
        let list: Vec<Pose> = self.workspace.with(|Workspace { cache, .. }| {
            self.chain.fk(&q.values, cache).map_err(fault)?;
            Ok::<_, PyErr>((0..self.chain.njoint()).map(|i| cache.link_pose(&self.chain, i)).collect())
        })?;
        poses(py, &list, &[list.len()])
    }

    /// Time derivative of the Jacobian, shape (6, nv).
    ///
    /// Args:
    ///     q: joint values, shape (nq,).
    ///     v: joint velocities, shape (nv,).
    ///     frame: axes and point of reference: `world`, `local` or `local_world_aligned`.
    #[pyo3(signature = (q, v, frame="local_world_aligned"))]
    fn jacobian_derivative<'py>(
        &self,
        py: Python<'py>,
        q: Values,
        v: Values,
        frame: &str,
    ) -> PyResult<Array<'py>> {
        let frame = reference(frame)?;
        let rows = self.workspace.with(|Workspace { cache, columns, .. }| {
            let done = self.chain.jacobian_derivative(&q.values, &v.values, frame, cache, columns);
            done.map(|_| row_major(columns)).map_err(fault)
        })?;
        array(py, rows, &[6, self.chain.nv()])
    }

    /// Product of the Hessian of a weighted pose with a direction, shape (nv,).
    ///
    /// Args:
    ///     q: joint values, shape (nq,).
    ///     direction: joint velocities, shape (nv,).
    ///     weight: weights of the six rows of the Jacobian.
    ///     frame: axes and point of reference: `world`, `local` or `local_world_aligned`.
    #[pyo3(signature = (q, direction, weight, frame="local_world_aligned"))]
    fn hessian_vector_product<'py>(
        &self,
        py: Python<'py>,
        q: Values,
        direction: Values,
        weight: Fixed<6>,
        frame: &str,
    ) -> PyResult<Array<'py>> {
        let (frame, mut product) = (reference(frame)?, vec![0.0; self.chain.nv()]);
        let out = &mut product;
        self.workspace.with(|Workspace { cache, .. }| {
            let (q, direction) = (&q.values, &direction.values);
            self.chain.hessian_vector_product(q, direction, &weight.0, frame, cache, out).map_err(fault)
        })?;
        array(py, product, &[self.chain.nv()])
    }

    /// Singular values of the Jacobian, largest first, and an orthonormal basis of its null space, one row
    /// for each vector.
    ///
    /// Args:
    ///     q: joint values, shape (nq,).
    ///     tolerance: singular values below this times the largest count as zero.
    #[pyo3(signature = (q, tolerance=1e-9))]
    fn decompose<'py>(
        &self,
        py: Python<'py>,
        q: Values,
        tolerance: f64,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let (values, vectors) = self.workspace.with(|Workspace { cache, columns, singularity }| {
            self.chain.jacobian(&q.values, ReferenceFrame::default(), cache, columns).map_err(fault)?;
            singularity.decompose(columns);
            let values: Vec<f64> = singularity.values().collect();
            let vectors: Vec<f64> = singularity.null_space(tolerance).flatten().copied().collect();
            Ok::<_, PyErr>((values, vectors))
        })?;
        let (count, nv) = (values.len(), self.chain.nv());
        let rows = vectors.len() / nv;
        Ok((array(py, values, &[count])?, array(py, vectors, &[rows, nv])?))
    }
}
