"""Option structs: small objects whose fields are views of the model's memory."""

import copy

import numpy as np

from kinetree import _core


class Struct:
    """A struct of scalars and short vectors, kept in arrays."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, fields=None):
        if fields is None:
            fields = {name: np.array(array) for name, array in _defaults(type(self)).items()}
        object.__setattr__(self, "_fields", fields)

    def __getattr__(self, name):
        try:
            array = self.__dict__["_fields"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}") from None
        return array if array.size > 1 else array.ravel()[0].item()

    def __setattr__(self, name, value):
        fields = self._fields
        if name not in fields:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        if fields[name].dtype.kind == "i" and isinstance(value, (float, np.floating)):
            raise TypeError(f"{name} is an integer, got {value!r}")
        fields[name][...] = value

    def __dir__(self):
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other):
        if not isinstance(other, Struct) or self._fields.keys() != other._fields.keys():
            return NotImplemented
        return all(np.array_equal(v, other._fields[k]) for k, v in self._fields.items())

    def __copy__(self):
        new = type(self).__new__(type(self))
        object.__setattr__(new, "_fields", {k: np.array(v) for k, v in self._fields.items()})
        return new

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return (_restore, (type(self), {k: np.array(v) for k, v in self._fields.items()}))

    def __repr__(self):
        lines = [f"  {name}: {getattr(self, name)!r}" for name in sorted(self._fields)]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])

    __str__ = __repr__


def _restore(cls, fields):
    new = cls.__new__(cls)
    object.__setattr__(new, "_fields", fields)
    return new


class MjOption(Struct):
    """Physics options; `model.opt` is the group of a model.

    The most used are `timestep` (s), `gravity` (3,) in m/s², `integrator` (`mjtIntegrator`), `solver` (`mjtSolver`), `iterations`,
    `tolerance`, `cone` (`mjtCone`), `impratio`, and the bits `disableflags` and `enableflags` (`mjtDisableBit`, `mjtEnableBit`).

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjStatistic(Struct):
    """Statistics of a model, `model.stat`: `meaninertia`, `meanmass`, `meansize`, `extent` (m) and `center` (3,).

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjVisualGlobal(Struct):
    """Global settings, `model.vis.global_`: field of view, stereo, and the size of the offscreen buffer, `offwidth` x `offheight`.

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjVisualQuality(Struct):
    """Rendering quality, `model.vis.quality`: size of shadow maps, samples per pixel, subdivisions of round shapes.

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjVisualHeadlight(Struct):
    """The light at the camera, `model.vis.headlight`: `ambient`, `diffuse` and `specular` colours (3,), and `active`.

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjVisualMap(Struct):
    """Scales between physical and visual quantities, `model.vis.map`: forces, clipping planes, fog, shadows.

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjVisualScale(Struct):
    """Sizes of decorative elements relative to the mean body size, `model.vis.scale`.

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


class MjVisualRgba(Struct):
    """Colours of decorative elements, `model.vis.rgba`: four values from 0 to 1 each.

    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """


_GROUPS = {
    "opt": MjOption,
    "stat": MjStatistic,
    "global": MjVisualGlobal,
    "quality": MjVisualQuality,
    "headlight": MjVisualHeadlight,
    "map": MjVisualMap,
    "scale": MjVisualScale,
    "rgba": MjVisualRgba,
}


def _defaults(cls):
    empty = _core.CoreModel(_core.load_sizes({}))._options()
    return next(empty[group] for group, c in _GROUPS.items() if issubclass(cls, c))


class MjVisual:
    """Visualization settings; `model.vis` is that of a model.

    The groups are `global_`, `quality`, `headlight`, `map`, `scale` and `rgba`. The largest picture of a `Renderer` is
    `model.vis.global_.offwidth` x `offheight`.

    Args:
        options: groups by name; for use by the package. None for the defaults.
    """

    Global, Quality, Headlight = MjVisualGlobal, MjVisualQuality, MjVisualHeadlight
    Map, Scale, Rgba = MjVisualMap, MjVisualScale, MjVisualRgba

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, options=None):
        options = options or _core.CoreModel(_core.load_sizes({}))._options()
        self.global_ = MjVisualGlobal(options["global"])
        self.quality = MjVisualQuality(options["quality"])
        self.headlight = MjVisualHeadlight(options["headlight"])
        self.map = MjVisualMap(options["map"])
        self.scale = MjVisualScale(options["scale"])
        self.rgba = MjVisualRgba(options["rgba"])

    def __copy__(self):
        new = MjVisual()
        for group in self.__dict__:
            setattr(new, group, copy.copy(getattr(self, group)))
        return new

    def __repr__(self):
        groups = "\n".join(f"  {name}: {group!r}" for name, group in self.__dict__.items())
        return f"<MjVisual\n{groups}\n>"
