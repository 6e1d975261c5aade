"""Tables at which a policy plays itself and others: games under many rules, a hand at a time.

    tables = GameTables(1024, Situations("match", main_share=0.75), seed)
    decisions = tables.play(choose, weights)      a hand at every table
    tables.fit_winning()                          learn from its games what a score is worth

`choose(rows, legal)` maps the policy's inputs, int8[n, …], and bool[n, 70] to actions, int64[n], and their
log-probabilities. It is asked only where there is a choice.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.engine import apply
from spades_env.game.observe import NUM_FEATURES, STATE_SIZE
from spades_env.game.rules import Rules
from spades_env.training.fit.equity import FACTS, ScoredGames, fit
from spades_env.training.recipe import Situations
from spades_env.training.rewards import GUESS, OpenHands, RewardWeights, Worth, write_shares, write_styles, write_worths
from spades_env.training.self_play.ends import NUM_ENDS, write_ends
from spades_env.training.self_play.inputs import OBSERVATIONS, OPEN_ROWS, ROWS, STATES, Inputs
from spades_env.training.self_play.kernels import find_choices
from spades_env.vector.env import SpadesVectorEnv

Choose = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
Opponent = Callable[[SpadesVectorEnv, np.ndarray], np.ndarray]  # the tables it is asked at, int64[n] → int64[n]
OwnReward = Callable[[OpenHands], np.ndarray]  # float32[N, 4]
LEARNER = 0
LAST_PLAY = 51  # cards played before it
MOST_CHOICES = 72  # of a hand: four looks, four calls, twelve cards to pass, fifty-two to play
FEWEST_GAMES = 500  # that a fit needs: by fewer the numbers are far off
HANDS = 32  # of games under the same rules, before others begin


class Seated(NamedTuple):
    """The seating, int64[N, 4] (LEARNER, or an opponent's number from 1), and the opponents."""

    seats: np.ndarray
    opponents: Sequence[Opponent]


class Decisions(NamedTuple):
    """The learner's M decisions with a choice in one hand at every table, as they were made.

    The next hand overwrites them. Open arrays show **all four hands**: for critics, never for a policy.

    Attributes:
        rows: int8[M, …], what the policy reads: the observation, for the network `suits` arranged by suit.
        open_rows: int8[M, …], what the critic reads, with all four hands.
        ends: float32[M, …], what the ends of the hand are worth, for our critic.
        tricks_to_come: int64[M], how many of the tricks left the side won.
        legal: bool[M, 70].
        action: int64[M].
        log_prob: float32[M].
        seat: int64[M]. The reward of each decision is `reward[table, seat]`.
        table: int64[M].
        row_of: int64[steps, N], the row of each table's decision, or −1.
        sides: int64[N], 2 or 4.
        zero_sum: bool[N], whether the rewards of the two sides are one number with two signs.
        reward: float64[N, 4], of the hand, by seat.
        finished: STATE[N], after the last card of the hand, with all cards open.
        actions: Of the learner, forced ones included.
        observation: int8[M, 824], as the environments give it. For stages of your own; empty elsewhere.
        open_states: int8[M, 1256], the observation and all four hands. For stages of your own; empty elsewhere.

    Examples:
        >>> def paid(hands):  # what each decision came to, float64[M]
        ...     return hands.reward[hands.table, hands.seat]
    """

    rows: np.ndarray
    open_rows: np.ndarray
    ends: np.ndarray
    tricks_to_come: np.ndarray
    legal: np.ndarray
    action: np.ndarray
    log_prob: np.ndarray
    seat: np.ndarray
    table: np.ndarray
    row_of: np.ndarray
    sides: np.ndarray
    zero_sum: np.ndarray
    reward: np.ndarray
    finished: np.recarray
    actions: int
    observation: np.ndarray
    open_states: np.ndarray


class GameTables:
    """The tables, and the games that end at them.

    numbers    of the chance of winning, at first a guess
    length     hands of games under the same rules, before others begin
    """

    def __init__(
        self, count: int, situations: Situations, *seed: int, reads: Inputs = ROWS, critic_reads: Inputs = OPEN_ROWS
    ):
        self.count, self.situations, self.rng = count, situations, np.random.default_rng(seed)
        self.numbers, self.length, self.hands = GUESS, HANDS, 0
        self.until = 0  # the hand before which others begin
        self.games: dict[Rules, list[ScoredGames]] = {}
        self.reads, self.critic_reads, most = reads, critic_reads, count * MOST_CHOICES
        self.rows, self.open_rows = np.zeros((most, reads.size), np.int8), np.zeros((most, critic_reads.size), np.int8)
        self.ends, self.legal = np.zeros((most, NUM_ENDS), np.float32), np.zeros((most, NUM_ACTIONS), bool)
        self.won, self.action, self.seat, self.table = np.zeros((4, most), np.int64)
        self.log_prob = np.zeros(most, np.float32)
        self.observation = self.rows if reads is OBSERVATIONS else np.empty((0, NUM_FEATURES), np.int8)
        self.open_states = self.open_rows if critic_reads is STATES else np.empty((0, STATE_SIZE), np.int8)
        self.also: list[tuple[Inputs, np.ndarray]] = []  # what is kept beside what the networks read
        self.everywhere = Seated(np.full((count, 4), LEARNER), ())

    def keep_plain(self) -> None:
        """Keep observations and open states of all decisions, too, whatever the networks read."""
        if not len(self.observation):
            self.observation = np.zeros((len(self.rows), NUM_FEATURES), np.int8)
            self.also.append((OBSERVATIONS, self.observation))
        if not len(self.open_states):
            self.open_states = np.zeros((len(self.rows), STATE_SIZE), np.int8)
            self.also.append((STATES, self.open_states))

    def play(
        self,
        choose: Choose,
        weights: RewardWeights,
        seated: Seated | None = None,
        own_reward: OwnReward | None = None,
    ) -> Decisions:
        """Play a hand at every table; the learner sits everywhere, unless others are seated."""
        if self.hands == self.until:
            self._begin()
        env, n, m, acted, row_of = self.env, self.count, 0, 0, []
        started, scored, finished = env.hand_numbers, env.tables, env.tables
        scored.hand_number -= 1  # as after the hand before
        self._note_standings(scored)
        before = self._worths(scored, weights)
        seats, opponents = seated or self.everywhere
        playing, games_over = np.ones(n, bool), np.zeros(n, bool)
        actions, which = np.empty((2, n), np.int64)
        while playing.any():
            choices = which[: find_choices(env.mask, playing, actions, which)]
            who = seats[np.arange(n), env.turn]
            acted += int((playing & (who == LEARNER)).sum())
            for number, opponent in enumerate(opponents, 1):
                asked = choices[who[choices] == number]
                if len(asked):
                    actions[asked] = opponent(env, asked)
            choices = choices[who[choices] == LEARNER]
            row_of.append(np.full(n, -1))
            if len(choices):
                row_of[-1][choices] = np.arange(m, m + len(choices))
                actions[choices] = self._ask(choose, choices, slice(m, m + len(choices)), weights, before)
                m += len(choices)
            last = np.flatnonzero(playing & (env.tables.num_plays == LAST_PLAY))
            if len(last):
                finished[last] = after_last_card(env, last, actions)
            env.step(actions)
            games_over |= env.done  # tables that wait are not done any more
            playing &= ~env.done & (env.hand_numbers == started)
        self._note_results(finished, np.flatnonzero(games_over))
        styles = np.empty((n, 4))
        write_styles(finished, *env.compiled_rules, weights, styles)
        reward = self._worths(finished, weights) - before + styles
        if own_reward:
            reward = self._own(own_reward, scored, finished, reward)
            self.ends[:m] = np.where(np.isnan(self.ends[:m]), np.nan, 0)  # nobody knows what they are worth
        rules, rules_of = env.compiled_rules
        sides = rules.sides[rules_of].astype(np.int64)
        won = np.where(sides[:, None] == 2, finished.tricks + finished.tricks[:, [2, 3, 0, 1]], finished.tricks)
        return Decisions(
            rows=self.rows[:m],
            open_rows=self.open_rows[:m],
            ends=self.ends[:m],
            tricks_to_come=won[self.table[:m], self.seat[:m]] - self.won[:m],
            legal=self.legal[:m],
            action=self.action[:m],
            log_prob=self.log_prob[:m],
            seat=self.seat[:m],
            table=self.table[:m],
            row_of=np.stack(row_of),
            sides=sides,
            zero_sum=(sides == 2) & (not own_reward and not styles.any()),
            reward=reward,
            finished=finished,
            actions=acted,
            observation=self.observation[:m],
            open_states=self.open_states[:m],
        )

    def _ask(self, choose: Choose, which: np.ndarray, at: slice, weights: RewardWeights, before: np.ndarray):
        """Let the learner choose at these tables, and keep its decisions at these rows; return the actions."""
        env = self.env
        self.reads.write(env.observation, which, self.rows[at])
        states = env.state(self.states)
        self.critic_reads.write(states, which, self.open_rows[at])
        for inputs, out in self.also:
            inputs.write(states, which, out[at])
        facts = weights, self.numbers, self.ends[at], self.won[at]
        write_ends(env.tables, which, *env.compiled_rules, before, *facts)
        self.legal[at], self.seat[at], self.table[at] = env.mask[which], env.turn[which], which
        self.action[at], self.log_prob[at] = choose(self.rows[at], self.legal[at])
        return self.action[at]

    def fit_winning(self) -> None:
        """Fit the chance of winning to the games since the last fit, if there are enough."""
        if sum(map(len, self.games.values())) < FEWEST_GAMES:
            return
        data = [_together(games) for games in self.games.values()]
        self.games.clear()
        self.numbers = fit(data, self.numbers, evenly=True)

    def begin_with(self, situations: Situations, length: int) -> None:
        """Begin games of these situations with the next hand; those that have ended are forgotten."""
        self.situations, self.length, self.until = situations, length, self.hands
        self.games.clear()

    def _begin(self) -> None:
        """Begin games at all tables, under new rules."""
        rules, (scores, bags, hands) = self.situations(self.rng, self.count)
        seed = int(self.rng.integers(1 << 62))
        self.env = SpadesVectorEnv(self.count, rules, seed=seed, start="situations", truncate_after=None, threads=1)
        self.env.reset(scores=scores, bags=bags, hand_numbers=hands)
        self.until = self.hands + self.length
        self.states = np.empty((self.count, STATE_SIZE), np.int8)
        self.standings: list[np.ndarray] = []  # FACTS[N], before each hand
        self.first_hands = np.zeros(self.count, int)  # of the games, counted as hands under these rules

    def _note_standings(self, tables: np.recarray) -> None:
        facts = np.zeros(self.count, FACTS)
        for name in ("scores", "bags", "hand_number"):
            facts[name] = tables[name]
        self.standings.append(facts)

    def _note_results(self, finished: np.recarray, ended: np.ndarray) -> None:
        """Keep the games that have ended, of those begun in the first half: of later ones only short ones end."""
        rules, rules_of = self.env.compiled_rules
        shares = np.zeros((len(ended), 4))
        write_shares(finished[ended], rules, rules_of[ended], shares)
        for i, share in zip(ended, shares, strict=True):
            if self.first_hands[i] < self.length // 2:
                facts = np.stack([standings[i] for standings in self.standings[self.first_hands[i] :]])
                game = ScoredGames(rules[int(rules_of[i])], facts.view(np.recarray), np.tile(share, (len(facts), 1)))
                self.games.setdefault(self.env.rules[i], []).append(game)
        self.hands += 1
        self.first_hands[ended] = self.length - (self.until - self.hands)

    def _worths(self, tables: np.recarray, weights: RewardWeights) -> np.ndarray:
        """Return what scores are worth to every seat, float64[N, 4]."""
        out = np.empty((self.count, 4))
        write_worths(tables, *self.env.compiled_rules, weights, self.numbers, out)
        return out

    def _own(self, own_reward: OwnReward, scored: np.recarray, finished: np.recarray, usual: np.ndarray) -> np.ndarray:
        """Return what a reward of your own pays, float64[N, 4]."""
        points, winning = RewardWeights(1.0, 0.0), RewardWeights(0.0, 1.0)
        before, after = (Worth(self._worths(one, points), self._worths(one, winning)) for one in (scored, finished))
        rules, rules_of = self.env.distinct_rules, self.env.compiled_rules[1]
        return own_reward(OpenHands(finished, rules, rules_of, before, after, usual)).astype(float)


def after_last_card(env: SpadesVectorEnv, which: np.ndarray, actions: np.ndarray) -> np.recarray:
    """Return these tables as they will be after the last card of the hand, before the next deal: STATE[n]."""
    tables, (rules, rules_of) = env.tables[which].view(np.recarray), env.compiled_rules
    _play_last(tables, rules, rules_of[which], actions[which])
    return tables


@njit
def _play_last(tables, rules, rules_of, actions):
    for i in range(len(tables)):
        apply(tables[i], rules[rules_of[i]], actions[i])


def _together(games: list[ScoredGames]) -> ScoredGames:
    facts = np.concatenate([game.facts for game in games]).view(np.recarray)
    return ScoredGames(games[0].r, facts, np.concatenate([game.won for game in games]))
