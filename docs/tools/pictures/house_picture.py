"""The picture of the house, house.svg: who imports whom, read from the sources.

Modules stand in groups, groups in rows: whoever imports stands above those it imports. An arrow that follows from
others (A imports B, B imports C, so A may well import C) is left out, and arrows between packages are drawn once for
all. Only imports that run when a module is imported count.
"""

import ast
from collections.abc import Collection
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "spades_env"
Group = tuple[str, str]  # package, what it is
Place = tuple[float, float, float]  # of a box: its middle, top and width
Band = tuple[float, float, float, float]  # of a package: left, top, right, bottom
GROUPS: dict[str, dict[str, str]] = {  # package -> group -> its modules; "*": all that stand in no other
    "core": {
        "words, rules, states": "_jit _kernel_cache _version errors checks extras folder_lock import_path plain "
        "precomputed shipped game/cards game/secret_deals game/rules game/state",
        "engine": "game/bidding game/scoring game/engine",
        "the door to players: views": "game/observe game/facts game/refusals game/view",
        "episodes": "game/episodes game/random_situations game/starts",
        "games and records": "game/record game/game",
        "many tables": "vector/* rollout",
        "in JAX": "xla/*",
        "pictures": "show/* __main__",
        "prompts, answers": "words/*",
        "PettingZoo, Gymnasium": "envs/* spades_v0 openspiel",
    },
    "agents": {
        "what an agent is": "base agent_name roster atomic_files digest elo figures",
        "cards in lanes, equity": "lanes fitted equity",
        "simple bidders": "baselines/*",
        "club player": "club/*",
        "rule bot": "rule/*",
        "compiled bots": "compiled",
        "any agent by its string": "registry pair",
        "worlds": "worlds/*",
        "search": "search/* measures",
        "open cards": "solver/*",
        "levels": "network/*",
        "agents made elsewhere": "imported onnx_player command/* chat/*",
        "a Ray cluster": "cluster/*",
        "matches, measurements": "arena/*",
    },
    "training": {
        "recipes, runs, workers": "recipe/* run/* rewards data_parallel parallel own/reward",
        "hands of self-play": "self_play/*",
        "networks, opponents": "nets learner opponent_pool own/*",
        "stages": "stages/*",
        "datasets": "data/*",
        "fitted numbers": "fit/*",
        "best responses": "exploit/*",
        "training, levels": "*",
    },
    "play": {
        "rules in words": "rule_words threads private_files warning",
        "the daily deal": "daily/*",
        "the table": "table/*",
        "reasons, grades": "coach/*",
        "lessons": "lessons/*",
        "what is kept": "store/*",
        "afterwards": "review/*",
        "streaks, achievements": "progress/*",
        "server, page": "server/*",
        "terminal": "terminal/*",
        "what both share": "ready cold_start",
        "the command": "commands/*",
    },
    "integrations": {"tools for language models": "*"},
}
LEFT, RIGHT, WHOLE = (8, 560), (600, 992), (8, 992)  # from left to right
SPANS = {"integrations": LEFT, "play": LEFT, "training": RIGHT, "agents": WHOLE, "core": WHOLE}
FLOORS = (("integrations",), ("play", "training"), ("agents",), ("core",))  # from above
WIDTH, GAP, TITLE, ROW, BOX, LANE = 1000, 34, 30, 70, 44, 16
STYLE = """
svg { font: 13px system-ui, sans-serif; --paper: #fdfcf8; --band: #f0eee6; --ink: #1d2522; --soft: #6a726e;
  --box: #ffffff; --line: #2c6e49 }
@media (prefers-color-scheme: dark) { svg { --paper: #191d1b; --band: #222825; --ink: #e4e6e1; --soft: #98a09b;
  --box: #2c3330; --line: #5fb98a } }
.paper { fill: var(--paper) } .band { fill: var(--band) } text { fill: var(--ink) } .package { font-weight: 600 }
.box { fill: var(--box); stroke: var(--soft); stroke-width: .7 } .small { font-size: 11px; fill: var(--soft) }
.arrow { fill: none; stroke: var(--line); stroke-width: 1.2; opacity: .75 } .head { fill: var(--line) }
.thick { fill: none; stroke: var(--line); stroke-width: 4 }
"""


def svg() -> str:
    """Draw the whole picture."""
    found = imports()
    arrows = reduced({a: {b for b in to if b[0] == a[0]} for a, to in found.items()})
    places, bands, height = _placed(arrows)
    packages = {(a[0], b[0]) for a, to in found.items() for b in to}
    lines = [_between(bands[a], bands[b]) for a, b in sorted(packages) if _are_neighbours(a, b)]
    lines += [_arrow(places[a], places[b], _of_package(places, a[0])) for a in places for b in sorted(arrows[a])]
    bands_drawn = [_band(package, *place) for package, place in bands.items()]
    head = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    head += '<path class="head" d="M0 0 8 4 0 8z"/></marker>'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
            "<title>Who imports whom: arrows run downwards</title>",
            f"<style>{STYLE}</style>",
            f"<defs>{head}{head.replace('head', 'thick', 1).replace('7', '4')}</defs>",
            f'<rect class="paper" width="{WIDTH}" height="{height}" rx="10"/>',
            *(bands_drawn + lines + [_box(group, *place) for group, place in places.items()]),
            "</svg>\n",
        ]
    )


def imports() -> dict[Group, set[Group]]:
    """Return for each group the others that its modules import."""
    found: dict[Group, set[Group]] = {(package, name): set() for package, names in GROUPS.items() for name in names}
    for path in sorted(PACKAGE.rglob("*.py")):
        own = group_of(path)
        for name in _imported(path) if own else ():
            other = group_of(ROOT / f"{name.replace('.', '/')}.py")
            if own and other and other != own:
                found[own].add(other)
    return found


def group_of(path: Path) -> Group | None:
    """Return the group of a module; a package's own __init__ has none."""
    if not path.exists() or not path.is_relative_to(PACKAGE) or path.stem == "__init__":
        return None
    name = path.relative_to(PACKAGE).with_suffix("").as_posix()
    package = name.partition("/")[0] if name.partition("/")[0] in GROUPS else "core"
    name = name.removeprefix(f"{package}/")
    folder = name.partition("/")[0] + "/*"
    for words, modules in GROUPS[package].items():
        if name in modules.split() or ("/" in name and folder in modules.split()):
            return package, words
    return next(((package, words) for words, modules in GROUPS[package].items() if modules == "*"), None)


def _imported(path: Path) -> list[str]:
    """Return the dotted names of all modules that importing this one imports."""
    names = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return names


def reduced(arrows: dict[Group, set[Group]]) -> dict[Group, set[Group]]:
    """Leave out the arrows that follow from others."""
    return {a: {b for b in to if not any(b in _below(arrows, c) for c in to - {b})} for a, to in arrows.items()}


def _below(arrows: dict[Group, set[Group]], group: Group) -> set[Group]:
    """Return all that can be reached from a group."""
    found, waiting = set[Group](), [group]
    while waiting:
        for other in arrows[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    if group in found:
        raise ValueError(f"imports go round in a circle: {group}")
    return found


def _placed(arrows: dict[Group, set[Group]]) -> tuple[dict[Group, Place], dict[str, Band], int]:
    """Return where each group's box and each package's band is, and the height of all."""
    places: dict[Group, Place] = {}
    bands: dict[str, Band] = {}
    top = 10
    for floor in FLOORS:
        rows = {package: _rows(arrows, package) for package in floor}
        most = max(map(len, rows.values()))
        height = TITLE + ROW * most - (ROW - BOX) + 14
        for package in floor:
            left, right = SPANS[package]
            bands[package] = (left, top, right, top + height)
            spread = (most - 1) / max(1, len(rows[package]) - 1)
            for number, row in enumerate(rows[package]):
                step = (right - left) / len(row)
                for i, group in enumerate(row):
                    y = top + TITLE + ROW * number * spread
                    places[group] = (left + step * (i + 0.5), y, min(step - 24, 216))
        top += height + GAP
    return places, bands, top - GAP + 10


def _of_package(places: dict[Group, Place], package: str) -> list[Place]:
    return [place for group, place in places.items() if group[0] == package]


def _are_neighbours(a: str, b: str) -> bool:
    """Tell whether the arrow between these packages is drawn; those that skip a floor follow from others."""
    floors = {package: number for number, floor in enumerate(FLOORS) for package in floor}
    return a != b and floors[b] - floors[a] <= 1


def _rows(arrows: dict[Group, set[Group]], package: str) -> list[list[Group]]:
    """Return the package's groups in rows, each as high as the groups that import it allow."""
    own = [(package, name) for name in GROUPS[package]]

    def depth(group: Group) -> int:
        return 1 + max((depth(other) for other in own if group in arrows[other]), default=-1)

    return [[group for group in own if depth(group) == level] for level in range(max(map(depth, own)) + 1)]


def _band(package: str, left: float, top: float, right: float, bottom: float) -> str:
    rect = f'<rect class="band" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="8"/>'
    return f'{rect}<text class="package" x="{left + 12}" y="{top + 20}">{package}</text>'


def _between(above: Band, below: Band) -> str:
    """Draw the arrow from a package to one on the next floor, or to its neighbour on the right."""
    if above[1] == below[1]:
        y = (above[1] + above[3]) / 2
        path = f"M{above[2]} {y:.0f}H{below[0]}"
    else:
        x = (max(above[0], below[0]) + min(above[2], below[2])) / 2
        path = f"M{x:.0f} {above[3]}V{below[1]}"
    return f'<path class="thick" marker-end="url(#thick)" d="{path}"/>'


def _box(group: Group, x: float, y: float, width: float) -> str:
    package, words = group
    modules = [name for name in GROUPS[package][words].split() if name != "*"]
    shown = " ".join(modules)
    most = int(width / 6.2)
    shown = shown if len(shown) <= most else shown[: most - 2].rsplit(" ", 1)[0] + " …"
    rect = f'<rect class="box" x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{BOX}" rx="6"/>'
    title = f'<text x="{x:.0f}" y="{y + (18 if shown else 26):.0f}" text-anchor="middle">{escape(words)}</text>'
    return rect + title + f'<text class="small" x="{x:.0f}" y="{y + 35:.0f}" text-anchor="middle">{shown}</text>'


def _arrow(above: Place, below: Place, places: Collection[Place]) -> str:
    """Lead to the next row, or around what stands between."""
    between = [one for one in places if above[1] < one[1] < below[1]]
    over = [one for one in between if abs(one[0] - below[0]) < (one[2] + below[2]) / 2]
    first = min([one[1] for one in over], default=below[1])
    aside = [one for one in between if one[1] < first and min(above[0], below[0]) < one[0] < max(above[0], below[0])]
    turn = max([one[1] for one in aside], default=above[1]) + BOX
    path = _around(above, below, over, turn) if over else _down(above, below, turn)
    return f'<path class="arrow" marker-end="url(#head)" d="{path}"/>'


def _down(above: Place, below: Place, turn: float) -> str:
    """Go straight down as far as other boxes stand on the way, and then across."""
    (x, y, own), (to_x, to_y, width) = above, below
    lean = max(-0.4, min(0.4, (x - to_x) / 900))
    x, end = x - lean * own, to_x + lean * width
    bend = max(18, (to_y - turn) * 0.45)
    return (
        f"M{x:.0f} {y + BOX:.0f}V{turn:.0f}C{x:.0f} {turn + bend:.0f} {end:.0f} {to_y - bend:.0f} {end:.0f} {to_y:.0f}"
    )


def _around(above: Place, below: Place, between: list[Place], turn: float) -> str:
    """Pass the boxes between on the side where the arrow begins; end at the side of the box."""
    side = 1 if above[0] > below[0] else -1
    lane = side * max(side * one[0] + one[2] / 2 for one in [*between, below]) + side * LANE
    x = min(max(lane, above[0] - 0.4 * above[2]), above[0] + 0.4 * above[2])
    first, last = min(one[1] for one in between), max(one[1] for one in between) + BOX
    edge, end = below[0] + side * below[2] / 2, below[1] + BOX / 2
    bend = (first - turn) * 0.6
    curve = f"V{turn:.0f}C{x:.0f} {turn + bend:.0f} {lane:.0f} {first - bend:.0f} {lane:.0f} {first:.0f}"
    return f"M{x:.0f} {above[1] + BOX:.0f}{curve}V{last:.0f}Q{lane:.0f} {end:.0f} {edge:.0f} {end:.0f}"
