"""Short hashes of every agent's decisions, of a training run and of the server's messages: tests/golden/house.json.

    PYTHONPATH=.:tests python -m support.fingerprints            takes all of them again
    PYTHONPATH=.:tests python -m support.fingerprints agents     only some: agents, training, server

They must stay the same while modules move, so this file uses documented names only: `spades_env`, `agents.load`, the
`spades` command, the protocol of docs/protocol.md. Take them again only when decisions, training or messages are meant
to change, and say so in the changelog.

Processors and versions of torch sum float32 in different orders, and every random draw based on such sums differs from
then on. So the hashes of a training run hold only on the kind of machine that `training` names.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file
from support.game.tables import decisions
from support.paths import ROOT
from support.play.servers import Page, guest, owner, running
from support.play.sittings import SPADES_FOR_SOUTH

from spades_env import Game, agents
from spades_env.agents.atomic_files import write_whole
from spades_env.game.view import View

FILE = ROOT / "tests" / "golden" / "house.json"

RULE_BOOKS = ("classic", "pagat", "showdown", "solo")
TRUMPS = ("normal", "nyc", "barmore", "deuces", "jokers")
RULES = [f"{preset} trumps={trumps}" for preset in RULE_BOOKS for trumps in TRUMPS]
RULES += [
    "classic blind_nil_deficit=0 blind_nil_pass=2",
    "classic blind_nil_deficit=0 blind_nil_pass=1 trumps=jokers",
    "pagat blind_nil_deficit=0 blind_nil_pass=3 trumps=nyc",
    "pagat nil=false bag_limit=off failed_nil_tricks=partner",
    "solo nil=true blind_nil_deficit=0 blind_nil_pass=0 overtrick_points=-1",
]
EACH = 80  # positions under each of these rules
CARDS_ASKED = 0.3  # of the decisions; bids, blind nils and passes all count

SEED = 3  # of every agent
BATCH_OF_ONE = 40  # at every 40th position `act` is asked beside `act_batch`

# Agents, each asked at every n-th position
CHARACTERS = (
    *("Milly", "Bruno", "Pia", "Nino", "Tove", "Mateo", "Anouk", "Ravi", "Dara"),
    *("Yusuf", "Mei", "Kwame", "Ingrid", "Otto", "Amara", "Tomas", "Noor", "Zofia"),
)
THINKING = ("Otto", "Tomas", "Noor", "Zofia")  # characters that search
ASKED_EVERY = {
    **dict.fromkeys(["random", "rb", "bis", "rule", "club", "bis/rule", "club/rb", "support.fingerprints:policy"], 1),
    **dict.fromkeys(["standard", "standard+temperature:0.7", "bis/standard", "standard/club"], 2),
    **dict.fromkeys(CHARACTERS, 3),
    **dict.fromkeys(["milly/bis", "zofia+temperature:0.3"], 3),
    **dict.fromkeys(THINKING, 11),
    **dict.fromkeys(["standard+ending:3", "standard+hunt:16", "standard+ending:2+hunt:16+temperature:0.5"], 7),
    **dict.fromkeys(["standard+trial:16", "bis/standard+trial:8"], 11),
    **dict.fromkeys(["mc:6x6", "mc:6x6+rule", "mc:6x6+loyal+rule", "mc:6x6+free", "mc:6x6+likely"], 7),
    **dict.fromkeys(["mc:8x4+rule+likely+free", "bis/mc:30x30", "ismcts:150", "ismcts:100+rule"], 11),
    **dict.fromkeys(["ismcts:100+likely", "bis/ismcts:100+rule+likely", "pimc:4", "bis/pimc:4"], 11),
    **dict.fromkeys(["oracle", "rule/oracle"], 29),
}
DIGITS = 4  # of a hint's numbers; more would tell one processor from another


def policy(view: View) -> int:
    """An agent named by its import path: plays the middle one of the legal actions."""
    legal = view.legal_actions()
    return legal[len(legal) // 2]


# A run that widens
RECIPE = """
name = "tiny"
seed = 5
tables = 24
checkpoint = 3
network = { width = 12, suit_width = 8, bfloat16 = false }
reward = { bold = 0.1, nil = 0.1, bags = 0.1, hunt = 0.1 }
pool = { agents = { "rule" = 0.1, "random/rule" = 0.1 }, past = 0.4, every = 1, keep = 2 }
evaluate = { every = 3, games = 4, against = ["rb"] }

[[stage]]
kind = "selfplay"
iterations = 2
hands = 2
points_only = true
minibatch = 128

[[stage]]
kind = "selfplay"
iterations = 3
hands = 2
width = 16
minibatch = 128
"""

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
BY_THE_CLOCK = ("seconds", "per_second")  # of a run's metrics


# Positions


@cache
def positions() -> tuple[tuple[str, View], ...]:
    """Return two thousand positions, with mixed rules: each game as text, and the view of the seat to move."""
    by_rules = [
        [(game.record(), game.view(game.turn)) for game in islice(decisions(rules, CARDS_ASKED), EACH)]
        for rules in RULES
    ]
    return tuple(one for together in zip(*by_rules, strict=True) for one in together)


def of_positions() -> str:
    """Hash the positions themselves; if this differs, everything else does."""
    return fingerprint(text for text, _ in positions())


# Agents


def of_agent(name: str) -> dict[str, str]:
    """Hash an agent's decisions, its hints and, if it values actions, these values."""
    agent = agents.load(name, seed=SEED)
    chosen = positions()[:: ASKED_EVERY[name]]
    asked = [Game.replay(text) if agent.cheats else view for text, view in chosen]
    decided = agent.act_batch(asked).tolist()
    for number in range(0, len(asked), BATCH_OF_ONE):
        assert agent.act(asked[number]) == decided[number]
    hints = (" ".join(f"{action}:{weight:.{DIGITS}g}" for action, weight in agent.hint(one)) for one in asked)
    hashes = {"decisions": fingerprint(map(str, decided)), "hints": fingerprint(hints)}
    if agent.weighs:
        worths = agent.weigh_batch(asked).tolist()
        hashes["worths"] = fingerprint(" ".join(f"{worth:.{DIGITS}g}" for worth in row) for row in worths)
    return hashes


def fingerprint(lines: Iterable[str]) -> str:
    """Return a short hash of these lines."""
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


# Training


def of_training() -> dict:
    """Hash a run: its progress lines, its networks, its level, and how the level plays."""
    with tempfile.TemporaryDirectory() as folder:
        recipe, run, level = Path(folder) / "tiny.toml", Path(folder) / "run", Path(folder) / "tiny.safetensors"
        recipe.write_text(RECIPE, encoding="utf-8")
        spades("train", str(recipe), "--out", str(run), "--device", "cpu", "--threads", "1", "--workers", "1")
        spades("export", str(run), "--out", str(level), "--full", "--onnx", str(level.with_suffix(".onnx")))
        rounds = map(json.loads, (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
        hashes = {"machine": machine(), "rounds": [_of_round(one) for one in rounds]}
        last = max((run / "checkpoints").glob("*.safetensors"))
        hashes |= {"checkpoint": _of_tensors(last), "level": _of_tensors(level)}
        views = [view for _, view in positions()[::10]]
        for file in (level, level.with_suffix(".onnx")):
            hashes[file.suffix] = fingerprint(map(str, agents.load(str(file), seed=SEED).act_batch(views).tolist()))
    return hashes


def spades(*arguments: str) -> str:
    """Run the `spades` command in its own process, and return what it prints."""
    module, _, function = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"][
        "spades"
    ].partition(":")
    code = f"import sys; from {module} import {function}; sys.argv[0] = 'spades'; sys.exit({function}())"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def machine() -> str:
    """Return the processor's name and the versions of torch and numpy."""
    names = [line for line in _lines(Path("/proc/cpuinfo")) if line.startswith(("model name", "cpu family", "model\t"))]
    processor = ", ".join(dict.fromkeys(name.partition(":")[2].strip() for name in names)) or platform.processor()
    return f"{processor}; torch {version('torch')}, numpy {version('numpy')}"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _of_round(metrics: dict) -> str:
    """Hash a line of metrics."""
    return fingerprint([json.dumps({key: metrics[key] for key in sorted(metrics) if key not in BY_THE_CLOCK})])


def _of_tensors(file: Path) -> str:
    """Hash every tensor of a safetensors file: name, shape and bytes."""
    tensors = sorted(load_file(file).items())
    return fingerprint(f"{name} {one.dtype} {one.shape} {one.tobytes().hex()}" for name, one in tensors)


# The server


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


# Writing


def of_all_agents() -> dict:
    """Hash the positions, and every agent."""
    return {"positions": of_positions()} | {name: of_agent(name) for name in ASKED_EVERY}


PARTS: dict[str, Callable[[], dict]] = {"agents": of_all_agents, "training": of_training, "server": of_server}


def main(*parts: str) -> None:
    """Take these fingerprints again and write them; all parts unless some are named."""
    hashes = recorded()
    for part in parts or PARTS:
        hashes[part] = PARTS[part]()
    write_whole(FILE, json.dumps(hashes, indent=1) + "\n")


def recorded() -> dict:
    """Return the fingerprints in the file."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


if __name__ == "__main__":
    main(*sys.argv[1:])
