"""Cases in worker processes, each watched: a crash or a hang is a finding, and the next case begins in a new process."""

import collections
import contextlib
import faulthandler
import gc
import json
import os
import pathlib
import platform
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

from conformance import hostile

# how a worker process begins, and the seconds between two reports
COMMAND = (sys.executable, "-m", "conformance.hostile")
OFTEN = 10.0


def left_out(arguments):
    return (hostile.circumstances,) if arguments.gentle else ()


def size():
    """Memory of this process in MB, where the system tells."""
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    return 0


def forget_output():
    """Empties the file that holds what this process has written to its standard error: warnings about most cases."""
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.fstat(2).st_mode):
            os.ftruncate(2, 0)


def inside(arguments):
    """Runs cases in this process, and prints the number of each before it begins; the exit status."""
    # where a case that hangs stood
    faulthandler.enable()
    # what has been imported is not looked at in each collection of garbage
    gc.collect()
    gc.freeze()
    wrong, end = 0, time.monotonic() + arguments.seconds
    outcomes: collections.Counter[str] = collections.Counter()
    subjects: collections.Counter[str] = collections.Counter()
    told = time.monotonic()

    def tell():
        print("counts", json.dumps({"outcomes": outcomes, "subjects": subjects, "size": size()}), flush=True)
        outcomes.clear()
        subjects.clear()
        forget_output()

    for number in range(arguments.first, arguments.first + arguments.cases, arguments.stride):
        if time.monotonic() > end:
            break
        print(f"case {number}", flush=True)
        log, problem = [], None
        try:
            log, problem = hostile.run_case(number, arguments.seed, left_out(arguments))
        except Exception as error:  # not one of the calls that may raise
            problem = f"{type(error).__name__} where none should be: {error}"
        except KeyboardInterrupt:
            problem = "an interrupt after its call"
        outcomes.update(entry[1] for entry in log if isinstance(entry, tuple) and len(entry) == 2)
        subjects.update(entry.partition(":")[0] for entry in log[:1])
        if arguments.verbose:
            print(log, flush=True)
        if problem:
            wrong += 1
            print("wrong", json.dumps({"case": number, "problem": problem, "log": [str(entry) for entry in log]}), flush=True)
        if time.monotonic() > told + 1:
            tell()
            told = time.monotonic()
    tell()
    print("end", flush=True)
    return 1 if wrong else 0


class Result:
    """What was found, told at once, which cases were begun, how calls ended, and by which processes."""

    def __init__(self, arguments):
        self.arguments, self.since = arguments, time.monotonic()
        self.findings, self.processes, self.largest = [], {}, 0
        self.kinds, self.subjects, self.outcomes = collections.Counter(), collections.Counter(), collections.Counter()
        self.lock = threading.Lock()

    @property
    def begun(self):
        return self.kinds.total()

    def begin(self, number):
        title = hostile.title(number, self.arguments.seed, left_out(self.arguments))
        with self.lock:
            self.kinds[title] += 1

    def count(self, counts):
        with self.lock:
            self.outcomes.update(counts["outcomes"])
            self.subjects.update(counts["subjects"])
            self.largest = max(self.largest, counts["size"])

    def find(self, number, problem, **more):
        name = f"{self.arguments.seed}:{number}"
        print(f"finding: {name} {problem} {more or ''}", flush=True)
        with self.lock:
            kind = hostile.title(number, self.arguments.seed, left_out(self.arguments))
            self.findings.append({"case": name, "kind": kind, "problem": problem, **more})

    def tell(self):
        """A line about how far it is, and the file of results, which is whole at any time."""
        seconds = time.monotonic() - self.since
        print(f"{seconds:6.0f} s: {self.begun:,} cases, {self.begun / seconds:.1f} a second, {len(self.findings)} findings", file=sys.stderr,
              flush=True)
        if self.arguments.json is None:
            return
        with self.lock:
            text = json.dumps({
                "seed": self.arguments.seed, "first": self.arguments.first, "cases": self.begun, "seconds": round(seconds, 1),
                "jobs": self.arguments.jobs, "cases_per_second": round(self.begun / seconds, 2), "kinds": self.kinds,
                "subjects": self.subjects, "calls": self.outcomes, "largest_process_mb": self.largest, "findings": self.findings,
                "python": platform.python_version(), "machine": platform.platform(),
            }, indent=1)
        path = pathlib.Path(self.arguments.json)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".part").write_text(text + "\n", encoding="utf-8")
        path.with_suffix(".part").replace(path)


def end_group(process):
    """Ends a process with its children: one that holds on to the pipe would be waited for."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def watch(process, state, hung, limit):
    """Ends a process whose case takes too long."""
    while process.poll() is None:
        if time.monotonic() - state["since"] > limit:
            hung.set()
            # tells where it stands
            process.send_signal(signal.SIGABRT)
            time.sleep(2)
            end_group(process)
        time.sleep(0.2)


def worker(arguments, place, result):
    """Runs every n-th case in processes, each begun anew after the case that ended the one before."""
    first, last = arguments.first + place, arguments.first + arguments.cases
    while first < last and time.monotonic() < (end := result.since + arguments.seconds):
        command = [*COMMAND, "--inside", "--seed", str(arguments.seed), "--first", str(first),
                   "--cases", str(last - first), "--stride", str(arguments.jobs), "--seconds", str(end - time.monotonic()),
                   *(["--gentle"] if arguments.gentle else [])]
        with tempfile.TemporaryFile("a+", errors="replace") as errors:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True)
            result.processes[place] = process
            state, hung, whole = {"case": None, "since": time.monotonic()}, threading.Event(), False
            threading.Thread(target=watch, args=(process, state, hung, arguments.limit), daemon=True).start()
            for line in process.stdout or ():
                word, _, rest = line.rstrip().partition(" ")
                if word == "case":
                    state.update(case=int(rest), since=time.monotonic())
                    result.begin(state["case"])
                elif word == "wrong":
                    found = json.loads(rest)
                    result.find(found.pop("case"), found.pop("problem"), **found)
                elif word == "counts":
                    result.count(json.loads(rest))
                elif word == "end":
                    whole = True
            ended = process.wait()
            end_group(process)
            if whole or result.processes[place] is None:
                return
            errors.seek(0)
            told = errors.read()[-4000:]
        if state["case"] is None:
            # no case has begun: the next process would end like this one
            raise RuntimeError(f"a worker process ended with {ended} before its first case:\n{told}")
        problem = f"took more than {arguments.limit} s" if hung.is_set() else f"ended the process with {ended}"
        result.find(state["case"], problem, errors=told)
        first = state["case"] + arguments.jobs


def run(arguments):
    """Runs all cases in processes, and tells what was found; the exit status."""
    result, failures = Result(arguments), []

    def work(place):
        try:
            worker(arguments, place, result)
        except Exception as problem:  # of the harness: told at the end
            failures.append(problem)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(arguments.jobs)]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            told = time.monotonic()
            while time.monotonic() < told + OFTEN and any(thread.is_alive() for thread in threads):
                time.sleep(0.1)
            result.tell()
    except KeyboardInterrupt:
        # they have sessions of their own, which the terminal does not interrupt
        arguments.seconds = 0
        for place, process in list(result.processes.items()):
            result.processes[place] = None
            end_group(process)
        for thread in threads:
            thread.join()
        result.tell()
        raise
    print(f"{result.begun} cases, seed {arguments.seed}, {len(result.findings)} findings, {dict(result.kinds)}, calls: {dict(result.outcomes)}")
    for problem in failures:
        print(problem)
    return 1 if result.findings or failures else 0
