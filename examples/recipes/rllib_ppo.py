"""PPO of RLlib with its module for masked actions, on the Gymnasium environment.

python examples/recipes/rllib_ppo.py [--steps N]
"""

import gymnasium
import numpy as np
import ray
import torch
from common import OPPONENT, RULES, run
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import cartagena.rl.gymnasium  # noqa: F401  # registers the environments
from cartagena.rl.wrappers import flat_space, flattened

PROMISED = 0.75
STEPS, BATCH = 10_240, 2048


class Masked(gymnasium.ObservationWrapper):
    """The names and types that RLlib's module expects."""

    def __init__(self, env):
        super().__init__(env)
        mask = gymnasium.spaces.Box(0, 1, (1200,), np.float32)
        self.observation_space = gymnasium.spaces.Dict({"action_mask": mask, "observations": flat_space()})

    def observation(self, observation):
        return {"action_mask": observation["action_mask"].astype(np.float32), "observations": flattened(observation)}


def make(_config=None):
    """One environment: the learner changes its seat from game to game."""
    return Masked(gymnasium.make("cartagena/Jamaica-v1", rules=RULES, opponents=OPPONENT, seat=0))


def train(steps=STEPS, seed=1):
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    register_env("cartagena", make)
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[64]))
    config = (
        PPOConfig()
        .environment("cartagena")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=BATCH, minibatch_size=256, num_epochs=4, lr=1e-3, entropy_coeff=0.005)
        .rl_module(rl_module_spec=module)
        .debugging(seed=seed)
    )
    algorithm = config.build_algo()
    for number in range(max(1, steps // BATCH)):
        algorithm.train()
        print(f"{(number + 1) * BATCH:7,d} steps", flush=True)
    return algorithm.get_module()


def policy(module):
    """The module as a policy of ``cartagena.rl.opponents``."""

    def choose(seen):
        mask = torch.from_numpy(seen["action_mask"].astype(np.float32))
        with torch.no_grad():
            found = module.forward_inference(
                {"obs": {"action_mask": mask, "observations": torch.from_numpy(flattened(seen))}}
            )
        return found["action_dist_inputs"].argmax(dim=1).numpy()

    return choose


if __name__ == "__main__":
    run(__doc__, train, policy, STEPS, PROMISED)
