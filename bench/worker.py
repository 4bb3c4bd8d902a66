"""One engine in its own process: loads models, sets states and times steps on request.

Requests and answers are lines of JSON. The process runs in an environment that has one engine installed.
"""

import importlib
import json
import sys
import time
from typing import Any

import numpy as np

STATE = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "mocap_pos", "mocap_quat")


def load(engine, path, attempts):
    """Loads a model; answers with the least time it took in some attempts, of at least 0.2 s where there are several, and its sizes."""
    seconds = []
    while len(seconds) < attempts or (attempts > 1 and sum(seconds) < 0.2):
        start = time.perf_counter()
        model = engine.MjModel.from_xml_path(path)
        seconds.append(time.perf_counter() - start)
    return model, engine.MjData(model), {"load": min(seconds), "nv": int(model.nv), "version": engine.__version__}


def settle(engine, model, data, steps, keyframe=True):
    """Steps from the first keyframe or the default pose; answers with the state."""
    if keyframe and model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    for _ in range(steps):
        engine.mj_step(model, data)
    return {"state": {name: np.asarray(getattr(data, name)).ravel().tolist() for name in STATE}, "time": float(data.time)}


def touch(engine, model, data, steps, seconds):
    """Steps until there are contacts and a little on, or to an end of steps or time; answers with the state."""
    if model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    begun, last = time.process_time(), steps
    for step in range(steps):
        engine.mj_step(model, data)
        if data.ncon and last == steps:
            last = step + 20
        if step >= last or time.process_time() - begun > seconds:
            break
    finite = bool(np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all())
    return {**settle(engine, model, data, 0, keyframe=False), "finite": finite}


def adopt(data, state):
    """Sets a state that another engine reached."""
    for name, values in state["state"].items():
        array = getattr(data, name)
        if array.size:
            array[...] = np.array(values).reshape(array.shape)
    data.time = state["time"]


def rollout(engine, model, state, threads, steps):
    """Seconds that `steps` steps take on each of some threads, one world a thread."""
    runner = importlib.import_module(f"{engine.__name__}.rollout")
    worlds = [engine.MjData(model) for _ in range(threads)]
    adopt(worlds[0], state)
    kind = engine.mjtState.mjSTATE_FULLPHYSICS
    initial = np.zeros(engine.mj_stateSize(model, kind))
    engine.mj_getState(model, worlds[0], initial, kind)
    start = time.perf_counter()
    runner.rollout(
        model, worlds, np.tile(initial, (threads, 1)), nstep=steps,
        initial_warmstart=np.tile(worlds[0].qacc_warmstart, (threads, 1)),
    )
    return time.perf_counter() - start


# what a step calls, in order; the rest of it is integration, tests and copies
STAGES = (
    "mj_kinematics", "mj_comPos", "mj_camlight", "mj_flex", "mj_tendon", "mj_makeM", "mj_factorM", "mj_collision", "mj_makeConstraint",
    "mj_island", "mj_transmission", "mj_projectConstraint", "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint",
    "mj_sensorPos", "mj_sensorVel", "mj_sensorAcc",
)


def profile(engine, model, data, state, rounds):
    """Least processor time of each stage of a step from a state, and of the whole step, without the way from Python."""
    stages = [name for name in STAGES if hasattr(engine, name)]
    least = dict.fromkeys([*stages, "mj_step"], float("inf"))
    # a call from Python that does next to nothing: what every call costs beside its work
    call_alone = min(spent(engine.mj_isSparse, model) for _ in range(100))
    for _ in range(rounds):
        adopt(data, state)
        for name in stages:
            least[name] = min(least[name], spent(getattr(engine, name), model, data))
        adopt(data, state)
        least["mj_step"] = min(least["mj_step"], spent(engine.mj_step, model, data))
    return {name: max(0.0, seconds - call_alone) for name, seconds in least.items()}


def spent(call, *arguments):
    """Processor time of a call."""
    start = time.process_time()
    call(*arguments)
    return time.process_time() - start


def main(name):
    """Serves requests until the input ends."""
    engine = __import__(name)
    model: Any = None
    data: Any = None
    state: Any = None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {}
        if request["do"] == "load":
            try:
                model, data, answer = load(engine, request["path"], request.get("attempts", 5))
            except (ValueError, RuntimeError) as error:
                answer = {"error": str(error)}
        elif request["do"] == "settle":
            answer = settle(engine, model, data, request["steps"])
        elif request["do"] == "adopt":
            state = request["state"]
            adopt(data, state)
        elif request["do"] == "time":
            adopt(data, state)
            clock = time.process_time if request.get("process") else time.perf_counter
            start = clock()
            engine.mj_step(model, data, nstep=request["steps"])
            answer = {"seconds": clock() - start, "ncon": int(data.ncon)}
        elif request["do"] == "touch":
            answer = touch(engine, model, data, request["steps"], request["seconds"])
        elif request["do"] == "profile":
            answer = profile(engine, model, data, state, request["rounds"])
        elif request["do"] == "rollout":
            answer = {"seconds": rollout(engine, model, state, request["threads"], request["steps"])}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
