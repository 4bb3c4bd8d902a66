//! Sensors: what each reads, and where.

use crate::features::ball_limit::BallLimits;
use crate::features::contact_sensors::{contact_sensors, region, sees_all};
use crate::features::linear_rows::LinearRows;
use crate::features::parameters::{ScratchSizes, Table};
use crate::features::range_sensors::{Ray, RayScene, rays};
use kinetree_model::enums::{
    CamLight, DataType, DisableBit, GeomType, JointType, ObjType, SensorType, TrnType,
};
use kinetree_model::{Model, mj_id2name};
use kinetree_sim::focal_pixels;

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
    Clock = 23,
    Force = 24,
    Torque = 25,
    JointLimit = 26,
    BallLimit = 27,
    TendonLimit = 28,
    EPotential = 29,
    EKinetic = 30,
    Range = 31,
    TendonActfrc = 32,
    InsideSite = 33,
    CamProjection = 34,
    Nothing = 35,
    Contact = 36,
}

/// What sensors need of the solver and of the sensors' kernel beyond poses and velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Normal forces of contacts.
    pub(crate) touch: bool,
    /// Forces and torques between bodies, for which contacts leave theirs.
    pub(crate) wrenches: bool,
    /// Forces of limits of joints.
    pub(crate) joint_limits: bool,
    /// Forces of limits of ball joints and tendons.
    pub(crate) row_limits: bool,
    /// Potential or kinetic energy.
    pub(crate) energy: bool,
    /// Rays.
    pub(crate) rays: bool,
    /// Positions in regions of sites and in camera images.
    pub(crate) regions: bool,
    /// Contacts, with their forces and torques.
    pub(crate) contacts: bool,
    /// The time of each world.
    pub(crate) clock: bool,
}

impl Needs {
    /// Whether forces and torques of contacts are left for sensors.
    pub(crate) fn contact_wrenches(self) -> bool {
        self.wrenches || self.contacts
    }

    /// Whether forces of rows that the model always has are left for sensors.
    pub(crate) fn fixed_rows(self) -> bool {
        self.wrenches || self.row_limits
    }
}

/// A frame that is fixed to a body.
type Attached = (usize, [f64; 7]);

/// A sensor that the kernel computes.
#[derive(Clone, Debug)]
struct Sensor {
    kind: Kind,
    address: i32,
    /// Body, address or transmission; body of the reference frame, or -1; axis, shape or what is read.
    ids: [i32; 3],
    /// Frame in the body, then the reference frame in its own, the size of a site, or a ray.
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
                Some(parts) => sensors.covered.extend(parts),
                None => sensors.missing.push(name(model, s)),
            }
        }
        sensors
    }

    /// Whether there is something to compute: sensor values are of use only when all are there.
    pub(crate) fn is_active(&self) -> bool {
        !self.covered.is_empty() && self.missing.is_empty()
    }

    /// What is needed of the kernels; nothing where there is nothing to compute.
    pub(crate) fn needs(&self) -> Needs {
        if !self.is_active() {
            return Needs::default();
        }
        let any = |kinds: &[Kind]| self.covered.iter().any(|sensor| kinds.contains(&sensor.kind));
        Needs {
            touch: any(&[Kind::Touch]),
            wrenches: any(&[Kind::Force, Kind::Torque]),
            joint_limits: any(&[Kind::JointLimit]),
            row_limits: any(&[Kind::BallLimit, Kind::TendonLimit]),
            energy: any(&[Kind::EPotential, Kind::EKinetic]),
            rays: any(&[Kind::Range]),
            regions: any(&[Kind::InsideSite, Kind::CamProjection, Kind::Contact]),
            contacts: any(&[Kind::Contact]),
            clock: any(&[Kind::Clock]),
        }
    }

    /// States at the beginning of a step, motions of bodies, lengths, and forces of limits and fixed rows.
    pub(crate) fn scratch_sizes(&self, model: &Model, dofs: usize, fixed_rows: usize) -> ScratchSizes {
        let needs = self.needs();
        let mut sizes = vec![
            ("SCRATCH_QPOS", model.nq.div_ceil(4)),
            ("SCRATCH_QVEL", dofs),
            ("SCRATCH_BODY", 4 * model.nbody),
            ("SCRATCH_TRANSMISSION", model.nu + model.ntendon),
        ];
        if needs.joint_limits {
            sizes.push(("SCRATCH_LIMIT", 2 * dofs));
        }
        if needs.fixed_rows() {
            sizes.push(("SCRATCH_ROW", fixed_rows.div_ceil(4)));
        }
        sizes
    }

    /// Writes what the kernels read; nothing where there is nothing to compute.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        if !self.is_active() {
            return;
        }
        let all = || self.covered.iter();
        table.size("NSENSOR", self.covered.len());
        table.size("NSENSORDATA", model.nsensordata);
        table.ints("SENSOR_KIND", all().map(|sensor| sensor.kind as i32));
        table.ints("SENSOR_ADR", all().map(|sensor| sensor.address));
        table.ints("SENSOR_IDS", all().flat_map(|sensor| sensor.ids));
        table.floats("SENSOR_FRAMES", all().flat_map(|sensor| sensor.frames));
        table.floats("SENSOR_BOUNDS", all().flat_map(|sensor| sensor.bounds));
        table.floats("MAGNETIC", model.opt.magnetic);
        let pulled = |u: usize| match model.actuator_trntype[u] == TrnType::Tendon as i32 {
            true => model.actuator_trnid[u][0],
            false => -1,
        };
        table.ints("SENSOR_TENDON", (0..model.nu).map(pulled));
        let needs = self.needs();
        if needs.rays {
            RayScene::new(model).write(model, table);
        }
        if needs.regions {
            write_regions(model, table);
        }
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

/// What the kernel needs to know of a sensor, which may be several rays; `None` where it does not compute it.
fn describe(model: &Model, s: usize) -> Option<Vec<Sensor>> {
    if model.sensor_type[s] != SensorType::Rangefinder as i32 {
        return Some(vec![single(model, s)?]);
    }
    let (body, frame) = attached(model, model.sensor_objtype[s], model.sensor_objid[s])?;
    let bounds = bounds(model, s);
    let of_ray = |ray: Ray| {
        let mut frames = [0.0; 14];
        frames[..7].copy_from_slice(&frame);
        frames[7..10].copy_from_slice(&ray.origin);
        frames[10..13].copy_from_slice(&ray.direction);
        let ids = [body as i32, ray.fields, i32::from(ray.of_camera)];
        Sensor { kind: Kind::Range, address: ray.address, ids, frames, bounds }
    };
    RayScene::new(model).is_covered(model).then(|| rays(model, s).into_iter().map(of_ray).collect())
}

/// Bounds of sensor values: both sides of real values, the upper side of positive ones.
fn bounds(model: &Model, s: usize) -> [f64; 2] {
    match (model.sensor_cutoff[s], DataType::try_from(model.sensor_datatype[s])) {
        (cutoff, Ok(DataType::Real)) if cutoff > 0.0 => [-cutoff, cutoff],
        (cutoff, Ok(DataType::Positive)) if cutoff > 0.0 => [-1e30, cutoff],
        _ => [-1e30, 1e30],
    }
}

/// A sensor that is none of rays.
fn single(model: &Model, s: usize) -> Option<Sensor> {
    let id = model.sensor_objid[s];
    let joint = || usize::try_from(id).ok();
    let qpos = || joint().map(|j| model.jnt_qposadr[j]);
    let dof = || joint().map(|j| model.jnt_dofadr[j]);
    let tendon = model.nu as i32 + id;
    let kind = SensorType::try_from(model.sensor_type[s]).ok()?;
    let plain = |kind: Kind, id: i32| {
        let address = model.sensor_adr[s];
        Sensor { kind, address, ids: [id, -1, 0], frames: [0.0; 14], bounds: bounds(model, s) }
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
        // adhesion has its arms from contacts, which are found later
        SensorType::Actuatorvel if !adheres(model, id) => plain(Kind::MapVel, id),
        SensorType::Actuatorfrc => plain(Kind::MapFrc, id),
        SensorType::Subtreecom => plain(Kind::SubtreeCom, id),
        SensorType::Subtreelinvel => plain(Kind::SubtreeLinvel, id),
        SensorType::Subtreeangmom => plain(Kind::SubtreeAngmom, id),
        SensorType::Touch => touch(model, s, plain(Kind::Touch, id))?,
        SensorType::Contact => contacts(model, s, plain(Kind::Contact, 0))?,
        SensorType::Clock => plain(Kind::Clock, 0),
        SensorType::EPotential => plain(Kind::EPotential, 0),
        SensorType::EKinetic => plain(Kind::EKinetic, 0),
        SensorType::Tendonactfrc => tendon_force(model, plain(Kind::TendonActfrc, id)),
        SensorType::Jointlimitpos | SensorType::Jointlimitvel | SensorType::Jointlimitfrc => {
            joint_limit(model, s, plain(Kind::JointLimit, dof()?))
        }
        SensorType::Tendonlimitpos | SensorType::Tendonlimitvel | SensorType::Tendonlimitfrc => {
            tendon_limit(model, s, plain(Kind::TendonLimit, tendon))
        }
        // between the world and its children each tree has a point of its own
        SensorType::Force | SensorType::Torque if model.site_bodyid[usize::try_from(id).ok()?] > 0 => {
            let kind = if kind == SensorType::Force { Kind::Force } else { Kind::Torque };
            framed(model, s, plain(kind, id))?
        }
        SensorType::Insidesite => inside_site(model, s, plain(Kind::InsideSite, id))?,
        SensorType::Camprojection => projection(model, s, plain(Kind::CamProjection, id))?,
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

/// A contact sensor with its number among these, and the site of its region.
fn contacts(model: &Model, s: usize, mut sensor: Sensor) -> Option<Sensor> {
    if !sees_all(model) {
        return None;
    }
    let index = contact_sensors(model).iter().position(|&other| other == s)?;
    // the cutoff does not bound these values
    (sensor.ids, sensor.bounds) = ([0, index as i32, -1], [-1e30, 1e30]);
    if let Some(site) = region(model, s) {
        let (body, frame) = attached(model, model.sensor_objtype[s], model.sensor_objid[s])?;
        (sensor.ids[0], sensor.ids[2]) = (body as i32, site as i32);
        sensor.frames[..7].copy_from_slice(&frame);
    }
    Some(sensor)
}

/// Whether an actuator pulls at contacts.
fn adheres(model: &Model, actuator: i32) -> bool {
    model.actuator_trntype[actuator as usize] == TrnType::Body as i32
}

/// Which of distance, velocity and force of a limit is read, given the sensor of the first.
fn part_of_limit(model: &Model, s: usize, [velocity, force]: [SensorType; 2]) -> i32 {
    match model.sensor_type[s] {
        kind if kind == velocity as i32 => 1,
        kind if kind == force as i32 => 2,
        _ => 0,
    }
}

/// The limit of a joint: of one dof, or the angle of a ball joint, which is a row of the solver.
fn joint_limit(model: &Model, s: usize, sensor: Sensor) -> Sensor {
    let mut sensor = sensor;
    sensor.ids[2] = part_of_limit(model, s, [SensorType::Jointlimitvel, SensorType::Jointlimitfrc]);
    let joint = model.sensor_objid[s] as usize;
    if model.jnt_type[joint] >= JointType::Slide as i32 {
        return sensor;
    }
    match BallLimits::new(model).index_of(joint) {
        Some(index) => Sensor { kind: Kind::BallLimit, ids: [index as i32, -1, sensor.ids[2]], ..sensor },
        None => Sensor { kind: Kind::Nothing, ..sensor },
    }
}

/// The limit of a tendon, with its rows: that of the lower one, and the upper one follows.
fn tendon_limit(model: &Model, s: usize, sensor: Sensor) -> Sensor {
    let mut sensor = sensor;
    let tendon = model.sensor_objid[s] as usize;
    sensor.ids[2] = part_of_limit(model, s, [SensorType::Tendonlimitvel, SensorType::Tendonlimitfrc]);
    let Some(row) = LinearRows::new(model).limit_of(tendon) else {
        return Sensor { kind: Kind::Nothing, ..sensor };
    };
    sensor.ids[1] = row as i32;
    let [low, high] = model.tendon_range[tendon];
    sensor.frames[..3].copy_from_slice(&[low, high, model.tendon_margin[tendon]]);
    sensor
}

/// The force of all actuators that pull a tendon: the kernel compares each with it.
fn tendon_force(model: &Model, sensor: Sensor) -> Sensor {
    let pulls = |u: usize| {
        model.actuator_trntype[u] == TrnType::Tendon as i32 && model.actuator_trnid[u][0] == sensor.ids[0]
    };
    match (0..model.nu).any(pulls) {
        true => sensor,
        false => Sensor { kind: Kind::Nothing, ..sensor },
    }
}

/// Whether an object is inside of a site with a shape.
fn inside_site(model: &Model, s: usize, sensor: Sensor) -> Option<Sensor> {
    let site = usize::try_from(model.sensor_refid[s]).ok()?;
    let mut sensor = framed(model, s, sensor)?;
    sensor.ids[2] = site as i32;
    Some(sensor)
}

/// A site in the picture of a camera.
fn projection(model: &Model, s: usize, sensor: Sensor) -> Option<Sensor> {
    let camera = usize::try_from(model.sensor_refid[s]).ok()?;
    let mut sensor = framed(model, s, sensor)?;
    sensor.ids[2] = camera as i32;
    Some(sensor)
}

/// Shapes of sites, and focal lengths and sizes of pictures.
fn write_regions(model: &Model, table: &mut Table) {
    table.ints("REGION_SHAPE", model.site_type.iter().copied());
    table.floats("REGION_SIZE", model.site_size.as_flattened().iter().copied());
    let camera = |c: usize| {
        let ((x, y), [width, height]) = (focal_pixels(model, c), model.cam_resolution[c].map(f64::from));
        [x, y, width, height]
    };
    table.floats("REGION_CAMERA", (0..model.ncam).flat_map(camera));
}
