"""MaskablePPO of sb3-contrib on the Gymnasium environment, flattened; masks come from ``action_masks()``.

python examples/recipes/sb3_maskable_ppo.py [--steps N]
"""

import gymnasium
from common import OPPONENT, RULES, run
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import cartagena.rl.gymnasium  # noqa: F401  # registers the environments
from cartagena.rl.wrappers import Flat, flattened

PROMISED = 0.85
STEPS, ENVIRONMENTS = 24_000, 16


def make():
    """One environment: the learner changes its seat from game to game."""
    return Flat(gymnasium.make("cartagena/Jamaica-v1", rules=RULES, opponents=OPPONENT, seat=0))


def train(steps=STEPS, seed=1):
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(make, ENVIRONMENTS, seed=seed),
        learning_rate=1e-3,
        n_steps=64,
        batch_size=256,
        n_epochs=4,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [64]},
        seed=seed,
        device="cpu",
    )
    return model.learn(steps)


def policy(model):
    """The model as a policy of ``cartagena.rl.opponents``: it could play the other seats of an environment, too."""
    return lambda seen: model.predict(flattened(seen), action_masks=seen["action_mask"], deterministic=True)[0]


if __name__ == "__main__":
    run(__doc__, train, policy, STEPS, PROMISED)
