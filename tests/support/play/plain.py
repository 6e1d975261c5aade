"""A position in plain Python, from the plain data of a view: cards are names, and nothing of the engine is used."""

import numpy as np

from spades_env.agents.club import bid as club
from spades_env.game.cards import RANKS, TRUMP_ORDERS, card_name, deck
from spades_env.game.view import View


class Plain:
    """A position from `view.to_dict()`, with cards as names."""

    def __init__(self, view: View):
        data = self.data = view.to_dict()
        self.order = [card_name(card) for card in TRUMP_ORDERS[view.rules.trumps]][::-1]
        self.me, self.hand = data["seat"], data["hand"]
        self.mate = (self.me + 2) % 4 if view.rules.partners else None
        self.trick = self.plays(data["table"])
        played = [card for trick in [*data["tricks_played"], data["table"]] for card in trick["cards"]]
        self.out = [name for card in deck(view.rules.trumps) if (name := card_name(card)) not in played + self.hand]
        self.nils = [seat for seat in range(4) if data["nils"][seat] and data["tricks"][seat] == 0]
        self.left = 13 - len(data["tricks_played"])
        self.rules = data["rules"]
        self.legal = data["legal_actions"]
        self.without_bids = data["rules"]["first_hand"] == "bids_itself" and data["hand_number"] == 0
        self.counted = int(club.count(view.compiled_rules[0], np.uint64(int(view.state[0].hands[view.seat]))))

    @staticmethod
    def plays(trick):
        return [((trick["leader"] + i) % 4, card) for i, card in enumerate(trick["cards"])]

    def suit(self, name):
        return "S" if name in self.order else name[1]

    def rank(self, name):
        return self.order.index(name) if name in self.order else RANKS.index(name[0])

    def above(self, name):
        return [one for one in self.out if self.suit(one) == self.suit(name) and self.rank(one) > self.rank(name)]

    def below(self, name):
        return [one for one in self.out if self.suit(one) == self.suit(name) and self.rank(one) < self.rank(name)]

    def of(self, suit):
        return sorted((name for name in self.hand if self.suit(name) == suit), key=self.rank)

    def winner(self, cards=None):
        """Return who wins these cards, and with which; by default, the cards on the table."""
        cards = self.trick if cards is None else cards
        led = self.suit(cards[0][1])
        trumps = [play for play in cards if self.suit(play[1]) == "S"]
        return max(trumps or [play for play in cards if self.suit(play[1]) == led], key=lambda play: self.rank(play[1]))

    def takes(self, name):
        return bool(self.trick) and self.winner([*self.trick, (self.me, name)])[0] == self.me

    def loses(self, name):
        return bool(self.trick) and not self.takes(name)

    def left_in(self, suit):
        return [one for one in self.out if self.suit(one) == suit]

    def later(self):
        there = [seat for seat, _ in self.trick]
        return [seat for seat in range(4) if seat != self.me and seat not in there]

    def side(self, seat):
        return [seat] if self.mate is None else sorted([seat, (seat + 2) % 4])

    def need(self, seat):
        """How many tricks the side of a seat lacks."""
        data, total = self.data, 0
        if self.without_bids:
            return 1
        for one in self.side(seat):
            total += data["bids"][one] or 0
            if not data["nils"][one] or self.rules["failed_nil_tricks"] == "partner":
                total -= data["tricks"][one]
        return total

    def out_of(self, seat, suit):
        """Has the seat shown that it has no card of the suit, by not following, or by a spade that it had to play?"""
        tricks = [self.plays(trick) for trick in [*self.data["tricks_played"], self.data["table"]]]
        clubs = self.rules["first_trick"] == "lowest_club"
        broken = self.rules["spades_lead"] == "any"
        for number, trick in enumerate(tricks):
            led = self.suit(trick[0][1]) if trick else None
            for place, (one, card) in enumerate(trick):
                spade = self.suit(card) == "S"
                forced = spade and ((number == 0 and clubs) or (place == 0 and not broken))
                asked = "C" if number == 0 and clubs else led
                if one == seat and ((forced and suit != "S") or self.suit(card) != suit == asked):
                    return True
                broken |= spade and (self.rules["spades_lead"] == "broken" or led != "S")
        return False

    def bid(self, side):
        return sum(self.data["bids"][one] or 0 for one in side)

    def bags(self):
        """The number of the next bag of my side."""
        failed = 0
        if self.rules["failed_nil_tricks"] in ("bags", "overtricks"):
            failed = sum(self.data["tricks"][one] for one in self.side(self.me) if self.data["nils"][one])
        own = min(self.side(self.me)) if self.mate is not None else self.me
        return self.data["bags"][own] - self.need(self.me) + failed + 1
