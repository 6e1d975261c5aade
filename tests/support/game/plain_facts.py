"""The facts of a hand, derived from its moves alone."""

from support.game.reference import trick_winner
from support.game.tables import hand_start, moves_of_hand, suit_of

from spades_env import Game, Rules
from spades_env.game.cards import partner


class Naive:
    """The facts of a hand, derived from its moves alone."""

    def __init__(self, game: Game):
        rules, start = game.rules, hand_start(game)
        moves = moves_of_hand(game)
        self.dealt = start.hands
        self.passes = [(seat, card) for phase, seat, card in moves if phase == "pass"]
        self.plays = [(seat, card) for phase, seat, card in moves if phase == "play"]
        self.tricks = [self.plays[i : i + 4] for i in range(0, len(self.plays) // 4 * 4, 4)]
        self.on_table = self.plays[4 * len(self.tricks) :]
        self.won = [trick_winner(trick, rules.trumps) for trick in self.tricks]
        self.exchanged = [seat for seat in range(4) if self.has_exchanged(seat, cards_passed(game, seat))]
        self.breaking = [self.breaks(place, rules) for place in range(len(self.plays))]

    def breaks(self, place: int, rules: Rules) -> bool:
        """Is this play, counted from 0, one that breaks spades?"""
        led, own = (suit_of(self.plays[i][1], rules.trumps) for i in (place // 4 * 4, place))
        return own == 3 and (led != 3 or rules.spades_lead != "discarded")

    def has_exchanged(self, seat: int, count: int) -> bool:
        done = [sum(giver == who for giver, _ in self.passes) == count for who in (seat, partner(seat))]
        return count > 0 and all(done)

    def given(self, seat: int) -> list[int]:
        return [card for giver, card in self.passes if giver == seat]

    def received(self, seat: int) -> list[int]:
        return self.given(partner(seat)) if seat in self.exchanged else []

    def lacks(self, seat: int, suit: int, rules: Rules) -> bool:
        """Has the seat shown that it holds nothing of the suit?"""
        for number, trick in enumerate([*self.tricks, self.on_table]):
            suits = [suit_of(card, rules.trumps) for _, card in trick]
            for place, (player, _) in enumerate(trick):
                if player != seat:
                    continue
                if number == 0 and rules.first_trick == "lowest_club":
                    if suits[place] == 3 != suit or 0 == suit != suits[place]:
                        return True
                    continue
                if place and suit == suits[0] != suits[place]:
                    return True
                broken = any(self.breaking[: 4 * number])
                if not place and suits[0] == 3 != suit and not broken and rules.spades_lead != "any":
                    return True
        return False


def cards_passed(game: Game, seat: int) -> int:
    """Return how many cards the nils of a seat and its partner make each of them pass."""
    by_nil = {True: game.rules.blind_nil_pass, False: game.rules.nil_pass}
    return max(by_nil[game.blind[who]] if game.nils[who] else 0 for who in (seat, partner(seat)))
