"""Worker processes: a crash or a hang of one model is a row in the table, not the end of the run."""

import multiprocessing as mp
import time

from conformance.compare import Verdict, compare_model


def _serve(connection, how):
    import kinetree
    import mujoco

    # otherwise the reference prints its warnings and keeps a log file
    mujoco.set_mju_user_warning(lambda text: None)
    while True:
        path = connection.recv()
        if path is None:
            return
        try:
            connection.send(compare_model(path, kinetree, mujoco, **how).as_row())
        except Exception as problem:  # noqa: BLE001
            connection.send(broken(f"{type(problem).__name__}: {problem}"))


def broken(message):
    """The row of a model whose comparison did not come to an end."""
    verdict = Verdict()
    verdict.fail("load", message)
    return verdict.as_row()


class Worker:
    """One process and the model it works on."""

    def __init__(self, how):
        self.how = how
        self.start()

    def start(self):
        """Starts a fresh process."""
        context = mp.get_context("spawn")
        self.connection, far = context.Pipe()
        self.process = context.Process(target=_serve, args=(far, self.how), daemon=True)
        self.process.start()
        far.close()
        self.path = None

    def give(self, path):
        """Hands out a model."""
        self.path, self.since = path, time.monotonic()
        self.connection.send(path)

    def poll(self, timeout):
        """The result if there is one, a failure if the process died or is late, else None."""
        failure = None
        try:
            if self.connection.poll(0):
                return self.connection.recv()
        except (EOFError, OSError):
            failure = "the process died"
        if failure is None and not self.process.is_alive():
            failure = f"the process died with exit code {self.process.exitcode}"
        if failure is None and time.monotonic() - self.since > timeout:
            failure = f"no answer within {timeout:.0f} s"
        if failure is None:
            return None
        self.process.kill()
        self.start()
        return broken(failure)


def run(paths, jobs, timeout, how, progress):
    """Yields `(path, row)` as models are done; `how` are further arguments of `compare_model`."""
    workers = [Worker(how) for _ in range(min(jobs, max(1, len(paths))))]
    waiting, done = list(reversed(paths)), 0
    for worker in workers:
        if waiting:
            worker.give(waiting.pop())
    while any(worker.path for worker in workers):
        time.sleep(0.005)
        for worker in workers:
            if worker.path is None:
                continue
            path = worker.path
            row = worker.poll(timeout)
            if row is None:
                continue
            done += 1
            progress(done, len(paths), path)
            worker.path = None
            if waiting:
                worker.give(waiting.pop())
            yield path, row
    for worker in workers:
        worker.connection.send(None)
