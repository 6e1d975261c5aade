"""One hand with all cards open: how it began, its moves, its result.

Whoever runs a table has these, and reviews, proofs and the store. People at the table get views instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spades_env import Game, Rules
from spades_env.cards import Action, Card, Seat, action_name, parse_action
from spades_env.facts import HandResult

PERSON, BOT, CLAIM, LATE = "person", "bot", "claim", "late"  # late: a bot moved for a person whose time was up
MADE_BY = {who[0]: who for who in (PERSON, BOT, CLAIM, LATE)}  # by the letter that is saved


@dataclass(frozen=True)
class Move:
    """A move, with the phase of the hand and who made it for the seat."""

    seat: Seat
    phase: str
    action: Action
    by: str


@dataclass(frozen=True)
class HandStart:
    """What a hand begins with; the deal is written as `Game.deal` writes it."""

    number: int
    dealer: Seat
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    deal: str

    @classmethod
    def of(cls, game: Game) -> "HandStart":
        """Describe the hand on the table."""
        return cls(game.hand_number, game.dealer, tuple(game.scores), tuple(game.bags), game.deal)

    def game(self, rules: Rules, seed: int = 0) -> Game:
        """Set up the same hand on a new table; the seed decides what is dealt after it."""
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
        """Play these actions; one that is not legal raises ValueError."""
        game, moves = start.game(rules), []
        for action, by in zip(actions, made_by, strict=True):
            if game.results:
                raise ValueError("the hand ends before its moves do")
            moves.append(Move(game.turn, game.phase, action, by))
            game.apply(action)
        return cls(start, tuple(moves), game.results[0] if game.results else None)

    @property
    def number(self) -> int:
        """Its place in the game, from 0."""
        return self.start.number

    def game(self, rules: Rules, moves: int) -> Game:
        """Return the game after this many moves of the hand."""
        game = self.start.game(rules)
        for move in self.moves[:moves]:
            game.apply(move.action)
        return game

    def tricks(self) -> list[list[tuple[Seat, Card]]]:
        """Return the cards played, four by four; the last trick may have fewer."""
        played = [(move.seat, move.action) for move in self.moves if move.phase == "play"]
        return [played[i : i + 4] for i in range(0, len(played), 4)]

    def winners(self) -> list[Seat]:
        """Return the winner of each trick of a finished hand.

        The winner leads the next trick; the last one went to whoever took one more than that shows.
        """
        winners = [trick[0][0] for trick in self.tricks()[1:]]
        taken = self.result.tricks if self.result else []
        return winners + [seat for seat, tricks in enumerate(taken) if tricks > winners.count(seat)]

    def as_dict(self) -> dict:
        """Return the hand as plain data for JSON."""
        start = self.start
        data = {"number": start.number, "dealer": start.dealer, "deal": start.deal}
        data |= {"scores": list(start.scores), "bags": list(start.bags)}  # saved hands are compared as text: keep order
        return data | moves_as_dict(self.moves)

    @classmethod
    def from_dict(cls, rules: Rules, data: dict) -> "PlayedHand":
        """Play out the hand that `as_dict` described."""
        number, dealer, deal = (data[name] for name in ("number", "dealer", "deal"))
        start = HandStart(number, dealer, tuple(data["scores"]), tuple(data["bags"]), deal)
        return cls.replayed(rules, start, *moves_from_dict(data))


def moves_as_dict(moves: Sequence[Move]) -> dict:
    """Return moves as plain data: the actions in words, and one letter each for who made it."""
    return {"moves": " ".join(action_name(move.action) for move in moves), "by": "".join(move.by[0] for move in moves)}


def moves_from_dict(data: dict) -> tuple[list[Action], list[str]]:
    """Read actions, and who made them, as `moves_as_dict` wrote them."""
    actions = [parse_action(word) for word in data["moves"].split()]
    if len(actions) != len(data["by"]) or not set(data["by"]) <= set(MADE_BY):
        raise ValueError(f"{data['by']!r} does not tell who made {len(actions)} moves")
    return actions, [MADE_BY[letter] for letter in data["by"]]
