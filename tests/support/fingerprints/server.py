"""Hashes of all that a server says to its owner and to a guest, in games made the same way each time."""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from support.fingerprints import DIGITS, fingerprint
from support.fingerprints.decisions import RULES
from support.play.servers import Page, guest, owner, running
from support.play.sittings import SPADES_FOR_SOUTH

# Games at a server: rules, bots from South, and how many moves are made (all, where it says none)
TABLES = (
    ("classic target=off max_hands=2 blind_nil_deficit=0 blind_nil_pass=1", ["rule", "random", "milly", "bis"], None),
    ("solo target=off max_hands=1 nil=true trumps=jokers", ["bis", "nino", "rb", "zofia"], None),
    ("pagat target=off max_hands=1 trumps=nyc", ["rule", "tove", "standard", "mc:30x30"], None),
    ("showdown trumps=deuces", ["rule", "pia", "otto", "random"], 9),
    ("classic trumps=barmore first_lead=highest_bidder", ["rule", "kwame", "mei", "rb"], 16),
)
HINT_EVERY, UNDO_EVERY = 3, 7  # moves
DRAWN = re.compile(r"[0-9a-f]{12,}|/join/[\w-]+|\d{4}-\d\d-\d\dT[\d:.+]+")  # keys, salts, commitments, links, times
OF_THE_CLOCK, OF_AN_UNDO = ("sitting", "move"), ("number",)  # seconds left; requests are counted through the process


def of_server() -> dict[str, str]:
    """Hash all messages of a server to its owner and to a guest: answers to each request, and events."""
    heard: dict[str, list[Any]] = {}
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        page = owner(server)
        heard["hello"] = [page.told["hello"] | {"version": None}]
        _ask_before(page, heard)
        for number, (rules, bots, moves) in enumerate(TABLES):
            _play_at_table(page, heard, {"rules": rules, "bots": bots, "seed": str(number)}, moves)
            _ask_after(page, heard)
        _claim(page, heard)
        _play_with_guest(server, page, heard)
        _hear(page, heard, "sittings")
        _hear(page, heard, "statistics")
        page.close()
    return {kind: fingerprint(map(_as_text, said)) for kind, said in heard.items()}


def _hear(page: Page, heard: dict, do: str, **fields: Any) -> dict:
    """Send a request, and record the answer or the refusal."""
    answer = page.ask(do, **fields)
    heard.setdefault(do, []).append(answer | {"re": None})
    return answer


def _ask_before(page: Page, heard: dict) -> None:
    for rules in RULES:
        _hear(page, heard, "rules", text=rules)
        _hear(page, heard, "difficulty", rules=rules, bots=["rule", "milly", "standard", "zofia"], seat=2)
    _hear(page, heard, "rules", base="classic", changes={"target": 300, "nil": False})
    _hear(page, heard, "save_variant", name="Ours", rules="pagat trumps=nyc")
    _hear(page, heard, "forget_variant", name="Ours")
    _hear(page, heard, "set", name="sound", value=True)
    _hear(page, heard, "rename", name="Zoe")
    for do, fields in (
        ("rules", {"text": "classic targit=300"}),
        ("rules", {"text": "classic target=off"}),
        ("rules", {}),
        ("difficulty", {"rules": "classic", "bots": ["nobody"] * 4}),
        ("save_variant", {"name": "", "rules": "classic"}),
        ("set", {"name": "Sound"}),
        ("rename", {"name": "a" * 99}),
        ("new", {"rules": "classic", "bots": ["oracle"] * 4}),
        ("open", {"key": "none"}),
        ("nonsense", {}),
    ):
        assert "error" in _hear(page, heard, do, **fields)


def _open(page: Page, heard: dict, **table: Any) -> str:
    answer = _hear(page, heard, "new", **table)
    assert answer.get("ok"), answer
    key = answer["key"]
    page.until(lambda: page.key == key and (page.to_move() or page.view["outcome"]))
    return key


def _play_at_table(page: Page, heard: dict, table: dict, moves: int | None) -> None:
    """Play the first action of the hint or, without one, the first or last legal action; repeat some moves."""
    heard_before = len(page.news)
    key = _open(page, heard, **table)
    made = 0
    while not page.view["outcome"] and made != moves:
        view, made = page.view, made + 1
        assert "error" in _hear(page, heard, "act", action="bid:14", version=view["version"])
        chosen = view["legal"][-(made % 2)]
        if made % HINT_EVERY == 0:
            hint = _hear(page, heard, "hint", version=view["version"])
            page.until(lambda hint=hint: page.view["version"] == hint["version"])
            chosen = hint["hint"][0]["action"]
        _act(page, chosen)
        if made % UNDO_EVERY == 0 and page.view["can"]["takeback"] and page.to_move():
            version = page.view["version"]
            _hear(page, heard, "takeback", version=version)
            page.until(lambda version=version: page.view["version"] > version and page.to_move())
            _act(page, page.view["legal"][0])
    heard.setdefault("views", []).extend(_views(page.news[heard_before:], key))


def _act(page: Page, action: str) -> None:
    page.act(action)
    page.until(lambda: page.to_move() or page.view["outcome"])


def _views(news: list[dict], key: str) -> list[dict]:
    """Return a table's views that show something new.

    One may be sent twice, others come while bots compile, and late ones of the table before.
    """
    found = [message["view"] for message in news if "view" in message and message["table"] == key]
    views = [view for view in found if not view["preparing"]]
    return [view for view, last in zip(views, [None, *views], strict=False) if view != last]


def _ask_after(page: Page, heard: dict) -> None:
    """Send every request about the first hand at the table, finished or not."""
    key = page.key
    for do, fields in (
        ("review", {"hand": 1}),
        ("compare", {"hand": 1}),
        ("text", {}),
        ("proofs", {}),
    ):
        answer = _hear(page, heard, do, key=key, **fields)
        if do == "text" and "text" in answer:
            _hear(page, heard, "import", text=answer["text"])
            _hear(page, heard, "open", key=key)
            page.until(lambda: page.key == key)
    if not page.view["outcome"]:
        _hear(page, heard, "give_up", key=key)
    elif "key" in (again := _hear(page, heard, "again", key=key, hand=1, seat=1)):
        page.until(lambda: page.key == again["key"] and page.to_move())
        heard.setdefault("views", []).append(page.view)


def _claim(page: Page, heard: dict) -> None:
    rules = "classic target=off max_hands=1 blind_nil_deficit=off first_dealer=west"
    _open(page, heard, rules=rules, bots=["random"] * 4, deal=SPADES_FOR_SOUTH, seed="1")
    for do, fields in (("claim", {}), ("takeback", {}), ("sit", {"seat": 1}), ("shown", {})):
        _hear(page, heard, do, **fields | ({} if do == "sit" else {"version": page.view["version"]}))
    assert "error" in _hear(page, heard, "act", action="bid:13", version=page.view["version"] + 1)
    _act(page, "bid:13")
    _hear(page, heard, "claim", version=page.view["version"])
    page.until(lambda: page.view["outcome"])
    heard["views"].append(page.view)


def _play_with_guest(server: Any, page: Page, heard: dict) -> None:
    """Let Anna arrive, sit down, play, answer a request to undo, and leave."""
    rules = "classic target=off max_hands=1 blind_nil_deficit=off first_dealer=south"
    _open(page, heard, rules=rules, bots=["rule", "random", "rule", "random"], seed="11", move_seconds=3000)
    anna = guest(server, _hear(page, heard, "invite")["path"])
    heard["guest"] = [anna.told["hello"] | {"version": None}, anna.told["lobby"]]
    for fields in ({"seat": 2}, {"seat": 0, "name": "Anna"}, {"seat": 2, "name": "Anna"}):
        _hear(anna, heard, "sit", **fields)
    server.up_to_date(page, anna)
    page.act("bid:3")
    anna.until(anna.to_move)
    server.up_to_date(page, anna)
    _hear(page, heard, "takeback", version=page.view["version"])
    anna.until(lambda: anna.view["undo"])
    heard["guest"].append(anna.view)
    _hear(anna, heard, "answer_undo", number=anna.view["undo"]["number"], allow=False)
    _hear(anna, heard, "set", name="sound", value=False)
    assert "error" in _hear(anna, heard, "sittings")
    anna.act("bid:4")
    page.until(page.to_move)
    _hear(anna, heard, "leave")
    _hear(page, heard, "free", seat=2)
    page.until(lambda: not any(seat["person"] for seat in page.view["seats"] if seat["seat"] == 2))
    heard["news"] = sorted({message["news"] for one in (page, anna) for message in one.news if "news" in message})
    anna.close()


def _as_text(data: Any) -> str:
    return DRAWN.sub("…", json.dumps(_timeless(data), sort_keys=True, ensure_ascii=False))


def _timeless(data: Any) -> Any:
    """Remove what differs between runs by nature, and round numbers."""
    if isinstance(data, float):
        return float(f"{data:.{DIGITS}g}")
    if isinstance(data, list):
        return [_timeless(part) for part in data]
    if not isinstance(data, dict):
        return data
    left_out = OF_THE_CLOCK if "per_move" in data else OF_AN_UNDO if "agreed" in data else ()
    return {name: _timeless(part) for name, part in data.items() if name not in left_out}
