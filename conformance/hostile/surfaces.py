"""Nonsense for batches, environments, GPUs, derivatives, control, inverse kinematics, descriptions, renderers, plugins and rollouts.

A case makes one or two such objects for a model, then calls methods in any order with wrong shapes, indices, sizes, NaN and huge numbers, and
with the objects of another model, which have to be refused. Afterwards a sound object of the same kind in the same process has to work.
"""

import functools
import importlib.util
import os

import kinetree
import numpy as np
from kinetree import grad, ik, rollout
from kinetree.batch import BatchSim

from conformance.hostile import programs
from conformance.hostile.contexts import contexts
from conformance.hostile.planning import identification, planners

NUMBERS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e30, 1e-308, -1.0, 0.0, 0.5)
COUNTS = (-1, 0, 2**31, 2**62, 2**80, 1.5, None, "two", np.nan)
THINGS = (None, "text", -1, 0.5, np.nan, (), [[]], np.zeros(0), np.zeros((2, 2)), object(), b"bytes", 2**80)
OTHER = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/><site name="tip"/></body>
<body pos="1 0 1"><joint name="wheel"/><geom size=".1"/></body></worldbody><actuator><motor joint="wheel"/></actuator></mujoco>"""
PLUGIN = """<mujoco><extension><plugin plugin="hostile.motor"/></extension><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
<actuator><plugin joint="j" plugin="hostile.motor"><config key="gain" value="4"/></plugin></actuator></mujoco>"""


KERNELS = (
    "fn reward(world: u32) -> f32 { return qpos(world, 10000000u) + field(world, 4294967295u); }",
    "fn observe(world: u32) { set_observation(world, 4294967295u, 1.0 / qvel(world, 0u)); }",
    "fn reset(world: u32) { for (var i = 0u; i < 1000u; i += 1u) { set_qpos(world, i, random(world) * 1e30); } }",
    "fn terminated(world: u32) -> bool { return true; }", "fn reward(world: u32) -> u32 { return world; }", "var<private> a: array<f32, 9999999>;",
    "fn observe(world: u32) { observe(world); }", "", "text", "\0", None, 5,
)


class Studio:
    """A model with its data, and another one."""

    def __init__(self, rng, name="showcase/arm"):
        self.rng = rng
        self.m, self.other = programs.load(name), programs.parse(OTHER)
        self.d, self.foreign = kinetree.MjData(self.m), kinetree.MjData(self.other)
        kinetree.mj_forward(self.m, self.d)

    def count(self, usual):
        """Mostly a usual number."""
        return self.rng.choice(COUNTS) if self.rng.random() < 0.2 else usual

    def number(self, usual):
        return self.rng.choice(NUMBERS) if self.rng.random() < 0.2 else usual

    def array(self, *shape):
        """An array of such a shape, or nonsense."""
        chance = self.rng.random()
        if chance < 0.12:
            return self.rng.choice(THINGS)
        if chance < 0.2:
            return np.zeros(self.rng.choice(((0,), (1,), (3, 3), (*shape, 1), shape[:-1], (shape[0] + 1, *shape[1:]))))
        values = np.array([self.rng.uniform(-0.5, 0.5) for _ in range(int(np.prod(shape)))]).reshape(shape)
        if chance < 0.4 and values.size:
            values.reshape(-1)[self.rng.randrange(values.size)] = self.rng.choice(NUMBERS)
        return values

    def spoil(self, arrays):
        """Writes nonsense to one of some arrays."""
        programs.spoil(self.rng, self.rng.choice(arrays))


def batch(s, **options):
    options = {"nthread": s.rng.choice((1, 2)), "seed": s.rng.randrange(9), **options}
    worlds = BatchSim(s.m, 3, **options)
    fields = ("geom_size", "body_mass", "dof_damping", "nothing", "body_parentid", "opt.gravity", None)
    return {
        "make": lambda: BatchSim(s.m, s.count(2), nthread=s.count(1), frame_skip=s.count(1), reset_noise=s.number(0.1),
                                 time_limit=s.count(3), outputs=s.rng.choice(((), ("xpos",), ("nothing",), "xpos", None))),
        "step": lambda: worlds.step(s.rng.choice((1, 1, 2, 0, -1, "two", None))),
        "act": lambda: worlds.act(s.rng.choice(((), [0], [True, False, True], [5], "text"))),
        "actions": lambda: worlds.take_actions(s.array(3, s.m.nu)),
        "reset": lambda: worlds.reset(s.rng.choice((None, [True, False, True], [True], [7, 7, 7], "text"))),
        "forward": lambda: worlds.forward(s.rng.choice((None, [True, False, True], [True]))),
        "seed": lambda: worlds.seed(s.rng.choice((0, -1, 2**80, None, "text"))),
        "qpos": lambda: setattr(worlds, "qpos", s.array(3, s.m.nq)),
        "ctrl": lambda: setattr(worlds, "ctrl", s.array(3, s.m.nu)),
        "spoil": lambda: programs.spoil(s.rng, s.rng.choice((worlds.qpos, worlds.qvel, worlds.ctrl, worlds.sensordata))),
        "mocap": lambda: setattr(worlds, "mocap_pos", s.array(3, s.m.nmocap, 3)),
        "switches": lambda: setattr(worlds, "eq_active", s.array(3, s.m.neq)),
        "vary": lambda: worlds.vary(s.rng.choice(fields), s.array(3, *s.rng.choice((s.m.geom_size.shape, s.m.body_mass.shape, (1,))))),
        "end": worlds.end_variations,
        "look": lambda: (worlds.errors, worlds.failed, worlds.terminated, worlds.truncated, repr(worlds), worlds.nothing),
        "of a swapped pair": lambda: BatchSim(s.d, 2),
    }


def gpu(s):
    from kinetree.gpu import GpuSim
    m = programs.parse(OTHER)
    worlds = GpuSim(m, 2)
    return {
        "step": lambda: worlds.step(s.rng.choice((1, 1, 0, -1, "two"))),
        "qpos": lambda: setattr(worlds, "qpos", s.array(2, m.nq)),
        "spoil": lambda: programs.spoil(s.rng, s.rng.choice((worlds.qpos, worlds.qvel, worlds.ctrl))),
        "reset": lambda: worlds.reset(s.rng.choice((None, [True, False], [True], "text"))),
        "vary": lambda: worlds.vary(s.rng.choice(("body_mass", "nothing")), s.array(2, m.nbody)),
        "look": lambda: (worlds.errors, worlds.failed, worlds.contacts, worlds.sensordata, repr(worlds)),
        "begin": worlds.begin_step,
        "finish": worlds.finish_step,
        "switches": lambda: setattr(worlds, "eq_active", s.array(2, m.neq)),
        "mocap": lambda: setattr(worlds, "mocap_pos", s.array(2, m.nmocap, 3)),
        "end": worlds.end_variations,
        "functions": lambda: GpuSim(m, s.count(2), functions=s.rng.choice(KERNELS), observations=s.count(1),
                                    fields=s.rng.choice((None, s.array(2, 1))), autoreset=s.rng.random() < 0.5),
    }


def environment(s):
    from kinetree import envs
    made = envs.make_vec(s.rng.choice(("Hopper", "Reacher", "Ant")), num_envs=2, nthread=s.rng.choice((1, 2)), max_episode_steps=3)
    size = made.action_space.shape
    return {
        "reset": lambda: made.reset(seed=s.rng.choice((None, 1, [1, 2], [1], -1, "text", 2**80)), options=s.rng.choice((None, {}, {"x": 1}, 3))),
        "step": lambda: made.step(s.array(*size)),
        "observe": lambda: made.observe(s.rng.choice(([0], [5], [-1], np.array([True]), "text"))),
        "spoil": lambda: programs.spoil(s.rng, s.rng.choice((made.sim.qpos, made.sim.qvel))) if hasattr(made, "sim") else None,
        "make": lambda: envs.make_vec("Hopper", num_envs=s.count(1), nthread=s.count(1), frame_skip=s.count(1)),
        "close": made.close,
    }


def derivatives(s):
    step = grad.Step(s.m, threads=s.rng.choice((1, 2)))
    nx = 2 * s.m.nv + s.m.na
    return {
        "forward": lambda: step.forward(s.array(2, step.state_size), s.array(2, s.m.nu)),
        "backward": lambda: step.backward(s.array(2, step.state_size), s.array(2, s.m.nu), s.array(2, step.state_size)),
        "jvp": lambda: grad.step_jvp(s.m, s.d, s.array(nx), s.array(s.m.nu)),
        "vjp": lambda: grad.step_vjp(s.m, s.d, s.array(nx), s.rng.choice(((), ("body_mass",), ("nothing",), ("names",), None))),
        "rollout": lambda: grad.rollout_vjp(s.m, s.d, s.array(3, s.m.nu), s.array(3, nx)),
        "foreign jvp": lambda: grad.step_jvp(s.m, s.foreign, np.zeros(nx), np.zeros(s.m.nu)),
        "foreign rollout": lambda: grad.rollout_vjp(s.m, s.foreign, np.zeros((2, s.m.nu)), np.zeros((2, nx))),
        "smooth": lambda: grad.smooth_contacts(s.m, s.number(0.01)),
        "finite": lambda: kinetree.mjd_transitionFD(s.m, s.d, s.number(1e-6), True, s.array(nx, nx), None, None, None),
        "make": lambda: grad.Step(s.m, threads=s.rng.choice((0, -1, "two", None))),
        "spoil": lambda: programs.spoil(s.rng, s.rng.choice((s.d.qpos, s.d.qvel, s.d.ctrl, s.m.dof_damping))),
    }


def kinematics(s):
    chain = ik.Chain(s.m, "world", "grip")
    solver, configuration = ik.Solver(chain, max_restarts=3, max_iterations=50), ik.Configuration(s.m)
    task, posture = ik.FrameTask("grip", "site", 1.0, 1.0), ik.PostureTask(s.m, 0.1)
    return {
        "fk": lambda: chain.fk(s.array(chain.nq)),
        "jacobian": lambda: chain.jacobian(s.array(chain.nq)),
        "solve": lambda: solver.solve(s.array(3), s.array(4), s.rng.choice((None, s.array(chain.nq))), weights=s.rng.choice((None, s.array(6)))),
        "all": lambda: solver.solve_all(s.array(3), s.array(4), count=s.rng.choice((1, 2, 0, -1, "two"))),
        "batch": lambda: solver.solve_batch(s.array(2, 3), s.array(2, 4), threads=s.rng.choice((1, 2, -1, "two"))),
        "target": lambda: task.set_target(s.array(3), s.rng.choice((None, s.array(4)))),
        "here": lambda: task.set_target_from_configuration(configuration),
        "posture": lambda: posture.set_target(s.array(s.m.nq)),
        "step": lambda: ik.solve_ik(configuration, [task, posture], s.number(0.01), damping=s.number(1e-9)),
        "integrate": lambda: configuration.integrate_inplace(s.array(s.m.nv), s.number(0.01)),
        "update": lambda: configuration.update(s.array(s.m.nq)),
        "global": lambda: ik.solve_global(configuration, [task], max_iterations=s.rng.choice((1, 5, 0, -1, "two"))),
        "task": lambda: ik.FrameTask(s.rng.choice(("grip", "nothing", None, 5)), s.rng.choice(("site", "body", "nothing", None)), s.number(1.0),
                                     s.array(3)),
        "velocity": lambda: ik.VelocityLimit(s.m, s.rng.choice(({}, {"joint1": 1.0}, {"nothing": 1.0}, None, 5))),
        "collisions": lambda: ik.CollisionAvoidanceLimit(s.m, s.rng.choice(([([0], [1])], [([999], [0])], [], None, [(["x"], ["y"])]))),
        "foreign posture": lambda: ik.solve_ik(configuration, [ik.PostureTask(s.other, 1.0)], 0.01),
        "foreign limit": lambda: ik.solve_ik(configuration, [posture], 0.01, limits=[ik.CollisionAvoidanceLimit(s.other, [([0], [1])])]),
        "chain": lambda: ik.Chain(s.m, s.rng.choice(("world", "grip", "nothing", None)), s.rng.choice(("grip", "world", "nothing", 5))),
    }


@functools.cache
def descriptions():
    """The arm and another model, of which cases take copies."""
    return kinetree.MjSpec.from_file(str(programs.FOLDER / "showcase" / "arm.xml")), kinetree.MjSpec.from_string(OTHER)


def description(s):
    arm, other = descriptions()
    # what is attached becomes part of the description
    spec, child, stranger = arm.copy(), other.copy(), other.copy()
    bodies = [spec.worldbody]
    held: list = []

    def add():
        bodies.append(s.rng.choice(bodies).add_body(name=s.rng.choice(("", "a", "b", "grip"))))
        bodies[-1].add_geom(size=s.array(3), pos=s.array(3))

    def delete():
        spec.delete(s.rng.choice((s.rng.choice(bodies), *spec.geoms[:2], *spec.joints[:1], *spec.actuators[:1], None, "text")))

    def assign():
        body = s.rng.choice(bodies)
        setattr(body, s.rng.choice(("pos", "quat", "mass", "name", "childclass", "userdata", "gravcomp")), s.array(3))

    def compile_():
        held[:] = [spec.compile()]
        held.append(kinetree.MjData(held[0]))

    return {
        "add": add, "delete": delete, "assign": assign, "compile": compile_,
        "joint": lambda: s.rng.choice(bodies).add_joint(type=s.rng.choice((0, 1, 2, 3, 9, None)), axis=s.array(3)),
        "text": lambda: spec.to_xml(), "copy": lambda: spec.copy(),
        "recompile": lambda: spec.recompile(*held) if held else None,
        "foreign recompile": lambda: spec.recompile(spec.compile(), s.foreign),
        "attach": lambda: s.rng.choice(bodies).add_frame().attach_body(child.body("ball"), s.rng.choice(("p", "", "grip")), ""),
        "foreign delete": lambda: spec.delete(stranger.body("ball")),
        "foreign frame": lambda: setattr(bodies[-1].add_geom(size=[0.1, 0, 0]), "frame", stranger.worldbody.add_frame()),
        "look": lambda: [(b.name, b.pos, b.parent, b.id, list(b.geoms)) for b in (*bodies, *spec.bodies)],
        "find": lambda: (spec.body(s.rng.choice(("grip", "nothing", None))), spec.geoms, spec.sensors),
    }


def drawing(s):
    pictures = kinetree.Renderer(s.m, 8, 8)
    many, worlds = kinetree.renderer.BatchRenderer(s.m, 8, 8), BatchSim(s.other, 2, nthread=1)
    return {
        "make": lambda: kinetree.Renderer(s.m, s.count(8), s.count(8), s.rng.choice((0, 1, 100, -1, 2**62))),
        "update": lambda: pictures.update_scene(s.d, s.rng.choice((-1, 0, 99, "nothing", None))),
        "draw": lambda: pictures.render(out=s.rng.choice((None, np.zeros((8, 8, 3), np.uint8), np.zeros(3), "text"))),
        "depth": pictures.enable_depth_rendering, "plain": pictures.disable_depth_rendering,
        "objects": pictures.enable_segmentation_rendering,
        "spoil": lambda: programs.spoil(s.rng, s.rng.choice((s.d.geom_xpos, s.d.geom_xmat, s.m.geom_rgba, s.m.geom_size, s.m.geom_dataid))),
        "list": lambda: many.render(s.rng.choice(([s.d], [], [None], s.d, "text"))),
        "foreign": lambda: pictures.update_scene(s.foreign),
        "foreign batch": lambda: many.render(worlds),
        "foreign list": lambda: many.render([s.foreign]),
        "foreign meshes": lambda: painted_renderer().render(BatchSim(painted("0 1 0"), 2, nthread=1)),
        "close": lambda: (pictures.close(), many.close()) if s.rng.random() < 0.2 else None,
    }


def window(s):
    """The viewer, as far as there is a display: without one the window does not open."""
    from kinetree import viewer
    rectangle, figure = kinetree.MjrRect(0, 0, 8, 8), kinetree.MjvFigure()
    handles: list = []

    def open_():
        handles.append(viewer.launch_passive(s.m, s.d))

    def on_handle(call):
        return lambda: call(handles[-1]) if handles else None

    def close():
        while handles:
            handles.pop().close()

    return {
        "foreign open": lambda: viewer.launch_passive(s.m, s.foreign), "open nothing": lambda: viewer.launch_passive(s.rng.choice(THINGS), s.d),
        "open": open_ if os.environ.get("DISPLAY") else lambda: viewer.launch_passive(s.m, s.d, key_callback=s.rng.choice(THINGS)),
        "sync": on_handle(lambda handle: handle.sync(s.rng.choice((True, False)))), "close": close,
        "images": on_handle(lambda handle: handle.set_images(s.rng.choice(((rectangle, s.array(8, 8, 3)), [], None, "text")))),
        "figures": on_handle(lambda handle: handle.set_figures(s.rng.choice(((rectangle, figure), [(None, figure)], 5)))),
        "texts": on_handle(lambda handle: handle.set_texts(s.rng.choice(((None, None, "a", None), ("x",), [(1, 99, "a", "b")], 7)))),
        "assets": on_handle(lambda handle: handle.update_mesh(s.count(0))),
    }


@functools.cache
def painted(color):
    """A model like others of another colour."""
    return kinetree.MjModel.from_xml_string(f"""<mujoco><asset><texture name='t' type='2d' builtin='flat' rgb1='{color}' width='2' height='2'/>
<material name='p' texture='t'/></asset><worldbody><geom size='.1' material='p'/></worldbody></mujoco>""")


def painted_renderer():
    return kinetree.renderer.BatchRenderer(painted("1 0 0"), 8, 8)


class Motor:
    """A plugin that does what a case says."""

    name = "hostile.motor"
    # one function, under its name
    behaviour: dict = {}

    def __init__(self, config):
        self.gain = config["gain"]

    def actuator_force(self, m, d, i, state):
        return Motor.behaviour["now"](m, d, i)


@functools.cache
def plugin_model():
    Motor.capabilities, Motor.attributes = ["actuator"], {"gain": 1.0}
    kinetree.register_plugin(Motor)
    return kinetree.MjModel.from_xml_string(PLUGIN)


def plugin(s):
    m = plugin_model()
    d = kinetree.MjData(m)

    def fail(m, d, i):
        raise s.rng.choice((ValueError, MemoryError, StopIteration, RuntimeError))("on purpose")

    Motor.behaviour["now"] = s.rng.choice((
        lambda m, d, i: s.rng.choice(THINGS), lambda m, d, i: np.nan, fail, lambda m, d, i: kinetree.mj_step(m, d),
        lambda m, d, i: d.qpos.fill(1e300) or 1.0, lambda m, d, i: kinetree.mj_resetData(m, d), lambda m, d, i: len(d.contact) + d.efc_J.size,
    ))
    return {
        "step": lambda: kinetree.mj_step(m, d), "forward": lambda: kinetree.mj_forward(m, d), "copy": lambda: kinetree.MjData(m),
        "batch": lambda: BatchSim(m, 2, nthread=1).step(), "register": lambda: kinetree.register_plugin(s.rng.choice((Motor, object, None, 5))),
        "derivative": lambda: grad.step_jvp(m, d, np.zeros(2 * m.nv), np.zeros(m.nu)),
    }


def trajectories(s):
    pool, full = rollout.Rollout(nthread=s.rng.choice((0, 1, 2))), kinetree.mjtState.mjSTATE_FULLPHYSICS
    size = kinetree.mj_stateSize(s.m, full)
    state = np.zeros(size)
    kinetree.mj_getState(s.m, s.d, state, full)
    datas = [kinetree.MjData(s.m) for _ in range(2)]
    return {
        "roll": lambda: pool.rollout(s.m, datas, s.rng.choice((state[None], np.repeat(state[None], 3, 0), s.array(2, size))),
                                     s.rng.choice((None, s.array(2, 3, s.m.nu))), nstep=s.rng.choice((None, 2, 0, -1, "two"))),
        "unchecked": lambda: pool.rollout(s.m, datas, s.array(2, size), s.array(2, 2, s.m.nu), skip_checks=True, nstep=2,
                                          state=s.array(2, 2, size), sensordata=s.array(2, 2, s.m.nsensordata)),
        "chunks": lambda: pool.rollout(s.m, datas, state[None], nstep=2, chunk_size=s.count(1)),
        "foreign": lambda: pool.rollout(s.m, [s.foreign, s.foreign], state[None], nstep=2),
        "models": lambda: pool.rollout([s.m, s.other], datas, np.repeat(state[None], 2, 0), nstep=2),
        "make": lambda: rollout.Rollout(nthread=s.rng.choice((-1, "two", 2**80, 1.5))),
        "close": lambda: pool.close() if s.rng.random() < 0.2 else None,
    }


def functions(s):
    """Steps, resets and reads of the plain interface, to go with the others."""
    return {
        "mj_step": lambda: kinetree.mj_step(s.m, s.d), "contacts": lambda: (len(s.d.contact), s.d.contact.dist.sum(), s.d.efc_J.sum()),
        "reset": lambda: kinetree.mj_resetData(s.m, s.d), "foreign step": lambda: kinetree.mj_step(s.m, s.foreign),
        "foreign copy": lambda: kinetree.mj_copyData(s.d, s.m, s.foreign),
    }


# with the share of the cases: drawing, and worlds on a GPU, take a software driver long
SURFACES = {
    batch: 5, derivatives: 4, kinematics: 4, description: 4, trajectories: 4, plugin: 3, environment: 3, planners: 3, identification: 3, contexts: 2,
    drawing: 1, window: 0.5, gpu: 0.05,
}


def available(kind):
    return kind is not environment or importlib.util.find_spec("gymnasium") is not None


def choose(s):
    """The name of a surface, and its calls; none where it cannot be made here."""
    kinds = [kind for kind in SURFACES if available(kind)]
    kind = s.rng.choices(kinds, [SURFACES[kind] for kind in kinds])[0]
    try:
        return kind.__name__, kind(s)
    except (RuntimeError, kinetree.FatalError) as problem:
        if "no graphics adapter" in str(problem) or "no GPU was found" in str(problem):
            return kind.__name__, {}
        raise


def attempt(name, call):
    """Calls something; what came of it."""
    try:
        with np.errstate(all="ignore"):
            call()
    except Exception as problem:  # whatever it is: it is an exception
        return name, type(problem).__name__
    return name, "value"


def problem_of(outcome):
    """What is wrong with how a call ended."""
    name, result = outcome
    if result == "UnexpectedError":
        return f"a panic in {name}"
    if "foreign" in name.split() and result == "value":
        return f"{name} was not refused"
    return None


def run_case(rng):
    """Runs one case; what it did, and what is wrong, if anything is."""
    s = Studio(rng)
    name, calls = choose(s)
    log: list[str | tuple[str, str]] = [name]
    calls |= functions(s)
    for _ in range(rng.choice((2, 4, 8))):
        chosen = rng.choice(list(calls))
        log.append(attempt(f"{name} {chosen}", calls[chosen]))
        wrong = problem_of(log[-1])
        if wrong:
            return log, wrong
    sound = programs.load("showcase/arm")
    data = kinetree.MjData(sound)
    kinetree.mj_step(sound, data)
    worlds = BatchSim(sound, 1, nthread=1)
    worlds.step()
    if not np.array_equal(worlds.qpos[0], data.qpos):
        return log, "a sound batch steps differently"
    return log, None
