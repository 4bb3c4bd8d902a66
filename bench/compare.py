"""`python -m bench.compare`: Kinetree beside MuJoCo 3.8.0 and the newest MuJoCo, interleaved in one run.

Each engine runs in a process of its own. All start each repetition from the same state, which MuJoCo 3.8.0 has reached,
and take turns, so that whatever else the machine does falls on all of them. The table shows, for each model, the median
ratio of the time per step of the faster MuJoCo to that of Kinetree (above one: Kinetree is faster), the middle 80 % of
these ratios, and the same ratios for `rollout` on two threads and for loading. `--write` puts the table and a bar chart into
`docs/performance.md`.
"""

import argparse
import json
import os
import statistics

from bench import chart, report
from bench.engines import ROOT, all_engines, interleaved, ratios

EMBEDDED = [os.path.join(ROOT, "models", "showcase", f"{n}.xml") for n in ("humanoid", "quadruped", "arm", "boxes", "car")]
CORPUS = [
    "mujoco/model/humanoid/humanoid.xml",
    "mujoco/model/humanoid/22_humanoids.xml",
    "mujoco_menagerie/shadow_hand/scene_right.xml",
    "dm_control/dm_control/suite/quadruped.xml",
    "mujoco_warp/benchmarks/franka_emika_panda/panda.xml",
    "mujoco/model/car/car.xml",
    "mujoco/model/tendon_arm/arm26.xml",
    "mujoco/model/slider_crank/slider_crank.xml",
    "mujoco/model/replicate/particle.xml",
]


def display_name(path):
    """The last two parts of a path, without the extension."""
    return "/".join(os.path.splitext(path)[0].split(os.sep)[-2:])


def load_in_turns(engines, path, turns=3):
    """What each engine says of loading a model: sizes and the least time of all turns, or an error."""
    answers = {}
    for engine in turns * engines:
        answer = engine.ask(do="load", path=path)
        best = answers.setdefault(engine.label, answer)
        if "error" not in answer:
            best["load"] = min(best["load"], answer["load"])
    return answers


def time_model(engines, path, repetitions, seconds):
    """Times one model on all engines; returns a row of the table."""
    loads = load_in_turns(engines, path)
    for engine in engines[:2]:
        if "error" in loads[engine.label]:
            raise SystemExit(f"{engine.label} cannot load {path}: {loads[engine.label]['error']}")
    # the newest version may refuse what the reference loads
    engines = [e for e in engines if "error" not in loads[e.label]]
    times = interleaved(engines, repetitions, seconds)
    single = ratios(engines, times)
    threads = ratios(engines, interleaved(engines, repetitions, seconds, do="rollout", threads=2))
    edge = len(single) // 10
    return {
        "model": display_name(path),
        "nv": loads[engines[1].label]["nv"],
        "microseconds": {label: 1e6 * statistics.median(t) for label, t in times.items()},
        "ratio": statistics.median(single),
        "low": single[edge],
        "high": single[-1 - edge],
        "threads": statistics.median(threads),
        "load": min(loads[e.label]["load"] for e in engines[1:]) / loads[engines[0].label]["load"],
    }


def table_head(labels):
    """First lines of the table."""
    times = " | ".join(f"{label}, µs" for label in labels)
    return [f"| model | dofs | {times} | ratio | spread | two threads | loading |", "|---|---|" + "---|" * (len(labels) + 4)]


def table_row(row, labels):
    """One line of the table."""
    times = " | ".join(f"{row['microseconds'][label]:.1f}" if label in row["microseconds"] else "refused" for label in labels)
    spread = f"{row['low']:.2f}–{row['high']:.2f}"
    return f"| {row['model']} | {row['nv']} | {times} | **{row['ratio']:.2f}** | {spread} | {row['threads']:.2f} | {row['load']:.2f} |"


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.compare", description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="model files (default: embedded ones, and the corpus where present)")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.1, help="length of one timing")
    parser.add_argument("--json", help="write all numbers to this file")
    parser.add_argument("--write", action="store_true", help="write table and chart into docs/performance.md")
    arguments = parser.parse_args()

    present = [path for path in (os.path.join(arguments.corpus, m) for m in CORPUS) if os.path.exists(path)]
    engines = all_engines()
    labels = [e.label for e in engines]
    lines, rows = table_head(labels), []
    print("\n".join(lines), flush=True)
    for path in arguments.models or EMBEDDED + present:
        rows.append(time_model(engines, path, arguments.repetitions, arguments.seconds))
        lines.append(table_row(rows[-1], labels))
        print(lines[-1], flush=True)
    means = [statistics.geometric_mean(row[key] for row in rows) for key in ("ratio", "threads", "load")]
    lines += ["", "Geometric means: {:.2f} single thread, {:.2f} on two threads, {:.2f} loading.".format(*means)]
    print("\n".join(lines[-2:]))
    if arguments.write:
        bars = [(row["model"], row["ratio"], row["low"], row["high"]) for row in rows]
        report.write_image("speed.svg", chart.bars("Speed, as a multiple of the faster MuJoCo's", bars))
        report.write_section("bench.compare", [*lines, "", "![bar chart of the ratios](images/speed.svg)"])
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
