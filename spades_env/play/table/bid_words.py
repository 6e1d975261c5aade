"""What a seat may bid, and why no more, in words for the person there.

    bid_prompt(view)      "Your turn: your side must bid at least 4, so bid 3 or more."
    blind_prompt(legal)   "Your turn: bid blind for both of you, or look at your cards."

Without a limit the first is "Your turn: bid 0 to 13.". Both are reasons, too, for a bid that is refused.
"""

from collections.abc import Sequence

from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID, SPADES, Action, partner
from spades_env.game.view import View
from spades_env.play.texts import Text, text
from spades_env.show.captions import suit_of


def bid_prompt(view: View) -> Text:
    """Say what the seat may bid now that it knows its cards."""
    bids = [action - BID_ZERO for action in view.legal_actions()]
    if view.rules.bidding in ("mirror", "whiz"):
        return _by_trumps(view, bids)
    if view.rules.bidding == "suicide":
        return _with_a_nil(view, bids)
    least, closed = bids[0], sorted(set(range(bids[0], MAX_BID + 1)) - set(bids))
    about = {"least": least, "board": view.rules.least_bid, "total": view.rules.total_not or 0}
    if not closed:
        return text("your.bid_least", **about) if least else text("your.bid")
    return text("your.bid_least_not" if least else "your.bid_not", **about, bid=closed[0])


def blind_prompt(legal: Sequence[Action]) -> Text:
    """Say what the seat may do before it sees its cards."""
    bids = any(BID_ZERO <= action <= BID_ZERO + MAX_BID for action in legal)
    if BLIND_NIL in legal:
        return text("your.blind_both" if bids else "your.blind")
    return text("your.blind_bid" if bids else "your.look")


def is_blind_bid(phase: str, action: Action) -> bool:
    """Is this a bid for both partners, made before they see their cards?"""
    return phase == "blind" and action not in (BLIND_NIL, LOOK)


def _by_trumps(view: View, bids: Sequence[int]) -> Text:
    """Say how many trumps the seat holds, which it must bid."""
    trumps = sum(suit_of(view, card) == SPADES for card in view.hand)
    if not trumps:
        return text("your.bid_no_trump", bid=text("plate.nil") if view.rules.nil else 0)
    return text("your.bid_trumps_or_nil" if len(bids) > 1 else "your.bid_trumps", count=trumps)


def _with_a_nil(view: View, bids: Sequence[int]) -> Text:
    """Say what the partner's bid asks for: a nil, or none."""
    first = view.bids[partner(view.seat)]
    if first is None:
        return text("your.bid_nil_or", least=bids[1])
    return text("your.bid_nil", bid=first) if first else text("your.bid_after_nil", least=bids[0])
