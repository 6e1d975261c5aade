"""Moves in words, with what a seat may know of them: "East plays the ten of hearts"."""

from play.table.hands import Move
from spades_env import Rules
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_CARDS, SEATS, Seat, action_name, card_words


def event(move: Move, viewer: Seat, rules: Rules) -> dict:
    """Describe a move to a seat as plain data, without the cards that others pass."""
    hidden = move.phase == "pass" and move.seat != viewer
    action = None if hidden else action_name(move.action)
    return {
        "seat": move.seat,
        "phase": move.phase,
        "action": action,
        "by": move.by,
        "words": f"{SEATS[move.seat]} {_words(move, hidden, rules)}",
    }


def _words(move: Move, hidden: bool, rules: Rules) -> str:
    if move.action < NUM_CARDS:
        card = "a card" if hidden else f"the {card_words(move.action).removeprefix('the ')}"
        return f"{'passes' if move.phase == 'pass' else 'plays'} {card}"
    if move.action == LOOK:
        return "looks at the cards"
    if move.action == BLIND_NIL:
        return "bids blind nil"
    return "bids nil" if move.action == BID_ZERO and rules.nil else f"bids {move.action - BID_ZERO}"
