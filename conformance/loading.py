"""`python -m conformance.loading [folder]`: the compiler alone, over all models of a folder.

Every model is loaded by both engines with empty asset caches and all sizes and arrays are compared. The report has the
counts, the total loading times of the models that both load, and what differs. Models that the reference refuses must be
refused with a place; parts that Kinetree does not compile yet must be refused as `unsupported`.
"""

import argparse
import collections
import json
import os
import re
import sys
import tempfile
import time

from conformance import exemptions
from conformance.compare import Verdict, compare_fields


def models_in(folder):
    """Path and category of each model of a folder with a manifest; without one, of each file."""
    manifest = os.path.join(folder, "manifest.json")
    if os.path.exists(manifest):
        with open(manifest, encoding="utf-8") as file:
            return [(os.path.join(folder, e["path"]), e["category"]) for e in json.load(file)["models"]]
    found = []
    for root, _, files in os.walk(folder):
        found += [(os.path.join(root, f), "model") for f in sorted(files) if f.endswith((".xml", ".urdf"))]
    return sorted(found)


def timed_load(engine, path):
    """A model or its refusal, and the seconds it took."""
    engine.mj_clearCache(engine.mj_getCache())
    start = time.perf_counter()
    try:
        return engine.MjModel.from_xml_path(path), "", time.perf_counter() - start
    except Exception as refusal:  # noqa: BLE001  (the reference has several ways to refuse)
        return None, str(refusal), time.perf_counter() - start


def outcome(path, mine, complaint, theirs):
    """One word about a model, and details."""
    if theirs is None and mine is None:
        return ("refused by both" if re.search(r"-->.*:\d+:\d+", complaint) else "refused without a place"), complaint
    if theirs is None:
        return "accepted, refused by the reference", ""
    if mine is None:
        return ("unsupported" if "unsupported: " in complaint else "refused, accepted by the reference"), complaint
    verdict = Verdict()
    verdict.note("fields", "", 0.0, 0.0)
    compare_fields(mine, theirs, verdict, exemptions.fields_of(path))
    failed = verdict.stages["fields"]["failed"]
    return ("different", " ".join(failed)) if failed else ("equal", "")


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.loading", description=__doc__)
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")
    parser.add_argument("folder", nargs="?", default=here)
    folder = os.path.abspath(parser.parse_args().folder)
    os.chdir(tempfile.mkdtemp())  # the reference writes its warnings into the working folder
    import kinetree
    import mujoco

    counts, seconds = collections.Counter(), collections.Counter()
    for number, (path, category) in enumerate(models_in(folder)):
        engines = [mujoco, kinetree] if number % 2 else [kinetree, mujoco]
        loaded = {engine: timed_load(engine, path) for engine in engines}
        (mine, complaint, my_time), (theirs, _, their_time) = loaded[kinetree], loaded[mujoco]
        word, details = outcome(path, mine, complaint, theirs)
        counts[category, word] += 1
        if mine is not None and theirs is not None:
            seconds["kinetree"] += my_time
            seconds["mujoco"] += their_time
        if word not in ("equal", "refused by both"):
            print(f"{word}: {os.path.relpath(path, folder)}: {details.splitlines()[0] if details else ''}"[:240], flush=True)
    for (category, word), count in sorted(counts.items()):
        print(f"{category:12} {word:36} {count}")
    print(f"loading, both engines on the same models: kinetree {seconds['kinetree']:.2f} s, mujoco {seconds['mujoco']:.2f} s")
    wrong = [word for _, word in counts if word not in ("equal", "refused by both", "unsupported")]
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
