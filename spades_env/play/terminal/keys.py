"""The keys of the table, what each does, and how the list of keys describes it."""

from typing import NamedTuple

from spades_env.play.terminal.words import said


class Key(NamedTuple):
    """Keys that do the same thing.

    keys: as Textual names them; action: what they call on the screen; shown: in the list of keys, or the key of such a
    text; name: of the sentence there. Keys with nothing to show are not listed.
    """

    keys: str
    action: str
    shown: str
    name: str


KEYS = (
    Key("left,j,J", "cursor('sideways', -1)", "← J", "left"),
    Key("right,l,L", "cursor('sideways', 1)", "→ L", "right"),
    Key("up,i,I", "cursor('suitwise', -1)", "↑ I", "up"),
    Key("down,k,K", "cursor('suitwise', 1)", "↓ K", "down"),
    Key("s,S", "cursor('suit', 'S')", "S", "spades"),
    Key("c,C", "cursor('suit', 'C')", "C", "clubs"),
    Key("d,D", "cursor('suit', 'D')", "D", "diamonds"),
    Key("h,H", "cursor('suit', 'H')", "H", "hearts"),
    Key("u,U", "ends(True)", "U", "lowest"),
    Key("o,O", "ends(False)", "O", "highest"),
    Key("enter", "do('choose')", "help.enter.keys", "choose"),
    *(Key(str(bid), f"do('bid', {bid})", "1–9" if bid == 1 else "", "bid") for bid in range(1, 10)),
    Key("0", "do('bid', 0)", "0", "nil"),
    Key("plus,equals_sign", "do('tens')", "+ 0–3", "tens"),
    Key("space", "do('skip')", "help.space.keys", "skip"),
    Key("a,A", "do('advice')", "A", "advice"),
    Key("z,backspace", "do('takeback', 1)", "Z", "takeback"),
    Key("Z", "do('takebacks')", "terminal.key.takebacks.keys", "takebacks"),
    Key("w,W", "do('claim')", "W", "claim"),
    Key("r,R", "look_back(1)", "R", "last"),
    Key("t,T", "say_turn", "T", "turn"),
    Key("v,V", "say_bids", "V", "bids"),
    Key("p,P", "open('scores')", "P", "scores"),
    Key("g,G", "open('rules')", "G", "rules"),
    Key("f,F", "open('fairness')", "F", "fairness"),
    Key("e,E", "open('review')", "E", "review"),
    Key("b,B", "open('statistics')", "B", "statistics"),
    Key("n,N", "open('new_game')", "N", "new_game"),
    Key("m,M", "open('menu')", "M", "menu"),
    Key("question_mark,f1", "open('help')", "?", "help"),
    Key("escape", "look_back(0)", "Esc", "back"),
    Key("q,Q", "app.leave", "Q", "quit"),
)


def help_lines() -> list[tuple[str, str]]:
    shown = [(said(key.shown) if "." in key.shown else key.shown, key.name) for key in KEYS if key.shown]
    return [(keys, said(f"terminal.key.{name}")) for keys, name in shown]


def key_line(view: dict) -> str:
    """Return a line with the keys that matter now."""
    if view["outcome"]:
        return said("terminal.keys.over")
    key = "claim" if view["can"]["claim"] else "play"
    if view["your_turn"] and view["phase"] in ("bid", "blind"):
        key = view["phase"]
    return said(f"terminal.keys.{key}", more=said("terminal.keys.more"))
