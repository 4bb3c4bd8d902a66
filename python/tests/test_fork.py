"""Children of a fork: thread pools are made anew, graphics devices and windows are refused."""

import os

import pytest
from alone import ARM, run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

CHILD = """
def in_child(work):
    # the result of `work` in a child of this process
    import pickle, tempfile
    file = tempfile.TemporaryFile()
    pid = os.fork()
    if pid == 0:
        try:
            result = work()
        except BaseException as error:
            result = f"{type(error).__name__}: {error}"
        pickle.dump(result, file)
        file.flush()
        os._exit(0)
    deadline = time.monotonic() + 20
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            raise TimeoutError("the child hangs")
        time.sleep(0.005)
    file.seek(0)
    return pickle.load(file)
"""


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_batches(threads):
    assert run(CHILD + """
from kinetree.batch import BatchSim
m = kinetree.MjModel.from_xml_string(ARM)
def make():
    batch = BatchSim(m, 64, nthread=threads)
    batch.ctrl = np.linspace(-1, 1, 128).reshape(64, 2)
    return batch
batch, twin = make(), make()
batch.step(3)
twin.step(5)
def on():
    batch.step(2)
    fresh = make()
    fresh.step(5)
    return batch.qpos.tolist(), fresh.qpos.tolist(), in_child(lambda: (batch.step(), batch.reset(), batch.step(5), batch.qpos.tolist())[-1])
expected = twin.qpos.tolist()
found = in_child(on)
assert found[:2] == (expected, expected), found
assert np.shape(found[2]) == (64, 2), found[2]
# the parent goes on
batch.step(2)
assert batch.qpos.tolist() == expected
print("done")
""", ARM=ARM, threads=threads) == "done\n"


def test_rollouts_chains_and_gradients():
    assert run(CHILD + """
from kinetree import ik, rollout, grad
m = kinetree.MjModel.from_xml_string(ARM)
datas = [kinetree.MjData(m) for _ in range(3)]
states = np.zeros((24, 1 + m.nq + m.nv))
control = np.linspace(-1, 1, 24 * 10 * 2).reshape(24, 10, 2)
pool = rollout.Rollout(nthread=3)
step = grad.Step(m, threads=2)
chain = ik.Chain(m, "world", "hand")
solver = ik.Solver(chain)
q = np.linspace(-1, 1, 2000).reshape(1000, 2)
pos, quat = chain.fk(q)
def work():
    states_, _ = pool.rollout(m, datas, states, control)
    persistent, _ = rollout.rollout(m, datas, states, control, persistent_pool=True)
    forward = step.forward(np.zeros((8, 4)), np.ones((8, 2)))
    solved = solver.solve_batch(pos[:100], quat[:100]).converged
    return states_.tolist(), persistent.tolist(), forward.tolist(), chain.fk(q)[0].tolist(), chain.jacobian(q).tolist(), solved.tolist()
here = work()
assert in_child(work) == here
assert work() == here
print("done")
""", ARM=ARM) == "done\n"


def test_deformable_bodies():
    assert run(CHILD + """
from kinetree import soft
m = kinetree.MjModel.from_xml_string("<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>")
def make():
    world = soft.SoftWorld()
    world.add(soft.Cloth.grid((24, 24), (1, 1), pos=(0, 0, 0.1)))
    return world, kinetree.MjData(m)
world, d = make()
world.step(m, d, 3)
def on():
    world.step(m, d, 2)
    fresh, data = make()
    fresh.step(m, data, 5)
    return world[0].position.tolist(), fresh[0].position.tolist()
first, second = in_child(on)
assert first == second
world.step(m, d, 2)
assert world[0].position.tolist() == first
print("done")
""") == "done\n"


def test_multiprocessing():
    assert run("""
import multiprocessing
from kinetree.batch import BatchSim
m = kinetree.MjModel.from_xml_string(ARM)
batch = BatchSim(m, 32)
batch.step()
def work(seed):
    own = BatchSim(m, 32, reset_noise=0.1, seed=seed)
    own.step(10)
    batch.step(10)
    return own.qpos.tolist()
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map_async(work, range(4)).get(timeout=30)
assert found == [work(seed) for seed in range(4)]
print("done")
""", ARM=ARM) == "done\n"


def test_renderers_are_refused_and_dropped():
    assert run(CHILD + """
m = kinetree.MjModel.from_xml_string(ARM)
d = kinetree.MjData(m)
kinetree.mj_forward(m, d)
renderer = kinetree.Renderer(m, 24, 32)
renderer.update_scene(d)
before = renderer.render()
def use():
    global renderer
    texts = []
    for work in (renderer.render, lambda: kinetree.Renderer(m, 24, 32), lambda: kinetree.BatchRenderer(m).render([d])):
        try:
            work()
            texts.append("nothing raised")
        except kinetree.FatalError as error:
            texts.append(str(error))
    renderer = None
    gc.collect()
    return texts
texts = in_child(use)
assert len(texts) == 3 and all("forked" in text for text in texts), texts
assert np.array_equal(renderer.render(), before)
print("done")
""", ARM=ARM) == "done\n"


def test_a_child_may_draw_when_its_parent_has_not():
    assert run(CHILD + """
m = kinetree.MjModel.from_xml_string(ARM)
d = kinetree.MjData(m)
kinetree.mj_forward(m, d)
def draw():
    renderer = kinetree.Renderer(m, 24, 32)
    renderer.update_scene(d)
    return renderer.render().shape
assert in_child(draw) == (24, 32, 3)
print("done")
""", ARM=ARM) == "done\n"


def test_gpu_simulators_are_refused_and_dropped():
    out = run(CHILD + """
from kinetree.gpu import GpuSim
from kinetree.batch import BatchSim
m = kinetree.MjModel.from_xml_string(ARM)
try:
    sim = GpuSim(m, 4)
except RuntimeError as error:
    print("no adapter", error)
    sys.exit()
batch = BatchSim(m, 4, device="gpu")
sim.step()
batch.step()
table = batch.qpos
def use():
    global sim, batch, table
    texts = []
    for work in (sim.step, lambda: sim.adapter, lambda: GpuSim(m, 4), batch.step, batch.reset, lambda: batch.errors):
        try:
            work()
            texts.append("nothing raised")
        except kinetree.FatalError as error:
            texts.append(str(error))
    sim = batch = table = None
    gc.collect()
    return texts
texts = in_child(use)
assert len(texts) == 6 and all("forked" in text for text in texts), texts
sim.step()
batch.step()
print("done")
""", ARM=ARM, timeout=300)
    assert out == "done\n" or out.startswith("no adapter")
