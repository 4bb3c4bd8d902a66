"""What sizes a loop, a pool or memory is checked before anything is made."""

import os

import kinetree
import numpy as np
import pytest
from alone import ARM, run
from kinetree import grad, ik, rollout
from kinetree.batch import BatchSim


def test_too_many_threads(model):
    for make in (lambda n: BatchSim(model, 4, nthread=n), lambda n: rollout.Rollout(nthread=n), lambda n: grad.Step(model, threads=n)):
        for count in (10**5, 2**31):
            with pytest.raises(ValueError, match="1024"):
                make(count)
    chain = ik.Chain(model, "world", "hand")
    with pytest.raises(ValueError, match="1024"):
        ik.Solver(chain).solve_batch(np.zeros((2, 3)), np.tile([1.0, 0, 0, 0], (2, 1)), threads=2**31)


def test_priorities_are_only_compared(model):
    configuration = ik.Configuration(model)
    far = ik.FrameTask("hand", "site", 1.0, 0.0, priority=2**40)
    near = ik.PostureTask(model, 1e-3, priority=7)
    for task in (far, near):
        task.set_target_from_configuration(configuration)
    last, first = (ik.FrameTask("hand", "site", 1.0, 0.0, priority=1), ik.PostureTask(model, 1e-3, priority=0))
    for task in (last, first):
        task.set_target_from_configuration(configuration)
    assert np.array_equal(ik.solve_ik(configuration, [far, near], 0.1), ik.solve_ik(configuration, [last, first], 0.1))


def test_more_worlds_than_memory(model):
    with pytest.raises(MemoryError, match="worlds"):
        BatchSim(model, 10**12)


@pytest.mark.skipif(os.name != "posix", reason="memory limits are those of posix")
def test_outputs_that_do_not_fit():
    assert run("""
import resource
from kinetree import grad, ik
from kinetree.batch import BatchSim
m = kinetree.MjModel.from_xml_string(ARM)
d, chain = kinetree.MjData(m), ik.Chain(m, "world", "hand")
BatchSim(m, 8).step()
big = np.zeros(60_000_000)
q, controls = big.reshape(-1, 2), big[:40_000_000].reshape(-1, 2)
gradients = big[:40_000_000].reshape(-1, 2)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 200_000_000, -1))
out = big[:30_000_000]
works = {"sum": lambda: kinetree.mju_sum(big), "fill": lambda: kinetree.mju_fill(big, 1.0), "copy": lambda: kinetree.mju_copy(big, big),
         "fk": lambda: chain.fk(q), "jacobian": lambda: chain.jacobian(q), "worlds": lambda: BatchSim(m, 7_000_000),
         "vjp": lambda: grad.rollout_vjp(m, d, controls, big[:80_000_000 // 2].reshape(-1, 4)[:20_000_000])}
for name, work in works.items():
    try:
        work()
        print(name, "went through")
    except MemoryError:
        pass
print("done")
""", ARM=ARM) == "done\n"


@pytest.mark.skipif(os.name != "posix", reason="memory limits are those of posix")
@pytest.mark.parametrize("margin", [100, 400])
@pytest.mark.parametrize("name", ["replicates", "data", "copies", "texture", "scene", "flex", "models"])
def test_requests_that_do_not_fit(name, margin):
    assert run("""
import copy, resource
m = kinetree.MjModel.from_xml_string(ARM)
d = kinetree.MjData(m)
levels = "<replicate count='80' offset='1 0 0'>" * 3 + "<geom size='.1'/>" + "</replicate>" * 3
grid = "<flexcomp name='f' type='grid' count='200 200 100' spacing='.1 .1 .1' radius='.01' mass='1'/>"
picture = "<texture name='t' type='2d' builtin='flat' width='20000' height='20000'/>"
model = "<mujoco><asset>{}</asset><worldbody>{}</worldbody></mujoco>".format
works = {"replicates": lambda: kinetree.MjModel.from_xml_string(model("", levels)),
         "data": lambda: [kinetree.MjData(m) for _ in range(10**6)], "copies": lambda: [copy.copy(d) for _ in range(10**6)],
         "texture": lambda: kinetree.MjModel.from_xml_string(model(picture, "")), "scene": lambda: kinetree.MjvScene(m, 2**26),
         "flex": lambda: kinetree.MjModel.from_xml_string(model("", grid)), "models": lambda: [copy.copy(m) for _ in range(10**6)]}
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + margin * 2**20, -1))
try:
    works[name]()
    print("went through")
except MemoryError:
    pass
# the process goes on
kinetree.mj_step(m, kinetree.MjData(m))
print("done")
""".replace("margin", str(margin)), ARM=ARM, name=name) == "done\n"


def test_numbers_that_are_no_sizes(model):
    for count in (-1, 0):
        with pytest.raises(ValueError, match="frame_skip"):
            BatchSim(model, 4, frame_skip=count)
    with pytest.raises(ValueError, match="too large"):
        kinetree.BatchRenderer(model, 2**40, 64)
