"""An example entry: bids its sure tricks, wins as cheaply as it can while its side needs tricks, and ducks afterwards.

Written from docs/agents.md alone. It needs nothing but Python.
"""

import json
import sys

RANKS = "23456789TJQKA"


def rank(card):
    return RANKS.index(card[0]) + (13 if card[1] == "S" else 0)


def bid(view):
    """Count aces, guarded kings, and spades beyond the third."""
    hand = view["hand"]
    length = {suit: sum(card[1] == suit for card in hand) for suit in "CDHS"}
    tricks = sum(card[0] == "A" or (card[0] == "K" and length[card[1]] > 1) for card in hand)
    tricks += sum(card == "QS" and length["S"] > 2 for card in hand)
    return f"bid:{max(1, tricks + max(0, length['S'] - 3))}"


def beats(card, best):
    return (card[1] == best[1] or card[1] == "S") and rank(card) > rank(best)


def needs_tricks(view):
    side = (view["seat"], (view["seat"] + 2) % 4)
    return sum(view["tricks"][seat] for seat in side) < sum(view["bids"][seat] for seat in side)


def play(view):
    cards = sorted(view["legal_actions"], key=rank)
    table = view["table"]["cards"]
    if not table:
        return cards[-1] if needs_tricks(view) and cards[-1][0] == "A" else cards[0]
    led = table[0][1]
    best = max(table, key=lambda card: rank(card) if card[1] in (led, "S") else -1)
    partner_wins = view["table"]["winner"] == (view["seat"] + 2) % 4
    winners = [card for card in cards if beats(card, best)]
    if needs_tricks(view) and winners and not partner_wins:
        return winners[0]
    losers = [card for card in cards if card not in winners]
    return losers[0] if losers else cards[0]


def decide(view):
    """Return one of the legal actions."""
    chosen = bid(view) if view["phase"] == "bid" else play(view) if view["phase"] == "play" else ""
    return chosen if chosen in view["legal_actions"] else view["legal_actions"][0]


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            print(json.dumps({"id": message["id"], "action": decide(message["view"])}), flush=True)
