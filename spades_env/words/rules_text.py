"""The rules of a table in a few sentences for a language model: only what is in force."""

from spades_env.game.cards import NUM_TRICKS, RED_JOKER, TRUMP_ORDERS, card_name
from spades_env.game.rules import Rules


def rules_text(rules: Rules) -> str:
    """Return the rules in force, a paragraph each on the table, the cards, the bids, the score and the end."""
    parts = (_table(rules), _cards(rules), _bids(rules), [*_nil(rules), *_blind(rules)], _scores(rules), _end(rules))
    return "\n".join(" ".join(part) for part in parts)


def _table(rules: Rules) -> list[str]:
    seats = "Four seats, clockwise South, West, North, East, get 13 cards each."
    sides = "South and North play against West and East." if rules.partners else "Each seat plays for itself."
    dealer = "random" if rules.first_dealer == "random" else rules.first_dealer.capitalize()
    deals = f"The first dealer is {dealer}; the deal moves clockwise."
    begins = {
        "left_of_dealer": "The seat left of the dealer (the next clockwise) bids first and leads first.",
        "right_of_dealer": "The seat right of the dealer (the one before it, clockwise) bids first and leads first.",
        "highest_bidder": "The seat left of the dealer bids first; the highest bid leads, of equals the earlier one.",
    }
    return [seats, sides, deals, begins[rules.first_lead]]


def _cards(rules: Rules) -> list[str]:
    order = TRUMP_ORDERS[rules.trumps]
    ranks = "A spade" if rules.trumps == "normal" else "A trump"
    words = ["Follow the suit led if you can; else play any card."]
    words.append(f"{ranks} beats all other suits; within a suit the ace is high. The winner of a trick leads the next.")
    if rules.trumps != "normal":
        words.append(f"Trumps, which all count as spades, from high to low: {' '.join(map(card_name, order))}.")
    if RED_JOKER in order:
        words.append("The jokers RJ and BJ replace 2C and 2H.")
    words += {
        "broken": ["Spades may be led once a spade has been played, or if you hold nothing else."],
        "discarded": ["Spades may be led once one was discarded on another suit, or if you hold nothing else."],
        "any": ["Spades may always be led."],
    }[rules.spades_lead]
    if rules.first_trick == "lowest_club":
        words.append("To the first trick, play your lowest club; without a club, play no spade if you can help it.")
    return words


def _bids(rules: Rules) -> list[str]:
    words = ["In turn, each seat bids how many tricks it will take, once."]
    words += {
        "free": [],
        "mirror": ["A bid must be the number of spades held."],
        "whiz": [f"A bid must be the number of spades held{', or nil' * rules.nil}."],
        "suicide": ["Exactly one partner of each side must bid nil."],
    }[rules.bidding]
    if rules.least_bid:
        words.append(f"Two partners may not bid less than {rules.least_bid} together, nil left out.")
    if rules.total_not is not None:
        words.append(f"The last bid may not bring all bids to {rules.total_not} if another is possible.")
    if rules.first_hand == "bids_itself":
        words.append("In the first hand nobody bids, and every trick scores 10.")
    return words


def _nil(rules: Rules) -> list[str]:
    if not rules.nil:
        return ["A bid of 0 is an ordinary bid."]
    words = [f"A bid of 0 is nil: {rules.nil_bonus} points for taking no trick, minus {rules.nil_bonus} otherwise."]
    if rules.double_nil_points is not None and rules.partners:
        words.append(f"Two nils of a side that are both made score {rules.double_nil_points} together instead.")
    if rules.nil_pass:
        words.append(f"A nil bidder and its partner then exchange {_cards_words(rules.nil_pass)}.")
    return words


def _blind(rules: Rules) -> list[str]:
    words = []
    if rules.blind_nil_deficit is not None:
        who = _behind(rules.blind_nil_deficit)
        words.append(f"{who} may bid blind nil before it looks at its cards, for {rules.blind_nil_bonus}.")
        if rules.blind_nil_pass:
            words.append(f"A blind nil bidder and its partner then exchange {_cards_words(rules.blind_nil_pass)}.")
    if rules.nil or rules.blind_nil_deficit is not None:
        alone = not rules.partners and rules.failed_nil_tricks == "overtricks"
        words.append(f"The tricks of a failed nil {FAILED_NIL['bags' if alone else rules.failed_nil_tricks]}.")
    if rules.blind_bid is not None:
        who = _behind(rules.blind_bid_deficit)
        words.append(f"{who} may bid {rules.blind_bid} or more for both partners before they look, at double points.")
    return words


FAILED_NIL = {
    "bags": "are overtricks",
    "overtricks": "are overtricks if its partner's bid is made",
    "partner": "count toward its partner's bid",
    "ignored": "count for nothing",
}


def _behind(points: int) -> str:
    return f"A side at least {points} points behind" if points else "A side that is not ahead"


def _cards_words(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _scores(rules: Rules) -> list[str]:
    who = "the partners together take" if rules.partners else "the seat takes"
    words = [f"Score: 10 points per trick bid if {who} at least the tricks bid, else minus as many."]
    if rules.ten_points is not None:
        words.append(f"A bid of ten or more is worth {rules.ten_points} instead, without overtricks.")
    over = {1: "scores 1", 0: "scores nothing", -1: "costs 1"}[rules.overtrick_points]
    words.append(f"A trick beyond the bid {over}{_bags(rules)}.")
    if rules.slam_points is not None:
        words.append(f"All {NUM_TRICKS} tricks score {rules.slam_points} more.")
    return words


def _bags(rules: Rules) -> str:
    if rules.bag_limit is None:
        return ""
    who = "cost its side" if rules.bag_penalty_to == "self" else "give every other side"
    return f" and is a bag: every {rules.bag_limit} bags {who} {rules.bag_penalty} points"


def _end(rules: Rules) -> list[str]:
    ends = []
    if rules.target is not None:
        ends.append(f"a side has {rules.target} points")
    if rules.floor is not None:
        ends.append(f"a side has {rules.floor} or fewer")
    if rules.max_hands is not None:
        ends.append("the hand is over" if rules.max_hands == 1 else f"{rules.max_hands} hands are over")
    if rules.time_limit_s is not None:
        ends.append(f"{rules.time_limit_s} seconds are over")
    tie = "a tie is a draw" if rules.tie == "draw" else "after a tie another hand is played"
    return [f"The game ends when {' or '.join(ends)}. Most points win; {tie}."]
