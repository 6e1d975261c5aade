"""What each seat should observe, block by block, from the plain facts of a game."""

import numpy as np
from support.game.plain_facts import Naive
from support.game.reference import trick_winner
from support.game.tables import suit_of

from spades_env import Game, Rules
from spades_env.game.cards import NUM_CARDS, PHASES, deck, partner
from spades_env.game.observe import RULES_ROWS, STATE_LAYOUT, TABLE_SIZE, rules_features


def block(features: np.ndarray, name: str) -> list:
    """Return a block of the features, in its shape."""
    place = STATE_LAYOUT[name]
    return features[place.place].reshape(place.shape).tolist()


def one_hot(number: int | None, size: int) -> list[int]:
    return [int(i == number) for i in range(size)]


def marked(chosen, size: int = NUM_CARDS) -> list[int]:
    return [int(i in chosen) for i in range(size)]


def first_leader(game: Game) -> int:
    """Return who began bidding; once bidding is over, who leads the first trick."""
    first = (game.dealer + (3 if game.rules.first_lead == "right_of_dealer" else 1)) % 4
    if (
        game.rules.first_lead != "highest_bidder"
        or game.phase in ("blind", "bid")
        or not bids_are_made(game.rules, game)
    ):
        return first
    bids = [bid or 0 for bid in game.bids]
    return max(((first + i) % 4 for i in range(4)), key=bids.__getitem__)


def expected(game: Game, naive: Naive, me: int) -> dict:
    """Return every block of the table, in the order and from the seat of the observation."""
    rules = game.rules
    seats = [(me + i) % 4 for i in range(4)]
    sides = [(me + i) % rules.sides for i in range(rules.sides)]
    side_padding = [0] * (4 - rules.sides)
    gone = [card for _, card in naive.plays]
    hand = game.hands[me] if game.looked[me] else []
    whereabouts = {*hand, *gone, *naive.given(me)}
    passed = [0] * NUM_CARDS
    for card in naive.given(me):
        passed[card] = int(card not in gone)
    for card in naive.received(me):
        passed[card] = -int(card not in gone)
    order = [gone.index(card) + 1 if card in gone else 0 for card in range(NUM_CARDS)]
    trick = naive.on_table
    won = naive.won
    bids, blind = game.bids, game.blind
    nil = [rules.nil and bids[seat] == 0 and not blind[seat] for seat in range(4)]
    bidders = [seat for seat in range(4) if not nil[seat] and not blind[seat]]
    bidding = game.phase in ("blind", "bid")
    to_bid = [
        seat for seat in range(4) if bidding and bids[seat] is None and not game.blind_contracts[rules.side(seat)]
    ]
    made = [sum(bids[seat] or 0 for seat in rules.seats(side)) for side in sides]
    asked = [any(seat in to_bid for seat in rules.seats(side)) for side in sides]
    leads = trick[0][0] if trick else won[-1] if won else first_leader(game)
    return {
        "hand": marked(hand),
        "unseen": marked(set(deck(rules.trumps)) - whereabouts),
        "passed": passed,
        "table": marked([card for _, card in trick]),
        "played": [marked([card for player, card in naive.plays if player == seat]) for seat in seats],
        "order": order,
        "bid": [one_hot(bids[seat], 14) for seat in seats],
        "nil": [int(nil[seat]) for seat in seats],
        "blind_nil": [int(blind[seat]) for seat in seats],
        "looked": [int(game.looked[seat]) for seat in seats],
        "tricks": [one_hot(won.count(seat), 14) for seat in seats],
        "void": [[int(naive.lacks(seat, suit, rules)) for suit in range(4)] for seat in seats],
        "phase": one_hot(PHASES.index(game.phase), 5),
        "turn": [int(seat == game.turn and not game.over) for seat in seats],
        "dealer": [int(seat == game.dealer) for seat in seats],
        "leader": [int(seat == leads) for seat in seats],
        "winning": [int(bool(trick) and seat == trick_winner(trick, rules.trumps)) for seat in seats],
        "led": one_hot(suit_of(trick[0][1], rules.trumps), 4) if trick else [0] * 4,
        "broken": [int(any(naive.breaking))],
        "trick": [len(naive.tricks)],
        "hand_number": list(divmod(game.hand_number, 100)),
        "score_hundreds": [max(-128, min(127, game.scores[side] // 100)) for side in sides] + side_padding,
        "score_ones": [game.scores[side] % 100 for side in sides] + side_padding,
        "bags": [game.bags[side] for side in sides] + side_padding,
        "side_bid": [sum(bids[seat] or 0 for seat in rules.seats(side)) for side in sides] + side_padding,
        "side_made": [sum(won.count(seat) for seat in rules.seats(side) if seat in bidders) for side in sides]
        + side_padding,
        "bids_missing": [max(0, rules.least_bid - n) * waits for n, waits in zip(made, asked, strict=True)]
        + side_padding,
        "may_bid_nil": [int(seat in to_bid and nil_is_open(game, seat)) for seat in seats],
        "blind_contract": [int(game.blind_contracts[side]) for side in sides] + side_padding,
        "ten_bid": [int(rules.ten_points is not None and number >= 10) for number in made] + side_padding,
        "no_bids": [int(not bids_are_made(rules, game))],
        "room": [0] * 7,
    }


def bids_are_made(rules: Rules, game: Game) -> bool:
    """Does anybody bid in this hand?"""
    return rules.first_hand == "bid" or game.hand_number > 0


def nil_is_open(game: Game, seat: int) -> bool:
    """May a seat that is still to bid bid nil, blind or not, by what everybody knows?"""
    rules, own = game.rules, game.rules.side(seat)
    behind = max(score for side, score in enumerate(game.scores) if side != own) - game.scores[own]
    blind_nil = not game.looked[seat] and rules.blind_nil_deficit is not None and behind >= rules.blind_nil_deficit
    if not (rules.nil or blind_nil):
        return False
    is_last = seat == game.turn and [bid for other, bid in enumerate(game.bids) if other != seat].count(None) == 0
    if is_last and rules.total_not == sum(bid for bid in game.bids if bid is not None):
        return False
    mates = game.bids[partner(seat)] if rules.partners else None
    if mates is None:
        return True
    return mates > 0 if rules.bidding == "suicide" else mates >= rules.least_bid


def all_expected(game: Game) -> list[dict]:
    naive = Naive(game)
    return [expected(game, naive, seat) for seat in range(4)]


def rules_block(rules: Rules) -> dict:
    features = np.concatenate([np.zeros(TABLE_SIZE, np.int8), rules_features(rules)])
    return {name: block(features, name) for name, _, _ in RULES_ROWS}
