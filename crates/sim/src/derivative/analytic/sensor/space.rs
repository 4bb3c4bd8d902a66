//! Spatial sensors, linearized: projections of cameras, rangefinders, distances of geoms, energies.

use super::rows::{Change, SensorDerivatives};
use crate::contact::distance::nearest_geoms;
use crate::derivative::analytic::linearize::Linearization;
use crate::derivative::analytic::motion::{Point, at_point};
use crate::derivative::analytic::tendon::force::tendon_row;
use crate::derivative::error::DerivativeError;
use crate::forces::passive::tendon_elongation;
use crate::inertia::mass_matrix::mj_mul_m;
use crate::kinematics::chain::{chain_dofs, walk_chains};
use crate::kinematics::poses::{unit_quat, vec3_at};
use crate::ray::{RayFilter, mj_ray};
use crate::sensor::{focal_pixels, geoms_of};
use kinetree_math::misc::{PolyKind, poly_force};
use kinetree_math::rot::{mat3, quat_sub};
use kinetree_math::spatial::{angular, cross_motion, dot6, mul_inert_vec};
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{CamLight, DisableBit, GeomType, JointType, ObjType, RayDataField};
use kinetree_model::{Data, Model};

fn refusal(what: &'static str) -> DerivativeError {
    DerivativeError::Unsupported(what)
}

impl SensorDerivatives {
    /// Pixel coordinates of a site in the image of a camera.
    ///
    /// # Errors
    /// When the camera follows something, or the site is in the plane of its lens.
    pub(crate) fn projection(
        &mut self,
        model: &Model,
        data: &Data,
        site: usize,
        camera: usize,
    ) -> Result<(), DerivativeError> {
        if model.cam_mode[camera] != CamLight::Fixed {
            return Err(refusal("a sensor of a camera that follows something"));
        }
        let point_at = |body: i32, pos: &[f64; 3]| Point::new(model, data, body as usize, &Vec3::from(*pos));
        let point = point_at(model.site_bodyid[site], &data.site_xpos[site]);
        let lens = point_at(model.cam_bodyid[camera], &data.cam_xpos[camera]);
        let axes = mat3(&data.cam_xmat[camera]);
        let separation = point.pos - lens.pos;
        let local = axes.tr_mul(&separation);
        if local.z.abs() < MINVAL {
            return Err(refusal("the projection of a point in the plane of a camera"));
        }
        let (fx, fy) = focal_pixels(model, camera);
        walk_chains(model, [point.body, lens.body], false, |j, moves| {
            let axis = &data.cdof[j];
            let mut change = Vec3::zeros();
            if moves[0] {
                change += at_point(axis, &point.offset);
            }
            if moves[1] {
                change -= at_point(axis, &lens.offset) + angular(axis).cross(&separation);
            }
            let d = axes.tr_mul(&change);
            let ratio = |x: f64, dx: f64| (dx - x * d.z / local.z) / local.z;
            self.add_vector(Change::Position, j, &[-fx * ratio(local.x, d.x), fy * ratio(local.y, d.y)]);
        });
        Ok(())
    }

    /// A ray along the z axis of a site: where the surface that it meets moves by `w` with normal `n`, the
    /// distance along a ray of origin `o` and direction `u` changes by `n·(w − ȯ − t u̇) / n·u`.
    ///
    /// # Errors
    /// When the rays are those of a camera, or the sensor reads normals.
    pub(crate) fn rangefinder(
        &mut self,
        model: &Model,
        data: &Data,
        sensor: usize,
    ) -> Result<(), DerivativeError> {
        let spec = model.sensor_intprm[sensor][0];
        let reads = |field: RayDataField| spec & (1 << field as i32) != 0;
        if model.sensor_objtype[sensor] != ObjType::Site {
            return Err(refusal("an analytic derivative of a rangefinder of a camera"));
        }
        if reads(RayDataField::Normal) {
            return Err(refusal("an analytic derivative of the normal of a rangefinder"));
        }
        let site = model.sensor_objid[sensor] as usize;
        let body = model.site_bodyid[site] as usize;
        let filter = RayFilter { exclude_body: Some(body), ..RayFilter::default() };
        let (origin, mat) = (&data.site_xpos[site], &data.site_xmat[site]);
        let direction = Vec3::new(mat[2], mat[5], mat[8]);
        let at = Point::new(model, data, body, &Vec3::from(*origin));
        let hit = mj_ray(model, data, origin, &direction.into(), &filter);
        let distance = hit.as_ref().map_or(0.0, |hit| hit.distance);
        let end = at.pos + direction * distance;
        let (surface, normal) = hit
            .as_ref()
            .map_or((0, Vec3::zeros()), |hit| (model.geom_bodyid[hit.geom] as usize, Vec3::from(hit.normal)));
        let slant = normal.dot(&direction);
        if hit.is_some() && slant.abs() < 1e-9 {
            return Err(refusal("a rangefinder that grazes a surface"));
        }
        let touched = Point::new(model, data, surface, &end);
        let met = if hit.is_some() { 1.0 } else { 0.0 };
        walk_chains(model, [body, surface], false, |j, moves| {
            let axis = &data.cdof[j];
            let (mut moved, mut rotated, mut carried) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
            if moves[0] {
                (moved, rotated) = (at_point(axis, &at.offset), angular(axis).cross(&direction));
            }
            if moves[1] {
                carried = at_point(axis, &touched.offset);
            }
            let ray = moved + rotated * distance;
            let further = if hit.is_some() { normal.dot(&(carried - ray)) / slant } else { 0.0 };
            let point = (ray + direction * further) * met;
            let mut k = 0;
            for (field, value) in [
                (RayDataField::Dist, &[further][..]),
                (RayDataField::Dir, (rotated * met).as_slice()),
                (RayDataField::Origin, moved.as_slice()),
                (RayDataField::Point, point.as_slice()),
                (RayDataField::Depth, &[further][..]),
            ] {
                if reads(field) {
                    for x in value {
                        self.add(Change::Position, k, j, *x);
                        k += 1;
                    }
                }
            }
        });
        Ok(())
    }

    /// Distance of the nearest geoms of two objects: the nearest points approach along the line between them.
    ///
    /// # Errors
    /// When the surfaces just touch, or one of them is a height field or a signed distance field.
    pub(crate) fn distance(
        &mut self,
        model: &Model,
        data: &Data,
        sensor: usize,
    ) -> Result<(), DerivativeError> {
        let object = (model.sensor_objtype[sensor], model.sensor_objid[sensor]);
        let reference = (model.sensor_reftype[sensor], model.sensor_refid[sensor]);
        let cutoff = model.sensor_cutoff[sensor];
        let (geoms1, geoms2) = (geoms_of(model, object), geoms_of(model, reference));
        let rough =
            |geom: usize| model.geom_type[geom] == GeomType::Hfield || model.geom_type[geom] == GeomType::Sdf;
        if geoms1.clone().chain(geoms2.clone()).any(rough) {
            return Err(refusal("the distance of a height field or a signed distance field"));
        }
        if geoms1.is_empty() || geoms2.is_empty() {
            return Ok(());
        }
        let bodies = [geoms1.start, geoms2.start].map(|geom| model.geom_bodyid[geom] as usize);
        let (distance, from, to) = nearest_geoms(model, data, &mut self.search, geoms1, geoms2, cutoff);
        if distance >= cutoff {
            return Ok(());
        }
        if distance.abs() < 1e-9 {
            return Err(refusal("the distance of geoms that just touch"));
        }
        let direction = (to - from) / distance;
        let points = [Point::new(model, data, bodies[0], &from), Point::new(model, data, bodies[1], &to)];
        walk_chains(model, bodies, false, |j, moves| {
            let mut derivative = 0.0;
            for (k, sign) in [(0, -1.0), (1, 1.0)] {
                if moves[k] {
                    derivative += sign * direction.dot(&at_point(&data.cdof[j], &points[k].offset));
                }
            }
            self.add(Change::Position, 0, j, derivative);
        });
        Ok(())
    }

    /// Kinetic energy `½ v·M v`: its derivative with velocity is the momentum; with the momenta `h_b` of the
    /// bodies behind dof `j`, that with position is `−Σ h_b·(S_j × V_λ)`.
    pub(crate) fn kinetic_energy(&mut self, model: &Model, data: &Data, linear: &Linearization) {
        let mut momentum = std::mem::take(&mut self.momentum);
        momentum.clear();
        momentum.resize(model.nv, 0.0);
        mj_mul_m(model, data, &mut momentum, &data.qvel);
        for (j, value) in momentum.iter().enumerate() {
            self.add(Change::Velocity, 0, j, *value);
        }
        self.momentum = momentum;
        let velocity = &linear.velocity;
        for body in 1..model.nbody {
            let momentum = mul_inert_vec(&data.cinert[body], &velocity.body[body]);
            for j in chain_dofs(model, body) {
                let rotated = cross_motion(&data.cdof[j], &velocity.base[j]);
                self.add(Change::Position, 0, j, -dot6(&momentum, &rotated));
            }
        }
    }

    /// Potential energy of weights and springs: minus their forces.
    pub(crate) fn potential_energy(&mut self, model: &Model, data: &Data) {
        if !model.disabled(DisableBit::Gravity) {
            let gravity = Vec3::from(model.opt.gravity);
            for body in 1..model.nbody {
                let at = Point::new(model, data, body, &Vec3::from(data.xipos[body]));
                for j in chain_dofs(model, body) {
                    let lifted = gravity.dot(&at_point(&data.cdof[j], &at.offset));
                    self.add(Change::Position, 0, j, -model.body_mass[body] * lifted);
                }
            }
        }
        if model.disabled(DisableBit::Spring) {
            return;
        }
        for joint in 0..model.njnt {
            self.joint_spring_energy(model, data, joint);
        }
        for tendon in 0..model.ntendon {
            let x = tendon_elongation(model, data, tendon);
            let (stiffness, poly) = (model.tendon_stiffness[tendon], &model.tendon_stiffnesspoly[tendon]);
            let pull = x * poly_force(stiffness, poly, x, PolyKind::Signed);
            let (columns, jacobian) = tendon_row(model, data, tendon);
            for (&j, value) in columns.iter().zip(jacobian) {
                self.add(Change::Position, 0, j as usize, pull * value);
            }
        }
    }

    fn joint_spring_energy(&mut self, model: &Model, data: &Data, joint: usize) {
        let (stiffness, poly) = (model.jnt_stiffness[joint], &model.jnt_stiffnesspoly[joint]);
        let (mut address, mut dof) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
        let kind = model.jnt_type[joint];
        if kind == JointType::Hinge || kind == JointType::Slide {
            let x = data.qpos[address] - model.qpos_spring[address];
            let pull = x * poly_force(stiffness, poly, x, PolyKind::Signed);
            return self.add(Change::Position, 0, dof, pull);
        }
        let mut pull = |dof: usize, d: &Vec3| {
            let factor = poly_force(stiffness, poly, d.norm(), PolyKind::Signed);
            (0..3).for_each(|k| self.add(Change::Position, 0, dof + k, factor * d[k]));
        };
        if kind == JointType::Free {
            pull(dof, &(vec3_at(&data.qpos, address) - vec3_at(&model.qpos_spring, address)));
            address += 3;
            dof += 3;
        }
        let reference = unit_quat(&model.qpos_spring, address);
        pull(dof, &quat_sub(&unit_quat(&data.qpos, address), &reference));
    }
}
