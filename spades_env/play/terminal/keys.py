"""The keys of the table, what each does, and how the list of keys describes it."""

from typing import NamedTuple


class Key(NamedTuple):
    """Keys that do the same thing.

    keys: as Textual names them; action: what they call on the screen; shown, words: the line in the list of keys; keys
    with nothing to show are not listed.
    """

    keys: str
    action: str
    shown: str
    words: str


KEYS = (
    Key("left,j,J", "cursor('sideways', -1)", "← J", "to the left: the next card that may be played, the next bid"),
    Key("right,l,L", "cursor('sideways', 1)", "→ L", "to the right"),
    Key("up,i,I", "cursor('suitwise', -1)", "↑ I", "the suit before"),
    Key("down,k,K", "cursor('suitwise', 1)", "↓ K", "the suit after"),
    Key("s,S", "cursor('suit', 'S')", "S", "spades; again: the next card of the suit"),
    Key("c,C", "cursor('suit', 'C')", "C", "clubs"),
    Key("d,D", "cursor('suit', 'D')", "D", "diamonds"),
    Key("h,H", "cursor('suit', 'H')", "H", "hearts"),
    Key("u,U", "ends(True)", "U", "lowest card of the suit"),
    Key("o,O", "ends(False)", "O", "highest card of the suit"),
    Key("enter", "do('choose')", "Enter", "play or pass the card, make the bid"),
    *(
        Key(str(bid), f"do('bid', {bid})", "1–9" if bid == 1 else "", "bid that many" if bid == 1 else "")
        for bid in range(1, 10)
    ),
    Key("0", "do('bid', 0)", "0", "bid nil; you're asked first"),
    Key("plus,equals_sign", "do('tens')", "+ 0–3", "bid 10 to 13: first the plus, then the digit"),
    Key("space", "do('skip')", "Space", "skip a wait"),
    Key("a,A", "do('advice')", "A", "hint: what a strong bot would do; hints are counted"),
    Key("z,backspace", "do('takeback', 1)", "Z", "undo your last move; again: the one before, even in the last hand"),
    Key("Z", "do('takebacks')", "Shift Z", "undo several moves"),
    Key("w,W", "do('claim')", "W", "take the rest, when every trick left is certain"),
    Key("r,R", "look_back(1)", "R", "last trick; again: the one before. Escape: the table again"),
    Key("t,T", "say_turn", "T", "whose turn it is"),
    Key("v,V", "say_bids", "V", "bids and tricks"),
    Key("p,P", "open('scores')", "P", "scores, with every number explained, and a graph"),
    Key("g,G", "open('rules')", "G", "the rules of this game"),
    Key("f,F", "open('fairness')", "F", "fairness: hashes of the deals, and how to check them"),
    Key("e,E", "open('review')", "E", "review finished hands, with all cards open"),
    Key("b,B", "open('statistics')", "B", "statistics: games, rating, bids"),
    Key("n,N", "open('new_game')", "N", "new game; this one is saved"),
    Key("m,M", "open('menu')", "M", "everything else: games, settings, name, export, import"),
    Key("question_mark,f1", "open('help')", "?", "this list"),
    Key("escape", "look_back(0)", "Esc", "back to the table"),
    Key("q,Q", "app.leave", "Q", "quit; the game is saved"),
)


def help_lines() -> list[tuple[str, str]]:
    return [(key.shown, key.words) for key in KEYS if key.shown]


def key_line(view: dict) -> str:
    """Return a line with the keys that matter now."""
    ends = "Z undo  P scores  M menu  ? keys  Q quit"
    if view["outcome"]:
        return "N new game  E review  P scores  B statistics  M menu  ? keys  Q quit"
    if view["your_turn"] and view["phase"] == "bid":
        return f"0–9, + 0–3, ← → Enter bid  A hint  {ends}"
    if view["your_turn"] and view["phase"] == "blind":
        return f"← → Enter choose  A hint  {ends}"
    claim = "W take the rest  " if view["can"]["claim"] else "R last trick  "
    return f"←→↑↓ Enter  A hint  {claim}{ends}"
