//! Deformable bodies beside a model.

use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::SensorType;
use kinetree_model::{
    Data, Deformable, Model, STATE_INTEGRATION, StepError, mj_get_state, mj_set_state, mj_state_size,
};
use kinetree_sim::step_with_points;

use crate::body::DeformableBody;
use crate::coupling::{Coupling, CouplingScratch, gravity};
use crate::error::{SoftError, check_range};
use crate::group::step_groups;
use crate::member::{Attachment, Member};
use crate::solver::{XpbdSettings, XpbdSolver};

/// Deformable bodies that share the world of a [`Data`].
///
/// Bodies fall with the gravity of the model and touch its geoms: planes, primitives, convex meshes, height
/// fields and signed distance fields. A vertex is a ball of the body's radius; edges and faces touch the
/// corners and edges of geoms. Contacts are stiffer than the defaults of geoms, unless the geom has a
/// priority, have the larger of both frictions, and push in every substep.
///
/// Vertices that take part in a contact with a geom whose body can move are point masses of three dofs in the
/// problem that the model's solver solves for the forces of all constraints. Such contacts are listed in the
/// data behind those of the geoms, with `geom` and `flex` −1 on their second side, the number of the
/// deformable body in `elem` and in `vert` that of the vertex, or of the nearest vertex of an edge or face;
/// their forces are the means over the step.
///
/// ```
/// use kinetree_model::Data;
/// use kinetree_soft::{Cloth, ClothPreset, DeformableBody, SoftWorld, Vec3, XpbdSettings};
///
/// let model = kinetree_spec::load_model_str(
///     "<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>",
/// )?;
/// let mut data = Data::new(&model);
/// let mut world = SoftWorld::default();
/// let mut cloth = Cloth::grid([4, 4], [0.2, 0.2], ClothPreset::Membrane)?;
/// cloth.particles_mut().position.iter_mut().for_each(|x| x.z = 0.01);
/// let cloth = world.add(cloth, XpbdSettings::default());
/// for _ in 0..200 {
///     world.step(&model, &mut data)?;
/// }
/// let cloth = world.body(cloth).ok_or("no cloth")?.particles();
/// let lowest = cloth.position.iter().fold(1.0, |z: f64, x| z.min(x.z));
/// assert!(lowest.abs() < 1e-3, "the cloth lies on the plane: {lowest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct SoftWorld {
    members: Vec<Member>,
    scratch: CouplingScratch,
    /// Signature of the model that the world was made for or its vertices are attached to; none when any
    /// model will do.
    made_for: Option<u64>,
    /// The state before a step of many substeps.
    before: Vec<f64>,
}

/// From so many substeps on a step keeps the state before it, in case it is interrupted: that takes no time
/// beside them.
const MANY_SUBSTEPS: usize = 16;

impl SoftWorld {
    /// Adds a body and returns its number.
    pub fn add(&mut self, body: impl DeformableBody + 'static, settings: XpbdSettings) -> usize {
        self.members.push(Member::new(Box::new(body), XpbdSolver::new(settings)));
        self.members.len() - 1
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The bodies, in the order of their numbers.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &(dyn DeformableBody + 'static)> {
        self.members.iter().map(|member| &*member.body)
    }

    /// A body; `None` if there is no such number.
    #[must_use]
    pub fn body(&self, index: usize) -> Option<&(dyn DeformableBody + 'static)> {
        self.members.get(index).map(|member| &*member.body)
    }

    /// A body, to change it; `None` if there is no such number. Wakes it up.
    pub fn body_mut(&mut self, index: usize) -> Option<&mut (dyn DeformableBody + 'static)> {
        let member = self.members.get_mut(index)?;
        member.solver.wake();
        Some(&mut *member.body)
    }

    /// The name of a body: that of its element in a model file; empty without one, or if there is no such
    /// body.
    #[must_use]
    pub fn name(&self, index: usize) -> &str {
        self.members.get(index).map_or("", |member| &member.name)
    }

    /// Names a body.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn set_name(&mut self, index: usize, name: &str) -> Result<(), SoftError> {
        name.clone_into(&mut self.member_mut(index)?.name);
        Ok(())
    }

    /// The colour of a body in pictures: red, green, blue and opacity. At first it follows from the material
    /// ([`Material::rgba`](crate::Material::rgba)). `None` if there is no such body.
    #[must_use]
    pub fn rgba(&self, index: usize) -> Option<[f32; 4]> {
        self.members.get(index).map(|member| member.rgba)
    }

    /// Gives a body a colour: red, green, blue and opacity, from 0 to 1.
    ///
    /// # Errors
    /// When there is no such body, or a number is out of range.
    pub fn set_rgba(&mut self, index: usize, rgba: [f32; 4]) -> Result<(), SoftError> {
        let member = self.member_mut(index)?;
        for value in rgba {
            check_range("a number of rgba", value.into(), (0.0..=1.0).contains(&value), "from 0 to 1")?;
        }
        member.rgba = rgba;
        Ok(())
    }

    /// Calls `f` with what a picture shows of each body, in the order of their numbers.
    pub fn for_each_shape(&self, mut f: impl FnMut(&Deformable<'_>)) {
        for member in &self.members {
            let (body, triangles) = (&member.body, member.body.triangles());
            // the segments of a rope
            let segments = if triangles.is_empty() { body.edges() } else { Vec::new() };
            f(&Deformable {
                name: &member.name,
                vertices: &body.particles().position,
                triangles,
                segments: &segments,
                radius: body.radius(),
                rgba: member.rgba,
            });
        }
    }

    fn member_mut(&mut self, index: usize) -> Result<&mut Member, SoftError> {
        let count = self.members.len();
        self.members.get_mut(index).ok_or(SoftError::OutOfRange { what: "deformable body", index, count })
    }

    /// Whether a body sleeps.
    #[must_use]
    pub fn is_asleep(&self, index: usize) -> bool {
        self.members.get(index).is_some_and(Member::is_asleep)
    }

    /// Fixes a vertex of a body to a body of the model, where both are now: they move together, and pull on
    /// each other. An attached vertex touches the geoms of other bodies, as geoms of its own body would. The
    /// data holds poses after a call of `forward` or a step.
    ///
    /// # Errors
    /// When there is no such body or vertex, or the data belongs to another model.
    pub fn attach_to_body(
        &mut self,
        (index, vertex): (usize, usize),
        model: &Model,
        data: &Data,
        body: usize,
    ) -> Result<(), SoftError> {
        data.check(model).map_err(StepError::from)?;
        self.check_model(model)?;
        let count = model.nbody;
        if body >= count {
            return Err(SoftError::OutOfRange { what: "body of the model", index: body, count });
        }
        let position = self.vertex_position(index, vertex)?;
        let local = Mat3::from_row_slice(&data.xmat[body]).tr_mul(&(position - Vec3::from(data.xpos[body])));
        self.attach(index, model, Attachment { vertex, body, local })
    }

    /// Fixes a vertex of a body to a site: the vertex moves there, and the site's body with it. One that is
    /// further away than a mean edge of its body comes nearer by a tenth of an edge in each step, and is
    /// fixed where it is meanwhile.
    ///
    /// # Errors
    /// When there is no such body, vertex or site.
    pub fn attach_to_site(
        &mut self,
        (index, vertex): (usize, usize),
        model: &Model,
        site: usize,
    ) -> Result<(), SoftError> {
        self.check_model(model)?;
        let count = model.nsite;
        if site >= count {
            return Err(SoftError::OutOfRange { what: "site", index: site, count });
        }
        self.vertex_position(index, vertex)?;
        let (body, local) = (model.site_bodyid[site] as usize, Vec3::from(model.site_pos[site]));
        self.attach(index, model, Attachment { vertex, body, local })
    }

    /// Lets an attached vertex go; one that is not attached stays as it is.
    ///
    /// # Errors
    /// When there is no such body or vertex.
    pub fn detach(&mut self, index: usize, vertex: usize) -> Result<(), SoftError> {
        self.vertex_position(index, vertex)?;
        let member = &mut self.members[index];
        let before = member.attachments.len();
        member.attachments.retain(|attachment| attachment.vertex != vertex);
        member.solver.wake();
        if member.attachments.len() < before { member.body.particles_mut().unpin(vertex) } else { Ok(()) }
    }

    fn vertex_position(&self, index: usize, vertex: usize) -> Result<Vec3, SoftError> {
        let count = self.members.len();
        let member =
            self.members.get(index).ok_or(SoftError::OutOfRange { what: "deformable body", index, count })?;
        let position = &member.body.particles().position;
        let count = position.len();
        position.get(vertex).copied().ok_or(SoftError::OutOfRange { what: "vertex", index: vertex, count })
    }

    fn attach(&mut self, index: usize, model: &Model, attachment: Attachment) -> Result<(), SoftError> {
        attachment.check(&attachment.local)?;
        self.made_for = Some(model.signature());
        self.detach(index, attachment.vertex)?;
        let member = &mut self.members[index];
        member.attachments.push(attachment);
        if model.is_fixed(attachment.body) {
            // what does not move needs no force
            member.body.particles_mut().pin(attachment.vertex)?;
        }
        Ok(())
    }

    /// The state of the model and of all bodies: all that steps change and that they depend on.
    ///
    /// # Errors
    /// When the data belongs to another model.
    pub fn state(&self, model: &Model, data: &Data) -> Result<Vec<f64>, SoftError> {
        let mut state = Vec::new();
        self.read_state(model, data, &mut state)?;
        Ok(state)
    }

    fn read_state(&self, model: &Model, data: &Data, state: &mut Vec<f64>) -> Result<(), SoftError> {
        self.check_model(model)?;
        state.clear();
        state.resize(mj_state_size(model, STATE_INTEGRATION)?, 0.0);
        mj_get_state(model, data, state, STATE_INTEGRATION)?;
        for member in &self.members {
            state.push(member.solver.still_time());
            member.body.read_state(state);
        }
        Ok(())
    }

    /// An error unless the model is the one that the world was made for, as far as sizes tell.
    fn check_model(&self, model: &Model) -> Result<(), SoftError> {
        let fits = self.made_for.is_none_or(|signature| signature == model.signature());
        if fits { Ok(()) } else { Err(SoftError::OtherModel) }
    }

    /// Says which model the world was made for.
    pub(crate) fn set_model(&mut self, model: &Model) {
        self.made_for = Some(model.signature());
    }

    /// Returns to a state that [`state`](Self::state) has read.
    ///
    /// # Errors
    /// When the state has another length, or the data belongs to another model; nothing is changed then.
    pub fn set_state(&mut self, model: &Model, data: &mut Data, state: &[f64]) -> Result<(), SoftError> {
        let (count, expected) = (state.len(), self.state(model, data)?.len());
        if count != expected {
            return Err(SoftError::Length { what: "the state", count, expected });
        }
        let (own, mut rest) = state.split_at(mj_state_size(model, STATE_INTEGRATION)?);
        mj_set_state(model, data, own, STATE_INTEGRATION)?;
        for member in &mut self.members {
            let Some((still, bodies)) = rest.split_first() else { break };
            rest = bodies;
            member.solver.set_still_time(*still);
            member.body.write_state(&mut rest)?;
        }
        Ok(())
    }

    /// Takes over the state of those bodies of another world that have the same name, kind and number of
    /// vertices, as a program wants that goes on with a model after its file has changed. Other bodies stay
    /// as they are.
    pub fn carry_state_by_name(&mut self, from: &Self) {
        let mut state = Vec::new();
        for member in self.members.iter_mut().filter(|member| !member.name.is_empty()) {
            let Some(old) = from.members.iter().find(|old| old.name == member.name) else { continue };
            let alike = old.body.triangles() == member.body.triangles()
                && old.start.len() == member.start.len()
                && old.body.particles().len() == member.body.particles().len();
            if alike {
                state.clear();
                old.body.read_state(&mut state);
                // the state has the length that the body asks for
                let _ = member.body.write_state(&mut state.as_slice());
            }
        }
    }

    /// Resets the data, and all bodies to the state in which they were added.
    ///
    /// # Errors
    /// When the data belongs to another model.
    pub fn reset(&mut self, model: &Model, data: &mut Data) -> Result<(), SoftError> {
        self.check_model(model)?;
        data.reset(model).map_err(StepError::from)?;
        for member in &mut self.members {
            member.solver.wake();
            let Member { body, start, .. } = member;
            body.write_state(&mut start.as_slice())?;
        }
        Ok(())
    }

    /// Vertices on bodies that cannot move are pinned, and nobody computes what holds them: an error where a
    /// sensor would have to see that.
    fn check_sensors(&self, model: &Model) -> Result<(), SoftError> {
        let of_forces = |&sensor: &usize| {
            [SensorType::Force as i32, SensorType::Torque as i32].contains(&model.sensor_type[sensor])
        };
        let body_of = |sensor: usize| {
            let site = usize::try_from(model.sensor_objid[sensor]).ok()?;
            model.site_bodyid.get(site).map(|&body| body as usize)
        };
        let attachments = || self.members.iter().flat_map(|member| &member.attachments);
        let fixed = || attachments().filter(|a| a.body < model.nbody && model.is_fixed(a.body));
        for above in (0..model.nsensor).filter(of_forces).filter_map(body_of) {
            if fixed().any(|attachment| is_inside(model, attachment.body, above)) {
                let what = "sensors of forces and torques that carry attached vertices on bodies without \
                            joints: attach them to a body with a joint";
                return Err(StepError::Unsupported(what).into());
            }
        }
        Ok(())
    }

    /// Advances the model and all bodies by one time step. Without bodies this is a step of the model.
    ///
    /// # Errors
    /// When the model cannot be stepped, a setting is out of range, or a state is not finite; `unsupported`
    /// with the integrator RK4, in models whose bodies may sleep, with sensors of forces or torques above
    /// bodies without joints to which vertices are attached, and with more than 2048 rows of contacts under
    /// the solver PGS or with noslip iterations.
    pub fn step(&mut self, model: &Model, data: &mut Data) -> Result<(), SoftError> {
        self.step_watched(model, data, &mut || true)
    }

    /// Like [`step`](Self::step), but asks `go_on` before each substep. When it says no, model and bodies
    /// return to the state before the step, if that has more than a few substeps, else the step is made.
    ///
    /// # Errors
    /// As [`step`](Self::step); [`SoftError::Interrupted`] when `go_on` has said no.
    pub fn step_watched(
        &mut self,
        model: &Model,
        data: &mut Data,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), SoftError> {
        self.check_model(model)?;
        if self.members.is_empty() {
            return Ok(data.step(model)?);
        }
        for member in &self.members {
            member.body.particles().check()?;
            member.solver.check()?;
        }
        // a negative step would let the search for contacts between bodies look everywhere
        let dt = model.opt.timestep;
        check_range("the time step", dt, dt > 0.0, "positive")?;
        self.check_sensors(model)?;
        if !self.has_many_substeps(dt) {
            return self.step_bodies(model, data, &mut || true);
        }
        let mut before = std::mem::take(&mut self.before);
        let read = self.read_state(model, data, &mut before);
        let mut result = read.and_then(|()| self.step_bodies(model, data, go_on));
        if result == Err(SoftError::Interrupted) {
            result = self.set_state(model, data, &before).and(result);
        }
        self.before = before;
        result
    }

    /// Whether a step is long enough to be interrupted.
    fn has_many_substeps(&self, dt: f64) -> bool {
        let count = |member: &Member| member.solver.substep_count(member.body.coupled_substeps(dt));
        self.members.iter().any(|member| count(member).is_ok_and(|count| count >= MANY_SUBSTEPS))
    }

    /// A step of which everything was checked.
    fn step_bodies(
        &mut self,
        model: &Model,
        data: &mut Data,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), SoftError> {
        let mut coupling = Coupling::new(model, &mut self.members, &mut self.scratch, go_on);
        let stepped = step_with_points(model, data, &mut coupling);
        let mut result = stepped.map_err(SoftError::from).and(coupling.failure);
        if result.is_ok() {
            let (mutual, dt) = (&mut self.scratch.mutual, model.opt.timestep);
            result = step_groups(&mut self.members, mutual, &gravity(model), dt, go_on);
        }
        // contacts are those of one step
        self.members.iter_mut().for_each(|member| member.body.particles_mut().clear_contacts());
        result
    }
}

/// Whether a body, which is not the world, belongs to the subtree of another one.
fn is_inside(model: &Model, mut body: usize, subtree: usize) -> bool {
    while body != 0 {
        if body == subtree {
            return true;
        }
        body = model.body_parentid[body] as usize;
    }
    false
}
