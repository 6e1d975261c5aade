"""A game: one table for people and tools, with checked moves, undo, views and a text record.

game = Game("classic", seed=7)
while not game.over:
    game.apply(random.choice(game.legal_actions()))
print(game.record())
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from spades_env._jit import njit
from spades_env.checks import LARGEST_SEED, as_int, random_seed, whole
from spades_env.errors import SpadesError
from spades_env.game import cards, engine, secret_deals, state
from spades_env.game import record as record_text
from spades_env.game.cards import Action, Card, Seat
from spades_env.game.facts import Facts, HandResult
from spades_env.game.refusals import IllegalActionError, refusal
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.scoring import leading_side
from spades_env.game.view import View

__all__ = ["Game", "IllegalActionError"]


class Game(Facts):
    """One table, from the first deal to the last trick.

    Args:
        rules: What `Rules.of` takes: a preset's name, a text, a path, a dict, or `Rules`.
        seed: Decides all deals. None: a random one.
        deal: The first hand's cards: four lists of 13, South first.
        dealer: Of the first hand, a seat.
        scores: By side, to begin in the middle of a game.
        bags: By side.
        hand_number: How many hands are finished.
        secret: 32 hex digits that decide all deals instead of the seed, so that no hand reveals another one
            (`game.secret_deals`); `seed` then follows from it and reveals no cards.

    Raises:
        RulesError: The rules can't be played.
        SpadesError: Another argument is wrong.

    Examples:
        >>> from spades_env import Game
        >>> game = Game("classic", seed=7)
        >>> while not game.results:  # a hand
        ...     game.apply(game.legal_actions()[-1])
        >>> game.results[0].tricks, game.scores
        ([1, 9, 3, 0], [-260, -260])
    """

    def __init__(
        self,
        rules: RulesSource = "classic",
        seed: int | None = None,
        *,
        deal: Sequence[Sequence[Card]] | None = None,
        dealer: Seat | None = None,
        scores: Sequence[int] | None = None,
        bags: Sequence[int] | None = None,
        hand_number: int = 0,
        secret: str | None = None,
    ):
        self.rules = Rules.of(rules)
        self.secret = None if secret is None else secret_deals.checked_secret(secret)
        self.seed = self._first_seed(seed)
        self.results: list[HandResult] = []
        self.deal_given = deal is not None
        self.timed_out = False
        self._compiled = state.plain(state.compile_rules(self.rules))
        self._table = state.plain(state.new_tables(1))
        self._past: list[tuple[Action, bytes, int]] = []
        self._set_up(deal, dealer, scores, bags, hand_number)
        self._start = state.copied(self._table)
        self._hand_start = 0  # how many moves were made before this hand

    def _first_seed(self, seed: int | None) -> int:
        if self.secret is None:
            return random_seed() if seed is None else whole("seed", seed, 0, LARGEST_SEED)
        if seed is not None:
            raise SpadesError("a game has a seed or a secret, not both")
        return secret_deals.derived(self.secret, "seed", 8)

    def _set_up(self, deal, dealer, scores, bags, hand_number) -> None:
        s, r = self._s, self._compiled[0]
        engine.new_game(s, r, np.uint64(self.seed))
        s.hand_number = whole("hand_number", hand_number, 0, self._last_hand())
        s.dealer = (int(s.dealer) + hand_number) % cards.NUM_SEATS
        engine.deal(s, r)
        self._deal_from_secret()
        if dealer is not None:
            s.dealer = whole("dealer", dealer, 0, cards.NUM_SEATS - 1)
        if scores is not None:
            s.scores[: self.rules.sides] = self._per_side("scores", scores, -state.LARGEST_SCORE, state.LARGEST_SCORE)
        if bags is not None:
            most = 0 if self.rules.bag_limit is None else self.rules.bag_limit - 1
            s.bags[: self.rules.sides] = self._per_side("bags", bags, 0, most)
        if deal is not None:
            s.hands[:] = [self._lanes(hand) for hand in _checked_deal(self.rules, deal)]
        engine.begin_hand(s, r)

    def _deal_from_secret(self) -> None:
        if self.secret is not None:
            hands = secret_deals.deal(self.secret, self.hand_number, cards.deck(self.rules.trumps))
            self._s.hands[:] = [self._lanes(hand) for hand in hands]

    def _last_hand(self) -> int:
        """Return the greatest hand number a game may begin with."""
        plays_on = self.rules.max_hands is None or self.rules.tie == "extra_hand"
        return state.NEVER - 1 if plays_on else int(self._compiled[0].max_hands) - 1

    def _per_side(self, name: str, values, low: int, high: int) -> list[int]:
        values = _list_of(values)
        if len(values) != self.rules.sides:
            raise SpadesError(f"{name} must list {self.rules.sides} numbers, one a side, not {values!r}")
        return [whole(name, value, low, high) for value in values]

    def _lanes(self, hand) -> np.uint64:
        return np.uint64(sum(1 << int(self._compiled[0].place[card]) for card in hand))

    @classmethod
    def from_deal(
        cls, deal: str, rules: RulesSource = "classic", *, moves: str | Iterable[Action] = "", **options: Any
    ) -> "Game":
        """Return a game from the text of a deal and the moves made since.

        Args:
            deal: "AS KD … | … | … | …", South first.
            rules: What `Rules.of` takes.
            moves: The moves made since, as `cards.action_name` writes them, or as numbers.
            **options: Other arguments of `Game`.

        Raises:
            SpadesError: The deal isn't the whole deck, or a move isn't legal.
        """
        if not isinstance(deal, str):
            raise SpadesError(f"a deal is a text, such as another game's `deal`, not {deal!r:.60}")
        hands = deal.split("|")
        if len(hands) != cards.NUM_SEATS:
            raise SpadesError(f"a deal is four hands divided by |, South first; this has {len(hands)}")
        game = cls(rules, deal=[cards.cards(hand) for hand in hands], **options)
        for move in moves.split() if isinstance(moves, str) else moves:
            game.apply(cards.parse_action(move) if isinstance(move, str) else move)
        return game

    @classmethod
    def replay(cls, text: str) -> "Game":
        """Return the game of a record; every line is verified.

        Raises:
            RecordError: A line is wrong.
        """
        return record_text.replay(cls, text)

    # Looking

    @property
    def hands(self) -> list[list[Card]]:
        """By seat: the cards now held. For the program that runs the table, not for players."""
        return [self._cards(hand) for hand in self._s.hands]

    @property
    def deal(self) -> str:
        """The cards dealt in this hand, as `from_deal` takes them."""
        s = self._position_at(self._hand_start)[0]
        return " | ".join(" ".join(map(cards.card_name, self._cards(hand))) for hand in s.hands)

    @property
    def moves(self) -> list[Action]:
        """Every action since the game began."""
        return [action for action, _, _ in self._past]

    def view(self, seat: Seat) -> View:
        """Return all that a seat, 0 … 3, may know, and nothing else."""
        return View(self.rules, self._table, whole("seat", seat, 0, cards.NUM_SEATS - 1), self.results, self._compiled)

    @property
    def state(self) -> np.recarray:
        """STATE[1], a copy of the whole table with its hidden cards, for the program that runs it."""
        return state.copied(self._table).view(np.recarray)

    def record(self) -> str:
        """Return the whole game as text, which `Game.replay` reads and verifies."""
        return record_text.write(self)

    def __repr__(self) -> str:
        s = self._position_at(self._hand_start)[0]
        sides = self.rules.sides
        source = f"seed={self.seed}" if self.secret is None else f"secret={self.secret!r}"
        moves = " ".join(map(cards.action_name, self.moves[self._hand_start :]))
        return (
            f"Game.from_deal({self.deal!r}, {str(self.rules)!r}, dealer={int(s.dealer)}, "
            f"scores={s.scores.tolist()[:sides]}, bags={s.bags.tolist()[:sides]}, "
            f"hand_number={self.hand_number}, {source}, moves={moves!r})"
        )

    # Acting

    def apply(self, action: Action) -> None:
        """Let the seat to move act. A finished hand is scored and the next one dealt at once.

        Args:
            action: 0–53 play or pass that card, 54 + b bid b, 68 blind nil, 69 look.

        Raises:
            IllegalActionError: It isn't legal; the message says why. Nothing has changed.
        """
        action = self._checked(action)
        self._past.append((action, self.packed(), self._hand_start))
        event = _apply(self._table, self._compiled, action)
        if event != state.GOES_ON:
            self.results.append(self._result())
        if event == state.HAND_OVER:
            engine.deal_next(self._s, self._compiled[0])
            self._deal_from_secret()
            self._hand_start = len(self._past)

    def undo(self, count: int = 1) -> list[Action]:
        """Take back the last actions and return them, the earliest first. An end by the clock counts as one."""
        count = whole("count", count, 1, LARGEST_SEED)
        if count > len(self._past) + self.timed_out:
            raise SpadesError(f"{count} actions cannot be undone: {len(self._past) + self.timed_out} were made")
        if self.timed_out:
            self._table, self.timed_out = self._before_time_up, False
            count -= 1
        if not count:
            return []
        undone = [action for action, _, _ in self._past[-count:]]
        self._table = self._position_at(len(self._past) - count)
        self._hand_start = self._past[-count][2]
        del self._past[-count:]
        del self.results[self.hand_number - int(self._start[0].hand_number) :]
        return undone

    def time_up(self) -> None:
        """End the game by the clock: the unfinished hand does not count, the highest score wins."""
        if self.rules.time_limit_s is None:
            raise SpadesError("these rules have no time limit: time_limit_s is off")
        if self.over:
            raise SpadesError("the game is over already")
        self._before_time_up = state.copied(self._table)
        self._s.winner = leading_side(self._s, self._compiled[0])
        self._s.phase = state.OVER
        self.timed_out = True

    # Helpers

    def _position_at(self, move: int) -> np.ndarray:
        if move == len(self._past):
            return self._table
        return state.unpacked(self._past[move][1], state.STATE)

    def _result(self) -> HandResult:
        s, sides = self._s, self.rules.sides
        return HandResult(
            hand_number=self.hand_number,
            dealer=self.dealer,
            bids=self.bids,
            blind=self.blind,
            tricks=self.tricks,
            points=s.points.tolist()[:sides],
            overtricks=s.overtricks.tolist()[:sides],
            bags=self.bags,
            scores=self.scores,
        )

    def _checked(self, action: Action) -> Action:
        number = as_int(action)
        if number is None or not 0 <= number < cards.NUM_ACTIONS or not _is_legal(self._table, self._compiled, number):
            raise refusal(self, action)
        return number


@njit
def _apply(tables, rules, action):
    return engine.apply(tables[0], rules[0], action)


@njit
def _is_legal(tables, rules, action):
    return engine.is_legal(tables[0], rules[0], action)


def _checked_deal(rules: Rules, deal) -> list[list[Card]]:
    """Return the hands; refuse what is not the whole deck in four hands of thirteen."""
    if isinstance(deal, str):
        raise SpadesError("a deal is four lists of cards; its text goes to Game.from_deal")
    hands = [_list_of(hand) for hand in _list_of(deal)]
    if len(hands) != cards.NUM_SEATS or any(len(hand) != cards.NUM_TRICKS for hand in hands):
        raise SpadesError(f"a deal is four hands of 13 cards, not of {[len(hand) for hand in hands]}")
    given = [card for hand in hands for card in hand]
    dealt = [as_int(card) for card in given]
    for original, card in zip(given, dealt, strict=True):
        if card not in cards.deck(rules.trumps):
            raise SpadesError(f"{_card_text(original)} is not in the deck when trumps are {rules.trumps}")
        if dealt.count(card) > 1:
            raise SpadesError(f"{cards.card_name(card)} is dealt twice")
    return hands


def _list_of(values) -> list:
    return list(values) if isinstance(values, Iterable) else [values]


def _card_text(card) -> str:
    number = as_int(card)
    return repr(card) if number is None or not 0 <= number < cards.NUM_CARDS else cards.card_name(number)
