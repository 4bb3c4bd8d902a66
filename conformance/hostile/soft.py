"""Programs that hand nonsense to deformable bodies: wrong shapes, indices and sizes, NaN, huge numbers, models and data of others.

A case makes a world of bodies, of which some are nonsense, writes nonsense to their arrays and to model and data, and calls methods in any
order. Each call must end in a value or an exception other than that of a panic. Afterwards the arrays that were taken before still have to be
those of the bodies, and a sound world in the same process has to step as ever.
"""

import gc

import kinetree
import numpy as np
from kinetree import soft

from conformance.hostile import programs

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 .3"><freejoint/><geom type="box" size=".05 .05 .05"/><site name="top"/></body>
    <body name="arm" pos=".5 0 .5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="tip" pos=".2 0 0"/></body>
  </worldbody>
  <soft><rope name="line" fromto="0 0 1 .3 0 1" segments="4"><pin vertex="0"/></rope></soft>
</mujoco>
"""
NUMBERS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e30, 1e-308, -1.0, 0.0, 0.5, 1.0)
INDICES = (0, 0, 1, 1, 2, 3, 8, -1, 1000, 2**31 - 1, 2**62, 2**80)
THINGS = (None, "text", -1, 0.5, np.nan, (), [[]], np.zeros(0), np.zeros((2, 2)), object(), b"bytes", 2**80)
GETTERS = ("mass", "triangles", "edges", "radius", "energy", "wake", "is_asleep", "name", "rgba")


def model():
    """A fresh model, and data for it."""
    copy = programs.parse(XML)
    return copy, kinetree.MjData(copy)


def number(rng, usual):
    """Mostly a usual number."""
    return rng.choice(NUMBERS) if rng.random() < 0.15 else usual


def spoiled(rng, array):
    """An array, sometimes with nonsense in it, sometimes of another shape."""
    array = np.array(array)
    chance = rng.random()
    if chance < 0.1:
        return rng.choice((array.ravel(), array[:0], array[:1], array.T, array[None], array.astype(str), array.astype(complex), None, "text"))
    if chance < 0.3 and array.size:
        with np.errstate(all="ignore"):
            flat = array.reshape(-1)
            place = rng.randrange(flat.size)
            flat[place] = rng.choice(NUMBERS) if array.dtype.kind == "f" else rng.choice((-1, 0, 5, 1000, 2**31 - 1))
    return array


def material(rng):
    constants = (number(rng, 3e4), number(rng, 0.3), number(rng, 500.0), number(rng, 0.5), number(rng, 5e-3))
    return rng.choice(("Foam", "nothing", None)) if rng.random() < 0.2 else soft.Material(*constants)


def body(rng):
    """Something to add to a world."""
    cells = rng.choice((1, 1, 2, 2, 0, -1, 1024, 2**31, 2**62, 2**80, 1.5)) if rng.random() < 0.3 else 2
    size = number(rng, 0.1)
    kind = rng.choice(("sheet", "solid", "rope", "fill", "thing"))
    if kind == "sheet":
        made = soft.Cloth.grid((cells, 2), (size, 0.1), rng.choice(("Membrane", "Cotton", "nothing")), pos=(0, 0, 0.2))
        made.position, made.triangles = spoiled(rng, made.position), spoiled(rng, made.triangles)
        made.thickness = number(rng, made.thickness)
        return made
    if kind == "solid":
        made = soft.SoftBody.block((cells, 1, 1), (size, 0.1, 0.1), material(rng), pos=(0, 0, 0.1), radius=number(rng, 0.0))
        made.position, made.tetrahedra = spoiled(rng, made.position), spoiled(rng, made.tetrahedra)
        return made
    if kind == "rope":
        made = soft.CapsuleChain.straight((0, 0, 0.5), (size, 0, 0.5), cells, rng.choice(("Rope", "Hair", "nothing")))
        made.points, made.radius, made.solidity = spoiled(rng, made.points), number(rng, made.radius), number(rng, made.solidity)
        made.clamped = rng.choice(((True, False), (False, False), (1, 2, 3), None))
        return made
    if kind == "fill":
        corners = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
        faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        return soft.SoftBody.from_surface(spoiled(rng, corners), spoiled(rng, faces), number(rng, 0.02), "Foam")
    return rng.choice(THINGS)


def settings(rng):
    chosen = {"substeps": rng.choice((None, None, 1, 4, 0, -1, 2**62, 2**80, "two")), "iterations": rng.choice((1, 1, 2, 0, -1, 2**62)),
              "drag": number(rng, 1.0), "sleep": rng.choice((None, None, (1e-3, 0.1), (np.nan, -1), (1,), "text")),
              "self_contact": rng.choice((True, False, None)), "rgba": rng.choice((None, (1, 0, 0, 1), (1, 2), (np.nan,) * 4, "red"))}
    return {name: value for name, value in chosen.items() if rng.random() < 0.4}


def affordable(world, part):
    """Whether a step of a world ends soon: a caller that asks for a million substeps waits for them."""
    return all(len(member.mass) < 200 for member in world.bodies) and part.opt.timestep < 0.1


def act(rng, world, m, d):
    """One call; its name and what it does."""
    member = rng.choice(world.bodies) if world.bodies else None
    index = rng.choice(INDICES)
    calls = {
        "add": lambda: world.add(body(rng), **settings(rng)),
        "step": lambda: world.step(m, d, rng.choice((1, 1, 3, 0, -1, "two"))) if affordable(world, m) else None,
        "state": lambda: world.set_state(m, d, spoiled(rng, world.state(m, d))),
        "reset": lambda: world.reset(m, d),
        "draw": lambda: world._core.draw(m, kinetree.MjvOption(), kinetree.MjvScene(m, rng.choice((0, 1, 100)))),
        "from_model": lambda: soft.SoftWorld.from_model(rng.choice((m, None, d))),
        "other": lambda: world.step(programs.parse("<mujoco/>"), d),
        "swapped": lambda: world.step(d, m),
    }
    if member is not None:
        calls |= {
            "pin": lambda: member.pin(rng.choice((index, [0, 1], [], "text", None))),
            "unpin": lambda: member.unpin(index),
            "attach": lambda: member.attach_to_body(m, d, index, rng.choice((*INDICES, "box", "nobody", None))),
            "site": lambda: member.attach_to_site(m, d, index, rng.choice((*INDICES, "top", "nowhere", None))),
            "detach": lambda: member.detach(index),
            "wake": lambda: (member.wake(), member.asleep, member.energy, repr(member)),
            "rgba": lambda: setattr(member, "rgba", rng.choice(((1, 0, 0, 1), (2, 0, 0, 1), (1,), None, "red", (np.nan,) * 4))),
            "write": lambda: write(rng, rng.choice((member.position, member.velocity, member.force, d.qpos, d.qvel, m.geom_size, m.body_mass))),
            "core": lambda: getattr(world._core, rng.choice(GETTERS))(index),
            "array": lambda: world._core.array(index, rng.choice(("position", "velocity", "nothing"))),
        }
    name = rng.choice(list(calls))
    return name, calls[name]


def write(rng, array):
    if array.size:
        array.reshape(-1)[rng.randrange(array.size)] = rng.choice(NUMBERS)


def run_case(rng):
    """Runs one case; what it did, and what is wrong, if anything is."""
    m, d = model()
    world = soft.SoftWorld.from_model(m)
    taken = {}
    log: list[str | tuple[str, str]] = ["soft"]
    for _ in range(rng.choice((2, 4, 8, 16))):
        name, call = act(rng, world, m, d)
        try:
            call()
            outcome = "value"
        except Exception as problem:  # whatever it is: it is an exception
            outcome = type(problem).__name__
        log.append((f"soft {name}", outcome))
        if outcome == "UnexpectedError":
            return log, "a panic"
        for member in world.bodies:
            taken.setdefault(member.index, member.position)
    for index, view in taken.items():
        if world._core.array(index, "position").ctypes.data != view.ctypes.data:
            return log, "a view is not the memory of its body"
    sizes = {index: view.shape for index, view in taken.items()}
    del world
    gc.collect()
    # views outlive the world
    if any(view.copy().shape != sizes[index] for index, view in taken.items()):
        return log, "a view is not what it was"
    sound, data = model()
    world = soft.SoftWorld.from_model(sound)
    world.step(sound, data, 2)
    if not np.isfinite(world[0].position).all():
        return log, "a sound world steps wrongly"
    return log, None
