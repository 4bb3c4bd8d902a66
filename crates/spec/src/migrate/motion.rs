//! Differences of what moves: integrators and contacts.

use kinetree_model::enums::{DisableBit, EnableBit, GeomType, Integrator, JointType};
use kinetree_model::{Difference, Model, point};

use super::note::NoteKind;
use super::task::{Task, label};
use crate::spec::{Body, BodyId, Geom, Spec};

/// Relative difference of moments of inertia that are equal.
const EQUAL: f64 = 1e-9;

pub(super) fn find(task: &mut Task<'_>) {
    integrators(task);
    mocap_groups(task);
    contact_kinds(task);
}

fn integrators(task: &mut Task<'_>) {
    let implicit = [Integrator::Implicit as i32, Integrator::Implicitfast as i32];
    let integrator = task.model.opt.integrator;
    if integrator == Integrator::Rk4 as i32 {
        let rotates = |kind: i32| kind == JointType::Ball as i32 || kind == JointType::Free as i32;
        if task.model.jnt_type.iter().any(|&kind| rotates(kind)) {
            let text = format!("{}: {}", point::rk4_rotations.subject, point::rk4_rotations.what);
            task.differs("option".into(), text);
        }
    }
    if !implicit.contains(&integrator) {
        return;
    }
    if task.model.jnt_actfrclimited.contains(&1) || task.model.tendon_actfrclimited.contains(&1) {
        let text = format!("{}: {}", point::actuator_saturation.subject, point::actuator_saturation.what);
        task.warn("option".into(), text);
    }
    let order = task.spec.subtree(task.spec.world());
    for body in 1..task.model.nbody {
        let Some(kind) = free_body(task.model, body) else { continue };
        let element = order.get(body).map_or_else(String::new, |&id| label(&task.spec.bodies[id], body));
        let text = format!("{}: {}", point::free_bodies.subject, point::free_bodies.what);
        task.note(kind, element, text);
    }
}

/// What becomes of a body that is free by itself under implicit integrators. The midpoint rule of level 3.8
/// takes the mean of two velocities where level 4.0 takes the new one; a sphere that nothing rotates does not
/// feel it.
fn free_body(model: &Model, body: usize) -> Option<NoteKind> {
    let joint = usize::try_from(model.body_jntadr[body]).ok()?;
    let tree = model.dof_treeid[model.jnt_dofadr[joint] as usize] as usize;
    if model.jnt_type[joint] != JointType::Free || model.tree_dofnum[tree] != 6 {
        return None;
    }
    let [a, b, c] = model.body_inertia[body];
    let is_alone = model.body_subtreemass[body] == model.body_mass[body];
    let gyrates = !is_alone || (a - b).abs().max((b - c).abs()) > EQUAL * a.max(b).max(c);
    if is_alone && !model.enabled(EnableBit::Invdiscrete) {
        let is_central = model.body_ipos[body] == [0.0; 3];
        return Some(if gyrates || !is_central { NoteKind::Difference } else { NoteKind::Warning });
    }
    let is_fast = model.opt.integrator == Integrator::Implicitfast;
    (gyrates && is_fast).then_some(NoteKind::Difference)
}

/// Bodies that joints fix to a mocap body no longer touch it, as no child touches its parent.
fn mocap_groups(task: &mut Task<'_>) {
    if task.model.opt.disableflags & DisableBit::Filterparent as i32 != 0 {
        return;
    }
    let spec = &task.spec;
    let mut found = Vec::new();
    for (number, id) in spec.subtree(spec.world()).into_iter().enumerate() {
        let body = &spec.bodies[id];
        let Some(parent) = body.parent.filter(|_| !body.joints.is_empty()) else { continue };
        let Some(mocap) = mocap_of(spec, parent) else { continue };
        let near = group(spec, mocap);
        let far = group(spec, id);
        if near.iter().any(|g1| far.iter().any(|g2| collide(g1, g2))) {
            found.push((label(body, number), spec.bodies[mocap].name.clone()));
        }
    }
    for (element, mocap) in found {
        let text = format!(
            "{}: its contacts with '{mocap}' are those of parent and child",
            point::mocap_weld.subject
        );
        task.differs(element, text);
    }
}

/// The mocap body that a body is fixed to.
fn mocap_of(spec: &Spec, mut id: BodyId) -> Option<BodyId> {
    loop {
        let body = &spec.bodies[id];
        if body.mocap {
            return Some(id);
        }
        if !body.joints.is_empty() {
            return None;
        }
        id = body.parent?;
    }
}

/// Geoms of a body and of those that are fixed to it.
fn group(spec: &Spec, root: BodyId) -> Vec<&Geom> {
    let (mut geoms, mut waiting) = (Vec::new(), vec![root]);
    while let Some(id) = waiting.pop() {
        let body: &Body = &spec.bodies[id];
        geoms.extend(body.geoms.iter().map(|&geom| &spec.geoms[geom]));
        waiting.extend(body.bodies.iter().copied().filter(|&child| spec.bodies[child].joints.is_empty()));
    }
    geoms
}

fn collide(a: &Geom, b: &Geom) -> bool {
    a.contype & b.conaffinity != 0 || b.contype & a.conaffinity != 0
}

/// Names the pairs of shapes whose contacts are found otherwise.
fn contact_kinds(task: &mut Task<'_>) {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf};
    let model = task.model;
    if model.opt.disableflags & (DisableBit::Contact as i32 | DisableBit::Constraint as i32) != 0 {
        return;
    }
    let in_pair =
        |geom: usize| model.pair_geom1.contains(&(geom as i32)) || model.pair_geom2.contains(&(geom as i32));
    let colliding: Vec<i32> = (0..model.ngeom)
        .filter(|&geom| model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0 || in_pair(geom))
        .map(|geom| model.geom_type[geom])
        .collect();
    let count = |kind: GeomType| colliding.iter().filter(|&&found| found == kind as i32).count();
    let round = count(Capsule) + count(Cylinder) + count(Box);
    let convex = colliding.len() > 1
        && (count(Mesh) + count(Hfield) + count(Ellipsoid) > 0 || count(Cylinder) > 0 && round > 1);
    let found: [(bool, &Difference); 5] = [
        (count(Box) > 1, &point::box_box),
        (count(Capsule) > 1, &point::capsule_capsule),
        (count(Plane) > 0 && count(Mesh) > 0, &point::plane_meshes),
        (convex, &point::multicontact),
        (count(Sdf) > 0, &point::distance_fields),
    ];
    for (_, difference) in found.into_iter().filter(|(comes, _)| *comes) {
        task.warn("contacts".into(), format!("{}: {}", difference.subject, difference.what));
    }
}
