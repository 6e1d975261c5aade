"""Positions in a short notation, and what an agent must or must not do there.

You are South: West plays after you, North is your partner, East plays before you. A position gives your cards, the bids
and the open cards; hidden cards are dealt at random, and no honest answer depends on them. A position is a few lines of
text, its items between slashes; the last line says what must be done, and why:

    rules classic nil=false / scores 250 240 / bags 9 3 / hand_number 7    us first; by default the start of a game
    bids W3 Nnil E4 S4                      in the order made; a missing seat has not bid yet
    tricks W AD 3D 5D 2D, W KD 6D 7D 8D     the finished tricks, each from its leader on
    table W QD 9S TD                        the trick on the table
    taken 5 5 / out KH QH JH …              instead of tricks, late in a hand: how many we and they have won, and the
                                            others' cards before this trick; the rest was played, in tricks that fit
    hand AS 3C …                            your cards now; missing if you have not looked
    must AS KD: why                         or: must not nil 1 2: why; blind, look: why
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from spades_env.agents.base import Agent
from spades_env.game import cards
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, SPADES, Action, Card, Seat, deck
from spades_env.game.game import Game
from spades_env.game.rules import Rules

SEAT_LETTERS = "SWNE"
SOUTH, WEST, NORTH, EAST = range(4)
ATTEMPTS = 3000  # at cards for the others, or at earlier tricks

Trick = list[tuple[Seat, Card]]


@dataclass(frozen=True)
class PosedPosition:
    """One position. `game` rotates the table so that South sits at any seat."""

    asked: str  # the text of the demand
    named: set[Action]  # the actions it names
    wanted: bool  # whether one of them must be done, or none may be
    why: str
    hand: list[Card]
    bids: list[tuple[Seat, Action]]
    past: list[Trick]  # the trick on the table last
    out: list[Card]
    taken: tuple[int, ...]
    rules: Rules
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    hand_number: int

    def right(self, legal: set[Action]) -> set[Action]:
        return legal & self.named if self.wanted else legal - self.named

    def fault(self, agent: Agent, seat: Seat = SOUTH) -> str:
        game = self.game(seat)
        action = agent.act(game.view(seat))
        return "" if action in self.right(set(game.legal_actions())) else f"{cards.action_words(action)}; {self.why}"

    def game(self, seat: Seat = SOUTH) -> Game:
        """Return the position as a game, with South to move."""
        past = self.past if not self.out else _with_tricks_before(self)
        first = self.bids[0][0] if self.bids else SOUTH
        begins = Game(self.rules, dealer=0).turn
        game = Game(
            self.rules,
            seed=0,
            deal=_turned(_deal(self, past), seat),
            dealer=(first - begins + seat) % 4,
            scores=_turned(self.scores, seat) or None,
            bags=_turned(self.bags, seat) or None,
            hand_number=self.hand_number,
        )
        for who, bid in self.bids:
            _bid(game, (who + seat) % 4, bid)
        while game.phase == "pass" and game.turn != seat:
            game.apply(game.legal_actions()[0])
        for who, played in (play for trick in past for play in trick):
            assert game.turn == (who + seat) % 4, f"{SEAT_LETTERS[who]} is not to play in {self}"
            game.apply(played)
        if game.phase == "blind" and self.hand:
            game.apply(LOOK)
        assert game.turn == seat, f"South is not to move in {self}"
        return game


def read_sections(text: str) -> dict[str, list[PosedPosition]]:
    """Read the positions under each heading (# …) of a text."""
    _, *sections = f"\n{text}".split("\n# ")
    halves = (section.split("\n", 1) for section in sections)
    return {heading: read_positions(positions) for heading, positions in halves}


def read_positions(text: str) -> list[PosedPosition]:
    return [_read([line.strip() for line in block.split("\n")]) for block in text.strip().split("\n\n")]


def _read(lines: list[str]) -> PosedPosition:
    items = dict(item.split(" ", 1) for line in lines[:-1] for item in line.split(" / "))
    asked, why = lines[-1].split(": ", 1)
    position = PosedPosition(
        asked=asked,
        named={_action(word) for word in asked.removeprefix("must ").removeprefix("not ").split()},
        wanted=not asked.startswith("must not "),
        why=why,
        hand=cards.cards(items.pop("hand", "")),
        bids=[(SEAT_LETTERS.index(word[0]), _action(word[1:])) for word in items.pop("bids", "").split()],
        past=[_trick(words) for words in [*items.pop("tricks", "").split(","), items.pop("table", "")] if words],
        out=cards.cards(items.pop("out", "")),
        taken=_numbers(items.pop("taken", "")),
        rules=Rules.parse(items.pop("rules", "classic")),
        scores=_numbers(items.pop("scores", "")),
        bags=_numbers(items.pop("bags", "")),
        hand_number=int(items.pop("hand_number", "0")),
    )
    assert not items, f"unknown items {items}"
    return position


def _action(word: str) -> Action:
    named = {"nil": BID_ZERO, "blind": BLIND_NIL, "look": LOOK}
    if word in named:
        return named[word]
    return BID_ZERO + int(word) if word.isdigit() else cards.card(word)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _trick(text: str) -> Trick:
    """Read "W AD 3D" as what West and North played."""
    leader, *played = text.split()
    return [((SEAT_LETTERS.index(leader) + i) % 4, cards.card(name)) for i, name in enumerate(played)]


def _turned(per_seat: Sequence, seat: Seat) -> list:
    """Rotate values per seat or side so that South's become this seat's."""
    return [per_seat[(i - seat) % len(per_seat)] for i in range(len(per_seat))]


def _bid(game: Game, seat: Seat, bid: Action) -> None:
    assert game.turn == seat, f"{SEAT_LETTERS[seat]} is not to bid in {game}"
    if game.phase == "blind" and bid != BLIND_NIL:
        game.apply(LOOK)
    game.apply(bid)


# Hidden cards


def _deal(position: PosedPosition, past: list[Trick]) -> list[list[Card]]:
    """Deal four hands that fit: South's as given, the others' at random."""
    rng, trumps = random.Random(0), position.rules.trumps
    hands = [[played for trick in past for who, played in trick if who == seat] for seat in range(4)]
    hands[SOUTH] += position.hand
    known = {held for hand in hands for held in hand}
    rest = [other for other in deck(trumps) if other not in known]
    for _ in range(ATTEMPTS):
        dealt = _spread(rng, rest, [13 - len(hand) for hand in hands], past, trumps)
        if dealt:
            return [hand + more for hand, more in zip(hands, dealt, strict=True)]
    raise AssertionError(f"the other cards cannot be dealt in {position}: a seat should have followed suit")


def _spread(rng, rest: list[Card], room: list[int], past: list[Trick], trumps: str) -> list[list[Card]] | None:
    """Deal the cards to seats with room, first those that few seats may hold; return None if one is left over."""
    dealt: list[list[Card]] = [[] for _ in range(4)]
    void = _voids(past, trumps)
    fits = {c: [seat for seat in range(4) if room[seat] and _suit_of(c, trumps) not in void[seat]] for c in rest}
    for held in sorted(rest, key=lambda c: (len(fits[c]), rng.random())):
        seats = [seat for seat in fits[held] if len(dealt[seat]) < room[seat]]
        if not seats:
            return None
        dealt[rng.choice(seats)].append(held)
    return dealt


def _voids(past: list[Trick], trumps: str) -> list[set[int]]:
    """Return the suits that each seat is void in, because it did not follow."""
    void: list[set[int]] = [set() for _ in range(4)]
    for trick in past:
        led = _suit_of(trick[0][1], trumps)
        for who, played in trick:
            if _suit_of(played, trumps) != led:
                void[who].add(led)
    return void


def _with_tricks_before(position: PosedPosition) -> list[Trick]:
    """Return possible earlier tricks of the played cards, won as given, and the trick on the table."""
    rng, table = random.Random(0), position.past
    lying = [play for trick in table for play in trick]
    gone = set(deck("normal")) - set(position.hand) - set(position.out)
    held = [{played // 13 for who, played in lying if who == seat} for seat in range(4)]
    held[SOUTH] = {c // 13 for c in position.hand}
    hidden = [c for c in position.out if c not in {played for _, played in lying}]
    room = [0, *(len(position.hand) - sum(who == seat for who, _ in lying) for seat in (WEST, NORTH, EAST))]
    first, leads = position.bids[0][0], lying[0][0] if lying else SOUTH
    nils = {who for who, bid in position.bids if bid == BID_ZERO and position.rules.nil}
    takers = [sorted({0, 2} - nils), sorted({1, 3} - nils)]
    for _ in range(ATTEMPTS):
        winners = [rng.choice(takers[side]) for side in range(2) for _ in range(position.taken[side])]
        rng.shuffle(winners)
        if leads in winners:
            winners.remove(leads)
            past = _some_tricks(rng, gone, held, first, [*winners, leads])
            if past and _spread(rng, hidden, room, past, "normal"):
                return [*past, *table]
    raise AssertionError(f"no tricks lead to {position}")


def _some_tricks(rng, gone: set[Card], held: list[set[int]], leader: Seat, winners: list[Seat]) -> list[Trick] | None:
    """Return tricks of these cards, won in turn by these seats, which still hold the suits `held`; None if stuck."""
    pool, void, past = set(gone), [set[int]() for _ in range(4)], list[Trick]()
    for winner in winners:
        broken = any(played // 13 == SPADES for trick in past for _, played in trick)
        leads = sorted({c // 13 for c in pool} - void[leader] - (set() if broken else {SPADES}))
        trick = _one_trick(rng, pool, held, void, leader, winner, rng.choice(leads)) if leads else None
        if not trick:
            return None
        past.append(trick)
        pool -= {played for _, played in trick}
        leader = winner
    return past


def _one_trick(rng, pool, held, void, leader: Seat, winner: Seat, led: int) -> Trick | None:
    """Return a trick in which as many follow as can, and the winner plays the highest card of the suit, or ruffs."""
    suit = sorted(c for c in pool if c // 13 == led)
    order = [(leader + i) % 4 for i in range(4)]
    able = [seat for seat in order if led not in void[seat]]
    able.sort(key=lambda seat: (seat != leader, led not in held[seat], rng.random()))
    follow = able[: len(suit)]
    if any(led in held[seat] for seat in able[len(suit) :]):
        return None
    played = dict(zip(follow, sorted(rng.sample(suit, len(follow))), strict=True))
    if winner in played:
        highest = max(played, key=lambda seat: played[seat])
        played[winner], played[highest] = played[highest], played[winner]
    for seat in order:
        if seat in follow:
            continue
        void[seat].add(led)
        suits = {SPADES} if seat == winner else {0, 1, 2} - void[seat]
        free = sorted(c for c in pool - set(played.values()) if c // 13 in suits - {led})
        if not free:
            return None
        played[seat] = rng.choice(free)
    return [(seat, played[seat]) for seat in order]


def _suit_of(card: Card, trumps: str) -> int:
    return SPADES if card in cards.TRUMP_ORDERS[trumps] else card // 13
