//! A description in one set of units: what the reader would have made of a file with angles in radians,
//! orientations as quaternions and one compiler section.
//!
//! Attached models bring their own compiler settings. Where those change what an element means (units,
//! inferred limits, asset folders, inertia), the meaning is written into the element itself.

use std::f64::consts::PI;

use kinetree_model::enums::JointType;

use super::error::WriteError;
use crate::compile::{is_limited, resolve_orientation};
use crate::spec::{
    Actuator, AlignFree, Compiler, CompilerId, DefaultClass, Element, Frame, Joint, Limited, Orientation,
    Spec, Tendon, Texture,
};
use crate::vfs;

/// The description in radians and quaternions.
pub(super) fn resolved(spec: &Spec) -> Result<Spec, WriteError> {
    let mut copy = spec.clone();
    let compilers = std::mem::take(&mut copy.compilers);
    let main = compilers.first().cloned().unwrap_or_default();
    let of = |id: CompilerId| compilers.get(id.0 as usize).unwrap_or(&main);

    for class in &mut copy.defaults {
        resolve_class(class, &of, &main)?;
    }
    for body in copy.bodies.values_mut() {
        let compiler = of(body.origin.compiler);
        let (name, kind) = (body.name.clone(), "body");
        to_quat(&mut body.quat, &mut body.alt, compiler, kind, &name)?;
        to_quat(&mut body.iquat, &mut body.ialt, compiler, kind, &name)?;
    }
    for frame in copy.frames.values_mut() {
        let compiler = of(frame.origin.compiler);
        let Frame { quat, alt, name, .. } = frame;
        to_quat(quat, alt, compiler, "frame", name)?;
    }
    for joint in copy.joints.values_mut() {
        let compiler = of(joint.origin.compiler);
        resolve_joint(joint, compiler, &main);
    }
    for geom in copy.geoms.values_mut() {
        to_quat(&mut geom.quat, &mut geom.alt, of(geom.origin.compiler), "geom", &geom.name)?;
    }
    for site in copy.sites.values_mut() {
        to_quat(&mut site.quat, &mut site.alt, of(site.origin.compiler), "site", &site.name)?;
    }
    for camera in copy.cameras.values_mut() {
        to_quat(&mut camera.quat, &mut camera.alt, of(camera.origin.compiler), "camera", &camera.name)?;
    }
    copy.tendons.values_mut().for_each(|tendon| resolve_tendon(tendon, of(tendon.origin.compiler), &main));
    copy.actuators
        .values_mut()
        .for_each(|actuator| resolve_actuator(actuator, of(actuator.origin.compiler), &main));
    let mut main = main;
    main.degree = false;
    main.eulerseq = Compiler::default().eulerseq;
    copy.compilers = vec![main];
    gather_folders(&mut copy, &compilers);
    Ok(copy)
}

fn resolve_class<'c>(
    class: &mut DefaultClass,
    of: &impl Fn(CompilerId) -> &'c Compiler,
    main: &Compiler,
) -> Result<(), WriteError> {
    let name = class.name.clone();
    let compiler = of(class.joint.origin.compiler);
    resolve_joint(&mut class.joint, compiler, main);
    to_quat(
        &mut class.geom.quat,
        &mut class.geom.alt,
        of(class.geom.origin.compiler),
        "default class",
        &name,
    )?;
    to_quat(
        &mut class.site.quat,
        &mut class.site.alt,
        of(class.site.origin.compiler),
        "default class",
        &name,
    )?;
    let camera = &mut class.camera;
    to_quat(&mut camera.quat, &mut camera.alt, of(camera.origin.compiler), "default class", &name)?;
    let compiler = of(class.tendon.origin.compiler);
    resolve_tendon(&mut class.tendon, compiler, main);
    let compiler = of(class.actuator.origin.compiler);
    resolve_actuator(&mut class.actuator, compiler, main);
    Ok(())
}

/// Replaces another form of orientation by its quaternion.
fn to_quat(
    quat: &mut [f64; 4],
    alternative: &mut Orientation,
    compiler: &Compiler,
    kind: &'static str,
    name: &str,
) -> Result<(), WriteError> {
    *quat = resolve_orientation(quat, alternative, compiler).map_err(|cause| WriteError::Element {
        kind,
        name: name.to_owned(),
        cause: cause.to_owned(),
    })?;
    *alternative = Orientation::Quat;
    Ok(())
}

/// Makes a limit explicit where the settings of the main model would not infer it.
fn infer(limited: &mut Limited, range: &[f64; 2], compiler: &Compiler, main: &Compiler) {
    if *limited == Limited::Auto && compiler.autolimits && !main.autolimits && is_limited(*limited, range) {
        *limited = Limited::True;
    }
}

fn resolve_joint(joint: &mut Joint, compiler: &Compiler, main: &Compiler) {
    infer(&mut joint.limited, &joint.range, compiler, main);
    infer(&mut joint.actfrclimited, &joint.actfrcrange, compiler, main);
    if joint.r#type == JointType::Free
        && joint.align == AlignFree::Auto
        && compiler.alignfree != main.alignfree
    {
        joint.align = if compiler.alignfree { AlignFree::True } else { AlignFree::False };
    }
    if !compiler.degree {
        return;
    }
    // as the compiler does: a range that is not enforced keeps its numbers
    let is_rotation = matches!(joint.r#type, JointType::Hinge | JointType::Ball);
    if is_rotation && is_limited(joint.limited, &joint.range) {
        joint.range = joint.range.map(|angle| angle * (PI / 180.0));
    }
    if joint.r#type == JointType::Hinge {
        joint.r#ref *= PI / 180.0;
        joint.springref *= PI / 180.0;
    }
}

fn resolve_tendon(tendon: &mut Tendon, compiler: &Compiler, main: &Compiler) {
    infer(&mut tendon.limited, &tendon.range, compiler, main);
    infer(&mut tendon.actfrclimited, &tendon.actfrcrange, compiler, main);
}

fn resolve_actuator(actuator: &mut Actuator, compiler: &Compiler, main: &Compiler) {
    infer(&mut actuator.ctrllimited, &actuator.ctrlrange, compiler, main);
    infer(&mut actuator.forcelimited, &actuator.forcerange, compiler, main);
    infer(&mut actuator.actlimited, &actuator.actrange, compiler, main);
}

/// The compiler settings of all assets that are read from files.
fn compilers_of_files(spec: &Spec) -> impl Iterator<Item = CompilerId> {
    let meshes = spec.meshes.values().filter(|mesh| !mesh.file.is_empty()).map(Element::origin);
    let hfields = spec.hfields.values().filter(|hfield| !hfield.file.is_empty()).map(Element::origin);
    let skins = spec.skins.values().filter(|skin| !skin.file.is_empty()).map(Element::origin);
    let read =
        |texture: &&Texture| std::iter::once(&texture.file).chain(&texture.cubefiles).any(|f| !f.is_empty());
    let textures = spec.textures.values().filter(read).map(Element::origin);
    meshes.chain(hfields).chain(skins).chain(textures).map(|origin| origin.compiler)
}

/// Where all files of assets come from the same folders, these stay in the compiler section; otherwise they
/// go into file names.
fn gather_folders(spec: &mut Spec, compilers: &[Compiler]) {
    let folders = |c: &Compiler| (c.meshdir.clone(), c.texturedir.clone(), c.modelfiledir.clone());
    let [main, ..] = compilers else { return };
    let of = |id: CompilerId| compilers.get(id.0 as usize).unwrap_or(main);
    if spec.compilers[0].strippath || compilers_of_files(spec).all(|id| folders(of(id)) == folders(main)) {
        return;
    }
    let full = |file: &mut String, compiler: &Compiler, folder: &str| {
        if !file.is_empty() && !vfs::is_absolute(file) {
            let path = vfs::combine(&compiler.modelfiledir, &vfs::combine(folder, file));
            *file = path.strip_prefix(&main.modelfiledir).map(str::to_owned).unwrap_or(path);
        }
    };
    for mesh in spec.meshes.values_mut() {
        let compiler = of(mesh.origin().compiler);
        full(&mut mesh.file, compiler, &compiler.meshdir);
    }
    for hfield in spec.hfields.values_mut() {
        let compiler = of(hfield.origin().compiler);
        full(&mut hfield.file, compiler, &compiler.meshdir);
    }
    for skin in spec.skins.values_mut() {
        let compiler = of(skin.origin().compiler);
        full(&mut skin.file, compiler, &compiler.meshdir);
    }
    for texture in spec.textures.values_mut() {
        let compiler = of(texture.origin().compiler);
        for file in std::iter::once(&mut texture.file).chain(&mut texture.cubefiles) {
            full(file, compiler, &compiler.texturedir);
        }
    }
    spec.compilers[0].meshdir.clear();
    spec.compilers[0].texturedir.clear();
}
