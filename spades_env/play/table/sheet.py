"""The score sheet, with every number explained: "bid 5, took 7: 50 + 2 bags; bags 9 + 2: −100".

A line consists of items, each a few words with points. The points add up to what the side scored in the hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spades_env.game.cards import NUM_SEATS, NUM_TRICKS, SEATS, Seat, Side
from spades_env.game.facts import HandResult, side_name
from spades_env.game.rules import Rules
from spades_env.game.scoring import contract_of
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.seats import Names, own, side_called
from spades_env.play.texts import Text, text

TEN = 10  # the least bid that `ten_points` are for


def _joined(words: list[str]) -> str:
    return text("sheet.line", items=words)


@dataclass(frozen=True)
class Item:
    """One reason for points. moment: set, made, nil_made or bags, where it is one of these; seat: whose nil it is."""

    words: str
    points: int
    moment: str = ""
    seat: Seat | None = None


def sheet_line(
    rules: Rules, hand: PlayedHand, side: Side, names: Names | None = None, seat: Seat | None = None
) -> dict:
    """Return what a side scored in a finished hand, as plain data; names: as the person at a seat reads them."""
    assert hand.result
    names = names or list(SEATS)
    found = items(rules, hand.result, hand.start.bags, side, names, seat)
    return {
        "side": side,
        "name": side_name(rules, side),
        "called": side_called(rules, side, names, seat),
        "words": _joined([item.words for item in found]),
        "items": [{"words": item.words, "points": item.points} for item in found],
        "points": hand.result.points[side],
        "bags": hand.result.bags[side],
        "score": hand.result.scores[side],
    }


def items(
    rules: Rules,
    result: HandResult,
    bags_before: Sequence[int],
    side: Side,
    names: Names | None = None,
    viewer: Seat | None = None,
) -> list[Item]:
    """Return every reason why a side's score changed; bags_before: the bags of all sides before the hand."""
    names = names or list(SEATS)
    contract = _tricks(result, rules.seats(side)) if bids_itself(result) else _contract(rules, result, side)
    sides = [side, *(other for other in range(rules.sides) if other != side)]
    penalties = [
        _penalty(rules, result, bags_before, full, side, side_called(rules, full, names, viewer)) for full in sides
    ]
    found = [contract, *_nils(rules, result, side, names, viewer), _slam(rules, result, side), *penalties]
    return [item for item in found if item]


def is_nil(rules: Rules, result: HandResult, seat: Seat) -> bool:
    return result.blind[seat] or (rules.nil and result.bids[seat] == 0)


def bids_itself(result: HandResult) -> bool:
    """Was this a hand without bids?"""
    return all(bid is None for bid in result.bids)


def is_bid_for_both(rules: Rules, result: HandResult, side: Side) -> bool:
    """Did one partner bid for both, before they saw their cards?"""
    return rules.partners and not bids_itself(result) and any(result.bids[seat] is None for seat in rules.seats(side))


def own_bid(rules: Rules, result: HandResult, seat: Seat) -> int | None:
    """Return what a seat bid on its own cards; None where it made no such bid."""
    return None if is_bid_for_both(rules, result, rules.side(seat)) else result.bids[seat]


def bid_is_made(rules: Rules, result: HandResult, side: Side) -> bool:
    """Did the side make its bid, with the tricks of failed nils where they count?"""
    bid, own, helped = _taken(rules, result, side)
    return own + helped >= bid


def _contract(rules: Rules, result: HandResult, side: Side) -> Item | None:
    """Return the item of the side's bid and its overtricks; None if everybody bid nil."""
    bid, own, helped = _taken(rules, result, side)
    if not helped and all(is_nil(rules, result, seat) for seat in rules.seats(side)):
        return None
    over = own + helped - bid
    called, worth = _worth(rules, bid, is_bid_for_both(rules, result, side))
    points = worth if over >= 0 else -worth
    words, extra = _overtricks(rules, 0 if is_ten(rules, bid) else max(0, over))
    key = "sheet.contract_helped" if helped else "sheet.contract"
    said = text(key, bid=called, took=own, helped=helped, points=points, more=words)
    return Item(said, points + extra, "made" if over >= 0 else "set")


def bid_points(rules: Rules, bid: int) -> int:
    """Return the points that a bid scores if it is made and costs if it is not, before a blind bid is doubled."""
    return (rules.ten_points or 0) if is_ten(rules, bid) else 10 * bid


def _worth(rules: Rules, bid: int, blind: bool) -> tuple[Text | int, int]:
    """Return a bid in words with what is special about it, and the points it scores or costs."""
    kind, points = f"{'_blind' * blind}{'_ten' * is_ten(rules, bid)}", bid_points(rules, bid)
    return text(f"sheet.bid{kind}", bid=bid, points=points) if kind else bid, points * (1 + blind)


def is_ten(rules: Rules, bid: int) -> bool:
    """Is this a bid of ten or more, where these have a price of their own?"""
    return rules.ten_points is not None and bid >= TEN


def _tricks(result: HandResult, seats: Sequence[Seat]) -> Item:
    """Return the item of the tricks of a side in a hand without bids."""
    took = sum(result.tricks[seat] for seat in seats)
    return Item(text("sheet.bids_itself", count=took, points=10 * took), 10 * took)


def _slam(rules: Rules, result: HandResult, side: Side) -> Item | None:
    all_won = sum(result.tricks[seat] for seat in rules.seats(side)) == NUM_TRICKS
    if rules.slam_points is None or not all_won:
        return None
    return Item(text("sheet.slam", points=f"+{rules.slam_points}"), rules.slam_points)


def _nils(rules: Rules, result: HandResult, side: Side, names: Names, viewer: Seat | None) -> list[Item]:
    """Return the items of a side's nils; one for two that both partners made, where these have a price of their own."""
    seats = rules.seats(side)
    nils = [seat for seat in seats if is_nil(rules, result, seat)]
    made = [seat for seat in nils if not result.blind[seat] and not result.tricks[seat]]
    if rules.double_nil_points is not None and len(made) == len(seats) == 2:
        both = text("sheet.double_nil", points=f"+{rules.double_nil_points}")
        return [Item(both, rules.double_nil_points, "nil_made", seats[0])]
    return [_nil(rules, result, seat, names[seat], seat == viewer) for seat in nils]


def _nil(rules: Rules, result: HandResult, seat: Seat, who: str, is_own: bool) -> Item:
    """Return the item of a nil, made or failed, with its tricks where they are overtricks."""
    kind, bonus = ("blind", rules.blind_nil_bonus) if result.blind[seat] else ("nil", rules.nil_bonus)
    taken = result.tricks[seat]
    if not taken:
        words = text(own(f"sheet.{kind}_made", is_own), who=who, points=f"+{bonus}")
        return Item(words, bonus, "nil_made", seat)
    side = rules.side(seat)
    beside_made = rules.failed_nil_tricks == "overtricks" and bid_is_made(rules, result, side)
    beside_ten = is_ten(rules, _taken(rules, result, side)[0])
    counted = taken if not beside_ten and (rules.failed_nil_tricks == "bags" or beside_made) else 0
    words, extra = _overtricks(rules, counted)
    words = text(own(f"sheet.{kind}_failed", is_own), who=who, took=taken, points=-bonus, more=words)
    return Item(words, extra - bonus)


def _penalty(
    rules: Rules, result: HandResult, bags_before: Sequence[int], full: Side, side: Side, called: str
) -> Item | None:
    """Return the item of the penalty for the bags of the side `full` in the score of `side`."""
    if rules.bag_limit is None:
        return None
    before, more = bags_before[full], result.overtricks[full]
    times = (before + more) // rules.bag_limit
    is_own = full == side
    if not times or is_own != (rules.bag_penalty_to == "self"):
        return None
    points = times * rules.bag_penalty * (-1 if is_own else 1)
    key = "sheet.penalty" if is_own else "sheet.penalty_others"
    words = text(key, side=called, before=before, more=more, points=points)
    return Item(words, points, "bags" if is_own else "")


def _taken(rules: Rules, result: HandResult, side: Side) -> tuple[int, int, int]:
    """Return the side's bid, the tricks of its bidders, and those of failed nils that count towards it."""
    nils = [is_nil(rules, result, seat) for seat in range(NUM_SEATS)]
    return contract_of(rules, result.bids, nils, result.tricks, side)


def _overtricks(rules: Rules, count: int) -> tuple[str, int]:
    """Return words such as " + 2 bags", and their points."""
    if not count:
        return "", 0
    noun = "bags" if rules.bag_limit is not None else "overtricks"
    sign = {1: " +", 0: ",", -1: " −"}[rules.overtrick_points]
    return text(f"sheet.{noun}", sign=sign, count=count), count * rules.overtrick_points
