"""`python -m conformance [folder…]`: compares Kinetree with the reference and prints one table.

`--reference 4.0` compares models of that reference level with MuJoCo 4.0.1, which an environment of its own must have.
"""

import argparse
import json
import os
import sys

from conformance import levels, pool, report


def models_in(folder, categories):
    """Model files of a folder: those of its manifest when it has one, else all MJCF and URDF files."""
    manifest = os.path.join(folder, "manifest.json")
    if os.path.isfile(folder):
        return [folder]
    if os.path.exists(manifest):
        with open(manifest, encoding="utf-8") as file:
            entries = json.load(file)["models"]
        entries = sorted((e["category"], e["path"]) for e in entries if not categories or e["category"] in categories)
        return [os.path.join(folder, path) for _, path in entries]
    found = []
    for root, _, files in os.walk(folder):
        found += [os.path.join(root, f) for f in sorted(files) if f.endswith((".xml", ".urdf"))]
    return sorted(path for path in found if not extends_format(path))


def extends_format(path):
    """Whether a file has deformable bodies by `<soft>`, which the reference refuses."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return "<soft>" in file.read()


def sample(paths, count):
    """Every n-th path of a sorted list, so that categories and folders are represented in proportion."""
    if not count or count >= len(paths):
        return paths
    return [paths[i * len(paths) // count] for i in range(count)]


def progress(done, total, path):
    """A line that is overwritten."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K[{done}/{total}] {path[-90:]}")
        if done == total:
            sys.stderr.write("\n")
    elif done % 50 == 0 or done == total:
        sys.stderr.write(f"[{done}/{total}]\n")


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")
    parser.add_argument("folders", nargs="*", default=[here], help="folders or files (default: models/)")
    parser.add_argument("--categories", default="", help="categories of a manifest to run (default: all)")
    parser.add_argument("--reference", choices=levels.LEVELS, default=levels.V3_8.name, help="reference level (default: 3.8)")
    parser.add_argument("--adopt", action="store_true", help="run the pipeline on the reference's compiled models")
    parser.add_argument("--sample", type=int, default=0, help="run only so many models, spread evenly")
    parser.add_argument("--steps", type=int, default=200, help="length of each trajectory")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds per model")
    parser.add_argument("--json", metavar="FILE", help="write all results as JSON ('-' for standard output)")
    parser.add_argument("--html", metavar="FILE", help="write a report with a row per model")
    parser.add_argument("--failures", type=int, default=40, help="how many failing models to list (0: all)")
    parser.add_argument("--require", type=float, default=None,
                        help="exit with an error below this share of the supported files")
    arguments = parser.parse_args()
    if arguments.adopt and arguments.reference != levels.V3_8.name:
        parser.error(f"--adopt goes with reference level {levels.V3_8.name} alone: compiled models of others have other arrays")
    import mujoco
    levels.check_oracle(levels.LEVELS[arguments.reference], mujoco)

    paths = []
    for folder in arguments.folders:
        # whole paths: the reference finds assets of included files by them alone
        paths += models_in(os.path.abspath(folder), [c for c in arguments.categories.split(",") if c])
    paths = sample(paths, arguments.sample)
    common = os.path.commonpath([os.path.dirname(os.path.abspath(p)) for p in paths]) if paths else ""
    rows = []
    how = {"adopt": arguments.adopt, "steps": arguments.steps, "reference": arguments.reference}
    for path, row in pool.run(paths, arguments.jobs, arguments.timeout, how, progress):
        rows.append({"path": os.path.relpath(os.path.abspath(path), common), **row})
    rows.sort(key=lambda r: r["path"])
    if arguments.json == "-":
        print(report.to_json(rows))
    else:
        print(report.table(rows))
        print(report.failures(rows, arguments.failures))
    if arguments.json and arguments.json != "-":
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.write(report.to_json(rows))
    if arguments.html:
        with open(arguments.html, "w", encoding="utf-8") as file:
            file.write(report.to_html(rows, levels.LEVELS[arguments.reference].version))
    score = report.Score(rows)
    if arguments.require is not None and score.passed() < arguments.require * score.supported():
        sys.exit(f"only {score.passed()} of {score.supported()} supported files pass")


if __name__ == "__main__":
    main()
