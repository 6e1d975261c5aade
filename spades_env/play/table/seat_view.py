"""What a front end shows to one seat: plain data for JSON, and nothing that the seat may not know.

Cards and actions are words ("AS", "bid:4"). Seats are numbers clockwise from South, 0; `seats` and `sides` begin with
the viewer's. Everything comes from the seat's `View` and from what everybody at the table has seen.

    rules          text, plain words, trumps highest first
    phase, turn, prompt, legal, refused     who is to move, what may be done, why the other cards may not be played
    lanes          the seat's cards by suit, strongest first; none before the seat has looked
    seats, sides   who plays (`called`: as the viewer reads it), bids, tricks, nils, bags, scores; `contract`: whose bid
                   a seat plays for: its "own", its own blind one for "both", its "partner"'s, or none in a "hand"
    bid_so_far     what the table has bid together, of how many tricks; None before the first bid
    trick, tricks, previous                 the current trick, the earlier ones, those of the previous hand
    nil, blind_nil, blind_bid, passing      what a nil, a blind nil and a blind bid for both are worth, cards passed;
                                            None where none applies
    sheet, graph   finished hands explained; scores from hand to hand
    events         the moves of this hand in words
    scenes         what a front end makes a scene of, in this hand and the last one: see `play.table.company.scenes`
    remarks        what characters said in this hand and the last one: see `play.table.company.remarks`
    fair, clock    commitments, and what they rest on; seconds left, and seconds for each move
    help, can      hints and takebacks used; what else may be done
    unsettled      whether a review would end the takebacks of finished hands
    daily          the finished hands beside the champion's, in a daily deal
    watching       false: `play.table.company.watching` has the view of those without a seat
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from spades_env.game import cards
from spades_env.game.cards import Action, Card, Seat, Side, action_name, card_name, partner
from spades_env.game.facts import side_name
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.play.daily.comparison import compared
from spades_env.play.rule_words import rule_words
from spades_env.play.table import rating
from spades_env.play.table.claim import sure_order
from spades_env.play.table.company.scenes import scenes
from spades_env.play.table.events import event
from spades_env.play.table.fairness import drawn_words
from spades_env.play.table.prompts import is_blind_bid, prompt
from spades_env.play.table.seats import Names, names_at, side_called
from spades_env.play.table.sheet import bid_points, sheet_line
from spades_env.play.table.table import Table
from spades_env.play.texts import text
from spades_env.show import captions

OUTCOMES = {rating.WIN: "win", rating.DRAW: "draw", rating.LOSS: "loss"}


def seat_view(table: Table, seat: Seat, shown: Callable[[str], str] = str) -> dict:
    """Return everything that the person at a seat may know; shown: how others' names are shown to them."""
    names = names_at(table.seats, seat, shown)
    view = table.game.view(seat)
    may_act = not view.over and view.turn == seat and table.seats.people[seat] is not None
    legal = table.legal(view) if may_act else []
    return public_parts(table, view, names, seat) | {
        "watching": False,
        "your_turn": may_act,
        "prompt": prompt(view, names, table.legal(view)),
        "legal": [action_name(action) for action in legal],
        "refused": _refused(table, view, legal) if may_act else {},
        "lanes": _lanes(view),
        **_offers(view, legal, names),
        "passing": _passing(view),
        "outcome": _outcome(table, view) if view.over else None,
        "help": table.help_of(seat),
        "can": {
            "takeback": len(table.own_moves(seat)),
            "hint": may_act and not table.no_help,
            "claim": may_act and sure_order(view) is not None,
        },
        "daily": _daily(table, view) if table.daily else None,
        "difficulty": rating.difficulty(view.rules, seat, table.seats.playing()),
    }


def public_parts(table: Table, view: View, names: Names, viewer: Seat | None) -> dict:
    """Return what everybody at a table may know. viewer: who reads it; None: somebody without a seat."""
    return {
        "key": table.key,
        "version": table.version,
        "seat": viewer,
        "rules": dict(_rules(view.rules)),
        "progress": progress(view),
        "hand_number": view.hand_number + 1,
        "phase": view.phase,
        "dealer": view.dealer,
        "turn": None if view.over else view.turn,
        "seats": [_seat(table, view, other, names) for other in captions.seats_from(view)],
        "sides": [_side(view, side, names) for side in captions.sides_from(view)],
        "broken": view.spades_broken,
        "bid_so_far": _bid_so_far(view),
        **_tricks(view),
        "previous": _previous(table),
        **_finished_hands(table, view, names, viewer),
        "events": [event(move, viewer, view.rules, names) for move in table.hands[-1].moves],
        "scenes": scenes(table, names, viewer),
        "remarks": table.remarks.shown(table),
        "fair": table.commitments | {"words": _fair_words(table)},
        "clock": table.clock.left() | {"per_move": table.clock.move, "running": table.clock.running},
        "unsettled": table.unsettled,
    }


@lru_cache
def _rules(rules: Rules) -> dict:
    return {"text": str(rules), "words": rule_words(rules), "trumps": _names(cards.TRUMP_ORDERS[rules.trumps])}


def _names(held: Iterable[Card]) -> list[str]:
    return [card_name(card) for card in held]


# What may be done


def progress(view: View) -> str:
    """Say how far the game is: "Hand 3 · trick 5 · to 500"."""
    rules, trick = view.rules, len(view.tricks_played) + 1
    extra = rules.max_hands is None or view.hand_number >= rules.max_hands
    key = f"progress{'' if extra else '.of'}{'.trick' * (view.phase == 'play')}{'.to' * bool(rules.target)}"
    return text(key, hand=view.hand_number + 1, hands=rules.max_hands or 0, trick=trick, target=rules.target or 0)


def _refused(table: Table, view: View, legal: list[Action]) -> dict[str, str]:
    others = [card for card in view.hand if card not in legal] if view.phase in ("pass", "play") else []
    return {card_name(card): table.why_refused(view, card) for card in others}


def _offers(view: View, legal: list[Action], names: Names) -> dict:
    """Describe the bids that carry a risk of their own, as far as they may be made now."""
    is_nil = view.phase == "bid" and view.rules.nil and cards.BID_ZERO in legal
    blind = _blind_nil(view, names) if cards.BLIND_NIL in legal else None
    blind_bids = [action - cards.BID_ZERO for action in legal if is_blind_bid(view.phase, action)]
    return {
        "nil": _nil(view, names) if is_nil else None,
        "blind_nil": blind,
        "blind_bid": _blind_bid(view, blind_bids, names) if blind_bids else None,
    }


def _nil(view: View, names: Names) -> dict:
    rules = view.rules
    swaps = {"cards": text("swap", count=rules.nil_pass), "who": names[partner(view.seat)]}
    key = f"nil.offer{'_pass' * bool(rules.nil_pass)}"
    return {"bonus": rules.nil_bonus, "words": text(key, bonus=rules.nil_bonus, **swaps if rules.nil_pass else {})}


def _points_behind(view: View) -> int:
    side = view.rules.side(view.seat)
    return max(score for other, score in enumerate(view.scores) if other != side) - view.scores[side]


def _blind_bid(view: View, bids: list[int], names: Names) -> dict:
    """Describe the offer to bid for both partners before the cards are seen."""
    behind = _points_behind(view)
    about = {"behind": text("points", count=behind), "who": names[partner(view.seat)]}
    words = text("blind.both_behind" if behind else "blind.both_level", **about)
    worth = [{"bid": bid, "points": 2 * bid_points(view.rules, bid)} for bid in bids]
    asked = [one | {"words": text("blind.both_ask", **one, who=about["who"])} for one in worth]
    return {"behind": behind, "words": words, "bids": asked}


def _blind_nil(view: View, names: Names) -> dict:
    """Describe the offer to bid nil before the cards are seen."""
    rules, behind = view.rules, _points_behind(view)
    bonus = rules.blind_nil_bonus
    words = text(
        f"blind.{'behind' if behind else 'level'}{'_pass' * bool(rules.blind_nil_pass)}",
        behind=text("points", count=behind),
        bonus=bonus,
        cards=text("swap", count=rules.blind_nil_pass),
        who=names[partner(view.seat)],
    )
    return {"bonus": bonus, "behind": behind, "pass": rules.blind_nil_pass, "words": words}


def _passing(view: View) -> dict | None:
    """Return the cards passed to and from the partner if one of the two has bid nil."""
    count = view.cards_to_pass(view.seat)
    if not count or (view.phase != "pass" and not view.given):
        return None
    return {
        "to": partner(view.seat),
        "count": count,
        "given": _names(view.given),
        "received": _names(view.received),
    }


# Seats and sides


def _seat(table: Table, view: View, seat: Seat, names: Names) -> dict:
    """Return what everybody may know of a seat."""
    bot = table.seats.bots[seat]
    return {
        "seat": seat,
        "name": cards.SEATS[seat],
        "who": table.seats.name(seat),
        "called": names[seat],
        "person": table.seats.people[seat] is not None,
        "bot": {"name": rating.bot_name(bot), "agent": bot, "stars": rating.stars(bot)},
        "side": view.rules.side(seat),
        "dealer": seat == view.dealer,
        "bid": view.bids[seat],
        "contract": _contract(view, seat),
        "tricks": view.tricks[seat],
        "status": captions.seat_status(view, seat),
        "nil": _bid_nil(view, seat),
        "looked": view.looked[seat],
        "cards": captions.cards_held(view, seat),
    }


def _bid_nil(view: View, seat: Seat) -> dict | None:
    if not (view.blind[seat] or view.nils[seat]):
        return None
    return {"kind": "blind nil" if view.blind[seat] else "nil", "alive": not captions.nil_is_broken(view, seat)}


def _contract(view: View, seat: Seat) -> str:
    """Return whose bid a seat plays for."""
    if view.bids_itself:
        return "hand"
    if not view.blind_contracts[view.rules.side(seat)]:
        return "own"
    return "partner" if view.bids[seat] is None else "both"


def _bid_so_far(view: View) -> dict | None:
    bids = [bid for bid in view.bids if bid is not None]
    return {"bid": sum(bids), "of": cards.NUM_TRICKS, "all": view.phase not in ("blind", "bid")} if bids else None


def _side_status(view: View, side: Side) -> str:
    """Return tricks won and bid; a blind bid is marked by its double, a broken nil by ✗, which need no translation."""
    status = captions.side_status(view, side, broken=" ✗")
    return status.replace("blind", "×2") if view.blind_contracts[side] else status


def _side(view: View, side: Side, names: Names) -> dict:
    return {
        "side": side,
        "name": side_name(view.rules, side),
        "called": side_called(view.rules, side, names, view.seat),
        "seats": list(view.rules.seats(side)),
        "score": view.scores[side],
        "status": _side_status(view, side),
        "bags": view.bags[side] if view.rules.bag_limit is not None else None,
        "bag_limit": view.rules.bag_limit,
        "few_bags_left": captions.few_bags_left(view, side),
    }


# Cards and hands


def _lanes(view: View) -> list[dict]:
    lanes = captions.sorted_hand(view)
    return [{"suit": cards.SUITS[captions.suit_of(view, lane[0])], "cards": _names(lane)} for lane in lanes]


def _tricks(view: View) -> dict:
    """Return the current trick and the earlier ones of the hand. Each winner leads the next trick."""
    played = view.tricks_played
    winners = [*(trick[0][0] for trick in played[1:]), view.leader]
    return {
        "trick": _trick(view.table, view.winning) | {"leader": view.leader},
        "tricks": [_trick(trick, winner) for trick, winner in zip(played, winners, strict=False)],
    }


def _trick(trick: list[tuple[Seat, Card]], winning: Seat | None) -> dict:
    return {"cards": [{"seat": seat, "card": card_name(card)} for seat, card in trick], "winning": winning}


def _previous(table: Table) -> dict | None:
    """Return the previous hand with its tricks, for a last look at its end."""
    if len(table.hands) == 1:
        return None
    hand = table.hands[-2]
    assert hand.result
    tricks = [_trick(trick, winner) for trick, winner in zip(hand.tricks(), hand.winners(), strict=True)]
    return {"hand_number": hand.number + 1, "bids": hand.result.bids, "taken": hand.result.tricks, "tricks": tricks}


def _finished_hands(table: Table, view: View, names: Names, viewer: Seat | None) -> dict:
    """Return the score sheet, and the scores before the first hand and after each."""
    sides, scores = captions.sides_from(view), [hand.result.scores for hand in table.finished if hand.result]
    sheet = [
        {
            "hand_number": hand.number + 1,
            "sides": [sheet_line(view.rules, hand, side, names, viewer) for side in sides],
        }
        for hand in table.finished
    ]
    return {"sheet": sheet, "graph": [list(table.hands[0].start.scores), *scores]}


def _fair_words(table: Table) -> list[str]:
    words = drawn_words(table.commitments)
    return [*words, text("fairness.daily")] if table.daily else words


def _daily(table: Table, view: View) -> dict:
    assert table.daily
    points = [hand.result.points for hand in table.finished if hand.result]
    return compared(table.daily, points, view.rules.side(view.seat))


def _outcome(table: Table, view: View) -> dict:
    """Return how the game ended for the seat; standing: see `play.table.rating`, in timed games with a hand only."""
    outcome, margin = rating.outcome_of(table.game, view.seat), rating.margin_of(table.game, view.seat)
    ranked = view.rules.time_limit_s is not None and table.finished
    place = rating.tournament_standing(outcome, len(table.finished), margin) if ranked else None
    ended = {"outcome": OUTCOMES[outcome], "margin": margin, "time_is_up": table.game.timed_out, "standing": place}
    return ended | {"rated": table.counted and rating.is_rated(view.rules)}
