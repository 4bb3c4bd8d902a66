//! Adding, deleting, moving and attaching elements.

use super::table::{gone, no_such};
use super::{CoreSpec, State, kind_name, table};
use crate::args::Text;
use crate::panics::guarded;
use kinetree_model::enums::{JointType, ObjType, WrapType};
use kinetree_spec::Spec;
use kinetree_spec::diagnostics::SourcePos;
use kinetree_spec::spec::{
    AttachTarget, Attached, Body, BodyId, DefaultId, Element, Exclude, Flex, Frame, FrameId, HField, Id,
    Joint, Key, Move, Numeric, Orientation, Part, Plugin, Sensor, Skin, Text as CustomText, Texture, Tuple,
    Wrap, WrapTarget,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The body of a place that exists.
fn body(spec: &Spec, id: usize) -> PyResult<BodyId> {
    let id = BodyId::new(id);
    spec.bodies.get(id).map(|_| id).ok_or_else(|| gone("body"))
}

fn class_id(spec: &Spec, name: &str) -> PyResult<DefaultId> {
    let id = spec.find_default(name);
    id.ok_or_else(|| PyValueError::new_err(format!("there is no default class '{name}'")))
}

/// An error unless a frame belongs to a body.
fn check_frame(spec: &Spec, kind: &str, owner: BodyId, frame: FrameId) -> PyResult<()> {
    if spec.frames.get(frame).ok_or_else(|| gone("frame"))?.body == owner {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("the frame belongs to another body than the {kind}")))
}

/// Sets the class that an element was made from, and the frame that it is in.
fn made_from<T: Element>(mut element: T, class: &str) -> T {
    element.origin_mut().class = class.to_owned();
    element
}

impl State {
    /// Attaches a part of another description at a place of this one. Returns the frame that was made for a
    /// site, and what came along.
    fn attach(
        &mut self,
        place: AttachTarget,
        other: &Spec,
        part: Part,
        [prefix, suffix]: [&str; 2],
    ) -> PyResult<(Option<FrameId>, Attached)> {
        let result = guarded(|| self.spec.attach_part(place, other, part, prefix, suffix))?;
        let (frame, attached) = result.map_err(|e| PyValueError::new_err(e.to_string()))?;
        // names that are known stay known, so that attaching takes time that depends on the part alone
        if let Some(index) = &mut self.names {
            for moved in &attached.moves {
                let kind = kind_name(moved.kind)?;
                let Some(names) = index.get_mut(kind) else { continue };
                if let super::Given::Text(name) = table::read(&mut self.spec, kind, moved.to, "name")?
                    && !name.is_empty()
                {
                    names.entry(name).or_insert(moved.to);
                }
            }
        }
        Ok((frame, attached))
    }
}

/// One step of a tendon: kind, name of the object, name of the side site, number.
type WrapTuple = (i32, String, String, f64);

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // arguments are made for the call
impl CoreSpec {
    /// Adds an element to a body, with the values of a default class, and returns its place.
    #[pyo3(signature = (owner, kind, class, frame=None))]
    fn _add_to_body(&self, owner: usize, kind: &str, class: &str, frame: Option<usize>) -> PyResult<usize> {
        self.state.with(|state| {
            let spec = &mut state.spec;
            let owner = body(spec, owner)?;
            if let Some(frame) = frame {
                check_frame(spec, kind, owner, FrameId::new(frame))?;
            }
            let prototype = spec.default_class(class_id(spec, class)?).clone();
            let class = prototype.name.as_str();
            let frame = frame.map(FrameId::new);
            Ok(match kind {
                "body" => spec.add_body(owner, made_from(Body { frame, ..Body::default() }, class)).index(),
                "frame" => spec
                    .add_frame(owner, made_from(Frame { parent: frame, ..Frame::default() }, class))
                    .index(),
                "freejoint" => {
                    let free = Joint { frame, r#type: JointType::Free, ..Joint::default() };
                    spec.add_joint(owner, made_from(free, class)).index()
                }
                "joint" => {
                    spec.add_joint(owner, made_from(Joint { frame, ..prototype.joint }, class)).index()
                }
                "geom" => {
                    let mut geom = made_from(prototype.geom, class);
                    geom.frame = frame;
                    spec.add_geom(owner, geom).index()
                }
                "site" => {
                    let mut site = made_from(prototype.site, class);
                    site.frame = frame;
                    spec.add_site(owner, site).index()
                }
                "camera" => {
                    let mut camera = made_from(prototype.camera, class);
                    camera.frame = frame;
                    spec.add_camera(owner, camera).index()
                }
                "light" => {
                    let mut light = made_from(prototype.light, class);
                    light.frame = frame;
                    spec.add_light(owner, light).index()
                }
                _ => return Err(no_such(kind)),
            })
        })
    }

    /// Adds an element outside the tree and returns its place.
    fn _add(&self, kind: &str, class: &str) -> PyResult<usize> {
        self.state.with(|state| {
            let spec = &mut state.spec;
            let prototype = spec.default_class(class_id(spec, class)?).clone();
            let class = prototype.name.as_str();
            Ok(match kind {
                "flex" => spec.add_flex(Flex::default()).index(),
                "mesh" => spec.add_mesh(made_from(prototype.mesh, class)).index(),
                "hfield" => spec.add_hfield(HField::default()).index(),
                "skin" => spec.add_skin(Skin::default()).index(),
                "texture" => spec.add_texture(Texture::default()).index(),
                "material" => spec.add_material(made_from(prototype.material, class)).index(),
                "pair" => spec.add_pair(made_from(prototype.pair, class)).index(),
                "exclude" => spec.add_exclude(Exclude::default()).index(),
                "equality" => spec.add_equality(made_from(prototype.equality, class)).index(),
                "tendon" => spec.add_tendon(made_from(prototype.tendon, class)).index(),
                "actuator" => spec.add_actuator(made_from(prototype.actuator, class)).index(),
                "sensor" => spec.add_sensor(Sensor::default()).index(),
                "numeric" => spec.add_numeric(Numeric::default()).index(),
                "text" => spec.add_text(CustomText::default()).index(),
                "tuple" => spec.add_tuple(Tuple::default()).index(),
                "key" => spec.add_key(Key::default()).index(),
                "plugin" => spec.add_plugin(Plugin::default()).index(),
                _ => return Err(no_such(kind)),
            })
        })
    }

    /// Deletes an element, a body with all that hangs on it and all that refers to it.
    fn _delete(&self, kind: &str, id: usize) -> PyResult<()> {
        self.state.with(|state| {
        let spec = &mut state.spec;
        macro_rules! delete {
            ($($name:literal $delete:ident),*) => {
                match kind {
                    "body" if id == spec.world().index() => {
                        return Err(PyValueError::new_err("the world cannot be deleted"));
                    }
                    "body" => spec.delete_body_and_referrers(BodyId::new(id)),
                    $( $name => spec.$delete(Id::new(id)).is_some(), )*
                    _ => return Err(no_such(kind)),
                }
            };
        }
        let found = delete!(
            "frame" delete_frame, "joint" delete_joint, "geom" delete_geom, "site" delete_site, "camera" delete_camera,
            "light" delete_light, "flex" delete_flex, "mesh" delete_mesh, "hfield" delete_hfield, "skin" delete_skin,
            "texture" delete_texture, "material" delete_material, "pair" delete_pair, "exclude" delete_exclude,
            "equality" delete_equality, "tendon" delete_tendon, "actuator" delete_actuator, "sensor" delete_sensor,
            "numeric" delete_numeric, "text" delete_text, "tuple" delete_tuple, "key" delete_key, "plugin" delete_plugin
        );
        // names are found anew when they are needed
        state.names = None;
        if found { Ok(()) } else { Err(gone(kind)) }
        })
    }

    /// Places of the elements of a kind that belong to a body.
    fn _children(&self, owner: usize, kind: &str) -> PyResult<Vec<usize>> {
        self.state.with(|state| {
            let owner = &state.spec.bodies[body(&state.spec, owner)?];
            Ok(match kind {
                "body" => owner.bodies.iter().map(|id| id.index()).collect(),
                "frame" => owner.frames.iter().map(|id| id.index()).collect(),
                "joint" => owner.joints.iter().map(|id| id.index()).collect(),
                "geom" => owner.geoms.iter().map(|id| id.index()).collect(),
                "site" => owner.sites.iter().map(|id| id.index()).collect(),
                "camera" => owner.cameras.iter().map(|id| id.index()).collect(),
                "light" => owner.lights.iter().map(|id| id.index()).collect(),
                _ => return Err(no_such(kind)),
            })
        })
    }

    /// The body that an element belongs to, None for the world, and the frame that it is in.
    fn _place(&self, kind: &str, id: usize) -> PyResult<(Option<usize>, Option<usize>)> {
        self.state.with(|state| {
            let spec = &state.spec;
            let found = match kind {
                "body" => spec.bodies.get(Id::new(id)).map(|e| (e.parent, e.frame)),
                "frame" => spec.frames.get(Id::new(id)).map(|e| (Some(e.body), e.parent)),
                "joint" => spec.joints.get(Id::new(id)).map(|e| (Some(e.body), e.frame)),
                "geom" => spec.geoms.get(Id::new(id)).map(|e| (Some(e.body), e.frame)),
                "site" => spec.sites.get(Id::new(id)).map(|e| (Some(e.body), e.frame)),
                "camera" => spec.cameras.get(Id::new(id)).map(|e| (Some(e.body), e.frame)),
                "light" => spec.lights.get(Id::new(id)).map(|e| (Some(e.body), e.frame)),
                _ => return Err(no_such(kind)),
            };
            let (parent, frame) = found.ok_or_else(|| gone(kind))?;
            Ok((parent.map(Id::index), frame.map(Id::index)))
        })
    }

    /// Moves an element into a frame of its own body.
    fn _set_frame(&self, kind: &str, id: usize, frame: Option<usize>) -> PyResult<()> {
        let (parent, _) = self._place(kind, id)?;
        self.state.with(|state| {
            let spec = &mut state.spec;
            let frame = frame.map(FrameId::new);
            if let Some(frame) = frame {
                check_frame(spec, kind, BodyId::new(parent.ok_or_else(|| gone(kind))?), frame)?;
                let outer = |f: &FrameId| spec.frames.get(*f).and_then(|f| f.parent);
                if kind == "frame" && std::iter::successors(Some(frame), outer).any(|f| f.index() == id) {
                    return Err(PyValueError::new_err("a frame cannot be inside itself"));
                }
            }
            match kind {
                "body" => spec.bodies[Id::new(id)].frame = frame,
                "frame" => spec.frames[Id::new(id)].parent = frame,
                "joint" => spec.joints[Id::new(id)].frame = frame,
                "geom" => spec.geoms[Id::new(id)].frame = frame,
                "site" => spec.sites[Id::new(id)].frame = frame,
                "camera" => spec.cameras[Id::new(id)].frame = frame,
                "light" => spec.lights[Id::new(id)].frame = frame,
                _ => return Err(no_such(kind)),
            }
            Ok(())
        })
    }

    /// Replaces a body by a frame of its parent and returns the frame.
    fn _to_frame(&self, id: usize) -> PyResult<usize> {
        self.state.with(|state| {
            state.names = None;
            let frame = state.spec.body_to_frame(BodyId::new(id));
            frame.map(Id::index).ok_or_else(|| match state.spec.bodies.get(BodyId::new(id)) {
                Some(_) => PyValueError::new_err("the world body cannot become a frame: it has no parent"),
                None => gone("body"),
            })
        })
    }

    /// Attaches a part of another description (`body`, `frame` or `model`) at a `frame`, `site` or `body` of
    /// this one. Returns the frame that was made for a site, the copy of the part, and, if `all`, kind, old
    /// and new index of everything that came along.
    #[pyo3(signature = (to, place, child, part, part_id, prefix, suffix, all))]
    fn _attach(
        &self,
        to: &str,
        place: usize,
        child: Bound<'_, CoreSpec>,
        part: &str,
        part_id: usize,
        prefix: Text,
        suffix: Text,
        all: bool,
    ) -> PyResult<(Option<usize>, Option<usize>, Vec<(&'static str, usize, usize)>)> {
        let part = match part {
            "body" => Part::Body(Id::new(part_id)),
            "frame" => Part::Frame(Id::new(part_id)),
            "model" => Part::Model,
            _ => return Err(PyTypeError::new_err(format!("a {part} cannot be attached"))),
        };
        let place = match to {
            "frame" => AttachTarget::Frame(Id::new(place)),
            "site" => AttachTarget::Site(Id::new(place)),
            _ => AttachTarget::Body(Id::new(place)),
        };
        let join = |state: &mut State, other: &Spec| state.attach(place, other, part, [&prefix.0, &suffix.0]);
        let (frame, attached) = if std::ptr::eq(self, child.get()) {
            let own = self.spec_now();
            self.state.with(|state| join(state, &own))?
        } else {
            // two locks at once are safe: both are taken with the interpreter lock held
            let child = child.get();
            child.state.with(|theirs| self.state.with(|state| join(state, &theirs.spec)))?
        };
        let copy = match part {
            Part::Body(id) => attached.copy_of(ObjType::Body, id).map(Id::index),
            Part::Frame(id) => attached.copy_of(ObjType::Frame, id).map(Id::index),
            Part::Model => None,
        };
        let listed = |m: &Move| Ok((kind_name(m.kind)?, m.from, m.to));
        let moves =
            if all { attached.moves.iter().map(listed).collect::<PyResult<_>>()? } else { Vec::new() };
        Ok((frame.map(Id::index), copy, moves))
    }

    /// Names of all default classes with their parents.
    fn _classes(&self) -> Vec<(String, Option<String>)> {
        self.state.with(|state| {
            let spec = &state.spec;
            let parent = |id: DefaultId| spec.default_class(id).name.clone();
            spec.defaults.iter().map(|class| (class.name.clone(), class.parent.map(parent))).collect()
        })
    }

    /// Index of a default class; None when there is none of this name.
    fn _find_class(&self, name: &str) -> Option<usize> {
        self.state.with(|state| state.spec.find_default(name).map(|id| id.0))
    }

    /// Adds a default class below another one.
    fn _add_class(&self, name: Text, parent: &str) -> PyResult<()> {
        self.state.with(|state| {
            let parent = class_id(&state.spec, parent)?;
            let added = state.spec.add_default(&name.0, parent);
            added.map(|_| ()).ok_or_else(|| {
                PyValueError::new_err(format!("the default class '{}' exists already", name.0))
            })
        })
    }

    /// Deletes a default class with the classes below it; their elements now belong to the class around it.
    fn _delete_class(&self, name: &str) -> PyResult<()> {
        self.state.with(|state| {
            let id = class_id(&state.spec, name)?;
            if state.spec.delete_default(id) {
                Ok(())
            } else {
                Err(PyValueError::new_err("the main class cannot be deleted"))
            }
        })
    }

    /// Kind and numbers of an orientation in another form.
    fn _orientation(&self, kind: &str, id: usize, inertial: bool) -> PyResult<(i32, Vec<f64>)> {
        self.state.with(|state| {
            Ok(match table::orientation(&mut state.spec, kind, id, inertial)? {
                Orientation::Quat => (0, Vec::new()),
                Orientation::AxisAngle(values) => (1, values.to_vec()),
                Orientation::XyAxes(values) => (2, values.to_vec()),
                Orientation::ZAxis(values) => (3, values.to_vec()),
                Orientation::Euler(values) => (4, values.to_vec()),
            })
        })
    }

    /// Sets an orientation in another form.
    fn _set_orientation(
        &self,
        kind: &str,
        id: usize,
        inertial: bool,
        form: i32,
        values: Vec<f64>,
    ) -> PyResult<()> {
        self.state.with(|state| {
            *table::orientation(&mut state.spec, kind, id, inertial)? = orientation_of(form, &values)?;
            Ok(())
        })
    }

    /// The plugin that an element uses: active, plugin, instance, settings.
    fn _plugin(&self, kind: &str, id: usize) -> PyResult<(bool, String, String, Vec<(String, String)>)> {
        self.state.with(|state| {
            let plugin = table::plugin(&mut state.spec, kind, id)?.clone();
            Ok((plugin.active, plugin.plugin_name, plugin.instance, plugin.config))
        })
    }

    /// Sets the plugin that an element uses.
    fn _set_plugin(
        &self,
        kind: &str,
        id: usize,
        active: bool,
        plugin_name: String,
        instance: String,
        config: Vec<(String, String)>,
    ) -> PyResult<()> {
        self.state.with(|state| {
            let plugin = table::plugin(&mut state.spec, kind, id)?;
            (plugin.active, plugin.plugin_name, plugin.instance, plugin.config) =
                (active, plugin_name, instance, config);
            Ok(())
        })
    }

    /// Declares that a plugin is used.
    fn _activate_plugin(&self, name: &str) {
        self.state.with(|state| state.spec.activate_plugin(name, SourcePos::default()));
    }

    /// The path of a tendon.
    fn _path(&self, id: usize) -> PyResult<Vec<WrapTuple>> {
        self.state.with(|state| {
            let spec = &state.spec;
            let tendon = spec.tendons.get(Id::new(id)).ok_or_else(|| gone("tendon"))?;
            let step = |wrap: &Wrap| match &wrap.target {
                WrapTarget::Joint { name, coef } => {
                    (WrapType::Joint as i32, name.clone(), String::new(), *coef)
                }
                WrapTarget::Site { name } => (WrapType::Site as i32, name.clone(), String::new(), 0.0),
                WrapTarget::Geom { name, sidesite } => {
                    let geom = spec.find_geom(name).map(|id| spec.geoms[id].r#type);
                    let sphere = geom == Some(kinetree_model::enums::GeomType::Sphere);
                    let kind = if sphere { WrapType::Sphere } else { WrapType::Cylinder };
                    (kind as i32, name.clone(), sidesite.clone(), 0.0)
                }
                WrapTarget::Pulley { divisor } => {
                    (WrapType::Pulley as i32, String::new(), String::new(), *divisor)
                }
            };
            Ok(tendon.path.iter().map(step).collect())
        })
    }

    /// Adds a step to the path of a tendon: `site`, `geom`, `joint` or `pulley`. Returns its number.
    fn _wrap(&self, id: usize, kind: &str, name: String, sidesite: String, number: f64) -> PyResult<usize> {
        let target = match kind {
            "site" => WrapTarget::Site { name },
            "geom" => WrapTarget::Geom { name, sidesite },
            "joint" => WrapTarget::Joint { name, coef: number },
            "pulley" => WrapTarget::Pulley { divisor: number },
            _ => return Err(PyTypeError::new_err(format!("a tendon cannot pass a {kind}"))),
        };
        self.state.with(|state| {
            let tendon = state.spec.tendons.get_mut(Id::new(id)).ok_or_else(|| gone("tendon"))?;
            tendon.path.push(Wrap { target, pos: SourcePos::default() });
            Ok(tendon.path.len() - 1)
        })
    }

    /// Changes the number of a step: coefficient of a joint, divisor of a pulley.
    fn _set_wrap(&self, id: usize, step: usize, number: f64) -> PyResult<()> {
        self.state.with(|state| {
            let tendon = state.spec.tendons.get_mut(Id::new(id)).ok_or_else(|| gone("tendon"))?;
            match tendon.path.get_mut(step).map(|wrap| &mut wrap.target) {
                Some(WrapTarget::Joint { coef, .. }) => *coef = number,
                Some(WrapTarget::Pulley { divisor }) => *divisor = number,
                _ => return Err(PyValueError::new_err("this step has no number")),
            }
            Ok(())
        })
    }

    /// Numbers that a sensor will have.
    fn _sensor_size(&self, id: usize) -> PyResult<usize> {
        self.state.with(|state| {
            let sensor = state.spec.sensors.get(Id::new(id)).ok_or_else(|| gone("sensor"))?;
            Ok(state.spec.sensor_dimension(sensor))
        })
    }
}

/// An orientation from the reference's number of its form.
pub(super) fn orientation_of(form: i32, values: &[f64]) -> PyResult<Orientation> {
    fn exact<const N: usize>(name: &str, values: &[f64]) -> PyResult<[f64; N]> {
        let wrong = |_| PyValueError::new_err(format!("{name} should be a list/array of size {N}."));
        values.try_into().map_err(wrong)
    }
    Ok(match form {
        0 => Orientation::Quat,
        1 => Orientation::AxisAngle(exact("axisangle", values)?),
        2 => Orientation::XyAxes(exact("xyaxes", values)?),
        3 => Orientation::ZAxis(exact("zaxis", values)?),
        4 => Orientation::Euler(exact("euler", values)?),
        _ => return Err(PyValueError::new_err(format!("{form} is not a form of orientation"))),
    })
}

/// Quaternion of an orientation in another form.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // arguments are made for the call
pub(crate) fn resolve_orientation(
    degree: bool,
    sequence: &str,
    form: i32,
    values: Vec<f64>,
) -> PyResult<Vec<f64>> {
    let orientation = orientation_of(form, &values)?;
    let quat = orientation.to_quat(degree, sequence);
    quat.map(|quat| quat.to_vec()).map_err(|e| PyValueError::new_err(e.to_string()))
}
