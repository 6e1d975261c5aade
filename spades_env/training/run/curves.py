"""Draw the learning curves of a run as one picture, a panel for each metric."""

from functools import partial

import numpy as np

from spades_env.agents.atomic_files import write_whole
from spades_env.training.run.folder import Run, read_metrics
from spades_env.training.run.pictures import chosen, panels

PANELS = (  # title, metrics; a name that ends with a slash is a prefix
    ("a hand against others, reward", ("against/",)),
    ("nils: bid, and kept", ("nils", "nils_kept")),
    ("entropy of cards, nats", ("entropy",)),
    ("critic: share of the outcome explained", ("explained",)),
    ("cards whose ratio is clipped, share", ("clipped",)),
    ("losses", ("loss_calls", "loss_critic", "loss_tricks")),
    ("decisions a second since it was started", ("per_second",)),
)
SMOOTH = 40  # parts of the run, over each of which noisy metrics are averaged


def draw_curves(run: Run) -> None:
    """Write curves.svg in the run's folder: games won against fixed opponents, and the metrics of learning."""
    lines = read_metrics(run.folder)
    evaluations = [line for line in lines if "evaluation" in line]
    iterations = [line for line in lines if "evaluation" not in line]
    logged = dict.fromkeys(name for line in iterations for name in line)
    found = [(title, names) for title, wanted in PANELS if (names := chosen(logged, wanted))]
    draws = [partial(_draw_panel, title=title, names=names, iterations=iterations) for title, names in found]
    if evaluations:
        decisions = {line["iteration"]: line["decisions"] / 1e6 for line in iterations}
        draws.insert(0, partial(_draw_evaluations, evaluations=evaluations, decisions=decisions))
    write_whole(run.folder / "curves.svg", panels(draws))


def _draw_panel(axis, title: str, names: list[str], iterations: list[dict]) -> None:
    """Draw every iteration faintly, and the mean over some."""
    for name in names:
        known = [line for line in iterations if name in line]
        x, y = (np.array([line[key] for line in known], float) for key in ("decisions", name))
        (thin,) = axis.plot(x / 1e6, y, lw=0.7, alpha=0.35)
        parts = np.array_split(np.arange(len(x)), min(SMOOTH, len(x)))
        middle = np.array([(x[part].mean() / 1e6, y[part].mean()) for part in parts])
        axis.plot(*middle.T, lw=1.6, color=thin.get_color(), label=name.removeprefix("against/"))
    axis.set(title=title, xlabel="million decisions")
    if len(names) > 1 or "/" in names[0]:
        axis.legend()


def _draw_evaluations(axis, evaluations: list[dict], decisions: dict[int, float]) -> None:
    axis.set(title="games won, 95 % intervals", xlabel="million decisions")
    axis.axhline(0.5, color="grey", lw=0.8)
    for name in dict.fromkeys(line["evaluation"] for line in evaluations):
        own = [line for line in evaluations if line["evaluation"] == name]
        x = [decisions[line["iteration"]] for line in own]
        y = [line[f"wins/{name}"] for line in own]
        low = [value - line["ci"][0] for value, line in zip(y, own, strict=True)]
        high = [line["ci"][1] - value for value, line in zip(y, own, strict=True)]
        axis.errorbar(x, y, [low, high], label=f"against {name}", capsize=2, lw=1, marker=".")
    axis.legend()
