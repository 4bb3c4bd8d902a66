//! Jacobians of points and frames.

use crate::export;
use crate::ffi::fault::Served;
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;
use kinetree_sim as sim;

/// A function that fills two Jacobians.
macro_rules! frame_jacobians {
    ($( $name:ident $count:ident |$m:ident, $d:ident, $id:ident| $point:expr, $body:expr; )*) => { $(
        export! {
            fn $name(m: ModelPtr<'_>, d: DataPtr<'_>, jacp: Out<'_, f64>, jacr: Out<'_, f64>, id: i32) {
                let ($m, $d) = (m.get()?, d.read()?);
                let $id = index(stringify!($name), id, $m.$count)?;
                let (point, body) = ($point, $body);
                fill($m.nv, jacp, jacr, |p, r| Ok(sim::mj_jac_into($m, $d, p, r, &point, body)?))
            }
        }
    )* };
}

/// Fills two matrices of three rows, each of which may be missing.
fn fill(
    nv: usize,
    jacp: Out<'_, f64>,
    jacr: Out<'_, f64>,
    f: impl FnOnce(Option<&mut [f64]>, Option<&mut [f64]>) -> Served,
) -> Served {
    f(jacp.optional(3 * nv)?, jacr.optional(3 * nv)?)
}

frame_jacobians! {
    mj_jacBody nbody |m, d, body| d.xpos[body], body;
    mj_jacBodyCom nbody |m, d, body| d.xipos[body], body;
    mj_jacGeom ngeom |m, d, geom| d.geom_xpos[geom], m.geom_bodyid[geom] as usize;
    mj_jacSite nsite |m, d, site| d.site_xpos[site], m.site_bodyid[site] as usize;
}

export! {
    fn mj_jac(m: ModelPtr<'_>, d: DataPtr<'_>, jacp: Out<'_, f64>, jacr: Out<'_, f64>, point: In<'_, f64>, body: i32) {
        let (m, d, point) = (m.get()?, d.read()?, point.array()?);
        let body = index("body", body, m.nbody)?;
        fill(m.nv, jacp, jacr, |p, r| Ok(sim::mj_jac_into(m, d, p, r, &point, body)?))
    }
    fn mj_jacDot(m: ModelPtr<'_>, d: DataPtr<'_>, jacp: Out<'_, f64>, jacr: Out<'_, f64>, point: In<'_, f64>, body: i32) {
        let (m, d, point) = (m.get()?, d.read()?, point.array()?);
        let body = index("body", body, m.nbody)?;
        fill(m.nv, jacp, jacr, |p, r| Ok(sim::mj_jac_dot_into(m, d, p, r, &point, body)?))
    }
    fn mj_jacDotSparse(
        m: ModelPtr<'_>, d: DataPtr<'_>, jacp: Out<'_, f64>, jacr: Out<'_, f64>, point: In<'_, f64>, body: i32, nv: i32,
        chain: In<'_, i32>,
    ) {
        let (m, d, point) = (m.get()?, d.read()?, point.array()?);
        let body = index("body", body, m.nbody)?;
        let chain = chain.list(count(nv))?;
        let dofs = chain.iter().map(|&dof| index("dof", dof, m.nv)).collect::<Served<Vec<_>>>()?;
        let (mut p, mut r) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
        sim::mj_jac_dot_into(m, d, Some(&mut p), Some(&mut r), &point, body)?;
        // the columns of the dofs of the chain
        for (to, from) in [(jacp, p), (jacr, r)] {
            let Some(to) = to.optional(3 * dofs.len())? else { continue };
            for (to, from) in to.chunks_mut(dofs.len().max(1)).zip(from.chunks(m.nv.max(1))) {
                to.iter_mut().zip(&dofs).for_each(|(to, &dof)| *to = from[dof]);
            }
        }
        Ok(())
    }
    fn mj_jacPointAxis(
        m: ModelPtr<'_>, d: DataPtr<'_>, jac_point: Out<'_, f64>, jac_axis: Out<'_, f64>, point: In<'_, f64>,
        axis: In<'_, f64>, body: i32,
    ) {
        let (m, d, point, axis) = (m.get()?, d.read()?, point.array()?, axis.array()?);
        let body = index("body", body, m.nbody)?;
        fill(m.nv, jac_point, jac_axis, |p, a| Ok(sim::mj_jac_point_axis_into(m, d, p, a, &point, &axis, body)?))
    }
    fn mj_jacSubtreeCom(m: ModelPtr<'_>, d: DataPtr<'_>, jacp: Out<'_, f64>, body: i32) {
        let (m, d) = (m.get()?, d.read()?);
        let body = index("body", body, m.nbody)?;
        Ok(sim::mj_jac_subtree_com_into(m, d, jacp.list(3 * m.nv)?, body)?)
    }
    fn mj_angmomMat(m: ModelPtr<'_>, d: DataPtr<'_>, mat: Out<'_, f64>, body: i32) {
        let (m, d) = (m.get()?, d.read()?);
        let body = index("body", body, m.nbody)?;
        Ok(sim::mj_angmom_mat_into(m, d, mat.list(3 * m.nv)?, body)?)
    }
}
