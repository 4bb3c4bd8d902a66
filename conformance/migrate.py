"""`python -m conformance.migrate FOLDER --old PYTHON`: models of level 3.8 that are converted to level 4.0 move as they did.

Each model file is stepped by MuJoCo 3.8.0 (the interpreter `--old`, of another environment), migrated here, and stepped by the MuJoCo 4.0.1
of this environment, from the same state with the same controls. What is not migrated, because no description can make up for a difference,
is listed with the reason. The share of the files that agree as they are is printed beside it.
"""

import argparse
import collections
import json
import os
import queue
import subprocess
import sys
import threading

import numpy as np

from conformance.__main__ import models_in, progress, sample

TOLERANCE = 1e-6
# seconds for a model
PATIENCE = 60.0
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trajectory.py")


class Stepper:
    """A process that steps models; a crash or a hang of one model ends no more than that process."""

    def __init__(self, interpreter):
        self.interpreter = interpreter
        self.start()

    def start(self):
        """Starts a fresh process."""
        self.process = subprocess.Popen([self.interpreter, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.questions, self.answers = self.process.stdin, self.process.stdout
        self.version = json.loads(self.answers.readline())

    def step(self, path, seed):
        """Positions, or why there are none."""
        line: queue.Queue[str] = queue.Queue()
        answers = self.answers
        try:
            self.questions.write(json.dumps([path, seed]) + "\n")
            self.questions.flush()
            threading.Thread(target=lambda: line.put(answers.readline()), daemon=True).start()
            answer = json.loads(line.get(timeout=PATIENCE))
        except (queue.Empty, BrokenPipeError, ValueError):
            self.process.kill()
            self.start()
            return None, "the process died or gave no answer in time"
        return (np.array(answer["qpos"]), None) if "qpos" in answer else (None, answer["error"])


def distance(old, new):
    """How far two trajectories are apart, relative to the size of the coordinates where these are large."""
    if old.shape != new.shape:
        return np.inf
    finite = np.isfinite(old)
    if not np.array_equal(finite, np.isfinite(new)):
        return np.inf
    return float(np.max(np.abs(old - new)[finite] / np.maximum(1.0, np.abs(old[finite])), initial=0.0))


def convert(kinetree, path, target):
    """Writes the migrated model; the notes, or why there is none."""
    try:
        migration = kinetree.MjSpec.from_file(path).migrate("4.0")
        migration.spec.to_file(target)
    except ValueError as problem:
        lines = str(problem).strip().splitlines()
        differs = lines[0].startswith("the physics would differ")
        # an element has its reason behind its name
        return None, "; ".join(sorted({line.split(": ", 1)[-1] for line in lines[1:]})) if differs else lines[0]
    return migration.notes, None


def compare(path, steppers, kinetree):
    """Outcome of a model and details; None when 3.8.0 does not load it."""
    old, _ = steppers[0].step(path, path)
    if old is None:
        return None
    unchanged, _ = steppers[1].step(path, path)
    as_it_is = unchanged is not None and distance(old, unchanged) <= TOLERANCE
    # beside the model, so that it finds its assets
    target = os.path.join(os.path.dirname(path), f".migrated-{os.getpid()}.xml")
    try:
        notes, reason = convert(kinetree, path, target)
        if notes is None:
            kind = "differs by its nature" if not reason.startswith("error") else "not migrated"
            return kind, reason, as_it_is
        new, reason = steppers[1].step(target, path)
    finally:
        if os.path.exists(target):
            os.remove(target)
    if new is None:
        return "not loaded by 4.0.1", reason, as_it_is
    apart = distance(old, new)
    if apart <= TOLERANCE:
        return "agrees", "", as_it_is
    warnings = sorted({note.text for note in notes if note.kind == "warning"})
    with open(path, encoding="utf-8", errors="replace") as file:
        if path.endswith(".urdf") and "<mimic" in file.read():
            warnings.append("joints that mimic others, which 3.8.0 does not read")
    return "apart", f"{apart:.1e}; " + "; ".join(warnings), as_it_is


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.migrate", description=__doc__)
    parser.add_argument("folders", nargs="+", help="folders or files")
    parser.add_argument("--old", required=True, metavar="PYTHON", help="interpreter of an environment with mujoco==3.8.0")
    parser.add_argument("--sample", type=int, default=0, help="run only so many models, spread evenly")
    parser.add_argument("--failures", type=int, default=40, help="how many models to list of each outcome (0: all)")
    parser.add_argument("--json", metavar="FILE", help="write all outcomes as JSON")
    arguments = parser.parse_args()
    import kinetree

    steppers = [Stepper(arguments.old), Stepper(sys.executable)]
    for stepper, version in zip(steppers, ("3.8.0", "4.0.1")):
        if stepper.version != version:
            raise SystemExit(f"MuJoCo {stepper.version} is installed for {stepper.interpreter}, but {version} is needed there")
    paths = []
    for folder in arguments.folders:
        paths += models_in(os.path.abspath(folder), [])
    paths = sample(paths, arguments.sample)
    outcomes, kept = collections.defaultdict(list), 0
    for done, path in enumerate(paths):
        found = compare(path, steppers, kinetree)
        progress(done + 1, len(paths), path)
        if found is None:
            continue
        outcome, detail, as_it_is = found
        kept += as_it_is
        outcomes[outcome].append((path, detail))
    total = sum(map(len, outcomes.values()))
    print(f"{total} models that MuJoCo 3.8.0 loads; {kept} move in 4.0.1 as they are, to {TOLERANCE:.0e}")
    for outcome, rows in sorted(outcomes.items(), key=lambda item: -len(item[1])):
        print(f"{outcome}: {len(rows)} ({100 * len(rows) / total:.1f} %)")
        if outcome != "agrees":
            for path, detail in rows[:arguments.failures or None]:
                print(f"  {os.path.relpath(path)}: {detail}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(outcomes, file, indent=1)


if __name__ == "__main__":
    main()
