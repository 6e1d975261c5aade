"""Many tables with one learner each: agents play the other seats until every learner is to move."""

from collections.abc import Callable

import numpy as np

from spades_env.checks import as_int
from spades_env.envs.opponents import MOST_DEALS, Opponents, words
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.episodes import next_seed
from spades_env.game.refusals import IllegalActionError
from spades_env.vector.env import STAY, SpadesVectorEnv


class LearnerTables:
    """The tables of a vector environment whose learners sit at `opponents.seat`."""

    def __init__(self, tables: SpadesVectorEnv, opponents: Opponents, is_its_own: Callable):
        """is_its_own: maps phases, int[N], to where the learner decides in them: bool[N]."""
        self.tables, self.opponents, self._is_its_own = tables, opponents, is_its_own
        self.ended = np.zeros(tables.num_envs, bool)  # tables that wait for their reset
        self.rewards = np.zeros(tables.num_envs)  # of the learners, in this step
        self.ready = False  # is every learner to move, or its episode over?

    def begin(self, which: np.ndarray, seed=None) -> None:
        """Begin new games at these tables. A list of seeds may contain None: that table goes on to its next seed."""
        tables = self.tables
        if isinstance(seed, list | tuple) and len(seed) == tables.num_envs:
            own = [next_seed(past) if tables.begun else past for past in tables.seeds]
            seed = [int(own[i]) if one is None else one for i, one in enumerate(seed)]
        tables.reset(seed, which)
        self.ended[which] = False

    def act(self, actions: np.ndarray) -> None:
        """Let the seats to move act, and add up what the learners are paid."""
        self._count(self.tables.step(actions))

    def play_on(self, begun: np.ndarray) -> None:
        """Go on to the learners' next decisions, skipping episodes that have begun and leave them nothing to decide."""
        for _ in range(MOST_DEALS):
            self._let_others_play()
            if not (empty := begun & self.ended).any():
                self.rewards[begun] = 0  # points from before the first decision
                return
            self.begin(empty)
        raise SpadesError("the learners have nothing to decide in their episodes under these rules")

    def _let_others_play(self) -> None:
        """Go on until the learner is to move, or the episode has ended, at every table."""
        tables, others = self.tables, self.opponents
        while True:
            if others.at_random.any():
                self._count(tables.play_random(others.at_random))
            phases = tables._at.states["phase"]
            waiting = ~self.ended & ((tables.turn != others.seat) | ~self._is_its_own(phases))
            if not waiting.any():
                break
            self.act(self._answers(waiting))
        # The learner sees its end of the episode. An illegal action ends the episode, but not the one at the table.
        over = self.ended & (tables.terminated | tables.truncated)
        tables.observation[over] = tables.final_observation[over, others.seat]
        tables.mask[self.ended] = 1  # a policy that masks its logits needs something to choose
        self.ready = True

    def are_legal(self, which: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Return whether these actions (int[M]) are legal at these tables (int[M]): bool[M]."""
        known = (actions >= 0) & (actions < NUM_ACTIONS)
        return known & (self.tables.mask[which, np.where(known, actions, 0)] != 0)

    def _count(self, step) -> None:
        self.rewards += step.reward[:, self.opponents.seat]
        self.ended |= step.done

    def _answers(self, waiting: np.ndarray) -> np.ndarray:
        """Return the agents' actions at the tables that wait for them; STAY elsewhere."""
        actions = np.full(self.tables.num_envs, STAY)
        for seat in set(self.tables.turn[waiting].tolist()):
            which = np.flatnonzero(waiting & (self.tables.turn == seat))
            answers = self.opponents.act_at_tables(seat, self.tables, which)
            actions[which] = self._checked(which, seat, answers)
        return actions

    def _checked(self, which: np.ndarray, seat: int, answers) -> np.ndarray:
        """Return an agent's answers at these tables as numbers; refuse the first that is illegal."""
        numbers = _as_numbers(answers)
        legal = self.are_legal(which, numbers)
        if not legal.all():
            wrong = int(legal.argmin())
            table, action = int(which[wrong]), answers[wrong]
            action = action.item() if isinstance(action, np.generic) else action
            raise IllegalActionError(f"{words(seat, action)} at table {table}: {self.tables.refusal(table, action)}")
        return numbers


def _as_numbers(answers) -> np.ndarray:
    """Return agents' answers as int[M]; anything that isn't an action becomes STAY, which is illegal for an agent."""
    if isinstance(answers, np.ndarray) and answers.ndim == 1 and answers.dtype.kind in "iu":
        return answers
    numbers = [as_int(action) for action in answers]
    return np.array([STAY if n is None or not 0 <= n < NUM_ACTIONS else n for n in numbers], np.int64)
