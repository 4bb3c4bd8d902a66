//! The vertices of bodies that touch something that can move, as point masses of the engine's solvers.
//!
//! The elastic forces of a substep see the contact forces of the one before, and are corrected for their
//! stiffness and damping before the contacts are solved for. So a body at rest has nothing to correct,
//! contacts see the resistance of what lies behind a vertex, and the velocities that the solver asks for are
//! those that the vertices get.

use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{Cone, DisableBit};
use kinetree_model::{Data, Model, StepError};
use kinetree_sim::{Carrier, PointContacts, PointMasses, PointMotion, Share, mj_is_dual};

use crate::body::DeformableBody;
use crate::contact::{DetectionScratch, Found, detect, list_fixed};
use crate::error::SoftError;
use crate::member::{Attachment, Member};
use crate::mutual::{MutualContacts, ROUNDS};

/// A vertex that is further from its place than this many mean edges of its body, because it was attached
/// from afar or because the place has jumped, would tear at its elements if it went there at once.
const NEAR: f64 = 1.0;

/// How far such a vertex comes nearer in a step, in mean edges.
const APPROACH: f64 = 0.1;

/// The dual solvers store a full matrix over the rows of all contacts, and each of their sweeps reads it:
/// that of so many rows takes 32 megabytes, and a step about a second.
const MOST_DUAL_ROWS: usize = 2048;

impl Member {
    /// Moves attached vertices to their places, or nearer to them. Those on bodies that can move become
    /// points of the engine.
    fn place_attached(&mut self, model: &Model, data: &Data, mut add: impl FnMut(f64, &Attachment, Vec3)) {
        let edge = self.surface.mean_edge;
        for attachment in &self.attachments {
            let (vertex, anchor) = (attachment.vertex, attachment.anchor(data));
            let particles = self.body.particles_mut();
            let place = nearer(&particles.position[vertex], &anchor, edge);
            if particles.position[vertex] != place {
                self.solver.wake();
            }
            particles.position[vertex] = place;
            if !model.is_fixed(attachment.body) {
                add(particles.mass()[vertex], attachment, place);
                self.coupled = true;
            }
        }
    }

    /// `Ok` when attached vertices are at places that are finite.
    fn check_attached(&self) -> Result<(), SoftError> {
        let position = &self.body.particles().position;
        self.attachments.iter().try_for_each(|attachment| attachment.check(&position[attachment.vertex]))
    }

    /// Forgets the forces on vertices that touch nothing any more.
    fn forget_pushes(&mut self, found: &[Found], touched: &mut Vec<bool>) {
        touched.clear();
        touched.resize(self.body.particles().len(), false);
        let places = found.iter().flat_map(|found| found.place.shares().map(|(vertex, _)| vertex));
        let attached = self.attachments.iter().map(|attachment| attachment.vertex);
        places.chain(attached).for_each(|vertex| touched[vertex] = true);
        for (push, _) in
            self.body.particles_mut().push.iter_mut().zip(touched).filter(|(_, touched)| !**touched)
        {
            *push = Vec3::zeros();
        }
    }

    /// Keeps the contacts with geoms, none of which can move.
    fn list_fixed_contacts(&mut self, model: &Model, found: &[Found]) {
        let particles = self.body.particles_mut();
        for found in found {
            list_fixed(model, particles, found);
            found.place.shares().for_each(|(vertex, _)| particles.push[vertex] = Vec3::zeros());
        }
    }

    /// Makes every vertex that takes part in a contact a point mass of the engine. One that is attached to a
    /// body which can move is a part of that.
    fn list_points(
        &mut self,
        index: usize,
        (model, found): (&Model, &[Found]),
        contacts: &mut PointContacts,
        (points, numbers): (&mut Vec<CoupledVertex>, &mut Vec<Option<usize>>),
    ) {
        let particles = self.body.particles();
        numbers.clear();
        numbers.resize(particles.len(), None);
        for Found { place, contact, .. } in found {
            for (vertex, _) in place.shares() {
                if numbers[vertex].is_some() || self.moving_carrier(model, vertex).is_some() {
                    continue;
                }
                let prescribed = particles.inverse_mass()[vertex] == 0.0;
                let mass = if prescribed { f64::INFINITY } else { particles.mass()[vertex] };
                numbers[vertex] = Some(contacts.add_point(mass));
                let start = particles.position[vertex];
                points.push(CoupledVertex { member: index, vertex, start, carried: None });
            }
            let mut contact = *contact;
            contact.elem[1] = index as i32;
            let share = |(vertex, weight): (usize, f64)| match numbers[vertex] {
                Some(point) => Some(Share::point(point, weight)),
                None => Some(Share::body(self.moving_carrier(model, vertex)?, weight)),
            };
            contacts.add_contact(contact, place.shares().filter_map(share));
        }
    }

    /// The body to which a vertex is attached, if it can move.
    fn moving_carrier(&self, model: &Model, vertex: usize) -> Option<usize> {
        self.carrier(vertex).filter(|&body| !model.is_fixed(body))
    }
}

/// The place of an attached vertex in this step, on its way to where it belongs; `edge` is the mean edge of
/// its body, zero if it has none.
fn nearer(position: &Vec3, anchor: &Vec3, edge: f64) -> Vec3 {
    let way = anchor - position;
    let distance = way.norm();
    // also where a number is not finite: such a place is refused
    let far = edge > 0.0 && distance > NEAR * edge && distance.is_finite();
    if far { position + way * (APPROACH * edge / distance) } else { *anchor }
}

/// A vertex of a body that touches something that can move.
#[derive(Debug, Clone, Copy)]
struct CoupledVertex {
    member: usize,
    vertex: usize,
    /// Position when contacts were found (m).
    start: Vec3,
    /// Acceleration by internal forces and gravity alone in this substep (m/s²), if the body counts on what
    /// carries the vertex.
    carried: Option<Vec3>,
}

/// Memory of the coupling of all bodies.
#[derive(Default)]
pub(crate) struct CouplingScratch {
    detection: DetectionScratch,
    points: Vec<CoupledVertex>,
    /// For each vertex of a body: whether it touches something, and its number among the points.
    touched: Vec<bool>,
    numbers: Vec<Option<usize>>,
    pub(crate) mutual: MutualContacts,
}

/// The bodies in a step of the engine.
pub(crate) struct Coupling<'a> {
    members: &'a mut [Member],
    scratch: &'a mut CouplingScratch,
    gravity: Vec3,
    substeps: usize,
    /// Asked before each substep.
    go_on: &'a mut dyn FnMut() -> bool,
    /// The first error; nothing is computed after it.
    pub(crate) failure: Result<(), SoftError>,
}

impl<'a> Coupling<'a> {
    pub(crate) fn new(
        model: &Model,
        members: &'a mut [Member],
        scratch: &'a mut CouplingScratch,
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        scratch.points.clear();
        for member in members.iter_mut() {
            member.coupled = false;
        }
        Self { members, scratch, gravity: gravity(model), substeps: 1, go_on, failure: Ok(()) }
    }

    /// Places attached vertices, and finds the contacts of all bodies with geoms and with each other.
    fn detect_all(&mut self, model: &Model, data: &Data, contacts: &mut PointContacts) {
        let CouplingScratch { detection, points, mutual, .. } = &mut *self.scratch;
        detection.found.clear();
        let touching = !model.disabled(DisableBit::Contact);
        for (index, member) in self.members.iter_mut().enumerate() {
            member.place_attached(model, data, |mass, attachment, place| {
                contacts.add_attached_point(mass, attachment.body, place);
                points.push(CoupledVertex {
                    member: index,
                    vertex: attachment.vertex,
                    start: place,
                    carried: None,
                });
            });
            // the search for neighbours would look everywhere
            if let Err(error) = member.check_attached() {
                self.failure = Err(error);
                return;
            }
            if touching && let Err(error) = detect(model, data, (index, member), detection) {
                self.failure = Err(error.into());
            }
        }
        mutual.find(self.members, model.opt.timestep, touching);
    }

    /// All contacts of a body, and of those that it touches, are of one kind, so that elastic forces see them
    /// all alike.
    fn couple_groups(&mut self) {
        for found in self.scratch.detection.found.iter().filter(|found| found.moving) {
            self.members[found.member].coupled = true;
        }
        for index in 0..self.members.len() {
            let Member { coupled, group, .. } = self.members[index];
            self.members[group].coupled |= coupled;
        }
        for index in 0..self.members.len() {
            self.members[index].coupled = self.members[self.members[index].group].coupled;
        }
    }

    /// Sets the failure when a dual solver would need too large a matrix; its steps would take seconds to
    /// minutes.
    fn check_dual_rows(&mut self, model: &Model) {
        if !mj_is_dual(model) {
            return;
        }
        let pyramid = model.opt.cone != Cone::Elliptic;
        let rows = |found: &Found| match found.contact.dim {
            1 => 1,
            dim if pyramid => 2 * (dim as usize - 1),
            dim => dim as usize,
        };
        let coupled = self.scratch.detection.found.iter().filter(|found| self.members[found.member].coupled);
        if coupled.map(rows).sum::<usize>() > MOST_DUAL_ROWS {
            let what = "more than 2048 rows of contacts of deformable bodies with the solver PGS or with noslip \
                        iterations: take solver=\"Newton\" or \"CG\" with noslip_iterations=\"0\"";
            self.failure = Err(StepError::Unsupported(what).into());
        }
    }

    /// As many substeps as the body needs that needs most of them.
    fn count_substeps(&mut self, dt: f64) {
        for member in self.members.iter().filter(|member| member.coupled) {
            match member.solver.substep_count(member.body.coupled_substeps(dt)) {
                Ok(count) => self.substeps = self.substeps.max(count),
                Err(error) => self.failure = Err(error),
            }
        }
    }

    /// Does something with every coupled body, up to the first error.
    fn for_each_coupled(&mut self, action: impl Fn(&mut Member) -> Result<(), SoftError>) {
        if self.failure.is_ok() {
            self.failure = self.members.iter_mut().filter(|m| m.coupled).try_for_each(action);
        }
    }
}

/// Acceleration by gravity (m/s²).
pub(crate) fn gravity(model: &Model) -> Vec3 {
    if model.disabled(DisableBit::Gravity) { Vec3::zeros() } else { Vec3::from(model.opt.gravity) }
}

/// Lets a vertex move with the body that carries it, and returns its acceleration without internal forces;
/// `None` if the deformable body does not count on that.
///
/// With the mobility `W` of the carrier, the mass `m` of the vertex and the force `F` with which it pulled in
/// the substep before, the vertex accelerates by `a = a₋ + W (f + m g − m a − F)` with the internal force
/// `f`.
fn carry(
    body: &mut dyn DeformableBody,
    vertex: usize,
    carrier: &Carrier,
    gravity: &Vec3,
    h: f64,
) -> Option<Vec3> {
    let particles = body.particles();
    let (mass, pull) = (particles.mass()[vertex], -particles.mass()[vertex] * particles.push[vertex]);
    let free = gravity + particles.force[vertex] / mass;
    let inertia = Mat3::identity() + mass * carrier.mobility;
    let inverse = inertia.try_inverse()?;
    let acceleration = inverse * (carrier.acceleration + carrier.mobility * (mass * free - pull));
    let base = h * carrier.velocity + h * h * acceleration;
    body.carry(vertex, &base, &(inverse * carrier.mobility)).then_some(free)
}

impl PointMasses for Coupling<'_> {
    fn find_contacts(&mut self, model: &Model, data: &Data, contacts: &mut PointContacts) {
        self.detect_all(model, data, contacts);
        self.couple_groups();
        self.check_dual_rows(model);
        if self.failure.is_err() {
            // the rows would be made, and their matrix
            return;
        }
        let found = std::mem::take(&mut self.scratch.detection.found);
        for (index, member) in self.members.iter_mut().enumerate() {
            let first = found.partition_point(|contact| contact.member < index);
            let own =
                &found[first..first + found[first..].partition_point(|contact| contact.member == index)];
            let CouplingScratch { points, touched, numbers, .. } = &mut *self.scratch;
            member.forget_pushes(own, touched);
            if member.coupled {
                // what it touches may move at any time
                member.solver.wake();
                member.list_points(index, (model, own), contacts, (points, numbers));
            } else {
                member.list_fixed_contacts(model, own);
            }
        }
        self.scratch.detection.found = found;
        self.count_substeps(model.opt.timestep);
    }

    fn substeps(&self) -> usize {
        self.substeps
    }

    fn goes_on(&mut self) -> bool {
        if self.failure.is_ok() && !(self.go_on)() {
            self.failure = Err(SoftError::Interrupted);
        }
        self.failure.is_ok()
    }

    fn predict(&mut self, h: f64, motions: &mut [PointMotion]) {
        let gravity = self.gravity;
        self.for_each_coupled(|member| member.body.begin(&gravity, h));
        for (point, motion) in self.scratch.points.iter_mut().zip(motions.iter()) {
            let (body, vertex) = (&mut self.members[point.member].body, point.vertex);
            let push = body.particles().push[vertex];
            point.carried =
                motion.carrier.and_then(|carrier| carry(body.as_mut(), vertex, &carrier, &gravity, h));
            if point.carried.is_none() {
                body.displace(vertex, &(h * h * push));
            }
        }
        let mutual = &mut self.scratch.mutual;
        mutual.for_coupled(self.members, |mutual, contacts, members| {
            mutual.linearize(contacts.clone(), members, h);
            (0..ROUNDS).for_each(|_| mutual.project(contacts.clone(), members));
        });
        self.for_each_coupled(|member| {
            member.correct(h);
            Ok(())
        });
        let mutual = &mut self.scratch.mutual;
        mutual.for_coupled(self.members, MutualContacts::project);
        for (point, motion) in self.scratch.points.iter_mut().zip(motions) {
            let member = &self.members[point.member];
            let (particles, vertex) = (member.body.particles(), point.vertex);
            motion.moved = particles.position[vertex] - point.start;
            motion.velocity = particles.velocity[vertex];
            if let Some(free) = &mut point.carried {
                *free += member.body.pull(vertex, h) / particles.mass()[vertex];
                motion.acceleration = *free;
                continue;
            }
            motion.acceleration = if member.coupled {
                (member.body.displacement(vertex) / h - motion.velocity) / h - particles.push[vertex]
            } else {
                Vec3::zeros()
            };
        }
    }

    fn advance(&mut self, h: f64, motions: &[PointMotion]) {
        for (point, motion) in self.scratch.points.iter().zip(motions) {
            let (member, vertex) = (&mut self.members[point.member], point.vertex);
            if !member.coupled || member.body.particles().inverse_mass()[vertex] == 0.0 {
                continue;
            }
            let change = h * (motion.velocity + h * motion.acceleration) - member.body.displacement(vertex);
            member.body.displace(vertex, &change);
            let push = &mut member.body.particles_mut().push[vertex];
            *push = point.carried.map_or_else(|| *push + change / (h * h), |free| motion.acceleration - free);
        }
        self.for_each_coupled(|member| {
            member.solver.advance(member.body.as_mut(), h);
            Ok(())
        });
    }
}
