"""`python -m bench.python_calls`: what Python costs: a call of `mj_step` beside the loop in Rust, and rollouts on one and two threads.

The loop in Rust is `mj_step(m, d, nstep=n)`. Variants take turns. Of calls, the fastest of many short runs is reported, since anything
else that the machine does only adds time; of rollouts, the median over pairs of runs that follow upon each other.
"""

import argparse
import time

import kinetree
import numpy as np
from kinetree import rollout

PENDULUM = '<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>'


def clocked(function):
    """Seconds that a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def overhead(repetitions, count=5_000):
    """Seconds per step of a loop in Rust, and what a step from Python costs more."""
    model = kinetree.MjModel.from_xml_string(PENDULUM)
    data = kinetree.MjData(model)

    def rust():
        kinetree.mj_step(model, data, nstep=count)

    def python():
        step = kinetree.mj_step
        for _ in range(count):
            step(model, data)

    rust()
    inside, outside = min(clocked(rust) for _ in range(repetitions)), min(clocked(python) for _ in range(repetitions))
    return inside / count, (outside - inside) / count


def scaling(path, repetitions, nbatch=64, nstep=200):
    """Seconds of rollouts on one and on two threads, in turns."""
    model = kinetree.MjModel.from_xml_path(path)
    full = kinetree.mjtState.mjSTATE_FULLPHYSICS
    initial = np.empty((nbatch, kinetree.mj_stateSize(model, full)))
    data = kinetree.MjData(model)
    for row in initial:
        kinetree.mj_getState(model, data, row, full)
    seconds = {1: [], 2: []}
    pools = {count: (rollout.Rollout(nthread=count), [kinetree.MjData(model) for _ in range(count)]) for count in seconds}
    for _ in range(repetitions):
        for count, (pool, datas) in pools.items():
            seconds[count].append(clocked(lambda pool=pool, datas=datas: pool.rollout(model, datas, initial, nstep=nstep)))
    return np.array(seconds[1]), np.array(seconds[2])


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.python_calls", description=__doc__)
    parser.add_argument("--model", default="models/showcase/humanoid.xml", help="model of the rollouts")
    parser.add_argument("--repetitions", type=int, default=100)
    arguments = parser.parse_args()
    inside, extra = overhead(arguments.repetitions)
    print(f"mj_step of a pendulum: {1e6 * inside:.2f} us in Rust, {1e6 * extra:.2f} us more a call from Python")
    one, two = scaling(arguments.model, max(5, arguments.repetitions // 5))
    ratio = one / two
    print(f"rollout: {min(one):.3f} s on one thread, {min(two):.3f} s on two: {np.median(ratio):.2f} times as fast "
          f"({np.quantile(ratio, 0.1):.2f} to {np.quantile(ratio, 0.9):.2f})")


if __name__ == "__main__":
    main()
