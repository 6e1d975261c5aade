"""The table from above: four seats, the trick, whose turn it is. Drawn from a view and nothing else.

╭─ classic ───────── hand 1 · trick 7 · to 500 ─╮
│               ▶ Zofia  ★★★★★                 │
│                   1 / 4                       │
│                   ╭───╮                       │
│                   │ 9♦│                       │
│ Dara              ╰led╯                Yusuf  │
│ ★★★        ┏━★━┓         ╭───╮           ★★★  │
│ [nil]      ┃10♥┃         │ 5♥│     dealer      │
│                    …                          │
╰───────────────────────────────────────────────╯
"""

from dataclasses import dataclass

from spades_env.play.terminal.pictures.canvas import Canvas, cut, wrapped
from spades_env.play.terminal.pictures.cards import BIG, PLAIN, SMALL, STRONG, Size, draw_card, nil_words
from spades_env.play.terminal.words import said, spoken
from spades_env.play.texts import grouped, number

BIG_TABLE = (24, 72)  # rows and columns from which cards are big
STAR = "★"


@dataclass(frozen=True)
class Scene:
    """What lies on the table. trick: the view's own or an earlier one; note: names an earlier one."""

    view: dict
    trick: dict
    note: str = ""


def scene_of(view: dict) -> Scene:
    return Scene(view, view["trick"])


def draw_table(canvas: Canvas, scene: Scene) -> None:
    """Draw the table so that it fills the canvas."""
    width, height, view = canvas.width, canvas.height, scene.view
    canvas.box(0, 0, width, height)
    canvas.put(0, 2, f" {cut(view['rules']['text'], width - len(view['progress']) - 9)} ", "strong")
    canvas.right(0, width - 2, f" {view['progress']} ")
    size = BIG if height >= BIG_TABLE[0] and width >= BIG_TABLE[1] else SMALL
    _draw_seats(canvas, view, size)
    _draw_middle(canvas, scene, size)
    if view["broken"]:
        canvas.right(height - 1, width - 2, f" {said('terminal.broken')} ", "quiet")
    if scene.note:
        canvas.centred(height - 1, f" {scene.note} ", "gold")


def has_begun(view: dict) -> bool:
    """Has a trick of the hand been taken?"""
    return any(seat["tricks"] for seat in view["seats"])


def status(seat: dict, counts: bool = True) -> tuple[str, str]:
    """Return tricks and bid with a style: "2 / 4", "[nil]", "1 ]nil[ ✗" for a broken nil, "2" without a bid.

    counts: has a trick been taken? Before, "0 / 4" would read as a score, so it is "bid 4".
    """
    if seat["bid"] is None:
        return ("…", "quiet") if seat["contract"] == "own" else (str(seat["tricks"]), "strong")
    if not (counts or seat["nil"]):
        return f"{said('plate.bid', bid=seat['bid'])}{' ×2' * (seat['contract'] == 'both')}", "strong"
    if seat["contract"] == "both":
        return f"{seat['tricks']} / {seat['bid']} ×2", "strong"
    if not seat["nil"]:
        return f"{seat['tricks']} / {seat['bid']}", "good" if seat["tricks"] >= seat["bid"] else "strong"
    kind = nil_words(seat["nil"]["kind"])
    return (f"[{kind}]", "gold") if seat["nil"]["alive"] else (f"{seat['tricks']} ]{kind}[ ✗", "alarm")


# The seats


def _draw_seats(canvas: Canvas, view: dict, size: Size) -> None:
    (south, west, north, east), counts = view["seats"], has_begun(view)
    _draw_line(canvas, 1, _name(view, north), *_about(north))
    _draw_line(canvas, 2, status(north, counts), (_backs(north, canvas.width), "back"))
    stars, dealer = _about(south)
    _draw_line(canvas, canvas.height - 2, _name(view, south), stars, status(south, counts), dealer)
    room = _card_places(canvas, size)[1][1] - 4
    top = canvas.height // 2 - 2
    for row, (text, style) in enumerate(_plate(view, west, room), top):
        canvas.put(row, 2, cut(text, room), style)
    for row, (text, style) in enumerate(_plate(view, east, room), top):
        canvas.right(row, canvas.width - 2, cut(text, room), style)


def _plate(view: dict, seat: dict, room: int) -> list[tuple[str, str]]:
    """Return the lines beside a seat in the West or the East."""
    second = " ".join(text for text, _ in _about(seat) if text)
    return [_name(view, seat), (second, "gold"), status(seat, has_begun(view)), (_backs(seat, room), "back")]


def _draw_line(canvas: Canvas, row: int, *parts: tuple[str, str]) -> None:
    parts = tuple(part for part in parts if part[0])
    column = (canvas.width - sum(len(text) + 2 for text, _ in parts) + 2) // 2
    for text, style in parts:
        column = canvas.put(row, column, text, style) + 2


def _name(view: dict, seat: dict) -> tuple[str, str]:
    turn = view["turn"] == seat["seat"]
    return f"{'▶ ' * turn}{seat['called']}{' ' * turn}", "turn" if turn else "strong"


def _about(seat: dict) -> tuple[tuple[str, str], ...]:
    stars = "" if seat["person"] else STAR * seat["bot"]["stars"]
    return (stars, "gold"), (said("terminal.dealer") * seat["dealer"], "quiet")


def _backs(seat: dict, room: int) -> str:
    return "▒" * seat["cards"] if seat["cards"] <= room else said("terminal.cards", count=seat["cards"])


# The middle


def _draw_middle(canvas: Canvas, scene: Scene, size: Size) -> None:
    if scene.view["outcome"]:
        _draw_end(canvas, scene.view)
    elif scene.trick["cards"]:
        _draw_trick(canvas, scene, size)
    else:
        _draw_words(canvas, _middle_words(scene.view))


def _draw_trick(canvas: Canvas, scene: Scene, size: Size) -> None:
    """Draw each card before its seat; the frames show who led and who is winning."""
    places = _card_places(canvas, size)
    led, order = scene.trick["cards"][0]["seat"], [seat["seat"] for seat in scene.view["seats"]]
    for play in scene.trick["cards"]:
        seat, wins = play["seat"], play["seat"] == scene.trick["winning"]
        row, column = places[order.index(seat)]
        draw_card(canvas, row, column, play["card"], size, STRONG if wins else PLAIN)
        middle = column + size.width // 2
        if wins:
            canvas.put(row, middle, STAR, "edge:on")
        if seat == led:
            canvas.put(row + size.height - 1, middle - 1, said("terminal.led"), "edge:on" if wins else "edge")


def _card_places(canvas: Canvas, size: Size) -> list[tuple[int, int]]:
    """Return row and column of the card of each position: own, left, across, right."""
    width, height = size
    column = (canvas.width - width) // 2
    away = width + max(3, width // 2)
    free = canvas.height - 5 - 3 * height  # between the lines of North and South
    top = 3 + max(0, free // 2)
    middle = top + height
    return [(middle + height, column), (middle, column - away), (top, column), (middle, column + away)]


def _middle_words(view: dict) -> list[str]:
    """Return the sentences to show while no card lies on the table."""
    offers = [offer["words"] for offer in (view["blind_nil"], view["blind_bid"]) if offer]
    if offers:
        return list(dict.fromkeys(sentence for words in offers for sentence in words.split(". ")))
    if view["seats"][0]["contract"] == "hand" and not view["tricks"]:
        return [said("bids_itself")]
    if view["phase"] == "bid":
        bids = view["bid_so_far"]
        return [said("bid_so_far", bid=bids["bid"], of=bids["of"]) if bids else said("terminal.no_bids")]
    if view["phase"] == "pass" and view["passing"]:
        return [said("terminal.passing")]
    return []


def _draw_words(canvas: Canvas, sentences: list[str]) -> None:
    room = max(16, canvas.width - 28)
    lines = [line for words in sentences for line in wrapped(words, room)]
    for row, line in enumerate(lines, canvas.height // 2 - len(lines) // 2):
        canvas.centred(row, line, "quiet")


def _draw_end(canvas: Canvas, view: dict) -> None:
    lines = [said(f"end.{view['outcome']['outcome']}"), " : ".join(number(side["score"]) for side in view["sides"])]
    lines += [said("terminal.time_up")] * view["outcome"]["time_is_up"]
    if view["outcome"]["standing"] is not None:
        lines.append(said("terminal.standing", points=spoken(grouped(view["outcome"]["standing"]))))
    width = max(map(len, lines)) + 6
    top, left = canvas.height // 2 - len(lines) // 2 - 1, (canvas.width - width) // 2
    canvas.box(top, left, width, len(lines) + 2, "gold")
    for row, line in enumerate(lines, top + 1):
        canvas.centred(row, line, "strong")
