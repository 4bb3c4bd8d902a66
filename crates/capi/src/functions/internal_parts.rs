//! Parts of evaluations and of steps, by functions that the reference exports without declaring them in its
//! public headers.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr, run};
use crate::ffi::pointer::{In, Out, count, write_message};
use crate::functions::index;
use kinetree_math::boxqp::{BoxQp, BoxQpError, BoxQpOptions, BoxQpStatus};
use kinetree_math::misc::{PolyKind, poly_force, poly_force_deriv, poly_potential};
use kinetree_model::enums::{GeomType, ObjType};
use kinetree_model::{Contact, Model};
use kinetree_sim::{self as sim, ConstraintRows, FreeBody};
use std::ffi::c_char;
use std::fmt::Write;

/// Writes the columns of some dofs of a matrix of three rows.
fn write_columns(to: Out<'_, f64>, from: &[f64], nv: usize, dofs: &[usize]) -> Served {
    let Some(to) = to.optional(3 * dofs.len())? else { return Ok(()) };
    for (to, from) in to.chunks_mut(dofs.len().max(1)).zip(from.chunks(nv.max(1))) {
        to.iter_mut().zip(dofs).for_each(|(to, &dof)| *to = from[dof]);
    }
    Ok(())
}

/// Adds to the force of each dof what the armature of tendons takes when they turn.
fn tendon_bias(m: &Model, d: &kinetree_model::Data, qfrc: &mut [f64]) -> Served {
    for tendon in 0..m.ntendon {
        let asleep = sim::object_sleep_state(m, d, ObjType::Tendon, tendon)? == 0;
        let armature =
            m.tendon_armature[tendon] + super::internal_engine::driven_armature(m, ObjType::Tendon, tendon);
        if asleep || armature == 0.0 {
            continue;
        }
        let coefficient = armature * sim::mj_tendon_dot(m, d, tendon, &d.qvel)?;
        for at in row(m, tendon) {
            qfrc[count(m.ten_J_colind[at])] += coefficient * d.ten_J[at];
        }
    }
    Ok(())
}

/// Where the Jacobian of a tendon lies.
fn row(m: &Model, tendon: usize) -> std::ops::Range<usize> {
    let start = count(m.ten_J_rowadr[tendon]);
    start..start + count(m.ten_J_rownnz[tendon])
}

fn poly(linear: f64, poly: In<'_, f64>, n: i32, flg_odd: i32) -> Served<(f64, Vec<f64>, PolyKind)> {
    let kind = if flg_odd != 0 { PolyKind::Odd } else { PolyKind::Signed };
    Ok((linear, poly.list(count(n))?.to_vec(), kind))
}

export! {
    fn mj_Jdotv(m: ModelPtr<'_>, d: DataPtr<'_>, result: Out<'_, f64>) {
        let (m, d) = (m.get()?, d.read()?);
        Ok(sim::subtract_jacobian_drift(m, d, result.list(d.ne)?)?)
    }
    fn mj_constraintUpdate_impl(
        ne: i32, nf: i32, nefc: i32, d: In<'_, f64>, r: In<'_, f64>, floss: In<'_, f64>, jar: In<'_, f64>,
        kind: In<'_, i32>, id: In<'_, i32>, contact: Out<'_, Contact>, state: Out<'_, i32>, force: Out<'_, f64>,
        cost: Out<'_, f64>, cone_hessian: i32,
    ) {
        let n = count(nefc);
        let (kind, id) = (kind.list(n)?, id.list(n)?);
        let elliptic = kinetree_model::enums::ConstraintType::ContactElliptic as i32;
        let cones = kind.iter().zip(id).filter(|(kind, _)| **kind == elliptic);
        let contacts = cones.map(|(_, &id)| count(id) + 1).max().unwrap_or(0);
        let rows = ConstraintRows {
            first: (count(ne), count(nf)),
            gains: [d.list(n)?, r.list(n)?, floss.list(n)?],
            kinds: [kind, id],
            residual: jar.list(n)?,
        };
        let total =
            sim::update_rows(&rows, contact.list(contacts)?, state.list(n)?, force.list(n)?, cone_hessian != 0)?;
        cost.set_optional([total]);
        Ok(())
    }
    fn mj_jacDifPair(
        m: ModelPtr<'_>, d: DataPtr<'_>, chain: Out<'_, i32>, b1: i32, b2: i32, pos1: In<'_, f64>, pos2: In<'_, f64>,
        jac1p: Out<'_, f64>, jac2p: Out<'_, f64>, jacdifp: Out<'_, f64>, jac1r: Out<'_, f64>, jac2r: Out<'_, f64>,
        jacdifr: Out<'_, f64>, issparse: i32, flg_skipcommon: i32,
    ) -> i32 {
        let (m, d) = (m.get()?, d.read()?);
        let bodies = [index("body", b1, m.nbody)?, index("body", b2, m.nbody)?];
        let mut dofs: Vec<i32> = (0..m.nv as i32).collect();
        if issparse != 0 {
            sim::merge_chain(m, bodies[0], bodies[1], flg_skipcommon != 0, &mut dofs);
            chain.write(&dofs)?;
        }
        if dofs.is_empty() || [jac1p, jacdifp, jac1r, jacdifr].iter().all(|out| out.is_null()) {
            return Ok(dofs.len() as i32);
        }
        let mut all = [const { Vec::new() }; 4];
        all.iter_mut().for_each(|jacobian| jacobian.resize(3 * m.nv, 0.0));
        let [p1, r1, p2, r2] = &mut all;
        sim::mj_jac_into(m, d, Some(p1), Some(r1), &pos1.array()?, bodies[0])?;
        sim::mj_jac_into(m, d, Some(p2), Some(r2), &pos2.array()?, bodies[1])?;
        let dofs: Vec<usize> = dofs.into_iter().map(count).collect();
        let difference = |a: &[f64], b: &[f64]| -> Vec<f64> { b.iter().zip(a).map(|(b, a)| b - a).collect() };
        for (to, from) in [(jac1p, &*p1), (jac1r, r1), (jac2p, p2), (jac2r, r2)] {
            write_columns(to, from, m.nv, &dofs)?;
        }
        write_columns(jacdifp, &difference(p1, p2), m.nv, &dofs)?;
        write_columns(jacdifr, &difference(r1, r2), m.nv, &dofs)?;
        Ok(dofs.len() as i32)
    }
    fn mj_midpoint(
        mass: f64, inertia: In<'_, f64>, ipos: In<'_, f64>, iquat: In<'_, f64>, xquat: In<'_, f64>, qvel: In<'_, f64>,
        qfrc: In<'_, f64>, gravity: In<'_, f64>, h: f64, qvel_new: Out<'_, f64>,
    ) -> i32 {
        let body = FreeBody { mass, inertia: inertia.array()?, ipos: ipos.array()?, iquat: iquat.array()? };
        let gravity = gravity.optional_array()?;
        let (new, iterations) =
            sim::free_body_step(&body, &xquat.array()?, &qvel.array()?, &qfrc.array()?, gravity.as_ref(), h);
        // a body whose centre of mass is at its joint keeps the linear velocity that it is told
        if body.ipos == [0.0; 3] {
            let mut values: [f64; 6] = qvel_new.array()?;
            values[3..].copy_from_slice(&new[3..]);
            qvel_new.set(values)?;
        } else {
            qvel_new.set(new)?;
        }
        Ok(iterations as i32)
    }
    fn mj_sleepState(m: ModelPtr<'_>, d: DataPtr<'_>, kind: i32, i: i32) -> i32 {
        let (m, d) = (m.get()?, d.read()?);
        let Ok(id) = usize::try_from(i) else { return fault(format!("invalid object id {i}")) };
        Ok(sim::object_sleep_state(m, d, ObjType::try_from(kind)?, id)?)
    }
    fn mj_tendonBias(m: ModelPtr<'_>, d: DataPtr<'_>, qfrc: Out<'_, f64>) {
        let (m, d) = (m.get()?, d.read()?);
        tendon_bias(m, d, qfrc.list(m.nv)?)
    }
    fn mju_flexGatherState(m: ModelPtr<'_>, d: DataPtr<'_>, f: i32, xpos: Out<'_, f64>, vel: Out<'_, f64>) {
        let (m, d) = (m.get()?, d.read()?);
        let [position, velocity] = sim::flex_nodes(m, d, index("flex", f, m.nflex)?)?;
        xpos.write(position.as_flattened())?;
        if vel.is_null() { Ok(()) } else { vel.write(velocity.as_flattened()) }
    }
    fn mju_polyForce(linear: f64, coef: In<'_, f64>, x: f64, n: i32, flg_odd: i32) -> f64 {
        let (linear, coef, kind) = poly(linear, coef, n, flg_odd)?;
        Ok(poly_force(linear, &coef, x, kind))
    }
    fn mjd_xPolyForce(linear: f64, coef: In<'_, f64>, x: f64, n: i32, flg_odd: i32) -> f64 {
        let (linear, coef, kind) = poly(linear, coef, n, flg_odd)?;
        Ok(poly_force_deriv(linear, &coef, x, kind))
    }
    fn mju_polyPotential(linear: f64, coef: In<'_, f64>, x: f64, n: i32, flg_odd: i32) -> f64 {
        let (linear, coef, kind) = poly(linear, coef, n, flg_odd)?;
        Ok(poly_potential(linear, &coef, x, kind))
    }
    fn mju_geomSemiAxes(semiaxes: Out<'_, f64>, size: In<'_, f64>, kind: i32) {
        let [x, y, z] = size.array()?;
        semiaxes.set(match GeomType::try_from(kind) {
            Ok(GeomType::Sphere) => [x; 3],
            Ok(GeomType::Capsule) => [x, x, x + y],
            Ok(GeomType::Cylinder) => [x, x, y],
            _ => [x, y, z],
        })
    }
    fn mju_mulInertVec(res: Out<'_, f64>, inert: In<'_, f64>, vec: In<'_, f64>) {
        res.set(kinetree_math::spatial::mul_inert_vec(&inert.array()?, &vec.array()?))
    }
    fn mj_integratePosInd(
        m: ModelPtr<'_>, qpos: Out<'_, f64>, qvel: In<'_, f64>, dt: f64, index: In<'_, i32>, nbody: i32,
    ) {
        let m = m.get()?;
        let bodies = index.optional(count(nbody))?;
        let (before, qpos) = (qpos.list(m.nq)?.to_vec(), qpos.list(m.nq)?);
        let mut moved = before;
        sim::mj_integrate_pos(m, &mut moved, qvel.list(m.nv)?, dt);
        for at in 1..count(nbody) {
            let body = bodies.map_or(Ok(at), |bodies| super::index("body", bodies[at], m.nbody))?;
            let Ok(first) = usize::try_from(*m.body_jntadr.get(body).unwrap_or(&-1)) else { continue };
            for joint in first..first + count(m.body_jntnum[body]) {
                let start = count(m.jnt_qposadr[joint]);
                let end = m.jnt_qposadr.get(joint + 1).map_or(m.nq, |&end| count(end));
                qpos[start..end].copy_from_slice(&moved[start..end]);
            }
        }
        Ok(())
    }
    fn mj_tendonArmature(m: ModelPtr<'_>, d: DataPtr<'_>) {
        run(m, d, |m, d| -> Served {
            for tendon in 0..m.ntendon {
                let asleep = sim::object_sleep_state(m, d, ObjType::Tendon, tendon)? == 0;
                let armature =
                    m.tendon_armature[tendon] + super::internal_engine::driven_armature(m, ObjType::Tendon, tendon);
                if asleep || armature == 0.0 {
                    continue;
                }
                for i in row(m, tendon) {
                    add_row(m, d, i, row(m, tendon), armature * d.ten_J[i]);
                }
            }
            Ok(())
        })
    }
}

/// Adds a multiple of the Jacobian of a tendon to a row of the inertia matrix, where its pattern has the
/// columns.
fn add_row(m: &Model, d: &mut kinetree_model::Data, at: usize, jacobian: std::ops::Range<usize>, scale: f64) {
    let dof = count(m.ten_J_colind[at]);
    let start = count(m.M_rowadr[dof]);
    let columns = &m.M_colind[start..start + count(m.M_rownnz[dof])];
    for k in jacobian {
        if let Ok(found) = columns.binary_search(&m.ten_J_colind[k]) {
            d.M[start + found] += scale * d.ten_J[k];
        }
    }
}

/// How a solution ended, in words.
fn ending(result: &Result<usize, BoxQpError>, status: Option<BoxQpStatus>) -> String {
    match (result, status) {
        (Err(problem), _) => problem.to_string(),
        (Ok(_), Some(BoxQpStatus::Converged)) => "the gradient vanishes".into(),
        (Ok(_), Some(BoxQpStatus::Unbounded)) => "no bound is active".into(),
        (Ok(_), Some(BoxQpStatus::AllClamped)) => "all bounds are active".into(),
        (Ok(_), Some(BoxQpStatus::LineSearchLimit)) => "the line search took its smallest step".into(),
        (Ok(_), Some(BoxQpStatus::IterationLimit) | None) => "the limit of iterations was reached".into(),
    }
}

export! {
    fn mju_boxQPoption(
        res: Out<'_, f64>, r: Out<'_, f64>, index: Out<'_, i32>, h: In<'_, f64>, g: In<'_, f64>, n: i32,
        lower: In<'_, f64>, upper: In<'_, f64>, maxiter: i32, mingrad: f64, backtrack: f64, minstep: f64, armijo: f64,
        log: Out<'_, c_char>, logsz: i32,
    ) -> i32 {
        let n = count(n);
        if !(backtrack > 0.0 && backtrack < 1.0) {
            return fault("backtrack must be between 0 and 1");
        }
        let (mut solver, mut text) = (BoxQp::default(), String::new());
        let options = BoxQpOptions {
            max_iterations: count(maxiter),
            min_gradient: mingrad,
            backtrack,
            min_step: minstep,
            armijo,
        };
        let bounds = [lower.optional(n)?, upper.optional(n)?];
        let mut iteration = 0;
        let result = solver.solve_with(res.list(n)?, h.list(n * n)?, g.list(n)?, bounds, &options, |step| {
            iteration += 1;
            let _ = writeln!(
                text,
                "iter {iteration:<3}:  |grad|: {:<8.2e}  reduction: {:<8.2e}  improvement: {:<8.4}  linesearch: \
                 {backtrack}^{:<2}  factorized: {}  nfree: {}",
                step.gradient, step.reduction, step.improvement, step.halvings, u8::from(step.factored), step.free,
            );
        });
        let effort = solver.effort();
        let _ = writeln!(
            text,
            "BOXQP: {}.\niterations= {},  factorizations= {},  |grad|= {:<12.6e}, final value= {:<12.6e}",
            ending(&result, solver.status()), effort.iterations, effort.factorizations, effort.gradient, effort.value,
        );
        write_message(log, logsz, &text);
        let rank = match result {
            Ok(rank) => rank as i32,
            Err(BoxQpError::NotPositiveDefinite | BoxQpError::NoDescent) => -1,
            Err(problem) => return Err(problem.into()),
        };
        let room = (n * (n + 7)).min(solver.factor().len());
        r.write(&solver.factor()[..room])?;
        if !index.is_null() {
            index.write(&solver.free()[..n.min(solver.free().len())])?;
        }
        Ok(rank)
    }
}
