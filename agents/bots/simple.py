"""A bot that speaks the line protocol of docs/agents.md; it needs nothing but Python.

It bids its high spades and aces, and plays its lowest legal card unless it can win the trick.
"""

import json
import sys

RANKS = "23456789TJQKA"


def bid(view):
    high = [card for card in view["hand"] if card[0] == "A" or (card[1] == "S" and card[0] in "TJQK")]
    return f"bid:{max(1, len(high))}"


def play(view):
    cards = sorted(view["legal_actions"], key=lambda card: RANKS.find(card[0]))
    led = view["table"]["cards"][:1]
    higher = [card for card in cards if led and card[1] == led[0][1] and RANKS.find(card[0]) > RANKS.find(led[0][0])]
    return higher[-1] if higher else cards[0]


def decide(view):
    """Return one of the legal actions."""
    chosen = {"blind": lambda view: "look", "bid": bid}.get(view["phase"], play)(view)
    return chosen if chosen in view["legal_actions"] else view["legal_actions"][0]


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            print(json.dumps({"id": message["id"], "action": decide(message["view"])}), flush=True)
