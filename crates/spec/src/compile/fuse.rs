//! Fusing static bodies with their parents.
//!
//! A body without joints disappears: its mass, geoms, sites, cameras, lights and children go to its parent. A
//! body that something refers to by name stays, and so does one whose site carries a force or torque sensor.

use std::collections::{HashMap, HashSet};

use kinetree_math::MINVAL;
use kinetree_model::FusedBody;
use kinetree_model::enums::{EqType, ObjType, SensorType, TrnType};

use super::bodies::{accumulate_contact, compile_camera, compile_light, compute_bvh};
use super::draft::Draft;
use super::frames::{Pose, UNIT, rotate};
use super::inertia;
use super::tree::leads_weld_group;
use crate::spec::Spec;

/// Fuses all bodies that can be fused, then renumbers what is left.
pub(crate) fn fuse_static(draft: &mut Draft<'_>) {
    let referenced = referenced_bodies(draft.spec);
    let sensor_sites = force_sensor_sites(draft);
    let mut table = FusedNames::new(draft);
    let mut gone = vec![false; draft.bodies.len()];
    let by_frames = draft.spec.reference().fuse_static();
    for b in 1..draft.bodies.len() {
        let body = &draft.bodies[b];
        let src = body.src;
        let named = !src.name.is_empty();
        if named {
            let movable = if by_frames {
                !referenced.contains(src.name.as_str())
            } else {
                table.resolves_without(&src.name, &referenced)
            };
            table.refresh(&src.name);
            if !movable || body.sites.iter().any(|s| sensor_sites.contains(s)) {
                table.next += 1;
                continue;
            }
        }
        if !body.joints.is_empty() || src.mocap || by_frames && feels_by_itself(draft, b) {
            table.next += 1;
            continue;
        }
        if named {
            let (name, body, pose) = (src.name.clone(), draft.bodies[b].parent, draft.bodies[b].pose);
            draft.fused.push(FusedBody { name, body, pos: pose.pos, quat: pose.quat });
        }
        if let Err(message) = fuse(draft, b) {
            draft.report.error(src, format!("cannot be fused with its parent: {message}"));
        }
        gone[b] = true;
        table.remove(&src.name);
    }
    renumber(draft, &gone);
    if by_frames {
        return;
    }

    // the reference resolves cameras and lights once more here, which puts them back where their own element
    // says
    for c in 0..draft.cameras.len() {
        compile_camera(draft, c);
    }
    for l in 0..draft.lights.len() {
        compile_light(draft, l);
    }
}

/// Names of bodies with their numbers, as the reference keeps them while it fuses.
///
/// It looks names up in a table that is only refreshed for the body at hand, so that the numbers of later
/// bodies are too large once a body has gone. A reference to one that lies beyond the end of the list counts
/// as broken, and the body at hand stays: which bodies are fused depends on it.
struct FusedNames<'s> {
    numbers: HashMap<&'s str, usize>,
    /// Number of the body at hand.
    next: usize,
    /// Bodies that are left.
    count: usize,
}

impl<'s> FusedNames<'s> {
    fn new(draft: &Draft<'s>) -> Self {
        let names = draft.bodies.iter().enumerate().map(|(b, body)| (body.src.name.as_str(), b));
        Self {
            numbers: names.filter(|(name, _)| !name.is_empty()).collect(),
            next: 1,
            count: draft.bodies.len(),
        }
    }

    /// True when all references can be resolved although this name is gone.
    fn resolves_without(&self, name: &str, referenced: &HashSet<&str>) -> bool {
        referenced
            .iter()
            .all(|&other| other != name && self.numbers.get(other).is_some_and(|&n| n < self.count))
    }

    fn refresh(&mut self, name: &'s str) {
        self.numbers.insert(name, self.next);
    }

    fn remove(&mut self, name: &str) {
        self.numbers.remove(name);
        self.count -= 1;
    }
}

/// Whether something acts on a body by itself that its parent would feel otherwise: compensation of gravity,
/// a medium, a plugin. What is fixed to the world feels none of it.
fn feels_by_itself(draft: &Draft<'_>, b: usize) -> bool {
    let body = &draft.bodies[b];
    let parent = &draft.bodies[body.parent];
    if body.src.plugin.active {
        return true;
    }
    if body.inertial.mass < MINVAL || draft.is_fixed(b) && draft.bodies[b].weld == 0 {
        return false;
    }
    let option = &draft.spec.option;
    body.src.gravcomp != parent.src.gravcomp || option.density > 0.0 || option.viscosity > 0.0
}

/// Names of bodies that other elements refer to.
fn referenced_bodies(spec: &Spec) -> HashSet<&str> {
    let mut names = HashSet::new();
    names.extend(spec.cameras.values().map(|e| e.targetbody.as_str()));
    names.extend(spec.lights.values().map(|e| e.targetbody.as_str()));
    names.extend(spec.skins.values().flat_map(|e| &e.bones).map(|bone| bone.bodyname.as_str()));
    names.extend(spec.flexes.values().flat_map(|e| e.vertbody.iter().chain(&e.nodebody)).map(String::as_str));
    names.extend(spec.excludes.values().flat_map(|e| [e.bodyname1.as_str(), e.bodyname2.as_str()]));
    for equality in spec.equalities.values() {
        let spatial = matches!(equality.r#type, EqType::Connect | EqType::Weld);
        if spatial && equality.objtype == ObjType::Body {
            names.extend([equality.name1.as_str(), equality.name2.as_str()]);
        }
    }
    let driven = spec.actuators.values().filter(|e| e.trntype == TrnType::Body);
    names.extend(driven.map(|e| e.target.as_str()));
    let is_body = |kind: ObjType| matches!(kind, ObjType::Body | ObjType::Xbody);
    for sensor in spec.sensors.values() {
        if is_body(sensor.objtype) {
            names.insert(&sensor.objname);
        }
        if is_body(sensor.reftype) {
            names.insert(&sensor.refname);
        }
    }
    let entries = spec.tuples.values().flat_map(|e| &e.entries).filter(|entry| is_body(entry.objtype));
    names.extend(entries.map(|entry| entry.objname.as_str()));
    names.remove("");
    names
}

/// Sites that carry force or torque sensors.
fn force_sensor_sites(draft: &Draft<'_>) -> HashSet<usize> {
    draft
        .spec
        .sensors
        .values()
        .filter(|e| matches!(e.r#type, SensorType::Force | SensorType::Torque) && e.objtype == ObjType::Site)
        .filter_map(|e| draft.names.find(ObjType::Site, &e.objname))
        .collect()
}

/// Moves everything from a body to its parent.
fn fuse(draft: &mut Draft<'_>, b: usize) -> Result<(), String> {
    let parent = draft.bodies[b].parent;
    let pose = draft.bodies[b].pose;
    let inertial = draft.bodies[b].inertial;
    if parent != 0 && inertial.mass >= MINVAL {
        let reference = draft.spec.reference();
        inertia::absorb(&mut draft.bodies[parent].inertial, &inertial, &pose, reference)?;
    }

    // the children take the place of the body
    let children = std::mem::take(&mut draft.bodies[b].children);
    for &child in &children {
        draft.bodies[child].parent = parent;
        draft.bodies[child].pose = pose.compose(&draft.bodies[child].pose);
    }
    let siblings = &mut draft.bodies[parent].children;
    if let Some(index) = siblings.iter().position(|&child| child == b) {
        siblings.splice(index..=index, children);
    }
    move_elements(draft, b, parent, &pose);
    accumulate_contact(draft, parent);

    // the reference counts the nodes of the merged trees this way, and keeps the difference
    let before = draft.bodies[b].bvh.len() + draft.bodies[parent].bvh.len();
    compute_bvh(draft, parent);
    if !draft.spec.reference().fuse_static() {
        draft.extra_bvh_nodes += draft.bodies[parent].bvh.len() as i64 - before as i64;
    }
    Ok(())
}

fn move_elements(draft: &mut Draft<'_>, b: usize, parent: usize, pose: &Pose) {
    let geoms = std::mem::take(&mut draft.bodies[b].geoms);
    let sites = std::mem::take(&mut draft.bodies[b].sites);
    let cameras = std::mem::take(&mut draft.bodies[b].cameras);
    let lights = std::mem::take(&mut draft.bodies[b].lights);
    for &g in &geoms {
        draft.geoms[g].body = parent;
        draft.geoms[g].pose = pose.compose(&draft.geoms[g].pose);
    }
    for &s in &sites {
        draft.sites[s].body = parent;
        draft.sites[s].pose = pose.compose(&draft.sites[s].pose);
    }
    for &c in &cameras {
        draft.cameras[c].body = parent;
        draft.cameras[c].pose = pose.compose(&draft.cameras[c].pose);
    }
    for &l in &lights {
        let light = &mut draft.lights[l];
        light.body = parent;
        light.pos = pose.compose(&Pose::new(light.pos, UNIT)).pos;
        light.dir = rotate(&pose.quat, &light.dir);
    }
    let target = &mut draft.bodies[parent];
    target.geoms.extend(geoms);
    target.sites.extend(sites);
    target.cameras.extend(cameras);
    target.lights.extend(lights);
}

/// Numbers the remaining bodies and their elements depth first again.
fn renumber(draft: &mut Draft<'_>, gone: &[bool]) {
    let mut number = vec![usize::MAX; gone.len()];
    let mut next = 0;
    for (b, fused) in gone.iter().enumerate() {
        if !fused {
            number[b] = next;
            next += 1;
        }
    }
    let mut index = 0;
    draft.bodies.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
    let order = reorder(&mut draft.geoms, draft.bodies.iter().map(|body| body.geoms.as_slice()));
    for body in &mut draft.bodies {
        for id in body.bvh.nodeid.iter_mut().filter(|id| **id >= 0) {
            *id = order[*id as usize] as i32;
        }
    }
    reorder(&mut draft.sites, draft.bodies.iter().map(|body| body.sites.as_slice()));
    reorder(&mut draft.cameras, draft.bodies.iter().map(|body| body.cameras.as_slice()));
    reorder(&mut draft.lights, draft.bodies.iter().map(|body| body.lights.as_slice()));

    let (mut joint, mut geom, mut site, mut camera, mut light) = (0, 0, 0, 0, 0);
    let count = |list: &mut Vec<usize>, next: &mut usize| {
        for slot in list {
            *slot = *next;
            *next += 1;
        }
    };
    for b in 0..draft.bodies.len() {
        let body = &mut draft.bodies[b];
        body.parent = number[body.parent];
        body.children.iter_mut().for_each(|child| *child = number[*child]);
        count(&mut body.joints, &mut joint);
        count(&mut body.geoms, &mut geom);
        count(&mut body.sites, &mut site);
        count(&mut body.cameras, &mut camera);
        count(&mut body.lights, &mut light);
        let weld = if b == 0 || leads_weld_group(draft.spec.reference(), draft.bodies[b].src) {
            b
        } else {
            draft.bodies[draft.bodies[b].parent].weld
        };
        draft.bodies[b].weld = weld;
    }
    for body in [
        draft.joints.iter_mut().map(|e| &mut e.body).collect::<Vec<_>>(),
        draft.geoms.iter_mut().map(|e| &mut e.body).collect(),
        draft.sites.iter_mut().map(|e| &mut e.body).collect(),
        draft.cameras.iter_mut().map(|e| &mut e.body).collect(),
        draft.lights.iter_mut().map(|e| &mut e.body).collect(),
        draft.fused.iter_mut().map(|e| &mut e.body).collect(),
    ]
    .into_iter()
    .flatten()
    {
        *body = number[*body];
    }
    super::tree::index_names(draft);
}

/// Puts elements in the order in which bodies list them; returns the new index of each old one.
fn reorder<'a, T>(list: &mut Vec<T>, wanted: impl Iterator<Item = &'a [usize]>) -> Vec<usize> {
    let mut slots: Vec<Option<T>> = std::mem::take(list).into_iter().map(Some).collect();
    let mut new_index = vec![usize::MAX; slots.len()];
    for &old in wanted.flatten() {
        if let Some(element) = slots[old].take() {
            new_index[old] = list.len();
            list.push(element);
        }
    }
    new_index
}
