"""Print what comes from the code into README and docs: `python docs/tools/make.py`; `--check` only compares."""

import argparse
import inspect
import json
import re
import sys
from collections.abc import Callable
from enum import Enum
from itertools import groupby
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(DOCS.parent), str(DOCS / "tools")]

import baseline_tables  # noqa: E402
import compute_tables  # noqa: E402
import learning_tables  # noqa: E402
import member_tables  # noqa: E402
import play_tables  # noqa: E402
import recipe_keys  # noqa: E402
import roster_tables  # noqa: E402
import speed_tables  # noqa: E402
import strength_tables  # noqa: E402
from pictures import hand_picture, house_picture, ladder_picture, line_pictures  # noqa: E402

from spades_env import Game, SpadesVectorEnv, spades_v0  # noqa: E402
from spades_env.agents.arena import leaderboard  # noqa: E402
from spades_env.agents.arena.entries import verification  # noqa: E402
from spades_env.agents.atomic_files import write_whole  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.agents.network.model_card import model_card  # noqa: E402
from spades_env.agents.roster import LEVELS, SUFFIX  # noqa: E402
from spades_env.envs.episode_table import RENDER_MODES  # noqa: E402
from spades_env.envs.gym_env import SpadesEnv  # noqa: E402
from spades_env.envs.gym_vector import SpadesGymVectorEnv  # noqa: E402
from spades_env.game.cards import (  # noqa: E402
    BID_ZERO,
    BLIND_NIL,
    LOOK,
    MAX_BID,
    SUITS,
    TRUMP_ORDERS,
    action_name,
    action_words,
    card_name,
    deck,
)
from spades_env.game.facts import Facts, HandResult  # noqa: E402
from spades_env.game.observe import LAYOUT, STATE_LAYOUT, Block  # noqa: E402
from spades_env.game.rules import OPTIONS, Rules, allowed, format_value  # noqa: E402
from spades_env.game.view import View  # noqa: E402
from spades_env.play.commands.cli import COMMANDS  # noqa: E402
from spades_env.play.terminal.keys import help_lines  # noqa: E402
from spades_env.training.data.shards import DEALS, DECISIONS, HANDS, MEANINGS  # noqa: E402

RESULTS, ENTRIES = DOCS / "results", DOCS.parent / "entries"
PAGES = [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]
SHARED = tuple(inspect.signature(SpadesEnv).parameters)  # what every Gymnasium environment takes
ONE = 'import gymnasium\n\nenv = gymnasium.make(\n    "spades_env:Spades-v0",'
MANY = "from gymnasium.vector import AutoresetMode\nfrom spades_env import SpadesGymVectorEnv"
RULE_BOOKS, CLASSIC = ("classic", "pagat", "showdown", "solo"), Rules().as_dict()
MARK = re.compile(r"(<!-- printed: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def options_table() -> str:
    """Return every option: what it takes, and its value in each rule book."""
    columns = " | ".join(f"`{name}`" for name in RULE_BOOKS)
    rows = [f"| option | takes | {columns} |", "|---|---|" + "---|" * len(RULE_BOOKS)]
    for option in OPTIONS:
        values = [format_value(Rules.preset(name).as_dict()[option]) for name in RULE_BOOKS]
        rows.append(f"| `{option}` | {_short(allowed(option))} | {' | '.join(values)} |")
    return "\n".join(rows)


def _short(takes: str) -> str:
    """Return what an option takes, for a narrow column."""
    words = takes.removeprefix("one of ").replace(", or off", ", off")
    return re.sub(r"a whole number from (-?\d+) to (-?\d+)", r"\1 … \2", words)


def presets_table() -> str:
    """Return what every other preset changes in `classic`."""
    rows = ["| preset | what it changes in `classic` |", "|---|---|"]
    for name in Rules.presets():
        rules = Rules.preset(name).as_dict()
        changes = [f"{option}={format_value(value)}" for option, value in rules.items() if value != CLASSIC[option]]
        if name not in RULE_BOOKS:
            rows.append(f"| `{name}` | {', '.join(f'`{change}`' for change in changes)} |")
    return "\n".join(rows)


def trumps_table() -> str:
    """Return every trump mode: what is left out, and the trump suit."""
    rows = ["| `trumps` | left out | trump suit, highest first |", "|---|---|---|"]
    for name, order in TRUMP_ORDERS.items():
        left_out = [card_name(card) for card in range(52) if card not in deck(name)]
        rows.append(f"| `{name}` | {' '.join(left_out) or '–'} | {' '.join(map(card_name, order))} |")
    return "\n".join(rows)


def facts() -> str:
    """Describe the environment in PettingZoo's own form."""
    env = spades_v0.raw_env("classic")
    agent = env.possible_agents[0]
    observed, mask = (env.observation_space(agent)[name] for name in ("observation", "action_mask"))  # pyright: ignore
    rows = {
        "Import": "`from spades_env import spades_v0`",
        "Actions": "Discrete",
        "Parallel API": "Yes" if env.metadata["is_parallelizable"] else "No",
        "Manual control": "No (but [a table for people](playing.md))",
        "Agents": f"`agents = {env.possible_agents}`: South, West, North, East".replace("'", '"'),
        "Number of agents": len(env.possible_agents),
        "Action shape": f"`{env.action_space(agent)}`",
        "Action values": f"{env.action_space(agent).start} … {env.action_space(agent).n - 1}",
        "Observation shape": f"`{observed.shape}` and a mask `{mask.shape}`",
        "Observation values": f"{observed.low.min()} … {observed.high.max()} ({observed.dtype}); the mask's: 0 and 1",
        "State shape": f"`{env.state_space.shape}`",
        "State values": f"{env.state_space.low.min()} … {env.state_space.high.max()}",
        "Reward": "points, when a hand is scored",
        "Render modes": ", ".join(f"`{mode}`" for mode in RENDER_MODES),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def actions_table() -> str:
    """Return what every action does."""
    rows = ["| action | name | meaning |", "|---:|---|---|"]
    for suit, words in enumerate(SUITS):
        low, high = 13 * suit, 13 * suit + 12
        names = f"`{action_name(low)}` … `{action_name(high)}`"
        rows.append(f"| {low} … {high} | {names} | play that card, or pass it: {words}, two to ace |")
    rows += [f"| {card} | `{action_name(card)}` | … {action_words(card)} |" for card in (52, 53)]
    low, high = action_name(BID_ZERO), action_name(BID_ZERO + MAX_BID)
    rows.append(
        f"| {BID_ZERO} … {BID_ZERO + MAX_BID} | `{low}` … `{high}` | bid 0 to 13 tricks (0 is nil where there is nil) |"
    )
    rows.append(f"| {BLIND_NIL} | `{action_name(BLIND_NIL)}` | bid blind nil |")
    rows.append(f"| {LOOK} | `{action_name(LOOK)}` | look at your cards |")
    return "\n".join(rows)


def signature(head: str, made: Callable, leave_out: tuple[str, ...] = ()) -> str:
    """Return the call that makes an environment, with the default of every argument."""
    given = [one for one in inspect.signature(made).parameters.values() if one.name not in leave_out]
    shown = [f"    {one.name}={_default(one.default)}," for one in given]
    return "\n".join(["```python", head, *shown, ")", "```"])


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return "4096"  # how many tables: the one argument that has to be given
    return str(value) if isinstance(value, Enum) else repr(value).replace("'", '"')


def layout_table(layout: dict[str, Block] = LAYOUT) -> str:
    """Return a row for each block of features."""
    rows = ["| from | to | name | shape | meaning |", "|---:|---:|---|---|---|"]
    for block in layout.values():
        shape = " × ".join(map(str, block.shape))
        rows.append(f"| {block.start} | {block.start + block.size - 1} | `{block.name}` | {shape} | {block.meaning} |")
    return "\n".join(rows)


def hidden_table() -> str:
    """Return what `state()` has behind the observation."""
    return layout_table({name: block for name, block in STATE_LAYOUT.items() if name not in LAYOUT})


def record() -> str:
    """Return the beginning and the end of one hand's record."""
    lines = Game.replay((DOCS.parent / "tests" / "golden" / "pagat.txt").read_text(encoding="utf-8")).record()
    head, _, rest = lines.partition("\n 3.")
    scores = [line for line in rest.splitlines() if " & " in line][:2]
    return "\n".join(["```", head, " …", *scores, "…", "```"])


def _opponents() -> dict:
    return json.loads((DOCS / "opponents.json").read_text(encoding="utf-8"))


def _ladder(found: dict) -> str:
    """Return how each agent does in a ladder, on the scale where `rule` has 1000."""
    shift = 1000 - next(one["rating"] for one in found["standings"] if one["name"] == "rule")
    rows = ["| agent | rating [95 %] | games won | mean bid | set | bags a hand | nil bid | nil kept | a move |"]
    rows.append("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for one in found["standings"]:
        s, (rating, low, high) = one["stats"], (shift + x for x in (one["rating"], *one["rating_ci"]))
        kept = "–" if s["nil_kept"] is None else f"{s['nil_kept']:.0%}"
        time = f"{s['ms_per_move']:.1f} ms" if s["ms_per_move"] >= 0.1 else f"{1000 * s['ms_per_move']:.1f} µs"
        rows.append(
            f"| `{one['name']}` | {rating:.0f} [{low:.0f}, {high:.0f}] | {one['win_rate']:.1%} | "
            f"{s['mean_bid']:.2f} | {s['set_rate']:.1%} | {s['bags_per_hand']:.2f} | "
            f"{s['nil_rate']:.1%} | {kept} | {time} |"
        )
    return "\n".join(rows)


def _cross_table(found: dict) -> str:
    """Return who wins how often against whom: the row against the column, each pairing once."""
    names = [one["name"] for one in found["standings"]]
    rates = {}
    for pair in found["pairings"]:
        rate, (low, high) = pair["win_rate"], pair["win_rate_ci"]
        rates[pair["a"], pair["b"]] = leaderboard.share(rate, (low, high))
        rates[pair["b"], pair["a"]] = leaderboard.share(1 - rate, (1 - high, 1 - low))
    rows = [f"| % | {' | '.join(f'`{name}`' for name in names[1:])} |", "|---|" + "---:|" * (len(names) - 1)]
    for i, a in enumerate(names[:-1]):
        rows.append(f"| `{a}` | " + " | ".join([""] * i + [rates[a, b] for b in names[i + 1 :]]) + " |")
    return "\n".join(rows)


def keys() -> str:
    """Return every key of the table in the terminal."""
    rows = ["| key | does |", "|---|---|"]
    return "\n".join(rows + [f"| {shown} | {words} |" for shown, words in help_lines()])


def results() -> str:
    """Return the leaderboard, from what `spades benchmark --out` wrote."""
    entries = leaderboard.read_entries(RESULTS, ENTRIES)
    return leaderboard.markdown(entries, verification.marks(RESULTS / "verified", entries))


def results_about() -> str:
    """Return what stands behind each entry of the leaderboard."""
    return leaderboard.about(leaderboard.read_entries(RESULTS, ENTRIES))


def commands() -> str:
    """Return every command with its example."""
    rows = ["| command | what it does | for example |", "|---|---|---|"]
    for name, one in COMMANDS.items():
        example = f"spades {name} {one.arguments}".rstrip()
        rows.append(f"| `{name}` | {one.meaning} | `{example}` |")
    return "\n".join(rows)


def dataset() -> str:
    """Return every column of a dataset."""
    lines = []
    for table in (DECISIONS, HANDS, DEALS):
        lines += [f"### `{table}`", "", "| column | type | what it says |", "|---|---|---|"]
        for (kind, words), alike in groupby(MEANINGS[table].items(), key=lambda item: item[1]):
            lines.append(f"| {', '.join(f'`{name}`' for name, _ in alike)} | `{kind}` | {words} |")
        lines.append("")
    return "\n".join(lines).rstrip()


TABLES = {
    "commands": commands,
    "bids_by_score": play_tables.bids,
    "compute": compute_tables.compute,
    "beliefs": strength_tables.beliefs,
    "exact": strength_tables.exact,
    "beside": strength_tables.beside,
    "exploit": strength_tables.exploits,
    "searches": strength_tables.searches,
    "grades": play_tables.grades,
    "dataset": dataset,
    "keys": keys,
    "characters": roster_tables.characters,
    "earned": roster_tables.earned,
    "levels": roster_tables.levels,
    "ladder": lambda: _ladder(_opponents()),
    "crosstable": lambda: _cross_table(_opponents()),
    "strong": strength_tables.summary,
    "recipe": recipe_keys.toml,
    "floors": lambda: strength_tables.matches("floors"),
    "held_out": lambda: strength_tables.matches("held_out"),
    "variants": strength_tables.by_rules,
    "record": record,
    "options": options_table,
    "presets": presets_table,
    "trumps": trumps_table,
    "layout": layout_table,
    "hidden": hidden_table,
    "facts": facts,
    "actions": actions_table,
    "table_facts": lambda: member_tables.table(Facts),
    "view_members": lambda: member_tables.table(View, beside=Facts),
    "game_members": lambda: member_tables.table(Game, beside=Facts),
    "hand_result": lambda: member_tables.fields(HandResult),
    "signature": lambda: signature("env = spades_v0.env(", spades_v0.raw_env),
    "gym_signature": lambda: signature(ONE, SpadesEnv),
    "gym_vector_signature": lambda: signature(f"{MANY}\n\nenv = SpadesGymVectorEnv(", SpadesGymVectorEnv, SHARED),
    "vector_signature": lambda: signature("env = SpadesVectorEnv(", SpadesVectorEnv),
    "speed": speed_tables.speeds,
    "tasks": baseline_tables.tasks,
    "quick": speed_tables.quick,
    "regret": speed_tables.regret,
    "parts": learning_tables.parts,
    "long_run": learning_tables.long_run,
    "jax_run": learning_tables.jax_run,
    "leaderboard": results,
    "leaderboard_about": results_about,
    "baselines": baseline_tables.results,
    "bids": baseline_tables.bids,
    "five_seeds": baseline_tables.five_seeds,
    "ideas": baseline_tables.ideas,
}


def printed(text: str) -> str:
    """Return the page with its tables as the code has them."""
    return MARK.sub(lambda mark: f"{mark[1]}\n{TABLES[mark[2]]()}\n\n{mark[3]}", text)


def cards() -> dict[Path, str]:
    """The model card of every level that ships with the package, beside it."""
    return {path.with_suffix(".md"): model_card(Level.read(path)) for path in sorted(LEVELS.glob(f"*{SUFFIX}"))}


def pictures() -> dict[Path, str]:
    """Return the files that are drawn from the code and from what was measured."""
    return {
        DOCS / "hand.svg": hand_picture.svg(),
        DOCS / "house.svg": house_picture.svg(),
        DOCS / "ladder.svg": ladder_picture.svg(roster_tables.measured()),
        DOCS / "learning.svg": line_pictures.learning(learning_tables.evaluations(), "How learning goes", 100),
        DOCS / "jax_ppo.svg": line_pictures.learning(learning_tables.in_jax()["rows"], "How learning goes in JAX", 10),
    }


def main(check: bool) -> int:
    stale = 0
    texts = {path: path.read_text(encoding="utf-8") for path in PAGES}
    wanted = {path: printed(text) for path, text in texts.items()} | pictures() | cards()
    for path, new in wanted.items():
        old = texts.get(path) or (path.read_text(encoding="utf-8") if path.exists() else "")
        if new == old:
            continue
        stale += 1
        print(f"{path.name} {'is stale: run python docs/tools/make.py' if check else 'printed again'}")
        if not check:
            write_whole(path, new)
    return 1 if check and stale else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is stale, and write nothing")
    sys.exit(main(parser.parse_args().check))
