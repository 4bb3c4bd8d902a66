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


BAD_STATE = """
import mujoco, numpy as np
model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
data = mujoco.MjData(model)
for bad in (np.nan, np.inf, 1e15):
    data.qpos[0] = bad
    mujoco.mj_step(model, data)
    warning = data.warning[mujoco.mjtWarning.mjWARN_BADQPOS]
    print(warning.number, warning.lastinfo, np.isfinite(data.qpos).all())
"""


def test_bad_states_raise_warnings(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(BAD_STATE)
    said = [subprocess.run([sys.executable, *how, str(script)], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
            for how in (["-m", "kinetree.as_mujoco"], [])]
    # the reference writes its warnings where results are, too
    found = [[line for line in text.splitlines() if line and not line.startswith("WARNING")] for text in said]
    assert found[0] == found[1] == ["1 0 True"] * 3
