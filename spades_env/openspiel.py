"""Our rules as a game of OpenSpiel. Importing this module registers it.

    import pyspiel
    from spades_env import openspiel

    game = pyspiel.load_game("python_spades_env")
    game = pyspiel.load_game("python_spades_env", {"rules": "pagat"})     any rules with partners

One hand: chance deals the cards one by one, then all bid and play, with the actions of every environment here. Players
0 to 3 are South, West, North and East. East deals, so South begins. A hand pays as with `reward="points"`. Observations
are those of the environments times SCALE. They tell every card played and when, so they are information states, too.

It needs OpenSpiel: `pip install "spades-env[openspiel]"`.
"""

from functools import cache
from typing import Any

import numpy as np

from spades_env.envs.aec import AGENTS, raw_env
from spades_env.envs.bounds import most_points
from spades_env.extras import needed
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS, action_name, card_name, deck
from spades_env.game.observe import NUM_FEATURES
from spades_env.game.rules import Rules

pyspiel: Any = needed("pyspiel", 'the game for OpenSpiel needs it: pip install "spades-env[openspiel]"')

NAME = "python_spades_env"
SCALE = 0.1  # of the observations' counts
DEALT = 52  # cards
DEALER = NUM_SEATS - 1
TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Spades, one hand",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=NUM_SEATS,
    min_num_players=NUM_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "classic"},
)


class SpadesGame(pyspiel.Game):
    """One hand of Spades, with the parameter `rules`."""

    def __init__(self, params: dict[str, Any] | None = None):
        self.rules = Rules.of((params or {}).get("rules", "classic"))
        self.cards = deck(self.rules.trumps)
        most, passed = _most_points(self.rules), max(self.rules.nil_pass, self.rules.blind_nil_pass)
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=max(self.cards) + 1,
            num_players=NUM_SEATS,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=DEALT + NUM_SEATS * (2 + passed),  # a look and a bid
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> "SpadesState":
        return SpadesState(self)

    def make_py_observer(self, iig_obs_type=None, params=None) -> "SpadesObserver":
        return SpadesObserver()


@cache
def _most_points(rules: Rules) -> int:
    """Remember what takes half a second: searches load the game again and again."""
    return most_points(rules)


class SpadesState(pyspiel.State):
    """A deal in progress, then a table."""

    def __init__(self, game: SpadesGame):
        super().__init__(game)
        self.cards = game.cards
        self.dealt: list[int] = []
        self.table = raw_env(game.rules, episode="hand", obs_dtype="float32")

    @property
    def is_dealt(self) -> bool:
        """Have all cards been dealt?"""
        return len(self.dealt) == DEALT

    def current_player(self) -> int:
        if not self.is_dealt:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else AGENTS.index(self.table.agent_selection)

    def is_terminal(self) -> bool:
        return self.is_dealt and self.table.terminations[AGENTS[0]]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = sorted(set(self.cards) - set(self.dealt))
        return [(card, 1 / len(left)) for card in left]

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.table.observe(AGENTS[player])["action_mask"]).tolist()

    def _apply_action(self, action: int) -> None:
        if self.is_dealt:
            self.table.step(action)
            return
        self.dealt.append(action)
        if self.is_dealt:
            hands = [self.dealt[seat::NUM_SEATS] for seat in range(NUM_SEATS)]
            self.table.reset(seed=0, options={"deal": hands, "dealer": DEALER})

    def _action_to_string(self, player: int, action: int) -> str:
        return card_name(action) if player == pyspiel.PlayerId.CHANCE else action_name(action)

    def hides_state_from_agents(self) -> bool:
        """Tell Kaggle's game arena to send observations alone: a serialised state has all cards."""
        return True

    def returns(self) -> list[float]:
        return list(self.table.rewards.values()) if self.is_terminal() else [0.0] * NUM_SEATS

    def __str__(self) -> str:
        return " ".join(self.action_to_string(move.player, move.action) for move in self.full_history())


class SpadesObserver:
    """What a player knows, as features or as a view's text; both include the history."""

    def __init__(self):
        self.tensor = np.zeros(NUM_FEATURES, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpadesState, player: int) -> None:
        self.tensor[:] = state.table.observe(AGENTS[player])["observation"] * SCALE if state.is_dealt else 0

    def string_from(self, state: SpadesState, player: int) -> str:
        return repr(state.table.view(AGENTS[player])) if state.is_dealt else "the cards are being dealt"


pyspiel.register_game(TYPE, SpadesGame)
