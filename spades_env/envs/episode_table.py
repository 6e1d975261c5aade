"""One table that plays episodes, shared by the environments of one table.

table = EpisodeTable("classic", Terms())
table.begin(generator, seed=7)
table.act(action)                         raises IllegalActionError, and nothing moves, if the action is illegal
table.try_act(action)                     … or returns False
table.status, table.turn, table.reward    the outcome
table.observation(seat)                   features and mask, in fresh arrays
"""

import importlib.util
import warnings
from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Space

from spades_env._jit import njit
from spades_env.checks import LARGEST_SEED, as_int, one_of, whole
from spades_env.errors import SpadesError
from spades_env.game import observe
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.engine import is_legal, mix, new_game, next_random, random_action
from spades_env.game.episodes import RUNNING, Codes, Terms, advance, play_random
from spades_env.game.facts import Position
from spades_env.game.game import Game
from spades_env.game.refusals import IllegalActionError, refusal
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.starts import BEGINNING, Start, StartSource
from spades_env.game.state import compile_rules, new_tables, plain
from spades_env.game.view import View

ILLEGAL = -1  # a status of _act
NO_ACTION = -1
SETUP_OPTIONS = ("rules", "seed", "deal", "dealer", "scores", "bags", "hand_number")  # of reset
ObsDtype = Literal["int8", "float32"]
RenderMode = Literal["ansi", "rgb_array", "human"]
OBS_DTYPES, RENDER_MODES = get_args(ObsDtype), get_args(RenderMode)
RENDER_FPS = 2

Options = Mapping[str, Any]


def usable(render_modes: tuple[str, ...]) -> list[str]:
    """Return those render modes that work here: without pygame it is text alone.

    An environment's metadata name these, so that `check_env` tries no other. The others raise RenderError.
    """
    return list(render_modes) if importlib.util.find_spec("pygame") else ["ansi"]


def observation_space(obs_dtype: str, with_mask: bool) -> Space:
    """Return the space of features, alone or with the mask; the same for every seat and all rules."""
    features: Space = Box(-128, 127, (observe.NUM_FEATURES,), np.dtype(one_of("obs_dtype", obs_dtype, OBS_DTYPES)).type)
    mask: Space = Box(0, 1, (NUM_ACTIONS,), np.int8)
    return Dict({"observation": features, "action_mask": mask}) if with_mask else features


def options_of(options: Any) -> Options:
    """Return the options that `reset` was given, or an empty dict for None."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise SpadesError(f"options must be a dict or None, not {options!r}")
    return options


class EpisodeTable:
    """One table. `status` and `turn` are the present ones; `reward` (float32[4]) is what the last call paid each seat.

    Its records are plain arrays (`state.plain`).
    """

    def __init__(self, rules: RulesSource, terms: Terms, obs_dtype: str = "int8", start: StartSource = BEGINNING):
        self.terms = terms
        self.obs_dtype = np.dtype(one_of("obs_dtype", obs_dtype, OBS_DTYPES))
        self.seed = 0  # of the game
        self.begun = False
        self.status, self.turn = RUNNING, 0
        self.reward = np.zeros(NUM_SEATS, np.float32)
        self._walk = np.zeros(1, np.uint64)  # the random generator of random moves
        self._state = plain(new_tables(1))
        self._default_rules = Rules.of(rules)
        self._start = Start(start, [self._default_rules])
        self._use(self._default_rules)

    # Playing

    def begin(self, generator: np.random.Generator, seed: int | None = None, options: Options | None = None) -> None:
        """Begin a new game; without a seed the generator draws one.

        Options are those of `Game`, others are ignored. They replace what `start` says.
        """
        setup = {name: value for name, value in (options or {}).items() if name in SETUP_OPTIONS}
        named = setup.pop("seed", None)
        if named is not None:
            seed = whole("seed", named, 0, LARGEST_SEED)
        elif seed is None:
            seed = int(generator.integers(2**63))
        rules = Rules.of(setup.pop("rules", self._default_rules))
        setup = self._start.setup(rules, seed) | setup
        record = Game(rules, seed, **setup).state if setup else None
        if rules != self.rules:
            self._use(rules)
        if record is None:
            _new_game(self._state, self._compiled, np.uint64(seed))
        else:
            self._state[:] = record
        self.seed, self.begun = seed, True
        self._walk[0] = mix(np.uint64(seed))
        self._codes = self.terms.codes(int(self._state["hand_number"][0]))[:4]  # numbers: quicker to pass than a record
        self.status, self.turn = RUNNING, int(self._state["turn"][0])

    def act(self, action) -> None:
        if not self.try_act(action):
            raise self.illegal(action)

    def try_act(self, action) -> bool:
        """Let the seat to move act; return False if the action is illegal; raise an error unless it is a number."""
        number = as_int(action)
        if number is None:
            raise self.illegal(action)
        number = number if 0 <= number < NUM_ACTIONS else NO_ACTION
        status, turn = _act(self._state, self._compiled, number, *self._codes, self.reward)
        if status != ILLEGAL:
            self.status, self.turn = status, turn
        return status != ILLEGAL

    def play_random(self, seats: np.ndarray) -> None:
        """Let these seats (bool[4]) play at random until another is to move or the episode ends."""
        self.status, self.turn = _play_random(self._state, self._compiled, seats, self._walk, *self._codes, self.reward)

    def random_action(self) -> int:
        """Return a legal action, drawn uniformly by the game's seed."""
        return int(_random_action(self._state, self._compiled, self._walk))

    @property
    def phase(self) -> int:
        """The number of the phase, an index of PHASES."""
        return int(self._state["phase"][0])

    def check_begun(self) -> None:
        if not self.begun:
            raise ResetNeeded("no game is on the table: call reset() first")

    # Looking

    def observation(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Return features and mask of a seat; the mask is all zeros unless it is to move."""
        self.check_begun()
        features = np.empty(observe.NUM_FEATURES, np.int8)
        mask = np.empty(NUM_ACTIONS, np.int8)
        observe.observe(self._state, 0, self._compiled, seat, features, mask)
        features[observe.OF_RULES] = self._rules_features
        return features.astype(self.obs_dtype, copy=False), mask

    def state(self, seat: int) -> np.ndarray:
        """Return the full table, laid out by `observe.STATE_LAYOUT`, seen from a seat."""
        self.check_begun()
        out = np.empty(observe.STATE_SIZE, np.int8)
        out[observe.OF_RULES] = self._rules_features
        _write_state(self._state, self._compiled, seat, out)
        return out.astype(self.obs_dtype, copy=False)

    def view(self, seat: int) -> View:
        self.check_begun()
        return View(self.rules, self._state, seat, compiled=self._compiled)

    def illegal(self, action) -> IllegalActionError:
        """Return the error that a Game at this point gives."""
        return refusal(Position(self.rules, self._compiled, self._state), action)

    def _use(self, rules: Rules) -> None:
        self.rules = rules
        self._compiled = plain(compile_rules(rules))
        self._rules_features = observe.rules_features(rules)


class Screen:
    """Renders an environment as text, as a picture, or in a window, which copies do not share."""

    def __init__(self, mode: str | None):
        self.mode = one_of("render_mode", mode, (None, *RENDER_MODES))
        self._window = None

    def show(self, view: View):
        """Return the text or the picture of a view, or show it in the window and return None."""
        if self.mode is None:
            warnings.warn("render() shows nothing: make the env with a render_mode", stacklevel=3)
            return None
        from spades_env.show import render  # imported late, since most environments are never rendered

        if self.mode == "ansi":
            return render.ansi(view)
        if self.mode == "rgb_array":
            return render.rgb_array(view)
        self._window = self._window or render.Window(fps=RENDER_FPS)
        self._window.show(view)
        return None

    def close(self) -> None:
        if self._window:
            self._window.close()
        self._window = None

    def __getstate__(self) -> dict:
        return {"mode": self.mode, "_window": None}


@njit
def _new_game(tables, rules, seed):
    new_game(tables[0], rules[0], seed)


@njit
def _act(tables, rules, action, by_hand, by_win, scale, last_hand, reward):
    """Check and advance the first table; return its status, or ILLEGAL, and who is to move."""
    s = tables[0]
    if not is_legal(s, rules[0], action):
        return ILLEGAL, int(s.turn)
    status = advance(s, rules[0], action, Codes(by_hand, by_win, scale, last_hand, False), reward)
    return status, int(s.turn)


@njit
def _play_random(tables, rules, seats, walk, by_hand, by_win, scale, last_hand, total):
    codes = Codes(by_hand, by_win, scale, last_hand, False)
    status = play_random(tables[0], rules[0], seats, walk, 0, codes, total, np.zeros(NUM_SEATS, np.float32))
    return status, int(tables[0].turn)


@njit
def _random_action(tables, rules, walk):
    walk[0] = next_random(walk[0])
    return random_action(tables[0], rules[0], mix(walk[0]))


@njit
def _write_state(tables, rules, seat, out):
    observe.write_features(tables[0], rules[0], seat, out)
    observe.write_hidden(tables[0], rules[0], seat, out)
