"""`python -m conformance.environments`: runs Gymnasium and dm_control environments, unmodified, on both engines and compares.

Each environment makes the same random steps, from the same seeds, once on the installed reference and once on Kinetree. It
passes when all steps are made and the observations and rewards of the first ones agree. Where they do not, the reference is
run again a few times from a first state that is changed in its last digit: where one of those leaves the tolerance at the same
step or before, the run is `sensitive`.

With `--pictures`, what the environments show after their first reset is compared instead: `render` of Gymnasium, and colours, distances and
objects of dm_control's `physics.render`.
"""

import argparse
import os
import pickle
import subprocess
import sys
import tempfile

GYMNASIUM = ("Ant HalfCheetah Hopper Humanoid Walker2d InvertedDoublePendulum Reacher Pusher Swimmer HumanoidStandup").split()
TOLERANCE = 1e-6
FIRST_SEED = 7
# change of the last digit, and how often it is tried
NUDGE, NUDGES = 1e-15, 8
# largest mean difference of colours out of 255, and of distances relative to them
COLOR, DEPTH = 6.0, 1e-3


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


def nudge(data, number, numpy):
    """Changes positions in their last digit; not for number zero."""
    if number:
        data.qpos[:] *= 1.0 + NUDGE * numpy.random.default_rng(number).uniform(-1, 1, len(data.qpos))


def _gymnasium(name, seed, nudged, steps, numpy):
    import gymnasium

    env = gymnasium.make(name)
    observation, _ = env.reset(seed=seed)
    nudge(env.unwrapped.data, nudged, numpy)
    env.action_space.seed(seed)
    records = [(observation, 0.0)]
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        records.append((observation, reward))
        if terminated or truncated:
            observation, _ = env.reset()
            records.append((observation, 0.0))
    return [numpy.append(numpy.ravel(observation), reward) for observation, reward in records]


def _dm_control(name, seed, nudged, steps, numpy):
    from dm_control import suite

    domain, task = name.split("/")
    env = suite.load(domain, task, task_kwargs={"random": seed})
    spec, random = env.action_spec(), numpy.random.RandomState(seed)
    # some actions have no bounds
    low, high = numpy.maximum(spec.minimum, -1.0), numpy.minimum(spec.maximum, 1.0)
    moment = env.reset()
    nudge(env.physics.data, nudged, numpy)
    records = [moment]
    for _ in range(steps):
        moment = env.reset() if moment.last() else env.step(random.uniform(low, high, spec.shape))
        records.append(moment)

    def flat(m):
        return [numpy.ravel(v).astype(float) for v in m.observation.values()]

    return [numpy.concatenate([*flat(m), [m.reward or 0.0]]) for m in records]


def _shown(package, name, seed):
    """Pictures of an environment after its first reset."""
    if package == "gymnasium":
        import gymnasium

        env = gymnasium.make(name, render_mode="rgb_array")
        env.reset(seed=seed)
        return {"color": env.render()}
    from dm_control import suite

    domain, task = name.split("/")
    env = suite.load(domain, task, task_kwargs={"random": seed})
    env.reset()
    kinds = {"color": {}, "depth": {"depth": True}, "objects": {"segmentation": True}}
    return {kind: env.physics.render(240, 320, camera_id=0, **options) for kind, options in kinds.items()}


def worker(engine, steps, pictures):
    """Runs the environments, seeds and nudges (`name seed nudge`) on standard input; writes a pickled pair of line and result for each."""
    if engine == "kinetree":
        import kinetree.as_mujoco  # noqa: F401
    import numpy

    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin:
        path, seed, nudged = line.split()
        package, name = path.split("/", 1)
        try:
            if pictures:
                result = _shown(package, name, int(seed))
            else:
                play = _gymnasium if package == "gymnasium" else _dm_control
                result = play(name, int(seed), int(nudged), steps, numpy)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is a row of the table
            result = f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
        pickle.dump((line.strip(), result), out)
        out.flush()


def run(engine, runs, steps, timeout, pictures=False):
    """Results by run (`name seed nudge`). When a process dies, the run it was in has failed and another process takes the rest."""
    results, waiting = {}, list(runs)
    command = [sys.executable, "-m", "conformance.environments", "--worker", engine, "--steps", str(steps)]
    command += ["--pictures"] if pictures else []
    while waiting:
        with tempfile.TemporaryFile() as output:
            code: int | str
            try:
                code = subprocess.run(command, input="\n".join(waiting).encode(), stdout=output, stderr=subprocess.DEVNULL,
                                      timeout=timeout, check=False, env=dict(os.environ, MUJOCO_GL="egl" if pictures else "disable")).returncode
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
    """Largest relative difference over the first records, and the first record beyond the tolerance (`count` if none)."""
    import numpy

    worst, apart = 0.0, count
    for index, (a, b) in enumerate(list(zip(mine, theirs))[:count]):
        here = max(numpy.abs(a - b) / numpy.maximum(1.0, numpy.abs(b)), default=0.0) if a.shape == b.shape else float("inf")
        worst = max(worst, here)
        if here > TOLERANCE:
            apart = min(apart, index)
    return worst, apart


def verdict(mine, theirs, nudged, count):
    """Outcome of one run (`agrees`, `sensitive` or `FAILED`), its differences over the first records and all, and why."""
    for result, whose in ((mine, ""), (theirs, "reference: ")):
        if isinstance(result, str):
            return "FAILED", 0.0, 0.0, whose + result
    (first, apart), (whole, _) = difference(mine, theirs, count), difference(mine, theirs, len(theirs))
    if apart == count:
        return "agrees", first, whole, ""
    own = [difference(result, theirs, count) for result in nudged]
    moved, soonest = max(worst for worst, _ in own), min(step for _, step in own)
    why = f"apart at step {apart}; the last digit moves the reference by {moved:.1e}, from step {soonest} on"
    return "sensitive" if soonest <= apart else "FAILED", first, whole, why


def _depth_error(mine, theirs, numpy):
    """How far the reference's distances, seen through one of several samples somewhere in a pixel, lie outside those around it here."""
    rows, columns = mine.shape
    edged = numpy.pad(mine, 1, mode="edge")
    around = numpy.stack([edged[i : i + rows, j : j + columns] for i in range(3) for j in range(3)])
    outside = numpy.maximum(around.min(0) - theirs, theirs - around.max(0))
    return numpy.maximum(outside, 0) / numpy.maximum(1, theirs)


def look(environments, timeout):
    """Compares the pictures of environments; prints one line for each and returns how many differ."""
    import numpy

    runs = [f"{name} {FIRST_SEED} 0" for name in environments]
    theirs, mine = (run(engine, runs, 0, timeout, pictures=True) for engine in ("reference", "kinetree"))
    differ = 0
    for one in runs:
        a, b = mine[one], theirs[one]
        if isinstance(a, str) or isinstance(b, str):
            differ += 1
            print(f"{one[:-4]:<44} FAILED: {a if isinstance(a, str) else 'reference: ' + str(b)}")
            continue
        color = float(numpy.abs(a["color"].astype(int) - b["color"]).mean())
        same = float((a["objects"] == b["objects"]).mean()) if "objects" in b else 1.0
        depth = 0.0
        if "depth" in b:
            depth = float(numpy.quantile(_depth_error(a["depth"], b["depth"], numpy), 0.985))
        agrees = color <= COLOR and depth <= DEPTH and same >= 0.985
        differ += not agrees
        print(f"{one[:-4]:<44} colour {color:5.2f}  objects {100 * same:7.3f} %  depth {depth:.1e}  {'' if agrees else 'FAILED'}".rstrip())
    print(f"pictures of {len(runs) - differ} of {len(runs)} environments agree")
    return differ


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.environments", description=__doc__)
    parser.add_argument("suites", nargs="*", default=["gymnasium", "dm_control"], help="gymnasium, dm_control, or names")
    parser.add_argument("--steps", type=int, default=200, help="random steps of each environment")
    parser.add_argument("--compare", type=int, default=20, help="steps whose observations must agree")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each environment")
    parser.add_argument("--all", action="store_true", help="all tasks of dm_control, not one of each domain")
    parser.add_argument("--timeout", type=float, default=1200.0, help="seconds for all environments on one engine")
    parser.add_argument("--pictures", action="store_true", help="compare pictures instead of steps")
    parser.add_argument("--worker", choices=("kinetree", "reference"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments.worker, arguments.steps, arguments.pictures)
    environments = []
    for suite in arguments.suites:
        environments += [suite] if "/" in suite else names(suite, arguments.all)
    if arguments.pictures:
        return sys.exit(1 if look(environments, arguments.timeout) else 0)
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.seeds)
    runs = [f"{name} {seed} 0" for name in environments for seed in seeds]
    # the first state is a record too
    count = arguments.compare + 1
    theirs = run("reference", runs, arguments.steps, arguments.timeout)
    mine = run("kinetree", runs, arguments.steps, arguments.timeout)
    apart = [one for one in runs if not isinstance(mine[one], str) and not isinstance(theirs[one], str)
             and difference(mine[one], theirs[one], count)[1] < count]
    nudges = {one: [f"{one[:-2]} {number + 1}" for number in range(NUDGES)] for one in apart}
    nudged = run("reference", sum(nudges.values(), []), arguments.compare, arguments.timeout)
    outcomes = []
    print(f"{'environment and seed':<44} {'steps':>5} {'first ' + str(arguments.compare):>10} {'all':>10}")
    for one in runs:
        outcome, first, whole, why = verdict(mine[one], theirs[one], [nudged[other] for other in nudges.get(one, [])], count)
        outcomes.append(outcome)
        made = 0 if isinstance(mine[one], str) else len(mine[one]) - 1
        print(f"{one[:-2]:<44} {made:>5} {first:>10.1e} {whole:>10.1e}  {'' if outcome == 'agrees' else f'{outcome}: {why}'}".rstrip())
    of = f"of {len(runs)} runs of {len(environments)} environments"
    print(f"{outcomes.count('agrees')} {of} agree within {TOLERANCE}; in {outcomes.count('sensitive')} the reference is as "
          f"sensitive to the last digit; {outcomes.count('FAILED')} failed")
    return sys.exit(1 if "FAILED" in outcomes else 0)


if __name__ == "__main__":
    main()
