"""The reasons why an action is refused, in words."""

from itertools import groupby

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
        return f"you have not looked at your cards: {open_calls(facts)}"
    if facts.phase == "bid":
        if cards.BID_ZERO <= action < cards.BLIND_NIL:
            return f"{_bid_rule(facts, action)}: {open_calls(facts)}"
        if action == cards.BLIND_NIL:
            return _no_blind_nil(facts)
        return f"it is time to {open_calls(facts)}".replace("bid ", "bid, ", 1)
    if action >= cards.NUM_CARDS:
        return f"it is time to {facts.phase} a card"
    if action not in cards.deck(facts.rules.trumps):
        return "this card is not in the deck"
    if action not in facts._cards(facts._s.hands[facts.turn]):
        return "you do not hold it"
    if facts.phase == "pass":
        return "you have chosen it already"
    if facts.rules.first_trick == "lowest_club" and facts.cards_played < cards.NUM_SEATS:
        lowest = [card for card in facts.legal_actions() if facts._lane(card) == cards.CLUBS]
        if lowest:
            return f"the first trick takes your lowest club, the {cards.card_words(lowest[0])}"
        return "the first trick takes no spade while you hold another card"
    if facts.table:
        suit = cards.SUITS[facts._s.led_lane]
        return f"you hold {suit}: follow {suit}"
    return "spades are not broken: lead another suit"


def open_calls(facts: Facts) -> str:
    """Return what the seat to move may bid, in words: "bid 0 to 13", "bid nil or 4 to 13", "bid blind nil or look"."""
    legal = facts.legal_actions()
    numbers = [action - cards.BID_ZERO for action in legal if action < cards.BLIND_NIL]
    words = []
    if numbers[:1] == [0] and facts.rules.nil and numbers != list(range(cards.MAX_BID + 1)):
        words.append("nil")
        numbers = numbers[1:]
    words += [_span(list(run)) for _, run in groupby(numbers, key=lambda bid: bid - numbers.index(bid))]
    words += ["blind nil"] if cards.BLIND_NIL in legal else []
    calls = [f"bid {' or '.join(words)}"] if words else []
    return " or ".join([*calls, "look"] if cards.LOOK in legal else calls)


def _span(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def _bid_rule(facts: Facts, action: Action) -> str:
    """Return the rule that forbids a bid of the seat to move, in words."""
    rules, mate = facts.rules, facts.bids[cards.partner(facts.turn)]
    if rules.bidding in ("mirror", "whiz"):
        or_nil = " or nil" * (rules.bidding == "whiz" and rules.nil)
        return f"you must bid the number of trumps you hold{or_nil}"
    if rules.bidding == "suicide" and (mate or action == cards.BID_ZERO):
        return "exactly one partner of each side bids nil"
    if rules.bidding == "suicide" or (mate is not None and action - cards.BID_ZERO + mate < rules.least_bid):
        return f"the bids of a side add up to {rules.least_bid} or more"
    return f"all bids may not add up to {rules.total_not}"


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
