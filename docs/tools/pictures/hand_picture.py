"""The moving picture of a hand, hand.svg, drawn from its record, hand.txt.

`python docs/tools/pictures/hand_picture.py` plays that hand again, `standard` at all four seats, and writes its record.
`python docs/tools/make.py` draws it. All moves by SMIL, so the picture needs no script and works in an <img>.
"""

import sys
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(DOCS.parent))

from spades_env import Game, agents  # noqa: E402
from spades_env.agents.atomic_files import write_whole  # noqa: E402
from spades_env.game.cards import BID_ZERO, SEATS, card_name  # noqa: E402

RECORD = DOCS / "hand.txt"
RULES, SEED = "match target=off max_hands=1", 242
WIDTH, HEIGHT = 720, 436
BID, CARD, STAY, END = 1.0, 0.6, 1.2, 6.0  # seconds: a bid, a card, a finished trick, the result
TABLE = [(336, 206), (262, 164), (336, 122), (410, 164)]  # where the cards of South, West, North and East lie
PLATES = [(360, 300), (92, 192), (360, 46), (628, 192)]  # where their names stand
HANDS = [(69, 356, 45), (44, 212, 7), (296, 66, 10), (586, 212, 7)]  # the first card held, and the step to the next
SUITS, RANKS = "♣♦♥♠", dict(zip("TJQKA", ("10", "J", "Q", "K", "A"), strict=True))
STYLE = """
svg { font: 15px system-ui, sans-serif; --paper: #f4f1e8; --ink: #1d2522; --cloth: #2f7358; --plate: #fff }
@media (prefers-color-scheme: dark) { svg { --paper: #191d1b; --ink: #e4e6e1; --cloth: #24503f; --plate: #2c332f } }
.paper { fill: var(--paper) } .cloth { fill: var(--cloth) } .plate { fill: var(--plate) }
text { fill: var(--ink); text-anchor: middle } .said { font-size: 18px; font-weight: 600; fill: #fff }
.caption { font-size: 17px; font-weight: 600 }
.card { fill: #fffefa; stroke: #8d8a80 } .back { fill: #5b7fa6; stroke: #dfe7ef }
.k, .r { font-size: 20px; font-weight: 700; fill: #15191a } .r { fill: #c4202f }
"""


class Move(NamedTuple):
    """An action: who made it, when, and how many cards of its trick came before."""

    seat: int
    action: int
    at: float
    place: int


def record() -> str:
    """Play the hand, and return its record."""
    game, bot = Game(RULES, seed=SEED), agents.load("standard", seed=0)
    while not game.over:
        game.apply(bot.act(game.view(game.turn)))
    return game.record()


def svg() -> str:
    """Draw the hand that is recorded."""
    game = Game.replay(RECORD.read_text(encoding="utf-8"))
    moves, end = timed(Game(game.rules, seed=game.seed), game.moves)
    film = Film(end + END)
    for x, y in PLATES:
        film.parts.append(f'<rect class="plate" x="{x - 66}" y="{y - 20}" width="132" height="29" rx="8"/>')
    draw_hands(film, moves)
    draw_plates(film, moves)
    draw_tricks(film, moves)
    (us, them), bids = game.results[0].points, game.results[0].bids
    film.text((360, 180), f"{us:+d}: {bids[0]} made, and North's nil holds", end, film.length, "said")
    film.text(
        (360, 208),
        f"{them:+d}: West and East fall short of {(bids[1] or 0) + (bids[3] or 0)}",
        end,
        film.length,
        "said",
    )
    return film.svg()


def timed(game: Game, actions: list[int]) -> tuple[list[Move], float]:
    """Return the moves with their times, and when the last trick has been seen."""
    moves, at = [], 1.0
    for action in actions:
        is_card = action < BID_ZERO
        moves.append(Move(game.turn, action, at, len(game.table) if is_card else 0))
        at += (CARD if is_card else BID) + STAY * (is_card and moves[-1].place == 3)
        game.apply(action)
    return moves, at


def tricks_of(moves: list[Move]) -> list[list[Move]]:
    """Return the cards, four by four."""
    cards = [move for move in moves if move.action < BID_ZERO]
    return [cards[first : first + 4] for first in range(0, len(cards), 4)]


def winner(trick: list[Move]) -> int:
    """Return who wins a trick: the highest spade, or the highest card of the suit led."""
    suits = trick[0].action // 13, 3
    return max(
        trick, key=lambda move: (move.action // 13 in suits) * (move.action + 52 * (move.action // 13 == 3))
    ).seat


def draw_hands(film: "Film", moves: list[Move]) -> None:
    """Draw what is held: South's cards open, the others' as backs, each until it is played."""
    for seat, (x, y, step) in enumerate(HANDS):
        played = [move for move in moves if move.seat == seat and move.action < BID_ZERO]
        for number, move in enumerate(sorted(played, key=lambda m: m.action if seat == 0 else -m.at)):
            place = x + step * number, y
            film.show(film.card(move.action, place) if seat == 0 else film.back(place), 0, move.at)


def draw_plates(film: "Film", moves: list[Move]) -> None:
    """Draw names, bids and tricks taken: "East 2 / 5"."""
    end, won = film.length, [(trick[-1].at + CARD, winner(trick)) for trick in tricks_of(moves)]
    for seat, place in enumerate(PLATES):
        bid = next(move for move in moves if move.seat == seat and move.action >= BID_ZERO)
        name, number = ("You" if seat == 0 else SEATS[seat]), bid.action - BID_ZERO
        film.text(place, name, 0, bid.at)
        times = [bid.at, *(at for at, who in won if who == seat), end]
        for taken, (since, until) in enumerate(pairwise(times)):
            film.text(place, f"{name} {taken} / {number}" if number else f"{name} {taken} / nil", since, until)
        said = f"{'You bid' if seat == 0 else name + ' bids'} {number or 'nil: not a single trick'}"
        film.text((360, 192), said, bid.at, bid.at + BID, "said")


def draw_tricks(film: "Film", moves: list[Move]) -> None:
    """Draw the cards as they fly to the table, and who takes them."""
    for trick in tricks_of(moves):
        until = trick[-1].at + CARD + STAY
        for move in trick:
            (x, y), (from_x, from_y) = TABLE[move.seat], PLATES[move.seat]
            slide = (from_x - 24 - x) / 2, (from_y - 32 - y) / 2
            film.show(film.card(move.action, (x, y)), move.at, until, slide)
        who = winner(trick)
        card = film.words(next(move.action for move in trick if move.seat == who))
        said = f"{'You take' if who == 0 else SEATS[who] + ' takes'} the trick with {card}"
        film.text((360, 336), said, trick[-1].at + CARD, until, "caption")


class Film:
    """What is drawn, and when it can be seen."""

    def __init__(self, length: float):
        self.length = length
        self.parts: list[str] = []

    def show(self, drawn: str, since: float, until: float, slide: tuple[float, float] | None = None) -> None:
        """Show it from one moment to another; slide: how far away it begins, to arrive in a quarter of a second."""
        first, last, there = (f"{at / self.length:.4f}" for at in (since, until, since + 0.25))
        times = f"0;{first};{last}" if since else f"0;{last}"
        values, repeat = ("0;1;0" if since else "1;0"), f'dur="{self.length:g}s" repeatCount="indefinite"'
        if until >= self.length:
            times, values = times.rpartition(";")[0], values.rpartition(";")[0]
        move = f'<animate attributeName="opacity" calcMode="discrete" values="{values}" keyTimes="{times}" {repeat}/>'
        if slide:
            start = f"{slide[0]:g} {slide[1]:g}"
            move += (
                f'<animateTransform attributeName="transform" type="translate" values="{start};{start};0 0;0 0" '
                f'keyTimes="0;{first};{there};1" {repeat}/>'
            )
        self.parts.append(f'<g opacity="{0 if since else 1}">{drawn}{move}</g>')

    def text(self, place: tuple[int, int], words: str, since: float, until: float, kind: str = "") -> None:
        drawn = f'<text x="{place[0]}" y="{place[1]}" class="{kind}">{words}</text>'
        self.show(drawn, since, until)

    @staticmethod
    def words(action: int) -> str:
        """Return a card as its symbol shows it; U+FE0E keeps the suit a letter and no picture."""
        rank, suit = card_name(action)
        return f"{RANKS.get(rank, rank)}{SUITS['CDHS'.index(suit)]}\ufe0e"

    def card(self, action: int, place: tuple[int, int]) -> str:
        x, y = place
        kind = "r" if action // 13 in (1, 2) else "k"
        shape = f'<rect class="card" x="{x}" y="{y}" width="48" height="64" rx="6"/>'
        return f'{shape}<text class="{kind}" x="{x + 24}" y="{y + 39}">{self.words(action)}</text>'

    @staticmethod
    def back(place: tuple[int, int]) -> str:
        return f'<rect class="back" x="{place[0]}" y="{place[1]}" width="14" height="20" rx="3"/>'

    def svg(self) -> str:
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
                "<title>A hand of Spades: four bids, one of them a nil, and thirteen tricks</title>",
                f"<style>{STYLE}</style>",
                f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="10"/>',
                '<rect class="cloth" x="176" y="96" width="368" height="182" rx="80"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


if __name__ == "__main__":
    write_whole(RECORD, record())
