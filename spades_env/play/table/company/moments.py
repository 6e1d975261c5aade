"""The moments of a hand that a character may speak of, from what everybody at the table has seen.

    nil_made, nil_broken       the speaker's nil       bold       the speaker made a bid of six or more
    partner_nil                the partner's was made  set        the speaker's side missed its bid
    their_nil, nil_caught      an opponent's was made  set_them   the other side missed its bid
                               or broken               won, lost  the game
    forgiven                   the partner's nil broke, or the side missed its bid by the partner's tricks alone

An occasion is a number of moves, and who may speak then, of what. It knows bids, open cards and points, and no card
that is still in a hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spades_env.game.cards import BID_ZERO, BLIND_NIL, NUM_SEATS, Seat, partner
from spades_env.game.facts import HandResult
from spades_env.game.rules import Rules
from spades_env.play.table.hands import BOT, CLAIM, PlayedHand
from spades_env.play.table.played_game import PlayedGame
from spades_env.play.table.sheet import bid_is_made, is_nil, own_bid

BOLD = 6  # the least bid that counts as bold
TRICK = NUM_SEATS  # cards

Reason = tuple[str, Seat]  # a moment, and who may speak of it


@dataclass(frozen=True)
class Occasion:
    """Something has happened; moves: those of the hand until then."""

    moves: int
    reasons: tuple[Reason, ...]


def bots_of(hand: PlayedHand, moves: int) -> set[Seat]:
    """Return the seats for which bots made all of their moves among the first ones of a hand."""
    own = {seat: {move.by for move in hand.moves[:moves] if move.seat == seat} for seat in range(NUM_SEATS)}
    return {seat for seat, by in own.items() if BOT in by and by <= {BOT, CLAIM}}


def broken_nils(rules: Rules, hand: PlayedHand, winners: Sequence[Seat]) -> Iterator[Occasion]:
    """Return an occasion for each nil that a trick broke. winners: of the tricks that are complete."""
    nils = _nils(rules, hand)
    before = sum(move.phase != "play" for move in hand.moves)
    for number, winner in enumerate(winners, 1):
        if winner in nils:
            nils.discard(winner)
            yield Occasion(before + number * TRICK, tuple(_of_broken_nil(rules, winner)))


def winners_so_far(table: PlayedGame) -> list[Seat]:
    """Return the winner of each complete trick of the hand on the table; each has led the next one, or is to lead."""
    tricks = table.hands[-1].tricks()
    found = [trick[0][0] for trick in tricks[1:]]
    return [*found, table.game.turn] if tricks and len(tricks[-1]) == NUM_SEATS else found


def ends_of(rules: Rules, hand: PlayedHand) -> Occasion:
    """Return the occasion at the end of a finished hand."""
    assert hand.result
    found = [reason for seat in range(NUM_SEATS) for reason in _at_the_end(rules, hand.result, seat)]
    return Occasion(len(hand.moves), tuple(found))


def _nils(rules: Rules, hand: PlayedHand) -> set[Seat]:
    bids = [move for move in hand.moves if move.phase in ("blind", "bid")]
    return {move.seat for move in bids if move.action == BLIND_NIL or (rules.nil and move.action == BID_ZERO)}


def _of_broken_nil(rules: Rules, broken: Seat) -> Iterator[Reason]:
    yield "nil_broken", broken
    for seat in range(NUM_SEATS):
        if rules.side(seat) != rules.side(broken):
            yield "nil_caught", seat
        elif seat != broken:
            yield "forgiven", seat


def _at_the_end(rules: Rules, result: HandResult, seat: Seat) -> Iterator[Reason]:
    """Return what a seat may speak of after a hand."""
    own, made = rules.side(seat), [bid_is_made(rules, result, side) for side in range(rules.sides)]
    kept = {other for other in range(NUM_SEATS) if is_nil(rules, result, other) and not result.tricks[other]}
    if seat in kept:
        yield "nil_made", seat
    if made[own] and is_bold(rules, result, seat):
        yield "bold", seat
    if rules.partners and partner(seat) in kept:
        yield "partner_nil", seat
    if any(rules.side(other) != own for other in kept):
        yield "their_nil", seat
    if not made[own]:
        yield from _of_a_set(rules, result, seat)
    elif rules.partners and not all(made):
        yield "set_them", seat


def is_bold(rules: Rules, result: HandResult, seat: Seat) -> bool:
    """Did the seat bid high, and take as much itself, or did its side do so for a bid for both?"""
    bid, own = result.bids[seat] or 0, own_bid(rules, result, seat)
    return bid >= BOLD and (own is None or own <= result.tricks[seat])


def _of_a_set(rules: Rules, result: HandResult, seat: Seat) -> Iterator[Reason]:
    """Return what a seat may say of its own side's missed bid: nothing if its own nil broke as well."""
    if result.tricks[seat] < (result.bids[seat] or 0):
        yield "set", seat
    elif not (is_nil(rules, result, seat) and result.tricks[seat]):
        yield "forgiven", seat
