"""Positions made by hand, for reasons and grades: South's cards, all bids, and what was played."""

import random

from spades_env import Game
from spades_env.agents.measures import CHANCE
from spades_env.game.cards import BID_ZERO, SPADES, Card, card, cards, deck
from spades_env.game.view import View
from spades_env.play.coach.why import explain
from spades_env.play.texts import Text

NO_BLIND = "match first_lead=left_of_dealer"
HAND = "AS 9S 4S 2S KH 8H 3H AD 7D 2D QC 6C 5C"
LOW = "9S 4S 2S 8H 3H 2H 9D 7D 2D QC 6C 5C 3C"
NO_LOW = "9S 4S 3S KH 8H 9D 7D 2D QC 6C 5C 3C 4C"
NO_CLUBS = "AS 9S 4S 2S KH 8H AD 7D 6D 5D 4D 3D 2D"
ONE_HEART = "AS 9S 4S 2S 8H AD KD 7D 6D 5D 4D 3D 2D"
SIX_SPADES = "AS 9S 6S 5S 4S 2S 8H AD 7D 2D QC 6C 5C"
SPADES_LONG = "KS QS JS TS 9S 8S 7S 3S 3H 3D 2D 3C 2C"
NO_NIL = f"{NO_BLIND} nil=false"
ANY_LEAD = f"{NO_BLIND} spades_lead=any"
OUT_OF_HEARTS = "3H 4H 5D 6H TD AD 3D 4D"  # North is
WEST_OUT = "3H 5D 4H 6H TD AD 3D 4D"
OURS, MINE, PARTNERS, THEIRS = "3 4 3 3", "0 4 4 4", "4 4 0 4", "4 0 4 4"  # bids: no nil, or whose
MADE = "0 4 0 4"  # without nils: a bid of nothing is made


def position(hand: str, bids: str, played: str = "", rules: str = NO_BLIND, **start) -> View:
    """South's view. hand: its cards, those played included; bids: South to East, none in a hand without; played: cards
    in order, by which the last trick comes to South. Nobody else holds a card of a suit that they didn't follow.
    """
    done, suit = [card(name) for name in played.split()], lambda one: SPADES if one >= 39 else one // 13
    leader = next(one for one in range(4) if _turn(done, one) == 0)
    owners, seats, order = dict.fromkeys(cards(hand), 0), [], leader
    for number, one in enumerate(done):
        if number and number % 4 == 0:
            order = seats[number - 4 + _best(done[number - 4 : number])]
        seats.append((order + number % 4) % 4)
        owners[one] = seats[-1]
    lacks = {(seats[n], suit(done[n - n % 4])) for n, one in enumerate(done) if suit(one) != suit(done[n - n % 4])}
    rest = [one for one in deck("normal") if one not in owners]
    random.Random(1).shuffle(rest)
    for one in sorted(rest, key=lambda one: -sum(lane == suit(one) for _, lane in lacks)):
        open_seats = [s for s in (1, 2, 3) if list(owners.values()).count(s) < 13 and (s, suit(one)) not in lacks]
        owners[one] = open_seats[0]
    deal: list[list[Card]] = [[one for one, owner in owners.items() if owner == seat] for seat in range(4)]
    game = Game(rules, deal=deal, dealer=(leader - 1) % 4, seed=1, **start)
    for seat in range(leader, leader + 4) if bids else ():
        game.apply(BID_ZERO + int(bids.split()[seat % 4]))
    for one in done:
        game.apply(one)
    assert game.turn == 0
    return game.view(0)


def _turn(done: list[Card], leader: int) -> int:
    for number in range(0, len(done) - len(done) % 4, 4):
        leader = (leader + _best(done[number : number + 4])) % 4
    return (leader + len(done) % 4) % 4


def _best(trick: list[Card]) -> int:
    led = trick[0] // 13
    return max(range(4), key=lambda i: (trick[i] >= 39, trick[i] // 13 == led, trick[i]))


def bidding(hand: str, *before: int, rules: str = NO_BLIND, **start) -> View:
    """South's view once these seats have bid before it; the last of them is East."""
    held = cards(hand)
    rest = [one for one in deck("normal") if one not in held]
    deal = [held, *(rest[number::3] for number in range(3))]
    game = Game(rules, deal=deal, dealer=(3 - len(before)) % 4, seed=1, **start)
    for bid in before:
        game.apply(BID_ZERO + bid)
    assert game.turn == 0
    return game.view(0)


def said(view: View, best: str, instead: str) -> Text:
    """The reason for one card rather than another, in a game of You, Mei, Zofia and Dara."""
    weighed = [(card(best), 0.6), (card(instead), 0.5)]
    found = explain(view, weighed, CHANCE, ["You", "Mei", "Zofia", "Dara"], "Zofia", card(instead))
    assert found is not None
    return found
