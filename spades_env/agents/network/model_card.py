"""The model card of a level, from what the level's file says of itself.

    model_card(level, "me/mine")      README.md of a repository on a hub; its head is what the hub reads
    model_card(level)                 of a level that ships with the package: agents/levels/NAME.md (docs/tools/make.py)
    network_card("mine", 0, "me/mine")    of an ONNX file, which says less of itself

It says what the level is, what it is fed, how it was trained, what was measured, the licence and how to load it.
"""

import json
from datetime import timedelta
from typing import Any

from spades_env.agents.network.level import Level
from spades_env.agents.roster import character_named
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import ENV, NUM_FEATURES
from spades_env.plain import PlainError, from_json

FILE = "level.safetensors"  # the level in its repository
NETWORK_FILE = "network.onnx"  # … or the network
CARD = "README.md"
LICENCE = "mit"
NAMES = {"rounds": "iterations"}  # of facts that the files of shipped levels call otherwise
TAGS = ("spades", "card-game", "reinforcement-learning", "imperfect-information")
INPUTS = """\
The network reads the observation of `{env}`, {plain} numbers that the seat may know, arranged by suit, and one-hot
tallies of it, such as the tricks a side still needs. Nothing in it is a bot's judgement. It never sees hidden cards."""
NETWORK_INPUTS = """\
One input, float32[N, {plain}]: the observation of `{env}`, what the seat may know. One output, float32[N, {actions}]: a
number for each action, the higher, the better. Illegal actions are masked by the player."""
LOADING = """\
    pip install "spades-env[{extras}]"

```python
from spades_env import agents

bot = agents.load("hf:{repository}", seed=0)
```

`hf:{repository}` names this level wherever an agent is named, such as `spades arena hf:{repository} rule`.
`spades pull {repository}` keeps the file. {digest}"""
LOADING_SHIPPED = """\
```python
from spades_env import agents

bot = agents.load("{name}", seed=0){plays}
```

{digest}"""
DIGEST = """\
Its file carries a digest: a damaged one is refused, and so is
one that was made for another version of the environment."""


def model_card(level: Level, repository: str = "") -> str:
    """Return the card of a level that lies in a repository, or that ships with the package."""
    width, suit_width = level.widths
    about = f"A trained player of the card game Spades, for the environment `{ENV}`. {level.style}".strip()
    parts = [
        *(["\n".join(_head(level.name, LICENCE))] if repository else []),
        f"# {level.name}",
        about,
        f"One network, {width} wide, {suit_width} for a suit. It plays without torch.",
        "## How to load it\n\n" + _loading(level, repository),
        "## What it is fed\n\n" + INPUTS.format(env=ENV, plain=NUM_FEATURES),
        "## How it plays\n\n" + _playing(level.temperature),
        "## How it was trained\n\n" + _training(level),
        "## Measured\n\n" + _measured(level),
        "## Licence\n\nMIT.",
    ]
    return "\n\n".join(parts) + "\n"


def network_card(name: str, temperature: float, repository: str) -> str:
    """Return the card of a network of any framework. Its author adds what the file doesn't say."""
    head, loading = _head(name), LOADING.format(repository=repository, extras="hub,onnx", digest="").rstrip()
    parts = [
        "\n".join(head),
        f"# {name}",
        f"A network that plays the card game Spades, for the environment `{ENV}`, as an ONNX file.",
        f"## How to load it\n\n{loading}",
        "## What it is fed\n\n" + NETWORK_INPUTS.format(env=ENV, plain=NUM_FEATURES, actions=NUM_ACTIONS),
        "## How it plays\n\n" + _playing(temperature),
        "## How it was trained\n\nThe file doesn't say.",
        "## Measured\n\nNothing. `spades arena` and `spades benchmark` measure it.",
    ]
    return "\n\n".join(parts) + "\n"


def recipe_of(level: Level) -> dict[str, Any]:
    """Return a level's recipe; an empty one if its text is none, as a level from elsewhere may hold any text."""
    try:
        found = from_json(level.recipe)
    except PlainError:
        return {}
    return found if isinstance(found, dict) else {}


def _head(name: str, licence: str = "") -> list[str]:
    name = name.replace("'", "''")
    tags = [f"  - {tag}" for tag in TAGS]
    licensed = [f"license: {licence}"] if licence else []
    return ["---", *licensed, "library_name: spades-env", f"model_name: '{name}'", "tags:", *tags, "---"]


def _loading(level: Level, repository: str) -> str:
    if repository:
        return LOADING.format(repository=repository, extras="hub", digest=DIGEST)
    agent = _played_otherwise(level)
    plays = f"  # the character, which plays {agent}" if agent else ""
    return LOADING_SHIPPED.format(name=level.name.lower(), plays=plays, digest=DIGEST)


def _played_otherwise(level: Level) -> str:
    """Return the agent of the level's character if it is not the level alone; empty if it is, or there is none."""
    character = character_named(level.name)
    return character.agent if character and character.agent != character.key else ""


def _playing(temperature: float) -> str:
    if not temperature:
        return "It plays its likeliest action."
    return f"It draws its actions from softmax(logits / {temperature:g})."


def _training(level: Level) -> str:
    facts = [f"- Rules: {level.rules}.", f"- Written by spades-env {level.version}."]
    facts += [f"- {NAMES.get(name, name).capitalize()}: {_fact(name, value)}." for name, value in level.trained.items()]
    recipe = recipe_of(level)
    if not recipe:
        return "\n".join(facts)
    if isinstance(recipe.get("stage"), list):
        kinds = [str(stage.get("kind")) for stage in recipe["stage"] if isinstance(stage, dict)]
        facts.insert(0, f"- Stages: {', '.join(kinds)}.")
    if recipe.get("start"):
        facts.insert(1, "- It began with the weights of an earlier run: the figures below count this run alone.")
    keys = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in recipe.items())
    shown = ",\n ".join(keys)
    return "\n".join(facts) + f"\n\nAll keys of its recipe:\n\n```json\n{{{shown}}}\n```"


def _fact(name: str, value: Any) -> str:
    if name == "seconds" and isinstance(value, int | float):
        return f"{value:,} ({timedelta(seconds=round(value))})"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _measured(level: Level) -> str:
    played = {name: one for name, one in level.ratings.items() if isinstance(one, dict) and "won" in one}
    if not level.ratings:
        return "Nothing: its file holds no ratings. `spades arena` and `spades benchmark` measure it."
    parts = []
    if played:
        rows = ["| against | games won | 95 % interval | games | points a hand |", "|---|---:|---:|---:|---:|"]
        parts.append("\n".join([*rows, *(_row(name, one) for name, one in played.items())]))
        parts.append("Whole duplicate games: each deal is played twice, with the sides swapped.")
    ladder, agent = level.ratings.get("ladder"), _played_otherwise(level)
    if ladder and agent:
        parts.append(f"Measured as the character plays, `{agent}`. The level alone plays otherwise.")
    if isinstance(ladder, dict) and "rating" in ladder:
        low, high = ladder["ci"]
        parts.append(
            f"On the package's ladder it is rated {ladder['rating']} [{low}, {high}]; the rule bot stands at 1000."
        )
    return "\n\n".join(parts)


def _row(name: str, one: dict[str, Any]) -> str:
    low, high = one["ci"]
    points = f"{one['points']:+.1f}" if "points" in one else "–"
    return f"| `{name}` | {one['won']:.1%} | {low:.1%} – {high:.1%} | {one['games']:,} | {points} |"
