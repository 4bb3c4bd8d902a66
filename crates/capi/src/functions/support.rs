//! Products, positions and velocities, forces, names, masses.

use crate::export;
use crate::ffi::fault::Served;
use crate::ffi::handle::{DataPtr, ModelPtr, change, run};
use crate::ffi::pointer::{In, Out, Text, count};
use crate::functions::index;
use kinetree_math::sparse::Pattern;
use kinetree_model::enums::{Cone, DisableBit, GeomType, ObjType};
use kinetree_model::{Contact, Data, Model};
use kinetree_sim as sim;
use std::ffi::c_char;

/// Most contacts that two geoms of such types can have, with or without a margin.
fn most_contacts(m: &Model, [first, second]: [i32; 2], has_margin: bool) -> i32 {
    let (Ok(first), Ok(second)) = (GeomType::try_from(first), GeomType::try_from(second)) else { return 0 };
    let either = |kind: GeomType| first == kind || second == kind;
    let other = |kind: GeomType| if first == kind { second } else { first };
    let round = either(GeomType::Capsule) || either(GeomType::Cylinder);
    if either(GeomType::Sdf) {
        return m.opt.sdf_initpoints;
    }
    if either(GeomType::Hfield) {
        let none = matches!(other(GeomType::Hfield), GeomType::Plane | GeomType::Hfield);
        return if none { 0 } else { MAX_CONTACT_PAIR };
    }
    match (first, second) {
        _ if either(GeomType::Sphere) || either(GeomType::Ellipsoid) => 1,
        (GeomType::Box, GeomType::Box) => 8,
        (GeomType::Capsule, GeomType::Capsule) => 2,
        (GeomType::Capsule, GeomType::Box) | (GeomType::Box, GeomType::Capsule) => 4,
        _ if either(GeomType::Plane) => match other(GeomType::Plane) {
            GeomType::Capsule => 2,
            GeomType::Cylinder | GeomType::Box => 4,
            GeomType::Mesh => 3,
            _ => 0,
        },
        _ if m.disabled(DisableBit::Multiccd) => 1,
        _ if round || has_margin || m.disabled(DisableBit::Nativeccd) => 5,
        _ => 4,
    }
}

/// Most contacts of a pair of geoms.
const MAX_CONTACT_PAIR: i32 = 50;

/// Model and data whose counts are those of what they count: how many numbers lie at pointers follows from
/// them.
fn checked<'a>(m: ModelPtr<'a>, d: DataPtr<'a>) -> Served<(&'a Model, &'a Data)> {
    let (m, d) = (m.get()?, d.read()?);
    d.check(m)?;
    Ok((m, d))
}

export! {
    fn mj_mulM(m: ModelPtr<'_>, d: DataPtr<'_>, res: Out<'_, f64>, vec: In<'_, f64>) {
        let m = m.get()?;
        Ok(sim::mj_mul_m(m, d.read()?, res.list(m.nv)?, vec.list(m.nv)?)?)
    }
    fn mj_mulM2(m: ModelPtr<'_>, d: DataPtr<'_>, res: Out<'_, f64>, vec: In<'_, f64>) {
        let m = m.get()?;
        Ok(sim::mj_mul_m2(m, d.read()?, res.list(m.nv)?, vec.list(m.nv)?)?)
    }
    fn mj_mulJacVec(m: ModelPtr<'_>, d: DataPtr<'_>, res: Out<'_, f64>, vec: In<'_, f64>) {
        let (m, d) = checked(m, d)?;
        Ok(sim::mj_mul_jac_vec(m, d, res.list(d.nefc)?, vec.list(m.nv)?)?)
    }
    fn mj_mulJacTVec(m: ModelPtr<'_>, d: DataPtr<'_>, res: Out<'_, f64>, vec: In<'_, f64>) {
        let (m, d) = checked(m, d)?;
        Ok(sim::mj_mul_jac_t_vec(m, d, res.list(m.nv)?, vec.list(d.nefc)?)?)
    }
    fn mj_fullM(m: ModelPtr<'_>, dst: Out<'_, f64>, mat: In<'_, f64>) {
        let m = m.get()?;
        sim::mj_full_m(m, dst.list(m.nv * m.nv)?, mat.list(m.nM)?);
        Ok(())
    }
    fn mj_addM(
        m: ModelPtr<'_>, d: DataPtr<'_>, dst: Out<'_, f64>, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>,
    ) {
        let m = m.get()?;
        let d = d.read()?;
        if rownnz.is_null() || rowadr.is_null() || colind.is_null() {
            return Ok(sim::mj_add_m(m, d, dst.list(m.nv * m.nv)?, None)?);
        }
        let (rownnz, rowadr) = (rownnz.list(m.nv)?, rowadr.list(m.nv)?);
        let size = rownnz.iter().zip(rowadr).map(|(&n, &a)| count(n) + count(a)).max().unwrap_or(0);
        let pattern = Pattern { rownnz, rowadr, colind: colind.list(size)? };
        Ok(sim::mj_add_m(m, d, dst.list(size)?, Some(pattern))?)
    }
    fn mj_solveM(m: ModelPtr<'_>, d: DataPtr<'_>, x: Out<'_, f64>, y: In<'_, f64>, n: i32) {
        let m = m.get()?;
        let size = m.nv * count(n);
        if size > 0 && y.is_null() {
            return crate::ffi::fault::fault("y is NULL");
        }
        x.fill_with(size, |at| y.at(at))?;
        Ok(sim::mj_solve_m(m, d.read()?, x.list(size)?)?)
    }
    fn mj_solveM2(
        m: ModelPtr<'_>, d: DataPtr<'_>, x: Out<'_, f64>, y: In<'_, f64>, sqrt_inv_d: In<'_, f64>, n: i32,
    ) {
        let m = m.get()?;
        let size = m.nv * count(n);
        if size > 0 && y.is_null() {
            return crate::ffi::fault::fault("y is NULL");
        }
        x.fill_with(size, |at| y.at(at))?;
        Ok(sim::mj_solve_m2(m, d.read()?, x.list(size)?, sqrt_inv_d.list(m.nv)?)?)
    }
    fn mj_rne(m: ModelPtr<'_>, d: DataPtr<'_>, flg_acc: i32, result: Out<'_, f64>) {
        // the result may be an array of the data
        let values = run(m, d, |m, d| {
            let mut values = vec![0.0; m.nv];
            sim::mj_rne(m, d, flg_acc != 0, &mut values).map(|()| values)
        })?;
        result.write(&values)
    }
    fn mj_constraintUpdate(
        m: ModelPtr<'_>, d: DataPtr<'_>, jar: In<'_, f64>, cost: Out<'_, f64>, flg_cone_hessian: i32,
    ) {
        let jar = jar.list(checked(m, d)?.1.nefc)?.to_vec();
        cost.set_optional([run(m, d, |m, d| sim::mj_constraint_update(m, d, &jar, flg_cone_hessian != 0))?]);
        Ok(())
    }
    fn mj_differentiatePos(m: ModelPtr<'_>, qvel: Out<'_, f64>, dt: f64, qpos1: In<'_, f64>, qpos2: In<'_, f64>) {
        let m = m.get()?;
        sim::mj_differentiate_pos(m, qvel.list(m.nv)?, dt, qpos1.list(m.nq)?, qpos2.list(m.nq)?);
        Ok(())
    }
    fn mj_integratePos(m: ModelPtr<'_>, qpos: Out<'_, f64>, qvel: In<'_, f64>, dt: f64) {
        let m = m.get()?;
        sim::mj_integrate_pos(m, qpos.list(m.nq)?, qvel.list(m.nv)?, dt);
        Ok(())
    }
    fn mj_normalizeQuat(m: ModelPtr<'_>, qpos: Out<'_, f64>) {
        let m = m.get()?;
        sim::mj_normalize_quat(m, qpos.list(m.nq)?);
        Ok(())
    }
    fn mj_local2Global(
        d: DataPtr<'_>, xpos: Out<'_, f64>, xmat: Out<'_, f64>, pos: In<'_, f64>, quat: In<'_, f64>, body: i32,
        sameframe: u8,
    ) {
        let d = d.read()?;
        let body = index("body", body, d.xpos.len())?;
        let pos = pos.optional_array()?.unwrap_or([0.0; 3]);
        let quat = quat.optional_array()?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let (place, axes) = sim::mj_local_to_global(d, &pos, &quat, body, sameframe)?;
        xpos.set_optional(place);
        xmat.set_optional(axes);
        Ok(())
    }
    fn mj_objectVelocity(
        m: ModelPtr<'_>, d: DataPtr<'_>, objtype: i32, objid: i32, res: Out<'_, f64>, flg_local: i32,
    ) {
        res.set(sim::mj_object_velocity(m.get()?, d.read()?, objtype, objid, flg_local != 0)?)
    }
    fn mj_objectAcceleration(
        m: ModelPtr<'_>, d: DataPtr<'_>, objtype: i32, objid: i32, res: Out<'_, f64>, flg_local: i32,
    ) {
        res.set(sim::mj_object_acceleration(m.get()?, d.read()?, objtype, objid, flg_local != 0)?)
    }
    fn mj_applyFT(
        m: ModelPtr<'_>, d: DataPtr<'_>, force: In<'_, f64>, torque: In<'_, f64>, point: In<'_, f64>, body: i32,
        qfrc_target: Out<'_, f64>,
    ) {
        let (m, d) = (m.get()?, d.read()?);
        let body = index("body", body, m.nbody)?;
        let [force, torque] = [force, torque].map(|v| v.optional_array().map(|v| v.unwrap_or([0.0; 3])));
        // the target may be an array of the data
        let mut target = qfrc_target.list(m.nv)?.to_vec();
        sim::mj_apply_ft(m, d, &force?, &torque?, &point.array()?, body, &mut target)?;
        qfrc_target.write(&target)
    }
    fn mj_contactForce(m: ModelPtr<'_>, d: DataPtr<'_>, id: i32, result: Out<'_, f64>) {
        let force = sim::mj_contact_force(m.get()?, d.read()?, usize::try_from(id).unwrap_or(usize::MAX))?;
        result.set(force)
    }
    fn mj_geomDistance(
        m: ModelPtr<'_>, d: DataPtr<'_>, geom1: i32, geom2: i32, distmax: f64, fromto: Out<'_, f64>,
    ) -> f64 {
        let (distance, [a, b, c], [x, y, z]) = run(m, d, |m, d| -> Served<_> {
            let (geom1, geom2) = (index("geom", geom1, m.ngeom)?, index("geom", geom2, m.ngeom)?);
            Ok(sim::mj_geom_distance(m, d, geom1, geom2, distmax)?)
        })?;
        fromto.set_optional([a, b, c, x, y, z]);
        Ok(distance)
    }
    fn mj_addContact(m: ModelPtr<'_>, d: DataPtr<'_>, con: In<'_, Contact>) -> i32 {
        let [contact] = con.array()?;
        run(m, d, |m, d| {
            if m.nconmax > 0 && d.ncon as i64 >= m.nconmax {
                d.warn(kinetree_model::enums::Warning::Contactfull, d.ncon as i32);
                return Ok::<_, String>(1);
            }
            d.contact.push(contact);
            d.ncon = d.contact.len();
            d.maxuse_con = d.maxuse_con.max(d.ncon);
            Ok(0)
        })
    }
    fn mj_setConst(m: ModelPtr<'_>, d: DataPtr<'_>) { change(m, d, sim::mj_set_const) }
    fn mj_getTotalmass(m: ModelPtr<'_>) -> f64 { Ok(sim::mj_get_totalmass(m.get()?)) }
    fn mj_setTotalmass(m: ModelPtr<'_>, newmass: f64) { m.edit(|m| sim::mj_set_totalmass(m, newmass)) }
    fn mj_isPyramidal(m: ModelPtr<'_>) -> i32 { Ok(i32::from(m.get()?.opt.cone == Cone::Pyramidal)) }
    fn mj_isSparse(m: ModelPtr<'_>) -> i32 { Ok(i32::from(m.get()?.is_sparse())) }
    fn mj_isDual(m: ModelPtr<'_>) -> i32 { Ok(i32::from(sim::mj_is_dual(m.get()?))) }
    fn mj_actuatorDisabled(m: ModelPtr<'_>, i: i32) -> i32 {
        let m = m.get()?;
        Ok(i32::from(sim::mj_actuator_disabled(m, index("actuator", i, m.nu)?)))
    }
    fn mj_name2id(m: ModelPtr<'_>, kind: i32, name: Text<'_>) -> i32 {
        let kind = ObjType::try_from(kind).unwrap_or(ObjType::Unknown);
        Ok(kinetree_model::mj_name2id(m.get()?, kind, &name.or_empty()).map_or(-1, |id| id as i32))
    }
    fn mj_id2name(m: ModelPtr<'_>, kind: i32, id: i32) -> *const c_char {
        let (Ok(kind), Ok(id)) = (ObjType::try_from(kind), usize::try_from(id)) else {
            return Ok(std::ptr::null());
        };
        // names lie in the model, each with a zero at its end
        let name = kinetree_model::mj_id2name(m.get()?, kind, id).filter(|name| !name.is_empty());
        Ok(name.map_or(std::ptr::null(), |name| name.as_ptr().cast()))
    }
    fn mj_getPluginConfig(m: ModelPtr<'_>, plugin_id: i32, attrib: Text<'_>) -> *const c_char {
        crate::functions::plugins::config_text(m.get()?, plugin_id, &attrib.or_empty())
    }
    fn mj_maxContact(m: ModelPtr<'_>, g1: i32, g2: i32, has_margin: i32) -> i32 {
        let m = m.get()?;
        let pair = [index("geom", g1, m.ngeom)?, index("geom", g2, m.ngeom)?];
        let has_margin = match has_margin {
            -1 => pair.iter().any(|&geom| m.geom_margin[geom] > 0.0),
            given => given > 0,
        };
        Ok(most_contacts(m, pair.map(|geom| m.geom_type[geom]), has_margin))
    }
}
