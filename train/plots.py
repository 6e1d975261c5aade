"""Learning curves of a run, as one picture."""

import os

from train.runs import Run

PANELS = (  # title, the metrics it shows
    ("policy", ("agreement", "entropy", "gain")),
    ("critic: share of the outcome explained", ("explained",)),
    ("change a round (KL)", ("kl",)),
)


def draw_curves(run: Run) -> None:
    """curves.svg in the run's folder: games won against fixed opponents, and how learning went."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    import matplotlib.pyplot as plt

    lines = run.metrics()
    evaluations = [line for line in lines if "evaluation" in line]
    rounds = [line for line in lines if "evaluation" not in line]
    decisions = {line["round"]: line["decisions"] / 1e6 for line in rounds}
    panels = [(title, names) for title, names in PANELS if any(name in line for line in rounds for name in names)]
    count = bool(evaluations) + len(panels)
    figure, axes = plt.subplots(1, max(1, count), figsize=(5 * max(1, count), 4), layout="constrained", squeeze=False)
    free = iter(axes[0])
    if evaluations:
        _draw_evaluations(next(free), evaluations, decisions)
    for axis, (title, names) in zip(free, panels, strict=False):
        for name in names:
            known = [line for line in rounds if name in line]
            if known:
                x = [decisions[line["round"]] for line in known]
                axis.plot(x, [line[name] for line in known], label=name, lw=1)
        axis.set(title=title, xlabel="million decisions")
        axis.legend()
    figure.savefig(run.folder / "curves.svg")
    plt.close(figure)


def _draw_evaluations(axis, evaluations, decisions) -> None:
    axis.set(title="games won, 95 % intervals", xlabel="million decisions")
    axis.axhline(0.5, color="grey", lw=0.8)
    for name in dict.fromkeys(line["evaluation"] for line in evaluations):
        own = [line for line in evaluations if line["evaluation"] == name]
        x = [decisions[line["round"]] for line in own]
        y = [line[f"wins/{name}"] for line in own]
        low = [value - line["ci"][0] for value, line in zip(y, own, strict=True)]
        high = [line["ci"][1] - value for value, line in zip(y, own, strict=True)]
        axis.errorbar(x, y, [low, high], label=f"against {name}", capsize=2, lw=1)
    axis.legend()
