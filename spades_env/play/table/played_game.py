"""A game with all its moves, hand by hand, and the proofs that its cards were dealt fairly.

It is the lowest layer of a table and knows no people, bots or clock. All cards are open here.
"""

from collections.abc import Mapping

from spades_env.game.cards import Action, cards
from spades_env.game.game import Game
from spades_env.game.rules import Rules
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.fairness import Proof, game_proof, hand_proof, new_salt
from spades_env.play.table.hands import HandStart, Move, PlayedHand


class PlayedGame:
    """A game, its moves, and the hands that were finished."""

    def __init__(self, rules: Rules, source: DealSource, start: Mapping):
        """start: other arguments of `Game`, with the deal as text."""
        options = dict(start)
        if "deal" in options:
            options["deal"] = [cards(hand) for hand in options["deal"].split("|")]
        self.game = Game(rules, source.seed, secret=source.secret, **options)
        self.rules, self.start, self.salt = rules, dict(start), new_salt()
        self.moves: list[Move] = []
        self.finished: list[PlayedHand] = []
        self._starts: list[tuple[int, HandStart]] = []  # of every hand: the number of moves before it, how it began
        self._begin_hand()

    @property
    def over(self) -> bool:
        """Has the game ended? Then nobody can act, take back a move or sit down."""
        return self.game.over

    @property
    def hands(self) -> list[PlayedHand]:
        """The finished hands, then the one on the table unless the game is over."""
        if len(self.finished) == len(self._starts):
            return list(self.finished)
        first, start = self._starts[-1]
        return [*self.finished, PlayedHand(start, tuple(self.moves[first:]))]

    @property
    def first_hand(self) -> int:
        """The number of the first hand, counted from 1. It is larger where a later hand is replayed."""
        return self._starts[0][1].number + 1

    def first_move_after(self, hand: int) -> int:
        return next((first for first, start in self._starts if start.number > hand), len(self.moves))

    def play(self, action: Action, by: str) -> None:
        """Act for the seat to move; by: who decided, see `play.table.hands`."""
        move, results = Move(self.game.turn, self.game.phase, action, by), len(self.game.results)
        self.game.apply(action)
        self.moves.append(move)
        if len(self.game.results) > results:
            first, start = self._starts[-1]
            self.finished.append(PlayedHand(start, tuple(self.moves[first:]), self.game.results[-1]))
            if not self.over:
                self._begin_hand()

    def undo_from(self, number: int) -> None:
        self.game.undo(len(self.moves) - number)
        del self.moves[number:]
        self._starts = [begun for begun in self._starts if begun[0] <= number]
        del self.finished[len(self._starts) - 1 :]

    def _begin_hand(self) -> None:
        self._starts.append((len(self.moves), HandStart.of(self.game)))

    @property
    def commitments(self) -> dict:
        """The hashes shown before the cards: of the game, and of every hand up to the current one.

        drawn_from: "secret", or "seed" where later hands can be computed; given: was the first deal chosen?
        """
        hands = [hand_proof(self.salt, start).commitment for _, start in self._starts]
        drawn = {"drawn_from": "seed" if self.game.secret is None else "secret", "given": self.game.deal_given}
        return drawn | {"game": game_proof(self.salt, self.game).commitment, "hands": hands}

    def proofs(self) -> dict[str, list[Proof]]:
        """Open the commitments of finished hands, and that of the game once it is over."""
        opened = self._starts if self.over else self._starts[: len(self.finished)]
        hands = [hand_proof(self.salt, start) for _, start in opened]
        return {"game": [game_proof(self.salt, self.game)] if self.over else [], "hands": hands}
