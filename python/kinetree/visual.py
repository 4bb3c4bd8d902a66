"""Small structs with their own default values."""

import numpy as np

from kinetree.options import Struct


def _scalar(value):
    """A scalar field: integers are 32-bit, other numbers are doubles."""
    return np.array([value], np.int32 if isinstance(value, int) else float)


class _Plain(Struct):
    """A struct with its own default values."""

    def __init__(self, fields=None):
        super().__init__(self._new() if fields is None else fields)


class MjLROpt(_Plain):
    """Settings of the search for actuator length ranges, `mj_setLengthRange`.

    `mode` chooses the actuators (`mjtLRMode`), `useexisting` and `uselimit` what is taken as it is, `accel` and `maxforce` the push,
    `timeconst`, `timestep`, `inttotal` and `interval` (s) the simulation, `tolrange` the convergence.

    Args:
        fields: arrays by name; for use by the package.
    """

    @staticmethod
    def _new():
        ints = {"mode": 1, "useexisting": 1, "uselimit": 0}
        floats = {"accel": 20.0, "maxforce": 0.0, "timeconst": 1.0, "timestep": 0.01, "inttotal": 10.0, "interval": 2.0,
                  "tolrange": 0.05}
        return {name: _scalar(value) for name, value in {**ints, **floats}.items()}


class MjrRect(_Plain):
    """A rectangle of pixels, counted from the lower left corner of a buffer.

    Args:
        left: first column.
        bottom: first row.
        width: number of columns.
        height: number of rows.
    """

    def __init__(self, left=0, bottom=0, width=0, height=0):
        values = {"left": left, "bottom": bottom, "width": width, "height": height}
        super().__init__({name: _scalar(int(value)) for name, value in values.items()})


__all__ = ["MjLROpt", "MjrRect"]
