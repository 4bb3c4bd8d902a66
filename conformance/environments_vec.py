"""`python -m conformance.environments_vec`: vector environments beside the originals of Gymnasium and dm_control on the reference engine.

Both make the same random steps from the same seeds, with episodes that begin anew when they end. Observations, rewards, ends of episodes
and infos of the first steps must agree; how far apart the worlds are after all steps is told. Where they do not agree, the reference is run
again with positions that are changed in their last digit before each step, as another rounding would: where that moves it at least half
as far by then, the run is `sensitive`. All steps must be made, with finite numbers.
"""

import argparse
import sys

import numpy as np

# relative to numbers that are larger than one
TOLERANCE = 1e-6
# change of the last digit, and how often it is tried
NUDGE, NUDGES = 1e-15, 8


def suite_environment(task):
    """An environment of dm_control, as Gymnasium has them."""
    import gymnasium
    from dm_control import suite

    class Suite(gymnasium.Env):
        """Flat observations; episodes end by time alone, with discount one."""

        def __init__(self):
            domain, variant = task.split("-")
            self.env = suite.load(domain, variant, environment_kwargs={"flat_observation": True})
            spec = self.env.action_spec()
            self.action_space = gymnasium.spaces.Box(spec.minimum, spec.maximum, dtype=np.float64)
            shape = self.env.observation_spec()["observations"].shape
            self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, dtype=np.float64)
            self.data = self.env.physics.data

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self.env.task._random = np.random.RandomState(seed)
            return self.env.reset().observation["observations"], {}

        def step(self, action):
            step = self.env.step(action)
            return step.observation["observations"], step.reward, step.last() and step.discount == 0, step.last() and step.discount == 1, {}

    return Suite()


def original(task, worlds, mode, nudge=0):
    """The original environment on the reference engine, with positions that are changed in their last digit before each step."""
    import gymnasium

    class Nudged(gymnasium.Wrapper):
        """Changes the last digit of positions before each step; not for number zero."""

        random = np.random.default_rng(nudge)

        def step(self, action):
            if nudge:
                positions = self.get_wrapper_attr("data").qpos
                positions *= 1.0 + NUDGE * self.random.uniform(-1, 1, len(positions))
            return super().step(action)

    def make():
        return Nudged(suite_environment(task) if "-" in task else gymnasium.make(f"{task}-v5"))

    return gymnasium.vector.SyncVectorEnv([make] * worlds, autoreset_mode=mode)


def batch(task, worlds, mode):
    """The vector environment."""
    import kinetree.envs

    return kinetree.envs.make_vec(task, num_envs=worlds, autoreset_mode=mode)


def flat(infos, prefix=""):
    """Infos as a flat dictionary of arrays; final observations are zeros where there are none."""
    found = {}
    for key, value in infos.items():
        if isinstance(value, dict):
            found.update(flat(value, f"{prefix}{key}."))
        elif isinstance(value, np.ndarray) and value.dtype.hasobject:
            width = max(np.size(v) for v in value)
            found[prefix + key] = np.array([np.zeros(width) if v is None else v for v in value])
        else:
            found[prefix + key] = np.asarray(value)
    return found


def play(envs, seed, steps):
    """Records of a run: everything that `reset` and `step` return, as dictionaries of arrays."""
    envs.action_space.seed(seed)
    observations, infos = envs.reset(seed=seed)
    records = [{"observation": observations, **flat(infos)}]
    for _ in range(steps):
        observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
        records.append({"observation": observations, "reward": rewards, "terminated": terminated, "truncated": truncated, **flat(infos)})
    envs.close()
    return records


def apart(a, b):
    """Largest difference of two records, relative to numbers larger than one; infinite when they do not have the same keys and shapes."""
    if a.keys() != b.keys() or any(np.shape(a[k]) != np.shape(b[k]) for k in a):
        return float("inf")
    worst = 0.0
    for key, theirs in b.items():
        theirs = np.asarray(theirs, dtype=float)
        difference = np.abs(np.asarray(a[key], dtype=float) - theirs) / np.maximum(1.0, np.abs(theirs))
        worst = max(worst, float(difference.max(initial=0.0)))
    return worst


def compare(mine, theirs, count):
    """Largest difference of the first records, and the first record beyond the tolerance (`count` if none)."""
    differences = [apart(a, b) for a, b in zip(mine[:count], theirs[:count])]
    beyond = [step for step, difference in enumerate(differences) if not difference <= TOLERANCE]
    return max(differences), min(beyond, default=count)


def check(task, mode, arguments):
    """A row of the table, and the outcome: `agrees`, `sensitive` or `FAILED`."""
    worlds, seed, count = arguments.worlds, arguments.seed, arguments.compare + 1
    theirs = play(original(task, worlds, mode), seed, arguments.steps)
    mine = play(batch(task, worlds, mode), seed, arguments.steps)
    finite = all(np.isfinite(record["observation"]).all() for record in mine)
    first, when = compare(mine, theirs, count)
    ends = [int(sum((r["terminated"] | r["truncated"]).sum() for r in records[1:])) for records in (mine, theirs)]
    outcome, why = "agrees", ""
    if when < count:
        mine_apart = apart(mine[when], theirs[when])
        runs = [play(original(task, worlds, mode, number + 1), seed, when) for number in range(NUDGES)]
        moved = max(apart(run[when], theirs[when]) for run in runs)
        outcome = "sensitive" if 2 * moved >= mine_apart else "FAILED"
        why = f"{mine_apart:.1e} apart at step {when}; the last digit moves the reference by {moved:.1e}"
    if not finite:
        outcome, why = "FAILED", "observations that are not finite"
    row = f"{task:<24} {mode:<9} {len(mine) - 1:>5} {first:>9.1e} {ends[0]:>6} {ends[1]:>6}  {outcome}{': ' * bool(why)}{why}"
    return row, outcome


def main():
    """Command line."""
    import kinetree.envs

    parser = argparse.ArgumentParser(prog="conformance.environments_vec", description=__doc__)
    parser.add_argument("tasks", nargs="*", default=kinetree.envs.TASKS + kinetree.envs.SUITE_TASKS)
    parser.add_argument("--worlds", type=int, default=4)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--compare", type=int, default=50, help="steps that must agree")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    outcomes = []
    print(f"{'task':<24} {'autoreset':<9} {'steps':>5} {'first ' + str(arguments.compare):>9} {'ends':>6} {'theirs':>6}")
    for task in arguments.tasks:
        for mode in ("NextStep", "SameStep"):
            row, outcome = check(task, mode, arguments)
            outcomes.append(outcome)
            print(row, flush=True)
    print(f"{outcomes.count('agrees')} of {len(outcomes)} agree within {TOLERANCE}, {outcomes.count('sensitive')} are as sensitive to the last "
          f"digit, {outcomes.count('FAILED')} failed")
    sys.exit(1 if "FAILED" in outcomes else 0)


if __name__ == "__main__":
    main()
