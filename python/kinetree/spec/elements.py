"""The elements of a description. What hangs on bodies and frames is in `tree`."""

import numpy as np

from kinetree import _core
from kinetree.spec import texts
from kinetree.spec.fields import Fields, MjsCompiler, field

# kind: (class name, plural)
KINDS = {
    "body": ("Body", "bodies"), "frame": ("Frame", "frames"), "joint": ("Joint", "joints"), "geom": ("Geom", "geoms"),
    "site": ("Site", "sites"), "camera": ("Camera", "cameras"), "light": ("Light", "lights"), "flex": ("Flex", "flexes"),
    "mesh": ("Mesh", "meshes"), "hfield": ("HField", "hfields"), "skin": ("Skin", "skins"), "texture": ("Texture", "textures"),
    "material": ("Material", "materials"), "pair": ("Pair", "pairs"), "exclude": ("Exclude", "excludes"),
    "equality": ("Equality", "equalities"), "tendon": ("Tendon", "tendons"), "actuator": ("Actuator", "actuators"),
    "sensor": ("Sensor", "sensors"), "numeric": ("Numeric", "numerics"), "text": ("Text", "texts"), "tuple": ("Tuple", "tuples"),
    "key": ("Key", "keys"), "plugin": ("Plugin", "plugins"),
}
# kinds with a prototype in every default class
CLASSED = ("joint", "geom", "site", "camera", "light", "flex", "mesh", "material", "pair", "equality", "tendon", "actuator")
ORIENTED = ("body", "frame", "geom", "site", "camera")
PLUGGED = ("body", "geom", "mesh", "actuator", "sensor")
FORMS = {"axisangle": 1, "xyaxes": 2, "zaxis": 3, "euler": 4}


class MjsElement(Fields):
    """An element of a description; the base of `MjsBody`, `MjsGeom`, `MjsJoint` and the others.

    `spec.body(name)`, `spec.geoms` and their like find elements, `add_…` functions make them, `spec.delete(element)` removes one.
    """

    __slots__ = ("_spec", "_index", "_owner")
    _kind = ""

    def __init__(self, spec, index, owner=None):
        super().__init__()
        # a prototype belongs to a default class, which is found by its name
        for name, value in (("_spec", spec), ("_index", index), ("_owner", owner)):
            object.__setattr__(self, name, value)

    def _where(self):
        if self._owner is None:
            return self._spec, self._kind, self._index
        return self._spec, "@" + self._kind, self._spec._class_place(self._owner)

    def _move(self, spec, index):
        """Follows the element into another description."""
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_index", index)

    def __setattr__(self, name, value):
        if not hasattr(type(self), name):
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        object.__setattr__(self, name, value)

    def __eq__(self, other):
        return type(self) is type(other) and self._where() == other._where()

    def __hash__(self):
        return hash((id(self._spec), self._kind, self._index))

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"

    @property
    def id(self):
        """Id of the element in the model that was compiled last; -1 before."""
        return self._spec._number(self._kind, self._index)

    @property
    def signature(self):
        """A number that tells which models belong to the description."""
        return self._spec._signature()

    @property
    def compiler(self):
        """Compiler settings that apply to the element."""
        spec, kind, index = self._where()
        return MjsCompiler(spec, "compiler", spec._compiler(kind, index))

    @property
    def classname(self):
        """The default class of the element."""
        return self._spec.find_default(self._spec._class(self._kind, self._index))

    @classname.setter
    def classname(self, default):
        self._spec._set_class(self._kind, self._index, default if isinstance(default, str) else default.name)


class MjsOrientation:
    """The orientation of an element in another form than a quaternion, `element.alt`; of a body's inertial frame, `body.ialt`.

    Assign one of `axisangle`, `xyaxes`, `zaxis` and `euler`; it replaces the quaternion when the description is compiled. Angles are in
    degrees or radians, as `spec.compiler.degree` says.
    """

    def __init__(self, element, inertial):
        self.__dict__["_element"], self.__dict__["_inertial"] = element, inertial

    def _read(self):
        spec, kind, index = self._element._where()
        return spec._orientation(kind, index, self._inertial)

    def _write(self, form, values):
        spec, kind, index = self._element._where()
        spec._set_orientation(kind, index, self._inertial, int(form), np.asarray(values, float).ravel().tolist())

    @property
    def type(self):
        """The form in use, an `mjtOrientation`."""
        from kinetree.enums import mjtOrientation

        return mjtOrientation(self._read()[0])

    @type.setter
    def type(self, form):
        current, values = self._read()
        lengths = (0, 4, 6, 3, 3)
        if int(form) != current:
            values = [0.0] * lengths[int(form)]
        self._write(form, values)

    def __setattr__(self, name, value):
        if name not in FORMS and name != "type":
            raise AttributeError(f"an orientation has no field {name!r}")
        object.__setattr__(self, name, value)


def _form(name):
    length = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[name]

    def get(self):
        form, values = self._read()
        return np.array(values) if form == FORMS[name] else np.zeros(length)

    def put(self, value):
        self._write(FORMS[name], value)

    return property(get, put, doc=texts.ORIENTATIONS[name])


for _name in FORMS:
    setattr(MjsOrientation, _name, _form(_name))


def _orientation(inertial):
    def get(self):
        return MjsOrientation(self, inertial)

    def put(self, value):
        form, values = value._read()
        MjsOrientation(self, inertial)._write(form, values)

    return property(get, put, doc="The orientation in another form than a quaternion, an `MjsOrientation`.")


class PluginUse:
    """The plugin that an element uses, when it is no instance of its own."""

    def __init__(self, element):
        self.__dict__["_element"] = element

    def _read(self):
        spec, kind, index = self._element._where()
        return dict(zip(("active", "plugin_name", "name", "config"), spec._plugin(kind, index)))

    def __getattr__(self, name):
        if name == "info":
            return self._element.info
        try:
            value = self._read()[name]
        except KeyError:
            raise AttributeError(f"a plugin has no field {name!r}") from None
        return dict(value) if name == "config" else value

    def __setattr__(self, name, value):
        values = self._read()
        if name not in values:
            raise AttributeError(f"a plugin has no field {name!r}")
        values[name] = list(value.items()) if name == "config" else value
        spec, kind, index = self._element._where()
        spec._set_plugin(kind, index, bool(values["active"]), values["plugin_name"], values["name"], list(values["config"]))


def _plugin(self):
    """The plugin that the element uses."""
    use = PluginUse(self)
    name = use.name
    instance = self._spec.plugin(name) if name else None
    return use if instance is None else instance


def _set_plugin(self, plugin):
    use = PluginUse(self)
    use.name, use.plugin_name, use.active = plugin.name, plugin.plugin_name, bool(plugin.active)


CLASSES = {}
for _kind, (_title, _) in KINDS.items():
    _class = type(f"Mjs{_title}", (MjsElement,), {"__slots__": (), "_kind": _kind, "__doc__": texts.of_element(_kind)})
    for _name in _core.CoreSpec._field_names(_kind):
        setattr(_class, _name, field(_name, texts.of_field(_kind, _name)))
    if _kind in ORIENTED:
        _class.alt = _orientation(False)
    if _kind in PLUGGED:
        _class.plugin = property(_plugin, _set_plugin, doc=_plugin.__doc__)
    CLASSES[_kind] = _class
CLASSES["body"].ialt = _orientation(True)


class MjsDefault:
    """A default class: a prototype of each kind of element, from which new elements of the class are copied.

    `spec.default` is the main class, `spec.add_default(name)` makes another, `spec.find_default(name)` finds one.

    Example::

        spec.default.geom.friction[0] = 0.8
    """

    def __init__(self, spec, name):
        self.__dict__["_spec"], self.__dict__["_name"] = spec, name

    @property
    def name(self):
        """Name of the class."""
        return self._name

    @property
    def parent(self):
        """The class around this one; None for the main class."""
        above = dict(self._spec._classes())[self._name]
        return None if above is None else MjsDefault(self._spec, above)

    @property
    def children(self):
        """The classes directly below this one."""
        return [MjsDefault(self._spec, name) for name, parent in self._spec._classes() if parent == self._name]

    def __eq__(self, other):
        return isinstance(other, MjsDefault) and (self._spec, self._name) == (other._spec, other._name)

    def __hash__(self):
        return hash((id(self._spec), self._name))

    def __setattr__(self, name, value):
        raise AttributeError(f"set the fields of {name!r} one by one")

    def __repr__(self):
        return f"<MjsDefault {self._name!r}>"


def _prototype(kind):
    def get(self):
        key = ("@" + kind, self._name)
        element = self._spec._elements.get(key)
        if element is None:
            element = CLASSES[kind](self._spec, -1, owner=self._name)
            self._spec._elements[key] = element
        return element

    return property(get, doc=f"The values that {texts.with_article(kind)} of this class starts from.")


for _kind in CLASSED:
    setattr(MjsDefault, _kind, _prototype(_kind))


class AttachedKey:
    """A keyframe of an attached part, as the model compiled last has it. It follows its part, so its numbers are not written."""

    def __init__(self, name, time, values):
        self.__dict__.update(name=name, time=time)
        for part, numbers in zip(("qpos", "qvel", "act", "ctrl", "mpos", "mquat"), values):
            self.__dict__[part] = np.array(numbers)
            self.__dict__[part].flags.writeable = False

    def __setattr__(self, name, value):
        raise AttributeError(f"the key {self.name!r} belongs to an attached part, which decides about its {name!r}")

    def __repr__(self):
        return f"<AttachedKey {self.name!r}>"


class MjsWrap:
    """One step on the path of a tendon; `tendon.path` is the list of them."""

    def __init__(self, tendon, place):
        self._tendon, self._place = tendon, place

    def _read(self):
        spec, _, index = self._tendon._where()
        return spec._path(index)[self._place]

    def __eq__(self, other):
        return isinstance(other, MjsWrap) and (self._tendon, self._place) == (other._tendon, other._place)

    def __hash__(self):
        return hash((self._tendon, self._place))

    @property
    def type(self):
        """Kind of the step, an `mjtWrap`."""
        from kinetree.enums import mjtWrap

        return mjtWrap(self._read()[0])

    @property
    def target(self):
        """The site, geom or joint of the step; None for a pulley."""
        kind, name = self._read()[:2]
        finders = {1: "joint", 3: "site", 4: "geom", 5: "geom"}
        return getattr(self._tendon._spec, finders[kind])(name) if kind in finders else None

    @property
    def sidesite(self):
        """The site that marks the side of a geom; None when there is none."""
        name = self._read()[2]
        return self._tendon._spec.site(name) if name else None

    def _number(self):
        return self._read()[3]

    def _set_number(self, value):
        spec, _, index = self._tendon._where()
        spec._set_wrap(index, self._place, value)

    info = ""
    """Text that belongs to errors: none."""

    coef = property(_number, _set_number, doc="Coefficient of a joint.")
    divisor = property(_number, _set_number, doc="Divisor of a pulley.")


def _path(self):
    """The path of the tendon."""
    spec, _, index = self._where()
    return [MjsWrap(self, place) for place in range(len(spec._path(index)))]


def _wrapper(kind):
    def wrap(self, name="", sidesite="", number=0.0):
        spec, _, index = self._where()
        return MjsWrap(self, spec._wrap(index, kind, name, sidesite, number))

    return wrap


_wrap_site, _wrap_geom, _wrap_joint, _wrap_pulley = (_wrapper(kind) for kind in ("site", "geom", "joint", "pulley"))
MjsTendon = CLASSES["tendon"]


def wrap_site(self, name):
    """Extends the path through a site.

    Args:
        name: name of the site.

    Returns:
        The step, an `MjsWrap`.
    """
    return _wrap_site(self, name)


def wrap_geom(self, name, sidesite=""):
    """Extends the path around a sphere or a cylinder, between two sites.

    Args:
        name: name of the geom.
        sidesite: name of the site that says on which side the tendon passes; empty for the shorter one.

    Returns:
        The step, an `MjsWrap`.
    """
    return _wrap_geom(self, name, sidesite)


def wrap_joint(self, name, coef):
    """Adds a joint to a fixed tendon, whose length is the sum of `coef` times position.

    Args:
        name: name of a hinge or slide joint.
        coef: its coefficient.

    Returns:
        The step, an `MjsWrap`.
    """
    return _wrap_joint(self, name, number=coef)


def wrap_pulley(self, divisor):
    """Extends the path by a pulley: what follows is a branch.

    Args:
        divisor: the length of the branch is divided by this.

    Returns:
        The step, an `MjsWrap`.
    """
    return _wrap_pulley(self, number=divisor)


def default(self):
    """The default class of the tendon, an `MjsDefault`."""
    return self.classname


def get_data_size(self):
    """Number of values of the sensor in `data.sensordata`."""
    return self._spec._sensor_size(self._index)


MjsTendon.path = property(_path, doc=_path.__doc__)
for _method in (wrap_site, wrap_geom, wrap_joint, wrap_pulley, default):
    setattr(MjsTendon, _method.__name__, _method)
CLASSES["sensor"].get_data_size = get_data_size
