"""Tables of what train/run_all.py wrote: baselines.json, loop.json (five seeds of selfplay.py) and ablations.json.

`tasks` has the graded tasks, from tasks.json, which `python benchmarks/agents/tasks.py` writes.
"""

import json
from pathlib import Path
from typing import Any

from spades_env import TASKS

DATA = Path(__file__).resolve().parents[1]
PICTURE = (
    "![Games won, points a hand, bids and nils by decisions; bands are 95 % intervals over the seeds](baselines.svg)"
)
WORDS = {
    "bc": "`bc`: behaviour cloning of `rule`",
    "ppo": "`ppo`: masked PPO",
    "ppo-average": "`ppo-average`: … pulled towards averaged weights",
    "nfsp": "`nfsp`: NFSP",
    "dqn": "`dqn`: double DQN",
}
DECIDES = {"all": "bids and cards", "bids": "bids; `rule` plays its cards", "cards": "cards; `rule` bids for it"}
BIDS_OF = ("ppo-average-1M", "ppo-1M")
FIGURES = {  # title → key, its form, its unit
    "games won, %": ("win_rate", "{:.1f}", 100),
    "points a hand": ("points_per_hand", "{:+.1f}", 1),
    "nils bid, %": ("nil_rate", "{:.1f}", 100),
    "nils kept, %": ("nil_kept", "{:.0f}", 100),
}


def measured(group: str) -> dict[str, Any]:
    """Return what is known of each program of a group that has been run."""
    return json.loads((DATA / f"{group}.json").read_text(encoding="utf-8"))


def results() -> str:
    """Return a row for each baseline and size: cost, games won, points a hand and habits; then the curves."""
    rows = [
        "| baseline | decisions | seeds | minutes | won against `rule` | won against `rb` "
        "| points a hand against `rule` | mean bid | nils bid | nils kept |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in measured("baselines").values():
        last, cost = one["last"]["rule"], [_millions(one), str(len(one["seeds"])), f"{one['minutes']['mean']:.1f}"]
        won = [_text(one["last"][other]["win_rate"], "{:.1f}", 100) for other in ("rule", "rb")]
        habits = [f"{last['mean_bid']['mean']:.2f}", f"{last['nil_rate']['mean']:.1%}"]
        habits.append(f"{last['nil_kept']['mean']:.0%}" if last["nil_kept"] else "–")
        points = _text(last["points_per_hand"], "{:+.1f}")
        rows.append(f"| {' | '.join([WORDS[one['name']], *cost, *won, points, *habits])} |")
    return "\n".join([*rows, "", PICTURE])


def bids() -> str:
    """Return how PPO bids while it learns, without and with the pull: means over the seeds."""
    found = [one for key, one in measured("baselines").items() if key in BIDS_OF]
    columns = [f"`{one['name']}`: {what}" for one in found for what in ("mean bid", "nils", "entropy of bids")]
    rows = [f"| million decisions | {' | '.join(columns)} |", "|---:|" + "---:|" * len(columns)]
    curves = [one["curves"] for one in found]
    for number, row in list(enumerate(curves[0]["decisions"]))[1::2]:  # every other one
        cells = [f"{row['mean'] / 1e6:.2f}"]
        for one in curves:
            bid, nil, entropy = (one[key][number]["mean"] for key in ("bid", "nil", "entropy_of_bids"))
            cells += [f"{bid:.2f}", f"{nil:.1%}", f"{entropy:.2f}"]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def five_seeds() -> str:
    """Return what the seeds of the loop come to against `rule`, and how many games they win against `rb`."""
    last = measured("loop")["loop"]["last"]
    rows = ["| against `rule` | mean | interquartile mean | each seed |", "|---|---:|---:|---|"]
    for title, (key, form, times) in FIGURES.items():
        if one := last["rule"][key]:
            rows.append(_of_seeds(title, one, form, times))
    won, (key, form, times) = next(iter(FIGURES.items()))
    return "\n".join([*rows, _of_seeds(f"{won}, against `rb`", last["rb"][key], form, times)])


def _of_seeds(title: str, one: dict, form: str, times: float) -> str:
    middle = _text({"mean": one["iqm"], "ci": one["iqm_ci"]}, form, times)
    each = ", ".join(form.format(times * value) for value in one["values"])
    return f"| {title} | {_text(one, form, times)} | {middle} | {each} |"


def ideas() -> str:
    """Return a row for each change of the loop."""
    rows = [f"| | seeds | decisions | {' | '.join(FIGURES)} |", "|---|---:|---:|" + "---:|" * len(FIGURES)]
    for name, one in measured("ablations").items():
        found = [_text(one["last"]["rule"][key], form, times) for key, form, times in FIGURES.values()]
        rows.append(f"| `{name}`: {one['about']} | {len(one['seeds'])} | {_millions(one)} | {' | '.join(found)} |")
    return "\n".join(rows)


def tasks() -> str:
    """Return what each task is, and the mean return of known players with its interval."""
    scores = measured("tasks")["scores"]
    players = list(next(iter(scores.values())))
    heads = ["id", "the learner decides", "an episode, what it pays", *(f"`{name}`" for name in players), "episodes"]
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|" + "---:|" * (len(players) + 1)]
    for task, settings in TASKS.items():
        found = scores[task]
        form = "{:+.2f}" if settings.get("reward") == "win" else "{:+.1f}"
        episode = f"a {settings.get('episode', 'game')}, {'±1' if settings.get('reward') == 'win' else 'points'}"
        cells = [_text(found[name], form) for name in players]
        decides, count = DECIDES[settings.get("decides", "all")], f"{found[players[0]]['episodes']:,}"
        rows.append(f"| `{task}` | {decides} | {episode} | {' | '.join(cells)} | {count} |")
    return "\n".join(rows)


def _millions(one: dict[str, Any]) -> str:
    return f"{one['decisions']['mean'] / 1e6:.0f} M"


def _text(one: dict[str, Any] | None, form: str, times: float = 1) -> str:
    """Return a mean and its interval over the seeds; a single seed has none, nor have equal ones."""
    if one is None:
        return "–"
    mean = form.format(times * one["mean"])
    return mean if one["ci"] is None else f"{mean} [{', '.join(form.format(times * end) for end in one['ci'])}]"
