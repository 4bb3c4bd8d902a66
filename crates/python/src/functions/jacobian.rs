//! Jacobians of points and frames.

use super::functions;
use crate::args::{Fixed, Out};
use crate::call::{PyData, PyModel, peek};
use crate::errors::{fatal, index};
use kinetree_model::{Data, Model};
use kinetree_sim as sim;
use pyo3::prelude::*;

/// Optional arrays of three rows that a pair of Jacobians is written to.
struct Pair<'py> {
    names: [&'static str; 2],
    arrays: [Option<Out<'py>>; 2],
}

impl<'py> Pair<'py> {
    fn new(names: [&'static str; 2], first: Option<Out<'py>>, second: Option<Out<'py>>) -> Self {
        Self { names, arrays: [first, second] }
    }

    /// Computes the Jacobians that are wanted and writes them.
    fn fill(
        &self,
        m: PyModel<'_, '_>,
        d: PyData<'_, '_>,
        f: impl FnOnce(&Model, &Data, Option<&mut [f64]>, Option<&mut [f64]>) -> PyResult<()>,
    ) -> PyResult<()> {
        let nv = m.get().read()?.nv;
        let mut buffers = [None, None];
        for i in 0..2 {
            if let Some(array) = &self.arrays[i] {
                array.expect_shape(self.names[i], 3, nv)?;
                buffers[i] = Some(vec![0.0; 3 * nv]);
            }
        }
        let [first, second] = &mut buffers;
        peek(m, d, |m, d| f(m, d, first.as_deref_mut(), second.as_deref_mut()))??;
        for (array, buffer) in self.arrays.iter().zip(&buffers) {
            if let (Some(array), Some(buffer)) = (array, buffer) {
                array.write(buffer)?;
            }
        }
        Ok(())
    }
}

/// Jacobian of a point that is fixed to a body: `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` the angular
/// velocity.
///
/// Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before: `subtree_com` and `cdof` are read.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.
///     jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.
///     point: the point in the world, shape (3,) (m).
///     body: id of the body.
///
/// Example::
///
///     jacp = np.zeros((3, model.nv))
///     kinetree.mj_jac(model, data, jacp, None, data.xpos[body], body)
#[pyfunction]
fn mj_jac(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    jacp: Option<Out<'_>>,
    jacr: Option<Out<'_>>,
    point: Fixed<3>,
    body: i64,
) -> PyResult<()> {
    Pair::new(["jacp", "jacr"], jacp, jacr).fill(m, d, |m, d, p, r| {
        sim::mj_jac_into(m, d, p, r, &point.0, index("body", body, m.nbody)?).map_err(fatal)
    })
}

/// Time derivative of the Jacobian of a point that is fixed to a body.
///
/// With it, the acceleration of the point is `jacp @ qacc + jacp_dot @ qvel`. Call `mj_forward` before, or
/// the position stage and `mj_comVel`.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     jacp: array (3, nv) for the derivative of the translational part (1/s, or m/s per rad), or None.
///     jacr: array (3, nv) for the derivative of the rotational part (1/s), or None.
///     point: the point in the world, shape (3,) (m).
///     body: id of the body.
#[pyfunction]
fn mj_jacDot(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    jacp: Option<Out<'_>>,
    jacr: Option<Out<'_>>,
    point: Fixed<3>,
    body: i64,
) -> PyResult<()> {
    Pair::new(["jacp", "jacr"], jacp, jacr).fill(m, d, |m, d, p, r| {
        sim::mj_jac_dot_into(m, d, p, r, &point.0, index("body", body, m.nbody)?).map_err(fatal)
    })
}

/// Defines Jacobians of an element's frame.
macro_rules! frame_jacobians {
    ($( $name:ident($id:ident) $what:literal, $count:ident, |$m:ident, $d:ident| $point:expr, $body:expr; )*) => { $(
        #[doc = concat!(
            "Jacobian of ", $what, ": `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` its angular velocity.\n\n",
            "Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before.\n\n",
            "Args:\n    m: the model, an `MjModel`.\n    d: its data, an `MjData`.\n",
            "    jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.\n",
            "    jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.\n    ",
            stringify!($id), ": id of the ", stringify!($id), "."
        )]
        #[pyfunction]
        fn $name(
            m: PyModel<'_, '_>,
            d: PyData<'_, '_>,
            jacp: Option<Out<'_>>,
            jacr: Option<Out<'_>>,
            $id: i64,
        ) -> PyResult<()> {
            Pair::new(["jacp", "jacr"], jacp, jacr).fill(m, d, |$m, $d, p, r| {
                let $id = index(stringify!($id), $id, $m.$count)?;
                let (point, body) = ($point, $body);
                sim::mj_jac_into($m, $d, p, r, &point, body).map_err(fatal)
            })
        }
    )* };
}

frame_jacobians! {
    mj_jacBody(body) "a body's frame", nbody, |m, d| d.xpos[body], body;
    mj_jacBodyCom(body) "a body's centre of mass", nbody, |m, d| d.xipos[body], body;
    mj_jacGeom(geom) "a geom", ngeom, |m, d| d.geom_xpos[geom], m.geom_bodyid[geom] as usize;
    mj_jacSite(site) "a site", nsite, |m, d| d.site_xpos[site], m.site_bodyid[site] as usize;
}

/// Jacobians of a point and of an axis that move with a body, in world coordinates.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     jacPoint: array (3, nv) for the point (m per m or rad), or None.
///     jacAxis: array (3, nv) for the axis (1/rad), or None.
///     point: the point in the world, shape (3,) (m).
///     axis: the axis in the world, shape (3,).
///     body: id of the body.
#[pyfunction]
fn mj_jacPointAxis(
    m: PyModel<'_, '_>,
    d: PyData<'_, '_>,
    jacPoint: Option<Out<'_>>,
    jacAxis: Option<Out<'_>>,
    point: Fixed<3>,
    axis: Fixed<3>,
    body: i64,
) -> PyResult<()> {
    Pair::new(["jacPoint", "jacAxis"], jacPoint, jacAxis).fill(m, d, |m, d, p, a| {
        let body = index("body", body, m.nbody)?;
        sim::mj_jac_point_axis_into(m, d, p, a, &point.0, &axis.0, body).map_err(fatal)
    })
}

/// Jacobian of the centre of mass of a body and all below it.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     jacp: array of shape (3, nv) that gets it (m per m or rad).
///     body: id of the root of the subtree; 0 for the whole model.
#[pyfunction]
fn mj_jacSubtreeCom(m: PyModel<'_, '_>, d: PyData<'_, '_>, jacp: Option<Out<'_>>, body: i64) -> PyResult<()> {
    Pair::new(["jacp", ""], jacp, None).fill(m, d, |m, d, p, _| {
        let body = index("body", body, m.nbody)?;
        p.map_or(Ok(()), |p| sim::mj_jac_subtree_com_into(m, d, p, body)).map_err(fatal)
    })
}

/// The matrix that takes `qvel` to the angular momentum of a subtree about its centre of mass.
///
/// Args:
///     m: the model, an `MjModel`.
///     d: its data, an `MjData`.
///     mat: array of shape (3, nv) that gets it (kg m, or kg m² of hinges).
///     body: id of the root of the subtree.
#[pyfunction]
fn mj_angmomMat(m: PyModel<'_, '_>, d: PyData<'_, '_>, mat: Out<'_>, body: i64) -> PyResult<()> {
    Pair::new(["mat", ""], Some(mat), None).fill(m, d, |m, d, mat, _| {
        let body = index("body", body, m.nbody)?;
        mat.map_or(Ok(()), |mat| sim::mj_angmom_mat_into(m, d, mat, body)).map_err(fatal)
    })
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions!(module; mj_jac mj_jacDot mj_jacBody mj_jacBodyCom mj_jacGeom mj_jacSite mj_jacPointAxis mj_jacSubtreeCom
        mj_angmomMat);
    Ok(())
}
