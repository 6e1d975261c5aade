"""A table where one to four seats answer in words and bots have the others; every answer is read, counted and graded.

    table = LiveTable(rules="match", seats=(0,), opponents="rule", seed=7)
    while not table.over:
        move = table.answer(ask_your_model(words.messages(table.view)))
        move.outcome, move.regret
    table.points(0), table.win(0)

An answer that is illegal, unreadable or late (None) is replaced by a random legal action. Bots move at once, so `view`
is always that of a live seat.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from spades_env import agents, words
from spades_env.checks import LARGEST_SEED, one_of, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS, Action, Seat
from spades_env.game.episodes import EPISODES
from spades_env.game.game import Game
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.secret_deals import agent_seed
from spades_env.game.view import View
from spades_env.play.coach.regret import RegretJudge

LATE = "late"
ANSWERS = (*words.OUTCOMES, LATE)
POINTS = 100.0  # of a hand that make a reward of 1


@dataclass(frozen=True)
class LiveMove:
    """What became of an answer. regret: the chance to win that the action played has lost; None: not graded."""

    seat: Seat
    outcome: str
    action: Action
    regret: float | None
    why: str = ""


class LiveTable:
    """One hand or one game. opponents: the agent of all seats that are not live."""

    def __init__(
        self,
        rules: RulesSource = "classic",
        seats: Sequence[Seat] = (0,),
        opponents: str = "rule",
        seed: int = 0,
        episode: str = "hand",
        judge: RegretJudge | None = None,
    ):
        if not seats or len(set(seats)) < len(seats) or not set(seats) <= set(range(NUM_SEATS)):
            raise SpadesError(f"seats must be one to four different numbers from 0 to 3, not {seats!r}")
        one_of("episode", episode, EPISODES)
        seed = whole("seed", seed, 0, LARGEST_SEED)
        self.game = Game(Rules.of(rules), seed=seed)
        self.seats, self.episode, self.judge = tuple(seats), episode, judge
        self.moves: list[LiveMove] = []
        self.asked: list[View] = []
        others = set(range(NUM_SEATS)) - set(seats)
        self._bots = {seat: agents.load(opponents, seed=agent_seed(seed, seat)) for seat in others}
        self._instead = agents.load("random", seed=agent_seed(seed, NUM_SEATS))
        self._let_bots_move()

    @property
    def over(self) -> bool:
        """Is the hand, or the game, over?"""
        return self.game.over or (self.episode == "hand" and bool(self.game.results))

    @property
    def view(self) -> View:
        """What the live seat to move may know."""
        if self.over:
            raise SpadesError(f"the {self.episode} is over: nobody is to move")
        return self.game.view(self.game.turn)

    def answer(self, answer: str | None) -> LiveMove:
        """Play an answer of the seat to move; None for one that came too late."""
        view = self.view
        found = words.Reading(LATE, None, "no answer in time") if answer is None else words.read(answer, view)
        action = self._instead.act(view) if found.action is None else found.action
        regret = self.judge.regret(view, action) if self.judge else None
        move = LiveMove(view.seat, found.outcome, action, regret, found.why)
        self.moves.append(move)
        self.asked.append(view)
        self.game.apply(action)
        self._let_bots_move()
        return move

    def counts(self, seat: Seat) -> dict[str, int]:
        """Return how many answers of a seat were legal, illegal, unreadable and late."""
        found = Counter(move.outcome for move in self.moves if move.seat == seat)
        return {outcome: found[outcome] for outcome in ANSWERS}

    def mean_regret(self, seat: Seat) -> float:
        """Return the mean regret of a seat's moves, 0 for one without a choice; 0 if none was judged."""
        found = [move.regret for move in self.moves if move.seat == seat and move.regret is not None]
        return sum(found) / len(found) if found else 0.0

    def points(self, seat: Seat) -> int:
        """Return the points of the seat's side in the finished hands, less those of the best other side."""
        side, sides = self.game.rules.side(seat), range(self.game.rules.sides)
        total = [sum(hand.points[one] for hand in self.game.results) for one in sides]
        return total[side] - max(points for one, points in enumerate(total) if one != side)

    def win(self, seat: Seat) -> float:
        """Return 1 if the seat's side has won the game, ½ for a draw, 0 if it has lost or the game goes on."""
        if not self.game.over:
            return 0.0
        return 0.5 if self.game.winner is None else float(self.game.winner == self.game.rules.side(seat))

    def reward(self, seat: Seat) -> float:
        """Return the outcome as a reward: of a hand its points in hundreds, of a game the win."""
        return self.points(seat) / POINTS if self.episode == "hand" else self.win(seat)

    def _let_bots_move(self) -> None:
        while not self.over and self.game.turn not in self.seats:
            bot = self._bots[self.game.turn]
            self.game.apply(bot.act(self.game if bot.cheats else self.game.view(self.game.turn)))
