"""A plain PyTorch loop: PPO with masks (Schulman et al. 2017) on the vector environment, against compiled opponents.

python examples/recipes/pytorch_ppo.py [--steps N]
"""

import numpy as np
import torch
from common import OPPONENT, RULES, run, score

from cartagena.rl.vector import CartagenaVectorEnv
from cartagena.rl.wrappers import flattened

PROMISED = 0.85
STEPS, TABLES, SPAN, EPOCHS, BATCH, HIDDEN = 80_000, 256, 32, 2, 512, 64
DISCOUNT, LAMBDA, CLIP, ENTROPY, RATE = 0.995, 0.95, 0.2, 0.005, 1e-3


class Network(torch.nn.Module):
    """Policy and value on one hidden layer."""

    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(832, HIDDEN), torch.nn.Tanh())
        self.policy, self.value = torch.nn.Linear(HIDDEN, 1200), torch.nn.Linear(HIDDEN, 1)

    def forward(self, x, mask):
        hidden = self.body(x)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden)[:, 0]


def tensors(seen):
    """The observation and the mask as tensors of their own: the environment writes its arrays again."""
    return torch.from_numpy(flattened(seen)), torch.from_numpy(seen["action_mask"] != 0)


def advantages(values, rewards, over):
    """Generalised advantages (Schulman et al. 2016); ``values`` has one more row than the others."""
    found, later = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        runs = 1.0 - over[step]
        error = rewards[step] + DISCOUNT * values[step + 1] * runs - values[step]
        found[step] = later = error + DISCOUNT * LAMBDA * runs * later
    return found


def improve(network, optimiser, x, mask, action, before, gain, target):
    """Make one step of PPO on a batch."""
    choice, value = network(x, mask)
    ratio = torch.exp(choice.log_prob(action) - before)
    kept = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
    loss = -kept.mean() + 0.5 * ((value - target) ** 2).mean() - ENTROPY * choice.entropy().mean()
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimiser.step()


def train(steps=STEPS, seed=1):
    torch.manual_seed(seed)
    env, network = CartagenaVectorEnv(TABLES, RULES, 2, opponents=OPPONENT), Network()
    optimiser = torch.optim.Adam(network.parameters(), RATE)
    seen, _ = env.reset(seed=seed)
    spans = max(1, steps // (SPAN * TABLES))
    for span in range(spans):
        rows, idle = [], []
        for _ in range(SPAN):
            idle.append(env.tables.status != 0)  # the game is over: this step only begins a new one
            x, mask = tensors(seen)
            with torch.no_grad():
                choice, value = network(x, mask)
            action = choice.sample()
            seen, reward, ended, cut, _ = env.step(action.numpy())
            over = torch.from_numpy((ended | cut).astype(np.float32))
            rows.append((x, mask, action, choice.log_prob(action), value, torch.from_numpy(reward.copy()), over))
        with torch.no_grad():
            last = network(*tensors(seen))[1]
        xs, masks, actions, before, values, rewards, overs = (torch.stack(part) for part in zip(*rows, strict=True))
        gain = advantages(torch.cat([values, last[None]]), rewards, overs)
        parts = [part.flatten(0, 1) for part in (xs, masks, actions, before, gain, gain + values)]
        parts[4] = (parts[4] - parts[4].mean()) / (parts[4].std() + 1e-8)
        optimiser.param_groups[0]["lr"] = RATE * (1 - 0.9 * span / spans)
        used = torch.from_numpy(np.flatnonzero(~np.stack(idle).reshape(-1)))
        for _ in range(EPOCHS):
            for part in used[torch.randperm(len(used))].split(BATCH):
                improve(network, optimiser, *(each[part] for each in parts))
        if span % 4 == 3:
            print(f"{(span + 1) * SPAN * TABLES:9,d} steps  won {score(greedy(network), games=100):.0%}", flush=True)
    return network


def greedy(network):
    """The network as a policy that always takes its likeliest action."""

    def choose(seen):
        with torch.no_grad():
            return network(*tensors(seen))[0].logits.argmax(dim=1).numpy()

    return choose


if __name__ == "__main__":
    run(__doc__, train, greedy, STEPS, PROMISED)
