"""The keys of the table: what each does, in the words that the list shows."""

from typing import NamedTuple


class Key(NamedTuple):
    """keys: as Textual names them; action: what is called on the screen."""

    keys: str
    action: str
    shown: str
    words: str


KEYS = (
    Key("left,j,J", "sideways(-1)", "← J", "to the left: the next card that may be played, the next bid"),
    Key("right,l,L", "sideways(1)", "→ L", "to the right"),
    Key("up,i,I", "suitwise(-1)", "↑ I", "the suit before"),
    Key("down,k,K", "suitwise(1)", "↓ K", "the suit after"),
    Key("s,S", "suit('S')", "S", "spades; again: the next card of the suit"),
    Key("c,C", "suit('C')", "C", "clubs"),
    Key("d,D", "suit('D')", "D", "diamonds"),
    Key("h,H", "suit('H')", "H", "hearts"),
    Key("u,U", "ends(True)", "U", "lowest card of the suit"),
    Key("o,O", "ends(False)", "O", "highest card of the suit"),
    Key("enter", "choose", "Enter", "play or pass the card, make the bid"),
    *(
        Key(str(bid), f"bid({bid})", "1–9" if bid == 1 else "", "bid so many" if bid == 1 else "")
        for bid in range(1, 10)
    ),
    Key("0", "bid(0)", "0", "bid nil; you are asked first"),
    Key("plus,equals_sign", "tens", "+ 0–3", "bid 10 to 13: first the plus, then the digit"),
    Key("space", "skip", "Space", "end a wait"),
    Key("a,A", "advice", "A", "advice: what the adviser weighs; it is counted"),
    Key("z,backspace", "takeback(1)", "Z", "take back your last move; again: the one before, across hands, too"),
    Key("Z", "takebacks", "Shift Z", "choose how far to take back"),
    Key("w,W", "claim", "W", "win the rest, when it is certain that you do"),
    Key("r,R", "look_back(1)", "R", "last trick; again: the one before. Escape: the table again"),
    Key("t,T", "say_turn", "T", "whose turn it is"),
    Key("v,V", "say_bids", "V", "bids and tricks"),
    Key("p,P", "scores", "P", "scores, every number explained, and the graph"),
    Key("g,G", "rules", "G", "the rules of this game"),
    Key("f,F", "fairness", "F", "hashes of the deals, and what opens them"),
    Key("e,E", "review", "E", "look at finished hands with open cards"),
    Key("b,B", "statistics", "B", "your book: games, rating, bids"),
    Key("n,N", "new_game", "N", "a new game; this one is kept"),
    Key("m,M", "menu", "M", "everything else: games, settings, name, export, import"),
    Key("question_mark,f1", "help", "?", "this list"),
    Key("escape", "look_back(0)", "Esc", "back to the table"),
    Key("q,Q", "leave", "Q", "leave; the game is kept"),
)


def help_lines() -> list[tuple[str, str]]:
    """Keys and what they do, for the list."""
    return [(key.shown, key.words) for key in KEYS if key.shown]


def key_line(view: dict) -> str:
    """The keys that matter now, in one row."""
    ends = "Z undo  P scores  M menu  ? keys  Q leave"
    if view["outcome"]:
        return "N new game  E review  P scores  B your book  M menu  ? keys  Q leave"
    if view["your_turn"] and view["phase"] == "bid":
        return f"0–9, + 0–3, ← → Enter bid  A advice  {ends}"
    if view["your_turn"] and view["phase"] == "blind":
        return f"← → Enter choose  A advice  {ends}"
    claim = "W win the rest  " if view["can"]["claim"] else "R last trick  "
    return f"←→↑↓ Enter  A advice  {claim}{ends}"
