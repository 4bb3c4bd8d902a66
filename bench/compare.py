"""`python -m bench.compare`: Kinetree beside MuJoCo 3.8.0 and the newest MuJoCo, interleaved in one run.

Each engine runs in a process of its own. All start each repetition from the same state, which MuJoCo 3.8.0 has reached,
and take turns, so that whatever else the machine does falls on all of them. The table shows, for each model, the median
ratio of the time per step of the faster MuJoCo to that of Kinetree (above one: Kinetree is faster) and its spread.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EMBEDDED = [os.path.join(ROOT, "models", "showcase", f"{n}.xml") for n in ("humanoid", "quadruped", "arm", "boxes", "car")]
CORPUS = [
    "mujoco/model/humanoid/humanoid.xml",
    "mujoco/model/humanoid/22_humanoids.xml",
    "mujoco/model/car/car.xml",
    "mujoco/model/tendon_arm/arm26.xml",
    "mujoco/model/replicate/particle.xml",
    "mujoco/model/slider_crank/slider_crank.xml",
]


class Engine:
    """A worker process."""

    def __init__(self, label, python, module, extra_path=None):
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join([*(extra_path or []), ROOT])
        self.label = label
        self.process = subprocess.Popen(
            [python, "-m", "bench.worker", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment, cwd=ROOT,
        )

    def ask(self, **request):
        """Sends a request and waits for the answer."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.label} stopped during {request['do']}")
        return json.loads(answer)


def environment_with(package, folder):
    """Python of a virtual environment with one package, made on first use."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        print(f"setting up {package} …", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", package], check=True)
    return python


def time_model(engines, path, repetitions, seconds):
    """Times one model on all engines; returns a row of the table."""
    loads = {e.label: e.ask(do="load", path=path) for e in engines}
    reference = engines[1]
    state = reference.ask(do="settle", steps=200)
    for engine in engines:
        engine.ask(do="adopt", state=state)
    probe = reference.ask(do="time", steps=20)
    steps = max(5, min(5000, int(seconds / max(1e-7, probe["seconds"] / 20))))
    times = {e.label: [] for e in engines}
    for _ in range(repetitions):
        for engine in engines:
            times[engine.label].append(engine.ask(do="time", steps=steps)["seconds"] / steps)
    own = times[engines[0].label]
    ratios = [min(times[e.label][i] for e in engines[1:]) / own[i] for i in range(repetitions)]
    ratios.sort()
    return {
        "model": os.path.relpath(path, ROOT) if path.startswith(ROOT) else "/".join(path.split(os.sep)[-2:]),
        "nv": loads[reference.label]["nv"],
        "microseconds": {label: 1e6 * statistics.median(t) for label, t in times.items()},
        "ratio": statistics.median(ratios),
        "low": ratios[len(ratios) // 10],
        "high": ratios[-1 - len(ratios) // 10],
        "load_ratio": min(loads[e.label]["load"] for e in engines[1:]) / loads[engines[0].label]["load"],
    }


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.compare", description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="model files (default: embedded ones, and the corpus where present)")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.1, help="length of one timing")
    parser.add_argument("--cache", default=os.path.join(ROOT, "out", "bench"), help="where environments are kept")
    parser.add_argument("--json", help="write all numbers to this file")
    arguments = parser.parse_args()

    models = arguments.models or EMBEDDED + [
        path for path in (os.path.join(arguments.corpus, m) for m in CORPUS) if os.path.exists(path)
    ]
    engines = [
        Engine("kinetree", sys.executable, "kinetree", [p for p in sys.path if p]),
        Engine("mujoco-3.8.0", environment_with("mujoco==3.8.0", os.path.join(arguments.cache, "mujoco-3.8.0")), "mujoco"),
        Engine("mujoco-newest", environment_with("mujoco", os.path.join(arguments.cache, "mujoco-newest")), "mujoco"),
    ]
    rows = []
    labels = [e.label for e in engines]
    print("| model | nv | " + " | ".join(f"{label} µs" for label in labels) + " | ratio | spread | load ratio |")
    print("|---|---|" + "---|" * (len(labels) + 3))
    for path in models:
        row = time_model(engines, path, arguments.repetitions, arguments.seconds)
        rows.append(row)
        cells = " | ".join(f"{row['microseconds'][label]:.1f}" for label in labels)
        print(
            f"| {row['model']} | {row['nv']} | {cells} | {row['ratio']:.2f} | {row['low']:.2f}–{row['high']:.2f} "
            f"| {row['load_ratio']:.2f} |",
            flush=True,
        )
    print(f"\ngeometric mean of the ratios: {statistics.geometric_mean(r['ratio'] for r in rows):.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
