"""`MjModel` and `MjData`: fields by their reference names.

Arrays are views of the engine's memory. They are kept in the instance's dictionary, so that reading one costs no more than
any attribute; assigning to one copies values into it.
"""

import os
import weakref

import numpy as np

from kinetree import _core, contacts, named
from kinetree.options import MjOption, MjStatistic, MjVisual

_TEXT = ("names", "paths", "text_data", "plugin_attr")
_DYNAMIC = frozenset(_core.DYNAMIC_ARRAYS)


class _Attribute:
    """Documentation of an attribute; its value is in the instance's dictionary, which is looked at first."""

    def __init__(self, name, doc):
        self.__name__, self.__doc__ = name, doc

    def __get__(self, instance, owner):
        if instance is None:
            return self
        raise AttributeError(self.__name__)


def _document(cls, rows):
    """Names attributes on the class, so that `dir` and editors know them before there is an instance."""
    for name, doc in rows:
        if name not in cls.__dict__:
            setattr(cls, name, _Attribute(name, doc))


def _text(value):
    """A string, also when it comes as bytes."""
    return value.decode() if isinstance(value, bytes) else value


def _text_keys(assets):
    return assets and {_text(name): content for name, content in assets.items()}


def _assign(array, name, value):
    try:
        array[...] = value
    except ValueError as problem:
        raise ValueError(f"cannot assign to {name!r} of shape {array.shape}: {problem}") from None


# no array is made yet
_NO_ARRAYS = dict.fromkeys(_core.CoreModel(_core.load_sizes({}))._array_names())


class _ModelFields(dict):
    """Arrays of a model by name, each made when it is asked for. The engine checks indices that a program may have written, and that is
    only possible once it has such an array."""

    def __init__(self, model):
        super().__init__(_NO_ARRAYS)
        self._model = weakref.ref(model)

    def __getitem__(self, name):
        array = super().__getitem__(name)
        if array is None:
            model = self._model()
            if model is None:
                raise ReferenceError("the model of this array is gone")
            array = self[name] = model._array(name)
        return array

    def items(self):
        """Names and arrays."""
        return [(name, self[name]) for name in self]

    def values(self):
        """All arrays."""
        return [self[name] for name in self]


class _Array(_Attribute):
    """An array of a model, put into the instance's dictionary when it is first asked for."""

    def __get__(self, instance, owner):
        if instance is None:
            return self
        array = instance.__dict__[self.__name__] = instance._fields[self.__name__]
        return array


class _Bytes(_Attribute):
    """Text of a model as bytes, put into the instance's dictionary when it is first asked for."""

    def __get__(self, instance, owner):
        if instance is None:
            return self
        text = instance.__dict__[self.__name__] = instance._fields[self.__name__].tobytes()
        return text


class _Options(_Attribute):
    """Options of a model, put into the instance's dictionary when they are first asked for."""

    def __get__(self, instance, owner):
        if instance is None:
            return self
        own, options = instance.__dict__, instance._options()
        own["opt"], own["stat"], own["vis"] = MjOption(options["opt"]), MjStatistic(options["stat"]), MjVisual(options)
        return own[self.__name__]


class MjModel(_core.CoreModel):
    """A compiled model: sizes, options and one array per field, with MuJoCo's names. It does not change during a simulation.

    Get one with `from_xml_path`, `from_xml_string`, `from_binary_path` or `MjSpec.compile`. Arrays such as `body_mass` (nbody,) and
    `geom_friction` (ngeom, 3) are views of the engine's memory, so that assignments take effect at once; call `mj_setConst` after a
    change of masses or poses. `opt`, `vis` and `stat` are groups of settings. `model.body("torso").mass` reads by name; there are such
    functions for all kinds of elements. Units are SI, angles are in radians, quaternions are (w, x, y, z).

    Example::

        model = kinetree.MjModel.from_xml_path("models/showcase/humanoid.xml")
        model.opt.timestep = 0.002
        model.geom("floor").friction[0] = 0.8
    """

    def __init__(self, loaded):
        fields = _ModelFields(self)
        own = self.__dict__
        own["_fields"] = fields
        own.update(self._sizes())
        own["_views"] = {}

    @classmethod
    def from_xml_path(cls, filename, assets=None, reference=None):
        """Compiles an MJCF or URDF file.

        Args:
            filename: path of the file.
            assets: dictionary from file names to bytes; these are found before the disk is searched.
            reference: version of MuJoCo whose meaning the file has, "3.8" (the default) or "4.0".

        Raises:
            ValueError: the file has faults; the message lists them with file, line, column and a suggestion.
        """
        path, assets = os.fsdecode(filename), _text_keys(assets)
        return _sourced(cls(_core.load_xml_path(path, assets, reference)), path=path, assets=assets, reference=reference)

    @classmethod
    def from_xml_string(cls, xml, assets=None, reference=None):
        """Compiles MJCF or URDF text.

        Args:
            xml: the text.
            assets: dictionary from file names to bytes, for included files, meshes and textures.
            reference: version of MuJoCo whose meaning the text has, "3.8" (the default) or "4.0".

        Raises:
            ValueError: the text has faults; the message lists them with line, column and a suggestion.
        """
        xml, assets = _text(xml), _text_keys(assets)
        return _sourced(cls(_core.load_xml_string(xml, assets, reference)), xml=xml, assets=assets, reference=reference)

    @classmethod
    def from_binary_path(cls, filename, assets=None):
        """Loads a model in MuJoCo's binary format (MJB), such as `mj_saveModel` writes.

        Args:
            filename: path of the file.
            assets: dictionary from file names to bytes; these are found before the disk is searched.

        Raises:
            ValueError: the file is not such a model.
        """
        name, assets = os.fsdecode(filename), _text_keys(assets)
        if assets and name in assets:
            return cls(_core.load_bytes(assets[name]))
        with open(name, "rb") as file:
            return cls(_core.load_bytes(file.read()))

    @classmethod
    def _from_mujoco(cls, m):
        """Copies a model compiled by the reference."""
        names = list(_core.CoreModel(_core.load_sizes({}))._sizes())
        sizes = {n: 0 if n in ("nbuffer", "narena") else int(getattr(m, n)) for n in names}
        template = _core.CoreModel(_core.load_sizes(sizes))
        arrays = {}
        fields = _ModelFields(template)
        for name in fields:
            source, array = getattr(m, name), fields[name]
            if name in _TEXT:
                value = np.zeros(array.size, np.uint8)
                raw = np.frombuffer(bytes(source), np.uint8)
                value[: raw.size] = raw
            else:
                value = np.ascontiguousarray(source).ravel().astype(array.dtype)
            arrays[name] = value
        options = template._options()

        def group(source, fields):
            values = {}
            for n, v in fields.items():
                value = np.asarray(getattr(source, n)).ravel().astype(v.dtype)
                values[n] = value if value.size == v.size else np.array(v).ravel()
            return values

        vis = {g: group(getattr(m.vis, "global_" if g == "global" else g), options[g])
               for g in ("global", "quality", "headlight", "map", "scale", "rgba")}
        opt, stat = group(m.opt, options["opt"]), group(m.stat, options["stat"])
        return cls(_core.load_parts("", sizes, opt, stat, vis, arrays))

    def __setattr__(self, name, value):
        fields = self._fields
        if name in fields:
            _assign(fields[name], name, value)
        elif name in ("opt", "stat"):
            target = getattr(self, name)
            for field in target._fields:
                setattr(target, field, getattr(value, field))
        elif name == "vis" or name in self.__dict__:
            raise AttributeError(f"{name!r} cannot be changed")
        else:
            raise AttributeError(f"MjModel has no field {name!r}")

    def __copy__(self):
        return type(self)(self._clone())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return (_load_model, (type(self), self._to_bytes()))

    def __repr__(self):
        name = self.names[: self.names.find(b"\0")].decode()
        return f"<MjModel {name!r}: nq {self.nq}, nv {self.nv}, nu {self.nu}, nbody {self.nbody}>"


def _sourced(model, **source):
    """Remembers what a model was read from, so that it can be written again."""
    model.__dict__["_source"] = source
    return model


def mj_loadModel(filename, assets=None):  # noqa: N802
    """Loads a model in MuJoCo's binary format; the same as `MjModel.from_binary_path`.

    Args:
        filename: path of the file.
        assets: dictionary from file names to bytes; these are found before the disk is searched.
    """
    return MjModel.from_binary_path(filename, assets)


def _load_model(cls, data):
    return cls(_core.load_bytes(data))


class MjData(_core.CoreData):
    """One world: the state, the inputs and all results of a simulation, with MuJoCo's names.

    The state is `qpos` (nq,), `qvel` (nv,), `act` (na,) and `time`; inputs are `ctrl` (nu,), `qfrc_applied` (nv,), `xfrc_applied`
    (nbody, 6) and the mocap poses. Results such as `xpos`, `sensordata` and `contact` belong to the last `mj_step` or `mj_forward`.
    Arrays are views of the engine's memory: assign to them in place, and copy them to keep values. `data.joint("hip").qpos` and its
    like read and write by name. `copy.copy(data)` copies the world; several threads may each simulate their own.

    Args:
        model: the `MjModel`; its initial values are the state.
        source: an `MjData` of the same model to copy instead.

    Example::

        data = kinetree.MjData(model)
        kinetree.mj_step(model, data)
        print(data.time, data.qpos, data.ncon)
    """

    def __new__(cls, model, source=None):
        return super().__new__(cls, model) if source is None else super().__new__(cls, model, source)

    def __init__(self, model, source=None):
        own = self.__dict__
        own["model"] = model
        own["_fields"] = self._arrays()
        own.update(own["_fields"])
        own.update(contacts.views(self._statistics()))
        own["_views"] = {}

    def __setattr__(self, name, value):
        fields = self._fields
        if name in fields:
            _assign(fields[name], name, value)
        elif name in _STATISTICS:
            _assign(self.__dict__[name], name, value)
        elif name in _DYNAMIC:
            _assign(self._dynamic(name), name, value)
        elif name == "time" or name in _SCALARS:
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"MjData has no field {name!r}, or it cannot be changed")

    @property
    def narena(self):
        """Size in bytes of the memory that the model asks for contacts and constraints; not used."""
        return self.model.narena

    @property
    def nbuffer(self):
        """Number of bytes of all arrays of fixed size."""
        return sum(array.nbytes for array in self._fields.values())

    @property
    def nplugin(self):
        """Number of plugin instances."""
        return self.model.nplugin

    @property
    def contact(self):
        """The active contacts, a list of `MjContact` of the length `ncon`; `data.contact.dist` and the like are arrays of all."""
        return contacts.contact_list(self)

    @property
    def solver(self):
        """Solver statistics, a list of `MjSolverStat`: one entry per iteration of each island."""
        return contacts.solver_list(self)

    threadpool = property(lambda self: 0, doc="Threads of this data: none, batches have threads of their own.")

    def __copy__(self):
        return type(self)(self.model, self)

    def __deepcopy__(self, memo):
        import copy

        return type(self)(copy.deepcopy(self.model, memo), self)

    def __reduce__(self):
        arrays = {name: np.array(array) for name, array in self._fields.items()}
        arrays |= {name: np.array(self._dynamic(name)) for name in _DYNAMIC}
        contacts = {name: np.array(array) for name, array in self._contacts().items()}
        scalars = {name: getattr(self, name) for name in _SCALARS}
        return (_load_data, (type(self), self.model, self.time, arrays, contacts, scalars, self._stats()))

    def _copy_from_mujoco(self, d, with_contacts=True):
        """Copies every array, count and contact of the reference's data."""
        for name, array in self._fields.items():
            if name != "plugin_data" and array.size:
                array[...] = np.asarray(getattr(d, name)).reshape(array.shape)
        for name in _DYNAMIC:
            array = self._dynamic(name)
            value = np.ascontiguousarray(getattr(d, name)).astype(array.dtype)
            width = array.shape[1] if array.ndim > 1 else 1
            self._set_dynamic(name, value.ravel(), value.size // width)
        self.time = d.time
        for name in ("ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof"):
            setattr(self, name, int(getattr(d, name)))
        if with_contacts:
            arrays = {}
            for name, array in self._contacts().items():
                value = np.asarray(getattr(d.contact, name))[: d.ncon]
                shape = (d.ncon, *array.shape[1:])
                arrays[name] = np.ascontiguousarray(value.reshape(shape).astype(array.dtype))
            self._set_contacts(arrays, int(d.ncon))


def _load_data(cls, model, time, arrays, contact_arrays, scalars, stats):
    data = cls(model)
    data.time = time
    for name, array in arrays.items():
        if name in _DYNAMIC:
            data._set_dynamic(name, array.ravel(), len(array))
        else:
            data._fields[name][...] = array
    data._set_contacts(contact_arrays, len(contact_arrays["dist"]))
    for name, value in scalars.items():
        setattr(data, name, value)
    data._set_stats(stats)
    return data


def _dynamic_property(name, doc):
    def get(self):
        return self._dynamic(name)

    return property(get, doc=doc)


def _size_property(name, doc):
    def get(self):
        return self._sizes()[name]

    return property(get, doc=doc)


def _scalar_property(index, doc):
    def get(self):
        return self._scalar(index)

    def put(self, value):
        self._set_scalar(index, value)

    return property(get, put, doc=doc)


def _with_shape(doc, extents):
    """The documentation of an array, with its shape."""
    return f"{doc} Shape ({', '.join(extents)}{',' if len(extents) == 1 else ''})." if extents else doc


_TABLE = _core.field_table()
_SCALARS = [name for name, _ in _TABLE["scalars"]]
# arrays that lie in the data itself
_STATISTICS = {
    "energy": "Potential and kinetic energy.",
    "solver_niter": "Number of solver iterations, by island.",
    "solver_nnz": "Number of entries of the factored Hessian, by island.",
    "solver_fwdinv": "Differences of forward and inverse dynamics: constraint forces, applied forces.",
}
_COUNTERS = {
    "warning": "How often each warning was raised, a list of `MjWarningStat` by `mjtWarning`.",
    "timer": "Time spent in the stages of the pipeline, a list of `MjTimerStat` by `mjtTimer`.",
    "solver_unconverged": "How often the solver ran out of iterations before it converged, and the last island in which it did.",
    "derivative_kinks": "How often a derivative was that of one side of a kink of the narrow phase, and how many contacts of the last one "
                        "were there.",
}
# sizes of a model that its values decide about
_CHANGING = ("ngravcomp", "nJmom")
# the reference's bookkeeping of its arena; this engine has none
_ARENA = {"pstack": "Stack", "pbase": "Stack frame", "parena": "Arena", "maxuse_stack": "Most stack", "maxuse_arena": "Most arena"}
for _name, _, _extents, _doc in _TABLE["MjData"]:
    if _name in _DYNAMIC:
        setattr(MjData, _name, _dynamic_property(_name, _with_shape(_doc, _extents)))
for _index, (_name, _doc) in enumerate(_TABLE["scalars"]):
    setattr(MjData, _name, _scalar_property(_index, _doc))
for _name, _doc in (_STATISTICS | _COUNTERS).items():
    setattr(MjData, _name, _Attribute(_name, _doc))
for _name, _doc in _ARENA.items():
    setattr(MjData, _name, property(lambda self: 0, doc=f"{_doc} use in bytes: always 0."))
MjData.maxuse_threadstack = property(lambda self: np.zeros(128, np.int64), doc="Most stack that each thread used in bytes: always 0.")
_document(MjData, [(name, _with_shape(doc, extents)) for name, _, extents, doc in _TABLE["MjData"]])
_document(MjData, [("model", "The model this data was made for.")])
for _name, _, _extents, _doc in _TABLE["MjModel"]:
    setattr(MjModel, _name, _Bytes(_name, _doc) if _name in ("names", "paths") else _Array(_name, _with_shape(_doc, _extents)))
for _name in _CHANGING:
    setattr(MjModel, _name, _size_property(_name, dict(_TABLE["sizes"])[_name]))
_document(MjModel, _TABLE["sizes"])
for _name, _doc in (("opt", "Physics options, an `MjOption`."), ("stat", "Model statistics, an `MjStatistic`."),
                    ("vis", "Visualization settings, an `MjVisual`.")):
    setattr(MjModel, _name, _Options(_name, _doc))


def _model_accessor(kind):
    def access(self, name=""):
        index = named.resolve(self, kind, name)
        key = (kind, index)
        if key not in self._views:
            self._views[key] = named.model_view(self, kind, index)
        return self._views[key]

    access.__doc__ = named.accessor_text("Fields", kind, named.MODEL_EXAMPLES[kind])
    return access


def _data_accessor(kind):
    def access(self, name=""):
        index = named.resolve(self.model, kind, name)
        key = (kind, index)
        if key not in self._views:
            self._views[key] = named.data_view(self, kind, index)
        return self._views[key]

    access.__doc__ = named.accessor_text("State and results", kind, named.DATA_EXAMPLES[kind])
    return access


for _kind in named.KINDS:
    setattr(MjModel, _kind, _model_accessor(_kind))
for _kind in named.DATA:
    setattr(MjData, _kind, _data_accessor(_kind))
for _alias, _kind in named.ALIASES.items():
    setattr(MjModel, _alias, getattr(MjModel, _kind))
    if _kind in named.DATA:
        setattr(MjData, _alias, getattr(MjData, _kind))
