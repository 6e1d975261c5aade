"""The glossary: the words of the game, and the ints that stand for seats, sides, cards and actions.

    seat     0 South, 1 West, 2 North, 3 East; partners sit opposite
    side     0 South & North, 1 West & East; without partners a side is a seat
    hand     thirteen cards; also what is played with them: the deal, the bids, thirteen tricks, the score
    game     hands until a side has won
    nil      a bid of no tricks; blind nil: the same, bid before looking at one's cards
    set      a side that took fewer tricks than it bid
    bag      a trick above the bid, where the rules count these against the side
    view     what one seat may know of a table

A card is an int, `13 * suit + rank`:

              2   3   4   5   6   7   8   9   T   J   Q   K   A
    clubs     0   1   2   3   4   5   6   7   8   9  10  11  12
    diamonds 13  14   …                                      25
    hearts   26  27   …                                      38
    spades   39  40   …                                      51      52 black joker, 53 red joker

An action is an int of one fixed table, the same under every rule set:

    0 … 53   play that card, or pass it        54 + b   bid b (0 … 13)
    68       bid blind nil                     69       look at your cards
"""

from collections.abc import Iterable

from spades_env.errors import SpadesError

Card = int
Seat = int
Side = int
Action = int

SEATS = ("South", "West", "North", "East")  # clockwise; partners sit opposite
SUITS = ("clubs", "diamonds", "hearts", "spades")
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
RANKS = "23456789TJQKA"
RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUIT_LETTERS = "CDHS"
SUIT_SYMBOLS = "♣♦♥♠"

NUM_SEATS = 4
NUM_CARDS = 54
NUM_TRICKS = 13
BLACK_JOKER, RED_JOKER = 52, 53
CARD_NAMES = (*(rank + suit for suit in SUIT_LETTERS for rank in RANKS), "BJ", "RJ")

BID_ZERO = 54
BLIND_NIL = 68
LOOK = 69
NUM_ACTIONS = 70
MAX_BID = 13
ACTION_NAMES = (*CARD_NAMES, *(f"bid:{number}" for number in range(MAX_BID + 1)), "blind", "look")

PHASES = ("blind", "bid", "pass", "play", "over")


def card(text: str) -> Card:
    """Return the card a text names: `card("AS") == 51`, `card("RJ") == 53`."""
    try:
        return CARD_NAMES.index(str(text).upper())
    except ValueError:
        raise SpadesError(f"{text!r} isn't a card. Write cards like AS, TD or 2C; the jokers are BJ and RJ") from None


def cards(text: str | Iterable[str]) -> list[Card]:
    """Return the cards that a text lists.

    Args:
        text: Names of cards, separated by blanks, or one by one.

    Returns:
        The cards as numbers, in the order of the text.

    Raises:
        SpadesError: A word isn't a card.

    Examples:
        >>> from spades_env import cards
        >>> cards.cards("AS KD 2C")
        [51, 24, 0]
    """
    return [card(word) for word in (text.split() if isinstance(text, str) else text)]


def card_name(card: Card) -> str:
    """Return two letters: `"AS"`, `"TD"`, `"BJ"`."""
    return CARD_NAMES[card]


def card_words(card: Card) -> str:
    """Return the card in words: "ace of spades", "the red joker"."""
    if card >= BLACK_JOKER:
        return "the red joker" if card == RED_JOKER else "the black joker"
    return f"{RANK_WORDS[card % 13]} of {SUITS[card // 13]}"


def action_name(action: Action) -> str:
    """Return one word for any action: `"AS"`, `"bid:4"`, `"blind"`, `"look"`."""
    return ACTION_NAMES[action]


def parse_action(text: str) -> Action:
    """Return the action that `action_name` wrote."""
    if text in ACTION_NAMES[BID_ZERO:]:
        return ACTION_NAMES.index(text)
    if text.startswith("bid:"):
        raise SpadesError(f"unknown bid {text!r}; expected bid:0 to bid:{MAX_BID}")
    return card(text)


def action_words(action: Action) -> str:
    """Return the action in words: "ace of spades", "a bid of 4", "blind nil"."""
    if action < NUM_CARDS:
        return card_words(action)
    if action == BLIND_NIL:
        return "blind nil"
    return "a look at the cards" if action == LOOK else f"a bid of {action - BID_ZERO}"


TWO_OF_CLUBS, TWO_OF_DIAMONDS, TWO_OF_HEARTS, TWO_OF_SPADES = 0, 13, 26, 39

ACE_TO_TWO = tuple(range(51, 38, -1))
ACE_TO_THREE = ACE_TO_TWO[:-1]

TRUMP_ORDERS = {  # the trump suit, highest card first; every card in it counts as a spade
    "normal": ACE_TO_TWO,
    "nyc": (RED_JOKER, BLACK_JOKER, TWO_OF_DIAMONDS, TWO_OF_SPADES, *ACE_TO_THREE),
    "barmore": (RED_JOKER, BLACK_JOKER, TWO_OF_SPADES, *ACE_TO_THREE),
    "deuces": (TWO_OF_SPADES, TWO_OF_DIAMONDS, TWO_OF_CLUBS, TWO_OF_HEARTS, *ACE_TO_THREE),
    "jokers": (RED_JOKER, BLACK_JOKER, *ACE_TO_TWO),
    "big_two": (TWO_OF_SPADES, *ACE_TO_THREE),
}


def deck(trumps: str) -> tuple[Card, ...]:
    """Return the 52 cards dealt in a trump mode; two jokers replace 2♣ and 2♥."""
    order = TRUMP_ORDERS[trumps]
    left_out = (TWO_OF_CLUBS, TWO_OF_HEARTS) if RED_JOKER in order else (BLACK_JOKER, RED_JOKER)
    return tuple(c for c in range(NUM_CARDS) if c not in left_out)


def partner(seat: Seat) -> Seat:
    return (seat + 2) % NUM_SEATS
