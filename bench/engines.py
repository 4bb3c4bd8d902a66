"""Engines in processes of their own: Kinetree as this tree builds it, MuJoCo 3.8.0, and the newest MuJoCo."""

import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE = os.path.join(ROOT, "target", "bench")


class Engine:
    """A worker process: `bench.worker` with the package of an engine, or another program that answers the same requests."""

    def __init__(self, label, command, extra_path=()):
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join([*extra_path, ROOT])
        self.label = label
        self.command = command
        self.environment = environment
        self.restart()

    def restart(self):
        """Starts the process, anew where a model has ended it."""
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment, cwd=ROOT)

    def ask(self, **request):
        """Sends a request and waits for the answer."""
        to_worker, from_worker = self.process.stdin, self.process.stdout
        assert to_worker is not None and from_worker is not None
        to_worker.write(json.dumps(request) + "\n")
        to_worker.flush()
        # the reference prints warnings of its own
        answer = next((line for line in from_worker if line.startswith("{")), "")
        if not answer:
            raise RuntimeError(f"{self.label} stopped during {request['do']}")
        answer = json.loads(answer)
        # what a model is refused for is an answer; everything else has gone wrong
        if "error" in answer and request["do"] != "load":
            raise RuntimeError(f"{self.label}, {request['do']}: {answer['error']}")
        return answer


def environment_with(package, name):
    """Python of a virtual environment with one package, made on first use."""
    folder = os.path.join(CACHE, name)
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        print(f"setting up {package} …", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", package], check=True)
    return python


def worker(python, module):
    """Command of a worker with the package of an engine."""
    return [python, "-m", "bench.worker", module]


def release_worker():
    """Builds the worker that needs no Python in release, or takes the program of `KINETREE_WORKER`; returns its path."""
    if "KINETREE_WORKER" in os.environ:
        return os.environ["KINETREE_WORKER"]
    print("building kinetree in release …", file=sys.stderr, flush=True)
    command = ["cargo", "build", "--release", "-q", "-p", "kinetree", "--example", "bench_worker", "--message-format=json"]
    messages = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    artifacts = [json.loads(line) for line in messages.splitlines() if line.startswith("{")]
    return next(artifact["executable"] for artifact in artifacts if artifact.get("executable"))


def release_package():
    """Builds the extension in release, or takes the package of `KINETREE_PACKAGE`; returns a folder to import `kinetree` from."""
    if "KINETREE_PACKAGE" in os.environ:
        return os.environ["KINETREE_PACKAGE"]
    print("building kinetree in release …", file=sys.stderr, flush=True)
    command = ["cargo", "build", "--release", "-q", "-p", "kinetree-python", "--message-format=json"]
    messages = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    artifacts = [json.loads(line) for line in messages.splitlines() if line.startswith("{")]
    libraries = [
        name
        for artifact in artifacts
        for name in artifact.get("filenames", [])
        if "kinetree_core" in name and name.endswith((".so", ".dylib"))
    ]
    folder = os.path.join(CACHE, "package")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "python", "kinetree"), os.path.join(folder, "kinetree"))
    for stale in glob.glob(os.path.join(folder, "kinetree", "_core*.so")):
        os.remove(stale)
    shutil.copy(libraries[-1], os.path.join(folder, "kinetree", "_core.abi3.so"))
    return folder


def all_engines(newest=True, native=False):
    """Kinetree first, as its Python package or as a program without Python; then the reference, then the newest MuJoCo."""
    reference = environment_with("mujoco==3.8.0", "mujoco-3.8.0")
    if native:
        own = Engine("kinetree", [release_worker()])
    else:
        own = Engine("kinetree", worker(reference, "kinetree"), [release_package()])
    engines = [own, Engine("mujoco-3.8.0", worker(reference, "mujoco"))]
    if newest:
        engines.append(Engine("mujoco-newest", worker(environment_with("mujoco-core", "mujoco-core-newest"), "mujoco")))
    return engines


def interleaved(engines, repetitions, seconds, **request):
    """Seconds per step of each engine, all taking turns; every timing starts from the state that the reference reached."""
    return timed(engines, engines[1].ask(do="settle", steps=request.pop("settle", 200)), repetitions, seconds, **request)


def timed(engines, state, repetitions, seconds, **request):
    """Seconds per step of each engine from one state, all taking turns."""
    for engine in engines:
        engine.ask(do="adopt", state=state)
    probe = engines[1].ask(do="time", steps=5)["seconds"] / 5
    steps = max(3, min(5000, int(seconds / max(1e-7, probe))))
    times = {engine.label: [] for engine in engines}
    for _ in range(repetitions):
        for engine in engines:
            times[engine.label].append(engine.ask(steps=steps, **{"do": "time", **request})["seconds"] / steps)
    return times


def ratios(engines, times):
    """Time of the MuJoCo with the lower median over that of Kinetree, for each repetition, sorted."""
    faster = min((times[e.label] for e in engines[1:]), key=statistics.median)
    return sorted(other / own for other, own in zip(faster, times[engines[0].label]))
