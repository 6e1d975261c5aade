"""Random changes to what a seat may not know; nothing that the seat sees may change with it."""

import random

import numpy as np

from spades_env import Game, Rules
from spades_env.game.cards import TRUMP_ORDERS, partner
from spades_env.game.rules import CHOICES


def redealt(game: Game, seat: int, rng: random.Random) -> np.recarray:
    """Return another table (STATE[1]) that the seat cannot tell from its own.

    Cards are swapped between hands the seat does not see; the suits a hand has shown to lack stay away from it, and so
    do the cards that the seat itself gave its partner stay there. The cards that others passed are drawn again.
    """
    table = game.state
    s = table[0]
    s.seed = rng.getrandbits(64)
    unseen = [other for other in range(4) if other != seat or not s.looked[seat]]
    hands = [places(hand) for hand in s.hands]
    known = places(s.given[seat] & s.hands[partner(seat)])
    for _ in range(100):
        a, b = rng.sample(unseen, 2)
        swap(hands, s.voids, known, a, b, rng)
    for other in unseen:
        exchanged = not s.given[other] & s.hands[other]
        if exchanged and other != partner(seat):
            taker = partner(other)
            candidates = hands[taker] + played_by(game, taker)
        elif not exchanged:
            candidates = hands[other]
        else:
            continue  # what the partner gave is known once it is here
        s.given[other] = lanes(rng.sample(candidates, len(places(s.given[other]))))
    s.hands[:] = [lanes(hand) for hand in hands]
    return table


def played_by(game: Game, seat: int) -> list[int]:
    plays = [play for trick in [*game.tricks_played, game.table] for play in trick]
    return [int(game._compiled[0].place[card]) for player, card in plays if player == seat]


def rules_to_play() -> dict[str, Rules]:
    """Return all presets, every trump mode with blind nil open and 1 to 3 cards passed, and solo with blind nil."""
    rules = {name: Rules.preset(name) for name in Rules.presets()}
    for i, trumps in enumerate(TRUMP_ORDERS):
        passing = 1 + i % 3
        first_lead = CHOICES["first_lead"][i % 3]
        name = f"{trumps}-pass{passing}"
        rules[name] = Rules(trumps=trumps, blind_nil_deficit=0, blind_nil_pass=passing, first_lead=first_lead)
    rules["blind-without-passing"] = Rules(blind_nil_deficit=0, spades_lead="any")
    rules["solo-blind"] = Rules.preset("solo", blind_nil_deficit=0, trumps="nyc")
    return rules


def places(lanes) -> list[int]:
    return [place for place in range(64) if int(lanes) >> place & 1]


def lanes(places: list[int]) -> np.uint64:
    return np.uint64(sum(1 << place for place in places))


def swap(hands: list[list[int]], voids, known: list[int], a: int, b: int, rng: random.Random) -> None:
    """Let two seats exchange a card, if their shown voids allow it."""
    from_a = [place for place in hands[a] if place not in known and not voids[b] >> (place >> 4) & 1]
    from_b = [place for place in hands[b] if place not in known and not voids[a] >> (place >> 4) & 1]
    if from_a and from_b:
        card_a, card_b = rng.choice(from_a), rng.choice(from_b)
        hands[a][hands[a].index(card_a)] = card_b
        hands[b][hands[b].index(card_b)] = card_a


RULES = rules_to_play()
