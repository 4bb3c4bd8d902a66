"""Shortcuts: actuators by kind, generated meshes."""

from kinetree.spec.elements import CLASSES


def _actuator(method):
    def call(self, *args, **kwargs):
        method(self, *args, **kwargs)
        self._refresh()

    call.__name__, call.__doc__ = method.__name__, method.__doc__
    setattr(CLASSES["actuator"], method.__name__, call)
    return call


def _pair(value):
    values = list(value) if hasattr(value, "__len__") else [value, -1.0]
    return [float(x) for x in (values + [-1.0])[:2]]


@_actuator
def set_to_motor(self):
    """Direct drive: force = control."""
    self._spec._preset_simple(self._index, "motor", 0.0)


@_actuator
def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=0):
    """Position servo: force = kp (u - l) - kv v."""
    self._spec._preset_servo(self._index, False, kp, kv, dampratio, timeconst, float(inheritrange))


@_actuator
def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=0):
    """Position servo on the integral of the control."""
    self._spec._preset_servo(self._index, True, kp, kv, dampratio, timeconst, float(inheritrange))


@_actuator
def set_to_velocity(self, kv):
    """Velocity servo: force = kv (u - v)."""
    self._spec._preset_simple(self._index, "velocity", kv)


@_actuator
def set_to_damper(self, kv):
    """Controlled damping: force = -kv v u."""
    self._spec._preset_simple(self._index, "damper", kv)


@_actuator
def set_to_adhesion(self, gain):
    """Adhesion: force on the contacts of a body = gain · control."""
    self._spec._preset_simple(self._index, "adhesion", gain)


@_actuator
def set_to_cylinder(self, timeconst, bias, area, diameter=-1):
    """Cylinder: force = area · pressure + bias, the pressure being a filtered control."""
    self._spec._preset_cylinder(self._index, timeconst, bias, area, diameter)


@_actuator
def set_to_muscle(self, timeconst=-1, tausmooth=0.0, range=(-1, -1), force=-1, scale=-1, lmin=-1, lmax=-1, vmax=-1, fpmax=-1,  # noqa: A002
                  fvmax=-1):
    """Muscle with activation dynamics and force-length-velocity curves; negative numbers keep their values."""
    curve = [float(x) for x in (lmin, lmax, vmax, fpmax, fvmax)]
    self._spec._preset_muscle(self._index, _pair(timeconst), tausmooth, _pair(range), force, scale, curve)


@_actuator
def set_to_dcmotor(self, motorconst=(0, 0), resistance=0.0, nominal=(0,) * 3, saturation=(0,) * 3, inductance=(0,) * 2,
                   cogging=(0,) * 3, controller=(0,) * 6, thermal=(0,) * 6, lugre=(0,) * 5, input=0):  # noqa: A002
    """DC motor with optional electrical, thermal, friction and controller states."""
    lists = (motorconst, nominal, saturation, inductance, cogging, controller, thermal, lugre)
    self._spec._preset_dcmotor(self._index, resistance, [[float(x) for x in values] for values in lists], int(input))


def _mesh(name, *parameters, **defaults):
    def make(self, *args, **kwargs):
        given = {**defaults, **dict(zip(parameters, args)), **kwargs}
        unknown, missing = set(given) - set(parameters), set(parameters) - set(given)
        if unknown or missing:
            raise TypeError(f"make_{name} takes {', '.join(parameters)}")
        values = []
        for parameter in parameters:
            value = given[parameter]
            values += [float(x) for x in value] if hasattr(value, "__len__") else [float(value)]
        self._spec._make_mesh(self._index, name, values)

    make.__name__ = f"make_{name}"
    make.__doc__ = f"Makes the mesh a {name}: {', '.join(parameters)}."
    setattr(CLASSES["mesh"], make.__name__, make)


_mesh("sphere", "subdivision")
_mesh("hemisphere", "resolution")
_mesh("cone", "nedge", "radius")
_mesh("supersphere", "resolution", "e", "n")
_mesh("supertorus", "resolution", "radius", "s", "t")
_mesh("wedge", "resolution", "fov", "gamma", resolution=(0, 0), fov=(0, 0), gamma=0.0)
_mesh("plate", "resolution", resolution=(0, 0))
