"""Deformable bodies beside a model: cloth, soft solids and ropes, in the same step as rigid bodies.

::

    world = kinetree.soft.SoftWorld()
    cloth = world.add(kinetree.soft.Cloth.grid((16, 16), (0.5, 0.5), "Cotton", pos=(0, 0, 0.3)), drag=1.0)
    for _ in range(500):
        world.step(model, data)
    print(cloth.position.min(axis=0))

Lengths are in metres, masses in kilograms, moduli in pascals. Mistakes are exceptions that name the element.
"""

import dataclasses
import typing

import numpy as np

from kinetree import _core

__all__ = ["Body", "Bone", "CapsuleChain", "Cloth", "Material", "Network", "SkinnedMesh", "SoftBody", "SoftWorld", "vertex_normals"]

_MATERIALS, _CLOTHS, _SOLIDS, _ROPES = _core.soft_presets()


def _choose(table, kind, name):
    """The row of a table of presets that has a name."""
    for row in table:
        if row[0].lower() == str(name).lower().replace("_", "").replace(" ", ""):
            return row
    names = ", ".join(row[0] for row in table)
    raise ValueError(f"unknown {kind} '{name}': take one of {names}")


@dataclasses.dataclass
class Material:
    """Elastic constants: Young's modulus (Pa), Poisson's ratio, density (kg/m³), friction and damping (s)."""

    young: float
    poisson: float
    density: float
    friction: float = 0.5
    damping: float = 1e-3

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _MATERIALS)

    @classmethod
    def preset(cls, name):
        """A material by name, see ``Material.PRESETS``."""
        return cls(*_choose(_MATERIALS, "material", name)[1])

    def _constants(self):
        return [float(x) for x in dataclasses.astuple(self)]


def _placed(position, pos):
    return np.asarray(position, dtype=float) + np.asarray(pos, dtype=float)


def _material(material):
    return material if isinstance(material, Material) else Material.preset(material)


@dataclasses.dataclass
class Cloth:
    """A sheet: vertices (n, 3), triangles (m, 3), a material and a thickness. It is at rest as it lies."""

    position: np.ndarray
    triangles: np.ndarray
    material: Material
    thickness: float

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _CLOTHS)

    @classmethod
    def grid(cls, cells, size, preset="Cotton", pos=(0, 0, 0)):
        """A flat rectangle around ``pos`` with cells along x and y; see ``Cloth.PRESETS``."""
        _, constants, thickness = _choose(_CLOTHS, "cloth", preset)
        position, triangles = _core.soft_grid(list(cells), size)
        return cls(_placed(position, pos), triangles, Material(*constants), thickness)

    def _add(self, world, settings):
        constants = _material(self.material)._constants()
        return world.add_cloth(self.position, self.triangles, constants, self.thickness, settings)


@dataclasses.dataclass
class SoftBody:
    """A solid: vertices (n, 3), tetrahedra (m, 4), a material, and the radius at which contacts begin."""

    position: np.ndarray
    tetrahedra: np.ndarray
    material: Material
    radius: float = 0.0

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _SOLIDS)

    @classmethod
    def block(cls, cells, size, preset="Rubber", pos=(0, 0, 0), radius=0.0):
        """A block around ``pos`` with cells along its axes; ``preset`` is a name or a ``Material``."""
        position, tetrahedra = _core.soft_block(list(cells), size)
        return cls(_placed(position, pos), tetrahedra, cls._preset(preset), radius)

    @classmethod
    def from_surface(cls, position, triangles, cell, preset="Rubber", radius=0.0):
        """The inside of a closed surface, with cells of the given size."""
        position, tetrahedra = _core.soft_fill(position, triangles, cell)
        return cls(position, tetrahedra, cls._preset(preset), radius)

    @staticmethod
    def _preset(preset):
        return preset if isinstance(preset, Material) else Material(*_choose(_SOLIDS, "solid", preset)[1])

    def _add(self, world, settings):
        constants = _material(self.material)._constants()
        return world.add_solid(self.position, self.tetrahedra, constants, self.radius, settings)


@dataclasses.dataclass
class CapsuleChain:
    """A rope or rod through points (n, 3) with a round section; ``clamped``: which ends are held with their tangent.

    ``solidity`` is the resistance to bending and twist as a part of that of a solid rod.
    """

    points: np.ndarray
    material: Material
    radius: float
    solidity: float = 1.0
    clamped: tuple[bool, bool] = (False, False)

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _ROPES)

    @classmethod
    def straight(cls, start, end, segments, preset="Rope"):
        """A straight rope between two points; see ``CapsuleChain.PRESETS``."""
        _, constants, radius, solidity = _choose(_ROPES, "rope", preset)
        if not 1 <= segments <= 1_000_000:
            raise ValueError(f"a rope has {segments} segments: between one and a million are possible")
        points = np.linspace(np.asarray(start, dtype=float), np.asarray(end, dtype=float), int(segments) + 1)
        return cls(points, Material(*constants), radius, solidity)

    def _add(self, world, settings):
        section = (float(self.radius), float(self.solidity))
        constants = _material(self.material)._constants()
        return world.add_rope(self.points, constants, section, tuple(self.clamped), settings)


def _rows(rows, width):
    return np.asarray(rows, dtype=np.int64).reshape(len(rows), width)


class Network:
    """Vertices (n, 3) with masses (n,), held together by single constraints. ``radius`` is the size of the vertices.

    The material gives friction and damping alone. Compliances are inverse stiffnesses, the energy is ``C² / (2 compliance)``;
    zero is rigid. Each method returns the network, so that calls can be chained.
    """

    def __init__(self, position, mass, material="Cloth", radius=0.0):
        self.position = np.asarray(position, dtype=float)
        self.mass = np.broadcast_to(np.asarray(mass, dtype=float), len(self.position)).copy()
        self.material, self.radius = material, float(radius)
        self._parts = {kind: ([], [], []) for kind in ("distance", "dihedral", "volume")}

    def _append(self, kind, vertices, rest, compliance):
        for part, value in zip(self._parts[kind], (tuple(int(v) for v in vertices), float(rest), float(compliance))):
            part.append(value)
        return self

    def _corners(self, vertices, count):
        vertices = [int(v) for v in vertices]
        if len(vertices) != count:
            raise ValueError(f"expected {count} vertices, got {len(vertices)}")
        for vertex in vertices:
            if not 0 <= vertex < len(self.position):
                raise IndexError(f"there is no vertex {vertex}: there are {len(self.position)}")
        return self.position[vertices]

    def distance(self, vertices, length=None, compliance=0.0):
        """Two vertices keep their distance (m): ``length``, or the one they have. Compliance in m/N."""
        a, b = self._corners(vertices, 2)
        return self._append("distance", vertices, np.linalg.norm(b - a) if length is None else length, compliance)

    def dihedral(self, vertices, angle=0.0, compliance=0.0):
        """Triangles ``0 1 2`` and ``1 0 3`` of four vertices keep their angle (rad); zero is flat. Compliance in rad/(N m)."""
        self._corners(vertices, 4)
        return self._append("dihedral", vertices, angle, compliance)

    def volume(self, vertices, volume=None, compliance=0.0):
        """A tetrahedron keeps its volume (m³): ``volume``, or the one it has. Compliance in m³/Pa.

        The last vertex is on the side of the normal of the others.
        """
        a, b, c, d = self._corners(vertices, 4)
        own = np.dot(np.cross(b - a, c - a), d - a) / 6
        return self._append("volume", vertices, own if volume is None else volume, compliance)

    def _add(self, world, settings):
        widths = {"distance": 2, "dihedral": 4, "volume": 4}
        parts = tuple((_rows(part[0], widths[kind]), part[1], part[2]) for kind, part in self._parts.items())
        constants = _material(self.material)._constants()
        return world.add_network((self.position, self.mass.tolist()), parts, constants, self.radius, settings)


@dataclasses.dataclass
class Bone:
    """A bone of a skeleton: its name, the number of the bone that carries it (``None``: none), and its pose at rest
    relative to that bone: position (m) and quaternion, w first."""

    name: str
    parent: int | None = None
    pos: tuple[float, float, float] = (0.0, 0.0, 0.0)
    quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


class SkinnedMesh:
    """A mesh that bones move: a list of ``Bone``, vertices (n, 3) and triangles (m, 3) at rest, and weights (n, bones).

    Weights of a vertex are divided by their sum. ::

        mesh = SkinnedMesh([Bone("upper"), Bone("lower", 0, (1, 0, 0))], position, triangles, weights)
        vertices, normals = mesh.deform(pos, quat)
    """

    def __init__(self, bones, position, triangles, weights):
        self.bones = list(bones)
        if not self.bones:
            raise ValueError("a skinned mesh needs at least one bone")
        for index, bone in enumerate(self.bones):
            for what, numbers, count in (("pos", bone.pos, 3), ("quat", bone.quat, 4)):
                if np.shape(numbers) != (count,):
                    raise ValueError(f"bone {index} '{bone.name}': {what} should have {count} numbers, but is {numbers}")
        names, parents = [bone.name for bone in self.bones], [-1 if b.parent is None else int(b.parent) for b in self.bones]
        poses = ([bone.pos for bone in self.bones], [bone.quat for bone in self.bones])
        rest = tuple(np.asarray(part, dtype=float).reshape(len(self.bones), -1) for part in poses)
        for index, parent in enumerate(parents):
            if parent < -1:
                raise IndexError(f"bone {index} '{names[index]}' has the parent {parent}: give a number or None")
        self._core = _core.CoreSkinnedMesh(names, parents, rest, (position, triangles), np.asarray(weights, dtype=float))

    def deform(self, pos, quat, method="dual", local=False):
        """Vertices and unit normals for positions (bones, 3) and quaternions (bones, 4) of the bones.

        ``method``: ``"dual"`` quaternions, which keep volume where bones twist, or ``"linear"`` blending. ``local``: poses are
        relative to the bones above; otherwise in the world, as ``data.xpos`` and ``data.xquat`` are.
        """
        if method not in ("dual", "linear"):
            raise ValueError(f"unknown method '{method}': take 'dual' or 'linear'")
        return self._core.deform((np.asarray(pos, dtype=float), np.asarray(quat, dtype=float)), method == "dual", bool(local))

    @property
    def triangles(self):
        """Triangles (m, 3)."""
        return self._core.triangles()


def vertex_normals(position, triangles):
    """Unit normals of the vertices of a mesh: the mean of those of their triangles, weighted by area."""
    return _core.soft_normals(position, triangles)


class Body:
    """A body in a world.

    Attributes: ``position``, ``velocity`` and ``force``, writable views of shape (n, 3) that stay valid as long as they
    are held; ``mass`` (n,), ``triangles`` and ``edges`` of the surface, ``radius``, ``index``, ``name`` (of its element
    in a model file).
    """

    def __init__(self, world, index):
        self._world, self.index = world, index
        self.position, self.velocity, self.force = (world.array(index, n) for n in ("position", "velocity", "force"))
        self.mass, self.radius = world.mass(index), world.radius(index)
        self.triangles, self.edges = world.triangles(index), world.edges(index)
        self.name = world.name(index)

    def __repr__(self):
        return f"<kinetree.soft.Body {self.index} of {len(self.mass)} vertices>"

    def pin(self, vertices):
        """Holds vertices: only their velocity, which is set to zero, moves them."""
        for vertex in np.atleast_1d(vertices):
            self._world.pin(self.index, int(vertex))

    def unpin(self, vertices):
        """Lets pinned vertices go."""
        for vertex in np.atleast_1d(vertices):
            self._world.unpin(self.index, int(vertex))

    def attach_to_body(self, model, data, vertex, body):
        """Fixes a vertex to a body of the model (a number or a name), where both are now."""
        number = model.body(body).id if isinstance(body, str) else int(body)
        self._world.attach_to_body(model, data, self.index, int(vertex), number)

    def attach_to_site(self, model, data, vertex, site):
        """Fixes a vertex to a site of the model (a number or a name), where it moves to: step by step if that is far."""
        number = model.site(site).id if isinstance(site, str) else int(site)
        self._world.attach_to_site(model, data, self.index, int(vertex), number)

    def detach(self, vertex):
        """Lets an attached vertex go."""
        self._world.detach(self.index, int(vertex))

    def wake(self):
        """Wakes the body, for instance after its positions have been written."""
        self._world.wake(self.index)

    @property
    def rgba(self):
        """Colour in pictures: red, green, blue and opacity, from 0 to 1. At first it follows from the material."""
        return self._world.rgba(self.index)

    @rgba.setter
    def rgba(self, rgba):
        self._world.set_rgba(self.index, [float(x) for x in rgba])

    @property
    def asleep(self):
        """Whether the body sleeps."""
        return self._world.is_asleep(self.index)

    @property
    def energy(self):
        """Kinetic and elastic energy (J)."""
        return self._world.energy(self.index)


class SoftWorld:
    """Deformable bodies that share the world of an ``MjData``."""

    def __init__(self):
        self._core = _core.CoreSoftWorld()
        self.bodies = []

    @classmethod
    def from_model(cls, model):
        """The bodies that the section ``<soft>`` of a model's file describes, in its order."""
        world = cls()
        world._core = _core.CoreSoftWorld.from_model(model)
        world.bodies = [Body(world._core, index) for index in range(world._core.count())]
        return world

    def add(self, body, *, substeps=None, iterations=1, drag=0.0, sleep=None, self_contact=True, rgba=None):
        """Adds a ``Cloth``, ``SoftBody``, ``CapsuleChain`` or ``Network`` and returns its ``Body``.

        ``substeps``: their number in a step, ``None`` for as many as the material needs. ``drag`` (1/s) of the air.
        ``sleep``: speed (m/s) below which and time (s) after which the body falls asleep. ``rgba``: its colour in pictures.
        """
        if not hasattr(body, "_add"):
            raise TypeError(f"expected a Cloth, SoftBody, CapsuleChain or Network, got {type(body).__name__}")
        sleep = None if sleep is None else (float(sleep[0]), float(sleep[1]))
        index = body._add(self._core, (substeps, iterations, float(drag), sleep, bool(self_contact)))
        self.bodies.append(Body(self._core, index))
        if rgba is not None:
            self.bodies[-1].rgba = rgba
        return self.bodies[-1]

    def __len__(self):
        return len(self.bodies)

    def __getitem__(self, index):
        return self.bodies[index]

    def step(self, model, data, nstep=1):
        """Advances the data and all bodies by ``nstep`` time steps of the model. Ctrl-C ends it after a step."""
        self._core.step(model, data, nstep)

    def reset(self, model, data):
        """Resets the data, and all bodies to the state in which they were added."""
        self._core.reset(model, data)

    def state(self, model, data):
        """All that steps change and depend on, of the data and of the bodies, as one array."""
        return self._core.state(model, data)

    def set_state(self, model, data, state):
        """Returns to a state that ``state`` has read."""
        self._core.set_state(model, data, state)
