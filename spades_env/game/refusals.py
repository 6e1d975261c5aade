"""The reasons why an action is refused, in words."""

from spades_env.checks import as_int
from spades_env.errors import SpadesError
from spades_env.game import cards
from spades_env.game.cards import Action
from spades_env.game.facts import Facts


class IllegalActionError(SpadesError):
    """An action that the seat to move may not take; the message names the seat, the action and why."""


def refusal(facts: Facts, action) -> IllegalActionError:
    """Return the error for an action that the seat to move may not take."""
    number = as_int(action)
    if facts.over:
        return IllegalActionError("nobody can act: the game is over")
    seat = cards.SEATS[facts.turn]
    if number is None or not 0 <= number < cards.NUM_ACTIONS:
        return IllegalActionError(f"{seat} cannot do {action!r}: actions are the numbers 0 to 69")
    return IllegalActionError(f"{seat} cannot {_verb(number, facts.phase)}: {why_not(facts, number)}")


def why_not(facts: Facts, action: Action) -> str:
    """Return the reason why the seat to move may not take an action, in words."""
    if facts.phase == "blind":
        return "you have not looked at your cards: bid blind nil or look"
    if facts.phase == "bid":
        return "it is time to bid, 0 to 13" if action != cards.BLIND_NIL else _no_blind_nil(facts)
    if action >= cards.NUM_CARDS:
        return f"it is time to {facts.phase} a card"
    if action not in cards.deck(facts.rules.trumps):
        return "this card is not in the deck"
    if action not in facts._cards(facts._s.hands[facts.turn]):
        return "you do not hold it"
    if facts.phase == "pass":
        return "you have chosen it already"
    if facts.table:
        suit = cards.SUITS[facts._s.led_lane]
        return f"you hold {suit}: follow {suit}"
    return "spades are not broken: lead another suit"


def _no_blind_nil(facts: Facts) -> str:
    if facts.rules.blind_nil_deficit is None:
        return "blind nil is off at this table"
    deficit = facts.rules.blind_nil_deficit
    who = f"a side {deficit} or more points behind" if deficit else "a side that is not ahead"
    return f"you have seen your cards: blind nil is bid before that, by {who}"


def _verb(action: Action, phase: str) -> str:
    if action < cards.NUM_CARDS:
        return f"{'pass' if phase == 'pass' else 'play'} the {cards.action_words(action).removeprefix('the ')}"
    if action == cards.LOOK:
        return "look at the cards"
    return "bid blind nil" if action == cards.BLIND_NIL else f"bid {action - cards.BID_ZERO}"
