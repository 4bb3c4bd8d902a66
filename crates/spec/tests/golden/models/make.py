"""Writes reference values of every model field for all files in models/, made by the real MuJoCo 3.8.0.

Run from the root of the repository with an interpreter that has mujoco==3.8.0. Each line of an output file is
`name count sum sum_of_magnitudes weighted_sum largest_magnitude`, where element i has the weight 1 + (i mod 97) / 97.
"""

import glob
import os

import mujoco
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..", "..", "..")


def fields(model):
    """All sizes, arrays, options and statistics with their names, but paths only where no folder of this machine is in them."""
    local = {"npaths", "paths"} if os.path.abspath(ROOT).encode() in bytes(model.paths) else set()
    for name in sorted(dir(model)):
        if name.startswith("_") or name == "signature" or name in local:
            continue
        value = getattr(model, name)
        if isinstance(value, (int, float, np.ndarray, bytes)):
            yield name, value
    for group in ("opt", "stat"):
        struct = getattr(model, group)
        for name in sorted(dir(struct)):
            value = getattr(struct, name)
            if not name.startswith("_") and isinstance(value, (int, float, np.ndarray)):
                yield f"{group}.{name}", value


def line(name, value):
    """The digest of one field."""
    if isinstance(value, bytes):
        value = np.frombuffer(value, np.uint8)
    flat = np.asarray(value, dtype=np.float64).ravel()
    weight = 1 + (np.arange(flat.size) % 97) / 97
    largest = np.abs(flat).max() if flat.size else 0.0
    numbers = [flat.sum(), np.abs(flat).sum(), (flat * weight).sum(), largest]
    return f"{name} {flat.size} " + " ".join(repr(float(x)) for x in numbers)


def main():
    """Writes one file per model."""
    for path in sorted(glob.glob(os.path.join(ROOT, "models", "**", "*.xml"), recursive=True)):
        try:
            model = mujoco.MjModel.from_xml_path(path)
        except ValueError as error:
            print("skipped", path, error)
            continue
        name = os.path.relpath(path, os.path.join(ROOT, "models")).replace(os.sep, "__")
        with open(os.path.join(HERE, name[: -len(".xml")] + ".txt"), "w", encoding="utf-8") as file:
            lines = (line(*field) for field in fields(model))
            file.writelines(text + "\n" for text in lines if " 0 0.0 0.0 0.0 0.0" not in text)


main()
