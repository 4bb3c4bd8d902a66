//! Geoms: pose and size from their attributes or from the mesh or height field they use, mass, and their
//! model arrays.

use kinetree_model::enums::{GeomType, ObjType};
use kinetree_model::{Model, checkpoint};

use super::draft::Draft;
use super::elements::GeomDraft;
use super::frames::{Pose, TINY, child_same_frame, resolve_orientation, rotate, z_axis_to_quat};
use super::shapes;
use super::userdata;
use crate::assets::linalg::normalize;
use crate::assets::mesh::FitShape;
use crate::spec::{Geom, GeomInertia};

/// Links geoms to their meshes, height fields and materials by name.
pub(crate) fn link_assets(draft: &mut Draft<'_>) {
    for g in 0..draft.geoms.len() {
        let src = draft.geoms[g].src;
        draft.geoms[g].mesh = draft.find_optional(src, ObjType::Mesh, &src.meshname);
        draft.geoms[g].hfield = draft.find_optional(src, ObjType::Hfield, &src.hfieldname);
        // a geom without a material wears that of its mesh
        let inherited = draft.geoms[g].mesh.map(|mesh| draft.meshes[mesh].src.material.as_str());
        let own = if draft.drops_visuals() { "" } else { src.material.as_str() };
        let material = if own.is_empty() { inherited.unwrap_or("") } else { own };
        draft.geoms[g].material = draft.find_optional(src, ObjType::Material, material);
    }
}

/// Resolves one geom; `infer_inertia` says whether its mass counts for its body.
pub(crate) fn compile_geom(draft: &mut Draft<'_>, g: usize, infer_inertia: bool) -> Result<(), String> {
    let src = draft.geoms[g].src;
    userdata::check(src.userdata.len(), draft.nuser.geom, "nuser_geom")?;
    check_kind(draft, &draft.geoms[g])?;

    let compiler = draft.spec.compiler_of(&src.origin);
    let mut quat = src.quat;
    normalize(&mut quat);
    let mut size = src.size;
    let mut pose = if src.fromto[0].is_nan() {
        Pose::new(src.pos, resolve_orientation(&quat, &src.alt, compiler)?)
    } else {
        from_to(src.r#type, &src.pos, &src.fromto, &mut size)?
    };

    // a mesh moves the geom to its inertial frame; other shapes are fitted to it
    if let Some(mesh) = draft.geoms[g].mesh {
        if !src.fromto[0].is_nan() {
            return Err("'fromto' cannot be used with a mesh".into());
        }
        let compiled = &draft.meshes[mesh].asset.mesh;
        let mut center = [0.0; 3];
        if let Some(shape) = fit_shape(src.r#type)? {
            let fit = compiled.fit(shape, size, src.fitscale, draft.spec.compiler().fitaabb);
            (size, center) = (fit.size, fit.center);
        } else if src.typeinertia == GeomInertia::Shell {
            return Err("inertia should be specified in the mesh asset".into());
        }
        let offset = rotate(&compiled.quat, &center);
        let mesh_pos = std::array::from_fn(|i| offset[i] + compiled.pos[i]);
        pose = pose.compose(&Pose::new(mesh_pos, compiled.quat));
    }
    check_size(src.r#type, &size)?;

    // sizes and bounds of shapes that take them from an asset
    let mut bounds = shapes::bounds(src.r#type, &size);
    let mut rbound = None;
    match (src.r#type, draft.geoms[g].mesh, draft.geoms[g].hfield) {
        (GeomType::Hfield, _, Some(hfield)) => {
            let s = draft.hfields[hfield].src.size;
            size = [s[0], s[1], 0.25 * s[2] + 0.5 * s[3]];
            bounds = [-s[0], -s[1], -s[3], s[0], s[1], s[2]];
            rbound = Some((s[0] * s[0] + s[1] * s[1] + (s[2] * s[2]).max(s[3] * s[3])).sqrt());
        }
        (GeomType::Mesh | GeomType::Sdf, Some(mesh), _) => {
            bounds = draft.meshes[mesh].asset.mesh.aamm;
            size = shapes::reach(&bounds);
        }
        _ => {}
    }
    if size.iter().any(|s| s.is_nan()) {
        return Err("the size is nan, not a number".into());
    }
    let aabb = shapes::centre_and_half(&bounds);
    let rbound = rbound.unwrap_or_else(|| shapes::bounding_radius(src.r#type, &size));

    let (mass, moments) = if infer_inertia { mass_properties(draft, g, &size)? } else { (0.0, [0.0; 3]) };
    if let Some(frame) = src.frame {
        pose = draft.frame_pose(frame).compose(&pose);
    }

    let swims = src.fluid_ellipsoid && draft.spec.reference().discard_visual();
    let geom = &mut draft.geoms[g];
    geom.fluid = if src.fluid_ellipsoid {
        shapes::fluid_coefficients(src.r#type, &size, &src.fluid_coefs)
    } else {
        [0.0; 12]
    };
    geom.visual = src.contype == 0 && src.conaffinity == 0 && !swims;
    (geom.pose, geom.size, geom.aabb, geom.rbound, geom.mass, geom.moments) =
        (pose, size, aabb, rbound, mass, moments);
    Ok(())
}

/// Rules about the kind of shape that need no numbers.
fn check_kind(draft: &Draft<'_>, geom: &GeomDraft<'_>) -> Result<(), String> {
    let kind = geom.src.r#type;
    if (kind as i32) > GeomType::Sdf as i32 {
        return Err("this shape is only for drawing".into());
    }
    if ![1, 3, 4, 6].contains(&geom.src.condim) {
        return Err(format!("condim must be 1, 3, 4 or 6, not {}", geom.src.condim));
    }
    if matches!(kind, GeomType::Mesh | GeomType::Sdf) && geom.mesh.is_none() {
        return Err("a mesh geom needs a mesh".into());
    }
    if (kind == GeomType::Hfield) != geom.hfield.is_some() {
        return Err("a height field geom needs an hfield, and no other geom may have one".into());
    }
    if kind == GeomType::Plane && !draft.is_fixed(geom.body) {
        return Err("a plane is only allowed in static bodies".into());
    }
    Ok(())
}

/// Pose of an elongated shape between two points; the half length goes into `size`.
pub(crate) fn from_to(
    kind: GeomType,
    pos: &[f64; 3],
    fromto: &[f64; 6],
    size: &mut [f64; 3],
) -> Result<Pose, String> {
    if !matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box) {
        return Err("'fromto' needs a capsule, cylinder, box or ellipsoid".into());
    }
    if *pos != [0.0; 3] {
        return Err("'pos' and 'fromto' cannot both be given".into());
    }
    let mut axis: [f64; 3] = std::array::from_fn(|i| fromto[i] - fromto[i + 3]);
    let half = normalize(&mut axis) / 2.0;
    if half < TINY {
        return Err("the points of 'fromto' are too close".into());
    }
    if matches!(kind, GeomType::Ellipsoid | GeomType::Box) {
        *size = [size[0], size[0], half];
    } else {
        size[1] = half;
    }
    let middle = std::array::from_fn(|i| (fromto[i] + fromto[i + 3]) / 2.0);
    Ok(Pose::new(middle, z_axis_to_quat(&axis)))
}

/// Shape to fit to a mesh; `None` when the geom is the mesh itself.
fn fit_shape(kind: GeomType) -> Result<Option<FitShape>, String> {
    Ok(Some(match kind {
        GeomType::Mesh | GeomType::Sdf => return Ok(None),
        GeomType::Sphere => FitShape::Sphere,
        GeomType::Capsule => FitShape::Capsule,
        GeomType::Cylinder => FitShape::Cylinder,
        GeomType::Ellipsoid => FitShape::Ellipsoid,
        GeomType::Box => FitShape::Box,
        _ => return Err("this shape cannot be fitted to a mesh".into()),
    }))
}

/// Sizes that a shape needs must be positive.
pub(crate) fn check_size(kind: GeomType, size: &[f64; 3]) -> Result<(), String> {
    if kind == GeomType::Plane {
        return if size[2] > 0.0 { Ok(()) } else { Err("the third size of a plane must be positive".into()) };
    }
    let needed = match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    };
    match size[..needed].iter().position(|s| *s <= 0.0) {
        Some(i) => Err(format!("size {i} must be positive")),
        None => Ok(()),
    }
}

/// Mass and principal moments, from the mass or the density.
fn mass_properties(draft: &Draft<'_>, g: usize, size: &[f64; 3]) -> Result<(f64, [f64; 3]), String> {
    let Geom { r#type: kind, typeinertia, mass, density, .. } = *draft.geoms[g].src;
    let mesh = draft.geoms[g].mesh.filter(|_| matches!(kind, GeomType::Mesh | GeomType::Sdf));
    let volume = match mesh {
        Some(mesh) => draft.meshes[mesh].asset.mesh.volume,
        None => shapes::volume(kind, size, typeinertia),
    };
    let total = if mass.is_nan() {
        density * volume
    } else if volume > TINY {
        mass
    } else {
        0.0
    };
    let moments = if total == 0.0 {
        [0.0; 3]
    } else {
        match mesh {
            Some(mesh) => shapes::diagonal(&draft.meshes[mesh].asset.mesh.boxsz.map(|s| s * s), total, 3.0),
            None => shapes::moments(kind, size, total, typeinertia),
        }
    };
    let density_used = if mass.is_nan() { density } else { 0.0 };
    if total < 0.0 || density_used < 0.0 || moments.iter().any(|i| *i < 0.0) {
        return Err("mass, inertia and density cannot be negative".into());
    }
    Ok((total, moments))
}

/// Fills the arrays of geoms.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    for (g, geom) in draft.geoms.iter().enumerate() {
        checkpoint();
        let Some(id) = draft.geom_id(g) else { continue };
        let src = geom.src;
        model.geom_type[id] = src.r#type as i32;
        model.geom_contype[id] = src.contype;
        model.geom_conaffinity[id] = src.conaffinity;
        model.geom_condim[id] = src.condim;
        model.geom_bodyid[id] = geom.body as i32;
        // what only took its size from a mesh
        let fitted =
            draft.spec.reference().fitted_geoms() && !matches!(src.r#type, GeomType::Mesh | GeomType::Sdf);
        model.geom_dataid[id] = match (geom.mesh.filter(|_| !fitted), geom.hfield) {
            (Some(mesh), _) => draft.mesh_id(mesh),
            (None, Some(hfield)) => hfield as i32,
            (None, None) => -1,
        };
        model.geom_matid[id] = geom.material.map_or(-1, |material| material as i32);
        model.geom_group[id] = src.group;
        model.geom_priority[id] = src.priority;
        model.geom_plugin[id] = geom.plugin.map_or(-1, |instance| instance as i32);
        let inertial = &draft.bodies[geom.body].inertial.pose;
        model.geom_sameframe[id] = child_same_frame(&geom.pose, inertial) as u8;
        model.geom_solmix[id] = src.solmix;
        model.geom_solref[id] = src.solref;
        model.geom_solimp[id] = src.solimp;
        model.geom_size[id] = geom.size;
        model.geom_aabb[id] = geom.aabb;
        model.geom_rbound[id] = geom.rbound;
        model.geom_pos[id] = geom.pose.pos;
        model.geom_quat[id] = geom.pose.quat;
        model.geom_friction[id] = src.friction;
        model.geom_margin[id] = src.margin;
        model.geom_gap[id] = src.gap;
        model.geom_fluid[id] = geom.fluid;
        model.geom_rgba[id] = src.rgba;
        userdata::write(&mut model.geom_user, draft.nuser.geom, id, &src.userdata);
    }
}
