"""The words and facts about a table that text and picture share, seen from one seat.

Positions count clockwise from the seat whose view it is:

                2 partner
        1 left             3 right
                0 the viewer
"""

from spades_env.game import cards
from spades_env.game.cards import Card, Seat, Side
from spades_env.game.facts import side_name
from spades_env.game.refusals import open_calls
from spades_env.game.scoring import contract_of
from spades_env.game.view import View

SUIT_ORDER = (3, 2, 0, 1)  # in the hand, so that colours alternate
ACE_OF_SPADES = 51
LONGEST_TITLE = 40
FEW_BAGS_LEFT = 3  # before the penalty: warn now
PICTURE_SIZE = (960, 640)  # the units in which everything is placed
MOST_PIPS = 20  # more bags than these are shown as a number


def seats_from(view: View) -> list[Seat]:
    return [(view.seat + i) % cards.NUM_SEATS for i in range(cards.NUM_SEATS)]


def sides_from(view: View) -> list[Side]:
    """Return the sides, the seat's own first."""
    return list(dict.fromkeys(view.rules.side(seat) for seat in seats_from(view)))


def title(view: View, longest: int = LONGEST_TITLE) -> str:
    words = str(view.rules)
    return words if len(words) <= longest else words[: longest - 1] + "…"


def progress(view: View) -> str:
    """Return how far the game is: "hand 3 · trick 5 · to 500"."""
    rules = view.rules
    extra = rules.max_hands is None or view.hand_number >= rules.max_hands
    hand = f"hand {view.hand_number + 1}" + ("" if extra else f" of {rules.max_hands}")
    trick = f"trick {len(view.tricks_played) + 1}" if view.phase == "play" else ""
    return " · ".join(filter(None, (hand, trick, f"to {rules.target}" if rules.target else "")))


def is_to_move(view: View, seat: Seat) -> bool:
    return seat == view.turn and not view.over


def is_to_bid(view: View, seat: Seat) -> bool:
    """Is this seat still to bid?"""
    for_both = view.blind_contracts[view.rules.side(seat)]
    return view.bids[seat] is None and view.phase in ("blind", "bid") and not for_both


def nil_is_broken(view: View, seat: Seat) -> bool:
    return view.nils[seat] and view.tricks[seat] > 0


def seat_status(view: View, seat: Seat) -> str:
    """Return tricks won and bid: "2 / 4", "nil", "1 / nil", "2" without a bid; "…" before the bid."""
    bid, tricks = view.bids[seat], view.tricks[seat]
    if bid is None:
        return "…" if is_to_bid(view, seat) else str(tricks)
    if not view.nils[seat]:
        return f"{tricks} / {bid}"
    return f"{tricks} / {_nil_words(view, seat)}" if tricks else _nil_words(view, seat)


def side_status(view: View, side: Side, broken: str = "") -> str:
    """Return tricks won and bid by those of the side who did not bid nil, then its nils: "5 / 7", "3 / 4 + nil".

    broken: text to put after a broken nil
    """
    seats = view.rules.seats(side)
    words = [_nil_words(view, seat) + broken * nil_is_broken(view, seat) for seat in seats if view.nils[seat]]
    if all(view.bids[seat] is None and not is_to_bid(view, seat) for seat in seats):
        return str(sum(view.tricks[seat] for seat in seats))
    if any(view.bids[seat] is not None and not view.nils[seat] for seat in seats):
        bid, made, helped = contract_of(view.rules, view.bids, view.nils, view.tricks, side)
        words.insert(0, f"{made + helped} / {bid}" + " blind" * view.blind_contracts[side])
    return " + ".join([*words, "…"] if any(is_to_bid(view, seat) for seat in seats) else words)


def few_bags_left(view: View, side: Side) -> bool:
    limit = view.rules.bag_limit
    return limit is not None and 0 < limit - view.bags[side] <= FEW_BAGS_LEFT < limit


def cards_held(view: View, seat: Seat) -> int:
    return 13 - view.cards_played // 4 - any(player == seat for player, _ in view.table)


def suit_of(view: View, card: Card) -> int:
    return cards.SPADES if card in cards.TRUMP_ORDERS[view.rules.trumps] else card // 13


def colour_of(card: Card) -> int:
    """Return the suit whose colour a card has; a joker has the colour of its name."""
    return card // 13 if card < cards.BLACK_JOKER else cards.SPADES if card == cards.BLACK_JOKER else cards.HEARTS


def sorted_hand(view: View) -> list[list[Card]]:
    """Return the seat's cards by suit, the strongest first; none before it has looked."""
    strength = [*cards.TRUMP_ORDERS[view.rules.trumps], *range(cards.BLACK_JOKER, -1, -1)]
    hand = sorted(view.hand, key=strength.index)
    suits = [[card for card in hand if suit_of(view, card) == suit] for suit in SUIT_ORDER]
    return [suit for suit in suits if suit]


def refused_cards(view: View) -> set[Card]:
    if view.phase != "play" or view.turn != view.seat:
        return set()
    return set(view.hand) - set(view.legal_actions())


def trump_parts(view: View) -> tuple[list[Card], list[Card]]:
    """Return the trumps down to the ace of spades, and the lowest; nothing if the ace is the highest."""
    order = list(cards.TRUMP_ORDERS[view.rules.trumps])
    ace = order.index(ACE_OF_SPADES)
    return (order[: ace + 1], order[-1:]) if ace else ([], [])


def prompt(view: View) -> str:
    """Return a sentence that says who is to do what, or who won."""
    if view.over:
        return _outcome(view)
    if view.turn == view.seat:
        return f"Your turn: {_own_move(view)}."
    blind = "bids blind nil, or looks" if view.rules.blind_bid is None else "bids blind, or looks"
    verbs = {"blind": blind, "bid": "bids", "pass": "passes cards"}
    return f"{cards.SEATS[view.turn]} {verbs.get(view.phase, 'plays' if view.table else 'leads')}."


def _outcome(view: View) -> str:
    """Say who won, or who is ahead if the episode ended before the game."""
    rules, scores = view.rules, view.scores
    ahead = [side for side, score in enumerate(scores) if score == max(scores)]
    leader = side_name(rules, ahead[0])
    if _ended_by_rules(view):
        return f"{leader} won the game." if len(ahead) == 1 else "The game is a draw."
    if len(ahead) > 1:
        return "The episode ends, nobody is ahead."
    return f"The episode ends, {leader} {'are' if rules.partners else 'is'} ahead."


def _ended_by_rules(view: View) -> bool:
    """Can the rules have ended the game, or the clock within a hand?"""
    rules, scores = view.rules, view.scores
    return (
        (rules.time_limit_s is not None and sum(view.tricks) < cards.NUM_TRICKS)
        or (rules.max_hands is not None and view.hand_number + 1 >= rules.max_hands)
        or (rules.target is not None and max(scores) >= rules.target)
        or (rules.floor is not None and min(scores) <= rules.floor)
    )


def _own_move(view: View) -> str:
    if view.phase == "blind":
        return open_calls(view).replace(" or look", ", or look at your cards")
    if view.phase == "bid":
        return open_calls(view)
    if view.phase == "pass":
        mate, count = cards.SEATS[cards.partner(view.seat)], view.cards_to_pass(view.seat)
        return f"pass {mate} card {len(view.given) + 1} of {count}"
    if takes_lowest_clubs(view):
        return _first_card(view)
    if not view.table:
        return "lead any suit except spades (not broken yet)" if refused_cards(view) else "lead any card"
    led = suit_of(view, view.table[0][1])
    follows = led in {suit_of(view, card) for card in view.hand}
    return f"follow {cards.SUITS[led]}" if follows else f"no {cards.SUITS[led]}, so play any card"


def takes_lowest_clubs(view: View) -> bool:
    """Is this the trick to which everybody plays the lowest club?"""
    return view.rules.first_trick == "lowest_club" and view.phase == "play" and not view.tricks_played


def _first_card(view: View) -> str:
    if cards.CLUBS in {suit_of(view, card) for card in view.hand}:
        return "play your lowest club"
    return "no clubs, so play any card but a spade" if refused_cards(view) else "no clubs, so play any card"


def _nil_words(view: View, seat: Seat) -> str:
    return "blind nil" if view.blind[seat] else "nil"


def last_trick(view: View) -> list[tuple[Seat, Card]]:
    """Return the last finished trick of this hand; `view.leader` won it."""
    return (view.tricks_played or [[]])[-1]


def news(view: View) -> tuple[str, str]:
    """Return a heading and its text: the last hand's points, until a trick is played, or the cards passed."""
    points = view.last_points
    if any(points) and (view.over or not view.tricks_played):
        return "last hand", ", ".join(f"{side_name(view.rules, side)} {points[side]:+d}" for side in sides_from(view))
    if view.given and view.phase == "play":
        given, received = (" ".join(map(card_text, held)) for held in (view.given, view.received))
        return "passed", f"you gave {given} and got {received}"
    return "", ""


def card_text(card: Card) -> str:
    """Return a short text: A♠, 10♥, RJ."""
    if card >= cards.BLACK_JOKER:
        return "BJ" if card == cards.BLACK_JOKER else "RJ"
    return cards.RANKS[card % 13].replace("T", "10") + cards.SUIT_SYMBOLS[card // 13]
