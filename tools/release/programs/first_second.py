"""A second of a falling humanoid with an installed package: prints versions, a hash of the last state, and the time from the first import on."""

import time

START = time.perf_counter()

import hashlib  # noqa: E402
import sys  # noqa: E402

import kinetree  # noqa: E402

model = kinetree.MjModel.from_xml_path(sys.argv[1])
data = kinetree.MjData(model)
while data.time < 1.0:
    data.ctrl[:] = 0.1
    kinetree.mj_step(model, data)
state = hashlib.sha256(data.qpos.tobytes() + data.qvel.tobytes()).hexdigest()[:16]
module = "AVX2" if "_x86_64_v3" in str(kinetree._core.__file__) else "any CPU"
print(f"kinetree {kinetree.__version__}, MuJoCo {kinetree.reference_version}, module for {module}")
print(f"state {state} after {time.perf_counter() - START:.2f} s")
