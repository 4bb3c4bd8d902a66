//! Contacts, linearized, in the coordinates of the contact frame.
//!
//! Whatever the cone, a contact has a force `λ` in its frame (normal, tangents, spin and roll) and the
//! curvature `∂²s/∂r²` of its cost there: of an elliptic cone as it is, of a pyramid summed over its edges.
//! The residual is `r = f·(J a + B J v) + K d x` with the axes `f` of the frame, so that a rotation `Ω` of
//! the frame and a motion of the point change it like the relative motion itself: `ḟ·u + f·u̇ = f·(u̇ − Ω ×
//! u)`.

use super::frame::{FrameVector, axes, components, vectors};
use super::motion::DofMotion;
use super::narrow::NarrowProbe;
use super::witness::Witness;
use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::motion::{Point, at_point};
use crate::derivative::analytic::point_motion::Fields;
use crate::derivative::analytic::rows::RowDerivatives;
use crate::derivative::error::DerivativeError;
use crate::kinematics::chain::walk_chains;
use kinetree_math::Vec3;
use kinetree_math::spatial::angular;
use kinetree_model::enums::{ConstraintState, ConstraintType};
use kinetree_model::{Contact, Data, Model};

/// Force, curvature and derivatives of a contact in its frame.
pub(crate) struct Cone {
    pub(crate) dim: usize,
    pub(crate) force: FrameVector,
    curvature: [FrameVector; 6],
    pub(crate) damping: FrameVector,
    pub(crate) stiffness: f64,
    pub(crate) scaling: f64,
}

impl Cone {
    /// Reads the rows of a contact; `None` when no force follows.
    fn new(data: &Data, contact: &Contact) -> Option<Self> {
        let row = contact.efc_address as usize;
        let dim = contact.dim as usize;
        let first = RowDerivatives::new(data, row);
        let mut cone = Self {
            dim,
            force: [0.0; 6],
            curvature: [[0.0; 6]; 6],
            damping: [first.damping; 6],
            stiffness: first.stiffness,
            scaling: first.scaling,
        };
        let active = match data.efc_type[row] {
            t if t == ConstraintType::ContactPyramidal => cone.read_pyramid(data, contact, row),
            t if t == ConstraintType::ContactElliptic => cone.read_ellipse(data, contact, row),
            _ => {
                (cone.force[0], cone.curvature[0][0]) = (first.force, first.curvature);
                first.curvature != 0.0
            }
        };
        active.then_some(cone)
    }

    /// Edges `J₀ ± μₖ Jₖ`.
    fn read_pyramid(&mut self, data: &Data, contact: &Contact, row: usize) -> bool {
        let mut active = false;
        for edge in 0..2 * (self.dim - 1) {
            let RowDerivatives { force, curvature, .. } = RowDerivatives::new(data, row + edge);
            if curvature == 0.0 {
                continue;
            }
            active = true;
            let (k, sign) = (edge / 2 + 1, if edge % 2 == 0 { 1.0 } else { -1.0 });
            let weight = sign * contact.friction[edge / 2];
            self.force[0] += force;
            self.force[k] += weight * force;
            self.curvature[0][0] += curvature;
            self.curvature[0][k] += weight * curvature;
            self.curvature[k][0] += weight * curvature;
            self.curvature[k][k] += weight * weight * curvature;
        }
        active
    }

    fn read_ellipse(&mut self, data: &Data, contact: &Contact, row: usize) -> bool {
        let dim = self.dim;
        for k in 0..dim {
            self.force[k] = data.efc_force[row + k];
            self.damping[k] = data.efc_KBIP[row + k][1];
        }
        match data.efc_state[row] {
            s if s == ConstraintState::Quadratic => {
                for k in 0..dim {
                    self.curvature[k][k] = data.efc_D[row + k];
                }
            }
            s if s == ConstraintState::Cone => {
                for k in 0..dim {
                    self.curvature[k][..dim].copy_from_slice(&contact.H[k * dim..(k + 1) * dim]);
                }
            }
            _ => return false,
        }
        true
    }

    /// `curvature · x`.
    pub(crate) fn mul(&self, x: &FrameVector) -> FrameVector {
        std::array::from_fn(|k| (0..self.dim).map(|j| self.curvature[k][j] * x[j]).sum())
    }
}

/// Rows of a dof: its relative motion along the axes of the frame.
type FrameRows = Vec<(usize, FrameVector)>;

/// Working memory of contacts.
#[derive(Default)]
pub(crate) struct ContactScratch {
    rows: FrameRows,
    pub(crate) probe: NarrowProbe,
}

/// Adds all contacts.
pub(crate) fn add_contacts(
    model: &Model,
    data: &Data,
    fields: &Fields<'_>,
    scratch: &mut ContactScratch,
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) -> Result<(), DerivativeError> {
    for id in 0..data.ncon {
        if let Some(contact) = ContactForce::new(model, data, id, &mut scratch.probe)? {
            add_contact(model, data, &contact, fields, scratch, forces, gradient);
        }
    }
    Ok(())
}

/// How the force of a contact changes with a dof.
pub(crate) struct ForceChange {
    pub(crate) dof: usize,
    /// With its position: of the force in the frame, and of force and torque at the fixed contact point in
    /// world axes, of which the second body feels this and the first the opposite.
    pub(crate) lambda: FrameVector,
    pub(crate) force: Vec3,
    pub(crate) torque: Vec3,
    /// Relative motion along the axes of the frame, where the dof moves only one of the bodies.
    pub(crate) row: Option<FrameVector>,
}

/// A contact with a force, linearized.
pub(crate) struct ContactForce<'a> {
    pub(crate) cone: Cone,
    pub(crate) witness: Witness<'a>,
    pub(crate) axes: [Vec3; 3],
    /// Both bodies at the contact point.
    pub(crate) points: [Point; 2],
    /// In world axes, on the second body.
    pub(crate) force: Vec3,
    pub(crate) torque: Vec3,
}

impl<'a> ContactForce<'a> {
    /// A contact, unless no force follows.
    ///
    /// # Errors
    /// When there is something whose motion is not known.
    pub(crate) fn new(
        model: &'a Model,
        data: &'a Data,
        id: usize,
        probe: &mut NarrowProbe,
    ) -> Result<Option<Self>, DerivativeError> {
        let contact = &data.contact[id];
        if contact.exclude != 0 || contact.efc_address < 0 {
            return Ok(None);
        }
        if contact.geom[0] < 0 || contact.geom[1] < 0 {
            return Err(DerivativeError::Unsupported("a contact with a flex"));
        }
        let Some(cone) = Cone::new(data, contact) else { return Ok(None) };
        let witness = Witness::new(model, data, id, probe).map_err(DerivativeError::Unsupported)?;
        let axes = axes(contact);
        let points = witness.points.map(|p| Point::new(model, data, p.body, &Vec3::from(contact.pos)));
        let (force, torque) = vectors(&axes, &cone.force);
        Ok(Some(Self { cone, witness, axes, points, force, torque }))
    }

    /// Calls `visit` with the change that each dof makes.
    pub(crate) fn for_each_change(
        &self,
        model: &Model,
        data: &Data,
        fields: &Fields<'_>,
        probe: &mut NarrowProbe,
        mut visit: impl FnMut(&ForceChange),
    ) {
        let Self { cone, witness, axes, points, force, torque } = self;
        let bodies = points.map(|p| p.body);
        let motions = relative_motions(fields, points);
        let mut smooth = true;
        walk_chains(model, bodies, false, |j, moves| {
            let axis = &data.cdof[j];
            let moved = witness.motion(&DofMotion { axis, moves }, probe);
            smooth &= moved.smooth;

            // relative motion of the bodies at the point: the rows of the Jacobian
            let row = (moves[0] != moves[1]).then(|| {
                let (k, sign) = if moves[1] { (1, 1.0) } else { (0, -1.0) };
                let (v, w) = (at_point(axis, &points[k].offset) * sign, angular(axis) * sign);
                components(axes, &v, &w, cone.dim)
            });

            // change of the residual: r = f·(J a) + B f·(J v) + K d x
            let [mut residual, rate] = [0, 1].map(|field| {
                let (motion, values) = &motions[field];
                let (mut du, mut dw) = (Vec3::zeros(), Vec3::zeros());
                for (k, sign) in [(0, -1.0), (1, 1.0)] {
                    if moves[k] {
                        let derivative = motion.derivative(bodies[k], j, axis);
                        du += at_point(&derivative, &points[k].offset) * sign;
                        dw += angular(&derivative) * sign;
                    }
                }
                du += values.1.cross(&moved.point) - moved.rotation.cross(&values.0);
                dw -= moved.rotation.cross(&values.1);
                components(axes, &du, &dw, cone.dim)
            });
            for k in 0..cone.dim {
                residual[k] += cone.damping[k] * rate[k];
            }
            residual[0] += cone.stiffness * moved.distance;
            let follow = cone.mul(&residual);
            let scaled = cone.scaling * moved.distance;
            let lambda: FrameVector = std::array::from_fn(|k| scaled * cone.force[k] - follow[k]);

            let (df, dt) = vectors(axes, &lambda);
            visit(&ForceChange {
                dof: j,
                lambda,
                force: df + moved.rotation.cross(force),
                torque: dt + moved.rotation.cross(torque) + moved.point.cross(force),
                row,
            });
        });
        probe.kinks += usize::from(!smooth);
    }

    /// Changes of the force in the frame with the velocity and the acceleration of a dof, given its row.
    pub(crate) fn by_motion(&self, row: &FrameVector) -> [FrameVector; 2] {
        let damped: FrameVector = std::array::from_fn(|k| self.cone.damping[k] * row[k]);
        [self.cone.mul(&damped), self.cone.mul(row)].map(|x| x.map(|x| -x))
    }

    /// Force and torque with components along the axes of the frame.
    pub(crate) fn in_world(&self, lambda: &FrameVector) -> (Vec3, Vec3) {
        vectors(&self.axes, lambda)
    }
}

fn add_contact(
    model: &Model,
    data: &Data,
    contact: &ContactForce<'_>,
    fields: &Fields<'_>,
    scratch: &mut ContactScratch,
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    let ContactScratch { rows, probe } = scratch;
    let ContactForce { points, force, torque, .. } = contact;
    for (p, sign) in points.iter().zip([-1.0, 1.0]) {
        forces.add(p.body, &wrench(&p.offset, &(force * sign), &(torque * sign)));
    }
    rows.clear();
    contact.for_each_change(model, data, fields, probe, |change| {
        if let Some(row) = change.row {
            rows.push((change.dof, row));
        }
        for (p, sign) in points.iter().zip([-1.0, 1.0]) {
            let derivative = wrench(&p.offset, &(change.force * sign), &(change.torque * sign));
            forces.add_derivative(p.body, change.dof, &derivative);
        }
    });
    add_quadratic(&contact.cone, rows, gradient);
}

/// Relative translation and rotation at the contact point of the fields of acceleration and velocity.
pub(crate) fn relative_motions<'a>(
    fields: &'a Fields<'_>,
    points: &[Point; 2],
) -> [(&'a crate::derivative::analytic::motion::MotionField, (Vec3, Vec3)); 2] {
    [fields.qacc, fields.velocity].map(|field| {
        let [a, b] = points.map(|p| {
            let motion = &field.body[p.body];
            (at_point(motion, &p.offset), angular(motion))
        });
        (field, (b.0 - a.0, b.1 - a.1))
    })
}

/// Adds `Jᵀ C J` to the Hessian and `Jᵀ C B J` to the velocity derivative.
fn add_quadratic(cone: &Cone, rows: &FrameRows, gradient: &mut Gradient) {
    for (j, column) in rows {
        let curved = cone.mul(column);
        let damped: FrameVector = std::array::from_fn(|k| cone.damping[k] * column[k]);
        let damped = cone.mul(&damped);
        for (k, row) in rows {
            let (mut h, mut v) = (0.0, 0.0);
            for d in 0..cone.dim {
                h += row[d] * curved[d];
                v += row[d] * damped[d];
            }
            gradient.add_hessian(*k, *j, h);
            gradient.add_velocity(*k, *j, v);
        }
    }
}
