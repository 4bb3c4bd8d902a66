"""`python -m conformance.wheel_tests`: runs the test files of the installed reference wheel on Kinetree and prints the counts.

The files are run where they are installed; `import mujoco` inside them gives Kinetree.
"""

import argparse
import importlib.util
import os
import subprocess
import sys

# file: smallest number of tests that must pass
TARGETS = {"bindings_test": 110, "rollout_test": 60, "minimize_test": 9, "specs_test": 50, "msh2obj_test": 1,
           "render_test": 3, "renderer_test": 6, "viewer_test": 1, "memory_leak_test": 1}

_RUNNER = """
import os, sys, unittest
import kinetree.as_mujoco
folder, name = sys.argv[1:3]
sys.path.insert(0, folder)
del sys.argv[1:]
from absl import flags
flags.FLAGS(sys.argv[:1])
# the data of the tests lie beside them, not in the package that stands for the reference
try:
    from etils import epath
except ImportError:
    epath = None
if epath is not None:
    resource_path = epath.resource_path
    epath.resource_path = lambda name: epath.Path(folder) if name == "mujoco" else resource_path(name)
suite = unittest.defaultTestLoader.loadTestsFromName(name)
result = unittest.TextTestRunner(verbosity=0, stream=open(os.devnull, "w")).run(suite)
for kind, entries in (("FAIL", result.failures), ("ERROR", result.errors)):
    for test, trace in entries:
        print("@", kind, test.id().split(".")[-1], "|", trace.strip().splitlines()[-1][:160])
bad = len(result.failures) + len(result.errors)
print("#", result.testsRun - bad - len(result.skipped), result.testsRun)
"""


def wheel_folder():
    """Where the reference is installed."""
    spec = importlib.util.find_spec("mujoco")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("the reference wheel, mujoco==3.8.0, is not installed")
    return list(spec.submodule_search_locations)[0]


def run(name, folder, timeout):
    """Passed and all tests of one file, and lines about those that fail."""
    environment = dict(os.environ, MUJOCO_GL="disable")
    try:
        done = subprocess.run([sys.executable, "-c", _RUNNER, folder, name], capture_output=True, text=True, check=False,
                              timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return 0, 0, [f"no end within {timeout} s"]
    lines = done.stdout.splitlines()
    counts = [line.split()[1:] for line in lines if line.startswith("# ")]
    if not counts:
        return 0, 0, [f"exit code {done.returncode}", *done.stderr.strip().splitlines()[-3:]]
    return int(counts[-1][0]), int(counts[-1][1]), [line[2:] for line in lines if line.startswith("@ ")]


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.wheel_tests", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(TARGETS))
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds per file")
    parser.add_argument("--check", action="store_true", help="exit with an error when a count is below its target")
    arguments = parser.parse_args()
    folder, below = wheel_folder(), []
    for name in arguments.names:
        passed, total, failures = run(name, folder, arguments.timeout)
        print(f"{name}: {passed} of {total} passed")
        for line in failures:
            print(f"  {line}")
        if failures and all("no graphics adapter" in line for line in failures):
            print("  skipped: nothing can be drawn here")
        elif passed < TARGETS.get(name, 0):
            below.append(name)
    if arguments.check and below:
        sys.exit(f"below target: {', '.join(below)}")


if __name__ == "__main__":
    main()
