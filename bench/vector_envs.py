"""`python -m bench.vector_envs`: steps per second of vector environments, beside Gymnasium's processes and EnvPool.

All make the same number of steps with random actions of the same kind, and begin new episodes with the step after the last one of the old.
Contenders take turns, and of each the median over rounds is told;
ratios are medians over rounds, too, since the speed of a machine drifts. Processor time, of all threads, tells more than steps per second on
a machine that does other things, too. Contenders that are not installed are left out. Memory is what a
process grows by when worlds are added, after they have made steps.
"""

import argparse
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

TASKS = ("Ant", "HalfCheetah", "Humanoid")


def processors(count):
    """Keeps this process, and those that it starts, on so many processors."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


class Kinetree:
    """Worlds on threads of this process."""

    def __init__(self, task, worlds, threads):
        import kinetree.envs

        self.name, self.worlds = f"kinetree, {worlds} worlds, {threads} threads", worlds
        self.envs = kinetree.envs.make_vec(task, num_envs=worlds, nthread=threads)
        self.step, self.close, self.space = self.envs.step, self.envs.close, self.envs.single_action_space
        self.envs.reset(seed=0)


class Processes:
    """Gymnasium's environments in processes of their own."""

    def __init__(self, task, worlds):
        import gymnasium

        self.name, self.worlds = f"gymnasium, {worlds} processes", worlds
        envs = gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make(f"{task}-v5")] * worlds)
        self.step, self.close, self.space = envs.step, envs.close, envs.single_action_space
        self.processes = [process.pid for process in envs.processes]
        envs.reset(seed=0)


class EnvPool:
    """EnvPool's worlds on threads of this process."""

    def __init__(self, task, worlds, threads):
        import envpool

        self.name, self.worlds = f"envpool, {worlds} worlds, {threads} threads", worlds
        envs = envpool.make(f"{task}-v5", env_type="gymnasium", num_envs=worlds, num_threads=threads, seed=0)
        self.step, self.close, self.space = envs.step, envs.close, envs.action_space
        envs.reset()


def contenders(task, worlds, processes):
    """All that can be had here; the first is the measure of the others."""
    found: list = [Kinetree(task, worlds, 2), Kinetree(task, worlds, 1)]
    if importlib.util.find_spec("envpool"):
        found.append(EnvPool(task, worlds, 2))
    if importlib.util.find_spec("mujoco"):
        found.append(Processes(task, processes))
    return found


def run(contender, steps, random):
    """Steps of single worlds per second, and processor time of a step in µs; one in a hundred is made before the clock starts."""
    low, high = contender.space.low, contender.space.high
    count = max(1, steps // contender.worlds)
    actions = random.uniform(low, high, (32, contender.worlds, len(low))).astype(contender.space.dtype)
    for k in range(count // 100 + 1):
        contender.step(actions[k % 32])
    start, begun = time.perf_counter(), processor_time(contender)
    for k in range(count):
        contender.step(actions[k % 32])
    made = count * contender.worlds
    return made / (time.perf_counter() - start), 1e6 * (processor_time(contender) - begun) / made


def processor_time(contender):
    """Seconds of this process, and of those of the contender."""
    others = (pathlib.Path(f"/proc/{process}/schedstat").read_text() for process in getattr(contender, "processes", ()))
    return time.process_time() + sum(int(text.split()[0]) for text in others) / 1e9


def race(task, worlds, steps, rounds, processes):
    """A table of one task."""
    random = np.random.default_rng(0)
    racers = contenders(task, worlds, processes)
    speeds = {racer.name: [] for racer in racers}
    burdens = {racer.name: [] for racer in racers}
    for _ in range(rounds):
        for racer in racers:
            speed, burden = run(racer, steps // 4 if isinstance(racer, Processes) else steps, random)
            speeds[racer.name].append(speed)
            burdens[racer.name].append(burden)
    first = speeds[racers[0].name]
    print(f"\n{task + '-v5':<38} {'steps/s':>9} {'min':>9} {'max':>9} {'kinetree is':>12} {'processor, µs':>14} {'ratio':>7}")
    for racer in racers:
        own = speeds[racer.name]
        ratio = statistics.median(a / b for a, b in zip(first, own))
        burden = statistics.median(burdens[racer.name])
        less = statistics.median(b / a for a, b in zip(burdens[racers[0].name], burdens[racer.name]))
        print(f"  {racer.name:<36} {statistics.median(own):>9,.0f} {min(own):>9,.0f} {max(own):>9,.0f} {ratio:>11.2f}x {burden:>14.1f} {less:>6.2f}x",
              flush=True)
        racer.close()
    efficiency = statistics.median(a / b / 2 for a, b in zip(first, speeds[racers[1].name]))
    print(f"  efficiency of two threads: {efficiency:.2f}")


MEMORY = """
import sys, kinetree.envs, numpy as np
def resident():
    return int(open('/proc/self/statm').read().split()[1]) * 4096
def grow(worlds):
    envs = kinetree.envs.make_vec(sys.argv[1], num_envs=worlds)
    envs.reset(seed=0)
    for _ in range(50):
        envs.step(envs.action_space.sample())
    return envs
few = grow(8)
before = resident()
many = grow(512)
print((resident() - before) / 512 / 1024)
"""


def memory(task):
    """KiB of memory for each world."""
    result = subprocess.run([sys.executable, "-c", MEMORY, task], capture_output=True, text=True, check=True)
    return float(result.stdout)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.vector_envs", description=__doc__)
    parser.add_argument("tasks", nargs="*", default=TASKS)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--steps", type=int, default=20_000, help="steps of single worlds in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processes", type=int, help="worlds of Gymnasium's processes; as many as the others have without it")
    arguments = parser.parse_args()
    processors(2)
    for task in arguments.tasks:
        race(task, arguments.worlds, arguments.steps, arguments.rounds, arguments.processes or arguments.worlds)
        print(f"  memory of a world: {memory(task):.0f} KiB", flush=True)


if __name__ == "__main__":
    main()
