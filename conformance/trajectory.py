"""Steps models with the MuJoCo of this environment: reads paths from standard input, a line each, and writes a line of JSON for each.

Used by `conformance.migrate`, which runs it in two environments. It imports nothing but MuJoCo and NumPy.
"""

import json
import sys
import zlib

import mujoco
import numpy as np

STEPS = 50
# of the velocities that a trajectory begins with
SPEED = 0.1


def trajectory(model, seed):
    """Positions over the steps from the first keyframe, or the reference pose, with random velocities and controls."""
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    generator = np.random.default_rng(seed)
    data.qvel += SPEED * generator.standard_normal(model.nv)
    share = generator.random(model.nu)
    low, high = np.array(model.actuator_ctrlrange).reshape(-1, 2).T
    limited = np.array(model.actuator_ctrllimited).astype(bool)
    data.ctrl[:] = np.where(limited, low + share * (high - low), 2 * share - 1)
    rows = []
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        rows.append(data.qpos.tolist())
    return rows


def main():
    """Answers until the input ends."""
    mujoco.set_mju_user_warning(lambda text: None)
    print(json.dumps(mujoco.__version__), flush=True)
    for line in sys.stdin:
        path, seed = json.loads(line)
        try:
            model = mujoco.MjModel.from_xml_path(path)
            answer = {"qpos": trajectory(model, zlib.crc32(seed.encode()))}
        except Exception as problem:  # noqa: BLE001 - whatever it raises is an answer
            answer = {"error": str(problem).strip().splitlines()[0][:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
