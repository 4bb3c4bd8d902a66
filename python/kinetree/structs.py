"""`MjModel` and `MjData`: fields by their reference names."""

import numpy as np

from kinetree import _core


class MjModel:
    """A compiled model."""

    def __init__(self, core):
        self._core = core
        self._arrays = core.arrays()
        self._sizes = core.sizes()
        self._options = core.options()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._arrays:
            return self._arrays[name]
        if name in self._sizes:
            return self._sizes[name]
        raise AttributeError(f"MjModel has no field {name!r}")

    @classmethod
    def _from_mujoco(cls, m):
        """Copies a model compiled by the reference."""
        import mujoco

        def flat(value):
            return np.ascontiguousarray(np.asarray(value)).ravel()

        sizes = {n: int(getattr(m, n)) for n in _core_size_names() if n != "nbuffer" and n != "narena"}
        sizes["nbuffer"] = 0
        sizes["narena"] = 0
        arrays = {}
        for name, dtype, count in _core_array_specs(sizes):
            if name in ("names", "paths", "text_data", "plugin_attr"):
                value = np.frombuffer(bytes(getattr(m, name)), dtype=np.uint8)
                value = value[:count] if value.size >= count else np.concatenate([value, np.zeros(count - value.size, np.uint8)])
            else:
                value = flat(getattr(m, name)).astype(dtype)
            arrays[name] = value
        template = MjModel._empty()._options
        opt = {n: flat(getattr(m.opt, n)).astype(v.dtype) for n, v in template["opt"].items()}
        stat = {n: flat(getattr(m.stat, n)).astype(v.dtype) for n, v in template["stat"].items()}
        vis = {}
        for group in ("global", "quality", "headlight", "map", "scale", "rgba"):
            source = getattr(m.vis, "global_" if group == "global" else group)
            vis[group] = {}
            for n, v in template[group].items():
                value = flat(getattr(source, n)).astype(v.dtype)
                vis[group][n] = value if value.size == v.size else np.array(v).ravel()
        return cls(_core.CoreModel.from_parts("", sizes, opt, stat, vis, arrays))

    @classmethod
    def _empty(cls):
        return cls(_core.CoreModel.with_sizes({}))


def _core_size_names():
    return list(_core.CoreModel.with_sizes({}).sizes())


def _core_array_specs(sizes):
    core = _core.CoreModel.with_sizes(sizes)
    return [(n, a.dtype, a.size) for n, a in core.arrays().items()]


class MjData:
    """One world."""

    _DYNAMIC_PREFIXES = ()

    def __init__(self, model, core=None):
        self.__dict__["_core"] = core or _core.CoreData(model._core)
        self.__dict__["model"] = model

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        arrays = self._core.arrays()
        if name in arrays:
            return arrays[name]
        scalars = self._core.scalars()
        if name in scalars:
            return scalars[name]
        if name == "contact":
            return self._core.contacts()
        raise AttributeError(f"MjData has no field {name!r}")

    def __setattr__(self, name, value):
        arrays = self._core.arrays()
        if name in arrays:
            arrays[name][...] = value
        else:
            self._core.set_scalar(name, float(value))

    def _copy_from_mujoco(self, d, contacts=True):
        """Copies every array, count and contact of the reference's data."""
        mine = self._core.arrays()
        for name, array in mine.items():
            if not hasattr(d, name) or name in ("plugin_data",):
                continue
            value = np.ascontiguousarray(getattr(d, name)).astype(array.dtype)
            if value.size == array.size and array.size and name not in _dynamic():
                array[...] = value.reshape(array.shape)
            elif name in _dynamic():
                width = array.shape[1] if array.ndim > 1 else 1
                self._core.set_dynamic(name, value.ravel(), value.size // width)
        for name in ("time", "ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof"):
            self._core.set_scalar(name, float(getattr(d, name)))
        if contacts:
            keys = ("dist pos frame includemargin friction solref solreffriction solimp mu dim geom1 geom2 exclude "
                    "efc_address").split()
            self._core.set_contacts([{k: _plain(getattr(c, k)) for k in keys} for c in list(d.contact)[: d.ncon]])


def _plain(value):
    return value.ravel().tolist() if isinstance(value, np.ndarray) else value


def _dynamic():
    return _core.DYNAMIC_ARRAYS
