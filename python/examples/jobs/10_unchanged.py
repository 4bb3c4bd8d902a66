"""Runs a program that was written for MuJoCo, as it is."""

import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
import mujoco
import numpy as np

model = mujoco.MjModel.from_xml_string('''<mujoco><option><flag energy="enable"/></option>
<worldbody><body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/></body></worldbody></mujoco>''')
data = mujoco.MjData(model)
energy, warnings = data.energy, data.warning.number
mujoco.mj_forward(model, data)
begin = energy.sum()
while data.time < 1:
    mujoco.mj_step(model, data)
mujoco.mj_forward(model, data)
print(f"MuJoCo {mujoco.__version__}: energy {begin:.4f} J and after a second {energy.sum():.4f} J, {warnings.sum()} warnings")
assert abs(energy.sum() - begin) < 0.05 and not warnings.any() and str(mujoco.mjtJoint.mjJNT_HINGE) == "mjtJoint.mjJNT_HINGE"
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "program.py"
    path.write_text(PROGRAM)
    subprocess.run([sys.executable, "-m", "kinetree.as_mujoco", str(path)], check=True)
