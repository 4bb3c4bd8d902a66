"""`python -m conformance.environments`: runs Gymnasium and dm_control environments, unmodified, on both engines and compares.

Each environment makes the same random steps, from the same seed, once on the installed reference and once on Kinetree. It
passes when all steps are made and the observations and rewards of the first ones agree. Where they do not, the reference is
run again from a first state that is changed in its last digit: where that changes as much, the environment is `sensitive`.
"""

import argparse
import os
import pickle
import subprocess
import sys
import tempfile

GYMNASIUM = ("Ant HalfCheetah Hopper Humanoid Walker2d InvertedDoublePendulum Reacher Pusher Swimmer HumanoidStandup").split()
TOLERANCE = 1e-6
# change of the last digit, and how much larger than its effect a difference may be
NUDGE, EXCESS = 1e-15, 5.0


def names(suite, every_task):
    """Names of the environments of a package: `gymnasium/Ant-v5`, `dm_control/cartpole/balance`."""
    if suite == "gymnasium":
        return [f"gymnasium/{name}-v5" for name in GYMNASIUM]
    from dm_control import suite as dm_suite

    found, domains = [], set()
    for domain, task in dm_suite.ALL_TASKS:
        if every_task or domain not in domains:
            found.append(f"dm_control/{domain}/{task}")
        domains.add(domain)
    return found


def nudge(data, numpy):
    """Changes positions in their last digit."""
    data.qpos[:] *= 1.0 + NUDGE * numpy.random.default_rng(7).uniform(-1, 1, len(data.qpos))


def _gymnasium(name, steps, numpy, nudged):
    import gymnasium

    env = gymnasium.make(name)
    observation, _ = env.reset(seed=7)
    if nudged:
        nudge(env.unwrapped.data, numpy)
    env.action_space.seed(7)
    records = [(observation, 0.0)]
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        records.append((observation, reward))
        if terminated or truncated:
            observation, _ = env.reset()
            records.append((observation, 0.0))
    return [numpy.append(numpy.ravel(observation), reward) for observation, reward in records]


def _dm_control(name, steps, numpy, nudged):
    from dm_control import suite

    domain, task = name.split("/")
    env = suite.load(domain, task, task_kwargs={"random": 7})
    spec, random = env.action_spec(), numpy.random.RandomState(7)
    # some actions have no bounds
    low, high = numpy.maximum(spec.minimum, -1.0), numpy.minimum(spec.maximum, 1.0)
    moment = env.reset()
    if nudged:
        nudge(env.physics.data, numpy)
    records = [moment]
    for _ in range(steps):
        moment = env.reset() if moment.last() else env.step(random.uniform(low, high, spec.shape))
        records.append(moment)
    flat = lambda m: [numpy.ravel(v).astype(float) for v in m.observation.values()]
    return [numpy.concatenate([*flat(m), [m.reward or 0.0]]) for m in records]


def worker(engine, steps):
    """Runs the environments named on standard input; writes a pickled pair of name and result for each."""
    if engine == "kinetree":
        import kinetree.as_mujoco  # noqa: F401
    import numpy

    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin:
        package, name = line.strip().split("/", 1)
        try:
            result = (_gymnasium if package == "gymnasium" else _dm_control)(name, steps, numpy, engine == "nudged")
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is a row of the table
            result = f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
        pickle.dump((line.strip(), result), out)
        out.flush()


def run(engine, environments, steps, timeout):
    """Results by environment. When a process dies, the environment it was in has failed and another takes the rest."""
    results, waiting = {}, list(environments)
    command = [sys.executable, "-m", "conformance.environments", "--worker", engine, "--steps", str(steps)]
    while waiting:
        with tempfile.TemporaryFile() as output:
            try:
                code = subprocess.run(command, input="\n".join(waiting).encode(), stdout=output, stderr=subprocess.DEVNULL,
                                      timeout=timeout, check=False, env=dict(os.environ, MUJOCO_GL="disable")).returncode
            except subprocess.TimeoutExpired:
                code = f"no end within {timeout} s"
            output.seek(0)
            while True:
                try:
                    name, result = pickle.load(output)
                except (EOFError, pickle.UnpicklingError):
                    break
                results[name] = result
        waiting = [name for name in waiting if name not in results]
        if waiting:
            results[waiting.pop(0)] = f"process ended: {code}"
    return results


def difference(mine, theirs, count):
    """Largest relative difference over the first records."""
    import numpy

    worst = 0.0
    for a, b in list(zip(mine, theirs))[:count]:
        if a.shape != b.shape:
            return float("inf")
        worst = max([worst, *(numpy.abs(a - b) / numpy.maximum(1.0, numpy.abs(b)))])
    return worst


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.environments", description=__doc__)
    parser.add_argument("suites", nargs="*", default=["gymnasium", "dm_control"], help="gymnasium, dm_control, or names")
    parser.add_argument("--steps", type=int, default=200, help="random steps of each environment")
    parser.add_argument("--compare", type=int, default=20, help="steps whose observations must agree")
    parser.add_argument("--all", action="store_true", help="all tasks of dm_control, not one of each domain")
    parser.add_argument("--timeout", type=float, default=1200.0, help="seconds for all environments on one engine")
    parser.add_argument("--worker", choices=("kinetree", "reference", "nudged"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments.worker, arguments.steps)
    environments = []
    for suite in arguments.suites:
        environments += [suite] if "/" in suite else names(suite, arguments.all)
    theirs = run("reference", environments, arguments.steps, arguments.timeout)
    mine = run("kinetree", environments, arguments.steps, arguments.timeout)
    apart = [name for name in environments if not _agree(mine[name], theirs[name], arguments.compare)]
    nudged = run("nudged", apart, arguments.steps, arguments.timeout)
    failed = sensitive = 0
    print(f"{'environment':<44} {'steps':>5} {'first ' + str(arguments.compare):>10} {'all':>10}")
    for name in environments:
        a, b = mine[name], theirs[name]
        if isinstance(a, str) or isinstance(b, str):
            verdict = f"FAILED  {a if isinstance(a, str) else 'reference: ' + b}"
            failed += 1
        else:
            first, whole = difference(a, b, arguments.compare + 1), difference(a, b, len(b))
            verdict = f"{len(a) - 1:>5} {first:>10.1e} {whole:>10.1e}"
            if first > TOLERANCE:
                own = difference(nudged[name], b, arguments.compare + 1)
                sensitive += EXCESS * own >= first
                failed += EXCESS * own < first
                verdict += f"  {'sensitive' if EXCESS * own >= first else 'FAILED'}: {own:.1e} by the last digit"
        print(f"{name:<44} {verdict}")
    agree = len(environments) - failed - sensitive
    print(f"{agree} of {len(environments)} environments agree within {TOLERANCE}; in {sensitive} the reference is as sensitive to the last digit")
    return sys.exit(1 if failed else 0)


def _agree(mine, theirs, count):
    if isinstance(mine, str) or isinstance(theirs, str):
        return True
    return difference(mine, theirs, count + 1) <= TOLERANCE


if __name__ == "__main__":
    main()
