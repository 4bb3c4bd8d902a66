"""No lock is held while Python may run: finalizers and other threads may use whatever a call is using."""

from alone import ARM, BALLS, run

GARBAGE = """
class Cycle:
    # dies by collection only, and then calls `action`
    def __init__(self, action):
        self.action, self.itself = action, self

    def __del__(self):
        self.action()

gc.set_threshold(7, 1, 1)
"""


def test_finalizers_read_the_contacts_of_the_data_in_use():
    assert run(GARBAGE + """
m = kinetree.MjModel.from_xml_string(BALLS)
d = kinetree.MjData(m)
counts = []
for i in range(300):
    kinetree.mj_step(m, d)
    Cycle(lambda: counts.append(len(d.contact)))
    d.contact.dist, d.efc_force, d.efc_J
assert len(counts) > 100 and max(counts) == 2
print("done")
""", BALLS=BALLS) == "done\n"


def test_finalizers_step_while_copies_are_made():
    # a copy that was made before the step must not be written back after it
    assert run(GARBAGE + """
m = kinetree.MjModel.from_xml_string(BALLS)
d, twin = kinetree.MjData(m), kinetree.MjData(m)
def step():
    kinetree.mj_step(m, d)
for i in range(300):
    kinetree.mj_step(m, d)
    Cycle(step)
    d.contact.dist, d.efc_force
gc.collect()
kinetree.mj_step(m, twin, round(d.time / m.opt.timestep))
assert np.array_equal(d.qpos, twin.qpos) and np.array_equal(d.contact.dist, twin.contact.dist)
print("done")
""", BALLS=BALLS) == "done\n"


def test_two_threads_with_any_finalizers():
    assert run(GARBAGE + """
sys.setswitchinterval(1e-6)
m = kinetree.MjModel.from_xml_string(BALLS)
d = kinetree.MjData(m)
kinetree.mj_forward(m, d)
def read():
    for i in range(1500):
        Cycle(lambda: time.sleep(0))
        try:
            d.contact.dist, d.efc_force
        except RuntimeError as error:
            assert "in use" in str(error)
threads = [threading.Thread(target=read) for _ in range(2)]
[thread.start() for thread in threads]
for i in range(300):
    try:
        kinetree.mj_forward(m, d)
    except RuntimeError as error:
        assert "in use" in str(error)
[thread.join() for thread in threads]
print("done")
""", BALLS=BALLS) == "done\n"


def test_descriptions_scenes_and_registries():
    assert run(GARBAGE + """
spec = kinetree.MjSpec.from_string(ARM)
m = spec.compile()
d, scene = kinetree.MjData(m), kinetree.MjvScene(m, 100)
option, camera = kinetree.MjvOption(), kinetree.MjvCamera()
seen = []
def look():
    seen.append((spec.body("upper").name, len(spec.bodies)))
    try:
        seen.append(kinetree.mjv_frustumHeight(scene))
    except RuntimeError as error:
        # a scene has one user at a time
        assert "in use" in str(error)
    kinetree.MjModel.from_xml_string("<mujoco/>")
for i in range(200):
    Cycle(look)
    spec.body("lower").pos = [0.3, 0, 0]
    kinetree.mjv_updateScene(m, d, option, None, camera, kinetree.mjtCatBit.mjCAT_ALL, scene)
    kinetree.register_resource_provider(f"store{i}", lambda name: b"")
    spec.compile()
assert len(seen) > 50
print("done")
""", ARM=ARM) == "done\n"


def test_a_second_exception_of_a_callback_runs_its_finalizers_outside():
    assert run(GARBAGE + """
m = kinetree.MjModel.from_xml_string(ARM)
d, other = kinetree.MjData(m), kinetree.MjData(m)
class Loud(Exception):
    def __del__(self):
        kinetree.mj_step(m, other)
def fail(m, of):
    if of is d:
        raise Loud
kinetree.set_mjcb_control(fail)
kinetree.set_mjcb_passive(fail)
for i in range(50):
    try:
        kinetree.mj_forward(m, d)
    except Loud:
        pass
    else:
        raise AssertionError
kinetree.mj_resetCallbacks()
print("done")
""", ARM=ARM) == "done\n"


def test_distance_fields_and_configurations_of_two_threads():
    # Python code runs inside of a call of a configuration, and another thread asks the same one
    assert run("""
from kinetree import ik
sys.setswitchinterval(1e-6)
class Ball:
    name, capabilities = "test.ball", ["sdf"]
    def __init__(self, config):
        pass
    def sdf_aabb(self):
        return [0, 0, 0, 0.1, 0.1, 0.1]
    def sdf_distance(self, point):
        return float(np.linalg.norm(point)) - 0.1
kinetree.register_plugin(Ball)
xml = '''<mujoco><extension><plugin plugin="test.ball"><instance name="ball"/></plugin></extension>
<asset><mesh name="ball"><plugin instance="ball"/></mesh></asset>
<worldbody><body name="a"><joint type="slide"/><geom name="g" type="sdf" mesh="ball"><plugin instance="ball"/></geom></body>
<body name="b" pos=".25 0 0"><joint type="slide" axis="1 0 0"/><geom name="h" type="sdf" mesh="ball"><plugin instance="ball"/></geom></body>
</worldbody></mujoco>'''
m = kinetree.MjModel.from_xml_string(xml)
configuration = ik.Configuration(m)
limit = ik.CollisionAvoidanceLimit(m, [([0], [1])], collision_detection_distance=1.0)
task = ik.FrameTask("a", "body", 1.0, 0.0)
task.set_target_from_configuration(configuration)
stop = False
def ask():
    while not stop:
        try:
            configuration.q
        except RuntimeError as error:
            assert "in use" in str(error)
thread = threading.Thread(target=ask)
thread.start()
for i in range(20):
    try:
        ik.solve_ik(configuration, [task], 0.1, limits=[limit])
    except RuntimeError as error:
        assert "in use" in str(error)
stop = True
thread.join()
print("done")
""") == "done\n"
