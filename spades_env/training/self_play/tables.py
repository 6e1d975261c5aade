"""GameTables at which a policy plays itself: games under many rules, a hand at a time.

    tables = GameTables(1024, Situations("match", main_share=0.75), seed)
    decisions = tables.play(choose, weights)      a hand at every table
    tables.fit_winning()                          learn from its games what a score is worth

`choose(rows, legal)` maps int8[n, POLICY_ROW] and bool[n, 70] to actions, int64[n], and their log-probabilities. It is
asked only where there is a choice.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spades_env.agents.network.rows import CRITIC, CRITIC_ROW, POLICY, POLICY_ROW, write_rows
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import STATE_SIZE
from spades_env.game.rules import Rules
from spades_env.training.collect import LAST_PLAY, after_last_card
from spades_env.training.fit.equity import FACTS, ScoredGames, fit
from spades_env.training.recipe import Situations
from spades_env.training.self_play.ends import GUESS, NUM_ENDS, RewardWeights, write_ends, write_shares, write_worths
from spades_env.training.self_play.kernels import find_choices
from spades_env.vector.env import SpadesVectorEnv

Choose = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
MOST_CHOICES = 72  # of a hand: four looks, four calls, twelve cards to pass, fifty-two to play
FEWEST_GAMES = 500  # that a fit needs: by fewer the numbers are far off
HANDS = 32  # under the same rules, before others are drawn


class Decisions(NamedTuple):
    """The M decisions with a choice, of one hand at every table, as they were made. The next hand overwrites them."""

    rows: np.ndarray  # int8[M, POLICY_ROW]
    open_rows: np.ndarray  # int8[M, CRITIC_ROW], with all four hands
    ends: np.ndarray  # float32[M, NUM_ENDS]
    won: np.ndarray  # int64[M]: tricks of the side so far
    legal: np.ndarray  # bool[M, 70]
    action: np.ndarray  # int64[M]
    log_prob: np.ndarray  # float32[M]
    seat: np.ndarray  # int64[M]
    table: np.ndarray  # int64[M]
    row_of: np.ndarray  # int64[steps, N]: the row of each table's decision, or −1
    sides: np.ndarray  # int64[N]: 2 or 4
    reward: np.ndarray  # float64[N, 4]
    tricks: np.ndarray  # int8[N, 4]
    bids: np.ndarray  # int8[N, 4]
    nils: np.ndarray  # int8[N, 4]: kinds of nil
    actions: int  # forced ones included

    @property
    def tricks_to_come(self) -> np.ndarray:
        """How many of the tricks left the side won, int64[M]."""
        of_side = np.where(self.sides[:, None] == 2, self.tricks + self.tricks[:, [2, 3, 0, 1]], self.tricks)
        return of_side[self.table, self.seat] - self.won


class GameTables:
    """The tables, and the games that end at them. numbers: of the chance of winning, at first a guess."""

    def __init__(self, count: int, situations: Situations, *seed: int):
        self.count, self.situations, self.rng = count, situations, np.random.default_rng(seed)
        self.numbers, self.hands = GUESS, 0
        self.games: dict[Rules, list[ScoredGames]] = {}
        most = count * MOST_CHOICES
        self.rows, self.open_rows = np.zeros((most, POLICY_ROW), np.int8), np.zeros((most, CRITIC_ROW), np.int8)
        self.ends, self.legal = np.zeros((most, NUM_ENDS), np.float32), np.zeros((most, NUM_ACTIONS), bool)
        self.won, self.action, self.seat, self.table = np.zeros((4, most), np.int64)
        self.log_prob = np.zeros(most, np.float32)

    def play(self, choose: Choose, weights: RewardWeights) -> Decisions:
        """Play a hand at every table."""
        hand = self.hands % HANDS
        if hand == 0:
            self._begin()
        self.hands += 1
        env, n, m, actions_taken, row_of = self.env, self.count, 0, 0, []
        (rules, rules_of), started, finished = env.compiled_rules, env.hand_numbers, env.tables
        finished.hand_number -= 1  # as after the hand before
        self._note_standings(finished)
        before, after = np.empty((2, n, 4))
        write_worths(finished, rules, rules_of, weights, self.numbers, before)
        playing, games_over = np.ones(n, bool), np.zeros(n, bool)
        actions, which = np.empty((2, n), np.int64)
        while playing.any():
            choices = which[: find_choices(env.mask, playing, actions, which)]
            row_of.append(np.full(n, -1))
            new, m = slice(m, m + len(choices)), m + len(choices)
            if len(choices):
                write_rows(env.observation, choices, POLICY, self.rows[new])
                write_rows(env.state(self.states), choices, CRITIC, self.open_rows[new])
                facts = weights, self.numbers, self.ends[new], self.won[new]
                write_ends(env.tables, choices, rules, rules_of, before, *facts)
                self.legal[new], self.seat[new], self.table[new] = env.mask[choices], env.turn[choices], choices
                self.action[new], self.log_prob[new] = choose(self.rows[new], self.legal[new])
                row_of[-1][choices] = np.arange(new.start, new.stop)
                actions[choices] = self.action[new]
            actions_taken += int(playing.sum())
            last = np.flatnonzero(playing & (env.tables.num_plays == LAST_PLAY))
            if len(last):
                finished[last] = after_last_card(env, last, actions)
            env.step(actions)
            games_over |= env.done  # tables that wait are not done any more
            playing &= ~env.done & (env.hand_numbers == started)
        write_worths(finished, rules, rules_of, weights, self.numbers, after)
        self._note_results(finished, np.flatnonzero(games_over), hand)
        return Decisions(
            rows=self.rows[:m],
            open_rows=self.open_rows[:m],
            ends=self.ends[:m],
            won=self.won[:m],
            legal=self.legal[:m],
            action=self.action[:m],
            log_prob=self.log_prob[:m],
            seat=self.seat[:m],
            table=self.table[:m],
            row_of=np.stack(row_of),
            sides=rules.sides[rules_of].astype(np.int64),
            reward=after - before,
            tricks=finished.tricks,
            bids=finished.bids,
            nils=finished.nils,
            actions=actions_taken,
        )

    def fit_winning(self) -> None:
        """Fit the chance of winning to the games since the last fit, if there are enough."""
        if sum(map(len, self.games.values())) < FEWEST_GAMES:
            return
        data = [_together(games) for games in self.games.values()]
        self.games.clear()
        self.numbers = fit(data, self.numbers, evenly=True)

    def _begin(self) -> None:
        """Begin games at all tables, under new rules."""
        rules, (scores, bags, hands) = self.situations(self.rng, self.count)
        seed = int(self.rng.integers(1 << 62))
        self.env = SpadesVectorEnv(self.count, rules, seed=seed, start="situations", truncate_after=None, threads=1)
        self.env.reset(scores=scores, bags=bags, hand_numbers=hands)
        self.states = np.empty((self.count, STATE_SIZE), np.int8)
        self.standings: list[np.ndarray] = []  # FACTS[N], before each hand
        self.first_hands = np.zeros(self.count, int)  # of the games, counted as hands under these rules

    def _note_standings(self, tables: np.recarray) -> None:
        facts = np.zeros(self.count, FACTS)
        for name in ("scores", "bags", "hand_number"):
            facts[name] = tables[name]
        self.standings.append(facts)

    def _note_results(self, finished: np.recarray, ended: np.ndarray, hand: int) -> None:
        """Keep the games that have ended, of those begun in the first half: of later ones only short ones end."""
        rules, rules_of = self.env.compiled_rules
        shares = np.zeros((len(ended), 4))
        write_shares(finished[ended], rules, rules_of[ended], shares)
        for i, share in zip(ended, shares, strict=True):
            if self.first_hands[i] < HANDS // 2:
                facts = np.stack([standings[i] for standings in self.standings[self.first_hands[i] :]])
                game = ScoredGames(rules[int(rules_of[i])], facts.view(np.recarray), np.tile(share, (len(facts), 1)))
                self.games.setdefault(self.env.rules[i], []).append(game)
        self.first_hands[ended] = hand + 1


def _together(games: list[ScoredGames]) -> ScoredGames:
    facts = np.concatenate([game.facts for game in games]).view(np.recarray)
    return ScoredGames(games[0].r, facts, np.concatenate([game.won for game in games]))
