"""A view: all that one seat may know of a table. Bots, pages and people get views, never games."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from spades_env.game.cards import (
    NUM_ACTIONS,
    NUM_SEATS,
    SEATS,
    SUIT_LETTERS,
    Card,
    Seat,
    action_name,
    card_name,
    partner,
)
from spades_env.game.facts import Facts, HandResult, side_name, write_legal
from spades_env.game.observe import NUM_FEATURES, OF_RULES, blank, observe, rules_features
from spades_env.game.rules import Rules
from spades_env.game.state import compile_rules, copied, plain


class Observation(NamedTuple):
    """What a seat observes: the two parts of an environment's observation, in their order and by their names."""

    observation: np.ndarray  # int8[NUM_FEATURES]
    action_mask: np.ndarray  # int8[70]


class View(Facts):
    """What a seat knows. Its record is a STATE with the hidden cards blanked, so every kernel runs on it.

    `Game.view` and the environments make them.

    Args:
        rules: What is played.
        table: STATE[1]; what is hidden from the seat isn't kept.
        seat: 0 … 3.
        results: The finished hands.
        compiled: RULES[1], if the caller has them.

    Examples:
        >>> from spades_env import Game, cards
        >>> game = Game("classic", seed=7)
        >>> view = game.view(game.turn)
        >>> print(" ".join(map(cards.card_name, view.hand)))
        2C 6C TC AC 8D JD 3H 5H 8H 2S 3S 7S JS
        >>> int(view.observation().action_mask.sum()), len(view.unseen)
        (14, 39)
    """

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
    def unseen(self) -> list[Card]:
        """The cards that the other seats may hold."""
        return self._cards(self._compiled[0].cards & ~(self._s.played | self._s.hands[self.seat]))

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
        return self.observation().observation

    def observation(self) -> Observation:
        """Return features and action mask, a named tuple with the keys of the environments' dict."""
        features = np.empty(NUM_FEATURES, np.int8)
        features[OF_RULES] = rules_features(self.rules)
        mask = np.empty(NUM_ACTIONS, np.int8)
        observe(self._table, 0, self._compiled, self.seat, features, mask)
        return Observation(features, mask)

    @property
    def state(self) -> np.recarray:
        """STATE[1] with all that is hidden set to zero, for kernels."""
        return copied(self._table).view(np.recarray)

    @property
    def compiled_rules(self) -> np.recarray:
        """RULES[1], for kernels."""
        return copied(self._compiled).view(np.recarray)

    def to_dict(self) -> dict[str, Any]:
        """Return all that the seat knows as plain data, for JSON: seats as numbers, cards and actions as names."""
        own = ("seat", "phase", "dealer", "leader", "hand_number", "over", "winner", "spades_broken")
        by_seat = ("looked", "bids", "blind", "nils", "tricks")
        by_side = ("scores", "bags", "last_points", "blind_contracts")
        facts = {name: getattr(self, name) for name in (*own, *by_seat, *by_side)}
        facts |= {name: _card_names(getattr(self, name)) for name in ("hand", "given", "received")}
        finished, table = self.tricks_played, self.table
        winners = [trick[0][0] for trick in [*finished, table] if trick][1:]
        winners += [self.leader] * (len(finished) - len(winners))
        return facts | {
            "turn": None if self.over else self.turn,
            "voids": [[SUIT_LETTERS[suit] for suit in suits] for suits in self.voids],
            "table": _trick_dict(table, self.winning),
            "tricks_played": [_trick_dict(*trick) for trick in zip(finished, winners, strict=True)],
            "legal_actions": list(map(action_name, self.legal_actions())),
            "results": [result.as_dict() for result in self._results],
            "rules": self.rules.as_dict(),
        }

    def to_text(self) -> str:
        """Return the hand so far in at most 600 characters: scores, cards, bids, every trick, what the seat may do.

        A trick names its leader by a letter and lists the cards clockwise; its winner leads the next one. Rules and
        earlier hands are left out: `rules` and `results` have them.
        """
        rules, to_move = self.rules, "nobody" if self.over else SEATS[self.turn]
        mate = f", partner {SEATS[partner(self.seat)]}" if rules.partners else ""
        cards = _names(self.hand) if self.looked[self.seat] else "not looked at"
        passed = f"; gave {_names(self.given)}, got {_names(self.received)}" if self.given or self.received else ""
        tricks = " / ".join(_trick_letters(trick) for trick in [*self.tricks_played, self.table] if trick)
        sides = (
            f"{side_name(rules, side)} {score} (bags {bags})"
            for side, (score, bags) in enumerate(zip(self.scores, self.bags, strict=True))
        )
        return "\n".join(
            [
                f"{SEATS[self.seat]}{mate}; hand {self.hand_number + 1}, {self.phase}; dealer {SEATS[self.dealer]}; "
                f"{to_move} to move",
                f"scores: {', '.join(sides)}",
                f"cards: {cards}{passed}",
                f"bids: {', '.join(map(self._bid_words, range(NUM_SEATS)))}",
                f"took: {', '.join(f'{name} {took}' for name, took in zip(SEATS, self.tricks, strict=True))}",
                f"played: {tricks or 'nothing'}",
                f"may: {' '.join(map(action_name, self.legal_actions())) or 'wait'}",
            ]
        )

    def _bid_words(self, seat: Seat) -> str:
        bid, for_both = self.bids[seat], self.blind_contracts[self.rules.side(seat)]
        if bid is None:
            word = "?" if self.phase in ("blind", "bid") and not for_both else "-"
        elif self.nils[seat]:
            word = "blind nil" if self.blind[seat] else "nil"
        else:
            word = f"{bid} blind for both" if for_both else str(bid)
        return f"{SEATS[seat]} {word}"

    def __repr__(self) -> str:
        return f"<View of {self.rules}; {'; '.join(self.to_text().splitlines())}>"


def _names(held: list[Card]) -> str:
    return " ".join(map(card_name, held)) or "nothing"


def _card_names(held: list[Card]) -> list[str]:
    return list(map(card_name, held))


def _trick_dict(trick: list[tuple[Seat, Card]], winner: Seat | None) -> dict[str, Any]:
    """Return who led, the cards clockwise from there, and who wins; None for both while nobody has led."""
    leader = trick[0][0] if trick else None
    return {"leader": leader, "cards": [card_name(card) for _, card in trick], "winner": winner}


def _trick_letters(trick: list[tuple[Seat, Card]]) -> str:
    return f"{SEATS[trick[0][0]][0]} {_names([card for _, card in trick])}"
