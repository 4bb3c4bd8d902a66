"""Code that imports `mujoco` runs on this package."""

import subprocess
import sys

SCRIPT = """
import mujoco, sys
from mujoco import rollout, minimize
import mujoco.rollout
assert mujoco.__name__ == "mujoco" and mujoco.MjModel.__module__ == "kinetree.structs", mujoco
assert mujoco.__version__ == mujoco.mj_versionString() == "3.8.0" and mujoco.mj_version() == 3_008_000
assert mujoco.rollout is rollout and mujoco.gl_context.GLContext is mujoco.GLContext
model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
print(data.time, sys.argv[1:])
"""


def test_script_and_import(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "kinetree.as_mujoco", str(script), "argument"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "0.002 ['argument']\n"
    script.write_text("import kinetree.as_mujoco\n" + SCRIPT)
    assert subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout == "0.002 []\n"
