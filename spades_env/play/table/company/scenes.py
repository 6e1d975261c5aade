"""What a front end makes a scene of, from what everybody at the table has seen.

nil_broken, nil_made     a seat's nil          bags     a side lost points for its bags
bold                     a seat's high bid     set      a side missed its bid
"""

from collections.abc import Iterator

from spades_env.game.cards import BLIND_NIL, Seat, Side
from spades_env.play.table.company.moments import broken_nils, is_bold, winners_so_far
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.seated_game import SeatedGame
from spades_env.play.table.seats import Names, own
from spades_env.play.table.sheet import items
from spades_env.play.texts import text


def scenes(table: SeatedGame, names: Names, viewer: Seat | None) -> list[dict]:
    """Return the scenes of this hand and the last one in their order, as plain data for a view.

    names: of the people, as the viewer reads them. The viewer's side comes first.
    """
    first = 0 if viewer is None else table.rules.side(viewer)
    found = []
    for hand in table.hands[-2:]:
        found += _broken(table, hand, names, viewer)
        for side in sorted(range(table.rules.sides), key=lambda one: one != first) if hand.result else ():
            found += _ends(table, hand, side, names, viewer)
    return found


def _broken(table: SeatedGame, hand: PlayedHand, names: Names, viewer: Seat | None) -> Iterator[dict]:
    """Return a scene for each nil that a trick broke."""
    rules = table.rules
    blind = {move.seat for move in hand.moves if move.action == BLIND_NIL}
    for occasion in broken_nils(rules, hand, hand.winners() if hand.result else winners_so_far(table)):
        seat = next(who for moment, who in occasion.reasons if moment == "nil_broken")
        words = text(own("nil.broken", seat == viewer), who=names[seat])
        points = -(rules.blind_nil_bonus if seat in blind else rules.nil_bonus)
        yield _scene(hand, occasion.moves, "nil_broken", rules.side(seat), seat, points, words)


def _ends(table: SeatedGame, hand: PlayedHand, side: Side, names: Names, viewer: Seat | None) -> Iterator[dict]:
    """Return the scenes of a side at the end of a hand."""
    rules, result = table.rules, hand.result
    assert result
    bold = next((seat for seat in rules.seats(side) if is_bold(rules, result, seat)), None)
    for item in items(rules, result, hand.start.bags, side, names, viewer):
        kind, seat = ("bold", bold) if item.moment == "made" else (item.moment, item.seat)
        if kind and not (kind == "bold" and bold is None):
            yield _scene(hand, len(hand.moves), kind, side, seat, item.points, item.words)


def _scene(hand: PlayedHand, moves: int, kind: str, side: Side, seat: Seat | None, points: int, words: str) -> dict:
    about = {"hand_number": hand.number + 1, "moves": moves, "kind": kind}
    return about | {"side": side, "seat": seat, "points": points, "words": words}
