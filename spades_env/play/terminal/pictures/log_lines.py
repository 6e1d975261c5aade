"""What happened, line by line: for the log, and for screen readers.

event_lines(before, after)     between two views, one step or a claim apart
remark_lines(view, heard)      what characters say about it
turn_words(view), bids_words(view), trick_words(view, trick), score_words(view), advice_words(...)
"""

from collections.abc import Mapping, Sequence

from spades_env.game.cards import card
from spades_env.play.daily.comparison import is_complete, verdict
from spades_env.play.table.hands import CLAIM
from spades_env.play.table.seats import card_text, own
from spades_env.play.terminal.pictures.cards import face, nil_words
from spades_env.play.terminal.words import said, spoken
from spades_env.play.texts import grouped, number

LEAST = 0.01  # actions with a shorter bar are left out


def event_lines(before: dict | None, after: dict) -> list[str]:
    """Return a line for every event since the view before; without one, say how the table stands."""
    if before is None or before["key"] != after["key"]:
        return [dealt_words(after), *([turn_words(after)] if after["events"] else [])]
    if after["hand_number"] > before["hand_number"]:
        return [*_end_of_hand(before, after), dealt_words(after)]
    if before["hand_number"] > after["hand_number"] or len(after["events"]) < len(before["events"]):
        return [f"{said('speech.taken_back')} {turn_words(after)}"]
    news = after["events"][len(before["events"]) :]
    lines = [event["words"] for event in news if event["by"] != CLAIM]
    if any(event["by"] == CLAIM for event in news):
        lines.append(of_seat(after, news[0]["seat"], "terminal.claims"))
    lines += [trick_won(after, trick) for trick in after["tricks"][len(before["tricks"]) :][:1]]
    if after["outcome"] and not before["outcome"]:
        lines += [*sheet_lines(after["sheet"][len(before["sheet"]) :]), *end_lines(after)]
    return lines


def remark_lines(view: dict, heard: set[str]) -> list[str]:
    """Return what characters have said that was not heard yet, and note it in `heard`."""
    news = [one for one in view["remarks"] if one["words"] not in heard]
    heard |= {one["words"] for one in news}
    return [said("said", who=called(view, one["seat"]), words=one["words"]) for one in news]


def dealt_words(view: dict) -> str:
    return of_seat(view, view["dealer"], "terminal.dealt", hand=view["hand_number"])


def turn_words(view: dict) -> str:
    if not view["trick"]["cards"]:
        return view["prompt"]
    return said("speech.table", prompt=view["prompt"], trick=trick_words(view, view["trick"]))


def bids_words(view: dict) -> str:
    return "; ".join(f"{seat['called']}: {_status_words(seat)}" for seat in view["seats"])


def called(view: dict, seat: int) -> str:
    """Return a seat's person as the viewer reads the name."""
    return next(one["called"] for one in view["seats"] if one["seat"] == seat)


def of_seat(view: dict, seat: int, key: str, **more: object) -> str:
    """Return a sentence about a seat; it speaks to the viewer if the seat is theirs."""
    return said(own(key, seat == view["seat"]), who=called(view, seat), **more)


def trick_words(view: dict, trick: dict) -> str:
    return ", ".join(f"{called(view, play['seat'])} {face(play['card'])}" for play in trick["cards"])


def trick_won(view: dict, trick: dict) -> str:
    return of_seat(view, trick["winning"], "terminal.wins")


def score_words(view: dict) -> str:
    """Return the scores of the sides: You & Zofia 120, 3 of 10 bags."""
    sides = []
    for side in view["sides"]:
        bags = [said("bags_of", bags=side["bags"], count=side["bag_limit"])] if side["bag_limit"] is not None else []
        sides.append(", ".join([f"{side['called']} {number(side['score'])}", *bags]))
    return "; ".join(sides)


def sheet_lines(sheet: Sequence[dict]) -> list[str]:
    """Explain finished hands, one line for each side."""
    return [_sheet_line(hand["hand_number"], side) for hand in sheet for side in hand["sides"]]


def _sheet_line(hand: int, side: dict) -> str:
    points = f"{'+' * (side['points'] >= 0)}{number(side['points'])}"
    return said(
        "terminal.sheet", hand=hand, side=side["called"], words=side["words"], points=points, score=side["score"]
    )


def end_lines(view: dict) -> list[str]:
    """Say how the game ended."""
    end = view["outcome"]
    lines = [said("terminal.time_up")] * end["time_is_up"]
    known = view["daily"] and is_complete(view["daily"])
    result = spoken(verdict(view["daily"])) if known else said(f"end.{end['outcome']}")
    lines.append(f"{result}, {score_words(view)}")
    if end["standing"] is not None:
        lines.append(f"{said('end.standing')}: {spoken(grouped(end['standing']))}")
    return lines


def advice_words(advice: Mapping, nil: bool, blind: bool = False) -> str:
    """Put advice in a line: Chance to win the game: Q♦ 58.2%, 5♥ 57.6%. blind: are the cards not seen yet?"""
    shown = [one for one in advice["hint"][:4] if one["bar"] >= LEAST]
    best = [f"{action_text(one['action'], nil, blind)} {one['words']}" for one in shown]
    by = "" if advice["by"] in advice["heading"] else f" ({advice['by']})"
    return f"{advice['heading']}{by}: {', '.join(best)}"


def action_text(action: str, nil: bool = True, blind: bool = False) -> str:
    """Return an action's short text: A♠, bid 4, nil, bid blind 7."""
    if action.startswith("bid:") and blind:
        return said("bid_blind", bid=action[4:])
    if action.startswith("bid:"):
        return said("plate.nil") if nil and action == "bid:0" else said("bid_number", bid=action[4:])
    return said(f"action.{action}") if action in ("look", "blind") else face(action)


def _end_of_hand(before: dict, after: dict) -> list[str]:
    """Return the lines of a hand's last cards or of its claim, and of its points."""
    tricks = (after["previous"] or {"tricks": []})["tricks"]
    known = 4 * len(before["tricks"]) + len(before["trick"]["cards"])
    rest = [play for trick in tricks for play in trick["cards"]][known:]
    if len(rest) > 4:
        lines = [of_seat(after, rest[0]["seat"], "terminal.claims")]
    else:
        lines = [of_seat(after, play["seat"], "move.plays", card=card_text(card(play["card"]))) for play in rest]
        lines += [trick_won(after, tricks[-1])] * bool(rest)
    return [*lines, *sheet_lines(after["sheet"][len(before["sheet"]) :])]


def _status_words(seat: dict) -> str:
    if seat["contract"] != "own":
        return said(f"plate.by_{seat['contract']}", bid=seat["bid"] or 0, tricks=seat["tricks"])
    if seat["bid"] is None:
        return said("plate.no_bid")
    if not seat["nil"]:
        return said("stats.of", part=seat["tricks"], all=seat["bid"])
    key = "terminal.nil_alive" if seat["nil"]["alive"] else "terminal.nil_broken"
    return said(key, nil=nil_words(seat["nil"]["kind"]), tricks=seat["tricks"])
