"""`python -m conformance.soak`: makes and drops every kind of object ten thousand times, draws ten thousand pictures, and watches memory.

Each kind runs in a process of its own. The first rounds warm up: shaders are compiled, pools are started, allocators take what they need.
From then on the process may grow by no more than 5 MB, whatever the number of rounds. Kinds that take long (graphics, environments) have
fewer rounds. `--sample` gives each kind a few seconds, for every change; `--kind NAME` runs one alone and shows how it grows.
"""

import argparse
import concurrent.futures
import copy
import ctypes
import functools
import gc
import importlib.util
import itertools
import os
import pathlib
import pickle
import subprocess
import sys
import time

import kinetree
import numpy as np

from conformance import soak_control

MODELS = pathlib.Path(__file__).parents[1] / "models"
# most growth after the warm-up (MB), and in the few rounds of a sample
LIMIT, SAMPLE_LIMIT = 5.0, 2.0
SKIPPED = 77
XML = """
<mujoco>
  <worldbody>
    <light pos="0 0 3" castshadow="true" type="spot" dir="0 0 -1"/><geom type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 .12"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="top"/></body>
    <body name="arm" pos=".5 0 .5">
      <joint name="hinge" axis="0 1 0" range="-90 90"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      <body pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="tip" pos=".2 0 0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <sensor><touch site="top"/><framepos objtype="site" objname="tip"/></sensor>
  {extra}
</mujoco>
"""


def model(extra=""):
    return kinetree.MjModel.from_xml_string(XML.format(extra=extra))


def models():
    return lambda: (model(), kinetree.MjModel.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"))


def data():
    m = model()

    def round_():
        d = kinetree.MjData(m)
        kinetree.mj_step(m, d)
        views = d.qpos, d.contact, d.efc_J, d.body("box").xpos
        copy.copy(d)
        del d
        return views

    return round_


def copies():
    m = model()
    d = kinetree.MjData(m)

    def round_():
        pickle.loads(pickle.dumps(m))
        pickle.loads(pickle.dumps(d))
        copy.deepcopy(m)

    return round_


def binaries():
    m = model()
    size = kinetree.mj_sizeModel(m)
    path = f"/dev/shm/soak-{os.getpid()}.mjb" if os.path.isdir("/dev/shm") else f"soak-{os.getpid()}.mjb"

    def round_():
        buffer = np.empty(size, np.uint8)
        kinetree.mj_saveModel(m, None, buffer)
        kinetree.mj_saveModel(m, path, None)
        kinetree.MjModel.from_binary_path(path)
        os.remove(path)

    return round_


def specs():
    def round_():
        spec = kinetree.MjSpec.from_string(XML.format(extra=""))
        body = spec.worldbody.add_body(name="new")
        body.add_geom(size=[0.1, 0, 0])
        spec.compile()
        spec.to_xml()
        spec.copy()

    return round_


def edits():
    """Adding and deleting in one description."""
    spec = kinetree.MjSpec.from_string(XML.format(extra=""))

    def round_():
        body = spec.worldbody.add_body(name="new")
        body.add_geom(size=[0.1, 0, 0])
        body.add_joint()
        spec.add_material(name="paint")
        spec.delete(spec.material("paint"))
        spec.delete(body)

    return round_


def attachments():
    def round_():
        spec, child = kinetree.MjSpec(), kinetree.MjSpec.from_string(XML.format(extra=""))
        spec.worldbody.add_frame().attach_body(child.body("arm"), "a", "")
        spec.compile()

    return round_


def recompilations():
    spec = kinetree.MjSpec.from_string(XML.format(extra=""))
    held = [spec.compile()]
    held.append(kinetree.MjData(held[0]))

    def round_():
        held[:] = spec.recompile(*held)

    return round_


def errors():
    m = model()
    other = kinetree.MjData(kinetree.MjModel.from_xml_string("<mujoco/>"))

    def round_():
        for call in (
            lambda: kinetree.MjModel.from_xml_string("<mujoco><worldbody><geom/><body></worldbody></mujoco>"),
            lambda: kinetree.MjModel.from_xml_string("<mujoco><worldbody><geom type='bal'/></worldbody></mujoco>"),
            lambda: kinetree.mj_step(m, other),
            lambda: m.body("nobody"),
        ):
            try:
                call()
            except Exception:  # whatever it is
                continue
            raise AssertionError("no error")

    return round_


def callbacks():
    m = model()
    d = kinetree.MjData(m)

    def round_():
        kinetree.set_mjcb_control(lambda m, d: d.ctrl.fill(0.1))
        kinetree.mj_step(m, d)
        kinetree.set_mjcb_control(None)

    return round_


def plugins():
    class Motor:
        name = "soak.motor"

        def __init__(self, config):
            self.gain = config["gain"]

        def actuator_force(self, m, d, i, state):
            return self.gain * d.ctrl[i]

    Motor.capabilities, Motor.attributes = ["actuator"], {"gain": 1.0}
    kinetree.register_plugin(Motor)
    text = """<mujoco><extension><plugin plugin="soak.motor"/></extension>
      <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
      <actuator><plugin joint="j" plugin="soak.motor"><config key="gain" value="4"/></plugin></actuator></mujoco>"""

    def round_():
        m = kinetree.MjModel.from_xml_string(text)
        d = kinetree.MjData(m)
        kinetree.mj_step(m, d)

    return round_


def batches():
    from kinetree.batch import BatchSim
    m = model()

    def round_():
        batch = BatchSim(m, 3, nthread=1)
        batch.step()
        batch.reset()

    return round_


def steps_of_batches():
    from kinetree.batch import BatchSim
    batch = BatchSim(model(), 3, nthread=2, reset_noise=0.1, time_limit=10, seed=1)

    def round_():
        batch.ctrl[:] = 0.1
        batch.step()
        batch.begin()

    return round_


def environments():
    if importlib.util.find_spec("gymnasium") is None:
        return None
    from kinetree import envs

    def round_():
        made = envs.make_vec("Hopper", num_envs=2, nthread=1)
        made.reset(seed=1)
        made.step(made.action_space.sample())
        made.close()

    return round_


def rollouts():
    from kinetree import rollout
    m = model()
    d = kinetree.MjData(m)
    start = np.zeros((2, kinetree.mj_stateSize(m, kinetree.mjtState.mjSTATE_FULLPHYSICS)))
    kinetree.mj_getState(m, d, start[0], kinetree.mjtState.mjSTATE_FULLPHYSICS)
    start[1] = start[0]

    def round_():
        with rollout.Rollout(nthread=2) as pool:
            pool.rollout(m, [d, kinetree.MjData(m)], start, nstep=2)

    return round_


def derivatives():
    from kinetree import grad
    m = model()
    d = kinetree.MjData(m)

    def round_():
        step = grad.Step(m)
        state, ctrl = np.zeros((2, step.state_size)), np.zeros((2, m.nu))
        state[:, : m.nq] = m.qpos0
        after = step.forward(state, ctrl)
        step.backward(state, ctrl, np.ones_like(after))
        grad.step_jvp(m, d, np.zeros(2 * m.nv + m.na), np.zeros(m.nu))

    return round_


def solvers():
    from kinetree import ik
    m = kinetree.MjModel.from_xml_path(str(MODELS / "showcase" / "arm.xml"))

    def round_():
        chain = ik.Chain(m, "world", "grip")
        pos, quat = chain.fk(chain.limits.mean(axis=1))
        ik.Solver(chain).solve(pos, quat)
        configuration = ik.Configuration(m)
        task = ik.FrameTask("grip", "site", 1.0, 1.0)
        task.set_target_from_configuration(configuration)
        posture = ik.PostureTask(m, 0.1)
        posture.set_target(m.qpos0)
        ik.solve_ik(configuration, [task, posture], 0.01)

    return round_


def soft_worlds():
    from kinetree import soft
    m = model()

    def round_():
        d = kinetree.MjData(m)
        world = soft.SoftWorld()
        world.add(soft.Cloth.grid((3, 3), (0.2, 0.2), pos=(0, 0, 0.3)))
        world.step(m, d)
        return world[0].position

    return round_


def scenes():
    m = model()
    d = kinetree.MjData(m)
    kinetree.mj_forward(m, d)

    def round_():
        scene = kinetree.MjvScene(m, 100)
        kinetree.mjv_updateScene(m, d, kinetree.MjvOption(), kinetree.MjvPerturb(), kinetree.MjvCamera(), 7, scene)

    return round_


def renderer(*arguments):
    """A renderer, or `None` where nothing can draw."""
    try:
        return kinetree.Renderer(*arguments)
    except RuntimeError as error:
        print(f"skipped: {error}")
        return None


def renderers():
    m = model()
    d = kinetree.MjData(m)
    if renderer(m, 16, 16) is None:
        return None

    def round_():
        with kinetree.Renderer(m, 16, 16) as drawing:
            kinetree.mj_step(m, d)
            drawing.update_scene(d)
            drawing.render()

    return round_


def undrawn_renderers():
    m = model()
    if renderer(m, 16, 16) is None:
        return None
    # what a renderer uploads must not wait for a picture that never comes
    return lambda: kinetree.Renderer(m, 16, 16).close()


def pictures():
    m = kinetree.MjModel.from_xml_path(str(MODELS / "showcase" / "humanoid.xml"))
    d = kinetree.MjData(m)
    drawing = renderer(m, 32, 32)
    if drawing is None:
        return None
    kinds = itertools.cycle((lambda: None, drawing.enable_depth_rendering, drawing.enable_segmentation_rendering))

    def round_():
        drawing.disable_depth_rendering()
        drawing.disable_segmentation_rendering()
        next(kinds)()
        kinetree.mj_step(m, d)
        drawing.update_scene(d)
        drawing.render()

    return round_


def batch_pictures():
    from kinetree.batch import BatchSim
    m = model()
    if renderer(m, 16, 16) is None:
        return None
    drawing = kinetree.renderer.BatchRenderer(m, 16, 16)
    batch = BatchSim(m, 4, nthread=1)

    def round_():
        batch.step()
        drawing.render(batch)
        drawing.render_depth(batch)

    return round_


def gpu_worlds():
    from kinetree.gpu import GpuSim
    m = kinetree.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    try:
        GpuSim(m, 2)
    except RuntimeError as error:
        print(f"skipped: {error}")
        return None

    def round_():
        worlds = GpuSim(m, 2)
        worlds.step()

    return round_


def steps_on_gpu():
    from kinetree.gpu import GpuSim
    m = kinetree.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    try:
        worlds = GpuSim(m, 2)
    except RuntimeError as error:
        print(f"skipped: {error}")
        return None

    def round_():
        worlds.step()
        worlds.qpos[:] = 0.1

    return round_


# what is made, and how many of the rounds it has
KINDS = {
    models: 1, data: 1, copies: 1, binaries: 1, specs: 1, edits: 1, attachments: 1, recompilations: 1, errors: 1, callbacks: 1, plugins: 1,
    batches: 1, steps_of_batches: 1, environments: 0.1, rollouts: 1, derivatives: 1, solvers: 0.1, soft_worlds: 1, scenes: 1,
    renderers: 0.05, undrawn_renderers: 0.05, pictures: 1, batch_pictures: 0.5, gpu_worlds: 0.005, steps_on_gpu: 0.2,
}
ROUNDS = {kind.__name__: rounds for kind, rounds in (KINDS | soak_control.KINDS).items()}
NAMES = {kind.__name__: kind for kind in KINDS} | {kind.__name__: functools.partial(kind, model) for kind in soak_control.KINDS}


def occupied():
    """Memory that this process occupies (MB), once it has given back what it does not need."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except AttributeError:  # another C library
        pass
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def soak(name, rounds, seconds):
    """Runs the rounds of a kind, or as many as there is time for; how many those were, and how much the process grew after the first quarter."""
    round_ = NAMES[name]()
    if round_ is None:
        return None
    start, checks = time.monotonic(), []
    for done in range(1, rounds + 1):
        round_()
        passed = max(done / rounds, (time.monotonic() - start) / seconds)
        if done >= 8 and passed > (len(checks) + 2) / 8:
            checks.append(occupied())
            print(f"  {done} rounds: {checks[-1]:.2f} MB", flush=True)
        if passed >= 1 and len(checks) > 3:
            break
    # what a process occupies goes up and down a little
    return done, min(checks[-2:]) - max(checks[:2])


def inside(arguments):
    """Runs one kind; the exit status tells how it went."""
    result = soak(arguments.kind, max(30, int(arguments.rounds * ROUNDS[arguments.kind])), arguments.seconds)
    if result is None:
        return SKIPPED
    done, growth = result
    print(f"{arguments.kind}: {done} rounds, {growth:+.2f} MB", flush=True)
    return 0 if growth < (SAMPLE_LIMIT if arguments.sample else LIMIT) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--kind", choices=sorted(NAMES), help="run this kind alone")
    parser.add_argument("--sample", action="store_true", help="a few seconds for each kind")
    parser.add_argument("--seconds", type=float, help="most time for each kind")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.seconds is None:
        arguments.seconds = 2.5 if arguments.sample else 3600.0
    if arguments.kind:
        return inside(arguments)
    options = ["--rounds", str(arguments.rounds), "--seconds", str(arguments.seconds), *(["--sample"] if arguments.sample else [])]

    def run(name):
        command = [sys.executable, "-m", "conformance.soak", "--kind", name, *options]
        process = subprocess.run(command, capture_output=True, text=True)
        return name, process.returncode, process.stdout.strip(), process.stderr.strip()

    grown, skipped = [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        for name, status, out, err in pool.map(run, NAMES):
            print(out.splitlines()[-1] if out else f"{name}: {err}", flush=True)
            if status == SKIPPED:
                skipped.append(name)
            elif status:
                grown.append(name)
                print(out, err, sep="\n", flush=True)
    print(f"{len(NAMES)} kinds, {len(skipped)} skipped, too large or failed: {', '.join(grown) or 'none'}")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
