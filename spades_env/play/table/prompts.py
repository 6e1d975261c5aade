"""What is to be done, who won, and why a card may not be played, in words for one seat."""

from spades_env.game import cards
from spades_env.game.cards import BLIND_NIL, SUIT_LETTERS, Action, Seat, partner
from spades_env.game.refusals import why_not
from spades_env.game.view import View
from spades_env.play.table.seats import Names, side_called
from spades_env.play.texts import Text, text
from spades_env.show.captions import refused_cards, suit_of


def prompt(view: View, names: Names, may_bid_blind: bool = True) -> Text:
    """Say who is to do what, or who won. may_bid_blind: False for cards known from before a takeback."""
    if view.turn == view.seat and not view.over:
        return _own_move(view, names, may_bid_blind)
    return public_prompt(view, names, view.seat)


def public_prompt(view: View, names: Names, viewer: Seat | None) -> Text:
    """Say whom the table waits for, or who won. viewer: who reads it; None: somebody without a seat."""
    if view.over:
        return _outcome(view, names, viewer)
    kind = view.phase if view.phase != "play" else "play" if view.table else "lead"
    return text(f"turn.{kind}", who=names[view.turn])


def _own_move(view: View, names: Names, may_bid_blind: bool) -> Text:
    if view.phase == "blind":
        return text("your.blind" if may_bid_blind else "your.look")
    if view.phase == "bid":
        return text("your.bid")
    if view.phase == "pass":
        number, all_cards = len(view.given) + 1, view.rules.blind_nil_pass
        key = "your.pass" if all_cards == 1 else "your.pass_more"
        return text(key, who=names[partner(view.seat)], number=number, all=all_cards)
    if not view.table:
        return text("your.lead_no_spades" if refused_cards(view) else "your.lead")
    led = suit_of(view, view.table[0][1])
    follows = led in {suit_of(view, card) for card in view.hand}
    return text("your.follow" if follows else "your.void", suit=text(f"suit.{SUIT_LETTERS[led]}"))


def _outcome(view: View, names: Names, viewer: Seat | None) -> Text:
    best = [side for side, score in enumerate(view.scores) if score == max(view.scores)]
    if len(best) > 1:
        return text("won.draw")
    own, several = viewer in view.rules.seats(best[0]), view.rules.partners
    key = f"won.{'your_side' if own and several else 'you' if own else 'side' if several else 'one'}"
    return text(key, side=side_called(view.rules, best[0], names, viewer))


def why_refused(view: View, action: Action, is_known: bool) -> str:
    """Say why the seat to move may not do this. is_known: the cards were seen before a takeback."""
    if action == BLIND_NIL and is_known and action in view.legal_actions():
        return text("refused.known_cards")
    if view.phase in ("pass", "play") and action in view.hand:
        if view.phase == "pass":
            return text("refused.chosen")
        if not view.table:
            return text("refused.not_broken")
        return text("refused.follow", suit=text(f"suit.{SUIT_LETTERS[suit_of(view, view.table[0][1])]}"))
    if view.phase == "bid" and action != BLIND_NIL:
        return text("refused.bid")
    if action < cards.NUM_CARDS and view.phase in ("pass", "play"):
        return text("refused.not_held")
    words = why_not(view, action)
    return words[0].upper() + words[1:]
