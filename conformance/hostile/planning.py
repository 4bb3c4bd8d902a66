"""Nonsense for regulators, trajectory optimization, control by samples, predictive control and system identification.

The functions return calls, as those of `surfaces` do. Identification is where gradients of fields of the model are made (`mjd_transition_fields`).
"""

import kinetree
import numpy as np
from kinetree import control, sysid

INTEGRATION = kinetree.mjtState.mjSTATE_INTEGRATION
PLANNERS, SPLINES, SEEDS = ("ilqr", "predictive_sampling", "cem", "mppi"), ("zero", "linear", "cubic"), (0, 7, 2**64 - 1)
KINDS = (
    "mass", "inertia", "damping", "armature", "frictionloss", "stiffness", "gain", "servo_damping", "delay", "friction", "body_pos", "body_quat",
    "geom_size", "dof_damping", "body_inertia", "jnt_range", "body_parentid", "names", "opt", "nothing", None,
)
TARGETS = ("link1", "joint1", "gripper", "table", "nothing", 0, 5, -1, 10**6, 2**80, 0.5, None)


def state_of(m, d):
    """The integration state."""
    state = np.zeros(kinetree.mj_stateSize(m, INTEGRATION))
    kinetree.mj_getState(m, d, state, INTEGRATION)
    return state


def mostly(s, usual, odd):
    """Mostly one of the usual values."""
    return s.rng.choice(odd if s.rng.random() < 0.1 else usual)


def few(s):
    """A number of iterations: a caller that asks for a billion waits for them."""
    return mostly(s, (1, 2), (0, -1, 1.5, None, "two", np.nan))


def any_cost(s):
    """What to minimize, with nonsense in it now and then."""
    if s.rng.random() < 0.5:
        return sound_cost(s)
    nx = 2 * s.m.nv + s.m.na
    some = {"qpos": s.m.nq, "qvel": s.m.nv, "running": nx, "terminal": nx, "control": s.m.nu, "control_target": s.m.nu}
    chosen = {name: s.array(size) for name, size in some.items() if s.rng.random() < 0.3}
    terms = [control.SensorTerm(s.rng.choice(("grip_position", 0, -1, 99, "nothing", None)), s.array(3), s.number(1.0), s.number(0.0),
                                s.rng.choice(("quadratic", "length", "absolute", "nothing", None)), s.number(0.1))]
    return control.QuadraticCost(**chosen, sensors=s.rng.choice(([], terms, terms * 2, None)))


def sound_cost(s):
    return control.QuadraticCost(running=np.ones(2 * s.m.nv + s.m.na), control=np.ones(s.m.nu))


def settings(s):
    """Settings of a search by samples."""
    return {"samples": s.count(4), "knots": mostly(s, (3,), (s.count(3), s.array(3, s.m.nu))),
            "interpolation": mostly(s, SPLINES, ("nothing", None, 5)), "noise": s.number(0.2), "seed": mostly(s, SEEDS, (-1, 2**64, 1.5, None))}


def planners(s):
    nx, nu, plan = 2 * s.m.nv + s.m.na, s.m.nu, sound_cost(s)
    start, background = state_of(s.m, s.d), control.Mpc(s.m, 3, plan, iterations=1, planner=s.rng.choice(("ilqr", "cem")), samples=3, elites=2)
    held = [background]

    def make():
        # the thread of one that plans for ever ends with it
        options = settings(s) | {"knots": s.count(3), "elites": s.count(2), "least_spread": s.number(0.1), "temperature": s.number(1.0)}
        held.append(control.Mpc(s.m, s.count(4), any_cost(s), planner=mostly(s, PLANNERS, ("nothing", None)), iterations=s.count(2),
                                time=mostly(s, (None, 0.001), (0, -1, np.nan, "a")), **options))
        held[-1].observe(s.d)

    def weights(size):
        return s.rng.choice((np.eye(size), s.array(size, size)))

    def look():
        chosen = s.rng.choice(held)
        return chosen.plan, chosen.plans, chosen.problem, chosen.control(s.d)

    return {
        "transitions": lambda: control.transitions(s.m, s.rng.choice((np.repeat(start[None], 2, 0), s.array(2, start.size))), s.array(2, nu),
                                                   s.rng.choice((True, False))),
        "lqr": lambda: control.lqr(s.array(3, 3), s.array(3, 2), weights(3), weights(2)),
        "tvlqr": lambda: control.tvlqr(s.array(4, 3, 3), s.array(4, 3, 2), weights(3), weights(2), weights(3)),
        "ilqr": lambda: control.ilqr(s.m, s.d, s.array(s.rng.choice((1, 3)), nu), any_cost(s), iterations=few(s),
                                     tolerance=s.number(1e-7), regularization=s.number(1e-6), limits=s.rng.choice((True, False, None))),
        "predictive": lambda: control.predictive_sampling(s.m, s.d, s.count(3), any_cost(s), iterations=few(s), **settings(s)),
        "cem": lambda: control.cem(s.m, s.d, s.count(3), any_cost(s), elites=s.count(2), least_spread=s.number(0.1),
                                   iterations=few(s), **settings(s)),
        "mppi": lambda: control.mppi(s.m, s.d, s.count(3), any_cost(s), temperature=s.number(1.0), iterations=few(s), **settings(s)),
        "make": make, "look": look,
        "observe": lambda: background.observe(s.d), "replan": lambda: background.replan(s.rng.choice((s.d, s.d, s.m, None))),
        "drop": lambda: held.__delitem__(slice(1, None)),
        "spoil": lambda: s.spoil((s.d.qpos, s.d.qvel, s.d.ctrl, s.m.actuator_ctrlrange, s.m.dof_damping)),
        "foreign observe": lambda: background.observe(s.foreign), "foreign replan": lambda: background.replan(s.foreign),
        "foreign control": lambda: background.control(s.foreign),
        "foreign ilqr": lambda: control.ilqr(s.m, s.foreign, np.zeros((2, nu)), plan, iterations=1),
        "foreign samples": lambda: control.predictive_sampling(s.m, s.foreign, 2, plan, iterations=1, samples=2),
        "foreign transitions": lambda: control.transitions(s.m, state_of(s.other, s.foreign)[None], np.zeros((1, nu))),
        "foreign cost": lambda: control.ilqr(s.m, s.d, np.zeros((2, nu)), control.QuadraticCost(running=np.ones(nx + 1)), iterations=1),
    }


def identification(s):
    start, steps, nu = state_of(s.m, s.d), s.rng.choice((1, 4)), s.m.nu

    def parameter():
        of = s.rng.choice(KINDS)
        fits = [target for kind, target in (("body", "link1"), ("joint", "joint1"), ("actuator", "gripper"), ("geom", "table"))
                if sysid.KINDS.get(of) == kind]
        count = 10 if of == "inertia" else 1

        def values():
            return mostly(s, (None,), (s.number(1.0), s.array(count)))

        return sysid.Parameter(of, fits[0] if fits and s.rng.random() < 0.7 else s.rng.choice(TARGETS), values(), values(), values(),
                               mostly(s, (None,), ((values(), values()), "text", 5)))

    def recording():
        measured = {
            "qpos": mostly(s, (None, {"joint1": s.array(steps)}), ({"nothing": s.array(steps)}, s.array(steps, s.m.nq))),
            "qvel": mostly(s, (np.zeros((steps, s.m.nv)), s.array(steps, s.m.nv)), (None,)),
            "sensordata": s.rng.choice((None, s.array(steps, s.m.nsensordata), {"grip_position": s.array(steps, 3)})),
        }
        begin = mostly(s, (start,), (s.array(start.size), (s.array(s.m.nq), s.array(s.m.nv)), (start,), (start, None, start)))
        return sysid.Recording(begin, mostly(s, (np.zeros((steps, nu)),), (s.array(steps, nu),)), **measured,
                               noise=mostly(s, (None, 0.1), (s.number(0.1), s.array(s.m.nv))), free_start=s.rng.choice((True, False, None)))

    def identify():
        parameters = mostly(s, ([parameter()], [parameter(), parameter()], parameter()), ([], None))
        recordings = mostly(s, ([recording()], [recording(), recording()], recording()), ([], "text"))
        found = sysid.identify(s.m, parameters, recordings, iterations=few(s), tolerance=s.number(1e-8),
                               confidence=s.number(0.95), undetermined=s.number(1.0))
        str(found)
        # what was found is a model like others
        kinetree.mj_step(found.model, kinetree.MjData(found.model))

    def sound(parameters, begin=start):
        return sysid.identify(s.m, parameters, sysid.Recording(begin, np.zeros((2, nu)), qvel=np.zeros((2, s.m.nv))), iterations=1)

    return {
        "identify": identify, "again": identify, "sound": lambda: sound([sysid.Parameter("mass", "link1")]),
        "field": lambda: sound([sysid.Parameter(s.rng.choice(KINDS), s.rng.choice((0, 1, 2, 3)))]),
        "spoil": lambda: s.spoil((s.m.body_mass, s.m.body_inertia, s.m.dof_damping, s.m.geom_friction, s.m.qpos0)),
        "foreign start": lambda: sound([sysid.Parameter("mass", "link1")], state_of(s.other, s.foreign)),
        "foreign body": lambda: sound([sysid.Parameter("mass", "ball")]),
    }
