"""Our rules as an OpenSpiel game, and OpenSpiel's A2C learning it.

Shows a Python game for pyspiel: one hand of classic Spades, 52 chance nodes that deal, then bids and cards, numbered
as in every environment here. Importing this file registers it: `pyspiel.load_game("python_spades_env")`.

    pip install ".[openspiel,torch]"
    python examples/openspiel_game.py --hands 300
"""

import argparse

import numpy as np
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.policy_gradient import PolicyGradient

from spades_env import spades_v0
from spades_env.envs.bounds import most_points
from spades_env.game.cards import NUM_ACTIONS, action_name, card_name
from spades_env.game.observe import NUM_FEATURES

TYPE = pyspiel.GameType(
    short_name="python_spades_env",
    long_name="Spades, one hand",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=NUM_ACTIONS,
    max_chance_outcomes=52,
    num_players=4,
    min_utility=-most_points("classic"),
    max_utility=most_points("classic"),
    utility_sum=0.0,
    max_game_length=56,
)


class SpadesGame(pyspiel.Game):
    """One hand; players 0 to 3 are South, West, North, East; East deals, so North begins."""

    def __init__(self, params=None):
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> "SpadesState":
        return SpadesState(self)

    def make_py_observer(self, iig_obs_type=None, params=None) -> "SpadesObserver":
        return SpadesObserver()


class SpadesState(pyspiel.State):
    """A deal in progress, then a table."""

    def __init__(self, game: SpadesGame):
        super().__init__(game)
        self.dealt: list[int] = []
        self.table = spades_v0.raw_env(episode="hand", obs_dtype="float32")

    def current_player(self) -> int:
        if len(self.dealt) < 52:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.table.agent_selection[-1])

    def is_terminal(self) -> bool:
        return len(self.dealt) == 52 and self.table.terminations["player_0"]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = sorted(set(range(52)) - set(self.dealt))
        return [(card, 1 / len(left)) for card in left]

    def _legal_actions(self, player: int) -> list[int]:
        mask = self.table.observe(f"player_{player}")["action_mask"]
        return np.flatnonzero(mask).tolist()

    def _apply_action(self, action: int) -> None:
        if len(self.dealt) == 52:
            self.table.step(action)
            return
        self.dealt.append(action)
        if len(self.dealt) == 52:
            hands = [self.dealt[seat::4] for seat in range(4)]
            self.table.reset(seed=0, options={"deal": hands, "dealer": 3})

    def _action_to_string(self, player: int, action: int) -> str:
        return card_name(action) if player == pyspiel.PlayerId.CHANCE else action_name(action)

    def returns(self) -> list[float]:
        return list(self.table.rewards.values()) if self.is_terminal() else [0.0] * 4

    def __str__(self) -> str:
        return " ".join(self.action_to_string(move.player, move.action) for move in self.full_history())


class SpadesObserver:
    """What a player knows, as features or as a view's text; both include the history."""

    def __init__(self):
        self.tensor = np.zeros(NUM_FEATURES, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpadesState, player: int) -> None:
        dealt = len(state.dealt) == 52
        self.tensor[:] = state.table.observe(f"player_{player}")["observation"] * 0.1 if dealt else 0

    def string_from(self, state: SpadesState, player: int) -> str:
        return repr(state.table.view(f"player_{player}")) if len(state.dealt) == 52 else "the cards are being dealt"


pyspiel.register_game(TYPE, SpadesGame)


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
    env, rng = HundredsOfPoints("python_spades_env", enable_legality_check=True), np.random.default_rng(seed)
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
