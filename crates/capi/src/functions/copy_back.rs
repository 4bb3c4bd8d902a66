//! Changes of a compiled model's numbers, taken back into the description that it was compiled from.
//!
//! Only what was changed is taken back: values that the compiler derived stay as they are written.

use crate::ffi::fault::{Served, fault};
use kinetree_model::enums::JointType;
use kinetree_model::{FieldSlice, FieldSliceMut, Model};
use kinetree_spec::Spec;
use kinetree_spec::spec::{BodyId, Orientation};

/// Copies rows of arrays that differ from those of `$base` into fields of elements.
macro_rules! rows {
    ($base:ident, $model:ident, $spec:ident, $ids:expr, $arena:ident; $( $array:ident => $field:ident $( $convert:ident )?; )*) => { $(
        for (row, id) in $ids.iter().enumerate() {
            if $base.$array[row] != $model.$array[row] {
                let value = $model.$array[row];
                rows!(@set $spec.$arena[*id].$field, value $(, $convert)?);
            }
        }
    )* };
    (@set $target:expr, $value:ident) => {
        $target = $value
    };
    (@set $target:expr, $value:ident, first) => {
        $target[..$value.len()].copy_from_slice(&$value)
    };
}

/// Ids of the elements of a kind in the order of the compiled model.
macro_rules! in_tree {
    ($spec:ident, $list:ident) => {
        $spec
            .subtree($spec.world())
            .iter()
            .flat_map(|&body| $spec.bodies[body].$list.clone())
            .collect::<Vec<_>>()
    };
}

/// Writes into `spec`, of which `model` is a compiled and then changed copy, what was changed.
pub fn copy_back(spec: &mut Spec, model: &Model) -> Served {
    let base = &match spec.compile() {
        Ok(base) => base,
        Err(found) => return fault(found.to_string()),
    };
    if base.sizes() != model.sizes() {
        return fault("CopyBack: the model has other elements than the description it was compiled from");
    }
    let bodies = spec.subtree(spec.world());
    if bodies.len() != model.nbody {
        return fault("the compiler has fused bodies: the model's numbers cannot be taken back");
    }
    copy_tree(spec, base, model, &bodies);
    copy_inertia(spec, base, model, &bodies);
    copy_joints(spec, base, model);
    copy_relations(spec, base, model);
    copy_hfields(spec, base, model);
    if base.opt != model.opt {
        spec.option = model.opt.clone();
    }
    if base.vis != model.vis {
        spec.visual = model.vis.clone();
    }
    for ((to, new), old) in
        spec.stat.fields_mut().into_iter().zip(model.stat.fields()).zip(base.stat.fields())
    {
        if let (FieldSliceMut::F64(to), FieldSlice::F64(new), FieldSlice::F64(old)) =
            (to.data, new.data, old.data)
            && new != old
        {
            to.copy_from_slice(new);
        }
    }
    Ok(())
}

/// Poses and looks of what hangs on bodies.
fn copy_tree(spec: &mut Spec, base: &Model, model: &Model, bodies: &[BodyId]) {
    for (row, &id) in bodies.iter().enumerate().skip(1) {
        if base.body_pos[row] != model.body_pos[row] || base.body_quat[row] != model.body_quat[row] {
            let body = &mut spec.bodies[id];
            (body.frame, body.alt) = (None, Orientation::Quat);
            (body.pos, body.quat) = (model.body_pos[row], model.body_quat[row]);
        }
    }
    rows! { base, model, spec, bodies, bodies; body_gravcomp => gravcomp; }
    macro_rules! poses {
        ($list:ident, $arena:ident, $pos:ident, $quat:ident $(, $fromto:ident $size:ident)?) => {
            for (row, id) in in_tree!(spec, $list).into_iter().enumerate() {
                if base.$pos[row] != model.$pos[row] || base.$quat[row] != model.$quat[row] $( || base.$size[row] != model.$size[row] )? {
                    let element = &mut spec.$arena[id];
                    (element.frame, element.alt) = (None, Orientation::Quat);
                    (element.pos, element.quat) = (model.$pos[row], model.$quat[row]);
                    $( element.$fromto[0] = f64::NAN;
                    element.size = model.$size[row]; )?
                }
            }
        };
    }
    poses!(geoms, geoms, geom_pos, geom_quat, fromto geom_size);
    poses!(sites, sites, site_pos, site_quat, fromto site_size);
    poses!(cameras, cameras, cam_pos, cam_quat);
    let (geoms, sites) = (in_tree!(spec, geoms), in_tree!(spec, sites));
    rows! { base, model, spec, geoms, geoms;
        geom_friction => friction; geom_solmix => solmix; geom_solref => solref; geom_solimp => solimp;
        geom_margin => margin; geom_gap => gap; geom_rgba => rgba;
    }
    rows! { base, model, spec, sites, sites; site_rgba => rgba; }
    let (cameras, lights) = (in_tree!(spec, cameras), in_tree!(spec, lights));
    rows! { base, model, spec, cameras, cameras; cam_fovy => fovy; cam_ipd => ipd; }
    rows! { base, model, spec, lights, lights;
        light_pos => pos; light_dir => dir; light_attenuation => attenuation; light_cutoff => cutoff;
        light_exponent => exponent; light_ambient => ambient; light_diffuse => diffuse; light_specular => specular;
    }
}

/// Inertial frames: one number given means that all are.
fn copy_inertia(spec: &mut Spec, base: &Model, model: &Model, bodies: &[BodyId]) {
    for (row, &id) in bodies.iter().enumerate() {
        let same = base.body_mass[row] == model.body_mass[row]
            && base.body_ipos[row] == model.body_ipos[row]
            && base.body_iquat[row] == model.body_iquat[row]
            && base.body_inertia[row] == model.body_inertia[row];
        if !same {
            let body = &mut spec.bodies[id];
            (body.mass, body.ipos, body.iquat) =
                (model.body_mass[row], model.body_ipos[row], model.body_iquat[row]);
            body.inertia = model.body_inertia[row];
            (body.ialt, body.fullinertia[0], body.explicitinertial) = (Orientation::Quat, f64::NAN, true);
        }
    }
}

/// Joints with their dofs and reference positions. Angles are in the unit of the description.
fn copy_joints(spec: &mut Spec, base: &Model, model: &Model) {
    let joints = in_tree!(spec, joints);
    rows! { base, model, spec, joints, joints;
        jnt_pos => pos; jnt_axis => axis; jnt_margin => margin; jnt_solref => solref_limit; jnt_solimp => solimp_limit;
        jnt_actfrcrange => actfrcrange;
    }
    for (row, &id) in joints.iter().enumerate() {
        let degree = spec.compiler_of(&spec.joints[id].origin).degree;
        let kind = spec.joints[id].r#type;
        let angular = matches!(kind, JointType::Hinge | JointType::Ball);
        let unit = if degree && angular { 180.0 / std::f64::consts::PI } else { 1.0 };
        let (dof, place) = (model.jnt_dofadr[row].max(0) as usize, model.jnt_qposadr[row].max(0) as usize);
        let joint = &mut spec.joints[id];
        if base.jnt_range[row] != model.jnt_range[row] {
            joint.range = model.jnt_range[row].map(|x| x * unit);
        }
        if base.jnt_stiffness[row] != model.jnt_stiffness[row] {
            joint.stiffness[0] = model.jnt_stiffness[row];
        }
        if base.dof_armature[dof] != model.dof_armature[dof] {
            joint.armature = model.dof_armature[dof];
        }
        if base.dof_damping[dof] != model.dof_damping[dof] {
            joint.damping[0] = model.dof_damping[dof];
        }
        if base.dof_frictionloss[dof] != model.dof_frictionloss[dof] {
            joint.frictionloss = model.dof_frictionloss[dof];
        }
        if base.dof_solref[dof] != model.dof_solref[dof] {
            joint.solref_friction = model.dof_solref[dof];
        }
        if base.dof_solimp[dof] != model.dof_solimp[dof] {
            joint.solimp_friction = model.dof_solimp[dof];
        }
        if matches!(kind, JointType::Hinge | JointType::Slide) && base.qpos0[place] != model.qpos0[place] {
            joint.r#ref = model.qpos0[place] * unit;
        }
    }
}

/// Height fields: their sizes, and elevations that do not lie in files.
fn copy_hfields(spec: &mut Spec, base: &Model, model: &Model) {
    let hfields = spec.hfields.ids();
    rows! { base, model, spec, hfields, hfields; hfield_size => size; }
    for (row, &id) in hfields.iter().enumerate() {
        let start = model.hfield_adr[row].max(0) as usize;
        let field = &mut spec.hfields[id];
        let cells = start..start.saturating_add(field.userdata.len());
        let (Some(new), Some(old)) = (model.hfield_data.get(cells.clone()), base.hfield_data.get(cells))
        else {
            continue;
        };
        if field.file.is_empty() && new != old {
            field.userdata = new.to_vec();
        }
    }
}

/// Materials, pairs, equalities, tendons, actuators and sensors.
fn copy_relations(spec: &mut Spec, base: &Model, model: &Model) {
    let (materials, pairs, equalities) = (spec.materials.ids(), spec.pairs.ids(), spec.equalities.ids());
    rows! { base, model, spec, materials, materials;
        mat_emission => emission; mat_specular => specular; mat_shininess => shininess; mat_reflectance => reflectance;
        mat_rgba => rgba;
    }
    rows! { base, model, spec, pairs, pairs;
        pair_solref => solref; pair_solreffriction => solreffriction; pair_solimp => solimp; pair_margin => margin;
        pair_gap => gap; pair_friction => friction;
    }
    rows! { base, model, spec, equalities, equalities; eq_data => data; eq_solref => solref; eq_solimp => solimp; }
    let tendons = spec.tendons.ids();
    rows! { base, model, spec, tendons, tendons;
        tendon_range => range; tendon_margin => margin; tendon_width => width; tendon_rgba => rgba;
        tendon_solref_lim => solref_limit; tendon_solimp_lim => solimp_limit; tendon_solref_fri => solref_friction;
        tendon_solimp_fri => solimp_friction; tendon_frictionloss => frictionloss; tendon_armature => armature;
        tendon_lengthspring => springlength;
    }
    let (actuators, sensors) = (spec.actuators.ids(), spec.sensors.ids());
    rows! { base, model, spec, actuators, actuators;
        actuator_gear => gear; actuator_gainprm => gainprm first; actuator_biasprm => biasprm first; actuator_dynprm => dynprm first;
        actuator_ctrlrange => ctrlrange; actuator_forcerange => forcerange; actuator_actrange => actrange;
        actuator_lengthrange => lengthrange;
    }
    rows! { base, model, spec, sensors, sensors; sensor_cutoff => cutoff; sensor_noise => noise; }
}
