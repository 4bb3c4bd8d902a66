"""`python -m conformance.files [folder…]`: model files written by one engine and read by the other.

For each model that both engines load, four things are compared with the arrays that the reader's own compiler makes:

- MJB of Kinetree read by the reference, and MJB of the reference read by Kinetree: all sizes and arrays equal;
- MJCF that Kinetree writes, read by Kinetree and by the reference: integers equal, floats within a tolerance. What MJCF has no words for
  (some flexes that a composite makes) is refused by the writer with the reason; such models are counted apart.
"""

import argparse
import os
import random
import sys
import tempfile

import numpy as np

from conformance.__main__ import extends_format

# how far arrays of the two compilers may be apart
COMPILERS = 1e-7
# what the writer says of a model that MJCF has no words for
INEXPRESSIBLE = "cannot be written into MJCF"
TEXT = ("names", "paths", "text_data", "plugin_attr")


def arrays(model, names):
    """Arrays of a model by name; text as bytes."""
    for name in names:
        value = getattr(model, name)
        yield name, (np.frombuffer(bytes(value), np.uint8) if name in TEXT else np.asarray(value))


def difference(a, b, names, tolerance):
    """The first array that differs, or None."""
    for (name, x), (_, y) in zip(arrays(a, names), arrays(b, names)):
        if x.size != y.size:
            return f"{name}: {x.size} and {y.size} values"
        x, y = x.ravel(), y.ravel()
        if x.dtype.kind in "iub":
            if not np.array_equal(x, y):
                return name
            continue
        scale = max(1.0, float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x))))
        with np.errstate(invalid="ignore"):
            bad = ~((x == y) | (np.abs(x - y) <= tolerance * scale) | (np.isnan(x) & np.isnan(y)))
        if bad.any():
            worst = float(np.nanmax(np.abs(x - y)))
            return f"{name} by {worst:.1e}"
    return None


def check(path, mujoco, kinetree, names, folder, tolerance):
    """What went wrong with each of the four files of a model; None when the engines do not both load it."""
    try:
        theirs = mujoco.MjModel.from_xml_path(path)
        ours = kinetree.MjModel.from_xml_path(path)
    except ValueError:
        return None
    failures = {}
    mjb = os.path.join(folder, "model.mjb")

    def attempt(what, action):
        try:
            found = action()
        except Exception as problem:  # noqa: BLE001 - whatever an engine raises counts as a failure
            found = str(problem).strip().splitlines()[0][:200]
        if found:
            failures[what] = found

    def to_reference():
        kinetree.mj_saveModel(ours, mjb)
        return difference(ours, mujoco.MjModel.from_binary_path(mjb), names, 0.0)

    def from_reference():
        mujoco.mj_saveModel(theirs, mjb)
        return difference(theirs, kinetree.MjModel.from_binary_path(mjb), names, 0.0)

    texts = []

    def text_here():
        spec = kinetree.MjSpec.from_file(path)
        # beside the model, so that it finds its assets
        text = os.path.join(os.path.dirname(path), f".kinetree-{os.getpid()}.xml")
        texts.append(text)
        spec.to_file(text)
        return difference(ours, kinetree.MjModel.from_xml_path(text), names, tolerance)

    def text_there():
        read = mujoco.MjModel.from_xml_path(texts[0])
        if theirs.neq != ours.neq:
            # the reference does not read the mimic joints of URDF, but what is written has them
            return difference(ours, read, names, max(tolerance, COMPILERS))
        return difference(theirs, read, names, tolerance)

    try:
        attempt("mjb to reference", to_reference)
        attempt("mjb from reference", from_reference)
        attempt("text read here", text_here)
        if "text read here" not in failures:
            attempt("text read by reference", text_there)
    finally:
        for text in texts:
            if os.path.exists(text):
                os.remove(text)
    return failures


def models(folders):
    """Paths of all model files."""
    for folder in folders:
        for root, _, files in os.walk(folder):
            paths = (os.path.join(root, name) for name in sorted(files) if name.endswith((".xml", ".urdf")))
            yield from (path for path in paths if not extends_format(path))


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.files", description=__doc__)
    parser.add_argument("folders", nargs="*", default=["models"])
    parser.add_argument("--sample", type=int, default=0, help="look at so many models, chosen at random")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="of floats in files of text")
    parser.add_argument("--require", type=float, default=0.0, help="exit with an error when a share is below this")
    arguments = parser.parse_args()
    import kinetree
    import mujoco

    names = [row[0] for row in kinetree._core.field_table()["MjModel"]]
    paths = sorted(models(arguments.folders))
    if arguments.sample:
        paths = random.Random(0).sample(paths, min(arguments.sample, len(paths)))
    kinds = ("mjb to reference", "mjb from reference", "text read here", "text read by reference")
    loaded, wordless, passed = 0, 0, dict.fromkeys(kinds, 0)
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            failures = check(path, mujoco, kinetree, names, folder, arguments.tolerance)
            if failures is None:
                continue
            loaded += 1
            wordless += INEXPRESSIBLE in failures.get(kinds[2], "")
            for kind in kinds:
                passed[kind] += kind not in failures and not (kind == kinds[3] and kinds[2] in failures)
            for kind, what in failures.items():
                print(f"{path}: {kind}: {what}")
    enough = True
    for kind in kinds:
        count = loaded - wordless if kind.startswith("text") else loaded
        enough &= passed[kind] >= arguments.require * count
        print(f"{kind}: {passed[kind]} of {count} ({100 * passed[kind] / max(1, count):.1f} %)")
    if wordless:
        print(f"{wordless} models that MJCF has no words for")
    if not enough:
        sys.exit(1)


if __name__ == "__main__":
    main()
