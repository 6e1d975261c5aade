"""The README.md of a dataset: how it was made, what is in it, a datasheet in the form of Gebru and others, its licence.

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

## Datasheet

**Motivation.** Imitation and offline learning in a game with partners, bids and hidden cards, where the behaviour is
known exactly.

**Composition.** An instance is one decision of one seat: what it saw, what it could do, what it did, and how hand and
game ended. Every decision is in it, also those with one legal action. No people are: all decisions are a program's, so
no consent, identity or privacy is concerned. `action` and `reward` are exact. `choice` differs from `action` only where
a random action was played.

**Collection.** Programs played each other on uniform deals, on the day the command ran. It is a sample of play that can
be generated without end: of the states that these agents reach under these rules.

**Preprocessing.** None: what was played is what is written.

**Uses.** Inputs are what a player may know: `observation` and `mask`, and of the other columns `rules`, `seat`, `phase`
and `step`. `reward`, `bid`, `tricks` and `won` are known later: they are targets. In `hands`, `seed` gives the deal
away, and `hidden_deals` is the deal: neither is an input. Split by game or by `hand_id`, never by decision, as
decisions of a hand share its deal; there is no official split. Agents that always answer the same cover few actions
without random ones, and agents of one kind share habits, so a policy that only imitates them may fail against others.
Don't draw conclusions on how people play, and don't play for money against people who don't know that they face a
program.

**Distribution.** MIT, as the package that wrote it. `croissant.json` describes the tables for loaders.

**Maintenance.** The same command and version write the same bytes, so nothing has to be kept. The changelog of
spades-env says when columns change.
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
