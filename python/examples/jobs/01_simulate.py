"""Simulates a humanoid that falls, and writes its trajectory as a table."""

import pathlib
import tempfile

import kinetree
import numpy as np

MODELS = pathlib.Path(__file__).parents[3] / "models" / "showcase"
model = kinetree.MjModel.from_xml_path(MODELS / "humanoid.xml")
data = kinetree.MjData(model)
rows = []
while data.time < 1.5:
    kinetree.mj_step(model, data)
    rows.append([data.time, *data.qpos])
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "fall.csv"
    np.savetxt(path, rows, delimiter=",", header="time," + ",".join(f"qpos{i}" for i in range(model.nq)))
    table = np.loadtxt(path, delimiter=",")
print(f"{len(table)} steps; the torso fell from {table[0, 3]:.2f} m to {table[-1, 3]:.2f} m")
assert table[-1, 3] < 0.6 * table[0, 3]
