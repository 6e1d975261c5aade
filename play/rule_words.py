"""The rules of a table in plain words, a sentence for every option that matters there."""

from spades_env import Rules
from spades_env.captions import card_text
from spades_env.cards import TRUMP_ORDERS
from spades_env.facts import side_name

BEGINS = {
    "left_of_dealer": "The seat at the dealer's left bids first and leads the first trick.",
    "right_of_dealer": "The seat at the dealer's right bids first and leads the first trick.",
    "highest_bidder": "The seat at the dealer's left bids first; the highest bid, of equal ones the first, leads.",
}
FAILED_NILS = {
    "bags": "The tricks of a failed nil are overtricks of its side.",
    "overtricks": "The tricks of a failed nil are overtricks of its side, if the other bid there is made.",
    "partner": "The tricks of a failed nil count towards the partner's bid.",
    "ignored": "The tricks of a failed nil count for nothing.",
}
SPADES_LEAD = {
    "broken": "once one has been played",
    "discarded": "once one has been played on the lead of another suit",
    "any": "at any time",
}
OVERTRICKS = {1: "scores 1 point", 0: "scores nothing", -1: "costs 1 point"}
ACE_OF_SPADES = 51


def rule_words(rules: Rules) -> list[str]:
    """What holds at this table."""
    return [*_table(rules), *_ending(rules), *_bids(rules), *_blind_nil(rules), *_scores(rules), *_cards(rules)]


def number(points: int) -> str:
    """With a minus as it is printed."""
    return f"−{-points}" if points < 0 else str(points)


def _table(rules: Rules) -> list[str]:
    sides = f"Partners sit opposite: {side_name(rules, 0)} against {side_name(rules, 1)}."
    dealer = (
        "Who deals first is drawn." if rules.first_dealer == "random" else f"{rules.first_dealer.title()} deals first."
    )
    return [sides if rules.partners else "Everybody plays alone.", dealer, BEGINS[rules.first_lead]]


def _ending(rules: Rules) -> list[str]:
    ends = []
    if rules.target is not None:
        ends.append(f"a side has {rules.target} points")
    if rules.floor is not None:
        ends.append(f"a side has {number(rules.floor)} points or fewer")
    if rules.max_hands is not None:
        ends.append(f"{rules.max_hands} hand{'s were' if rules.max_hands > 1 else ' was'} played")
    tie = "is a draw" if rules.tie == "draw" else "is settled by another hand"
    words = [f"The game ends when {' or when '.join(ends)}; most points win. A tie {tie}."]
    if rules.time_limit_s is not None:
        minutes, seconds = divmod(rules.time_limit_s, 60)
        words.append(
            f"It ends after {minutes}:{seconds:02} minutes at the latest; an unfinished hand counts for nothing."
        )
    return words


def _bids(rules: Rules) -> list[str]:
    words = ["A made bid scores 10 points a trick, a missed one costs as much."]
    if not rules.nil:
        return [*words, "A bid of 0 is no nil."]
    return [*words, f"A bid of 0 is a nil: +{rules.nil_bonus} without a trick, {number(-rules.nil_bonus)} with one."]


def _blind_nil(rules: Rules) -> list[str]:
    failed = [FAILED_NILS[rules.failed_nil_tricks]] if rules.nil or rules.blind_nil_deficit is not None else []
    if rules.blind_nil_deficit is None:
        return [*failed, "There is no blind nil."]
    who = f"A side {rules.blind_nil_deficit} points behind" if rules.blind_nil_deficit else "A side that is not ahead"
    worth = f"+{rules.blind_nil_bonus} or {number(-rules.blind_nil_bonus)}"
    words = [*failed, f"{who} may bid nil before it sees its cards: {worth}."]
    if rules.blind_nil_pass:
        count = f"{rules.blind_nil_pass} card{'s' * (rules.blind_nil_pass > 1)}"
        words.append(f"Who bid blind nil and the partner then give each other {count}.")
    return words


def _scores(rules: Rules) -> list[str]:
    over = f"A trick above the bid {OVERTRICKS[rules.overtrick_points]}"
    if rules.bag_limit is None:
        return [f"{over}."]
    penalty = (
        f"cost {rules.bag_penalty}" if rules.bag_penalty_to == "self" else f"give every other side {rules.bag_penalty}"
    )
    return [f"{over} and is a bag; {rules.bag_limit} bags {penalty} points."]


def _cards(rules: Rules) -> list[str]:
    order = TRUMP_ORDERS[rules.trumps]
    to_ace = ", ".join(card_text(card) for card in order[: order.index(ACE_OF_SPADES) + 1])
    return [
        f"Spades are trumps: {to_ace} and so on down to {card_text(order[-1])}.",
        f"Follow suit if you can. Spades may be led {SPADES_LEAD[rules.spades_lead]}.",
    ]
