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
    """Elastic constants of an isotropic material. ``Material.preset("Foam")`` gives one by name.

    Args:
        young: Young's modulus (Pa), positive.
        poisson: Poisson's ratio, from 0 to less than 0.5.
        density: density (kg/m³), positive.
        friction: sliding friction; contacts take the larger one of both sides.
        damping: ratio of viscosity to stiffness (s).
    """

    young: float
    poisson: float
    density: float
    friction: float = 0.5
    damping: float = 1e-3

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _MATERIALS)

    @classmethod
    def preset(cls, name):
        """A material by name.

        Args:
            name: one of ``Material.PRESETS``; case and spaces do not matter.

        Raises:
            ValueError: when there is no such name; the message lists all.
        """
        return cls(*_choose(_MATERIALS, "material", name)[1])

    def _constants(self):
        return [float(x) for x in dataclasses.astuple(self)]


def _placed(position, pos):
    return np.asarray(position, dtype=float) + np.asarray(pos, dtype=float)


def _material(material):
    return material if isinstance(material, Material) else Material.preset(material)


@dataclasses.dataclass
class Cloth:
    """A sheet, at rest as it lies. ``Cloth.grid`` makes a rectangle; ``world.add(cloth)`` puts it into a world.

    Args:
        position: vertices (m), shape (n, 3).
        triangles: indices of vertices, shape (m, 3); at most two triangles share an edge.
        material: a ``Material`` or the name of one.
        thickness: thickness (m), positive; contacts begin at half of it.
    """

    position: np.ndarray
    triangles: np.ndarray
    material: Material
    thickness: float

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _CLOTHS)

    @classmethod
    def grid(cls, cells, size, preset="Cotton", pos=(0, 0, 0)):
        """A flat rectangle in the plane z = ``pos[2]``.

        Args:
            cells: number of cells along x and y, two integers; there are ``(cells[0] + 1) * (cells[1] + 1)`` vertices.
            size: lengths of the sides (m), two numbers.
            preset: one of ``Cloth.PRESETS``, which gives material and thickness.
            pos: centre (m), shape (3,).

        Raises:
            ValueError: when there is no such preset, or cells or sides are not positive.
        """
        _, constants, thickness = _choose(_CLOTHS, "cloth", preset)
        position, triangles = _core.soft_grid(list(cells), size)
        return cls(_placed(position, pos), triangles, Material(*constants), thickness)

    def _add(self, world, settings):
        constants = _material(self.material)._constants()
        return world.add_cloth(self.position, self.triangles, constants, self.thickness, settings)


@dataclasses.dataclass
class SoftBody:
    """A solid, at rest as it lies. ``SoftBody.block`` and ``SoftBody.from_surface`` make the tetrahedra.

    Args:
        position: vertices (m), shape (n, 3).
        tetrahedra: indices of vertices, shape (m, 4); the last vertex is on the side of the normal of the others.
        material: a ``Material`` or the name of one.
        radius: distance from its surface at which contacts begin (m).
    """

    position: np.ndarray
    tetrahedra: np.ndarray
    material: Material
    radius: float = 0.0

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _SOLIDS)

    @classmethod
    def block(cls, cells, size, preset="Rubber", pos=(0, 0, 0), radius=0.0):
        """A block with edges along the axes.

        Args:
            cells: number of cells along x, y and z, three integers.
            size: lengths of the edges (m), three numbers.
            preset: one of ``SoftBody.PRESETS``, or a ``Material``.
            pos: centre (m), shape (3,).
            radius: distance from its surface at which contacts begin (m).

        Raises:
            ValueError: when there is no such preset, or cells or edges are not positive.
        """
        position, tetrahedra = _core.soft_block(list(cells), size)
        return cls(_placed(position, pos), tetrahedra, cls._preset(preset), radius)

    @classmethod
    def from_surface(cls, position, triangles, cell, preset="Rubber", radius=0.0):
        """The inside of a closed surface.

        Args:
            position: vertices of the surface (m), shape (n, 3).
            triangles: indices of vertices, shape (m, 3); normals point outwards.
            cell: size of the cells that fill it (m).
            preset: one of ``SoftBody.PRESETS``, or a ``Material``.
            radius: distance from its surface at which contacts begin (m).

        Raises:
            ValueError: when there is no such preset, the surface is open or not manifold, or no cell is inside.
        """
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
    """A rope or rod with a round section, at rest as it lies. ``CapsuleChain.straight`` makes one between two points.

    Args:
        points: ends of its segments (m), shape (n, 3).
        material: a ``Material`` or the name of one.
        radius: radius of the section (m), positive.
        solidity: resistance to bending and twist as a part of that of a solid rod, up to 1.
        clamped: whether the first and the last end are held with their tangent.
    """

    points: np.ndarray
    material: Material
    radius: float
    solidity: float = 1.0
    clamped: tuple[bool, bool] = (False, False)

    PRESETS: typing.ClassVar[tuple[str, ...]] = tuple(row[0] for row in _ROPES)

    @classmethod
    def straight(cls, start, end, segments, preset="Rope"):
        """A straight rope between two points.

        Args:
            start: first end (m), shape (3,).
            end: last end (m), shape (3,).
            segments: number of segments, at least one; vertices are numbered from 0 at the first end.
            preset: one of ``CapsuleChain.PRESETS``, which gives material and section.

        Raises:
            ValueError: when there is no such preset, or the number of segments is out of range.
        """
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
    """Point masses that are held together by single constraints.

    Compliances are inverse stiffnesses, the energy is ``C² / (2 compliance)``; zero is rigid. Each method returns the network, so that calls
    can be chained: ``Network(position, 0.01).distance((0, 1)).distance((1, 2), compliance=1e-4)``.

    Args:
        position: vertices (m), shape (n, 3).
        mass: masses (kg), one number or shape (n,).
        material: a ``Material`` or the name of one, for friction and damping alone.
        radius: radius of the vertices (m), at which contacts begin.
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
        """Two vertices keep their distance.

        Args:
            vertices: indices of two vertices.
            length: the distance (m); None for the one they have.
            compliance: inverse stiffness (m/N).

        Raises:
            IndexError: when there is no such vertex.
        """
        a, b = self._corners(vertices, 2)
        return self._append("distance", vertices, np.linalg.norm(b - a) if length is None else length, compliance)

    def dihedral(self, vertices, angle=0.0, compliance=0.0):
        """Two triangles that share an edge keep their angle.

        Args:
            vertices: indices of four vertices; the triangles are ``0 1 2`` and ``1 0 3`` of them.
            angle: the angle (rad); zero is flat.
            compliance: inverse stiffness (rad/(N m)).

        Raises:
            IndexError: when there is no such vertex.
        """
        self._corners(vertices, 4)
        return self._append("dihedral", vertices, angle, compliance)

    def volume(self, vertices, volume=None, compliance=0.0):
        """A tetrahedron keeps its volume.

        Args:
            vertices: indices of four vertices; the last one is on the side of the normal of the others.
            volume: the volume (m³); None for the one it has.
            compliance: inverse stiffness (m³/Pa).

        Raises:
            IndexError: when there is no such vertex.
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
    """A bone of a skeleton.

    Args:
        name: its name.
        parent: number of the bone that carries it, or None.
        pos: position at rest relative to that bone (m), three numbers.
        quat: orientation at rest relative to that bone, a quaternion (w, x, y, z).
    """

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
        """Vertices and unit normals, two arrays (n, 3), for poses of the bones.

        Args:
            pos: positions of the bones (m), shape (bones, 3).
            quat: their orientations, quaternions (w, x, y, z), shape (bones, 4).
            method: "dual" quaternions, which keep volume where bones twist, or "linear" blending.
            local: whether poses are relative to the bones above; otherwise in the world, as ``data.xpos`` and ``data.xquat`` are.

        Raises:
            ValueError: when shapes do not fit, or there is no such method.
        """
        if method not in ("dual", "linear"):
            raise ValueError(f"unknown method '{method}': take 'dual' or 'linear'")
        return self._core.deform((np.asarray(pos, dtype=float), np.asarray(quat, dtype=float)), method == "dual", bool(local))

    @property
    def triangles(self):
        """Triangles (m, 3)."""
        return self._core.triangles()


def vertex_normals(position, triangles):
    """Unit normals of the vertices of a mesh, shape (n, 3): the mean of those of their triangles, weighted by area.

    Args:
        position: vertices (m), shape (n, 3).
        triangles: indices of vertices, shape (m, 3).
    """
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
        """Fixes a vertex to a body of the model, where both are now: they move together and pull on each other.

        Args:
            model: the ``MjModel``.
            data: its ``MjData``, with poses from ``mj_forward`` or a step.
            vertex: index of the vertex.
            body: number or name of the body.

        Raises:
            IndexError: when there is no such vertex or body.
            KeyError: when there is no body of that name.
        """
        number = model.body(body).id if isinstance(body, str) else int(body)
        self._world.attach_to_body(model, data, self.index, int(vertex), number)

    def attach_to_site(self, model, data, vertex, site):
        """Fixes a vertex to a site of the model, where it moves to: step by step if that is far.

        Args:
            model: the ``MjModel``.
            data: its ``MjData``, with poses from ``mj_forward`` or a step.
            vertex: index of the vertex.
            site: number or name of the site.

        Raises:
            IndexError: when there is no such vertex or site.
            KeyError: when there is no site of that name.
        """
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
        """Adds a deformable body and returns its ``Body``, whose positions and velocities are views.

        Args:
            body: a ``Cloth``, ``SoftBody``, ``CapsuleChain`` or ``Network``.
            substeps: their number in a step; None for as many as the stiffness of the material needs.
            iterations: Gauss-Seidel sweeps in each substep.
            drag: deceleration by the air (1/s).
            sleep: speed (m/s) below which and time (s) after which the body falls asleep; None for never.
            self_contact: whether the body touches itself.
            rgba: colour in pictures, four numbers from 0 to 1; None for that of the material.

        Raises:
            TypeError: when ``body`` is nothing that can be added.
            ValueError: when a constant or an element is out of range; the message names it. Settings are checked by ``step``.
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
        """Advances the data and all bodies, in the place of ``mj_step``. Ctrl-C ends it after a step.

        Args:
            model: the ``MjModel``.
            data: its ``MjData``.
            nstep: number of time steps of the model.

        Raises:
            FatalError: when the model cannot be stepped (``unsupported``: integrator RK4, sleep of the model), or its state is not finite.
            ValueError: when a setting is out of range, a position or velocity of a body is not finite, or the world was made for another
                model.
        """
        self._core.step(model, data, nstep)

    def reset(self, model, data):
        """Resets all bodies to the state in which they were added, and the data.

        Args:
            model: the ``MjModel``.
            data: its ``MjData``.
        """
        self._core.reset(model, data)

    def state(self, model, data):
        """All that steps change and depend on, of the data and of the bodies, as one array, for ``set_state``.

        Args:
            model: the ``MjModel``.
            data: its ``MjData``.
        """
        return self._core.state(model, data)

    def set_state(self, model, data, state):
        """Returns to an earlier state.

        Args:
            model: the ``MjModel``.
            data: its ``MjData``, which is written.
            state: what ``state`` has returned, for the same bodies.

        Raises:
            ValueError: when the length is another one.
        """
        self._core.set_state(model, data, state)
