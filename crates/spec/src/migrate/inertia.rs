//! Inertial frames: where the levels infer another inertia from the same geoms, that of the old level is
//! written out.

use kinetree_model::{Model, Reference};

use super::fitted;
use super::same::{SAME, far, rotated_by};
use super::task::{Task, label};
use crate::assets::linalg::{normalize, quat_to_mat};
use crate::spec::common::IDENTITY;
use crate::spec::{AlignFree, BodyId, InertiaFromGeom, Orientation, Spec};

pub(super) fn migrate(task: &mut Task<'_>) {
    rotate_urdf_inertias(task);
    let mut whole = plain(task.old);
    // what refers to bodies decides which of them are fused
    whole.compiler_mut().fusestatic = task.old.compiler().fusestatic;
    let old = match whole.compile_with(task.vfs) {
        Ok(model) if model.nbody == task.spec.bodies.len() => model,
        _ => {
            task.differs("compiler".into(), "inertial frames cannot be compared");
            return;
        }
    };
    let new = tree_only(&task.spec).compile_with(task.vfs);
    let new = new.ok().filter(|new| new.nbody == old.nbody);
    let mut wanted = vec![false; old.nbody];
    for (body, wanted) in wanted.iter_mut().enumerate().skip(1) {
        *wanted = new.as_ref().is_none_or(|new| differs(&old, new, body));
    }
    let order = task.spec.subtree(task.spec.world());
    if let Some(new) = &new {
        fitted::migrate(task, &order, [&old, new], &mut wanted);
    }
    if !wanted.contains(&true) {
        return;
    }
    if task.spec.compiler().settotalmass > 0.0 {
        task.spec.compiler_mut().settotalmass = -1.0;
        // bounds came before the masses were scaled, and are in them
        for compiler in &mut task.spec.compilers {
            (compiler.boundmass, compiler.boundinertia) = (0.0, 0.0);
        }
        wanted[1..].fill(true);
        task.changed("compiler".into(), "settotalmass is applied to the masses, which are written out");
    }
    forget_geoms(task, &order, &mut wanted);
    for (number, &id) in order.iter().enumerate().filter(|(number, _)| wanted[*number]) {
        let body = &mut task.spec.bodies[id];
        body.explicitinertial = true;
        (body.ialt, body.fullinertia[0]) = (Orientation::Quat, f64::NAN);
        (body.ipos, body.iquat) = (old.body_ipos[number], old.body_iquat[number]);
        (body.mass, body.inertia) = (old.body_mass[number], old.body_inertia[number]);
        let element = label(body, number);
        task.changed(element, "the inertial frame is written out, another one would follow now");
    }
}

/// At level 3.8 the orientation that URDF gives a full inertia matrix does not count.
fn rotate_urdf_inertias(task: &mut Task<'_>) {
    let mut found = Vec::new();
    for (number, body) in task.spec.bodies.values_mut().enumerate() {
        if body.fullinertia[0].is_nan() || body.iquat == IDENTITY {
            continue;
        }
        let mut quat = std::mem::replace(&mut body.iquat, IDENTITY);
        normalize(&mut quat);
        if task.from == Reference::V4_0 {
            body.fullinertia = rotated(&body.fullinertia, &quat);
        }
        found.push(label(body, number));
    }
    for element in found {
        let text = match task.to {
            Reference::V4_0 => "the rotation of the inertia is left out, as it did not count",
            Reference::V3_8 => "the rotation of the inertia is applied to the matrix",
        };
        task.changed(element, text);
    }
}

/// `R I Rᵀ` as xx, yy, zz, xy, xz, yz.
fn rotated(full: &[f64; 6], quat: &[f64; 4]) -> [f64; 6] {
    let r = quat_to_mat(quat);
    let [xx, yy, zz, xy, xz, yz] = *full;
    let inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let entry = |a: usize, b: usize| -> f64 {
        let row = |i: usize| (0..3).map(|j| inertia[i][j] * r[3 * b + j]).sum::<f64>();
        (0..3).map(|i| r[3 * a + i] * row(i)).sum()
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// A description whose bodies keep their frames and their geoms.
fn plain(spec: &Spec) -> Spec {
    let mut copy = spec.clone();
    for compiler in &mut copy.compilers {
        (compiler.alignfree, compiler.discardvisual, compiler.fusestatic) = (false, false, false);
    }
    for joint in copy.joints.values_mut() {
        joint.align = AlignFree::False;
    }
    copy
}

/// The tree of a description: what inertial frames follow from, and nothing that a level may refuse.
fn tree_only(spec: &Spec) -> Spec {
    let mut tree = plain(spec);
    let empty = Spec::at(spec.reference());
    (tree.option, tree.stat) = (empty.option, empty.stat);
    tree.flexes = empty.flexes;
    tree.skins = empty.skins;
    tree.pairs = empty.pairs;
    tree.excludes = empty.excludes;
    tree.equalities = empty.equalities;
    tree.tendons = empty.tendons;
    tree.actuators = empty.actuators;
    tree.sensors = empty.sensors;
    tree.tuples = empty.tuples;
    tree.keys = empty.keys;
    tree.attached_keys.clear();
    // no frame depends on which corners a hull keeps
    tree.meshes.values_mut().for_each(|mesh| mesh.maxhullvert = -1);
    tree
}

/// Whether a body has another inertia in two models.
fn differs(old: &Model, new: &Model, body: usize) -> bool {
    let near = |a: &[f64], b: &[f64]| {
        let scale = a.iter().fold(f64::MIN_POSITIVE, |max, value| max.max(value.abs()));
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * scale)
    };
    let [mass, inertia] = [&old.body_mass[body..=body], &old.body_inertia[body][..]];
    !near(mass, &new.body_mass[body..=body])
        || !near(inertia, &new.body_inertia[body])
        || mass[0] != 0.0 && far(&old.body_ipos[body], &new.body_ipos[body])
        || inertia != [0.0; 3] && rotated_by(&old.body_iquat[body], &new.body_iquat[body]) > SAME
}

/// Where geoms decide even about inertias that are given, these are written out, and geoms decide about the
/// others alone.
fn forget_geoms(task: &mut Task<'_>, order: &[BodyId], wanted: &mut [bool]) {
    let spec = &mut task.spec;
    for (number, &id) in order.iter().enumerate().skip(1) {
        let body = &spec.bodies[id];
        let geoms_win = spec.compiler_of(&body.origin).inertiafromgeom == InertiaFromGeom::True;
        wanted[number] |= geoms_win && (body.explicitinertial || !body.ipos[0].is_nan());
    }
    let mut changed = false;
    for compiler in &mut spec.compilers {
        if compiler.inertiafromgeom == InertiaFromGeom::True {
            compiler.inertiafromgeom = InertiaFromGeom::Auto;
            changed = true;
        }
    }
    if changed {
        task.changed("compiler".into(), "inertiafromgeom is 'auto', some inertias are written out");
    }
}
