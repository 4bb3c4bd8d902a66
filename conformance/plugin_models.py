"""`python -m conformance.plugin_models FOLDER --count 120`: writes random models with plugins, to be compared by `python -m conformance FOLDER`.

By turns: a signed distance field against every kind of geom and every other field, fields of meshes among them; chains of joints with PID
actuators; cables with elasticity; touch grids. Sizes, poses, gains, solvers, cones and integrators are random. Models that the reference
refuses or that diverge at once are not written.
"""

import math
import random

import numpy as np

from conformance.flex_models import write_models

FIELDS = ("torus", "bowl", "gear", "bolt", "nut", "mesh")
GEOMS = ("plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
# every field with every geom and every field once
PAIRS = [(field, other) for field in FIELDS for other in GEOMS] + [(a, f"field {b}") for i, a in enumerate(FIELDS) for b in FIELDS[i:]]
# of every seven models: four with a pair of fields, then one of each other kind
ROUND = 7


class Draw:
    """Random choices of one seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pick = self.random.choice

    def between(self, low, high):
        """A number as text."""
        return f"{self.random.uniform(low, high):.5g}"

    def vector(self, low, high):
        """Three numbers as text."""
        return " ".join(self.between(low, high) for _ in range(3))

    def option(self, extra=""):
        """The options of a model."""
        pick = self.pick
        return (f'<option integrator="{pick(["Euler", "implicitfast", "implicit", "RK4"])}" cone="{pick(["pyramidal", "elliptic"])}" '
                f'solver="{pick(["Newton", "Newton", "CG", "PGS"])}" timestep="{pick(["0.001", "0.002"])}" '
                f'tolerance="1e-12" iterations="200" {extra}/>')


def config(**values):
    """Configuration elements."""
    text = {key: f"{value:.5g}" if isinstance(value, float) else value for key, value in values.items()}
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in text.items())


def settings(draw, field):
    """The configuration of a field of a plugin, and a point near its surface."""
    uniform = draw.random.uniform
    turn = uniform(0, 2 * math.pi)
    around = np.array([math.cos(turn), math.sin(turn), 0])
    if field == "torus":
        ring, tube = uniform(0.2, 0.4), uniform(0.05, 0.15)
        return config(radius1=ring, radius2=tube), ring * around + [0, 0, tube]
    if field == "bowl":
        height, radius, thickness = uniform(0.1, 0.4), uniform(0.5, 1), uniform(0.02, 0.06)
        return config(height=height, radius=radius, thickness=thickness), 0.3 * radius * around - [0, 0, 0.95 * radius - thickness]
    if field == "gear":
        diameter, thickness = uniform(0.6, 1.4), uniform(0.08, 0.3)
        values = config(alpha=uniform(0, 0.3), teeth=draw.pick([8, 12, 20, 25]), diameter=diameter, thickness=thickness,
                        innerdiameter=draw.pick([0.2, 0.1, -1]))
        return values, draw.pick([0.35, 0.5]) * diameter * around + [0, 0, thickness / 2]
    # the head, whose top is at zero
    return config(radius=uniform(0.2, 0.3)), draw.pick([0.35, 0.45]) * around


def field_geom(draw, name, field):
    """Extension, assets and a geom for one field, and a point near its surface."""
    if field == "mesh":
        scale = draw.random.uniform(0.2, 0.35)
        shape, reach = draw.pick([(f'builtin="supertorus" params="12 {draw.between(0.3, 0.5)} 1 1"', [0.7, 0, 0.4]),
                                  ('builtin="sphere" params="2"', [0, 0, 1]),
                                  ('vertex="-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1"', [0, 0, 1])])
        mesh = f'<mesh name="{name}" {shape} scale="{scale} {scale} {scale}"/>'
        return "", mesh, f'<geom type="sdf" mesh="{name}"/>', scale * np.array(reach)
    values, point = settings(draw, field)
    extension = f'<plugin plugin="mujoco.sdf.{field}"><instance name="{name}">{values}</instance></plugin>'
    plugin = f'<plugin instance="{name}"/>'
    return extension, f'<mesh name="{name}">{plugin}</mesh>', f'<geom type="sdf" mesh="{name}">{plugin}</geom>', point


def plain_geom(draw, kind):
    """Assets, a geom, and a point near its surface."""
    a, b, c = (draw.random.uniform(0.06, 0.2) for _ in range(3))
    point = np.array([0, 0, 0.7 * min(a, b, c)])
    if kind == "mesh":
        return f'<mesh name="gem" vertex="-{a} -{a} -{a} {b} -{a} -{a} 0 {b} -{a} 0 0 {c} {b} {c} 0"/>', '<geom type="mesh" mesh="gem"/>', point
    sizes = {"sphere": f"{a}", "capsule": f"{a} {b}", "cylinder": f"{a} {b}", "plane": "3 3 .1"}
    return "", f'<geom type="{kind}" size="{sizes.get(kind, f"{a} {b} {c}")}"/>', point


def fields(draw, field, other):
    """A field that stays where it is, or lies on a floor, and what falls onto it."""
    extension, assets, geom, point = field_geom(draw, "a", field)
    if other.startswith("field "):
        more, mesh, falling, own = field_geom(draw, "b", other.removeprefix("field "))
        extension, assets = extension + more, assets + mesh
    else:
        mesh, falling, own = plain_geom(draw, other)
        assets += mesh
    jitter = np.array([draw.random.uniform(-0.02, 0.02) for _ in range(3)])
    if other == "plane":
        # on its edge, or flat
        world = (f'{falling}<body pos="0 0 {abs(point[2]) + 0.7 * np.hypot(*point[:2])}" euler="90 {draw.between(0, 90)} {draw.between(-10, 10)}">'
                 f'<freejoint/>{geom}</body>')
    else:
        # upside down, so that the two points meet
        place = point + own * [-1, 1, 1] + jitter
        world = (f'<body pos="{place[0]:.5g} {place[1]:.5g} {place[2]:.5g}" euler="{180 + draw.random.uniform(-10, 10):.5g} '
                 f'{draw.between(-10, 10)} {draw.between(-10, 10)}"><freejoint/>{falling}</body>{geom}')
    searches = f'sdf_iterations="{draw.pick([5, 10, 20])}" sdf_initpoints="{draw.pick([10, 20, 40])}"'
    return f'''<mujoco>{f"<extension>{extension}</extension>" if extension else ""}{draw.option(searches)}
<default><geom condim="{draw.pick([1, 3, 3, 4, 6])}" friction="{draw.between(0.1, 1)}" solref="{draw.pick(["0.02 1", "0.01 1"])}"/></default>
<asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>
'''


def controllers(draw):
    """A chain of joints with a PID actuator each."""
    count = draw.pick([1, 2, 3, 4])
    bodies, actuators = "", ""
    for i in range(count):
        kind = draw.pick(["hinge", "hinge", "slide"])
        bodies += (f'<body pos="{draw.vector(-0.2, 0.2)}"><joint name="j{i}" type="{kind}" axis="{draw.vector(-1, 1)}" '
                   f'damping="{draw.between(0, 0.5)}"/><geom type="capsule" size="0.03 0.1" pos="{draw.vector(-0.1, 0.1)}"/>')
        gains = {"kp": draw.between(1, 60), "kd": draw.between(0, 4)}
        dimension = draw.pick(["", "i", "s", "is"])
        if "i" in dimension:
            gains |= {"ki": draw.between(0.5, 20)} | draw.pick([{}, {"imax": draw.between(0.5, 5)}])
        if "s" in dimension:
            gains["slewmax"] = draw.between(0.5, 5)
        filtered = draw.pick([False, False, True])
        dynamics = f'dyntype="{draw.pick(["filter", "filterexact", "integrator"])}" dynprm="{draw.between(0.02, 0.2)}"' if filtered else ""
        states = len(dimension) + filtered
        size = f'actdim="{states}"' if states else ""
        limits = draw.pick(["", 'ctrlrange="-1 1"', f'forcerange="-{gains["kp"]} {gains["kp"]}"'])
        actuators += (f'<plugin joint="j{i}" plugin="mujoco.pid" {size} {dynamics} {limits} '
                      f'gear="{draw.between(0.5, 2)}">{config(**gains)}</plugin>')
    return f'''<mujoco><extension><plugin plugin="mujoco.pid"/></extension>{draw.option()}
<worldbody>{bodies}{"</body>" * count}</worldbody><actuator>{actuators}</actuator></mujoco>
'''


def cable(draw):
    """A cable with elasticity over a floor."""
    count = draw.pick([5, 9, 15, 24])
    curve = draw.pick(['curve="s" size="0.6"', 'curve="cos(s) sin(s) s" size="0.3 0.15 2"', 'curve="0 s cos(s)" size="0.4 0.1 3"'])
    values = config(twist=draw.between(1e5, 8e6), bend=draw.between(1e5, 8e6), flat=draw.pick(["true", "false"]))
    geom = draw.pick(['type="capsule" size="0.008"', 'type="cylinder" size="0.006"', 'type="box" size="0.01 0.02 0.004"'])
    return f'''<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension>{draw.option()}<worldbody>
<geom type="plane" size="2 2 .1"/><composite type="cable" prefix="c" {curve} count="{count} 1 1" offset="0 0 {draw.between(0.2, 0.5)}"
 initial="{draw.pick(["none", "ball", "free"])}"><plugin plugin="mujoco.elasticity.cable">{values}</plugin>
<joint kind="main" damping="{draw.between(0.001, 0.02)}"/><geom {geom} density="{draw.between(300, 1500)}"/></composite></worldbody></mujoco>
'''


def touch_grid(draw):
    """A pad with a grid, and geoms that fall onto it."""
    values = config(size=f"{draw.pick([1, 3, 7])} {draw.pick([2, 5, 6])}", fov=f"{draw.between(20, 170)} {draw.between(20, 80)}",
                    gamma=draw.pick([0, 0.3, 1]), nchannel=draw.pick([1, 3, 6]))
    falling = ""
    for _ in range(draw.pick([1, 2, 3])):
        _, geom, _ = plain_geom(draw, draw.pick([kind for kind in GEOMS if kind not in ("plane", "mesh")]))
        falling += f'<body pos="{draw.vector(-0.1, 0.1)}" euler="{draw.vector(-40, 40)}"><freejoint/>{geom}</body>'
    return f'''<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>{draw.option()}
<default><geom condim="{draw.pick([1, 3, 4, 6])}"/></default><worldbody><geom type="plane" size="1 1 .1" pos="0 0 -.3"/>
<body name="pad" pos="0 0 -0.2"><freejoint/><geom type="box" size="0.2 0.18 0.05"/><site name="eye" pos="{draw.vector(-0.02, 0.02)}"
 euler="{draw.vector(-20, 20)}"/></body>{falling}</worldbody><sensor><plugin name="grid" plugin="mujoco.sensor.touch_grid" objtype="site"
 objname="eye" cutoff="{draw.pick([0, 20])}">{values}</plugin></sensor></mujoco>
'''


def make(seed):
    """A model as text."""
    draw, turn = Draw(seed), seed % ROUND
    if turn < ROUND - 3:
        return fields(draw, *PAIRS[(seed // ROUND * (ROUND - 3) + turn) % len(PAIRS)])
    return (controllers, cable, touch_grid)[turn - (ROUND - 3)](draw)


if __name__ == "__main__":
    write_models("plugin", make, __doc__)
