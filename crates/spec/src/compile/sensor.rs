//! Sensors: what they sense, how many numbers they give, when they can be computed, and their model arrays.

use kinetree_model::Model;
use kinetree_model::enums::{DataType, GeomType, JointType, ObjType, SensorType, Stage};

use super::actuator::{check_history, history_size};
use super::draft::Draft;
use super::elements::SensorDraft;
use super::report::kind_word;
use super::userdata;
use crate::diagnostics::nearest;
use crate::spec::{Sensor, Spec};

/// Numbers per contact for each bit of a contact sensor's data.
const CONTACT_DATA: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Rays that one rangefinder casts at most, one for each pixel of its camera.
const MAX_RAYS: i64 = 1 << 24;

/// Numbers per ray for each bit of a rangefinder's data.
const RAY_DATA: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// Resolves all sensors.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    for (i, src) in spec.sensors.values().enumerate() {
        match compile_sensor(draft, src, i) {
            Ok(Some(sensor)) => draft.sensors.push(sensor),
            Ok(None) => {}
            Err(message) => draft.report.error(src, message),
        }
    }
}

/// Numbers that sensors give, and those of the histories of actuators and sensors.
pub(crate) fn count(draft: &Draft<'_>) -> (usize, usize) {
    let histories = draft.actuators.iter().map(|a| history_size(a.src.nsample, 1));
    let sensors = draft.sensors.iter().map(|s| history_size(s.src.nsample, s.dim));
    (draft.sensors.iter().map(|sensor| sensor.dim).sum(), histories.chain(sensors).sum())
}

/// `None` when an object is missing, which has been reported.
fn compile_sensor<'s>(
    draft: &mut Draft<'s>,
    src: &'s Sensor,
    index: usize,
) -> Result<Option<SensorDraft<'s>>, String> {
    userdata::check(src.userdata.len(), draft.nuser.sensor, "nuser_sensor")?;
    check_numbers(src)?;
    let role = ("sensorized object", "sensorized object");
    let Some(object) = resolve_object(draft, src.objtype, &src.objname, role)? else {
        return Ok(None);
    };
    let role = ("reference frame", "object");
    let Some(reference) = resolve_object(draft, src.reftype, &src.refname, role)? else {
        return Ok(None);
    };
    let free_standing = matches!(
        src.r#type,
        SensorType::EPotential
            | SensorType::EKinetic
            | SensorType::Clock
            | SensorType::Plugin
            | SensorType::Contact
            | SensorType::User
    );
    if src.objtype == ObjType::Unknown && !free_standing {
        return Err("needs an object".into());
    }
    let has_frame =
        [ObjType::Body, ObjType::Xbody, ObjType::Geom, ObjType::Site, ObjType::Camera].contains(&src.reftype);
    if src.reftype != ObjType::Unknown && !has_frame {
        return Err("reference frame object must be a body, xbody, geom, site or camera".into());
    }
    check_attachment(draft, src, object, reference)?;

    let user = src.r#type == SensorType::User;
    let datatype = if user { src.datatype } else { data_type(src.r#type) };
    let (stage, dim) = match src.r#type {
        SensorType::Plugin => draft.plugins.sensor(index)?,
        SensorType::User => (src.needstage, dimension(draft, src, object)?),
        kind => (need_stage(kind), dimension(draft, src, object)?),
    };
    let plugin = draft.plugins.sensors.get(index).copied().flatten();
    let directional = datatype == DataType::Quaternion
        || (datatype == DataType::Axis && src.r#type != SensorType::Geomnormal);
    if src.cutoff > 0.0 && directional {
        return Err("'cutoff' cannot be applied to axes and quaternions".into());
    }
    Ok(Some(SensorDraft { src, object, reference, datatype, stage, dim, plugin }))
}

fn check_numbers(src: &Sensor) -> Result<(), String> {
    if src.noise < 0.0 {
        return Err("'noise' cannot be negative".into());
    }
    if src.cutoff < 0.0 {
        return Err("'cutoff' cannot be negative".into());
    }
    let [period, phase] = src.interval;
    if period < 0.0 {
        return Err("negative interval: the period cannot be below 0".into());
    }
    if phase > 0.0 {
        return Err("positive phase of the interval: it cannot be above 0".into());
    }
    if period > 0.0 && phase <= -period {
        return Err("the phase of 'interval' must be greater than minus the period".into());
    }
    check_history(src.delay, src.nsample)
}

/// Looks up an object; the outer `None` says that it is missing. Geoms and meshes count as used.
fn resolve_object(
    draft: &mut Draft<'_>,
    kind: ObjType,
    name: &str,
    (what, role): (&str, &str),
) -> Result<Option<Option<usize>>, String> {
    if kind == ObjType::Unknown {
        return Ok(Some(None));
    }
    if name.is_empty() {
        return Err(format!("missing name of {what}"));
    }
    let Some(id) = draft.names.find(kind, name) else {
        let meant = nearest(name, draft.names.candidates(kind));
        let help = meant.map_or_else(String::new, |meant| format!(", did you mean '{meant}'?"));
        return Err(format!("unrecognized name '{name}' of {role}: {} not found{help}", kind_word(kind)));
    };
    match kind {
        ObjType::Geom => draft.geoms[id].visual = false,
        ObjType::Mesh => draft.meshes[id].visual = false,
        _ => {}
    }
    Ok(Some(Some(id)))
}

/// Rules about what each kind of sensor can be attached to.
fn check_attachment(
    draft: &Draft<'_>,
    src: &Sensor,
    object: Option<usize>,
    reference: Option<usize>,
) -> Result<(), String> {
    use SensorType as S;
    let on = |kinds: &[ObjType]| {
        if kinds.contains(&src.objtype) {
            return Ok(());
        }
        let words: Vec<&str> = kinds.iter().map(|kind| kind_word(*kind)).collect();
        Err(format!("must be attached to {}", words.join(", ")))
    };
    const SPATIAL: [ObjType; 5] =
        [ObjType::Body, ObjType::Xbody, ObjType::Geom, ObjType::Site, ObjType::Camera];
    match src.r#type {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => {
            on(&[ObjType::Site])
        }
        S::Camprojection => {
            on(&[ObjType::Site])?;
            let camera = reference.filter(|_| src.reftype == ObjType::Camera).map(|c| draft.cameras[c].src);
            match camera {
                Some(camera) if !camera.resolution.contains(&0) => Ok(()),
                _ => Err("needs a camera with a resolution".into()),
            }
        }
        S::Rangefinder => {
            on(&[ObjType::Site, ObjType::Camera])?;
            if let Some(camera) = object.filter(|_| src.objtype == ObjType::Camera) {
                check_rays(draft.cameras[camera].src.resolution)?;
            }
            check_data_bits(src.intprm[0], RAY_DATA.len())
        }
        S::Jointpos | S::Jointvel | S::Jointactfrc => {
            on(&[ObjType::Joint])?;
            check_joint(draft, object, &[JointType::Slide, JointType::Hinge], "a slide or hinge joint")
        }
        S::Ballquat | S::Ballangvel => {
            on(&[ObjType::Joint])?;
            check_joint(draft, object, &[JointType::Ball], "a ball joint")
        }
        S::Tendonpos | S::Tendonvel | S::Tendonactfrc => on(&[ObjType::Tendon]),
        S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => on(&[ObjType::Actuator]),
        S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc => {
            on(&[ObjType::Joint])?;
            let limited = object.is_some_and(|j| draft.joints[j].limited);
            if limited { Ok(()) } else { Err("the joint has no limit".into()) }
        }
        S::Tendonlimitpos | S::Tendonlimitvel | S::Tendonlimitfrc => {
            on(&[ObjType::Tendon])?;
            let limited = object.and_then(|t| draft.tendons.get(t)).is_some_and(|tendon| tendon.limited);
            if limited { Ok(()) } else { Err("the tendon has no limit".into()) }
        }
        S::Framepos
        | S::Framequat
        | S::Framexaxis
        | S::Frameyaxis
        | S::Framezaxis
        | S::Framelinvel
        | S::Frameangvel
        | S::Framelinacc
        | S::Frameangacc => on(&SPATIAL),
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => on(&[ObjType::Body]),
        S::Insidesite => {
            on(&SPATIAL)?;
            if src.reftype == ObjType::Site { Ok(()) } else { Err("needs a site".into()) }
        }
        S::Geomdist | S::Geomnormal | S::Geomfromto => check_distance(draft, src, object, reference),
        S::Contact => check_contact(src),
        S::Tactile => {
            on(&[ObjType::Mesh])?;
            if src.reftype == ObjType::Geom { Ok(()) } else { Err("needs a geom".into()) }
        }
        S::User => check_user(src),
        S::Plugin | S::EPotential | S::EKinetic | S::Clock => Ok(()),
    }
}

fn check_joint(
    draft: &Draft<'_>,
    object: Option<usize>,
    kinds: &[JointType],
    what: &str,
) -> Result<(), String> {
    let fits = object.is_some_and(|j| kinds.contains(&draft.joints[j].kind()));
    if fits { Ok(()) } else { Err(format!("needs {what}")) }
}

/// Whether a rangefinder can cast a ray through each pixel of a camera of this resolution.
fn check_rays(resolution: [i32; 2]) -> Result<(), String> {
    let [width, height] = resolution;
    if width <= 0 || height <= 0 {
        return Err("needs a camera with a positive resolution".into());
    }
    let rays = i64::from(width) * i64::from(height);
    if rays > MAX_RAYS {
        return Err(format!(
            "casts {rays} rays, one for each pixel of its camera; at most {MAX_RAYS} are possible"
        ));
    }
    Ok(())
}

fn data_bits_problem(bits: i32, count: usize) -> String {
    let known = (1 << count) - 1;
    if bits <= 0 {
        return format!("data spec (intprm[0]) must be positive, got {bits}");
    }
    let constant = if count == CONTACT_DATA.len() { "mjNCONDATA" } else { "mjNRAYDATA" };
    if bits & known == 0 {
        return format!(
            "data spec intprm[0]={bits} must have at least one bit set of the first {constant} bits"
        );
    }
    format!("data spec intprm[0]={bits} has bits set beyond the first {constant} bits")
}

/// Which outputs are requested, as bits.
fn check_data_bits(bits: i32, count: usize) -> Result<(), String> {
    if bits <= 0 || bits >= 1 << count {
        return Err(data_bits_problem(bits, count));
    }
    Ok(())
}

fn check_distance(
    draft: &Draft<'_>,
    src: &Sensor,
    object: Option<usize>,
    reference: Option<usize>,
) -> Result<(), String> {
    let fits = |kind: ObjType| matches!(kind, ObjType::Body | ObjType::Geom);
    if !fits(src.objtype) || !fits(src.reftype) {
        return Err("must be attached to two bodies or geoms".into());
    }
    if src.objtype == src.reftype && object == reference {
        return Err("the two bodies or geoms must be different".into());
    }
    let is_hfield = |kind: ObjType, id: Option<usize>| {
        kind == ObjType::Geom && id.is_some_and(|g| draft.geoms[g].src.r#type == GeomType::Hfield)
    };
    if is_hfield(src.objtype, object) || is_hfield(src.reftype, reference) {
        return Err("distances to height fields are not supported".into());
    }
    Ok(())
}

fn check_contact(src: &Sensor) -> Result<(), String> {
    use ObjType as O;
    if !matches!(src.objtype, O::Site | O::Body | O::Xbody | O::Geom | O::Unknown) {
        return Err("first matching criterion: if set, must be (x)body, geom or site".into());
    }
    if !matches!(src.reftype, O::Body | O::Xbody | O::Geom | O::Unknown) {
        return Err("second matching criterion: if set, must be (x)body or geom".into());
    }
    check_data_bits(src.intprm[0], CONTACT_DATA.len())?;
    if !(0..=3).contains(&src.intprm[1]) {
        return Err(format!("unknown reduction criterion. got {}", src.intprm[1]));
    }
    if src.intprm[2] <= 0 {
        return Err("num (intprm[2]) must be positive".into());
    }
    Ok(())
}

fn check_user(src: &Sensor) -> Result<(), String> {
    if src.dim < 0 {
        return Err("'dim' cannot be negative".into());
    }
    match (src.datatype, src.dim) {
        (DataType::Axis, dim) if dim != 3 => Err("datatype axis needs dim 3".into()),
        (DataType::Quaternion, dim) if dim != 4 => Err("datatype quaternion needs dim 4".into()),
        _ => Ok(()),
    }
}

/// What the numbers of a sensor are.
fn data_type(kind: SensorType) -> DataType {
    use SensorType as S;
    match kind {
        S::Touch | S::Insidesite => DataType::Positive,
        S::Framexaxis | S::Frameyaxis | S::Framezaxis | S::Geomnormal => DataType::Axis,
        S::Ballquat | S::Framequat => DataType::Quaternion,
        _ => DataType::Real,
    }
}

/// Stage after which a sensor can be computed.
fn need_stage(kind: SensorType) -> Stage {
    use SensorType as S;
    match kind {
        S::Touch
        | S::Accelerometer
        | S::Force
        | S::Torque
        | S::Actuatorfrc
        | S::Jointactfrc
        | S::Tendonactfrc
        | S::Jointlimitfrc
        | S::Tendonlimitfrc
        | S::Framelinacc
        | S::Frameangacc
        | S::Contact
        | S::Tactile => Stage::Acc,
        S::Velocimeter
        | S::Gyro
        | S::Jointvel
        | S::Tendonvel
        | S::Actuatorvel
        | S::Ballangvel
        | S::Jointlimitvel
        | S::Tendonlimitvel
        | S::Framelinvel
        | S::Frameangvel
        | S::Subtreelinvel
        | S::Subtreeangmom => Stage::Vel,
        _ => Stage::Pos,
    }
}

/// Number of outputs.
fn dimension(draft: &Draft<'_>, src: &Sensor, object: Option<usize>) -> Result<usize, String> {
    let camera = object.filter(|_| src.objtype == ObjType::Camera).map(|c| draft.cameras[c].src.resolution);
    let vertices = object
        .filter(|_| src.r#type == SensorType::Tactile)
        .map(|mesh| draft.meshes[mesh].asset.mesh.vert.len());
    output_count(src, camera, vertices).ok_or_else(|| "has too many outputs".to_owned())
}

impl Spec {
    /// Number of outputs of a sensor; for touch on a mesh, whose vertices are counted when it is compiled,
    /// zero.
    pub fn sensor_dimension(&self, sensor: &Sensor) -> usize {
        let camera = self.find_camera(&sensor.objname).filter(|_| sensor.objtype == ObjType::Camera);
        output_count(sensor, camera.map(|id| self.cameras[id].resolution), Some(0)).unwrap_or(0)
    }
}

/// Number of outputs of a sensor on a camera of this resolution or on a mesh of so many vertices.
fn output_count(src: &Sensor, camera: Option<[i32; 2]>, vertices: Option<usize>) -> Option<usize> {
    use SensorType as S;
    let selected = |sizes: &[usize]| -> usize {
        sizes.iter().enumerate().filter(|(i, _)| src.intprm[0] & (1 << i) != 0).map(|(_, size)| size).sum()
    };
    let dim = match src.r#type {
        S::Camprojection => Some(2),
        S::Accelerometer
        | S::Velocimeter
        | S::Gyro
        | S::Force
        | S::Torque
        | S::Magnetometer
        | S::Ballangvel
        | S::Framepos
        | S::Framexaxis
        | S::Frameyaxis
        | S::Framezaxis
        | S::Framelinvel
        | S::Frameangvel
        | S::Framelinacc
        | S::Frameangacc
        | S::Subtreecom
        | S::Subtreelinvel
        | S::Subtreeangmom
        | S::Geomnormal => Some(3),
        S::Geomfromto => Some(6),
        S::Ballquat | S::Framequat => Some(4),
        S::Contact => (src.intprm[2] as usize).checked_mul(selected(&CONTACT_DATA)),
        S::Tactile => vertices.map(|count| 3 * count),
        S::Rangefinder => {
            let pixels = camera.map_or([1, 1], |pixels| pixels.map(|r| usize::try_from(r).unwrap_or(0)));
            pixels[0].checked_mul(pixels[1]).and_then(|rays| rays.checked_mul(selected(&RAY_DATA)))
        }
        S::User => usize::try_from(src.dim).ok(),
        _ => Some(1),
    };
    dim.filter(|dim| *dim < i32::MAX as usize)
}

/// Fills the arrays of sensors; `history` is the number of history entries that actuators use.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model, history: usize) {
    let mut historyadr = history;
    let mut adr = 0;
    for (i, sensor) in draft.sensors.iter().enumerate() {
        let src = sensor.src;
        model.sensor_type[i] = src.r#type as i32;
        model.sensor_datatype[i] = sensor.datatype as i32;
        model.sensor_needstage[i] = sensor.stage as i32;
        model.sensor_objtype[i] = src.objtype as i32;
        model.sensor_objid[i] = draft.object_id(src.objtype, sensor.object);
        model.sensor_reftype[i] = src.reftype as i32;
        model.sensor_refid[i] = draft.object_id(src.reftype, sensor.reference);
        model.sensor_intprm[i] = src.intprm;
        model.sensor_dim[i] = sensor.dim as i32;
        model.sensor_adr[i] = adr as i32;
        adr += sensor.dim;
        model.sensor_cutoff[i] = src.cutoff;
        model.sensor_noise[i] = src.noise;
        model.sensor_history[i] = [src.nsample, src.interp];
        let size = history_size(src.nsample, sensor.dim);
        model.sensor_historyadr[i] = if size == 0 { -1 } else { historyadr as i32 };
        historyadr += size;
        model.sensor_delay[i] = src.delay;
        model.sensor_interval[i] = src.interval;
        model.sensor_plugin[i] = sensor.plugin.map_or(-1, |instance| instance as i32);
        userdata::write(&mut model.sensor_user, draft.nuser.sensor, i, &src.userdata);
    }
}
