//! Models for kinematics: every link is a body of its own, and what kinematics do not need does not stop a
//! file from loading.
//!
//! Robot descriptions are passed around without their meshes, with meshes in formats that are not read, and
//! with inertias that no body can have. None of that matters to a chain of joints.

use std::path::Path;

use kinetree_math::MINVAL;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;

use crate::assets::linalg::eig3;
use crate::diagnostics::{Diagnostics, Severity};
use crate::load::read_for_kinematics;
use crate::spec::{Body, Geom, Spec};
use crate::vfs::Vfs;

/// Mass of links that have none (kg): far below that of any link that has one.
const LEAST_MASS: f64 = 1e-6;
/// The same for their moments of inertia (kg m²).
const LEAST_INERTIA: f64 = 1e-9;

/// A model for kinematics.
#[derive(Debug)]
pub struct Kinematics {
    /// The model; links that no joint moves are bodies of their own.
    pub model: Model,
    /// What is wrong with the whole model, when the model holds its kinematics alone: geoms made of files are
    /// left out, and inertias that no body can have are replaced. Masses are those of the file.
    pub reduced: Option<Diagnostics>,
}

impl Kinematics {
    /// One line about what was left out; nothing when the model is whole.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let found = self.reduced.as_ref()?;
        let mut errors = found.list.iter().filter(|finding| finding.severity == Severity::Error);
        let first = errors.next().map_or("", |finding| finding.message.as_str());
        let further = match errors.count() {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        Some(format!(
            "loaded for kinematics alone, without geoms made of files and with inertias mended: {first}{further}"
        ))
    }
}

/// Reads and compiles a model file, MJCF or URDF, for kinematics: as it is, with links that no joint moves as
/// bodies of their own, or, when something in it stands against that, without geoms made of files and with
/// possible inertias.
///
/// # Errors
/// When not even the kinematics can be read: the faults that stand against them.
pub fn load_kinematics(path: impl AsRef<Path>, files: Option<&Vfs>) -> Result<Kinematics, Diagnostics> {
    let whole = Spec::from_xml_file_in(&path, files).and_then(|mut spec| {
        spec.compilers.iter_mut().for_each(|compiler| compiler.fusestatic = false);
        spec.compile_with(files)
    });
    let found = match whole {
        Ok(model) => return Ok(Kinematics { model, reduced: None }),
        Err(found) => found,
    };
    let mut spec = read_for_kinematics(path, files)?;
    reduce(&mut spec);
    Ok(Kinematics { model: spec.compile_with(files)?, reduced: Some(found) })
}

/// Takes out what comes from files, and makes masses and inertias possible.
fn reduce(spec: &mut Spec) {
    for compiler in &mut spec.compilers {
        compiler.fusestatic = false;
        compiler.balanceinertia = true;
        compiler.boundmass = compiler.boundmass.max(LEAST_MASS);
        compiler.boundinertia = compiler.boundinertia.max(LEAST_INERTIA);
    }
    for id in spec.geoms.ids() {
        let geom = &mut spec.geoms[id];
        let of_file = matches!(geom.r#type, GeomType::Mesh | GeomType::Hfield | GeomType::Sdf);
        geom.material.clear();
        if of_file || !geom.meshname.is_empty() || !has_size(geom) {
            spec.delete_geom(id);
        }
    }
    spec.sites.values_mut().for_each(|site| site.material.clear());
    spec.tendons.values_mut().for_each(|tendon| tendon.material.clear());
    (spec.meshes, spec.hfields, spec.skins) = Default::default();
    (spec.textures, spec.materials) = Default::default();
    spec.bodies.values_mut().for_each(mend_inertia);
}

/// Whether a shape has the lengths that it needs.
fn has_size(geom: &Geom) -> bool {
    let needed = match geom.r#type {
        GeomType::Plane => 0,
        GeomType::Sphere => 1,
        // end points give the length
        _ if !geom.fromto[0].is_nan() => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        _ => 3,
    };
    geom.size[..needed].iter().all(|&length| length > 0.0 && length.is_finite())
}

/// Replaces an inertia that no body can have by that of a ball of the same mass.
fn mend_inertia(body: &mut Body) {
    if !body.mass.is_finite() || body.mass < 0.0 {
        body.mass = 0.0;
    }
    if !body.ipos[0].is_nan() && body.ipos.iter().any(|x| !x.is_finite()) {
        body.ipos = [0.0; 3];
    }
    let possible = if body.fullinertia[0].is_nan() {
        body.inertia.iter().all(|moment| moment.is_finite() && *moment >= 0.0)
    } else {
        let [xx, yy, zz, xy, xz, yz] = body.fullinertia;
        body.fullinertia.iter().all(|entry| entry.is_finite())
            && eig3(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]).0[2] > MINVAL
    };
    if !possible {
        body.fullinertia[0] = f64::NAN;
        body.inertia = [RADIUS_OF_GYRATION * RADIUS_OF_GYRATION * body.mass; 3];
    }
}

/// Radius of gyration of links whose inertia is replaced (m).
const RADIUS_OF_GYRATION: f64 = 0.1;
