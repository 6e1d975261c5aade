"""The public facts of a table, read from its STATE record; shared by games and views."""

from dataclasses import asdict, dataclass

import numpy as np

from spades_env._jit import njit
from spades_env.game.cards import NUM_ACTIONS, PHASES, SEATS, Card, Seat, Side, partner
from spades_env.game.engine import write_mask
from spades_env.game.rules import Rules
from spades_env.game.state import BLIND_NIL_BID, DRAW, NO_BID, NO_NIL, OVER, plain


@dataclass(frozen=True)
class HandResult:
    """A finished hand: bids, blind and tricks by seat; points, overtricks, bags and scores by side.

    `result.points` and `result["points"]` are the same.
    """

    hand_number: int
    dealer: Seat
    bids: list[int | None]  # None: it made none
    blind: list[bool]
    tricks: list[int]
    points: list[int]  # the change of each score, bag penalties included
    overtricks: list[int]
    bags: list[int]  # the tally after the hand
    scores: list[int]  # after the hand

    def __getitem__(self, name: str):
        return getattr(self, name)

    def as_dict(self) -> dict:
        """Return the result as plain data, for JSON."""
        return asdict(self)


class Facts:
    """Public facts as plain Python values. The records are plain arrays (`state.plain`)."""

    rules: Rules
    _table: np.ndarray  # STATE[1]
    _compiled: np.ndarray  # RULES[1]

    @property
    def phase(self) -> str:
        """`blind`, `bid`, `pass`, `play` or `over`."""
        return PHASES[self._table["phase"].item()]

    @property
    def turn(self) -> Seat:
        """The seat to move; meaningless once the game is over."""
        return self._table["turn"].item()

    @property
    def dealer(self) -> Seat:
        """Who dealt this hand."""
        return int(self._s.dealer)

    @property
    def leader(self) -> Seat:
        """Who led the trick on the table or will lead it; until bidding ends, who began it."""
        return int(self._s.leader)

    @property
    def bids(self) -> list[int | None]:
        """The bid of each seat, 0 for a nil; None if it hasn't bid yet, or doesn't bid in this hand."""
        return [None if bid == NO_BID else bid for bid in self._s.bids.tolist()]

    @property
    def blind(self) -> list[bool]:
        """By seat: did it bid blind nil?"""
        return [kind == BLIND_NIL_BID for kind in self._s.nils.tolist()]

    @property
    def nils(self) -> list[bool]:
        """By seat: did it bid nil, blind or not?"""
        return [kind != NO_NIL for kind in self._s.nils.tolist()]

    @property
    def blind_contracts(self) -> list[bool]:
        """Whether a partner of each side has bid blind for both."""
        return [bool(blind) for blind in self._s.blind_contract.tolist()] if self.rules.partners else [False] * 4

    @property
    def bids_itself(self) -> bool:
        """Is this a hand without bids, in which every trick scores?"""
        return self.rules.first_hand == "bids_itself" and self.hand_number == 0

    @property
    def looked(self) -> list[bool]:
        """By seat: has it seen its cards?"""
        return [bool(looked) for looked in self._s.looked]

    @property
    def tricks(self) -> list[int]:
        """By seat: tricks won in this hand."""
        return self._s.tricks.tolist()

    @property
    def table(self) -> list[tuple[Seat, Card]]:
        """The trick on the table in the order played; empty once it is complete."""
        return self._trick(int(self._s.num_plays) // 4)

    @property
    def tricks_played(self) -> list[list[tuple[Seat, Card]]]:
        """The finished tricks of this hand, each in the order played."""
        return [self._trick(number) for number in range(int(self._s.num_plays) // 4)]

    @property
    def cards_played(self) -> int:
        """How many cards were played in this hand, 0 to 52."""
        return int(self._s.num_plays)

    @property
    def winning(self) -> Seat | None:
        """Who is winning the trick on the table."""
        return int(self._s.best_seat) if self._s.num_plays % 4 else None

    @property
    def spades_broken(self) -> bool:
        """Are spades broken? `rules.spades_lead` says what breaks them."""
        return bool(self._s.broken)

    @property
    def voids(self) -> list[list[int]]:
        """By seat: the suits (0 clubs … 3 spades) it has shown that it does not hold."""
        return [[suit for suit in range(4) if lanes >> suit & 1] for lanes in self._s.voids.tolist()]

    @property
    def scores(self) -> list[int]:
        """By side: the score."""
        return self._s.scores.tolist()[: self.rules.sides]

    @property
    def bags(self) -> list[int]:
        """By side: the bags so far."""
        return self._s.bags.tolist()[: self.rules.sides]

    @property
    def last_points(self) -> list[int]:
        """By side: the points of the last finished hand; 0 before there is one."""
        return self._s.points.tolist()[: self.rules.sides]

    @property
    def hand_number(self) -> int:
        """How many hands of this game are finished."""
        return int(self._s.hand_number)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._table["phase"].item() == OVER

    @property
    def winner(self) -> Side | None:
        """The side that won; None for a draw, and while the game goes on."""
        return None if not self.over or self._s.winner == DRAW else int(self._s.winner)

    @property
    def action_mask(self) -> np.ndarray:
        """int8[70]: the legal actions of the seat to move."""
        mask = np.zeros(NUM_ACTIONS, np.int8)
        write_legal(self._table, self._compiled, mask)
        return mask

    def cards_to_pass(self, seat: Seat) -> int:
        """Return how many cards a seat and its partner give each other because one of them bid nil."""
        rules, both = self.rules, (seat, partner(seat))
        counts = [rules.blind_nil_pass if self.blind[one] else rules.nil_pass for one in both if self.nils[one]]
        return max(counts, default=0) if rules.partners else 0

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to move."""
        return np.flatnonzero(self.action_mask).tolist()

    def packed(self) -> bytes:
        """Return the table's record as bytes; those of a game contain the hidden cards."""
        return self._table.tobytes()

    @property
    def _s(self) -> np.record:
        return self._table[0]

    def _trick(self, number: int) -> list[tuple[Seat, Card]]:
        s, first = self._s, 4 * number
        end = min(first + 4, int(s.num_plays))
        if first >= end:
            return []
        leader, played = int(s.leaders[number]), self._compiled[0].card_at[s.plays[first:end]].tolist()
        return [((leader + i) % 4, card) for i, card in enumerate(played)]

    def _lane(self, card: Card) -> int:
        """Return the suit a card follows: a trump is a spade."""
        return int(self._compiled[0].place[card]) // 16

    def _cards(self, lanes) -> list[Card]:
        """Return the cards of a hand of lanes, in ascending order."""
        lanes = int(lanes)
        card_at = self._compiled[0].card_at
        return sorted(int(card_at[place]) for place in range(64) if lanes >> place & 1)


class Position(Facts):
    """The facts of any table record."""

    def __init__(self, rules: Rules, compiled: np.ndarray, table: np.ndarray):
        self.rules, self._compiled, self._table = rules, plain(compiled), plain(table)


@njit
def write_legal(tables, rules, mask):
    """Write the legal actions of the seat to move at the first table: int8[70]."""
    write_mask(tables[0], rules[0], mask)


def side_name(rules: Rules, side: Side) -> str:
    """Return "South & North", or the seat's name without partners."""
    return " & ".join(SEATS[seat] for seat in rules.seats(side))
