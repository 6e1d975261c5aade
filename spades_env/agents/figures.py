"""The statistics of agents and matches: their names, formats and formulas."""

from typing import Any

STATS = {  # key -> name, format
    "mean_bid": ("mean bid", "{:.2f}"),
    "set_rate": ("set", "{:.1%}"),
    "bags_per_hand": ("bags a hand", "{:.2f}"),
    "nil_rate": ("nil bid", "{:.1%}"),
    "nil_kept": ("nil kept", "{:.1%}"),
    "blind_nil_rate": ("blind nil bid", "{:.1%}"),
    "blind_nil_kept": ("blind nil kept", "{:.1%}"),
    "illegal": ("illegal answers", "{:,}"),
    "unreadable": ("unreadable answers", "{:,}"),
    "timeouts": ("answers too late", "{:,}"),
    "crashes": ("answers lost in crashes", "{:,}"),
    "ms_per_move": ("ms a move", "{:.4f}"),
}
RATIOS = {  # key -> numerator, denominator: counts by side or by seat
    "mean_bid": ("bid", "seat_hands"),
    "set_rate": ("sets", "side_hands"),
    "bags_per_hand": ("overtricks", "side_hands"),
    "nil_rate": ("nils", "seat_hands"),
    "nil_kept": ("nils_kept", "nils"),
}
FIGURES = {  # of a character: key -> name, format
    **{key: STATS[key] for key in ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept")},
    "four_bids": ("four bids", "{:.2f}"),
    "nils_set": ("others' nils set", "{:.1%}"),
    "ms_p50": ("ms a move, median", "{:.2f}"),
    "ms_p95": ("… and of 95 %", "{:.2f}"),
}


def stat_text(key: str, value: float | None) -> str:
    return "–" if value is None else STATS[key][1].format(value)


def figure_text(key: str, figure: Any) -> str:
    value = figure[0] if isinstance(figure, list) else figure
    return "–" if value is None else FIGURES[key][1].format(value)
