"""Surfaces on several threads, in the child of a fork, under signals, while garbage is collected, and with little memory.

These cases may harm their process, and so run in one of their own.
"""

import contextlib
import gc
import math
import os
import signal
import threading
import time

import kinetree
import numpy as np
from kinetree import control, grad, ik, rollout, soft, sysid
from kinetree.batch import BatchSim

from conformance.hostile import planning, surfaces

# seconds: most that threads and children may stand still, and take altogether (less than a case may), and that a call may go on after Ctrl-C
# (half a second, and what a busy machine adds)
PATIENCE, LONGEST, PROMPT = 30.0, 50.0, 3.0
# MB that a child with little memory may still have: mostly little, since it fills them
ROOM = (50, 50, 50, 50, 100, 100, 200, 500)


def all_end(workers):
    """Whether threads end. Those that wait for each other take no processor time; software drivers take some minutes of it to compile kernels,
    so those that go on for ever are found by whoever watches this process."""
    used, since = time.process_time(), time.monotonic()
    while alive := [worker for worker in workers if worker.is_alive()]:
        alive[0].join(0.02)
        if time.process_time() - used > 1:
            used, since = time.process_time(), time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            return False
    return True


def threads(rng, log):
    """Threads that use one another's objects."""
    s = surfaces.Studio(rng)
    name, calls = surfaces.choose(s)
    calls |= surfaces.functions(s)
    log.append(f"threads: {name}")
    plans = [[rng.choice(list(calls)) for _ in range(20)] for _ in range(rng.choice((2, 3)))]
    outcomes = []

    def run(plan):
        outcomes.extend(surfaces.attempt(chosen, calls[chosen]) for chosen in plan)

    workers = [threading.Thread(target=run, args=(plan,), daemon=True) for plan in plans]
    for worker in workers:
        worker.start()
    ended = all_end(workers)
    log.extend(outcomes)
    if not ended:
        return "threads stand still"
    return next((f"a panic in {name}" for name, result in outcomes if result == "UnexpectedError"), None)


def ticks(process):
    """Processor time of a process, in ticks of the system: one that stands still takes none, however busy the machine is."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


def in_child(work, longest=LONGEST):
    """Runs something in a child of this process; how that ended, if not well. The child ends after `longest` seconds at the latest, whatever it
    does, whatever has become of this process, and with all that it has started itself: nothing is left that holds on to a pipe."""
    child = os.fork()
    if not child:
        # never comes back: what is inherited must not be run twice
        status = 1
        try:
            os.setpgid(0, 0)
            # the system ends a process that goes on: no handler, and no thread of it, has to run for that
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(math.ceil(longest) + 1)
            status = work()
        finally:
            os._exit(status)
    begun = since = time.monotonic()
    used = 0
    problem, pause = None, 0.001
    while problem is None:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return None if code == 0 else f"the child ended with {code}"
        now = time.monotonic()
        if ticks(child) > used:
            used, since = ticks(child), now
        if now - since > PATIENCE:
            problem = "the child stands still"
        elif now - begun > longest:
            problem = f"the child goes on after {longest:g} s"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)
    end_group(child)
    os.waitpid(child, 0)
    return problem


def end_group(leader):
    """Ends a child, and what it has started."""
    for end in (os.killpg, os.kill):
        # a child that has not come far enough to lead a group is alone
        with contextlib.suppress(ProcessLookupError):
            end(leader, signal.SIGKILL)


def fork(rng, log):
    """A child that uses, makes and drops what its parent has used."""
    s = surfaces.Studio(rng)
    name, calls = surfaces.choose(s)
    log.append(f"fork: {name}")
    for _ in range(3):
        chosen = rng.choice(list(calls) or [None])
        if chosen:
            log.append(surfaces.attempt(chosen, calls[chosen]))
    plan = [rng.choice(list(calls)) for _ in range(3)] if calls else []
    log.append(tuple(plan))

    def work():
        outcomes = [surfaces.attempt(chosen, calls[chosen]) for chosen in plan]
        fresh = surfaces.Studio(rng)
        BatchSim(fresh.m, 2, nthread=2).step()
        calls.clear()
        gc.collect()
        return 3 if any(result == "UnexpectedError" for _, result in outcomes) else 0

    problem = in_child(work)
    # and the parent goes on
    BatchSim(s.m, 2, nthread=2).step()
    return problem


def patiently(s, work):
    """Does something with more iterations in the options than there is time for."""
    opt = s.m.opt
    names = ("solver", "iterations", "tolerance", "ls_iterations", "noslip_iterations", "noslip_tolerance", "ccd_iterations", "sdf_iterations",
             "sdf_initpoints")
    before = {name: getattr(opt, name) for name in names}
    opt.solver, opt.iterations, opt.tolerance = s.rng.choice((0, 1, 2)), 2**31 - 1, s.rng.choice((-1, 0))
    for name in names[3:]:
        if s.rng.random() < 0.4:
            setattr(opt, name, -1 if "tolerance" in name else 2**31 - 1)
    try:
        work()
    finally:
        for name, value in before.items():
            setattr(opt, name, value)


def long_calls(s):
    """What makes a call that takes seconds unless it is interrupted."""
    nx = 2 * s.m.nv + s.m.na

    def cloth():
        sheet = soft.SoftWorld()
        sheet.add(soft.Cloth.grid((12, 12), (0.3, 0.3), pos=(0, 0, 0.5)))
        return lambda: sheet.step(s.m, s.d, 10**4)

    def batch():
        worlds = BatchSim(s.m, 64, nthread=2)
        return lambda: worlds.step(10**5)

    def chain():
        return ik.Chain(s.m, "world", "grip")

    def solver():
        made = ik.Solver(chain())
        return lambda: made.solve_batch(np.full((4000, 3), 9.0), np.tile([1.0, 0, 0, 0], (4000, 1)), threads=2)

    def trajectories():
        full = kinetree.mjtState.mjSTATE_FULLPHYSICS
        state = np.zeros(kinetree.mj_stateSize(s.m, full))
        kinetree.mj_getState(s.m, s.d, state, full)
        pool, datas = rollout.Rollout(nthread=2), [kinetree.MjData(s.m) for _ in range(2)]
        return lambda: pool.rollout(s.m, datas, np.repeat(state[None], 64, 0), nstep=20_000)

    def identify():
        mass, begin = [sysid.Parameter("mass", "link1")], planning.state_of(s.m, s.d)
        measured = sysid.Recording(begin, np.zeros((20_000, s.m.nu)), qvel=np.zeros((20_000, s.m.nv)))
        return lambda: sysid.identify(s.m, mass, measured, iterations=10**6, tolerance=0)

    def target():
        made = ik.Solver(chain(), max_restarts=10**9, max_iterations=10**9)
        return lambda: made.solve(np.full(3, 0.3), np.array([0.8, 0.6, 0, 0]))

    def pictures():
        try:
            renderer = kinetree.BatchRenderer(s.m, 64, 64, cameras=(-1,) * 50)
        except kinetree.FatalError as problem:
            if "no graphics adapter" not in str(problem):
                raise
            return
        renderer.render([s.d] * 200)

    # what is planned for ever
    cost = planning.sound_cost(s)
    return {
        "plan": lambda: lambda: control.ilqr(s.m, s.d, np.zeros((3000, s.m.nu)), cost, iterations=10**6, tolerance=0),
        "samples": lambda: lambda: control.cem(s.m, s.d, 100, cost, iterations=10**6),
        "replan": lambda: lambda: control.Mpc(s.m, 100, cost, planner="mppi", iterations=10**6).replan(s.d),
        "identify": identify,
        "pictures": lambda: pictures,
        "batch": batch,
        "step": lambda: lambda: kinetree.mj_step(s.m, s.d, nstep=10**6),
        "soft": cloth,
        "solver": solver,
        "rollout": trajectories,
        "iterations": lambda: lambda: patiently(s, lambda: kinetree.mj_step(s.m, s.d, nstep=10**6)),
        "worlds": lambda: lambda: patiently(s, lambda: BatchSim(s.m, 8, nthread=2).step(10**5)),
        "target": target,
        "compilation": lambda: lambda: kinetree.MjModel.from_xml_string(
            "<mujoco><worldbody><replicate count='20000' offset='1 0 0'><body><freejoint/><geom size='.1'/></body></replicate></worldbody></mujoco>"),
        "gradient": lambda: lambda: grad.rollout_vjp(s.m, kinetree.MjData(s.m), np.zeros((20_000, s.m.nu)), np.zeros((20_000, nx))),
    }


def outcome_of(call, delay):
    """What comes of a call under Ctrl-C after a delay: an exception or None, whether the interrupt came out, and how long after it was sent (s).

    An error that a call ends with may come before the interrupt that waits behind it: the interpreter raises that at its next step.
    """
    sent: list[float] = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Timer(delay, send)
    error, late = None, 0.0
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            sender.start()
            call()
        except Exception as problem:
            error = problem
        # the call has gone on as long as this after the interrupt, if that was sent at all
        late = time.monotonic() - sent[0] if sent else 0.0
        sender.join()
        time.sleep(0.1)
        came = False
    except KeyboardInterrupt:
        came, late = True, max(late, time.monotonic() - sent[0])
    finally:
        # what was raised before it could be seen to have been sent
        sender.join()
        signal.signal(signal.SIGINT, previous)
    return error, came, late


def interrupt(rng, log):
    """Ctrl-C at a random time ends a call soon, and what it worked on can still be used."""
    s = surfaces.Studio(rng)
    calls = long_calls(s)
    name = rng.choice(list(calls))
    log.append(f"interrupt: {name}")
    error, came, late = outcome_of(calls[name](), rng.choice((0.0005, 0.005, 0.02, 0.1)))
    log.append((name, "KeyboardInterrupt" if came else type(error).__name__ if error else "value"))
    if not came:
        return f"{name} swallowed an interrupt and ended with {error!r}"
    if late > PROMPT:
        return f"{name} went on for {late:.1f} s after the interrupt"
    kinetree.mj_resetData(s.m, s.d)
    kinetree.mj_step(s.m, s.d)
    BatchSim(s.m, 2, nthread=2).step()
    return None


class Reader:
    """In a cycle, so that the collector drops it at any time; then it reads data that may be in use."""

    def __init__(self, d):
        self.d, self.itself = d, self

    def __del__(self):
        try:
            _ = len(self.d.contact), self.d.contact.dist, self.d.efc_J
        except RuntimeError:  # in use: fine, as long as it does not wait
            pass


def collection(rng, log):
    """Collections of garbage at every allocation, whose finalizers read the same data."""
    s = surfaces.Studio(rng, "showcase/boxes")
    name, calls = surfaces.choose(surfaces.Studio(rng))
    calls |= surfaces.functions(s)
    log.append(f"collection: {name}")
    thresholds = gc.get_threshold()
    gc.set_threshold(rng.choice((1, 3, 10)))
    try:
        for _ in range(20):
            Reader(s.d)
            kinetree.mj_step(s.m, s.d)
            _ = s.d.contact.dist, s.d.contact.pos, s.d.efc_type
            chosen = rng.choice(list(calls))
            log.append(surfaces.attempt(chosen, calls[chosen]))
            if log[-1][1] == "UnexpectedError":
                return f"a panic in {chosen}"
    finally:
        gc.set_threshold(*thresholds)
    return None


def little_memory(rng, log):
    """A child that asks for more than it may have: exceptions, no abort."""
    s = surfaces.Studio(rng)
    nx, cost = 2 * s.m.nv + s.m.na, planning.sound_cost(s)
    requests = {
        "batch": lambda: BatchSim(s.m, 7_000_000, nthread=1),
        "replicates": lambda: kinetree.MjModel.from_xml_string(
            "<mujoco><worldbody>" + "<replicate count='60' offset='1 0 0'>" * 3 + "<geom size='.1'/>" + "</replicate>" * 3 + "</worldbody></mujoco>"),
        "gradient": lambda: grad.rollout_vjp(s.m, s.d, np.zeros((100_000, s.m.nu)), np.zeros((100_000, nx)), ("body_mass", "geom_size")),
        "data": lambda: [kinetree.MjData(s.m) for _ in range(10**5)],
        "size": lambda: kinetree.MjModel.from_xml_string("<mujoco><size memory='100G'/></mujoco>"),
        "texture": lambda: kinetree.MjModel.from_xml_string(
            "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='20000' height='20000'/></asset></mujoco>"),
        "scene": lambda: kinetree.MjvScene(s.m, 2**26),
        "plan": lambda: control.ilqr(s.m, s.d, np.zeros((10**6, s.m.nu)), cost),
        "samples": lambda: control.cem(s.m, s.d, 10**5, cost, samples=10**4, iterations=1),
        "planner": lambda: control.Mpc(s.m, 10**6, cost, planner="cem", samples=10**4),
        "identify": lambda: sysid.identify(s.m, [sysid.Parameter("mass", "link1")], sysid.Recording(
            planning.state_of(s.m, s.d), np.zeros((10**6, s.m.nu)), qvel=np.zeros((10**6, s.m.nv)))),
        "context": lambda: kinetree.mjr_resizeOffscreen(16384, 16384, kinetree.MjrContext(None)),
        "flex": lambda: kinetree.MjModel.from_xml_string(
            "<mujoco><worldbody><flexcomp name='f' type='grid' count='400 400 40' spacing='.1 .1 .1' radius='.01' mass='1'/></worldbody></mujoco>"),
    }
    plan = rng.sample(list(requests), 2)
    log.append(f"memory: {plan}")

    def work():
        import resource
        with open("/proc/self/statm", encoding="ascii") as file:
            size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + rng.choice(ROOM) * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(PATIENCE), int(PATIENCE)))
        outcomes = [surfaces.attempt(chosen, requests[chosen]) for chosen in plan]
        return 3 if any(result == "UnexpectedError" for _, result in outcomes) else 0

    return in_child(work)


CIRCUMSTANCES = (threads, threads, fork, fork, interrupt, collection, collection, little_memory)


def run_case(rng):
    """Runs one case; what it did, and what is wrong, if anything is."""
    log: list = []
    return log, rng.choice(CIRCUMSTANCES)(rng, log)
