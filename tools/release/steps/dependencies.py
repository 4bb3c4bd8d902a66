"""The crates that are linked into an artefact, from `cargo metadata`."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def metadata(target):
    """Packages by id, and the nodes of the dependency graph by id, for a target (`None`: for all)."""
    command = ["cargo", "metadata", "--format-version=1", "--locked"]
    if target:
        command += ["--filter-platform", target]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return {p["id"]: p for p in found["packages"]}, {n["id"]: n for n in found["resolve"]["nodes"]}


def linked(crate, target):
    """The package of a crate, those it is linked with, and who depends on whom; sorted by name.

    Procedural macros and what they need run at build time only. Features are those of the whole workspace: the list may be longer than what is
    linked, never shorter.
    """
    packages, nodes = metadata(target)
    root = next(id for id, package in packages.items() if package["name"] == crate and package["source"] is None)
    edges, waiting = {}, [root]
    while waiting:
        id = waiting.pop()
        if id in edges:
            continue
        edges[id] = [
            dependency["pkg"]
            for dependency in nodes[id]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]) and not is_macro(packages[dependency["pkg"]])
        ]
        waiting += edges[id]
    order = sorted(edges, key=lambda id: (packages[id]["name"], packages[id]["version"]))
    return packages[root], [packages[id] for id in order], {id: sorted(edges[id]) for id in order}


def is_macro(package):
    """Whether a package is a procedural macro."""
    return any("proc-macro" in target["kind"] for target in package["targets"])


def host():
    """The target of this machine."""
    lines = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout.splitlines()
    return next(line.split()[1] for line in lines if line.startswith("host:"))
