"""Figures in running text are those of their records; tables are printed from the records, see docs/tools/make.py."""

import json
import math
import re
from collections.abc import Iterable

import numpy as np
import pytest
from support.paths import ROOT, docs_tool

from benchmarks.agents import strength
from benchmarks.agents.coach import DECISIONS
from spades_env.agents import equity
from spades_env.agents.arena import benchmark, entry
from spades_env.agents.arena.tracks import LIMITS
from spades_env.agents.command.process import LEAVES_S, TERMINATED_S
from spades_env.agents.command.program import USUAL_SECONDS
from spades_env.agents.elo import FIRST_LOOK
from spades_env.agents.network.level import Level
from spades_env.agents.network.trial import DEALT_AT_ONCE, LEAST_GAIN
from spades_env.agents.roster import roster
from spades_env.agents.search.compare import STRAYING
from spades_env.game.cards import NUM_SEATS, NUM_TRICKS
from spades_env.play.coach.grade import LEAST, WORLDS
from spades_env.play.server.limits import Limits
from spades_env.play.server.rooms.absence import SHOWING_SECONDS
from spades_env.play.table.rating import LOSS, WIN, rating_after
from spades_env.training.recipe import Recipe
from spades_env.training.self_play.choices import EXPLORED, QUOTA

DOCS = ROOT / "docs"
SELFPLAY = ROOT / "entries" / "selfplay" / "level.safetensors"


def result(name: str) -> entry.Entry:
    return entry.read_entry(DOCS / "results" / f"{name}.json")


def variance(name: str, other: str) -> str:
    """What duplicates leave of the variance of independent games, from the deals of a results file."""
    quarters = np.array([int(quarters) for quarters in result(name)["against"][other]["deals"]])
    return f"{left_by_duplicates(np.bincount(quarters, minlength=5)):.2f} (`{other}`)"


def left_by_duplicates(pairs: np.ndarray) -> float:
    shares = np.repeat(np.arange(5) / 4, pairs)
    return shares.var() / (shares.mean() * (1 - shares.mean()) / 2)


def deal_luck() -> list[str]:
    """What duplicates leave, and what a correction for luck with the deals would leave of that."""
    *of_rule, last = json.loads((DOCS / "deal_luck.json").read_text(encoding="utf-8"))["matches"]
    assert all(match["left"] > 0.9 for match in (*of_rule, last))  # where a correction saves a tenth, it is offered
    rb, bis, club = (f"{100 * match['left']:.0f} % (`{match['b']}`)" for match in of_rule)
    alike = left_by_duplicates(np.array(last["pairs"]))
    return [
        f"{alike:.2f} between `standard` and the level of `zofia`",
        f"so that 1,000 games tell as much as {1000 / alike:,.0f} independent ones",
        f"leave {rb}, {bis} and {club} of that variance against `rule`",
        f"and {100 * last['left']:.0f} % between `standard` and the level",
    ]


def loop() -> str:
    won = json.loads((DOCS / "loop.json").read_text(encoding="utf-8"))["loop"]["last"]["rule"]["win_rate"]["mean"]
    return f"wins {100 * won:.0f} % against `rule` after 20 core-minutes"


def log_loss(rules: str) -> float:
    """What the fit of match equity reached on fresh games, as its docstring says."""
    return float(re.search(rf"{rules} +([\d.]+)", equity.__doc__ or "")[1])  # pyright: ignore


def content(stars: int) -> float:
    """Return the share of wins, in %, that keeps a rating as it is."""
    won, lost = (abs(rating_after(1000, outcome, stars) - 1000) for outcome in (WIN, LOSS))
    return 100 * lost / (won + lost)


def response(agent: str, name: str) -> str:
    """What a response of exploit.json won on the selection deals, or as the chosen one on fresh deals."""
    report = next(one for one in docs_tool("strength_tables").exploit_reports() if one["plan"]["agent"] == agent)
    found = report["exploit"] if name == "chosen" else next(one for one in report["responses"] if one["name"] == name)
    low, high = found["win_rate_ci"]
    return f"{100 * found['win_rate']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def speed(row: str) -> float:
    """A row of benchmarks.md, in million decisions a second."""
    return float(docs_tool("speed_tables").cells(row)[0].removesuffix(" M"))


TWO_THREADS = speed("4,096 tables, 2 threads") / speed("4,096 tables, 1 thread")


def ladder() -> str:
    """How many games the characters played, by how far apart they are."""
    played = json.loads((ROOT / "agents" / "roster.json").read_text(encoding="utf-8"))
    games, least = played["games"], min(one["games"] for one in played["pairings"])
    return (
        f"met in {games} games a pairing, everybody met `rule` and `bis` in {4 * games}, characters of the same level "
        f"met in {games // 4} games, those further apart in {least}"
    )


def walds_length(elo: float) -> float:
    """Return the games that a sequential test of 0 against a gain in Elo takes where either is true (Wald)."""
    gain = 1 / (1 + 10 ** (-elo / 400)) - 0.5
    return 2 * (1 - 2 * 0.05) * math.log(0.95 / 0.05) * 2 * (0.25 / 2) / gain**2


def trial_games() -> str:
    """How many games the workflow plays with a proposed bot."""
    workflow = (ROOT / ".github" / "workflows" / "entries.yml").read_text(encoding="utf-8")
    return re.search(r"--games (\d+)", workflow)[1]  # pyright: ignore


def quick() -> list[str]:
    """How long the stages of the recipe are, and its evaluation at the end."""
    recipe = Recipe.load(ROOT / "configs" / "train" / "quick.toml")
    stages = [f"({stage.iterations} iterations of {stage.hands} hands)" for stage in recipe.stage]
    return [*stages, f"plays {recipe.evaluate.games} games against `rule`"]


def most_pieces() -> int:
    """How many pieces the longest match of strength.json has; each has a seed of its own."""
    parts = docs_tool("strength_tables").measured().values()
    return max(one["games"] for part in parts for one in part) // strength.PIECE


AGENTS = {one.key: one.agent for one in roster()}

QUOTED = {
    "docs/agents.md": [
        f"may take {USUAL_SECONDS:g} seconds",
        f"After {LEAVES_S} seconds it gets SIGTERM, and {TERMINATED_S} seconds later SIGKILL",
    ],
    "docs/benchmark.md": [
        f"fewer than {benchmark.LEAST_GAMES} games",
        "a limit of {}, {} or {} ms".format(*LIMITS),
        f"a trial of {trial_games()} games",
        f"from nothing in {Level.read(SELFPLAY).trained['minutes']:.0f} core-minutes",
    ],
    "docs/how_policies_learn.md": [
        f"In {EXPLORED:.0%} of calls".replace("%", " %"),
        f"{QUOTA:.0%} of".replace("%", " %"),
    ],
    "docs/protocol.md": [
        f"for {SHOWING_SECONDS:.0f} seconds at most",
        f"at most {Limits.message // 1024} kB (`import`: {Limits.text // 1024} kB)",
    ],
    "docs/strength.md": [
        f"The seeds of the results, {strength.SEED} to {strength.SEED + most_pieces() - 1},",
        f"in up to {AGENTS['zofia'].partition('+believe:')[2].partition('+')[0]} determinizations",
    ],
    "docs/tutorial_train.md": quick(),
    "docs/words.md": [
        f"{benchmark.LEAST_GAMES} games against",
        f"has some {6 * 250 * benchmark.LEAST_GAMES:,} decisions",
    ],
    "docs/opponents.md": [
        ladder(),
        f"{DEALT_AT_ONCE} at a time where",
        f"with {STRAYING:.0%} random legal cards".replace("%", " %"),
        f"gain less than {LEAST_GAIN} of a game",
    ],
    "docs/playing.md": [
        "{:.0f} % at difficulty 2, {:.0f} % at 8, {:.0f} % at 14".format(*map(content, (2, 8, 14))),
        *(f"| {grade} | {100 * least:g} or more |" for grade, least in LEAST.items()),
        f"tried in the same {WORLDS} determinizations",
        f"judged {DECISIONS:,} graded decisions",
    ],
    "docs/tutorial_ppo.md": [loop()],
    "docs/environment.md": [
        f"A hand has {NUM_SEATS * (1 + NUM_TRICKS)} decisions, {1 + NUM_TRICKS} for each seat",
        f"4,096 tables are {TWO_THREADS:.1f} times as fast",
    ],
    "docs/training_results.md": [
        f"`train/selfplay.py` {loop()}",
        f"`rule` wins {100 * result('rule')['against']['rb']['win_rate']:.0f} % against `rb`",
        f"`standard` wins {100 * result('standard')['against']['rule']['win_rate']:.0f} % against `rule`",
    ],
    "docs/measuring.md": [
        *(variance("rule", other) for other in ("pimc:20", "club", "bis/mc:30x30", "bis", "rb")),
        *deal_luck(),
        f"with {len(result('rule')['against']['rb']['deals'])} deals against each",
        f"takes some {1000 * math.ceil(walds_length(10) / 1000):,} games where either hypothesis is true",
        f"some {100 * math.ceil(walds_length(30) / 100)}; halfway",
        f"looks after {FIRST_LOOK} deals",
        f"{response('rule', 'iteration 150')} of 200 games on the selection deals",
        response("rule", "start"),
        f"{response('zofia', 'chosen')} of 300 games",
        f"Under `match` the log loss is {log_loss('match'):.2f}",
    ],
}


@pytest.mark.parametrize("page", QUOTED)
def test_figures_are_those_of_their_records(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    for quoted in QUOTED[page]:
        assert quoted in text


def test_times_are_those_of_the_benchmarks():
    tables = docs_tool("speed_tables")
    assert tables.cells("`standard`") != tables.cells("`zofia`")
    with pytest.raises(KeyError, match=r"benchmarks\.md has no row `stand`"):
        tables.cells("`stand`")


INTERVAL = re.compile(r"[\d.]+ ?%? \[[\d.]+, [\d.]+\]")
ASIDE = re.compile(r"<!-- printed: \w+ -->.*?<!-- end -->|^```.*?^```", re.DOTALL | re.MULTILINE)
PAGES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *DOCS.glob("*.md"))}


def test_intervals_that_no_tool_printed_stand_in_the_log_or_in_a_printed_table():
    records = [path.read_text(encoding="utf-8") for path in (DOCS / "log").glob("*.md")]
    records += [block for text in PAGES.values() for block in ASIDE.findall(text)]
    records += [quoted for page in QUOTED.values() for quoted in page]
    known = " ".join("\n".join(records).split())
    found = {(page.name, one) for page, text in PAGES.items() for one in INTERVAL.findall(ASIDE.sub("", text))}
    assert INTERVAL.findall("it won 44.5 % [39.1, 50.4] of 200 games")  # whatever the pages have
    assert [(page, one) for page, one in found if one[one.index("[") :] not in known] == []


TIMES = r"ns|µs|ms|s|seconds?|minutes?|min|hours?|days?|core-minutes|core-hours"
COUNTS = r"%|M|k|million|kB|MB|GB|MiB|GiB|decisions|games|deals|points a hand|times as"
FIGURE = re.compile(rf"\d[\d.,]* ?(?:{TIMES}|{COUNTS})(?!\w)")
MEANT = {"95 %", "5 %", "1,000 games"}  # of intervals and tests; an example, and the benchmark's usual number


def unknown(prose: str, quoted: Iterable[str]) -> list[str]:
    """Return the figures with a unit in running text that none of the quoted sentences has."""
    known = MEANT.union(*map(FIGURE.findall, quoted))
    return [figure for figure in FIGURE.findall(prose) if figure not in known]


def test_figures_with_a_unit_in_running_text_are_quoted_from_a_record():
    found = 0
    for path, text in PAGES.items():
        lines = [line for line in ASIDE.sub("", text).splitlines() if not line.startswith(("|", "    "))]
        prose = " ".join(" ".join(lines).split())
        assert unknown(prose, QUOTED.get(path.relative_to(ROOT).as_posix(), ())) == [], path.name
        found += len(set(FIGURE.findall(prose)) - MEANT)
    assert found > 30  # the pattern still finds some


@pytest.mark.parametrize("figure", ["7 %", "0.25 ms", "8.9 M", "21 points a hand", "3 s", "40 minutes", "2,000 games"])
def test_a_figure_of_no_record_is_found(figure):
    assert unknown(f"It took {figure}, or so.", ["after 4 s"]) == [figure]
