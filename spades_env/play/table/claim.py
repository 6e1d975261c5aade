"""Claims: is the leader certain to win every remaining trick, however the unseen cards lie and are played?

    sure_order(view)   the seat's cards in the order to lead them, or None

It uses only what the seat knows, so an offer to claim gives nothing away. A suit is safe if each of its cards, led from
the top, meets nothing higher: there is nothing higher, or the earlier leads have drawn every card that others hold of
the suit, even if one seat has them all. Trumps come first if others may still hold some.
"""

from spades_env.game.cards import Card
from spades_env.game.state import TRUMP_LANE
from spades_env.game.view import View
from spades_env.show.captions import takes_lowest_clubs


def sure_order(view: View) -> list[Card] | None:
    """Return the seat's cards in an order in which each wins its trick when led; None if there is no such order."""
    if view.over or view.phase != "play" or view.turn != view.seat or view.table:
        return None
    if takes_lowest_clubs(view):
        return None
    own, out = _by_lane(view, view.hand), _by_lane(view, view.unseen)
    trumps, sides = own[TRUMP_LANE], [place for lane in own[:TRUMP_LANE] for place in lane]
    if not all(_is_safe(mine, theirs) for mine, theirs in zip(own, out, strict=True)):
        return None
    to_draw = len(out[TRUMP_LANE])
    may_lead_trumps = view.spades_broken or view.rules.spades_lead == "any"
    if to_draw and sides and not (may_lead_trumps and to_draw <= len(trumps)):
        return None
    order = [*trumps, *sides] if to_draw else [*sides, *trumps]
    card_at = view.compiled_rules[0].card_at
    return [int(card_at[place]) for place in order]


def _by_lane(view: View, held: list[Card]) -> list[list[int]]:
    """Return the places of cards by suit, the strongest first."""
    places = sorted((int(view.compiled_rules[0].place[card]) for card in held), reverse=True)
    return [[place for place in places if place >> 4 == lane] for lane in range(TRUMP_LANE + 1)]


def _is_safe(mine: list[int], theirs: list[int]) -> bool:
    """Does each card, led from the top, win against what others may still hold of its suit?"""
    return all(led >= len(theirs) or place > theirs[0] for led, place in enumerate(mine))
