//! The vertices of bodies that touch something that can move, as point masses of the engine's solvers.
//!
//! The elastic forces of a substep see the contact forces of the one before, and are corrected for their
//! stiffness and damping before the contacts are solved for. So a body at rest has nothing to correct,
//! contacts see the resistance of what lies behind a vertex, and the velocities that the solver asks for are
//! those that the vertices get.

use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model, StepError};
use kinetree_sim::{PointContacts, PointMasses, PointMotion};

use crate::body::DeformableBody;
use crate::contact::{DetectionScratch, Found, detect, fixed_contact};
use crate::error::SoftError;
use crate::solver::XpbdSolver;

/// A body with its solver.
pub(crate) struct Member {
    pub(crate) body: Box<dyn DeformableBody>,
    pub(crate) solver: XpbdSolver,
    /// Whether the substeps of this step are those of the engine.
    pub(crate) coupled: bool,
    /// State that a reset returns to.
    pub(crate) start: Vec<f64>,
    pub(crate) attachments: Vec<Attachment>,
}

/// A vertex that is fixed to a body of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Attachment {
    pub(crate) vertex: usize,
    pub(crate) body: usize,
    /// In the frame of the body (m).
    pub(crate) local: Vec3,
}

impl Attachment {
    /// Where the vertex is now (m).
    pub(crate) fn anchor(&self, data: &Data) -> Vec3 {
        Vec3::from(data.xpos[self.body]) + Mat3::from_row_slice(&data.xmat[self.body]) * self.local
    }
}

impl Member {
    /// Moves attached vertices to their places. Those on bodies that can move become points of the engine.
    fn place_attached(&mut self, model: &Model, data: &Data, mut add: impl FnMut(f64, &Attachment, Vec3)) {
        for attachment in &self.attachments {
            let (vertex, anchor) = (attachment.vertex, attachment.anchor(data));
            let particles = self.body.particles_mut();
            if particles.position[vertex] != anchor {
                self.solver.wake();
            }
            particles.position[vertex] = anchor;
            if model.body_weldid[attachment.body] != 0 {
                add(particles.mass()[vertex], attachment, anchor);
                self.coupled = true;
            }
        }
    }

    /// Forgets the forces on vertices that touch nothing any more; `found` is sorted by vertex.
    fn forget_pushes(&mut self, found: &[Found]) {
        let attachments = &self.attachments;
        let mut found = found.iter().peekable();
        for (vertex, push) in self.body.particles_mut().push.iter_mut().enumerate() {
            while found.next_if(|contact| contact.vertex < vertex).is_some() {}
            let touches = found.peek().is_some_and(|contact| contact.vertex == vertex);
            if *push != Vec3::zeros() && !touches && !attachments.iter().any(|a| a.vertex == vertex) {
                *push = Vec3::zeros();
            }
        }
    }

    fn is_attached(&self, vertex: usize) -> bool {
        self.attachments.iter().any(|attachment| attachment.vertex == vertex)
    }
}

/// A vertex of a body that touches something that can move.
#[derive(Debug, Clone, Copy)]
struct CoupledVertex {
    member: usize,
    vertex: usize,
    /// Position when contacts were found (m).
    start: Vec3,
}

/// Memory of the coupling of all bodies.
#[derive(Default)]
pub(crate) struct CouplingScratch {
    detection: DetectionScratch,
    points: Vec<CoupledVertex>,
}

/// The bodies in a step of the engine.
pub(crate) struct Coupling<'a> {
    members: &'a mut [Member],
    scratch: &'a mut CouplingScratch,
    gravity: Vec3,
    substeps: usize,
    /// The first error; nothing is computed after it.
    pub(crate) failure: Result<(), SoftError>,
}

impl<'a> Coupling<'a> {
    pub(crate) fn new(model: &Model, members: &'a mut [Member], scratch: &'a mut CouplingScratch) -> Self {
        scratch.points.clear();
        for member in members.iter_mut() {
            member.coupled = false;
        }
        Self { members, scratch, gravity: gravity(model), substeps: 1, failure: Ok(()) }
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

impl PointMasses for Coupling<'_> {
    fn find_contacts(&mut self, model: &Model, data: &Data, contacts: &mut PointContacts) {
        let CouplingScratch { detection, points } = &mut *self.scratch;
        for (index, member) in self.members.iter_mut().enumerate() {
            member.place_attached(model, data, |mass, attachment, anchor| {
                contacts.add_attached_point(mass, attachment.body, anchor);
                points.push(CoupledVertex { member: index, vertex: attachment.vertex, start: anchor });
            });
            detection.found.clear();
            if !model.disabled(DisableBit::Contact) {
                detect(model, data, member.body.as_ref(), detection);
            }
            member.forget_pushes(&detection.found);
            // all contacts of a body are of one kind, so that its elastic forces see them all alike
            let coupled = member.coupled || detection.found.iter().any(|found| found.moving);
            if coupled {
                // what it touches may move at any time
                member.solver.wake();
            }
            for group in detection.found.chunk_by(|a, b| a.vertex == b.vertex) {
                let vertex = group[0].vertex;
                if member.is_attached(vertex) {
                    continue;
                }
                let particles = member.body.particles_mut();
                let start = particles.position[vertex];
                if !coupled {
                    let fixed =
                        group.iter().map(|found| fixed_contact(model, &start, vertex, &found.contact));
                    particles.contacts.extend(fixed);
                    particles.push[vertex] = Vec3::zeros();
                    continue;
                }
                let prescribed = particles.inverse_mass()[vertex] == 0.0;
                contacts.add_point(if prescribed { f64::INFINITY } else { particles.mass()[vertex] });
                points.push(CoupledVertex { member: index, vertex, start });
                for found in group {
                    let mut contact = found.contact;
                    contact.elem[1] = index as i32;
                    contacts.add_contact(contact);
                }
                member.coupled = true;
            }
            if member.coupled && !member.body.can_be_coupled() {
                let what = "ropes that push or pull on bodies that can move: they are not stable yet";
                self.failure = Err(StepError::Unsupported(what).into());
            } else if member.coupled {
                let needed = member.body.coupled_substeps(model.opt.timestep);
                match member.solver.substep_count(needed) {
                    Ok(count) => self.substeps = self.substeps.max(count),
                    Err(error) => self.failure = Err(error),
                }
            }
        }
    }

    fn substeps(&self) -> usize {
        self.substeps
    }

    fn predict(&mut self, h: f64, motions: &mut [PointMotion]) {
        let gravity = self.gravity;
        self.for_each_coupled(|member| member.body.begin(&gravity, h));
        for &CoupledVertex { member, vertex, .. } in &self.scratch.points {
            let body = &mut self.members[member].body;
            let push = body.particles().push[vertex];
            body.displace(vertex, &(h * h * push));
        }
        self.for_each_coupled(|member| {
            member.body.correct(h, member.solver.settings.iterations);
            Ok(())
        });
        for (point, motion) in self.scratch.points.iter().zip(motions) {
            let member = &self.members[point.member];
            let (particles, vertex) = (member.body.particles(), point.vertex);
            motion.moved = particles.position[vertex] - point.start;
            motion.velocity = particles.velocity[vertex];
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
            member.body.particles_mut().push[vertex] += change / (h * h);
        }
        self.for_each_coupled(|member| {
            member.solver.advance(member.body.as_mut(), h);
            Ok(())
        });
    }
}
