"""`python -m bench.corpus FOLDER`: every model family of a folder, beside MuJoCo 3.8.0 and the newest MuJoCo, interleaved.

A user has one model, not a panel: what counts is the whole distribution. For each family (as the folder's `manifest.json` has them,
otherwise the first file of each folder) all engines step from one state, which MuJoCo 3.8.0 reached twenty steps after the first contact
(after 300 steps where there is none), take turns, and are timed by the processor time of their process. The ratio is the time of the
faster MuJoCo over that of Kinetree, the median of the turns. The worst models are timed again, with the stages of a step side by side.
`--write` puts the summary, the worst and a plot of the sorted ratios into `docs/performance.md`.
"""

import argparse
import json
import os
import statistics
import sys

from bench import chart, report
from bench.engines import ROOT, all_engines, ratios, timed

MODELS = (".xml", ".urdf", ".mjb")


def families(folder):
    """One file of each model family of a folder, sorted."""
    manifest = os.path.join(folder, "manifest.json")
    if os.path.exists(manifest):
        with open(manifest, encoding="utf-8") as file:
            first = {}
            for model in json.load(file)["models"]:
                if model["ok"]:
                    first.setdefault(model["family"], model["path"])
        return sorted(os.path.join(folder, path) for path in first.values())
    first = {}
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(MODELS):
                first.setdefault(where, os.path.join(where, name))
    return sorted(first.values())


def spread(items, count):
    """`count` of the items, evenly spread over them; all of them where `count` is 0."""
    if not count or count >= len(items):
        return items
    return [items[i * len(items) // count] for i in range(count)]


class Skipped(Exception):
    """Why a model is not timed."""


def begin(engines, path):
    """Loads a model everywhere; returns the engines that have it, its number of dofs and a state."""
    loads = {engine.label: engine.ask(do="load", path=path, attempts=1) for engine in engines}
    for engine in engines[:2]:
        if "error" in loads[engine.label]:
            raise Skipped(f"{engine.label} refuses it")
    if not loads[engines[1].label]["nv"]:
        raise Skipped("nothing moves")
    able = [engine for engine in engines if loads[engine.label].get("nv") == loads[engines[1].label]["nv"]]
    state = engines[1].ask(do="touch", steps=300, seconds=3.0)
    if not state["finite"]:
        raise Skipped("MuJoCo's state is not finite")
    return able, loads[engines[1].label]["nv"], state


def time_model(engines, path, repetitions, seconds):
    """Ratio of one model, with what it was made from."""
    able, nv, state = begin(engines, path)
    times = timed(able, state, repetitions, seconds, process=True)
    return {
        "path": path, "nv": nv, "ratio": statistics.median(ratios(able, times)),
        "microseconds": {label: 1e6 * statistics.median(of) for label, of in times.items()},
    }


def stages_of(engines, row):
    """The stage in which Kinetree loses most against the reference, or spends most: name, and microseconds of both."""
    able, _, state = begin(engines, row["path"])
    own, other = able[0], able[1]
    for engine in (own, other):
        engine.ask(do="adopt", state=state)
    mine, theirs = (engine.ask(do="profile", rounds=40) for engine in (own, other))
    name = max((name for name in mine if name in theirs and name != "mj_step"), key=lambda name: mine[name])
    return name, 1e6 * mine[name], 1e6 * theirs[name]


def attempt(engines, work):
    """Does something with a model; an engine that it ends is started anew."""
    try:
        return work()
    except (Skipped, RuntimeError, BrokenPipeError) as error:
        for engine in engines:
            if engine.process.poll() is not None:
                engine.restart()
        return error


def percentile(values, share):
    """The value that this share of sorted values lies below."""
    return values[min(len(values) - 1, int(share * len(values)))]


def summary(rows):
    """The figures of a distribution, as a line."""
    values = sorted(row["ratio"] for row in rows)
    below = {limit: sum(value < limit for value in values) for limit in (1.0, 1.1, 1.5)}
    return (f"{len(values)} model families: geometric mean **{statistics.geometric_mean(values):.2f}**, median "
            f"{statistics.median(values):.2f}, tenth percentile {percentile(values, 0.1):.2f}, least {values[0]:.2f}; "
            f"{below[1.0]} below 1.0, {below[1.1]} below 1.1, {below[1.5]} below 1.5.")


def short(path, folder):
    """Where a model is in its folder; of a long path the end."""
    path = os.path.relpath(path, folder)
    return path if len(path) <= 60 else "…/" + "/".join(path.split("/")[-2:])[-58:]


def worst_table(engines, rows, folder, repetitions, seconds):
    """The slowest models, timed again with more repetitions, and the stage that dominates each."""
    lines = ["| model | dofs | kinetree, µs | faster MuJoCo, µs | ratio | longest stage | kinetree, µs | 3.8.0, µs |", "|" + "---|" * 8]
    for row in rows:
        again = attempt(engines, lambda row=row: time_model(engines, row["path"], 2 * repetitions, seconds))
        if isinstance(again, dict):
            row.update(again)
        stage = attempt(engines, lambda row=row: stages_of(engines, row))
        name, mine, theirs = stage if isinstance(stage, tuple) else ("?", float("nan"), float("nan"))
        own = row["microseconds"]["kinetree"]
        lines.append(f"| {short(row['path'], folder)} | {row['nv']} | {own:.1f} | {own * row['ratio']:.1f} | "
                     f"**{row['ratio']:.2f}** | `{name}` | {mine:.1f} | {theirs:.1f} |")
        print(lines[-1], flush=True)
    return lines


def time_all(engines, paths, repetitions, seconds):
    """Rows of all models that can be timed, with progress on stderr; and how many could not be, by reason."""
    rows, skipped = [], {}
    for number, path in enumerate(paths, 1):
        row = attempt(engines, lambda path=path: time_model(engines, path, repetitions, seconds))
        if isinstance(row, dict):
            rows.append(row)
            told = f"{row['ratio']:.2f}"
        else:
            told = str(row)
            skipped[told] = skipped.get(told, 0) + 1
        print(f"{number}/{len(paths)} {told}  {path}", file=sys.stderr, flush=True)
    return rows, skipped


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.corpus", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--sample", type=int, default=0, help="time this many families, evenly spread (default: all)")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.03, help="length of one timing")
    parser.add_argument("--worst", type=int, default=20, help="how many of the slowest to time again and profile")
    parser.add_argument("--reference-only", action="store_true", help="leave the newest MuJoCo out")
    parser.add_argument("--native", action="store_true", help="step Kinetree in a program of its own instead of its Python package")
    parser.add_argument("--json", help="write all rows to this file")
    parser.add_argument("--write", action="store_true", help="write the summary, the worst and a plot into docs/performance.md")
    arguments = parser.parse_args()

    engines = all_engines(newest=not arguments.reference_only, native=arguments.native)
    paths = spread(families(arguments.folder), arguments.sample)
    rows, skipped = time_all(engines, paths, arguments.repetitions, arguments.seconds)
    if not rows:
        raise SystemExit(f"no model of {arguments.folder} could be timed: {skipped}")
    rows.sort(key=lambda row: row["ratio"])
    worst = worst_table(engines, rows[: arguments.worst], arguments.folder, arguments.repetitions, arguments.seconds)
    rows.sort(key=lambda row: row["ratio"])
    lines = [summary(rows), "", "Not timed: " + (", ".join(f"{n} ({why})" for why, n in skipped.items()) or "none") + "."]
    print("\n".join(lines))
    if arguments.write:
        picture = chart.sorted_ratios("Speed over all model families, sorted", "faster MuJoCo / Kinetree", [row["ratio"] for row in rows])
        report.write_image("corpus.svg", picture)
        report.write_section("bench.corpus", [*lines, "", *worst, "", "![sorted ratios](images/corpus.svg)"])
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
