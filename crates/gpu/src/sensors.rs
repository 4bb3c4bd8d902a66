//! Sensors: what each reads, and where.

use crate::table::Table;
use kinetree_model::enums::{CamLight, DataType, DisableBit, GeomType, ObjType, SensorType};
use kinetree_model::{Model, mj_id2name};

/// What a sensor reads, as the kernel numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    JointPos = 0,
    JointVel = 1,
    MapPos = 2,
    MapVel = 3,
    MapFrc = 4,
    BallQuat = 5,
    BallAngvel = 6,
    FramePos = 7,
    FrameAxis = 8,
    FrameQuat = 9,
    FrameLinvel = 10,
    FrameAngvel = 11,
    FrameLinacc = 12,
    FrameAngacc = 13,
    Gyro = 14,
    Velocimeter = 15,
    Accelerometer = 16,
    Magnetometer = 17,
    SubtreeCom = 18,
    SubtreeLinvel = 19,
    SubtreeAngmom = 20,
    Touch = 21,
    JointActfrc = 22,
}

/// A frame that is fixed to a body.
type Attached = (usize, [f64; 7]);

/// A sensor that the kernel computes.
#[derive(Clone, Debug)]
struct Sensor {
    kind: Kind,
    address: i32,
    /// Body, address or map; body of the reference frame, or -1; axis or shape.
    ids: [i32; 3],
    /// Frame in the body, then the reference frame in its own, or the size of a site.
    frames: [f64; 14],
    bounds: [f64; 2],
}

/// The sensors of a model.
#[derive(Clone, Debug)]
pub(crate) struct Sensors {
    covered: Vec<Sensor>,
    /// Names of those that are not computed.
    pub(crate) missing: Vec<String>,
}

impl Sensors {
    pub(crate) fn new(model: &Model) -> Self {
        let mut sensors = Self { covered: Vec::new(), missing: Vec::new() };
        if model.disabled(DisableBit::Sensor) {
            return sensors;
        }
        for s in 0..model.nsensor {
            match describe(model, s) {
                Some(sensor) => sensors.covered.push(sensor),
                None => sensors.missing.push(name(model, s)),
            }
        }
        sensors
    }

    /// Whether there is something to compute: readings are of use only when all are there.
    pub(crate) fn is_active(&self) -> bool {
        !self.covered.is_empty() && self.missing.is_empty()
    }

    /// Whether a sensor feels the forces of contacts.
    pub(crate) fn feels(&self) -> bool {
        self.covered.iter().any(|sensor| sensor.kind == Kind::Touch)
    }

    /// Writes what the kernels read; nothing where there is nothing to compute.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        if !self.is_active() {
            return;
        }
        let all = || self.covered.iter();
        table.size("NSENSOR", self.covered.len());
        table.size("NSENSORDATA", model.nsensordata);
        table.size("STATUS_FRESH", crate::layout::STATUS_FRESH);
        table.ints("SENSOR_KIND", all().map(|sensor| sensor.kind as i32));
        table.ints("SENSOR_ADR", all().map(|sensor| sensor.address));
        table.ints("SENSOR_IDS", all().flat_map(|sensor| sensor.ids));
        table.floats("SENSOR_FRAMES", all().flat_map(|sensor| sensor.frames));
        table.floats("SENSOR_BOUNDS", all().flat_map(|sensor| sensor.bounds));
        table.floats("MAGNETIC", model.opt.magnetic);
    }
}

/// Kind and name of a sensor.
fn name(model: &Model, s: usize) -> String {
    let kind = SensorType::try_from(model.sensor_type[s])
        .map_or("unknown".to_owned(), |kind| format!("{kind:?}").to_lowercase());
    match mj_id2name(model, ObjType::Sensor, s) {
        Some(name) if !name.is_empty() => format!("sensor '{name}' ({kind})"),
        _ => format!("sensor {s} ({kind})"),
    }
}

/// The frame of an object in its body.
fn attached(model: &Model, objtype: i32, id: i32) -> Option<Attached> {
    let i = usize::try_from(id).ok()?;
    let join = |pos: [f64; 3], quat: [f64; 4]| {
        let [x, y, z] = pos;
        let [a, b, c, d] = quat;
        [x, y, z, a, b, c, d]
    };
    Some(match ObjType::try_from(objtype).ok()? {
        ObjType::Body => (i, join(model.body_ipos[i], model.body_iquat[i])),
        ObjType::Xbody => (i, join([0.0; 3], [1.0, 0.0, 0.0, 0.0])),
        ObjType::Geom => (model.geom_bodyid[i] as usize, join(model.geom_pos[i], model.geom_quat[i])),
        ObjType::Site => (model.site_bodyid[i] as usize, join(model.site_pos[i], model.site_quat[i])),
        // others follow something
        ObjType::Camera if model.cam_mode[i] == CamLight::Fixed as i32 => {
            (model.cam_bodyid[i] as usize, join(model.cam_pos[i], model.cam_quat[i]))
        }
        _ => return None,
    })
}

/// What the kernel needs to know of a sensor; `None` where it does not compute it.
fn describe(model: &Model, s: usize) -> Option<Sensor> {
    let id = model.sensor_objid[s];
    let joint = || usize::try_from(id).ok();
    let qpos = || joint().map(|j| model.jnt_qposadr[j]);
    let dof = || joint().map(|j| model.jnt_dofadr[j]);
    let tendon = model.nu as i32 + id;
    let kind = SensorType::try_from(model.sensor_type[s]).ok()?;
    let bounds = match (model.sensor_cutoff[s], DataType::try_from(model.sensor_datatype[s])) {
        (cutoff, Ok(DataType::Real)) if cutoff > 0.0 => [-cutoff, cutoff],
        (cutoff, Ok(DataType::Positive)) if cutoff > 0.0 => [-1e30, cutoff],
        _ => [-1e30, 1e30],
    };
    let plain = |kind: Kind, id: i32| {
        let address = model.sensor_adr[s];
        Sensor { kind, address, ids: [id, -1, 0], frames: [0.0; 14], bounds }
    };
    Some(match kind {
        SensorType::Jointpos => plain(Kind::JointPos, qpos()?),
        SensorType::Jointvel => plain(Kind::JointVel, dof()?),
        SensorType::Jointactfrc => plain(Kind::JointActfrc, dof()?),
        SensorType::Ballquat => plain(Kind::BallQuat, qpos()?),
        SensorType::Ballangvel => plain(Kind::BallAngvel, dof()?),
        SensorType::Tendonpos => plain(Kind::MapPos, tendon),
        SensorType::Tendonvel => plain(Kind::MapVel, tendon),
        SensorType::Actuatorpos => plain(Kind::MapPos, id),
        SensorType::Actuatorvel => plain(Kind::MapVel, id),
        SensorType::Actuatorfrc => plain(Kind::MapFrc, id),
        SensorType::Subtreecom => plain(Kind::SubtreeCom, id),
        SensorType::Subtreelinvel => plain(Kind::SubtreeLinvel, id),
        SensorType::Subtreeangmom => plain(Kind::SubtreeAngmom, id),
        SensorType::Touch => touch(model, s, plain(Kind::Touch, id))?,
        _ => framed(model, s, plain(frame_kind(kind)?, id))?,
    })
}

/// What is read of a frame.
fn frame_kind(kind: SensorType) -> Option<Kind> {
    Some(match kind {
        SensorType::Framepos => Kind::FramePos,
        SensorType::Framexaxis | SensorType::Frameyaxis | SensorType::Framezaxis => Kind::FrameAxis,
        SensorType::Framequat => Kind::FrameQuat,
        SensorType::Framelinvel => Kind::FrameLinvel,
        SensorType::Frameangvel => Kind::FrameAngvel,
        SensorType::Framelinacc => Kind::FrameLinacc,
        SensorType::Frameangacc => Kind::FrameAngacc,
        SensorType::Gyro => Kind::Gyro,
        SensorType::Velocimeter => Kind::Velocimeter,
        SensorType::Accelerometer => Kind::Accelerometer,
        SensorType::Magnetometer => Kind::Magnetometer,
        _ => return None,
    })
}

/// A sensor with its frame and that of its reference.
fn framed(model: &Model, s: usize, sensor: Sensor) -> Option<Sensor> {
    let (body, frame) = attached(model, model.sensor_objtype[s], model.sensor_objid[s])?;
    let mut sensor = sensor;
    sensor.ids[0] = body as i32;
    sensor.frames[..7].copy_from_slice(&frame);
    if model.sensor_refid[s] >= 0 {
        let (body, frame) = attached(model, model.sensor_reftype[s], model.sensor_refid[s])?;
        sensor.ids[1] = body as i32;
        sensor.frames[7..].copy_from_slice(&frame);
    }
    if sensor.kind == Kind::FrameAxis {
        sensor.ids[2] = model.sensor_type[s] - SensorType::Framexaxis as i32;
    }
    Some(sensor)
}

/// A touch sensor with the shape of its site.
fn touch(model: &Model, s: usize, sensor: Sensor) -> Option<Sensor> {
    let site = usize::try_from(model.sensor_objid[s]).ok()?;
    let covered =
        [GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder, GeomType::Box];
    covered.iter().find(|&&shape| model.site_type[site] == shape as i32)?;
    let mut sensor = framed(model, s, sensor)?;
    sensor.ids[2] = model.site_type[site];
    sensor.frames[7..10].copy_from_slice(&model.site_size[site]);
    Some(sensor)
}
