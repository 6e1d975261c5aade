"""A view: all that one seat may know of a table. Bots, pages and people get views, never games."""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np

from spades_env.cards import NUM_ACTIONS, SEATS, Card, Seat, action_name, card_name, partner
from spades_env.facts import Facts, HandResult, write_legal
from spades_env.observe import NUM_FEATURES, TABLE_SIZE, blank, observe, rules_features
from spades_env.rules import Rules
from spades_env.state import compile_rules, copied, plain


class View(Facts):
    """What a seat knows. Its record is a STATE with the hidden cards blanked, so every kernel runs on it."""

    def __init__(
        self,
        rules: Rules,
        table: np.ndarray,
        seat: Seat,
        results: Sequence[HandResult] = (),
        compiled: np.ndarray | None = None,
    ):
        self.rules = rules
        self.seat = seat
        self._results = tuple(results)
        self._compiled = plain(compile_rules(rules) if compiled is None else compiled)
        self._table = copied(table)
        blank(plain(table), 0, seat, self._table, 0)

    @property
    def results(self) -> list[HandResult]:
        """The finished hands, if the table keeps them: a Game does, the environments do not."""
        return deepcopy(list(self._results))

    @property
    def hand(self) -> list[Card]:
        """The seat's own cards; empty before it has looked."""
        return self._cards(self._s.hands[self.seat])

    @property
    def given(self) -> list[Card]:
        """The cards this seat has chosen to pass to its partner in this hand."""
        return self._cards(self._s.given[self.seat])

    @property
    def received(self) -> list[Card]:
        """The cards its partner gave it, known once both have passed."""
        return self._cards(self._s.given[partner(self.seat)])

    @property
    def action_mask(self) -> np.ndarray:
        """int8[70], the legal actions of this seat; all 0 when it is not to move."""
        mask = np.zeros(NUM_ACTIONS, np.int8)
        if self.turn == self.seat:
            write_legal(self._table, self._compiled, mask)
        return mask

    @property
    def features(self) -> np.ndarray:
        """int8[NUM_FEATURES], laid out by `observe.LAYOUT`."""
        return self.observation()[0]

    def observation(self) -> tuple[np.ndarray, np.ndarray]:
        """Return features and action mask."""
        features = np.empty(NUM_FEATURES, np.int8)
        features[TABLE_SIZE:] = rules_features(self.rules)
        mask = np.empty(NUM_ACTIONS, np.int8)
        observe(self._table, 0, self._compiled, self.seat, features, mask)
        return features, mask

    @property
    def state(self) -> np.recarray:
        """STATE[1] with all that is hidden set to zero, for kernels."""
        return copied(self._table).view(np.recarray)

    @property
    def compiled_rules(self) -> np.recarray:
        """RULES[1], for kernels."""
        return copied(self._compiled).view(np.recarray)

    def __repr__(self) -> str:
        hand = _names(self.hand) if self.looked[self.seat] else "not looked at"
        to_move = "nobody" if self.over else SEATS[self.turn]
        tricks = " / ".join(_trick_words(trick) for trick in [*self.tricks_played, self.table] if trick)
        return (
            f"<View of {SEATS[self.seat]}: {self.rules}; hand {self.hand_number + 1}, {self.phase}, {to_move} to move; "
            f"dealer {SEATS[self.dealer]}; scores {self.scores}, bags {self.bags}; cards {hand}; "
            f"given {_names(self.given)}, received {_names(self.received)}; "
            f"bids {self.bids}, blind {self.blind}, tricks {self.tricks}; played {tricks or 'nothing'}; "
            f"may {' '.join(map(action_name, self.legal_actions())) or 'wait'}>"
        )


def _names(held: list[Card]) -> str:
    return " ".join(map(card_name, held)) or "nothing"


def _trick_words(trick: list[tuple[Seat, Card]]) -> str:
    return f"{SEATS[trick[0][0]]} {_names([card for _, card in trick])}"
