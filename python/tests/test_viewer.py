"""Windows: what a program and a user see of each other. Needs a display, for which a virtual one will do."""

import os
import shutil
import subprocess
import sys

import kinetree
import kinetree.viewer
import pytest

XML = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><freejoint/>
<geom name="g" size="0.1" rgba="1 0 0 1"/></body></worldbody></mujoco>"""

PASSIVE = f"""
import mujoco, mujoco.viewer, numpy as np, time
model = mujoco.MjModel.from_xml_string('''{XML}''')
data = mujoco.MjData(model)
keys = []
with mujoco.viewer.launch_passive(model, data, key_callback=keys.append, show_left_ui=False) as viewer:
    viewer.cam.distance = 4.5
    with viewer.lock():
        viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
        mujoco.mjv_initGeom(viewer.user_scn.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.2), np.array([0, 0, 2.0]),
                            np.eye(3).ravel(), np.array([0, 1, 0, 1], np.float32))
        viewer.user_scn.ngeom = 1
    for step in range(100):
        assert viewer.is_running()
        mujoco.mj_step(model, data)
        viewer.sync()
        time.sleep(0.002)
    viewer.set_texts((None, mujoco.mjtGridPos.mjGRID_TOPRIGHT, "time", "%.2f" % data.time))
    viewer.set_images((mujoco.MjrRect(10, 10, 32, 24), np.zeros((24, 32, 3), np.uint8)))
    figure = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(figure)
    viewer.set_figures((mujoco.MjrRect(50, 10, 200, 100), figure))
    # the first picture takes a software renderer its time, and more where others use the processor, too
    for _ in range(600):
        time.sleep(0.1)
        viewer.sync()
        if viewer.viewport.width > 100:
            break
    assert viewer.viewport.width > 100, viewer.viewport
    assert abs(viewer.cam.distance - 4.5) < 1e-9
    try:
        mujoco.viewer.launch_passive(model, data)
    except mujoco.FatalError as error:
        assert "another viewer" in str(error)
    else:
        raise AssertionError("two windows")
assert not viewer.is_running()
viewer.sync()
# a second window after the first
viewer = mujoco.viewer.launch_passive(model, data)
viewer.sync()
assert viewer.is_running()
viewer.close()
print("done", round(data.time, 3))
"""

ACTIVE = f"""
import mujoco, mujoco.viewer
model = mujoco.MjModel.from_xml_string('''{XML}''')
data = mujoco.MjData(model)
calls = []
def control(m, d):
    calls.append(d.time)
    if d.time > 0.2:
        raise KeyboardInterrupt
mujoco.set_mjcb_control(control)
try:
    mujoco.viewer.launch(model, data)
except KeyboardInterrupt:
    pass
assert data.time > 0.19 and len(calls) > 50, (data.time, len(calls))
print("done")
"""


@pytest.fixture
def display(tmp_path):
    """The variables of a virtual display."""
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: Xvfb is not installed")
    try:
        kinetree.Renderer(kinetree.MjModel.from_xml_string(XML)).close()
    except kinetree.FatalError as error:
        pytest.skip(str(error))
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "900x600x24", "-noreset"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    number = server.stdout.readline().decode().strip()
    environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    yield {**environment, "DISPLAY": f":{number}", "XDG_RUNTIME_DIR": str(tmp_path)}
    server.terminate()
    server.wait()


@pytest.mark.parametrize(("script", "said"), [(PASSIVE, "done 0.2\n"), (ACTIVE, "done\n")], ids=["passive", "active"])
def test_scripts_of_the_reference(display, tmp_path, script, said):
    file = tmp_path / "script.py"
    file.write_text(script)
    command = [sys.executable, "-m", "kinetree.as_mujoco", str(file)]
    done = subprocess.run(command, env=display, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, said), done.stderr


GLFW = f"""
import ctypes, glfw, mujoco, numpy as np
model = mujoco.MjModel.from_xml_string('''{XML}''')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
# as Gymnasium's environments do one after the other, which unloads OpenGL in between
for turn in range(2):
    assert glfw.init()
    window = glfw.create_window(200, 150, "window", None, None)
    glfw.make_context_current(window)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_WINDOW, context)
    scene, camera = mujoco.MjvScene(model, 100), mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    viewport = mujoco.MjrRect(0, 0, *glfw.get_framebuffer_size(window))
    mujoco.mjr_render(viewport, scene, context)
    shown, drawn = np.zeros((2, viewport.height, viewport.width, 3), np.uint8)
    mujoco.mjr_readPixels(drawn, None, viewport, context)
    number, word = ctypes.c_int, ctypes.c_uint
    read = ctypes.CFUNCTYPE(None, number, number, number, number, word, word, ctypes.c_void_p)
    read = read(ctypes.cast(glfw.get_proc_address("glReadPixels"), ctypes.c_void_p).value)
    read(0, 0, viewport.width, viewport.height, 0x1907, 0x1401, shown.ctypes.data)
    assert drawn.max() > 50 and (shown == drawn).all(), (drawn.max(), np.abs(shown - drawn.astype(int)).max())
    glfw.destroy_window(window)
    glfw.terminate()
print("done")
"""


def test_windows_that_programs_make_with_glfw(display, tmp_path):
    pytest.importorskip("glfw")
    file = tmp_path / "script.py"
    file.write_text(GLFW)
    command = [sys.executable, "-m", "kinetree.as_mujoco", str(file)]
    done = subprocess.run(command, env=display, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


HUMAN = """
import ctypes, gymnasium, glfw, numpy as np
swap, seen = glfw.swap_buffers, []

def read_and_swap(window):
    number, word = ctypes.c_int, ctypes.c_uint
    width, height = glfw.get_framebuffer_size(window)
    read = ctypes.CFUNCTYPE(None, number, number, number, number, word, word, ctypes.c_void_p)
    pixels = np.zeros((height, width, 3), np.uint8)
    read(ctypes.cast(glfw.get_proc_address("glReadPixels"), ctypes.c_void_p).value)(0, 0, width, height, 0x1907, 0x1401, pixels.ctypes.data)
    seen.append(pixels.std())
    swap(window)

glfw.swap_buffers = read_and_swap
for turn in range(2):
    env = gymnasium.make("InvertedPendulum-v5", render_mode="human", width=200, height=150)
    env.reset(seed=0)
    env.step(env.action_space.sample())
    env.close()
assert len(seen) >= 4 and min(seen) > 20, seen
print("done")
"""


def test_environments_of_gymnasium_show_a_window(display, tmp_path):
    for name in ("gymnasium", "imageio", "glfw"):
        pytest.importorskip(name)
    file = tmp_path / "script.py"
    file.write_text(HUMAN)
    command = [sys.executable, "-m", "kinetree.as_mujoco", str(file)]
    done = subprocess.run(command, env=display, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_without_a_display(tmp_path):
    script = "import kinetree.viewer as v, kinetree as k\nm = k.MjModel.from_xml_string('<mujoco/>')\nv.launch_passive(m, k.MjData(m))"
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET")}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "cannot open a window" in done.stderr, done.stderr


LATER = f"""
import os, kinetree, kinetree.viewer
model = kinetree.MjModel.from_xml_string('''{XML}''')
data = kinetree.MjData(model)
for display in ("", ":64999"):
    there, os.environ["DISPLAY"] = os.environ["DISPLAY"], display
    try:
        kinetree.viewer.launch_passive(model, data)
        raise AssertionError("a window without a display")
    except kinetree.FatalError as error:
        assert "cannot open a window" in str(error), error
    os.environ["DISPLAY"] = there
viewer = kinetree.viewer.launch_passive(model, data)
assert viewer.is_running()
pid = os.fork()
if pid == 0:
    failed = 0
    for work in (viewer.sync, lambda: kinetree.viewer.launch_passive(model, data)):
        try:
            work()
        except kinetree.FatalError as error:
            failed += "forked" in str(error)
    viewer.close()
    del viewer
    os._exit(failed)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 2
assert viewer.is_running()
viewer.sync()
viewer.close()
print("done")
"""


def test_a_window_opens_after_a_first_failure(display):
    done = subprocess.run([sys.executable, "-c", LATER], env=display, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_arguments():
    model = kinetree.MjModel.from_xml_string(XML)
    data = kinetree.MjData(model)
    with pytest.raises(ValueError, match="not an MjModel"):
        kinetree.viewer.launch_passive(data, data)
    with pytest.raises(ValueError, match="not an MjData"):
        kinetree.viewer.launch_passive(model, model)
    with pytest.raises(ValueError, match="not callable"):
        kinetree.viewer.launch_passive(model, data, key_callback=3)
    with pytest.raises(ValueError, match="without a model"):
        kinetree.viewer.launch(None, data)
    with pytest.raises(ValueError, match="a model and a loader"):
        kinetree.viewer.launch(model, loader=lambda: (model, data))
