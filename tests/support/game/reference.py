"""A slow, plain reference for the rules of Spades, to check the engine in lock-step.

It shares nothing with the engine: it was written from the rules alone, in lists and
dicts, and prefers the wording of the rules over speed. The caller deals the cards.

    seats  0 South, 1 West, 2 North, 3 East, clockwise; the left of a seat is seat + 1
    sides  seats 0 & 2 and seats 1 & 3, or without partners one side for each seat
    cards  13 * suit + rank: clubs 0-12, diamonds 13-25, hearts 26-38, spades 39-51,
           each from two to ace; 52 black joker, 53 red joker

    action   0-53      54 + b   68         69
    meaning  the card  bid b    blind nil  look
"""

FIRST_BID, BLIND_NIL, LOOK = 54, 68, 69
BIDS = [FIRST_BID + bid for bid in range(14)]

CLUB, SPADE = 0, 3
TWO_OF_CLUBS, TWO_OF_DIAMONDS, TWO_OF_HEARTS, TWO_OF_SPADES = 0, 13, 26, 39
BLACK_JOKER, RED_JOKER = 52, 53
JOKERS = [RED_JOKER, BLACK_JOKER]
ACE_TO_TWO = list(range(51, 38, -1))
ACE_TO_THREE = list(range(51, 39, -1))

# Highest first: every card listed is a spade in that mode.
TRUMPS = {
    "normal": ACE_TO_TWO,
    "nyc": [*JOKERS, TWO_OF_DIAMONDS, TWO_OF_SPADES, *ACE_TO_THREE],
    "barmore": [*JOKERS, TWO_OF_SPADES, *ACE_TO_THREE],
    "deuces": [TWO_OF_SPADES, TWO_OF_DIAMONDS, TWO_OF_CLUBS, TWO_OF_HEARTS, *ACE_TO_THREE],
    "jokers": JOKERS + ACE_TO_TWO,
    "big_two": [TWO_OF_SPADES, *ACE_TO_THREE],
}


def suit_of(card: int, trumps: str) -> int:
    return SPADE if card in TRUMPS[trumps] else card // 13


def trick_winner(trick: list, trumps: str) -> int:
    """Return the seat that wins a trick of (seat, card) pairs: highest trump, else highest card of the suit led."""
    spades = [card for _, card in trick if suit_of(card, trumps) == SPADE]
    if spades:
        best = min(spades, key=TRUMPS[trumps].index)
    else:
        led = suit_of(trick[0][1], trumps)
        best = max(card for _, card in trick if suit_of(card, trumps) == led)
    return next(seat for seat, card in trick if card == best)


class Table:
    """One game: the cards on the table, the seat to move, and the scores."""

    def __init__(self, options: dict, hands, dealer: int, scores=None, bags=None, hand_number=0):
        self.options = options
        self.side_count = 2 if options["partners"] else 4
        self.scores = list(scores or [0] * self.side_count)
        self.bags = list(bags or [0] * self.side_count)
        self.hand_number = hand_number
        self.winner: int | None = None
        self.results: list[dict] = []
        self._begin_hand(hands, dealer)

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to move, sorted; none once the game is over."""
        if self.phase == "over":
            return []
        if self.phase == "blind":
            return self._blind_choices(self.turn)
        if self.phase == "bid":
            return [FIRST_BID + number for number in self._numbers(self.turn)]
        if self.phase == "pass":
            chosen = self.chosen[self.turn]
            return sorted(c for c in self.hands[self.turn] if c not in chosen)
        return sorted(self._playable())

    def apply(self, action: int, next_deal) -> None:
        """Take one action; next_deal(hand_number) deals when another hand begins."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal for seat {self.turn}")
        if action == LOOK:
            self.phase = "bid"
        elif self.phase in ("blind", "bid"):
            self._bid(action)
        elif self.phase == "pass":
            self._pass(action)
        else:
            self._play(action, next_deal)

    def score_hand(self) -> None:
        """Score the hand by its bids and tricks, and add it to the results."""
        points = [0] * self.side_count
        overtricks = [0] * self.side_count
        for side in range(self.side_count):
            overtricks[side] = self._overtricks(side)
            points[side] += self._bid_points(side) + self._nil_points(side) + self._slam_points(side)
            points[side] += overtricks[side] * self.options["overtrick_points"]
        for side in range(self.side_count):
            self._collect_bags(side, overtricks[side], points)
        for side in range(self.side_count):
            self.scores[side] += points[side]
        self.results.append(
            {
                "bids": list(self.bids),
                "blind": list(self.blind),
                "tricks": list(self.tricks),
                "points": points,
                "bags": list(self.bags),
                "overtricks": overtricks,
            }
        )

    def _begin_hand(self, hands, dealer: int) -> None:
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.bids: list = [None] * 4
        self.blind_contracts: list[int] = []  # seats that bid for both partners
        self.blind = [False] * 4
        self.tricks = [0] * 4
        self.table: list = []
        self.broken = False
        self.givers: list[int] = []
        self.chosen: list[list[int]] = [[], [], [], []]
        right = self.options["first_lead"] == "right_of_dealer"
        first = (dealer + 3) % 4 if right else (dealer + 1) % 4
        self.bidding_order = [(first + turn) % 4 for turn in range(4)]
        if self._bids_itself():
            self._pass_or_lead()
        else:
            self._ask_for_bid(first)

    def _bids_itself(self) -> bool:
        return self.options["first_hand"] == "bids_itself" and self.hand_number == 0

    def _ask_for_bid(self, seat: int) -> None:
        self.turn = seat
        self.phase = "blind" if len(self._blind_choices(seat)) > 1 else "bid"

    def _behind(self, seat: int) -> int:
        own = self._side(seat)
        return max(self.scores[side] for side in range(self.side_count) if side != own) - self.scores[own]

    def _blind_choices(self, seat: int) -> list[int]:
        """What a seat may do before it sees its cards."""
        choices = []
        least, needed = self.options["blind_bid"], self.options["blind_bid_deficit"]
        if least is not None and self._behind(seat) >= needed and self.bids[self._partner(seat)] is None:
            numbers = range(max(least, self.options["least_bid"]), 14)
            last = self._waiting() in ([seat], [seat, self._partner(seat)])
            choices += [FIRST_BID + number for number in numbers if not (last and self._makes_total(number))]
        needed = self.options["blind_nil_deficit"]
        if needed is not None and self._behind(seat) >= needed and self._nil_leaves_enough(seat):
            last = self._waiting() == [seat]
            if not (last and self._makes_total(0)):
                choices.append(BLIND_NIL)
        return [*choices, LOOK]

    def _nil_leaves_enough(self, seat: int) -> bool:
        """A nil is open to the second of a side only if the partner's bid reaches the board alone."""
        partners_bid = self.bids[self._partner(seat)] if self.options["partners"] else None
        return partners_bid is None or partners_bid >= self.options["least_bid"]

    def _makes_total(self, number: int) -> bool:
        return self.options["total_not"] == sum(bid or 0 for bid in self.bids) + number

    def _numbers(self, seat: int) -> list[int]:
        """The bids of a seat that has seen its cards."""
        way, least = self.options["bidding"], self.options["least_bid"]
        trumps = sum(self._suit(card) == SPADE for card in self.hands[seat])
        partners_bid = self.bids[self._partner(seat)] if self.options["partners"] else None
        if way == "mirror" or (way == "whiz" and not self.options["nil"]):
            return [trumps]
        if way == "whiz":
            return sorted({0, trumps})
        if way == "suicide":
            if partners_bid is None:
                return [0, *range(max(least, 1), 14)]
            return list(range(max(least, 1), 14)) if partners_bid == 0 else [0]
        missing = 0 if partners_bid is None else least - partners_bid
        numbers = list(range(max(missing, 0), 14))
        if self._waiting() == [seat]:
            return [number for number in numbers if not self._makes_total(number)] or numbers
        return numbers

    def _waiting(self) -> list[int]:
        """The seats that are still to bid; the partner of one who bid blind for both is not."""
        spared = [self._partner(seat) for seat in self.blind_contracts]
        return [seat for seat in self.bidding_order if self.bids[seat] is None and seat not in spared]

    def _bid(self, action: int) -> None:
        self.blind[self.turn] = action == BLIND_NIL
        self.bids[self.turn] = 0 if action == BLIND_NIL else action - FIRST_BID
        if self.phase == "blind" and action != BLIND_NIL:
            self.blind_contracts.append(self.turn)
        waiting = self._waiting()
        if waiting:
            self._ask_for_bid(waiting[0])
        else:
            self.givers = self._passing_order()
            self._pass_or_lead()

    def _passing_order(self) -> list[int]:
        if not self.options["partners"]:
            return []
        order = []
        for seat in self.bidding_order:
            if self._passes_for(seat) and seat not in order:
                order += [seat, self._partner(seat)]
        return order

    def _passes_for(self, seat: int) -> int:
        """How many cards a seat's own nil makes it pass."""
        if self.blind[seat]:
            return self.options["blind_nil_pass"]
        return self.options["nil_pass"] if self._bid_nil(seat) else 0

    def _pass_or_lead(self) -> None:
        if self.givers:
            self.phase, self.turn = "pass", self.givers[0]
        else:
            self.phase, self.turn = "play", self._first_leader()

    def _pass(self, card: int) -> None:
        seat = self.turn
        wanted = max(self._passes_for(seat), self._passes_for(self._partner(seat)))
        self.chosen[seat].append(card)
        if len(self.chosen[seat]) < wanted:
            return
        if len(self.chosen[self._partner(seat)]) == wanted:
            self._give(seat)
            self._give(self._partner(seat))
        self.givers.remove(seat)
        self._pass_or_lead()

    def _give(self, seat: int) -> None:
        for card in self.chosen[seat]:
            self.hands[seat].remove(card)
            self.hands[self._partner(seat)].append(card)

    def _first_leader(self) -> int:
        if self.options["first_lead"] != "highest_bidder":
            return self.bidding_order[0]
        if self._bids_itself():
            return (self.dealer + 1) % 4
        highest = max(bid or 0 for bid in self.bids)
        return next(seat for seat in self.bidding_order if self.bids[seat] == highest)

    def _playable(self) -> list[int]:
        hand = self.hands[self.turn]
        if self.options["first_trick"] == "lowest_club" and sum(self.tricks) == 0:
            clubs = [card for card in hand if self._suit(card) == CLUB]
            return [min(clubs)] if clubs else [card for card in hand if self._suit(card) != SPADE] or hand
        if not self.table:
            return self._leadable(hand)
        led = self._suit(self.table[0][1])
        following = [card for card in hand if self._suit(card) == led]
        return following or hand

    def _leadable(self, hand: list[int]) -> list[int]:
        if self.broken or self.options["spades_lead"] == "any":
            return hand
        others = [card for card in hand if self._suit(card) != SPADE]
        return others or hand

    def _play(self, card: int, next_deal) -> None:
        seat = self.turn
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        self.broken = self.broken or self._breaks(card)
        self.turn = (seat + 1) % 4
        if len(self.table) == 4:
            self._end_trick()
        if self.hands == [[], [], [], []]:
            self._end_hand(next_deal)

    def _breaks(self, card: int) -> bool:
        """Does this card, just played, break spades?"""
        if self._suit(card) != SPADE:
            return False
        led_suit = self._suit(self.table[0][1])
        return self.options["spades_lead"] != "discarded" or led_suit != SPADE

    def _end_trick(self) -> None:
        self.turn = trick_winner(self.table, self.options["trumps"])
        self.tricks[self.turn] += 1
        self.table = []

    def _end_hand(self, next_deal) -> None:
        self.score_hand()
        if self._game_is_over():
            self.phase = "over"
            leaders = self._leaders()
            self.winner = leaders[0] if len(leaders) == 1 else None
        else:
            self.hand_number += 1
            self._begin_hand(next_deal(self.hand_number), (self.dealer + 1) % 4)

    def _nils(self, side: int) -> list[int]:
        return [seat for seat in self._seats(side) if self._bid_nil(seat)]

    def _bid_nil(self, seat: int) -> bool:
        return self.blind[seat] or (self.options["nil"] and self.bids[seat] == 0)

    def _contract(self, side: int) -> int:
        if self._bids_itself():
            return self._made(side)
        return sum(self.bids[seat] or 0 for seat in self._seats(side))

    def _is_ten(self, side: int) -> bool:
        return self.options["ten_points"] is not None and self._contract(side) >= 10 and not self._bids_itself()

    def _made(self, side: int) -> int:
        won = sum(self.tricks[seat] for seat in self._seats(side))
        if self.options["failed_nil_tricks"] == "partner":
            return won
        return won - self._failed_nil_tricks(side)

    def _failed_nil_tricks(self, side: int) -> int:
        return sum(self.tricks[seat] for seat in self._nils(side))

    def _bid_points(self, side: int) -> int:
        contract = self._contract(side)
        worth = self.options["ten_points"] if self._is_ten(side) else 10 * contract
        if any(self._side(seat) == side for seat in self.blind_contracts):
            worth *= 2
        return worth if self._made(side) >= contract else -worth

    def _slam_points(self, side: int) -> int:
        took = sum(self.tricks[seat] for seat in self._seats(side))
        return (self.options["slam_points"] or 0) if took == 13 else 0

    def _nil_points(self, side: int) -> int:
        points = 0
        for seat in self._nils(side):
            name = "blind_nil_bonus" if self.blind[seat] else "nil_bonus"
            bonus = self.options[name]
            points += bonus if self.tricks[seat] == 0 else -bonus
        plain = [seat for seat in self._nils(side) if not self.blind[seat] and self.tricks[seat] == 0]
        if len(plain) == 2 and self.options["double_nil_points"] is not None:
            return self.options["double_nil_points"]
        return points

    def _overtricks(self, side: int) -> int:
        if self._is_ten(side):
            return 0
        above = self._made(side) - self._contract(side)
        overtricks = max(above, 0)
        rule = self.options["failed_nil_tricks"]
        if rule == "bags" or (rule == "overtricks" and above >= 0):
            overtricks += self._failed_nil_tricks(side)
        return overtricks

    def _collect_bags(self, side: int, overtricks: int, points: list[int]) -> None:
        if self.options["bag_limit"] is None:
            return
        self.bags[side] += overtricks
        while self.bags[side] >= self.options["bag_limit"]:
            self.bags[side] -= self.options["bag_limit"]
            self._penalise(side, points)

    def _penalise(self, side: int, points: list[int]) -> None:
        for other in range(self.side_count):
            if self.options["bag_penalty_to"] == "self" and other == side:
                points[other] -= self.options["bag_penalty"]
            if self.options["bag_penalty_to"] == "opponents" and other != side:
                points[other] += self.options["bag_penalty"]

    def _game_is_over(self) -> bool:
        target, floor = self.options["target"], self.options["floor"]
        max_hands = self.options["max_hands"]
        ended = (
            (target is not None and max(self.scores) >= target)
            or (max_hands is not None and self.hand_number + 1 >= max_hands)
            or (floor is not None and min(self.scores) <= floor)
        )
        extra_hand = self.options["tie"] == "extra_hand" and len(self._leaders()) > 1
        return ended and not extra_hand

    def _leaders(self) -> list[int]:
        sides = range(self.side_count)
        return [side for side in sides if self.scores[side] == max(self.scores)]

    def _side(self, seat: int) -> int:
        return seat % self.side_count

    def _seats(self, side: int) -> list[int]:
        return [seat for seat in range(4) if self._side(seat) == side]

    def _partner(self, seat: int) -> int:
        return (seat + 2) % 4

    def _suit(self, card: int) -> int:
        return suit_of(card, self.options["trumps"])
