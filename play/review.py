"""Afterwards: a hand step by step with all cards open, where another player would have done otherwise, the deal again.

steps(rules, hand)                               plain data, one entry before each move and one for the end
decisions(rules, hand, seat, "noor")             where the adviser would have done otherwise, and what that cost
again(table, number, seat)                       the same deal once more, also from another seat
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import agents
from play.clock import Now
from play.hands import CLAIM, Hand
from play.source import Source
from play.table import Table, TableError
from play.whatif import Loss, alike, compare
from spades_env import Game, Rules
from spades_env.cards import Action, Seat, action_name, card_name
from spades_env.facts import Position
from spades_env.record import hand_text
from spades_env.state import compile_rules

WORLDS = 64  # tried for every difference


@dataclass(frozen=True)
class Difference:
    """A move at which the adviser would have done otherwise. lost: None where the time was up."""

    number: int
    phase: str
    yours: Action
    theirs: Action
    lost: Loss | None

    def as_dict(self) -> dict:
        """As plain data, for JSON."""
        told = {"points": round(self.lost.points, 1), "doubt": round(self.lost.doubt, 1)} if self.lost else None
        yours, theirs = action_name(self.yours), action_name(self.theirs)
        return {"number": self.number, "phase": self.phase, "yours": yours, "theirs": theirs, "lost": told}


def steps(rules: Rules, hand: Hand) -> list[dict]:
    """The hand move by move, all cards open."""
    game = hand.start.game(rules)
    told = []
    for number, deed in enumerate(hand.deeds):
        move = {"seat": deed.seat, "action": action_name(deed.action), "by": deed.by}
        told.append(_position(game, number) | {"move": move, "result": None})
        game.apply(deed.action)
    end = {"number": len(told), "move": None, "result": hand.result.as_dict() if hand.result else None}
    return [*told, end if hand.result else _position(game, len(told)) | end]


def decisions(
    rules: Rules,
    hand: Hand,
    seat: Seat,
    adviser: str,
    worlds: int = WORLDS,
    seconds: float | None = None,
    now: Now = time.monotonic,
) -> Iterator[Difference | None]:
    """Where the adviser, seeing what the seat saw, would have done otherwise, decision by decision as it is found; None
    where it would have done alike. seconds: to find out what that cost.
    """
    agent, game, end = agents.load(adviser), hand.start.game(rules), now() + (seconds or 0)
    for number, deed in enumerate(hand.deeds):
        if deed.seat == seat and deed.by != CLAIM and len(game.legal_actions()) > 1:
            view = game.view(seat)
            theirs = agent.act(view)
            if theirs == deed.action or alike(view, deed.action, theirs):
                yield None
            else:
                in_time = seconds is None or now() < end
                lost = compare(view, deed.action, theirs, worlds, seed=number) if in_time else None
                yield Difference(number, deed.phase, deed.action, theirs, lost)
        game.apply(deed.action)


def again(
    table: Table,
    number: int,
    people: dict[Seat, str],
    bots: Sequence[str] | None = None,
    adviser: str | None = None,
) -> Table:
    """The deal with this number once more, from the scores it began with. It is not counted: the cards are known.

    When the game is over, what follows is dealt as it was, too, and the bots do the same, unless somebody does
    otherwise. While it goes on, other hands follow: nobody may see what is still to be dealt there.
    """
    hand = next((hand for hand in table.finished if hand.number == number), None)
    if hand is None:
        raise TableError(f"Hand {number + 1} is not finished: there is nothing to play again")
    begun = hand.start
    start = {"dealer": begun.dealer, "scores": begun.scores, "bags": begun.bags, "hand_number": number}
    bots = table.seats.bots if bots is None else bots
    source = asdict(Source.of(table.game)) if table.over or not people else {}
    return Table(
        table.rules,
        bots,
        people,
        **source,
        start=start | {"deal": begun.deal},
        adviser=adviser or table.seats.adviser,
        counted=False,
    )


def _position(game: Game, number: int) -> dict:
    """What lies on the table and in all hands before a move; lanes: clubs, diamonds, hearts, spades, highest first."""
    facts = Position(game.rules, compile_rules(game.rules), game.state)
    lanes = [[lane.replace("-", "").split() for lane in hand_text(facts, seat).split("|")] for seat in range(4)]
    return {
        "number": number,
        "phase": game.phase,
        "turn": game.turn,
        "hands": lanes,
        "bids": game.bids,
        "tricks": game.tricks,
        "trick": [{"seat": seat, "card": card_name(card)} for seat, card in game.table],
        "winning": game.winning,
        "legal": [action_name(action) for action in game.legal_actions()],
    }
