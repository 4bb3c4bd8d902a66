"""Ctrl-C ends every long call within half a second, and stays what it is inside of Python code that the engine calls."""

import os

import pytest
from alone import ARM, BALLS, run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent to a process")

# however fast the machine is: work that is over before Ctrl-C comes is made four times as large and done again
CTRL_C = """
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupted(work, size=1, after=0.4):
    # how long work(size) takes to end after Ctrl-C (s)
    while True:
        sent = []
        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(after, send)
        try:
            timer.start()
            work(size)
            timer.cancel()
            # a signal that was sent at the very end
            timer.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            return time.monotonic() - sent[0]
        size *= 4
def soon(work, size=1, after=0.4):
    late = interrupted(work, size, after)
    assert late < 0.5, late
"""

# on a machine that is busy, too: how long a call computes without looking for signals, in its own time of the processor
LOOKS = """
def longest(work):
    looks = [time.thread_time()]
    signal.signal(signal.SIGPROF, lambda *_: looks.append(time.thread_time()))
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
    work()
    signal.setitimer(signal.ITIMER_PROF, 0)
    looks.append(time.thread_time())
    return max(after - before for before, after in zip(looks, looks[1:]))
"""


def test_soft_steps_of_many_substeps():
    assert run(CTRL_C + """
from kinetree import soft
m = kinetree.MjModel.from_xml_string(
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 .3'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
for attached in (False, True):
    d = kinetree.MjData(m)
    kinetree.mj_forward(m, d)
    def step(substeps):
        global world, before
        world = soft.SoftWorld()
        body = world.add(soft.Cloth.grid((20, 20), (1, 1), pos=(0, 0, 0.5)), substeps=substeps)
        if attached:
            body.attach_to_body(m, d, 0, 1)
        before = world.state(m, d)
        world.step(m, d)
    soon(step, 20_000)
    # the step was not made
    assert np.array_equal(world.state(m, d), before)
print("done")
""") == "done\n"


def test_many_targets():
    assert run(CTRL_C + """
from kinetree import ik
m = kinetree.MjModel.from_xml_string(ARM)
solver = ik.Solver(ik.Chain(m, "world", "hand"), max_restarts=100_000, max_iterations=20_000)
# out of reach
far, level = np.array([9.0, 9, 9]), np.array([1.0, 0, 0, 0])
for threads in (0, 1, 2):
    soon(lambda n: solver.solve_batch(np.tile(far, (n, 1)), np.tile(level, (n, 1)), threads=threads), 5_000)
pos, quat = np.tile(far, (300, 1)), np.tile(level, (300, 1))
found = solver.solve_batch(pos[:300], quat[:300], seeds=np.zeros((300, 2)))
assert found.q.shape == (300, 2) and not found.converged.any()
print("done")
""", ARM=ARM) == "done\n"


def test_targets_that_are_tried_for_ever():
    assert run(CTRL_C + """
from kinetree import ik
m = kinetree.MjModel.from_xml_string(ARM)
solver = ik.Solver(ik.Chain(m, "world", "hand"), max_restarts=10**12, max_iterations=10**12)
# within reach, but turned about an axis that no joint has
pos, quat = np.array([0.3, 0, 0.2]), np.array([0.8, 0.6, 0, 0])
soon(lambda n: solver.solve(pos, quat))
soon(lambda n: solver.solve(pos, quat, mode="nearest"))
soon(lambda n: solver.solve_all(pos, quat, count=5))
for threads in (0, 1, 2):
    soon(lambda n: solver.solve_batch(np.tile(pos, (3, 1)), np.tile(quat, (3, 1)), threads=threads))
# a handler that uses the same solver gets an exception, and others wait for their turn
told = []
def handler(*_):
    try:
        solver.solve(pos)
    except kinetree.FatalError as error:
        told.append(str(error))
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, handler)
soon(lambda n: solver.solve(pos, quat))
assert "in use" in told[0], told
assert solver.solve(np.array([0.3, 0, 0.2])).converged
print("done")
""", ARM=ARM) == "done\n"


def test_whole_bodies():
    assert run(CTRL_C + """
from kinetree import ik
links = 60
xml = "".join(f"<body name='b{i}' pos='.1 0 0'><joint axis='0 {i % 2} {1 - i % 2}'/><geom size='.02'/>" for i in range(links)) + "</body>" * links
m = kinetree.MjModel.from_xml_string(f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
rng = np.random.default_rng(1)
def solve(n):
    # one call that begins again and again would end by itself each time
    for _ in range(n):
        configuration = ik.Configuration(m)
        tasks = [ik.FrameTask(f"b{i}", "body", 1.0, 1.0) for i in range(5, links, 5)]
        for task in tasks:
            task.set_target(rng.normal(size=3), np.array([1.0, 0, 0, 0]))
        ik.solve_global(configuration, tasks, max_iterations=10**9, error_tolerance=0.0)
soon(solve)
print("done")
""") == "done\n"


def test_gradients_along_trajectories():
    assert run(CTRL_C + """
from kinetree import grad
m = kinetree.MjModel.from_xml_string(ARM)
d = kinetree.MjData(m)
def gradient(n):
    kinetree.mj_resetData(m, d)
    return grad.rollout_vjp(m, d, np.zeros((n, 2)), np.ones((n, 4)))
# as many steps as take some two seconds on this machine: one Ctrl-C comes on the way there, one on the way back
n, took = 1_000, 0.0
while took < 2:
    n *= 2
    begun = time.monotonic()
    gradient(n)
    took = time.monotonic() - begun
for share in (0.1, 0.8):
    soon(gradient, n, share * took)
    assert np.isfinite(d.qpos).all()
print("done")
""", ARM=ARM, timeout=120) == "done\n"


def test_plans():
    assert run(CTRL_C + """
from kinetree import control
m = kinetree.MjModel.from_xml_string(ARM)
d = kinetree.MjData(m)
cost = control.QuadraticCost(qpos=[1, 1], running=np.ones(4), control=np.ones(2))
for planner in ("predictive_sampling", "cem", "mppi"):
    # a controller that nobody has any more ends its planner, too
    soon(lambda n: control.Mpc(m, 50, cost, planner=planner, iterations=2**31).replan(d))
    soon(lambda n: getattr(control, planner)(m, d, 50, cost, iterations=2**31))
print("done")
""", ARM=ARM) == "done\n"


def test_many_pictures():
    assert run(CTRL_C + """
m = kinetree.MjModel.from_xml_string(ARM)
d = kinetree.MjData(m)
kinetree.mj_forward(m, d)
renderer = kinetree.BatchRenderer(m, 100, 100, cameras=(-1,) * 50)
few = kinetree.BatchRenderer(m, 100, 100)
one = few.render([d])
# kernels are compiled
renderer.render([d])
soon(lambda n: renderer.render([d] * n), 50)
assert np.array_equal(few.render([d]), one)
# pieces are put together in order
many = few.render([d] * 70)
assert many.shape == (70, 1, 100, 100, 3) and (many == one).all()
print("done")
""", ARM=ARM) == "done\n"


def test_one_large_picture():
    assert run(CTRL_C + """
m = kinetree.MjModel.from_xml_string(ARM)
m.vis.global_.offwidth = m.vis.global_.offheight = 4000
d = kinetree.MjData(m)
kinetree.mj_forward(m, d)
renderer = kinetree.Renderer(m, 4000, 4000)
renderer.update_scene(d)
context, area = kinetree.MjrContext(m), kinetree.MjrRect(0, 0, 4000, 4000)
pixels = np.zeros((4000, 4000, 3), np.uint8)
def show(n):
    for _ in range(n):
        kinetree.mjr_render(area, renderer.scene, context)
        kinetree.mjr_readPixels(pixels, None, area, context)
for work in (lambda n: [renderer.render() for _ in range(n)], show):
    soon(work, 1, 0.2)
# what is asked next waits for the picture that was left
one = renderer.render()
assert one.any() and np.array_equal(renderer.render(), one)
show(1)
assert np.array_equal(pixels[::-1], one)
# a handler that draws gets its picture
def handler(*_):
    drawn.append(renderer.render())
    raise KeyboardInterrupt
drawn = []
signal.signal(signal.SIGINT, handler)
interrupted(lambda n: [renderer.render() for _ in range(n)], 1, 0.2)
assert np.array_equal(drawn[0], one)
print("done")
""", ARM=ARM, timeout=200) == "done\n"


def test_batches_and_environments():
    assert run(CTRL_C + """
from kinetree.batch import BatchSim
m = kinetree.MjModel.from_xml_string(ARM)
batch = BatchSim(m, 256)
soon(lambda n: batch.step(10**9))
batch = BatchSim(m, 256, frame_skip=10**9)
soon(lambda n: batch.step())
print("done")
""", ARM=ARM) == "done\n"


ENDLESS = """
def endless(kind):
    # a model with contacts whose solver has more iterations to make than there is time for
    m = kinetree.MjModel.from_xml_string(BALLS)
    m.opt.tolerance = m.opt.noslip_tolerance = -1
    if kind == "noslip":
        m.opt.noslip_iterations = 2**31 - 1
    else:
        m.opt.solver, m.opt.iterations = kind, 2**31 - 1
    return m
"""


def test_solvers_that_go_on_for_ever():
    assert run(CTRL_C + ENDLESS + """
for kind in (0, "noslip"):
    m = endless(kind)
    d = kinetree.MjData(m)
    # the balls touch the floor, and roll
    d.qvel[:] = 0.1
    for work in (lambda n: kinetree.mj_step(m, d), lambda n: kinetree.mj_forward(m, d), lambda n: kinetree.mj_step(m, d, 3)):
        soon(work)
        assert np.isfinite(d.qpos).all() and np.isfinite(d.qacc).all()
    m.opt.iterations, m.opt.noslip_iterations = 5, 0
    kinetree.mj_step(m, d)
    assert d.ncon == 2
print("done")
""", BALLS=BALLS) == "done\n"


def test_worlds_whose_solver_goes_on_for_ever():
    assert run(CTRL_C + ENDLESS + """
from kinetree import rollout
from kinetree.batch import BatchSim
m = endless(0)
for threads in (0, 1, 2):
    batch = BatchSim(m, 6, nthread=threads)
    for work in (lambda n: batch.step(), lambda n: batch.forward()):
        soon(work)
d = [kinetree.MjData(m) for _ in range(2)]
state = np.zeros((4, 1 + m.nq + m.nv))
state[:, 1:1 + m.nq] = d[0].qpos
for threads in (0, 2):
    soon(lambda n: rollout.Rollout(nthread=threads).rollout(m, d[:max(threads, 1)], state, nstep=2))
m.opt.iterations = 5
batch = BatchSim(m, 6)
batch.step()
kinetree.mj_step(m, d[0])
print("done")
""", BALLS=BALLS) == "done\n"


def test_models_that_are_compiled():
    # sizes that take about a second, and a hull that takes longer
    assert run("""
signal.signal(signal.SIGINT, signal.default_int_handler)
bodies = "<replicate count='16000' offset='1 0 0'><body><freejoint/><geom size='.1'/></body></replicate>"
points = np.random.default_rng(1).normal(size=(80_000, 3))
points /= np.linalg.norm(points, axis=1)[:, None]
mesh = "<mesh name='m' vertex='%s'/>" % " ".join(map("{:.6f}".format, points.ravel()))
grid = "<flexcomp name='f' type='grid' dim='2' count='200 40 1' spacing='.1 .1 .1' radius='.01' mass='1'/>"
picture = "<texture name='t' type='2d' builtin='flat' mark='random' random='.5' width='8000' height='4000'/>"
model = "<mujoco><compiler usethread='{}'/><asset>{}</asset><worldbody>{}</worldbody></mujoco>".format
kinds = {"bodies": ("", bodies), "hull": (mesh, "<body><geom type='mesh' mesh='m'/></body>"), "grid": ("", grid), "texture": (picture, "")}
for threads in ("true", "false"):
    for kind, parts in kinds.items():
        text = model(threads, *parts)
        begun = time.monotonic()
        kinetree.MjModel.from_xml_string(text)
        whole = time.monotonic() - begun
        # Ctrl-C comes early, in the middle and late, however long it takes on this machine
        for share in (0.2, 0.5, 0.8):
            sent = []
            def send():
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)
            timer = threading.Timer(share * whole, send)
            try:
                timer.start()
                kinetree.MjModel.from_xml_string(text)
                timer.join()
                time.sleep(0.01)
            except KeyboardInterrupt:
                late = time.monotonic() - sent[0]
                assert late < 0.5, (kind, threads, share, whole, late)
# nothing is left behind
kinetree.MjModel.from_xml_string("<mujoco/>")
print("done")
""", timeout=120) == "done\n"


def test_the_largest_models_that_are_compiled():
    # less than half a second: machines differ
    assert run(LOOKS + """
text = "<mujoco><worldbody><replicate count='64000' offset='1 0 0'><body><freejoint/><geom size='.1'/></body></replicate></worldbody></mujoco>"
spec = kinetree.MjSpec.from_string(text)
for work in (spec.compile, lambda: kinetree.MjModel.from_xml_string(text)):
    late = longest(work)
    assert late < 0.4, late
print("done")
""", timeout=120) == "done\n"


def test_identification_from_many_sensors():
    assert run(LOOKS + """
from kinetree import sysid
sensors = "<jointpos joint='j'/>" * 400
m = kinetree.MjModel.from_xml_string(
    f"<mujoco><worldbody><body><joint name='j'/><geom name='g' size='.1' pos='.1 0 0'/></body></worldbody><sensor>{sensors}</sensor></mujoco>")
steps = 2000
measured = np.random.default_rng(1).normal(size=(steps, 400))
recording = sysid.Recording((m.qpos0, np.zeros(1)), np.zeros((steps, 0)), sensordata=measured)
found = []
late = longest(lambda: found.append(sysid.identify(m, [sysid.Parameter("damping", "j", 0.1)], recording, iterations=0)))
assert late < 0.25, late
# the noise is that of the residuals
assert np.allclose(found[0].noise[0], measured.std(axis=0), rtol=0.1)
print("done")
""", timeout=120) == "done\n"


def test_gpu_steps():
    out = run(CTRL_C + """
from kinetree.gpu import GpuSim
m = kinetree.MjModel.from_xml_string(ARM)
try:
    sim = GpuSim(m, 64)
except RuntimeError as error:
    print("no adapter", error)
    sys.exit()
sim.ctrl = 1.0
# some drivers compile kernels when they run first, which nothing ends
sim.step()
soon(lambda n: sim.step(n), 1, 0.3)
sim.step(3)
qpos = sim.qpos
soon(lambda n: sim.step(10**9), 1, 1.0)
# what is seen is what the device has
there = sim._core.states().reshape(64, -1)[:, :2]
assert np.array_equal(sim.qpos, there) and np.array_equal(qpos, there) and np.isfinite(there).all()
sim.step()
assert not np.array_equal(sim.qpos, there)
print("done")
""", ARM=ARM, timeout=300)
    assert out == "done\n" or out.startswith("no adapter")


def test_large_gpu_steps():
    out = run(CTRL_C + """
from kinetree.gpu import GpuSim
m = kinetree.MjModel.from_xml_string(ARM)
def make(worlds):
    sim = GpuSim(m, worlds)
    sim.ctrl = 1.0
    sim.step()
    return sim
try:
    sim = make(64)
except RuntimeError as error:
    print("no adapter", error)
    sys.exit()
# as many worlds as one step takes a second for, or as the device has room for
worlds, took = 64, 0.0
while took < 1 and worlds < 500_000:
    try:
        sim = make(worlds * 8)
    except ValueError as error:
        assert "use fewer worlds" in str(error), error
        break
    worlds *= 8
    begun = time.monotonic()
    sim.step()
    took = time.monotonic() - begun
kept, made = sim.qpos, 2
def step(_):
    global made
    made += 1
    sim.step()
if took > 0.1:
    late = interrupted(step, 1, 0.3 * took)
    assert late < 0.5, late
# what was begun is finished by who asks for it, and what is kept shows it
other = make(worlds)
other.step(made - 1)
assert np.array_equal(sim.qpos, other.qpos) and np.array_equal(kept, other.qpos)
assert sim.failed is None and not sim.terminated.any()
# what is written to kept parts meanwhile counts
if took > 0.1:
    interrupted(lambda n: sim.step(), 1, 0.3 * took)
    kept[0] = 0.5
    assert (sim.qpos[0] == 0.5).all() and (sim.qpos[1] != 0.5).all()
    sim.step()
    assert np.isfinite(sim.qpos).all()
print("done")
""", ARM=ARM, timeout=300)
    assert out == "done\n" or out.startswith("no adapter")


def test_kernels_that_are_compiled():
    out = run(CTRL_C + """
from kinetree.gpu import GpuSim
bodies = "".join(f"<body pos='{i % 9} {i // 9} 1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for i in range(20))
m = kinetree.MjModel.from_xml_string(f"<mujoco><worldbody><geom type='plane' size='9 9 1'/>{bodies}</worldbody></mujoco>")
begin = time.monotonic()
try:
    GpuSim(m, 2)
except (RuntimeError, ValueError) as error:
    print("no adapter", error)
    sys.exit()
# a driver that keeps what it has compiled is quick from now on
begin = time.monotonic()
GpuSim(m, 2)
if time.monotonic() - begin > 1:
    soon(lambda n: GpuSim(m, 2 + n), 1, 0.2)
print("done")
""", timeout=200)
    assert out == "done\n" or out.startswith("no adapter")


PLUGIN = """
class Meddler:
    name, capabilities = "test.meddler", ["passive"]
    attributes = {}
    error = None
    def __init__(self, config):
        pass
    def reset(self, state):
        if Meddler.where == "reset" and Meddler.error:
            raise Meddler.error
    def passive_force(self, m, d, state, qfrc):
        if Meddler.where == "force" and Meddler.error:
            raise Meddler.error
kinetree.register_plugin(Meddler)
XML = '''<mujoco><extension><plugin plugin="test.meddler"><instance name="i"/></plugin></extension>
<worldbody><body><joint/><geom size=".1"/><plugin instance="i"/></body></worldbody></mujoco>'''
"""


def test_plugins():
    assert run(PLUGIN + """
Meddler.where = "force"
m = kinetree.MjModel.from_xml_string(XML)
d = kinetree.MjData(m)
kinetree.mj_step(m, d)
for error in (KeyboardInterrupt("now"), SystemExit(3)):
    for work in (lambda: kinetree.mj_step(m, d), lambda: kinetree.mj_step(m, d, 10), lambda: kinetree.mj_forward(m, d)):
        Meddler.error = error
        try:
            work()
        except BaseException as raised:
            assert raised is error, raised
        else:
            raise AssertionError
Meddler.error = ValueError("as usual")
try:
    kinetree.mj_step(m, d)
except kinetree.FatalError as raised:
    assert "test.meddler" in str(raised) and "as usual" in str(raised)
Meddler.error = None
kinetree.mj_step(m, d)
Meddler.where, Meddler.error = "reset", KeyboardInterrupt("again")
try:
    kinetree.mj_resetData(m, d)
except KeyboardInterrupt:
    print("done")
""") == "done\n"


def test_providers_and_decoders():
    assert run("""
def provide(name):
    raise KeyboardInterrupt(name)
class Decoder:
    extensions = [".odd"]
    def can_decode(self, name, data):
        if looks:
            raise KeyboardInterrupt("look")
        return True
    def decode(self, name, data):
        raise SystemExit(5)
kinetree.register_resource_provider("store", provide)
kinetree.register_decoder(Decoder())
looks = False
mesh = "<mujoco><asset><mesh name='m' file='{}'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
def raises(kind, work):
    try:
        work()
    except BaseException as error:
        assert type(error) is kind, repr(error)
    else:
        raise AssertionError
raises(KeyboardInterrupt, lambda: kinetree.MjModel.from_xml_string(mesh.format("store:/m.obj")))
raises(KeyboardInterrupt, lambda: kinetree.MjSpec.from_string(mesh.format("store:/m.obj")).compile())
raises(SystemExit, lambda: kinetree.MjModel.from_xml_string(mesh.format("m.odd"), {"m.odd": b"x"}))
looks = True
raises(KeyboardInterrupt, lambda: kinetree.MjModel.from_xml_string(mesh.format("m.odd"), {"m.odd": b"x"}))
# nothing is left behind
kinetree.MjModel.from_xml_string("<mujoco/>")
raises(ValueError, lambda: kinetree.MjModel.from_xml_string("<mujoco><no/></mujoco>"))
print("done")
""") == "done\n"


def test_distance_fields():
    assert run("""
class Ball:
    name, capabilities = "test.ball", ["sdf"]
    error = None
    def __init__(self, config):
        pass
    def sdf_aabb(self):
        return [0, 0, 0, 0.1, 0.1, 0.1]
    def sdf_distance(self, point):
        if Ball.error:
            raise Ball.error
        return float(np.linalg.norm(point)) - 0.1
kinetree.register_plugin(Ball)
xml = '''<mujoco><extension><plugin plugin="test.ball"><instance name="ball"/></plugin></extension>
<asset><mesh name="ball"><plugin instance="ball"/></mesh></asset>
<worldbody><body><freejoint/><geom type="sdf" mesh="ball"><plugin instance="ball"/></geom></body>
<geom type="sdf" mesh="ball" pos="0.1 0 0"><plugin instance="ball"/></geom></worldbody></mujoco>'''
m = kinetree.MjModel.from_xml_string(xml)
d = kinetree.MjData(m)
kinetree.mj_step(m, d)
geom = np.zeros(1, np.int32)
calls = [lambda: kinetree.mj_step(m, d), lambda: kinetree.mj_ray(m, d, [0, 0, 1], [0, 0, -1], None, 1, -1, geom, None),
         lambda: kinetree.MjModel.from_xml_string(xml)]
for work in calls:
    kinetree.mj_resetData(m, d)
    kinetree.mj_forward(m, d)
    Ball.error = KeyboardInterrupt("now")
    try:
        work()
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError
    finally:
        Ball.error = None
kinetree.mj_resetData(m, d)
kinetree.mj_step(m, d)
print("done")
""") == "done\n"
