"""Worker processes: a crash or a hang of one model is a row in the table, not the end of the run."""

import multiprocessing as mp
import time


def _serve(connection, adopt, steps):
    import mujoco

    import kinetree
    from conformance.compare import compare_model

    # otherwise the reference prints its warnings and keeps a log file
    mujoco.set_mju_user_warning(lambda text: None)
    while True:
        path = connection.recv()
        if path is None:
            return
        try:
            connection.send(compare_model(path, kinetree, mujoco, adopt=adopt, steps=steps).stages)
        except Exception as problem:  # noqa: BLE001
            connection.send({"load": {"ok": False, "failed": [], "field": "", "error": float("inf"),
                                      "message": f"bench: {type(problem).__name__}: {problem}"}})


class Worker:
    """One process and the model it works on."""

    def __init__(self, adopt, steps):
        self.arguments = (adopt, steps)
        self.start()

    def start(self):
        """Starts a fresh process."""
        context = mp.get_context("spawn")
        self.connection, far = context.Pipe()
        self.process = context.Process(target=_serve, args=(far, *self.arguments), daemon=True)
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
        return {"load": {"ok": False, "failed": [], "field": "", "error": float("inf"), "message": failure}}


def run(paths, jobs, timeout, adopt, steps, progress):
    """Yields `(path, stages)` as models are done."""
    workers = [Worker(adopt, steps) for _ in range(min(jobs, max(1, len(paths))))]
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
            stages = worker.poll(timeout)
            if stages is None:
                continue
            done += 1
            progress(done, len(paths), path)
            worker.path = None
            if waiting:
                worker.give(waiting.pop())
            yield path, stages
    for worker in workers:
        worker.connection.send(None)
