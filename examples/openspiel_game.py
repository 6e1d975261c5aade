"""OpenSpiel's A2C learns our game.

Shows `spades_env.openspiel`, which registers one hand of Spades as "python_spades_env": chance deals 52 cards, then
come bids and cards, with the actions of every environment here. Any algorithm of OpenSpiel's that learns from samples
can take its place.

    pip install ".[openspiel,torch]"
    python examples/openspiel_game.py --hands 300
"""

import argparse

import numpy as np
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.policy_gradient import PolicyGradient

from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES
from spades_env.openspiel import NAME


class HundredsOfPoints(rl_environment.Environment):
    """Scales rewards to about one."""

    def get_time_step(self):
        step = super().get_time_step()
        return step._replace(rewards=[reward / 100 for reward in step.rewards])


def play_hand(env: rl_environment.Environment, learner: PolicyGradient, rng: np.random.Generator) -> float:
    """Let South learn from a hand against random seats; return its reward."""
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        legal = step.observations["legal_actions"][player]
        step = env.step([learner.step(step).action if player == 0 else rng.choice(legal)])
    learner.step(step)  # every decision is rewarded only now, at the end
    return 100 * step.rewards[0]


def main(hands: int, seed: int) -> None:
    torch.set_num_threads(1)  # faster with a network as small as this
    torch.manual_seed(seed)
    np.random.seed(seed)  # the learner draws its actions from it
    env, rng = HundredsOfPoints(NAME, enable_legality_check=True), np.random.default_rng(seed)
    env.seed(seed)
    learner = PolicyGradient(
        player_id=0, info_state_size=NUM_FEATURES, num_actions=NUM_ACTIONS, loss_str="a2c", hidden_layers_sizes=(64,),
        batch_size=14 * 16, num_critic_before_pi=1, optimizer_str="adam", pi_learning_rate=1e-3, entropy_cost=0.001,
    )  # fmt: skip
    paid = []
    for hand in range(1, hands + 1):
        paid.append(play_hand(env, learner, rng))
        if hand % 50 == 0:
            print(f"{hand} hands: {np.mean(paid[-50:]):+.1f} points a hand")
    quarter = max(1, len(paid) // 4)
    print(f"reward: {np.mean(paid[:quarter]):+.1f} at first, {np.mean(paid[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
