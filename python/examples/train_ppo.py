"""Trains a policy with PPO (Schulman et al., "Proximal policy optimization algorithms", 2017) on a vector environment.

    pip install 'kinetree[training]'
    python train_ppo.py                             # HalfCheetah to a return of 3000, in minutes on two cores
    python train_ppo.py --task Hopper --target 1000 --steps 2000000 --plot hopper.svg
    python train_ppo.py --worlds 4096 --length 16 --device gpu

Networks and their gradients are JAX and Optax. The learning curve is drawn into a picture at the end, or after Ctrl-C.
"""

import argparse
import collections
import contextlib
import functools
import time

import jax
import jax.numpy as jnp
import kinetree.envs
import matplotlib
import numpy as np
import optax
from tqdm import tqdm

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

DISCOUNT, LAMBDA, CLIP, EPOCHS, BATCHES = 0.99, 0.95, 0.2, 8, 8
WIDTHS = (64, 64)


class Scale:
    """Running mean and variance of rows (Chan, Golub and LeVeque, 1979)."""

    def __init__(self, width):
        self.mean, self.var, self.count = np.zeros(width), np.ones(width), 1e-4

    def update(self, rows):
        """Takes rows into account."""
        count, mean, var = len(rows), rows.mean(axis=0), rows.var(axis=0)
        total, delta = self.count + count, mean - self.mean
        self.var = (self.var * self.count + var * count + delta**2 * self.count * count / total) / total
        self.mean, self.count = self.mean + delta * count / total, total

    def __call__(self, rows):
        return np.clip((rows - self.mean) / np.sqrt(self.var + 1e-8), -10, 10).astype(np.float32)


def layers(key, widths, last):
    """Weights of a network with orthogonal rows, the last layer scaled."""
    keys = jax.random.split(key, len(widths) - 1)
    scales = [np.sqrt(2.0)] * (len(widths) - 2) + [last]
    init = [jax.nn.initializers.orthogonal(scale) for scale in scales]
    return [(init[k](keys[k], (widths[k], widths[k + 1])), jnp.zeros(widths[k + 1])) for k in range(len(keys))]


def network(weights, x):
    """A perceptron with hyperbolic tangents."""
    for matrix, bias in weights[:-1]:
        x = jnp.tanh(x @ matrix + bias)
    matrix, bias = weights[-1]
    return x @ matrix + bias


def log_density(params, observations, actions):
    """Logarithm of the probability density of actions."""
    spread = jnp.exp(params["spread"])
    z = (actions - network(params["policy"], observations)) / spread
    return -0.5 * jnp.sum(z**2 + jnp.log(2 * jnp.pi), axis=-1) - jnp.sum(params["spread"])


@jax.jit
def act(params, observations, key):
    """Random actions, their densities, and values of the states."""
    mean = network(params["policy"], observations)
    actions = mean + jnp.exp(params["spread"]) * jax.random.normal(key, mean.shape)
    return actions, log_density(params, observations, actions), network(params["value"], observations)[:, 0]


@jax.jit
def value(params, observations):
    """Values of states."""
    return network(params["value"], observations)[:, 0]


def loss(params, batch):
    """Clipped objective of the policy, and squared errors of values."""
    ratio = jnp.exp(log_density(params, batch["observations"], batch["actions"]) - batch["densities"])
    advantages = batch["advantages"]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
    errors = (network(params["value"], batch["observations"])[:, 0] - batch["returns"]) ** 2
    return -gain.mean() + 0.5 * errors.mean()


@functools.partial(jax.jit, static_argnames="optimizer")
def improve(params, state, data, key, optimizer):
    """Some epochs of gradient steps over random batches."""
    count = len(data["returns"])

    def step(carry, rows):
        params, state = carry
        gradient = jax.grad(loss)(params, jax.tree.map(lambda array: array[rows], data))
        updates, state = optimizer.update(gradient, state, params)
        return (optax.apply_updates(params, updates), state), None

    orders = jax.vmap(lambda k: jax.random.permutation(k, count))(jax.random.split(key, EPOCHS))
    (params, state), _ = jax.lax.scan(step, (params, state), orders.reshape(EPOCHS * BATCHES, -1))
    return params, state


def advantages_of(rewards, values, ends, last):
    """Generalized advantage estimation (Schulman et al., 2016), backward in time."""
    result, later = np.zeros_like(rewards), np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        following = last if t == len(rewards) - 1 else values[t + 1]
        later = rewards[t] + DISCOUNT * following * ~ends[t] - values[t] + DISCOUNT * LAMBDA * later * ~ends[t]
        result[t] = later
    return result


class Collector:
    """Plays episodes, and remembers the returns of those that end."""

    def __init__(self, envs, seed):
        self.envs = envs
        self.scale, self.reward_scale = Scale(envs.single_observation_space.shape[0]), Scale(1)
        self.raw, _ = envs.reset(seed=seed)
        self.discounted, self.returns = np.zeros(envs.num_envs), np.zeros(envs.num_envs)
        self.finished = []
        self.limits = envs.single_action_space.low, envs.single_action_space.high

    def collect(self, params, length, key):
        """Some steps of all worlds, ready for the optimizer."""
        data = collections.defaultdict(list)
        for k in jax.random.split(key, length):
            self.scale.update(self.raw)
            observations = self.scale(self.raw)
            actions, densities, values = (np.asarray(array) for array in act(params, observations, k))
            self.raw, rewards, terminated, truncated, infos = self.envs.step(np.clip(actions, *self.limits))
            ends = terminated | truncated
            self._count(rewards, ends)
            rewards = rewards / np.sqrt(self.reward_scale.var[0] + 1e-8)
            if truncated.any():
                # the episode would go on: what is expected of it counts
                last = self.scale(np.stack([infos["final_obs"][world] for world in np.flatnonzero(truncated)]))
                rewards[truncated] += DISCOUNT * np.asarray(value(params, last))
            for name, array in (("observations", observations), ("actions", actions), ("densities", densities), ("values", values),
                                ("rewards", rewards), ("ends", ends)):
                data[name].append(array)
        arrays = {name: np.stack(rows) for name, rows in data.items()}
        last = np.asarray(value(params, self.scale(self.raw)))
        arrays["advantages"] = advantages_of(arrays.pop("rewards"), arrays["values"], arrays.pop("ends"), last)
        arrays["returns"] = arrays["advantages"] + arrays.pop("values")
        return {name: array.reshape(-1, *array.shape[2:]).astype(np.float32) for name, array in arrays.items()}

    def _count(self, rewards, ends):
        """Returns of episodes, and the scale of rewards."""
        self.returns += rewards
        self.finished.extend(self.returns[ends])
        self.returns[ends] = 0.0
        self.discounted = self.discounted * DISCOUNT + rewards
        self.reward_scale.update(self.discounted[:, np.newaxis])
        self.discounted[ends] = 0.0


def train(arguments):
    """The learning curve: steps, seconds and mean returns, a point for as many episodes as there are worlds."""
    envs = kinetree.envs.make_vec(arguments.task, num_envs=arguments.worlds, autoreset_mode="SameStep", device=arguments.device)
    collector = Collector(envs, arguments.seed)
    key, *keys = jax.random.split(jax.random.key(arguments.seed), 3)
    widths, count = (envs.single_observation_space.shape[0], *WIDTHS), envs.single_action_space.shape[0]
    params = {"policy": layers(keys[0], (*widths, count), 0.01), "value": layers(keys[1], (*widths, 1), 1.0),
              "spread": jnp.full(count, -0.5)}
    rounds = arguments.steps // (arguments.worlds * arguments.length)
    schedule = optax.linear_schedule(arguments.rate, 0.1 * arguments.rate, rounds * EPOCHS * BATCHES)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(schedule, eps=1e-5))
    state, curve, begun = optimizer.init(params), [], time.perf_counter()
    with contextlib.suppress(KeyboardInterrupt), tqdm(total=rounds * arguments.worlds * arguments.length, unit=" steps", unit_scale=True) as bar:
        for _ in range(rounds):
            key, *keys = jax.random.split(key, 3)
            data = collector.collect(params, arguments.length, keys[0])
            params, state = improve(params, state, data, keys[1], optimizer)
            bar.update(arguments.worlds * arguments.length)
            if len(collector.finished) >= arguments.worlds:
                curve.append((bar.n, time.perf_counter() - begun, np.mean(collector.finished)))
                collector.finished.clear()
                bar.set_postfix_str(f"return {curve[-1][2]:.0f}")
            if curve and curve[-1][2] >= arguments.target:
                break
    envs.close()
    return curve


def draw(curve, arguments):
    """Return over steps, with the target."""
    steps, _, returns = zip(*curve)
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(np.array(steps) / 1e6, returns, marker=".")
    axes.axhline(arguments.target, color="grey", linestyle="--", linewidth=1, label=f"target {arguments.target:g}")
    axes.set(xlabel="million steps", ylabel="return of an episode", title=f"PPO on {arguments.task}, {arguments.worlds} worlds")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(arguments.plot)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="HalfCheetah")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--length", type=int, default=128, help="steps of each world between improvements")
    parser.add_argument("--steps", type=int, default=6_000_000, help="steps of all worlds at most")
    parser.add_argument("--target", type=float, default=3000.0, help="mean return at which to stop")
    parser.add_argument("--rate", type=float, default=5e-4, help="rate of learning")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="what steps the worlds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", default="learning-curve.svg")
    arguments = parser.parse_args()
    curve = train(arguments)
    if not curve:
        raise SystemExit("no episode has ended: more --steps are needed")
    draw(curve, arguments)
    steps, seconds, last = curve[-1]
    print(f"{arguments.task}: return {last:.0f} after {steps:,} steps and {seconds:.0f} s; the curve is in {arguments.plot}")
    if last < arguments.target:
        raise SystemExit(f"the target of {arguments.target:g} was not reached")


if __name__ == "__main__":
    main()
