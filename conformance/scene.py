"""`python -m conformance.scene [folder…]`: agreement of scenes, cameras, selection and perturbations.

Each model is stepped by the reference with random controls. Then both engines make scenes of it: with default options, with all flags
and groups on, and so with each kind of label and frame. Geoms, lights, cameras, flexes and skins must agree in every field to 1e-6,
relative to numbers above one; only arrows shorter than that need not point the same way. Further, random clicks
must select the same, and random mouse motions must move cameras, models and perturbed bodies alike.

By default Kinetree compiles the model itself and computes everything from the same state. With `--adopt`, it takes the compiled model and
all results of the reference, so that the scene alone is compared.
"""

import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import os
import sys
import tempfile

import numpy as np

from conformance.__main__ import models_in, progress, sample
from conformance.compare import copy_state

CATEGORIES = ("rigid", "rigid-mesh", "urdf")
TOLERANCE = 1e-6
MAXGEOM = 3000
STEPS = 5
# numbers of a geom, and where its orientation and colour are among them
WIDTH, MAT, RGBA = 32, slice(14, 23), slice(23, 27)
LIGHT = ("id pos dir type texid attenuation cutoff exponent ambient diffuse specular headlight castshadow bulbradius intensity "
         "range").split()
CAMERA = ("pos forward up frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far orthographic").split()
LISTS = ("flexedgeadr flexedgenum flexvertadr flexvertnum flexfaceadr flexfacenum flexfaceused flexedge flexvert skinfacenum "
         "skinvertadr skinvertnum skinvert skinnormal").split()
ARROWS, FLEX, SPHERE = (100, 101, 102, 103), 105, 2
# objects that belong to no element of a model
UNKNOWN = 0
PERTURB = "select flexselect skinselect active active2 refpos refquat refselpos localpos localmass scale".split()


def differs(mine, theirs):
    """Whether two values are not equal to the tolerance; texts and integers must be the same."""
    if isinstance(theirs, str):
        return mine != theirs
    a, b = np.asarray(mine, float).ravel(), np.asarray(theirs, float).ravel()
    if a.shape != b.shape:
        return True
    return not np.all((np.abs(a - b) <= TOLERANCE * np.maximum(1.0, np.abs(b))) | (a == b) | (np.isnan(a) & np.isnan(b)))


def difference(mine, theirs, names, where):
    """The first field of two structs that differs, as text."""
    for name in names:
        a, b = getattr(mine, name), getattr(theirs, name)
        if differs(a, b):
            return f"{where}.{name}: {np.asarray(a).ravel()} instead of {np.asarray(b).ravel()}"
    return None


def geom_table(scene):
    """All numbers of the geoms of a scene, a row each, and their labels."""
    geoms = scene.geoms[: scene.ngeom]
    numbers = [(g.type, g.dataid, g.objtype, g.objid, g.category, g.matid, g.texcoord, g.segid, *g.size.tolist(), *g.pos.tolist(),
                *g.mat.ravel().tolist(), *g.rgba.tolist(), g.emission, g.specular, g.shininess, g.reflectance, g.modelrbound)
               for g in geoms]
    return np.array(numbers, float).reshape(len(geoms), WIDTH), [g.label for g in geoms]


def geom_difference(mine, theirs):
    """The first geom that differs, as text."""
    (a, labels), (b, expected) = geom_table(mine), geom_table(theirs)
    count = min(len(a), len(b))
    close = np.isclose(a[:count], b[:count], rtol=TOLERANCE, atol=0.0, equal_nan=True)
    close |= np.abs(a[:count] - b[:count]) <= TOLERANCE
    # an arrow between points that are the same to the tolerance, such as a force that is nearly zero, may point anywhere
    close[:, MAT] |= (np.isin(b[:count, 0], ARROWS) & (b[:count, 10] < TOLERANCE))[:, None]
    # the balls at the ends of descents in a field keep the object, category and segment that were in their place before in the reference
    blue, red = ((b[:count, RGBA] == color).all(axis=1) for color in ((0, 0, 1, 1), (1, 0, 0, 1)))
    close[:, [2, 3, 4, 7]] |= ((blue | red) & (b[:count, 0] == SPHERE) & (a[:count, 2] == UNKNOWN))[:, None]
    for i in range(count):
        if not close[i].all() or labels[i] != expected[i]:
            wrong = np.flatnonzero(~close[i])
            return (f"geom {i} (object {b[i, 2]:.0f} {b[i, 3]:.0f}): numbers {wrong}: {a[i, wrong]} instead of {b[i, wrong]}, "
                    f"label {labels[i]!r} instead of {expected[i]!r}")
    return None


def scene_difference(mine, theirs):
    """The first difference of two scenes, as text."""
    found = geom_difference(mine, theirs)
    if found:
        return found
    found = difference(mine, theirs, ("ngeom", "nlight", "status", "enabletransform"), "scene")
    for i in range(min(mine.nlight, theirs.nlight)):
        found = found or difference(mine.lights[i], theirs.lights[i], LIGHT, f"light {i}")
    for i in range(2):
        found = found or difference(mine.camera[i], theirs.camera[i], CAMERA, f"camera {i}")
    found = found or difference(mine, theirs, LISTS, "scene")
    textured = {g.objid for g in theirs.geoms[: theirs.ngeom] if g.type == FLEX and g.texcoord}
    for flex in range(theirs.nflex):
        adr, used = int(theirs.flexfaceadr[flex]), int(theirs.flexfaceused[flex])
        for name, width in (("flexface", 9), ("flexnormal", 9), ("flextexcoord", 6)):
            part = slice(width * adr, width * (adr + used))
            filled = name != "flextexcoord" or flex in textured
            if not found and filled and differs(getattr(mine, name)[part], getattr(theirs, name)[part]):
                found = f"flex {flex}: {name}"
    return found


class Side:
    """One engine with its model, data and scene."""

    def __init__(self, engine, model, data):
        self.engine, self.model, self.data = engine, model, data
        self.scene = engine.MjvScene(model, MAXGEOM)
        self.camera, self.option, self.perturb = engine.MjvCamera(), engine.MjvOption(), engine.MjvPerturb()

    def update(self):
        """Makes the scene."""
        self.engine.mjv_updateScene(self.model, self.data, self.option, self.perturb, self.camera, 7, self.scene)


def load(path, adopt):
    """Both sides after a few steps; the own one is `None` with a message when one of them refuses the model."""
    import kinetree
    import mujoco

    mujoco.set_mju_user_warning(lambda text: None)
    try:
        reference = mujoco.MjModel.from_xml_path(path)
    except ValueError as refusal:
        return None, None, f"the reference refuses it: {refusal}"
    theirs = mujoco.MjData(reference)
    random = np.random.default_rng(1)
    for _ in range(STEPS):
        theirs.ctrl[:] = random.uniform(-1.0, 1.0, reference.nu)
        mujoco.mj_step(reference, theirs)
    for body in range(1, min(reference.nbody, 3)):
        theirs.xfrc_applied[body] = random.uniform(-1.0, 1.0, 6)
    mujoco.mj_forward(reference, theirs)
    try:
        model = kinetree.MjModel._from_mujoco(reference) if adopt else kinetree.MjModel.from_xml_path(path)
    except Exception as refusal:  # noqa: BLE001
        return None, Side(mujoco, reference, theirs), str(refusal)
    sizes = [name for name in "nq nv nu na nbody neq nmocap".split() if getattr(model, name) != getattr(reference, name)]
    if sizes:
        return None, Side(mujoco, reference, theirs), f"compiled to another {' '.join(sizes)}"
    if not np.all(np.isfinite(theirs.qpos)):
        return None, Side(mujoco, reference, theirs), "the state of the reference is not finite"
    mine = kinetree.MjData(model)
    if adopt:
        mine._copy_from_mujoco(theirs)
    else:
        copy_state(mine, theirs)
        mine.xfrc_applied[:] = theirs.xfrc_applied
        mine.qacc_warmstart[:] = theirs.qacc_warmstart
        kinetree.mj_forward(model, mine)
    return Side(kinetree, model, mine), Side(mujoco, reference, theirs), ""


def show_everything(side):
    """All flags and groups on, something selected and pulled at."""
    option, perturb = side.option, side.perturb
    option.flags[:] = 1
    # of an actuator with dynamics but without activation the reference shows a number that lies outside of its array
    if np.any((side.model.actuator_dyntype != 0) & (side.model.actuator_actnum == 0)):
        option.flags[int(side.engine.mjtVisFlag.mjVIS_ACTIVATION)] = 0
    for name in "geom site joint tendon actuator flex skin".split():
        getattr(option, name + "group")[:] = 1
    perturb.select = side.model.nbody - 1
    perturb.active, perturb.active2 = 3, 1
    perturb.localpos = [0.1, -0.05, 0.2]
    perturb.refpos = perturb.refselpos = [0.3, 0.2, 0.1]
    perturb.refquat = [0.6, 0.0, 0.8, 0.0]


def scenes(sides):
    """Runs all variants: yields a name and the first difference."""
    for side in sides:
        side.engine.mjv_defaultFreeCamera(side.model, side.camera)
    for name, change in variants(sides[1].model):
        for side in sides:
            change(side)
            side.update()
        yield name, scene_difference(sides[0].scene, sides[1].scene)


def variants(model):
    """Names and what to change before each scene."""
    def set_option(name, value):
        return lambda side: setattr(side.option, name, value)

    def set_camera(kind, **ids):
        def change(side):
            side.camera.type = kind
            for name, value in ids.items():
                setattr(side.camera, name, value)
        return change

    yield "default", lambda side: None
    # the second picture has infinite planes under the camera
    yield "default", lambda side: None
    yield "all flags", show_everything
    for label in range(1, 17):
        yield f"label {label}", set_option("label", label)
    for frame in range(1, 8):
        yield f"frame {frame}", set_option("frame", frame)
    for depth in (0, 3):
        yield "trees", set_option("bvh_depth", depth)
    yield "no skin", lambda side: side.option.flags.__setitem__(27, 0)
    yield "cameras", set_camera(1, trackbodyid=min(1, model.nbody - 1))
    for camera in range(min(model.ncam, 3)):
        yield "cameras", set_camera(2, fixedcamid=camera)
    yield "cameras", set_camera(0)


def clicks(sides, count):
    """Random clicks: how many of how many agree, and the first difference."""
    random = np.random.default_rng(2)
    for side in sides:
        side.engine.mjv_defaultOption(side.option)
        side.engine.mjv_defaultFreeCamera(side.model, side.camera)
        side.update()
    agree, first = 0, None
    for _ in range(count):
        where = random.uniform(0.1, 0.9, 2)
        found = []
        for side in sides:
            point, geom, flex, skin = np.zeros(3), *(np.zeros(1, np.int32) for _ in range(3))
            body = side.engine.mjv_select(side.model, side.data, side.option, 4 / 3, *where, side.scene, point, geom, flex, skin)
            found.append((int(body), int(geom[0]), int(flex[0]), int(skin[0]), point))
        same = found[0][:4] == found[1][:4] and not differs(found[0][4], found[1][4])
        agree += same
        if not same and first is None:
            first = f"click {where}: {found[0]} instead of {found[1]}"
    return agree, first


def motions(sides):
    """Random mouse motions of cameras, perturbations and the model: the first difference."""
    random = np.random.default_rng(3)
    for side in sides:
        side.perturb.select = side.model.nbody - 1
        side.engine.mjv_initPerturb(side.model, side.data, side.scene, side.perturb)
    for action in (1, 2, 3, 4, 5, 6, 7):
        dx, dy = random.uniform(-0.3, 0.3, 2)
        for side in sides:
            engine, model, data, scene = side.engine, side.model, side.data, side.scene
            engine.mjv_moveCamera(model, action, dx, dy, scene, side.camera)
            engine.mjv_movePerturb(model, data, action, dx, dy, scene, side.perturb)
            engine.mjv_updateCamera(model, data, side.camera, scene)
            scene.enabletransform = 1
            engine.mjv_moveModel(model, action, dx, dy, [0.0, 0.0, 1.0], scene)
        mine, theirs = sides
        found = difference(mine.perturb, theirs.perturb, PERTURB, "perturb")
        found = found or difference(mine.camera, theirs.camera, ("lookat", "distance", "azimuth", "elevation"), "camera")
        found = found or difference(mine.scene, theirs.scene, ("translate", "rotate", "scale"), "scene")
        if found:
            return f"action {action}: {found}"
    return forces(sides)


def forces(sides):
    """Perturbation forces and poses: the first difference."""
    for active in (1, 2, 3):
        for side in sides:
            side.perturb.active = active
            side.engine.mjv_applyPerturbForce(side.model, side.data, side.perturb)
            side.engine.mjv_applyPerturbPose(side.model, side.data, side.perturb, 1)
        found = difference(sides[0].data, sides[1].data, ("xfrc_applied", "qpos", "mocap_pos", "mocap_quat"), "data")
        if found:
            return found
    return None


def compare(job):
    """Compares one model: its name and a dictionary of differences by variant."""
    path, adopt, click_count = job
    os.chdir(tempfile.gettempdir())  # the reference writes its warnings into the working folder
    row = {"path": path, "refused": None, "differences": {}, "variants": [], "clicks": [0, 0]}
    try:
        mine, theirs, refusal = load(path, adopt)
        if mine is None:
            row["refused"] = refusal.splitlines()[0] if refusal else "refused"
            return row
        sides = (mine, theirs)
        for name, found in scenes(sides):
            row["variants"].append(name)
            if found:
                row["differences"].setdefault(name, found)
        agree, first = clicks(sides, click_count)
        row["clicks"] = [agree, click_count]
        row["variants"] += ["clicks", "mouse"]
        moved = motions(sides)
        for name, found in (("clicks", first), ("mouse", moved)):
            if found:
                row["differences"][name] = found
    except Exception as problem:  # noqa: BLE001
        row["differences"]["exception"] = f"{type(problem).__name__}: {problem}"
    return row


def report(rows, limit):
    """Prints the table and what differs."""
    loaded = [row for row in rows if row["refused"] is None]
    kinds = collections.defaultdict(list)
    for row in loaded:
        for name in dict.fromkeys(row["variants"]):
            kinds[name].append(name not in row["differences"])
    print("| scene | models | agree | share |\n|---|---|---|---|")
    for name, verdicts in kinds.items():
        print(f"| {name} | {len(verdicts)} | {sum(verdicts)} | {100 * sum(verdicts) / len(verdicts):.1f} % |")
    whole = [not row["differences"] for row in loaded]
    print(f"| all | {len(loaded)} | {sum(whole)} | {100 * sum(whole) / max(1, len(loaded)):.1f} % |")
    agree, total = (sum(row["clicks"][k] for row in loaded) for k in (0, 1))
    print(f"\n{agree} of {total} random clicks select the same; {len(rows) - len(loaded)} models are refused, differ in size or have no finite state")
    different = [row for row in loaded if row["differences"]]
    for row in different[: limit or None]:
        name, text = next(iter(row["differences"].items()))
        print(f"{row['path']}: {len(row['differences'])} of {len(set(row['variants']))}: {name}: {' '.join(text.split())[:300]}")
    return sum(whole) / max(1, len(loaded))


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.scene", description=__doc__.splitlines()[0])
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")
    parser.add_argument("folders", nargs="*", default=[here], help="folders or files (default: models/)")
    parser.add_argument("--categories", default=",".join(CATEGORIES), help="categories of a manifest to run")
    parser.add_argument("--adopt", action="store_true", help="take compiled model and results of the reference")
    parser.add_argument("--sample", type=int, default=0, help="run only so many models, spread evenly")
    parser.add_argument("--clicks", type=int, default=10_000, help="random clicks in all")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failures", type=int, default=40, help="how many differing models to list (0: all)")
    parser.add_argument("--json", metavar="FILE", help="write all results to this file")
    parser.add_argument("--require", type=float, help="exit with an error below this share of agreeing models")
    arguments = parser.parse_args()
    paths = [p for folder in arguments.folders for p in models_in(os.path.abspath(folder), arguments.categories.split(","))]
    paths = sample(paths, arguments.sample)
    each = -(-arguments.clicks // max(1, len(paths)))
    jobs = [(path, arguments.adopt, each) for path in paths]
    rows = []
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, context) as pool:
        for row in pool.map(compare, jobs):
            rows.append(row)
            progress(len(rows), len(paths), row["path"])
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    share = report(rows, arguments.failures)
    if arguments.require is not None and share < arguments.require:
        sys.exit(f"only {100 * share:.1f} % of the models agree")


if __name__ == "__main__":
    main()
