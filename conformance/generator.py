"""Random models: trees of bodies with everything that a rigid model can have, as MJCF text that depends on the seed only."""

import math
import random
from typing import Any

SHAPES = ("sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh")
MESHES = ("wedge", "gem")
FLAGS_DISABLED = ("constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent "
                  "actuation refsafe sensor midphase eulerdamp island multiccd").split()
FLAGS_ENABLED = ("override", "energy", "fwdinv", "invdiscrete")


def numbers(values):
    """Numbers as an attribute."""
    return " ".join(f"{v:.6g}" for v in values)


class Writer:
    """Collects elements, and what later elements refer to."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.depth = [], 0
        self.bodies, self.joints, self.geoms, self.sites, self.wraps = [], [], [], [], []
        self.scalar_joints, self.ball_joints, self.limited_joints = [], [], []
        self.tendons, self.limited_tendons, self.actuators, self.mocaps = [], [], [], []
        self.free = set()

    # ---- chance

    def chance(self, probability):
        """True with this probability."""
        return self.rng.random() < probability

    def uniform(self, low, high):
        """A number between two bounds."""
        return self.rng.uniform(low, high)

    def log(self, low, high):
        """A number whose logarithm is spread evenly."""
        return math.exp(self.rng.uniform(math.log(low), math.log(high)))

    def vector(self, scale, size=3):
        """Numbers of either sign."""
        return [self.rng.uniform(-scale, scale) for _ in range(size)]

    def pick(self, values):
        """One of the values."""
        return self.rng.choice(list(values))

    def polynomial(self, first):
        """A coefficient, sometimes followed by those of higher order."""
        return [first, self.log(0.01, 1) * first, self.log(0.01, 1) * first] if self.chance(0.2) else first

    # ---- text

    def put(self, tag, attributes=None, close=True):
        """One element."""
        text = "".join(
            f' {key}="{numbers(value) if isinstance(value, (list, tuple)) else value if isinstance(value, str) else f"{value:.6g}"}"'
            for key, value in (attributes or {}).items() if value is not None)
        self.lines.append(f"{'  ' * self.depth}<{tag}{text}{'/>' if close else '>'}")
        if not close:
            self.depth += 1

    def end(self, tag):
        """The end of an element."""
        self.depth -= 1
        self.lines.append(f"{'  ' * self.depth}</{tag}>")

    # ---- options and assets

    def options(self):
        """Solver, integrator, medium and flags."""
        option = {"timestep": self.pick((0.001, 0.002, 0.004)), "solver": self.pick(("Newton", "Newton", "CG", "PGS")),
                  "cone": self.pick(("pyramidal", "elliptic")), "jacobian": self.pick(("auto", "dense", "sparse")),
                  "integrator": self.pick(("Euler", "Euler", "RK4", "implicit", "implicitfast"))}
        if self.chance(0.2):
            option["impratio"] = self.uniform(1, 5)
        if self.chance(0.15):
            option["noslip_iterations"] = self.pick((1, 5))
        if self.chance(0.2):
            option.update(density=self.log(0.5, 500), viscosity=self.log(1e-5, 0.5), wind=self.vector(2))
        if self.chance(0.2):
            option["gravity"] = self.vector(8)
        flags = {flag: "disable" for flag in FLAGS_DISABLED if self.chance(0.02)}
        flags.update({flag: "enable" for flag in FLAGS_ENABLED if self.chance(0.1)})
        if option["integrator"] == "RK4":
            # it has no discrete-time inverse
            flags.pop("invdiscrete", None)
        self.put("option", option, close=not flags)
        if flags:
            self.put("flag", flags)
            self.end("option")

    def assets(self):
        """Two meshes and a height field."""
        self.put("asset", close=False)
        self.put("mesh", {"name": "wedge", "vertex": "0 0 0  0.2 0 0  0 0.15 0  0 0 0.12  0.2 0 0.12  0 0.15 0.12"})
        points = []
        for _ in range(14):
            direction = self.vector(1)
            length = math.sqrt(sum(x * x for x in direction)) or 1.0
            points += [0.12 * x / length for x in direction]
        self.put("mesh", {"name": "gem", "vertex": points})
        if self.chance(0.15):
            heights = [self.uniform(0, 1) for _ in range(36)]
            self.put("hfield", {"name": "ground", "nrow": 6, "ncol": 6, "size": "1.5 1.5 0.2 0.1",
                                "elevation": heights})
            self.has_hfield = True
        else:
            self.has_hfield = False
        self.end("asset")

    # ---- bodies

    def contact_parameters(self):
        """What decides how a geom touches."""
        out = {"condim": self.pick((1, 3, 3, 3, 4, 6))}
        if self.chance(0.5):
            out["friction"] = [self.uniform(0.1, 1.5), self.uniform(0.001, 0.05), self.uniform(1e-4, 0.02)]
        if self.chance(0.2):
            out["solref"] = [self.uniform(0.01, 0.05), self.uniform(0.5, 1.5)] if self.chance(0.7) else [-300, -20]
        if self.chance(0.2):
            out["solimp"] = [self.uniform(0.7, 0.9), self.uniform(0.9, 0.97), self.uniform(0.001, 0.02)]
        if self.chance(0.15):
            out["margin"] = self.uniform(0.001, 0.05)
            if self.chance(0.5):
                out["gap"] = out["margin"] * self.uniform(0.1, 0.9)
        if self.chance(0.15):
            out["priority"] = self.pick((1, 2))
        if self.chance(0.15):
            out["solmix"] = self.uniform(0.1, 2)
        return out

    def geom(self):
        """A geom of a moving body."""
        shape = self.pick(SHAPES)
        name = f"g{len(self.geoms)}"
        out = {"name": name, "type": shape, "pos": self.vector(0.05), "quat": [1, *self.vector(1)]}
        size = [self.uniform(0.03, 0.12) for _ in range(3)]
        if shape == "mesh":
            out["mesh"] = self.pick(MESHES)
        else:
            out["size"] = size[:{"sphere": 1, "capsule": 2, "cylinder": 2}.get(shape, 3)]
        if self.chance(0.3):
            out["mass"] = self.log(0.05, 3)
        if self.chance(0.1):
            out["fluidshape"] = "ellipsoid"
        if self.chance(0.06):
            out.update(contype=0, conaffinity=0)
        out.update(self.contact_parameters())
        self.put("geom", out)
        self.geoms.append(name)
        if shape in ("sphere", "cylinder"):
            self.wraps.append(name)

    def joint(self, kind):
        """A joint that is not free."""
        name = f"j{len(self.joints)}"
        out = {"name": name, "type": kind, "pos": self.vector(0.05)}
        if kind != "ball":
            out["axis"] = self.vector(1)
            self.scalar_joints.append(name)
        else:
            self.ball_joints.append(name)
        if self.chance(0.4):
            reach = 0.1 if kind == "slide" else 30
            out["range"] = [0, self.uniform(10, 60)] if kind == "ball" else [-self.uniform(0, reach), self.uniform(0, reach)]
            self.limited_joints.append(name)
        if self.chance(0.5):
            out["damping"] = self.polynomial(self.log(0.001, 1))
        if self.chance(0.3):
            out["stiffness"] = self.polynomial(self.log(0.1, 30))
        if self.chance(0.2):
            out["frictionloss"] = self.log(0.001, 0.5)
            if self.chance(0.3):
                out.update(solreffriction=[self.uniform(0.01, 0.05), 1], solimpfriction="0.8 0.9 0.01")
        if "range" in out and self.chance(0.3):
            out.update(solreflimit=[self.uniform(0.01, 0.05), 0.8], solimplimit="0.7 0.95 0.02")
        if self.chance(0.3):
            out["armature"] = self.log(1e-4, 0.1)
        if kind != "ball" and self.chance(0.1):
            out["ref"] = self.uniform(-0.2, 0.2) if kind == "slide" else self.uniform(-20, 20)
        if kind != "ball" and self.chance(0.1):
            out["springref"] = self.uniform(-0.1, 0.1) if kind == "slide" else self.uniform(-20, 20)
        if self.chance(0.1):
            out["margin"] = self.uniform(0, 0.05)
        if self.chance(0.1) and kind != "ball":
            out["actuatorfrcrange"] = [-self.uniform(0.1, 2), self.uniform(0.1, 2)]
        self.joints.append(name)
        self.put("joint", out)

    def body(self, parent, level):
        """A body with its joints, geoms, sites and children."""
        name = f"b{len(self.bodies)}"
        root = parent is None
        pos = [*self.vector(0.5, 2), self.uniform(0.2, 0.8)] if root else self.vector(0.2)
        out = {"name": name, "pos": pos, "quat": [1, *self.vector(0.7)]}
        if self.chance(0.1):
            out["gravcomp"] = self.uniform(0, 1)
        self.bodies.append(name)
        self.put("body", out, close=False)
        if root and self.chance(0.5):
            self.put("freejoint", {"name": f"free{name}"})
            self.free.add(name)
        elif root and self.chance(0.1):
            kinds = ()
        else:
            kinds = self.pick((("hinge",), ("hinge",), ("slide",), ("ball",), ("hinge", "hinge"), ("slide", "hinge"), ("slide", "ball")))
            if not root and self.chance(0.1):
                kinds = ()
            for kind in kinds:
                self.joint(kind)
        for _ in range(self.pick((1, 1, 1, 2))):
            self.geom()
        for _ in range(self.pick((0, 1, 2))):
            site = f"s{len(self.sites)}"
            self.put("site", {"name": site, "type": self.pick(("sphere", "box", "capsule", "ellipsoid")), "pos": self.vector(0.1),
                              "size": [self.uniform(0.02, 0.1)] * 3, "quat": [1, *self.vector(0.5)]})
            self.sites.append(site)
        if level < 3:
            for _ in range(self.pick((0, 1, 1, 2))):
                if len(self.bodies) < 12:
                    self.body(name, level + 1)
        self.end("body")

    def world(self):
        """Ground, trees and a mocap body."""
        self.put("worldbody", close=False)
        if self.has_hfield:
            self.put("geom", {"name": "floor", "type": "hfield", "hfield": "ground"})
        else:
            self.put("geom", {"name": "floor", "type": "plane", "size": "3 3 0.1", **self.contact_parameters()})
        self.put("site", {"name": "anchor", "pos": self.vector(0.5)})
        self.put("camera", {"name": "watch", "pos": "0 -2 1", "xyaxes": "1 0 0 0 0.5 1", "resolution": "64 48"})
        if self.chance(0.3):
            self.put("geom", {"name": "step", "type": "box", "pos": [*self.vector(0.5, 2), 0.02], "size": "0.2 0.2 0.05"})
        if self.chance(0.15):
            self.put("body", {"name": "hand", "mocap": "true", "pos": [*self.vector(0.5, 2), 0.5]}, close=False)
            self.put("geom", {"type": "box", "size": "0.05 0.05 0.05"})
            self.end("body")
            self.mocaps.append("hand")
        for _ in range(self.pick((1, 2, 2, 3, 4))):
            self.body(None, 0)
        self.end("worldbody")

    # ---- relations

    def contacts(self):
        """Pairs that are excluded or have parameters of their own."""
        if len(self.bodies) < 2 or not self.chance(0.4):
            return
        self.put("contact", close=False)
        first, second = self.rng.sample(self.bodies, 2)
        if self.chance(0.5):
            self.put("exclude", {"body1": first, "body2": second})
        if len(self.geoms) > 1 and self.chance(0.6):
            one, two = self.rng.sample([*self.geoms, "floor"], 2)
            self.put("pair", {"geom1": one, "geom2": two, "condim": self.pick((1, 3, 4, 6)), "friction": [0.8, 0.7, 0.01, 0.002, 0.001],
                              "margin": 0.01 if self.chance(0.3) else None, "solreffriction": "0.05 1" if self.chance(0.3) else None})
        self.end("contact")

    def tendon_list(self):
        """Fixed and spatial tendons."""
        if not self.chance(0.5):
            return
        self.put("tendon", close=False)
        for _ in range(self.pick((1, 2))):
            name = f"t{len(self.tendons)}"
            common: dict[str, Any] = {"name": name}
            fixed = self.chance(0.5) and self.scalar_joints
            if not fixed and len(self.sites) < 2:
                continue
            if self.chance(0.4):
                common["range"] = [-0.05, 0.1] if fixed else [0.1, self.uniform(0.2, 0.6)]
                common["limited"] = "true"
                self.limited_tendons.append(name)
            if self.chance(0.4):
                common["stiffness"] = self.polynomial(self.log(1, 50))
            if self.chance(0.4):
                common["damping"] = self.polynomial(self.log(0.01, 2))
            if self.chance(0.1):
                common["actuatorfrcrange"] = "-0.8 0.6"
            if self.chance(0.25):
                common["frictionloss"] = self.log(0.01, 1)
            if self.chance(0.15):
                common["springlength"] = [0.05, 0.2] if not fixed else 0.05
            if fixed:
                self.put("fixed", common, close=False)
                for joint in self.rng.sample(self.scalar_joints, min(len(self.scalar_joints), self.pick((1, 2, 3)))):
                    self.put("joint", {"joint": joint, "coef": self.uniform(-1, 1)})
                self.end("fixed")
            else:
                self.spatial(common)
            self.tendons.append(name)
        self.end("tendon")
        if not self.tendons:
            self.lines = self.lines[:-2]

    def spatial(self, common):
        """A tendon over sites, geoms and pulleys."""
        wraps = bool(self.wraps) and self.chance(0.6)
        if not wraps and self.chance(0.15):
            common["armature"] = self.log(0.001, 0.1)
        self.put("spatial", common, close=False)
        sites = self.rng.sample(self.sites, min(len(self.sites), self.pick((2, 3))))
        self.put("site", {"site": sites[0]})
        if wraps:
            side = self.pick(self.sites) if self.chance(0.4) else None
            self.put("geom", {"geom": self.pick(self.wraps), "sidesite": side})
        self.put("site", {"site": sites[1]})
        if len(sites) > 2:
            if self.chance(0.3):
                self.put("pulley", {"divisor": "2"})
                self.put("site", {"site": sites[1]})
            self.put("site", {"site": sites[2]})
        self.end("spatial")

    def equalities(self):
        """Loops, welds and gears."""
        if not self.chance(0.45):
            return
        kept = len(self.lines)
        self.put("equality", close=False)
        for _ in range(self.pick((1, 2))):
            common: dict[str, Any] = {"active": "false" if self.chance(0.1) else None}
            if self.chance(0.3):
                common["solref"] = [self.uniform(0.01, 0.05), 1]
            kind = self.pick(("connect", "weld", "joint", "tendon", "mocap", "sites"))
            if kind == "connect" and len(self.bodies) > 1:
                one, two = self.rng.sample(self.bodies, 2)
                self.put("connect", {"body1": one, "body2": two if self.chance(0.7) else None, "anchor": self.vector(0.1), **common})
            elif kind == "weld" and len(self.bodies) > 1:
                one, two = self.rng.sample(self.bodies, 2)
                self.put("weld", {"body1": one, "body2": two if self.chance(0.7) else None, "torquescale": self.uniform(0.2, 2), **common})
            elif kind == "joint" and len(self.scalar_joints) > 1:
                one, two = self.rng.sample(self.scalar_joints, 2)
                self.put("joint", {"joint1": one, "joint2": two if self.chance(0.8) else None, "polycoef": self.vector(0.5, 5), **common})
            elif kind == "tendon" and len(self.tendons) > 1:
                self.put("tendon", {"tendon1": self.tendons[0], "tendon2": self.tendons[1], "polycoef": self.vector(0.3, 5), **common})
            elif kind == "mocap" and self.mocaps and self.free:
                self.put("weld", {"body1": self.mocaps[0], "body2": sorted(self.free)[0], **common})
            elif kind == "sites" and len(self.sites) > 1:
                one, two = self.rng.sample(self.sites, 2)
                self.put(self.pick(("connect", "weld")), {"site1": one, "site2": two, **common})
        self.end("equality")
        if len(self.lines) == kept + 2:
            self.lines = self.lines[:kept]

    def actuator_list(self):
        """Actuators of all kinds on all transmissions."""
        if not self.chance(0.75):
            return
        kept = len(self.lines)
        self.put("actuator", close=False)
        for _ in range(self.pick((1, 2, 3, 4))):
            self.actuator()
        self.end("actuator")
        if len(self.lines) == kept + 2:
            self.lines = self.lines[:kept]

    def transmission(self):
        """Where an actuator acts; None when the model has no such thing."""
        kind = self.pick(("joint", "joint", "joint", "tendon", "site", "refsite", "ball", "free", "crank"))
        if kind == "joint" and self.scalar_joints:
            return {self.pick(("joint", "joint", "jointinparent")): self.pick(self.scalar_joints), "gear": self.uniform(0.2, 3)}
        if kind == "tendon" and self.tendons:
            return {"tendon": self.pick(self.tendons)}
        if kind == "site" and self.sites:
            return {"site": self.pick(self.sites), "gear": self.vector(1, 6)}
        if kind == "refsite" and self.sites:
            return {"site": self.pick(self.sites), "refsite": "anchor", "gear": self.vector(1, 6)}
        if kind == "ball" and self.ball_joints:
            return {self.pick(("joint", "jointinparent")): self.pick(self.ball_joints), "gear": self.vector(1, 3)}
        if kind == "free" and self.free:
            return {"joint": f"free{sorted(self.free)[0]}", "gear": self.vector(1, 6)}
        if kind == "crank" and self.sites:
            return {"cranksite": self.pick(self.sites), "slidersite": "anchor", "cranklength": self.uniform(0.3, 1.5)}
        return None

    def actuator(self):
        """One actuator."""
        name = f"a{len(self.actuators)}"
        if self.chance(0.06):
            self.put("adhesion", {"name": name, "body": self.pick(self.bodies), "gain": self.uniform(1, 10), "ctrlrange": "0 1"})
            self.actuators.append(name)
            return
        where = self.transmission()
        if where is None:
            return
        out = {"name": name, **where}
        kind = self.pick(("motor", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "general", "muscle", "dcmotor"))
        if kind == "muscle" and "site" in where:
            kind = "motor"
        if kind == "position":
            out.update(kp=self.log(0.5, 20), kv=self.log(0.01, 1) if self.chance(0.5) else None,
                       timeconst=self.uniform(0.01, 0.1) if self.chance(0.3) else None)
        elif kind == "velocity":
            out["kv"] = self.log(0.01, 1)
        elif kind == "intvelocity":
            out.update(kp=self.log(0.5, 10), actrange="-1 1")
        elif kind == "damper":
            out.update(kv=self.log(0.01, 1), ctrlrange="0 1")
        elif kind == "cylinder":
            out.update(timeconst=self.uniform(0.01, 0.2), area=self.uniform(0.1, 2), bias=[0, self.uniform(-1, 0), self.uniform(-0.1, 0)])
        elif kind == "muscle":
            out.update(timeconst="0.01 0.04", force=self.log(1, 20), lengthrange="0.1 1", tausmooth=0.05 if self.chance(0.3) else None)
        elif kind == "general":
            out.update(dyntype=self.pick(("none", "integrator", "filter", "filterexact")), dynprm=self.uniform(0.01, 0.2),
                       gaintype=self.pick(("fixed", "affine")), gainprm=self.vector(1), biastype=self.pick(("none", "affine")),
                       biasprm=[self.uniform(-1, 1), self.uniform(-1, 0), self.uniform(-0.2, 0)],
                       actearly="true" if self.chance(0.3) else None)
        elif kind == "dcmotor":
            out.update(nominal=[self.uniform(6, 24), self.uniform(0.5, 3), self.uniform(3, 9)],
                       inductance=self.log(0.001, 0.02) if self.chance(0.6) else None)
        if {"joint", "tendon"} & set(where) and self.chance(0.1):
            out.update(damping=self.polynomial(self.log(0.01, 0.3)), armature=self.log(1e-4, 0.01))
        if "ctrlrange" not in out and self.chance(0.4):
            out["ctrlrange"] = [-self.uniform(0.2, 1), self.uniform(0.2, 1)]
        if kind != "dcmotor" and self.chance(0.3):
            out["forcerange"] = [-self.uniform(0.5, 5), self.uniform(0.5, 5)]
        if self.chance(0.08):
            out.update(nsample=4, delay=0.005, interp=self.pick(("zoh", "linear", "cubic")))
        self.put(kind, out)
        self.actuators.append(name)

    def sensors(self):
        """Sensors of all kinds."""
        if not self.chance(0.7):
            return
        choices = [("subtreecom", {"body": self.pick(self.bodies)}), ("subtreelinvel", {"body": self.pick(self.bodies)}),
                   ("subtreeangmom", {"body": self.pick(self.bodies)}), ("clock", {}), ("e_potential", {}), ("e_kinetic", {}),
                   ("distance", {"geom1": self.pick(self.geoms), "body2": self.pick(self.bodies), "cutoff": 2}),
                   ("contact", {"geom1": self.pick(self.geoms), "data": "found force torque dist pos normal tangent", "num": 3,
                                "reduce": self.pick(("none", "mindist", "maxforce", "netforce"))}),
                   ("contact", {"subtree1": self.pick(self.bodies), "data": "found force", "num": 2})]
        for tag in "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc".split():
            out = {"objtype": "xbody", "objname": self.pick(self.bodies)}
            if tag not in ("framelinacc", "frameangacc") and self.chance(0.4):
                out.update(reftype="body", refname=self.pick(self.bodies))
            choices.append((tag, out))
        for tag in "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split():
            choices += [(tag, {"site": self.pick(self.sites)})] if self.sites else []
        if self.sites:
            choices += [("camprojection", {"site": self.pick(self.sites), "camera": "watch"}),
                        ("insidesite", {"site": self.pick(self.sites), "objtype": "body", "objname": self.pick(self.bodies)})]
        if self.scalar_joints:
            choices += [(tag, {"joint": self.pick(self.scalar_joints)}) for tag in ("jointpos", "jointvel", "jointactuatorfrc")]
        if self.ball_joints:
            choices += [(tag, {"joint": self.pick(self.ball_joints)}) for tag in ("ballquat", "ballangvel")]
        if self.limited_joints:
            choices += [(tag, {"joint": self.pick(self.limited_joints)}) for tag in ("jointlimitpos", "jointlimitvel", "jointlimitfrc")]
        if self.tendons:
            choices += [(tag, {"tendon": self.pick(self.tendons)}) for tag in ("tendonpos", "tendonvel", "tendonactuatorfrc")]
        if self.limited_tendons:
            choices += [(tag, {"tendon": self.pick(self.limited_tendons)})
                        for tag in ("tendonlimitpos", "tendonlimitvel", "tendonlimitfrc")]
        if self.actuators:
            choices += [(tag, {"actuator": self.pick(self.actuators)}) for tag in ("actuatorpos", "actuatorvel", "actuatorfrc")]
        self.put("sensor", close=False)
        for tag, out in self.rng.sample(choices, self.pick((2, 5, 9))):
            if self.chance(0.05) and tag not in ("contact", "distance"):
                out = {**out, "nsample": 3, "delay": 0.004, "interp": "linear"}
            if self.chance(0.05) and tag in ("accelerometer", "gyro", "jointvel", "force"):
                out = {**out, "cutoff": 5}
            self.put(tag, out)
        self.end("sensor")


def make(seed):
    """The model of a seed."""
    w = Writer(seed)
    w.put("mujoco", {"model": f"random{seed}"}, close=False)
    w.options()
    w.assets()
    w.world()
    w.contacts()
    w.tendon_list()
    w.equalities()
    w.actuator_list()
    w.sensors()
    w.end("mujoco")
    return "\n".join(w.lines) + "\n"
