"""`python -m bench.frame_jacobian`: both programs take turns on the same serial arms; prints medians and checks that results agree. `--write` puts
the table into `docs/performance.md`.

Pinocchio and its headers come from the package `pin`, installed into a virtual environment under `target/`; compiling needs
`g++` and Eigen 3.4 (Debian: `libeigen3-dev`). Both loops are compiled, so that neither pays for calls from Python.
"""

import glob
import os
import statistics
import subprocess
import sys

from bench import report
from bench.engines import CACHE, ROOT, environment_with

ROUNDS = 7
EIGEN = "/usr/include/eigen3"


def pinocchio_program():
    """Compiles the loop over Pinocchio; returns its path."""
    environment_with("pin", "pinocchio")
    folder = os.path.join(CACHE, "pinocchio")
    include = glob.glob(os.path.join(folder, "lib", "python3*", "site-packages", "cmeel.prefix", "include"))[0]
    if not os.path.isdir(EIGEN):
        sys.exit("Eigen is missing: install libeigen3-dev")
    program = os.path.join(folder, "frame_jacobian")
    source = os.path.join(os.path.dirname(__file__), "pinocchio.cpp")
    print("compiling the loop over Pinocchio …", file=sys.stderr, flush=True)
    # the list of joint types is longer than the default of boost
    limits = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
    flags = ["-w", "-O3", "-march=native", "-DNDEBUG", "-std=c++17", *limits, "-I", include, "-I", EIGEN]
    subprocess.run(["g++", *flags, source, "-o", program], check=True)
    return [program]


def kinetree_program():
    """Builds the loop over Kinetree; returns its command."""
    command = ["cargo", "run", "-q", "--release", "-p", "kinetree", "--example", "frame_jacobian"]
    subprocess.run([*command[:1], "build", *command[2:]], cwd=ROOT, check=True)
    return command


def measure(command):
    """Runs a program; returns {joints: (nanoseconds, sum of entries)}."""
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    rows = [line.split() for line in lines if line]
    return {int(joints): (float(time), float(total)) for joints, time, total in rows}


def main():
    programs = {"kinetree": kinetree_program(), "pinocchio": pinocchio_program()}
    runs = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, command in programs.items():
            runs[name].append(measure(command))
    lines = ["| joints | Kinetree, ns | Pinocchio, ns | ratio |", "|---|---|---|---|"]
    for joints in runs["kinetree"][0]:
        time = {name: statistics.median(run[joints][0] for run in of) for name, of in runs.items()}
        sums = {name: of[0][joints][1] for name, of in runs.items()}
        if abs(sums["kinetree"] - sums["pinocchio"]) > 1e-9:
            sys.exit(f"the Jacobians differ at {joints} joints: {sums}")
        ratio = time["pinocchio"] / time["kinetree"]
        lines.append(f"| {joints} | {time['kinetree']:.0f} | {time['pinocchio']:.0f} | {ratio:.1f} |")
    print("\n".join(lines))
    if "--write" in sys.argv[1:]:
        report.write_section("bench.frame_jacobian", lines)


if __name__ == "__main__":
    main()
