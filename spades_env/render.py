"""What a table looks like from one seat: as text, as a picture, in a window. All are drawn from a View.

    print(ansi(game.view(0)))            text, at most 77 columns wide, in colour on a terminal that has it
    rgb_array(game.view(0))              uint8[640, 960, 3]; needs pygame
    window = Window()                    needs pygame; without a display it shows nothing and does no harm
    window.show(game.view(0))

A view first becomes a Scene: every word and number in its place. Positions count clockwise from the own seat:

                2 partner
        1 left             3 right
                0 the own seat
"""

import os
import sys
from dataclasses import dataclass

import numpy as np

from spades_env.cards import BLACK_JOKER, NUM_SEATS, RANKS, SEATS, SPADES, SUIT_SYMBOLS, SUITS, TRUMP_ORDERS, Card, Seat
from spades_env.facts import side_name
from spades_env.view import View

SUIT_ORDER = (3, 2, 0, 1)  # in the hand: colours alternate
SPECIAL_TRUMPS = 6  # so many of the highest trumps are named, then the lowest
TABLE_SIZE = (960, 640)


class RenderError(ImportError):
    """There is no pygame to draw with."""


# The scene -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plate:
    """What stands at a seat, and the card before it."""

    name: str
    own: bool
    dealer: bool
    turn: bool
    status: str  # "2 / 4", "nil", "…"
    broken: bool  # a nil that has taken a trick
    cards: int  # still held
    played: Card | None
    led: bool
    winning: bool


@dataclass(frozen=True)
class SideLine:
    """A side's line on the score panel."""

    name: str
    own: bool
    won: bool
    score: int
    contract: str  # "5 / 7", "5 / 7 + nil"
    bags: int
    bag_limit: int | None


@dataclass(frozen=True)
class Scene:
    """A view in words and numbers."""

    title: str
    progress: str
    plates: list[Plate]  # by position
    sides: list[SideLine]  # the own one first
    hand: list[list[Card]]  # by suit, strongest first; empty before the seat has looked
    playable: set[Card]  # empty when it is not one's turn to play or pass
    chosen: set[Card]  # to be passed
    trumps: list[list[Card]]  # the highest and the lowest; empty when they are the usual ones
    last_trick: list[tuple[str, Card, bool]]  # who, what, did it win
    news: str  # what the last hand brought, or which cards were passed
    prompt: str


def scene(view: View) -> Scene:
    """All there is to show."""
    seats = [(view.seat + i) % NUM_SEATS for i in range(NUM_SEATS)]
    sides = dict.fromkeys(view.rules.side(seat) for seat in seats)
    return Scene(
        title=str(view.rules),
        progress=_progress(view),
        plates=[_plate(view, seat) for seat in seats],
        sides=[_side_line(view, side) for side in sides],
        hand=_sorted_hand(view),
        playable={action for action in view.legal_actions() if action in view.hand},
        chosen=set(view.given) if view.phase == "pass" else set(),
        trumps=_trumps(view.rules.trumps),
        last_trick=_last_trick(view),
        news=_news(view),
        prompt=_prompt(view),
    )


def _progress(view: View) -> str:
    rules = view.rules
    hand = f"hand {view.hand_number + 1}" + (f" of {rules.max_hands}" if rules.max_hands else "")
    trick = f"trick {min(13, len(view.tricks_played) + 1)}" if view.phase == "play" else ""
    goal = f"to {rules.target}" if rules.target else ""
    return " · ".join(words for words in (hand, trick, goal) if words)


def _plate(view: View, seat: Seat) -> Plate:
    played = dict(view.table).get(seat)
    return Plate(
        name=SEATS[seat],
        own=seat == view.seat,
        dealer=seat == view.dealer,
        turn=seat == view.turn and not view.over,
        status=_status(view, seat),
        broken=view.nils[seat] and view.tricks[seat] > 0,
        cards=13 - sum(seat == player for trick in [*view.tricks_played, view.table] for player, _ in trick),
        played=played,
        led=played is not None and seat == view.leader,
        winning=seat == view.winning,
    )


def _status(view: View, seat: Seat) -> str:
    """Tricks won and bid."""
    bid, tricks = view.bids[seat], view.tricks[seat]
    if bid is None:
        return "…"
    if not view.nils[seat]:
        return f"{tricks} / {bid}"
    return (f"{tricks} / " if tricks else "") + _nil_words(view, seat)


def _nil_words(view: View, seat: Seat) -> str:
    return "blind nil" if view.blind[seat] else "nil"


def _side_line(view: View, side: int) -> SideLine:
    limit = view.rules.bag_limit
    return SideLine(
        name=side_name(view.rules, side),
        own=view.rules.side(view.seat) == side,
        won=view.winner == side,
        score=view.scores[side],
        contract=_contract(view, side),
        bags=view.bags[side],
        bag_limit=limit,
    )


def _contract(view: View, side: int) -> str:
    """Tricks won and bid by those of the side who did not bid nil; nils behind."""
    seats = view.rules.seats(side)
    bidders = [seat for seat in seats if view.bids[seat] is not None and not view.nils[seat]]
    counted = seats if view.rules.failed_nil_tricks == "partner" else bidders
    words = [_nil_words(view, seat) for seat in seats if view.nils[seat]]
    if bidders:
        made, bid = sum(view.tricks[seat] for seat in counted), sum(view.bids[seat] or 0 for seat in bidders)
        words.insert(0, f"{made} / {bid}")
    if None in [view.bids[seat] for seat in seats]:
        words.append("…")
    return " + ".join(words)


def suit_of(card: Card, trumps: str) -> int:
    """The suit a card counts as."""
    return SPADES if card in TRUMP_ORDERS[trumps] else card // 13


def _sorted_hand(view: View) -> list[list[Card]]:
    trumps = view.rules.trumps
    order = [*TRUMP_ORDERS[trumps], *range(BLACK_JOKER, -1, -1)]
    hand = sorted(view.hand, key=order.index)
    suits = [[card for card in hand if suit_of(card, trumps) == suit] for suit in SUIT_ORDER]
    return [suit for suit in suits if suit]


def _trumps(trumps: str) -> list[list[Card]]:
    order = list(TRUMP_ORDERS[trumps])
    return [] if trumps == "normal" else [order[:SPECIAL_TRUMPS], order[-1:]]


def _last_trick(view: View) -> list[tuple[str, Card, bool]]:
    """The leader of the next trick is who won it."""
    tricks = view.tricks_played
    return [(SEATS[seat], card, seat == view.leader) for seat, card in tricks[-1]] if tricks else []


def _news(view: View) -> str:
    if view.results and (view.over or not view.tricks_played):
        result = view.results[-1]
        sides = (f"{side_name(view.rules, side)} {points:+d}" for side, points in enumerate(result.points))
        return "last hand   " + "   ".join(sides)
    if view.given and view.phase == "play":
        given, received = (" ".join(card_text(card).strip() for card in held) for held in (view.given, view.received))
        return f"passed   you gave {given}, you got {received}"
    return ""


def _prompt(view: View) -> str:
    """Who must do what; "you" is the seat whose view this is."""
    if view.over:
        return "The game is a draw." if view.winner is None else f"{side_name(view.rules, view.winner)} won the game."
    mine = view.turn == view.seat
    if view.phase == "pass":
        number = f"{len(view.given) + 1} of {view.rules.blind_nil_pass}"
        what = f"pass card {number} to {SEATS[(view.seat + 2) % NUM_SEATS]}" if mine else "passes cards"
    elif view.phase == "play":
        what = _play_words(view) if mine else "plays" if view.table else "leads"
    elif view.phase == "bid":
        what = "bid 0 to 13" if mine else "bids"
    else:
        what = "bid blind nil, or look at your cards" if mine else "bids blind nil, or looks"
    return f"Your turn: {what}." if mine else f"{SEATS[view.turn]} {what}."


def _play_words(view: View) -> str:
    legal = {suit_of(card, view.rules.trumps) for card in view.legal_actions()}
    if view.table:
        led = suit_of(view.table[0][1], view.rules.trumps)
        return f"follow {SUITS[led]}" if legal == {led} else f"you have no {SUITS[led]}, play any card"
    barred = len(view.legal_actions()) < len(view.hand)
    return "lead, but not spades: they are not broken" if barred else "lead any card"


def card_text(card: Card) -> str:
    """Three columns: " A♠", "10♥", " RJ"."""
    if card >= BLACK_JOKER:
        return " BJ" if card == BLACK_JOKER else " RJ"
    rank = RANKS[card % 13].replace("T", "10")
    return f"{rank:>2}{SUIT_SYMBOLS[card // 13]}"
