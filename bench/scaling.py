"""`python -m bench.scaling`: what several threads make of vector environments, beside one thread and beside as many processes.

Each of one environment on one thread, one on several threads, as many environments in processes of their own, and the same with a copy of the
program for each process, makes steps with random actions, in turns. Told are medians over rounds of steps per second, as a share of so many
times those of one thread. What processes fall short of one is the machine's doing: its processors share caches, memory, power, and time with
others. Processes of one program share its pages; with copies they share nothing but the machine.
"""

import argparse
import multiprocessing
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import numpy as np

TASKS = ("Ant", "HalfCheetah", "Humanoid")


def serve(task, worlds, threads, program, orders, results):
    """Makes as many steps of all worlds as it is told to, again and again, and tells how many of single worlds it made in a second."""
    if program is not None:
        sys.path.insert(0, program)
    import kinetree.envs

    envs = kinetree.envs.make_vec(task, num_envs=worlds, nthread=threads)
    envs.reset(seed=0)
    space = envs.single_action_space
    actions = np.random.default_rng(0).uniform(space.low, space.high, (32, worlds, len(space.low))).astype(space.dtype)
    for steps in iter(orders.recv, 0):
        start = time.perf_counter()
        for k in range(steps):
            envs.step(actions[k % 32])
        results.send(steps * worlds / (time.perf_counter() - start))


class Racer:
    """A process with an environment, of the program that is installed or of a copy in another folder."""

    def __init__(self, task, worlds, threads, program=None):
        context = multiprocessing.get_context("spawn")
        orders, self._orders = context.Pipe(duplex=False)
        self._results, results = context.Pipe(duplex=False)
        self._process = context.Process(target=serve, args=(task, worlds, threads, program, orders, results), daemon=True)
        self._process.start()
        # so that a process that dies is noticed
        results.close()

    def start(self, steps):
        """Tells it to make steps; none end it."""
        self._orders.send(steps)

    def speed(self):
        """Steps of single worlds per second, when they are made."""
        return self._results.recv()


def together(racers, steps):
    """Steps per second of racers that run at the same time."""
    for racer in racers:
        racer.start(steps)
    return sum(racer.speed() for racer in racers)


def race(task, worlds, threads, programs, steps, rounds):
    """A line of the table."""
    alone = [Racer(task, worlds, 1) for _ in range(threads)]
    several = Racer(task, worlds, threads)
    # the first has the program that is installed
    apart = [alone[0], *(Racer(task, worlds, 1, program) for program in programs[:threads - 1])]
    count = max(1, steps // worlds)
    speeds, shares = [], []
    # the first round is for caches and contacts
    for _ in range(rounds + 1):
        one = together(alone[:1], count)
        made = [together(racers, count) for racers in ([several], alone, apart)]
        speeds.append(made[0])
        shares.append([speed / one / threads for speed in made])
    for racer in (*alone, several, *apart[1:]):
        racer.start(0)
    share, processes, copies = (statistics.median(column) for column in zip(*shares[1:]))
    print(f"{task:<12} {worlds:>7} {threads:>8} {statistics.median(speeds[1:]):>10,.0f} {share:>12.3f} {processes:>10.3f} {copies:>10.3f}",
          flush=True)


def copy_program(folder, count):
    """Folders with so many copies of the package."""
    import kinetree

    package = pathlib.Path(kinetree.__file__).parent
    copies = [str(pathlib.Path(folder) / str(k)) for k in range(count)]
    for copy in copies:
        shutil.copytree(package, pathlib.Path(copy) / "kinetree")
    return copies


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.scaling", description=__doc__)
    parser.add_argument("tasks", nargs="*", default=TASKS)
    parser.add_argument("--worlds", type=int, nargs="+", default=[64, 256])
    parser.add_argument("--threads", type=int, nargs="+", default=[2])
    parser.add_argument("--steps", type=int, default=4_000, help="steps of single worlds in a round, of each process")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    if min(*arguments.worlds, *arguments.threads, arguments.rounds) < 1:
        parser.error("numbers of worlds, threads and rounds must be positive")
    print(f"{'task':<12} {'worlds':>7} {'threads':>8} {'steps/s':>10} {'efficiency':>12} {'processes':>10} {'copies':>10}")
    with tempfile.TemporaryDirectory() as folder:
        programs = copy_program(folder, max(arguments.threads) - 1)
        for worlds in arguments.worlds:
            for threads in arguments.threads:
                for task in arguments.tasks:
                    race(task, worlds, threads, programs, arguments.steps, arguments.rounds)


if __name__ == "__main__":
    main()
