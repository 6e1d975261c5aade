"""Moves in words, with what a seat may know of them: "Dara plays the ten of hearts"."""

from collections.abc import Sequence

from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_CARDS, Seat, action_name
from spades_env.game.rules import Rules
from spades_env.play.table.hands import Move
from spades_env.play.table.prompts import is_blind_bid
from spades_env.play.table.seats import Names, card_text, own
from spades_env.play.texts import Text, text


def event(move: Move, viewer: Seat | None, rules: Rules, names: Names) -> dict:
    """Describe a move to a seat as plain data, without the cards that others pass. viewer: None without a seat."""
    hidden = move.phase == "pass" and move.seat != viewer
    action = None if hidden else action_name(move.action)
    return {
        "seat": move.seat,
        "phase": move.phase,
        "action": action,
        "by": move.by,
        "words": move_words(move, rules, names, viewer, hidden),
    }


def move_words(move: Move, rules: Rules, names: Sequence[str], viewer: Seat | None, hidden: bool = False) -> Text:
    """Say who did what, as the person at a seat reads it; hidden: without the card that is passed."""
    who, is_own = names[move.seat], move.seat == viewer
    if move.action < NUM_CARDS:
        key = f"{'passes' if move.phase == 'pass' else 'plays'}{'_hidden' * hidden}"
        return text(own(f"move.{key}", is_own), who=who, card="" if hidden else card_text(move.action))
    if move.action in (LOOK, BLIND_NIL):
        return text(own("move.looks" if move.action == LOOK else "move.blind", is_own), who=who)
    bid = move.action - BID_ZERO
    if is_blind_bid(move.phase, move.action):
        return text(own("move.bids_blind", is_own), who=who, bid=bid)
    return text(own("move.nil" if not bid and rules.nil else "move.bids", is_own), who=who, bid=bid)
