"""What the page or the terminal shows to one seat: plain data for JSON, nothing in it that the seat may not know.

Cards and actions are words ("AS", "bid:4"), seats numbers from 0 South clockwise; `seats` and `sides` begin with the
own one. All of it is made from the seat's `View` and from what everybody at the table has seen.

    rules          text, plain words, trumps highest first
    phase, turn, prompt, legal, refused     whose turn, what may be done, why the other cards may not be played
    lanes          the own cards by suit, strongest first; none before the seat has looked
    seats, sides   who plays, bids, tricks, nils, bags, scores
    trick, tricks, previous                 the trick on the table, those before it, those of the hand before
    nil, blind_nil, passing                 what a bid of 0 is worth, what is offered or asked, else None
    sheet, graph   finished hands explained; scores from hand to hand
    events         what was done in this hand, in words
    fair, clock    commitments, and what they rest on; seconds left, and those for every move
    help, can      hints and takebacks used; what else may be done
    unsettled      whether a review would end the takebacks of finished hands
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from play.claim import sure_order
from play.fairness import drawn_words
from play.hands import Deed, Hand
from play.rule_words import rule_words
from play.sheet import sheet_line
from play.standing import (
    DRAW,
    LOSS,
    WIN,
    bot_name,
    difficulty,
    margin_of,
    outcome_of,
    stars,
    tournament_standing,
)
from spades_env import Rules
from spades_env.captions import (
    cards_held,
    few_bags_left,
    nil_is_broken,
    progress,
    prompt,
    seat_status,
    seats_from,
    side_status,
    sides_from,
    sorted_hand,
    suit_of,
)
from spades_env.cards import (
    BID_ZERO,
    BLIND_NIL,
    LOOK,
    NUM_CARDS,
    SEATS,
    SUITS,
    TRUMP_ORDERS,
    Card,
    Seat,
    Side,
    action_name,
    card_name,
    card_words,
    partner,
)
from spades_env.facts import side_name
from spades_env.view import View

if TYPE_CHECKING:
    from play.table import Table


def seat_view(table: "Table", seat: Seat) -> dict:
    """All that the person at a seat may know."""
    view = table.game.view(seat)
    to_move = not view.over and view.turn == seat and table.seats.people[seat] is not None
    return {
        "key": table.key,
        "version": table.version,
        "seat": seat,
        "rules": dict(_rules(view.rules)),
        "progress": progress(view),
        "hand_number": view.hand_number + 1,
        "phase": view.phase,
        "dealer": view.dealer,
        "turn": None if view.over else view.turn,
        "your_turn": to_move,
        "prompt": _prompt(table, view),
        "legal": [action_name(action) for action in table.legal(view)] if to_move else [],
        "refused": _refused(table, view) if to_move else {},
        "lanes": [{"suit": SUITS[suit_of(view, lane[0])], "cards": _names(lane)} for lane in sorted_hand(view)],
        "seats": [_seat(table, view, other) for other in seats_from(view)],
        "sides": [_side(view, side) for side in sides_from(view)],
        "broken": view.spades_broken,
        **_tricks(table, view),
        "nil": _nil(view) if to_move else None,
        "blind_nil": _blind_nil(table, view) if to_move else None,
        "passing": _passing(view),
        "sheet": [_sheet(hand, view) for hand in table.finished],
        "graph": [list(table.hands[0].start.scores), *(hand.result.scores for hand in table.finished if hand.result)],
        "events": [_event(deed, seat, view.rules) for deed in table.hands[-1].deeds],
        "outcome": _outcome(table, view),
        "fair": table.commitments | {"words": drawn_words(table.commitments)},
        "clock": table.clock.left() | {"per_move": table.clock.move, "running": table.clock.running},
        "help": {"hints": _count(table.hints, seat), "takebacks": _count(table.takebacks, seat)},
        "can": {
            "takeback": len(table.own_moves(seat)),
            "hint": to_move,
            "claim": to_move and sure_order(view) is not None,
        },
        "unsettled": table.unsettled,
        "difficulty": difficulty(view.rules, seat, table.seats.playing()),
    }


def _prompt(table: "Table", view: View) -> str:
    """Who is to do what; a blind nil is not offered on cards that a takeback left known."""
    known = view.phase == "blind" and view.turn == view.seat and BLIND_NIL not in table.legal(view)
    return "Your turn: look at your cards." if known else prompt(view)


@lru_cache
def _rules(rules: Rules) -> dict:
    """What holds at the table, and the trumps, highest first."""
    return {"text": str(rules), "words": rule_words(rules), "trumps": _names(list(TRUMP_ORDERS[rules.trumps]))}


def _refused(table: "Table", view: View) -> dict[str, str]:
    """Why each own card that is not legal may not be played."""
    if view.phase not in ("pass", "play"):
        return {}
    legal = table.legal(view)
    return {card_name(card): table.why_refused(view, card) for card in view.hand if card not in legal}


def _seat(table: "Table", view: View, seat: Seat) -> dict:
    """What everybody sees of a seat."""
    kind = "blind nil" if view.blind[seat] else "nil" if view.nils[seat] else None
    bot = table.seats.bots[seat]
    return {
        "seat": seat,
        "name": SEATS[seat],
        "who": table.seats.name(seat),
        "person": table.seats.people[seat] is not None,
        "bot": {"name": bot_name(bot), "agent": bot, "stars": stars(bot)},
        "side": view.rules.side(seat),
        "dealer": seat == view.dealer,
        "bid": view.bids[seat],
        "tricks": view.tricks[seat],
        "status": seat_status(view, seat),
        "nil": {"kind": kind, "alive": not nil_is_broken(view, seat)} if kind else None,
        "looked": view.looked[seat],
        "cards": cards_held(view, seat),
    }


def _side(view: View, side: Side) -> dict:
    """What everybody sees of a side."""
    return {
        "side": side,
        "name": side_name(view.rules, side),
        "seats": list(view.rules.seats(side)),
        "score": view.scores[side],
        "status": side_status(view, side),
        "bags": view.bags[side] if view.rules.bag_limit is not None else None,
        "bag_limit": view.rules.bag_limit,
        "few_bags_left": few_bags_left(view, side),
    }


def _tricks(table: "Table", view: View) -> dict:
    """The trick on the table, the earlier ones of the hand, and all of the hand before."""
    played = view.tricks_played
    winners = [*(trick[0][0] for trick in played[1:]), view.leader]
    return {
        "trick": _trick(view.table, view.winning) | {"leader": view.leader},
        "tricks": [_trick(trick, winner) for trick, winner in zip(played, winners, strict=False)],
        "previous": _previous(table.hands[-2]) if len(table.hands) > 1 else None,
    }


def _trick(trick: list[tuple[Seat, Card]], winning: Seat | None) -> dict:
    return {"cards": [{"seat": seat, "card": card_name(card)} for seat, card in trick], "winning": winning}


def _previous(hand: Hand) -> dict:
    """The hand before with its tricks, for a last look at its end."""
    assert hand.result
    told = [_trick(trick, winner) for trick, winner in zip(hand.tricks(), hand.winners(), strict=True)]
    return {"hand_number": hand.number + 1, "bids": hand.result.bids, "taken": hand.result.tricks, "tricks": told}


def _nil(view: View) -> dict | None:
    """What a bid of 0 is worth, where it is a nil."""
    if view.phase != "bid" or not view.rules.nil:
        return None
    bonus = view.rules.nil_bonus
    return {"bonus": bonus, "words": f"Bid nil, no trick at all: +{bonus} or −{bonus}."}


def _blind_nil(table: "Table", view: View) -> dict | None:
    """The offer to bid before the cards are seen, and what it is worth."""
    if view.phase != "blind" or BLIND_NIL not in table.legal(view):
        return None
    rules, side = view.rules, view.rules.side(view.seat)
    behind = max(score for other, score in enumerate(view.scores) if other != side) - view.scores[side]
    bonus = rules.blind_nil_bonus
    where = f"You are {behind} points behind" if behind else "You are not ahead"
    words = f"{where}. Bid nil before you see your cards: +{bonus} or −{bonus}."
    if rules.blind_nil_pass:
        count = f"{rules.blind_nil_pass} card{'s' * (rules.blind_nil_pass > 1)}"
        words += f" You and {SEATS[partner(view.seat)]} then give each other {count}."
    return {"bonus": bonus, "behind": behind, "pass": rules.blind_nil_pass, "words": words}


def _passing(view: View) -> dict | None:
    """Cards on their way to or from the partner."""
    passes = view.blind[view.seat] or view.blind[partner(view.seat)]
    if not passes or (view.phase != "pass" and not view.given):
        return None
    return {
        "to": partner(view.seat),
        "count": view.rules.blind_nil_pass,
        "given": _names(view.given),
        "received": _names(view.received),
    }


def _sheet(hand: Hand, view: View) -> dict:
    sides = [sheet_line(view.rules, hand, side) for side in sides_from(view)]
    return {"hand_number": hand.number + 1, "sides": sides}


def _event(deed: Deed, seat: Seat, rules: Rules) -> dict:
    """What was done; which cards others pass is theirs to know."""
    hidden = deed.phase == "pass" and deed.seat != seat
    action = None if hidden else action_name(deed.action)
    words = _words(deed, hidden, rules)
    return {"seat": deed.seat, "phase": deed.phase, "action": action, "by": deed.by, "words": words}


def _words(deed: Deed, hidden: bool, rules: Rules) -> str:
    """One move as it is said: "East plays the ten of hearts"."""
    name = SEATS[deed.seat]
    if deed.action < NUM_CARDS:
        card = "a card" if hidden else f"the {card_words(deed.action).removeprefix('the ')}"
        return f"{name} {'passes' if deed.phase == 'pass' else 'plays'} {card}"
    if deed.action == LOOK:
        return f"{name} looks at the cards"
    bid = "nil" if deed.action == BID_ZERO and rules.nil else deed.action - BID_ZERO
    return f"{name} bids {'blind nil' if deed.action == BLIND_NIL else bid}"


def _outcome(table: "Table", view: View) -> dict | None:
    """How the game ended for the seat."""
    if not view.over:
        return None
    outcome, margin = outcome_of(table.game, view.seat), margin_of(table.game, view.seat)
    word = {WIN: "win", DRAW: "draw", LOSS: "loss"}[outcome]
    told = {"outcome": word, "margin": margin, "time_is_up": table.game.timed_out, "standing": None}
    if view.rules.time_limit_s is not None:
        told["standing"] = tournament_standing(outcome, len(table.finished), margin)
    return told


def _names(held: list[Card]) -> list[str]:
    return [card_name(card) for card in held]


def _count(counter, seat: Seat) -> int:
    return sum(count for (_, who), count in counter.items() if who == seat)
