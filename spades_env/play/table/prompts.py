"""What is to be done, who won, and why a card may not be played, in words for one seat."""

from collections.abc import Sequence

from spades_env.game import cards
from spades_env.game.cards import BID_ZERO, BLIND_NIL, CLUBS, LOOK, MAX_BID, SPADES, SUIT_LETTERS, Action, Seat, partner
from spades_env.game.refusals import why_not
from spades_env.game.view import View
from spades_env.play.table.seats import Names, side_called
from spades_env.play.texts import Text, text
from spades_env.show.captions import refused_cards, suit_of, takes_lowest_clubs

NUM_BIDS = MAX_BID + 1


def prompt(view: View, names: Names, legal: Sequence[Action]) -> Text:
    """Say whose turn it is and what they may do, or who won. legal: the viewer's actions, on their turn."""
    if view.turn == view.seat and not view.over:
        return _own_move(view, names, legal)
    return public_prompt(view, names, view.seat)


def public_prompt(view: View, names: Names, viewer: Seat | None) -> Text:
    """Say whom the table waits for, or who won. viewer: who reads it; None: somebody without a seat."""
    if view.over:
        return _outcome(view, names, viewer)
    kind = "lead" if view.phase == "play" and not view.table else view.phase
    if kind == "blind" and view.rules.blind_bid is not None:
        kind = "blind_bid"
    return text(f"turn.{kind}", who=names[view.turn])


def _own_move(view: View, names: Names, legal: Sequence[Action]) -> Text:
    if view.phase == "blind":
        return _blind_prompt(legal)
    if view.phase == "bid":
        return _bid_prompt(view)
    if view.phase == "pass":
        number, all_cards = len(view.given) + 1, view.cards_to_pass(view.seat)
        key = "your.pass" if all_cards == 1 else "your.pass_more"
        return text(key, who=names[partner(view.seat)], number=number, all=all_cards)
    if takes_lowest_clubs(view):
        return _first_card(view)
    if not view.table:
        return text("your.lead_no_spades" if refused_cards(view) else "your.lead")
    led = suit_of(view, view.table[0][1])
    follows = led in {suit_of(view, card) for card in view.hand}
    return text("your.follow" if follows else "your.void", suit=text(f"suit.{SUIT_LETTERS[led]}"))


def _first_card(view: View) -> Text:
    if CLUBS in {suit_of(view, card) for card in view.hand}:
        return text("your.first_club")
    return text("your.first_no_trump" if refused_cards(view) else "your.first_any")


def _outcome(view: View, names: Names, viewer: Seat | None) -> Text:
    best = [side for side, score in enumerate(view.scores) if score == max(view.scores)]
    if len(best) > 1:
        return text("won.draw")
    own, several = viewer in view.rules.seats(best[0]), view.rules.partners
    key = f"won.{'your_side' if own and several else 'you' if own else 'side' if several else 'one'}"
    return text(key, side=side_called(view.rules, best[0], names, viewer))


def why_refused(view: View, action: Action, legal: Sequence[Action]) -> str:
    """Say why the seat to move may not do this. legal: what it may do, without blind bids on cards it has known."""
    if view.phase == "blind":
        return text("refused.known_cards") if action in view.legal_actions() else _blind_prompt(legal)
    if view.phase in ("pass", "play") and action in view.hand:
        if view.phase == "pass":
            return text("refused.chosen")
        if takes_lowest_clubs(view):
            held = CLUBS in {suit_of(view, card) for card in view.hand}
            return text("refused.first_club" if held else "refused.first_trump")
        if not view.table:
            return text("refused.not_broken")
        return text("refused.follow", suit=text(f"suit.{SUIT_LETTERS[suit_of(view, view.table[0][1])]}"))
    if view.phase == "bid" and action != BLIND_NIL:
        return text("refused.bid") if len(view.legal_actions()) == NUM_BIDS else _bid_prompt(view)
    if action < cards.NUM_CARDS and view.phase in ("pass", "play"):
        return text("refused.not_held")
    words = why_not(view, action)
    return words[0].upper() + words[1:]


def is_blind_bid(phase: str, action: Action) -> bool:
    """Is this a bid for both partners, made before they see their cards?"""
    return phase == "blind" and action not in (BLIND_NIL, LOOK)


# Bids


def _bid_prompt(view: View) -> Text:
    """Say what the seat may bid now that it knows its cards."""
    bids = [action - BID_ZERO for action in view.legal_actions()]
    if view.rules.bidding in ("mirror", "whiz"):
        return _by_trumps(view, bids)
    if view.rules.bidding == "suicide":
        return _with_a_nil(view, bids)
    least = least_by_board(view)
    closed = [bid for bid in range(least, MAX_BID + 1) if bid not in bids]
    about = {"least": least, "board": view.rules.least_bid, "total": view.rules.total_not or 0}
    if not closed:
        return text("your.bid_least", **about) if least else text("your.bid")
    return text("your.bid_least_not" if least else "your.bid_not", **about, bid=closed[0])


def least_by_board(view: View) -> int:
    """Return the least number that the board lets the seat bid; 0 where it leaves all bids open."""
    first = view.bids[partner(view.seat)]
    if first is None:
        return view.rules.least_bid if view.rules.bidding == "suicide" else 0
    return max(0, view.rules.least_bid - first)


def _blind_prompt(legal: Sequence[Action]) -> Text:
    """Say what the seat may do before it sees its cards."""
    bids = any(BID_ZERO <= action <= BID_ZERO + MAX_BID for action in legal)
    if BLIND_NIL in legal:
        return text("your.blind_both" if bids else "your.blind")
    return text("your.blind_bid" if bids else "your.look")


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
