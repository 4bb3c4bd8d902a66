"""Named access: `model.body("torso").pos`, `data.joint(0).qpos`."""

import numpy as np

from kinetree.enums import mjtObj

# accessor: (object type, prefix of fields in the model, aliases)
KINDS = {
    "actuator": (mjtObj.mjOBJ_ACTUATOR, "actuator_", "nu"),
    "body": (mjtObj.mjOBJ_BODY, "body_", "nbody"),
    "camera": (mjtObj.mjOBJ_CAMERA, "cam_", "ncam"),
    "equality": (mjtObj.mjOBJ_EQUALITY, "eq_", "neq"),
    "exclude": (mjtObj.mjOBJ_EXCLUDE, "exclude_", "nexclude"),
    "geom": (mjtObj.mjOBJ_GEOM, "geom_", "ngeom"),
    "hfield": (mjtObj.mjOBJ_HFIELD, "hfield_", "nhfield"),
    "joint": (mjtObj.mjOBJ_JOINT, "jnt_", "njnt"),
    "keyframe": (mjtObj.mjOBJ_KEY, "key_", "nkey"),
    "light": (mjtObj.mjOBJ_LIGHT, "light_", "nlight"),
    "material": (mjtObj.mjOBJ_MATERIAL, "mat_", "nmat"),
    "mesh": (mjtObj.mjOBJ_MESH, "mesh_", "nmesh"),
    "numeric": (mjtObj.mjOBJ_NUMERIC, "numeric_", "nnumeric"),
    "pair": (mjtObj.mjOBJ_PAIR, "pair_", "npair"),
    "sensor": (mjtObj.mjOBJ_SENSOR, "sensor_", "nsensor"),
    "site": (mjtObj.mjOBJ_SITE, "site_", "nsite"),
    "skin": (mjtObj.mjOBJ_SKIN, "skin_", "nskin"),
    "tendon": (mjtObj.mjOBJ_TENDON, "tendon_", "ntendon"),
    "texture": (mjtObj.mjOBJ_TEXTURE, "tex_", "ntex"),
    "tuple": (mjtObj.mjOBJ_TUPLE, "tuple_", "ntuple"),
}
ALIASES = {"jnt": "joint", "cam": "camera", "eq": "equality", "key": "keyframe", "mat": "material", "tex": "texture",
           "ten": "tendon"}

# kinds whose name is no word of its own
TITLES = {"equality": "equality constraint", "exclude": "excluded pair", "hfield": "height field", "numeric": "custom numeric field",
          "pair": "contact pair", "tuple": "custom tuple"}
# a field that the documentation of an accessor names
MODEL_EXAMPLES = {"actuator": "ctrlrange", "body": "mass", "camera": "fovy", "equality": "data", "exclude": "signature", "geom": "friction",
                  "hfield": "size", "joint": "range", "keyframe": "qpos", "light": "pos", "material": "rgba", "mesh": "vertnum",
                  "numeric": "data", "pair": "friction", "sensor": "cutoff", "site": "pos", "skin": "rgba", "tendon": "stiffness",
                  "texture": "data", "tuple": "objid"}
DATA_EXAMPLES = {"actuator": "force", "body": "xpos", "camera": "xpos", "geom": "xpos", "joint": "qpos", "light": "xpos", "sensor": "data",
                 "site": "xpos", "tendon": "length"}

# fields of the data by accessor: field name in the view -> field name in the data
DATA = {
    "actuator": ("ctrl", {"length": "actuator_length", "velocity": "actuator_velocity", "force": "actuator_force"}),
    "body": ("xfrc_applied xpos xquat xmat xipos ximat subtree_com cinert crb cvel subtree_linvel subtree_angmom cacc "
             "cfrc_int cfrc_ext", {}),
    "camera": ("", {"xpos": "cam_xpos", "xmat": "cam_xmat"}),
    "geom": ("", {"xpos": "geom_xpos", "xmat": "geom_xmat"}),
    "joint": ("xanchor xaxis", {}),
    "light": ("", {"xpos": "light_xpos", "xdir": "light_xdir"}),
    "sensor": ("", {}),
    "site": ("", {"xpos": "site_xpos", "xmat": "site_xmat"}),
    "tendon": ("", {"length": "ten_length", "velocity": "ten_velocity", "wrapadr": "ten_wrapadr", "wrapnum": "ten_wrapnum"}),
}
DOF_FIELDS = ("qvel qacc qacc_warmstart qfrc_applied qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive "
              "qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse cdof cdof_dot qLDiagInv").split()
NQ, NV = (7, 4, 1, 1), (6, 3, 1, 1)


class View:
    """Fields of one element, as views."""

    _names: list[str]

    def __init__(self, name, index, fields):
        self.__dict__.update(fields)
        self.__dict__["id"] = index
        self.__dict__["name"] = name
        self.__dict__["_names"] = sorted(fields)

    def __setattr__(self, name, value):
        if name not in self._names:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        self.__dict__[name][...] = value

    def __repr__(self):
        lines = [f"  {n}: {self.__dict__[n]!r}" for n in sorted(["id", "name", *self._names])]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


_CLASSES = {}


def _class(owner, kind):
    short = {"joint": "Joint", "equality": "Equality", "keyframe": "Keyframe"}.get(kind, kind.capitalize())
    name = f"_{owner}{short}Views"
    if name not in _CLASSES:
        _CLASSES[name] = type(name, (View,), {})
    return _CLASSES[name]


def resolve(model, kind, key):
    """Id of an element given by name or index."""
    obj, _, count = KINDS[kind]
    total = getattr(model, count)
    if isinstance(key, (int, np.integer)):
        if not 0 <= key < total:
            raise IndexError(f"Invalid index {key}. Valid indices from 0 to {total - 1}")
        return int(key)
    if not isinstance(key, str):
        raise TypeError(f"expected a name or an index, got {type(key).__name__}")
    index = model._name2id(obj, key) if key else -1
    if index < 0:
        names = sorted(n for n in (model._id2name(obj, i) for i in range(total)) if n)
        raise KeyError(f"Invalid name '{key}'. Valid names: {names!r}")
    return index


def accessor_text(what, kind, example):
    """The documentation of an accessor."""
    title = TITLES.get(kind, kind)
    return f"""{what} of one {title}: an object with views such as `.{example}`, and `.id` and `.name`.

    Args:
        name: name or index of the {title}.

    Raises:
        KeyError: there is no such name; the message lists the available ones.
    """


def _row(array, index):
    return array[index] if array.ndim > 1 else array[index : index + 1]


def model_view(model, kind, index):
    """View of an element of a model."""
    obj, prefix, count = KINDS[kind]
    total = getattr(model, count)
    fields = {}
    for name in model._fields:
        if name.startswith(prefix) and len(array := model._fields[name]) == total and not isinstance(array, bytes):
            fields[name[len(prefix):]] = _row(array, index)
    if kind == "joint":
        kind_of = int(model.jnt_type[index])
        q, v = int(model.jnt_qposadr[index]), int(model.jnt_dofadr[index])
        fields["qpos0"] = model.qpos0[q : q + NQ[kind_of]]
        fields["qpos_spring"] = model.qpos_spring[q : q + NQ[kind_of]]
        for name in model._fields:
            if name.startswith("dof_"):
                fields.setdefault(name[4:], model._fields[name][v : v + NV[kind_of]])
    elif kind in ("numeric", "tuple", "hfield", "texture"):
        fields.update(_ragged(model, kind, index))
    return _class("MjModel", kind)(model._id2name(obj, index) or "", index, fields)


def _ragged(model, kind, index):
    """Data of custom fields, height fields and textures."""
    if kind == "numeric":
        start = int(model.numeric_adr[index])
        return {"data": model.numeric_data[start : start + int(model.numeric_size[index])]}
    if kind == "tuple":
        start = int(model.tuple_adr[index])
        stop = start + int(model.tuple_size[index])
        return {n: getattr(model, f"tuple_{n}")[start:stop] for n in ("objtype", "objid", "objprm")}
    if kind == "hfield":
        start, rows, cols = (int(getattr(model, f"hfield_{n}")[index]) for n in ("adr", "nrow", "ncol"))
        return {"data": model.hfield_data[start : start + rows * cols].reshape(rows, cols)}
    start, rows, cols, channels = (int(getattr(model, f"tex_{n}")[index]) for n in ("adr", "height", "width", "nchannel"))
    return {"data": model.tex_data[start : start + rows * cols * channels].reshape(rows, cols, channels)}


def data_view(data, kind, index):
    """View of an element of a data."""
    model = data.model
    obj = KINDS[kind][0]
    plain, renamed = DATA[kind]
    fields = {n: _row(getattr(data, n), index) for n in plain.split()}
    fields.update({n: _row(getattr(data, f), index) for n, f in renamed.items()})
    if kind == "joint":
        kind_of = int(model.jnt_type[index])
        q, v = int(model.jnt_qposadr[index]), int(model.jnt_dofadr[index])
        fields["qpos"] = data.qpos[q : q + NQ[kind_of]]
        for name in DOF_FIELDS:
            fields[name] = getattr(data, name)[v : v + NV[kind_of]]
    elif kind == "sensor":
        start = int(model.sensor_adr[index])
        fields["data"] = data.sensordata[start : start + int(model.sensor_dim[index])]
    elif kind == "actuator":
        start, count = int(model.actuator_actadr[index]), int(model.actuator_actnum[index])
        fields["act"] = data.act[start : start + count] if start >= 0 else data.act[:0]
    return _class("MjData", kind)(model._id2name(obj, index) or "", index, fields)
