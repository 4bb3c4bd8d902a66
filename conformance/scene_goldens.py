"""`python -m conformance.scene_goldens`: writes scenes of the reference that `cargo test` compares with.

The file is text. A line `case model steps label frame everything` starts a scene of a model under `models/` after so many steps, with
default options or with all flags and groups on; lines `geom`, `light` and `camera` follow, fields in the order of the structs.
"""

import os

import mujoco
import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TARGET = os.path.join(ROOT, "crates", "render", "tests", "golden", "scenes.txt")
LABEL, FRAME = mujoco.mjtLabel, mujoco.mjtFrame
CASES = [
    ("showcase/humanoid.xml", 40, 0, 0, False),
    ("showcase/humanoid.xml", 40, LABEL.mjLABEL_JOINT, FRAME.mjFRAME_BODY, True),
    ("tendons.xml", 20, LABEL.mjLABEL_TENDON, FRAME.mjFRAME_SITE, True),
    ("convex_contacts.xml", 30, LABEL.mjLABEL_CONTACTFORCE, FRAME.mjFRAME_CONTACT, True),
    ("cameras_lights.xml", 10, LABEL.mjLABEL_CAMERA, FRAME.mjFRAME_LIGHT, True),
    ("actuators.xml", 10, LABEL.mjLABEL_ACTUATOR, FRAME.mjFRAME_GEOM, True),
    ("equality.xml", 10, LABEL.mjLABEL_CONSTRAINT, FRAME.mjFRAME_WORLD, True),
    ("sensors.xml", 10, LABEL.mjLABEL_SELPNT, FRAME.mjFRAME_CAMERA, True),
    ("sleep.xml", 10, LABEL.mjLABEL_ISLAND, 0, True),
    ("skin.xml", 10, LABEL.mjLABEL_SKIN, 0, True),
    ("materials.xml", 5, LABEL.mjLABEL_GEOM, 0, False),
]
GEOM = ("type dataid objtype objid category matid texcoord segid size pos mat rgba emission specular shininess reflectance "
        "modelrbound").split()
LIGHT = "id pos dir type texid attenuation cutoff exponent ambient diffuse specular headlight castshadow".split()
CAMERA = "pos forward up frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far orthographic".split()


def line(word, struct, names, label=None):
    """All numbers of a struct in one line, and its label at the end."""
    numbers = np.concatenate([np.asarray(getattr(struct, name), float).ravel() for name in names])
    text = " ".join(f"{x:.9g}" for x in numbers)
    return f"{word} {text}" + (f" | {label}" if label else "")


def scene(path, steps, label, frame, everything):
    """The lines of one case."""
    model = mujoco.MjModel.from_xml_path(os.path.join(ROOT, "models", path))
    data = mujoco.MjData(model)
    for _ in range(steps):
        mujoco.mj_step(model, data)
    option, perturb, camera = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera()
    option.label, option.frame = int(label), int(frame)
    if everything:
        option.flags[:] = 1
        for name in "geom site joint tendon actuator flex skin".split():
            getattr(option, name + "group")[:] = 1
        perturb.select, perturb.active = model.nbody - 1, 3
        perturb.localpos, perturb.refselpos = [0.1, -0.05, 0.2], [0.3, 0.2, 0.1]
    mujoco.mjv_defaultFreeCamera(model, camera)
    picture = mujoco.MjvScene(model, 2000)
    for _ in range(2):
        mujoco.mjv_updateScene(model, data, option, perturb, camera, 7, picture)
    lines = [f"case {path} {steps} {int(label)} {int(frame)} {int(everything)}"]
    lines += [line("geom", g, GEOM, g.label) for g in picture.geoms[: picture.ngeom]]
    lines += [line("light", light, LIGHT) for light in picture.lights[: picture.nlight]]
    return lines + [line("camera", c, CAMERA) for c in picture.camera]


def main():
    """Command line."""
    lines = [text for case in CASES for text in scene(*case)]
    os.makedirs(os.path.dirname(TARGET), exist_ok=True)
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"{len(CASES)} scenes, {len(lines)} lines")


if __name__ == "__main__":
    main()
