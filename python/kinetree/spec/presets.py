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
    """Makes the actuator a motor: force = control."""
    self._spec._preset_simple(self._index, "motor", 0.0)


@_actuator
def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=0):
    """Makes the actuator a position servo: force = kp (control - position) - kv velocity.

    Args:
        kp: position gain.
        kv: velocity gain; negative to keep it.
        dampratio: damping ratio from which the velocity gain follows; negative to keep it.
        timeconst: time constant of a filter of the control (s); negative to keep it.
        inheritrange: scale of the control range that is taken from the joint; 0 for none.
    """
    self._spec._preset_servo(self._index, False, kp, kv, dampratio, timeconst, float(inheritrange))


@_actuator
def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=0):
    """Makes the actuator an integrated-velocity servo: a position servo on the integral of the control.

    Args:
        kp: position gain.
        kv: velocity gain; negative to keep it.
        dampratio: damping ratio from which the velocity gain follows; negative to keep it.
        timeconst: time constant of a filter of the control (s); negative to keep it.
        inheritrange: scale of the control range that is taken from the joint; 0 for none.
    """
    self._spec._preset_servo(self._index, True, kp, kv, dampratio, timeconst, float(inheritrange))


@_actuator
def set_to_velocity(self, kv):
    """Makes the actuator a velocity servo: force = kv (control - velocity).

    Args:
        kv: velocity gain.
    """
    self._spec._preset_simple(self._index, "velocity", kv)


@_actuator
def set_to_damper(self, kv):
    """Makes the actuator a damper: force = -kv velocity control.

    Args:
        kv: damping at full control.
    """
    self._spec._preset_simple(self._index, "damper", kv)


@_actuator
def set_to_adhesion(self, gain):
    """Makes the actuator an adhesive: it presses the contacts of a body together with gain times control.

    Args:
        gain: force at full control (N).
    """
    self._spec._preset_simple(self._index, "adhesion", gain)


@_actuator
def set_to_cylinder(self, timeconst, bias, area, diameter=-1):
    """Makes the actuator a pneumatic or hydraulic cylinder: force = area times pressure + bias; the pressure is a filtered control.

    Args:
        timeconst: time constant of the pressure (s).
        bias: constant force (N).
        area: area of the piston (m²).
        diameter: diameter of the piston (m) instead of the area; negative for none.
    """
    self._spec._preset_cylinder(self._index, timeconst, bias, area, diameter)


@_actuator
def set_to_muscle(self, timeconst=-1, tausmooth=0.0, range=(-1, -1), force=-1, scale=-1, lmin=-1, lmax=-1, vmax=-1, fpmax=-1,  # noqa: A002
                  fvmax=-1):
    """Makes the actuator a muscle; negative parameters keep the values that are there.

    Args:
        timeconst: time constants of activation and deactivation (s), or one for both.
        tausmooth: width of the smooth switch between them.
        range: operating range of lengths, relative to the optimal length.
        force: peak force (N); negative for automatic.
        scale: scale of the automatic peak force.
        lmin: shortest length with force, relative.
        lmax: longest length with force, relative.
        vmax: largest velocity of shortening, in lengths per second.
        fpmax: passive force at `lmax`, relative to the peak force.
        fvmax: active force at the largest velocity of lengthening, relative.
    """
    curve = [float(x) for x in (lmin, lmax, vmax, fpmax, fvmax)]
    self._spec._preset_muscle(self._index, _pair(timeconst), tausmooth, _pair(range), force, scale, curve)


@_actuator
def set_to_dcmotor(self, motorconst=(0, 0), resistance=0.0, nominal=(0,) * 3, saturation=(0,) * 3, inductance=(0,) * 2,
                   cogging=(0,) * 3, controller=(0,) * 6, thermal=(0,) * 6, lugre=(0,) * 5, input=0):  # noqa: A002
    """Makes the actuator a DC motor, with optional electrical, thermal, friction and controller states.

    Args:
        motorconst: torque and back-EMF constants.
        resistance: resistance of the winding (ohm).
        nominal: nominal voltage, stall torque and speed, from which constants follow.
        saturation: limits of torque, current and voltage.
        inductance: inductance (H) and time constant (s).
        cogging: amplitude, periods and phase of the cogging torque.
        controller: gains and limits of a PID controller.
        thermal: parameters of the winding's temperature.
        lugre: parameters of LuGre friction.
        input: what the control is: voltage, position or velocity.
    """
    lists = (motorconst, nominal, saturation, inductance, cogging, controller, thermal, lugre)
    self._spec._preset_dcmotor(self._index, resistance, [[float(x) for x in values] for values in lists], int(input))


# parameters of generated meshes
_PARAMETERS = {
    "subdivision": "number of times the faces of an icosahedron are divided.",
    "resolution": "number of divisions, one or two numbers.",
    "nedge": "number of edges of the base.",
    "radius": "radius relative to the size of the mesh.",
    "e": "exponent in the vertical section.",
    "n": "exponent in the horizontal section.",
    "s": "exponent of the tube's section.",
    "t": "exponent of the ring.",
    "fov": "opening angles, two numbers in degrees.",
    "gamma": "how much the spacing of vertices grows towards the edge, 0 to 1.",
}


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
    lines = "".join(f"\n    {parameter}: {_PARAMETERS[parameter]}" for parameter in parameters)
    make.__doc__ = f"Makes the mesh a {name}.\n\nArgs:{lines}"
    setattr(CLASSES["mesh"], make.__name__, make)


_mesh("sphere", "subdivision")
_mesh("hemisphere", "resolution")
_mesh("cone", "nedge", "radius")
_mesh("supersphere", "resolution", "e", "n")
_mesh("supertorus", "resolution", "radius", "s", "t")
_mesh("wedge", "resolution", "fov", "gamma", resolution=(0, 0), fov=(0, 0), gamma=0.0)
_mesh("plate", "resolution", resolution=(0, 0))
