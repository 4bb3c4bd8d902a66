"""`python -m conformance.contacts [folder…]`: agreement of contacts, by pair of geom kinds.

Both engines run the same compiled model at states along a trajectory of the reference. For each two geoms in contact the
contacts are equal, equivalent (see `conformance.manifold`) or different.
"""

import argparse
import collections
import json
import os
import sys

import kinetree
import mujoco
import numpy as np

from conformance import manifold
from conformance.__main__ import models_in, progress, sample
from conformance.compare import copy_state, states

KINDS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")


def by_geoms(data):
    """Contacts of each pair of geoms."""
    count = int(data.ncon)
    contacts = manifold.rows(data.contact, count)
    groups = collections.defaultdict(list)
    for i in range(count):
        groups[tuple(int(g) for g in np.asarray(data.contact[i].geom))].append(contacts[i])
    return {geoms: np.array(part) for geoms, part in groups.items()}


def compare(path, steps, table):
    """Adds the pairs of one model to the table: kind → model → verdicts."""
    reference = mujoco.MjModel.from_xml_path(path)
    model = kinetree.MjModel._from_mujoco(reference)  # type: ignore[attr-defined]
    mine, theirs = kinetree.MjData(model), mujoco.MjData(reference)
    nothing = np.zeros((0, 13))
    for state in states(reference, mujoco, steps, seed=1):
        for engine, m, data in ((kinetree, model, mine), (mujoco, reference, theirs)):
            copy_state(data, state)
            engine.mj_fwdPosition(m, data)
        own, other = by_geoms(mine), by_geoms(theirs)
        for geoms in own.keys() | other.keys():
            a, b = own.get(geoms, nothing), other.get(geoms, nothing)
            kinds = sorted(int(reference.geom_type[g]) for g in geoms if g >= 0)
            if len(kinds) < 2 or kinds[-1] >= len(KINDS):
                continue
            verdict = "equal" if manifold.equal(a, b) else "equivalent" if manifold.equivalent(a, b) else "different"
            table[f"{KINDS[kinds[0]]}–{KINDS[kinds[1]]}"][path][verdict] += 1


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.contacts", description=__doc__.splitlines()[0])
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")
    parser.add_argument("folders", nargs="*", default=[here], help="folders or files (default: models/)")
    parser.add_argument("--sample", type=int, default=0, help="run only so many models, spread evenly")
    parser.add_argument("--steps", type=int, default=200, help="length of each trajectory")
    parser.add_argument("--max-size", type=int, default=400, help="leave out models with more degrees of freedom")
    parser.add_argument("--json", metavar="FILE", help="write all numbers to this file")
    arguments = parser.parse_args()
    paths = [p for folder in arguments.folders for p in models_in(folder, ("rigid", "rigid-mesh", "urdf"))]
    paths = sample(paths, arguments.sample)
    table = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for index, path in enumerate(paths):
        try:
            if mujoco.MjModel.from_xml_path(path).nv <= arguments.max_size:
                compare(path, arguments.steps, table)
        except Exception as problem:  # noqa: BLE001  (models that one engine refuses are counted elsewhere)
            print(f"{path}: {type(problem).__name__}: {str(problem)[:100]}", file=sys.stderr)
        progress(index + 1, len(paths), path)

    print("| pair | models | all agree | share | pairs in contact | equal | equivalent | different |\n|---|---|---|---|---|---|---|---|")
    for kind in sorted(table, key=lambda k: -len(table[k])):
        models = table[kind]
        total = sum(models.values(), collections.Counter())
        agree = sum(1 for verdicts in models.values() if not verdicts["different"])
        print(
            f"| {kind} | {len(models)} | {agree} | {100 * agree / len(models):.1f} % | {sum(total.values())} "
            f"| {total['equal']} | {total['equivalent']} | {total['different']} |"
        )
    different = sorted({path for models in table.values() for path, v in models.items() if v["different"]})
    print(f"\n{len(different)} models with different contacts")
    for path in different:
        print("  " + path, file=sys.stderr)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(table, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
