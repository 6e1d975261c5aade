"""Reasons for a bid: the count suit by suit, the others' bids, the score; and for or against nil."""

from spades_env.game.cards import BID_ZERO, MAX_BID, NUM_SEATS, NUM_TRICKS, SPADES, Action
from spades_env.play.coach.case import Case
from spades_env.play.coach.count import Count, count_hand, tricks_text
from spades_env.play.table.prompts import least_by_board
from spades_env.play.table.seats import card_text as card
from spades_env.play.table.sheet import bid_points
from spades_env.play.texts import Text, text

FULL, LOOSE = 12, 10  # sums of all four bids: at least so many are a lot, at most so many are few
HIGHEST_NIL_SPADE, LOW = 7, 3  # ranks: a nine, a five
TOP_SPADES, MANY_SPADES = 3, 4
FEW_TRICKS = 200  # hundredths
STRONG = 4  # a bid


def tricks_bid(case: Case, action: Action) -> int | None:
    """Return the tricks that an action bids; None for a nil or anything else."""
    bid = action - BID_ZERO
    if not 0 <= bid <= MAX_BID or (case.sight.rules.nil and bid == 0):
        return None
    return bid


def counted(case: Case) -> Count:
    return count_hand(case.sight.rules, case.sight.hand)


def by_count(case: Case) -> Text | None:
    bid, found = tricks_bid(case, case.advised), counted(case)
    if bid is None or found.bid != bid or not bid or _is_forced(case):
        return None
    if found.words.key == "count.nothing":  # no card is worth naming, but together they are
        return text("why.bid_count", tricks=tricks_text(found.total))
    return text("why.bid", parts=found.words)


def for_other_bids(case: Case) -> Text | None:
    """Bid last: less than the count after high bids, more after low ones."""
    bid, found, others = tricks_bid(case, case.advised), counted(case).bid, _others(case)
    if bid is None or others is None or _is_forced(case):
        return None
    if bid < found and others + found >= FULL:
        return text("why.bid_less", counted=found, others=others, sum=others + found, all=NUM_TRICKS)
    if bid > found and others + found <= LOOSE:
        return text("why.bid_more", counted=found, others=others)
    return None


def enough(case: Case) -> Text | None:
    """Bid no more than wins the game."""
    s, bid, found = case.sight, tricks_bid(case, case.advised), counted(case).bid
    if bid is None or bid >= found or s.rules.target is None or not s.rules.partners or _is_forced(case):
        return None
    theirs = s.view.bids[s.partner or 0]
    if theirs is None or s.view.nils[s.partner or 0]:
        return None
    less, points = (s.view.scores[s.side] + bid_points(s.rules, bid + theirs - more) for more in (1, 0))
    if less < s.rules.target <= points:
        return text("why.bid_enough", points=points, target=s.rules.target)
    return None


def board(case: Case) -> Text | None:
    """Bid more than the count because partners must bid so much together."""
    s, bid = case.sight, tricks_bid(case, case.advised)
    open_bids = [one for action in s.view.legal_actions() if (one := tricks_bid(case, action)) is not None]
    if not bid or not least_by_board(s.view) or bid != min(open_bids) or bid <= counted(case).bid:
        return None
    return text("why.bid_board", board=s.rules.least_bid)


def low_enough_for_nil(case: Case) -> Text | None:
    s = case.sight
    if not _is_nil(case, case.advised):
        return None
    spades = s.held(SPADES)
    lows = [s.held(suit)[0] for suit in range(SPADES) if s.held(suit)]
    if any(s.height(one) > LOW for one in lows) or (spades and s.height(spades[-1]) > HIGHEST_NIL_SPADE):
        return None
    return text("why.nil_low", card=card(spades[-1])) if spades else text("why.nil_no_spade")


def few_tricks(case: Case) -> Text | None:
    found = counted(case).total
    if _is_nil(case, case.advised) and found < FEW_TRICKS:
        return text("why.nil_count", tricks=tricks_text(found))
    return None


def nil_when_behind(case: Case) -> Text | None:
    """Risk a nil for its points."""
    s = case.sight
    behind = max(s.view.scores) - s.view.scores[s.side]
    if _is_nil(case, case.advised) and behind >= s.rules.nil_bonus > 0:
        return text("why.nil_behind", count=behind, points=s.rules.nil_bonus)
    return None


def nil_with_cover(case: Case) -> Text | None:
    """Bid nil beside a partner who counts on many tricks."""
    s = case.sight
    theirs = s.view.bids[s.partner] if s.partner is not None else None
    if _is_nil(case, case.advised) and theirs is not None and theirs >= STRONG:
        return text("why.nil_covered", who=case.who(s.partner), bid=theirs)
    return None


def too_high_for_nil(case: Case) -> Text | None:
    """Bid no nil with one of the highest spades, or with many."""
    s = case.sight
    if not _is_nil(case, case.instead) or tricks_bid(case, case.advised) is None:
        return None
    spades = s.held(SPADES)
    if spades and s.higher_out(spades[-1]) < TOP_SPADES:
        return text("why.no_nil_high", card=card(spades[-1]))
    return text("why.no_nil_long", count=len(spades)) if len(spades) >= MANY_SPADES else None


def bid_and_count(case: Case) -> Text | None:
    """State the count, and that the adviser bids more or less."""
    bid, found = tricks_bid(case, case.advised), counted(case)
    if bid is None or _is_forced(case) or bid == found.bid:
        return None
    about = {"tricks": tricks_text(found.total), "by": case.by}
    if found.words.key == "count.nothing":
        return text("why.bid_over_nothing", **about)
    return text("why.bid_over" if bid > found.bid else "why.bid_under", **about, parts=found.words)


def by_trumps(case: Case) -> Text | None:
    bid = tricks_bid(case, case.advised)
    return text("why.bid_trumps", count=bid) if bid is not None and _is_forced(case) else None


def _is_nil(case: Case, action: Action) -> bool:
    return bool(case.sight.rules.nil) and action == BID_ZERO


def _others(case: Case) -> int | None:
    """Return the sum of the others' bids once all three have bid, or have a partner who bid for both."""
    view, others = case.sight.view, [(case.sight.me + i) % NUM_SEATS for i in range(1, NUM_SEATS)]
    if any(view.bids[seat] is None and not view.blind_contracts[view.rules.side(seat)] for seat in others):
        return None
    return sum(view.bids[seat] or 0 for seat in others)


def _is_forced(case: Case) -> bool:
    """Do the trumps held decide every bid but a nil?"""
    return case.sight.rules.bidding in ("mirror", "whiz")


BIDS = (
    *(too_high_for_nil, by_count, board, enough, for_other_bids),
    *(low_enough_for_nil, few_tricks, nil_with_cover, nil_when_behind, bid_and_count, by_trumps),
)
