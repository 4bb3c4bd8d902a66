"""Proximal policy optimization in one file, in the manner of CleanRL, in many worlds of one process.

    pip install torch
    python python/examples/train_cleanrl.py [steps]

CleanRL's own `ppo_continuous_action.py` runs on Kinetree when its `envs = gym.vector.SyncVectorEnv(…)` becomes
`envs = kinetree.envs.make_vec("HalfCheetah", num_envs=args.num_envs)`, with `gym.wrappers.vector.RecordEpisodeStatistics` around it.
"""

import sys

import gymnasium
import numpy as np
import torch
from kinetree import envs
from torch import nn

WORLDS, LENGTH, EPOCHS, BATCHES = 64, 64, 5, 4
GAMMA, LAMBDA, CLIP, RATE = 0.99, 0.9, 0.2, 1e-3


class Agent(nn.Module):
    """A policy and the value of states."""

    def __init__(self, observations, actions):
        super().__init__()
        self.value = nn.Sequential(nn.Linear(observations, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
        self.mean = nn.Sequential(nn.Linear(observations, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, actions))
        self.log_std = nn.Parameter(torch.zeros(actions))

    def policy(self, observations):
        """Actions as random variables."""
        return torch.distributions.Normal(self.mean(observations), self.log_std.exp())


def collect(worlds, agent, observation, done):
    """Steps of all worlds with actions of the policy: observations, actions, their logarithms, rewards, ends, values."""
    rows = []
    for _ in range(LENGTH):
        with torch.no_grad():
            policy = agent.policy(observation)
            action = policy.sample()
            log, value = policy.log_prob(action).sum(1), agent.value(observation)[:, 0]
        low, high = worlds.single_action_space.low, worlds.single_action_space.high
        following, reward, terminated, truncated, _ = worlds.step(np.clip(action.numpy(), low, high))
        rows.append((observation, action, log, torch.tensor(reward, dtype=torch.float32), done, value))
        observation = torch.tensor(following, dtype=torch.float32)
        done = torch.tensor(terminated | truncated, dtype=torch.float32)
    return [torch.stack(column) for column in zip(*rows)], observation, done


def advantages(rewards, ends, values, last, done):
    """How much better than expected: generalized advantage estimation."""
    found, sum_ = torch.zeros_like(rewards), torch.zeros(WORLDS)
    for t in reversed(range(LENGTH)):
        goes_on, following = (1 - done, last) if t == LENGTH - 1 else (1 - ends[t + 1], values[t + 1])
        sum_ = rewards[t] + GAMMA * following * goes_on - values[t] + GAMMA * LAMBDA * goes_on * sum_
        found[t] = sum_
    return found


def improve(agent, optimizer, rows, gain, target):
    """A few epochs over what was collected."""
    observations, actions, logs = (rows[i].flatten(0, 1) for i in range(3))
    gain, target = gain.flatten(), target.flatten()
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(gain)).chunk(BATCHES):
            policy = agent.policy(observations[batch])
            ratio = (policy.log_prob(actions[batch]).sum(1) - logs[batch]).exp()
            scaled = (gain[batch] - gain[batch].mean()) / (gain[batch].std() + 1e-8)
            loss = -torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
            loss = loss + 0.5 * (agent.value(observations[batch])[:, 0] - target[batch]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def main():
    """Trains to balance a pole, for 200,000 steps unless another number is given."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    torch.manual_seed(0)
    worlds = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs.make_vec("InvertedPendulum", num_envs=WORLDS))
    agent = Agent(worlds.single_observation_space.shape[0], worlds.single_action_space.shape[0])
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE)
    observation, done = torch.tensor(worlds.reset(seed=0)[0], dtype=torch.float32), torch.zeros(WORLDS)
    for _ in range(steps // (WORLDS * LENGTH)):
        rows, observation, done = collect(worlds, agent, observation, done)
        with torch.no_grad():
            last = agent.value(observation)[:, 0]
        gain = advantages(rows[3], rows[4], rows[5], last, done)
        improve(agent, optimizer, rows, gain, gain + rows[5])
    lengths = list(worlds.length_queue)
    print(f"the last {len(lengths)} episodes lasted {np.mean(lengths):.0f} of 1000 steps")


if __name__ == "__main__":
    main()
