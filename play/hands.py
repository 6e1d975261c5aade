"""One hand with all cards open: how it began, what was done, what came of it.

For whoever runs a table, for reviews, proofs and the store. Players get views.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spades_env import Game, Rules
from spades_env.cards import Action, Card, Seat, action_name, parse_action
from spades_env.facts import HandResult

PERSON, BOT, CLAIM, LATE = "person", "bot", "claim", "late"  # late: a bot moved for a person whose time was up
DOERS = {doer[0]: doer for doer in (PERSON, BOT, CLAIM, LATE)}


@dataclass(frozen=True)
class Deed:
    """One move: who made it, in what phase, and by whom the seat was played."""

    seat: Seat
    phase: str
    action: Action
    by: str


@dataclass(frozen=True)
class Start:
    """What a hand begins with; the deal is written as `Game.deal` writes it."""

    number: int
    dealer: Seat
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    deal: str

    @classmethod
    def of(cls, game: Game) -> "Start":
        """The hand on the table."""
        return cls(game.hand_number, game.dealer, tuple(game.scores), tuple(game.bags), game.deal)

    def game(self, rules: Rules, seed: int = 0) -> Game:
        """The same hand on a new table; the seed decides what is dealt after it."""
        told = {"dealer": self.dealer, "scores": self.scores, "bags": self.bags, "hand_number": self.number}
        return Game.from_deal(self.deal, rules, seed=seed, **told)


@dataclass(frozen=True)
class Hand:
    """A hand as far as it was played; `result` is None while it goes on."""

    start: Start
    deeds: tuple[Deed, ...]
    result: HandResult | None = None

    @classmethod
    def replayed(cls, rules: Rules, start: Start, moves: Sequence[Action], doers: Sequence[str]) -> "Hand":
        """The hand that these moves make; a move that is not legal raises ValueError."""
        game, deeds = start.game(rules), []
        for move, by in zip(moves, doers, strict=True):
            if game.results:
                raise ValueError("the hand ends before its moves do")
            deeds.append(Deed(game.turn, game.phase, move, by))
            game.apply(move)
        return cls(start, tuple(deeds), game.results[0] if game.results else None)

    @property
    def number(self) -> int:
        """Which hand of its game this is, from 0."""
        return self.start.number

    def game(self, rules: Rules, deeds: int) -> Game:
        """The table after so many deeds."""
        game = self.start.game(rules)
        for deed in self.deeds[:deeds]:
            game.apply(deed.action)
        return game

    def tricks(self) -> list[list[tuple[Seat, Card]]]:
        """The cards played, four by four; the last trick may have fewer."""
        played = [(deed.seat, deed.action) for deed in self.deeds if deed.phase == "play"]
        return [played[i : i + 4] for i in range(0, len(played), 4)]

    def winners(self) -> list[Seat]:
        """Who won each trick of a finished hand: who led the next one, and in the end whoever has one more."""
        winners = [trick[0][0] for trick in self.tricks()[1:]]
        taken = self.result.tricks if self.result else []
        return winners + [seat for seat, tricks in enumerate(taken) if tricks > winners.count(seat)]

    def as_dict(self) -> dict:
        """The hand as plain data, for JSON."""
        start = {name: getattr(self.start, name) for name in ("number", "dealer", "deal")}
        start |= {"scores": list(self.start.scores), "bags": list(self.start.bags)}
        return start | deeds_told(self.deeds)

    @classmethod
    def from_dict(cls, rules: Rules, told: dict) -> "Hand":
        """The hand that `as_dict` told; its result is played out again."""
        number, dealer, deal = (told[name] for name in ("number", "dealer", "deal"))
        start = Start(number, dealer, tuple(told["scores"]), tuple(told["bags"]), deal)
        return cls.replayed(rules, start, *deeds_read(told))


def deeds_told(deeds: Sequence[Deed]) -> dict:
    """Deeds as plain data: the moves in words, and a letter for each that tells who made it."""
    return {"moves": " ".join(action_name(deed.action) for deed in deeds), "by": "".join(deed.by[0] for deed in deeds)}


def deeds_read(told: dict) -> tuple[list[Action], list[str]]:
    """Moves and doers as `deeds_told` wrote them."""
    moves = [parse_action(word) for word in told["moves"].split()]
    if len(moves) != len(told["by"]) or not set(told["by"]) <= set(DOERS):
        raise ValueError(f"{told['by']!r} does not tell who made {len(moves)} moves")
    return moves, [DOERS[letter] for letter in told["by"]]
