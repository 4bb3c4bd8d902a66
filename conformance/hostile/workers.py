"""Cases in worker processes, each watched: a crash or a hang is a finding, and the next case begins in a new process."""

import collections
import contextlib
import faulthandler
import os
import signal
import subprocess
import sys
import threading
import time

from conformance import hostile


def inside(arguments):
    """Runs cases in this process, and prints the number of each before it begins; the exit status."""
    # where a case that hangs stood
    faulthandler.enable()
    left_out = (hostile.circumstances,) if arguments.gentle else ()
    outcomes, wrong, end = collections.Counter(), 0, time.monotonic() + arguments.seconds
    for number in range(arguments.first, arguments.first + arguments.cases, arguments.stride):
        if time.monotonic() > end:
            break
        print(f"case {number}", flush=True)
        log, problem = [], None
        try:
            log, problem = hostile.run_case(number, arguments.seed, left_out)
        except Exception as error:  # not one of the calls that may raise
            problem = f"{type(error).__name__} where none should be: {error}"
        except KeyboardInterrupt:
            problem = "an interrupt after its call"
        outcomes.update(entry[1] for entry in log if isinstance(entry, tuple))
        if arguments.verbose:
            print(log, flush=True)
        if problem:
            wrong += 1
            print(f"wrong {number} {problem}: {log}", flush=True)
    print(f"outcomes {dict(outcomes)}", flush=True)
    return 1 if wrong else 0


class Findings(list):
    """What was found, told at once, how many cases were begun, and by which processes."""

    begun = 0

    def __init__(self):
        super().__init__()
        self.processes = []

    def append(self, finding):
        print("finding:", finding, flush=True)
        super().append(finding)

    def begin(self):
        self.begun += 1
        if self.begun % 1000 == 0:
            print(f"{self.begun} cases begun", file=sys.stderr, flush=True)


def end_group(process):
    """Ends a process with its children: one that holds on to the pipe would be waited for."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def worker(arguments, first, findings, outcomes):
    """Runs every n-th case in processes, each begun anew after the case that ended the one before."""
    last, begun = arguments.first + arguments.cases, time.monotonic()
    while first < last and time.monotonic() < (end := begun + arguments.seconds):
        command = [sys.executable, "-m", "conformance.hostile", "--inside", "--seed", str(arguments.seed), "--first", str(first),
                   "--cases", str(last - first), "--stride", str(arguments.workers), "--seconds", str(end - time.monotonic()),
                   *(["--gentle"] if arguments.gentle else [])]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        findings.processes.append(process)
        state = {"case": first, "since": time.monotonic()}
        hung = threading.Event()

        def watch(process=process, state=state, hung=hung):
            while process.poll() is None:
                if time.monotonic() - state["since"] > arguments.limit:
                    hung.set()
                    # tells where it stands
                    process.send_signal(signal.SIGABRT)
                    time.sleep(2)
                    end_group(process)
                time.sleep(0.2)

        threading.Thread(target=watch, daemon=True).start()
        for line in process.stdout or ():
            word, _, rest = line.rstrip().partition(" ")
            if word == "case":
                state.update(case=int(rest), since=time.monotonic())
                findings.begin()
            elif word == "wrong":
                findings.append(rest)
            elif word == "outcomes":
                outcomes.update(eval(rest))  # our own dictionary of counts
        ended = process.wait()
        end_group(process)
        if ended in (0, 1):
            return
        if hung.is_set():
            findings.append(f"{state['case']} took more than {arguments.limit} s")
        else:
            findings.append(f"{state['case']} ended the process with {process.returncode}")
        first = state["case"] + arguments.workers


def run(arguments):
    """Runs all cases in processes, and tells what was found; the exit status."""
    findings, outcomes = Findings(), collections.Counter()
    threads = [
        threading.Thread(target=worker, args=(arguments, arguments.first + i, findings, outcomes)) for i in range(arguments.workers)
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        # they have sessions of their own, which the terminal does not interrupt
        arguments.seconds = 0
        for process in findings.processes:
            end_group(process)
        raise
    print(f"{findings.begun} cases, seed {arguments.seed}, {len(findings)} findings, calls: {dict(outcomes)}")
    return 1 if findings else 0
