"""The README.md of a dataset: how it was made, what is in it, its licence.

Its head is what dataset hubs read: the licence, tags, and which files belong to which table. The rest follows from the
manifest alone, so the same plan writes the same card.
"""

import shlex
from typing import Any

from spades_env.game.cards import SEATS

CARD = "README.md"
Meanings = dict[str, dict[str, tuple[str, str]]]  # table -> column -> type, what it says
TEXT = """\
---
license: mit
pretty_name: 'Spades: {quoted}'
tags:
  - spades
  - card-game
  - imitation-learning
  - offline-reinforcement-learning
configs:
{configs}
---

# Spades, played by {players}

{hands:,} hands of self-play, written by spades-env {version}.

## How it was made

    {command}

- Seats: {seats}.
- Rules: `{rules}`.
- Random actions instead of the agents': {epsilon:.1%} of the decisions.
- Seed: {seed}. It decides every deal and every move.
- Environment: `{environment}`, observations of layout `{layout}`.

## Counts

| table | rows |
|---|---:|
{counts}

## Tables

Files of the same name in {listed} belong together.
`hand_id` joins the tables. Rows are in the order of hand and step.

{columns}

## What may be learned from

A player may know `observation` and `mask`, and of the other columns `rules`, `seat`, `phase` and `step`. `reward`,
`bid`, `tricks` and `won` are known later: they are targets. In `hands`, `seed` gives the deal away, and `hidden_deals`
is the deal: neither is an input.

## Licence

MIT, as the package that wrote it.
"""


def dataset_card(manifest: dict[str, Any], tables: Meanings) -> str:
    """Return the card of a dataset. tables: its columns, as in MEANINGS."""
    players = ", ".join(dict.fromkeys(manifest["agents"]))
    *some, last = (f"`{table}`" for table in tables)
    return TEXT.format(
        **manifest,
        players=players,
        quoted=players.replace("'", "''"),  # within a YAML string
        configs="\n".join(f"  - config_name: {table}\n    data_files: {table}/*.parquet" for table in tables),
        command=_command(manifest),
        seats=", ".join(f"{seat}: `{name}`" for seat, name in zip(SEATS, manifest["agents"], strict=True)),
        counts="\n".join(f"| `{table}` | {manifest['rows'][table]:,} |" for table in tables),
        listed=f"{', '.join(some)} and {last}",
        columns="\n\n".join(_columns(table, columns) for table, columns in tables.items()),
    )


def _command(manifest: dict[str, Any]) -> str:
    """Return the command that writes this dataset again."""
    names = manifest["agents"]
    few = next(names[:count] for count in (1, 2, 4) if names[:count] * (4 // count) == names)
    words = ["spades", "generate"]
    for name in few:
        words += ["--agent", name]
    for name in ("rules", "hands", "seed", "shard_hands", "epsilon"):
        words += [f"--{name.replace('_', '-')}", str(manifest[name])]
    return shlex.join([*words, "--out", "DIR"])


def _columns(table: str, columns: dict[str, tuple[str, str]]) -> str:
    rows = [f"| `{name}` | `{kind}` | {meaning} |" for name, (kind, meaning) in columns.items()]
    return "\n".join([f"### {table}", "", "| column | type | what it says |", "|---|---|---|", *rows])
