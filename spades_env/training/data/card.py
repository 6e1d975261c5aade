"""The README.md of a dataset: how it was made, what is in it, its licence.

Its head is what dataset hubs read: the licence, tags, and which files belong to which table. The rest follows from the
manifest alone, so the same plan writes the same card.
"""

import shlex
from typing import Any

from spades_env.game.cards import SEATS

CARD = "README.md"
LICENCE = "mit"
Meanings = dict[str, dict[str, tuple[str, str]]]  # table -> column -> type, what it says
TAGS = ("spades", "card-game", "imitation-learning", "offline-reinforcement-learning")
JOIN = "`hand_id` joins the tables. Rows are in the order of hand and step."
TABLES_KNOWN = """## What may be learned from

A player may know `observation` and `mask`, and of the other columns `rules`, `seat`, `phase` and `step`. `reward`,
`bid`, `tricks` and `won` are known later: they are targets. `seed` with `hand_number` gives the deal away, and
`hidden_deals` is the deal: neither is an input."""
METADATA_KNOWN = """## What may be learned from

A player may know the observations alone. What stands in an episode's metadata is known later, or gives the deal away:
it is for selecting episodes and for replaying them, and no input."""
EPISODES = """\
An episode is what one seat saw and did in one hand, as `Spades-v0` with `episode="hand"` shows it: four episodes a
hand, South's first. Its last observation is the scored hand. Rewards are 0 up to the last step, which pays the hand.
Open it with `minari.load_dataset("{name}")`, in the folder that `MINARI_DATASETS_PATH` names."""


def parquet_card(manifest: dict[str, Any], tables: Meanings) -> str:
    """Return the card of a dataset in Parquet files."""
    configs = ["configs:"]
    for table in tables:
        configs += [f"  - config_name: {table}", f"    data_files: {table}/*.parquet"]
    rows = [f"| `{table}` | {manifest['rows'][table]:,} |" for table in tables]
    parts = [
        _head(manifest, configs),
        _origin(manifest, "parquet"),
        "\n".join(["## Counts", "", "| table | rows |", "|---|---:|", *rows]),
        "\n".join(["## Tables", "", f"Files of the same name in {_listed(list(tables))} belong together.", JOIN]),
        *(_columns(table, columns) for table, columns in tables.items()),
        TABLES_KNOWN,
        _licence(),
    ]
    return "\n\n".join(parts) + "\n"


def minari_card(manifest: dict[str, Any], tables: Meanings) -> str:
    """Return the card of a dataset that Minari opens. tables: what an episode holds, in the form of MEANINGS."""
    counts = [("hands", manifest["hands"]), ("episodes", manifest["episodes"]), ("steps", manifest["steps"])]
    parts = [
        _head(manifest, ["library_name: minari"]),
        _origin(manifest, "minari"),
        "\n".join(["## Counts", "", "| | |", "|---|---:|", *(f"| {name} | {count:,} |" for name, count in counts)]),
        "\n".join(["## Episodes", "", EPISODES.format(name=manifest["dataset_id"])]),
        *(_columns(table, columns) for table, columns in tables.items()),
        METADATA_KNOWN,
        _licence(),
    ]
    return "\n\n".join(parts) + "\n"


def _head(manifest: dict[str, Any], more: list[str]) -> str:
    agents = ", ".join(dict.fromkeys(manifest["agents"]))
    words = [
        f"license: {LICENCE}",
        f"pretty_name: 'Spades: {_quoted(agents)}'",
        "tags:",
        *(f"  - {tag}" for tag in TAGS),
    ]
    return "\n".join(["---", *words, *more, "---", "", f"# Spades, played by {agents}"])


def _origin(manifest: dict[str, Any], form: str) -> str:
    seats = ", ".join(f"{seat}: `{name}`" for seat, name in zip(SEATS, manifest["agents"], strict=True))
    return "\n".join(
        [
            f"{manifest['hands']:,} hands of self-play, written by spades-env {manifest['version']}.",
            "",
            "## How it was made",
            "",
            f"    {_command(manifest, form)}",
            "",
            f"- Seats: {seats}.",
            f"- Rules: `{manifest['rules']}`.",
            f"- Seed: {manifest['seed']}. It decides every deal and every move.",
            f"- Environment: `{manifest['environment']}`, observations of layout `{manifest['layout']}`.",
        ]
    )


def _command(manifest: dict[str, Any], form: str) -> str:
    """Return the command that writes this dataset again."""
    names = manifest["agents"]
    few = next(names[:count] for count in (1, 2, 4) if names[:count] * (4 // count) == names)
    words = ["spades", "generate"]
    for name in few:
        words += ["--agent", name]
    words += ["--rules", manifest["rules"], "--hands", str(manifest["hands"]), "--seed", str(manifest["seed"])]
    words += ["--shard-hands", str(manifest["shard_hands"])]
    return shlex.join([*words, *(["--format", form] if form != "parquet" else []), "--out", "DIR"])


def _columns(table: str, columns: dict[str, tuple[str, str]]) -> str:
    rows = [f"| `{name}` | `{kind}` | {meaning} |" for name, (kind, meaning) in columns.items()]
    return "\n".join([f"### {table}", "", "| column | type | what it says |", "|---|---|---|", *rows])


def _licence() -> str:
    return "## Licence\n\nMIT, as the package that wrote it."


def _listed(tables: list[str]) -> str:
    *some, last = (f"`{table}`" for table in tables)
    return f"{', '.join(some)} and {last}"


def _quoted(text: str) -> str:
    return text.replace("'", "''")  # within a YAML string
