"""Changes of a compiled model's numbers, taken back into the description that it was compiled from."""

import math

import numpy as np

# prefix of the model's arrays, list of the description, {array: attribute} where the names differ
_KINDS = (
    ("body_", "bodies", {"user": "userdata"}, ("pos", "quat", "gravcomp", "user")),
    ("jnt_", "joints", {"solref": "solref_limit", "solimp": "solimp_limit", "user": "userdata"},
     ("pos", "axis", "range", "margin", "solref", "solimp", "actfrcrange", "stiffness", "user")),
    ("geom_", "geoms", {"user": "userdata"}, ("size", "pos", "quat", "friction", "solmix", "solref", "solimp", "margin", "gap", "rgba",
                            "user")),
    ("site_", "sites", {"user": "userdata"}, ("size", "pos", "quat", "rgba", "user")),
    ("cam_", "cameras", {"user": "userdata"}, ("pos", "quat", "fovy", "ipd", "user")),
    ("light_", "lights", {}, ("pos", "dir", "attenuation", "cutoff", "exponent", "ambient", "diffuse", "specular")),
    ("mat_", "materials", {}, ("emission", "specular", "shininess", "reflectance", "rgba")),
    ("pair_", "pairs", {}, ("solref", "solreffriction", "solimp", "margin", "gap", "friction")),
    ("eq_", "equalities", {}, ("data", "solref", "solimp")),
    ("tendon_", "tendons", {"solref_lim": "solref_limit", "solimp_lim": "solimp_limit", "solref_fri": "solref_friction",
                            "solimp_fri": "solimp_friction", "lengthspring": "springlength"},
     ("range", "margin", "width", "rgba", "solref_lim", "solimp_lim", "solref_fri", "solimp_fri", "stiffness", "damping",
      "frictionloss", "armature", "lengthspring")),
    ("actuator_", "actuators", {}, ("gear", "gainprm", "biasprm", "dynprm", "ctrlrange", "forcerange", "actrange", "lengthrange")),
    ("sensor_", "sensors", {}, ("cutoff", "noise")),
)
_DOFS = {"armature": "armature", "damping": "damping", "frictionloss": "frictionloss", "solref": "solref_friction",
         "solimp": "solimp_friction"}
_INERTIAL = ("mass", "ipos", "iquat", "inertia")


def copy_back(spec, model):
    """Writes into `spec`, of which `model` is a compiled and then changed copy, what was changed. Only what was changed: values that the
    compiler derived stay as they are written."""
    base = spec.compile()
    if base._sizes() != model._sizes():
        raise ValueError("the model has other elements than the description it was compiled from")
    for prefix, kind, others, attributes in _KINDS:
        elements = getattr(spec, kind)
        for attribute in attributes:
            old, new = getattr(base, prefix + attribute), getattr(model, prefix + attribute)
            for row in _changed_rows(old, new):
                element = elements[row]
                if attribute in ("pos", "quat", "size"):
                    _place_alone(model, prefix, element, row)
                _set(spec, element, others.get(attribute, attribute), new[row])
    for row in sorted({row for name in _INERTIAL for row in _changed_rows(getattr(base, f"body_{name}"), getattr(model, f"body_{name}"))}):
        body = spec.bodies[row]
        # one number given means that all are
        for name in _INERTIAL:
            _set(spec, body, name, getattr(model, f"body_{name}")[row])
        body.explicitinertial = True
    for attribute, name in _DOFS.items():
        old, new = getattr(base, f"dof_{attribute}"), getattr(model, f"dof_{attribute}")
        for joint in {int(model.dof_jntid[dof]) for dof in _changed_rows(old, new)}:
            _set(spec, spec.joints[joint], name, new[model.jnt_dofadr[joint]])
    _copy_reference(spec, base, model)
    for group in ("opt", "stat"):
        source, target = getattr(model, group), getattr(spec, {"opt": "option", "stat": "stat"}[group])
        for field, value in source._fields.items():
            if not np.array_equal(value, getattr(base, group)._fields[field]):
                setattr(target, field, getattr(source, field))


def _changed_rows(old, new):
    """Rows of two arrays that differ."""
    different = (np.asarray(old) != np.asarray(new)).reshape(len(old), -1) if len(old) else np.zeros((0, 1), bool)
    return [int(row) for row in np.flatnonzero(different.any(axis=1))]


def _place_alone(model, prefix, element, row):
    """Places an element by position and orientation alone, without a frame or end points: the poses of a model are those in the body."""
    ends = hasattr(element, "fromto") and not math.isnan(element.fromto[0])
    if getattr(element, "frame", None) is None and not ends:
        return
    if ends:
        element.fromto, element.size = [math.nan] * 6, getattr(model, f"{prefix}size")[row]
    element.frame = None
    element.pos = getattr(model, f"{prefix}pos")[row]
    if hasattr(element, "quat"):
        element.alt.type, element.quat = 0, getattr(model, f"{prefix}quat")[row]


def _set(spec, element, name, value):
    """Writes the values of a row of a model into an attribute of an element."""
    value = np.array(value, dtype=float)
    if name == "range" and spec.compiler.degree and _kind(element) in ("hinge", "ball"):
        value = value * (180 / math.pi)
    if name == "quat":
        element.alt.type = 0
    current = np.asarray(getattr(element, name), dtype=float)
    if current.ndim == 0:
        setattr(element, name, float(value.ravel()[0]))
    elif current.size <= value.size:
        setattr(element, name, value)
    else:
        # attributes may hold more numbers than the model's row
        setattr(element, name, [*value.ravel(), *current.ravel()[value.size :]])


def _kind(element):
    """Name of a joint's type; nothing for other elements."""
    return ("free", "ball", "slide", "hinge")[int(element.type)] if type(element).__name__ == "MjsJoint" else ""


def _copy_reference(spec, base, model):
    """Reference positions of slides and hinges."""
    for row in _changed_rows(base.qpos0, model.qpos0):
        joint = int(np.searchsorted(model.jnt_qposadr, row, side="right")) - 1
        element = spec.joints[joint]
        name = _kind(element)
        if name == "hinge" and spec.compiler.degree:
            element.ref = float(model.qpos0[row]) * 180 / math.pi
        elif name in ("hinge", "slide"):
            element.ref = float(model.qpos0[row])
        else:
            body = element.parent
            start = int(model.jnt_qposadr[joint])
            body.pos, body.quat = model.qpos0[start : start + 3], model.qpos0[start + 3 : start + 7]
