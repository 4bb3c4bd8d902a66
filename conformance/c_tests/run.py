#!/usr/bin/env python3
"""Runs MuJoCo's own C++ tests, which were linked with its library, with another library in its place.

    run.py WORK LIBRARY [--only REGEX] [--without REGEX] [--known] [--failures] [--valgrind | --asan RUNTIME] [--json FILE] [--log FOLDER]

WORK is the folder that README.md describes. LIBRARY is a file; by default the one that `cargo build --release -p kinetree-capi` makes.
Tests that pass also with a library whose functions only return zero mean nothing: they are found out in the first run, which is kept in
WORK, and do not count.
"""
import argparse
import concurrent.futures as futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# tests that want plugins, as in the reference's build files
PLUGINS = {"engine_plugin_test", "engine_ray_test", "user_api_test", "xml_native_writer_test", "pid_test", "elasticity_test", "sensor_test",
           "engine_collision_sdf_test", "decoder_test", "encoder_test"}
RESULT = re.compile(r"^\[ RUN      \] (\S+)|\[       OK \] ([^\s,(]+)|\[  FAILED  \] ([^\s,(]+).*\(\d+ ms|\[  SKIPPED \] ([^\s,(]+\.[^\s,(]+)", re.M)
GOOD = ("ok", "skipped")
# what checkers find stands among the tests' output
VALGRIND = ["valgrind", "--quiet", "--leak-check=no", f"--suppressions={ROOT / 'conformance' / 'valgrind.supp'}"]
# what ASAN_OPTIONS does not say otherwise; tests ask for more memory than there is
ASAN = "detect_leaks=0:allocator_may_return_null=1"
FINDING = re.compile(r"^==\d+== ?\S.*", re.M)
FINDINGS: list[str] = []


def preload(runtime: Path) -> list[str]:
    """The command under which a program finds the functions of AddressSanitizer, for a library that was built with it."""
    return ["env", f"LD_PRELOAD={runtime}", f"ASAN_OPTIONS={ASAN}:{os.environ.get('ASAN_OPTIONS', '')}"]


def environment(work: Path, name: str, library: Path, folder: str) -> dict[str, str]:
    """Variables of a test program: which library it finds, and its folder for temporary files."""
    variables = dict(os.environ, LD_LIBRARY_PATH=str(library), TMPDIR=folder)
    if name in PLUGINS:
        variables["MUJOCO_PLUGIN_DIR"] = str(work / "plugin")
    return variables


def names_of(program: Path, data: Path, variables: dict[str, str]) -> list[str]:
    """The tests of a program."""
    listed = subprocess.run([program, "--gtest_list_tests"], cwd=data, env=variables, capture_output=True, text=True, timeout=120)
    names, suite = [], ""
    for line in listed.stdout.splitlines():
        word = line.split("#")[0].strip()
        if line.startswith(" "):
            names.append(suite + word)
        elif word.endswith("."):
            suite = word
    return names


def run_some(
    program: Path, data: Path, variables: dict[str, str], names: list[str], limit: float, log: Path | None, under: list[str]
) -> tuple[dict[str, str], str | None]:
    """Results of tests in one process, and the one that was running when it ended; what it printed is added to a log."""
    flags = Path(variables["TMPDIR"], "flags")
    flags.write_text("--gtest_filter=" + ":".join(names) + "\n")
    output = Path(variables["TMPDIR"], "output")
    with output.open("w") as file:
        process = subprocess.Popen([*under, program, f"--gtest_flagfile={flags}"], cwd=data, env=variables, stdout=file, stderr=subprocess.STDOUT)
        size, last, hung = -1, time.monotonic(), False
        while process.poll() is None:
            time.sleep(0.02)
            if output.stat().st_size != size:
                size, last = output.stat().st_size, time.monotonic()
            elif time.monotonic() - last > limit:
                process.kill()
                process.wait()
                hung = True
    results: dict[str, str] = {}
    running = None
    text = output.read_text(errors="replace")
    if log:
        with (log / program.name).open("a") as file:
            file.write(text)
    for match in RESULT.finditer(text):
        if match[1]:
            running = match[1]
            continue
        word = "ok" if match[2] else "failed" if match[3] else "skipped"
        results[match[2] or match[3] or match[4]] = word
        running = None
    if under and (finding := FINDING.search(text)):
        results["finding"] = finding[0]
    if running:
        tail = [line for line in text.splitlines() if line.strip()][-1:] or [""]
        results[running] = "hung" if hung else f"ended with {process.returncode}: {tail[0][:150]}"
    return results, running


def run_file(
    work: Path, library: Path, name: str, names: list[str], limit: float, log: Path | None, under: list[str]
) -> dict[str, str]:
    """Results of all tests of a program; what ends the process is that test's result, and the others run anew."""
    results: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(work, name, library, folder)
        left = names
        while left:
            some, running = run_some(work / "bin" / name, work / "data" / "test", variables, left, limit, log, under)
            if not some:
                some = {left[0]: "does not start"}
            results.update(some)
            remaining = [test for test in left if test not in results]
            if running is None and len(remaining) == len(left):
                break
            left = remaining
    return results


def run_all(work: Path, library: Path, tests: dict[str, list[str]], args: argparse.Namespace, quiet: bool = False) -> dict[str, dict[str, str]]:
    """Results of all programs."""
    results = {}
    log = None if quiet else args.log
    under = [] if quiet else VALGRIND if args.valgrind else preload(args.asan) if args.asan else []
    if log:
        shutil.rmtree(log, ignore_errors=True)
        log.mkdir(parents=True)
    with futures.ThreadPoolExecutor(args.jobs) as pool:
        calls = {name: pool.submit(run_file, work, library, name, names, args.timeout, log, under) for name, names in tests.items()}
        for name, call in calls.items():
            results[name] = call.result()
            if quiet:
                continue
            finding = results[name].pop("finding", None)
            if finding:
                FINDINGS.append(f"{name}: {finding}")
            good = sum(word in GOOD for word in results[name].values())
            print(f"{name} {good}/{len(results[name])}", flush=True)
            for test, word in results[name].items():
                if args.failures and word not in GOOD:
                    print(f"    {test}: {word}")
    return results


def run_empty(work: Path, tests: dict[str, list[str]], args: argparse.Namespace) -> dict[str, dict[str, str]]:
    """Results with the library whose functions only return zero; programs that were run before are not run again."""
    kept = work / "empty" / "results.json"
    results = json.loads(kept.read_text()) if kept.is_file() else {}
    left = {name: names for name, names in tests.items() if name not in results}
    if left:
        results |= run_all(work, work / "empty", left, args, quiet=True)
        kept.write_text(json.dumps(results, indent=1))
    return results


def surprises(results: dict[str, dict[str, str]]) -> list[str]:
    """What known.txt does not say: tests that fail and are not listed, or pass and are."""
    lines = (Path(__file__).parent / "known.txt").read_text().splitlines()
    known = {line.split(": ")[0] for line in lines if line and not line.startswith("#")}
    found = {test: word for tests in results.values() for test, word in tests.items()}
    return [f"{test}: {word}" for test, word in found.items() if (word not in GOOD) != (test in known)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder of the test programs, see README.md")
    parser.add_argument("library", type=Path, nargs="?", default=ROOT / "target" / "release" / "libkinetree_mujoco.so")
    parser.add_argument("--only", default="", help="regular expression for names of programs")
    parser.add_argument("--without", default="", help="regular expression for names of tests that are left out")
    parser.add_argument("--known", action="store_true", help="fail if other tests fail than those of known.txt")
    parser.add_argument("--failures", action="store_true", help="print which tests fail")
    checker = parser.add_mutually_exclusive_group()
    checker.add_argument("--valgrind", action="store_true", help="under valgrind; --log keeps what it finds")
    checker.add_argument("--asan", type=Path, metavar="RUNTIME", help="for a library built with AddressSanitizer: preload this runtime of it")
    parser.add_argument("--json", type=Path, help="write all results here")
    parser.add_argument("--log", type=Path, help="folder for what the programs print")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, help="seconds without output after which a test counts as hung (100; 1000 under valgrind)")
    args = parser.parse_args()
    args.timeout = args.timeout or (1000 if args.valgrind else 100)
    work = args.work.resolve()
    names = sorted(path.name for path in (work / "bin").iterdir() if path.name.endswith("_test") and re.search(args.only, path.name))
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder)
        shutil.copy(args.library, library / "libmujoco.so.3.8.0")
        real = work / "lib"
        tests = {name: names_of(work / "bin" / name, work / "data" / "test", environment(work, name, real, folder)) for name in names}
        empty = run_empty(work, tests, args)
        if args.without:
            tests = {name: [test for test in found if not re.search(args.without, test)] for name, found in tests.items()}
        results = run_all(work, library, tests, args)
    judged = [(word, empty[name].get(test)) for name, found in results.items() for test, word in found.items()]
    counted = [word for word, nothing in judged if nothing not in GOOD]
    print(f"{sum(word in GOOD for word in counted)} of {len(counted)} tests that mean something, "
          f"{sum(word in GOOD for word, _ in judged)} of {len(judged)} in all")
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))
    unexpected = surprises(results) if args.known else []
    for line in unexpected:
        print(f"not as in known.txt: {line}")
    for line in FINDINGS:
        print(f"found: {line}")
    return 1 if unexpected or FINDINGS or not counted else 0


if __name__ == "__main__":
    sys.exit(main())
