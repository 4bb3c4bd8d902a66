"""`python -m conformance.flex_models FOLDER --count 100`: writes random models with flexes, to be compared by `python -m conformance FOLDER`.

All kinds of flex composites and dofs, pins, equalities and elasticity, contacts with planes, all geoms, a second flex and themselves, under
all integrators, solvers and cones. Left out is what the reference does not survive or does not say the same about twice, as
`docs/conformance.md` explains: height fields, torsional and rolling friction in the sparse storage, and a contact between two flexes of which
the first is interpolated. Models that the reference refuses or that diverge at once are not written.
"""

import argparse
import os
import random

import numpy as np

GEOMS = (
    '<geom type="sphere" size="0.12"/>', '<geom type="capsule" size="0.06 0.1"/>', '<geom type="box" size="0.1 0.08 0.06"/>',
    '<geom type="ellipsoid" size="0.12 0.09 0.07"/>', '<geom type="cylinder" size="0.08 0.09"/>', '<geom type="mesh" mesh="gem"/>',
)
PLANE = '<geom type="plane" size="2 2 .1"/>'
GEM = '<mesh name="gem" vertex="-.1 -.1 -.1 .1 -.1 -.1 0 .1 -.1 0 0 .1 .08 .08 0"/>'
POINTS = "-.1 -.1 0 .1 -.1 0 0 .1 0 0 0 .15 0.05 -.05 -.15"
ELEMENTS = {1: "0 1 1 2 2 3 3 4", 2: "0 1 2 0 1 3 1 2 3 0 1 4", 3: "0 1 2 3 0 1 2 4"}
SHEET = ('<flexcomp name="sheet" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="0.013 0.007 .12" radius=".01" mass=".1">'
         '<edge equality="true"/><contact selfcollide="none"/></flexcomp>')


def shape(pick):
    """Kind, dimension and the attributes that say how many points there are."""
    kind = pick(["grid", "grid", "grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "direct"])
    dim = {"square": 2, "disc": 2, "circle": 1}.get(kind) or pick([2, 3] if kind in ("box", "cylinder", "ellipsoid") else [1, 2, 2, 3, 3])
    if kind == "direct":
        return kind, dim, f'point="{POINTS}" element="{ELEMENTS[dim]}"'
    if kind == "circle" or dim == 1:
        count = "8 1 1" if kind == "circle" else "9 1 1"
    elif dim == 2 and kind in ("grid", "square", "disc"):
        count = pick(["5 5 1", "6 4 1", "7 7 1"])
    else:
        count = pick(["3 3 3", "4 3 3", "4 4 3"])
    return kind, dim, f'count="{count}" spacing=".06 .06 .06"'


def surroundings(pick):
    """What the flex falls onto, or what falls onto it."""
    thing = pick(GEOMS)
    return pick([
        PLANE, f'{PLANE}<body pos="0.02 0.01 {pick([".33", ".2", ".25"])}"><freejoint/>{thing}</body>', f'<body pos="0 0 .15">{thing}</body>',
    ])


def composite(pick, dense):
    """One flex composite; returns it and whether it is interpolated."""
    kind, dim, points = shape(pick)
    dof = pick(["full", "full", "full", "radial", "trilinear", "quadratic", "2d"])
    interpolated = dof in ("trilinear", "quadratic")
    cells = pick(["", ' cellcount="2 1 1"']) if interpolated else ""
    bending = f'thickness="0.01" elastic2d="{pick(["none", "bend", "stretch", "both"])}"' if dim == 2 and not interpolated else ""
    own = "none" if interpolated else pick(["none", "auto", "bvh", "sap", "narrow"])
    inside = "false" if interpolated else pick(["true", "false"])
    condim = pick([1, 3, 4, 6] if dense else [1, 3])
    text = f'''<flexcomp name="f" type="{kind}" dim="{dim}" dof="{dof}"{cells} {points} radius="{pick(["0.01", "0.02"])}" mass="0.5">
<edge equality="{pick(["false", "true", "vert", "strain"])}" damping="{pick(["0", "0.01"])}" {'stiffness="20"' if dim == 1 else ""}/>
<contact selfcollide="{own}" internal="{inside}" condim="{condim}" margin="{pick(["0", "0.01"])}" gap="{pick(["0", "0.002"])}"
 activelayers="{pick([1, 2])}" passive="{pick(["false", "false", "false", "true"])}"/>
<elasticity young="{pick(["0", "500", "3000"])}" poisson="{pick(["0", "0.3"])}" damping="{pick(["0", "0.0005"])}" {bending}/>
{pick(["", '<pin id="0"/>', '<pin id="0 2"/>', '<pin range="0 1"/>'])}</flexcomp>'''
    return text, interpolated


def make(seed):
    """A model as text."""
    pick = random.Random(seed).choice
    jacobian = pick(["sparse", "dense"])
    flex, interpolated = composite(pick, jacobian == "dense")
    sheet = "" if interpolated else pick(["", "", SHEET])
    moving = pick(["", '<joint axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'])
    integrator, cone = pick(["Euler", "implicitfast", "implicit", "RK4"]), pick(["pyramidal", "elliptic"])
    return f'''<mujoco><option integrator="{integrator}" cone="{cone}" solver="{pick(["Newton", "Newton", "CG", "PGS"])}" timestep="0.0005"
 jacobian="{jacobian}" tolerance="1e-12" iterations="200"><flag midphase="{pick(["enable", "enable", "disable"])}"/></option>
<asset>{GEM}</asset><worldbody>{surroundings(pick)}{sheet}
<body name="p" pos="0 0 {pick([".2", ".15", ".1"])}" euler="{pick(["0 0 0", "20 10 0", "0 0 0"])}">{moving}
{flex}</body></worldbody></mujoco>
'''


def is_usable(mujoco, text):
    """Whether the reference loads a model and takes a step without diverging."""
    try:
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data)
    except (ValueError, mujoco.FatalError):
        return False
    return bool(np.isfinite(data.qpos).all() and np.isfinite(data.qfrc_passive).all()) and not any(w.number for w in data.warning)


def write_models(kind, make_model, about):
    """Command line: writes models of a kind for as many seeds as it takes."""
    parser = argparse.ArgumentParser(prog=f"conformance.{kind}_models", description=about.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    arguments = parser.parse_args()
    import mujoco

    mujoco.set_mju_user_warning(lambda text: None)
    os.makedirs(arguments.folder, exist_ok=True)
    written, seed = 0, arguments.first
    while written < arguments.count:
        text = make_model(seed)
        if is_usable(mujoco, text):
            with open(os.path.join(arguments.folder, f"{kind}-{seed}.xml"), "w", encoding="utf-8") as file:
                file.write(text)
            written += 1
        seed += 1
    print(f"{written} models of {seed - arguments.first} seeds")


if __name__ == "__main__":
    write_models("flex", make, __doc__)
