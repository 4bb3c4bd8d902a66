//! Sensors of frames, linearized.
//!
//! `Fᵀ x` with the axes `F` of the world, of the frame itself or of a reference, so that a rotation `Ω` of
//! those axes changes them by `Fᵀ (∂x − Ω × x)`.

use super::rows::{Change, SensorDerivatives, refusal};
use crate::derivative::analytic::motion::{Point, at_point};
use crate::derivative::analytic::point_motion::{Fields, PointMotion};
use crate::derivative::error::DerivativeError;
use crate::kinematics::chain::walk_chains;
use crate::sensor::object_quat;
use crate::support::object_frame;
use kinetree_math::rot::{mat3, quat_conj, quat_mul};
use kinetree_math::spatial::{Vec6, angular};
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::enums::{CamLight, ObjType, SensorType};
use kinetree_model::{Data, Model};

impl SensorDerivatives {
    pub(crate) fn orientation(
        &mut self,
        model: &Model,
        data: &Data,
        sensor: usize,
    ) -> Result<(), DerivativeError> {
        let (object, reference) = objects(model, data, sensor)?;
        let quat = |(kind, id): (i32, i32)| {
            object_quat(model, data, (kind, id))
                .ok_or_else(|| refusal("a sensor of an object without a frame"))
        };
        let own = quat((model.sensor_objtype[sensor], model.sensor_objid[sensor]))?;
        let before: Quat = match &reference {
            Some(_) => quat_conj(&quat((model.sensor_reftype[sensor], model.sensor_refid[sensor]))?),
            None => [1.0, 0.0, 0.0, 0.0],
        };
        let bodies = [object.point.body, reference.map_or(0, |frame| frame.point.body)];
        walk_chains(model, bodies, false, |j, moves| {
            let rotation = moves.map(|moves| if moves { angular(&data.cdof[j]) } else { Vec3::zeros() });
            let half = (rotation[0] - rotation[1]) * 0.5;
            let change = quat_mul(&quat_mul(&before, &[0.0, half.x, half.y, half.z]), &own);
            self.add_vector(Change::Position, j, &change);
        });
        Ok(())
    }

    /// Vectors of frames.
    pub(crate) fn frame(
        &mut self,
        model: &Model,
        data: &Data,
        fields: &Fields<'_>,
        sensor: usize,
        kind: SensorType,
    ) -> Result<(), DerivativeError> {
        let vector = FrameReading::of(kind)?;
        let (object, reference) = objects(model, data, sensor)?;
        let reference = reference.filter(|_| vector.is_relative());
        let still = Frame { point: Point { body: 0, ..object.point }, axes: Mat3::identity() };
        let frames = [object, reference.unwrap_or(still)];
        let at = [0, 1].map(|k| {
            let Point { body, offset, .. } = frames[k].point;
            if k == 1 && reference.is_none() {
                return PointMotion::STILL;
            }
            PointMotion::new(&fields.velocity.body[body], &fields.acceleration.body[body], &offset)
        });
        let separation = match reference {
            Some(reference) => object.point.pos - reference.point.pos,
            None => object.point.pos,
        };
        let axes = if vector.in_own_axes() { object.axes } else { frames[1].axes };
        let value = vector.value(model, &at, &separation, &object.axes);
        let bodies = frames.map(|frame| frame.point.body);
        for change in [Change::Position, Change::Velocity, Change::Acceleration] {
            walk_chains(model, bodies, false, |j, moves| {
                let axis = &data.cdof[j];
                let [own, other] = [0, 1].map(|k| {
                    if moves[k] {
                        Moved::new(model, data, fields, (j, axis), change, &frames[k].point, &at[k])
                    } else {
                        Moved::NONE
                    }
                });
                let mut derivative = vector.derivative(&at, &separation, &value, [&own, &other]);
                let rotation = if vector.in_own_axes() { own.rotation } else { other.rotation };
                derivative -= rotation.cross(&value);
                self.add_vector(change, j, axes.tr_mul(&derivative).as_slice());
            });
        }
        Ok(())
    }
}

/// A frame that is fixed to a body.
#[derive(Clone, Copy)]
struct Frame {
    point: Point,
    axes: Mat3,
}

/// The frames of a sensor's object and of its reference.
fn objects(model: &Model, data: &Data, sensor: usize) -> Result<(Frame, Option<Frame>), DerivativeError> {
    let frame = |kind: i32, id: i32| {
        let missing = refusal("a sensor of an object without a frame");
        let fixed = |id: usize| model.cam_mode.get(id).is_some_and(|&mode| mode == CamLight::Fixed);
        if kind == ObjType::Camera && !usize::try_from(id).is_ok_and(fixed) {
            return Err(refusal("a sensor of a camera that follows something"));
        }
        let found = object_frame(model, data, kind, id).map_err(|_| missing)?;
        let point = Point::new(model, data, found.body, &Vec3::from(*found.pos));
        Ok(Frame { point, axes: mat3(found.mat) })
    };
    let object = frame(model.sensor_objtype[sensor], model.sensor_objid[sensor])?;
    let reference = (model.sensor_refid[sensor] >= 0)
        .then(|| frame(model.sensor_reftype[sensor], model.sensor_refid[sensor]))
        .transpose()?;
    Ok((object, reference))
}

/// What a change of one dof does to a frame.
struct Moved {
    motion: PointMotion,
    point: Vec3,
    rotation: Vec3,
}

impl Moved {
    const NONE: Self = Self {
        motion: PointMotion::STILL,
        point: Vec3::new(0.0, 0.0, 0.0),
        rotation: Vec3::new(0.0, 0.0, 0.0),
    };

    fn new(
        model: &Model,
        data: &Data,
        fields: &Fields<'_>,
        (dof, axis): (usize, &Vec6),
        change: Change,
        at: &Point,
        motion: &PointMotion,
    ) -> Self {
        let none = Vec3::zeros();
        let (dv, da, point, rotation) = match change {
            Change::Position => {
                let (dv, da) = fields.position_change(at.body, dof, axis);
                (dv, da, at_point(axis, &at.offset), angular(axis))
            }
            Change::Velocity => (*axis, fields.velocity_change(model, data, at.body, dof, axis), none, none),
            Change::Acceleration => ([0.0; 6], *axis, none, none),
        };
        Self { motion: motion.change(&dv, &da, &point, &at.offset), point, rotation }
    }
}

/// Vectors that sensors of frames read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameReading {
    Position,
    Axis(usize),
    LinearVelocity,
    AngularVelocity,
    LinearAcceleration,
    AngularAcceleration,
    /// In the axes of the frame itself.
    Velocimeter,
    Gyro,
    Accelerometer,
    Magnetometer,
}

impl FrameReading {
    fn of(kind: SensorType) -> Result<Self, DerivativeError> {
        Ok(match kind {
            SensorType::Framepos => Self::Position,
            SensorType::Framexaxis => Self::Axis(0),
            SensorType::Frameyaxis => Self::Axis(1),
            SensorType::Framezaxis => Self::Axis(2),
            SensorType::Framelinvel => Self::LinearVelocity,
            SensorType::Frameangvel => Self::AngularVelocity,
            SensorType::Framelinacc => Self::LinearAcceleration,
            SensorType::Frameangacc => Self::AngularAcceleration,
            SensorType::Velocimeter => Self::Velocimeter,
            SensorType::Gyro => Self::Gyro,
            SensorType::Accelerometer => Self::Accelerometer,
            SensorType::Magnetometer => Self::Magnetometer,
            SensorType::Geomnormal | SensorType::Geomfromto => {
                return Err(refusal("an analytic derivative of the nearest points of geoms"));
            }
            SensorType::Contact => return Err(refusal("an analytic derivative of a contact sensor")),
            SensorType::Tactile => return Err(refusal("an analytic derivative of a tactile sensor")),
            _ => return Err(refusal("an analytic derivative of a sensor of this kind")),
        })
    }

    fn in_own_axes(self) -> bool {
        matches!(self, Self::Velocimeter | Self::Gyro | Self::Accelerometer | Self::Magnetometer)
    }

    /// Whether it is taken relative to the reference, where there is one.
    fn is_relative(self) -> bool {
        let acceleration = matches!(self, Self::LinearAcceleration | Self::AngularAcceleration);
        !acceleration && !self.in_own_axes()
    }

    /// The vector in world axes, from the motions of frame and reference.
    fn value(self, model: &Model, at: &[PointMotion; 2], separation: &Vec3, axes: &Mat3) -> Vec3 {
        match self {
            Self::Position => *separation,
            Self::Axis(k) => axes.column(k).into_owned(),
            Self::LinearVelocity => at[0].velocity - at[1].velocity + separation.cross(&at[1].spin),
            Self::AngularVelocity => at[0].spin - at[1].spin,
            Self::Velocimeter => at[0].velocity,
            Self::Gyro => at[0].spin,
            Self::LinearAcceleration | Self::Accelerometer => at[0].acceleration,
            Self::AngularAcceleration => at[0].spin_rate,
            Self::Magnetometer => Vec3::from(model.opt.magnetic),
        }
    }

    fn derivative(
        self,
        at: &[PointMotion; 2],
        separation: &Vec3,
        value: &Vec3,
        [own, other]: [&Moved; 2],
    ) -> Vec3 {
        let (d, e) = (&own.motion, &other.motion);
        match self {
            Self::Position => own.point - other.point,
            Self::Axis(_) => own.rotation.cross(value),
            Self::LinearVelocity => {
                d.velocity - e.velocity
                    + (own.point - other.point).cross(&at[1].spin)
                    + separation.cross(&e.spin)
            }
            Self::AngularVelocity => d.spin - e.spin,
            Self::Velocimeter => d.velocity,
            Self::Gyro => d.spin,
            Self::LinearAcceleration | Self::Accelerometer => d.acceleration,
            Self::AngularAcceleration => d.spin_rate,
            Self::Magnetometer => Vec3::zeros(),
        }
    }
}
