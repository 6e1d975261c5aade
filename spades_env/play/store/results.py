"""The rows behind the statistics: what each person did in a finished hand or game."""

import json
from collections.abc import Sequence

from spades_env.game.cards import NUM_SEATS, partner
from spades_env.game.state import NO_BID
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.rating import LOSS, agent_key, difficulty, margin_of, outcome_of
from spades_env.play.table.sheet import bid_is_made, is_nil, own_bid
from spades_env.play.table.table import Table


def hand_rows(table: Table, hand: PlayedHand, number: int) -> list[dict]:
    """Return a row for each person at the end of a hand; number: the hand's in the store.

    NO_BID stands for no bid on the person's own cards.
    """
    result, rules = hand.result, table.rules
    assert result
    bids = [own_bid(rules, result, seat) for seat in range(NUM_SEATS)]
    return [
        {
            "hand": number,
            "key": table.key,
            "seat": seat,
            "person": person,
            "bid": NO_BID if bids[seat] is None else bids[seat],
            "tricks": result.tricks[seat],
            "nil": is_nil(rules, result, seat),
            "blind": result.blind[seat],
            "made": bid_is_made(rules, result, rules.side(seat)),
            "bags": result.overtricks[rules.side(seat)] if rules.bag_limit is not None else 0,
        }
        for seat, person in enumerate(table.seats.people)
        if person
    ]


def game_rows(table: Table, ended: str) -> list[dict]:
    """Return a row for each person at the end of a game."""
    side, playing = table.rules.side, [bot and agent_key(bot) for bot in table.seats.playing()]
    return [
        {
            "key": table.key,
            "seat": seat,
            "person": person,
            "ended": ended,
            "outcome": outcome_of(table.game, seat),
            "margin": margin_of(table.game, seat),
            "hands": len(table.finished),
            "difficulty": difficulty(table.rules, seat, playing),
            "partner": playing[partner(seat)] if table.rules.partners else None,
            "opponents": json.dumps([bot for other, bot in enumerate(playing) if bot and side(other) != side(seat)]),
            **table.help_of(seat),
            "moved_for": table.moved_for(seat),
        }
        for seat, person in enumerate(table.seats.people)
        if person
    ]


def is_forfeit(counted: bool, people: Sequence[str | None], played: bool) -> bool:
    """Is an unfinished game lost by abandoning it? played: was a hand of it ever finished, taken back or not?

    Nobody loses by the decision of another person, so games of several people are never lost like this.
    """
    return counted and played and sum(person is not None for person in people) == 1


def forfeit_rows(table: Table, ended: str) -> list[dict]:
    """Return the rows of an abandoned game, which is lost whatever the score."""
    return [
        row | {"outcome": LOSS, "margin": min(row["margin"], 0), "hands": max(row["hands"], 1)}
        for row in game_rows(table, ended)
    ]
