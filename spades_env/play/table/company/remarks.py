"""What the characters of one table say, from the moves alone: the same game gives the same remarks, saved or undone.

    table.remarks.said(table)      all remarks so far, in order
    table.remarks.shown(table)     those of this hand and the last one, as plain data for a view

At most one remark a hand, and none in the hand after it; another one at the end of a game; no line twice in a game.
Only characters speak, and only where no person moved in the hand. Their lines stand in `play/texts/lines`:
`says.zofia.nil_made.1`. Bots know nothing of all this.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from spades_env.agents.roster import character_named
from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.play.table.company.moments import Occasion, Reason, bots_of, broken_nils, ends_of, winners_so_far
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.rating import LOSS, WIN, outcome_of
from spades_env.play.table.seated_game import SeatedGame
from spades_env.play.texts import Text, catalogue, text

MOODS = {  # of each moment: the face, what comes before others at the same occasion, and how often it is spoken of
    "nil_made": ("happy", 0.3, 1.0),
    "nil_broken": ("surprised", 0.6, 0.9),
    "partner_nil": ("happy", 0.5, 0.9),
    "their_nil": ("surprised", 0.8, 0.5),
    "nil_caught": ("happy", 1.0, 0.5),
    "bold": ("happy", 0.4, 0.8),
    "set": ("worried", 0.8, 0.5),
    "set_them": ("happy", 1.0, 0.25),
    "forgiven": ("kind", 0.3, 0.9),
    "won": ("happy", 1.0, 1.0),
    "lost": ("worried", 1.0, 1.0),
}


@dataclass(frozen=True)
class Remark:
    """What a character said. hand: from 0; moves: those of the hand until then; line: its number in the catalogue."""

    hand: int
    moves: int
    seat: Seat
    who: str
    moment: str
    line: int

    @property
    def words(self) -> Text:
        return text(f"says.{self.who}.{self.moment}.{self.line}")

    def as_dict(self) -> dict:
        return {
            "hand_number": self.hand + 1,
            "moves": self.moves,
            "seat": self.seat,
            "moment": self.moment,
            "mood": MOODS[self.moment][0],
            "words": self.words,
        }


class Remarks:
    """The remarks of one table. seed: decides who speaks and which line; it reveals nothing about the deals."""

    def __init__(self, seed: int):
        self._seed = seed
        self._known: list[tuple[PlayedHand, list[Remark]]] = []  # of finished hands

    def said(self, table: SeatedGame) -> list[Remark]:
        """Return all remarks so far."""
        finished, known = table.finished, self._known
        same = next((i for i, (hand, _) in enumerate(known) if i >= len(finished) or hand is not finished[i]), None)
        if same is not None:
            del known[same:]
        for hand in finished[len(known) :]:
            known.append((hand, self._of(table, hand, hand.winners(), self._before())))
        found = self._before()
        if len(table.hands) > len(finished):
            found += self._of(table, table.hands[-1], winners_so_far(table), found)
        return self._with_the_end(table, found) if table.over else found

    def _with_the_end(self, table: SeatedGame, found: list[Remark]) -> list[Remark]:
        """Add the remark at the end of the game, in place of one about the end of its last hand."""
        last = table.hands[-1]
        ends = self._spoken(table, last, [_outcomes(table)], found)
        if ends and last.result:
            found = [one for one in found if (one.hand, one.moves) != (last.number, len(last.moves))]
        return found + ends

    def shown(self, table: SeatedGame) -> list[dict]:
        """Return the remarks of this hand and the last one, of seats where no person sits now."""
        recent = table.hands[-1].number - 1
        said = [one for one in self.said(table) if one.hand >= recent and table.seats.people[one.seat] is None]
        return [one.as_dict() for one in said]

    def _before(self) -> list[Remark]:
        return [remark for _, remarks in self._known for remark in remarks]

    def _of(self, table: SeatedGame, hand: PlayedHand, winners: list[Seat], before: list[Remark]) -> list[Remark]:
        """Return the remark of a hand, if there is one. before: all remarks of earlier hands."""
        if before and before[-1].hand == hand.number - 1:
            return []
        occasions = [*broken_nils(table.rules, hand, winners), *([ends_of(table.rules, hand)] if hand.result else [])]
        return self._spoken(table, hand, occasions, before)

    def _spoken(
        self, table: SeatedGame, hand: PlayedHand, occasions: Iterable[Occasion], before: list[Remark]
    ) -> list[Remark]:
        """Return the remark at the first of these occasions at which somebody speaks."""
        used = {(one.who, one.moment, one.line) for one in before}
        for occasion in occasions:
            speakers = bots_of(hand, occasion.moves)
            weighed = sorted((self._drawn(hand, occasion, *one) * MOODS[one[0]][1], one) for one in occasion.reasons)
            for _, (moment, seat) in weighed:
                who = _character(table.seats.bots[seat]) if seat in speakers else None
                free = [n for n in range(1, _lines(who, moment) + 1) if (who, moment, n) not in used] if who else []
                if who and free:
                    if self._drawn(hand, occasion, "speaks") >= MOODS[moment][2]:
                        break
                    line = free[int(self._drawn(hand, occasion, "line") * len(free))]
                    return [Remark(hand.number, occasion.moves, seat, who, moment, line)]
        return []

    def _drawn(self, hand: PlayedHand, occasion: Occasion, *what: object) -> float:
        """Return a number from 0 up to 1, always the same for the same things."""
        named = f"{self._seed} {hand.number} {occasion.moves} {what}"
        return int.from_bytes(blake2b(named.encode(), digest_size=6).digest(), "big") / 2**48


def _outcomes(table: SeatedGame) -> Occasion:
    """Return the occasion at the end of a game; nobody speaks of a draw."""
    results = {WIN: "won", LOSS: "lost"}
    ends = [(results.get(outcome_of(table.game, seat), ""), seat) for seat in range(NUM_SEATS)]
    reasons: list[Reason] = [(moment, seat) for moment, seat in ends if moment]
    return Occasion(len(table.hands[-1].moves), tuple(reasons))


def _character(bot: str) -> str | None:
    one = character_named(bot)
    return one.key if one else None


@cache
def _lines(who: str, moment: str) -> int:
    """Return how many lines a character has for a moment."""
    found = 0
    while f"says.{who}.{moment}.{found + 1}" in catalogue():
        found += 1
    return found
