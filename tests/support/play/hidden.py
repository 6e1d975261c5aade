"""What a message may name: which cards somebody may know at a moment, worked out anew from the moves made."""

import json
import re
from collections.abc import Iterator

from support.play.sittings import dealt

from spades_env.game.cards import CARD_NAMES, NUM_CARDS, Card, Seat, card_words
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.table import Table

TOKEN = re.compile(rf"\b(?:{'|'.join(CARD_NAMES)})\b")
WORDS = re.compile("|".join(card_words(card) for card in range(NUM_CARDS)))
OPEN = ("rules", "previous")  # what trumps there are; the hand before, of which all cards were played
BY_WORDS = {card_words(card): card for card in range(NUM_CARDS)}


def named(told: object) -> set[Card]:
    """Return every card in a message, as a token or in words."""
    text = json.dumps(told, ensure_ascii=False)
    return (
        set(cards_sent(told))
        | {CARD_NAMES.index(word) for word in TOKEN.findall(text)}
        | {BY_WORDS[word] for word in WORDS.findall(text)}
    )


def cards_sent(told: object) -> Iterator[Card]:
    """Yield every card that a sentence names by its key: ["card", {"rank": ["rank.T", {}], "suit": ["suit.H", {}]}]."""
    if isinstance(told, list) and len(told) == 2 and isinstance(told[0], str) and told[0].startswith("card"):
        key, params = told
        yield CARD_NAMES.index(key[5:] or params["rank"][0][-1] + params["suit"][0][-1])
    elif isinstance(told, list | dict):
        for one in told.values() if isinstance(told, dict) else told:
            yield from cards_sent(one)


def may_name(table: Table, hand: PlayedHand, deeds: int, seat: Seat | None) -> set[Card]:
    """Return what a seat may know of the hand on the table after so many moves; None: somebody who watches."""
    game = hand.game(table.rules, deeds)
    known = {deed.action for deed in hand.moves[:deeds] if deed.phase == "play"}
    if seat is None:
        return known
    if game.looked[seat] or game.phase in ("pass", "play"):
        known |= set(dealt(hand)[seat])
        known |= set(game.view(seat).received)
    return known


def check_view(table: Table, view: dict, texts: dict | None = None) -> None:
    """Check one view against the moves that were made. texts: the keys of its sentences."""
    hand = table.hands[view["hand_number"] - 1]
    allowed = may_name(table, hand, len(view["events"]), view["seat"])
    rest = [{name: part for name, part in one.items() if name not in OPEN} for one in (view, texts or {})]
    assert named(rest) <= allowed, sorted(CARD_NAMES[card] for card in named(rest) - allowed)
    if view["previous"]:
        before = table.hands[view["hand_number"] - 2]
        tricks = [
            [(play["seat"], CARD_NAMES.index(play["card"])) for play in one["cards"]]
            for one in view["previous"]["tricks"]
        ]
        assert tricks == before.tricks()
    own = [CARD_NAMES.index(card) for lane in view["lanes"] for card in lane["cards"]]
    assert len(own) == len(set(own)) == view["seats"][0]["cards"] or not own
