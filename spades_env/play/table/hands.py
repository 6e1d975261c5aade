"""One hand with all cards open: how it began, its moves, its result.

The table, reviews, proofs and the store use it. People at the table get views instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spades_env.errors import SpadesError
from spades_env.game.cards import Action, Card, Seat, action_name, parse_action
from spades_env.game.facts import HandResult
from spades_env.game.game import Game
from spades_env.game.rules import Rules

PERSON, BOT, CLAIM, LATE = "person", "bot", "claim", "late"  # late: a bot moved for a person whose time was up
MADE_BY = {who[0]: who for who in (PERSON, BOT, CLAIM, LATE)}  # saved as first letters


@dataclass(frozen=True)
class Move:
    """A move, with the phase of the hand and who made it."""

    seat: Seat
    phase: str
    action: Action
    by: str


@dataclass(frozen=True)
class HandStart:
    """How a hand begins; the deal is text, as in `Game.deal`."""

    number: int
    dealer: Seat
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    deal: str

    @classmethod
    def of(cls, game: Game) -> "HandStart":
        return cls(game.hand_number, game.dealer, tuple(game.scores), tuple(game.bags), game.deal)

    def game(self, rules: Rules, seed: int = 0) -> Game:
        """Return a new game that begins with this hand; the seed decides the later deals."""
        before = {"dealer": self.dealer, "scores": self.scores, "bags": self.bags, "hand_number": self.number}
        return Game.from_deal(self.deal, rules, seed=seed, **before)


@dataclass(frozen=True)
class PlayedHand:
    """A hand as far as it was played; `result` is None until it is finished."""

    start: HandStart
    moves: tuple[Move, ...]
    result: HandResult | None = None

    @classmethod
    def replayed(
        cls, rules: Rules, start: HandStart, actions: Sequence[Action], made_by: Sequence[str]
    ) -> "PlayedHand":
        """Return the hand after these actions; ValueError if one is illegal."""
        game, moves = start.game(rules), []
        for action, by in zip(actions, made_by, strict=True):
            if game.results:
                raise SpadesError("the hand ends before its moves do")
            moves.append(Move(game.turn, game.phase, action, by))
            game.apply(action)
        return cls(start, tuple(moves), game.results[0] if game.results else None)

    @property
    def number(self) -> int:
        """The number of the hand in its game, from 0."""
        return self.start.number

    def game(self, rules: Rules, moves: int) -> Game:
        game = self.start.game(rules)
        for move in self.moves[:moves]:
            game.apply(move.action)
        return game

    def tricks(self) -> list[list[tuple[Seat, Card]]]:
        """Return the cards played, trick by trick; the last trick may be incomplete."""
        played = [(move.seat, move.action) for move in self.moves if move.phase == "play"]
        return [played[i : i + 4] for i in range(0, len(played), 4)]

    def winners(self) -> list[Seat]:
        """Return the winner of each trick of a finished hand.

        Each winner leads the next trick; the last winner is the seat whose result has one trick more.
        """
        winners = [trick[0][0] for trick in self.tricks()[1:]]
        taken = self.result.tricks if self.result else []
        return winners + [seat for seat, tricks in enumerate(taken) if tricks > winners.count(seat)]

    def as_dict(self) -> dict:
        start = self.start
        data = {"number": start.number, "dealer": start.dealer, "deal": start.deal}
        data |= {"scores": list(start.scores), "bags": list(start.bags)}  # hands are compared as text: keep this order
        return data | moves_as_dict(self.moves)

    @classmethod
    def from_dict(cls, rules: Rules, data: dict) -> "PlayedHand":
        start = HandStart(data["number"], data["dealer"], tuple(data["scores"]), tuple(data["bags"]), data["deal"])
        return cls.replayed(rules, start, *moves_from_dict(data))


def moves_as_dict(moves: Sequence[Move]) -> dict:
    """Return moves as plain data: the actions as words, and a letter for who made each."""
    return {"moves": " ".join(action_name(move.action) for move in moves), "by": "".join(move.by[0] for move in moves)}


def moves_from_dict(data: dict) -> tuple[list[Action], list[str]]:
    """Return the actions, and who made them, from what `moves_as_dict` wrote."""
    actions = [parse_action(word) for word in data["moves"].split()]
    if len(actions) != len(data["by"]) or not set(data["by"]) <= set(MADE_BY):
        raise SpadesError(f"{data['by']!r} does not say who made {len(actions)} moves")
    return actions, [MADE_BY[letter] for letter in data["by"]]
